"""«Harmless?»: the drops shown to be no larger than two points, and how drops grow with severity."""

from __future__ import annotations

from collections.abc import Sequence

from perturb.evaluation.harm import Harm
from perturb.evaluation.stability import TOP, Stability
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
        shown = [p for (name, p), answer in harm.harmless.items() if name == model.name and answer.no_larger]
        what = ", ".join(shown) if shown else "none"
        sentences.append(f"{model.name}: shown to cost less than {number(harm.margin, 2)} {report.lead}: {what}.")
    return sentences


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
            str(row.n_queries),
        )
        for row in rows
    )
    header = ("model", "perturbation", f"same documents in the top {TOP}", "rank-biased overlap", "queries")
    caption = "Clean against perturbed rankings of the same model, no judgement used; 1 means nothing changed."
    caption = f"{caption} {grouped}".strip()
    return [SectionTable("How far the rankings change", header, cells, frozenset({0, 1}), folded=True, caption=caption)]


def _tables(harm: Harm, grouped: str) -> list[SectionTable]:
    rows = tuple(
        (
            model,
            perturbation,
            number(answer.ci_high),
            "yes" if answer.no_larger else "not shown",
            "yes" if answer.equivalent else "not shown",
            "; ".join(answer.notes),
        )
        for (model, perturbation), answer in harm.harmless.items()
    )
    margin = number(harm.margin, 2)
    header = ("model", "perturbation", "at most", f"below {margin}", f"within ±{margin}", "note")
    caption = (
        "Two one-sided tests at 5 %. That a drop is not significant does not show that there is none; «below» does. "
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
