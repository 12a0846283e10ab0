"""The sign-flip test beside ranx's Fisher randomisation test: 3,000 queries, 50 pairs, 10,000 permutations, one run.

ranx's kernel is called on ready score arrays, so neither side evaluates a ranking. Its p-values are compared too: it
counts permutations without the observed one, so a large effect gets p = 0, and its seed does not fix its figures.

    python benchmarks/sign_flip_vs_ranx_fisher.py [--queries 3000] [--pairs 50] [--flips 10000] [--peer-pairs 5]
"""

from __future__ import annotations

import argparse
import time
from statistics import median

import numpy as np
from ranx.statistical_tests.fisher_randomization_test import fisher_randomization_test

from perturb.significance import sign_flip_p_values


def main() -> None:
    """Run, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=3000)
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--flips", type=int, default=10_000)
    parser.add_argument("--peer-pairs", type=int, default=5, help="pairs that ranx is timed on, then scaled to all")
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    clean = rng.random((options.pairs, options.queries))
    effect = np.linspace(0, 0.02, options.pairs)[:, None]
    perturbed = np.clip(clean - effect + rng.normal(0, 0.2, clean.shape), 0, 1)
    ids = tuple(f"q{row}" for row in range(options.queries))

    def own() -> np.ndarray:
        return sign_flip_p_values(clean - perturbed, ids, seed=1, flips=options.flips)

    def own_seconds() -> float:
        seconds = []
        for _ in range(7):
            begin = time.perf_counter()
            own()
            seconds.append(time.perf_counter() - begin)
        return median(seconds)

    fisher_randomization_test(clean[0, :10], perturbed[0, :10], 10)  # compilation is not counted
    before = own_seconds()
    timed_pairs = np.linspace(0, options.pairs - 1, min(options.peer_pairs, options.pairs)).astype(int)
    begin = time.perf_counter()
    theirs = [fisher_randomization_test(clean[pair], perturbed[pair], options.flips)[0] for pair in timed_pairs]
    peer = (time.perf_counter() - begin) * options.pairs / len(timed_pairs)
    took = (before + own_seconds()) / 2
    ours = own()
    print(f"{options.queries:,} queries x {options.pairs} pairs x {options.flips:,} flips")
    print(f"ranx {peer:.1f} s (scaled from {len(timed_pairs)} pairs)   perturb {took * 1000:.1f} ms")
    print(f"ratio {peer / took:.0f} x (bar 500)")
    for pair, p_value in zip(timed_pairs, theirs, strict=True):
        print(f"  pair {pair:2}: ranx p = {p_value:.4f}   perturb p = {ours[pair]:.4f}")
    assert ours.min() >= 1 / (options.flips + 1)
    again = {fisher_randomization_test(clean[9, :300], perturbed[9, :300], 1000)[0] for _ in range(5)}
    print(f"the same ranx call five times: p = {sorted(again)}; perturb repeats itself: {bool((own() == ours).all())}")


if __name__ == "__main__":
    main()
