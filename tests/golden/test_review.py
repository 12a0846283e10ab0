"""A review sheet comes back from a spreadsheet with every decision, and no cell runs as a formula."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.errors import ConfigError, GoldenSetError
from perturb.golden.review import (
    COLUMNS,
    Decision,
    append_decisions,
    apply_decisions,
    export_review,
    guard,
    mark_edits,
    read_decisions,
    read_review,
    unguard,
)
from perturb.records import Edit, Query, Variant, replay

QUERIES = (Query("q1", "=suma faktur; „netto”"), Query("q2", "urlop"))
VARIANTS = (
    Variant("q1", "q1", "original", "original", "=suma faktur; „netto”"),
    Variant(
        "v1", "q1", "case", "gen", "=sumy faktur; „netto”", (Edit(1, 5, "suma", "sumy"),), flags=frozenset({"b", "a"})
    ),
    Variant("v2", "q2", "typo", "skip", "ulop", (Edit(1, 2, "r", ""),)),
    Variant("v3", "q2", "typo", "double", "urrlop", (Edit(1, 1, "", "r"),)),
    Variant("v4", "q2", "llm", "free", "dni wolne"),
)


def rows(path: Path, sep: str) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream, delimiter=sep))


def fill(path: Path, sep: str, **filled: dict[str, str]) -> None:
    """What a reviewer does, by variant id."""
    read = rows(path, sep)
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, delimiter=sep)
        writer.writeheader()
        for row in read:
            writer.writerow({**row, **filled.get(row["variant_id"], {})})


@pytest.mark.parametrize("sep", ["\t", ";", ","])
@pytest.mark.parametrize("bom", [False, True])
def test_sheet(tmp_path: Path, sep: str, bom: bool) -> None:
    path = tmp_path / "sheet.csv"
    assert export_review(VARIANTS, QUERIES, path, sep=sep, bom=bom) == 4
    assert path.read_bytes().startswith(b"\xef\xbb\xbf") == bom
    sheet = rows(path, sep)
    assert sheet[0] == {
        "variant_id": "v1", "query": "'=suma faktur; „netto”", "text": "'=[suma→sumy] faktur; „netto”",
        "perturbation": "case", "kind": "gen", "flags": "a b", "decision": "", "edited_text": "", "comment": "",
    }  # fmt: skip
    assert [row["text"] for row in sheet[1:]] == ["u[r→]lop", "u[→r]rlop", "dni wolne"]
    assert read_review(path) == []


@pytest.mark.parametrize("sep", ["\t", ";", ","])
def test_decisions_come_back(tmp_path: Path, sep: str) -> None:
    path = tmp_path / "sheet.csv"
    export_review(VARIANTS, QUERIES, path, sep=sep)
    fill(
        path, sep, v1={"decision": " OK ", "comment": "dobrze; \"tak\", 'no'\nwiersz"}, v2={"decision": "nie"},
        v3={"decision": "edit", "edited_text": "'=urlopy"}, v4={"edited_text": "u\u00adrlopy"},
    )  # fmt: skip
    decisions = read_review(path)
    assert decisions == [
        Decision("v1", "accept", "", "dobrze; \"tak\", 'no'\nwiersz"),
        Decision("v2", "reject"),
        Decision("v3", "edit", "=urlopy"),
        Decision("v4", "edit", "urlopy"),
    ]
    again = tmp_path / "again.csv"
    export_review(
        VARIANTS, QUERIES, again, sep=sep, decisions={decision.variant_id: decision for decision in decisions}
    )
    assert read_review(again) == decisions


def test_applied(tmp_path: Path) -> None:
    decided = {
        "v1": Decision("v1", "accept"),
        "v2": Decision("v2", "reject"),
        "v3": Decision("v3", "edit", "urlopy"),
        "q9": Decision("q9", "reject"),
    }
    reviewed = list(apply_decisions(VARIANTS, QUERIES, decided))
    assert [variant.variant_id for variant in reviewed] == ["q1", "v1", "v3", "v4"]
    assert reviewed[1] is VARIANTS[1]
    assert (reviewed[2].text, reviewed[2].edits) == ("urlopy", (Edit(5, 5, "", "y"),))


@given(before=st.text("ab ą", max_size=8), after=st.text("ab ą", max_size=8))
def test_edited_text_replays(before: str, after: str) -> None:
    variant = Variant("v", "q", "typo", "x", before)
    (edited,) = apply_decisions([variant], [Query("q", before)], {"v": Decision("v", "edit", after)})
    assert replay(before, edited.edits) == after


@given(st.text("'=+-@\t\ra", max_size=6))
def test_guard_is_undone_and_guards(cell: str) -> None:
    assert unguard(guard(cell)) == cell
    assert guard(cell)[:1] not in tuple("=+-@\t\r")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("variant_id;text\nv1;x\n", r":1: has no column 'decision'"),
        ("variant_id;decision\nv1;może\n", r":2: decision 'może' is none of accept"),
        ("variant_id;decision;edited_text\nv1;edit;\n", r":2: 'v1' is to be edited, but edited_text is empty"),
        ("variant_id;decision\n;ok\n", r":2: has a decision but no variant_id"),
        ("variant_id;decision\nv1;" + "x" * 200_000 + "\n", r"not a readable row"),
    ],
)
def test_unusable_sheet(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(GoldenSetError, match=message):
        read_review(path)


def test_unusable_separator(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"separator '\|'"):
        export_review(VARIANTS, QUERIES, tmp_path / "x", sep="|")


def test_nothing_is_lost_on_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "made" / "decisions.jsonl"
    assert read_decisions(path) == {}
    append_decisions([Decision("v1", "accept"), Decision("v2", "reject", comment="źle")], path)
    whole = path.read_bytes()
    for cut in range(len(whole) // 2 + 10, len(whole)):
        path.write_bytes(whole[:cut])
        append_decisions([Decision("v3", "edit", "żółw"), Decision("v1", "reject")], path)
        decisions = read_decisions(path)
        assert decisions["v1"].decision == "reject"
        assert decisions["v3"] == Decision("v3", "edit", "żółw")
        assert set(decisions) <= {"v1", "v2", "v3"}
    path.write_bytes(whole + b'{"variant": 1}\n')
    with pytest.raises(GoldenSetError, match=r"decisions\.jsonl:3: is not a decision"):
        read_decisions(path)


def test_mark_nothing() -> None:
    assert mark_edits("urlop", ()) == "urlop"
