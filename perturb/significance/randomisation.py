"""The sign-flip randomisation test: if clean and perturbed changed places at random, how wide would the gap be?

Paired, two-sided (Fisher; for retrieval: Smucker, Allan and Carterette, CIKM 2007). What is tested is that clean and
perturbed are interchangeable. Losses and gains that cancel in the mean while a few losses are huge are not: there the
test alone would speak up at 5 % in 5 to 17 of 100 golden sets of 50 queries. The p-values of the tables are therefore
raised where the changes are skewed (:mod:`perturb.significance.tilting`).

Queries that did not change play no part. Up to :data:`EXACT_LIMIT` changed units all sign patterns are enumerated;
beyond, random ones are drawn and the observed one is counted among them, so that no p-value is 0 (Phipson and Smyth,
2010).

The smallest p-value that 10,000 patterns can give is 1 / 10,001. Holm's correction over 600 rows makes 0.06 of it: in a
large table nothing could ever be found, however large the drop. A cell that fewer than :data:`RARE` patterns reach is
therefore tested with more patterns (sequential Monte Carlo, after Besag and Clifford, 1991). The choice does not bias
the test: at a level below that of :data:`RARE` patterns only the long test can reject, and at a level above it the long
test is asked only where the short one had rejected already.
"""

from __future__ import annotations

import numpy as np

from perturb.records import Float64Array
from perturb.significance.resampling import SIGNS_AT_ONCE, random_signs, random_stream
from perturb.significance.threads import threads_for

EXACT_LIMIT = 16
RARE = 20
"""A cell that fewer of the first patterns reach is tested with more of them."""


def sign_flip_p_values(
    sums: Float64Array, unit_ids: tuple[str, ...], *, seed: int | str, flips: int = 10_000, more: int = 0
) -> Float64Array:
    """Two-sided p-values of all cells that rest on the same units.

    Args:
        sums: float64 ``(n_cells, n_units)``: differences, added up within each unit (query or group).
        unit_ids: ids of the units, sorted: they and the seed name the random stream.
        seed: any.
        flips: random sign patterns.
        more: sign patterns for the cells that fewer than :data:`RARE` of the first ones reach; 0 for no second look.

    Returns:
        float64 ``(n_cells,)``; 1 where nothing changed.
    """
    p_values = np.empty(len(sums))
    changed = np.count_nonzero(sums, axis=1)
    few = changed <= EXACT_LIMIT
    for cell in np.flatnonzero(few):
        p_values[cell] = _exact(sums[cell][sums[cell] != 0])
    many = np.flatnonzero(~few)
    if len(many):
        p_values[many] = _monte_carlo(sums[many], unit_ids, flips, random_stream(seed, "sign flips", unit_ids))
        rare = many[p_values[many] * (flips + 1) < RARE + 0.5] if more else many[:0]
        if len(rare):
            stream = random_stream(seed, "more sign flips", unit_ids)
            p_values[rare] = _monte_carlo(sums[rare], unit_ids, more, stream)
    return p_values


def _exact(differences: Float64Array) -> float:
    """Share of all sign patterns whose sum is at least as far from 0 as the observed one."""
    if not len(differences):
        return 1.0
    # A pattern and its opposite are equally far from 0, so one sign may stay as it is.
    totals = differences[:1]
    for difference in differences[1:]:
        totals = np.concatenate([totals + difference, totals - difference])
    noise = 1e-12 * np.abs(differences).sum()
    return float(np.mean(np.abs(totals) >= abs(differences.sum()) - noise))


def _monte_carlo(
    sums: Float64Array, unit_ids: tuple[str, ...], flips: int, stream: np.random.Generator
) -> Float64Array:
    magnitude = np.abs(sums).sum(axis=1)
    scaled = (sums / magnitude[:, None]).astype(np.float32)
    # A pattern of bits b gives the sum 2 b·d − Σd, compared with |Σd|; sums that differ by rounding only are ties.
    half = scaled.sum(axis=1, dtype=np.float64) / 2.0
    reach = np.abs(half) - 1e-6
    upper, lower = (half + reach).astype(np.float32), (half - reach).astype(np.float32)
    columns = np.ascontiguousarray(scaled.T)
    as_far = np.zeros(len(sums), np.int64)
    # Set once for all blocks: a change of the number of threads costs as much as a small product.
    with threads_for(scaled.shape[0] * min(flips * len(unit_ids), SIGNS_AT_ONCE)):
        for bits in random_signs(len(unit_ids), flips, stream):
            totals = bits @ columns  # patterns in rows: a fifth faster than the other way round
            as_far += np.count_nonzero((totals >= upper) | (totals <= lower), axis=0)
    return np.asarray((as_far + 1.0) / (flips + 1.0), np.float64)
