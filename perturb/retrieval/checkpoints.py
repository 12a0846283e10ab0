"""Loading Sentence-Transformers checkpoints: quietly, within seconds, and with one line if it fails."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from perturb.errors import RetrieverError
from perturb.retrieval.settings import RetrieverSettings
from perturb.wording import counted

_WEIGHTS = ("*.safetensors", "pytorch_model*.bin", "*.onnx", "openvino_model*.xml")
_SMALLEST_WEIGHTS = 1024
_HUB_TIMEOUT_SECONDS = 5.0
_HUB_ID = re.compile(r"(\w[\w.-]*/)?\w[\w.-]*")
_LOCAL = 'download it where there is a network and give its folder (model = "/path/to/folder", or the path as the name)'
_NOISY = ("sentence_transformers", "transformers", "huggingface_hub", "torch", "filelock", "urllib3", "httpx")


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Silence warnings, log lines and progress bars of the model libraries, and restore what was set before."""
    loggers = [logging.getLogger(name) for name in _NOISY]
    levels = [logger.level for logger in loggers]
    bars = os.environ.get("HF_HUB_DISABLE_PROGRESS_BARS")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
            for logger in loggers:
                logger.setLevel(logging.ERROR)
            yield
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                logger.setLevel(level)
            if bars is None:
                os.environ.pop("HF_HUB_DISABLE_PROGRESS_BARS", None)
            else:
                os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = bars


class _LoadReport(logging.Handler):
    """Collects what transformers says about weights it found no file for and filled with random numbers."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.missing: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Read the table of version 5 and the sentence of version 4."""
        message = record.getMessage()
        found = re.findall(r"^(\S+)\s*\|\s*MISSING", message, re.MULTILINE)
        _, _, tail = message.partition("newly initialized: [")
        found += re.findall(r"'([^']+)'", tail.partition("]")[0])
        # The pooler of BERT-like models is not read by Sentence-Transformers, and many checkpoints lack it.
        self.missing += [weight for weight in found if "pooler." not in weight]


@contextlib.contextmanager
def _listening() -> Iterator[_LoadReport]:
    logger = logging.getLogger("transformers")
    handlers, level, propagate = logger.handlers, logger.level, logger.propagate
    report = _LoadReport()
    try:
        logger.handlers, logger.propagate = [report], False
        logger.setLevel(logging.WARNING)
        yield report
    finally:
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)


def _title(name: str, model: str) -> str:
    """How errors name a model: what the caller called it, and what it is if that differs."""
    return name if name == model else f"{name} ({model})"


def check_folder(name: str, folder: Path) -> None:
    """See that a folder holds a whole checkpoint before anything loads it.

    Raises:
        RetrieverError: a file is missing, or a weight file is a pointer or a stub instead of weights.
    """
    modules_file = folder / "modules.json"
    if not modules_file.is_file() and not (folder / "config.json").is_file():
        raise RetrieverError(f"{name}: {folder} holds neither modules.json nor config.json; it is no model folder")
    parts = [""]
    if modules_file.is_file():
        try:
            parts = [module["path"] for module in json.loads(modules_file.read_text(encoding="utf-8"))]
        except (ValueError, KeyError, TypeError) as error:
            raise RetrieverError(
                f"{name}: {modules_file} cannot be read ({error}); download the model again"
            ) from error
    for part in parts:
        if part and not (folder / part).is_dir() and not part.endswith("Normalize"):
            raise RetrieverError(f"{name}: {folder / part} is missing, modules.json names it; download the model again")
    root = folder / (parts[0] if parts else "")
    weights = [path for pattern in _WEIGHTS for path in [*root.glob(pattern), *root.glob(f"*/{pattern}")]]
    if not weights and (root / "config.json").is_file():
        raise RetrieverError(f"{name}: {root} holds no weights (such as model.safetensors); download the model again")
    for path in weights:
        if path.stat().st_size < _SMALLEST_WEIGHTS:
            raise RetrieverError(
                f"{name}: {path} has {path.stat().st_size} bytes and holds no weights (a Git LFS pointer?); "
                "download the model again"
            )


