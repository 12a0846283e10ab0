"""Variants on a sheet for a human, and the human's decisions back. Decisions are only ever appended."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from perturb.errors import ConfigError, GoldenSetError, at
from perturb.files import replacing
from perturb.golden.findings import Findings
from perturb.golden.source import UTF8, read_lines
from perturb.polish.text import clean
from perturb.records import ORIGINAL, Edit, Query, Variant

COLUMNS = ("variant_id", "query", "text", "perturbation", "kind", "flags", "decision", "edited_text", "comment")
ACCEPT, REJECT, EDIT = "accept", "reject", "edit"
_WORDS = {
    ACCEPT: ("accept", "accepted", "ok", "yes", "y", "tak", "t"),
    REJECT: ("reject", "rejected", "no", "n", "nie"),
    EDIT: ("edit", "edited", "popraw", "poprawione"),
}
_MEANINGS = {word: meaning for meaning, words in _WORDS.items() for word in words}
_SEPARATORS = ("\t", ";", ",")
# Spreadsheets run cells that begin so as formulas; a leading apostrophe makes them text, one more keeps ours apart.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")


@dataclass(frozen=True, slots=True)
class Decision:
    """What a reviewer decided about a variant.

    Attributes:
        variant_id: the variant.
        decision: ``accept``, ``reject`` or ``edit``.
        text: the text to use instead, only with ``edit``.
        comment: free text.
    """

    variant_id: str
    decision: str
    text: str = ""
    comment: str = ""


def mark_edits(text: str, edits: Sequence[Edit]) -> str:
    """The query with each edit as ``[before→after]``; insertions ``[→after]``, deletions ``[before→]``."""
    parts: list[str] = []
    position = 0
    for edit in edits:
        parts += (text[position : edit.start], f"[{edit.before}→{edit.after}]")
        position = edit.end
    return "".join((*parts, text[position:]))


def guard(cell: str) -> str:
    """Keep a spreadsheet from running a cell as a formula."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unguard(cell: str) -> str:
    """Undo :func:`guard`."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def export_review(
    variants: Iterable[Variant],
    queries: Iterable[Query],
    path: Path,
    *,
    sep: str = "\t",
    bom: bool = False,
    decisions: Mapping[str, Decision] | None = None,
) -> int:
    """Write a sheet with a row per variant, the text with its edits marked, and columns to fill in.

    Args:
        variants: variants to look at; ``original`` ones are left out.
        queries: their queries.
        path: the sheet; replaced whole.
        sep: tab, ``;`` (what Excel with Polish settings opens) or ``,``.
        bom: begin with a byte-order mark, without which Excel reads Polish letters wrongly.
        decisions: earlier decisions to fill in, by variant id.

    Returns:
        Number of rows.

    Raises:
        ConfigError: another separator.
    """
    if sep not in _SEPARATORS:
        raise ConfigError(f"separator {sep!r}: a review sheet uses a tab, ';' or ','")
    texts = {query.query_id: query.text for query in queries}
    known = decisions or {}
    count = 0
    with (
        replacing(path) as partial,
        partial.open("w", encoding="utf-8-sig" if bom else "utf-8", newline="") as stream,
    ):
        rows = csv.writer(stream, delimiter=sep, lineterminator="\r\n" if bom else "\n")
        rows.writerow(COLUMNS)
        for variant in variants:
            if variant.perturbation != ORIGINAL:
                rows.writerow(map(guard, _cells(variant, texts.get(variant.query_id, ""), known)))
                count += 1
    return count


def _cells(variant: Variant, query: str, known: Mapping[str, Decision]) -> tuple[str, ...]:
    decided = known.get(variant.variant_id, Decision(variant.variant_id, ""))
    return (
        variant.variant_id,
        query,
        mark_edits(query, variant.edits) if variant.edits else variant.text,
        variant.perturbation,
        variant.kind,
        " ".join(sorted(variant.flags)),
        decided.decision,
        decided.text,
        decided.comment,
    )


def read_review(path: Path, *, encoding: str = UTF8) -> list[Decision]:
    """Read the filled-in sheet; rows without decision, edited text and comment are left out.

    Raises:
        GoldenSetError: not readable, a column is missing, or a decision means nothing; with file and line.
    """
    findings = Findings()
    lines = [line for _, line in read_lines(path, findings, encoding)]
    if findings.found:
        raise GoldenSetError(str(findings.found[0]))
    sep = max(_SEPARATORS, key=lines[0].count)
    rows = csv.DictReader(io.StringIO("\n".join(lines), newline=""), delimiter=sep)
    missing = [name for name in ("variant_id", "decision") if name not in (rows.fieldnames or ())]
    if missing:
        raise GoldenSetError(f"{at(path, 1)}: has no column {missing[0]!r}; keep the header of the exported sheet")
    try:
        return [decision for row in rows if (decision := _decision(row, path, rows.line_num)) is not None]
    except csv.Error as error:
        raise GoldenSetError(f"{at(path, rows.line_num)}: is not a readable row: {error}") from None


def _decision(row: Mapping[str, str | None], path: Path, line: int) -> Decision | None:
    variant_id, word, text, comment = (
        unguard((row.get(name) or "").strip()) for name in ("variant_id", "decision", "edited_text", "comment")
    )
    if not (word or text or comment):
        return None
    meaning = _MEANINGS.get(word.casefold(), EDIT if text and not word else "")
    if not meaning:
        raise GoldenSetError(f"{at(path, line)}: decision {word!r} is none of accept, reject, edit")
    if meaning == EDIT and not text:
        raise GoldenSetError(f"{at(path, line)}: {variant_id!r} is to be edited, but edited_text is empty")
    if not variant_id:
        raise GoldenSetError(f"{at(path, line)}: has a decision but no variant_id")
    return Decision(variant_id, meaning, clean(text) if meaning == EDIT else "", comment)


def append_decisions(decisions: Iterable[Decision], path: Path) -> None:
    """Append decisions to a file that is never rewritten, and have them on disk before returning.

    A line cut off by an earlier kill is ended first, so that nothing is appended to it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as stream:
        if stream.tell():
            stream.seek(-1, os.SEEK_END)
            if stream.read(1) != b"\n":
                stream.write(b"\n")
        for decision in decisions:
            stream.write(json.dumps(asdict(decision), ensure_ascii=False).encode("utf-8") + b"\n")
        stream.flush()
        os.fsync(stream.fileno())


