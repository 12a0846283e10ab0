"""Rows of documents, queries and judgements in every format a golden set comes in.

BEIR JSON Lines, JSON, CSV, TSV and semicolon files, and TREC qrels. Separator and header are told by content.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from perturb.golden.dialects import Columns, Dialect, DialectError, find_dialect, header_roles, shorten
from perturb.golden.findings import Findings
from perturb.golden.source import UTF8, Line, read_lines
from perturb.golden.tables import Row, delimited, json_lines, rename
from perturb.wording import counted

_TEXT_NAMES = ("text", "tekst", "content", "contents", "body", "passage", "treść", "tresc")
DOCUMENT_COLUMNS: Columns = {
    "id": ("_id", "id", "doc_id", "doc-id", "docid", "corpus-id", "corpus_id", "docno", "pid", "identyfikator"),
    "text": _TEXT_NAMES,
    "title": ("title", "tytuł", "tytul"),
    "metadata": ("metadata",),
}
QUERY_COLUMNS: Columns = {
    "id": ("_id", "id", "query_id", "query-id", "qid", "queryid", "identyfikator"),
    "text": ("text", "query", "question", "zapytanie", "pytanie", *_TEXT_NAMES[1:]),
    "metadata": ("metadata",),
}
JUDGEMENT_COLUMNS: Columns = {
    "query": ("query-id", "query_id", "qid", "queryid", "query", "zapytanie"),
    "document": ("corpus-id", "corpus_id", "doc_id", "doc-id", "docid", "docno", "pid", "document", "dokument"),
    "grade": ("score", "grade", "relevance", "rel", "relevancy", "label", "judgement", "judgment", "ocena"),
    "iteration": ("iter", "iteration"),
}
_TEXT_ORDERS = {2: ("id", "text")}
_JUDGEMENT_ORDERS = {3: ("query", "document", "grade")}
_TREC = Dialect("", ("query", "iteration", "document", "grade"), has_header=False)
_SPACED = Dialect("", ("query", "document", "grade"), has_header=False)


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the caller knows about the files; the defaults find it out.

    Attributes:
        sep: separator of delimited files; ``None`` to tell it by content.
        encoding: of all files; UTF-8 may begin with a byte-order mark.
    """

    sep: str | None = None
    encoding: str = UTF8


def content_suffix(path: Path) -> str:
    """Suffix that tells the format, ``.gz`` set aside: ``.jsonl`` for ``corpus.jsonl.gz``."""
    return (Path(path.stem).suffix if path.suffix == ".gz" else path.suffix).lower()


def text_rows(path: Path, columns: Columns, options: ReadOptions, findings: Findings) -> Iterator[Row]:
    """Rows of a file of documents or queries: JSON Lines, JSON or delimited, told by the suffix."""
    first, lines = _first_line(read_lines(path, findings, options.encoding), _is_directive)
    if first is None:
        return
    suffix = content_suffix(path)
    if suffix in (".jsonl", ".ndjson") and not first[1].lstrip().startswith("["):
        yield from json_lines(lines, columns, path, findings)
    elif suffix in (".json", ".jsonl", ".ndjson"):
        yield from _json_texts(lines, columns, path, findings)
    else:
        required = frozenset({"id", "text"})
        try:
            dialect = find_dialect(first[1], columns, _TEXT_ORDERS, required, options.sep)
        except DialectError as problem:
            findings.unreadable(path, first[0], "columns", str(problem))
            return
        lines = (line for line in lines if not _is_directive(line[1]))
        if dialect.has_header:
            lines = _without(lines, first[0])
        yield from delimited(lines, dialect, path, findings)


def _first_line(lines: Iterator[Line], is_remark: Callable[[str], bool]) -> tuple[Line | None, Iterator[Line]]:
    """The first line that is neither blank nor a remark, and all lines."""
    passed: list[Line] = []
    for line in lines:
        passed.append(line)
        if line[1].strip() and not is_remark(line[1]):
            return line, chain(passed, lines)
    return None, iter(passed)


def _is_directive(line: str) -> bool:
    """Whether a line is ``sep=;``, which tells Excel the separator."""
    return line.startswith("sep=") and len(line) <= len("sep=;")


def _without(lines: Iterable[Line], number: int) -> Iterator[Line]:
    return (line for line in lines if line[0] != number)


def _load_json(lines: Iterable[Line], path: Path, findings: Findings) -> object:
    """A whole JSON document; repeated keys of an object are an error."""

    def pairs(entries: list[tuple[str, object]]) -> dict[str, object]:
        loaded: dict[str, object] = {}
        for key, value in entries:
            if key in loaded and loaded[key] != value:
                findings.error(path, None, "duplicate-id", f"the key {key!r} occurs twice with different values")
            loaded.setdefault(key, value)
        return loaded

    text = "\n".join(line for _, line in lines)
    if str(path) in findings.unread:
        return None
    try:
        return json.loads(text, object_pairs_hook=pairs)
    except json.JSONDecodeError as error:
        findings.unreadable(path, error.lineno, "not-json", f"is not JSON: {error.msg} at column {error.colno}")
    except (ValueError, RecursionError):
        findings.unreadable(path, None, "not-json", "is not usable JSON (nested too deep or a number too long)")
    return None


