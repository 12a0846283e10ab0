"""Ids and grades as they come out of files, and ids that a spreadsheet may have rewritten."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from decimal import Decimal
from pathlib import Path

from perturb.golden.findings import Findings
from perturb.records import HIGHEST_GRADE

_INVISIBLE = "\ufeff\u200b\u200c\u200d\u2060\u00ad"
_UNUSABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}(?:\.0*)?")
_NUMBER = re.compile(r"[+-]?[0-9]{1,30}(?:[.,][0-9]{1,30})?(?:[eE][+-]?[0-9]{1,3})?")
_DAY_AND_MONTH = re.compile(
    r"([0-9]{1,2})(?:[-./ ](?=[0-9])|[-./ ]?(?=[a-z]))([0-9]{1,2}|[a-ząćęłńóśźż]{3,12})(?:[-./ ]?[0-9]{2,4})?"
)
_MONTHS = ("sty", "lut", "mar", "kwi", "maj", "cze", "lip", "sie", "wrz", "paź", "lis", "gru")
_ENGLISH_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


class UnusableValueError(ValueError):
    """A value that cannot be used; the message says why and how to mend it."""


def read_id(value: object, findings: Findings) -> tuple[str, bool]:
    """Make an id a string, the same one however it was written.

    Args:
        value: what stood in the file: a string or, in JSON, a whole number.
        findings: counts what was normalised.

    Returns:
        The id, and whether spaces or invisible characters were trimmed off its ends.

    Raises:
        UnusableValueError: missing, empty, not text, or with characters that no run file can hold.
    """
    if isinstance(value, str):
        identifier = value
    elif isinstance(value, int) and not isinstance(value, bool):
        identifier = str(value)
        findings.normalised["ids written as numbers, read as text"] += 1
    elif value is None:
        raise UnusableValueError("has no id")
    else:
        raise UnusableValueError(f"has the id {value!r}, which is not text; write it in quotes")
    if identifier.isascii() and identifier.isalnum():
        return identifier, False
    trimmed = identifier.strip().strip(_INVISIBLE).strip()
    if not trimmed:
        raise UnusableValueError("has an empty id")
    if _UNUSABLE.search(trimmed):
        raise UnusableValueError(f"has the id {trimmed!a} with a control character or half a character; choose another")
    if not unicodedata.is_normalized("NFC", trimmed):
        findings.normalised["ids brought to composed letters (NFC)"] += 1
        return unicodedata.normalize("NFC", trimmed), trimmed != identifier
    return trimmed, trimmed != identifier


def warn_trimmed(noun: str, identifier: str, path: Path, line: int | None, findings: Findings) -> None:
    """Warn that spaces or invisible characters stood around an id."""
    message = f"spaces or invisible characters around the {noun} id {identifier!r} were trimmed"
    findings.warning(path, line, "trimmed-id", message)


def read_grade(value: object) -> int:
    """Make a grade a whole number.

    Args:
        value: ``2``, ``"2"``, ``2.0`` or ``"2.0"``.

    Raises:
        UnusableValueError: anything else; nothing is ever truncated to a whole number.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return _in_range(value)
    if isinstance(value, float) and value.is_integer():
        return _in_range(int(value))
    if not isinstance(value, str):
        raise UnusableValueError(f"grade {value!r} is not a whole number such as 0, 1, 2, 3")
    text = value.strip().strip('"').strip()
    if _WHOLE.fullmatch(text):
        return _in_range(int(text.partition(".")[0]))
    if re.fullmatch(r"\+?[0-9]{10,}(?:\.0*)?", text):
        raise UnusableValueError(f"grade {text[:20]} is above {HIGHEST_GRADE}; grades are small, such as 0 to 3")
    if re.fullmatch(r"[+-]?[0-9]+,[0-9]+", text):
        raise UnusableValueError(
            f"grade {text!r} has a decimal comma; write whole numbers, such as {text.partition(',')[0]}"
        )
    if re.fullmatch(r"[+-]?[0-9]*\.[0-9]+", text):
        raise UnusableValueError(f"grade {text!r} is a fraction; grades are whole numbers (0 = not relevant, up to 3)")
    raise UnusableValueError(f"grade {text!r} is not a whole number such as 0, 1, 2, 3")


def _in_range(grade: int) -> int:
    if grade > HIGHEST_GRADE:
        raise UnusableValueError(
            f"grade {grade} is above {HIGHEST_GRADE}; grades are small whole numbers, such as 0 to 3"
        )
    return grade


def suspects(unknown: Iterable[str], known: Collection[str]) -> dict[str, str]:
    """Pair ids that match nothing with ids that they may have been before a spreadsheet rewrote them.

    Spreadsheets drop leading zeros (``0007`` to ``7``), drop trailing zeros (``9.10`` to ``9.1``), expand
    exponents (``1E5`` to ``100000``) and turn ``03-12`` into a date (``12 mar``). Letter case and spaces count too.

    Args:
        unknown: ids that occur in judgements only.
        known: ids that exist.

    Returns:
        Unknown id to the known id it resembles; ids without a suspect are left out.
    """
    by_trace: dict[object, str] = {}
    for identifier in known:
        for trace in _traces(identifier):
            by_trace.setdefault(trace, identifier)
    pairs = {}
    for identifier in unknown:
        match = next((by_trace[trace] for trace in _traces(identifier) if trace in by_trace), None)
        if match is not None:
            pairs[identifier] = match
    return pairs


def _traces(identifier: str) -> list[object]:
    """What is left of an id whatever a spreadsheet does to it; the surest trace first."""
    folded = re.sub(r"\s+", " ", identifier.casefold().strip())
    traces: list[object] = []
    if _NUMBER.fullmatch(folded):
        traces.append(Decimal(folded.replace(",", ".")))
    if date := _DAY_AND_MONTH.fullmatch(folded):
        month = _month(date[2])
        if month and int(date[1]) <= 31:
            traces.append(frozenset((int(date[1]), month)))
    traces.append(re.sub(r"[\s_-]+", "", folded))
    return traces


def _month(written: str) -> int | None:
    if written.isdecimal():
        return int(written) if int(written) <= 31 else None
    for names in (_MONTHS, _ENGLISH_MONTHS):
        if written[:3] in names:
            return names.index(written[:3]) + 1
    return None
