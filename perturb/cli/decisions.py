"""Subcommand compare, and the exit code of the gate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from perturb.cli import options as o
from perturb.cli.main import app
from perturb.cli.streams import even_if_unread

if TYPE_CHECKING:
    from perturb.config import Settings
    from perturb.report.tables import Report


def check_junit(settings: Settings, junit: Path | None) -> None:
    """Refuse ``--junit`` without a gate before the models run.

    Raises:
        ConfigError: nothing limits anything.
    """
    from perturb.errors import ConfigError

    if junit is not None and not settings.gate:
        raise ConfigError("--junit needs a gate; set --max-drop, --min-clean or [gate] in perturb.toml")


def leave_through_gate(report: Report, junit: Path | None) -> None:
    """Write the JUnit file if one is asked for, and exit with 1 if the gate is shut.

    Args:
        report: finished.
        junit: where to write.

    Raises:
        ConfigError: a JUnit file is asked for, but there is no gate, or the file cannot be written.
    """
    from perturb.errors import ConfigError
    from perturb.report.files import write_text
    from perturb.report.gate_files import junit_xml

    gate = report.gate
    if junit is not None:
        if gate is None:
            raise ConfigError("--junit needs a gate; set --max-drop, --min-clean or [gate] in perturb.toml")
        try:
            write_text(junit_xml(gate), junit)
        except OSError as error:
            raise ConfigError(f"--junit {junit}: cannot be written ({error.strerror}); give another file") from error
    if gate is not None and not gate.passed:
        raise typer.Exit(1)


@app.command()
def compare(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The --out folder of the earlier run.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The --out folder of the later run, of the same suite.")],
    out: o.Out = None,
    resample_by: o.ResampleBy = None,
    adjustment: o.Adjustment = None,
    csv_dialect: o.CsvDialect = None,
    fail_on_worse: Annotated[
        bool, typer.Option("--fail-on-worse", help="Exit 1 if anything got worse beyond noise.")
    ] = False,
) -> None:
    """Compare two runs of the same suite: what got better or worse beyond noise."""
    from perturb.evaluation.compare import compare_runs
    from perturb.report import comparison, comparison_html
    from perturb.report.console import open_console
    from perturb.report.csv_files import known_dialect, write_csv
    from perturb.report.files import writable_folder, write_text

    if csv_dialect:
        known_dialect(csv_dialect)
    if out is not None:
        writable_folder(out)
    found = compare_runs(old, new, resample_by, adjustment)
    with even_if_unread():
        comparison.show(found, open_console())
    if out is not None:
        write_csv(*comparison.csv_table(found), out / "compare.csv", csv_dialect or "")
        write_text(comparison.as_markdown(found), out / "compare.md")
        write_text(comparison_html.render(found), out / "compare.html")
        typer.echo(f"comparison: {out / 'compare.html'}")
    if fail_on_worse and found.verdicts("worse"):
        raise typer.Exit(1)
