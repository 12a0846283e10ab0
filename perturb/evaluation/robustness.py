"""Each model in one line: quality, robustness and speed, and whether another model beats it in all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from perturb.evaluation.drops import ALL_KINDS, CleanScore, DropRow
from perturb.evaluation.groups import labels
from perturb.evaluation.model_runs import ModelRun
from perturb.evaluation.paired import PairedScores, model_scores, overall_scores
from perturb.evaluation.running import Evaluation
from perturb.evaluation.worst import Worst, worst_rows
from perturb.significance import Estimate, Resampling, average_variants, estimates, pareto_front


@dataclass(frozen=True, slots=True)
class Robustness:
    """One model under one measure in one line.

    Attributes:
        model: its name.
        clean: mean over the originals of all scored queries, with its interval.
        mean_drop: drop over all perturbations: averaged within the query, then over the queries; ``None`` if no
            perturbation applies to any.
        ci_low: lower limit of ``mean_drop``.
        ci_high: upper limit.
        worst: the perturbations with the largest drop, of all and of those with enough queries for a p-value.
        worst_case: mean over all scored queries of the worst score among the original and all its variants: a query
            counts only if every way of typing it succeeds. Never above ``clean``; more variants, lower figure.
        queries_per_second: searches per second of this run; ``None`` where rankings were read from a file.
        unbeaten: on the Pareto front: no other model is as good in clean quality, mean drop and speed and better in
            one of them. Speed plays no part unless it is known of every model; ``None`` without a drop.
        unbeaten_untimed: the same without speed, which is another on every run.
        measure: canonical name.
    """

    model: str
    clean: CleanScore
    mean_drop: float | None
    ci_low: float | None
    ci_high: float | None
    worst: Worst | None
    worst_case: float
    queries_per_second: float | None
    unbeaten: bool | None
    unbeaten_untimed: bool | None
    measure: str = ""


def robustness(
    evaluation: Evaluation,
    rows: Sequence[DropRow],
    clean: Sequence[CleanScore],
    paired: Sequence[PairedScores],
    resampling: Resampling,
    groups: dict[str, str] | None,
) -> tuple[tuple[Robustness, ...], bool]:
    """Sum up every model under every measure.

    Args:
        evaluation: finished.
        rows: its drop table.
        clean: its clean scores.
        paired: scores of all measures and perturbations.
        resampling: seed, resamples, confidence and method.
        groups: by query id what is resampled as a whole; ``None`` for single queries.

    Returns:
        One line per measure and model, and whether speed plays a part in the Pareto front.
    """
    drops = iter(_mean_drops(evaluation, paired, resampling, groups))
    scored = evaluation.original_rows >= 0
    lines: list[Robustness] = []
    with_speed = False
    for place, measure in enumerate(evaluation.measures):
        scores = model_scores(evaluation, place)
        worst_cases, _ = average_variants(scores, evaluation.parent, len(evaluation.qrels.query_ids), worst=True)
        own = [
            _line(evaluation, model, measure.name, rows, clean, next(drops), float(worst_case[scored].mean()))
            for model, worst_case in zip(evaluation.succeeded, worst_cases, strict=True)
        ]
        found, with_speed = _with_front(own)
        lines += found
    return tuple(lines), with_speed


def _mean_drops(
    evaluation: Evaluation,
    paired: Sequence[PairedScores],
    resampling: Resampling,
    groups: dict[str, str] | None,
) -> Sequence[Estimate | None]:
    """Drop over all perturbations, by measure and model; all rest on the same queries and share their resamples."""
    by_measure = [[pairs for pairs in paired if pairs.measure == measure.name] for measure in evaluation.measures]
    tables = [overall for own in by_measure if (overall := overall_scores(own)) is not None]
    if not tables:
        return [None] * (len(evaluation.measures) * len(evaluation.succeeded))
    ids = tables[0].query_ids
    stacked = np.concatenate([table.drops for table in tables])
    return estimates(stacked, resampling, query_ids=ids, groups=labels(groups, ids))


def _line(
    evaluation: Evaluation,
    model: ModelRun,
    measure: str,
    rows: Sequence[DropRow],
    clean: Sequence[CleanScore],
    drop: Estimate | None,
    worst_case: float,
) -> Robustness:
    search = model.seconds.get("search")
    return Robustness(
        model=model.name,
        clean=next(c for c in clean if (c.model, c.measure) == (model.name, measure)),
        mean_drop=drop.value if drop else None,
        ci_low=drop.ci_low if drop else None,
        ci_high=drop.ci_high if drop else None,
        worst=_worst(rows, model.name, measure),
        worst_case=worst_case,
        queries_per_second=len(evaluation.variants) / search if search else None,
        unbeaten=None,
        unbeaten_untimed=None,
        measure=measure,
    )


def _worst(rows: Sequence[DropRow], model: str, measure: str) -> Worst | None:
    return worst_rows([r for r in rows if (r.model, r.measure, r.kind) == (model, measure, ALL_KINDS)])


def _with_front(lines: Sequence[Robustness]) -> tuple[tuple[Robustness, ...], bool]:
    if not lines:
        return (), False
    drops = [line.mean_drop for line in lines if line.mean_drop is not None]
    if len(drops) < len(lines):
        return tuple(lines), False
    # Means that differ by rounding only are equal; nobody is beaten by the last bit.
    untimed = [[round(line.clean.mean, 9), round(-drop, 9)] for line, drop in zip(lines, drops, strict=True)]
    speeds = [line.queries_per_second for line in lines if line.queries_per_second is not None]
    with_speed = len(speeds) == len(lines)
    timed = [[*point, speed] for point, speed in zip(untimed, speeds, strict=True)] if with_speed else untimed
    fronts = zip(lines, pareto_front(timed), pareto_front(untimed), strict=True)
    found = tuple(replace(line, unbeaten=bool(on), unbeaten_untimed=bool(quiet)) for line, on, quiet in fronts)
    return found, with_speed
