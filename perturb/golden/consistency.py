"""Rules that concern several records: dangling ids, repeated and suspicious texts, queries without relevance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from perturb.golden.findings import Findings
from perturb.golden.ids import suspects
from perturb.golden.suspicious import comparable, html_leftover, mojibake
from perturb.wording import counted

if TYPE_CHECKING:
    from perturb.golden.reading import Reading


def check_links(reading: Reading, *, allow_dangling: bool) -> None:
    """Find judgements whose query or document does not exist, once per id with the number of judgements.

    Judgements of unknown queries are taken out of the reading. Those of unknown documents stay: such a document
    cannot be retrieved but counts in the denominator of recall, as trec_eval has it.
    """
    findings, qrels = reading.findings, reading.files.qrels
    if qrels is None:
        return
    if reading.files.queries is not None and not _unread(reading.files.queries, findings):
        dangling = _dangling(reading, field=0, known=reading.query_lines)
        reading.only_in_qrels = tuple(dangling)
        _report_dangling("query", dangling, reading, allow_dangling=allow_dangling)
        reading.judgements = [judgement for judgement in reading.judgements if judgement.query_id not in dangling]
    if reading.files.corpus is not None and not _unread(reading.files.corpus, findings):
        dangling = _dangling(reading, field=1, known=reading.document_lines)
        _report_dangling("document", dangling, reading, allow_dangling=allow_dangling)
        if dangling:
            count = sum(judgement.doc_id in dangling for judgement in reading.judgements)
            rule = "judgements of documents outside the corpus (they still count in the denominator of recall)"
            findings.normalised[rule] += count


def _unread(path: Path, findings: Findings) -> bool:
    return str(path) in findings.unread


def _dangling(reading: Reading, *, field: int, known: Mapping[str, int | None]) -> dict[str, list[int]]:
    """Unknown id to the positions of its judgements."""
    positions: dict[str, list[int]] = {}
    for position, judgement in enumerate(reading.judgements):
        identifier = judgement.doc_id if field else judgement.query_id
        if identifier not in known:
            positions.setdefault(identifier, []).append(position)
    return positions


def _report_dangling(noun: str, dangling: Mapping[str, list[int]], reading: Reading, *, allow_dangling: bool) -> None:
    if not dangling or reading.files.qrels is None:
        return
    own, other = reading.query_lines, reading.document_lines
    if noun == "document":
        own, other = other, own
    pairs = suspects(dangling, own.keys())
    where = "in the corpus" if noun == "document" else "among the queries"
    report = reading.findings.warning if allow_dangling else reading.findings.error
    lines, judgements = reading.judgement_lines, reading.judgements
    for identifier, positions in dangling.items():
        judged = f" (judged for query {judgements[positions[0]].query_id!r})" if noun == "document" else ""
        hint = f"; is it {pairs[identifier]!r}, rewritten by a spreadsheet?" if identifier in pairs else ""
        if not hint and identifier in other:
            hint = "; are the columns swapped?"
        message = f"{noun} {identifier!r}{judged} is not {where}: {counted(len(positions), 'judgement')}{hint}"
        report(reading.files.qrels, lines[positions[0]], f"dangling-{noun}", message)


def check_texts(reading: Reading) -> None:
    """Find repeated queries and documents, queries that stand in the corpus, mojibake and HTML leftovers."""
    findings = reading.findings
    if reading.files.queries is not None:
        queries = [(query.query_id, query.text) for query in reading.queries]
        _suspicious("query", queries, reading.files.queries, reading.query_lines, findings)
        _repeated_queries(reading, reading.files.queries)
    if reading.files.corpus is not None:
        documents = ((document.doc_id, document.content) for document in reading.documents)
        _suspicious("document", documents, reading.files.corpus, reading.document_lines, findings)
        _repeated_documents(reading, reading.files.corpus)
    if reading.files.queries is not None and reading.documents:
        _queries_in_corpus(reading, reading.files.queries)


def _suspicious(
    noun: str, texts: Iterable[tuple[str, str]], path: Path, lines: Mapping[str, int | None], findings: Findings
) -> None:
    for identifier, text in texts:
        if place := mojibake(text):
            message = f"{noun} {identifier!r} looks like mojibake ({place!r}); it is not repaired, name the encoding"
            findings.warning(path, lines[identifier], "mojibake", message)
        if place := html_leftover(text):
            message = f"{noun} {identifier!r} looks like HTML ({place!r}); it is left as it is"
            findings.warning(path, lines[identifier], "html", message)


def _repeated_queries(reading: Reading, path: Path) -> None:
    first: dict[str, str] = {}
    for query in reading.queries:
        earlier = first.setdefault(comparable(query.text), query.query_id)
        if earlier != query.query_id:
            message = f"query {query.query_id!r} repeats the text of query {earlier!r}; both are kept"
            reading.findings.warning(path, reading.query_lines[query.query_id], "repeated-query", message)


def _repeated_documents(reading: Reading, path: Path) -> None:
    first: dict[int, int] = {}
    for position, document in enumerate(reading.documents):
        if not document.content.strip():
            continue
        earlier = reading.documents[first.setdefault(hash(document.content), position)]
        if earlier.doc_id != document.doc_id and earlier.content == document.content:
            message = f"document {document.doc_id!r} repeats the text of document {earlier.doc_id!r}; both are kept"
            reading.findings.warning(path, reading.document_lines[document.doc_id], "repeated-document", message)


def _queries_in_corpus(reading: Reading, path: Path) -> None:
    """Flag queries that are the whole text or title of a document: every perturbation then shows a false drop."""
    asked = {comparable(query.text): query.query_id for query in reversed(reading.queries)}
    longest = max(map(len, asked), default=0) * 2 + 20
    found: dict[str, str] = {}
    for document in reading.documents:
        for text in (document.text, document.title):
            if text and len(text) <= longest and (query_id := asked.get(comparable(text))) is not None:
                found.setdefault(query_id, document.doc_id)
    for query_id, doc_id in found.items():
        message = f"query {query_id!r}: query text present in corpus, as document {doc_id!r}; drops may be false"
        reading.findings.warning(path, reading.query_lines[query_id], "query-in-corpus", message)


def check_usefulness(reading: Reading, *, required: bool) -> None:
    """Find queries that no judgement mentions or that have no relevant document, and sets that have only such."""
    if reading.files.qrels is None or reading.files.queries is None or _unread(reading.files.qrels, reading.findings):
        return
    best: dict[str, int] = {}
    for judgement in reading.judgements:
        best[judgement.query_id] = max(best.get(judgement.query_id, 0), judgement.grade)
    useless = [query for query in reading.queries if best.get(query.query_id, 0) <= 0]
    for query in useless:
        if query.query_id in best:
            code, message = "without-relevant", f"query {query.query_id!r} has no relevant document (no grade above 0)"
        else:
            code, message = "unjudged", f"query {query.query_id!r} has no judgement"
        message += "; it is left out of every mean"
        reading.findings.warning(reading.files.queries, reading.query_lines[query.query_id], code, message)
    if reading.queries and len(useless) == len(reading.queries):
        given = f"gives none of the {len(useless)} queries a" if len(useless) > 1 else "gives the only query no"
        message = f"{given} relevant document; nothing can be evaluated"
        report = reading.findings.error if required else reading.findings.warning
        report(reading.files.qrels, None, "nothing-relevant", message)
