"""Finished runs, read back from their folders: ``run.json`` and ``scores.parquet``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perturb.errors import ConfigError
from perturb.evaluation.model_runs import ModelRun
from perturb.evaluation.running import Evaluation
from perturb.records import ORIGINAL, Float64Array

_COLUMNS = ("model", "query_id", "variant_id", "perturbation", "measure", "score")


@dataclass(frozen=True)
class StoredRun:
    """What a folder says of the run that wrote it.

    Attributes:
        folder: the folder.
        record: content of ``run.json``.
        variant_ids: all scored variants, in the order of the suite.
        query_of: int64 ``(n_variants,)``, places in ``query_ids``.
        query_ids: the scored queries.
        perturbations: name of each variant's perturbation.
        scores: float64 ``(n_variants,)`` by model and measure.
    """

    folder: Path
    record: Mapping[str, Any]
    variant_ids: tuple[str, ...]
    query_of: NDArray[np.int64]
    query_ids: tuple[str, ...]
    perturbations: tuple[str, ...]
    scores: Mapping[tuple[str, str], Float64Array]

    @property
    def models(self) -> tuple[str, ...]:
        """Models with scores, in their order."""
        return tuple(dict.fromkeys(model for model, _ in self.scores))

    @property
    def measures(self) -> tuple[str, ...]:
        """Measures, in their order."""
        return tuple(dict.fromkeys(measure for _, measure in self.scores))

    @property
    def failed(self) -> dict[str, str]:
        """Models that could not run, and why."""
        return {m["name"]: m["error"] for m in self.record["models"] if m["error"]}

    def description(self, model: str) -> Mapping[str, Any]:
        """What ``run.json`` keeps of a model."""
        found: Mapping[str, Any] = next(m["description"] for m in self.record["models"] if m["name"] == model)
        return found

    def restricted(self, variant_ids: frozenset[str]) -> StoredRun:
        """The same with some of the variants, of which each query's original must be one."""
        keep = np.array([variant_id in variant_ids for variant_id in self.variant_ids])
        if keep.all():
            return self
        queries, query_of = np.unique(self.query_of[keep], return_inverse=True)
        return StoredRun(
            self.folder,
            self.record,
            tuple(np.array(self.variant_ids, dtype=object)[keep].tolist()),
            query_of.astype(np.int64),
            tuple(self.query_ids[query] for query in queries),
            tuple(np.array(self.perturbations, dtype=object)[keep].tolist()),
            {key: scores[keep] for key, scores in self.scores.items()},
        )


def read_record(folder: Path) -> dict[str, Any]:
    """Read ``run.json`` of a folder.

    Raises:
        ConfigError: the folder holds no finished run.
    """
    path = folder / "run.json"
    try:
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        hashes = (record["golden_set"]["sha256"], record["suite"]["sha256"])
        complete = all(hashes) and all({"name", "error", "description"} <= set(m) for m in record["models"])
        if not complete or not {"settings", "versions"} <= set(record):
            raise ValueError("it is not complete")
    except (OSError, ValueError, KeyError, TypeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise ConfigError(f"{path}: no finished run ({why}); give the --out folder of `perturb run`") from error
    return record


def read_run(folder: Path) -> StoredRun:
    """Read a finished run.

    Raises:
        ConfigError: the folder holds no finished run, or its scores do not fit together.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    record = read_record(folder)
    path = folder / "scores.parquet"
    try:
        frame = pq.read_table(path, columns=list(_COLUMNS)).to_pandas()
    except (OSError, pa.ArrowException) as error:
        line = str(error).splitlines()[0]
        raise ConfigError(f"{path}: cannot be read as scores ({line}); run `perturb run` again") from error
    missing = [column for column in _COLUMNS if column not in frame.columns]
    if missing:
        raise ConfigError(f"{path}: has no column {missing[0]!r}; run `perturb run` again")
    blocks = dict(iter(frame.groupby(["model", "measure"], sort=False, observed=True)))
    if not blocks:
        raise ConfigError(f"{path}: holds no score; run `perturb run` again")
    first = next(iter(blocks.values()))
    variant_ids = tuple(map(str, first["variant_id"]))
    queries = tuple(map(str, first["query_id"]))
    place = {query_id: number for number, query_id in enumerate(dict.fromkeys(queries))}
    scores: dict[tuple[str, str], Float64Array] = {}
    for (model, measure), block in blocks.items():
        if tuple(map(str, block["variant_id"])) != variant_ids:
            raise ConfigError(f"{path}: {model} and {measure} lack some of the variants; run `perturb run` again")
        scores[str(model), str(measure)] = block["score"].to_numpy(np.float64)
    query_of = np.array([place[query_id] for query_id in queries], np.int64)
    perturbations = tuple(map(str, first["perturbation"]))
    originals = sum(name == ORIGINAL for name in perturbations)
    if originals != len(place):
        raise ConfigError(f"{path}: {len(place)} queries but {originals} originals; run `perturb run` again")
    return StoredRun(folder, record, variant_ids, query_of, tuple(place), perturbations, scores)


def restored(evaluation: Evaluation, record: Mapping[str, Any], folder: Path) -> Evaluation:
    """Give models whose rankings were read from a finished run all else that the run knew of them.

    Args:
        evaluation: of the stored rankings.
        record: ``run.json`` of the run.
        folder: where it lies; holds ``query_tokens.json`` and ``query_shift.json`` if a model told them.

    Returns:
        The evaluation with descriptions, notes, timings, tokens and the models that could not run, in their order.
    """
    tokens, shifts = (_per_variant(folder / name) for name in ("query_tokens.json", "query_shift.json"))
    runs = {model.name: model for model in evaluation.models}
    models = []
    for entry in record["models"]:
        name = str(entry["name"])
        if entry["error"]:
            models.append(ModelRun(name, np.zeros((0, 0)), None, error=str(entry["error"])))
            continue
        counts, shift = tokens.get(name, []), shifts.get(name, [])
        whole = len(evaluation.variants)
        models.append(
            replace(
                runs[name],
                description=entry["description"],
                notes=tuple(entry["notes"]),
                seconds=entry["seconds"],
                query_tokens=np.array(counts, np.int64) if len(counts) == whole else None,
                query_shift=np.array(shift, np.float64) if len(shift) == whole else None,
            )
        )
    return replace(evaluation, models=tuple(models))


def _per_variant(path: Path) -> dict[str, list[float | None]]:
    """What each model told of each variant; empty if none did."""
    found: dict[str, list[float | None]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found
