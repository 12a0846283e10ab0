"""Settings of a retriever: what a ``[retriever.NAME]`` table of ``perturb.toml`` may hold."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from perturb.errors import ConfigError

KINDS = ("sentence-transformers", "endpoint", "bm25", "bm25-lemma", "hybrid")
"""Values of ``kind`` for a table that names a model of one's own."""


@dataclass(frozen=True, slots=True)
class RetrieverSettings:
    """Checked settings of one retriever; None and empty mean *the retriever's own default*.

    Attributes:
        kind: one of :data:`KINDS`; empty for a registered retriever.
        model: hub id or folder of a Sentence-Transformers model, or the model's name at an endpoint.
        base_url: address of an endpoint, up to ``/v1``.
        api_key_env: name of the environment variable that holds the endpoint's key; empty for none.
        prompt_query: put before every query; overrides the model's own; an empty string means none.
        prompt_document: put before every document.
        similarity: ``cosine`` or ``dot``.
        dtype: ``float32``, ``bfloat16`` or ``float16``.
        max_seq_length: longest text in tokens, at least 1.
        batch_size: texts encoded at a time, at least 1.
        trust_remote_code: run Python code that the model brings along.
        threads: threads of ``use-multilingual``, at least 1.
        k1: BM25 saturation.
        b: BM25 length normalisation.
        language: BM25 analyser; only ``none``.
        models: names of the retrievers that a hybrid fuses.
        rrf_k: constant of reciprocal rank fusion, at least 1.
        depth: places of each ranking that a hybrid reads, at least 1.
    """

    kind: str = ""
    model: str = ""
    base_url: str = ""
    api_key_env: str = ""
    prompt_query: str | None = None
    prompt_document: str | None = None
    similarity: str = ""
    dtype: str = "float32"
    max_seq_length: int | None = None
    batch_size: int = 32
    trust_remote_code: bool = False
    threads: int = 2
    k1: float = 1.5
    b: float = 0.75
    language: str = "none"
    models: tuple[str, ...] = ()
    rrf_k: int = 60
    depth: int = 100
    given: frozenset[str] = field(default_factory=frozenset)
    """Names of the settings that the caller gave."""

    @classmethod
    def from_table(
        cls, table: Mapping[str, Any], where: str, allowed: frozenset[str] | None = None
    ) -> RetrieverSettings:
        """Check a table of settings.

        Args:
            table: names and values, as TOML gives them.
            where: named in errors, such as ``[retriever.mine]``.
            allowed: names this retriever reads; None allows all.

        Raises:
            ConfigError: an unknown name, a value of the wrong type or out of range.
        """
        known = _TYPES.keys() if allowed is None else allowed | {"kind"}
        for name, value in table.items():
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(known))}"
                raise ConfigError(f"{where}: unknown setting {name!r}; {hint}")
            _check(name, value, where)
        values: dict[str, Any] = {n: tuple(value) if n == "models" else value for n, value in table.items()}
        return cls(**values, given=frozenset(table))


_STRINGS = [
    "kind",
    "model",
    "base_url",
    "api_key_env",
    "prompt_query",
    "prompt_document",
    "similarity",
    "dtype",
    "language",
]
_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(_STRINGS, (str,)),
    **dict.fromkeys(("max_seq_length", "batch_size", "threads", "rrf_k", "depth"), (int,)),
    **dict.fromkeys(("k1", "b"), (int, float)),
    "trust_remote_code": (bool,),
    "models": (list, tuple),
}
_CHOICES = {
    "kind": KINDS,
    "similarity": ("cosine", "dot"),
    "dtype": ("float32", "bfloat16", "float16"),
}
_EXPECTED = {str: "a string", int: "a whole number", float: "a number", bool: "true or false", list: "a list"}

assert set(_TYPES) == {setting.name for setting in fields(RetrieverSettings)} - {"given"}


def _check(name: str, value: object, where: str) -> None:
    """Refuse a value of the wrong type or out of range, in one line."""
    types = _TYPES[name]
    # bool is a subclass of int in Python, but `threads = true` is a slip of the pen.
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        expected = _EXPECTED[float if float in types else types[0]]
        raise ConfigError(f"{where}: {name} = {value!r}; expected {expected}")
    if name in _CHOICES and value not in _CHOICES[name]:
        near = difflib.get_close_matches(str(value), _CHOICES[name], n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(_CHOICES[name])}"
        raise ConfigError(f"{where}: {name} = {value!r} is not offered; {hint}")
    if types == (int,) and isinstance(value, int) and value < 1:
        raise ConfigError(f"{where}: {name} = {value}; it must be at least 1")
    if isinstance(value, list | tuple) and not all(isinstance(part, str) and part for part in value):
        raise ConfigError(f"{where}: {name} = {list(value)!r}; expected a list of retriever names")
