"""Parts, names, the content hash, and size."""

from __future__ import annotations

import gzip
import json
import random
import time
from pathlib import Path

import pytest

from perturb.errors import GoldenSetError
from perturb.golden import folder as folder_module
from perturb.golden.checks import check
from perturb.golden.goldenset import load_golden_set

from .folders import COMPLETE, CORPUS, QRELS, QUERIES, golden, jsonl, write

HASH_OF_SAME = [
    pytest.param({"queries.jsonl": "".join(reversed(QUERIES.splitlines(keepends=True)))}, id="other order"),
    pytest.param({name: content.replace("\n", "\r\n") for name, content in COMPLETE.items()}, id="CR LF"),
    pytest.param({"corpus.jsonl.gz": gzip.compress(CORPUS.encode())}, id="gzip"),
    pytest.param({"qrels.trec": "q2 0 d2 1\nq1 0 d1 2\n"}, id="TREC"),
    pytest.param({"queries.csv": "id;text\nq1;czynsz za lokal\nq2;kiedy oddają podatek\n"}, id="CSV"),
    pytest.param({"queries.jsonl": QUERIES.replace("oddają", "oddaja\u0328")}, id="decomposed letters"),
    pytest.param({"goldenset.toml": 'name = "inna"\n'}, id="other name"),
]


@pytest.mark.parametrize("files", HASH_OF_SAME)
def test_hash_is_of_the_content(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    expected = load_golden_set(golden(tmp_path / "a", {})).sha256
    assert len(expected) == 64
    assert load_golden_set(golden(tmp_path / "b", files)).sha256 == expected


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [("qrels.tsv", "d1\t2", "d1\t1"), ("queries.jsonl", "czynsz", "Czynsz"), ("corpus.jsonl", "Najem", "Umowa")],
)
def test_hash_tells_contents_apart(tmp_path: Path, name: str, old: str, new: str) -> None:
    expected = load_golden_set(golden(tmp_path / "a", {})).sha256
    assert load_golden_set(golden(tmp_path / "b", {name: COMPLETE[name].replace(old, new)})).sha256 != expected


def test_hash_does_not_run_fields_together(tmp_path: Path) -> None:
    one = golden(
        tmp_path / "a", {"corpus.jsonl": jsonl({"_id": "d1", "title": "a", "text": "b c"}, {"_id": "d2", "text": "e"})}
    )
    two = golden(
        tmp_path / "b", {"corpus.jsonl": jsonl({"_id": "d1", "title": "a b", "text": "c"}, {"_id": "d2", "text": "e"})}
    )
    assert load_golden_set(one).sha256 != load_golden_set(two).sha256


def test_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = golden(tmp_path / "faktury", {})
    assert load_golden_set(folder).name == "faktury"
    monkeypatch.chdir(folder)
    assert load_golden_set(".").name == "faktury"
    (folder / "goldenset.toml").write_text('name = "Faktury 2026"\n', encoding="utf-8")
    assert load_golden_set(folder).name == "Faktury 2026"
    (folder / "goldenset.toml").write_text("name = 5\n", encoding="utf-8")
    assert load_golden_set(folder).name == "faktury"


def test_bundled_name_unless_a_folder_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundled = tmp_path / "wheel" / "goldensets"
    golden(bundled / "firma", {"qrels.tsv": "q1\td1\t3\n"})
    monkeypatch.setattr(folder_module, "resource", lambda kind, name="": tmp_path / "wheel" / kind / name)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert load_golden_set("firma").path == bundled / "firma"
    assert check("firma")[0].code == "unjudged"
    golden(tmp_path / "here" / "firma", {})
    assert load_golden_set("firma").path == Path("firma")
    with pytest.raises(GoldenSetError, match="frima: no such folder, and no bundled golden set; bundled: firma"):
        load_golden_set("frima")


def test_parts_of_a_beir_folder(tmp_path: Path) -> None:
    files = {"qrels/dev.tsv": "q1\td1\t1\n", "qrels/test.tsv": "q2\td2\t1\n", "qrels/.DS_Store": "x"}
    folder = golden(tmp_path, files)
    assert load_golden_set(folder).judgements[0].query_id == "q2"
    dev = load_golden_set(folder, part="dev")
    assert [query.query_id for query in dev.queries] == ["q1"]
    assert dev.notes == ("queries left out, because qrels/dev.tsv does not mention them: 1",)
    with pytest.raises(GoldenSetError, match=r"has no part 'train': .*parts in qrels/: dev, test"):
        load_golden_set(folder, part="train")
    (folder / "split.tsv").write_text("q1\ttrain\nq2\tother\n", encoding="utf-8")
    assert load_golden_set(folder, part="other").judgements[0].query_id == "q2"
    (folder / "qrels" / "test.tsv").rename(folder / "qrels" / "train.tsv")
    with pytest.raises(GoldenSetError, match="holds dev, train and no test; name the part"):
        load_golden_set(folder)
    (folder / "qrels.tsv").write_text(QRELS, encoding="utf-8")
    assert len(load_golden_set(folder).judgements) == 2


def test_metadata_is_kept_where_there_is_some(tmp_path: Path) -> None:
    queries = jsonl({"_id": "q1", "text": "a b", "metadata": {"dział": 1}}, {"_id": "q2", "text": "c", "metadata": {}})
    golden_set = load_golden_set(golden(tmp_path, {"queries.jsonl": queries}))
    assert golden_set.query_metadata == {"q1": {"dział": 1}}
    assert golden_set.document_metadata == {}


def test_a_clean_set_has_no_findings(tmp_path: Path) -> None:
    folder = golden(tmp_path, {})
    assert check(folder) == []
    assert load_golden_set(folder).notes == ()


def test_many_cells_over_lines(tmp_path: Path) -> None:
    """Every row spans lines: neither recursion nor quadratic time."""
    rows = "".join(f'd{number};"wiersz ""{number}""\n\nkoniec"\n' for number in range(20_000))
    folder = write(tmp_path, {**COMPLETE, "corpus.csv": "id;text\n" + rows})
    (folder / "corpus.jsonl").unlink()
    began = time.process_time()
    golden_set = load_golden_set(folder)
    assert time.process_time() - began < 10
    assert golden_set.documents[12_345].text == 'wiersz "12345"\n\nkoniec'
    assert len(golden_set.documents) == 20_000


def test_large_set_loads_in_time(tmp_path: Path) -> None:
    """A tenth of 100,000 documents and queries in a tenth of 10 seconds, with room for a busy machine."""
    draw = random.Random(5)
    words = ["umowa", "najmu", "faktura", "korygująca", "zażółć", "źródło", "termin", "płatności", "pracownika"]
    size = 10_000
    with (tmp_path / "corpus.jsonl").open("w", encoding="utf-8") as corpus:
        for number in range(size):
            text = " ".join(draw.choices(words, k=60))
            corpus.write(json.dumps({"_id": f"d{number}", "text": text}, ensure_ascii=False) + "\n")
    with (tmp_path / "queries.jsonl").open("w", encoding="utf-8") as queries:
        for number in range(size):
            queries.write(json.dumps({"_id": f"q{number}", "text": f"pytanie {number}"}) + "\n")
    qrels = "".join(f"q{number}\td{size - 1 - number}\t1\n" for number in range(size))
    (tmp_path / "qrels.tsv").write_text(qrels, encoding="utf-8")
    began = time.process_time()
    golden_set = load_golden_set(tmp_path)
    assert time.process_time() - began < 4
    assert (len(golden_set.documents), len(golden_set.queries), len(golden_set.judgements)) == (size, size, size)
