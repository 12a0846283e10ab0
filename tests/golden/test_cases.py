"""Inputs that break loaders of golden sets, and what has to come out instead."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from perturb.errors import ConfigError, GoldenSetError
from perturb.golden.checks import check
from perturb.golden.goldenset import GoldenSet, load_golden_set

from .folders import COMPLETE, CORPUS, QUERIES, golden, jsonl, write

Q = "queries.jsonl"
D = "corpus.jsonl"
NFD_DOCUMENT = jsonl({"_id": "d1", "text": "z\u0307o\u0301łta ło\u0301dz\u0301"}, {"_id": "d2", "text": "urlop"})


def load(tmp_path: Path, files: dict[str, str | bytes], **options: object) -> GoldenSet:
    return load_golden_set(golden(tmp_path, files), **options)


def grades(golden_set: GoldenSet) -> dict[str, int]:
    return {f"{query}-{document}": grade for query, document, grade in golden_set.judgements}


JUDGED = {"q1-d1": 1, "q2-d2": 1}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({"qrels.tsv": "q1\td1\t1\nq2\td2\t1\n"}, JUDGED, id="no header"),
        pytest.param({"qrels.tsv": "q1\td1\t1\nq2\td2\t1"}, JUDGED, id="no line end at the end"),
        pytest.param({"qrels.tsv": "query-id\tcorpus-id\tscore\r\nq1\td1\t1\r\nq2\td2\t1\r\n"}, JUDGED, id="CR LF"),
        pytest.param({"qrels.tsv": "corpus-id\tscore\tquery-id\nd1\t1\tq1\nd2\t1\tq2\n"}, JUDGED, id="other order"),
        pytest.param({"qrels.tsv": "qid\titer\tdocno\trel\nq1\t0\td1\t1\nq2\t0\td2\t1\n"}, JUDGED, id="TREC header"),
        pytest.param({"qrels.trec": "qid iter docno rel\nq1 0 d1 1\nq2 0 d2 1\n"}, JUDGED, id="TREC header, spaces"),
        pytest.param({"qrels.tsv": '"q1"\t"d1"\t"1"\n"q2"\t"d2"\t1\n'}, JUDGED, id="quotes around everything"),
        pytest.param({"qrels.tsv": "q1\td1\t1\t\nq2\td2\t1\t\n"}, JUDGED, id="tab at the end"),
        pytest.param({"qrels.csv": "sep=;\nq1;d1;1\nq2;d2;1\n"}, JUDGED, id="sep= line"),
        pytest.param({"qrels.tsv": "q1\td1\t1\rq2\td2\t1\r"}, JUDGED, id="CR"),
        pytest.param({"qrels/test.tsv": "q1\td1\t1\nq2\td2\t1\n"}, JUDGED, id="folder"),
        pytest.param({"qrels/dev.tsv": "q1\td1\t1\nq2\td2\t1\n"}, JUDGED, id="only file of the folder"),
        pytest.param({"qrels.csv": "query-id,corpus-id,score\nq1,d1,1\nq2,d2,1\n"}, JUDGED, id="commas"),
        pytest.param({"qrels.csv": "query-id;corpus-id;score\nq1;d1;1\nq2;d2;1\n"}, JUDGED, id="semicolons"),
        pytest.param({"qrels.csv": "q1;d1;1\nq2;d2;1\n"}, JUDGED, id="semicolons, no header"),
        pytest.param({"qrels.csv": 'zapytanie;dokument;ocena;uwagi\n"q1";"d1";1;"a;b"\nq2;d2;1;\n'}, JUDGED,
                     id="Polish"),
        pytest.param({"qrels.txt": "q1|d1|1\nq2|d2|1\n"}, JUDGED, id="bars"),
        pytest.param({"qrels.txt": "q1 d1 1\nq2  d2  1\n"}, JUDGED, id="three columns, spaces"),
        pytest.param({"qrels.txt": "q1 0 d1 1\nq2 Q0 d2 1\n"}, JUDGED, id="TREC, other suffix"),
        pytest.param({"qrels.trec": 'q1\t0\td1\t1\r\nq2   0   d2   "1"\r\n\r\n'}, JUDGED,
                     id="TREC, tabs, spaces, quotes"),
        pytest.param({"qrels.trec": "# oceny z maja\nq1 0 d1 1\n# oceny z 2\nq2 0 d2 1\n"}, JUDGED,
                     id="TREC, comments"),
        pytest.param({"qrels.tsv": "# oceny\nquery-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n"}, JUDGED,
                     id="comment"),
        pytest.param({"qrels.json": '{"q1": {"d1": 1}, "q2": {"d2": 1}}'}, JUDGED, id="JSON"),
        pytest.param({"qrels.json": '{"q1": ["d1"], "q2": ["d2"]}'}, JUDGED, id="JSON, lists"),
        pytest.param({"qrels.json": '[{"qid": "q1", "docid": "d1", "rel": 1},\n'
                                    '{"qid": "q2", "docid": "d2", "rel": 1}]'}, JUDGED, id="JSON, rows"),
        pytest.param({"qrels.jsonl": '{"query-id": "q1", "corpus-id": "d1", "score": 1}\n'
                                     '{"query-id": "q2", "corpus-id": "d2", "score": 1.0}\n'}, JUDGED, id="JSON Lines"),
        pytest.param({"qrels.tsv": "q1\td1\t1.0\nq2\td2\t+1\n"}, JUDGED, id="grades with .0 and +"),
        pytest.param({"qrels.tsv": "q1\td1\t1\nq1\td1\t1\nq2\td2\t1\n"}, JUDGED, id="exact repeat"),
        pytest.param({"qrels.tsv": "q1\u00a0\td1\t1\n\u2007q2\t\ufeffd2 \t1\n"}, JUDGED,
                     id="Unicode spaces around ids"),
        pytest.param({"qrels.tsv": b"\xef\xbb\xbfq1\td1\t1\nq2\td2\t1\n"}, JUDGED, id="BOM before an id"),
        pytest.param({"qrels.tsv.gz": gzip.compress(b"q1\td1\t1\nq2\td2\t1\n")}, JUDGED, id="gzip"),
        pytest.param({"qrels.tsv": "q1\td1\t-1\nq2\td2\t3\n"}, {"q1-d1": -1, "q2-d2": 3}, id="negative"),
        pytest.param({"qrels.tsv": "#1\td1\t1\n", "queries.jsonl": jsonl({"_id": "#1", "text": "najem"})},
                     {"#1-d1": 1}, id="id that begins like a comment"),
        pytest.param({"qrels.trec": "#1 0 d1 1\n", "queries.jsonl": jsonl({"_id": "#1", "text": "najem"})},
                     {"#1-d1": 1}, id="TREC id that begins like a comment"),
        pytest.param({"qrels.trec": "q1\t0\tregulamin pracy.pdf\t1\n",
                      "corpus.jsonl": jsonl({"_id": "regulamin pracy.pdf", "text": "praca"})},
                     {"q1-regulamin pracy.pdf": 1}, id="TREC, id with a space between tabs"),
        pytest.param({"qrels.tsv": "q1\tumowa_wzór.docx\t1\n",
                      "corpus.jsonl": jsonl({"_id": "umowa_wzo\u0301r.docx", "text": "wzór"})},
                     {"q1-umowa_wzór.docx": 1}, id="id in decomposed letters"),
        pytest.param({"qrels.tsv": "007\t0012\t1\n", "corpus.jsonl": jsonl({"_id": "0012", "text": "korekta"}),
                      "queries.jsonl": jsonl({"_id": "007", "text": "faktura"})}, {"007-0012": 1}, id="leading zeros"),
        pytest.param({"qrels.tsv": "q1\t3\t1\n", "corpus.jsonl": '{"_id":3,"text":"Regulamin"}\n'},
                     {"q1-3": 1}, id="number as id"),
    ],
)  # fmt: skip
def test_judgements_are_read(tmp_path: Path, files: dict[str, str | bytes], expected: dict[str, int]) -> None:
    assert grades(load(tmp_path, files)) == expected


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        pytest.param("queries.csv", "id,text\nNA,stawka VAT\nnull,urlop na żądanie\nnan,brak\n",
                     {"NA": "stawka VAT", "null": "urlop na żądanie", "nan": "brak"}, id="ids that pandas drops"),
        pytest.param("queries.csv", "id,text\nq1,nan\nq2,NULL\n", {"q1": "nan", "q2": "NULL"}, id="texts it drops"),
        pytest.param("queries.csv", b"\xef\xbb\xbfid,text\nq1,delegacja\n", {"q1": "delegacja"}, id="BOM, CSV"),
        pytest.param("queries.csv", b'\xef\xbb\xbf"id","text"\nq1,delegacja\n', {"q1": "delegacja"}, id="BOM, quotes"),
        pytest.param("queries.jsonl", b'\xef\xbb\xbf{"_id":"q1","text":"delegacja"}\n', {"q1": "delegacja"},
                     id="BOM, JSON"),
        pytest.param("queries.csv", "id;tekst;waga\nq1;umowa, najem;1,5\n", {"q1": "umowa, najem"}, id="decimal comma"),
        pytest.param("queries.csv", "ID;Zapytanie;;\nq1;umowa;;\n;;;\n", {"q1": "umowa"}, id="empty columns and rows"),
        pytest.param("queries.csv", 'id,text\nq1,"umowa, najem"\nq2,"jak ""ugryźć"" PIT"\n',
                     {"q1": "umowa, najem", "q2": 'jak "ugryźć" PIT'}, id="CSV quotes"),
        pytest.param("queries.csv", 'id,text\nq1,"dwie\n\nlinie"\nq2,umowa "stara"\n',
                     {"q1": "dwie\n\nlinie", "q2": 'umowa "stara"'}, id="text over lines"),
        pytest.param("queries.tsv", 'id\ttext\nq1\t"Wzór" umowy najmu\nq2\t"otwarty cudzysłów\nq3\tzwrot nadpłaty\n',
                     {"q1": '"Wzór" umowy najmu', "q2": '"otwarty cudzysłów', "q3": "zwrot nadpłaty"},
                             id="quotes in TSV"),
        pytest.param("queries.csv", "sep=;\nid;text\nq1;a, b\n", {"q1": "a, b"}, id="sep= line"),
        pytest.param("queries.jsonl", '[{"_id":"q1","text":"a"},\n{"_id":"q2","text":"b"}]\n', {"q1": "a", "q2": "b"},
                     id="JSON list named JSON Lines"),
        pytest.param("queries.tsv", 'id\ttext\nq1\t"""Wzór"" umowy"\n', {"q1": '"""Wzór"" umowy"'},
                     id="CSV quotes in TSV"),
        pytest.param("queries.tsv", '"id"\t"text"\n"q1"\t"""Wzór"" umowy"\n', {"q1": '"Wzór" umowy'}, id="quoted TSV"),
        pytest.param("queries.tsv", "q1\tdelegacja\nq2\turlop\n", {"q1": "delegacja", "q2": "urlop"}, id="no header"),
        pytest.param("queries.csv", "q1;delegacja\nq2;urlop\n", {"q1": "delegacja", "q2": "urlop"}, id="no header, ;"),
        pytest.param("queries.json", '{"q1": "delegacja", "q2": {"text": "urlop"}}',
                     {"q1": "delegacja", "q2": "urlop"}, id="JSON object"),
        pytest.param("queries.json", '[{"id": "q1", "query": "delegacja"}]', {"q1": "delegacja"}, id="JSON list"),
        pytest.param("queries.jsonl.gz", gzip.compress(b'{"_id":"q1","text":"delegacja"}\n'),
                     {"q1": "delegacja"}, id="gzip"),
        pytest.param("queries.jsonl", '{"_id":"q1","text":"a\u2028b\u0085c"}\n', {"q1": "a\u2028b\u0085c"},
                     id="separators of Unicode are no line ends"),
        pytest.param("queries.jsonl", '{"_id":"q1","text":"urlop"}\r\n\r\n{"_id":"q1","text":"urlop"}\r\n',
                     {"q1": "urlop"},
                     id="exact repeat"),
        pytest.param("queries.jsonl", jsonl({"_id": "q1", "text": "wynagro\u00addzenie"}), {"q1": "wynagrodzenie"},
                     id="soft hyphen"),
        pytest.param("queries.jsonl", jsonl({"_id": "q1", "text": "umowa\u200bnajmu lo\u200ckalu\ufeff"}),
                     {"q1": "umowa najmu lokalu"}, id="zero width"),
        pytest.param("queries.jsonl", jsonl({"_id": "q1", "text": "kara 1\u00a0000 zł"}), {"q1": "kara 1\u00a0000 zł"},
                     id="no-break space stays"),
        pytest.param("queries.jsonl", jsonl({"_id": "q1",
                     "text": "<b>brutto</b>&nbsp;"}), {"q1": "<b>brutto</b>&nbsp;"},
                     id="HTML stays"),
        pytest.param("queries.jsonl", jsonl({"_id": "q1", "text": "urlop 👩\u200d💻 🇵🇱"}),
                     {"q1": "urlop 👩\u200d💻 🇵🇱"},
                     id="emoji"),
    ],
)  # fmt: skip
def test_queries_are_read(tmp_path: Path, name: str, content: str | bytes, expected: dict[str, str]) -> None:
    golden_set = load(tmp_path, {name: content}, allow_dangling=True, qrels_optional=True)
    assert {query.query_id: query.text for query in golden_set.queries} == expected


