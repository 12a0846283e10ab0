"""Which model: quality, robustness and speed of each, pairs compared, and whether perturbation changes the order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from perturb.evaluation.between import DropComparison, ModelOrder
from perturb.evaluation.paired import OVERALL
from perturb.evaluation.robustness import Robustness
from perturb.evaluation.worst import Worst
from perturb.report.sections import Section, SectionTable, joined_tables
from perturb.report.tables import SIGNIFICANT, Report, interval, number, p_text
from perturb.wording import counted

_EQUAL = 1e-9
_LIKELY = 0.2
"""A change of order that so many golden sets like this one would show is worth telling."""


def which_model(report: Report, *, timed: bool = True) -> Section | None:
    """Quality, robustness and speed of each model, and whether perturbation changes their order.

    Args:
        report: what was found.
        timed: show speed and let it count; without it, the same figures give the same text on every run.
    """
    if report.between is None or not report.between.robustness:
        return None
    found = report.between.under(report.lead)
    with_speed = timed and found.front_has_speed
    lines = _timed(found.robustness, timed)
    sentences: list[str] = []
    if len(lines) > 1:
        sentences = _choice(report, lines, with_speed)
        sentences += _difference(found.comparisons, report.lead)
        sentences += _orders(found.orders)
    tables = _model_tables(report, report.lead, timed)
    others = [(m.name, _model_tables(report, m.name, timed)) for m in report.evaluation.measures[1:]]
    for place in range(len(tables) if others else 0):
        tables.append(joined_tables([(measure, own[place]) for measure, own in others]))
    return Section("models", "Which model", tuple(sentences), tuple(tables))


def _timed(lines: Sequence[Robustness], timed: bool) -> list[Robustness]:
    return list(lines) if timed else [replace(line, unbeaten=line.unbeaten_untimed) for line in lines]


def _model_tables(report: Report, measure: str, timed: bool) -> list[SectionTable]:
    assert report.between is not None
    found = report.between.under(measure)
    with_speed = timed and found.front_has_speed
    tables = [_robustness_table(report, measure, _timed(found.robustness, timed), timed, with_speed)]
    if len(found.robustness) > 1:
        tested = sum(row.p_value is not None for row in report.between.comparisons)
        tables.append(_order_table(report, found.orders))
        tables.append(_comparison_table(report, found.comparisons, tested))
    return tables


def _choice(report: Report, lines: Sequence[Robustness], with_speed: bool) -> list[str]:
    best = max(lines, key=lambda line: line.clean.mean)
    equal = [line.model for line in lines if abs(line.clean.mean - best.clean.mean) < _EQUAL]
    found = [f"Highest on clean queries: {', '.join(equal)}, {report.lead} {number(best.clean.mean)}{_near(report)}."]
    hardest = max(line.worst_case for line in lines)
    strongest = [line.model for line in lines if abs(line.worst_case - hardest) < _EQUAL]
    found.append(f"Highest if every way of typing a query must succeed: {', '.join(strongest)}, {number(hardest)}.")
    front = [line.model for line in lines if line.unbeaten]
    if 0 < len(front) < len(lines):
        respects = "clean quality, robustness and speed" if with_speed else "clean quality and robustness"
        found.append(f"Beaten by no other model in {respects} together: {', '.join(front)}.")
    return found


def _near(report: Report) -> str:
    """Models that the paired test of the decision does not tell from the best; one model's interval says nothing."""
    gaps = report.standings[0].gaps if report.standings else ()
    untold = [gap.model for gap in gaps if gap.p_adjusted is not None and gap.p_adjusted >= SIGNIFICANT]
    few = [gap.model for gap in gaps if gap.p_adjusted is None]
    text = f"; not told apart from {', '.join(untold)}" if untold else ""
    return text + (f"; too few queries to tell it from {', '.join(few)}" if few else "")


def _difference(rows: Sequence[DropComparison], lead: str) -> list[str]:
    sure = [row for row in rows if row.p_adjusted is not None and row.p_adjusted < SIGNIFICANT]
    if not sure:
        return [f"No difference between the models' drops of {lead} stands out from noise after correction."]
    sure = [row for row in sure if row.perturbation == OVERALL] or sure
    sentences = []
    for row in sorted(sure, key=lambda row: -abs(row.difference))[:3]:
        less, more = (row.first, row.second) if row.difference < 0 else (row.second, row.first)
        low, high = row.ci_low, row.ci_high
        if row.difference < 0 and low is not None and high is not None:
            low, high = -high, -low
        sentences.append(
            f"{less} loses less than {more}: by {number(abs(row.difference))} {interval(low, high)} "
            f"{'over all perturbations' if row.perturbation == OVERALL else f'under {row.perturbation}'}."
        )
    return sentences


