"""How often do the intervals hold the truth? A simulation with clustered variants, whose true drop is known.

Queries differ in how fragile they are, and the variants of a query share its fragility: they are not independent.
Six kinds of score: recall (found or not, half the queries unhurt), the same where one hit in ten is lost and where few
queries are found at all, a rare catastrophe (one query in twelve loses nearly everything), reciprocal ranks, and losses
whose sizes are lognormal, the hardest. The naive interval takes every variant for a query of its own. The test is run
where there is no drop, it should speak up in at most 6 of 100 golden sets at the 5 % level: with clean and perturbed
swapped at random (what a sign-flip test assumes), with losses and gains that cancel though they are skewed, and with
clean query and variants found each with the same chance, which differs between queries. Beside it the sign-flip test
alone, without the correction for skew. At the end, what no golden set of 50 can tell: one query in 25 loses all.

    python benchmarks/interval_coverage.py [--repeats 4000] [--variants 5]
"""

from __future__ import annotations

import argparse

import numpy as np

from perturb.significance import drops, sign_flip_p_values

Scores = tuple[np.ndarray, np.ndarray]  # clean (repeats, n), perturbed (repeats, n, variants)


def recall(rng: np.random.Generator, repeats: int, n: int, variants: int) -> Scores:
    """Found four times in five; a found one is lost with a probability of its own, now and then one is gained."""
    clean = rng.random((repeats, n)) < 0.8
    lost, gained = rng.beta(0.5, 2.0, clean.shape), rng.beta(0.3, 6.0, clean.shape)
    hit = rng.random((repeats, n, variants)) < np.where(clean, 1 - lost, gained)[:, :, None]
    return clean.astype(float), hit.astype(float)


def seldom(rng: np.random.Generator, repeats: int, n: int, variants: int) -> Scores:
    """Three queries in five are found; one hit in ten is lost, and three misses in a hundred are gained."""
    chance = rng.beta(3, 2, (repeats, n))
    clean = rng.random((repeats, n)) < chance
    lost, gained = rng.beta(0.15, 1.35, clean.shape), rng.beta(0.045, 1.455, clean.shape)
    hit = rng.random((repeats, n, variants)) < np.where(clean, 1 - lost, gained)[:, :, None]
    return clean.astype(float), hit.astype(float)


def hard(rng: np.random.Generator, repeats: int, n: int, variants: int) -> Scores:
    """One query in seven is found, and two of five of these are lost."""
    clean = rng.random((repeats, n)) < rng.beta(1, 6, (repeats, n))
    lost, gained = rng.beta(0.4, 0.6, clean.shape), rng.beta(0.02, 0.98, clean.shape)
    hit = rng.random((repeats, n, variants)) < np.where(clean, 1 - lost, gained)[:, :, None]
    return clean.astype(float), hit.astype(float)


def lognormal(rng: np.random.Generator, repeats: int, n: int, variants: int) -> Scores:
    """Every query loses a little, a few lose nearly all."""
    size = np.minimum(rng.lognormal(-4, 1.5, (repeats, n)), 1.0)[:, :, None]
    lost = np.clip(size * rng.uniform(0.3, 1.7, (repeats, n, variants)), 0.0, 1.0)
    return np.ones((repeats, n)), 1.0 - lost


def rare(rng: np.random.Generator, repeats: int, n: int, variants: int) -> Scores:
    """One query in twelve is lost in most of its variants, the others in one of a hundred."""
    clean = rng.random((repeats, n)) < 0.95
    lost = np.where(rng.random(clean.shape) < 1 / 12, rng.beta(4, 1, clean.shape), 0.01)
    hit = rng.random((repeats, n, variants)) < np.where(clean, 1 - lost, 0.02)[:, :, None]
    return clean.astype(float), hit.astype(float)


def reciprocal_rank(rng: np.random.Generator, repeats: int, n: int, variants: int) -> Scores:
    """The relevant document falls by a number of ranks that varies with the fragility of the query."""
    rank = rng.geometric(0.5, (repeats, n))
    fallen = rank[:, :, None] + rng.poisson(rng.gamma(0.5, 1.0, (repeats, n))[:, :, None], (repeats, n, variants))
    return np.where(rank > 10, 0, 1 / rank), np.where(fallen > 10, 0, 1 / fallen)


