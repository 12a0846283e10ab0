import json
from pathlib import Path

import pytest

from perturb.evaluation.looks import Looks, count_look, recall_looks, sentence, state_folder


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PERTURB_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


def test_each_look_at_the_held_out_part_counts(state: Path) -> None:
    assert count_look("abc", "firma", "test", "s1") == Looks("test", 1, 1)
    assert count_look("abc", "firma", "test", "s1") == Looks("test", 2, 1)
    assert count_look("abc", "firma", "test", "s2") == Looks("test", 3, 2)
    assert count_look("def", "other", "test", "s1") == Looks("test", 1, 1)
    assert recall_looks("abc", "test") == Looks("test", 3, 2)
    lines = [json.loads(line) for line in (state / "looks.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 4 and set(lines[0]) == {"golden_set", "name", "part", "settings", "at"}


@pytest.mark.parametrize("part", [None, "dev", "train"])
def test_other_parts_are_not_counted(part: str | None, state: Path) -> None:
    assert count_look("abc", "firma", part, "s1") is None
    assert recall_looks("abc", part) is None
    assert not state.exists()


def test_a_state_folder_that_cannot_be_written_never_fails_a_run(state: Path) -> None:
    state.write_text("a file, not a folder", encoding="utf-8")
    looks = count_look("abc", "firma", "test", "s1")
    assert looks is not None and looks.count is None and looks.problem
    assert "could not be counted" in sentence("test", looks)
    again = recall_looks("abc", "test")
    assert again is not None and again.count is None


def test_a_line_cut_by_a_crash_counts_as_none(state: Path) -> None:
    state.mkdir()
    (state / "looks.jsonl").write_text('{"golden_set": "abc", "pa\n[1]\n\n', encoding="utf-8")
    assert count_look("abc", "firma", "test", "s1") == Looks("test", 1, 1)


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
