"""The files of a report that other programs read, tables apart: ``scores.parquet``, ``run.json``, ``runs/*.trec``."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from perturb.errors import ConfigError
from perturb.evaluation import Evaluation
from perturb.files import replacing
from perturb.retrieval.runs import write_trec

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


def writable_folder(out: Path) -> Path:
    """Make the output folder.

    Raises:
        ConfigError: the path is a file or cannot be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise ConfigError(f"--out {out}: is a file; give a folder") from error
    except OSError as error:
        raise ConfigError(
            f"--out {out}: cannot be made ({error.strerror}); give a folder that you may write"
        ) from error
    if not os.access(out, os.W_OK | os.X_OK):
        raise ConfigError(f"--out {out}: cannot be written; give a folder that you may write")
    return out


_mine: set[Path] = set()


@contextmanager
def alone_in(out: Path) -> Iterator[None]:
    """Make the output folder and keep other processes from writing their run into it at the same time.

    The lock is on the folder itself and ends with the process, however that ends. Systems without ``flock`` do without.

    Raises:
        ConfigError: the path is a file or cannot be written, or another process is writing there.
    """
    folder = writable_folder(out).resolve()
    if fcntl is None or folder in _mine:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _mine.add(folder)
        yield
    except BlockingIOError as error:
        if folder in _mine:
            raise
        raise ConfigError(f"--out {out}: another run is writing there; wait for it, or give another folder") from error
    finally:
        _mine.discard(folder)
        os.close(descriptor)


def file_name(model: str) -> str:
    """A model's name as a file name: ``BAAI/bge-m3`` becomes ``BAAI%2Fbge-m3``, reversibly."""
    return quote(model, safe=" +:,=@()")


def write_scores(evaluation: Evaluation, path: Path) -> None:
    """Write ``scores.parquet``: one row per model, variant and measure."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    variants = evaluation.variants
    columns = {
        "query_id": pa.array([v.query_id for v in variants]).dictionary_encode(),
        "variant_id": pa.array([v.variant_id for v in variants]).dictionary_encode(),
        "perturbation": pa.array([v.perturbation for v in variants]).dictionary_encode(),
        "kind": pa.array([v.kind for v in variants]).dictionary_encode(),
    }
    order = ("model", "query_id", "variant_id", "perturbation", "kind", "measure", "score")
    schema = pa.schema(
        [(name, pa.float64() if name == "score" else pa.dictionary(pa.int32(), pa.string())) for name in order]
    )
    with replacing(path) as partial, pq.ParquetWriter(partial, schema) as writer:
        for model in evaluation.succeeded:
            for measure, scores in zip(evaluation.measures, model.scores, strict=True):
                block = {
                    **columns,
                    "model": pa.array([model.name])
                    .dictionary_encode()
                    .take(pa.array(np.zeros(len(variants), np.int32))),
                    "measure": pa.array([measure.name])
                    .dictionary_encode()
                    .take(pa.array(np.zeros(len(variants), np.int32))),
                    "score": pa.array(scores, pa.float64()),
                }
                writer.write_table(pa.table([block[name] for name in order], schema=schema))


def write_query_tokens(evaluation: Evaluation, path: Path) -> None:
    """Write how many tokens each scored variant has for each model that tells; nothing if none does."""
    counts = {m.name: m.query_tokens.tolist() for m in evaluation.succeeded if m.query_tokens is not None}
    if counts:
        write_text(json.dumps(counts, ensure_ascii=False) + "\n", path)
    else:
        path.unlink(missing_ok=True)


def write_query_shift(evaluation: Evaluation, path: Path) -> None:
    """Write how far the vector of each scored variant lies from its original's; nothing if no model has vectors."""
    shifts = {
        m.name: [None if value != value else round(value, 9) for value in m.query_shift.tolist()]
        for m in evaluation.succeeded
        if m.query_shift is not None
    }
    if shifts:
        write_text(json.dumps(shifts, ensure_ascii=False) + "\n", path)
    else:
        path.unlink(missing_ok=True)


def write_text(text: str, path: Path) -> None:
    """Write UTF-8 text; replaces the file at once."""
    with replacing(path) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")


def write_run(record: Mapping[str, Any], path: Path) -> None:
    """Write ``run.json``; not-a-number is refused rather than written."""
    write_text(
        json.dumps(record, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False, default=str) + "\n", path
    )


def write_runs(evaluation: Evaluation, folder: Path) -> None:
    """Write ``runs/<model>.trec``: originals under their query id, variants under their variant id."""
    for model in evaluation.succeeded:
        if model.rankings is not None:
            write_trec(model.rankings, folder / f"{file_name(model.name)}.trec", tag=model.name)
