"""Files that are whole or not there: written under a temporary name, then renamed."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path beside ``path``; on success it takes the place of ``path``, on failure it is removed.

    Folders on the way are made. A kill in the middle leaves ``path`` as it was, and the next writer of ``path`` removes
    what the killed one left behind.

    Raises:
        OSError: it cannot be written; the error names ``path``, not the temporary file.
    """
    host = platform.node()
    partial = path.with_name(f".{path.name}.{host}-{os.getpid()}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(path, host)
        yield partial
        partial.replace(path)
    except OSError as error:
        if error.errno is None or error.filename not in (None, str(partial), partial):
            raise
        raise OSError(error.errno, error.strerror or os.strerror(error.errno), str(path)) from error
    finally:
        with suppress(OSError):  # the folder itself may be what is wrong, which the error above says
            partial.unlink(missing_ok=True)


def _remove_abandoned(path: Path, host: str) -> None:
    """Remove temporary files for ``path`` of processes of this machine that are no more."""
    start = f".{path.name}.{host}-"
    for found in path.parent.iterdir():
        process = found.name.removeprefix(start).removesuffix(".partial")
        if found.name.startswith(start) and process.isdigit() and not _runs(int(process)):
            found.unlink(missing_ok=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
