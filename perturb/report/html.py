"""``report.html``: one self-contained file, no script, no network."""

from __future__ import annotations

from html import escape
from typing import Any

from perturb.evaluation import ALL_KINDS, DropRow, FragileQuery
from perturb.records import Edit
from perturb.report.cautions import warnings
from perturb.report.decision import decision
from perturb.report.forest import forest_plot
from perturb.report.harm_section import harm_section
from perturb.report.heat import shade
from perturb.report.models_section import which_model
from perturb.report.tables import (
    FEW_QUERIES,
    Report,
    figures,
    interval,
    is_sure,
    judged_share,
    judged_text,
    method_lines,
    notes,
    number,
    p_text,
    reach,
)
from perturb.report.verdict import verdict
from perturb.report.why_section import why_section
from perturb.wording import counted, percent_of


def render(report: Report) -> str:
    """Render the whole report.

    Args:
        report: everything that is shown.

    Returns:
        HTML; every text from golden sets and models is escaped.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(loader=PackageLoader("perturb.report"), autoescape=True, undefined=StrictUndefined)
    table = environment.get_template("figures.html.j2")
    context = _context(report)
    context["figures"] = lambda rows: Markup(table.render(rows=rows))
    context["forest"] = Markup(forest_plot(report))
    for entry in context["fragile"]:
        entry["edited"] = Markup(entry["edited"])
    return environment.get_template("report.html.j2").render(context)


def _context(report: Report) -> dict[str, Any]:
    evaluation = report.evaluation
    measures = [m.name for m in evaluation.measures]
    main = report.main_rows()
    finer = [r for r in report.rows if r.kind != ALL_KINDS]
    tested = sum(r.p_value is not None for r in main)
    return {
        "title": f"What Polish as it is typed costs on {evaluation.golden_set.name}",
        "subtitle": _subtitle(report),
        "verdict": verdict(report),
        "warnings": warnings(report),
        "measure": report.lead,
        "measures": measures,
        "confidence": percent_of(report.settings.get("confidence", 0.95)),
        "correction": report.correction,
        "tests": counted(tested, "test"),
        "family_note": f" ({len(measures)} measures together)" if len(measures) > 1 else "",
        "perturbations": [{"name": p, "n_queries": _n(report, p)} for p in report.perturbations],
        "heat": _heat(report, report.lead),
        "other_heats": [{"measure": m, "lines": _heat(report, m)} for m in measures[1:]],
        "clean": _clean(report),
        "grouped": report.grouped,
        "decision": decision(report),
        "which_model": which_model(report),
        "harmless": harm_section(report),
        "why": why_section(report),
        "failed": [m for m in evaluation.models if m.error],
        "fragile": [_fragile(entry) for entry in report.fragile],
        "rows_all": [figures(r) for r in main],
        "rows_kinds": [figures(r) for r in finer],
        "reach": reach(evaluation.suite.header),
        "excluded": [(reason, ids) for reason, ids in evaluation.excluded.items() if ids],
        "notes": notes(evaluation),
        "command": report.settings.get("command", ""),
        "method": method_lines(report),
    }


def _subtitle(report: Report) -> str:
    evaluation = report.evaluation
    scored = sum(evaluation.original_rows >= 0)
    part = f", part {report.settings['part']}" if report.settings.get("part") else ""
    return (
        f"{counted(len(evaluation.golden_set.documents), 'document')}, {counted(scored, 'query', 'queries')} scored"
        f"{part}, {counted(len(evaluation.variants) - scored, 'variant')}, seed {evaluation.suite.header['seed']}"
    )


def _n(report: Report, perturbation: str) -> int:
    return next(r.n_queries for r in report.main_rows() if r.perturbation == perturbation)


def _heat(report: Report, measure: str) -> list[dict[str, Any]]:
    lines = []
    for model in report.evaluation.succeeded:
        cells = [report.find(model.name, p, measure) for p in report.perturbations]
        lines.append({"model": model.name, "cells": [_heat_cell(row) if row else None for row in cells]})
    return lines


def _heat_cell(row: DropRow) -> dict[str, Any]:
    colour, ink = shade(row.drop, few=row.n_queries < FEW_QUERIES)
    title = [
        f"{row.model}, {row.perturbation}: clean {number(row.clean)}, perturbed {number(row.perturbed)}",
        f"p {p_text(row.p_value)}, adjusted {p_text(row.p_adjusted)}",
        f"{counted(row.n_queries, 'query', 'queries')}, {counted(row.n_variants, 'variant')}; "
        f"{counted(row.worse, 'query', 'queries')} lost, {row.better} gained",
        row.note,
    ]
    return {
        "drop": number(row.drop),
        "interval": interval(row.ci_low, row.ci_high, n=row.n_queries),
        "colour": colour,
        "ink": ink,
        "sure": is_sure(row),
        "title": "; ".join(part for part in title if part),
    }


def _clean(report: Report) -> list[dict[str, Any]]:
    shares = judged_share(report.evaluation)
    lines = []
    for model in report.evaluation.succeeded:
        scores = [c for c in report.clean if c.model == model.name]
        search = model.seconds.get("search")
        lines.append(
            {
                "model": model.name,
                "scores": [{"mean": number(c.mean), "interval": interval(c.ci_low, c.ci_high)} for c in scores],
                "judged": judged_text(*shares[model.name]),
                "speed": f"{len(report.evaluation.variants) / search:,.0f}" if search else "n/d",
            }
        )
    return lines


def _fragile(entry: FragileQuery) -> dict[str, Any]:
    return {
        "edited": marked(entry.query.text, entry.variant.edits),
        "perturbation": entry.variant.perturbation,
        "kind": entry.variant.kind,
        "model": entry.model,
        "query_id": entry.query.query_id,
        "clean": number(entry.clean),
        "perturbed": number(entry.perturbed),
        "mean_drop": number(entry.mean_drop),
        "right": entry.right.title or entry.right.doc_id,
        "rank_before": entry.rank_before,
        "rank_after": entry.rank_after if entry.rank_after is not None else "not retrieved",
        "overtakers": [document.title or document.doc_id for document in entry.overtakers],
    }


def marked(text: str, edits: tuple[Edit, ...]) -> str:
    """The edited query as HTML: removed text in ``<del>``, inserted text in ``<ins>``, all else escaped."""
    parts, position = [], 0
    for edit in edits:
        parts.append(escape(text[position : edit.start]))
        parts.append(f"<del>{escape(edit.before)}</del>" if edit.before else "")
        parts.append(f"<ins>{escape(edit.after)}</ins>" if edit.after else "")
        position = edit.end
    return "".join(parts) + escape(text[position:])
