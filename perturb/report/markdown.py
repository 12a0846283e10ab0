"""``report.md``: the same figures for a pull request or a wiki.

Whoever runs the same thing twice gets the same bytes, so that a change in it is a change of quality: no speed, and
nothing about where the files went. ``report.html`` and ``run.json`` have both. The one exception is the count of looks
at a held-out part, which is there to grow.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from perturb.records import Edit
from perturb.report.cautions import warnings
from perturb.report.decision import decision
from perturb.report.harm_section import harm_section
from perturb.report.models_section import which_model
from perturb.report.sections import Section
from perturb.report.tables import (
    Report,
    figures,
    interval,
    is_sure,
    judged_share,
    judged_text,
    method_lines,
    notes,
    number,
    reach,
)
from perturb.report.verdict import verdict
from perturb.report.why_section import why_section

_COLUMNS = (
    "model",
    "perturbation",
    "measure",
    "clean",
    "perturbed",
    "drop",
    "drop_pct",
    "interval",
    "p_adjusted",
    "n_queries",
    "n_variants",
    "coverage",
)

_PLACES = ("--out", "--junit")


def render(report: Report) -> str:
    """Render the report as GitHub-flavoured Markdown."""
    evaluation = report.evaluation
    lines = [f"# What Polish as it is typed costs on {escape(evaluation.golden_set.name)}", ""]
    lines += [f"- {escape(sentence)}" for sentence in verdict(report)]
    found = warnings(report)
    if found:
        lines += ["", "**Mind**", "", *(f"- {escape(sentence)}" for sentence in found)]
    lines += section_lines(decision(report)) + section_lines(which_model(report, timed=False))
    lines += ["", f"## Drop of {report.lead}", "", _heat(report), ""]
    lines += [
        "Drop = clean − perturbed on the same queries; negative is a gain. Bold: p < 0.05 after "
        f"{report.correction} correction. "
        f"{report.grouped}".strip(),
        "",
    ]
    beside = [report.grouped, ""] if report.grouped else []
    lines += ["## Clean scores", "", *beside, _clean(report), "", "## All figures", "", *beside]
    lines += [table(_COLUMNS, [[_cell(c, figures(row)[c]) for c in _COLUMNS] for row in report.main_rows()]), ""]
    lines += section_lines(harm_section(report))
    lines += [*section_lines(why_section(report)), "", "## Most fragile queries", ""]
    for entry in report.fragile:
        after = entry.rank_after if entry.rank_after is not None else "not retrieved"
        lines.append(
            f"- {marked(entry.query.text, entry.variant.edits)} ({entry.variant.perturbation} {entry.variant.kind}, "
            f"{escape(entry.model)}): right document rank {entry.rank_before} → {after}"
        )
    header = ("perturbation", "queries", "applicable", "variants", "duplicates", "declined")
    lines += ["", "## Reach", "", table(header, [[str(line[c]) for c in header] for line in reach_lines(report)]), ""]
    remarks = notes(evaluation)
    if remarks:
        lines += ["## Notes", "", *(f"- {escape(note)}" for note in remarks), ""]
    lines += ["## Method", "", *(f"- {escape(line)}" for line in method_lines(report)), ""]
    lines += ["```", _command(str(report.settings.get("command", ""))), "```", ""]
    return "\n".join(lines)


def _command(command: str) -> str:
    """The command without where its files went, which decides no figure."""
    words, kept = shlex.split(command), list[str]()
    while words:
        word = words.pop(0)
        if word in _PLACES:
            del words[:1]
        elif not word.startswith(tuple(f"{place}=" for place in _PLACES)):
            kept.append(word)
    return shlex.join(kept)


def section_lines(section: Section | None) -> list[str]:
    """A section as Markdown; tables that HTML folds are folded here too."""
    if section is None:
        return []
    lines = ["", f"## {section.title}", "", *(f"- {escape(sentence)}" for sentence in section.sentences)]
    for part in section.tables:
        cells = [[escape(cell) for cell in row] for row in part.rows]
        caption = [escape(part.caption), ""] if part.caption else []
        body = [*caption, table(part.header, cells)]
        if part.folded:
            lines += ["", f"<details><summary>{escape(part.title)}</summary>", "", *body, "", "</details>"]
        else:
            lines += ["", f"**{escape(part.title)}**", "", *body]
    return lines


def _cell(column: str, text: str) -> str:
    return escape(text) if column in ("model", "perturbation", "measure") else text


def reach_lines(report: Report) -> list[dict[str, object]]:
    """Coverage per perturbation."""
    return [{**line, "perturbation": line["name"]} for line in reach(report.evaluation.suite.header)]


def escape(text: str) -> str:
    """Text that Markdown shows as it is."""
    for char in "\\`*_[]<>|#":
        text = text.replace(char, f"\\{char}")
    return text.replace("\n", " ")


def marked(text: str, edits: tuple[Edit, ...]) -> str:
    """The edited query: removed text struck through, inserted text bold."""
    parts, position = [], 0
    for edit in edits:
        parts.append(escape(text[position : edit.start]))
        parts.append(f"~~{escape(edit.before)}~~" if edit.before.strip() else "")
        parts.append(f"**{escape(edit.after)}**" if edit.after.strip() else edit.after)
        position = edit.end
    return "".join(parts) + escape(text[position:])


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A pipe table."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _heat(report: Report) -> str:
    rows = []
    for model in report.evaluation.succeeded:
        cells = [report.find(model.name, p, report.lead) for p in report.perturbations]
        texts = [f"{number(r.drop)} {interval(r.ci_low, r.ci_high, n=r.n_queries)}" if r else "n/d" for r in cells]
        rows.append(
            [escape(model.name), *(f"**{t}**" if r and is_sure(r) else t for r, t in zip(cells, texts, strict=True))]
        )
    return table(["model", *report.perturbations], rows)


def _clean(report: Report) -> str:
    measures = [m.name for m in report.evaluation.measures]
    shares = judged_share(report.evaluation)
    rows = []
    for model in report.evaluation.succeeded:
        scores = [c for c in report.clean if c.model == model.name]
        judged = judged_text(*shares[model.name]) if model.name in shares else "n/d"
        means = [f"{number(c.mean)} {interval(c.ci_low, c.ci_high)}" for c in scores]
        rows.append([escape(model.name), *means, judged])
    return table(["model", *measures, "judged in the top 10, original / variants"], rows)
