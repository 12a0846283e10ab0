"""How a delimited file is written: its separator, header and quotes, told from its first line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from perturb.errors import ConfigError

Columns = Mapping[str, tuple[str, ...]]
"""Role of a column (``id``, ``text``, …) to the names it goes by in files, casefolded, the usual one first."""

SEPARATORS = ("\t", ";", ",", "|")
# Possessive, because an unclosed quote would otherwise be tried in exponentially many ways.
_QUOTED = re.compile(r'"((?:[^"]++|"")*+)"')
_ALL_QUOTED = re.compile(r'"[^"\t]*"(?:\t"[^"\t]*")*')
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_SHOWN = 40


def has_half_character(text: str) -> bool:
    """Whether a text has a lone surrogate, which JSON can escape but UTF-8 cannot hold."""
    return _HALF_CHARACTER.search(text) is not None


def shorten(text: str) -> str:
    """Quote the beginning of a text for a one-line message."""
    return ascii_surrogates(repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"))


def ascii_surrogates(text: str) -> str:
    """Escape halves of surrogate pairs, which no terminal or file accepts."""
    return _HALF_CHARACTER.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def known_separator(name: str | None) -> str | None:
    """The separator a caller means: one character, or ``tab``.

    Raises:
        ConfigError: it cannot separate cells.
    """
    if name is None:
        return None
    separator = {"tab": "\t", "\\t": "\t"}.get(name, name)
    if len(separator) != 1 or separator in '"\r\n' or separator.isalnum():
        raise ConfigError(f"{name!r} cannot separate cells; name one character, such as ';' or tab")
    return separator


class Dialect(NamedTuple):
    """How a delimited file is written.

    Attributes:
        separator: the character between cells; empty for runs of white space.
        roles: role of each column, ``None`` for those that are not used.
        has_header: whether the first line names the columns.
        quoted: whether cells may be quoted as in RFC 4180; between tabs only if all of the first line are.
    """

    separator: str
    roles: tuple[str | None, ...]
    has_header: bool
    quoted: bool = True


class DialectError(ValueError):
    """The first line fits no way of writing the table; the message says why."""


def header_roles(cells: Sequence[str], columns: Columns) -> tuple[str | None, ...]:
    """Role of each cell of a header line; each role is given once."""
    roles: list[str | None] = []
    for cell in cells:
        name = cell.strip().strip('"').strip().casefold()
        role = next((role for role, names in columns.items() if name in names and role not in roles), None)
        roles.append(role)
    return tuple(roles)


def find_dialect(
    first: str,
    columns: Columns,
    orders: Mapping[int, tuple[str | None, ...]],
    required: frozenset[str],
    sep: str | None,
) -> Dialect:
    """Tell separator and header from the first line, by content.

    Args:
        first: the first line that is neither blank nor a comment.
        columns: the names that columns may have.
        orders: for files without header: number of cells to the roles of the columns.
        required: roles that a header must name.
        sep: separator given by the caller, used if the line has it; ``None`` to find it.

    Raises:
        DialectError: no separator fits, several fit, or the header lacks a required column.
    """
    candidates = [sep] if sep and sep in first else [separator for separator in SEPARATORS if separator in first]
    quoted = {separator: separator != "\t" or _ALL_QUOTED.fullmatch(first) is not None for separator in candidates}
    split = {separator: try_split(first, separator, quoted[separator])[0] or [first] for separator in candidates}
    for separator, cells in split.items():
        roles = header_roles(cells, columns)
        if required <= set(roles):
            return Dialect(separator, roles, has_header=True, quoted=quoted[separator])
    for cells in split.values() if split else [[first]]:
        _refuse_partial_header(first, cells, columns, required)
    widths = {separator: _width(cells, orders) for separator, cells in split.items()}
    fitting = [separator for separator, width in widths.items() if width in orders]
    if "\t" in fitting or len(fitting) == 1:
        separator = "\t" if "\t" in fitting else fitting[0]
        return Dialect(separator, orders[widths[separator]], has_header=False, quoted=quoted[separator])
    if fitting:
        separators = " or ".join(map(repr, fitting))
        raise DialectError(f"{shorten(first)} can be split at {separators}; name the separator (sep)")
    expected = " or ".join(map(str, sorted(orders)))
    raise DialectError(f"{shorten(first)} does not have {expected} columns; add a header or name the separator (sep)")


def _width(cells: Sequence[str], orders: Mapping[int, tuple[str | None, ...]]) -> int:
    """Number of cells; empty ones at the end do not count if the others make a row."""
    used = len(cells)
    while used > 0 and used not in orders and not cells[used - 1].strip():
        used -= 1
    return used


def _refuse_partial_header(first: str, cells: Sequence[str], columns: Columns, required: frozenset[str]) -> None:
    roles = header_roles(cells, columns)
    if any(roles):
        missing = ", ".join(f"{role!r} ({' or '.join(columns[role][:3])})" for role in sorted(required - set(roles)))
        raise DialectError(f"the header {shorten(first)} lacks the column {missing}")


def try_split(text: str, separator: str, quoted: bool) -> tuple[list[str] | None, str]:
    """Like :func:`split_cells`, with the problem as a message instead of an exception."""
    try:
        return split_cells(text, separator, quoted), ""
    except ValueError as error:
        return None, str(error)


def split_cells(text: str, separator: str, quoted: bool) -> list[str] | None:
    """Split one record.

    Args:
        text: the record; may span lines.
        separator: one character, or empty for runs of white space.
        quoted: whether a cell that begins with a quote ends with one.

    Returns:
        The cells, or ``None`` if a quoted cell is still open at the end.

    Raises:
        ValueError: something stands between a closing quote and the separator.
    """
    if not separator:
        return text.split()
    if not quoted or '"' not in text:
        return text.split(separator)
    cells = []
    position = 0
    while True:
        if text.startswith('"', position):
            cell = _QUOTED.match(text, position)
            if cell is None:
                return None
            cells.append(cell[1].replace('""', '"'))
            end = cell.end()
            if end < len(text) and text[end] != separator:
                raise ValueError(
                    f"text follows a closing quote: {shorten(text[position:])}; double quotes inside a cell"
                )
        else:
            end = text.find(separator, position)
            end = len(text) if end < 0 else end
            cells.append(text[position:end])
        if end == len(text):
            return cells
        position = end + 1