def load_model(name: str, model: str, settings: RetrieverSettings) -> Any:
    """Load a SentenceTransformer in the dtype asked for.

    Files that are already on this machine are used without a look at the network. Python code that a model brings
    along is never run unless the user allowed it.

    Raises:
        RetrieverError: missing, unreachable, broken, or in need of code that is not allowed to run.
    """
    is_folder = Path(model).is_dir()
    if not is_folder and not _HUB_ID.fullmatch(model):
        raise RetrieverError(f"{_title(name, model)} is no folder on this machine, and no hub id (owner/name) either")
    with quiet():
        try:
            loaded = _construct(model, settings, local_files_only=True)
        except _load_errors() as error:
            if is_folder or _wants_code(error):
                raise _refusal(name, model, error) from error
            _ask_hub(name, model, error)
            try:
                loaded = _construct(model, settings, local_files_only=False)
            except _load_errors() as second:
                raise _refusal(name, model, second) from second
    model_object, missing = loaded
    if missing:
        raise RetrieverError(
            f"{_title(name, model)} lacks {counted(len(missing), 'weight')} (such as {missing[0]}), "
            "its vectors would be random; download the model again"
        )
    return model_object


def _load_errors() -> tuple[type[Exception], ...]:
    """What constructing a model raises: files, JSON and settings (OSError, ValueError, KeyError), safetensors' own."""
    from safetensors import SafetensorError

    return (OSError, ValueError, KeyError, TypeError, AttributeError, ImportError, RuntimeError, SafetensorError)


def _construct(model: str, settings: RetrieverSettings, *, local_files_only: bool) -> tuple[Any, list[str]]:
    """The model and the names of weights that its files lack."""
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    with _listening() as report:
        loaded = SentenceTransformer(
            model,
            trust_remote_code=settings.trust_remote_code,
            local_files_only=local_files_only,
        )
    # Converted after loading: the name of the loading argument changed between versions, the result is the same.
    loaded = loaded.to(getattr(torch, settings.dtype)).eval()
    if settings.max_seq_length is not None:
        loaded.max_seq_length = settings.max_seq_length
    return loaded, report.missing


def _snapshots(model: str) -> list[Path]:
    """Folders of the hub's cache on this machine that hold files of this model."""
    from huggingface_hub.constants import HF_HUB_CACHE

    return sorted(Path(HF_HUB_CACHE).glob(f"models--{model.replace('/', '--')}/snapshots/*"))


def has_modules_file(model: str) -> bool:
    """Whether a model says how its vectors are pooled; without that Sentence-Transformers takes the mean."""
    folders = [Path(model)] if Path(model).is_dir() else _snapshots(model)
    return any((folder / "modules.json").is_file() for folder in folders)


def _ask_hub(name: str, model: str, error: Exception) -> None:
    """See within seconds whether the hub has the model, before a library retries for minutes."""
    from huggingface_hub import HfApi
    from huggingface_hub.constants import HF_HUB_OFFLINE

    here = f"is on this machine only in part ({_one_line(error)})" if _snapshots(model) else "is not on this machine"
    if HF_HUB_OFFLINE or os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "ON", "YES", "TRUE"):
        raise RetrieverError(f"{_title(name, model)} {here} and HF_HUB_OFFLINE is set; {_LOCAL}") from error
    try:
        HfApi().model_info(model, timeout=_HUB_TIMEOUT_SECONDS)
    except Exception as failure:  # the hub's client changes its HTTP library; any failure means: not to be had
        status = getattr(getattr(failure, "response", None), "status_code", None)
        reason = f"the hub answered {status}" if status else f"the hub cannot be reached ({type(failure).__name__})"
        raise RetrieverError(f"{_title(name, model)} {here} and {reason}; {_LOCAL}") from failure


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


def _wants_code(error: Exception) -> bool:
    return "trust_remote_code" in str(error)


def _refusal(name: str, model: str, error: Exception) -> RetrieverError:
    if _wants_code(error):
        return RetrieverError(
            f"{_title(name, model)} brings Python code of its own, which is not run; if you trust its author, set "
            "trust_remote_code = true in its [retriever] table"
        )
    return RetrieverError(
        f"{_title(name, model)} cannot be loaded: {type(error).__name__}: {_one_line(error)}; {_LOCAL}"
    )
