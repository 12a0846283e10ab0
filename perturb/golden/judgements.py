"""Judgements as records: ids as strings, grades as whole numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from perturb.golden.findings import Findings
from perturb.golden.formats import ReadOptions, judgement_rows
from perturb.golden.ids import UnusableValueError, read_grade, read_id, warn_trimmed


class JudgementRecord(NamedTuple):
    """A judgement as read: its line, ids and grade."""

    line: int | None
    query_id: str
    doc_id: str
    grade: int


def read_judgements(path: Path, options: ReadOptions, findings: Findings) -> Iterator[JudgementRecord]:
    """Judgements of one file, in its order, repeats included.

    Args:
        path: BEIR TSV, delimited, TREC, JSON Lines or a JSON object ``{"q1": {"d1": 2}}``.
        options: separator and encoding.
        findings: receives what is wrong.
    """
    for row in judgement_rows(path, options, findings):
        try:
            query_id, query_trimmed = read_id(row.cells.get("query"), findings)
            doc_id, doc_trimmed = read_id(row.cells.get("document"), findings)
            grade = read_grade(row.cells.get("grade"))
        except UnusableValueError as problem:
            code = "grade" if str(problem).startswith("grade") else "id"
            findings.error(path, row.line, code, str(problem) if code == "grade" else f"the judgement {problem}")
            continue
        for noun, identifier, trimmed in (("query", query_id, query_trimmed), ("document", doc_id, doc_trimmed)):
            if trimmed:
                warn_trimmed(noun, identifier, path, row.line, findings)
        if grade < 0:
            findings.normalised["negative grades, which count as not relevant"] += 1
        yield JudgementRecord(row.line, query_id, doc_id, grade)
