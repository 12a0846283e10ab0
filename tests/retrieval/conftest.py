"""A tiny XLM-RoBERTa in the folder layout of BGE-M3, written anew for every test session."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from perturb.retrieval.base import Role, Similarity

CORPUS = [
    "Termin płatności faktury wynosi czternaście dni od daty wystawienia.",
    "Umowa najmu lokalu użytkowego wymaga formy pisemnej.",
    "Pracownik składa wniosek o urlop wypoczynkowy w systemie kadrowym.",
    "Deklarację składa się do 25. dnia miesiąca. Żółć, źdźbło, ćma, łoś.",
    "query: passage: zapytanie: Q: D: 0123456789 abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ",
]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads vectors of another, nor those of the person who runs the tests."""
    folder = tmp_path / "vectors"
    monkeypatch.setenv("PERTURB_CACHE", str(folder))
    return folder


def _tokenizer(max_length: int, strip_accents: bool) -> Any:
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.Unigram())
    if strip_accents:
        lower = [normalizers.NFD(), normalizers.StripAccents(), normalizers.Replace("ł", "l"), normalizers.Lowercase()]
        tokenizer.normalizer = normalizers.Sequence(lower)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trainer = trainers.UnigramTrainer(vocab_size=300, special_tokens=special, unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator(CORPUS * 4, trainer)
    ends = [(token, tokenizer.token_to_id(token)) for token in ("<s>", "</s>")]
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=ends)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        eos_token="</s>",
        cls_token="<s>",
        sep_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        mask_token="<mask>",
        model_max_length=max_length,
    )


def write_checkpoint(
    folder: Path,
    *,
    prompts: dict[str, str] | None = None,
    similarity: str | None = "cosine",
    seed: int = 0,
    max_length: int = 64,
    strip_accents: bool = False,
) -> Path:
    """Write transformer, CLS pooling and normalisation as BGE-M3 has them, with random weights."""
    import torch
    from transformers import XLMRobertaConfig, XLMRobertaModel

    folder.mkdir(parents=True)
    tokenizer = _tokenizer(max_length, strip_accents)
    config = XLMRobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=max_length + 2,
        type_vocab_size=1,
        bos_token_id=tokenizer.bos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        initializer_range=0.5,
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        XLMRobertaModel(config).eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    names = ["Transformer", "Pooling", "Normalize"]
    paths = ["", "1_Pooling", "2_Normalize"]
    modules = [
        {"idx": n, "name": str(n), "path": path, "type": f"sentence_transformers.models.{name}"}
        for n, (name, path) in enumerate(zip(names, paths, strict=True))
    ]
    pooling = {"word_embedding_dimension": 16, "pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    (folder / "1_Pooling").mkdir()
    for path, content in {
        "modules.json": modules,
        "1_Pooling/config.json": pooling,
        "sentence_bert_config.json": {"max_seq_length": max_length, "do_lower_case": False},
        "config_sentence_transformers.json": {
            "__version__": {"sentence_transformers": "2.2.2", "transformers": "4.33.0", "pytorch": "2.1.2"},
            **({"prompts": prompts} if prompts else {}),
            **({"similarity_fn_name": similarity} if similarity else {}),
        },
    }.items():
        (folder / path).write_text(json.dumps(content), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def bge_like(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """No prompts, as BGE-M3."""
    return write_checkpoint(tmp_path_factory.mktemp("hub") / "BAAI" / "bge-m3")


@pytest.fixture(scope="session")
def prompted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that ships prompts."""
    return write_checkpoint(
        tmp_path_factory.mktemp("hub") / "firma" / "model", prompts={"query": "Q: ", "document": "D: "}
    )


class StubEncoder:
    """Looks vectors up in a table and remembers what it was asked."""

    def __init__(
        self,
        vectors: dict[str, Sequence[float]] | Callable[[str], Sequence[float]],
        *,
        dim: int = 2,
        similarity: Similarity = "cosine",
        name: str = "stub",
        fingerprint: str = "stub",
    ) -> None:
        self.name, self.dim, self.similarity = name, dim, similarity
        self._vectors, self._fingerprint = vectors, fingerprint
        self.seen: list[tuple[Role, str]] = []

    def _encode(self, texts: Sequence[str], role: Role) -> np.ndarray[Any, Any]:
        self.seen.extend((role, text) for text in texts)
        if callable(self._vectors):
            rows = [self._vectors(text) for text in texts]
        else:
            rows = [self._vectors.get(text, [1.0] * self.dim) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(texts), -1)

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray[Any, Any]:
        return self._encode(texts, "query")

    def encode_documents(self, texts: Sequence[str]) -> np.ndarray[Any, Any]:
        return self._encode(texts, "document")

    def overlong(self, texts: Sequence[str], role: Role) -> list[int]:
        return [row for row, text in enumerate(texts) if len(text) > 100]

    def fingerprint(self) -> str:
        return self._fingerprint

    def description(self) -> dict[str, object]:
        return {"dtype": "float32", "max_tokens": 100}

    def notes(self) -> list[str]:
        return ["made of a table"]
