from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from perturb.errors import RetrieverError
from perturb.records import Document
from perturb.retrieval import build_retriever
from perturb.retrieval.checkpoints import quiet
from perturb.retrieval.dense import SentenceTransformerEncoder
from perturb.retrieval.settings import RetrieverSettings
from perturb.retrieval.vectors import DenseRetriever

from .conftest import CORPUS, write_checkpoint

TEXTS = ["termin płatności", "umowa najmu lokalu użytkowego wymaga formy pisemnej", "urlop"]


def by_hand(folder: Path, texts: list[str]) -> np.ndarray[Any, Any]:
    """CLS vector of the last layer, normalised: what BGE-M3's dense head is, through transformers alone."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    with quiet(), torch.inference_mode():
        tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
        rows = [model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0, 0].numpy() for text in texts]
    vectors = np.array(rows)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def settings(**values: Any) -> RetrieverSettings:
    return RetrieverSettings.from_table(values, "test")


def test_bge_m3_without_prompts_equals_the_computation_by_hand(bge_like: Path) -> None:
    encoder = SentenceTransformerEncoder(str(bge_like))
    expected = by_hand(bge_like, TEXTS)
    np.testing.assert_allclose(encoder.encode_queries(TEXTS), expected, atol=1e-5)
    np.testing.assert_allclose(encoder.encode_documents(TEXTS), expected, atol=1e-5)
    assert encoder.description()["prompt_source"] == "table of model families"
    assert encoder.dim == 16
    assert encoder.encode_queries([]).shape == (0, 16)


def test_prompts_of_the_configuration_are_applied_exactly_once(prompted: Path) -> None:
    encoder = SentenceTransformerEncoder(str(prompted))
    np.testing.assert_allclose(encoder.encode_queries(TEXTS), by_hand(prompted, [f"Q: {t}" for t in TEXTS]), atol=1e-5)
    np.testing.assert_allclose(
        encoder.encode_documents(TEXTS), by_hand(prompted, [f"D: {t}" for t in TEXTS]), atol=1e-5
    )
    assert encoder.description()["prompt_source"] == "model configuration"


def test_the_users_prompts_replace_the_models(prompted: Path) -> None:
    encoder = SentenceTransformerEncoder(str(prompted), settings(prompt_query="zapytanie: ", prompt_document=""))
    np.testing.assert_allclose(
        encoder.encode_queries(TEXTS), by_hand(prompted, [f"zapytanie: {t}" for t in TEXTS]), atol=1e-5
    )
    np.testing.assert_allclose(encoder.encode_documents(TEXTS), by_hand(prompted, TEXTS), atol=1e-5)


def test_a_run_from_folder_to_rankings(prompted: Path, capfd: pytest.CaptureFixture[str]) -> None:
    texts = CORPUS[:4]
    retriever = build_retriever(str(prompted))
    retriever.index([Document(f"d{n}", text) for n, text in enumerate(texts)])
    rankings = retriever.search([("q1", "umowa najmu"), ("q2", "urlop")], 3)
    queries = by_hand(prompted, ["Q: umowa najmu", "Q: urlop"])
    scores = queries @ by_hand(prompted, [f"D: {text}" for text in texts]).T
    assert np.array_equal(rankings.doc_index, np.argsort(-scores, axis=1)[:, :3])
    np.testing.assert_allclose(rankings.scores, -np.sort(-scores, axis=1)[:, :3], atol=1e-5)
    json.dumps(retriever.description())
    output = capfd.readouterr()
    assert output.out == output.err == ""


def test_cosine_and_dot(tmp_path: Path) -> None:
    folder = write_checkpoint(tmp_path / "m", similarity="dot")
    assert SentenceTransformerEncoder(str(folder)).similarity == "dot"
    assert SentenceTransformerEncoder(str(folder), settings(similarity="cosine")).similarity == "cosine"
    manhattan = write_checkpoint(tmp_path / "n", similarity="manhattan")
    with pytest.raises(RetrieverError, match="by manhattan, which is not offered"):
        SentenceTransformerEncoder(str(manhattan))
    assert SentenceTransformerEncoder(str(write_checkpoint(tmp_path / "o", similarity=None))).similarity == "cosine"


def test_dtype_is_set_and_stated(bge_like: Path) -> None:
    single = SentenceTransformerEncoder(str(bge_like))
    half = SentenceTransformerEncoder(str(bge_like), settings(dtype="bfloat16"))
    assert (single.description()["dtype"], half.description()["dtype"]) == ("float32", "bfloat16")
    left, right = single.encode_queries(TEXTS), half.encode_queries(TEXTS)
    assert left.dtype == right.dtype == np.float32
    assert not np.array_equal(left, right)
    np.testing.assert_allclose(left, right, atol=0.1)


def test_a_half_precision_checkpoint_is_computed_in_float32(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = write_checkpoint(tmp_path / "m")
    weights = {name: weight.half() for name, weight in load_file(folder / "model.safetensors").items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "dtype": "float16"}))
    encoder = SentenceTransformerEncoder(str(folder))
    import torch

    assert {weight.dtype for weight in encoder._model.parameters()} == {torch.float32}


def test_cut_texts_are_counted_with_the_prompt(bge_like: Path) -> None:
    plain = SentenceTransformerEncoder(str(bge_like), settings(max_seq_length=20))
    text = next("a" * n for n in range(1, 40) if len(plain._token_ids("a" * n)) == 20)
    assert plain.overlong([text, text + "aaaa" * 10, "urlop"], "query") == [1]
    with_prompt = SentenceTransformerEncoder(str(bge_like), settings(max_seq_length=20, prompt_query="zapytanie: "))
    assert with_prompt.overlong([text, "urlop"], "query") == [0]
    assert with_prompt.overlong([text], "document") == []
    assert with_prompt.description()["max_tokens"] == 20


def test_fingerprint_follows_whatever_decides_the_vectors(tmp_path: Path, bge_like: Path) -> None:
    same = SentenceTransformerEncoder(str(bge_like)).fingerprint()
    assert same == SentenceTransformerEncoder(str(bge_like)).fingerprint()
    others = {
        SentenceTransformerEncoder(str(bge_like), settings(**changed)).fingerprint()
        for changed in ({"prompt_query": "x"}, {"prompt_document": "x"}, {"max_seq_length": 9}, {"dtype": "bfloat16"})
    }
    others.add(SentenceTransformerEncoder(str(write_checkpoint(tmp_path / "weights", seed=1))).fingerprint())
    others.add(SentenceTransformerEncoder(str(write_checkpoint(tmp_path / "cut", strip_accents=True))).fingerprint())
    assert len(others) == 6
    assert same not in others


def test_a_model_changed_in_its_folder_never_reuses_vectors(tmp_path: Path) -> None:
    folder = write_checkpoint(tmp_path / "m")
    documents = [Document("d", CORPUS[0])]
    scores = []
    for seed in (0, 1):
        if seed:
            (write_checkpoint(tmp_path / "other", seed=1) / "model.safetensors").replace(folder / "model.safetensors")
        retriever = build_retriever(str(folder))
        retriever.index(documents)
        scores.append(retriever.search([("q", "umowa")], 1).scores[0, 0])
    assert scores[0] != scores[1]


def test_batch_size_does_not_change_rankings(bge_like: Path) -> None:
    documents = [Document(f"d{n}", f"{text} {n}") for n, text in enumerate(CORPUS[:4] * 5)]
    runs = []
    for batch_size in (1, 7):
        retriever = DenseRetriever(SentenceTransformerEncoder(str(bge_like), settings(batch_size=batch_size)))
        retriever._cache.folder /= str(batch_size)
        retriever.index(documents)
        runs.append(retriever.search([("q", "umowa")], 20))
    np.testing.assert_allclose(runs[0].scores, runs[1].scores, atol=1e-5)


def test_tokens_of_queries_are_counted_without_prompt_and_marks(
    prompted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = SentenceTransformerEncoder(str(prompted))
    ids = encoder._model.tokenizer(TEXTS[1], add_special_tokens=False)["input_ids"]
    assert DenseRetriever(encoder).query_tokens(["", TEXTS[1]]) == [0, len(ids)]
    monkeypatch.setattr(encoder, "_tokenizer", None)
    assert encoder.token_counts(TEXTS) is None
    assert encoder.overlong(["x" * 1000], "query") == []
    assert not any("diacritics" in note for note in encoder.notes())


def test_a_slow_tokenizer_is_part_of_the_fingerprint() -> None:
    from perturb.retrieval.dense import _tokenizer_state

    class Slow:
        def get_vocab(self) -> dict[str, int]:
            return {"a": 1}

    assert _tokenizer_state(Slow()) == "Slow|[('a', 1)]"
    assert _tokenizer_state(None) == "NoneType|[]"
