"""Numerals before a noun: in which form each stands, and the cell of the noun that it asks for.

Cardinals are composed by :mod:`perturb.polish.numerals`; collective (*dwoje*), joint (*oba*) and indefinite numerals
(*kilka*) have their forms here. Source: rules of Polish grammar on the syntax of numerals.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from perturb.polish.numerals import MAX_NUMBER, cardinal, governed_cell, read_cardinal
from perturb.polish.phrases.shapes import CELL_INDEX

Way = tuple[str, int]
"""A numeral in lower case, and the cell of the noun after it."""

_MEN = {2: "dwaj", 3: "trzej", 4: "czterej"}
_INDEFINITE = {
    "kilka": ("kilku", "kilkoma"),
    "kilkanaście": ("kilkunastu", "kilkunastoma"),
    "kilkadziesiąt": ("kilkudziesięciu", "kilkudziesięcioma"),
    "kilkaset": ("kilkuset", "kilkuset"),
    "parę": ("paru", "paroma"),
    "wiele": ("wielu", "wieloma"),
    "niewiele": ("niewielu", "niewieloma"),
    "tyle": ("tylu", "tyloma"),
    "ile": ("ilu", "iloma"),
}
"""By nominative the form of the other cases, and the instrumental."""

_HALVES = frozenset({"pół", "półtora", "półtorej"})
"""Numerals that never change, before a genitive that does not either."""

_COLLECTIVE = ("dwoje", "oboje", "troje", "czworo", "pięcioro", "sześcioro", "siedmioro", "ośmioro", "kilkoro")
_COLLECTIVE_ENDINGS = {"gen": "ga", "dat": "gu", "inst": "giem", "loc": "gu"}
_JOINT = {
    "oba": ("obie", "obaj", ("obu",), ("obu",), ("oboma", "obu"), ("obiema", "oboma", "obu")),
    "obydwa": (
        "obydwie",
        "obydwaj",
        ("obydwu", "obydwóch"),
        ("obydwu", "obydwom", "obydwóm"),
        ("obydwoma",),
        ("obydwiema", "obydwoma"),
    ),
}
"""By neuter nominative the feminine and the men's one, genitive, dative, instrumental, and feminine instrumental."""


@dataclass(frozen=True, slots=True)
class Numeral:
    """A numeral at the beginning of a phrase.

    Attributes:
        length: how many words it takes.
        ways: by case and gender of the noun every way to write the numeral, usual first.
        number: the number that the phrase has.
    """

    length: int
    ways: Callable[[str, str], tuple[Way, ...]]
    number: str = "pl"


def numeral_at_start(words: Sequence[str]) -> Numeral | None:
    """The numeral that a phrase begins with, if it is one that decides the number of the noun.

    Args:
        words: the phrase in lower case; digits with their spaces are one word.

    Returns:
        Numbers from two up, *oba*, *dwoje*, *kilka*, *pół*; None for anything else, the nouns *tysiąc* and
        *milion* included.
    """
    if not words:
        return None
    first = words[0]
    digits = re.sub(r"\s", "", first)
    if digits.isdecimal():
        value = int(digits)
        return Numeral(1, lambda case, gender: ((first, _cell(value, case, gender)),)) if value > 1 else None
    if first in _HALVES:
        return Numeral(1, lambda _case, _gender: ((first, CELL_INDEX["sg", "gen"]),), "sg")
    lemma = _other_numerals().get(first)
    if lemma is not None:
        return Numeral(1, lambda case, gender: _other_ways(lemma, case, gender))
    found = read_cardinal(words)
    if found is None:
        return None
    value, length = found
    if value % 1000 == 0:
        # The noun tysiąc is what is counted: dwa tysiące złotych, dwóch tysięcy złotych.
        value, length = value // 1000, length - 1
    if not length or not 1 < value <= MAX_NUMBER:
        return None
    return Numeral(length, lambda case, gender: cardinal_ways(value, case, gender))


def _cell(value: int, case: str, gender: str) -> int:
    number, governed = governed_cell(value, case, gender)
    return CELL_INDEX[number, governed]


@lru_cache(maxsize=4096)
def cardinal_ways(value: int, case: str, gender: str) -> tuple[Way, ...]:
    """Every way to write a number in words before a noun: *dwaj* or *dwóch*, *pięcioma* or *pięciu*."""
    cell = _cell(value, case, gender)
    main = cardinal(value, case, gender)
    ways = [(main, cell)]
    if case == "nom" and gender == "m1" and value in _MEN:
        ways.insert(0, (_MEN[value], CELL_INDEX["pl", "nom"]))
    if case == "inst":
        ways += [(re.sub(r"(?<!dw)oma\b", "u", main), cell), (main.replace("dwiema", "dwoma"), cell)]
    if value == 2:
        ways += [(short, cell) for short in {"dwóch": ("dwu",), "dwóm": ("dwom", "dwu")}.get(main, ())]
    return tuple(dict.fromkeys(ways))


@lru_cache(maxsize=1)
def _other_numerals() -> dict[str, str]:
    """By form the lemma of the numerals that are no numbers."""
    found: dict[str, str] = {}
    for lemma in (*_INDEFINITE, *_COLLECTIVE, *_JOINT):
        for case in ("nom", "gen", "dat", "acc", "inst", "loc"):
            for gender in ("m1", "f", "n"):
                found.update((form, lemma) for form, _ in _other_ways(lemma, case, gender))
    return found


@lru_cache(maxsize=1024)
def _other_ways(lemma: str, case: str, gender: str) -> tuple[Way, ...]:
    agreeing, genitive = CELL_INDEX["pl", case], CELL_INDEX["pl", "gen"]
    if lemma in _INDEFINITE:
        oblique, inst_form = _INDEFINITE[lemma]
        if case in ("nom", "acc"):
            return ((oblique if gender == "m1" else lemma, genitive),)
        forms = (inst_form, oblique) if case == "inst" else (oblique,)
        return tuple((form, agreeing) for form in dict.fromkeys(forms))
    if lemma in _COLLECTIVE:
        if case in ("nom", "acc"):
            both = lemma == "oboje" and case == "nom" and gender == "m1"
            return ((lemma, genitive), (lemma, agreeing)) if both else ((lemma, genitive),)
        governs = case == "inst"
        return ((lemma[:-1] + _COLLECTIVE_ENDINGS[case], genitive if governs else agreeing),)
    feminine, men, gen, dat, inst, feminine_inst = _JOINT[lemma]
    if case in ("nom", "acc"):
        if gender == "m1":
            governing = [(form, genitive) for form in gen]
            return tuple([(men, agreeing), *governing] if case == "nom" else governing)
        return ((feminine if gender == "f" else lemma, agreeing),)
    instrumental = feminine_inst if gender == "f" else inst
    return tuple((form, agreeing) for form in (instrumental if case == "inst" else dat if case == "dat" else gen))


__all__ = ["Numeral", "Way", "cardinal_ways", "numeral_at_start"]
