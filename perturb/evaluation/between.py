"""Between models: whose drop is smaller, whether a perturbation changes their order, and which one to choose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from perturb.evaluation.corrections import adjusted
from perturb.evaluation.drops import CleanScore, DropRow
from perturb.evaluation.groups import labels, n_units
from perturb.evaluation.paired import PairedScores, paired_scores
from perturb.evaluation.robustness import Robustness, robustness
from perturb.evaluation.running import Evaluation
from perturb.records import Float64Array
from perturb.significance import RankingChange, Resampling, estimates, ranking_changes

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
        p_adjusted: corrected over all comparisons, those under the other measures included.
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
        probability: share of resamples of the queries, or of their groups, in which two models change places;
            ``None`` with one query or group.
        n_queries: queries.
        measure: canonical name.
    """

    perturbation: str
    models: tuple[str, ...]
    clean_ranks: tuple[int, ...]
    perturbed_ranks: tuple[int, ...]
    changed: bool
    probability: float | None
    n_queries: int
    measure: str = ""


@dataclass(frozen=True, slots=True)
class Between:
    """All comparisons of the models, measure by measure, the leading one first.

    Attributes:
        comparisons: every pair under every perturbation; empty with one model.
        orders: one entry per measure and perturbation; empty with one model.
        robustness: one line per measure and model, in the order asked for.
        front_has_speed: whether speed plays a part in the Pareto front.
    """

    comparisons: tuple[DropComparison, ...]
    orders: tuple[ModelOrder, ...]
    robustness: tuple[Robustness, ...]
    front_has_speed: bool

    def under(self, measure: str) -> Between:
        """What was found under one measure."""
        return replace(
            self,
            comparisons=tuple(row for row in self.comparisons if row.measure == measure),
            orders=tuple(order for order in self.orders if order.measure == measure),
            robustness=tuple(line for line in self.robustness if line.measure == measure),
        )


def between(
    evaluation: Evaluation,
    rows: Sequence[DropRow],
    clean: Sequence[CleanScore],
    resampling: Resampling,
    groups: dict[str, str] | None = None,
    adjustment: str = "holm",
) -> Between:
    """Compare the models under every measure.

    Args:
        evaluation: finished.
        rows: its drop table.
        clean: its clean scores.
        resampling: seed, resamples, confidence and method.
        groups: by query id what is resampled as a whole; ``None`` for single queries.
        adjustment: correction of the comparisons, ``holm`` or ``bh``.

    Returns:
        Comparisons, orders and one line per model, measure by measure.
    """
    paired = [pairs for place in range(len(evaluation.measures)) for pairs in paired_scores(evaluation, place)]
    lines, with_speed = robustness(evaluation, rows, clean, paired, resampling, groups)
    if len(evaluation.succeeded) < 2:
        return Between((), (), lines, with_speed)
    names = tuple(model.name for model in evaluation.succeeded)
    orders = model_orders(names, paired, resampling, groups)
    compared = compare_drops(evaluation, paired, resampling, groups, adjustment)
    return Between(compared, orders, lines, with_speed)


def compare_drops(
    evaluation: Evaluation,
    paired: Sequence[PairedScores],
    resampling: Resampling,
    groups: dict[str, str] | None = None,
    adjustment: str = "holm",
) -> tuple[DropComparison, ...]:
    """Compare the drops of every pair of models.

    The same figures as :func:`perturb.significance.drop_difference`, for all pairs and measures of a perturbation at
    once: they rest on the same queries and share their resamples.

    Args:
        evaluation: finished, with two or more models.
        paired: scores of every measure and perturbation to compare.
        resampling: seed, resamples, confidence and method.
        groups: by query id what is resampled as a whole.
        adjustment: correction over all of them, ``holm`` or ``bh``.

    Returns:
        In the order of ``paired``.
    """
    names = [model.name for model in evaluation.succeeded]
    found: dict[int, list[DropComparison]] = {}
    for perturbation in dict.fromkeys(scores.perturbation for scores in paired):
        places = [place for place, scores in enumerate(paired) if scores.perturbation == perturbation]
        rows = iter(_compared(names, [paired[place] for place in places], resampling, groups))
        for place in places:
            found[place] = [next(rows) for _ in combinations(names, 2)]
    ordered = [row for place in range(len(paired)) for row in found[place]]
    corrected = adjusted([row.p_value for row in ordered], adjustment)
    return tuple(replace(row, p_adjusted=p) for row, p in zip(ordered, corrected, strict=True))


