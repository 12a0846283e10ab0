"""Closed, unread and full streams, signals, and locales that cannot decode what was typed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from perturb.cli.main import main
from perturb.cli.streams import readable, reader_has_gone
from tests.golden_sets import write_golden_set

PERTURB = [sys.executable, "-m", "perturb"]


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_golden_set(tmp_path_factory.mktemp("office"))


def unread(arguments: list[str]) -> tuple[int, str]:
    """Run with a standard output that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*PERTURB, *arguments], stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    return done.returncode, done.stderr


def gate(office: Path, out: Path) -> list[str]:
    flags = ["--models", "bm25", "--perturbations", "diacritics", "--resamples", "100", "--out", str(out), "--quiet"]
    return ["run", str(office), *flags, "--min-clean", "1"]


def test_an_unread_output_is_no_error(tmp_path: Path) -> None:
    phrases = tmp_path / "phrases.txt"
    phrases.write_text("umowa najmu\n" * 200, encoding="utf-8")
    for arguments in (["perturbations"], ["show", "umowa najmu"], ["inflect", "--file", str(phrases), "--json"]):
        assert unread(arguments) == (0, "")


def test_an_unread_output_hides_no_finding(office: Path, tmp_path: Path) -> None:
    assert unread(gate(office, tmp_path / "out")) == (1, "")
    (office / "queries.jsonl").read_text(encoding="utf-8")
    broken = write_golden_set(tmp_path / "broken", qrels=[("q9", "d1", 1)])
    assert unread(["check", str(broken)]) == (1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [["perturbations"], ["show", "umowa"], ["inflect", "umowa"]])
def test_a_full_disk_behind_the_output_ends_in_one_line(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*PERTURB, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "perturb: output: No space left on device; make room or give another place\n"


@pytest.mark.parametrize("closed", ["1", "2"])
def test_closed_streams_stop_no_run(office: Path, tmp_path: Path, closed: str) -> None:
    command = " ".join([*PERTURB, *gate(office, tmp_path / "out")[:-2]]).replace(" --quiet", "")
    done = subprocess.run(["sh", "-c", f"{command} {closed}>&-"], capture_output=True, check=False)
    assert done.returncode == 0
    assert (tmp_path / "out" / "report.html").exists()


def _heeds_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_an_interruption_is_told_and_exits_130(tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [*PERTURB, "generate", "firma", "--out", str(out), "--perturbations", "case_in_frame,typo,spelling,case"]
    pipes = {"stderr": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    # A job in the background of a shell ignores the interrupt, and its children with it; a terminal's does not.
    with subprocess.Popen([*command, "--quiet"], **pipes, preexec_fn=_heeds_interrupts) as process:
        deadline = time.monotonic() + 30
        while not out.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 130
    assert errors == "perturb: interrupted; finished work is kept, the same command goes on from there\n"
    assert list(out.iterdir()) == []


def test_arguments_of_a_locale_without_letters_are_read_as_utf8() -> None:
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "utf-8"}
    for arguments in (["show", "żółta łódź", "--perturbations", "diacritics.strip"], ["inflect", "żółta łódź"]):
        done = subprocess.run([*PERTURB, *arguments], capture_output=True, env=environment, check=False)
        assert done.returncode == 0, done.stderr
        assert "żółta łódź" in done.stdout.decode()
    mangled = "żółw".encode().decode("ascii", "surrogateescape")
    assert readable(mangled) == "żółw"
    assert readable("żółw") == "żółw"
    assert readable("\udcff") == "\udcff"


def test_half_a_character_is_still_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "umowa \ud83d"]) == 2
    assert "half a character" in capsys.readouterr().err


def test_only_a_reader_that_left_is_forgiven() -> None:
    left = SystemExit(1)
    left.__context__ = BrokenPipeError()
    assert reader_has_gone(left)
    assert reader_has_gone(BrokenPipeError())
    assert not reader_has_gone(SystemExit(1))
    assert not reader_has_gone(OSError("full"))


@pytest.mark.parametrize("place", ["FILE", "FILE/v.jsonl", "FILE/below/v.jsonl"])
def test_a_place_that_cannot_be_written_is_refused_before_the_work(
    office: Path, tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    where = place.replace("FILE", str(tmp_path / "file"))
    assert main(["generate", str(office), "--out", where, "--quiet"]) == 2
    assert "is a file; give a folder" in capsys.readouterr().err


def test_a_folder_with_the_ending_of_a_file_gets_the_file(office: Path, tmp_path: Path) -> None:
    (tmp_path / "old.jsonl").mkdir()
    assert main(["generate", str(office), "--out", str(tmp_path / "old.jsonl"), "--quiet"]) == 0
    assert (tmp_path / "old.jsonl" / "variants.jsonl").exists()
