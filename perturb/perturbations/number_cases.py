"""Cases in which a number stands, by the words before it."""

from __future__ import annotations

from collections.abc import Sequence

from perturb.polish.government import preposition_cases
from perturb.polish.text import Token

_TIME_UNITS = frozenset({"rok", "miesiąc", "tydzień", "dzień", "doba", "godzina", "minuta", "sekunda"})
_ABOUT = frozenset({"ponad", "około", "prawie", "niemal", "blisko", "najwyżej", "najmniej", "co"})


_JOINING = frozenset({"a", "i", "lub", "albo"})


def governing_cases(tokens: Sequence[Token], index: int) -> tuple[str, ...]:
    """Cases governed by the preposition before a number, also before *ponad* and its like: *od ponad 60 dni*."""
    if index > 1 and tokens[index - 1].text == "." and tokens[index - 2].lower == "ok":
        return ("gen",)
    if index > 1 and tokens[index - 1].lower in _JOINING and tokens[index - 2].kind == "number":
        return governing_cases(tokens, index - 2)
    place = index
    while place > 1 and tokens[place - 1].lower in _ABOUT:
        place -= 1
    outer = preposition_cases(tokens, place) if place < index and tokens[place - 1].lower not in _ABOUT else ()
    return outer or preposition_cases(tokens, index)


def unit_case(tokens: Sequence[Token], index: int, lemma: str) -> str:
    """The likeliest case of a number with a unit: *w pięćdziesięciu procentach*, *o pięć procent*, *po sto złotych*."""
    cases = governing_cases(tokens, index)
    before = tokens[index - 1].lower if index else ""
    if before in ("o", "na", "za") or (before in ("po", "w", "we") and (before == "po") != (lemma in _TIME_UNITS)):
        return "acc"
    return cases[0] if cases else "nom"