def same_chance(rng: np.random.Generator, repeats: int, n: int, variants: int) -> Scores:
    """Clean query and variants are found with one and the same chance, 0.8 on average: no drop."""
    chance = rng.beta(4, 1, (repeats, n))
    clean = rng.random((repeats, n)) < chance
    hit = rng.random((repeats, n, variants)) < chance[:, :, None]
    return clean.astype(float), hit.astype(float)


def rarest(rng: np.random.Generator, repeats: int, n: int, variants: int) -> Scores:
    """One query in 25 is lost in all its variants; nothing else changes."""
    lost = rng.random((repeats, n)) < 0.04
    return np.ones((repeats, n)), np.repeat(1.0 - lost[:, :, None], variants, axis=2)


SCORES = {
    "recall": recall,
    "recall, one hit in ten lost": seldom,
    "recall, few found": hard,
    "rare": rare,
    "reciprocal rank": reciprocal_rank,
    "lognormal losses": lognormal,
}
SETTINGS = {
    "BCa, guarded (default)": {},
    "BCa": {"expand": False},
    "percentile, expanded": {"method": "percentile"},
    "percentile": {"method": "percentile", "expand": False},
}


def coverage(clean: np.ndarray, perturbed: np.ndarray, truth: float, **settings: object) -> str:
    """Share of golden sets whose interval holds the truth, and how many of 100 miss it below and above."""
    found = drops(clean, perturbed, seed=1, resamples=2000, **settings)
    low, high = (np.array([getattr(drop, side) for drop in found]) for side in ("ci_low", "ci_high"))
    below, above = 100 * np.mean(truth < low), 100 * np.mean(truth > high)
    verdict = "" if 93 <= 100 - below - above <= 97 else "  outside 93 to 97"
    misses = f"truth below {below:4.1f}, above {above:4.1f}"
    return f"{100 - below - above:5.1f} %   {misses}   width {np.mean(high - low):.3f}{verdict}"


def alarms(clean: np.ndarray, perturbed: np.ndarray) -> str:
    """Per cent of golden sets with p at most 0.05, and the same of the sign-flip test alone."""
    found = drops(clean, perturbed, seed=1, resamples=2000)
    ids = tuple(map(str, range(clean.shape[1])))
    changes = np.where(np.abs(clean - perturbed) < 1e-12, 0.0, clean - perturbed)
    alone = np.concatenate([sign_flip_p_values(cell[None], ids, seed=1, flips=2000) for cell in changes[:1000]])
    ours = 100 * np.mean([drop.p_value is not None and drop.p_value <= 0.05 for drop in found])
    return f"{ours:.1f} % (sign flips alone {100 * np.mean(alone <= 0.05):.1f})"


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=4000)
    parser.add_argument("--variants", type=int, default=5)
    options = parser.parse_args()
    for name, build in SCORES.items():
        rng = np.random.default_rng(1)
        many = [build(rng, 500, 2000, options.variants) for _ in range(3)]
        truth = float(np.mean([(clean - perturbed.mean(axis=2)).mean() for clean, perturbed in many]))
        for n in (50, 100, 300):
            clean, perturbed = build(rng, options.repeats, n, options.variants)
            print(f"{name}, n={n}, true drop {truth:.4f}, {options.repeats} golden sets")
            for label, settings in SETTINGS.items():
                print(f"  {label:28} {coverage(clean, perturbed.mean(axis=2), truth, **settings)}")
            few = slice(0, min(options.repeats, 1000))
            naive = coverage(
                np.repeat(clean[few], options.variants, axis=1), perturbed[few].reshape(len(clean[few]), -1), truth
            )
            print(f"  {'naive, every variant a query':28} {naive}")
            means = perturbed.mean(axis=2)
            swap = rng.random(clean.shape) < 0.5
            swapped = alarms(np.where(swap, means, clean), np.where(swap, clean, means))
            print(f"  type I error, bar 6: {swapped} swapped, {alarms(clean - truth, means)} skewed", flush=True)
    for n in (50, 100, 300):
        clean, perturbed = same_chance(rng, options.repeats, n, options.variants)
        print(f"same chance, n={n}: type I error {alarms(clean, perturbed.mean(axis=2))}", flush=True)
    for n in (50, 100, 300):
        clean, perturbed = rarest(rng, options.repeats, n, options.variants)
        print(f"one query in 25, n={n}:  {coverage(clean, perturbed.mean(axis=2), 0.04)}", flush=True)


if __name__ == "__main__":
    main()
