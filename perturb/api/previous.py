"""A folder that holds an earlier run: its files are set aside, lest they pass for those of a run that was killed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from perturb.errors import PerturbError

FOLDER = "previous"
"""Where the files of the earlier run lie while the later one is at work: a whole run that every subcommand reads."""

_OUTPUTS = (
    "run.json",
    "report.html",
    "report.md",
    "gate.md",
    "drops.csv",
    "drops.excel.csv",
    "cells.csv",
    "cells.excel.csv",
    "scores.parquet",
    "query_tokens.json",
    "query_shift.json",
    "runs",
    "variants.jsonl",
)


@contextmanager
def replaced(out: Path) -> Iterator[None]:
    """Write a run over an earlier one, which is put back if this one is refused.

    Args:
        out: folder of the run that begins.
    """
    moved = set_aside(out)
    try:
        yield
    except PerturbError:
        if moved:
            put_back(out)
        raise
    forget(out)


def set_aside(out: Path) -> bool:
    """Move the files of a finished run to :data:`FOLDER`; remove what a run that did not finish left behind.

    What a killed run keeps to go on from (``.resume``) stays where it is, and so does everything that is not ours.

    Args:
        out: folder of the run that begins.

    Returns:
        Whether there was a finished run.
    """
    finished = (out / "run.json").exists()
    previous = out / FOLDER
    if finished:
        shutil.rmtree(previous, ignore_errors=True)
        previous.mkdir()
    for name in _OUTPUTS:
        path = out / name
        if finished and path.exists():
            path.rename(previous / name)
        elif path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    return finished


def put_back(out: Path) -> None:
    """Put the files of the earlier run where they were, in place of what a refused one left."""
    previous = out / FOLDER
    for name in _OUTPUTS:
        path = out / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
        if (previous / name).exists():
            (previous / name).rename(path)
    forget(out)


def forget(out: Path) -> None:
    """The later run is finished; the earlier one is what it replaces."""
    shutil.rmtree(out / FOLDER, ignore_errors=True)
