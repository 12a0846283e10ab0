"""``compare.html``: two runs side by side in one self-contained file, no script, no network."""

from __future__ import annotations

from typing import Any

from perturb.evaluation.compare import ChangeRow, Comparison
from perturb.evaluation.paired import OVERALL
from perturb.records import ORIGINAL
from perturb.report.comparison import HEADER, SHOWN, cells, method, sentences
from perturb.report.heat import shade
from perturb.report.sections import Section, SectionTable
from perturb.report.tables import FEW_QUERIES, interval, number, p_text
from perturb.wording import counted, percent_of


def render(found: Comparison) -> str:
    """Render the comparison in the looks of ``report.html``.

    Args:
        found: both runs.

    Returns:
        HTML; every text from runs and models is escaped.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(loader=PackageLoader("perturb.report"), autoescape=True, undefined=StrictUndefined)
    return environment.get_template("comparison.html.j2").render(_context(found))


def _context(found: Comparison) -> dict[str, Any]:
    perturbations = dict.fromkeys(row.perturbation for row in found.rows)
    models = dict.fromkeys(row.model for row in found.rows)
    return {
        "title": "What changed between two runs",
        "old": str(found.old),
        "new": str(found.new),
        "subtitle": _subtitle(found, len(models), len(perturbations.keys() - {ORIGINAL, OVERALL})),
        "sentences": list(sentences(found)),
        "worse": bool(found.verdicts("worse")),
        "warnings": found.warnings,
        "columns": [("clean" if name == ORIGINAL else name) for name in perturbations],
        "confidence": percent_of(found.resampling.confidence),
        "heats": [
            {"measure": measure, "lines": _heat(found, measure, tuple(models), tuple(perturbations))}
            for measure in found.measures
        ],
        "sections": [_measure_section(found, measure, place) for place, measure in enumerate(found.measures)],
        "method": method(found),
    }


def _subtitle(found: Comparison, models: int, perturbations: int) -> str:
    part = f"part {found.part}" if found.part else "the whole golden set"
    drawn = f", resampled as {found.n_units} {found.unit}" if found.unit != "queries" else ""
    queries = max((row.n_queries for row in found.rows), default=0)
    return (
        f"{counted(queries, 'query', 'queries')} of {part}{drawn}; {counted(models, 'model')}, "
        f"{counted(len(found.measures), 'measure')}, {counted(perturbations, 'perturbation')}"
    )


def _heat(
    found: Comparison, measure: str, models: tuple[str, ...], perturbations: tuple[str, ...]
) -> list[dict[str, Any]]:
    known = {
        (row.model, row.perturbation): row for row in found.rows if (row.measure, row.figure) == (measure, "score")
    }
    lines = []
    for model in models:
        rows = [known.get((model, perturbation)) for perturbation in perturbations]
        lines.append({"model": model, "cells": [_cell(row) if row is not None else None for row in rows]})
    return lines


def _cell(row: ChangeRow) -> dict[str, Any]:
    colour, ink = shade(-row.change, few=row.n_queries < FEW_QUERIES)
    sign = "+" if row.change > 0 and float(number(row.change)) else ""
    title = (
        f"{row.model}, {row.perturbation}: {number(row.old)} → {number(row.new)}",
        f"p adjusted {p_text(row.p_adjusted)}",
        counted(row.n_queries, "query", "queries"),
        row.note,
    )
    return {
        "change": f"{sign}{number(row.change)}",
        "interval": interval(row.ci_low, row.ci_high, n=row.n_queries),
        "colour": colour,
        "ink": ink,
        "verdict": row.verdict,
        "sure": row.verdict in SHOWN,
        "title": "; ".join(part for part in title if part),
    }


def _measure_section(found: Comparison, measure: str, place: int) -> Section:
    mine = [row for row in found.rows if row.measure == measure]
    changed = [row for verdict in SHOWN for row in mine if row.verdict == verdict]
    rest = [row for row in mine if row.verdict not in SHOWN]
    tables = []
    if changed:
        tables.append(_table("Beyond noise", changed, folded=False))
    if rest:
        others = counted(len(rest), "other figure" if changed else "figure")
        tables.append(_table(f"{others}, none beyond noise", rest, folded=True))
    counts = ", ".join(f"{n} {verdict}" for verdict in SHOWN if (n := sum(row.verdict == verdict for row in mine)))
    told = f"{counted(len(mine), 'figure')}: {counts or 'none better or worse'} beyond noise."
    return Section(f"measure{place}", measure, (told,), tuple(tables))


def _table(title: str, rows: list[ChangeRow], *, folded: bool) -> SectionTable:
    return SectionTable(title, HEADER, tuple(cells(row) for row in rows), frozenset({0, 1, 2}), folded=folded)
