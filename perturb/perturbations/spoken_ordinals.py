"""Digits and Roman numerals that are read as an ordinal: *do 20. dnia*, *w 4 miesiącu*, *kwartał IV*."""

from __future__ import annotations

import re
from collections.abc import Sequence

from perturb.perturbations.counted import contexts
from perturb.polish.government import expected_cases, preposition_cases
from perturb.polish.morphology import analyse, lemmas
from perturb.polish.numerals import ordinal
from perturb.polish.text import Token

Cell = tuple[str, str, str]
"""Number, case and gender of a noun."""

_NUMBERED = frozenset(
    {"rok", "miesiąc", "tydzień", "dzień", "godzina", "doba", "kwartał", "półrocze", "semestr", "trymestr", "połowa"}
    | {"rata", "miejsce", "tura", "grupa", "sezon", "edycja", "odcinek", "liga", "próg", "filar", "życie"}
)
"""Nouns that are numbered even without a dot, when they stand in the singular: *po 50 roku życia*."""
_ROMAN_NUMBERED = _NUMBERED | frozenset(
    {"wiek", "etap", "klasa", "instancja", "piętro", "stopień", "faza", "rozdział", "część", "tom", "wojna", "runda"}
    | {"poziom", "kategoria", "zmiana", "termin", "oddział", "wydział", "dywizja", "kondygnacja", "tysiąclecie", "etat"}
)
"""Nouns with which a Roman numeral is an ordinal: *kwartał IV*, *II etap*."""
_ROMAN = re.compile(r"X{0,3}(?:IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10}
_DECADES = {"lata": "e", "lat": "ych", "latom": "ym", "latami": "ymi", "latach": "ych"}
_PLURAL = {"nom": "e", "acc": "e", "gen": "ych", "loc": "ych", "dat": "ym", "inst": "ymi"}


def noun_cells(token: Token) -> set[Cell]:
    """Number, case and gender of a word as a noun."""
    return {
        (number, case, gender)
        for reading in analyse(token.text)
        if reading.pos in ("subst", "ger") and reading.is_accepted and not reading.is_proper
        for number in reading.get("number")
        for case in reading.get("case")
        for gender in reading.get("gender")
        if case != "voc"
    }


def spoken_ordinal(tokens: Sequence[Token], index: int) -> tuple[int, str] | None:
    """An ordinal in the form its noun asks for, and where its digits and dot end; nothing where it is none."""
    token = tokens[index]
    if token.shielded or not re.fullmatch(r"[1-9]\d{0,2}|1000", token.text):
        return None
    value, place = int(token.text), index + 1
    dotted = place < len(tokens) and tokens[place].text == "." and tokens[place].start == token.end
    end = tokens[place].end if dotted else token.end
    if dotted and index and tokens[index - 1].lower in _DECADES and value % 10 == 0 and value < 100:
        return end, _plural(value, _DECADES[tokens[index - 1].lower])
    place += dotted
    noun = tokens[place] if place < len(tokens) else None
    if noun is not None and noun.lower == "r.ż.":
        return end, ordinal(value, "loc" if "loc" in preposition_cases(tokens, index) else "gen")
    if noun is None or not noun.is_word or noun.text[:1].isupper():
        return None
    if noun.lower in contexts()["month"]:
        return end, ordinal(value, "gen")
    if noun.lower in ("do", "na", "i", "lub", "a") and _is_day(tokens, place + 1):
        return end, ordinal(value, "gen")
    words = _agreeing(tokens, index, noun, value) if dotted or _is_numbered(tokens, index, noun) else ""
    return (end, words) if words else None


def _is_day(tokens: Sequence[Token], index: int) -> bool:
    """*15 maja*, as the second of two days: *od 1 do 15 maja*."""
    months = contexts()["month"]
    return index + 1 < len(tokens) and tokens[index].kind == "number" and tokens[index + 1].lower in months


def _is_numbered(tokens: Sequence[Token], index: int, noun: Token) -> bool:
    """Whether a singular noun after digits shows that they number it: *2 piętro*, but *2 piętra*, *za 1 rok*."""
    if set(lemmas(noun.lower)).isdisjoint(_NUMBERED | contexts()["label"].keys()):
        return False
    wanted = preposition_cases(tokens, index)
    cells = {cell for cell in noun_cells(noun) if not wanted or cell[1] in wanted}
    if tokens[index].text == "1":
        return bool(wanted) and wanted[0] == "loc" and any(cell[1] == "loc" for cell in cells)
    number_it = bool(wanted) or any(cell[1] == "nom" for cell in cells)
    return number_it and bool(cells) and all(cell[0] == "sg" for cell in noun_cells(noun))


def is_roman(token: Token) -> bool:
    """Whether a token is a Roman numeral of two letters or more; of one letter it may be anything."""
    return len(token.text) > 1 and bool(_ROMAN.fullmatch(token.text)) and not token.shielded


def spoken_roman(tokens: Sequence[Token], index: int) -> tuple[int, str] | None:
    """A Roman numeral as the ordinal that the noun beside it asks for, and where it ends; nothing without one.

    *w IV kwartale* → *czwartym*, *faza III* → *trzecia*, *koniec XIX w.* → *dziewiętnastego*.
    """
    token = tokens[index]
    if token.shielded or not token.text or not _ROMAN.fullmatch(token.text):
        return None
    values = [_ROMAN_VALUES[letter] for letter in token.text]
    value = sum(-v if v < max(values[place:]) else v for place, v in enumerate(values))
    after = tokens[index + 1 : index + 3]
    if len(after) == 2 and after[0].lower == "w" and after[1].text == ".":
        return token.end, ordinal(value, "loc" if "loc" in preposition_cases(tokens, index) else "gen")
    for place, first in ((index + 1, index), (index - 1, index - 1)):
        noun = tokens[place] if 0 <= place < len(tokens) else None
        if noun is None or not noun.is_word or set(lemmas(noun.lower)).isdisjoint(_ROMAN_NUMBERED):
            continue
        words = _agreeing(tokens, first, noun, value)
        if words:
            return token.end, words
    return None


def _agreeing(tokens: Sequence[Token], index: int, noun: Token, value: int) -> str:
    """An ordinal in the form of its noun; the phrase of the two begins at ``index``."""
    wanted = preposition_cases(tokens, index) or tuple(expected_cases(tokens, index))
    order = list(dict.fromkeys((*wanted, "nom", "gen", "acc", "loc", "inst", "dat")))
    cells = [cell for cell in noun_cells(noun) if not wanted or cell[1] in wanted]
    if not cells:
        return ""
    number, case, gender = min(cells, key=lambda cell: (cell[0] != "sg", order.index(cell[1]), cell[2]))
    if number == "pl":
        return _plural(value, _PLURAL[case])
    if case == "acc" and gender in ("m1", "m2"):
        case = "gen"
    return ordinal(value, case, gender[0])


def _plural(value: int, ending: str) -> str:
    """*dziewięćdziesiątych*, *pięćdziesiąte*: the singular locative shows which words inflect."""
    words = ordinal(value, "loc").split()
    soft = {"ych": "ich", "ym": "im", "ymi": "imi"}
    return " ".join(
        word[:-2] + (ending if word.endswith("ym") else soft.get(ending, "ie")) if word[-2:] in ("ym", "im") else word
        for word in words
    )
