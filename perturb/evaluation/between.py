"""Between models: whose drop is smaller, whether a perturbation changes their order, and which one to choose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from perturb.evaluation.drops import ALL_KINDS, CleanScore, DropRow
from perturb.evaluation.paired import PairedScores, model_scores, overall_scores, paired_scores
from perturb.evaluation.running import Evaluation
from perturb.records import Float64Array
from perturb.significance import Resampling, average_variants, estimates, holm, pareto_front, ranking_change

ORDER_RESAMPLES = 2_000
"""Resamples for the probability that an order changes: enough for its per cent, and every pair of models needs them."""

_TIE = 1e-9


@dataclass(frozen=True, slots=True)
class DropComparison:
    """Whether the drop of one model is smaller than that of another, paired on the queries.

    Attributes:
        perturbation: registered name, or ``overall``.
        measure: canonical name.
        first: model A.
        second: model B.
        first_drop: its drop, in points of the measure.
        second_drop: that of model B on the same queries.
        difference: drop of A minus drop of B; below 0, A withstands the perturbation better.
        ci_low: lower limit; ``None`` with one query.
        ci_high: upper limit.
        p_value: two-sided sign-flip test; ``None`` with too few queries.
        p_adjusted: Holm's correction over all comparisons of the table.
        n_queries: pairs.
        note: why a figure is missing.
    """

    perturbation: str
    measure: str
    first: str
    second: str
    first_drop: float
    second_drop: float
    difference: float
    ci_low: float | None
    ci_high: float | None
    p_value: float | None
    p_adjusted: float | None
    n_queries: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class ModelOrder:
    """The order of the models clean and under one perturbation, on the queries to which it applies.

    Attributes:
        perturbation: registered name, or ``overall``.
        models: names.
        clean_ranks: rank of each, 1 is best; models that tie share a rank.
        perturbed_ranks: the same under the perturbation.
        changed: two models change places in the means observed.
        probability: share of resamples of the queries in which two models change places; ``None`` with one query.
        n_queries: queries.
    """

    perturbation: str
    models: tuple[str, ...]
    clean_ranks: tuple[int, ...]
    perturbed_ranks: tuple[int, ...]
    changed: bool
    probability: float | None
    n_queries: int


@dataclass(frozen=True, slots=True)
class Robustness:
    """One model in one line.

    Attributes:
        model: its name.
        clean: mean over the originals of all scored queries, with its interval.
        mean_drop: drop over all perturbations: averaged within the query, then over the queries; ``None`` if no
            perturbation applies to any.
        ci_low: lower limit of ``mean_drop``.
        ci_high: upper limit.
        worst: the row of the perturbation with the largest drop, among those with enough queries for a p-value if
            there are any. The largest of several estimates is on average too large; mind its interval.
        worst_case: mean over all scored queries of the worst score among the original and all its variants: a query
            counts only if every way of typing it succeeds. Never above ``clean``; more variants, lower figure.
        queries_per_second: searches per second of this run; ``None`` where rankings were read from a file.
        unbeaten: on the Pareto front: no other model is as good in clean quality, mean drop and speed and better in
            one of them. Speed plays no part unless it is known of every model; ``None`` without a drop.
        unbeaten_untimed: the same without speed, which is another on every run.
    """

    model: str
    clean: CleanScore
    mean_drop: float | None
    ci_low: float | None
    ci_high: float | None
    worst: DropRow | None
    worst_case: float
    queries_per_second: float | None
    unbeaten: bool | None
    unbeaten_untimed: bool | None


@dataclass(frozen=True, slots=True)
class Between:
    """All comparisons of the models under the leading measure.

    Attributes:
        comparisons: every pair under every perturbation; empty with one model.
        orders: one entry per perturbation; empty with one model.
        robustness: one line per model, in the order asked for.
        front_has_speed: whether speed plays a part in the Pareto front.
    """

    comparisons: tuple[DropComparison, ...]
    orders: tuple[ModelOrder, ...]
    robustness: tuple[Robustness, ...]
    front_has_speed: bool


def between(
    evaluation: Evaluation, rows: Sequence[DropRow], clean: Sequence[CleanScore], resampling: Resampling
) -> Between:
    """Compare the models under the leading measure.

    Args:
        evaluation: finished.
        rows: its drop table.
        clean: its clean scores.
        resampling: seed, resamples, confidence and method.

    Returns:
        Comparisons, orders and one line per model.
    """
    paired = paired_scores(evaluation)
    robustness, with_speed = _robustness(evaluation, rows, clean, paired, resampling)
    if len(evaluation.succeeded) < 2:
        return Between((), (), robustness, with_speed)
    names = tuple(model.name for model in evaluation.succeeded)
    orders = tuple(model_order(names, pairs, resampling) for pairs in paired)
    return Between(compare_drops(evaluation, paired, resampling), orders, robustness, with_speed)


def compare_drops(
    evaluation: Evaluation, paired: Sequence[PairedScores], resampling: Resampling
) -> tuple[DropComparison, ...]:
    """Compare the drops of every pair of models under the leading measure.

    The same figures as :func:`perturb.significance.drop_difference`, for all pairs of a perturbation at once.
    """
    names = [model.name for model in evaluation.succeeded]
    pairs = list(combinations(range(len(names)), 2))
    found: list[DropComparison] = []
    for scores in paired:
        drops = scores.drops
        gaps = np.stack([drops[one] - drops[other] for one, other in pairs])
        gaps[np.abs(gaps) < 1e-12] = 0.0
        means = drops.mean(axis=1)
        for (one, other), estimate in zip(pairs, estimates(gaps, resampling, query_ids=scores.query_ids), strict=True):
            found.append(
                DropComparison(
                    perturbation=scores.perturbation,
                    measure=evaluation.measures[0].name,
                    first=names[one],
                    second=names[other],
                    first_drop=float(means[one]),
                    second_drop=float(means[other]),
                    difference=estimate.value,
                    ci_low=estimate.ci_low,
                    ci_high=estimate.ci_high,
                    p_value=estimate.p_value,
                    p_adjusted=None,
                    n_queries=estimate.n_queries,
                    note="; ".join(estimate.notes),
                )
            )
    adjusted = holm([row.p_value for row in found]).p_values
    return tuple(replace(row, p_adjusted=p) for row, p in zip(found, adjusted, strict=True))


def model_order(names: tuple[str, ...], scores: PairedScores, resampling: Resampling) -> ModelOrder:
    """Ranks of the models clean and perturbed, and how likely other queries would change their order."""
    before, after = (_ranks(table.mean(axis=1)) for table in (scores.clean, scores.perturbed))
    n_queries = len(scores.query_ids)
    if n_queries < 2:
        changed = any(
            (before[a] - before[b]) * (after[a] - after[b]) < 0 for a, b in combinations(range(len(names)), 2)
        )
        return ModelOrder(scores.perturbation, names, before, after, changed, None, n_queries)
    change = ranking_change(
        scores.clean,
        scores.perturbed,
        seed=resampling.seed,
        query_ids=scores.query_ids,
        resamples=min(resampling.resamples, ORDER_RESAMPLES),
    )
    return ModelOrder(scores.perturbation, names, before, after, change.changed, change.probability, n_queries)


def _ranks(means: Float64Array) -> tuple[int, ...]:
    """Rank 1 for the best; models within rounding of each other share a rank."""
    return tuple(1 + int((means > mean + _TIE).sum()) for mean in means)


def _robustness(
    evaluation: Evaluation,
    rows: Sequence[DropRow],
    clean: Sequence[CleanScore],
    paired: Sequence[PairedScores],
    resampling: Resampling,
) -> tuple[tuple[Robustness, ...], bool]:
    measure = evaluation.measures[0].name
    scored = evaluation.original_rows >= 0
    worst_cases, _ = average_variants(
        model_scores(evaluation), evaluation.parent, len(evaluation.qrels.query_ids), worst=True
    )
    overall = overall_scores(paired)
    drops = estimates(overall.drops, resampling, query_ids=overall.query_ids) if overall else []
    lines = []
    for place, model in enumerate(evaluation.succeeded):
        search = model.seconds.get("search")
        drop = drops[place] if drops else None
        lines.append(
            Robustness(
                model=model.name,
                clean=next(c for c in clean if (c.model, c.measure) == (model.name, measure)),
                mean_drop=drop.value if drop else None,
                ci_low=drop.ci_low if drop else None,
                ci_high=drop.ci_high if drop else None,
                worst=_worst(rows, model.name, measure),
                worst_case=float(worst_cases[place, scored].mean()),
                queries_per_second=len(evaluation.variants) / search if search else None,
                unbeaten=None,
                unbeaten_untimed=None,
            )
        )
    return _with_front(lines)


def _worst(rows: Sequence[DropRow], model: str, measure: str) -> DropRow | None:
    mine = [r for r in rows if (r.model, r.measure, r.kind) == (model, measure, ALL_KINDS)]
    return max([r for r in mine if r.p_value is not None] or mine, key=lambda r: r.drop, default=None)


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
