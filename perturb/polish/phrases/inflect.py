"""Inflecting a noun phrase given as such."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice, product

from perturb.polish.phrases.groups import AMOUNTS
from perturb.polish.phrases.lexicons import frequent_nouns
from perturb.polish.phrases.paradigms import Noun
from perturb.polish.phrases.parse import Group, Parse, cases_of, parses
from perturb.polish.phrases.persons import NAMED_PLACES
from perturb.polish.phrases.shapes import ALL_CELLS, NOMINATIVE, SINGULAR
from perturb.polish.phrases.syntax import Word, is_frozen_modifier, words_of
from perturb.polish.phrases.titles import abbreviated_title, title_forms
from perturb.polish.phrases.words import (
    NounReading,
    acronym_nouns,
    is_unlisted_acronym,
    noun_readings,
    place_readings,
    woman_by_participle,
)
from perturb.polish.text import Token, clean, match_case, tokenize

_MAX_FORMS = 12
_MARGIN_OF_CERTAINTY = 0.5


def _number_of(mask: int) -> int:
    """0 if the cells are all singular, 1 if all plural, -1 if both occur."""
    singular, plural = mask & SINGULAR, mask >> 7
    return -1 if singular and plural else int(bool(plural))


def replacements(parse: Parse, cell: int) -> list[tuple[int, tuple[str, ...]]] | None:
    """For each inflected token its forms in a cell, in the order of the text; None if the cell does not exist."""
    number, case = divmod(cell, 7)
    cases = cases_of(parse.mask)
    own = _number_of(parse.mask)
    if number and own < 1 and parse.is_unique:
        return None
    found: list[tuple[int, tuple[str, ...]]] = []
    for group in parse.groups:
        target = cell
        if group.joined == "coordination":
            kept = _number_of(group.mask & (cases | cases << 7))
            if kept >= 0 and own >= 0 and kept != own and number == own:
                target = kept * 7 + case
        elif group.joined == "apposition" and case == 6 and _unvocative(group, parse.head):
            target = cell - 6
        forms = group.noun.forms[target]
        if not forms:
            return None
        found.append((group.head, forms))
        for index, adjective in group.adjectives:
            agreeing = adjective.forms[group.noun.gender_index][target]
            if not agreeing:
                return None
            found.append((index, _of_place(agreeing) if case in (4, 5) and _is_old_place(group.noun) else agreeing))
    found.sort()
    return found


def _is_old_place(noun: Noun) -> bool:
    """Whether a name of a place keeps the old ending *-em* of neuter adjectives: *w Zakopanem*."""
    return noun.proper and noun.gender == "n" and _ends(noun, 1, "ego") and _ends(noun, 5, "em")


def _ends(noun: Noun, cell: int, ending: str) -> bool:
    return any(form.endswith(ending) for form in noun.forms[cell])


def _of_place(forms: tuple[str, ...]) -> tuple[str, ...]:
    """Forms in *-ym*, *-im* with the ending of such a place: *w Wysokiem Mazowieckiem*."""
    return tuple(
        re.sub(r"(?<=i)m$", "em", form) if form.endswith("im") else re.sub("ym$", "em", form) for form in forms
    )


def _unvocative(group: Group, head: Group) -> bool:
    """Whether a name beside the head stays in the nominative in the vocative: *panie Nowak*, *miasto Białystok*."""
    names = group.noun.names
    if head.noun.lemma in NAMED_PLACES and group.noun.proper:
        return group.noun.gender != head.noun.gender
    return bool(names & {"nazwisko", "nazwa_geograficzna"}) and "imię" not in names


def _spelled(model: str, forms: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(match_case(model, form) for form in forms)


def _first_noun(words: Sequence[Word]) -> tuple[NounReading, ...]:
    """What the first word of a phrase is, though it is something else in a query: a place, no preposition (*koło*)."""
    if not words:
        return ()
    text = words[0].text
    if len(words) == 1 and place_readings(text):
        return place_readings(text)
    if len(words) == 1 and is_unlisted_acronym(text):
        return acronym_nouns(text)
    if words[0].is_preposition and not words[0].nouns:
        return tuple(reading for reading in noun_readings(text) if reading.noun.lemma in frequent_nouns())
    return ()


def _with_women(words: Sequence[Word]) -> tuple[Word, ...]:
    """The words of a phrase that nothing heads, participles read as women: *nowa sprzątająca*, *ucząca się*."""
    return tuple(
        word if word.nouns else replace(word, nouns=woman_by_participle(word.text)) if word.is_participle else word
        for word in words
    )


class PhraseReader:
    """A phrase with its likeliest parse, from which any cell can be read.

    Attributes:
        text: the cleaned phrase.
        tokens: its tokens, brackets and quotes before the first word left out.
        parse: the likeliest parse; None if no noun was recognised.
        confidence: 0 to 1.
    """

    def __init__(
        self,
        text: str,
        tokens: Sequence[Token],
        allowed: int = ALL_CELLS,
        accepts: Callable[[Parse], bool] = lambda _parse: True,
    ) -> None:
        """Parse a phrase.

        Args:
            text: the cleaned phrase.
            tokens: its tokens.
            allowed: cells in which it can stand as it is written.
            accepts: which parses are believed.
        """
        self.text = text
        opening = next((index for index, token in enumerate(tokens) if token.kind != "symbol"), 0)
        title = abbreviated_title(tokens, opening)
        self.tokens = tokens[opening + title :]
        words = words_of(self.tokens)
        first = _first_noun(words)
        if first:
            words = (replace(words[0], nouns=first, adjectives=(), pos=frozenset({"subst"})), *words[1:])
        found = parses(words, allowed) or parses(_with_women(words), allowed)
        found = [parse for parse in found if accepts(parse)]
        self.parse: Parse | None = found[0] if found else None
        is_man = bool(found) and found[0].head.noun.gender != "f"
        self._title = tuple(tokens[opening : opening + title]) if is_man else ()
        self.confidence = confidence_of(found, words, in_query=False)
        self._pieces = self._split()

    def _split(self) -> tuple[list[str], list[int]]:
        """The text cut at the inflected tokens, which are given by their indices."""
        if self.parse is None:
            return [self.text], []
        indices = sorted(i for g in self.parse.groups for i in (g.head, *(index for index, _ in g.adjectives)))
        pieces: list[str] = []
        position = 0
        for index in indices:
            token = self.tokens[index]
            pieces.append(self.text[position : token.start])
            position = token.end
        pieces.append(self.text[position:])
        return pieces, indices

    def forms(self, cell: int) -> tuple[str, ...]:
        """Every accepted form in a cell, best first, in the capitals of the phrase."""
        if not self._title:
            return self._forms(cell)
        end = self._title[-1].end
        titles = title_forms(self.text, self._title, cell)
        return tuple(title + form[end:] for title in titles for form in self._forms(cell))

    def _forms(self, cell: int) -> tuple[str, ...]:
        if self.parse is None:
            return (self.text,)
        wanted = replacements(self.parse, cell)
        if wanted is None:
            return ()
        pieces = self._pieces[0]
        if all(len(forms) == 1 for _, forms in wanted):
            out = [pieces[0]]
            for number, (index, forms) in enumerate(wanted, 1):
                out += (match_case(self.tokens[index].text, forms[0]), pieces[number])
            return both_apostrophes("".join(out), self.text)
        spelled = [_spelled(self.tokens[index].text, forms) for index, forms in wanted]
        results: list[str] = []
        for choice in islice(product(*spelled), _MAX_FORMS):
            text = pieces[0] + "".join(form + piece for form, piece in zip(choice, pieces[1:], strict=True))
            results += [spelling for spelling in both_apostrophes(text, self.text) if spelling not in results]
        stands = self.parse.mask >> cell & 1 and not (cell >= 7 and self.parse.mask & NOMINATIVE & SINGULAR)
        if stands and self.text in results:
            results.remove(self.text)
            results.insert(0, self.text)
        return tuple(results)

    @property
    def lemma(self) -> str:
        """Nominative singular, or plural where there is no singular."""
        return next((forms[0] for forms in (self.forms(0), self.forms(7)) if forms), self.text)


def both_apostrophes(text: str, model: str) -> tuple[str, ...]:
    """A form in both spellings of the apostrophe: first the phrase's own, else the straight one of keyboards."""
    if "’" not in text:
        return (text,)
    straight = text.replace("’", "'")
    return (text, straight) if "’" in model else (straight, text)


