"""Any Sentence-Transformers model, by hub id or folder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from perturb.errors import RetrieverError
from perturb.records import Float32Array
from perturb.retrieval.base import Role, Similarity, versions_of
from perturb.retrieval.checkpoints import check_folder, has_modules_file, load_model, quiet
from perturb.retrieval.prompts import choose_prompts
from perturb.retrieval.settings import RetrieverSettings

_WITH_DIACRITICS, _WITHOUT = "że wysoką izbę", "ze wysoka izbe"


class SentenceTransformerEncoder:
    """A Sentence-Transformers model with its own prompts and its own similarity, in a stated dtype."""

    def __init__(self, model: str, settings: RetrieverSettings | None = None, *, name: str = "") -> None:
        """Load the model.

        Args:
            model: hub id, or a folder in the Sentence-Transformers layout.
            settings: prompts, similarity, dtype, length and so on; None for the model's own.
            name: name in reports; empty for ``model``.

        Raises:
            RetrieverError: the model cannot be loaded, or compares vectors in a way that is not offered.
        """
        self._settings = settings or RetrieverSettings()
        self.name = name or model
        model = str(Path(model).expanduser()) if model.startswith("~") else model
        self._source = model
        if Path(model).is_dir():
            check_folder(self.name, Path(model))
        self._model = load_model(self.name, model, self._settings)
        self._tokenizer = getattr(self._model, "tokenizer", None)
        self.dim = self._dimension()
        self.similarity: Similarity = self._similarity()
        default = self._model.prompts.get(self._model.default_prompt_name) if self._model.default_prompt_name else None
        self._prompts = choose_prompts(
            model,
            self._model.prompts,
            default,
            self._settings.prompt_query,
            self._settings.prompt_document,
        )

    def _dimension(self) -> int:
        with quiet():
            return int(np.shape(self._model.encode_query(["a"], prompt="", show_progress_bar=False))[1])

    def _similarity(self) -> Similarity:
        wanted = self._settings.similarity or str(self._model.similarity_fn_name or "cosine")
        if wanted == "cosine":
            return "cosine"
        if wanted == "dot":
            return "dot"
        raise RetrieverError(
            f"{self.name}: compares vectors by {wanted}, which is not offered; "
            'set similarity = "cosine" or "dot" in its [retriever] table'
        )

    def _encode(self, texts: Sequence[str], role: Role) -> Float32Array:
        encode = self._model.encode_query if role == "query" else self._model.encode_document
        prompt = self._prompts.query if role == "query" else self._prompts.document
        if not texts:
            return np.empty((0, self.dim), dtype=np.float32)
        with quiet():
            # The prompt goes in by name, not glued on: pooling may leave it out, as the model was trained.
            vectors = encode(
                list(texts),
                prompt=prompt,
                batch_size=self._settings.batch_size,
                show_progress_bar=False,
                convert_to_tensor=True,
            )
        return np.asarray(vectors.float().cpu().numpy(), dtype=np.float32)

    def encode_queries(self, texts: Sequence[str]) -> Float32Array:
        """Encode queries with the query prompt: float32 ``(n, dim)``."""
        return self._encode(texts, "query")

    def encode_documents(self, texts: Sequence[str]) -> Float32Array:
        """Encode documents with the document prompt: float32 ``(n, dim)``."""
        return self._encode(texts, "document")

    def _token_ids(self, text: str) -> list[int]:
        if self._tokenizer is None:
            return []
        with quiet():
            ids: list[int] = self._tokenizer(text, truncation=False, verbose=False)["input_ids"]
        return ids

    def token_counts(self, texts: Sequence[str]) -> list[int] | None:
        """Tokens of each text, without prompt and special tokens; ``None`` for a model without a tokenizer."""
        if self._tokenizer is None:
            return None
        special = len(self._token_ids(""))
        return [len(self._token_ids(text)) - special for text in texts]

    def overlong(self, texts: Sequence[str], role: Role) -> list[int]:
        """Positions of texts that do not fit, counted by the model's tokenizer with prompt and special tokens."""
        limit = self._model.max_seq_length
        if limit is None or self._tokenizer is None:
            return []
        prompt = self._prompts.query if role == "query" else self._prompts.document
        # A token is at least one character, so most queries need no counting.
        longest = limit - len(self._token_ids(""))
        return [
            row
            for row, text in enumerate(texts)
            if len(prompt) + len(text) > longest and len(self._token_ids(prompt + text)) > limit
        ]

    @cached_property
    def _fingerprint(self) -> str:
        digest = blake2b(digest_size=16)
        for part in self._model.state_dict().items():
            name, weights = part
            digest.update(f"{name}|{weights.dtype}|{tuple(weights.shape)}".encode())
            digest.update(_bytes_of(weights))
        digest.update(repr(self._model).encode())
        digest.update(_tokenizer_state(self._tokenizer).encode("utf-8", "surrogatepass"))
        chosen = (self._prompts.query, self._prompts.document, self._model.max_seq_length, self._settings.dtype)
        digest.update(repr(chosen).encode())
        digest.update(repr(sorted(self._versions().items())).encode())
        return digest.hexdigest()

    def fingerprint(self) -> str:
        """Hash of the weights as loaded, the modules, the tokenizer, prompts, length, dtype and versions."""
        return self._fingerprint

    @staticmethod
    def _versions() -> dict[str, str]:
        return dict(versions_of("sentence-transformers", "transformers", "tokenizers", "torch"))

    def description(self) -> dict[str, object]:
        """Prompts and where they come from, dtype, device, length, tokenizer and versions."""
        tokenizer = self._tokenizer
        return {
            "model": self._source,
            "prompt_query": self._prompts.query,
            "prompt_document": self._prompts.document,
            "prompt_source": self._prompts.source,
            "dtype": self._settings.dtype,
            "device": str(self._model.device),
            "max_tokens": self._model.max_seq_length,
            "tokenizer": type(tokenizer).__name__ if tokenizer is not None else None,
            "tokenizer_is_fast": bool(getattr(tokenizer, "is_fast", False)),
            "trust_remote_code": self._settings.trust_remote_code,
            "versions": self._versions(),
        }

    def notes(self) -> list[str]:
        """Prompts from nowhere, and a tokenizer that cannot see Polish letters."""
        found: list[str] = []
        if self._prompts.source.startswith("no prefix"):
            found.append(f"prompts: {self._prompts.source}")
        if not has_modules_file(self._source):
            found.append("no modules.json: vectors are the mean over tokens, which this model may not be made for")
        ids = self._token_ids(_WITH_DIACRITICS)
        if ids and ids == self._token_ids(_WITHOUT):
            found.append("tokenizer strips diacritics: texts with and without them are the same to this model")
        return found


def _bytes_of(weights: Any) -> memoryview:
    """Bytes of a tensor of any dtype, bfloat16 included, without a copy where it can be helped."""
    import torch

    flat = weights.detach().cpu().contiguous().reshape(-1)
    return memoryview(flat.view(torch.uint8).numpy()) if flat.numel() else memoryview(b"")


def _tokenizer_state(tokenizer: Any) -> str:
    """The whole of a fast tokenizer as text; class and vocabulary of a slow one."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is not None:
        return str(backend.to_str())
    vocabulary = tokenizer.get_vocab() if hasattr(tokenizer, "get_vocab") else {}
    return f"{type(tokenizer).__name__}|{sorted(vocabulary.items())}"
