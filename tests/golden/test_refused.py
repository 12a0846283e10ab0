"""Inputs that must be refused, each with its file, line, offending value and remedy, and never silently mended."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from perturb.errors import GoldenSetError
from perturb.golden.checks import check
from perturb.golden.goldenset import load_golden_set

from .folders import QUERIES, golden, jsonl

Q = "queries.jsonl"
D = "corpus.jsonl"


def refused(files: dict[str, str | bytes], code: str, place: str, *parts: str, id: str) -> object:
    return pytest.param(files, code, place, parts, id=id)


@pytest.mark.parametrize(
    ("files", "code", "place", "parts"),
    [
        refused({"qrels.tsv": "q1\td1\t1\nq1\td9\t1\nq2\td9\t1\n"}, "dangling-document", "qrels.tsv:2", "'d9'", "'q1'",
                "2 judgements", id="unknown document"),
        refused({"qrels.tsv": "q1\td1\t1\nq7\td1\t1\n"}, "dangling-query", "qrels.tsv:2", "'q7'", id="unknown query"),
        refused({"qrels.tsv": "d1\tq1\t1\n"}, "dangling-query", "qrels.tsv:1", "swapped", id="columns swapped"),
        refused({Q: jsonl({"_id": "q1", "text": "ile dni urlopu"}, {"_id": "q1", "text": "reklamacja"})},
                "duplicate-id", "queries.jsonl:2", "'q1'", "line 1", id="query id taken"),
        refused({D: jsonl({"_id": "d1", "text": "wersja 1"}, {"_id": "d1", "text": "wersja 2"})},
                "duplicate-id", "corpus.jsonl:2", "'d1'", "line 1", id="document id taken"),
        refused({D: '{"_id":7,"text":"a"}\n{"_id":"7","text":"b"}\n'}, "duplicate-id", "corpus.jsonl:2", "'7'",
                id="number and text are the same id"),
        refused({"queries.json": '{"q1": "urlop", "q1": "najem"}'}, "duplicate-id", "queries.json", "'q1'",
                id="JSON key"),
        refused({"qrels.tsv": "h\nq1\td1\t1\nq1\td1\t0\n".removeprefix("h\n")}, "conflicting-judgement", "qrels.tsv:2",
                "'q1'", "'d1'", "line 1", "judged 0 here and 1", id="conflict"),
        refused({D: jsonl({"_id": "d1", "text": ""}, {"_id": "d2", "text": " \t "})}, "all-blank", "corpus.jsonl",
                "all 2 documents", id="only blank documents"),
        refused({Q: '{"_id":"q1","text":null}\n'}, "text", "queries.jsonl:1", "'q1'", "null", id="null query"),
        refused({Q: '{"_id":"q1"}\n'}, "text", "queries.jsonl:1", "'q1'", "no text", id="no text"),
        refused({Q: '{"_id":"q1","text":"  \u00a0"}\n'}, "text", "queries.jsonl:1", "'q1'", "blank", id="blank query"),
        refused({Q: '{"_id":"q1","text":NaN}\n'}, "text", "queries.jsonl:1", "'q1'", "nan", id="NaN query"),
        refused({Q: '{"_id":"q1","text":["urlop"]}\n'}, "text", "queries.jsonl:1", "not text", id="list for a query"),
        refused({D: '{"_id":"d1","contents_":"a"}\n'}, "text", "corpus.jsonl:1", "'d1'",
                id="document without text field"),
        refused({D: '{"_id":"d1","text":"a","title":5}\n'}, "text", "corpus.jsonl:1", "title", id="number for a title"),
        refused({Q: '{"_id":"q1","text":"zwrot \\ud83d pieniędzy"}\n'}, "text", "queries.jsonl:1", "'q1'", "\\ud83d",
                id="half a character in a query"),
        refused({D: '{"_id":"d1","title":"\\udc00","text":"a"}\n'}, "text", "corpus.jsonl:1", "'d1'",
                id="half a character in a title"),
        refused({D: '{"_id":"d\\ud83d","text":"a"}\n'}, "id", "corpus.jsonl:1", "\\ud83d",
                id="half a character in an id"),
        refused({D: '{"_id":"d\\t1","text":"a"}\n'}, "id", "corpus.jsonl:1", "control", id="tab in an id"),
        refused({D: '{"text":"a"}\n'}, "id", "corpus.jsonl:1", "no id", id="no id"),
        refused({D: '{"_id":" ","text":"a"}\n'}, "id", "corpus.jsonl:1", "empty id", id="blank id"),
        refused({D: '{"_id":3.0,"text":"a"}\n'}, "id", "corpus.jsonl:1", "3.0", id="decimal id"),
        refused({D: '{"_id":true,"text":"a"}\n'}, "id", "corpus.jsonl:1", "True", id="truth value as id"),
        refused({"qrels.tsv": "q1\td1\t0.5\n"}, "grade", "qrels.tsv:1", "'0.5'", "fraction", id="fraction"),
        refused({"qrels.tsv": "q1\td1\t1,0\n"}, "grade", "qrels.tsv:1", "'1,0'", "decimal comma", id="decimal comma"),
        refused({"qrels.csv": "q1;d1;1\nq2;d2;0,5\n"}, "grade", "qrels.csv:2", "decimal comma", id="decimal comma, ;"),
        refused({"qrels.tsv": "q1\td1\tdobry\n"}, "grade", "qrels.tsv:1", "'dobry'", id="word for a grade"),
        refused({"qrels.tsv": "q1\td1\t1_0\n"}, "grade", "qrels.tsv:1", "'1_0'", id="underscore in a grade"),
        refused({"qrels.tsv": "q1\td1\t\n"}, "grade", "qrels.tsv:1", "''", id="empty grade"),
        refused({"qrels.tsv": "q1\td1\tnan\n"}, "grade", "qrels.tsv:1", "'nan'", id="nan grade"),
        refused({"qrels.tsv": "q1\td1\t8589934592\n"}, "grade", "qrels.tsv:1", "above 999999999", id="huge grade"),
        refused({"qrels.json": '{"q1": {"d1": 1099511627776}}'}, "grade", "qrels.json", "above", id="huge in JSON"),
        refused({"qrels.json": '{"q1": {"d1": 0.5}}'}, "grade", "qrels.json", "0.5", id="fraction in JSON"),
        refused({"qrels.json": '{"q1": {"d1": true}}'}, "grade", "qrels.json", "True", id="truth value in JSON"),
        refused({"qrels.json": '{"q1": {"d1": null}}'}, "grade", "qrels.json", "None", id="null in JSON"),
        refused({"qrels.json": '{"q1": 1}'}, "judgements", "qrels.json", "'q1'", id="JSON without documents"),
        refused({"qrels.json": "5"}, "judgements", "qrels.json", "not qrels", id="JSON number for qrels"),
        refused({"qrels.trec": "q1 0 regulamin pracy.pdf 1\nq1 0 d1 1\n"}, "columns", "qrels.trec:1", "5 columns",
                id="TREC id with a space"),
        refused({"qrels.trec": "# oceny\n\nq1 0 d1 1\nq2 0 d2 1 oceniający-A\n"}, "columns", "qrels.trec:4",
                "5 columns",
                id="TREC, fifth column"),
        refused({"qrels.tsv": "q1\td1\t1\nq2 d2 1\n"}, "columns", "qrels.tsv:2", "1 column ", id="spaces among tabs"),
        refused({"qrels.tsv": "query-id\tdokumenty\tpunkty\nq1\td1\t1\n"}, "columns", "qrels.tsv:1", "lacks", "score",
                id="header without grade"),
        refused({"qrels.txt": "q1\n"}, "columns", "qrels.txt:1", "3 columns", id="one column"),
        refused({"corpus.tsv": "id\ttext\nd1\tUmowa\nczęść druga\nd2\tAneks\n"}, "columns", "corpus.tsv:3",
                "część druga", id="text broken over lines"),
        refused({"corpus.csv": "id,text\nd1,Umowa, aneks\nd2,x\n"}, "columns", "corpus.csv:2", "3 columns", "quote",
                id="unquoted comma"),
        refused({"queries.csv": "id,kategoria\nq1,x\n"}, "columns", "queries.csv:1", "lacks", "text",
                id="no text column"),
        refused({"queries.csv": "q1,umowa; najem\n"}, "columns", "queries.csv:1", "sep", id="two separators fit"),
        refused({"queries.csv": 'id,text\nq1,"Wzór" umowy\nq2,x\n'}, "quoting", "queries.csv:2", "closing quote",
                id="text after a quote"),
        refused({"queries.csv": 'id,text\nq1,urlop\nq2,"otwarty cudzysłów\nq3,zwrot\n'}, "quoting", "queries.csv:3",
                "not closed", id="quote never closed"),
        refused({"queries.csv": 'id,text\nq1,"otwarty\nq2,zwrot\nq3,"zamknięty"\n'}, "quoting", "queries.csv:2",
                "not closed", id="quote closed by another row's"),
        refused({Q: ""}, "empty-file", "queries.jsonl", "empty", id="empty file"),
        refused({Q: "\n \n"}, "empty-file", "queries.jsonl", "empty", id="blank lines only"),
        refused({"queries.csv": ""}, "empty-file", "queries.csv", "empty", id="empty CSV"),
        refused({"qrels.tsv": "# nic\n"}, "empty-file", "qrels.tsv", "comments", id="comments only"),
        refused({"qrels.tsv": "query-id\tcorpus-id\tscore\n"}, "nothing-relevant", "qrels.tsv", "none",
                id="header only"),
        refused({"qrels.tsv": "q1\td1\t0\nq2\td2\t-1\n"}, "nothing-relevant", "qrels.tsv", "none of the 2",
                id="no grade > 0"),
        refused({Q: "to nie jest JSON\n"}, "not-json", "queries.jsonl:1", "not JSON", id="not JSON"),
        refused({Q: QUERIES + '{"_id":"q3","te'}, "not-json", "queries.jsonl:3", "cut off", id="cut off"),
        refused({Q: "[1]\n"}, "not-json", "queries.jsonl", "not an object", id="list of numbers in JSON Lines"),
        refused({Q: "[" * 100_000 + "\n"}, "not-json", "queries.jsonl", "deep", id="nested too deep"),
        refused({Q: '{"_id":' + "[" * 100_000 + "\n"}, "not-json", "queries.jsonl:1", "deep",
                id="line nested too deep"),
        refused({Q: '"q1"\n'}, "not-json", "queries.jsonl:1", "not an object", id="JSON string for a line"),
        refused({Q: '{"_id":"q1","text":"a\\u0000b"}\n'}, "text", "queries.jsonl:1", "NUL", id="NUL in a query"),
        refused({"queries.csv": '"id" x;text\nq1;a\n'}, "columns", "queries.csv:1",
                id="text after a quote in the header"),
        refused({"qrels.tsv": "q1\td1\t1\tdobry\n"}, "columns", "qrels.tsv:1", "3 columns", id="fourth column unnamed"),
        refused({"queries.json": "[\n{},\n"}, "not-json", "queries.json:", "not JSON", id="JSON cut off"),
        refused({"queries.json": "5"}, "not-json", "queries.json", "neither", id="JSON number"),
        refused({"queries.json": "[5]"}, "not-json", "queries.json", "entry 1", id="JSON list of numbers"),
        refused({"queries.json": "[" * 100_000}, "not-json", "queries.json", "deep", id="JSON nested too deep"),
        refused({"queries.jsonl/x": "a"}, "not-a-file", "queries.jsonl", "folder", id="folder for a file"),
        refused({"queries.csv": "id;text\nq1;żółw\nq2;bąk\n".encode("cp1250")}, "encoding", "queries.csv:2", "0xbf",
                "cp1250", id="cp1250"),
        refused({"queries.csv": "id;text\nq1;umowa\nq2;bąk\n".encode("iso-8859-2")}, "encoding", "queries.csv:3",
                "0xb1",
                "'q2;bąk'", "iso-8859-2", id="ISO-8859-2"),
        refused({"queries.csv": "id;text\nq1;umowa\n".encode("utf-16")}, "encoding", "queries.csv:1", "UTF-16",
                id="UTF-16"),
        refused({"queries.jsonl.gz": gzip.compress(QUERIES.encode())[:-12]}, "gzip", "queries.jsonl.gz", "gzip",
                id="gzip cut off"),
        refused({"queries.jsonl.gz": b"not gzip"}, "gzip", "queries.jsonl.gz", "gzip", id="not gzip"),
        refused({"goldenset.toml": "name = \n"}, "not-toml", "goldenset.toml", "TOML", id="broken TOML"),
    ],
)  # fmt: skip
def test_refused_with_place_and_reason(
    tmp_path: Path, files: dict[str, str | bytes], code: str, place: str, parts: tuple[str, ...]
) -> None:
    folder = golden(tmp_path, files)
    found = [finding for finding in check(folder) if finding.severity == "error" and finding.code == code]
    assert found, [str(finding) for finding in check(folder)]
    text = str(found[0])
    assert text.startswith(f"{folder / place}"), text
    assert "\n" not in text
    for part in parts:
        assert part in text
    with pytest.raises(GoldenSetError) as refusal:
        load_golden_set(folder)
    assert "\n" not in str(refusal.value)
    str(refusal.value).encode("utf-8")


def test_all_findings_are_listed_and_loading_says_how_many_more(tmp_path: Path) -> None:
    folder = golden(
        tmp_path,
        {
            Q: '{"_id":"q1","text":null}\n{"_id":"q2","text":"b"}\nkoniec\n',
            "qrels.tsv": "q1\td1\t1\nq2\td1\t0,5\nq2\td8\t1\n",
        },
    )
    errors = [finding for finding in check(folder) if finding.severity == "error"]
    assert [(Path(finding.file).name, finding.line) for finding in errors] == [
        ("qrels.tsv", 2),
        ("qrels.tsv", 3),
        ("queries.jsonl", 1),
        ("queries.jsonl", 3),
    ]
    with pytest.raises(GoldenSetError, match=rf"3 more errors; `perturb check {folder}` lists all"):
        load_golden_set(folder)


def test_a_file_that_is_all_wrong_is_given_up(tmp_path: Path) -> None:
    folder = golden(tmp_path, {Q: "nie\n" * 5000})
    assert len([finding for finding in check(folder) if finding.code == "not-json"]) == 20


def test_unreadable_queries_do_not_make_judgements_dangle(tmp_path: Path) -> None:
    folder = golden(tmp_path, {"queries.csv": "id;text\nq1;żółw\n".encode("cp1250")})
    assert {finding.code for finding in check(folder) if finding.severity == "error"} == {"encoding"}
