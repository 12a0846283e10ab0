"""Retrieval by vectors: any :class:`Encoder`, exact search, equal texts encoded once, vectors kept on disk."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from perturb.errors import RetrieverError
from perturb.records import Document, Float32Array, Rankings
from perturb.retrieval.base import Encoder, Retriever, Role
from perturb.retrieval.cache import EmbeddingCache, EmbeddingStore, default_cache
from perturb.retrieval.search import DocumentOrder, top_k
from perturb.wording import counted

CHUNK = 256
"""Texts encoded between two writes of the cache: what a stopped run loses at most."""

BLOCK_COLUMNS = 16_384
"""Documents compared at a time: float64 copies stay small however large the corpus."""

_PROBES = ("krótki tekst", "bardzo długi opis zasad rozliczania podróży służbowych w spółce i w jej oddziałach")
_SELF_CHECK_TOLERANCE = 1e-3
_IDS_IN_A_NOTE = 10
_PLURAL: dict[Role, str] = {"query": "queries", "document": "documents"}


class _Widened:
    """A range of documents in float64, equal texts once.

    Attributes:
        columns: the range.
        vectors: float64 ``(n_distinct, dim)``.
        silent: bool ``(n_distinct,)``, zero vectors.
        spread: int64 ``(n,)``, row of ``vectors`` for each column; None if every column has its own row.
    """

    def __init__(self, vectors: Float32Array, document_row: NDArray[np.int64], columns: slice) -> None:
        self.columns = columns
        distinct, spread = np.unique(document_row[columns], return_inverse=True)
        self.vectors = vectors[distinct].astype(np.float64)
        self.silent = ~self.vectors.any(axis=1)
        self.spread = None if np.array_equal(spread, np.arange(len(spread))) else spread


class _Texts:
    """Distinct NFC texts and where each text of a list went.

    Attributes:
        distinct: each text once, in order of first appearance.
        position: int64 ``(n,)``, row of ``distinct`` for each text given.
        owner: for each distinct text the id of the first text with it, for error messages.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self.ids: list[str] = []
        rows: dict[str, int] = {}
        owner: list[str] = []
        position: list[int] = []
        for text_id, text in pairs:
            text = unicodedata.normalize("NFC", text)
            if text not in rows:
                rows[text] = len(rows)
                owner.append(text_id)
            position.append(rows[text])
            self.ids.append(text_id)
        self.distinct, self.owner = list(rows), owner
        self.position = np.array(position, dtype=np.int64)

    def ids_of(self, distinct_rows: Iterable[int]) -> list[str]:
        """Ids of all texts that share one of these distinct rows."""
        chosen = set(distinct_rows)
        return [text_id for text_id, row in zip(self.ids, self.position, strict=True) if int(row) in chosen]


