from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perturb.errors import GoldenSetError
from perturb.records import Rankings
from perturb.retrieval.runs import as_rankings, decode_id, encode_id, read_trec, write_trec
from perturb.retrieval.search import DocumentOrder, top_k

IDS = st.text(st.sampled_from("aż%20 \u00a0\t\n#é/5F\u2028🙂"), min_size=1, max_size=6)


@settings(deadline=None)
@given(IDS | st.text(min_size=1))
def test_an_id_fits_into_a_column_and_comes_back(text: str) -> None:
    if not text.isprintable() and any(0xD800 <= ord(letter) <= 0xDFFF for letter in text):
        return
    written = encode_id(text)
    assert written.split() == [written]
    assert not written.startswith("#")
    assert decode_id(written) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("umowa_wzór.docx", "umowa_wzór.docx"),
        ("regulamin pracy.pdf", "regulamin%20pracy.pdf"),
        ("50% zniżki", "50%%20zniżki"),
        ("a%20b", "a%2520b"),
        ("#1", "%231"),
        ("a#1", "a#1"),
    ],
)
def test_what_is_encoded(text: str, written: str) -> None:
    assert encode_id(text) == written


@settings(deadline=None)
@given(
    st.lists(IDS, min_size=1, max_size=8, unique=True),
    st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=8, max_size=8),
    st.integers(1, 10),
)
def test_a_run_comes_back_bit_for_bit(
    tmp_path_factory: pytest.TempPathFactory, doc_ids: list[str], scores: list[float], k: int
) -> None:
    block = np.array([scores[: len(doc_ids)], [1.0] * len(doc_ids)], dtype=np.float32)
    order = DocumentOrder(doc_ids)
    rankings = top_k(lambda rows, columns: block[rows][:, order.columns[columns]], ["zapytanie 1", "q%20"], order, k)
    path = tmp_path_factory.mktemp("runs") / "run.trec"
    write_trec(rankings, path, "mój model")
    again = as_rankings(read_trec(path), doc_ids, k)
    assert again.query_ids == rankings.query_ids
    assert np.array_equal(again.doc_index, rankings.doc_index)
    assert np.array_equal(again.scores, rankings.scores)


def test_the_file_as_trec_eval_wants_it(tmp_path: Path) -> None:
    doc_index = np.array([[1, 0, -1], [-1, -1, -1]], dtype=np.int32)
    scores = np.array([[0.1, 1e-7, -np.inf], [-np.inf] * 3], dtype=np.float32)
    path = tmp_path / "runs" / "bm25.trec"
    write_trec(Rankings(("007", "q2"), doc_index, scores, ("0012", "x y")), path, "bm25")
    assert path.read_bytes() == b"007 Q0 x%20y 1 0.100000001 bm25\n007 Q0 0012 2 1.00000001e-07 bm25\n"
    assert [file.name for file in path.parent.iterdir()] == ["bm25.trec"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_text("old")
    one = np.zeros((1, 1), dtype=np.int32)
    with pytest.raises(IndexError):
        write_trec(Rankings(("q",), one + 5, one.astype(np.float32), ("a",)), path, "t")
    assert path.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("q1 Q0 d1 1 2.0 t\nq1 Q0 regulamin pracy.pdf 2 1.0 t\n", ":2: 7 columns"),
        ("# od A\n\nq1 Q0 d1 1\n", ":3: 4 columns"),
        ("q1 Q0 d1 1 nan t\n", ":1: score 'nan'"),
        ("q1 Q0 d1 1 1e99 t\n", ":1: score '1e99'"),
        ("q1 Q0 d1 1 dużo t\n", ":1: score 'dużo'"),
        ("q1 Q0 d1 1 2 t\nq1 Q0 d1 2 1 t\n", ":2: document 'd1' is listed twice"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "run.trec"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(GoldenSetError) as raised:
        read_trec(path)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_runs_of_other_tools(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_bytes("\ufeffq1\tQ0\td%20ż\t1\t2.5\tt\r\n\r\n# koniec\r\nq1   Q0  d2  2  -0.0  t".encode())
    assert read_trec(path) == {"q1": {"d ż": 2.5, "d2": 0.0}}
    assert list(read_trec(path, decode=False)["q1"]) == ["d%20ż", "d2"]
    path.write_bytes(b"q1 Q0 \xb3 1 1 t\n")
    with pytest.raises(GoldenSetError, match="not UTF-8"):
        read_trec(path)


def test_a_document_outside_the_corpus_is_refused() -> None:
    with pytest.raises(GoldenSetError, match="ranks 'x' for query 'q'"):
        as_rankings({"q": {"x": 1.0}}, ["a"], 1)


def test_trec_eval_sees_the_same_first_places_in_spite_of_ties(tmp_path: Path) -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    rng = np.random.default_rng(7)
    doc_ids = [f"{number}" for number in rng.permutation(400)]
    block = rng.integers(0, 4, (50, 400)).astype(np.float32) / 3
    block[rng.random(block.shape) < 0.9] = -np.inf
    order = DocumentOrder(doc_ids)
    queries = [f"q{number}" for number in range(50)]
    rankings = top_k(lambda rows, columns: block[rows, columns], queries, order, 100)
    qrels = {query: dict.fromkeys(rng.choice(doc_ids, 60, replace=False).tolist(), 1) for query in queries}
    path = tmp_path / "run.trec"
    write_trec(rankings, path, "t")
    scores = pytrec_eval.RelevanceEvaluator(qrels, {"recall_5", "recip_rank"}).evaluate(read_trec(path))
    for query, columns in zip(queries, rankings.doc_index, strict=True):
        hits = [doc_ids[column] in qrels[query] for column in columns if column >= 0]
        assert scores[query]["recall_5"] == pytest.approx(sum(hits[:5]) / 60)
        assert scores[query]["recip_rank"] == pytest.approx(1 / (1 + hits.index(True)) if any(hits) else 0)
