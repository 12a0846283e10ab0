"""Documents and queries as records: ids as strings, texts cleaned, whatever cannot be used refused by id and line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from perturb.golden.dialects import Columns, has_half_character, shorten
from perturb.golden.findings import Findings
from perturb.golden.formats import DOCUMENT_COLUMNS, QUERY_COLUMNS, ReadOptions, text_rows
from perturb.golden.ids import UnusableValueError, read_id, warn_trimmed
from perturb.golden.tables import Row
from perturb.polish.text import clean


class TextRecord(NamedTuple):
    """A document or query as read: its line, id, cleaned title and text, and metadata."""

    line: int | None
    identifier: str
    text: str
    title: str
    metadata: Mapping[str, object]


@dataclass
class TextReader:
    """Reads the documents or the queries of one file.

    Attributes:
        noun: ``document`` or ``query``, for messages.
        path: the file.
        findings: receives what is wrong.
        options: separator and encoding.
        lines: line of every id, of refused records too, so that their judgements are not called dangling.
    """

    noun: str
    path: Path
    findings: Findings
    options: ReadOptions
    lines: dict[str, int | None] = field(default_factory=dict)

    def __iter__(self) -> Iterator[TextRecord]:
        """Usable records; an exact repeat is read once, all else that is wrong becomes a finding."""
        seen: dict[str, int] = {}
        for row in text_rows(self.path, self._columns(), self.options, self.findings):
            record = self._record(row)
            if record is None:
                continue
            content = hash((record.text, record.title))
            if record.identifier in self.lines:
                self._repeated(record, exact=seen.get(record.identifier) == content)
                continue
            self.lines[record.identifier] = record.line
            seen[record.identifier] = content
            yield record

    def _columns(self) -> Columns:
        return DOCUMENT_COLUMNS if self.noun == "document" else QUERY_COLUMNS

    def _repeated(self, record: TextRecord, *, exact: bool) -> None:
        first = self.lines[record.identifier]
        where = "" if first is None else f" in line {first}"
        if exact:
            message = f"{self.noun} {record.identifier!r} occurs twice, first{where}; the exact repeat is left out"
            self.findings.warning(self.path, record.line, "repeated-record", message)
        else:
            message = f"{self.noun} id {record.identifier!r} is taken by another text{where}; give each its own id"
            self.findings.error(self.path, record.line, "duplicate-id", message)

    def _record(self, row: Row) -> TextRecord | None:
        try:
            identifier, trimmed = read_id(row.cells.get("id"), self.findings)
        except UnusableValueError as problem:
            self.findings.error(self.path, row.line, "id", f"{self.noun} {problem}")
            return None
        if trimmed:
            warn_trimmed(self.noun, identifier, self.path, row.line, self.findings)
        try:
            text, title = self._text(row, identifier), self._title(row)
        except UnusableValueError as problem:
            self.lines.setdefault(identifier, row.line)
            self.findings.error(self.path, row.line, "text", f"{self.noun} {identifier!r} {problem}")
            return None
        metadata = row.cells.get("metadata")
        return TextRecord(row.line, identifier, text, title, metadata if isinstance(metadata, dict) else {})

    def _text(self, row: Row, identifier: str) -> str:
        if "text" not in row.cells:
            raise UnusableValueError("has no text; the field is named 'text'")
        text = row.cells["text"]
        if text is None and self.noun == "document":
            text = ""
        if text is None:
            raise UnusableValueError("has null for a text; write one or leave the line out")
        text = self._clean(text, "text")
        if not text.strip():
            if self.noun == "query":
                raise UnusableValueError("has a blank text; write one or leave the line out")
            if not str(row.cells.get("title") or "").strip():
                message = f"document {identifier!r} has neither text nor title; it can never be found"
                self.findings.warning(self.path, row.line, "blank-document", message)
            return ""
        return text

    def _title(self, row: Row) -> str:
        title = row.cells.get("title")
        return "" if title is None else self._clean(title, "title")

    def _clean(self, text: object, role: str) -> str:
        if not isinstance(text, str):
            raise UnusableValueError(f"has the {role} {shorten(str(text))}, which is not text; write it in quotes")
        if not text.isascii() and has_half_character(text):
            raise UnusableValueError(
                f"has half a character (a lone surrogate) in its {role} {shorten(text)}; export it again as UTF-8"
            )
        if "\x00" in text:
            raise UnusableValueError(f"has a NUL character in its {role} {shorten(text)}; is the file UTF-16?")
        cleaned = clean(text)
        if cleaned != text:
            plural = "documents" if self.noun == "document" else "queries"
            self.findings.normalised[f"texts of {plural} brought to NFC or freed of invisible characters"] += 1
        return cleaned
