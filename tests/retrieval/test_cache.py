from __future__ import annotations

import multiprocessing
from pathlib import Path

import numpy as np
import pytest

from perturb.retrieval.cache import EmbeddingCache, default_cache


def vectors(n: int, dim: int = 4) -> np.ndarray:
    return np.random.default_rng(n).normal(size=(n, dim)).astype(np.float32)


def test_gives_back_what_was_added_by_role(tmp_path: Path) -> None:
    cache = EmbeddingCache(tmp_path)
    stored = vectors(3)
    cache.open("f", 4).add("query", ["a", "b", "\ud800"], stored)
    found, missing = cache.open("f", 4).look_up("query", ["b", "x", "a", "\ud800"])
    assert missing == [1]
    assert np.array_equal(found[[2, 0, 3]], stored)
    assert cache.open("f", 4).look_up("document", ["a"])[1] == [0]
    assert cache.open("g", 4).look_up("query", ["a"])[1] == [0]


@pytest.mark.parametrize("damage", ["truncated", "garbage", "empty", "other dimension"])
def test_a_damaged_file_is_removed_and_written_again(tmp_path: Path, damage: str) -> None:
    cache = EmbeddingCache(tmp_path)
    cache.open("f", 4).add("query", ["a", "b"], vectors(2))
    (path,) = (tmp_path / "embeddings" / "f").glob("*.vectors")
    content = path.read_bytes()
    if damage == "other dimension":
        EmbeddingCache(tmp_path / "x").open("f", 5).add("query", ["a", "b"], vectors(2, 5))
        next((tmp_path / "x").rglob("*.vectors")).replace(path)
    else:
        path.write_bytes({"truncated": content[:-3], "garbage": b"garbage" * 50, "empty": b""}[damage])
    store = cache.open("f", 4)
    assert store.look_up("query", ["a", "b"])[1] == [0, 1]
    assert path.name in store.notes[0]
    store.add("query", ["a", "b"], vectors(2))
    again = cache.open("f", 4)
    assert not again.notes
    assert again.look_up("query", ["a", "b"])[1] == []


def test_a_flipped_bit_never_becomes_a_vector(tmp_path: Path) -> None:
    cache = EmbeddingCache(tmp_path)
    cache.open("f", 4).add("query", ["a", "b"], vectors(2))
    (path,) = (tmp_path / "embeddings" / "f").glob("*.vectors")
    content = bytearray(path.read_bytes())
    content[-2] ^= 1
    path.write_bytes(bytes(content))
    store = cache.open("f", 4)
    assert store.look_up("query", ["a", "b"])[1] == [1]
    assert "1 damaged vector in the cache was ignored" in store.notes[0]
    store.add("query", ["b"], vectors(2)[1:])
    found, missing = cache.open("f", 4).look_up("query", ["a", "b"])
    assert not missing
    assert np.array_equal(found, vectors(2))


def test_a_file_that_vanishes_or_cannot_be_read_is_missing_only(tmp_path: Path) -> None:
    cache = EmbeddingCache(tmp_path)
    cache.open("f", 4).add("query", ["a"], vectors(1))
    (path,) = (tmp_path / "embeddings" / "f").glob("*.vectors")
    store = cache.open("f", 4)
    path.unlink()
    assert store.look_up("query", ["a"])[1] == [0]
    assert not store.notes
    path.mkdir()
    assert "could not be read" in cache.open("f", 4).notes[0]
    assert path.exists()


def test_what_was_just_added_is_found_without_reopening(tmp_path: Path) -> None:
    store = EmbeddingCache(tmp_path).open("f", 4)
    store.add("query", ["a"], vectors(1))
    assert store.look_up("query", ["a"])[1] == []


def test_a_left_over_temporary_file_is_no_shard(tmp_path: Path) -> None:
    cache = EmbeddingCache(tmp_path)
    folder = tmp_path / "embeddings" / "f"
    folder.mkdir(parents=True)
    (folder / "00000001-abc.tmp").write_bytes(b"half")
    store = cache.open("f", 4)
    assert not store.notes
    store.add("query", ["a"], vectors(1))
    assert cache.open("f", 4).look_up("query", ["a"])[1] == []


def _write(folder: Path, first: int) -> None:
    store = EmbeddingCache(folder).open("f", 4)
    for number in range(first, first + 20):
        store.add("query", [f"t{number}"], np.full((1, 4), number, dtype=np.float32))


def test_two_processes_write_side_by_side(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_write, args=(tmp_path, first)) for first in (0, 10)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    found, missing = EmbeddingCache(tmp_path).open("f", 4).look_up("query", [f"t{n}" for n in range(30)])
    assert not missing
    assert found[:, 0].tolist() == list(range(30))


def test_a_folder_that_cannot_be_written_costs_a_note_only(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    store = EmbeddingCache(blocked).open("f", 4)
    store.add("query", ["a"], vectors(1))
    assert "could not be kept" in store.notes[0]


def test_where_the_cache_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert default_cache().folder == tmp_path / "vectors"
    monkeypatch.delenv("PERTURB_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert default_cache().folder == tmp_path / "xdg" / "perturb"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert default_cache().folder == tmp_path / "home" / ".cache" / "perturb"
