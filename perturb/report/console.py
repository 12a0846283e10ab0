"""The table in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from perturb.records import Edit
from perturb.report.cautions import warnings
from perturb.report.decision import decision
from perturb.report.models_section import which_model
from perturb.report.tables import Report, interval, is_sure, number, p_text, percent
from perturb.report.verdict import verdict
from perturb.wording import counted, percent_of

_WIDE = 124
"""Terminals narrower than this get the table without its less important columns."""

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


def open_console() -> Console:
    """A console as wide as its terminal; wide where the output goes to a file or a pipe."""
    from rich.console import Console

    console = Console()
    return console if console.is_terminal else Console(width=_WIDE + 16)


def show(report: Report, console: Console) -> None:
    """Print the drops of the leading measure, what they say, and what to mind."""
    from rich.markup import escape
    from rich.table import Table

    confidence = f"{percent_of(report.settings.get('confidence', 0.95))} % interval"
    wide = console.width >= _WIDE
    figures = ("clean", "perturbed", "drop", "drop %", confidence, "p adj.", "queries", "variants")
    shown = [name for name in figures if wide or name not in ("perturbed", "drop %", "variants")]
    table = Table(title=f"Drop of {report.lead}, clean − perturbed on the same queries", title_justify="left")
    table.add_column("model", overflow="fold", min_width=16, max_width=30)
    table.add_column("perturbation", overflow="fold")
    for name in shown:
        table.add_column(name, justify="right", no_wrap=True)
    previous = ""
    for row in report.main_rows(report.lead):
        if previous and row.model != previous:
            table.add_section()
        cells = {
            "clean": number(row.clean),
            "perturbed": number(row.perturbed),
            "drop": number(row.drop),
            "drop %": percent(row.drop_pct),
            confidence: interval(row.ci_low, row.ci_high, n=row.n_queries),
            "p adj.": p_text(row.p_adjusted),
            "queries": str(row.n_queries),
            "variants": str(row.n_variants),
        }
        style = "bold red" if is_sure(row) and row.drop > 0 else "bold blue" if is_sure(row) else ""
        name = escape(row.model) if row.model != previous else ""
        table.add_row(name, row.perturbation, *(cells[column] for column in shown), style=style)
        previous = row.model
    console.print(table)
    tested = sum(row.p_value is not None for row in report.main_rows())
    console.print(
        f"Intervals are not corrected; p is, after {report.correction}, over {counted(tested, 'test')} of all "
        f"measures. {report.grouped}".strip(),
        style="dim",
    )
    models = which_model(report)
    sentences = [*verdict(report), *(models.sentences if models is not None else ())]
    for sentence in sentences:
        console.print(f"• {escape(sentence)}", highlight=False)
    for sentence in warnings(report):
        console.print(f"! {escape(sentence)}", highlight=False, style="yellow")
    outcome = decision(report)
    for sentence in outcome.sentences:
        console.print(escape(sentence), highlight=False, style="bold red" if outcome.alarm else "")


def highlighted(text: str, edits: Sequence[Edit]) -> Text:
    """The variant with what was inserted in bold; where only something was removed, its neighbours are joined."""
    from rich.text import Text

    shown, position = Text(), 0
    for edit in edits:
        shown.append(text[position : edit.start])
        shown.append(edit.after, style="bold reverse")
        position = edit.end
    shown.append(text[position:])
    return shown
