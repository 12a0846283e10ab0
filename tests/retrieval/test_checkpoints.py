from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import pytest

from perturb.errors import RetrieverError
from perturb.retrieval import build_retriever
from perturb.retrieval.checkpoints import check_folder, quiet
from perturb.retrieval.dense import SentenceTransformerEncoder
from perturb.retrieval.settings import RetrieverSettings

from .conftest import write_checkpoint


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("modules.json", "cannot be loaded"),
        ("model.safetensors", "holds no weights (such as model.safetensors)"),
        ("1_Pooling/config.json", "1_Pooling is missing"),
        ("tokenizer.json", "cannot be loaded"),
        ("config.json", "cannot be loaded"),
    ],
)
def test_a_missing_file_is_told_in_one_line(tmp_path: Path, name: str, message: str) -> None:
    folder = write_checkpoint(tmp_path / "m")
    (folder / name).unlink()
    if name.startswith("1_"):
        (folder / name).parent.rmdir()
    if name == "modules.json":
        (folder / "config.json").write_text("{}")
    with pytest.raises(RetrieverError) as raised:
        build_retriever(str(folder))
    assert message in str(raised.value)
    assert str(folder) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_broken_files_are_told_in_one_line(tmp_path: Path) -> None:
    folder = write_checkpoint(tmp_path / "m")
    weights = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(weights[: len(weights) // 2])
    with pytest.raises(RetrieverError, match="cannot be loaded: SafetensorError"):
        build_retriever(str(folder))
    (folder / "model.safetensors").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 2\n")
    with pytest.raises(RetrieverError, match="a Git LFS pointer"):
        build_retriever(str(folder))
    (folder / "modules.json").write_text("{")
    with pytest.raises(RetrieverError, match="cannot be read"):
        build_retriever(str(folder))
    with pytest.raises(RetrieverError, match="no model folder"):
        check_folder("m", tmp_path)


def test_weights_that_would_be_random_are_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = write_checkpoint(tmp_path / "m")
    weights = load_file(folder / "model.safetensors")
    kept = {name: weight for name, weight in weights.items() if "pooler" not in name}
    save_file(kept, folder / "model.safetensors", metadata={"format": "pt"})
    build_retriever(str(folder))
    kept = {name: weight for name, weight in kept.items() if "layer.1.output.dense" not in name}
    save_file(kept, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(RetrieverError, match="lacks 2 weights"):
        build_retriever(str(folder))


def test_code_of_a_model_is_not_run(tmp_path: Path) -> None:
    folder = write_checkpoint(tmp_path / "m")
    config = json.loads((folder / "config.json").read_text())
    config["model_type"] = "own-model"
    config["auto_map"] = {"AutoConfig": "own.OwnConfig", "AutoModel": "own.OwnModel"}
    (folder / "config.json").write_text(json.dumps(config))
    trace = tmp_path / "trace"
    (folder / "own.py").write_text(f"open({str(trace)!r}, 'w').close()\n")
    with pytest.raises(RetrieverError, match="trust_remote_code = true"):
        build_retriever(str(folder))
    assert not trace.exists()


def test_offline_and_missing_ends_within_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    start = time.monotonic()
    with pytest.raises(RetrieverError) as raised:
        build_retriever("BAAI/no-such-model")
    assert time.monotonic() - start < 10
    message = str(raised.value)
    assert "BAAI/no-such-model" in message
    assert "HF_HUB_OFFLINE" in message
    assert "/path/to/folder" in message
    assert "\n" not in message


@pytest.mark.parametrize("status", [None, 404])
def test_a_hub_out_of_reach(status: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    def refuse(self: object, model: str, timeout: float) -> None:
        assert timeout <= 10
        error = OSError("no route")
        if status:
            error.response = type("Response", (), {"status_code": status})()
        raise error

    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", refuse)
    with pytest.raises(RetrieverError, match="the hub answered 404" if status else "the hub cannot be reached"):
        build_retriever("BAAI/no-such-model")


def test_a_hub_that_answers_but_does_not_deliver(monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    from perturb.retrieval import checkpoints

    tried: list[bool] = []

    def construct(model: str, settings: RetrieverSettings, *, local_files_only: bool) -> Any:
        tried.append(local_files_only)
        raise OSError("model.safetensors is missing")

    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", lambda self, model, timeout: None)
    monkeypatch.setattr(checkpoints, "_construct", construct)
    with pytest.raises(RetrieverError, match=r"BAAI/bge-m3 cannot be loaded: OSError: model\.safetensors is missing"):
        build_retriever("BAAI/bge-m3")
    assert tried == [True, False]


def test_quiet_restores_what_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    logger = logging.getLogger("transformers")
    before = logger.level
    monkeypatch.setenv("HF_HUB_DISABLE_PROGRESS_BARS", "0")
    with quiet():
        assert logger.level == logging.ERROR
        warnings.warn("never seen", UserWarning, stacklevel=1)
    assert logger.level == before
    assert os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] == "0"


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    """A hub cache that holds firma/model."""
    folder = tmp_path / "hub" / "models--firma--model"
    (folder / "refs").mkdir(parents=True)
    (folder / "refs" / "main").write_text("a" * 40)
    return write_checkpoint(folder / "snapshots" / ("a" * 40), prompts={"query": "Q: "})


def test_a_model_of_the_hub_that_is_on_this_machine(hub: Path) -> None:
    """It needs no network and prints nothing; a part that is missing is named.

    In a process of its own: the hub's libraries read the place of their cache when they are imported.
    """
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from perturb.errors import RetrieverError\n"
        "from perturb.records import Document\n"
        "from perturb.retrieval import build_retriever\n"
        "retriever = build_retriever('firma/model')\n"
        "retriever.index([Document('d', 'umowa najmu ' * 100)])\n"
        "retriever.search([('q', 'umowa')], 1)\n"
        "print(retriever.description()['prompt_query'])\n"
        "Path(sys.argv[1], 'model.safetensors').unlink()\n"
        "try:\n    build_retriever('firma/model')\nexcept RetrieverError as error:\n    print(error)\n"
    )
    finished = subprocess.run(
        [sys.executable, "-c", script, str(hub)],
        env={**os.environ, "HF_HUB_CACHE": str(hub.parents[2]), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert finished.stderr == ""
    prompt, error = finished.stdout.splitlines()
    assert prompt == "Q: "
    assert error.startswith("firma/model is on this machine only in part (firma/model does not appear to have a file")
    assert "model.safetensors" in error


def test_pooling_that_nobody_stated_is_noted(tmp_path: Path) -> None:
    folder = write_checkpoint(tmp_path / "m")
    assert not any("modules.json" in note for note in SentenceTransformerEncoder(str(folder)).notes())
    (folder / "modules.json").unlink()
    assert any("no modules.json" in note for note in SentenceTransformerEncoder(str(folder)).notes())


def test_the_name_of_a_table_and_the_model_are_both_told(tmp_path: Path) -> None:
    folder = write_checkpoint(tmp_path / "m")
    (folder / "tokenizer.json").unlink()
    with pytest.raises(RetrieverError, match=rf"^mine \({folder}\) cannot be loaded"):
        build_retriever("mine", tables={"mine": {"kind": "sentence-transformers", "model": str(folder)}})


@pytest.mark.parametrize("path", ["./models/brak", "/models/brak", "../brak", "a/b/c", "~/no-such-folder", "a b/c"])
def test_a_folder_that_does_not_exist_is_not_asked_of_the_hub(path: str) -> None:
    with pytest.raises(RetrieverError, match="is no folder on this machine"):
        build_retriever(path)
