"""The Polish (Programmers) keyboard: which letters lie beside which, and what AltGr makes of them.

The layout is that of the US keyboard; nine letters are typed with AltGr held (``a`` → ``ą``, ``x`` → ``ź``,
``z`` → ``ż``). Only letters are known here: no slip ever yields a digit or a sign. Source: ``lexicons/keyboard.tsv``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from perturb.polish.text import POLISH_DIACRITICS
from perturb.resources import read_table

BARE = str.maketrans(POLISH_DIACRITICS, "acelnoszzACELNOSZZ")
"""Translation table of the 18 Polish letters to their bare ones; ``ź`` becomes ``z`` although its key is ``x``."""

_REACH = 1.2
"""Keys whose centres are at most this many key widths apart count as adjacent."""

_SAME_ROW_WEIGHT = 2
"""A finger strays sideways more easily than up or down (own judgement)."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What the keyboard says about letters, for lower and upper case alike.

    Attributes:
        neighbours: letters on adjacent keys; those in the same row stand twice, so that a uniform draw favours them.
            A letter with a diacritic has its neighbours on the AltGr layer, or none.
        altgr: the letter that the same key gives with AltGr held.
        without_altgr: the letter that the same key gives without AltGr: ``ź`` → ``x``.
        confused: letters that are taken for this one though their keys lie apart.
        bottom_row: letters whose keys lie above the space bar.
    """

    neighbours: dict[str, str]
    altgr: dict[str, str]
    without_altgr: dict[str, str]
    confused: dict[str, str]
    bottom_row: frozenset[str]


@lru_cache(maxsize=1)
def layout() -> Layout:
    """The layout, read once."""
    rows = read_table("keyboard.tsv")
    places = {row["key"]: (int(row["row"]), float(row["column"])) for row in rows}
    altgr = {row["key"]: row["altgr"] for row in rows if row["altgr"]}
    neighbours: dict[str, str] = {}
    for key in places:
        near = [other for other in places for _ in range(_closeness(places[key], places[other]))]
        neighbours[key] = "".join(near)
        if key in altgr:
            neighbours[altgr[key]] = "".join(altgr[other] for other in near if other in altgr)
    # The space bar reaches from c to m; x and z lie outside it.
    bottom = frozenset(key for key, (row, _) in places.items() if row == 2 and key not in "xz")
    return Layout(
        _both_cases(neighbours),
        _both_cases(altgr),
        _both_cases({letter: key for key, letter in altgr.items()}),
        _both_cases({row["key"]: row["confused"] for row in rows}),
        bottom | {key.upper() for key in bottom},
    )


def _closeness(place: tuple[int, float], other: tuple[int, float]) -> int:
    """How often the other key is counted as a neighbour: 2 in the same row, 1 above or below, 0 if it is farther."""
    down, across = abs(place[0] - other[0]), abs(place[1] - other[1])
    if (down, across) == (0, 0) or down > 1 or (down**2 + across**2) ** 0.5 > _REACH:
        return 0
    return _SAME_ROW_WEIGHT if down == 0 else 1


def _both_cases(table: dict[str, str]) -> dict[str, str]:
    return {**table, **{key.upper(): value.upper() for key, value in table.items()}}
