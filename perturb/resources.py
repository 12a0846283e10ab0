"""Where the lexicons and bundled golden sets lie: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

from perturb.errors import PerturbError

_PACKAGE = Path(__file__).resolve().parent


def resource(kind: str, name: str = "") -> Path:
    """Find a bundled file or folder.

    Args:
        kind: ``lexicons`` or ``goldensets``.
        name: the file or folder in it; empty for the folder itself.

    Returns:
        An existing path.

    Raises:
        PerturbError: the installation lacks it.
    """
    for root in (_PACKAGE / "_resources", _PACKAGE.parent):
        path = root / kind / name
        if path.exists():
            return path
    raise PerturbError(f"{kind}/{name} is missing from this installation of perturb; install perturb-pl again")


def read_table(name: str, *, folder: Path | None = None) -> list[dict[str, str]]:
    """Read a lexicon: UTF-8, tab-separated, lines that begin with ``#`` are comments, first other line is the header.

    Args:
        name: file name in ``lexicons/``, such as ``english_terms.tsv``.
        folder: read from this folder instead of the bundled one.

    Returns:
        One dictionary per row, with every column of the header.

    Raises:
        PerturbError: the file is missing or a row has another number of columns than the header.
    """
    path = folder / name if folder else resource("lexicons", name)
    columns: list[str] | None = None
    rows: list[dict[str, str]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.split("\t")
        if columns is None:
            columns = cells
        elif len(cells) != len(columns):
            raise PerturbError(
                f"{path}:{number}: {len(cells)} columns, the header has {len(columns)}; separate them by single tabs"
            )
        else:
            rows.append(dict(zip(columns, cells, strict=True)))
    return rows
