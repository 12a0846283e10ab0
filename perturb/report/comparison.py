"""Two runs compared, for the terminal, for a pull request and for other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from perturb.evaluation.compare import ChangeRow, Comparison
from perturb.evaluation.corrections import correction_name
from perturb.evaluation.paired import OVERALL
from perturb.records import ORIGINAL
from perturb.report.csv_files import PLAIN, CsvDialect, csv_text
from perturb.report.markdown import escape, table
from perturb.report.tables import interval, number, p_text
from perturb.wording import percent_of

if TYPE_CHECKING:
    from rich.console import Console

HEADER = ("verdict", "model", "figure", "old", "new", "change", "interval", "p adjusted", "queries")
"""Header over :func:`cells`."""

SHOWN = ("worse", "better")
"""Verdicts of figures that changed beyond noise, in the order in which they are told."""


def sentences(found: Comparison) -> Iterator[str]:
    """What changed, in words: first what got worse, then what got better, then how much did not."""
    for verdict in SHOWN:
        rows = found.verdicts(verdict)
        for row in sorted(rows, key=lambda row: -abs(row.change))[:3]:
            yield f"{verdict}: {row.model}, {figure(row)} {number(row.old)} → {number(row.new)}, {_change(row)}"
        if len(rows) > 3:
            yield f"… and {len(rows) - 3} more figures that got {verdict}"
    if not any(found.verdicts(verdict) for verdict in SHOWN):
        yield "nothing got better or worse beyond noise"
    counts = ", ".join(
        f"{len(rows)} {verdict}"
        for verdict in ("worse", "better", "within noise", "same", "too few queries")
        if (rows := found.verdicts(verdict))
    )
    yield f"{len(found.rows)} figures: {counts}"


def figure(row: ChangeRow) -> str:
    """What a row is about, such as ``drop of recall@5 under typo``."""
    if row.perturbation == ORIGINAL:
        return f"clean {row.measure}"
    if row.perturbation == OVERALL:
        return f"{'drop of ' if row.figure == 'drop' else ''}{row.measure} over all perturbations"
    return f"{'drop of ' if row.figure == 'drop' else ''}{row.measure} under {row.perturbation}"


def _change(row: ChangeRow) -> str:
    sign = "+" if row.change > 0 else ""
    return f"change {sign}{number(row.change)} {interval(row.ci_low, row.ci_high)}"


def cells(row: ChangeRow) -> tuple[str, ...]:
    """A figure as texts under :data:`HEADER`."""
    return (
        row.verdict,
        row.model,
        figure(row),
        number(row.old),
        number(row.new),
        number(row.change),
        interval(row.ci_low, row.ci_high),
        p_text(row.p_adjusted),
        str(row.n_queries),
    )


def show(found: Comparison, console: Console) -> None:
    """Print what changed beyond noise, and what to mind."""
    from rich.markup import escape as plain
    from rich.table import Table

    rows = _changed_first(found.rows)
    if rows:
        printed = Table(title=f"{found.old} → {found.new}, change = new − old", title_justify="left")
        for place, name in enumerate(HEADER):
            printed.add_column(name, justify="left" if place < 3 else "right", overflow="fold")
        for row in rows:
            style = {"worse": "bold red", "better": "bold green"}.get(row.verdict, "")
            printed.add_row(*map(plain, cells(row)), style=style)
        console.print(printed)
    for sentence in sentences(found):
        console.print(f"• {plain(sentence)}", highlight=False)
    for warning in found.warnings:
        console.print(f"! {plain(warning)}", highlight=False, style="yellow")


def _changed_first(rows: Sequence[ChangeRow]) -> list[ChangeRow]:
    """Rows beyond noise; all others are in the files."""
    return [row for verdict in SHOWN for row in rows if row.verdict == verdict]


def as_markdown(found: Comparison) -> str:
    """The comparison for a pull request; what did not change is folded away."""
    lines = [f"## perturb: {escape(str(found.old))} → {escape(str(found.new))}", ""]
    lines += [f"- {escape(sentence)}" for sentence in sentences(found)]
    if found.warnings:
        lines += ["", "**Mind**", "", *(f"- {escape(warning)}" for warning in found.warnings)]
    for measure in found.measures:
        rows = [row for row in found.rows if row.measure == measure]
        changed = _changed_first(rows)
        rest = [row for row in rows if row.verdict not in SHOWN]
        if len(found.measures) > 1:
            lines += ["", f"### {escape(measure)}"]
        if changed:
            lines += ["", _table(changed)]
        if rest:
            lines += ["", f"<details><summary>{len(rest)} other figures</summary>", "", _table(rest), "", "</details>"]
    return "\n".join([*lines, "", escape(method(found)), ""])


def method(found: Comparison) -> str:
    """How the figures were computed."""
    part = f"part {found.part}" if found.part else "the whole golden set"
    unit = found.unit if found.unit == "queries" else f"{found.n_units} {found.unit}"
    tested = sum(row.p_value is not None for row in found.rows)
    measures = f" of {', '.join(found.measures)} together" if len(found.measures) > 1 else ""
    return (
        f"Change = new − old, paired on the queries of {part}, variants averaged within the query; "
        f"{percent_of(found.resampling.confidence)} % interval by {found.resampling.resamples:,} resamples of {unit}, "
        f"seed {found.resampling.seed}; sign-flip test, {correction_name(found.adjustment)} correction over "
        f"{'the one test' if tested == 1 else f'all {tested} tests'}{measures}. Intervals are "
        "not corrected. A drop that shrinks is better."
    )


def _table(rows: Sequence[ChangeRow]) -> str:
    return table(HEADER, [[escape(text) for text in cells(row)] for row in rows])


def csv_table(found: Comparison) -> tuple[list[str], list[list[object]]]:
    """Every figure: header and rows for ``compare.csv``."""
    names = [field.name for field in fields(ChangeRow)]
    return [*names, "verdict"], [[*(getattr(row, name) for name in names), row.verdict] for row in found.rows]


def as_csv(found: Comparison, dialect: CsvDialect = PLAIN) -> str:
    """Every figure, with six decimals; empty where it is not defined."""
    return csv_text(*csv_table(found), dialect)
