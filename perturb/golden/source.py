"""Numbered lines of a text file: UTF-8 or a named encoding, plain or gzip, with or without a byte-order mark."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from perturb.errors import ConfigError
from perturb.golden.findings import Findings

UTF8 = "utf-8"
Line = tuple[int, str]

_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Letters ą ś ź: 0xb9 0x9c 0x9f in cp1250, 0xb1 0xb6 0xbc in ISO-8859-2. All other Polish letters agree.
_LATIN2_LETTERS = frozenset(b"\xb1\xb6\xbc\xa1\xa6\xac")


def known_encoding(name: str) -> str:
    """Canonical name of an encoding.

    Raises:
        ConfigError: Python knows no such encoding.
    """
    try:
        found = codecs.lookup(name)
        "".encode(found.name)  # codecs such as base64 turn bytes into bytes
        return found.name
    except (LookupError, UnicodeError):
        raise ConfigError(f"unknown encoding {name!r}; Polish files use utf-8, cp1250 or iso-8859-2") from None


def read_lines(path: Path, findings: Findings, encoding: str = UTF8) -> Iterator[Line]:
    """Lines without their ends, numbered from 1; whatever prevents reading becomes one finding.

    Lines end in LF or CR LF (in CR, if there is no LF); U+2028, U+0085 and the like belong to the text.

    Args:
        path: the file; a name ending in ``.gz`` is decompressed.
        findings: receives the reason if the file cannot be read to its end.
        encoding: any that Python knows.
    """
    encoding = known_encoding(encoding)
    if path.is_dir():
        findings.unreadable(path, None, "not-a-file", "is a folder where a file is expected")
        return
    empty = True
    number = 0
    try:
        with _open(path) as stream:
            decoded = _utf8_lines(stream, path, findings) if encoding == UTF8 else _other_lines(stream, encoding)
            for number, line in enumerate(decoded, start=1):
                empty = empty and not line.strip()
                yield number, line
    except UnicodeDecodeError as error:
        place = f"byte 0x{error.object[error.start]:02x}" if error.start < len(error.object) else "the end"
        findings.unreadable(path, number + 1, "encoding", f"{place} is not {encoding}; name the encoding of the file")
        return
    except UnicodeError as error:
        findings.unreadable(path, None, "encoding", f"is not {encoding} ({error}); name the encoding of the file")
        return
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        findings.unreadable(path, None, "gzip", f"is not a whole gzip file ({error}); compress or copy it again")
        return
    except OSError as error:
        findings.unreadable(path, None, "unreadable", f"cannot be read: {error.strerror or error}")
        return
    if empty and str(path) not in findings.unread:
        findings.unreadable(path, None, "empty-file", "is empty; at least one line is expected")


def _open(path: Path) -> IO[bytes]:
    if path.suffix == ".gz":
        return cast("IO[bytes]", gzip.open(path, "rb"))
    return path.open("rb")


def _utf8_lines(stream: IO[bytes], path: Path, findings: Findings) -> Iterator[str]:
    """Decode line by line, so that the offending line and byte can be named."""
    for number, raw in enumerate(_raw_lines(stream), start=1):
        if number == 1:
            if raw.startswith(_UTF16_MARKS):
                message = "is UTF-16 (a file saved as “Unicode text”); save it as UTF-8 or name encoding utf-16"
                findings.unreadable(path, 1, "encoding", message)
                return
            raw = raw.removeprefix(codecs.BOM_UTF8)
        try:
            yield raw.rstrip(b"\r\n").decode(UTF8)
        except UnicodeDecodeError as error:
            findings.unreadable(path, number, "encoding", _not_utf8(raw, error.start))
            return


def _raw_lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Lines that end in LF or CR LF; if the file has no LF, in CR."""
    first = stream.readline()
    yield from [first] if first.endswith(b"\n") else first.split(b"\r")
    yield from stream


def _not_utf8(raw: bytes, column: int) -> str:
    names = ("iso-8859-2", "cp1250") if _LATIN2_LETTERS & set(raw) else ("cp1250", "iso-8859-2")
    around = raw[max(0, column - 12) : column + 12].decode(names[0], errors="replace").strip()
    return (
        f"byte 0x{raw[column]:02x} at byte {column + 1} of the line is not UTF-8; "
        f"name the encoding: {names[0]} (there it reads {around!r}) or {names[1]}, or save the file as UTF-8"
    )


def _other_lines(stream: IO[bytes], encoding: str) -> Iterator[str]:
    with io.TextIOWrapper(stream, encoding=encoding, newline="\n") as text:
        for number, line in enumerate(text, start=1):
            yield (line.removeprefix("\ufeff") if number == 1 else line).rstrip("\r\n")
