"""BM25 over words or over lemmas: no training, no vectors, the baseline every dense model is measured against.

Weights are those of bm25s in its Lucene form (Robertson and Zaragoza 2009; Lucene's idf with + 1 is never negative).
No stop words and no stemming: *to*, *do*, *no*, *on* are Polish words, and English tools drop them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from perturb.errors import ConfigError, RetrieverError
from perturb.records import Document, Rankings
from perturb.retrieval.base import Retriever, versions_of
from perturb.retrieval.search import DocumentOrder, top_k
from perturb.wording import counted

TOKEN_PATTERN = r"[^\W_]+(?:(?:[-/.:'_&+@]|(?<=\d),(?=\d))[^\W_]+)*"
"""A run of letters and digits, or several joined by one of ``- / . : ' _ & + @`` or by a comma between digits."""

_TOKEN = re.compile(TOKEN_PATTERN)
_PART = re.compile(r"[^\W_]+")
_ONE_SPELLING = str.maketrans({"’": "'", "‘": "'", "‐": "-", "‑": "-", "\u00ad": None})

Analyser = Callable[[str], tuple[tuple[str, ...], ...]]
"""Text to terms; each entry holds the interchangeable terms of one word (one for words, several for lemmas)."""


def tokens(text: str) -> list[str]:
    """Split text into case-folded NFC tokens.

    Words of one letter and bare numbers are kept (``art. 5`` gives ``art``, ``5``). A compound or code gives itself
    and its parts: ``FV/12/2023`` gives ``fv/12/2023``, ``fv``, ``12``, ``2023``; ``deadline'u`` gives ``deadline'u``,
    ``deadline``, ``u``. So an exact code outranks a similar one and an inflected acronym still finds its base.
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text.translate(_ONE_SPELLING)).casefold())
    found: list[str] = []
    for whole in _TOKEN.findall(folded):
        found.append(whole)
        if not whole.isalnum():
            found.extend(_PART.findall(whole))
    return found


def words(text: str) -> tuple[tuple[str, ...], ...]:
    """Analyse text into its surface words."""
    return tuple((token,) for token in tokens(text))


@lru_cache(maxsize=200_000)
def _lemmas_or_surface(token: str) -> tuple[str, ...]:
    from perturb.polish.morphology import lemmas

    return tuple(sorted({lemma.casefold() for lemma in lemmas(token)})) or (token,)


def lemma_sets(text: str) -> tuple[tuple[str, ...], ...]:
    """Analyse text into the lemmas each word may have (SGJP through Morfeusz); unknown words stay as they are.

    All readings are kept on both sides: *umów* is a form of *umowa* and of *umówić*, and no context decides which.
    """
    return tuple(_lemmas_or_surface(token) for token in tokens(text))


class BM25Retriever(Retriever):
    """BM25 with Lucene weights.

    A query word counts once per occurrence, through the best weight among its interchangeable terms: an ambiguous
    form is worth no more than a clear one. Unknown terms are ignored; a query of unknown terms retrieves nothing.
    """

    def __init__(
        self,
        name: str = "bm25",
        *,
        analyser: Analyser = words,
        k1: float = 1.5,
        b: float = 0.75,
        language: str = "none",
    ) -> None:
        """Set up an empty index.

        Args:
            name: name in reports.
            analyser: :func:`words` or :func:`lemma_sets`.
            k1: saturation of term frequency, at least 0.
            b: strength of length normalisation, 0 to 1.
            language: only ``none``: there is no Polish stemmer here, and a foreign one would be wrong.

        Raises:
            ConfigError: a value out of range, or a language.
        """
        super().__init__(name)
        if language != "none":
            raise ConfigError(
                f"{name}: language = {language!r} is not offered; use bm25-lemma for Polish inflection, "
                "or leave language out for plain words"
            )
        if not (np.isfinite(k1) and k1 >= 0 and 0 <= b <= 1):
            raise ConfigError(f"{name}: k1 = {k1}, b = {b}; k1 must be at least 0 and b between 0 and 1")
        self._analyse, self._k1, self._b = analyser, float(k1), float(b)
        self._order: DocumentOrder | None = None
        self._vocabulary: dict[str, int] = {}
        self._postings: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []

    def index(self, documents: Sequence[Document]) -> None:
        """Count terms and compute weights, see :meth:`Retriever.index`."""
        self._order = DocumentOrder([document.doc_id for document in documents])
        in_order = [documents[column] for column in self._order.columns]
        terms = [[term for group in self._analyse(document.content) for term in group] for document in in_order]
        # Sorted, so that sums are taken in the same order whatever the hash seed of the process.
        self._vocabulary = {term: number for number, term in enumerate(sorted({t for ts in terms for t in ts}))}
        self._postings = self._weights([[self._vocabulary[term] for term in ts] for ts in terms])
        self._empty = sum(not ts for ts in terms)
        if self._empty:
            empty = counted(self._empty, "document contains", "documents contain")
            self.note(f"{empty} no word and can never be retrieved")

    def _weights(self, term_ids: list[list[int]]) -> list[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """Weights of each term: document columns and float64 weights."""
        if not self._vocabulary:
            return []
        import bm25s

        engine = bm25s.BM25(method="lucene", k1=self._k1, b=self._b, dtype="float64")
        built = engine.build_index_from_ids(list(range(len(self._vocabulary))), term_ids, show_progress=False)
        bounds, columns, weights = built["indptr"], built["indices"].astype(np.int64), built["data"]
        return [(columns[start:stop], weights[start:stop]) for start, stop in pairwise(bounds)]

    def _score(self, text: str, n_documents: int) -> NDArray[np.float64]:
        """Scores of all documents in column order, 0 where no term matches."""
        known = (
            tuple(self._vocabulary[term] for term in group if term in self._vocabulary) for group in self._analyse(text)
        )
        scores = np.zeros(n_documents)
        # Sorted, so that the order of the words cannot change the last bit of a sum.
        for group in sorted(group for group in known if group):
            if len(group) == 1:
                columns, weights = self._postings[group[0]]
                scores[columns] += weights
            else:
                best = np.zeros(n_documents)
                for term in group:
                    columns, weights = self._postings[term]
                    best[columns] = np.maximum(best[columns], weights)
                scores += best
        return scores

    def search(self, queries: Sequence[tuple[str, str]], k: int) -> Rankings:
        """Score each distinct text once, see :meth:`Retriever.search`."""
        order = self._order
        if order is None:
            raise RetrieverError(f"{self.name}: no documents are indexed yet; call index first")
        distinct = list(dict.fromkeys(text for _, text in queries))
        position = {text: number for number, text in enumerate(distinct)}

        def score_block(rows: slice, _columns: slice) -> NDArray[np.float32]:
            texts = distinct[rows]
            block = np.empty((len(texts), len(order)), dtype=np.float32)
            for row, text in enumerate(texts):
                block[row] = self._score(text, len(order))
            block[block <= 0] = -np.inf
            if self.progress:
                self.progress(f"{self.name}: searching", rows.stop, len(distinct))
            return block

        found = top_k(score_block, [""] * len(distinct), order, k, retriever=self.name)
        rows = np.array([position[text] for _, text in queries], dtype=np.int64)
        query_ids = tuple(query_id for query_id, _ in queries)
        return Rankings(query_ids, found.doc_index[rows], found.scores[rows], order.doc_ids)

    def description(self) -> dict[str, object]:
        """Variant, parameters, token pattern and versions."""
        lemmas = self._analyse is lemma_sets
        return {
            "kind": "bm25",
            "variant": "lucene",
            "terms": "lemmas" if lemmas else "words",
            "k1": self._k1,
            "b": self._b,
            "token_pattern": TOKEN_PATTERN,
            "stop_words": "none",
            "versions": dict(versions_of("bm25s", *(["morfeusz2"] if lemmas else []))),
        }
