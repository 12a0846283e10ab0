"""«Harmless?»: the drops shown to be no larger than two points, and how drops grow with severity."""

from __future__ import annotations

from collections.abc import Sequence

from perturb.evaluation.harm import Harm
from perturb.evaluation.stability import TOP, Stability
from perturb.evaluation.worst import nothing_to_lose
from perturb.report.sections import Section, SectionTable
from perturb.report.tables import Report, interval, number


def harm_section(report: Report) -> Section | None:
    """Answers under the leading measure; nothing if nothing was perturbed."""
    if report.harm is None or not report.harm.harmless:
        return None
    return Section(
        "harmless",
        "Harmless?",
        tuple(_sentences(report, report.harm)),
        (*_tables(report.harm, report.grouped), *_stability(report.stability, report.grouped)),
    )


def _sentences(report: Report, harm: Harm) -> list[str]:
    sentences = []
    for model in report.evaluation.succeeded:
        own = {p: answer for (name, p), answer in harm.harmless.items() if name == model.name}
        empty = [p for p in own if _nothing_to_lose(report, model.name, p)]
        what = ", ".join(p for p, answer in own.items() if answer.no_larger and p not in empty) or "none"
        rest = f"; nothing to lose under {', '.join(empty)}" if empty else ""
        sentences.append(f"{model.name}: shown to cost less than {number(harm.margin, 2)} {report.lead}: {what}{rest}.")
    return sentences


def _nothing_to_lose(report: Report, model: str, perturbation: str) -> bool:
    row = report.find(model, perturbation, report.lead)
    return row is not None and nothing_to_lose(row)


def _at_most(value: float | None, margin: float) -> str:
    """An upper limit, with as many digits as it takes to tell it from the margin: 0.0203 is not below 0.02."""
    digits = 3
    while value is not None and value != margin and digits < 6 and round(value, digits) == round(margin, digits):
        digits += 1
    return number(value, digits)


def _stability(rows: Sequence[Stability], grouped: str) -> list[SectionTable]:
    """How far rankings change, judgements aside; nothing if it was not computed."""
    if not rows:
        return []
    cells = tuple(
        (
            row.model,
            row.perturbation,
            f"{number(row.overlap)} {interval(row.ci_low, row.ci_high)}",
            number(row.rank_biased_overlap),
            number(row.shift, 4),
            str(row.n_queries),
        )
        for row in rows
    )
    header = (
        "model",
        "perturbation",
        f"same documents in the top {TOP}",
        "rank-biased overlap",
        "vector shift",
        "queries",
    )
    caption = "Clean against perturbed rankings of the same model, no judgement used; 1 means nothing changed. "
    caption += (
        "Vector shift: cosine distance of the query vectors, 0 where nothing moved; n/d for models without vectors."
    )
    caption = f"{caption} {grouped}".strip()
    return [SectionTable("How far the rankings change", header, cells, frozenset({0, 1}), folded=True, caption=caption)]


def _tables(harm: Harm, grouped: str) -> list[SectionTable]:
    rows = tuple(
        (
            model,
            perturbation,
            _at_most(answer.ci_high, harm.margin),
            "yes" if answer.no_larger else "not shown",
            "yes" if answer.equivalent else "not shown",
            "; ".join(answer.notes),
        )
        for (model, perturbation), answer in harm.harmless.items()
    )
    margin = number(harm.margin, 2)
    header = ("model", "perturbation", "at most", f"below {margin}", f"within ±{margin}", "note")
    caption = (
        "Two one-sided tests at 5 % in each row, not corrected for the number of rows. That a drop is not significant "
        "does not show that there is none; «below» does, but nothing where the queries find nothing as they stand. "
        "«At most» is the upper end of the 90 % interval."
    )
    caption = f"{caption} {grouped}".strip()
    tables = [SectionTable("Drops shown to be small", header, rows, frozenset({0, 1, 5}), folded=True, caption=caption)]
    if harm.slopes:
        slopes = tuple(
            (model, perturbation, number(slope.value), interval(slope.ci_low, slope.ci_high), str(slope.n_queries))
            for (model, perturbation), slope in harm.slopes.items()
        )
        names = ("model", "severity curve", "points per mistake", "interval", "queries")
        tables.append(SectionTable("How a drop grows with severity", names, slopes, frozenset({0, 1}), caption=grouped))
    return tables
