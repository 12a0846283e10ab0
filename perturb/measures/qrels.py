"""Judgements as arrays, sorted once so that every later look-up is cheap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from perturb.errors import MeasureError
from perturb.measures.names import Measure, parse_measure
from perturb.records import HIGHEST_GRADE, Int32Array, Judgement

OUTSIDE = -2
"""Stands for a judged document that the corpus lacks: it cannot be retrieved, yet it counts in every denominator."""


@dataclass(frozen=True, slots=True)
class Qrels:
    """All judgements of a golden set, ragged: those of query ``i`` lie at ``starts[i]:starts[i + 1]``.

    Attributes:
        query_ids: ``n_queries`` ids; judgements of other queries are left out.
        doc_ids: the corpus, in the order that rankings use.
        starts: int64 ``(n_queries + 1,)``.
        doc_index: int32 ``(n_judgements,)``, columns of ``doc_ids``, or :data:`OUTSIDE`.
        grades: int32 ``(n_judgements,)``, descending within a query; negative ones are stored as 0.
        n_negative: how many grades were negative (they count as 0, *not relevant*; a report says so once).
        n_outside: how many judged documents the corpus lacks.
        has_relevant: bool ``(n_queries,)``: queries with a grade of at least 1. The others cannot be scored; they are
            left out of every mean, by name, and never count as 0.
    """

    query_ids: tuple[str, ...]
    doc_ids: tuple[str, ...]
    starts: NDArray[np.int64]
    doc_index: Int32Array
    grades: Int32Array
    n_negative: int = 0
    n_outside: int = 0
    has_relevant: NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "has_relevant", self.relevant_counts(1) > 0)

    @classmethod
    def from_judgements(
        cls, judgements: Iterable[Judgement], query_ids: Sequence[str], doc_ids: Sequence[str]
    ) -> Qrels:
        """Build from judgements in any order.

        Args:
            judgements: may be an iterator; those of queries not in ``query_ids`` are left out. Documents that are not
                in ``doc_ids`` are kept: trec_eval counts them among the relevant ones too.
            query_ids: the declared set of queries, in the order wanted.
            doc_ids: the corpus, in the order that the rankings use.

        Returns:
            The arrays.

        Raises:
            MeasureError: a document was judged twice for one query, with different grades, or a grade is no whole
                number of at most :data:`HIGHEST_GRADE`.
        """
        row_of = {query_id: row for row, query_id in enumerate(query_ids)}
        column_of = {doc_id: column for column, doc_id in enumerate(doc_ids)}
        grade_of: dict[tuple[int, str], int] = {}
        for query_id, doc_id, grade in judgements:
            row = row_of.get(query_id)
            if row is not None and grade_of.setdefault((row, doc_id), grade) != grade:
                raise MeasureError(
                    f"document {doc_id!r} has grades {grade_of[row, doc_id]} and {grade} for query {query_id!r}; "
                    "keep one"
                )
        rows = np.fromiter((row for row, _ in grade_of), np.int64, len(grade_of))
        columns = np.fromiter((column_of.get(doc_id, OUTSIDE) for _, doc_id in grade_of), np.int32, len(grade_of))
        return cls.from_arrays(rows, columns, list(grade_of.values()), query_ids, doc_ids)

    @classmethod
    def from_arrays(
        cls, rows: ArrayLike, doc_index: ArrayLike, grades: ArrayLike, query_ids: Sequence[str], doc_ids: Sequence[str]
    ) -> Qrels:
        """Build from parallel arrays, one entry per judgement, in any order.

        Args:
            rows: positions in ``query_ids``.
            doc_index: positions in ``doc_ids``, or :data:`OUTSIDE`; no document twice for one query.
            grades: whole numbers, at most :data:`HIGHEST_GRADE`.
            query_ids: the queries.
            doc_ids: the corpus.

        Returns:
            The arrays, sorted.

        Raises:
            MeasureError: a grade that is no whole number, or too large.
        """
        row, column, grade = np.asarray(rows, np.int64), np.asarray(doc_index, np.int32), _whole_grades(grades)
        gain = np.maximum(grade, 0)
        # One key sorts by query and then by falling grade; a stable sort keeps the order of the file among equals.
        span = int(gain.max(initial=0)) + 1
        order = np.argsort(row * span + (span - 1 - gain), kind="stable")
        starts = np.zeros(len(query_ids) + 1, np.int64)
        np.cumsum(np.bincount(row, minlength=len(query_ids)), out=starts[1:])
        return cls(
            tuple(query_ids),
            tuple(doc_ids),
            starts,
            column[order],
            gain[order].astype(np.int32),
            n_negative=int((grade < 0).sum()),
            n_outside=int((column == OUTSIDE).sum()),
        )

    @property
    def counts(self) -> NDArray[np.int64]:
        """Number of judgements of each query, int64 ``(n_queries,)``."""
        return np.diff(self.starts)

    def relevant_counts(self, rel: int = 1) -> NDArray[np.int64]:
        """Number of documents with a grade of at least ``rel``, int64 ``(n_queries,)``."""
        passed = np.zeros(len(self.grades) + 1, np.int64)
        np.cumsum(self.grades >= rel, out=passed[1:])
        return passed[self.starts[1:]] - passed[self.starts[:-1]]

    def scorable(self, measures: Iterable[Measure | str]) -> NDArray[np.bool_]:
        """Queries that every one of the measures can score: with a relevant document, at the highest ``rel`` asked for.

        Returns:
            bool ``(n_queries,)``.
        """
        return self.relevant_counts(max((parse_measure(measure).rel for measure in measures), default=1)) > 0

    def excluded(self, measures: Iterable[Measure | str] = ()) -> list[str]:
        """Ids of the queries that cannot be scored, in order; a report lists them."""
        return [self.query_ids[row] for row in np.flatnonzero(~self.scorable(measures))]

    def crowded(self, k: int, rel: int = 1) -> list[str]:
        """Ids of the queries with more than ``k`` relevant documents: their recall@k cannot reach 1."""
        return [self.query_ids[row] for row in np.flatnonzero(self.relevant_counts(rel) > k)]


def _whole_grades(grades: ArrayLike) -> NDArray[np.int64]:
    """Grades as they stand; nothing is cut to a whole number or wrapped into 32 bits.

    Raises:
        MeasureError: names the first that is no whole number or too large.
    """
    given = np.asarray(grades)
    if given.dtype.kind in "iub":
        wrong = given > HIGHEST_GRADE
    elif given.dtype.kind == "f":
        wrong = ~np.isfinite(given) | (np.trunc(given) != given) | (given > HIGHEST_GRADE)
    else:
        wrong = np.array([not isinstance(grade, int) or grade > HIGHEST_GRADE for grade in given.ravel()], np.bool_)
    if wrong.any():
        grade = given.ravel().tolist()[int(wrong.argmax())]
        raise MeasureError(f"grade {grade!r} is not a whole number of at most {HIGHEST_GRADE}, such as 0, 1, 2, 3")
    return given.astype(np.int64)


@dataclass(frozen=True, slots=True)
class QueryMatch:
    """Which queries have judgements and which do not."""

    both: tuple[str, ...]
    only_queries: tuple[str, ...]
    only_qrels: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{len(self.both)} queries with judgements, {len(self.only_queries)} queries without any, "
            f"{len(self.only_qrels)} judged queries without text"
        )


def match_queries(query_ids: Iterable[str], judgements: Iterable[Judgement]) -> QueryMatch:
    """Compare the declared queries with the judged ones; evaluation uses the declared set only."""
    declared = dict.fromkeys(query_ids)
    judged = dict.fromkeys(judgement.query_id for judgement in judgements)
    return QueryMatch(
        tuple(query_id for query_id in declared if query_id in judged),
        tuple(query_id for query_id in declared if query_id not in judged),
        tuple(query_id for query_id in judged if query_id not in declared),
    )
