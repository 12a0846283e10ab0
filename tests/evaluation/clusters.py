"""A golden set of heavily clustered queries, and intervals and tests computed by hand on the sums of its groups."""

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from perturb.evaluation import Evaluation
from perturb.evaluation.groups import query_groups
from perturb.significance import Resampling, tilted_p_values
from tests.tiny_evaluation import tiny_evaluation

CLUSTERS, SIZE = 44, 5
N = CLUSTERS * SIZE
RESAMPLING = Resampling(3, 1000)
PLAIN = Resampling(3, 4000, method="percentile", expand=False)
IDS = [f"q{n:03}" for n in range(N)]
LABELS = {query_id: IDS[SIZE * (n // SIZE)] for n, query_id in enumerate(IDS)}


def alike(rng: np.random.Generator, low: float = 0.0, high: float = 0.6) -> NDArray[np.float64]:
    """The queries of one document lose alike: 24 observations that look like 120."""
    return np.repeat(rng.uniform(low, high, CLUSTERS), SIZE)


def clustered_evaluation() -> Evaluation:
    """Two models, two measures, two perturbations; everything moves by clusters of queries with one document."""
    rng = np.random.default_rng(4)
    queries = {query_id: f"umowa{n} termin{n}" for n, query_id in enumerate(IDS)}
    documents = {
        f"d{n:02}": " ".join(f"umowa{q} umowy{q} termin{q}" for q in range(SIZE * n, SIZE * n + SIZE))
        for n in range(CLUSTERS)
    }
    variants = [(q, "typo", f"u{text}") for q, text in queries.items()]
    variants += [(q, "case", text.replace("umowa", "umowy")) for q, text in queries.items()]
    qrels = [(query_id, f"d{n // SIZE:02}", 1) for n, query_id in enumerate(IDS)]
    scores = {}
    for name in ("a", "b"):
        clean = 0.4 + alike(rng)
        lost = np.concatenate([clean, clean - alike(rng, 0.0, 0.4), clean - alike(rng, -0.05, 0.1)])
        scores[name] = {"recall@5": lost.tolist(), "mrr@10": (lost * 0.9).tolist()}
    return tiny_evaluation(
        queries, variants, documents=documents, qrels=qrels, scores=scores, measures=("recall@5", "mrr@10")
    )


def by_hand(values: NDArray[np.float64], resamples: int = 20_000) -> tuple[float, float]:
    """Percentile interval of the mean over queries, by drawing whole groups and adding up their sums."""
    sums = values.reshape(CLUSTERS, SIZE).sum(axis=1)
    rng = np.random.default_rng(11)
    means = sums[rng.integers(0, CLUSTERS, (resamples, CLUSTERS))].sum(axis=1) / (CLUSTERS * SIZE)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def flips_by_hand(values: NDArray[np.float64]) -> float:
    """Sign-flip test on group sums, raised where their skew asks for it (which has oracles of its own)."""
    sums = values.reshape(CLUSTERS, SIZE).sum(axis=1)
    test = stats.permutation_test(
        (sums,), np.mean, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(1)
    )
    return max(float(test.pvalue), float(tilted_p_values(sums[None])[0]))


def width(low: float | None, high: float | None) -> float:
    assert low is not None and high is not None
    return high - low


def document_groups(evaluation: Evaluation) -> dict[str, str]:
    groups = query_groups(evaluation.golden_set, "document")
    assert groups is not None
    return groups


def parts(evaluation: Evaluation, model: int = 0, measure: int = 0) -> list[NDArray[np.float64]]:
    """Clean scores, drops under typo, drops under case."""
    clean, typo, case = evaluation.models[model].scores[measure].reshape(3, N)
    return [clean, clean - typo, clean - case]
