"""What took the place of the right document: a near-duplicate of it, one on the same topic, or a lexical lure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from perturb.evaluation.explanatory import relevant_columns
from perturb.evaluation.model_runs import ModelRun
from perturb.evaluation.running import Evaluation
from perturb.records import ORIGINAL, Float64Array
from perturb.retrieval.lexical import tokens

NEAR_DUPLICATE = 0.5
"""Weighted Jaccard similarity from which two documents are near-duplicates: half of their words by weight."""

SAME_TOPIC_SHARE = 0.1
"""A document is on the topic of another if it is among this share of the corpus most similar to it."""

NOTHING_FOUND = "nothing found"

MISS_CLASSES = ("near-duplicate", "same topic", "lexical lure", "other", NOTHING_FOUND)

MISS_MEANINGS = {
    "near-duplicate": "shares half of its words with the right document, rare words weighing more",
    "same topic": "among the tenth of the corpus most similar to the right document",
    "lexical lure": "on another topic, but has more of the variant's words, by weight, than the right document",
    "other": "its words do not explain it",
    "nothing found": "the right document is gone and nothing stands in its place",
}


@dataclass(frozen=True, slots=True)
class MissClass:
    """How often a model's right document was overtaken by a document of one class.

    Attributes:
        model: name of the model.
        name: one of :data:`MISS_CLASSES`.
        share: of the misses, each query counting once however many of its variants missed.
        variants: variants.
        n_queries: queries with a miss of any class.
    """

    model: str
    name: str
    share: float
    variants: int
    n_queries: int


def miss_classes(evaluation: Evaluation) -> tuple[MissClass, ...]:
    """Sort the misses of every model under the leading measure; see :func:`misses_by_measure`."""
    return _sorted_misses(evaluation, _Corpus(evaluation), 0)


def misses_by_measure(evaluation: Evaluation) -> dict[str, tuple[MissClass, ...]]:
    """Sort the misses of every model into :data:`MISS_CLASSES`.

    A miss is a variant that scores less than its original under the measure and for which the relevant
    document that the original ranked best fell behind a document that was not above it before and is not relevant.
    The best-ranked of these is the overtaker. The first class in the order of :data:`MISS_CLASSES` that fits counts;
    similarity is Jaccard's over the sets of words, each weighing ``ln(1 + documents / documents with it)``. Words are
    compared as they are written, so the topic of inflected texts is seen dimly.

    Returns:
        By measure: per model, in the order asked for, one entry per class; nothing for a model without a miss.
    """
    corpus = _Corpus(evaluation)
    return {
        measure.name: _sorted_misses(evaluation, corpus, place) for place, measure in enumerate(evaluation.measures)
    }


def _sorted_misses(evaluation: Evaluation, corpus: _Corpus, place: int) -> tuple[MissClass, ...]:
    found: list[MissClass] = []
    for model in evaluation.succeeded:
        misses = [(row, corpus.classify(*miss)) for row, miss in _misses(evaluation, model, place)]
        per_query = Counter(row for row, _ in misses)
        for name in MISS_CLASSES if misses else ():
            rows = [row for row, class_name in misses if class_name == name]
            share = sum(1.0 / per_query[row] for row in rows) / len(per_query)
            found.append(MissClass(model.name, name, share, len(rows), len(per_query)))
    return tuple(found)


def _misses(evaluation: Evaluation, model: ModelRun, place: int) -> list[tuple[int, tuple[int, int | None, str]]]:
    """Query row, and right document, overtaker (``None`` if there is none) and text of every miss."""
    assert model.rankings is not None
    originals = evaluation.original_rows
    scores, ranked = model.scores[place], model.rankings.doc_index
    relevant_of: dict[int, list[int]] = {}
    found = []
    for position, variant in enumerate(evaluation.variants):
        row = int(evaluation.parent[position])
        original = int(originals[row])
        if variant.perturbation == ORIGINAL or scores[position] >= scores[original] - 1e-12:
            continue
        if row not in relevant_of:
            relevant_of[row] = relevant_columns(evaluation, row)
        overtaken = _overtaken(ranked[original].tolist(), ranked[position].tolist(), relevant_of[row])
        if overtaken is not None:
            found.append((row, (*overtaken, variant.text)))
    return found


def _overtaken(before: list[int], after: list[int], relevant: list[int]) -> tuple[int, int | None] | None:
    """The right document and the best document that came before it; nothing if none came."""
    place = next((place for place, column in enumerate(before) if column in relevant), None)
    if place is None:
        return None
    right = before[place]
    gone = right not in after
    above = after if gone else after[: after.index(right)]
    known = {-1, *before[:place], *relevant}
    fresh = next((column for column in above if column not in known), None)
    return (right, fresh) if fresh is not None or gone else None


class _Corpus:
    """Words of all documents as postings, for the similarity of one document to all others."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._sets: list[frozenset[str]] | None = None
        self._similar: dict[int, Float64Array] = {}

    def _read(self) -> list[frozenset[str]]:
        """Cut all documents into words; only when there is a miss to classify."""
        if self._sets is None:
            self._sets = [frozenset(tokens(document.content)) for document in self._evaluation.golden_set.documents]
            postings: dict[str, list[int]] = {}
            for column, words in enumerate(self._sets):
                for word in words:
                    postings.setdefault(word, []).append(column)
            self._postings = {word: np.array(columns) for word, columns in postings.items()}
            n_documents = len(self._sets)
            self._weight = {word: float(np.log1p(n_documents / len(at))) for word, at in postings.items()}
            self._mass = np.zeros(n_documents)
            # Sorted, so that sums are taken in the same order whatever the hash seed of the process.
            for word, columns in sorted(self._postings.items(), key=lambda posting: posting[0]):
                self._mass[columns] += self._weight[word]
        return self._sets

    def similarities(self, column: int) -> Float64Array:
        """Weighted Jaccard similarity of one document to all, float64 ``(n_documents,)``."""
        if column not in self._similar:
            sets = self._read()
            shared = np.zeros(len(sets))
            for word in sorted(sets[column]):
                shared[self._postings[word]] += self._weight[word]
            union = self._mass + self._mass[column] - shared
            self._similar[column] = np.divide(shared, union, out=np.zeros(len(sets)), where=union > 0)
        return self._similar[column]

    def classify(self, right: int, overtaker: int | None, text: str) -> str:
        """Class of a miss.

        Args:
            right: the document overtaken.
            overtaker: the document above it, or ``None``.
            text: of the variant.
        """
        if overtaker is None:
            return NOTHING_FOUND
        similar = self.similarities(right)
        if similar[overtaker] >= NEAR_DUPLICATE:
            return "near-duplicate"
        others = np.delete(similar, right)
        near = max(1, round(SAME_TOPIC_SHARE * len(others)))
        if similar[overtaker] > 0 and int((others > similar[overtaker]).sum()) < near:
            return "same topic"
        words, sets = set(tokens(text)), self._read()
        lure, truth = (sum(sorted(self._weight[word] for word in words & sets[of])) for of in (overtaker, right))
        return "lexical lure" if lure > truth else "other"
