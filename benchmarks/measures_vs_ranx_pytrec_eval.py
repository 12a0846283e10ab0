"""Five measures on many rankings: perturb beside ranx and pytrec_eval, in one run, on the same arrays.

Both ways are timed: with the conversion from arrays (dictionaries for the peers, ``Qrels`` for perturb) and without it.
The scores of all three are compared before anything is printed.

    python benchmarks/measures_vs_ranx_pytrec_eval.py [--queries 100000] [--depth 100] [--judged 3]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

import numpy as np
import pytrec_eval
import ranx

from perturb.measures import Qrels, score
from perturb.records import Rankings

MEASURES = {"recall@5": "recall_5", "recall@10": "recall_10", "mrr@10": None, "ndcg@10": "ndcg_cut_10", "map": "map"}
BARS = {
    "ranx, conversion counted": 100,
    "pytrec_eval, conversion counted": 50,
    "ranx, alone": 25,
    "pytrec_eval, alone": 25,
}


def timed(run: Callable[[], object], repeats: int = 1) -> tuple[float, object]:
    """Median seconds and the last outcome."""
    seconds = []
    for _ in range(repeats):
        begin = time.perf_counter()
        outcome = run()
        seconds.append(time.perf_counter() - begin)
    return median(seconds), outcome


def arrays(n_queries: int, depth: int, n_judged: int) -> tuple[Rankings, np.ndarray, np.ndarray, np.ndarray]:
    """Rankings without ties, and judgements of which three in five were retrieved."""
    rng = np.random.default_rng(1)
    n_docs = max(1000, n_queries)
    steps = rng.integers(1, n_docs // depth, (n_queries, depth))
    docs = ((rng.integers(0, n_docs, (n_queries, 1)) + np.cumsum(steps, axis=1)) % n_docs).astype(np.int32)
    docs = rng.permuted(docs, axis=1)
    scores = np.tile(np.linspace(1, 0, depth, endpoint=False, dtype=np.float32), (n_queries, 1))
    judged = np.argsort(rng.random((n_queries, n_docs if n_docs < 50 else 20)), axis=1)[:, :n_judged]
    columns = np.take_along_axis(docs, judged % depth, axis=1)
    missed = rng.random(columns.shape) < 0.4
    columns[missed] = (docs[:, :1] - 1 - np.arange(n_judged))[missed] % n_docs
    rows = np.repeat(np.arange(n_queries), n_judged)
    keys, first = np.unique(rows * n_docs + columns.ravel(), return_index=True)
    grades = rng.integers(1, 4, rows.shape)[first]
    query_ids = tuple(f"q{row:06}" for row in range(n_queries))
    rankings = Rankings(query_ids, docs, scores, tuple(f"d{column}" for column in range(n_docs)))
    return rankings, keys // n_docs, (keys % n_docs).astype(np.int32), grades


def dictionaries(rankings: Rankings, rows: np.ndarray, columns: np.ndarray, grades: np.ndarray) -> tuple[dict, dict]:
    """What both peers start from."""
    names = rankings.doc_ids
    run = {
        query_id: dict(zip([names[column] for column in docs], scores, strict=True))
        for query_id, docs, scores in zip(
            rankings.query_ids, rankings.doc_index.tolist(), rankings.scores.tolist(), strict=True
        )
    }
    qrels: dict[str, dict[str, int]] = {}
    for row, column, grade in zip(rows.tolist(), columns.tolist(), grades.tolist(), strict=True):
        qrels.setdefault(rankings.query_ids[row], {})[names[column]] = grade
    return run, qrels


def main() -> None:
    """Run, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=100_000)
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--judged", type=int, default=3)
    options = parser.parse_args()
    rankings, *judgements = arrays(options.queries, options.depth, options.judged)

    def own() -> np.ndarray:
        return score(rankings, Qrels.from_arrays(*judgements, rankings.query_ids, rankings.doc_ids), list(MEASURES))

    own_before, ours = timed(own, 5)
    qrels = Qrels.from_arrays(*judgements, rankings.query_ids, rankings.doc_ids)
    own_alone, _ = timed(lambda: score(rankings, qrels, list(MEASURES)), 5)

    convert, (run, judged) = timed(lambda: dictionaries(rankings, *judgements))
    families = {"recall.5,10", "recip_rank", "ndcg_cut.10", "map"}
    build, evaluator = timed(lambda: pytrec_eval.RelevanceEvaluator(judged, families))
    pytrec_alone, theirs = timed(lambda: evaluator.evaluate(run))
    for line, trec_name in zip(ours, MEASURES.values(), strict=True):
        if trec_name:
            expected = np.array([theirs[query_id][trec_name] for query_id in rankings.query_ids])
            assert np.abs(line - expected).max() < 1e-9, trec_name

    small = {query_id: run[query_id] for query_id in rankings.query_ids[:10]}
    ranx.evaluate(ranx.Qrels({query_id: judged[query_id] for query_id in small}), ranx.Run(small), list(MEASURES))
    wrap, (ranx_qrels, ranx_run) = timed(lambda: (ranx.Qrels(judged), ranx.Run(run)))
    ranx_alone, theirs = timed(lambda: ranx.evaluate(ranx_qrels, ranx_run, list(MEASURES), return_mean=False))
    for line, name in zip(ours, MEASURES, strict=True):
        assert np.abs(line - theirs[name]).max() < 1e-5, name

    own_after, _ = timed(own, 5)
    own_converted = (own_before + own_after) / 2
    seconds = {
        "ranx, conversion counted": (convert + wrap + ranx_alone, own_converted),
        "pytrec_eval, conversion counted": (convert + build + pytrec_alone, own_converted),
        "ranx, alone": (ranx_alone, own_alone),
        "pytrec_eval, alone": (pytrec_alone, own_alone),
    }
    print(f"{options.queries:,} rankings of {options.depth}, {', '.join(MEASURES)}; scores are equal")
    for name, (peer, ours_took) in seconds.items():
        ratio = f"{peer / ours_took:6.0f} x (bar {BARS[name]})"
        print(f"{name:33} {peer:8.2f} s   perturb {ours_took * 1000:7.1f} ms   {ratio}")


if __name__ == "__main__":
    main()
