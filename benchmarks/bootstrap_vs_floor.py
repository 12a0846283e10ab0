"""Intervals of a whole table beside the least any bootstrap must do: draw the numbers and multiply the matrices.

10,000 resamples of 300 queries for 1,250 cells, quantiles and BCa corrections included on our side. scipy is timed on a
few cells and scaled.

    python benchmarks/bootstrap_vs_floor.py [--queries 300] [--cells 1250] [--resamples 10000]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

import numpy as np
from scipy import stats

from perturb.significance import Resampling, bootstrap_intervals, drops


def seconds(run: Callable[[], object]) -> float:
    """Seconds of one call."""
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def main() -> None:
    """Run, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--cells", type=int, default=1250)
    parser.add_argument("--resamples", type=int, default=10_000)
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    clean = (rng.random((options.cells, options.queries)) < 0.8).astype(float)
    perturbed = clean * rng.binomial(5, 0.8, clean.shape) / 5
    differences = clean - perturbed
    ids = tuple(f"q{row:05}" for row in range(options.queries))
    sizes = np.ones(options.queries)
    single = differences.astype(np.float32)
    counts = rng.multinomial(options.queries, sizes / options.queries, options.resamples).astype(np.float32)
    narrow = np.uint16 if options.queries < 1 << 16 else np.uint32

    def floor() -> None:
        rng.integers(0, options.queries, (options.resamples, options.queries), dtype=narrow)
        single @ counts.T

    own: dict[str, Callable[[], object]] = {
        f"{method} intervals": lambda method=method: bootstrap_intervals(
            differences, sizes, ids, Resampling(1, options.resamples, method=method)
        )
        for method in ("percentile", "bca")
    }
    own["drops: BCa and sign-flip test"] = lambda: drops(
        clean, perturbed, seed=1, query_ids=ids, resamples=options.resamples
    )
    rows = {name: [] for name in ["floor", *own]}
    for _ in range(9):  # turn by turn, so that whatever else the machine does hits all alike
        for name, run in {"floor": floor, **own}.items():
            rows[name].append(seconds(run))
    print(f"{options.resamples:,} resamples x {options.queries} queries x {options.cells:,} cells, median of 9")
    least = median(rows["floor"])
    print(f"random numbers and matrix product alone: {least * 1000:.0f} ms")
    for name in own:
        bar = " (bar 3)" if "intervals" in name else ""
        print(f"{name:30} {median(rows[name]) * 1000:6.0f} ms   {median(rows[name]) / least:.1f} x the floor{bar}")
    took = seconds(
        lambda: [
            stats.bootstrap((row,), np.mean, n_resamples=options.resamples, method="BCa", batch=500, rng=1)
            for row in differences[:5]
        ]
    )
    scaled = took * options.cells / 5
    ratio = scaled / median(rows["bca intervals"])
    print(f"scipy.stats.bootstrap, BCa, scaled from 5 cells: {scaled:.1f} s, {ratio:.0f} x ours")


if __name__ == "__main__":
    main()
