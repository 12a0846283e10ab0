"""What the parser of noun phrases and its users pass to each other.

A *cell* is a number and a case. Sets of cells are bit masks of 14 bits, singular before plural, cases in the order of
:data:`perturb.polish.morphology.CASES`; that makes the intersection of readings, the inner loop, one machine operation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from perturb.errors import ConfigError
from perturb.polish.morphology import CASES, NUMBERS

Cell = tuple[str, str]
"""``(number, case)``, such as ``("pl", "gen")``."""

CELLS: tuple[Cell, ...] = tuple((number, case) for number in NUMBERS for case in CASES)
CELL_INDEX: dict[Cell, int] = {cell: index for index, cell in enumerate(CELLS)}
ALL_CELLS = (1 << 14) - 1
SINGULAR = (1 << 7) - 1
PLURAL = SINGULAR << 7
NOMINATIVE = 1 | 1 << 7
VOCATIVE = 1 << 6 | 1 << 13
LOCATIVE = 1 << 5 | 1 << 12
GENITIVE = 1 << 1 | 1 << 8
ACCUSATIVE = 1 << 3 | 1 << 10
INSTRUMENTAL = 1 << 4 | 1 << 11

CONFIDENCE_THRESHOLD = 0.75
"""A phrase parsed with less confidence than this is inflected on request, but never in a query."""


@lru_cache(maxsize=4096)
def cells_of(mask: int) -> frozenset[Cell]:
    """The cells of a bit mask."""
    return frozenset(cell for index, cell in enumerate(CELLS) if mask >> index & 1)


def mask_of(numbers: frozenset[str], cases: frozenset[str]) -> int:
    """The bit mask of every combination of these numbers and cases."""
    return sum(1 << CELL_INDEX[number, case] for number in numbers for case in cases)


def cell_index(case: str, number: str) -> int:
    """Position of a cell.

    Raises:
        ConfigError: no such case or number.
    """
    try:
        return CELL_INDEX[number, case]
    except KeyError:
        raise ConfigError(
            f"no cell {case}.{number}; cases are {', '.join(CASES)}, numbers are {', '.join(NUMBERS)}"
        ) from None


@dataclass(frozen=True, slots=True)
class Inflection:
    """A phrase in one cell.

    Attributes:
        forms: every accepted form, best first; empty where the cell does not exist.
        confidence: 0 to 1, how sure the parse is.
    """

    forms: tuple[str, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class PhraseTable:
    """A phrase in all its cells.

    Attributes:
        phrase: as it was given, cleaned.
        lemma: in the nominative singular, or plural where there is no singular.
        cells: forms by number and case, best first; an empty tuple where a cell does not exist.
        confidence: 0 to 1; 0 where no noun was recognised.
    """

    phrase: str
    lemma: str
    cells: Mapping[str, Mapping[str, tuple[str, ...]]]
    confidence: float


@dataclass(frozen=True, slots=True)
class Governor:
    """What decides the case of a noun phrase.

    Attributes:
        kind: ``none``, ``preposition``, ``verb``, ``noun`` (the phrase is the tail of a larger one) or ``numeral``.
        token: index of the governing token; ``-1`` for ``none``.
        lemma: its dictionary form, such as ``z`` or ``wystawić``.
        cases: the cases it allows.
    """

    kind: str = "none"
    token: int = -1
    lemma: str = ""
    cases: frozenset[str] = field(default_factory=frozenset)
