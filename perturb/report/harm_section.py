"""«Harmless?»: the drops shown to be no larger than two points, and how drops grow with severity."""

from __future__ import annotations

from perturb.evaluation.harm import Harm
from perturb.report.sections import Section, SectionTable
from perturb.report.tables import Report, interval, number


def harm_section(report: Report) -> Section | None:
    """Answers under the leading measure; nothing if nothing was perturbed."""
    if report.harm is None or not report.harm.harmless:
        return None
    return Section("harmless", "Harmless?", tuple(_sentences(report, report.harm)), tuple(_tables(report.harm)))


def _sentences(report: Report, harm: Harm) -> list[str]:
    sentences = []
    for model in report.evaluation.succeeded:
        shown = [p for (name, p), answer in harm.harmless.items() if name == model.name and answer.no_larger]
        what = ", ".join(shown) if shown else "none"
        sentences.append(f"{model.name}: shown to cost less than {number(harm.margin, 2)} {report.lead}: {what}.")
    return sentences


def _tables(harm: Harm) -> list[SectionTable]:
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
    tables = [SectionTable("Drops shown to be small", header, rows, frozenset({0, 1, 5}), folded=True, caption=caption)]
    if harm.slopes:
        slopes = tuple(
            (model, perturbation, number(slope.value), interval(slope.ci_low, slope.ci_high), str(slope.n_queries))
            for (model, perturbation), slope in harm.slopes.items()
        )
        names = ("model", "severity curve", "points per mistake", "interval", "queries")
        tables.append(SectionTable("How a drop grows with severity", names, slopes, frozenset({0, 1})))
    return tables
