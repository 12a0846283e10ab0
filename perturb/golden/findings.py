"""What is wrong or odd in the files of a golden set, each with its place, and what was normalised on reading."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from perturb.errors import at

Severity = Literal["error", "warning"]

_PLACES_IN_A_NOTE = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong (``error``: the set cannot be used) or odd (``warning``: it can).

    Attributes:
        severity: ``error`` or ``warning``.
        file: path of the file or folder.
        line: number of the line, from 1; ``None`` if it concerns the whole file.
        code: short stable name of the rule, such as ``duplicate-id``.
        message: one line: what is wrong, with the offending value, and how to mend it.
    """

    severity: Severity
    file: str
    line: int | None
    code: str
    message: str

    def __str__(self) -> str:
        return f"{at(self.file, self.line)}: {self.message}"


@dataclass
class Findings:
    """Collects findings, and counts silent normalisations, while files are read.

    Attributes:
        found: all findings, in the order of discovery.
        normalised: how often something was normalised, by its description.
        unread: files that could not be read to their end, so that ids missing from them prove nothing.
    """

    found: list[Finding] = field(default_factory=list)
    normalised: Counter[str] = field(default_factory=Counter)
    unread: set[str] = field(default_factory=set)

    def error(self, file: Path, line: int | None, code: str, message: str) -> None:
        """Add something that makes the golden set unusable."""
        self.found.append(Finding("error", str(file), line, code, message))

    def warning(self, file: Path, line: int | None, code: str, message: str) -> None:
        """Add something odd that does not prevent an evaluation."""
        self.found.append(Finding("warning", str(file), line, code, message))

    def unreadable(self, file: Path, line: int | None, code: str, message: str) -> None:
        """Add an error after which the rest of the file is not read."""
        self.error(file, line, code, message)
        self.unread.add(str(file))

    def errors(self) -> list[Finding]:
        """The findings that make the golden set unusable."""
        return [finding for finding in self.found if finding.severity == "error"]

    def notes(self) -> tuple[str, ...]:
        """Counts of what was normalised, then one line per kind of warning with its first places."""
        lines = [f"{what}: {count}" for what, count in self.normalised.items()]
        by_code: dict[str, list[Finding]] = {}
        for finding in self.found:
            if finding.severity == "warning":
                by_code.setdefault(finding.code, []).append(finding)
        for code, findings in by_code.items():
            places = ", ".join(
                f"{Path(finding.file).name}:{finding.line}" if finding.line else Path(finding.file).name
                for finding in findings[:_PLACES_IN_A_NOTE]
            )
            more = ", …" if len(findings) > _PLACES_IN_A_NOTE else ""
            lines.append(f"{code}: {len(findings)} ({places}{more}), such as: {findings[0].message}")
        return tuple(lines)
