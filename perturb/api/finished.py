"""Work that survives a kill: the rankings of the models that are done."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from perturb import __version__
from perturb.config import Settings
from perturb.evaluation import ModelRun
from perturb.files import replacing
from perturb.golden.goldenset import GoldenSet
from perturb.records import Rankings
from perturb.suite import Suite


class FinishedModels:
    """Rankings of the models that are done, so that an interrupted run starts again where it was."""

    def __init__(self, settings: Settings, golden_set: GoldenSet, suite: Suite) -> None:
        self.folder = settings.out / ".resume"
        self.depth = settings.depth
        self.base = f"{__version__}|{golden_set.sha256}|{suite.sha256}|{settings.depth}|{sorted(settings.measures)}"

    def _path(self, name: str, description: Mapping[str, Any]) -> Path:
        key = json.dumps([self.base, name, description], sort_keys=True, default=str)
        return self.folder / f"{hashlib.blake2b(key.encode(), digest_size=16).hexdigest()}.npz"

    def keep(self, model: ModelRun) -> None:
        """Store the rankings of a finished model."""
        if model.rankings is None:
            return
        path = self._path(model.name, model.identity)
        arrays = {
            "doc_index": model.rankings.doc_index,
            "scores": model.rankings.scores,
            "query_ids": np.array(model.rankings.query_ids),
            "doc_ids": np.array(model.rankings.doc_ids),
        }
        with replacing(path) as unfinished, unfinished.open("wb") as stream:
            np.savez(stream, allow_pickle=False, **arrays)

    def kept(self, name: str, description: Mapping[str, Any]) -> Rankings | None:
        """Rankings of a model that an interrupted run had finished with the same settings."""
        path = self._path(name, description)
        if not path.exists():
            return None
        try:
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
                query_ids, doc_ids = (tuple(map(str, stored[key])) for key in ("query_ids", "doc_ids"))
                return Rankings(query_ids, stored["doc_index"], stored["scores"], doc_ids)
        except (OSError, ValueError, KeyError, EOFError, BadZipFile):
            return None  # cut short by a full disk or a crash of the machine; the model runs again

    def forget(self) -> None:
        """All is written; nothing needs to be kept."""
        shutil.rmtree(self.folder, ignore_errors=True)
