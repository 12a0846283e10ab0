"""The drop table: clean minus perturbed per model, perturbation, kind and measure, with intervals and p-values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from perturb.evaluation.corrections import adjusted
from perturb.evaluation.groups import labels
from perturb.evaluation.running import Evaluation
from perturb.records import ORIGINAL, Float64Array
from perturb.significance import ROUNDING, Resampling, average_variants, estimates
from perturb.significance import drops as paired_drops

ALL_KINDS = "all"


@dataclass(frozen=True, slots=True)
class DropRow:
    """One row of ``drops.csv``; quality in points of the measure, 0 to 1; a negative drop is a gain.

    Attributes:
        model: name of the model.
        perturbation: registered name.
        kind: the finer cell, or ``all``.
        measure: canonical name.
        clean: mean over the originals of the queries the perturbation applies to.
        perturbed: mean over the same queries, variants averaged within each.
        drop: clean − perturbed.
        drop_pct: per cent of clean; ``None`` if clean is 0.
        ci_low: lower limit of the drop; ``None`` with one query.
        ci_high: upper limit.
        p_value: two-sided sign-flip test, corrected for skew; ``None`` with too few queries.
        p_adjusted: corrected (by Holm, if nothing else is asked for) over all rows with kind ``all``, and apart from
            them over all finer rows.
        n_queries: pairs.
        n_variants: variants averaged.
        coverage: share of the scored queries to which the perturbation applies.
        worse: queries that lost.
        better: queries that gained.
        minimum_detectable: smallest drop that so many queries would show, 80 % power at 5 %.
        n_units: what was resampled: the queries, or their groups.
        note: why a figure is missing.
    """

    model: str
    perturbation: str
    kind: str
    measure: str
    clean: float
    perturbed: float
    drop: float
    drop_pct: float | None
    ci_low: float | None
    ci_high: float | None
    p_value: float | None
    p_adjusted: float | None
    n_queries: int
    n_variants: int
    coverage: float
    worse: int = field(default=0, metadata={"report_only": True})
    better: int = field(default=0, metadata={"report_only": True})
    minimum_detectable: float | None = field(default=None, metadata={"report_only": True})
    n_units: int = field(default=0, metadata={"report_only": True})
    note: str = field(default="", metadata={"report_only": True})


@dataclass(frozen=True, slots=True)
class CleanScore:
    """Mean of a measure over the originals, with its interval (``None`` with one query).

    ``imperfect`` of ``n_units`` queries or groups fall short of 1.
    """

    model: str
    measure: str
    mean: float
    ci_low: float | None
    ci_high: float | None
    n_units: int = 0
    imperfect: int = 0


def clean_scores(
    evaluation: Evaluation, resampling: Resampling, groups: dict[str, str] | None = None
) -> tuple[CleanScore, ...]:
    """Mean and interval of every model and measure on the originals of all scored queries."""
    rows = evaluation.original_rows
    ids = [q for q, row in zip(evaluation.qrels.query_ids, rows, strict=True) if row >= 0]
    found = []
    for model in evaluation.succeeded:
        scores = model.scores[:, rows[rows >= 0]]
        means = estimates(scores, resampling, query_ids=ids, groups=labels(groups, ids))
        short = np.count_nonzero(scores < 1.0 - ROUNDING, axis=1).tolist()
        for measure, estimate, imperfect in zip(evaluation.measures, means, short, strict=True):
            limits = (estimate.ci_low, estimate.ci_high)
            found.append(CleanScore(model.name, measure.name, estimate.value, *limits, estimate.n_units, imperfect))
    return tuple(found)


def drops(
    evaluation: Evaluation,
    resampling: Resampling,
    groups: dict[str, str] | None = None,
    adjustment: str = "holm",
) -> tuple[DropRow, ...]:
    """Compute the drop table.

    A drop is paired on the queries to which the perturbation applies; variants are averaged within their query first,
    then queries; queries are resampled, never variants.

    Args:
        evaluation: finished.
        resampling: seed, resamples, confidence and method; the same seed gives the same figures.
        groups: by query id what is drawn as a whole, from :func:`perturb.evaluation.groups.query_groups`; ``None``
            for single queries.
        adjustment: ``holm`` or ``bh`` (Benjamini and Hochberg).

    Returns:
        Per model and perturbation the rows with kind ``all``, then the finer kinds, in the order of the suite.
    """
    rows: list[DropRow] = []
    for perturbation, kind, members in _groups(evaluation):
        rows += _group_rows(evaluation, perturbation, kind, members, resampling, groups)
    order = {model.name: place for place, model in enumerate(evaluation.models)}
    rows.sort(key=lambda row: order[row.model])
    main = [row for row in rows if row.kind == ALL_KINDS]
    finer = [row for row in rows if row.kind != ALL_KINDS]
    corrected = {
        id(row): p
        for part in (main, finer)
        for row, p in zip(part, adjusted([r.p_value for r in part], adjustment), strict=True)
    }
    return tuple(replace(row, p_adjusted=corrected[id(row)]) for row in rows)


def _groups(evaluation: Evaluation) -> Iterator[tuple[str, str, NDArray[np.int64]]]:
    """Positions of the variants of each perturbation, then of each of its kinds."""
    by_kind: dict[str, dict[str, list[int]]] = {name: {} for name in evaluation.suite.perturbations}
    for position, variant in enumerate(evaluation.variants):
        if variant.perturbation != ORIGINAL:
            by_kind[variant.perturbation].setdefault(variant.kind, []).append(position)
    for perturbation, kinds in by_kind.items():
        everything = sorted(position for positions in kinds.values() for position in positions)
        if everything:
            yield perturbation, ALL_KINDS, np.array(everything, np.int64)
        for kind in sorted(kinds):
            yield perturbation, kind, np.array(kinds[kind], np.int64)


def _group_rows(
    evaluation: Evaluation,
    perturbation: str,
    kind: str,
    members: NDArray[np.int64],
    resampling: Resampling,
    groups: dict[str, str] | None,
) -> list[DropRow]:
    models = evaluation.succeeded
    if not models:
        return []
    all_ids = evaluation.qrels.query_ids
    means, has = average_variants(_stacked(evaluation, members), evaluation.parent[members], len(all_ids))
    applicable = np.flatnonzero(has)
    originals = evaluation.original_rows
    ids = [all_ids[row] for row in applicable]
    clean = _stacked(evaluation, originals[applicable])
    found = paired_drops(
        clean,
        means[:, applicable],
        seed=resampling.seed,
        query_ids=ids,
        groups=labels(groups, ids),
        resamples=resampling.resamples,
        confidence=resampling.confidence,
        method=resampling.method,
        expand=resampling.expand,
    )
    names = [(model.name, measure.name) for model in models for measure in evaluation.measures]
    coverage = len(applicable) / int((originals >= 0).sum())
    return [
        DropRow(
            model=model,
            perturbation=perturbation,
            kind=kind,
            measure=measure,
            clean=drop.clean,
            perturbed=drop.perturbed,
            drop=drop.drop,
            drop_pct=drop.drop_pct,
            ci_low=drop.ci_low,
            ci_high=drop.ci_high,
            p_value=drop.p_value,
            p_adjusted=None,
            n_queries=drop.n_queries,
            n_variants=len(members),
            coverage=coverage,
            worse=drop.losses,
            better=drop.wins,
            minimum_detectable=drop.minimum_detectable,
            n_units=drop.n_units,
            note="; ".join(drop.notes),
        )
        for (model, measure), drop in zip(names, found, strict=True)
    ]


def _stacked(evaluation: Evaluation, positions: NDArray[np.int64]) -> Float64Array:
    """Scores at some variants: float64 ``(n_models * n_measures, len(positions))``."""
    return np.concatenate([model.scores[:, positions] for model in evaluation.succeeded])
