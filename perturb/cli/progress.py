"""Progress: a bar with an ETA on a terminal, one line a step elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_EVERY_SECONDS = 15.0


@contextmanager
def progress(quiet: bool = False) -> Iterator[Callable[[str, int, int], None]]:
    """Give a function that is told what is being done, how much is done and how much there is."""
    if quiet:
        yield lambda _what, _done, _total: None
    elif sys.stderr.isatty():
        with _bar() as told:
            yield told
    else:
        yield _lines()


@contextmanager
def _bar() -> Iterator[Callable[[str, int, int], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, object] = {}

        def told(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=total)
            bars.update(tasks[what], completed=done, total=total)  # type: ignore[arg-type]  # TaskID is an int

        yield told


def _lines() -> Callable[[str, int, int], None]:
    last: dict[str, float] = {}

    def told(what: str, done: int, total: int) -> None:
        now = time.monotonic()
        finished = done >= total
        if finished or now - last.setdefault(what, now) > _EVERY_SECONDS:
            last[what] = now
            print(f"{what}: {done} of {total}", file=sys.stderr, flush=True)  # noqa: T201

    return told
