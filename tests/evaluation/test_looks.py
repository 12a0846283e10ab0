import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pytest

from perturb.evaluation.looks import Looks, count_look, recall_looks, sentence, state_folder
from perturb.golden.held_out import HeldOut


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PERTURB_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


def _seen(part: str = "test", ids: Sequence[str] = ("a", "b", "c", "d"), *, whole: bool = False) -> HeldOut:
    return HeldOut(part, whole, len(ids), tuple(sorted(ids)))


def test_each_look_at_the_held_out_part_counts(state: Path) -> None:
    assert count_look(_seen(), "abc", "firma", "s1") == Looks("test", 1, 1)
    assert count_look(_seen(), "abc", "firma", "s1") == Looks("test", 2, 1)
    assert count_look(_seen(), "abc", "firma", "s2") == Looks("test", 3, 2)
    assert count_look(_seen(ids=("x", "y")), "def", "other", "s1") == Looks("test", 1, 1)
    assert recall_looks(_seen(), "abc") == Looks("test", 3, 2)
    lines = [json.loads(line) for line in (state / "looks.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 4 and set(lines[0]) == {"golden_set", "name", "part", "settings", "at", "queries"}


def test_what_was_not_held_out_is_not_counted(state: Path) -> None:
    assert count_look(None, "abc", "firma", "s1") is None
    assert recall_looks(None, "abc") is None
    assert not state.exists()


@pytest.mark.parametrize(
    ("part", "ids"),
    [
        ("test", "abcd"),  # the corpus changed, the queries did not
        ("test", "abcde"),  # a query more
        ("test", "abc"),  # a query less
        ("test", "abcx"),  # a query put in other words
        ("final", "abcd"),  # the part was renamed
    ],
)
def test_a_held_out_part_stays_the_same_whatever_changes_around_it(part: str, ids: str) -> None:
    for number in range(5):
        count_look(_seen(), "abc", "firma", f"s{number}")
    found = count_look(_seen(part, ids), "another hash", "renamed", "s5")
    assert found == Looks(part, 6, 6)
    assert count_look(_seen(part, "efgh"), "another hash", "renamed", "s5") != Looks(part, 7, 6)


def test_a_look_at_the_whole_golden_set_is_a_look_at_its_held_out_part() -> None:
    assert count_look(_seen(), "part", "firma", "s1") == Looks("test", 1, 1)
    whole = count_look(_seen(whole=True), "whole", "firma", "s2")
    assert whole == Looks("test", 2, 2, whole=True)
    assert count_look(_seen(), "part", "firma", "s3") == Looks("test", 3, 3)
    assert "all of the golden set, held-out test included; look number 2" in sentence(None, whole)


@pytest.mark.parametrize("changed", [0, 40, 400])
def test_large_parts_are_compared_by_a_sketch(changed: int) -> None:
    def prints(ids: range) -> list[str]:
        return [sha256(str(i).encode()).hexdigest()[:16] for i in ids]

    count_look(_seen(ids=prints(range(4000))), "abc", "firma", "s1")
    assert count_look(_seen(ids=prints(range(changed, 4000 + changed))), "x", "firma", "s1") == Looks("test", 2, 1)
    assert count_look(_seen(ids=prints(range(3800, 8000))), "y", "firma", "s1") == Looks("test", 1, 1)
    assert len((state_folder() / "looks.jsonl").read_text(encoding="utf-8")) < 3 * 256 * 24


def test_looks_counted_before_queries_were_remembered_still_count(state: Path) -> None:
    state.mkdir()
    old = {"golden_set": "abc", "name": "firma", "part": "test", "settings": "s0", "at": "2026-01-01T00:00:00+00:00"}
    (state / "looks.jsonl").write_text(json.dumps(old) + "\n", encoding="utf-8")
    assert count_look(_seen(), "abc", "firma", "s1") == Looks("test", 2, 2)


def test_a_state_folder_that_cannot_be_written_never_fails_a_run(state: Path) -> None:
    state.write_text("a file, not a folder", encoding="utf-8")
    looks = count_look(_seen(), "abc", "firma", "s1")
    assert looks is not None and looks.count is None and looks.problem
    assert "could not be counted" in sentence("test", looks)
    again = recall_looks(_seen(), "abc")
    assert again is not None and again.count is None


def test_a_line_cut_by_a_crash_counts_as_none(state: Path) -> None:
    state.mkdir()
    (state / "looks.jsonl").write_text('{"golden_set": "abc", "pa\n[1]\n\n', encoding="utf-8")
    assert count_look(_seen(), "abc", "firma", "s1") == Looks("test", 1, 1)


def test_where_looks_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert state_folder() == tmp_path / "state"
    monkeypatch.delenv("PERTURB_STATE")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    assert state_folder() == tmp_path / "xdg" / "perturb"
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert state_folder() == tmp_path / "home" / ".local" / "state" / "perturb"


def test_the_sentence_names_the_part_and_how_fresh_it_is() -> None:
    assert "all of the golden set" in sentence(None, None)
    assert sentence("dev", None) == "Part used: dev."
    assert "first look" in sentence("test", Looks("test", 1, 1))
    assert "look number 3" in sentence("test", Looks("test", 3, 2)) and "2 different" in sentence(
        "test", Looks("test", 3, 2)
    )
    assert "1 combination of models" in sentence("test", Looks("test", 2, 1))
