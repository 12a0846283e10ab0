import gzip
import json
from pathlib import Path

import pytest

from perturb.errors import ConfigError, GoldenSetError
from perturb.traffic import query_log, read_log

QUERIES = ["faktura VAT, korekta", "żądanie urlopu", "faktura VAT, korekta"]


def written(tmp_path: Path, name: str, text: str, encoding: str = "utf-8") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize(
    ("name", "text", "encoding"),
    [
        ("q.txt", "faktura VAT, korekta\nżądanie urlopu\n\nfaktura VAT, korekta\n", "utf-8"),
        ("q.csv", 'id;query\n1;faktura VAT, korekta\n2;"żądanie urlopu"\n3;faktura VAT, korekta\n', "utf-8-sig"),
        (
            "q.csv",
            "sep=;\r\nzapytanie;ile\r\nfaktura VAT, korekta;1\r\nżądanie urlopu;2\r\nfaktura VAT, korekta;2\r\n",
            "utf-8",
        ),
        ("q.csv", 'query,when\n"faktura VAT, korekta",1\nżądanie urlopu,2\n"faktura VAT, korekta",3\n', "utf-8"),
        ("q.csv", 'query\nfaktura VAT, korekta\n"żądanie urlopu"\nfaktura VAT, korekta\n', "utf-8"),
        ("q.csv", "faktura VAT, korekta\nżądanie urlopu\nfaktura VAT, korekta\n", "utf-8"),
        ("q.tsv", "when\tpytanie\n1\tfaktura VAT, korekta\n2\tżądanie urlopu\n3\tfaktura VAT, korekta\n", "utf-8"),
        ("q.csv", "Najczęstsze zapytania,Kliknięcia\n" + "".join(f'"{q}",1\n' for q in QUERIES), "utf-8"),
        ("q.csv", "fraza;liczba\n" + "".join(f"{q};1\n" for q in QUERIES), "utf-8"),
        ("q.csv", "Search term\tCost\n" + "".join(f"{q}\t1\n" for q in QUERIES), "utf-8"),
        ("q.jsonl", "".join(json.dumps({"text": q}) + "\n" for q in QUERIES), "utf-8"),
        ("q.json", json.dumps([{"query": q} for q in QUERIES]), "utf-8"),
    ],
)
def test_every_way_to_write_a_log(tmp_path: Path, name: str, text: str, encoding: str) -> None:
    log = read_log(written(tmp_path, name, text, encoding))
    assert dict(log.counts) == {"faktura VAT, korekta": 2, "żądanie urlopu": 1}
    assert (log.total, log.name) == (3, name)


def test_a_column_is_taken_by_name_or_number(tmp_path: Path) -> None:
    named = written(tmp_path, "a.csv", "Data;Fraza\n1;umowa\n2;aneks\n")
    assert set(read_log(named, column="Fraza").counts) == {"umowa", "aneks"}
    bare = written(tmp_path, "b.csv", "1;umowa\n2;aneks\n")
    assert set(read_log(bare, column="2").counts) == {"umowa", "aneks"}
    lines = written(tmp_path, "c.jsonl", '{"fraza": "umowa"}\n')
    assert set(read_log(lines, column="fraza").counts) == {"umowa"}
    with gzip.open(tmp_path / "d.txt.gz", "wt", encoding="utf-8") as stream:
        stream.write("umowa\n")
    assert set(read_log(tmp_path / "d.txt.gz").counts) == {"umowa"}


def test_cp1250_is_refused_with_the_remedy_and_read_with_it(tmp_path: Path) -> None:
    path = written(tmp_path, "q.csv", "query;n\nżądanie płatności śruby;1\n", "cp1250")
    with pytest.raises(GoldenSetError, match=r"q\.csv:2: .*not UTF-8; name the encoding: cp1250"):
        read_log(path)
    assert set(read_log(path, encoding="cp1250").counts) == {"żądanie płatności śruby"}


@pytest.mark.parametrize(
    ("name", "text", "options", "message"),
    [
        ("q.txt", "", {}, "is empty"),
        ("q.txt", "\n \n", {}, "is empty"),
        ("q.txt", "???\n!!\n", {}, "holds no query"),
        ("q.csv", "query;n\n", {}, "holds no query"),
        ("q.csv", "a;b\nc;d\n", {}, "--column"),
        ("q.csv", "a;b\nc;d\n", {"column": "x"}, "no such column"),
        ("q.csv", "query;n\numowa;1;2;3\n", {}, r"q\.csv:2: has 4 columns"),
        ("q.jsonl", '{"body": "x"}\n{"q1": 5}\n', {}, r"q\.jsonl:2: has no field"),
        ("q.jsonl", '{"text": 5}\n', {}, "is not text"),
        ("q.jsonl", '{"text": "a\\ud800"}\n', {}, "half a character"),
        ("q.jsonl", "umowa\n", {}, "is not JSON"),
        ("q.txt", "umowa\n", {"encoding": "klingon"}, "unknown encoding"),
        ("q.csv", "umowa\n", {"sep": "abc"}, "cannot separate"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(
    tmp_path: Path, name: str, text: str, options: dict[str, str], message: str
) -> None:
    path = written(tmp_path, name, text)
    with pytest.raises((GoldenSetError, ConfigError), match=message) as caught:
        read_log(path, **options)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(GoldenSetError, match="cannot be read"):
        read_log(tmp_path / "none.csv")


def test_texts_are_cleaned_before_they_are_counted() -> None:
    log = query_log(["z\u0307o\u0301łty", "żółty", "żół\u00adty", " żółty ", "żółty\u200b", "x" * 3000, "👍"])
    assert dict(log.counts) == {"żółty": 5}
    assert (log.blank, log.too_long) == (1, 1)


def test_half_a_character_is_refused() -> None:
    with pytest.raises(GoldenSetError, match=r"half a character .*\\ud83d"):
        query_log(["umowa", "umowa \ud83d"])


def test_a_query_sent_often_is_worth_one() -> None:
    assert query_log(["umowa"] * 50).effective == 1
    assert query_log([f"umowa {number}" for number in range(50)]).effective == 50
    assert query_log(["a b"] * 3 + ["c d"]).effective == pytest.approx(16 / 10)
