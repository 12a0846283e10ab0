"""Run every model on every variant and score the rankings."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perturb.errors import GoldenSetError, PerturbError, RetrieverError
from perturb.evaluation.remarks import remarks
from perturb.golden.goldenset import GoldenSet
from perturb.measures import Measure, Qrels, parse_measure, score
from perturb.records import ORIGINAL, Float64Array, Rankings, Variant
from perturb.retrieval.answers import checked_description, checked_rankings, checked_tokens
from perturb.retrieval.base import Progress, Retriever
from perturb.suite import Suite

DEFAULT_MEASURES = ("recall@5", "recall@10", "mrr@10", "ndcg@10")
DEFAULT_DEPTH = 20
UNCUT_DEPTH = 100
"""Depth of the rankings when a measure without a cut-off, such as ``map``, is asked for."""

RetrieverFactory = Callable[[], Retriever]


@dataclass(frozen=True, slots=True)
class ModelRun:
    """What one model did.

    Attributes:
        name: as the user named it.
        scores: float64 ``(n_measures, n_variants)``; empty if the model failed.
        rankings: one row per variant; ``None`` if the model failed.
        description: settings, versions, prompts and what was truncated, for ``run.json``.
        notes: what a reader of the report should know.
        error: why the model could not run, in one line; empty if it did.
        seconds: wall time of ``load``, ``index`` and ``search``.
        identity: the description before anything was indexed, by which finished work is found again.
        query_tokens: int64 ``(n_variants,)``, tokens of each variant in the model's tokenizer; ``None`` if it has none.
    """

    name: str
    scores: Float64Array
    rankings: Rankings | None
    description: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    error: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)
    query_tokens: NDArray[np.int64] | None = None
    identity: Mapping[str, Any] = field(default_factory=dict)


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
        MeasureError: an unknown measure.
        GoldenSetError: the suite asks for queries that the golden set lacks, or none can be scored.
        RetrieverError: no model at all could run.
    """
    parsed = tuple(dict.fromkeys(parse_measure(measure) for measure in measures))
    queries = tuple(query.query_id for query in golden_set.queries)
    qrels = Qrels.from_judgements(golden_set.judgements, queries, [d.doc_id for d in golden_set.documents])
    scorable = qrels.scorable(parsed)
    row_of = {query_id: row for row, query_id in enumerate(queries)}
    _refuse_strangers(suite, row_of, golden_set)
    variants = tuple(variant for variant in suite.variants if scorable[row_of[variant.query_id]])
    if not variants:
        raise GoldenSetError(
            f"{golden_set.name}: none of the {len(queries)} queries has a relevant document to score by"
        )
    parent = np.array([row_of[variant.query_id] for variant in variants], np.int64)
    needed = depth or max([DEFAULT_DEPTH, *(measure.needs_depth or UNCUT_DEPTH for measure in parsed)])
    models = []
    for name, factory in factories.items():
        run = _run_model(name, factory, golden_set, variants, needed, progress, kept)
        if run.rankings is not None:
            scores = score(run.rankings, qrels, parsed, parent=parent)
            run = replace(run, scores=scores, notes=(*run.notes, *remarks(run.rankings, parsed, variants, parent)))
            keep(run)
        models.append(run)
    if models and all(model.error for model in models):
        raise RetrieverError("no model could run: " + "; ".join(_told(model) for model in models))
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


def _run_model(
    name: str,
    factory: RetrieverFactory,
    golden_set: GoldenSet,
    variants: tuple[Variant, ...],
    depth: int,
    progress: Progress | None,
    kept: Callable[[str, Mapping[str, Any]], Rankings | None],
) -> ModelRun:
    seconds: dict[str, float] = {}
    started = time.perf_counter()
    try:
        retriever = factory()
        if not isinstance(retriever, Retriever):
            raise RetrieverError(f"{name}: {retriever!r:.60} was built, which is no Retriever; mend its package")
        retriever.progress = progress
        identity = checked_description(name, retriever.description())
        seconds["load"] = time.perf_counter() - started
        rankings = kept(name, identity)
        if rankings is None:
            started = time.perf_counter()
            retriever.index(list(golden_set.documents))
            seconds["index"] = time.perf_counter() - started
            started = time.perf_counter()
            rankings = _search(retriever, name, variants, golden_set, depth)
            seconds["search"] = time.perf_counter() - started
        rankings = _aligned(rankings, variants, name)
        # Once more: what was truncated is known only now.
        description = checked_description(name, retriever.description())
        tokens = checked_tokens(name, retriever.query_tokens([variant.text for variant in variants]), len(variants))
    except RetrieverError as error:
        return ModelRun(name, np.zeros((0, 0)), None, error=str(error))
    except PerturbError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever a model's code may raise; the others go on
        return ModelRun(name, np.zeros((0, 0)), None, error=_failure(name, error))
    counted = np.array(tokens, np.int64) if tokens is not None else None
    return ModelRun(
        name,
        np.zeros((0, 0)),
        rankings,
        description,
        tuple(retriever.notes),
        seconds=seconds,
        query_tokens=counted,
        identity=identity,
    )


def _failure(name: str, error: BaseException) -> str:
    """One line for an exception that no one foresaw, with the place that raised it."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    told = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")
    return f"{name}: fails in {Path(place.filename).name}:{place.lineno} ({told})"


def _search(
    retriever: Retriever, name: str, variants: tuple[Variant, ...], golden_set: GoldenSet, depth: int
) -> Rankings:
    """Ask each different text once, under the id of its first variant; several variants may read alike."""
    first: dict[str, int] = {}
    row = np.array([first.setdefault(variant.text, len(first)) for variant in variants], np.int64)
    ids = tuple(variant.variant_id for variant in variants)
    asked: dict[str, str] = {}
    for variant in variants:
        asked.setdefault(variant.text, variant.variant_id)
    answer = retriever.search([(variant_id, text) for text, variant_id in asked.items()], depth)
    doc_ids = [document.doc_id for document in golden_set.documents]
    found = checked_rankings(name, answer, tuple(asked.values()), doc_ids, depth)
    return Rankings(ids, found.doc_index[row], found.scores[row], found.doc_ids)


def _aligned(rankings: Rankings, variants: tuple[Variant, ...], name: str) -> Rankings:
    """Bring rankings that were read from a file into the order of the variants; a missing one counts as no results."""
    ids = tuple(variant.variant_id for variant in variants)
    if rankings.query_ids == ids:
        return rankings
    row_of = {query_id: row for row, query_id in enumerate(rankings.query_ids)}
    row = np.array([row_of.get(variant_id, -1) for variant_id in ids], np.int64)
    if (row < 0).all():
        raise RetrieverError(f"{name}: the run ranks none of the {len(ids)} variants; is it of another suite?")
    missing = (row < 0)[:, None]
    docs = np.where(missing, np.int32(-1), rankings.doc_index[row])
    scores = np.where(missing, np.float32(-np.inf), rankings.scores[row])
    return Rankings(ids, docs, scores, rankings.doc_ids)