def _compared(
    names: Sequence[str], paired: Sequence[PairedScores], resampling: Resampling, groups: dict[str, str] | None
) -> Iterator[DropComparison]:
    """Pair by pair of the models, measure by measure; all scores are on the same queries."""
    pairs = list(combinations(range(len(names)), 2))
    gaps = np.stack([scores.drops[one] - scores.drops[other] for scores in paired for one, other in pairs])
    gaps[np.abs(gaps) < 1e-12] = 0.0
    ids = paired[0].query_ids
    found = estimates(gaps, resampling, query_ids=ids, groups=labels(groups, ids))
    asked = [(scores, one, other) for scores in paired for one, other in pairs]
    for (scores, one, other), estimate in zip(asked, found, strict=True):
        yield DropComparison(
            perturbation=scores.perturbation,
            measure=scores.measure,
            first=names[one],
            second=names[other],
            first_drop=float(scores.drops[one].mean()),
            second_drop=float(scores.drops[other].mean()),
            difference=estimate.value,
            ci_low=estimate.ci_low,
            ci_high=estimate.ci_high,
            p_value=estimate.p_value,
            p_adjusted=None,
            n_queries=estimate.n_queries,
            note="; ".join(estimate.notes),
        )


def model_orders(
    names: tuple[str, ...],
    paired: Sequence[PairedScores],
    resampling: Resampling,
    groups: dict[str, str] | None = None,
) -> tuple[ModelOrder, ...]:
    """Ranks of the models clean and perturbed, and how likely other queries would change their order.

    Args:
        names: of the models.
        paired: scores of every measure and perturbation.
        resampling: seed and resamples, of which :data:`ORDER_RESAMPLES` are enough.
        groups: by query id what is resampled as a whole.

    Returns:
        In the order of ``paired``; measures of one perturbation share their resamples.
    """
    found: dict[int, ModelOrder] = {}
    for perturbation in dict.fromkeys(scores.perturbation for scores in paired):
        places = [place for place, scores in enumerate(paired) if scores.perturbation == perturbation]
        ids = paired[places[0]].query_ids
        changes: Sequence[RankingChange | None] = [None] * len(places)
        if n_units(groups, ids) > 1:
            changes = ranking_changes(
                [(paired[place].clean, paired[place].perturbed) for place in places],
                seed=resampling.seed,
                query_ids=ids,
                groups=labels(groups, ids),
                resamples=min(resampling.resamples, ORDER_RESAMPLES),
            )
        for place, change in zip(places, changes, strict=True):
            found[place] = _order(names, paired[place], change)
    return tuple(found[place] for place in range(len(paired)))


def _order(names: tuple[str, ...], scores: PairedScores, change: RankingChange | None) -> ModelOrder:
    before, after = (_ranks(table.mean(axis=1)) for table in (scores.clean, scores.perturbed))
    if change is not None:
        changed, probability = change.changed, change.probability
    else:
        pairs = combinations(range(len(names)), 2)
        changed, probability = any((before[a] - before[b]) * (after[a] - after[b]) < 0 for a, b in pairs), None
    return ModelOrder(
        scores.perturbation, names, before, after, changed, probability, len(scores.query_ids), scores.measure
    )


def _ranks(means: Float64Array) -> tuple[int, ...]:
    """Rank 1 for the best; models within rounding of each other share a rank."""
    return tuple(1 + int((means > mean + _TIE).sum()) for mean in means)
