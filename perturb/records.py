"""The shapes that several parts share: documents, queries, judgements, variants, rankings.

All are frozen. Ids are strings, always: ``007`` and ``7`` are two queries.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ORIGINAL = "original"
"""Name of the perturbation whose only variant is the query itself."""

HIGHEST_GRADE = 999_999_999
"""Of a judgement; larger ones are slips, and do not fit 32 bits."""

Int32Array = NDArray[np.int32]
Float32Array = NDArray[np.float32]
Float64Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Document:
    """A chunk of text that can be retrieved."""

    doc_id: str
    text: str
    title: str = ""

    @property
    def content(self) -> str:
        """Title and text as retrievers read them: joined by a space, no stray space if either is empty."""
        return f"{self.title} {self.text}".strip() if self.title else self.text


@dataclass(frozen=True, slots=True)
class Query:
    """A search query as its user typed it, cleaned by :func:`perturb.polish.text.clean` on loading."""

    query_id: str
    text: str


class Judgement(NamedTuple):
    """How well a document answers a query: 0 not at all, up to 3 fully. Negative grades count as 0."""

    query_id: str
    doc_id: str
    grade: int


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement: at characters ``start`` to ``end`` of the original query stood ``before``, now ``after``."""

    start: int
    end: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Variant:
    """A perturbed query. It inherits the judgements of its query.

    Attributes:
        variant_id: unique in its suite, differs from every query id.
        query_id: the query it was made from.
        perturbation: registered name, such as ``case``.
        kind: the finer cell, such as ``gen.pl``.
        text: the perturbed text, NFC.
        edits: what was changed, in the order of the text; replaying them on the query gives ``text``.
        confidence: 0 to 1, how sure the rule is that this is what a Pole could have typed and meant the same.
        flags: any of ``real_word`` (a typo that is another word), ``meaning_risk``, ``ungrammatical``.
        seed: the string that seeded the draw, empty for rules that draw nothing.
    """

    variant_id: str
    query_id: str
    perturbation: str
    kind: str
    text: str
    edits: tuple[Edit, ...] = ()
    confidence: float = 1.0
    flags: frozenset[str] = field(default_factory=frozenset)
    seed: str = ""


def replay(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits to the text they refer to.

    Args:
        text: the original query.
        edits: non-overlapping edits in ascending order.

    Returns:
        The edited text.

    Raises:
        ValueError: an edit overlaps its predecessor, or its ``before`` is not what stands there.
    """
    parts: list[str] = []
    position = 0
    for edit in edits:
        if edit.start < position:
            raise ValueError(f"edit at {edit.start} overlaps the one before it, which ends at {position}")
        if text[edit.start : edit.end] != edit.before:
            raise ValueError(f"edit expects {edit.before!r} at {edit.start}, found {text[edit.start : edit.end]!r}")
        parts += (text[position : edit.start], edit.after)
        position = edit.end
    parts.append(text[position:])
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class Rankings:
    """The best ``k`` documents of each query, as arrays.

    Attributes:
        query_ids: ``n_queries`` ids, in the order of the rows.
        doc_index: int32 ``(n_queries, k)``, columns of ``doc_ids``, best first; ``-1`` pads.
        scores: float32 ``(n_queries, k)``, descending; ``-inf`` where ``doc_index`` is ``-1``.
        doc_ids: all documents of the corpus, in its order.
    """

    query_ids: tuple[str, ...]
    doc_index: Int32Array
    scores: Float32Array
    doc_ids: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.doc_index.shape != self.scores.shape or len(self.query_ids) != len(self.doc_index):
            raise ValueError(
                f"rankings of {len(self.query_ids)} queries have doc_index {self.doc_index.shape} "
                f"and scores {self.scores.shape}; all must agree"
            )

    @property
    def k(self) -> int:
        """Depth of the rankings: number of columns."""
        return int(self.doc_index.shape[1])

    def __len__(self) -> int:
        return len(self.query_ids)
