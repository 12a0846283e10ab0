"""Terms found in queries by lemma, whatever their case and number, with agreement checked afterwards.

Candidates come from spaCy's ``PhraseMatcher`` over lemmas; a query none of whose words occurs in a term never reaches
it, so that spaCy is imported only where there is something to find.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, product
from typing import TYPE_CHECKING

from perturb.polish.morphology import analyse, lemmas
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.parse import cases_of, parses
from perturb.polish.phrases.shapes import ALL_CELLS, NOMINATIVE, PLURAL, VOCATIVE
from perturb.polish.phrases.syntax import words_of
from perturb.polish.phrases.words import Adjective, Noun, adjective_readings, noun_readings
from perturb.polish.text import clean, match_case, tokenize

if TYPE_CHECKING:
    from perturb.polish.pipeline import LemmaPhrases

_MAX_LEMMA_SEQUENCES = 16
_NO_LEMMA = "_"
_CONJUGATED = frozenset({"inf", "fin", "impt", "praet", "cond", "imps", "pcon", "pant"})


@dataclass(frozen=True, slots=True, eq=False)
class TermPattern:
    """A term prepared for matching.

    Attributes:
        text: its dictionary form.
        lemmas: per token the lemmas it may show in a query.
        heads: index, noun and agreeing adjectives of each inflecting group; empty for verbs.
        frozen: surface and case mask of each token that does not inflect along, by index.
        cells: mask of the cells in which the term is used: plural only where the dictionary form is plural.
        verb: index of the verb, -1 for nouns.
    """

    text: str
    lemmas: tuple[tuple[str, ...], ...]
    heads: tuple[tuple[int, Noun, tuple[tuple[int, Adjective], ...]], ...]
    frozen: tuple[tuple[int, str, int], ...]
    cells: int
    verb: int = -1

    @property
    def head(self) -> Noun:
        """The head noun."""
        return self.heads[0][1]

    def form(self, cell: int) -> str:
        """The term in a cell, best forms; empty if the cell does not exist."""
        words = [token.text for token in tokenize(clean(self.text))]
        for index, noun, adjectives in self.heads:
            changed = [(index, noun.forms[cell])]
            changed += [(place, adjective.forms[noun.gender_index][cell]) for place, adjective in adjectives]
            for place, forms in changed:
                if not forms:
                    return ""
                words[place] = match_case(words[place], forms[0])
        return " ".join(words)


@dataclass(frozen=True, slots=True)
class TermMatch:
    """A term in a query.

    Attributes:
        pattern: the term.
        start: its first token.
        end: one past its last token.
        mask: cells in which it can stand as it is written; 0 for verbs.
    """

    pattern: TermPattern
    start: int
    end: int
    mask: int


def _keys(word: str) -> tuple[str, ...]:
    return lemmas(word.lower()) or (word.lower(),)


def noun_cells(word: str) -> int:
    """Mask of the cells in which a word can stand as a noun of any kind."""
    mask = 0
    for reading in noun_readings(word):
        mask |= reading.mask
    return mask


@lru_cache(maxsize=4096)
def term_pattern(text: str) -> TermPattern | None:
    """Prepare a term; None if no noun or infinitive is recognised in it, so that its cell could never be told."""
    tokens = tokenize(clean(text))
    words = [token.text for token in tokens]
    if any(reading.pos == "inf" for reading in analyse(words[0])):
        rest = tuple((index, word.lower(), ALL_CELLS) for index, word in enumerate(words) if index)
        return TermPattern(text, tuple(_keys(word) for word in words), (), rest, 0, 0)
    whole = (p for p in parses(words_of(tokens)) if p.end == len(words) and p.mask & NOMINATIVE)
    parse = next(whole, None)
    if parse is None:
        return None
    keys = [_keys(word) for word in words]
    inflecting: set[int] = set()
    for group in parse.groups:
        keys[group.head] = (group.noun.lexeme.split(":")[0].lower(),)
        inflecting |= {group.head, *(index for index, _ in group.adjectives)}
        for index, adjective in group.adjectives:
            keys[index] = (adjective.lexeme.split(":")[0].lower(),)
    frozen = tuple((i, word.lower(), noun_cells(word)) for i, word in enumerate(words) if i not in inflecting)
    heads = tuple((group.head, group.noun, group.adjectives) for group in parse.groups)
    cells = ALL_CELLS if parse.mask & 1 else PLURAL
    return TermPattern(text, tuple(keys), heads, frozen, cells & ~VOCATIVE)


def _sequences(pattern: TermPattern) -> list[tuple[str, ...]]:
    return list(islice(product(*pattern.lemmas), _MAX_LEMMA_SEQUENCES))


class TermMatcher:
    """Finds the terms of a lexicon in queries: the longest, not overlapping, inside unprotected words only.

    Args:
        terms: dictionary forms: nominative singular (plural where only the plural means this), or infinitive.
        preferred: terms that win over longer ones which overlap them.
    """

    def __init__(self, terms: Iterable[str], preferred: Iterable[str] = ()) -> None:
        self._preferred = frozenset(preferred)
        found = [term_pattern(term) for term in sorted(set(terms))]
        self.patterns: tuple[TermPattern, ...] = tuple(pattern for pattern in found if pattern is not None)
        self._vocabulary = frozenset(key for pattern in self.patterns for keys in pattern.lemmas for key in keys)
        self._starts = frozenset(key for pattern in self.patterns for key in pattern.lemmas[0])

    @cached_property
    def _phrases(self) -> LemmaPhrases:
        from perturb.polish.pipeline import LemmaPhrases

        return LemmaPhrases({index: _sequences(pattern) for index, pattern in enumerate(self.patterns)})

    def __call__(self, query: ParsedQuery) -> tuple[TermMatch, ...]:
        """Find the terms of one query, in the order of the text."""
        choices = [self._choices(token.lower) if token.is_word else () for token in query.tokens]
        if not any(key in self._starts for keys in choices for key in keys):
            return ()
        candidates: set[tuple[int, int, int]] = set()
        sequences = product(*((keys or (_NO_LEMMA,)) for keys in choices))
        for sequence in islice(sequences, _MAX_LEMMA_SEQUENCES):
            candidates.update(self._phrases.find(sequence))
        matches = [match for key, start, end in candidates if (match := self._verify(query, key, start, end))]
        return self._longest(matches)

    @lru_cache(maxsize=65536)  # noqa: B019
    def _choices(self, word: str) -> tuple[str, ...]:
        return tuple(key for key in _keys(word) if key in self._vocabulary)

    def _verify(self, query: ParsedQuery, key: int, start: int, end: int) -> TermMatch | None:
        pattern = self.patterns[key]
        words = [token.text for token in query.tokens[start:end]]
        for index, surface, mask in pattern.frozen:
            if words[index].lower() != surface and not cases_of(noun_cells(words[index])) & cases_of(mask):
                return None
        if pattern.verb >= 0:
            lemma = pattern.lemmas[0]
            conjugated = any(r.pos in _CONJUGATED and r.lemma.lower() in lemma for r in analyse(words[0]))
            return TermMatch(pattern, start, end, 0) if conjugated else None
        mask = pattern.cells
        for head, noun, adjectives in pattern.heads:
            mask &= _noun_cells(words[head], noun)
            for index, adjective in adjectives:
                mask &= _adjective_cells(words[index], adjective, noun.gender_index)
        return TermMatch(pattern, start, end, mask) if mask else None

    def _longest(self, matches: Sequence[TermMatch]) -> tuple[TermMatch, ...]:
        def rank(match: TermMatch) -> tuple[bool, int, int, str]:
            text = match.pattern.text
            return text not in self._preferred, match.start - match.end, match.start, text

        kept: list[TermMatch] = []
        for match in sorted(matches, key=rank):
            if all(match.end <= other.start or other.end <= match.start for other in kept):
                kept.append(match)
        return tuple(sorted(kept, key=lambda match: match.start))


def _noun_cells(word: str, noun: Noun) -> int:
    mask = 0
    for spelling in {word, word.lower()}:
        for reading in noun_readings(spelling):
            if reading.noun.lexeme == noun.lexeme and reading.noun.gender == noun.gender:
                mask |= reading.mask
    return mask


def _adjective_cells(word: str, adjective: Adjective, gender: int) -> int:
    mask = 0
    for reading in adjective_readings(word.lower()):
        if reading.adjective.lexeme == adjective.lexeme and reading.adjective.kind == adjective.kind:
            mask |= reading.masks[gender]
    return mask