def _json_texts(lines: Iterable[Line], columns: Columns, path: Path, findings: Findings) -> Iterator[Row]:
    """Rows of ``[{"_id": …, "text": …}, …]``, ``{"q1": "text", …}`` or ``{"d1": {"text": …}, …}``."""
    loaded = _load_json(lines, path, findings)
    entries: Iterable[object] = loaded if isinstance(loaded, list) else ()
    if isinstance(loaded, dict):
        entries = (
            {"_id": key, **value} if isinstance(value, dict) else {"_id": key, "text": value}
            for key, value in loaded.items()
        )
    elif loaded is not None and not isinstance(loaded, list):
        findings.unreadable(path, None, "not-json", "is JSON but neither an object nor a list of objects")
    for position, entry in enumerate(entries, start=1):
        if isinstance(entry, dict):
            yield Row(None, rename(entry, columns))
        else:
            findings.error(path, None, "not-json", f"entry {position} is not an object: {shorten(str(entry))}")


def judgement_rows(path: Path, options: ReadOptions, findings: Findings) -> Iterator[Row]:
    """Rows of a file of judgements: TREC, BEIR, delimited, JSON Lines or JSON, told by content."""
    lines = read_lines(path, findings, options.encoding)
    first, lines = _first_line(lines, _is_comment)
    if first is None:
        if str(path) not in findings.unread:
            findings.unreadable(path, None, "empty-file", "holds only comments; at least one judgement is expected")
        return
    number, text = first
    if content_suffix(path) in (".jsonl", ".ndjson"):
        yield from json_lines(lines, JUDGEMENT_COLUMNS, path, findings)
        return
    if content_suffix(path) == ".json" or text.lstrip().startswith(("{", "[")):
        yield from _json_judgements(lines, path, findings)
        return
    lines = _without_comments(lines, path, findings)
    try:
        dialect = _judgement_dialect(text, path, options.sep)
    except DialectError as problem:
        findings.unreadable(path, number, "columns", str(problem))
        return
    if dialect.has_header:
        lines = _without(lines, number)
    if dialect.roles == _TREC.roles and not dialect.separator:
        yield from _trec(lines, path, findings)
    else:
        yield from delimited(lines, dialect, path, findings)


def _is_comment(line: str) -> bool:
    """Whether a line of a qrels file is a remark: ``# …`` or ``sep=;``. The id ``#1`` begins no comment."""
    return _is_directive(line) or (line.startswith("#") and line[1:2] in ("", " ", "#") and "\t" not in line)


def _without_comments(lines: Iterable[Line], path: Path, findings: Findings) -> Iterator[Line]:
    for number, line in lines:
        if _is_comment(line):
            findings.warning(path, number, "comment", f"the comment {shorten(line)} is skipped")
        else:
            yield number, line


def _judgement_dialect(first: str, path: Path, sep: str | None) -> Dialect:
    tokens = first.split()
    tabbed = first.split("\t")
    if sep is None and header_roles(tokens, JUDGEMENT_COLUMNS) == _TREC.roles and "\t" not in first:
        return Dialect("", _TREC.roles, has_header=True)
    looks_trec = (len(tokens) > 3 and tokens[1] in ("0", "Q0")) or (len(tabbed) == 4 and tabbed[1] in ("0", "Q0"))
    if sep is None and (looks_trec or content_suffix(path) in (".trec", ".qrels")):
        return _TREC
    try:
        return find_dialect(first, JUDGEMENT_COLUMNS, _JUDGEMENT_ORDERS, frozenset(_JUDGEMENT_ORDERS[3]), sep)
    except DialectError:
        if sep is None and len(tokens) == 3 and "\t" not in first:
            return _SPACED
        raise


def _trec(lines: Iterable[Line], path: Path, findings: Findings) -> Iterator[Row]:
    """Rows ``query iteration document grade``; ids with spaces need tabs."""
    for number, line in lines:
        cells = line.split("\t") if line.count("\t") == len(_TREC.roles) - 1 else line.split()
        if len(cells) == len(_TREC.roles):
            yield Row(number, {role: cell for role, cell in zip(_TREC.roles, cells, strict=True) if role})
        elif cells:
            message = (
                f"has {counted(len(cells), 'column')} where TREC qrels have 4: {shorten(line)}; "
                "ids with spaces need tabs between"
            )
            findings.error(path, number, "columns", message)


def _json_judgements(lines: Iterable[Line], path: Path, findings: Findings) -> Iterator[Row]:
    """Rows of ``{"q1": {"d1": 2}}``, ``{"q1": ["d1"]}`` (grade 1) or a list of objects."""
    loaded = _load_json(lines, path, findings)
    if isinstance(loaded, list) and all(isinstance(entry, dict) for entry in loaded):
        yield from (Row(None, rename(entry, JUDGEMENT_COLUMNS)) for entry in loaded)
    elif isinstance(loaded, dict):
        for query_id, judged in loaded.items():
            if isinstance(judged, list):
                judged = dict.fromkeys(map(str, judged), 1)
            if not isinstance(judged, dict):
                message = f"query {query_id!r} has {shorten(str(judged))}; {{document id: grade}} is expected"
                findings.error(path, None, "judgements", message)
                continue
            for doc_id, grade in judged.items():
                yield Row(None, {"query": query_id, "document": doc_id, "grade": grade})
    elif str(path) not in findings.unread:
        findings.unreadable(path, None, "judgements", 'is JSON but not qrels; {"q1": {"d1": 2}} is expected')
