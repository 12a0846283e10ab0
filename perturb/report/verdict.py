"""The drop table in sentences: what hurts each model most, what is beyond noise, what traffic would cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from perturb.evaluation import DropRow
from perturb.evaluation.worst import Worst, nothing_to_lose, worst_rows
from perturb.report.tables import Report, interval, is_sure, number, percent
from perturb.wording import counted

if TYPE_CHECKING:
    from perturb.evaluation.expected import ExpectedDrop


def verdict(report: Report) -> list[str]:
    """What the table says of each model, and what one's own traffic would cost."""
    sentences = []
    for model in report.evaluation.succeeded:
        every = [r for r in report.main_rows(report.lead) if r.model == model.name]
        rows = [r for r in every if not nothing_to_lose(r)]
        worst = worst_rows(rows)
        if not every:
            sentences.append(f"{model.name}: no perturbation applied to any query.")
        elif worst is None:
            sentences.append(
                f"{model.name} finds nothing right as the queries stand ({report.lead} {number(0.0)}): there was "
                "nothing to lose."
            )
        else:
            empty = ", ".join(row.perturbation for row in every if nothing_to_lose(row))
            rest = [f"Under {empty} there was nothing to lose."] if empty else []
            sentences.append(" ".join([_worst(report, worst), *_beyond_noise(worst.largest, rows), *rest]))
    return sentences + traffic_sentences(report)


def _worst(report: Report, worst: Worst) -> str:
    row = worst.largest
    if row.drop <= 0:
        return f"{row.model}: no perturbation costs it any {report.lead} on the whole."
    figures = f"{number(row.drop)} {interval(row.ci_low, row.ci_high, n=row.n_queries)}"
    change = f"from {number(row.clean)} to {number(row.perturbed)} on {counted(row.n_queries, 'query', 'queries')}"
    few = f", too few {report.unit} to test" if worst.untested else ""
    return f"{row.model} loses most {report.lead} to {row.perturbation}: {figures}, {change}{few}."


def _beyond_noise(worst: DropRow, rows: Sequence[DropRow]) -> list[str]:
    """Whether the largest drop, and which others, stand out after correction."""
    others = sorted((r for r in rows if is_sure(r) and r.drop > 0 and r is not worst), key=lambda r: -r.drop)
    named = ", ".join(f"{r.perturbation} ({number(r.drop)})" for r in others)
    if worst.p_value is None:
        return [f"Beyond noise: {named}." if others else "No drop that can be tested is beyond noise."]
    if is_sure(worst) and worst.drop > 0:
        return [f"Beyond noise too: {named}."] if others else []
    return [f"That may be noise after correction; these are not: {named}." if others else "No drop is beyond noise."]


def _thin(expected: ExpectedDrop) -> str:
    """On how little an expected drop rests, and what may be lost that it does not show."""
    if expected.may_lose is None:
        return ""
    return (
        f"; this rests on {counted(expected.n_variants, 'drawn variant')}, {expected.n_changed} of which changed "
        f"anything, so that up to {number(expected.may_lose)} may still be lost"
    )


def traffic_sentences(report: Report) -> list[str]:
    """What each model loses of the leading measure on one's own traffic, queries that stay clean included."""
    from perturb.evaluation.expected import TRAFFIC_MIX, left_out

    spec = next((s for s in report.evaluation.suite.header.get("spec", ()) if s["name"] == TRAFFIC_MIX), None)
    own = spec is not None and "shares" in spec["settings"]
    where = "Expected on your traffic" if own else "Expected under an illustrative mix (--profile takes your traffic)"
    sentences = [
        f"{where}: {e.model} loses {number(e.drop)} {interval(e.ci_low, e.ci_high)} of {e.measure}, "
        f"from {number(e.clean)}; {100 * e.stay_clean:.0f} % of the {e.n_queries} queries stay clean, which is no loss"
        f"{_thin(e)}."
        for e in report.expected
        if e.measure == report.lead
    ]
    absent = [f"{name} ({percent(100 * share)} of its queries)" for name, share in left_out(report.evaluation).items()]
    if sentences and absent:
        sentences.append(
            f"The expected loss is too small by what your traffic has and its mix leaves out: {', '.join(absent)}."
        )
    return sentences
