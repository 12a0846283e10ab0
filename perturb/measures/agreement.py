"""How much a ranking or a vector moved, without any judgements: overlap, rank-biased overlap, cosine distance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from perturb.errors import MeasureError
from perturb.records import Float64Array, Int32Array, Rankings

_CELLS = 1 << 20  # comparisons held at once, one byte each


def overlap(first: Rankings, second: Rankings, k: int, *, parent: ArrayLike | None = None) -> Float64Array:
    """Share of documents that two rankings have in common among their first ``k`` (top-k stability).

    Args:
        first: the clean rankings.
        second: the perturbed ones, over the same corpus.
        k: depth, at least 1.
        parent: row of ``first`` for each row of ``second``; by default row by row.

    Returns:
        float64 ``(len(second),)``: common documents / length of the longer list cut at ``k``. Two empty rankings
        agree fully.

    Raises:
        MeasureError: other corpora, rows that do not fit, or ``k`` below 1.
    """
    ours, theirs = _pair(first, second, parent, k)
    lengths, other_lengths = (ours >= 0).sum(axis=1), (theirs >= 0).sum(axis=1)
    common = _common_by_depth(ours, theirs)[:, -1]
    longer = np.maximum(lengths, other_lengths)
    return np.where(longer == 0, 1.0, common / np.maximum(longer, 1))


def rank_biased_overlap(
    first: Rankings, second: Rankings, *, p: float = 0.9, k: int | None = None, parent: ArrayLike | None = None
) -> Float64Array:
    """Rank-biased overlap, extrapolated: RBO_ext, equation 32 of Webber, Moffat and Zobel (TOIS 2010).

    The agreement seen at the last common depth is taken to go on for ever; lists of different length are allowed.
    Ties are ranked as they stand, by the tie rule.

    Args:
        first: the clean rankings.
        second: the perturbed ones, over the same corpus.
        p: persistence, between 0 and 1: the first ten ranks weigh 86 % at 0.9.
        k: depth; by default all that were retrieved.
        parent: row of ``first`` for each row of ``second``; by default row by row.

    Returns:
        float64 ``(len(second),)``, 1 for equal rankings, 0 for disjoint ones. Two empty rankings give 1, one empty 0.

    Raises:
        MeasureError: other corpora, rows that do not fit, or ``p`` or ``k`` outside their range.
    """
    if not 0.0 < p < 1.0:
        raise MeasureError(f"persistence p={p} of rank-biased overlap is not between 0 and 1; 0.9 is customary")
    ours, theirs = _pair(first, second, parent, k)
    lengths, other_lengths = (ours >= 0).sum(axis=1), (theirs >= 0).sum(axis=1)
    short, long = np.minimum(lengths, other_lengths), np.maximum(lengths, other_lengths)
    if not ours.shape[1]:
        return np.ones(len(ours))
    common = _common_by_depth(ours, theirs)
    depth = np.arange(1, common.shape[1] + 1)
    at_short = np.take_along_axis(common, np.maximum(short - 1, 0)[:, None], axis=1)[:, 0]
    at_long = np.take_along_axis(common, np.maximum(long - 1, 0)[:, None], axis=1)[:, 0]
    safe_short, safe_long = np.maximum(short, 1), np.maximum(long, 1)
    weights = p**depth
    seen = np.where(depth <= long[:, None], common / depth, 0.0) @ weights
    beyond = (
        np.where(
            (depth > short[:, None]) & (depth <= long[:, None]),
            at_short[:, None] * (depth - short[:, None]) / (safe_short[:, None] * depth),
            0.0,
        )
        @ weights
    )
    tail = ((at_long - at_short) / safe_long + at_short / safe_short) * p**long
    # Rounding may carry equal rankings a hair above 1.
    value = np.clip((1.0 - p) / p * (seen + beyond) + tail, 0.0, 1.0)
    return np.where(long == 0, 1.0, np.where(short == 0, 0.0, value))


def query_shift(clean: ArrayLike, perturbed: ArrayLike) -> Float64Array:
    """How far perturbation moved the query vectors: cosine distance, row by row.

    Args:
        clean: ``(n, dim)``.
        perturbed: ``(n, dim)``.

    Returns:
        float64 ``(n,)``, from 0 (same direction) to 2.

    Raises:
        MeasureError: other shapes, or a row that is zero or not finite.
    """
    before, after = np.asarray(clean, np.float64), np.asarray(perturbed, np.float64)
    if before.shape != after.shape or before.ndim != 2:
        raise MeasureError(
            f"clean vectors are {before.shape}, perturbed ones {after.shape}; give one row per query in both"
        )
    norms = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    unusable = ~(np.isfinite(norms) & (norms > 0))
    if unusable.any():
        raise MeasureError(f"query vector in row {unusable.argmax()} is zero, NaN or infinite; mend the encoder")
    distances: Float64Array = np.clip(1.0 - np.einsum("ij,ij->i", before, after) / norms, 0.0, 2.0)
    return distances


def _pair(first: Rankings, second: Rankings, parent: ArrayLike | None, k: int | None) -> tuple[Int32Array, Int32Array]:
    """Both rankings cut at ``k``, row by row, padded to the same width."""
    if k is not None and k < 1:
        raise MeasureError(f"depth k={k} is below 1")
    if first.doc_ids is not second.doc_ids and first.doc_ids != second.doc_ids:
        raise MeasureError("the two rankings are over different corpora; compare rankings of the same documents only")
    rows = np.arange(len(second)) if parent is None else np.asarray(parent, np.int64)
    if rows.shape != (len(second),) or (len(rows) and not 0 <= rows.min() <= rows.max() < len(first)):
        raise MeasureError(f"{len(first)} rankings cannot be paired with {len(second)}; pass parent, a row for each")
    ours, theirs = first.doc_index[rows, :k], second.doc_index[:, :k]
    width = max(ours.shape[1], theirs.shape[1])
    return _widened(ours, width), _widened(theirs, width)


def _widened(docs: Int32Array, width: int) -> Int32Array:
    return np.pad(docs, ((0, 0), (0, width - docs.shape[1])), constant_values=-1)


def _common_by_depth(ours: Int32Array, theirs: Int32Array) -> NDArray[np.int64]:
    """How many documents two rankings share among their first 1, 2, … — int64 ``(n, width)``."""
    n, width = ours.shape
    arrivals = np.zeros((n, max(width, 1)), np.int64)
    height = max(1, _CELLS // max(width, 1) ** 2)
    for top in range(0, n, height):
        block = ours[top : top + height]
        same = (block[:, :, None] == theirs[top : top + height, None, :]) & (block >= 0)[:, :, None]
        row, left, right = np.nonzero(same)
        # A shared document is common from the deeper of its two ranks on.
        np.add.at(arrivals, (row + top, np.maximum(left, right)), 1)
    return np.cumsum(arrivals, axis=1)
