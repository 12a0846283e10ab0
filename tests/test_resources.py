from pathlib import Path

import pytest

from perturb.errors import PerturbError
from perturb.resources import read_table, resource


def test_what_is_missing_is_named() -> None:
    with pytest.raises(PerturbError, match=r"lexicons/none\.tsv is missing from this installation"):
        resource("lexicons", "none.tsv")


def test_comments_and_blank_lines_are_skipped_and_columns_counted(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("# źródło\na\tb\n\n1\tż\n", encoding="utf-8")
    assert read_table("t.tsv", folder=tmp_path) == [{"a": "1", "b": "ż"}]
    (tmp_path / "t.tsv").write_text("a\tb\n1\n", encoding="utf-8")
    with pytest.raises(PerturbError, match=r"t\.tsv:2: 1 columns, the header has 2"):
        read_table("t.tsv", folder=tmp_path)