class DenseRetriever(Retriever):
    """Ranks documents by the similarity of vectors.

    Attributes:
        truncated_documents: ids of documents that the model cut.
        truncated_queries: ids of queries that the model cut.
    """

    def __init__(self, encoder: Encoder, *, cache: EmbeddingCache | None = None) -> None:
        """Wrap an encoder.

        Args:
            encoder: text to vectors.
            cache: where vectors are kept; None for the user's cache folder or ``PERTURB_CACHE``.
        """
        super().__init__(encoder.name)
        self.encoder = encoder
        self.truncated_documents: list[str] = []
        self.truncated_queries: list[str] = []
        self._cache = cache or default_cache()
        self._store: EmbeddingStore | None = None
        self._checked = False
        self._order: DocumentOrder | None = None
        self._asked: dict[str, Float32Array] = {}

    def index(self, documents: Sequence[Document]) -> None:
        """Encode the documents, see :meth:`Retriever.index`."""
        order = DocumentOrder([document.doc_id for document in documents])
        self._self_check()
        texts = _Texts((documents[column].doc_id, documents[column].content) for column in order.columns)
        self.truncated_documents = self._note_overlong(texts, "document")
        vectors = self._vectors(texts, "document")
        # Equal texts share one column of the product, so that they tie exactly whatever the kernel does at its edges.
        self._documents, self._document_row = self._comparable(vectors), texts.position
        self._order = order

    def search(self, queries: Sequence[tuple[str, str]], k: int) -> Rankings:
        """Encode each distinct query once and rank, see :meth:`Retriever.search`."""
        order = self._order
        if order is None:
            raise RetrieverError(f"{self.name}: no documents are indexed yet; call index first")
        texts = _Texts(queries)
        self.truncated_queries = self._note_overlong(texts, "query")
        vectors = self._vectors(texts, "query")
        self._asked = dict(zip(texts.distinct, vectors, strict=True))
        encoded = self._comparable(vectors)
        wide: _Widened | None = None

        def score_block(rows: slice, columns: slice) -> NDArray[np.float64]:
            # Products in float64, rounded to float32 by top_k: block size and thread count cannot reorder near-ties.
            nonlocal wide
            if wide is None or wide.columns != columns:
                wide = _Widened(self._documents, self._document_row, columns)
            queries = encoded[rows].astype(np.float64)
            products: NDArray[np.float64] = queries @ wide.vectors.T
            products[:, wide.silent] = -np.inf
            products[~queries.any(axis=1)] = -np.inf
            return products if wide.spread is None else products[:, wide.spread]

        found = top_k(score_block, texts.owner, order, k, retriever=self.name, block_columns=BLOCK_COLUMNS)
        rows = texts.position
        query_ids = tuple(query_id for query_id, _ in queries)
        return Rankings(query_ids, found.doc_index[rows], found.scores[rows], order.doc_ids)

    def _comparable(self, vectors: Float32Array) -> Float32Array:
        """Vectors whose dot product is the similarity; a zero vector stays zero and is no evidence."""
        if self.encoder.similarity == "dot":
            return vectors
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
        lengths[lengths == 0] = 1.0
        unit: Float32Array = (vectors / lengths[:, None]).astype(np.float32)
        return unit

    def _encode(self, texts: Sequence[str], role: Role) -> Float32Array:
        encode = self.encoder.encode_queries if role == "query" else self.encoder.encode_documents
        return np.asarray(encode(texts), dtype=np.float32)

    def _vectors(self, texts: _Texts, role: Role) -> Float32Array:
        """Vectors of the distinct texts: float32 ``(n_distinct, dim)``, from the cache where it has them."""
        if self._store is None:
            self._store = self._cache.open(self.encoder.fingerprint(), self.encoder.dim)
        store = self._store
        vectors, missing = store.look_up(role, texts.distinct)
        for start in range(0, len(missing), CHUNK):
            rows = missing[start : start + CHUNK]
            chunk = [texts.distinct[row] for row in rows]
            encoded = self._encode(chunk, role)
            self._check(encoded, [texts.owner[row] for row in rows], role)
            vectors[rows] = encoded
            store.add(role, chunk, encoded)
            if self.progress:
                self.progress(f"{self.name}: encoding {_PLURAL[role]}", min(start + CHUNK, len(missing)), len(missing))
        for sentence in store.notes:
            self.note(sentence)
        return vectors

    def _check(self, vectors: Float32Array, ids: Sequence[str], role: Role) -> None:
        """Refuse vectors of the wrong shape and vectors with NaN or infinity, naming the text."""
        dtype = self.encoder.description().get("dtype", "float32")
        expected = (len(ids), self.encoder.dim)
        if vectors.shape != expected:
            raise RetrieverError(f"{self.name} ({dtype}): gave vectors of shape {vectors.shape}, expected {expected}")
        wrong = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
        if len(wrong):
            raise RetrieverError(
                f"{self.name} ({dtype}): the vector of {role} {ids[wrong[0]]!r} contains NaN or infinity "
                f'({counted(len(wrong), "such vector")}); set dtype = "float32" or leave this model out'
            )

    def _self_check(self) -> None:
        """Encode two probe texts twice: in a batch and alone. They must agree, or padding leaks between texts."""
        if self._checked:
            return
        for role in ("query", "document"):
            batch = self._encode(_PROBES, role)
            alone = np.concatenate([self._encode([probe], role) for probe in _PROBES])
            self._check(batch, _PROBES, role)
            self._check(alone, _PROBES, role)
            left, right = batch.astype(np.float64), alone.astype(np.float64)
            lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
            cosine = float(np.min((left * right).sum(axis=1) / np.maximum(lengths, 1e-30)))
            if cosine < 1 - _SELF_CHECK_TOLERANCE:
                raise RetrieverError(
                    f"{self.name}: a text alone and in a batch gets different {role} vectors (cosine {cosine:.4f}); "
                    "its padding is wrong, or it is not deterministic; leave this model out"
                )
        self._checked = True
        for sentence in self.encoder.notes():
            self.note(sentence)

    def _note_overlong(self, texts: _Texts, role: Role) -> list[str]:
        ids = texts.ids_of(self.encoder.overlong(texts.distinct, role))
        if ids:
            shown = ", ".join(ids[:_IDS_IN_A_NOTE]) + (", …" if len(ids) > _IDS_IN_A_NOTE else "")
            limit = self.encoder.description().get("max_tokens")
            of = counted(len(texts.ids), role, _PLURAL[role])
            self.note(f"cut at {limit} tokens, prompt included: {len(ids)} of {of} ({shown})")
        return ids

    def query_tokens(self, texts: Sequence[str]) -> list[int] | None:
        """Counts of the encoder's optional ``token_counts``; see :meth:`Retriever.query_tokens`."""
        count = getattr(self.encoder, "token_counts", None)
        counts = count(texts) if count is not None else None
        return None if counts is None else [int(tokens) for tokens in counts]

    def query_vectors(self, texts: Sequence[str]) -> Float32Array | None:
        """Vectors as the encoder gives them, equal texts encoded once; see :meth:`Retriever.query_vectors`."""
        given = _Texts((str(place), text) for place, text in enumerate(texts))
        if all(text in self._asked for text in given.distinct):
            vectors = np.array([self._asked[text] for text in given.distinct], np.float32)
        else:
            vectors = self._vectors(given, "query")
        return vectors.reshape(-1, self.encoder.dim)[given.position]

    def description(self) -> dict[str, object]:
        """The encoder's description, and the counts of texts it cut."""
        return {
            "kind": "dense",
            **self.encoder.description(),
            "similarity": self.encoder.similarity,
            "dim": self.encoder.dim,
            "fingerprint": self.encoder.fingerprint(),
            "truncated_documents": list(self.truncated_documents),
            "truncated_queries": list(self.truncated_queries),
        }
