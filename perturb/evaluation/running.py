"""Run every model on every variant and score the rankings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perturb.errors import ConfigError, GoldenSetError, RetrieverError
from perturb.evaluation.model_runs import ModelRun, RetrieverFactory, run_model
from perturb.evaluation.remarks import remarks
from perturb.evaluation.scored import own_scores, with_pooled_scores
from perturb.golden.goldenset import GoldenSet
from perturb.measures import Measure, Qrels, parse_measure, refuse_huge_gains
from perturb.records import ORIGINAL, Rankings, Variant
from perturb.retrieval.base import Progress
from perturb.suite import Suite
from perturb.wording import counted

DEFAULT_MEASURES = ("recall@5", "recall@10", "mrr@10", "ndcg@10")
DEFAULT_DEPTH = 20
UNCUT_DEPTH = 100
"""Depth of the rankings when a measure without a cut-off, such as ``map``, is asked for."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The scores of all models on all variants of the queries that can be scored.

    Attributes:
        golden_set: documents, queries and judgements.
        suite: all variants, also of queries that cannot be scored.
        measures: what was measured; the first is the one that reports lead with.
        variants: ``n_variants`` variants of queries with a relevant document.
        parent: int64 ``(n_variants,)``, row of each variant's query in ``qrels``.
        qrels: judgements of all queries of the golden set, as arrays.
        excluded: ids of the queries left out of every mean, by reason.
        models: in the order asked for; failed ones carry an error and no scores.
    """

    golden_set: GoldenSet
    suite: Suite
    measures: tuple[Measure, ...]
    variants: tuple[Variant, ...]
    parent: NDArray[np.int64]
    qrels: Qrels
    excluded: Mapping[str, tuple[str, ...]]
    models: tuple[ModelRun, ...]

    @property
    def succeeded(self) -> tuple[ModelRun, ...]:
        """Models that have scores."""
        return tuple(model for model in self.models if not model.error)

    @property
    def original_rows(self) -> NDArray[np.int64]:
        """Position in ``variants`` of each query's original, int64 ``(n_queries,)``; -1 for excluded queries."""
        rows = np.full(len(self.qrels.query_ids), -1, np.int64)
        for position, variant in enumerate(self.variants):
            if variant.perturbation == ORIGINAL:
                rows[self.parent[position]] = position
        return rows


def evaluate(
    golden_set: GoldenSet,
    suite: Suite,
    factories: Mapping[str, RetrieverFactory],
    measures: Sequence[str | Measure] = DEFAULT_MEASURES,
    *,
    depth: int | None = None,
    progress: Progress | None = None,
    keep: Callable[[ModelRun], None] = lambda _: None,
    kept: Callable[[str, Mapping[str, Any]], Rankings | None] = lambda _name, _description: None,
) -> Evaluation:
    """Rank the documents for every variant with every model, and score the rankings.

    Queries without a relevant document are left out for the original and all variants alike, and listed.

    Args:
        golden_set: what to search and what is right.
        suite: what to ask.
        factories: makes each model; called one after the other so that only one is in memory.
        measures: names such as ``recall@5``.
        depth: how many documents are retrieved; by default enough for the measures, at least :data:`DEFAULT_DEPTH`.
        progress: called with a model's name, texts done and texts in all.
        keep: called with each finished model, so that its work survives a kill.
        kept: gives the rankings of a model of this name and description that an interrupted run had finished.

    Returns:
        The evaluation. A model that cannot be loaded or gives unusable vectors carries its error.

    Raises:
        ConfigError: a depth that a measure looks beyond.
        MeasureError: an unknown measure, or one that the grades do not allow.
        GoldenSetError: the suite asks for queries that the golden set lacks, or none can be scored.
        RetrieverError: no model at all could run.
    """
    parsed = tuple(dict.fromkeys(parse_measure(measure) for measure in measures))
    queries = tuple(query.query_id for query in golden_set.queries)
    qrels = Qrels.from_judgements(golden_set.judgements, queries, [d.doc_id for d in golden_set.documents])
    refuse_huge_gains(parsed, qrels)
    scorable = qrels.scorable(parsed)
    row_of = {query_id: row for row, query_id in enumerate(queries)}
    _refuse_strangers(suite, row_of, golden_set)
    variants = tuple(variant for variant in suite.variants if scorable[row_of[variant.query_id]])
    if not variants:
        asked = counted(len(queries), "query", "queries")
        raise GoldenSetError(f"{golden_set.name}: none of {asked} has a relevant document to score by")
    parent = np.array([row_of[variant.query_id] for variant in variants], np.int64)
    deepest = max((measure.needs_depth or 1 for measure in parsed), default=1)
    if depth is not None and depth < deepest:
        cut = next(measure.name for measure in parsed if measure.needs_depth == deepest)
        raise ConfigError(
            f"depth = {depth}: {cut} needs {deepest} documents per query; give more, or a shallower measure"
        )
    needed = depth or max([DEFAULT_DEPTH, *(measure.needs_depth or UNCUT_DEPTH for measure in parsed)])
    models: list[ModelRun] = []
    for name, factory in factories.items():
        run = run_model(name, factory, golden_set, variants, needed, progress, kept)
        if run.rankings is not None:
            scores = own_scores(run.rankings, qrels, parsed, parent, golden_set.documents)
            run = replace(run, scores=scores, notes=(*run.notes, *remarks(run.rankings, parsed, variants, parent)))
            keep(run)
        models.append(run)
    if models and all(model.error for model in models):
        raise RetrieverError("no model could run: " + "; ".join(_told(model) for model in models))
    models = with_pooled_scores(models, qrels, parsed, parent)
    excluded = {"no relevant document": tuple(q for q, fits in zip(queries, scorable, strict=True) if not fits)}
    return Evaluation(golden_set, suite, parsed, variants, parent, qrels, excluded, tuple(models))


def _told(model: ModelRun) -> str:
    return model.error if model.error.startswith(model.name) else f"{model.name}: {model.error}"


def _refuse_strangers(suite: Suite, row_of: Mapping[str, int], golden_set: GoldenSet) -> None:
    originals = set()
    for variant in suite.variants:
        if variant.query_id not in row_of:
            raise GoldenSetError(
                f"variant {variant.variant_id!r} belongs to query {variant.query_id!r}, which {golden_set.name} lacks; "
                "evaluate a suite on the golden set it was generated from"
            )
        if variant.perturbation == ORIGINAL:
            originals.add(variant.query_id)
    for variant in suite.variants:
        if variant.query_id not in originals:
            raise GoldenSetError(
                f"query {variant.query_id!r} has variants but no variant named {ORIGINAL!r}; generate the suite again"
            )