def test_decomposed_letters_are_composed(tmp_path: Path) -> None:
    assert load(tmp_path, {D: NFD_DOCUMENT}).documents[0].text == "żółta łódź"


@pytest.mark.parametrize("title", [None, "", "  "])
def test_missing_title_leaves_no_trace(tmp_path: Path, title: str | None) -> None:
    rows = jsonl({"_id": "d1", "title": title, "text": "Delegacja"}, {"_id": "d2", "text": "Ryczałt"})
    assert [document.content for document in load(tmp_path, {D: rows}).documents] == ["Delegacja", "Ryczałt"]


def test_dangling_allowed(tmp_path: Path) -> None:
    qrels = "q1\td1\t1\nq1\td9\t1\nq3\td2\t1\n"
    golden_set = load(tmp_path, {"qrels.tsv": qrels}, allow_dangling=True)
    assert grades(golden_set) == {"q1-d1": 1, "q1-d9": 1}
    assert golden_set.only_in_qrels == ("q3",)
    assert "queries with judgements: 1; only among the queries: 1; only in the qrels: 1" in golden_set.notes
    assert any("outside the corpus" in note and note.endswith(": 1") for note in golden_set.notes)


def test_queries_that_no_mean_may_contain(tmp_path: Path) -> None:
    queries = jsonl(*({"_id": f"q{number}", "text": f"pytanie {number}"} for number in range(1, 5)))
    golden_set = load(tmp_path, {Q: queries, "qrels.json": '{"q1":{"d1":1},"q2":{"d1":0},"q3":{},"q4":{"d2":-1}}'})
    assert [query.query_id for query in golden_set.queries] == ["q1", "q2", "q3", "q4"]
    assert golden_set.unjudged == ("q3",)
    assert golden_set.without_relevant == ("q2", "q4")
    assert golden_set.excluded == {"q2", "q3", "q4"}


