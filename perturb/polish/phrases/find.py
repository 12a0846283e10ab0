"""Finding the noun phrases of a query, and saying for each what may be done to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from perturb.polish.phrases.govern import (
    POINTING,
    governor_at,
    is_subject_verb,
)
from perturb.polish.phrases.inflect import confidence_of, replacements
from perturb.polish.phrases.lexicons import word_class
from perturb.polish.phrases.obstacles import obstacle
from perturb.polish.phrases.parse import Parse, parses
from perturb.polish.phrases.shapes import (
    ALL_CELLS,
    GENITIVE,
    LOCATIVE,
    NOMINATIVE,
    Cell,
    Governor,
    cell_index,
    cells_of,
)
from perturb.polish.phrases.syntax import Word
from perturb.polish.text import Token, match_case
from perturb.records import Edit

if TYPE_CHECKING:
    from perturb.polish.parsed import ParsedQuery

_QUESTION_WORDS = word_class("clause_opener")
_FOREIGN_PHRASE_STARTS = word_class("foreign_phrase_start")
_LONGEST = 80
"""Tokens. A longer stretch without a verb or a mark is no phrase but a list or a pasted text, and costs its square."""

_STOPPING_SYMBOLS = frozenset('?!.;:…()[]{}–—=+*"„”«»')


@dataclass(frozen=True)
class NounPhrase:
    """A noun phrase of a query.

    Attributes:
        start: first token.
        end: one past its last token, frozen tail included.
        head: token of the head noun.
        agreeing: tokens that change with the head: adjectives, participles, coordinated and apposed nouns.
        tail: tokens ``(start, end)`` of the frozen rest behind the last changing token; empty if both are equal.
        cells: every cell in which the phrase can stand as it is written, as far as its governor leaves open.
        governor: what decides its case.
        lemma: dictionary form of the head noun, in lower case unless it is a name.
        gender: gender of the head noun.
        confidence: 0 to 1.
        obstacle: why nothing should be done to it, in a few words; empty if nothing stands against it.
        clause_subject: it may be the subject of a finite verb, whose number would have to follow.
    """

    start: int
    end: int
    head: int
    agreeing: tuple[int, ...]
    tail: tuple[int, int]
    cells: frozenset[Cell]
    governor: Governor
    lemma: str
    gender: str
    confidence: float
    obstacle: str
    clause_subject: bool
    parse: Parse = field(repr=False, compare=False)
    text: str = field(repr=False, compare=False)
    tokens: tuple[Token, ...] = field(repr=False, compare=False)

    @property
    def span(self) -> tuple[int, int]:
        """Characters from the first to the last token."""
        return self.tokens[self.start].start, self.tokens[self.end - 1].end

    @cached_property
    def surface(self) -> str:
        """The phrase as it stands in the query."""
        start, end = self.span
        return self.text[start:end]

    @property
    def numbers(self) -> frozenset[str]:
        """Numbers in which it can stand as it is written."""
        return frozenset(number for number, _ in self.cells)

    @property
    def cases(self) -> frozenset[str]:
        """Cases in which it can stand as it is written."""
        return frozenset(case for _, case in self.cells)

    def edits(self, case: str, number: str) -> tuple[Edit, ...] | None:
        """The edits that put the phrase into a cell, one per changed word.

        Args:
            case: the target case.
            number: the target number.

        Returns:
            Edits in the order of the text, empty if it reads the same there; None if the cell does not exist.
        """
        wanted = replacements(self.parse, cell_index(case, number))
        if wanted is None:
            return None
        own = (number, case) in self.cells
        edits = []
        for index, forms in wanted:
            token = self.tokens[self.start + index]
            if own and any(match_case(token.text, form) == token.text for form in forms):
                continue
            form = match_case(token.text, forms[0])
            form = form if "’" in token.text else form.replace("’", "'")
            if form != token.text:
                edits.append(Edit(token.start, token.end, token.text, form))
        return tuple(edits)

    def form(self, case: str, number: str) -> str | None:
        """The phrase in a cell, best form; None if the cell does not exist."""
        edits = self.edits(case, number)
        if edits is None:
            return None
        start, end = self.span
        parts: list[str] = []
        position = start
        for edit in edits:
            parts += (self.text[position : edit.start], edit.after)
            position = edit.end
        return "".join((*parts, self.text[position:end]))


class _Finder:
    def __init__(self, query: ParsedQuery) -> None:
        self.text = query.text
        self.tokens = query.tokens
        self.words = query.looked_up
        self.verbs = query.verbs
        self.subject_verbs = [i for i, verb in enumerate(self.verbs) if verb and is_subject_verb(self.tokens[i])]

    def find(self) -> Iterator[NounPhrase]:
        index = 0
        nested_until = 0
        while index < len(self.tokens):
            if not self._can_start(index):
                index += 1
                continue
            limit = self._limit(index)
            if limit - index > _LONGEST:
                index = limit
                continue
            phrase = self._phrase_at(index, limit, nested=index < nested_until)
            if phrase is None:
                index += 1
                continue
            yield phrase
            nested_until = max(nested_until, phrase.end)
            index = max((phrase.head, *phrase.agreeing)) + 1 if self._contiguous(phrase) else phrase.head + 1

    def _contiguous(self, phrase: NounPhrase) -> bool:
        inflected = sorted((phrase.head, *phrase.agreeing))
        return inflected[-1] - inflected[0] < len(inflected) + 2

    def _can_start(self, index: int) -> bool:
        word, token = self.words[index], self.tokens[index]
        if self.verbs[index] or token.lower in _QUESTION_WORDS or token.kind != "word":
            return False
        if index and self.tokens[index - 1].lower in _FOREIGN_PHRASE_STARTS:
            return False
        if word.is_adverbial and not (index and self.words[index - 1].is_preposition):
            return False
        return bool(word.nouns or word.adjectives or word.is_modifier) and not word.is_preposition

    def _limit(self, start: int) -> int:
        for index in range(start, len(self.tokens)):
            token = self.tokens[index]
            if self.verbs[index] or token.lower in _QUESTION_WORDS:
                return index
            if token.kind == "symbol" and token.text in _STOPPING_SYMBOLS:
                return index
            if token.text == "," and not self._list_goes_on(index):
                return index
        return len(self.tokens)

    def _list_goes_on(self, comma: int) -> bool:
        following = comma + 1
        if following >= len(self.tokens):
            return False
        word = self.words[following]
        return (
            bool(word.nouns or word.adjectives)
            and not self.verbs[following]
            and not word.is_preposition
            and (self.tokens[following].lower not in POINTING)
        )

    def _phrase_at(self, start: int, limit: int, nested: bool) -> NounPhrase | None:
        governor, allowed = governor_at(self.tokens, self.words, start)
        if nested and governor.kind == "none":
            governor, allowed = Governor("noun", start - 1, "", frozenset({"gen"})), GENITIVE
        words = self.words[start:limit]
        found = parses(words, allowed, in_query=True)
        if not found and allowed != ALL_CELLS and governor.kind == "verb":
            governor = Governor("verb", governor.token, governor.lemma)
            found = parses(words, ALL_CELLS & ~NOMINATIVE & ~LOCATIVE, in_query=True)
        if not found:
            return None
        return self._build(start, found, words, governor)

    def _build(self, start: int, found: list[Parse], words: Sequence[Word], governor: Governor) -> NounPhrase:
        best = found[0]
        head = best.head
        inflected = sorted(i for g in best.groups for i in (g.head, *(index for index, _ in g.adjectives)))
        end = self._trim(start, best.end, inflected[-1])
        noun = head.noun
        return NounPhrase(
            start=start,
            end=end,
            head=start + head.head,
            agreeing=tuple(start + index for index in inflected if index != head.head),
            tail=(start + inflected[-1] + 1, end),
            cells=cells_of(best.mask),
            governor=governor,
            lemma=noun.lemma if noun.proper else noun.lemma.lower() if not noun.lemma.isupper() else noun.lemma,
            gender=noun.gender,
            confidence=confidence_of(found, words),
            obstacle=obstacle(self.tokens, self.words, (start, end), best, governor),
            clause_subject=self._may_be_subject(start, end, best, governor),
            parse=best,
            text=self.text,
            tokens=self.tokens,
        )

    def _trim(self, start: int, length: int, last_inflected: int) -> int:
        """Leave out conjunctions, commas and prepositions that dangle at the end."""
        end = start + length
        while end - 1 > start + last_inflected:
            word = self.words[end - 1]
            if not (word.is_conjunction or word.is_preposition or word.text in (",", "-", "–")):
                break
            end -= 1
        return end

    def _may_be_subject(self, start: int, end: int, parse: Parse, governor: Governor) -> bool:
        if not parse.mask & NOMINATIVE or governor.kind in ("preposition", "noun"):
            return False
        if governor.kind == "verb" and governor.cases:
            return False
        return any(not start <= index < end for index in self.subject_verbs)


def find_phrases(query: ParsedQuery) -> tuple[NounPhrase, ...]:
    """The noun phrases of a query, in the order of their first tokens; a phrase in another's tail is listed too.

    Args:
        query: a parsed query.
    """
    return tuple(_Finder(query).find())
