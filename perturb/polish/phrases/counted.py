"""Counted phrases given as such: *dwaj wspólnicy*, *pięć rat leasingowych*, *ostatnie trzy miesiące*.

They have one number, the one they stand in; the numeral changes with the case and decides the case of the noun.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from perturb.polish.morphology import CASES, GENDERS
from perturb.polish.phrases.counting import Numeral, Way, numeral_at_start
from perturb.polish.phrases.inflect import PhraseReader
from perturb.polish.phrases.paradigms import Adjective
from perturb.polish.phrases.parse import Parse
from perturb.polish.phrases.shapes import CELL_INDEX, CELLS, SINGULAR
from perturb.polish.phrases.syntax import is_frozen_modifier, words_of
from perturb.polish.text import Token, match_case

_MAX_FORMS = 12
_MOST_BEFORE = 2
"""Words that may stand before the numeral: *wszystkie nasze trzy* umowy."""

_COUNTED_CASES = CASES[:6]
_GENITIVE = CELL_INDEX["pl", "gen"]


class CountedPhrase:
    """A phrase that a numeral heads, from which every cell of its number can be read.

    Attributes:
        text: the cleaned phrase.
        confidence: 0 to 1.
    """

    def __init__(self, text: str, tokens: Sequence[Token], start: int, numeral: Numeral, noun: PhraseReader) -> None:
        """Join the parts.

        Args:
            text: the phrase.
            tokens: its tokens.
            start: index of the numeral.
            numeral: the numeral.
            noun: the counted noun with all that follows it, parsed with :meth:`accepts`.
        """
        self.text = text
        self.confidence = noun.confidence
        self._tokens = tokens
        self._start = start
        self._numeral = numeral
        self._noun = noun
        self._mask = _standing(numeral, _spelled_numeral(tokens, start, numeral), noun.parse) if noun.parse else 0
        self._before = self._adjectives()
        self.is_sound = bool(self._mask) and self._before is not None

    @property
    def _gender(self) -> str:
        assert self._noun.parse is not None
        return self._noun.parse.head.noun.gender

    def _adjectives(self) -> tuple[Adjective, ...] | None:
        """What the words before the numeral are as adjectives of the noun; None if one does not agree."""
        if not self._mask:
            return None
        words = words_of(self._tokens[: self._start])
        index = GENDERS.index(self._gender)
        found = [
            next((r.adjective for r in word.adjectives if r.masks[index] & (self._mask | 1 << _GENITIVE)), None)
            for word in words
        ]
        agreeing = tuple(adjective for adjective in found if adjective is not None)
        return agreeing if len(agreeing) == len(words) else None

    def forms(self, cell: int) -> tuple[str, ...]:
        """Every accepted form in a cell, best first; none in the other number, the nominative in the vocative."""
        if CELLS[cell][0] != self._numeral.number:
            return ()
        case = CASES[cell % 7] if CASES[cell % 7] in _COUNTED_CASES else "nom"
        results = dict.fromkeys(
            form for way in self._numeral.ways(case, self._gender) for form in self._spelled(way, case)
        )
        if self.text in results:
            results = {self.text: None, **results}
        return tuple(islice(results, _MAX_FORMS))

    def _spelled(self, way: Way, case: str) -> list[str]:
        numeral, cell = way
        tokens, start = self._tokens, self._start
        gap = self.text[tokens[start + self._numeral.length - 1].end : tokens[start + self._numeral.length].start]
        models = [token.text for token in tokens[start : start + self._numeral.length]]
        words = numeral.split(" ") if len(models) > 1 else [numeral]
        models += models[-1:] * (len(words) - len(models))
        counted = " ".join(match_case(model, word) for model, word in zip(models, words, strict=False))
        return [self._prefix(case, cell) + counted + gap + noun for noun in self._noun.forms(cell)]

    def _prefix(self, case: str, noun_cell: int) -> str:
        """The words before the numeral: *ostatnie* pięć lat, *ostatnich* pięciu lat."""
        cell = noun_cell if self._gender == "m1" else CELL_INDEX["pl", case]
        index = GENDERS.index(self._gender)
        out = ""
        for number, adjective in enumerate(self._before or ()):
            token = self._tokens[number]
            out += match_case(token.text, adjective.forms[index][cell][0])
            out += self.text[token.end : self._tokens[number + 1].start]
        return out

    @property
    def lemma(self) -> str:
        """The nominative."""
        return self.forms(CELL_INDEX[self._numeral.number, "nom"])[0]


def _spelled_numeral(tokens: Sequence[Token], start: int, numeral: Numeral) -> str:
    return " ".join(token.lower for token in tokens[start : start + numeral.length])


def _standing(numeral: Numeral, written: str, parse: Parse) -> int:
    """The cells in which a counted phrase can stand as it is written."""
    mask = 0
    for case in _COUNTED_CASES:
        for form, cell in numeral.ways(case, parse.head.noun.gender):
            if form == written and parse.mask >> cell & 1:
                mask |= 1 << CELL_INDEX["pl", case]
    return mask


def _allowed(numeral: Numeral, written: str) -> int:
    """The cells in which the noun can stand after a numeral as it is written, whatever its gender."""
    mask = 0
    for case in _COUNTED_CASES:
        for gender in ("m1", "m3", "f", "n"):
            for form, cell in numeral.ways(case, gender):
                if form == written:
                    mask |= 1 << cell
    return mask


def counted_phrase(text: str, tokens: Sequence[Token]) -> CountedPhrase | None:
    """A phrase as a counted one; None if no numeral heads it.

    Args:
        text: the cleaned phrase.
        tokens: its tokens.
    """
    for start in range(min(len(tokens) - 1, _MOST_BEFORE + 1)):
        numeral = numeral_at_start([token.lower for token in tokens[start:]])
        if numeral is not None:
            return _counted_at(text, tokens, start, numeral)
        if not words_of(tokens[start : start + 1])[0].adjectives:
            return None
    return None


def _counted_at(text: str, tokens: Sequence[Token], start: int, numeral: Numeral) -> CountedPhrase | None:
    rest = tokens[start + numeral.length :]
    if not rest or (is_frozen_modifier(words_of(tokens), start) and _is_singular(text, tokens)):
        return None
    written = _spelled_numeral(tokens, start, numeral)
    noun = PhraseReader(
        text[rest[0].start :],
        _moved(rest),
        _allowed(numeral, written),
        lambda parse: bool(_standing(numeral, written, parse)),
    )
    phrase = CountedPhrase(text, tokens, start, numeral, noun)
    return phrase if phrase.is_sound else None


def _is_singular(text: str, tokens: Sequence[Token]) -> bool:
    """Whether the numeral begins an ordinal: *sto pięćdziesiąta rocznica*."""
    parse = PhraseReader(text, tokens).parse
    return parse is not None and bool(parse.mask & SINGULAR)


def _moved(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Tokens of a later part of a text as tokens of that part alone."""
    offset = tokens[0].start
    return tuple(Token(t.start - offset, t.end - offset, t.text, t.kind, t.protected) for t in tokens)


__all__ = ["CountedPhrase", "counted_phrase"]
