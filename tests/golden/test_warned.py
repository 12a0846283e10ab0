"""Inputs that load, with a warning or a count that says what is odd or was normalised."""

from __future__ import annotations

from pathlib import Path

import pytest

from perturb.golden.checks import check
from perturb.golden.goldenset import load_golden_set

from .folders import QUERIES, golden, jsonl

Q = "queries.jsonl"
D = "corpus.jsonl"
NFD_DOCUMENT = jsonl({"_id": "d1", "text": "z\u0307o\u0301łta ło\u0301dz\u0301"}, {"_id": "d2", "text": "urlop"})


def warned(files: dict[str, str | bytes], code: str, place: str, *parts: str, id: str) -> object:
    return pytest.param(files, code, place, parts, id=id)


@pytest.mark.parametrize(
    ("files", "code", "place", "parts"),
    [
        warned({D: jsonl({"_id": "d1", "text": "a"}, {"_id": "d2", "text": " "})}, "blank-document", "corpus.jsonl:2",
                "'d2'",
               id="blank document"),
        warned({D: '{"_id":"d1","text":"a"}\n{"_id":"d2","text":null}\n'}, "blank-document", "corpus.jsonl:2", "'d2'",
               id="null document"),
        warned({"qrels.tsv": "q1\td1\t1\nq2\td2\t1\nq2\td2\t1\n"}, "repeated-judgement", "qrels.tsv:3", "line 2",
               id="repeated judgement"),
        warned({Q: QUERIES + QUERIES}, "repeated-record", "queries.jsonl:3", "'q1'", "line 1",
                id="repeated query line"),
        warned({"qrels.tsv": "q1 \td1\t1\nq2\td2\t1\n"}, "trimmed-id", "qrels.tsv:1", "'q1'", id="spaces around an id"),
        warned({Q: jsonl({"_id": " q1", "text": "a b"}, {"_id": "q2", "text": "c"})}, "trimmed-id", "queries.jsonl:1",
               id="spaces around a query id"),
        warned({"qrels.trec": "# oceny z maja\nq1 0 d1 1\n"}, "comment", "qrels.trec:1", "oceny z maja", id="comment"),
        warned({"qrels.tsv": "q1\td1\t1\n"}, "unjudged", "queries.jsonl:2", "'q2'", id="unjudged query"),
        warned({"qrels.tsv": "q1\td1\t1\nq2\td1\t0\n"}, "without-relevant", "queries.jsonl:2", "'q2'",
                id="only grade 0"),
        warned({"qrels.tsv": "q1\td1\t1\nq2\td1\t-2\n"}, "without-relevant", "queries.jsonl:2", "'q2'",
                id="only negative"),
        warned({Q: jsonl({"_id": "q1", "text": "Zwrot towaru"}, {"_id": "q2", "text": "zwrot  towaru "})},
                "repeated-query",
               "queries.jsonl:2", "'q2'", "'q1'", id="repeated query"),
        warned({D: jsonl({"_id": "d1", "text": "to samo"}, {"_id": "d2", "text": "to samo"})}, "repeated-document",
               "corpus.jsonl:2", "'d1'", id="repeated document"),
        warned({D: jsonl({"_id": "d1", "text": "Czynsz za lokal?"}, {"_id": "d2", "text": "b"})}, "query-in-corpus",
               "queries.jsonl:1", "'d1'", "query text present in corpus", id="query is a document"),
        warned({D: jsonl({"_id": "d1", "title": "czynsz za lokal", "text": "c"}, {"_id": "d2", "text": "b"})},
               "query-in-corpus", "queries.jsonl:1", "'d1'", id="query is a title"),
        warned({Q: jsonl({"_id": "q1", "text": "zaĹĽalenie na fakturÄ™"}, {"_id": "q2", "text": "b"})}, "mojibake",
               "queries.jsonl:1", "'q1'", "ĹĽ", id="UTF-8 read as cp1250"),
        warned({Q: jsonl({"_id": "q1", "text": "umowa o pracÄ\u0099"}, {"_id": "q2", "text": "b"})}, "mojibake",
               "queries.jsonl:1", "'q1'", id="UTF-8 read as Latin 1"),
        warned({D: jsonl({"_id": "d1", "text": "termin p³atnoœci"}, {"_id": "d2", "text": "b"})}, "mojibake",
               "corpus.jsonl:1", "'d1'", id="cp1250 read as cp1252"),
        warned({D: jsonl({"_id": "d1", "text": "ksi±żka"}, {"_id": "d2", "text": "b"})}, "mojibake",
               "corpus.jsonl:1", "'d1'", id="ISO-8859-2 read as cp1250"),
        warned({D: jsonl({"_id": "d1", "text": "zap\ufffdata"}, {"_id": "d2", "text": "b"})}, "mojibake",
               "corpus.jsonl:1", "'d1'", id="replacement character"),
        warned({D: jsonl({"_id": "d1", "text": "<p>Brutto&nbsp;</p>"}, {"_id": "d2", "text": "b"})}, "html",
                "corpus.jsonl:1",
               "<p>", id="tag"),
        warned({D: jsonl({"_id": "d1", "text": "wynagrodzenie &lt; 5000 zł"}, {"_id": "d2", "text": "b"})}, "html",
               "corpus.jsonl:1", "&lt;", id="entity"),
        warned({"queries.tsv": 'id\ttext\nq1\t"""Wzór"" umowy"\nq2\tb\n'}, "quotes-kept", "queries.tsv:2", "CSV",
               id="CSV quotes between tabs"),
        warned({Q: QUERIES, "queries.csv": "id,text\n"}, "ignored-file", "queries.csv", "queries.jsonl",
                id="two formats"),
        warned({"qrels.tsv": "q1\td1\t1\n", "qrels.csv": "x"}, "ignored-file", "qrels.csv", id="two qrels"),
    ],
)  # fmt: skip
def test_warned_and_noted(
    tmp_path: Path, files: dict[str, str | bytes], code: str, place: str, parts: tuple[str, ...]
) -> None:
    folder = golden(tmp_path, files)
    found = [finding for finding in check(folder) if finding.code == code]
    assert found, [str(finding) for finding in check(folder)]
    assert {finding.severity for finding in found} == {"warning"}
    assert str(found[0]).startswith(f"{folder / place}")
    for part in parts:
        assert part in str(found[0])
    assert any(note.startswith(f"{code}: {len(found)} ") for note in load_golden_set(folder).notes)


