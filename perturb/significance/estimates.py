"""Means over queries with interval and p-value, for whole tables: what all drops and comparisons rest on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from perturb.errors import ConfigError, MeasureError
from perturb.records import Float64Array
from perturb.significance.intervals import Resampling, bootstrap_intervals, t_quantile
from perturb.significance.randomisation import EXACT_LIMIT, sign_flip_p_values
from perturb.significance.resampling import standard_errors, unit_sums
from perturb.significance.tilting import tilted_p_values

MIN_QUERIES = 6
"""Fewer queries (or groups) get no p-value: with 5 the smallest possible one is 2 / 2^5 = 0.0625."""

ROUNDING = 1e-12
"""A score or difference closer to 0 is 0: what floating-point arithmetic left behind."""

HUGE = 1e100
"""Larger scores are refused: their squares, or the squares of their sums, overflow."""

_MORE_FLIPS = 10
"""Small p-values are computed from so many times more sign patterns: Holm multiplies them by the size of the table."""

_SIX_IN_80 = 7.906
"""Expected number of changes with which six or more come about with a probability of 0.8 (Poisson)."""

SMALL_SAMPLE = 20
"""Below this many queries (or groups) an interval is marked as resting on a small sample."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over queries and how sure one can be of it.

    Attributes:
        value: the mean.
        ci_low: lower limit; ``None`` if there is only one query.
        ci_high: upper limit.
        p_value: two-sided, of the sign-flip test against 0, and no smaller than the skew of the changes allows
            (:mod:`perturb.significance.tilting`) with more than :data:`EXACT_LIMIT` queries; ``None`` with fewer than
            :data:`MIN_QUERIES` queries.
        n_queries: queries averaged.
        n_units: what was resampled: the queries, or their groups.
        minimum_detectable: the smallest true mean that a test at 5 % would find in 80 of 100 such golden sets, by
            the spread of the changes, but no less than what six changes of the usual size amount to; ``None`` where
            nothing varies.
        notes: why something is missing or to be read with care.
    """

    value: float
    ci_low: float | None
    ci_high: float | None
    p_value: float | None
    n_queries: int
    n_units: int
    minimum_detectable: float | None
    notes: tuple[str, ...] = ()


def estimates(
    values: ArrayLike,
    settings: Resampling,
    *,
    mask: ArrayLike | None = None,
    query_ids: Sequence[str] | None = None,
    groups: Sequence[object] | None = None,
) -> list[Estimate]:
    """Estimate the mean of every cell over the queries that count for it.

    Each set of queries is resampled by itself, from its own stream: a cell's figures do not depend on the other cells
    of the table, nor on the order of the queries, and its interval is that of exactly the queries it rests on.

    Args:
        values: ``(n_cells, n_queries)``, variants already averaged within the query.
        settings: seed, resamples, confidence, method.
        mask: bool ``(n_cells, n_queries)``: queries that count for a cell; by default all. What stands elsewhere is
            ignored, NaN included.
        query_ids: names for messages and for the random stream; by default the column numbers.
        groups: group of each query (near-duplicates, one document); whole groups are resampled and flipped.

    Returns:
        One estimate per cell, in order.

    Raises:
        MeasureError: a value that counts is NaN or infinite (names the query), a cell without queries, or shapes that
            do not fit, query ids that are no text or occur twice, or values that are no real numbers.
        ConfigError: resamples that are no whole number.
    """
    check_resamples(settings)
    table = np.atleast_2d(as_numbers(values, "values"))
    if table.ndim > 2:
        raise MeasureError(f"values are {table.shape}; give one row per cell and one column per query")
    n_queries = table.shape[1]
    ids = checked_ids(query_ids, n_queries)
    counted = np.ones(table.shape, np.bool_) if mask is None else np.atleast_2d(np.asarray(mask, np.bool_))
    if counted.shape != table.shape or len(ids) != n_queries or (groups is not None and len(groups) != n_queries):
        raise MeasureError(
            f"values are {table.shape}, mask {counted.shape}, {len(ids)} query ids and "
            f"{n_queries if groups is None else len(groups)} groups; all must have one column per query"
        )
    refuse_nan(table, counted, ids)
    if groups is not None:
        refuse_surrogates([str(group) for group in groups], "group")
    # 0.3 − 0.1 − 0.2 is 3e-17: such a query did not change.
    table = np.where(np.abs(table) < ROUNDING, 0.0, table)
    if not counted.any(axis=1).all():
        raise MeasureError(f"cell {int((~counted.any(axis=1)).argmax())} of the table has no query; leave it out")
    by_id = np.array(sorted(range(n_queries), key=ids.__getitem__), np.intp)
    results: list[Estimate | None] = [None] * len(table)
    packed = np.packbits(counted, axis=1)
    _, subset_of = np.unique(packed, axis=0, return_inverse=True)
    for subset in range(int(subset_of.max(initial=-1)) + 1):
        cells = np.flatnonzero(subset_of.ravel() == subset)
        columns = by_id[counted[cells[0], by_id]]
        labels = None if groups is None else [str(groups[column]) for column in columns]
        found = _subset(table[np.ix_(cells, columns)], tuple(ids[column] for column in columns), labels, settings)
        for cell, estimate in zip(cells, found, strict=True):
            results[cell] = estimate
    return [estimate for estimate in results if estimate is not None]


def as_numbers(values: ArrayLike, what: str) -> Float64Array:
    """Scores as float64.

    Args:
        values: any real numbers, or booleans.
        what: what they are, for the message.

    Raises:
        MeasureError: text, dates, complex numbers, rows of different length, or numbers whose squares no float holds.
    """
    try:
        given = np.asarray(values)
        if given.dtype.kind not in "biufO":
            raise TypeError(f"they are {given.dtype}")
        numbers = given.astype(np.float64)
    except (TypeError, ValueError) as error:
        told = str(error).splitlines()[0]
        raise MeasureError(f"{what} are no real numbers ({told}); give an array of scores") from None
    huge = np.isfinite(numbers) & (np.abs(numbers) > HUGE)
    if huge.any():
        raise MeasureError(f"{what} hold {numbers[huge][0]:g}; no measure gives more than {HUGE:g}")
    return numbers


def checked_ids(query_ids: Sequence[str] | None, n_queries: int) -> tuple[str, ...]:
    """Names of the columns; their numbers if there are none. How many they are is not checked here.

    Raises:
        MeasureError: an id that is no text, twice the same, or text that is no Unicode.
    """
    if query_ids is None:
        return tuple(str(column) for column in range(n_queries))
    ids = tuple(query_ids)
    for place, query_id in enumerate(ids):
        if not isinstance(query_id, str):
            kind = type(query_id).__name__
            raise MeasureError(f"query id {query_id!r} in place {place} is {kind}; ids are text, as 007 and 7 differ")
    refuse_surrogates(ids, "query id")
    if len(set(ids)) < len(ids):
        twice = next(query_id for place, query_id in enumerate(ids) if query_id in ids[:place])
        raise MeasureError(f"query id {twice!r} occurs twice; average the variants of a query first (average_variants)")
    return ids


def refuse_surrogates(names: Sequence[str], what: str) -> None:
    """Refuse names that cannot name a random stream, as no UTF-8 has them.

    Raises:
        MeasureError: one of them has half a surrogate pair.
    """
    try:
        "".join(names).encode()
    except UnicodeEncodeError:
        name = next(name for name in names if any("\ud800" <= char <= "\udfff" for char in name))
        raise MeasureError(f"{what} {name!r} has half a surrogate pair; mend its encoding") from None


def check_resamples(settings: Resampling) -> None:
    """Refuse a number of resamples that is none.

    Raises:
        ConfigError: not a whole number.
    """
    if isinstance(settings.resamples, bool) or not isinstance(settings.resamples, int | np.integer):
        raise ConfigError(f"resamples={settings.resamples!r} is not a whole number; 10000 is customary")


def refuse_nan(table: Float64Array, counted: NDArray[np.bool_], query_ids: Sequence[str]) -> None:
    """Refuse scores from which no mean may be taken.

    Raises:
        MeasureError: names the first query with a NaN or infinite score.
    """
    wrong = counted & ~np.isfinite(table)
    if wrong.any():
        cell, column = (int(at[0]) for at in np.nonzero(wrong))
        raise MeasureError(
            f"score of query {query_ids[column]!r} in cell {cell} is {table[cell, column]}; no mean is taken, "
            "mend the run"
        )


def _subset(
    values: Float64Array, ids: tuple[str, ...], labels: list[str] | None, settings: Resampling
) -> list[Estimate]:
    """Estimates of cells that rest on the same queries, which come sorted by id."""
    unit_ids, unit_of = ids, None
    if labels is not None:
        names, inverse = np.unique(np.array(labels), return_inverse=True)
        unit_ids, unit_of = tuple(names.tolist()), inverse.astype(np.intp)
    sums, sizes = unit_sums(values, unit_of, len(unit_ids))
    n_queries, n_units = len(ids), len(unit_ids)
    means = sums.sum(axis=1) / n_queries + 0.0
    low, high = bootstrap_intervals(sums, sizes, unit_ids, settings) if n_units > 1 else (means, means)
    more = _MORE_FLIPS * settings.resamples
    changes = np.count_nonzero(sums, axis=1)
    p_values = sign_flip_p_values(sums, unit_ids, seed=settings.seed, flips=settings.resamples, more=more)
    if n_units > EXACT_LIMIT:
        # With fewer units all sign patterns are enumerated, and exact is what the p-value claims to be.
        p_values = np.maximum(p_values, tilted_p_values(sums))
    errors = standard_errors(sums, sizes)
    factor = t_quantile(0.975, n_units - 1) + t_quantile(0.8, n_units - 1) if n_units > 1 else 0.0
    changed = np.abs(values).max(axis=1) > 0
    # Whatever the spread, a test at 5 % needs six changes of one direction; so many come in 80 of 100 golden sets.
    typical = np.abs(sums).sum(axis=1) / np.maximum(changes, 1) * n_units / n_queries
    least = typical * min(1.0, _SIX_IN_80 / n_units)
    found = []
    for cell in range(len(values)):
        spread = bool(errors[cell] > 0)
        tested = n_units >= MIN_QUERIES or (n_units > 1 and not changed[cell])
        found.append(
            Estimate(
                float(means[cell]),
                float(low[cell]) if n_units > 1 else None,
                float(high[cell]) if n_units > 1 else None,
                float(p_values[cell]) if tested else None,
                n_queries,
                n_units,
                max(float(factor * errors[cell]), float(least[cell])) if spread else None,
                _notes(
                    n_units, int(changes[cell]), bool(changed[cell]), spread, "queries" if labels is None else "groups"
                ),
            )
        )
    return found


def _notes(n_units: int, changes: int, changed: bool, spread: bool, unit: str) -> tuple[str, ...]:
    notes = []
    if not changed:
        notes.append("no query changed")
        if n_units > 1:
            # What no query at hand shows, a rare loss, no resampling can find; the exact binomial limit speaks of it.
            unseen = rare_limit(n_units, 0.025)
            notes.append(f"up to {unseen:.1%} of such {unit} may still change, as far as {n_units} can tell")
    if n_units == 1:
        notes.append("no interval: n=1")
    if changed and n_units < MIN_QUERIES:
        notes.append(f"too few {unit}: n={n_units}, a p-value needs {MIN_QUERIES}")
    if changed and changes < MIN_QUERIES <= n_units:
        # Two lost queries of 50: the interval held the truth in 87 of 100 such golden sets, mostly being too low.
        notes.append(
            f"only {changes} of {n_units} {unit} changed: the interval may be too narrow, no p-value can be small"
        )
    if 1 < n_units < SMALL_SAMPLE:
        notes.append(f"small sample: n={n_units}")
    if changed and not spread and n_units > 1:
        notes.append("every query changed alike: the interval has no width")
    return tuple(notes)


def rare_limit(n_units: int, error: float) -> float:
    """The share of queries that may be lost whole though next to none of ``n_units`` was: the *rule of three*.

    Args:
        n_units: queries, or groups.
        error: of so many golden sets none would hold such a query; 0.05 gives about 3 / n.
    """
    return float(1.0 - error ** (1.0 / n_units))


def shown(value: float | None, digits: int = 3) -> str:
    """Write a figure for people: ``n/d`` for none, never a minus before a rounded zero."""
    return "n/d" if value is None or math.isnan(value) else f"{value:z.{digits}f}"
