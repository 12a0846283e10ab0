"""Exact top-100 beside torch's matmul and topk and numpy's argpartition: speed, and who keeps ties in order.

All three are given ready unit vectors. A tenth of the documents are copies of others, as chunks of real corpora are;
perturb compares in float64 and breaks ties by ``doc_id`` descending, as trec_eval does; the other two compare in
float32, whose last bits reorder near-ties too, and break ties by no rule.

    python benchmarks/search_vs_torch_topk.py [--documents 100000] [--queries 1000] [--dim 384] [--k 100]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

import numpy as np
import torch

from perturb.retrieval.search import DocumentOrder, top_k

BLOCK = 16_384


def seconds_of(run: Callable[[], np.ndarray], repeats: int) -> tuple[float, np.ndarray]:
    """Median time and the last result."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        found = run()
        times.append(time.perf_counter() - begin)
    return median(times), found


def main() -> None:
    """Run, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=1_000)
    parser.add_argument("--dim", type=int, default=384)
    parser.add_argument("--k", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    documents = rng.standard_normal((options.documents, options.dim), dtype=np.float32)
    copies = rng.choice(options.documents, options.documents // 10, replace=False)
    documents[copies] = documents[rng.integers(0, options.documents, len(copies))]
    documents /= np.linalg.norm(documents, axis=1, keepdims=True)
    queries = rng.standard_normal((options.queries, options.dim), dtype=np.float32)
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    order = DocumentOrder([f"d{number:07}" for number in range(options.documents)])
    ordered = documents[order.columns]
    names = [""] * options.queries

    def own() -> np.ndarray:
        def score_block(rows: slice, columns: slice) -> np.ndarray:
            return queries[rows].astype(np.float64) @ ordered[columns].astype(np.float64).T

        return top_k(
            score_block, names, order, options.k, block_columns=BLOCK, block_rows=min(1000, options.queries)
        ).doc_index

    def torch_topk() -> np.ndarray:
        scores = torch.from_numpy(queries) @ torch.from_numpy(documents).T
        return scores.topk(options.k).indices.numpy()

    def argpartition() -> np.ndarray:
        scores = queries @ documents.T
        places = np.argpartition(-scores, options.k - 1, axis=1)[:, : options.k]
        inner = np.argsort(-np.take_along_axis(scores, places, axis=1), axis=1)
        return np.take_along_axis(places, inner, axis=1)

    exact = (queries.astype(np.float64) @ documents.astype(np.float64).T).astype(np.float32)
    # Ids ascend with the number here, so descending ids are descending numbers.
    truth = np.array([np.lexsort((-np.arange(options.documents), -row))[: options.k] for row in exact])
    print(f"{options.queries:,} queries, {options.documents:,} documents, {options.dim} dimensions, top {options.k}")
    for name, run in (("perturb", own), ("torch topk", torch_topk), ("numpy argpartition", argpartition)):
        seconds, found = seconds_of(run, options.repeats)
        print(f"{name:20} {seconds:6.2f} s   rankings in trec_eval's order: {(found == truth).all(axis=1).mean():.1%}")


if __name__ == "__main__":
    main()