@pytest.mark.parametrize(
    "text",
    [
        "kwota < 5000 zł",
        "R&D; dział",
        "m³/h i 5 m²",
        "±2%",
        "über, Škoda, œuvre, Ñ",
        "a <imię> b",
        "Łódź — „Bank”",
        "1/2 ¼ l",
    ],
)
def test_honest_text_is_not_suspected(tmp_path: Path, text: str) -> None:
    folder = golden(tmp_path, {D: jsonl({"_id": "d1", "text": text}, {"_id": "d2", "text": "b"})})
    assert check(folder) == []


@pytest.mark.parametrize(
    ("files", "note"),
    [
        ({D: NFD_DOCUMENT}, "texts of documents brought to NFC or freed of invisible characters: 1"),
        ({Q: QUERIES + jsonl({"_id": "q3", "text": "współ\u00adpraca"})},
                "texts of queries brought to NFC or freed of"),
        ({D: '{"_id":"d1","text":"a"}\n{"_id":2,"text":"b"}\n', "qrels.tsv": "q1\td1\t1\nq2\t2\t1\n"},
         "ids written as numbers, read as text: 1"),
        ({"qrels.tsv": "q1\td1\t2\nq2\td1\t-1\nq2\td2\t1\n"}, "negative grades, which count as not relevant: 1"),
        ({"qrels.tsv": "q1\td1\t2\n"}, "queries with judgements: 1; only among the queries: 1; only in the qrels: 0"),
    ],
)  # fmt: skip
def test_normalisations_are_counted(tmp_path: Path, files: dict[str, str | bytes], note: str) -> None:
    notes = load_golden_set(golden(tmp_path, files)).notes
    assert any(line.startswith(note) for line in notes), notes


@pytest.mark.parametrize(
    ("one", "other"), [("???", "..."), ("😀", "— –"), ("C++ umowa", "C# umowa"), ("契", "約"), ("§", "%")]
)
def test_queries_of_signs_alone_are_told_apart(tmp_path: Path, one: str, other: str) -> None:
    folder = golden(tmp_path, {Q: jsonl({"_id": "q1", "text": one}, {"_id": "q2", "text": other})})
    assert "repeated-query" not in {finding.code for finding in check(folder)}


@pytest.mark.parametrize(("one", "other"), [("???", " ??? "), ("Zwrot  towaru!", "zwrot towaru"), ("C++", "c++")])
def test_queries_that_ask_the_same_are_reported(tmp_path: Path, one: str, other: str) -> None:
    folder = golden(tmp_path, {Q: jsonl({"_id": "q1", "text": one}, {"_id": "q2", "text": other})})
    assert "repeated-query" in {finding.code for finding in check(folder)}
