"""Random numbers for intervals and tests: one stream per question asked, drawn in blocks, the same on every run.

A stream is named by the seed, its purpose and the ids of the queries it resamples, and by nothing else: which other
cells stand in a table, and in which order the queries come, changes no figure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from perturb.records import Float32Array, Float64Array
from perturb.significance.threads import threads_for

_BLOCK = 1 << 19  # counts drawn at once; their 64-bit keys stay in the cache
SIGNS_AT_ONCE = _BLOCK
"""Random signs in one block."""
_KEPT = 1 << 24  # counts kept for all cells: 64 MB


def random_stream(seed: int | str, purpose: str, unit_ids: Sequence[str]) -> np.random.Generator:
    """Make the generator that belongs to a seed, a purpose and a set of units.

    Args:
        seed: any.
        purpose: such as ``bootstrap``; different purposes get independent streams.
        unit_ids: queries or groups, sorted by the caller.

    Returns:
        A PCG64 generator whose 256-bit entropy is a hash of all three.
    """
    digest = hashlib.blake2b(digest_size=32)
    for part in (str(seed), purpose, *unit_ids):
        # The length keeps ["ab", "c"] and ["a", "bc"] apart.
        encoded = part.encode()
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return np.random.default_rng(int.from_bytes(digest.digest(), "little"))


def resample_counts(n_units: int, resamples: int, rng: np.random.Generator) -> Iterator[Float32Array]:
    """How often each unit was drawn in each bootstrap resample of ``n_units`` draws with replacement.

    Args:
        n_units: number of units, at least 1.
        resamples: number of resamples.
        rng: the stream.

    Yields:
        float32 blocks ``(n_units, n_resamples_in_block)``; each column sums to ``n_units``.
    """
    height = max(1, _BLOCK // n_units)
    # Narrow integers are drawn several times as fast.
    narrow = np.uint16 if n_units < 1 << 16 else np.uint32
    for top in range(0, resamples, height):
        rows = min(height, resamples - top)
        drawn = rng.integers(0, n_units, (rows, n_units), dtype=narrow)
        keys = drawn * np.int64(rows) + np.arange(rows)[:, None]
        yield np.bincount(keys.ravel(), minlength=rows * n_units).reshape(n_units, rows).astype(np.float32)


class Resamples:
    """The resamples that all cells on the same units share.

    Their counts are kept if they fit :data:`_KEPT`; otherwise they are drawn anew for every block of cells, from the
    start of the same stream, so that the figures are the same and the memory stays small.
    """

    def __init__(self, sizes: Float64Array, resamples: int, seed: int | str, unit_ids: Sequence[str]) -> None:
        self.sizes = sizes
        self.resamples = resamples
        self._named = (seed, "bootstrap", tuple(unit_ids))
        small = len(sizes) * resamples <= _KEPT
        self._kept = np.concatenate(list(self._drawn()), axis=1) if small else None
        self.cells_at_once = 256 if small else 1024
        self._room = np.empty((0, resamples), np.float32)

    def _drawn(self) -> Iterator[Float32Array]:
        return resample_counts(len(self.sizes), self.resamples, random_stream(*self._named))

    def deviations(self, sums: Float64Array) -> Float32Array:
        """Bootstrap distribution of means, each minus the mean observed.

        Single precision suffices because the observed mean is taken out first: what is rounded is the deviation, to
        about one part in a million of its spread. A constant row gives exact zeros.

        Args:
            sums: float64 ``(n_cells, n_units)``: per unit, the sum over its queries.

        Returns:
            float32 ``(n_cells, resamples)``, overwritten by the next call.
        """
        equal = bool((self.sizes == self.sizes[0]).all())
        scale = 1.0 / self.sizes.sum() if equal else 1.0
        centred = (centred_sums(sums, self.sizes) * scale).astype(np.float32)
        if len(self._room) < len(sums):
            self._room = np.empty((len(sums), self.resamples), np.float32)
        deviations = self._room[: len(sums)]
        top = 0
        for counts in self._drawn() if self._kept is None else [self._kept]:
            block = deviations[:, top : top + counts.shape[1]]
            with threads_for(centred.shape[0] * counts.size):
                np.matmul(centred, counts, out=block)
            if not equal:
                block /= self.sizes.astype(np.float32) @ counts
            top += counts.shape[1]
        return deviations


def centred_sums(sums: Float64Array, sizes: Float64Array) -> Float64Array:
    """Sums minus what each unit would have if all its queries were at the mean of the cell."""
    centred: Float64Array = sums - (sums.sum(axis=1) / sizes.sum())[:, None] * sizes
    # Summation leaves a few units in the last place of constant rows; they are no spread.
    noise = 1e-12 * np.abs(sums).max(axis=1, initial=0.0)
    centred[np.abs(centred) <= noise[:, None]] = 0.0
    return centred


def standard_errors(sums: Float64Array, sizes: Float64Array) -> Float64Array:
    """Standard error of each mean; with groups the cluster-robust one — float64 ``(n_cells,)``, 0 for one unit."""
    n_units = len(sizes)
    if n_units < 2:
        return np.zeros(len(sums))
    squares = (centred_sums(sums, sizes) ** 2).sum(axis=1)
    errors: Float64Array = np.sqrt(squares * n_units / (n_units - 1)) / sizes.sum()
    return errors


def random_signs(n_units: int, flips: int, rng: np.random.Generator) -> Iterator[Float32Array]:
    """Random signs as bits, eight from each random byte.

    Args:
        n_units: number of units.
        flips: number of sign patterns.
        rng: the stream.

    Yields:
        float32 blocks ``(n_patterns_in_block, n_units)`` of 0 and 1.
    """
    width = -(-n_units // 8)
    height = max(1, _BLOCK // (8 * width))
    for top in range(0, flips, height):
        rows = min(height, flips - top)
        drawn = np.frombuffer(rng.bytes(rows * width), np.uint8).reshape(rows, width)
        yield np.unpackbits(drawn, axis=1, count=n_units).astype(np.float32)


def unit_sums(
    values: Float64Array, unit_of: NDArray[np.intp] | None, n_units: int
) -> tuple[Float64Array, Float64Array]:
    """Add up the queries of each unit.

    Args:
        values: float64 ``(n_cells, n_queries)``.
        unit_of: unit of each query; ``None`` if each query is a unit.
        n_units: number of units.

    Returns:
        sums ``(n_cells, n_units)`` and sizes ``(n_units,)``.
    """
    if unit_of is None:
        return values, np.ones(n_units)
    order = np.argsort(unit_of, kind="stable")
    sizes = np.bincount(unit_of, minlength=n_units)
    return np.add.reduceat(values[:, order], np.cumsum(sizes) - sizes, axis=1), sizes.astype(np.float64)
