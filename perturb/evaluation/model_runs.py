"""One model on all variants: loaded, indexed, asked; whatever goes wrong in it stays with it."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perturb.errors import PerturbError, RetrieverError
from perturb.golden.goldenset import GoldenSet
from perturb.measures import query_shift
from perturb.records import ORIGINAL, Float64Array, Rankings, Variant
from perturb.retrieval.answers import checked_description, checked_rankings, checked_tokens, checked_vectors
from perturb.retrieval.base import Progress, Retriever

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
        query_shift: float64 ``(n_variants,)``, cosine distance of each variant's vector from that of its original, NaN
            where one of them is zero; ``None`` for a model without vectors.
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
    query_shift: Float64Array | None = None


def run_model(
    name: str,
    factory: RetrieverFactory,
    golden_set: GoldenSet,
    variants: tuple[Variant, ...],
    depth: int,
    progress: Progress | None,
    kept: Callable[[str, Mapping[str, Any]], Rankings | None],
) -> ModelRun:
    """Load a model, index the documents and ask every variant.

    Args:
        name: as the user named it.
        factory: makes the model.
        golden_set: its documents are indexed.
        variants: what is asked.
        depth: documents per ranking.
        progress: called with a model's name, texts done and texts in all.
        kept: gives the rankings of a model of this name and description that an interrupted run had finished.

    Returns:
        Rankings without scores, or the error.

    Raises:
        PerturbError: the caller's mistake, which no model can help.
    """
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
        texts = [variant.text for variant in variants]
        tokens = checked_tokens(name, retriever.query_tokens(texts), len(variants))
        vectors = checked_vectors(name, retriever.query_vectors(texts), len(variants))
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
        query_shift=None if vectors is None else _shift(vectors, variants),
    )


def _shift(vectors: NDArray[np.floating], variants: tuple[Variant, ...]) -> Float64Array:
    """How far each variant moved from its original; a zero vector has no direction."""
    row_of = {variant.query_id: row for row, variant in enumerate(variants) if variant.perturbation == ORIGINAL}
    original = np.array([row_of[variant.query_id] for variant in variants], np.int64)
    directed = np.abs(vectors).max(axis=1, initial=0.0) > 0
    usable = directed & directed[original]
    shift = np.full(len(variants), np.nan)
    shift[usable] = query_shift(vectors[original[usable]], vectors[usable])
    return shift


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
