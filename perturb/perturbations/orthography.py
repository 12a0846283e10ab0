"""Spelling mistakes of Poles: sounds with two spellings, nasal vowels, endings of loanwords, consonants as heard.

The rules and their contexts are ``lexicons/spelling_rules.tsv``. Each edit covers the whole word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.slips import is_real_word
from perturb.polish.morphology import Reading, analyse
from perturb.polish.parsed import ParsedQuery
from perturb.polish.text import Token, match_case
from perturb.records import Edit, Variant
from perturb.resources import read_table

_SHORTEST = 4


class SpellingRule(NamedTuple):
    """A mistake and where it can happen.

    Attributes:
        kind: group of mistakes, such as ``rz-ż``.
        pattern: matches the misspelt letters in a lower-case word.
        replacement: what is written instead.
        weight: how readily the mistake is made.
        confidence: 0 to 1, how sure we are that a Pole would believe it.
        before: a word it applies to.
        after: that word misspelt.
    """

    kind: str
    pattern: re.Pattern[str]
    replacement: str
    weight: float
    confidence: float
    before: str
    after: str


class Misspelling(NamedTuple):
    """What may become of a word."""

    after: str
    kind: str
    weight: float
    confidence: float


@lru_cache(maxsize=1)
def spelling_rules() -> tuple[SpellingRule, ...]:
    """The rules of ``lexicons/spelling_rules.tsv``; ``—`` there stands for nothing."""
    return tuple(
        SpellingRule(
            row["kind"],
            re.compile(row["pattern"]),
            "" if row["replacement"] == "—" else row["replacement"],
            float(row["weight"]),
            float(row["confidence"]),
            row["before"],
            row["after"],
        )
        for row in read_table("spelling_rules.tsv")
    )


def is_common_word(word: str) -> bool:
    """Whether the dictionary knows a word as more than a name: rules of Polish spelling apply to such words only."""
    return any(not reading.is_proper for reading in analyse(word))


@lru_cache(maxsize=16384)
def misspellings(word: str) -> tuple[Misspelling, ...]:
    """All ways to misspell a lower-case word by one rule at one place.

    Args:
        word: lower case, of at least four letters to have any.
    """
    if len(word) < _SHORTEST or not is_common_word(word):
        return ()
    found: dict[str, Misspelling] = {}
    for rule in spelling_rules():
        for match in rule.pattern.finditer(word):
            if rule.kind == "ch-h" and _is_safe_ch(word, match.start()):
                continue
            after = word[: match.start()] + rule.replacement + word[match.end() :]
            found.setdefault(after, Misspelling(after, rule.kind, rule.weight, rule.confidence))
    return tuple(found.values())


_LONG_ENOUGH = 6
_LEAST_PREFIX = 4


def _is_safe_ch(word: str, place: int) -> bool:
    """Whether nobody errs there: in a word as short as *echo*, at the seam of a compound (*praco|chłonny*)."""
    seam = place >= _LEAST_PREFIX and word[place - 1] == "o" and is_common_word(word[place:])
    return len(word) < _LONG_ENOUGH or seam


@lru_cache(maxsize=16384)
def realistic_endings(word: str) -> tuple[Misspelling, ...]:
    """Endings that Poles take for one another, where the grammar of the lower-case word allows it."""
    if len(word) < _SHORTEST:
        return ()
    readings = [reading for reading in analyse(word) if reading.is_accepted]
    return tuple(
        Misspelling(word[: -len(rule.ending)] + rule.instead, rule.kind, rule.weight, rule.confidence)
        for rule in _ENDINGS
        if word.endswith(rule.ending) and rule.fits(readings)
    )


class _EndingRule(NamedTuple):
    kind: str
    ending: str
    instead: str
    fits: Callable[[Sequence[Reading]], bool]
    weight: float
    confidence: float


def _noun(case: str, number: str) -> Callable[[Sequence[Reading]], bool]:
    def fits(readings: Sequence[Reading]) -> bool:
        nouns = [reading for reading in readings if reading.pos in ("subst", "ger")]
        other = any(reading.pos in ("adj", "ppas", "pact") for reading in readings)
        base_form = any({"nom"} & noun.get("case") and "sg" in noun.get("number") for noun in nouns)
        right = any(case in noun.get("case") and number in noun.get("number") for noun in nouns)
        return right and not other and (case == "acc" or not base_form)

    return fits


def _verb(number: str, person: str) -> Callable[[Sequence[Reading]], bool]:
    def fits(readings: Sequence[Reading]) -> bool:
        verbs = [reading for reading in readings if reading.pos == "fin"]
        return any(number in verb.get("number") and person in verb.get("person") for verb in verbs)

    return fits


_ENDINGS = (
    _EndingRule("om-ą", "om", "ą", _noun("dat", "pl"), 4, 0.9),
    _EndingRule("ą-om", "ą", "om", _noun("inst", "sg"), 3, 0.8),
    _EndingRule("ą-om", "ą", "om", _verb("pl", "ter"), 1, 0.6),
    _EndingRule("em-ę", "miem", "mię", _verb("sg", "pri"), 4, 0.9),
    _EndingRule("ę-em", "chcę", "chcem", _verb("sg", "pri"), 2, 0.7),
    _EndingRule("ę-e", "ę", "e", _noun("acc", "sg"), 4, 0.9),
    _EndingRule("ę-e", "ę", "e", _verb("sg", "pri"), 4, 0.9),
)


def draw_misspelling(
    words: Sequence[Token], ways: Callable[[str], tuple[Misspelling, ...]], rng: Random
) -> tuple[Token, Misspelling] | None:
    """Draw one of all the ways to misspell one of the words, by weight; ``None`` if there is none."""
    sites = [(token, way) for token in words for way in ways(token.lower) if way.after != token.lower]
    if not sites:
        return None
    return rng.choices(sites, [way.weight for _, way in sites])[0]


@dataclass(frozen=True)
class _Misspelt(Perturbation):
    """Base of the rules that misspell words one at a time."""

    mistakes: int = 1

    def _draw(
        self,
        query: ParsedQuery,
        ways: Callable[[str], tuple[Misspelling, ...]],
        rng: Random,
        nothing: str,
        *,
        spare_names: bool = False,
    ) -> Iterator[Variant]:
        words = [word for word in query.words if not _is_acronym(word.text)]
        if spare_names:
            words = [word for word in words if word.start == 0 or not _is_name(word.text)]
        edits: list[Edit] = []
        drawn: list[Misspelling] = []
        for _ in range(self.mistakes):
            pair = draw_misspelling(words, ways, rng)
            if pair is None:
                break
            token, way = pair
            words.remove(token)
            edits.append(query.edit(token.start, token.end, match_case(token.text, way.after)))
            drawn.append(way)
        if not drawn:
            query.decline(nothing)
            return
        kind = drawn[0].kind if len(drawn) == 1 else f"s{len(drawn)}"
        flags = ("real_word",) if any(is_real_word(way.after) for way in drawn) else ()
        confidence = min(way.confidence for way in drawn)
        edits.sort(key=lambda edit: edit.start)
        yield query.variant(self.name, kind, edits, confidence=confidence, flags=flags)


def _is_name(word: str) -> bool:
    """A word with a capital that the dictionary knows as a name too: *w Łodzi*, which nobody spells *w Łudzi*."""
    return word[:1].isupper() and not word.isupper() and any(reading.is_proper for reading in analyse(word))


def _is_acronym(word: str) -> bool:
    """Up to five capitals that are no ordinary word, with or without an ending."""
    stem = word.partition("-")[0]
    return stem.isupper() and (stem != word or (len(stem) <= 5 and not is_real_word(word.lower())))


@register
@dataclass(frozen=True)
class Spelling(_Misspelt):
    """A spelling mistake: ó/u, rz/ż, ch/h, nasal vowels as heard, -ji/-ii, voicing, swallowed sounds, x for ks.

    Attributes:
        mistakes: words to misspell; fewer where fewer can be.
    """

    name = "spelling"
    summary = "spelling mistakes of Poles: ó/u, rz/ż, ch/h, nasal vowels, -ji/-ii, voicing"
    draws = 2
    examples = (
        ("żądanie zapłaty", "rządanie zapłaty"),
        ("który rachunek", "ktury rachunek"),
        ("zgoda na przetwarzanie informacji", "zgoda na przetwarzanie informaci"),
        ("HARMONOGRAM prac", "CHARMONOGRAM prac"),
    )

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant; its kind is the group of the mistake, ``s2`` and so on for more."""
        yield from self._draw(query, misspellings, rng, "no place for a spelling mistake", spare_names=True)


@register
@dataclass(frozen=True)
class RealisticEnding(_Misspelt):
    """One ending taken for another that sounds alike: *osobom* → *osobą*, *umowę* → *umowe*, *rozumiem* → *rozumię*.

    Results that are other Polish words, as most are, carry ``real_word``.

    Attributes:
        mistakes: words to change; fewer where fewer can be.
    """

    name = "realistic_ending"
    summary = "endings taken for one another: -om/-ą, -ą/-om, -em/-ę, -ę/-e"
    draws = 2
    examples = (
        ("wydać osobom trzecim", "wydać osobą trzecim"),
        ("przed umową", "przed umowom"),
        ("rozumiem zapis", "rozumię zapis"),
        ("wystawić fakturę", "wystawić fakture"),
        ("chcę zwrot", "chcem zwrot"),
    )

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant; its kind names the endings, such as ``om-ą``."""
        yield from self._draw(query, realistic_endings, rng, "no ending that is taken for another")