def confidence_of(found: Sequence[Parse], words: Sequence[Word], in_query: bool = True) -> float:
    """How sure the likeliest parse is: its own doubts, and how close another one that inflects differently comes."""
    if not found:
        return 0.0
    best = found[0]
    confidence = 0.99 - best.doubt - 0.1 * max(best.penalty - max(best.head.noun.prior, 0.0), 0.0)
    if words and words[0].is_numeral and not _is_no_count(words, best, in_query):
        confidence -= 0.5
    for other in found[1:]:
        margin = other.penalty - best.penalty
        if margin >= _MARGIN_OF_CERTAINTY:
            break
        if _differs(best, other):
            confidence -= 0.3 * (1 - margin / _MARGIN_OF_CERTAINTY)
            break
    return round(min(1.0, max(0.0, confidence)), 3)


def _is_no_count(words: Sequence[Word], parse: Parse, in_query: bool) -> bool:
    """Whether a numeral begins a phrase that it does not count: *jeden* wniosek, *tysiąc* złotych, *sto* pierwszy."""
    return (
        bool(words[0].adjectives and not in_query)
        or parse.head.noun.lemma in AMOUNTS
        or is_frozen_modifier(words, 0) > 0
    )


def _differs(one: Parse, other: Parse) -> bool:
    """Whether two parses give another form in some cell that both have."""
    if one.head.head != other.head.head:
        return True
    first, second = one.head.noun.forms, other.head.noun.forms
    if any(a and b and a[0] != b[0] for index, (a, b) in enumerate(zip(first, second, strict=True)) if index % 7 != 6):
        return True
    return {index for index, _ in one.head.adjectives} != {index for index, _ in other.head.adjectives}


@lru_cache(maxsize=8192)
def read_phrase(phrase: str) -> PhraseReader:
    """Parse a phrase; the result is cached."""
    text = clean(phrase)
    return PhraseReader(text, tokenize(text))


__all__ = ["PhraseReader", "both_apostrophes", "confidence_of", "read_phrase", "replacements"]
