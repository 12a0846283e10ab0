"""Polish numerals: numbers to words and back, and what case they ask of the noun they count.

Forms of the simple numerals are lexicons (``numerals.tsv``, ``ordinals.tsv``); everything above is composed by the
rules of Polish grammar, inflecting every part.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from perturb.polish.morphology import CASES
from perturb.resources import read_table

MAX_NUMBER = 999_999
"""Largest number that is written in words."""

_CELLS = CASES[:6]
_THOUSAND = {
    ("sg", "nom"): "tysiąc",
    ("sg", "gen"): "tysiąca",
    ("sg", "dat"): "tysiącowi",
    ("sg", "acc"): "tysiąc",
    ("sg", "inst"): "tysiącem",
    ("sg", "loc"): "tysiącu",
    ("pl", "nom"): "tysiące",
    ("pl", "gen"): "tysięcy",
    ("pl", "dat"): "tysiącom",
    ("pl", "acc"): "tysiące",
    ("pl", "inst"): "tysiącami",
    ("pl", "loc"): "tysiącach",
}
_ORDINAL_ENDINGS = {
    "m": {"gen": "ego", "dat": "emu", "inst": "ym", "loc": "ym"},
    "f": {"nom": "a", "gen": "ej", "dat": "ej", "acc": "ą", "inst": "ą", "loc": "ej"},
    "n": {"nom": "e", "gen": "ego", "dat": "emu", "acc": "e", "inst": "ym", "loc": "ym"},
}


@lru_cache(maxsize=1)
def _simple() -> dict[tuple[int, str], dict[str, str]]:
    forms: dict[tuple[int, str], dict[str, str]] = {}
    for row in read_table("numerals.tsv"):
        for gender in row["genders"].split("."):
            forms[int(row["value"]), gender] = {case: row[case] for case in _CELLS}
    return forms


@lru_cache(maxsize=1)
def _ordinals() -> dict[int, tuple[str, str]]:
    return {int(row["value"]): (row["ordinal"], row["prefix"]) for row in read_table("ordinals.tsv")}


def _parts(number: int) -> list[int]:
    """Hundreds, tens and units of a number below 1000: 217 is 200 and 17."""
    hundreds, rest = number - number % 100, number % 100
    if rest > 20 and rest % 10:
        return [part for part in (hundreds, rest - rest % 10, rest % 10) if part]
    return [part for part in (hundreds, rest) if part]


def _ends_in_two_to_four(number: int) -> bool:
    return number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14)


def governed_cell(number: int, case: str, gender: str) -> tuple[str, str]:
    """Number and case of the noun that a cardinal counts.

    Args:
        number: 0 or more.
        case: case of the whole phrase: ``acc`` in *na pięć dni*.
        gender: gender of the noun, ``m1`` for men.

    Returns:
        ``("sg", case)`` after 1; ``("pl", case)`` where the numeral agrees; ``("pl", "gen")`` where it governs.
    """
    if number == 1:
        return "sg", case
    if number == 0 or number % 1000 == 0:
        return "pl", "gen"
    if case in ("nom", "acc") and (gender == "m1" or not _ends_in_two_to_four(number)):
        return "pl", "gen"
    return "pl", case


def cardinal(number: int, case: str = "nom", gender: str = "m3") -> str:
    """Write a number in words.

    Args:
        number: 0 to :data:`MAX_NUMBER`.
        case: one of the six cases a numeral has; no vocative.
        gender: gender of the counted noun.

    Returns:
        Such as ``dwustu dwudziestu dwóch`` for 222 in the genitive.

    Raises:
        ValueError: the number is out of range.
    """
    if not 0 <= number <= MAX_NUMBER:
        raise ValueError(f"{number} is not between 0 and {MAX_NUMBER}")
    simple = _simple()
    if number < 2:
        return simple[number, gender][case]
    words: list[str] = []
    thousands, rest = divmod(number, 1000)
    if thousands:
        if thousands > 1:
            words.append(cardinal(thousands, case, "m3"))
        words.append(_THOUSAND[governed_cell(thousands, case, "m3")])
    # A final one does not change in a compound: dwudziestu jeden osób.
    rest_words = ["jeden" if part == 1 else simple[part, gender][case] for part in _parts(rest)]
    return " ".join(words + rest_words)


def ordinal(number: int, case: str = "nom", gender: str = "m") -> str:
    """Write a number as an ordinal in the singular: ``dwunastego``, ``dwa tysiące dwudziestym szóstym``.

    Only tens and units are ordinal and inflect; what stands before them is a cardinal. Round hundreds are ordinal too.

    Args:
        number: 1 to 9999.
        case: one of six cases.
        gender: ``m`` (inanimate), ``f`` or ``n``.

    Returns:
        The words.

    Raises:
        ValueError: the number is out of range, or it is a round thousand above 1000.
    """
    if not 1 <= number <= 9999 or (number % 1000 == 0 and number != 1000):
        raise ValueError(f"{number} has no ordinal here; give 1 to 9999, no round thousands above 1000")
    known = _ordinals()
    if number == 1000:
        return _inflect_ordinal(known[1000][0], case, gender)
    thousands, rest = number - number % 1000, number % 1000
    parts = _parts(rest)
    inflected = parts[-2:] if parts[-1] < 10 and len(parts) > 1 and parts[-2] < 100 else parts[-1:]
    stiff = thousands + sum(parts[: len(parts) - len(inflected)])
    words = [cardinal(stiff)] if stiff else []
    return " ".join(words + [_inflect_ordinal(known[part][0], case, gender) for part in inflected])


@lru_cache(maxsize=1)
def ordinal_lemmas() -> frozenset[str]:
    """Simple ordinals in the nominative: ``pierwszy``, ``dwudziesty``, ``setny``."""
    return frozenset(lemma for lemma, _ in _ordinals().values())


def _inflect_ordinal(lemma: str, case: str, gender: str) -> str:
    endings = _ORDINAL_ENDINGS[gender]
    if case not in endings:
        return lemma
    ending, stem = endings[case], lemma[:-1]
    if lemma == "drugi":
        # k and g are followed by i before e and y: drugiego, drugim.
        ending = (
            ending.replace("y", "i") if ending.startswith("y") else f"i{ending}" if ending.startswith("e") else ending
        )
    elif lemma == "trzeci":
        ending = ending.replace("y", "i") if ending.startswith("y") else f"i{ending}"
    return stem + ending


def compound_prefix(number: int) -> str:
    """First part of an adjective such as *dziesięciogodzinny*: ``dziesięcio``, ``dwudziestopięcio``.

    Args:
        number: 1 to 999.

    Returns:
        The joined prefixes of its parts.

    Raises:
        ValueError: the number is out of range.
    """
    if not 1 <= number <= 999:
        raise ValueError(f"{number} is not between 1 and 999")
    parts = _parts(number)
    prefixes = [_ordinals()[part][1] for part in parts]
    if len(parts) > 1 and parts[-1] == 1:
        prefixes[-1] = "jedno"
    return "".join(prefixes)


@lru_cache(maxsize=1)
def _values() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for (value, _), forms in _simple().items():
        for form in forms.values():
            found.setdefault(form, set()).add(value)
    for form, value in (("dwu", 2), ("dwom", 2), ("dwaj", 2), ("trzej", 3), ("czterej", 4), ("stoma", 100)):
        found.setdefault(form, set()).add(value)
    return {form: frozenset(values) for form, values in found.items()}


def read_cardinal(words: Sequence[str]) -> tuple[int, int] | None:
    """Read the longest cardinal at the beginning of a list of words.

    Args:
        words: lower-case words, the numeral first; any case and gender.

    Returns:
        Its value and how many words it takes, or None if the first word begins no numeral. The noun *tysiąc* counts.
    """
    thousands = set(_THOUSAND.values())
    total, group, last, taken = 0, 0, 1000, 0
    for word in words:
        if word in thousands and not total and (group or taken == 0):
            total, group, last = (group or 1) * 1000, 0, 1000
        elif word in _values():
            value = max(_values()[word])
            if not _may_follow(value, last):
                break
            group, last = group + value, value
        else:
            break
        taken += 1
    return (total + group, taken) if taken else None


def _may_follow(value: int, last: int) -> bool:
    if last == 1000:
        return True
    if last >= 100:
        return 0 < value < 100
    return 20 <= last < 100 and 0 < value < 10