SPREADSHEET = [("1E5", "100000"), ("1E5", "1,00E+05"), ("9.10", "9.1"), ("03-12", "12 mar"), ("03-12", "3 gru"),
               ("0007", "7"), ("7", "7.0"), ("FV-1", "fv-1"), ("2.05", "2 maj"), ("Jan-5", "5 jan"), ("A 1",
                       "A1")]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), SPREADSHEET)
def test_ids_rewritten_by_a_spreadsheet_are_paired(tmp_path: Path, before: str, after: str) -> None:
    if before == "Jan-5":
        before = "5-1"
    corpus = jsonl({"_id": "d1", "text": "a"}, {"_id": before, "text": "b"})
    folder = golden(tmp_path, {D: corpus, "qrels.tsv": f"q1\td1\t1\nq2\t{after}\t1\n"})
    with pytest.raises(GoldenSetError, match="rewritten by a spreadsheet") as refusal:
        load_golden_set(folder)
    assert repr(before) in str(refusal.value)
    assert repr(after) in str(refusal.value)


def test_unrelated_ids_are_not_paired(tmp_path: Path) -> None:
    folder = golden(tmp_path, {"qrels.tsv": "q1\td1\t1\nq2\tzupełnie-inny\t1\n"})
    assert ["spreadsheet" in str(finding) for finding in check(folder) if finding.severity == "error"] == [False]


