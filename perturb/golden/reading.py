"""Read all files of a golden set and collect everything that is wrong: loading and checking share this."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from perturb.golden.consistency import check_links, check_texts, check_usefulness
from perturb.golden.dialects import known_separator
from perturb.golden.findings import Findings
from perturb.golden.folder import GoldenSetFiles, find_files
from perturb.golden.formats import ReadOptions
from perturb.golden.judgements import read_judgements
from perturb.golden.source import UTF8, known_encoding, read_lines
from perturb.golden.texts import TextReader
from perturb.records import Document, Judgement, Query


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How to read a golden set.

    Attributes:
        part: ``dev``, ``test``, …; ``None`` for the whole set (BEIR: ``qrels/test.tsv``).
        allow_dangling: judgements of unknown queries or documents are warnings instead of errors.
        corpus_optional: a missing corpus is no error; document ids are then not looked up.
        qrels_optional: missing judgements are no error (enough to generate variants).
        sep: separator of delimited files; ``None`` to tell it by content.
        encoding: of all files.
    """

    part: str | None = None
    allow_dangling: bool = False
    corpus_optional: bool = False
    qrels_optional: bool = False
    sep: str | None = None
    encoding: str = UTF8


@dataclass
class Reading:
    """What was read, with the line of every record (``None`` inside a JSON document)."""

    files: GoldenSetFiles
    findings: Findings
    documents: list[Document] = field(default_factory=list)
    queries: list[Query] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)
    document_lines: Mapping[str, int | None] = field(default_factory=dict)
    query_lines: Mapping[str, int | None] = field(default_factory=dict)
    judgement_lines: list[int | None] = field(default_factory=list)
    document_metadata: dict[str, Mapping[str, object]] = field(default_factory=dict)
    query_metadata: dict[str, Mapping[str, object]] = field(default_factory=dict)
    only_in_qrels: tuple[str, ...] = ()


def read_golden_set(folder: Path, options: LoadOptions) -> Reading:
    """Read and check everything; nothing is raised for what is wrong in the files.

    Args:
        folder: an existing folder.
        options: what may be missing, and how the files are written.
    """
    findings = Findings()
    read_options = ReadOptions(known_separator(options.sep), known_encoding(options.encoding))
    reading = Reading(find_files(folder, options.part, findings), findings)
    _read_documents(reading, read_options, required=not options.corpus_optional)
    _read_queries(reading, read_options)
    _read_qrels(reading, read_options, required=not options.qrels_optional)
    if reading.files.split is not None:
        _keep_part(reading, reading.files.split, options.part or "", read_options)
    if reading.files.one_of_parts:
        _keep_judged(reading)
    check_links(reading, allow_dangling=options.allow_dangling)
    check_texts(reading)
    check_usefulness(reading, required=not options.qrels_optional)
    return reading


def _missing(reading: Reading, stem: str, names: str) -> None:
    reading.findings.error(reading.files.folder, None, "missing-file", f"has no {stem}; expected is {names}")


def _read_documents(reading: Reading, options: ReadOptions, *, required: bool) -> None:
    path = reading.files.corpus
    if path is None:
        if required:
            _missing(reading, "documents", "corpus.jsonl, .csv or .tsv")
        return
    reader = TextReader("document", path, reading.findings, options)
    for record in reader:
        reading.documents.append(Document(record.identifier, record.text, record.title))
        if record.metadata:
            reading.document_metadata[record.identifier] = record.metadata
    reading.document_lines = reader.lines
    if reading.documents and not any(document.content.strip() for document in reading.documents):
        number = len(reading.documents)
        said = f"all {number} documents are" if number > 1 else "the only document is"
        reading.findings.error(path, None, "all-blank", f"{said} blank")


def _read_queries(reading: Reading, options: ReadOptions) -> None:
    path = reading.files.queries
    if path is None:
        _missing(reading, "queries", "queries.jsonl, .csv or .tsv")
        return
    reader = TextReader("query", path, reading.findings, options)
    for record in reader:
        reading.queries.append(Query(record.identifier, record.text))
        if record.metadata:
            reading.query_metadata[record.identifier] = record.metadata
    reading.query_lines = reader.lines


def _read_qrels(reading: Reading, options: ReadOptions, *, required: bool) -> None:
    path, findings = reading.files.qrels, reading.findings
    if path is None:
        if required and not any(finding.code in ("several-parts", "no-part") for finding in findings.found):
            _missing(reading, "judgements", "qrels.tsv or qrels/test.tsv")
        return
    # Position of each judgement, nested so that a million of them share their ids.
    positions: dict[str, dict[str, int]] = {}
    for line, query_id, doc_id, grade in read_judgements(path, options, findings):
        judged = positions.setdefault(query_id, {})
        earlier = judged.setdefault(doc_id, len(reading.judgements))
        if earlier == len(reading.judgements):
            reading.judgements.append(Judgement(query_id, doc_id, grade))
            reading.judgement_lines.append(line)
            continue
        first = reading.judgement_lines[earlier]
        where = "" if first is None else f" in line {first}"
        pair = f"query {query_id!r} and document {doc_id!r}"
        if reading.judgements[earlier].grade == grade:
            message = f"{pair} are judged twice alike, first{where}; read once"
            findings.warning(path, line, "repeated-judgement", message)
        else:
            message = f"{pair} are judged {grade} here and {reading.judgements[earlier].grade}{where}; keep one of them"
            findings.error(path, line, "conflicting-judgement", message)


def _keep_judged(reading: Reading) -> None:
    """Leave out the queries of the other parts: those that this part's judgements do not mention."""
    qrels = reading.files.qrels
    if qrels is None or str(qrels) in reading.findings.unread:
        return
    judged = {judgement.query_id for judgement in reading.judgements}
    kept = [query for query in reading.queries if query.query_id in judged]
    if len(kept) < len(reading.queries):
        what = f"queries left out, because {qrels.parent.name}/{qrels.name} does not mention them"
        reading.findings.normalised[what] = len(reading.queries) - len(kept)
    reading.queries = kept


def _keep_part(reading: Reading, split: Path, part: str, options: ReadOptions) -> None:
    """Leave only the queries of one part, and their judgements."""
    parts: dict[str, str] = {}
    for number, line in read_lines(split, reading.findings, options.encoding):
        query_id, tab, name = line.strip().partition("\t")
        if not tab and line.strip():
            reading.findings.error(split, number, "columns", f"{line!r} is not query id, tab, part")
        elif query_id not in ("", "query-id"):
            parts[query_id] = name
    if part not in parts.values():
        known = ", ".join(sorted(set(parts.values()))) or "none"
        reading.findings.error(split, None, "no-part", f"has no part {part!r}; parts: {known}")
    reading.queries = [query for query in reading.queries if parts.get(query.query_id) == part]
    kept = [
        (judgement, line)
        for judgement, line in zip(reading.judgements, reading.judgement_lines, strict=True)
        if parts.get(judgement.query_id, part) == part
    ]
    reading.judgements = [judgement for judgement, _ in kept]
    reading.judgement_lines = [line for _, line in kept]
