"""The output folder: writable, and of one run at a time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from perturb.errors import ConfigError
from perturb.report import files

pytest.importorskip("fcntl", reason="no flock here")

HOLD = """
import sys
from pathlib import Path
from perturb.report.files import alone_in
with alone_in(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_two_runs_cannot_write_into_one_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-c", HOLD, str(out)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(ConfigError, match="another run is writing there"), files.alone_in(out):
            pass
        with files.alone_in(tmp_path / "elsewhere"):
            pass
        other.kill()
        other.wait()
    with files.alone_in(out):
        assert list(out.iterdir()) == []


def test_steps_of_one_run_share_its_folder(tmp_path: Path) -> None:
    with files.alone_in(tmp_path), files.alone_in(tmp_path / "." / ""):
        pass
    with pytest.raises(BlockingIOError), files.alone_in(tmp_path):
        raise BlockingIOError
    with files.alone_in(tmp_path):
        pass


def test_a_folder_that_cannot_be_written_is_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(ConfigError, match="cannot be written; give a folder that you may write"):
        files.writable_folder(tmp_path)
    (tmp_path / "file").write_text("", encoding="utf-8")
    for place in ("file", "file/below"):
        with pytest.raises(ConfigError, match="is a file; give a folder"):
            files.writable_folder(tmp_path / place)
