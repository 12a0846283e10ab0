"""The largest drop, and whether it can be believed: a drop that cannot be tested is no drop of nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perturb.evaluation.drops import DropRow


@dataclass(frozen=True, slots=True)
class Worst:
    """The largest drops of one model under one measure. The largest of several is on average too large.

    Attributes:
        largest: of all rows, also those with too few queries to test; of equal ones the tested.
        tested: of the rows that have a p-value; ``None`` if there is none.
    """

    largest: DropRow
    tested: DropRow | None

    @property
    def untested(self) -> bool:
        """Whether the largest drop rests on too few queries to test."""
        return self.largest.p_value is None and self.largest.drop > 0


def worst_rows(rows: Sequence[DropRow]) -> Worst | None:
    """The largest drop of some rows, and the largest that was tested; ``None`` without rows."""
    if not rows:
        return None
    tested = [row for row in rows if row.p_value is not None]
    return Worst(
        max(rows, key=lambda row: (row.drop, row.p_value is not None)),
        max(tested, key=lambda row: row.drop, default=None),
    )


def untested_losses(rows: Sequence[DropRow]) -> list[DropRow]:
    """Rows that lost something on too few queries to test, the largest drop first."""
    return sorted((row for row in rows if row.p_value is None and row.drop > 0), key=lambda row: -row.drop)


def nothing_to_lose(row: DropRow) -> bool:
    """Whether the queries of a row find nothing right as they stand: perturbing them can cost nothing."""
    return row.clean <= 0
