"""What can explain a drop: for each variant, how far it is from its query and from the document that answers it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from perturb.evaluation.running import Evaluation
from perturb.polish.morphology import analyse
from perturb.records import ORIGINAL, Edit, Float64Array
from perturb.retrieval.lexical import tokens

PARTS_OF_SPEECH = ("noun", "verb", "adjective", "other", "ambiguous", "several", "none")
"""Classes of the word that was hit; ``ambiguous``: the form belongs to several, ``none``: no word was hit."""

_CLASS_OF = {
    **dict.fromkeys(("subst", "depr", "ger", "ppron12", "ppron3", "siebie"), "noun"),
    **dict.fromkeys(
        ("fin", "praet", "impt", "imps", "inf", "pcon", "pant", "bedzie", "winien", "pred", "cond"), "verb"
    ),
    **dict.fromkeys(("adj", "adja", "adjp", "adjc", "pact", "ppas"), "adjective"),
}


@dataclass(frozen=True, slots=True)
class Explanatory:
    """One entry per perturbed variant; the same for all models.

    Attributes:
        positions: int64 ``(n,)``, places in ``evaluation.variants``.
        query: int64 ``(n,)``, rows of ``evaluation.qrels``.
        lost_overlap: float64 ``(n,)``, −1 to 1: share of the query's distinct words that stand in the relevant
            document, before minus after; of several relevant documents the one with most of them, each time.
        form_occurs: float64 ``(n,)``: 1 if every new word of the variant stands in one relevant document, 0 if not, NaN
            if the variant has no new word.
        edits: float64 ``(n,)``: Levenshtein distance in characters, over the recorded edits.
        words: float64 ``(n,)``: words of the original query, as white space separates them.
        words_after: float64 ``(n,)``: words of the variant, likewise.
        part_of_speech: the class of :data:`PARTS_OF_SPEECH` of what was hit.
    """

    positions: NDArray[np.int64]
    query: NDArray[np.int64]
    lost_overlap: Float64Array
    form_occurs: Float64Array
    edits: Float64Array
    words: Float64Array
    words_after: Float64Array
    part_of_speech: tuple[str, ...]


def explanatory(evaluation: Evaluation) -> Explanatory:
    """Describe every perturbed variant."""
    positions = [i for i, v in enumerate(evaluation.variants) if v.perturbation != ORIGINAL]
    relevant = _RelevantWords(evaluation)
    originals = evaluation.original_rows
    lost, occurs, edits, words, after, classes = [], [], [], [], [], []
    for position in positions:
        variant = evaluation.variants[position]
        row = int(evaluation.parent[position])
        text = evaluation.variants[int(originals[row])].text
        before_words, after_words = set(tokens(text)), set(tokens(variant.text))
        documents = relevant.of(row)
        lost.append(best_share(before_words, documents) - best_share(after_words, documents))
        fresh = after_words - before_words
        occurs.append(float(any(fresh <= document for document in documents)) if fresh else float("nan"))
        edits.append(float(sum(edit_distance(edit.before, edit.after) for edit in variant.edits)))
        words.append(float(len(text.split())))
        after.append(float(len(variant.text.split())))
        classes.append(class_hit(text, variant.edits))
    return Explanatory(
        np.array(positions, np.int64),
        evaluation.parent[positions].astype(np.int64) if positions else np.zeros(0, np.int64),
        np.array(lost, np.float64),
        np.array(occurs, np.float64),
        np.array(edits, np.float64),
        np.array(words, np.float64),
        np.array(after, np.float64),
        tuple(classes),
    )


class _RelevantWords:
    """Words of the relevant documents of each query, each document read once."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._words: dict[int, frozenset[str]] = {}

    def of(self, row: int) -> list[frozenset[str]]:
        """Word sets of the documents that are relevant to a query and lie in the corpus."""
        return [self._read(column) for column in relevant_columns(self._evaluation, row)]

    def _read(self, column: int) -> frozenset[str]:
        if column not in self._words:
            self._words[column] = frozenset(tokens(self._evaluation.golden_set.documents[column].content))
        return self._words[column]


def relevant_columns(evaluation: Evaluation, row: int) -> list[int]:
    """Documents of the corpus that are relevant to the query in a row of the qrels."""
    qrels = evaluation.qrels
    judged = slice(qrels.starts[row], qrels.starts[row + 1])
    columns = qrels.doc_index[judged][qrels.grades[judged] > 0]
    return [int(column) for column in columns if column >= 0]


def best_share(words: Iterable[str], documents: Sequence[frozenset[str]]) -> float:
    """Share of distinct words that stand in a document, in the document that has most of them; 0 without words."""
    distinct = set(words)
    if not distinct:
        return 0.0
    return max((len(distinct & document) / len(distinct) for document in documents), default=0.0)


@lru_cache(maxsize=65536)
def edit_distance(before: str, after: str) -> int:
    """Levenshtein distance in characters: insertions, deletions and replacements cost 1."""
    previous = list(range(len(after) + 1))
    for row, left in enumerate(before, 1):
        current = [row]
        for column, right in enumerate(after, 1):
            current.append(min(previous[column] + 1, current[-1] + 1, previous[column - 1] + (left != right)))
        previous = current
    return previous[-1]


@lru_cache(maxsize=65536)
def word_class(word: str) -> str:
    """Class of a word by its accepted dictionary readings; unknown words are ``other``."""
    readings = analyse(word)
    accepted = [reading for reading in readings if reading.is_accepted] or list(readings)
    classes = {_CLASS_OF.get(reading.pos, "other") for reading in accepted}
    return classes.pop() if len(classes) == 1 else "ambiguous" if classes else "other"


def class_hit(text: str, edits: Sequence[Edit]) -> str:
    """Class of the words that the edits touch.

    Args:
        text: the original query.
        edits: with offsets in it.

    Returns:
        The class of the one word hit, or the class that all words hit share; else ``several``; ``none`` if the edits
        only insert between words.
    """
    found: Counter[str] = Counter()
    for start, end in _words_at(text):
        if any(_touches(edit, start, end) for edit in edits):
            found[word_class(text[start:end])] += 1
    if not found:
        return "none"
    return next(iter(found)) if len(found) == 1 else "several"


def _touches(edit: Edit, start: int, end: int) -> bool:
    """Whether an edit changes the inside of a word; an insertion at its edge belongs to no word unless it is glued."""
    if edit.start == edit.end:
        return start < edit.start < end or (start <= edit.start <= end and edit.after.strip() == edit.after != "")
    return edit.start < end and edit.end > start


def _words_at(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = -1
    for place, char in enumerate(text + " "):
        if char.isalnum() or (start >= 0 and char in "-'’"):
            start = place if start < 0 else start
        elif start >= 0:
            spans.append((start, place))
            start = -1
    return spans