@pytest.mark.parametrize("encoding", ["cp1250", "iso-8859-2", "utf-16"])
def test_named_encoding(tmp_path: Path, encoding: str) -> None:
    files = {name: content.encode(encoding) for name, content in COMPLETE.items()}
    files["queries.jsonl"] = jsonl({"_id": "q1", "text": "zażółć gęślą jaźń"}, {"_id": "q2", "text": "b"}).encode(
        encoding
    )
    assert load(tmp_path, files, encoding=encoding).queries[0].text == "zażółć gęślą jaźń"


def test_wrong_or_unknown_encoding(tmp_path: Path) -> None:
    folder = golden(tmp_path, {"queries.jsonl": b'{"_id":"q1","text":"a"}\n\x81\x8d'})
    with pytest.raises(GoldenSetError, match=r"queries\.jsonl:\d.*cp1250"):
        load_golden_set(folder, encoding="cp1250")
    with pytest.raises(ConfigError, match="unknown encoding 'cp125O'"):
        load_golden_set(folder, encoding="cp125O")


def test_separator_by_option(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"queries.csv": "q1,umowa; najem\nq2,zwrot\n"}
    assert [query.text for query in load(tmp_path, files, sep=",").queries] == ["umowa; najem", "zwrot"]


@pytest.mark.parametrize("sep", ["", ",,", '"', "a", "\n"])
def test_unusable_separator(tmp_path: Path, sep: str) -> None:
    with pytest.raises(ConfigError, match="cannot separate"):
        load(tmp_path, {}, sep=sep)