def _orders(orders: Sequence[ModelOrder]) -> list[str]:
    changed = [order for order in orders if order.changed and order.perturbation != OVERALL]
    likely = [
        order
        for order in orders
        if not order.changed and order.perturbation != OVERALL and (order.probability or 0.0) >= _LIKELY
    ]
    found = []
    if changed:
        names = ", ".join(map(_order_name, changed))
        found.append(f"The order of the models changes under: {names}; probability: of a change on resampled queries.")
    if likely:
        found.append(f"It might change on other queries under: {', '.join(map(_order_name, likely))}.")
    if not changed and not likely:
        found.append("No perturbation changes the order of the models on these queries, and few resamples of them do.")
    return found


def _order_name(order: ModelOrder) -> str:
    if order.probability is None:
        return order.perturbation
    return f"{order.perturbation} (probability {_share(order.probability)})"


def _share(value: float | None) -> str:
    return "n/d" if value is None else f"{100 * value:.0f} %"


def _robustness_table(
    report: Report, measure: str, lines: Sequence[Robustness], timed: bool, with_speed: bool
) -> SectionTable:
    rows = []
    for line in lines:
        speed = (f"{line.queries_per_second:,.0f}" if line.queries_per_second is not None else "n/d",) if timed else ()
        rows.append(
            (
                line.model,
                f"{number(line.clean.mean)} {interval(line.clean.ci_low, line.clean.ci_high)}",
                f"{number(line.mean_drop)} {interval(line.ci_low, line.ci_high)}"
                if line.mean_drop is not None
                else "n/d",
                _worst_cell(line.worst),
                number(line.worst_case),
                *speed,
                "n/d" if line.unbeaten is None else "yes" if line.unbeaten else "",
            )
        )
    speed_column = ("queries/s",) if timed else ()
    header = (
        "model",
        f"clean {measure}" if measure == report.lead else "clean",
        "mean drop",
        "worst perturbation",
        "worst case",
        *speed_column,
        "unbeaten",
    )
    respects = "clean quality, mean drop and speed" if with_speed else "clean quality and mean drop"
    unknown = " (speed is not known)" if timed and not with_speed else ""
    caption = (
        "Mean drop: perturbations averaged within a query, all alike, then queries. Worst case: a query counts with "
        "the worst of its original and all its variants; the more variants, the lower, so compare it within one suite "
        "only. The worst of several perturbations looks worse than it is; mind its interval. Unbeaten: no other model "
        f"is as good in {respects}{unknown} and better in one. A model that finds nothing loses nothing."
    )
    if timed:
        caption += " Vectors that lay in the cache make a model look fast."
    if report.grouped:
        caption += f" {report.grouped}"
    left = frozenset({0, 3, len(header) - 1})
    return SectionTable(
        "Quality, robustness and speed" if timed else "Quality and robustness",
        header,
        tuple(rows),
        left,
        caption=caption,
    )


def _worst_cell(worst: Worst | None) -> str:
    if worst is None:
        return "n/d"
    named = [worst.largest]
    if worst.untested and worst.tested is not None and worst.tested.drop > 0:
        named.append(worst.tested)
    return "; ".join(
        f"{row.perturbation}: {number(row.drop)} {interval(row.ci_low, row.ci_high)}"
        + ("" if row.p_value is not None else f" (n = {row.n_queries}, too few to test)")
        for row in named
    )


def _order_table(report: Report, orders: Sequence[ModelOrder]) -> SectionTable:
    rows = tuple(
        (
            order.perturbation,
            _in_order(order.models, order.clean_ranks),
            _in_order(order.models, order.perturbed_ranks),
            "yes" if order.changed else "no",
            _share(order.probability),
            str(order.n_queries),
        )
        for order in orders
    )
    header = ("perturbation", "clean, best first", "perturbed, best first", "changed", "probability", "queries")
    caption = (
        f"Probability: in this share of resamples of {report.unit} two models change places between clean and "
        "perturbed. It is no test: models that are equally good change places about as often as not."
    )
    return SectionTable("Order of the models", header, rows, frozenset({0, 1, 2, 3}), folded=True, caption=caption)


def _in_order(models: Sequence[str], ranks: Sequence[int]) -> str:
    placed = sorted(zip(ranks, range(len(models)), models, strict=True))
    text = placed[0][2]
    for (before, _, _), (rank, _, name) in pairwise(placed):
        text += f"{' = ' if rank == before else ' > '}{name}"
    return text


def _comparison_table(report: Report, rows: Sequence[DropComparison], tested: int) -> SectionTable:
    cells = tuple(
        (
            row.perturbation,
            row.first,
            row.second,
            number(row.first_drop),
            number(row.second_drop),
            number(row.difference),
            interval(row.ci_low, row.ci_high),
            p_text(row.p_adjusted),
            str(row.n_queries),
        )
        for row in rows
    )
    header = ("perturbation", "A", "B", "drop A", "drop B", "A − B", "interval", "p adjusted", "queries")
    measures = len(report.evaluation.measures)
    family = (
        f"all {tested} comparisons, {measures} measures together" if measures > 1 else counted(tested, "comparison")
    )
    caption = (
        f"Paired on the queries; below 0, A loses less. {report.correction} correction over {family}. {report.grouped}"
    ).strip()
    return SectionTable(
        "Drops of two models compared", header, cells, frozenset({0, 1, 2}), folded=True, caption=caption
    )
