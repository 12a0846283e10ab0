"""The retrievers that users choose by name, and how a name becomes a retriever."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from perturb.errors import ConfigError
from perturb.registry import Registry
from perturb.retrieval.base import Retriever, RetrieverEntry
from perturb.retrieval.settings import RetrieverSettings


def _wrong(_name: str, thing: object) -> str:
    """What keeps the thing of a third party from being a model; empty if nothing does."""
    if not isinstance(thing, RetrieverEntry):
        return f"is {thing!r:.60}, not a perturb.retrieval.base.RetrieverEntry"
    if not callable(thing.build) or not isinstance(thing.summary, str):
        return "has no summary, or no build that can be called"
    return ""


_ALSO = "or a hub id, which contains a slash (BAAI/bge-m3), a folder, or hybrid:bm25+e5-small"

RETRIEVERS: Registry[RetrieverEntry] = Registry("model", "perturb.retrievers", _wrong, _ALSO)

HYBRID_PREFIX = "hybrid:"

_BM25_SETTINGS = frozenset({"k1", "b", "language"})
_HYBRID_SETTINGS = frozenset({"models", "rrf_k", "depth"})
_SENTENCE_TRANSFORMERS_SETTINGS = frozenset(
    {
        "model",
        "prompt_query",
        "prompt_document",
        "similarity",
        "dtype",
        "max_seq_length",
        "batch_size",
        "trust_remote_code",
    }
)


def _words(name: str, settings: RetrieverSettings) -> Retriever:
    from perturb.retrieval.lexical import BM25Retriever, words

    return BM25Retriever(name, analyser=words, k1=settings.k1, b=settings.b, language=settings.language)


def _lemmas(name: str, settings: RetrieverSettings) -> Retriever:
    from perturb.retrieval.lexical import BM25Retriever, lemma_sets

    return BM25Retriever(name, analyser=lemma_sets, k1=settings.k1, b=settings.b, language=settings.language)


def _use_multilingual(name: str, settings: RetrieverSettings) -> Retriever:
    from perturb.retrieval.embedded import UniversalSentenceEncoder
    from perturb.retrieval.vectors import DenseRetriever

    return DenseRetriever(UniversalSentenceEncoder(name, threads=settings.threads))


def _e5_small(name: str, _settings: RetrieverSettings) -> Retriever:
    from perturb.retrieval.embedded import E5Small
    from perturb.retrieval.vectors import DenseRetriever

    return DenseRetriever(E5Small(name))


def _sentence_transformers(name: str, settings: RetrieverSettings) -> Retriever:
    from perturb.retrieval.dense import SentenceTransformerEncoder
    from perturb.retrieval.vectors import DenseRetriever

    return DenseRetriever(SentenceTransformerEncoder(settings.model or name, settings, name=name))


def _endpoint(name: str, settings: RetrieverSettings) -> Retriever:
    from perturb.retrieval.endpoint import EndpointEncoder
    from perturb.retrieval.vectors import DenseRetriever

    return DenseRetriever(EndpointEncoder(name, settings))


RETRIEVERS.add(
    "bm25",
    RetrieverEntry("BM25 over words, Lucene weights, no stop words, no stemming", _words, settings=_BM25_SETTINGS),
)
RETRIEVERS.add(
    "bm25-lemma",
    RetrieverEntry("BM25 over Polish lemmas (SGJP through Morfeusz)", _lemmas, settings=_BM25_SETTINGS),
)
RETRIEVERS.add(
    "use-multilingual",
    RetrieverEntry(
        "Universal Sentence Encoder multilingual v3, weights in the package, 512 dimensions",
        _use_multilingual,
        requires="perturb-pl[embedded]",
        settings=frozenset({"threads"}),
    ),
)
RETRIEVERS.add(
    "e5-small",
    RetrieverEntry(
        "multilingual-e5-small in 4 bits, weights and engine in the package, 384 dimensions",
        _e5_small,
        requires="perturb-pl[embedded]",
    ),
)

SENTENCE_TRANSFORMERS = RetrieverEntry(
    "any Sentence-Transformers model by hub id or folder, such as BAAI/bge-m3",
    _sentence_transformers,
    settings=_SENTENCE_TRANSFORMERS_SETTINGS,
)
"""Entry of every name with a slash and of every existing folder."""

ENDPOINT = RetrieverEntry(
    "an embeddings endpoint in the form of OpenAI's, by base_url and model in a [retriever.NAME] table",
    _endpoint,
    settings=frozenset(
        {"model", "base_url", "api_key_env", "prompt_query", "prompt_document", "similarity", "batch_size"}
    ),
)
"""Entry of every table with ``kind = "endpoint"``."""

_BY_KIND = {"sentence-transformers": SENTENCE_TRANSFORMERS, "endpoint": ENDPOINT}


def build_retriever(
    name: str,
    *,
    settings: Mapping[str, Any] | None = None,
    tables: Mapping[str, Mapping[str, Any]] | None = None,
) -> Retriever:
    """Make a retriever from its name; arguments and errors as in :func:`retriever_factory`."""
    return retriever_factory(name, settings=settings, tables=tables)()


def retriever_factory(
    name: str,
    *,
    settings: Mapping[str, Any] | None = None,
    tables: Mapping[str, Mapping[str, Any]] | None = None,
) -> Callable[[], Retriever]:
    """Check a name and its settings now, and load the model when the result is called.

    Args:
        name: a registered name (``bm25``), the name of a table, a hub id (``BAAI/bge-m3``), an existing folder,
            or names to fuse (``hybrid:bm25+e5-small``).
        settings: settings from the command line; they win over the table's.
        tables: all ``[retriever.NAME]`` tables of ``perturb.toml``, by name.

    Returns:
        Makes a retriever with nothing indexed yet.

    Raises:
        ConfigError: an unknown name or setting.
        RetrieverError: when called: the model or its package cannot be loaded.
    """
    table = {**(tables or {}).get(name, {}), **(settings or {})}
    where = f"[retriever.{name}]" if name in (tables or {}) else f"model {name!r}"
    kind = table.get("kind", "")
    if kind == "hybrid" or (not kind and name.startswith(HYBRID_PREFIX)):
        return _hybrid(name, RetrieverSettings.from_table(table, where, _HYBRID_SETTINGS), where, tables or {})
    entry = _entry(name, kind, where)
    checked = RetrieverSettings.from_table(table, where, entry.settings)
    if kind == "sentence-transformers" and not checked.model:
        raise ConfigError(f'{where}: model is missing; give a hub id or folder, such as model = "BAAI/bge-m3"')
    return partial(entry.build, name, checked)


def _entry(name: str, kind: str, where: str) -> RetrieverEntry:
    """Find what builds a retriever of this kind, or else of this name."""
    if kind:
        RetrieverSettings.from_table({"kind": kind}, where)
        return _BY_KIND.get(kind) or RETRIEVERS[kind]
    if name not in RETRIEVERS and ("/" in name or Path(name).is_dir()):
        return SENTENCE_TRANSFORMERS
    return RETRIEVERS[name]


def _hybrid(
    name: str, settings: RetrieverSettings, where: str, tables: Mapping[str, Mapping[str, Any]]
) -> Callable[[], Retriever]:
    """Check a fusion of retrievers; a component that is itself a hybrid would hide what is fused."""
    names = settings.models or tuple(part.strip() for part in name.removeprefix(HYBRID_PREFIX).split("+"))
    if len(names) < 2 or "" in names or len(set(names)) < len(names):
        raise ConfigError(
            f"{where}: a hybrid fuses at least two different retrievers; write hybrid:bm25+e5-small "
            'or models = ["bm25", "e5-small"]'
        )
    for part in names:
        if part.startswith(HYBRID_PREFIX) or tables.get(part, {}).get("kind") == "hybrid":
            raise ConfigError(f"{where}: {part!r} is itself a hybrid; list its retrievers instead")
    factories = [retriever_factory(part, tables=tables) for part in names]

    def build() -> Retriever:
        from perturb.retrieval.fusion import HybridRetriever

        components = [factory() for factory in factories]
        return HybridRetriever(name, components, rrf_k=settings.rrf_k, depth=settings.depth)

    return build
