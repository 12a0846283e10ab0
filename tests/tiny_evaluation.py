"""Evaluations of a few queries, made from the figures a test wants them to have."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from perturb.evaluation import Evaluation, ModelRun
from perturb.golden.goldenset import GoldenSet
from perturb.measures import Qrels, parse_measure, score
from perturb.records import ORIGINAL, Document, Edit, Judgement, Query, Rankings, Variant
from perturb.suite import Suite


def tiny_evaluation(
    queries: Mapping[str, str],
    variants: Sequence[tuple[str, str, str]],
    *,
    documents: Mapping[str, str] | None = None,
    qrels: Sequence[tuple[str, str, int]] | None = None,
    scores: Mapping[str, Mapping[str, Sequence[float]]] | None = None,
    rankings: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
    measures: Sequence[str] = ("recall@1",),
    asked: Sequence[str] = (),
    failed: Mapping[str, str] | None = None,
    seconds: Mapping[str, float] | None = None,
    tokens: Mapping[str, Sequence[int]] | None = None,
    name: str = "tiny",
) -> Evaluation:
    """Build an evaluation.

    Variants are ``(query id, perturbation, text)``; they are called ``q1/typo/0`` and so on, in the order given, and
    follow their originals. A model has either ``scores``, by measure in the order of originals and variants, or
    ``rankings`` by variant id, from which scores are computed; a variant without a ranking found nothing.
    """
    documents = documents or {"d1": "pierwszy", "d2": "drugi"}
    qrels = qrels or [(query_id, "d1", 1) for query_id in queries]
    golden_set = GoldenSet(
        name,
        Path(name),
        tuple(Document(doc_id, text) for doc_id, text in documents.items()),
        tuple(Query(query_id, text) for query_id, text in queries.items()),
        tuple(Judgement(*judgement) for judgement in qrels),
    )
    made = [Variant(query_id, query_id, ORIGINAL, ORIGINAL, text) for query_id, text in queries.items()]
    for number, (query_id, perturbation, text) in enumerate(variants):
        edits = _edits(queries[query_id], text)
        made.append(Variant(f"{query_id}/{perturbation}/{number}", query_id, perturbation, "kind", text, edits))
    names = dict.fromkeys([*asked, *(v.perturbation for v in made if v.perturbation != ORIGINAL)])
    suite = Suite({"spec": [{"name": n} for n in names], "seed": 1, "coverage": {}}, tuple(made))
    parsed = tuple(parse_measure(measure) for measure in measures)
    judged = Qrels.from_judgements(golden_set.judgements, tuple(queries), tuple(documents))
    rows = {query_id: row for row, query_id in enumerate(queries)}
    parent = np.array([rows[variant.query_id] for variant in made], np.int64)
    timed, counted = seconds or {}, tokens or {}
    runs = []
    for model in dict.fromkeys([*(scores or {}), *(rankings or {})]):
        ranked = _rankings(made, documents, (rankings or {}).get(model, {}))
        if scores and model in scores:
            table = np.array([scores[model][m.name] for m in parsed], np.float64)
        else:
            table = score(ranked, judged, parsed, parent=parent)
        took = {"search": timed[model]} if model in timed else {}
        each = np.array(counted[model], np.int64) if model in counted else None
        runs.append(ModelRun(model, table, ranked, seconds=took, query_tokens=each))
    runs += [ModelRun(model, np.zeros((0, 0)), None, error=why) for model, why in (failed or {}).items()]
    return Evaluation(golden_set, suite, parsed, tuple(made), parent, judged, {}, tuple(runs))


def _edits(before: str, after: str) -> tuple[Edit, ...]:
    """One edit from the first difference to the last."""
    start = next(
        (i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    edit = Edit(start, len(before) - end, before[start : len(before) - end], after[start : len(after) - end])
    return (edit,) if before != after else ()


def _rankings(
    variants: Sequence[Variant], documents: Mapping[str, str], ranked: Mapping[str, Sequence[str]]
) -> Rankings:
    columns = {doc_id: column for column, doc_id in enumerate(documents)}
    depth = max([1, *(len(found) for found in ranked.values())])
    index = np.full((len(variants), depth), -1, np.int32)
    scores = np.full((len(variants), depth), -np.inf, np.float32)
    for row, variant in enumerate(variants):
        for place, doc_id in enumerate(ranked.get(variant.variant_id, ())):
            index[row, place], scores[row, place] = columns[doc_id], float(depth - place)
    return Rankings(tuple(v.variant_id for v in variants), index, scores, tuple(documents))
