"""Drop tables as CSV: two dialects, neither with a comma in two roles, both read back (case F13)."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from perturb.errors import ConfigError
from perturb.evaluation import DropRow
from perturb.report.csv_files import (
    CELL_COLUMNS,
    DROP_COLUMNS,
    EXCEL_PL,
    PLAIN,
    CsvDialect,
    cell,
    csv_text,
    read_drops,
    write_cells,
    write_drops,
)

ROWS = (
    DropRow("bm25", "typo", "all", "recall@5", 0.75, 0.5, 0.25, 33.333333, 0.125, 0.375, 0.03125, 0.0625, 20, 40, 1.0),
    DropRow('a;b,"c" ż', "case", "gen.pl", "mrr@10", 0.0, 0.25, -0.25, None, None, None, None, None, 1, 1, 0.05),
)


@pytest.mark.parametrize("dialect", [PLAIN, EXCEL_PL])
def test_a_table_comes_back(tmp_path: Path, dialect: CsvDialect) -> None:
    path = tmp_path / "drops.csv"
    write_drops(ROWS, path, EXCEL_PL.name)
    assert read_drops(dialect.beside(path)) == ROWS


def test_the_contract_stays_and_the_spreadsheet_gets_its_own() -> None:
    plain, excel = (csv_text(DROP_COLUMNS, [[0.5, None, -0.0, "x"]], dialect) for dialect in (PLAIN, EXCEL_PL))
    assert plain == ",".join(DROP_COLUMNS) + "\n0.500000,,0.000000,x\n"
    assert excel == "\ufeff" + ";".join(DROP_COLUMNS) + "\r\n0,500000;;0,000000;x\r\n"


@pytest.mark.parametrize(
    ("value", "text"), [(-1e-9, "0.000000"), (-0.25, "-0.250000"), (None, ""), (7, "7"), ("1.5", "1.5")]
)
def test_cells(value: object, text: str) -> None:
    assert cell(value) == text


def test_a_file_of_an_earlier_run_is_not_left_beside(tmp_path: Path) -> None:
    path = tmp_path / "drops.csv"
    write_drops(ROWS, path, EXCEL_PL.name)
    write_drops(ROWS, path)
    assert [found.name for found in tmp_path.iterdir()] == ["drops.csv"]


@pytest.mark.parametrize("saved", ["utf-8", "utf-8-sig"])
def test_what_a_spreadsheet_saved_again_is_read(tmp_path: Path, saved: str) -> None:
    """It drops trailing zeros, and sometimes the byte-order mark."""
    path = tmp_path / "drops.excel.csv"
    path.write_text(
        csv_text(DROP_COLUMNS, [["m", "typo", "all", "r", *[0.5] * 8, 6, 6, 1]], EXCEL_PL), encoding="utf-8"
    )
    text = path.read_text(encoding="utf-8-sig").replace("0,500000", "0,5")
    path.write_text(text, encoding=saved)
    assert read_drops(path)[0].ci_high == 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            ";".join(DROP_COLUMNS) + "\nm;p;all;r" + ";0.5" * 8 + ";1;1;1",
            "drops.csv:2: clean = '0.5' is no number with ','",
        ),
        (",".join(DROP_COLUMNS) + '\nm,p,all,r,"0,5"' + ",0.5" * 7 + ",1,1,1", "clean = '0,5' is no number with '.'"),
        (",".join(DROP_COLUMNS) + "\nm,p,all,r,0,5" + ",0.5" * 7 + ",1,1,1", "drops.csv:2: has 16 cells"),
        (",".join(DROP_COLUMNS) + "\nm,p,all,r,nan" + ",0.5" * 7 + ",1,1,1", "clean = 'nan'"),
        (",".join(DROP_COLUMNS) + "\nm,p,all,r" + ",0.5" * 8 + ",1.5,1,1", "n_queries = '1.5'"),
        (",".join(DROP_COLUMNS) + "\nm,p,all,r," + ",0.5" * 7 + ",1,1,1", "clean = ''"),
        ("id;text\n", "drops.csv:1: 'id;text' is not the header"),
        ("", "drops.csv:1: '' is not the header"),
    ],
)
def test_what_is_no_drop_table_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "drops.csv").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as raised:
        read_drops(tmp_path / "drops.csv")
    assert message in str(raised.value)
    with pytest.raises(ConfigError, match="cannot be read as a drop table"):
        read_drops(tmp_path / "none.csv")


def test_what_else_is_known_of_each_cell_lies_beside(tmp_path: Path) -> None:
    row = replace(
        ROWS[0], worse=6, better=1, n_units=15, minimum_detectable=0.125, note="only 7 of 15 groups changed, so"
    )
    path = tmp_path / "cells.csv"
    write_cells([row, ROWS[1]], path, EXCEL_PL.name)
    with path.open(encoding="utf-8", newline="") as lines:
        first, second = csv.DictReader(lines)
    assert list(first) == list(CELL_COLUMNS)
    assert (first["n_queries"], first["losses"], first["ties"], first["wins"]) == ("20", "6", "13", "1")
    assert (first["n_units"], first["minimum_detectable"], first["note"]) == ("15", "0.125000", row.note)
    assert second["minimum_detectable"] == "" and second["model"] == ROWS[1].model
    assert ";0,125000;" in (tmp_path / "cells.excel.csv").read_text(encoding="utf-8-sig")
