"""Where the lexicons and bundled golden sets lie: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
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


_user_folders: tuple[Path, ...] = ()
_read: set[str] = set()


def use_lexicons(folders: Sequence[Path]) -> None:
    """Add the rows of the user's own lexicons to those of perturb, for this process.

    A folder may hold a file of the name and columns of any bundled lexicon, such as ``inflection_overrides.tsv``; where
    both have a row for the same thing, the user's counts.

    Args:
        folders: replaces what was named before; call it before anything Polish is read.

    Raises:
        PerturbError: a folder that does not exist or holds no lexicon of a known name, or one that comes too late.
    """
    global _user_folders
    if tuple(folders) == _user_folders:
        return
    bundled = {path.name for path in resource("lexicons").glob("*.tsv")}
    for folder in folders:
        if not folder.is_dir():
            raise PerturbError(
                f"lexicons {folder}: no such folder; give one with files such as inflection_overrides.tsv"
            )
        own = sorted(path.name for path in folder.glob("*.tsv"))
        for name in own:
            if name not in bundled:
                near = difflib.get_close_matches(name, bundled, n=1)
                hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(sorted(bundled))}"
                raise PerturbError(f"{folder / name}: no lexicon of perturb has this name; {hint}")
        if not own:
            raise PerturbError(f"lexicons {folder}: holds no .tsv file; name it as the lexicon it extends")
    changed = {path.name for folder in (*folders, *_user_folders) for path in folder.glob("*.tsv")}
    late = sorted(changed & _read)
    if late:
        raise PerturbError(
            f"lexicons: {late[0]} was read before your folder was named; name it first, in a new process"
        )
    _user_folders = tuple(folders)


def user_lexicons(name: str) -> tuple[Path, ...]:
    """The user's own files that extend the bundled lexicon of this name."""
    _read.add(name)
    return tuple(folder / name for folder in _user_folders if (folder / name).exists())


def read_table(name: str, *, folder: Path | None = None) -> list[dict[str, str]]:
    """Read a lexicon: UTF-8, tab-separated, lines that begin with ``#`` are comments, first other line is the header.

    Args:
        name: file name in ``lexicons/``, such as ``english_terms.tsv``.
        folder: read from this folder alone instead of the bundled one.

    Returns:
        One dictionary per row, with every column of the header; the user's own rows last.

    Raises:
        PerturbError: the file is missing, not UTF-8, or a row does not fit the header.
    """
    if folder is not None:
        return _rows(folder / name)
    rows = _rows(resource("lexicons", name))
    for path in user_lexicons(name):
        own = _rows(path)
        if own and own[0].keys() != rows[0].keys():
            raise PerturbError(f"{path}: its columns are {', '.join(own[0])}; {name} has {', '.join(rows[0])}")
        rows += own
    return rows


def _rows(path: Path) -> list[dict[str, str]]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise PerturbError(f"{path}: not UTF-8 (byte {error.start}); save it as UTF-8") from error
    columns: list[str] | None = None
    rows: list[dict[str, str]] = []
    for number, line in enumerate(lines, 1):
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
