"""Standard streams that are closed, unread, full, or in an encoding that lacks letters."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def prepare() -> None:
    """Let no stream end a run: letters that its encoding lacks become escapes, a closed one swallows what it gets."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  # as long as we run
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def reader_has_gone(error: BaseException) -> bool:
    """Whether an exception comes of a reader that stopped, as ``head`` does; libraries make SystemExit of it."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, BrokenPipeError):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


def silence() -> None:
    """Send what is still to be written to nowhere, so that nothing complains when the process ends."""
    for stream in (sys.__stdout__, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextmanager
def even_if_unread() -> Iterator[None]:
    """Go on behind this block although nobody reads what it printed: the exit code still has to tell the finding."""
    try:
        yield
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit) as error:
        if not reader_has_gone(error):
            raise
        silence()


def readable(text: str) -> str:
    """An argument as it was typed, where the locale could not decode it: bytes that are UTF-8 are read as such."""
    if not any("\udc80" <= char <= "\udcff" for char in text):
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        return text