@pytest.mark.parametrize("sep", ["tab", "\\t", "\t"])
def test_names_of_the_tab(tmp_path: Path, sep: str) -> None:
    assert load(tmp_path, {"queries.csv": "q1\tumowa; najem\nq2\tb\n"}, sep=sep).queries[0].text == "umowa; najem"


@pytest.mark.parametrize(("missing", "word"), [(D, "documents"), (Q, "queries"), ("qrels.tsv", "judgements")])
def test_missing_files(tmp_path: Path, missing: str, word: str) -> None:
    folder = write(tmp_path, {name: content for name, content in COMPLETE.items() if name != missing})
    with pytest.raises(GoldenSetError, match=f"has no {word}"):
        load_golden_set(folder)


def test_optional_files(tmp_path: Path) -> None:
    folder = write(tmp_path, {Q: QUERIES})
    golden_set = load_golden_set(folder, corpus_optional=True, qrels_optional=True)
    assert len(golden_set.queries) == 2
    assert golden_set.notes == ()


def test_neither_folder_nor_bundled(tmp_path: Path) -> None:
    with pytest.raises(GoldenSetError, match=r"no such folder, and no bundled golden set; bundled: .*firma"):
        load_golden_set(tmp_path / "firma-nie")
    (tmp_path / "plik").write_text(CORPUS, encoding="utf-8")
    with pytest.raises(GoldenSetError, match="is a file; a golden set is a folder"):
        load_golden_set(tmp_path / "plik")
