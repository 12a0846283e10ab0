"""The queries that suffer most, and which documents overtook the right one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perturb.evaluation.model_runs import ModelRun
from perturb.evaluation.running import Evaluation
from perturb.records import ORIGINAL, Document, Query, Variant

OVERTAKERS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class FragileQuery:
    """A query whose variant lost most.

    Attributes:
        model: name of the model.
        query: the original.
        variant: the variant that lost most.
        clean: score of the original under the first measure.
        perturbed: score of the variant.
        mean_drop: clean minus perturbed, averaged over all variants of the query.
        right: the relevant document that the original ranked best.
        rank_before: its rank for the original, from 1.
        rank_after: its rank for the variant; ``None`` if it is no longer retrieved.
        overtakers: documents that rank above it for the variant and did not for the original, best first.
    """

    model: str
    query: Query
    variant: Variant
    clean: float
    perturbed: float
    mean_drop: float
    right: Document
    rank_before: int
    rank_after: int | None
    overtakers: tuple[Document, ...]


def fragile_queries(evaluation: Evaluation, limit: int = 20) -> tuple[FragileQuery, ...]:
    """Find the queries that lose most under the first measure, at most one entry per query.

    Ordered by the worst loss of any variant, then by the mean loss over the query's variants, then by query id.

    Args:
        evaluation: finished.
        limit: how many at most.
    """
    found: dict[str, FragileQuery] = {}
    for model in evaluation.succeeded:
        for entry in _of_model(evaluation, model):
            best = found.get(entry.query.query_id)
            if best is None or _order(entry) < _order(best):
                found[entry.query.query_id] = entry
    return tuple(sorted(found.values(), key=_order)[:limit])


def _order(entry: FragileQuery) -> tuple[float, float, str, str]:
    return (entry.perturbed - entry.clean, -entry.mean_drop, entry.query.query_id, entry.model)


def _of_model(evaluation: Evaluation, model: ModelRun) -> list[FragileQuery]:
    scores = model.scores[0]
    originals = evaluation.original_rows
    loss = scores[originals[evaluation.parent]] - scores
    perturbed = np.array([v.perturbation != ORIGINAL for v in evaluation.variants])
    n_queries = len(evaluation.qrels.query_ids)
    total = np.bincount(evaluation.parent[perturbed], loss[perturbed], n_queries)
    count = np.bincount(evaluation.parent[perturbed], minlength=n_queries)
    worst: dict[int, int] = {}
    for position in np.flatnonzero(perturbed & (loss > 0)).tolist():
        row = int(evaluation.parent[position])
        if row not in worst or loss[position] > loss[worst[row]]:
            worst[row] = position
    entries = []
    for row, position in worst.items():
        entry = _entry(evaluation, model, row, int(originals[row]), position, float(total[row] / count[row]))
        if entry is not None:
            entries.append(entry)
    return entries


def _entry(
    evaluation: Evaluation, model: ModelRun, row: int, original: int, position: int, mean_drop: float
) -> FragileQuery | None:
    assert model.rankings is not None
    qrels = evaluation.qrels
    judged = slice(qrels.starts[row], qrels.starts[row + 1])
    relevant = qrels.doc_index[judged][qrels.grades[judged] > 0]
    before, after = model.rankings.doc_index[original], model.rankings.doc_index[position]
    places = np.flatnonzero(np.isin(before, relevant[relevant >= 0]))
    if not len(places):
        return None
    right = int(before[places[0]])
    now = np.flatnonzero(after == right)
    above_before = set(before[: places[0]].tolist())
    above = after[: now[0]] if len(now) else after
    overtakers = [d for d in above.tolist() if d >= 0 and d not in above_before and d not in set(relevant.tolist())]
    documents = evaluation.golden_set.documents
    return FragileQuery(
        model.name,
        evaluation.golden_set.queries[row],
        evaluation.variants[position],
        float(model.scores[0, original]),
        float(model.scores[0, position]),
        mean_drop,
        documents[right],
        int(places[0]) + 1,
        int(now[0]) + 1 if len(now) else None,
        tuple(documents[d] for d in overtakers[:OVERTAKERS_SHOWN]),
    )
