"""Query logs: one query a line, CSV, TSV, semicolon files, JSON Lines and JSON, plain or gzip, as tools export them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from perturb.errors import ConfigError, GoldenSetError
from perturb.golden.dialects import (
    SEPARATORS,
    Columns,
    Dialect,
    has_half_character,
    header_roles,
    known_separator,
    shorten,
    try_split,
)
from perturb.golden.findings import Findings
from perturb.golden.formats import QUERY_COLUMNS, ReadOptions, content_suffix, text_rows
from perturb.golden.source import UTF8, Line, known_encoding, read_lines
from perturb.golden.tables import Row, delimited
from perturb.polish.text import clean
from perturb.wording import counted

LONGEST = 2000
"""Characters of the longest text that still counts as a query; longer ones are pasted documents."""


_NAMES = (
    *("zapytania", "pytania", "fraza", "frazy", "hasło", "wyszukiwanie", "najczęstsze zapytania", "top queries"),
    *("q", "queries", "search_query", "search query", "search_term", "search term", "keyword", "keywords", "phrase"),
)
"""Names of the column with the queries in exports of search engines and consoles, beside those of golden sets."""

_BINARY = {
    b"PK\x03\x04": "an Excel workbook or another zip file; save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook; save the sheet as CSV",
    b"%PDF": "a PDF; export the queries as CSV",
    b"SQLite": "a database; export the queries as CSV",
    b"PAR1": "a Parquet file; export the queries as CSV",
}
"""First bytes of files that are no text, and what to do about them."""

_ONE_COLUMN = Dialect("\0", ("text",), has_header=False, quoted=True)
"""Commas in running text: every line is one query, quotes around it are those of CSV."""


@dataclass(frozen=True, slots=True)
class QueryLog:
    """What users typed.

    Attributes:
        name: file name, without its folder.
        counts: cleaned text of each distinct query, and how often it was sent; in the order of first appearance.
        blank: rows without any letter or digit, left out.
        too_long: rows longer than :data:`LONGEST` characters, left out.
    """

    name: str
    counts: Counter[str]
    blank: int = 0
    too_long: int = 0

    @property
    def total(self) -> int:
        """Queries sent."""
        return self.counts.total()

    @property
    def effective(self) -> float:
        """How many independent queries the log is worth: Kish's (sum of counts)² / (sum of squared counts).

        A query sent a thousand times tells about one way of typing it, not about a thousand.
        """
        return self.total**2 / sum(count * count for count in self.counts.values())


def query_log(texts: Sequence[str], name: str = "queries") -> QueryLog:
    """Make a log of texts that are at hand.

    Raises:
        GoldenSetError: there is no query among them, or one with half a character.
    """
    counts: Counter[str] = Counter()
    blank = too_long = 0
    for text in texts:
        if has_half_character(text):
            raise GoldenSetError(f"{name}: half a character (a lone surrogate) in {shorten(text)}; export it again")
        cleaned = " ".join(clean(text).split())
        if not any(map(str.isalnum, cleaned)):
            blank += 1
        elif len(cleaned) > LONGEST:
            too_long += 1
        else:
            counts[cleaned] += 1
    if not counts:
        rows = f" ({counted(blank, 'blank row')})" if blank else ""
        raise GoldenSetError(f"{name}: holds no query{rows}; at least one is needed for a profile")
    return QueryLog(name, counts, blank, too_long)


def read_log(path: Path, *, column: str | None = None, sep: str | None = None, encoding: str = UTF8) -> QueryLog:
    """Read a query log.

    Args:
        path: ``.txt`` has one query a line; ``.jsonl`` and ``.json`` objects with a text; anything else is
            delimited, its separator and header told by content.
        column: name of the column (or JSON field) with the queries, or its number from 1 where there is no header; by
            default the usual names are looked for, and a file with one column needs none.
        sep: separator of a delimited file.
        encoding: of the file; UTF-8 may begin with a byte-order mark.

    Raises:
        GoldenSetError: the file cannot be read, has no such column or no query; says where and how to mend it.
        ConfigError: an encoding or separator that does not exist.
    """
    findings = Findings()
    options = ReadOptions(known_separator(sep), known_encoding(encoding))
    columns: Columns = {"text": (column.casefold(), column) if column else (*QUERY_COLUMNS["text"], *_NAMES)}
    _refuse_binary(path)
    suffix = content_suffix(path)
    if suffix in (".jsonl", ".ndjson", ".json"):
        rows = text_rows(path, columns, options, findings)
    elif suffix == ".txt" and column is None and sep is None:
        rows = (Row(number, {"text": line}) for number, line in read_lines(path, findings, options.encoding))
    else:
        rows = _cells(path, columns, options, findings, column)
    texts = list(_texts(rows, path, columns))
    if findings.errors():
        raise GoldenSetError(_one_line(findings, path))
    return query_log(texts, path.name)


def _refuse_binary(path: Path) -> None:
    """Say what a file is that is no text; files that cannot be read are told of later."""
    if not path.is_file():
        return
    with path.open("rb") as stream:
        begins = stream.read(16)
    for mark, what in _BINARY.items():
        if begins.startswith(mark):
            raise GoldenSetError(f"{path}: is {what}")


def _one_line(findings: Findings, path: Path) -> str:
    message = str(findings.errors()[0])
    more = len(findings.errors()) - 1
    return message + (f" ({more} more such in {path.name})" if more else "")


def _texts(rows: Iterator[Row], path: Path, columns: Columns) -> Iterator[str]:
    for row in rows:
        where = path if row.line is None else f"{path}:{row.line}"
        if "text" not in row.cells:
            raise GoldenSetError(f"{where}: has no field {columns['text'][0]!r}; name the field with --column")
        text = row.cells["text"]
        if text is None:
            text = ""
        if not isinstance(text, str):
            raise GoldenSetError(f"{where}: {shorten(str(text))} is not text; name the field with --column")
        if has_half_character(text):
            raise GoldenSetError(f"{where}: half a character (a lone surrogate) in {shorten(text)}; export it again")
        yield text


def _cells(path: Path, columns: Columns, options: ReadOptions, findings: Findings, column: str | None) -> Iterator[Row]:
    """Rows of a delimited file; one that has a single column needs no header."""
    lines = list(read_lines(path, findings, options.encoding))
    told = next((line[1][4:] for line in lines[:1] if line[1].startswith("sep=") and len(line[1]) == 5), None)
    lines = [line for line in lines if line[1].strip()][told is not None :]
    if not lines:
        return
    dialect = _dialect(lines, columns, options.sep or told, path, column)
    yield from delimited(iter(lines[dialect.has_header :]), dialect, path, findings)


def _dialect(lines: Sequence[Line], columns: Columns, sep: str | None, path: Path, column: str | None) -> Dialect:
    """Separator and header from the first line; a file whose lines share no separator has one column."""
    first = lines[0][1]
    for separator in (sep,) if sep else SEPARATORS:
        quoted = separator != "\t" or first.startswith('"')
        cells = try_split(first, separator, quoted)[0] or [first]
        roles = header_roles(cells, columns)
        if roles == ("text",):
            return _ONE_COLUMN._replace(has_header=True)
        if "text" in roles:
            return Dialect(separator, roles, has_header=True, quoted=quoted)
        if column is not None and column.isdecimal() and 0 < int(column) <= len(cells) and len(cells) > 1:
            numbered = tuple("text" if place == int(column) else None for place in range(1, len(cells) + 1))
            return Dialect(separator, numbered, has_header=False, quoted=quoted)
    if column is not None:
        raise ConfigError(f"--column {column}: {path} has no such column; its first line is {shorten(first)}")
    candidates = [separator for separator in ((sep,) if sep else SEPARATORS) if _shared(lines, separator)]
    if candidates:
        raise GoldenSetError(
            f"{path}:{lines[0][0]}: no column of {shorten(first)} is known to hold queries; name it (or its number) "
            "with --column, or rename the file to .txt if each line is one query"
        )
    return _ONE_COLUMN


def _shared(lines: Sequence[Line], separator: str) -> bool:
    """Whether all of the first lines split into the same number of cells, more than one."""
    widths = {len(try_split(text, separator, separator != "\t")[0] or [text]) for _, text in lines[:50]}
    return len(widths) == 1 and widths != {1}
