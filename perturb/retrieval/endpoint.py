"""An embeddings endpoint in the form of OpenAI's ``POST /embeddings``: Ollama, vLLM, llama.cpp and hosted services.

Only the standard library is used. The key is read from an environment variable and is never stored or shown.
"""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy as np

from perturb.errors import ConfigError, RetrieverError
from perturb.records import Float32Array
from perturb.retrieval.base import Role, Similarity
from perturb.retrieval.prompts import choose_prompts
from perturb.retrieval.settings import RetrieverSettings
from perturb.wording import counted

_TIMEOUT_SECONDS = 60.0
_ATTEMPTS = 3
_WORTH_ANOTHER_ATTEMPT = frozenset({408, 429, 500, 502, 503, 504})


class EndpointEncoder:
    """Vectors from a server. What it does inside is unknown, so its vectors are kept per address and model name."""

    def __init__(self, name: str, settings: RetrieverSettings, *, pause_seconds: float = 1.0) -> None:
        """Ask for one vector, to learn the dimension.

        Args:
            name: name in reports.
            settings: ``base_url`` (such as ``http://localhost:11434/v1``), ``model``, ``api_key_env``, prompts,
                similarity and batch size.
            pause_seconds: wait before another attempt, doubled each time.

        Raises:
            ConfigError: address or model is missing, or the variable of the key is not set.
            RetrieverError: the server cannot be reached or does not answer as expected.
        """
        if not settings.base_url.startswith(("http://", "https://")) or not settings.model:
            raise ConfigError(
                f'{name}: an endpoint needs base_url = "https://…/v1" and model = "…" in its [retriever] table'
            )
        if settings.api_key_env and not os.environ.get(settings.api_key_env):
            raise ConfigError(f"{name}: the environment variable {settings.api_key_env} is not set; put the key there")
        self.name = name
        self._settings = settings
        self._pause = pause_seconds
        self._url = settings.base_url.rstrip("/") + "/embeddings"
        self._prompts = choose_prompts(settings.model, {}, None, settings.prompt_query, settings.prompt_document)
        self.similarity: Similarity = "dot" if settings.similarity == "dot" else "cosine"
        self.dim = len(self._ask(["a"])[0])

    def encode_queries(self, texts: Sequence[str]) -> Float32Array:
        """Encode queries with the query prompt: float32 ``(n, dim)``."""
        return self._encode([self._prompts.query + text for text in texts])

    def encode_documents(self, texts: Sequence[str]) -> Float32Array:
        """Encode documents with the document prompt: float32 ``(n, dim)``."""
        return self._encode([self._prompts.document + text for text in texts])

    def _encode(self, texts: list[str]) -> Float32Array:
        size = self._settings.batch_size
        rows = [vector for start in range(0, len(texts), size) for vector in self._ask(texts[start : start + size])]
        if any(len(row) != self.dim for row in rows):
            raise RetrieverError(f"{self.name}: {self._url} gave vectors of different lengths")
        return np.array(rows, dtype=np.float32).reshape(len(texts), self.dim)

    def _ask(self, texts: list[str]) -> list[list[float]]:
        """Vectors of one batch, in the order of the texts: the answer's own order is not promised."""
        answer = self._post({"model": self._settings.model, "input": texts, "encoding_format": "float"})
        try:
            entries = sorted(answer["data"], key=lambda entry: int(entry["index"]))
            vectors = [[float(value) for value in entry["embedding"]] for entry in entries]
        except (KeyError, TypeError, ValueError) as error:
            raise RetrieverError(f"{self.name}: {self._url} gave no embeddings (unexpected answer)") from error
        if [int(entry["index"]) for entry in entries] != list(range(len(texts))):
            gave = f"{counted(len(vectors), 'vector')} for {counted(len(texts), 'text')}"
            raise RetrieverError(f"{self.name}: {self._url} gave {gave}")
        return vectors

    def _post(self, body: dict[str, Any]) -> Any:
        headers = {"Content-Type": "application/json"}
        if self._settings.api_key_env:
            headers["Authorization"] = f"Bearer {os.environ[self._settings.api_key_env]}"
        request = urllib.request.Request(self._url, json.dumps(body).encode(), headers)  # scheme checked above
        for attempt in range(_ATTEMPTS):
            try:
                with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                error.close()
                if error.code not in _WORTH_ANOTHER_ATTEMPT or attempt == _ATTEMPTS - 1:
                    raise RetrieverError(f"{self.name}: {self._url} answered {error.code} {error.reason}") from error
            except (OSError, ValueError) as error:
                raise RetrieverError(f"{self.name}: {self._url} gave no answer ({error})") from error
            time.sleep(self._pause * 2**attempt)
        raise AssertionError("unreachable")  # pragma: no cover

    def overlong(self, _texts: Sequence[str], _role: Role) -> list[int]:
        """Unknown: the server does not tell."""
        return []

    def fingerprint(self) -> str:
        """Hash of address, model and prompts; a server that changes its model silently goes unnoticed."""
        parts = (self._url, self._settings.model, self._prompts.query, self._prompts.document)
        return blake2b(repr(parts).encode(), digest_size=16).hexdigest()

    def description(self) -> dict[str, object]:
        """Address, model and prompts."""
        return {
            "model": self._settings.model,
            "base_url": self._settings.base_url,
            "prompt_query": self._prompts.query,
            "prompt_document": self._prompts.document,
            "prompt_source": self._prompts.source,
            "dtype": "float32 vectors, computation unknown",
            "max_tokens": None,
            "tokenizer": None,
        }

    def notes(self) -> list[str]:
        """What cannot be known about a server."""
        return ["an endpoint does not tell which texts it cuts, nor when its model changes"]
