"""Lexicons, their manifest, and rows of one's own."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from perturb import lexicon
from perturb.errors import ConfigError, PerturbError
from perturb.resources import resource

HEADER = "# Things.\n# Source: own compilation. Licence: CC0-1.0.\n"
FILES = sorted(resource("lexicons").glob("*.tsv"))


def write(folder: Path, text: str, name: str = "things.tsv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_manifest_fits_the_files() -> None:
    assert lexicon.stale() == []
    assert {path.name for path in FILES} == set(lexicon.read_manifest())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_are_nfc_without_duplicates(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert unicodedata.is_normalized("NFC", text)
    assert text.startswith("#")
    rows = [tuple(row.cells.values()) for row in lexicon.read_rows(path)]
    assert len(rows) == len(set(rows))


@pytest.mark.parametrize("name", ["english_terms.tsv", "loanwords.tsv"])
def test_files_are_sorted(name: str) -> None:
    keys = [tuple(row.cells.values())[:2] for row in lexicon.read_rows(resource("lexicons", name))]
    assert keys == sorted(keys)


def test_hashes_cover_every_lexicon() -> None:
    hashes = lexicon.lexicon_hashes()
    assert set(hashes) == {path.name for path in FILES}
    assert all(len(digest) == 64 for digest in hashes.values())
    assert hashes == {name: entry.sha256 for name, entry in lexicon.read_manifest().items()}


def test_manifest_written_and_found_stale(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + "a\tb\n1\t2\n")
    assert lexicon.stale(tmp_path) == ["things.tsv is not in the manifest"]
    lexicon.write_manifest(tmp_path)
    entry = lexicon.read_manifest(tmp_path)["things.tsv"]
    assert (entry.licence, entry.source, entry.entries) == ("CC0-1.0", "own compilation", 1)
    assert lexicon.stale(tmp_path) == []
    path.write_text(HEADER + "a\tb\n1\t3\n", encoding="utf-8")
    assert lexicon.stale(tmp_path) == ["things.tsv differs from the manifest"]
    path.unlink()
    assert lexicon.stale(tmp_path) == ["things.tsv is in the manifest but missing"]


def test_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, HEADER + "a\tb\n1\t2\n")
    monkeypatch.setattr(lexicon, "resource", lambda kind, name="": tmp_path / name)
    assert lexicon.main([]) == 1
    assert "python -m perturb.lexicon --write" in capsys.readouterr().err
    assert lexicon.main(["--write"]) == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (HEADER + "a\tb\n1\n", r"things\.tsv:4: 1 columns where the header has 2"),
        (HEADER + "a\tb\n1\t2\t3\n", r"things\.tsv:4: 3 columns"),
    ],
)
def test_a_wrong_row_is_told_by_line(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        lexicon.read_rows(write(tmp_path, content))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        lexicon.read_rows(tmp_path / "none.tsv")
    (tmp_path / "latin.tsv").write_bytes("pl\ten\nź\tx\n".encode("cp1250"))
    with pytest.raises(ConfigError, match="not UTF-8"):
        lexicon.read_rows(tmp_path / "latin.tsv")
    with pytest.raises(PerturbError, match="names no licence"):
        lexicon.describe(write(tmp_path, "a\tb\n1\t2\n"))


def test_own_rows_come_first(tmp_path: Path) -> None:
    path = write(tmp_path, "pl\ten\nsprawa\tcase\n", "english_terms.tsv")
    for extra in (path, tmp_path):
        rows = lexicon.rows_of("english_terms.tsv", (extra,))
        assert rows[0].cells == {"pl": "sprawa", "en": "case"}
        assert rows[0].place.endswith("english_terms.tsv:2")
    (tmp_path / "other").mkdir()
    assert len(lexicon.rows_of("english_terms.tsv", (tmp_path / "other",))) == len(rows) - 1
    with pytest.raises(ConfigError, match="does not exist"):
        lexicon.rows_of("english_terms.tsv", (tmp_path / "nowhere",))
