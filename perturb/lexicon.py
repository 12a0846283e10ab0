"""Relation lexicons: tab-separated files in ``lexicons/``, their manifest, and rows of one's own.

``lexicons/manifest.toml`` holds for each file its SHA-256, licence, source and number of entries. After a change to a
lexicon, ``python -m perturb.lexicon --write`` brings the manifest up to date; without ``--write`` it only checks.
"""

from __future__ import annotations

import hashlib
import re
import sys
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from perturb.errors import ConfigError, PerturbError, at
from perturb.resources import resource, user_lexicons

MANIFEST = "manifest.toml"
_LICENCE = re.compile(r"Licen[cs]e(?: of this table)?: ([A-Za-z0-9.+-]+?)\.?(?:\s|$)")
_SOURCE = re.compile(r"Sources?: (.+?)(?:\. |\.?$)")
_MANIFEST_HEADER = "# Written by `python -m perturb.lexicon --write`.\n"


@dataclass(frozen=True, slots=True)
class LexiconFile:
    """What the manifest says about one lexicon.

    Attributes:
        name: file name, such as ``english_terms.tsv``.
        sha256: hexadecimal digest of its bytes.
        licence: SPDX identifier.
        source: where the entries come from.
        entries: number of rows.
    """

    name: str
    sha256: str
    licence: str
    source: str
    entries: int


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a lexicon.

    Attributes:
        place: ``file:line``, for error messages.
        cells: values by column.
    """

    place: str
    cells: Mapping[str, str]


def read_rows(path: Path) -> list[Row]:
    """Read a lexicon with its line numbers.

    Raises:
        ConfigError: the file is missing, not UTF-8, or a row does not fit the header.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise ConfigError(f"lexicon {path} cannot be read ({error.strerror}); give an existing TSV file") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"lexicon {path} is not UTF-8 (byte {error.start}); save it as UTF-8") from error
    columns: list[str] | None = None
    rows: list[Row] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [unicodedata.normalize("NFC", cell) for cell in line.split("\t")]
        if columns is None:
            columns = cells
        elif len(cells) != len(columns):
            raise ConfigError(
                f"{at(path, number)}: {len(cells)} columns where the header has {len(columns)}; "
                "separate them by single tabs"
            )
        else:
            rows.append(Row(at(path, number), dict(zip(columns, cells, strict=True))))
    return rows


def rows_of(name: str, extra: Sequence[str | Path] = ()) -> list[Row]:
    """Rows of a bundled lexicon and of the user's own, which come first.

    Args:
        name: file name in ``lexicons/``.
        extra: TSV files, or folders that may hold a file of this name.

    Raises:
        ConfigError: an extra path does not exist, or a file of its kind cannot be read.
    """
    rows: list[Row] = []
    for entry in extra:
        path = Path(entry)
        if not path.exists():
            raise ConfigError(f"lexicon {path} does not exist; give a TSV file or a folder of them")
        file = path / name if path.is_dir() else path
        if file.exists():
            rows += read_rows(file)
    for file in user_lexicons(name):
        rows += read_rows(file)
    return rows + read_rows(resource("lexicons", name))


def describe(path: Path) -> LexiconFile:
    """Compute what the manifest should say about a lexicon; source and licence stand in its commented header.

    Raises:
        PerturbError: the header names no licence.
    """
    content = path.read_bytes()
    header = " ".join(line.lstrip("# ") for line in content.decode("utf-8").splitlines() if line.startswith("#"))
    licence = _LICENCE.search(header)
    if licence is None:
        raise PerturbError(f"{path}: the header names no licence; add a line '# Source: ... . Licence: ... .'")
    source = _SOURCE.search(header)
    digest = hashlib.sha256(content).hexdigest()
    told = source[1] if source else "told in the header of the file"
    return LexiconFile(path.name, digest, licence[1], told, len(read_rows(path)))


@lru_cache(maxsize=1)
def lexicon_hashes() -> dict[str, str]:
    """SHA-256 of every lexicon by file name, as it lies on disk: part of the header of every suite.

    The user's own come after ``user/``, with a number if several folders have a file of the same name.
    """
    hashes = {}
    for path in sorted(resource("lexicons").glob("*.tsv")):
        hashes[path.name] = hashlib.sha256(path.read_bytes()).hexdigest()
        for number, own in enumerate(user_lexicons(path.name), 1):
            name = f"user/{path.name}" if number == 1 else f"user/{number}/{path.name}"
            hashes[name] = hashlib.sha256(own.read_bytes()).hexdigest()
    return hashes


def read_manifest(folder: Path | None = None) -> dict[str, LexiconFile]:
    """Read the manifest.

    Args:
        folder: a folder of lexicons; the bundled ones if not given.
    """
    path = (folder or resource("lexicons")) / MANIFEST
    table = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {name: LexiconFile(name, **entry) for name, entry in table.items()}


def stale(folder: Path | None = None) -> list[str]:
    """What in the manifest does not fit the files, one line per lexicon; empty if all is well."""
    folder = folder or resource("lexicons")
    recorded = read_manifest(folder)
    actual = {path.name: describe(path) for path in sorted(folder.glob("*.tsv"))}
    lines = [f"{name} is not in the manifest" for name in actual.keys() - recorded.keys()]
    lines += [f"{name} is in the manifest but missing" for name in recorded.keys() - actual.keys()]
    lines += [
        f"{name} differs from the manifest"
        for name in actual.keys() & recorded.keys()
        if actual[name] != recorded[name]
    ]
    return sorted(lines)


def write_manifest(folder: Path | None = None) -> Path:
    """Bring the manifest up to date and return its path."""
    folder = folder or resource("lexicons")
    blocks = [_MANIFEST_HEADER]
    for path in sorted(folder.glob("*.tsv")):
        entry = describe(path)
        source = entry.source.replace("\\", "\\\\").replace('"', '\\"')
        blocks.append(
            f'["{entry.name}"]\nsha256 = "{entry.sha256}"\nlicence = "{entry.licence}"\n'
            f'source = "{source}"\nentries = {entry.entries}\n'
        )
    target = folder / MANIFEST
    temporary = target.with_suffix(".tmp")
    temporary.write_text("\n".join(blocks), encoding="utf-8")
    temporary.replace(target)
    return target


def main(arguments: Iterable[str]) -> int:
    """Check the manifest, or write it with ``--write``; 0 if it fits the files, 1 if not."""
    if "--write" in arguments:
        write_manifest()
    findings = stale()
    for line in findings:
        sys.stderr.write(f"{line}; run python -m perturb.lexicon --write\n")
    return 1 if findings else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
