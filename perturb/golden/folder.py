"""Which files of a folder make up a golden set."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from perturb.errors import GoldenSetError
from perturb.golden.findings import Findings
from perturb.resources import resource

_TEXT_SUFFIXES = (".jsonl", ".ndjson", ".json", ".tsv", ".csv", ".txt")
_QRELS_SUFFIXES = (".tsv", ".csv", ".trec", ".qrels", ".txt", ".jsonl", ".json")
_DEFAULT_PART = "test"
DESCRIPTION_FILE = "goldenset.toml"
SPLIT_FILE = "split.tsv"


@dataclass(frozen=True, slots=True)
class GoldenSetFiles:
    """The files of one golden set.

    Attributes:
        folder: where they lie.
        name: from ``goldenset.toml``, else the name of the folder.
        corpus: documents, or ``None``.
        queries: queries, or ``None``.
        qrels: judgements, or ``None``.
        one_of_parts: whether ``qrels/`` holds judgements of other parts too.
        split: ``split.tsv`` if a part was asked for that ``qrels/`` does not hold, else ``None``.
    """

    folder: Path
    name: str
    corpus: Path | None
    queries: Path | None
    qrels: Path | None
    one_of_parts: bool
    split: Path | None


def resolve(path: Path | str) -> Path:
    """Folder of a golden set: a folder, or the name of a bundled set.

    Raises:
        GoldenSetError: neither, or a file.
    """
    folder = Path(path)
    if folder.is_dir():
        return folder
    if folder.exists():
        raise GoldenSetError(
            f"{folder}: is a file; a golden set is a folder with corpus.jsonl, queries.jsonl, qrels.tsv"
        )
    bundled = sorted(child.name for child in resource("goldensets").iterdir() if child.is_dir())
    if str(path) in bundled:
        return resource("goldensets", str(path))
    raise GoldenSetError(f"{path}: no such folder, and no bundled golden set; bundled: {', '.join(bundled) or 'none'}")


def find_files(folder: Path, part: str | None, findings: Findings) -> GoldenSetFiles:
    """Find the files of a golden set; those that are missing are ``None``.

    Args:
        folder: an existing folder.
        part: ``dev``, ``test``, …: a file of ``qrels/``, else a part named in ``split.tsv``.
        findings: receives what is ambiguous.
    """
    split = None
    qrels = _part_qrels(folder, part)
    if part is not None and qrels is None:
        split = folder / SPLIT_FILE
        if not split.exists():
            known = ", ".join(name for name, _ in part_files(folder)) or "none"
            message = f"has no part {part!r}: neither qrels/{part}.tsv nor {SPLIT_FILE}; parts in qrels/: {known}"
            findings.unreadable(folder, None, "no-part", message)
            split = None
    if qrels is None and str(folder) not in findings.unread:
        qrels = _part_qrels(folder, None) or _only_qrels(folder, findings)
    return GoldenSetFiles(
        folder,
        _name(folder, findings),
        _text_file(folder, "corpus", findings),
        _text_file(folder, "queries", findings),
        qrels,
        qrels in [path for _, path in part_files(folder)] and len(part_files(folder)) > 1,
        split,
    )


def _name(folder: Path, findings: Findings) -> str:
    description = folder / DESCRIPTION_FILE
    fallback = folder.resolve().name
    if not description.exists():
        return fallback
    try:
        name = tomllib.loads(description.read_text(encoding="utf-8")).get("name", fallback)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        findings.error(description, None, "not-toml", f"is not TOML in UTF-8: {error}")
        return fallback
    return name if isinstance(name, str) and name else fallback


def _candidates(folder: Path, stem: str, suffixes: tuple[str, ...]) -> list[Path]:
    names = [stem + suffix + packed for suffix in suffixes for packed in ("", ".gz")]
    return [folder / name for name in names if (folder / name).exists()]


def _text_file(folder: Path, stem: str, findings: Findings) -> Path | None:
    found = _candidates(folder, stem, _TEXT_SUFFIXES)
    for ignored in found[1:]:
        findings.warning(ignored, None, "ignored-file", f"is not read, because {found[0].name} is there")
    return found[0] if found else None


def part_without_asking(folder: Path) -> str | None:
    """The part of ``qrels/`` that is read where none is asked for; ``None`` where ``qrels.tsv`` holds all."""
    return _DEFAULT_PART if _part_qrels(folder, None) is not None else None


def part_files(folder: Path) -> list[tuple[str, Path]]:
    """Name and file of each part in ``qrels/``."""
    qrels = folder / "qrels"
    if not qrels.is_dir():
        return []
    files = [path for path in qrels.iterdir() if path.is_file() and not path.name.startswith(".")]
    return sorted((path.name.split(".")[0], path) for path in files)


def _part_qrels(folder: Path, part: str | None) -> Path | None:
    if part is None and _candidates(folder, "qrels", _QRELS_SUFFIXES):
        return None
    return next((path for name, path in part_files(folder) if name == (part or _DEFAULT_PART)), None)


def _only_qrels(folder: Path, findings: Findings) -> Path | None:
    found = _candidates(folder, "qrels", _QRELS_SUFFIXES)
    if not found:
        parts = part_files(folder)
        if len(parts) > 1:
            message = f"holds {', '.join(name for name, _ in parts)} and no {_DEFAULT_PART}; name the part to use"
            findings.error(folder / "qrels", None, "several-parts", message)
        return parts[0][1] if parts else None
    for ignored in found[1:]:
        findings.warning(ignored, None, "ignored-file", f"is not read, because {found[0].name} is there")
    return found[0]
