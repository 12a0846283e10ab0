"""Files are whole or not there, whatever happens to the process that writes them."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from perturb.files import replacing


def write(path: Path, text: str) -> None:
    with replacing(path) as partial:
        partial.write_text(text, encoding="utf-8")


def test_folders_are_made_and_the_file_takes_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "żółw.txt"
    write(path, "1")
    write(path, "2")
    assert path.read_text(encoding="utf-8") == "2"
    assert [found.name for found in path.parent.iterdir()] == ["żółw.txt"]


def test_a_failure_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write(path, "before")
    with pytest.raises(KeyError), replacing(path) as partial:
        partial.write_text("half", encoding="utf-8")
        raise KeyError
    assert path.read_text(encoding="utf-8") == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_writer_left_is_removed_and_what_a_living_one_writes_is_not(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "pass"]) as process:
        process.wait()
    start = f".file.{platform.node()}-"
    gone = tmp_path / f"{start}{process.pid}.partial"
    alive = tmp_path / f"{start}{os.getppid()}.partial"
    elsewhere = tmp_path / f".file.elsewhere-{process.pid}.partial"
    other = tmp_path / f".other.{platform.node()}-{process.pid}.partial"
    for path in (gone, alive, elsewhere, other):
        path.write_text("half", encoding="utf-8")
    write(tmp_path / "file", "whole")
    assert set(tmp_path.iterdir()) == {tmp_path / "file", alive, elsewhere, other}


@pytest.mark.parametrize("place", ["taken/file", "folder"])
def test_an_error_names_the_file_and_not_the_temporary_one(tmp_path: Path, place: str) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match=r"taken|folder") as caught:
        write(tmp_path / place, "x")
    assert "partial" not in str(caught.value)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with pytest.raises(OSError, match="No space left on device") as caught, replacing(path) as partial:
        partial.symlink_to("/dev/full")
        partial.write_text("x" * 100_000, encoding="utf-8")
    assert caught.value.filename == str(path)
    assert list(tmp_path.iterdir()) == []
