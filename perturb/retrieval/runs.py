"""Rankings as TREC run files: ``query_id Q0 doc_id rank score tag``, separated by single spaces.

A column cannot hold white space, so white space in an id is percent-encoded (UTF-8), and ``%`` itself where it would
otherwise read as an escape. Letters of any alphabet stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote

import numpy as np

from perturb.errors import GoldenSetError, at
from perturb.files import replacing
from perturb.records import Rankings
from perturb.retrieval.search import DocumentOrder
from perturb.wording import counted

_COLUMNS = 6
_TO_ENCODE = re.compile(r"\s|[\x00-\x1f\x7f]|%(?=[0-9A-Fa-f]{2})|^#")
_ESCAPE = re.compile(r"(?:%[0-9A-Fa-f]{2})+")


def encode_id(text: str) -> str:
    """Write an id so that it fits into one column; :func:`decode_id` gives it back."""
    return _TO_ENCODE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found.group().encode()), text)


def decode_id(text: str) -> str:
    """Read an id from a column."""
    return _ESCAPE.sub(lambda found: unquote(found.group(), errors="surrogateescape"), text)


def write_trec(rankings: Rankings, path: Path, tag: str) -> None:
    """Write a run, under a temporary name first.

    Sorting what :func:`read_trec` gives by score and then by ``doc_id``, both descending, gives the order of the
    rankings back, and every score is the same float32 when it is read again.

    Args:
        rankings: one row a query; queries without results leave no line.
        path: file to write; its folder is made if missing.
        tag: name of the run, last column.
    """
    documents = [encode_id(doc_id) for doc_id in rankings.doc_ids]
    with replacing(path) as partial, partial.open("w", encoding="utf-8", newline="\n") as stream:
        for query_id, columns, scores in zip(
            rankings.query_ids, rankings.doc_index.tolist(), rankings.scores.tolist(), strict=True
        ):
            head = f"{encode_id(query_id)} Q0"
            stream.writelines(
                f"{head} {documents[column]} {place} {score:.9g} {encode_id(tag)}\n"
                for place, (column, score) in enumerate(zip(columns, scores, strict=True), start=1)
                if column >= 0
            )


def read_trec(path: Path, *, decode: bool = True) -> dict[str, dict[str, float]]:
    """Read a run, ours or any other tool's.

    Blank lines and lines that begin with ``#`` are skipped; columns may be separated by any white space. Ranks are
    ignored, as trec_eval does.

    Args:
        path: a UTF-8 file with six columns.
        decode: undo the encoding of :func:`encode_id`; False for runs of tools whose ids hold ``%20`` and mean it.

    Returns:
        Scores by query and document, rounded to float32, in the order of the file.

    Raises:
        GoldenSetError: a line with another number of columns, a score that is no finite number, a document twice
            for one query, or text that is not UTF-8.
    """
    run: dict[str, dict[str, float]] = {}
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise GoldenSetError(f"{path}: not UTF-8 (byte {error.start}); save it as UTF-8") from error
    for number, line in enumerate(lines, start=1):
        fields = line.split()
        if not fields or fields[0].startswith("#"):
            continue
        if len(fields) != _COLUMNS:
            raise GoldenSetError(
                f"{at(path, number)}: {counted(len(fields), 'column')}, a run has {_COLUMNS} "
                "(query Q0 document rank score tag); write white space in ids as %20"
            )
        query_id, doc_id = (decode_id(text) if decode else text for text in (fields[0], fields[2]))
        scores = run.setdefault(query_id, {})
        if doc_id in scores:
            raise GoldenSetError(f"{at(path, number)}: document {doc_id!r} is listed twice for query {query_id!r}")
        scores[doc_id] = _score(fields[4], path, number)
    return run


def _score(text: str, path: Path, number: int) -> float:
    try:
        with np.errstate(over="ignore"):
            score = float(np.float32(text))
    except ValueError:
        score = np.nan
    if not np.isfinite(score):
        raise GoldenSetError(f"{at(path, number)}: score {text!r} is no finite number")
    return score


def as_rankings(run: dict[str, dict[str, float]], doc_ids: Iterable[str], k: int) -> Rankings:
    """Turn scores into rankings by the one tie rule.

    Args:
        run: scores by query and document, as :func:`read_trec` gives them.
        doc_ids: all documents of the corpus, in its order.
        k: depth.

    Raises:
        GoldenSetError: a document of the run is not in the corpus.
    """
    order = DocumentOrder(tuple(doc_ids))
    column_of = {doc_id: column for column, doc_id in enumerate(order.doc_ids)}
    doc_index = np.full((len(run), k), -1, dtype=np.int32)
    scores = np.full((len(run), k), -np.inf, dtype=np.float32)
    for row, (query_id, found) in enumerate(run.items()):
        unknown = next((doc_id for doc_id in found if doc_id not in column_of), None)
        if unknown is not None:
            raise GoldenSetError(
                f"the run ranks {unknown!r} for query {query_id!r}, which is no document of the corpus"
            )
        # Two stable sorts: ids descending, then scores descending.
        ranked = sorted(sorted(found, reverse=True), key=lambda doc_id: -found[doc_id])[:k]
        doc_index[row, : len(ranked)] = [column_of[doc_id] for doc_id in ranked]
        scores[row, : len(ranked)] = [found[doc_id] for doc_id in ranked]
    return Rankings(tuple(run), doc_index, scores, order.doc_ids)
