"""Errors a caller can mend. Each message is one line: what is wrong, where, and how to mend it."""

from __future__ import annotations

from pathlib import Path


class PerturbError(Exception):
    """The caller's mistake, told in one line; the command line prints it and exits with 2."""


class ConfigError(PerturbError):
    """A setting, flag or name that does not exist or does not fit."""


class GoldenSetError(PerturbError):
    """A golden set or suite file that cannot be read as it stands."""


class RetrieverError(PerturbError):
    """A model that cannot be loaded or gives unusable vectors; the other models go on without it."""


class MeasureError(PerturbError):
    """A measure that does not exist, or scores from which no mean may be taken."""


def at(path: Path | str, line: int | None = None) -> str:
    """Name a place as ``file:line``, the form editors and terminals turn into a link."""
    return f"{path}:{line}" if line is not None else str(path)