def read_decisions(path: Path) -> dict[str, Decision]:
    """The last decision on each variant; none if there is no file yet. A line cut off by a kill is passed over.

    Raises:
        GoldenSetError: a whole line is not a decision.
    """
    decisions: dict[str, Decision] = {}
    if not path.exists():
        return decisions
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                decision = Decision(**json.loads(line))
            except (ValueError, TypeError):
                if line.rstrip().endswith(b"}"):
                    raise GoldenSetError(f"{at(path, number)}: is not a decision; mend or remove the line") from None
                continue
            decisions[decision.variant_id] = decision
    return decisions


def apply_decisions(
    variants: Iterable[Variant], queries: Iterable[Query], decisions: Mapping[str, Decision]
) -> Iterator[Variant]:
    """Variants as reviewed: rejected ones left out, edited ones with the reviewer's text, the rest as they are."""
    texts = {query.query_id: query.text for query in queries}
    for variant in variants:
        decided = decisions.get(variant.variant_id)
        if decided is None or decided.decision == ACCEPT:
            yield variant
        elif decided.decision == EDIT:
            query = texts[variant.query_id]
            yield replace(variant, text=decided.text, edits=(_difference(query, decided.text),), flags=frozenset())


def _difference(before: str, after: str) -> Edit:
    """The one edit between two texts, without what they have in common at both ends."""
    start = _common_start(before, after)
    room = min(len(before), len(after)) - start
    shared = min(room, _common_start(before[::-1], after[::-1]))
    end = len(before) - shared
    return Edit(start, end, before[start:end], after[start : len(after) - shared])


def _common_start(one: str, other: str) -> int:
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
