"""Reading the tables in tests/cases."""

from __future__ import annotations

from pathlib import Path

from perturb.resources import read_table

CASES_FOLDER = Path(__file__).parent.parent / "cases"


def rows(name: str) -> list[dict[str, str]]:
    """One dictionary per row of a table in tests/cases."""
    return read_table(name, folder=CASES_FOLDER)
