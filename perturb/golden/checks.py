"""Everything that is wrong or odd in a golden set, by the same reader that loads it."""

from __future__ import annotations

from pathlib import Path

from perturb.golden.findings import Finding
from perturb.golden.folder import resolve
from perturb.golden.reading import LoadOptions, read_golden_set
from perturb.golden.source import UTF8


def check(
    path: Path | str,
    *,
    part: str | None = None,
    allow_dangling: bool = False,
    corpus_optional: bool = False,
    qrels_optional: bool = False,
    sep: str | None = None,
    encoding: str = UTF8,
) -> list[Finding]:
    """List all findings; ``load_golden_set`` with the same arguments succeeds if none of them is an error.

    Args:
        path: a folder, or the name of a bundled golden set.
        part: as in :func:`perturb.golden.goldenset.load_golden_set`.
        allow_dangling: dangling ids are warnings.
        corpus_optional: a missing corpus is no error.
        qrels_optional: missing judgements are no error.
        sep: separator of the delimited files that contain it.
        encoding: of the files.

    Returns:
        Errors and warnings by file and line; ``str(finding)`` is ``file:line: message``.

    Raises:
        GoldenSetError: the path is no folder and no bundled set.
        ConfigError: unknown encoding or unusable separator.
    """
    options = LoadOptions(part, allow_dangling, corpus_optional, qrels_optional, sep, encoding)
    found = read_golden_set(resolve(path), options).findings.found
    return sorted(found, key=lambda finding: (finding.file, finding.line or 0))
