"""``drops.csv``, ``cells.csv`` and ``compare.csv``, a contract for programs, once more for a spreadsheet if asked for.

A spreadsheet in a Polish locale takes a decimal point for text or for a date, and a comma for a decimal comma. The
second file therefore has semicolons, decimal commas, a byte-order mark and CR LF; neither dialect ever has a comma both
between cells and inside a number.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path

from perturb.errors import ConfigError
from perturb.evaluation import DropRow
from perturb.files import replacing

DROP_COLUMNS = tuple(f.name for f in fields(DropRow) if not f.metadata.get("report_only"))
CELL_COLUMNS = (
    *("model", "perturbation", "kind", "measure", "n_queries", "n_units", "losses", "ties", "wins"),
    *("minimum_detectable", "note"),
)
_WHOLE = frozenset({"n_queries", "n_variants"})
_TEXTS = frozenset({"model", "perturbation", "kind", "measure"})
_OPTIONAL = frozenset({"drop_pct", "ci_low", "ci_high", "p_value", "p_adjusted"})


@dataclass(frozen=True, slots=True)
class CsvDialect:
    """How a table is written.

    Attributes:
        name: as users ask for it.
        infix: what goes before ``.csv`` in the name of the file.
        separator: between cells.
        decimal: mark in numbers, never the same.
        line_end: of every line.
        bom: whether the file begins with a byte-order mark.
    """

    name: str
    infix: str
    separator: str
    decimal: str
    line_end: str
    bom: bool

    def beside(self, path: Path) -> Path:
        """The name of this dialect's file: ``drops.csv`` becomes ``drops.excel.csv``."""
        return path.with_name(f"{path.stem}{self.infix}{path.suffix}")


PLAIN = CsvDialect("plain", "", ",", ".", "\n", bom=False)
EXCEL_PL = CsvDialect("excel-pl", ".excel", ";", ",", "\r\n", bom=True)
CSV_DIALECTS = {EXCEL_PL.name: EXCEL_PL}
"""Dialects that may be asked for; :data:`PLAIN` is always written."""


def known_dialect(name: str) -> CsvDialect:
    """The dialect of this name.

    Raises:
        ConfigError: unknown.
    """
    if name not in CSV_DIALECTS:
        raise ConfigError(f"csv_dialect = {name!r}: choose {', '.join(CSV_DIALECTS)} (plain CSV is always written)")
    return CSV_DIALECTS[name]


def cell(value: object, dialect: CsvDialect = PLAIN) -> str:
    """One CSV cell: six decimals, nothing for *not defined*, never a minus before zero."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:z.6f}".replace(".", dialect.decimal)
    return str(value)


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]], dialect: CsvDialect = PLAIN) -> str:
    """A table as CSV, byte-order mark included."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=dialect.separator, lineterminator=dialect.line_end)
    writer.writerow(header)
    writer.writerows([cell(value, dialect) for value in row] for row in rows)
    return ("\ufeff" if dialect.bom else "") + buffer.getvalue()


def write_csv(header: Sequence[str], rows: Sequence[Sequence[object]], path: Path, dialect: str = "") -> None:
    """Write a table as plain CSV and, if a dialect is named, once more beside it.

    A file of another dialect from an earlier run is removed, lest its figures be taken for those of this one.
    """
    wanted = [PLAIN, *([known_dialect(dialect)] if dialect else [])]
    for other in CSV_DIALECTS.values():
        if other not in wanted:
            other.beside(path).unlink(missing_ok=True)
    for one in wanted:
        with replacing(one.beside(path)) as partial:
            partial.write_text(csv_text(header, rows, one), encoding="utf-8", newline="")


def write_drops(rows: Sequence[DropRow], path: Path, dialect: str = "") -> None:
    """Write ``drops.csv`` in the order of the rows, and once more in a dialect if one is named."""
    write_csv(DROP_COLUMNS, [[getattr(row, column) for column in DROP_COLUMNS] for row in rows], path, dialect)


def write_cells(rows: Sequence[DropRow], path: Path, dialect: str = "") -> None:
    """Write ``cells.csv``: what else is known of each row of ``drops.csv``, in its order and under its first columns.

    ``losses``, ``ties`` and ``wins`` count queries that perturbation hurt, left alike and helped; ``n_units`` what was
    resampled (queries, or their groups); ``minimum_detectable`` is the drop that so many would show, 80 % power at 5 %.
    """
    cells = [
        [
            *(row.model, row.perturbation, row.kind, row.measure, row.n_queries, row.n_units),
            *(row.worse, row.n_queries - row.worse - row.better, row.better, row.minimum_detectable, row.note),
        ]
        for row in rows
    ]
    write_csv(CELL_COLUMNS, cells, path, dialect)


def read_drops(path: Path) -> tuple[DropRow, ...]:
    """Read a drop table back, in either dialect: the first line tells which.

    Args:
        path: ``drops.csv``, or ``drops.excel.csv`` also after a spreadsheet saved it.

    Returns:
        Its rows; what only reports hold has its default.

    Raises:
        ConfigError: no drop table, a row of another width, or a number that is not of the dialect of its file; names
            file, line and value.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read as a drop table ({error}); give a drops.csv") from error
    first = text.partition("\n")[0].strip()
    dialect = next((d for d in (PLAIN, EXCEL_PL) if first == d.separator.join(DROP_COLUMNS)), None)
    if dialect is None:
        raise ConfigError(f"{path}:1: {first[:60]!r} is not the header of a drop table; give a drops.csv of perturb")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=dialect.separator)
    next(reader)
    return tuple(_drop_row(cells, dialect, f"{path}:{reader.line_num}") for cells in reader if cells)


def _drop_row(cells: Sequence[str], dialect: CsvDialect, where: str) -> DropRow:
    if len(cells) != len(DROP_COLUMNS):
        raise ConfigError(
            f"{where}: has {len(cells)} cells separated by {dialect.separator!r}, not {len(DROP_COLUMNS)}; "
            "write the table again"
        )
    values = {column: _value(column, text, dialect, where) for column, text in zip(DROP_COLUMNS, cells, strict=True)}
    rest = {f.name: f.default for f in fields(DropRow) if f.name not in values and f.default is not MISSING}
    return DropRow(**{**values, **rest})


def _value(column: str, text: str, dialect: CsvDialect, where: str) -> str | int | float | None:
    if column in _TEXTS:
        return text
    if not text and column in _OPTIONAL:
        return None
    other = "." if dialect.decimal == "," else ","
    try:
        if other in text:
            raise ValueError
        number = int(text) if column in _WHOLE else float(text.replace(dialect.decimal, "."))
        if not math.isfinite(number):
            raise ValueError
        return number
    except ValueError:
        raise ConfigError(
            f"{where}: {column} = {text!r} is no number with {dialect.decimal!r} as its decimal mark; "
            "write the table again"
        ) from None
