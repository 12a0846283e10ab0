"""Corrections for asking many questions of one table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from perturb.errors import MeasureError
from perturb.records import Float64Array


@dataclass(frozen=True, slots=True)
class Adjusted:
    """Adjusted p-values and the family they were adjusted over.

    Attributes:
        p_values: adjusted, in the order given; ``None`` where there was none.
        family_size: number of p-values in the family, those that are ``None`` not counted.
        method: ``holm`` or ``benjamini-hochberg``.
    """

    p_values: list[float | None]
    family_size: int
    method: str


def holm(p_values: Sequence[float | None]) -> Adjusted:
    """Holm's step-down correction (1979): bounds the chance of any false alarm in the table.

    Args:
        p_values: raw, ``None`` where there is none.

    Returns:
        The adjusted ones.

    Raises:
        MeasureError: a p-value outside 0 to 1.
    """

    def step_down(ascending: Float64Array) -> Float64Array:
        factors = np.arange(len(ascending), 0, -1)
        return np.minimum(np.maximum.accumulate(factors * ascending), 1.0)

    return _adjusted(p_values, step_down, "holm")


def benjamini_hochberg(p_values: Sequence[float | None]) -> Adjusted:
    """Benjamini and Hochberg's step-up correction (1995): bounds the share of false alarms among the findings.

    Args:
        p_values: raw, ``None`` where there is none.

    Returns:
        The adjusted ones.

    Raises:
        MeasureError: a p-value outside 0 to 1.
    """

    def step_up(ascending: Float64Array) -> Float64Array:
        factors = len(ascending) / np.arange(1, len(ascending) + 1)
        return np.minimum(np.minimum.accumulate((factors * ascending)[::-1])[::-1], 1.0)

    return _adjusted(p_values, step_up, "benjamini-hochberg")


def _adjusted(
    p_values: Sequence[float | None], correction: Callable[[Float64Array], Float64Array], method: str
) -> Adjusted:
    places = [place for place, p_value in enumerate(p_values) if p_value is not None]
    raw = np.array([p_value for p_value in p_values if p_value is not None], np.float64)
    outside = ~((raw >= 0) & (raw <= 1))
    if outside.any():
        raise MeasureError(f"p-value {raw[outside.argmax()]} in row {places[outside.argmax()]} is not between 0 and 1")
    order = np.argsort(raw, kind="stable")
    result: list[float | None] = [None] * len(p_values)
    for place, p_value in zip(order, correction(raw[order]), strict=True):
        result[places[place]] = float(p_value)
    return Adjusted(result, len(raw), method)
