"""Vectors kept on disk, so that a run started again encodes nothing twice.

One folder per encoder fingerprint, in it shards: three arrays in numpy's format one after the other, keys, checksums
and vectors. A shard is written under a temporary name and renamed, so a kill leaves whole shards only, and two
processes never write one file.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perturb.records import Float32Array
from perturb.retrieval.base import Role
from perturb.wording import counted

CACHE_VARIABLE = "PERTURB_CACHE"
"""Environment variable that names the cache folder."""

_KEY_BYTES, _CHECK_BYTES = 16, 8
# Hexadecimal, because numpy's byte strings drop trailing zero bytes.
_KEY_TYPE, _CHECK_TYPE = np.dtype(f"S{_KEY_BYTES * 2}"), np.dtype(f"S{_CHECK_BYTES * 2}")
_SUFFIX = ".vectors"


def default_cache() -> EmbeddingCache:
    """The cache in ``PERTURB_CACHE``, else in the user's cache folder (``XDG_CACHE_HOME`` or ``~/.cache``)."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return EmbeddingCache(Path(chosen))
    base = os.environ.get("XDG_CACHE_HOME")
    return EmbeddingCache((Path(base) if base else Path.home() / ".cache") / "perturb")


class EmbeddingCache:
    """A folder of vectors, shared by runs and processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def open(self, fingerprint: str, dim: int) -> EmbeddingStore:
        """The vectors of one encoder.

        Args:
            fingerprint: hexadecimal, from :meth:`Encoder.fingerprint`.
            dim: components of a vector.
        """
        return EmbeddingStore(self.folder / "embeddings" / fingerprint, dim)


def _key(role: Role, text: str) -> bytes:
    # surrogatepass: a lone surrogate in a text must not stop a run, and must not share a key with another text.
    digest = blake2b(f"{role}|{text}".encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES)
    return digest.hexdigest().encode()


def _checksum(key: bytes, vector: Float32Array) -> bytes:
    return blake2b(key + vector.tobytes(), digest_size=_CHECK_BYTES).hexdigest().encode()


class EmbeddingStore:
    """Vectors of one encoder.

    Attributes:
        notes: what went wrong with files of the cache, one sentence each.
    """

    def __init__(self, folder: Path, dim: int) -> None:
        """Read the keys of all shards; vectors stay on disk until asked for."""
        self.notes: list[str] = []
        self._folder, self._dim = folder, dim
        self._where: dict[bytes, tuple[Path, int]] = {}
        # Sorted by time of writing: a vector written again wins over a damaged one.
        for path in sorted(folder.glob(f"*{_SUFFIX}")):
            arrays = self._read(path, keys_only=True)
            if arrays:
                self._where.update((bytes(key), (path, row)) for row, key in enumerate(arrays[0]))

    def _read(self, path: Path, *, keys_only: bool = False) -> tuple[NDArray[Any], ...]:
        """Arrays of a shard: keys, or keys, checksums and vectors; nothing if it is broken, which removes it."""
        try:
            with path.open("rb") as stream:
                keys = np.load(stream, allow_pickle=False)
                rest = () if keys_only else tuple(np.load(stream, allow_pickle=False) for _ in range(2))
        except FileNotFoundError:
            return ()  # another process removed it
        except (ValueError, EOFError, SyntaxError, MemoryError):
            keys, rest = np.empty(0), ()
        except OSError as error:
            self.notes.append(f"a cache file could not be read: {path.name} ({error.strerror})")
            return ()
        whole = keys.ndim == 1 and keys.dtype == _KEY_TYPE
        if whole and not keys_only:
            whole = len(rest) == 2 and rest[0].shape == keys.shape and rest[1].shape == (len(keys), self._dim)
        if not whole:
            self.notes.append(f"a damaged cache file was removed and its texts encoded again: {path.name}")
            path.unlink(missing_ok=True)
            return ()
        return keys, *rest

    def look_up(self, role: Role, texts: Sequence[str]) -> tuple[Float32Array, list[int]]:
        """Read what is there.

        Args:
            role: ``query`` or ``document``; the two may have different vectors.
            texts: texts without prompts.

        Returns:
            Vectors float32 ``(n, dim)``, zero where missing, and the rows that are missing.
        """
        vectors = np.zeros((len(texts), self._dim), dtype=np.float32)
        keys = [_key(role, text) for text in texts]
        by_shard: dict[Path, list[int]] = {}
        for row, key in enumerate(keys):
            if key in self._where:
                by_shard.setdefault(self._where[key][0], []).append(row)
        present: set[int] = set()
        for path, rows in by_shard.items():
            arrays = self._read(path)
            if not arrays:
                continue
            _, checks, stored = arrays
            sound = [row for row in rows if self._take(keys[row], checks, stored, vectors[row])]
            present.update(sound)
            if len(sound) < len(rows):
                number = len(rows) - len(sound)
                damaged = counted(number, "damaged vector in the cache was", "damaged vectors in the cache were")
                self.notes.append(f"{damaged} ignored and encoded again")
        return vectors, [row for row in range(len(texts)) if row not in present]

    def _take(self, key: bytes, checks: NDArray[Any], stored: NDArray[Any], into: Float32Array) -> bool:
        """Copy a vector if its checksum is right."""
        place = self._where[key][1]
        vector = np.ascontiguousarray(stored[place], dtype="<f4")
        sound = bytes(checks[place]) == _checksum(key, vector)
        if sound:
            into[:] = vector
        return sound

    def add(self, role: Role, texts: Sequence[str], vectors: Float32Array) -> None:
        """Write a shard; a folder that cannot be written costs time only and leaves a note.

        Args:
            role: ``query`` or ``document``.
            texts: texts without prompts.
            vectors: float32 ``(n, dim)``.
        """
        keys = [_key(role, text) for text in texts]
        stored = np.ascontiguousarray(vectors, dtype="<f4")
        checks = [_checksum(key, vector) for key, vector in zip(keys, stored, strict=True)]
        target = self._folder / f"{time.time_ns():020d}-{secrets.token_hex(6)}{_SUFFIX}"
        temporary = target.with_suffix(".tmp")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with temporary.open("wb") as stream:
                for array in (np.array(keys, dtype=_KEY_TYPE), np.array(checks, dtype=_CHECK_TYPE), stored):
                    np.save(stream, array, allow_pickle=False)
            temporary.replace(target)
        except OSError as error:
            self.notes.append(f"vectors could not be kept in {self._folder.parent}: {error.strerror}")
            return
        self._where.update((key, (target, row)) for row, key in enumerate(keys))
