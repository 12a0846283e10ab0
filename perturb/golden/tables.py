"""Rows of JSON Lines, JSON and delimited files, with their lines, under the names perturb gives the columns."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, cast

from perturb.golden.dialects import Columns, Dialect, shorten, try_split
from perturb.golden.findings import Findings
from perturb.golden.source import Line
from perturb.wording import counted

_MALFORMED_LINES_BEFORE_GIVING_UP = 20
_LINES_IN_ONE_CELL = 1000
_LOOKS_QUOTED = re.compile(r'"(?:[^"]|"")*""(?:[^"]|"")*"')


class Row(NamedTuple):
    """One row: its line (``None`` inside a JSON document) and its values by role."""

    line: int | None
    cells: Mapping[str, object]


def json_lines(lines: Iterable[Line], columns: Columns, path: Path, findings: Findings) -> Iterator[Row]:
    """Rows of a file with one JSON object a line. Malformed lines are findings; after 20 the file is given up."""
    malformed = 0
    for number, line in lines:
        if not line.strip():
            continue
        row, problem = _json_object(line)
        if row is not None:
            yield Row(number, rename(row, columns))
            continue
        malformed += 1
        if malformed == _MALFORMED_LINES_BEFORE_GIVING_UP:
            findings.unreadable(
                path, number, "not-json", f"{problem}; the {malformed}th such line, the rest is not read"
            )
            return
        findings.error(path, number, "not-json", f"{problem}; one JSON object a line is expected")
        findings.unread.add(str(path))


def _json_object(line: str) -> tuple[Mapping[str, object] | None, str]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        cut = line.lstrip().startswith("{") and not line.rstrip().endswith("}")
        what = "the line is cut off" if cut else "is not JSON"
        return None, f"{what}: {error.msg} at column {error.colno} of {shorten(line)}"
    except (ValueError, RecursionError):
        return None, f"is not usable JSON (nested too deep or a number too long): {shorten(line)}"
    if isinstance(row, dict):
        return row, ""
    return None, f"is JSON but not an object: {shorten(line)}"


def rename(row: Mapping[str, object], columns: Columns) -> dict[str, object]:
    """The values of a JSON object by role; an absent column is an absent key."""
    cells: dict[str, object] = {}
    for role, names in columns.items():
        for name in names:
            if name in row:
                cells[role] = row[name]
                break
    return cells


def delimited(lines: Iterable[Line], dialect: Dialect, path: Path, findings: Findings) -> Iterator[Row]:
    """Rows of a delimited file. A row with too few or too many cells is a finding and is left out.

    Unless the dialect has quotes, cells are kept byte for byte. A quoted cell may hold the separator, doubled quotes
    and line breaks (RFC 4180).
    """
    width = len(dialect.roles)
    for number, cells, problem in _records(iter(lines), dialect):
        if problem:
            findings.error(path, number, "quoting", problem)
        elif not any(map(str.strip, cells)):
            continue
        elif len(cells) == width or (not any(cells[width:]) and len(cells) > width):
            if not dialect.quoted and any(map(_LOOKS_QUOTED.fullmatch, cells)):
                message = "a cell looks quoted as in CSV; quotes are kept, because cells between tabs need none"
                findings.warning(path, number, "quotes-kept", message)
            yield Row(number, {role: cell for role, cell in zip(dialect.roles, cells, strict=False) if role})
        else:
            hint = "quote cells that contain the separator" if len(cells) > width else "is its text broken over lines?"
            content = shorten(dialect.separator.join(cells))
            message = f"has {counted(len(cells), 'column')} where {width} are expected: {content}; {hint}"
            findings.error(path, number, "columns", message)


def _records(lines: Iterator[Line], dialect: Dialect) -> Iterator[tuple[int, list[str], str]]:
    """Line, cells and problem of each record, which spans several lines where a quoted cell does."""
    waiting: deque[Line] = deque()
    while waiting or (following := next(lines, None)) is not None:
        number, line = waiting.popleft() if waiting else cast("Line", following)
        if not line.strip():
            continue
        cells, problem = try_split(line, dialect.separator, dialect.quoted)
        taken: list[Line] = []
        while cells is None and not problem and len(taken) < _LINES_IN_ONE_CELL:
            if (more := waiting.popleft() if waiting else next(lines, None)) is None:
                break
            taken.append(more)
            if '"' in more[1]:
                text = "\n".join((line, *(text for _, text in taken)))
                cells, problem = try_split(text, dialect.separator, dialect.quoted)
        if cells is None and (taken or not problem):
            waiting.extendleft(reversed(taken))
            problem = f"a quote is opened and not closed as CSV asks: {shorten(line)}; double it or separate by tabs"
        yield number, cells or [], problem
