"""Inputs that broke comparable tools, by the id of the case and the right behaviour."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import numpy as np
import pytest

from perturb.errors import ConfigError, GoldenSetError, RetrieverError
from perturb.records import Document, Rankings
from perturb.retrieval import build_retriever
from perturb.retrieval.dense import SentenceTransformerEncoder
from perturb.retrieval.fusion import fuse
from perturb.retrieval.lexical import TOKEN_PATTERN, BM25Retriever
from perturb.retrieval.runs import as_rankings, read_trec, write_trec
from perturb.retrieval.settings import RetrieverSettings
from perturb.retrieval.vectors import DenseRetriever

from .conftest import StubEncoder, write_checkpoint


def ranked(rankings: Rankings, row: int = 0) -> list[str]:
    return [rankings.doc_ids[column] for column in rankings.doc_index[row] if column >= 0]


def bm25(**texts: str) -> BM25Retriever:
    retriever = BM25Retriever()
    retriever.index([Document(doc_id, text) for doc_id, text in texts.items()])
    return retriever


def test_a24_ids_with_white_space_in_a_run(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_text("q1 Q0 regulamin pracy.pdf 1 2.0 t\nq1 Q0 umowa_wzór.docx 2 1.0 t\n", encoding="utf-8")
    with pytest.raises(GoldenSetError, match=r"run\.trec:1: 7 columns"):
        read_trec(path)
    rankings = bm25(**{"regulamin pracy.pdf": "umowa", "umowa_wzór.docx": "umowa najmu"}).search([("ż 1", "umowa")], 2)
    write_trec(rankings, path, "bm25")
    assert list(read_trec(path)["ż 1"]) == ranked(rankings) == ["regulamin pracy.pdf", "umowa_wzór.docx"]


def test_a25_carriage_returns_and_blank_lines(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_bytes(b"q1\tQ0\td1\t1\t2\tt\r\nq1   Q0   d2   2  1  t\r\n\r\n")
    assert read_trec(path) == {"q1": {"d1": 2.0, "d2": 1.0}}
    path.write_bytes(b"q1 Q0 d1 1 2 t\r\n\r\nq2 Q0 d3 1 1 t extra\r\n")
    with pytest.raises(GoldenSetError, match=":3: 7 columns"):
        read_trec(path)


def test_a26_comments_count_as_lines(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_text("# oceny z maja\nq1 Q0 d1 1 1\n", encoding="utf-8")
    with pytest.raises(GoldenSetError, match=":2: 5 columns"):
        read_trec(path)
    write_trec(bm25(**{"#1": "umowa"}).search([("#q", "umowa")], 1), path, "t")
    assert list(read_trec(path)) == ["#q"]


def test_b04_more_places_than_documents() -> None:
    rankings = bm25(a="faktura", b="faktura vat", c="urlop").search([("q", "faktura")], 10)
    assert rankings.k == 10
    assert ranked(rankings) == ["a", "b"]
    assert (rankings.doc_index[0, 2:] == -1).all()


@pytest.mark.parametrize("ids", [["self", "dup", "x"], ["dup", "self", "x"], ["x", "dup", "self"]])
def test_b19_ties_follow_the_id_never_the_position(ids: list[str]) -> None:
    run = {"q1": {"self": 1.0, "dup": 1.0, "x": 0.2}}
    assert ranked(as_rankings(run, ids, 3)) == ["self", "dup", "x"]
    without = {query: {d: s for d, s in scores.items() if d != "self"} for query, scores in run.items()}
    assert ranked(as_rankings(without, ids, 3)) == ["dup", "x"]


def test_b21_fusion_by_rank() -> None:
    doc_ids = ("X", "Y", "a", "b", "c")

    def ranking(*ids: str) -> Rankings:
        index = np.array([[doc_ids.index(doc_id) for doc_id in ids]], dtype=np.int32)
        return Rankings(("q1",), index, np.array([[3, 2, 1]], dtype=np.float32), doc_ids)

    fused = fuse([ranking("X", "a", "Y"), ranking("b", "c", "Y")], 5, rrf_k=60)
    assert ranked(fused) == ["Y", "b", "X", "c", "a"]
    np.testing.assert_allclose(fused.scores[0], [2 / 63, 1 / 61, 1 / 61, 1 / 62, 1 / 62], rtol=1e-6)


def test_b22_fusion_of_disjoint_rankings_is_settled_by_id() -> None:
    def ranking(*columns: int) -> Rankings:
        scores = np.array([[2, 1]], dtype=np.float32)
        return Rankings(("q1",), np.array([columns], dtype=np.int32), scores, ("d1", "d2", "d3", "d4"))

    fused = fuse([ranking(0, 1), ranking(2, 3)], 4)
    assert ranked(fused) == ["d3", "d1", "d4", "d2"]
    assert np.array_equal(fused.doc_index, fuse([ranking(2, 3), ranking(0, 1)], 4).doc_index)


def test_c01_e5_prefixes_reach_the_model(tmp_path: Path) -> None:
    folder = write_checkpoint(tmp_path / "intfloat" / "multilingual-e5-base")
    encoder = SentenceTransformerEncoder(str(folder))
    seen: list[str] = []
    transformer = type(encoder._model[0])
    forward = transformer.forward

    def spy(self, features, *rest, **named):
        seen.extend(encoder._model.tokenizer.batch_decode(features["input_ids"], skip_special_tokens=True))
        return forward(self, features, *rest, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transformer, "forward", spy)
        encoder.encode_queries(["termin złożenia deklaracji"])
        encoder.encode_documents(["Deklarację składa się do 25. dnia miesiąca."])
    assert seen == ["query: termin złożenia deklaracji", "passage: Deklarację składa się do 25. dnia miesiąca."]
    unknown = SentenceTransformerEncoder(str(write_checkpoint(tmp_path / "firma" / "model")))
    assert str(unknown.description()["prompt_source"]).startswith("no prefix")
    assert any("no prefix" in sentence for sentence in unknown.notes())


def test_c02_bge_m3_takes_no_prompt(bge_like: Path) -> None:
    retriever = build_retriever(str(bge_like))
    retriever.index([Document("d", "urlop macierzyński")])
    assert retriever.search([("q", "urlop macierzyński")], 1).scores[0, 0] == pytest.approx(1.0, abs=1e-6)


def test_c03_cut_texts_are_named(bge_like: Path) -> None:
    retriever = build_retriever(str(bge_like))
    long = "Postanowienia ogólne. " * 400 + "Kara umowna wynosi 10%."
    retriever.index([Document("long", long), Document("short", "urlop")])
    retriever.search([("q1", "kara umowna 10%"), ("q2", long)], 1)
    assert retriever.description()["truncated_documents"] == ["long"]
    assert retriever.description()["truncated_queries"] == ["q2"]
    assert any("1 of 2 documents (long)" in sentence for sentence in retriever.notes)


@pytest.mark.parametrize(("similarity", "order"), [("cosine", ["d1", "d2"]), ("dot", ["d2", "d1"])])
def test_c04_the_similarity_is_named(similarity: str, order: list[str]) -> None:
    encoder = StubEncoder({"q": [1, 0], "one": [1, 0], "two": [3, 3]}, similarity=similarity)
    retriever = DenseRetriever(encoder)
    retriever.index([Document("d1", "one"), Document("d2", "two")])
    assert ranked(retriever.search([("q", "q")], 2)) == order
    assert retriever.description()["similarity"] == similarity


@pytest.mark.parametrize("nonsense", [np.nan, np.inf, -np.inf])
def test_c06_nan_names_model_dtype_and_text(nonsense: float) -> None:
    retriever = DenseRetriever(StubEncoder(lambda text: [nonsense, 1] if text == "text 7" else [1, 2], name="model-x"))
    with pytest.raises(RetrieverError) as raised:
        retriever.index([Document(f"d{n}", f"text {n}") for n in range(10)])
    assert all(part in str(raised.value) for part in ("model-x", "float32", "'d7'"))
    retriever.index([Document("d", "x")])
    with pytest.raises(RetrieverError, match="query 'q7'"):
        retriever.search([("q7", "text 7")], 1)


def test_c08_a_missing_model_leaves_the_others_running(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(RetrieverError, match=r"firma/brak.*HF_HUB_OFFLINE.*folder"):
        build_retriever("firma/brak")
    assert ranked(bm25(a="umowa").search([("q", "umowa")], 1)) == ["a"]


def test_c10_a_stub_of_a_weight_file_is_found_before_use(tmp_path: Path) -> None:
    folder = write_checkpoint(tmp_path / "m")
    (folder / "model.safetensors").write_bytes(b"\0" * 16)
    with pytest.raises(RetrieverError, match=r"model\.safetensors has 16 bytes"):
        build_retriever(str(folder))


def test_c10_c12_a_model_that_is_not_deterministic_is_refused() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(RetrieverError, match="not deterministic"):
        DenseRetriever(StubEncoder(lambda text: rng.normal(size=2).tolist())).index([Document("d", "x")])


def test_c12_padding_that_leaks_is_refused() -> None:
    class Leaking(StubEncoder):
        def encode_documents(self, texts):
            return np.array([[1.0, len(texts)] for _ in texts], dtype=np.float32)

    with pytest.raises(RetrieverError, match="alone and in a batch"):
        DenseRetriever(Leaking({})).index([Document("d", "x")])


def test_c12_one_and_batch_agree(bge_like: Path) -> None:
    encoder = SentenceTransformerEncoder(str(bge_like))
    batch = ["krótki tekst", "bardzo długi opis zasad rozliczania podróży służbowych w spółce"]
    alone = np.concatenate([encoder.encode_documents([text]) for text in batch])
    assert ((encoder.encode_documents(batch) * alone).sum(axis=1) > 1 - 1e-3).all()


def test_c13_a_tokenizer_without_diacritics_is_noted(tmp_path: Path, bge_like: Path) -> None:
    folder = write_checkpoint(tmp_path / "m", strip_accents=True)
    retriever = build_retriever(str(folder))
    retriever.index([Document("d", "umowa")])
    assert any("strips diacritics" in sentence for sentence in retriever.notes)
    other = build_retriever(str(bge_like))
    other.index([Document("d", "umowa")])
    assert not any("diacritics" in sentence for sentence in other.notes)


def test_c14_composed_and_decomposed_are_one_text(bge_like: Path) -> None:
    retriever = build_retriever(str(bge_like))
    retriever.index([Document("d", "Żółć, źdźbło")])
    queries = [(form, unicodedata.normalize(form, "żółć")) for form in ("NFC", "NFD")]
    rankings = retriever.search(queries, 1)
    assert rankings.scores[0, 0] == rankings.scores[1, 0]
    description = retriever.description()
    assert description["tokenizer"]
    assert description["tokenizer_is_fast"] is True
    assert "tokenizers" in description["versions"]


def test_c15_dtype_is_explicit(bge_like: Path) -> None:
    assert SentenceTransformerEncoder(str(bge_like)).description()["dtype"] == "float32"


def test_c17_the_prompt_is_the_same_for_originals_and_variants(bge_like: Path) -> None:
    settings = RetrieverSettings.from_table({"prompt_query": "Zapytanie: "}, "test")
    retriever = DenseRetriever(SentenceTransformerEncoder(str(bge_like), settings))
    retriever.index([Document("d", "limit")])
    apart = [retriever.search([pair], 1).scores[0, 0] for pair in (("q", "limit zaliczek"), ("v", "limitu zaliczek"))]
    together = retriever.search([("q", "limit zaliczek"), ("v", "limitu zaliczek")], 1).scores[:, 0]
    np.testing.assert_allclose(apart, together, atol=1e-6)
    assert retriever.description()["prompt_query"] == "Zapytanie: "


def test_c19_idf_is_never_negative() -> None:
    rankings = bm25(d1="umowa najmu", d2="faktura").search([("q", "umowa")], 2)
    assert ranked(rankings) == ["d1"]
    assert rankings.scores[0, 0] > 0
    everywhere = bm25(d1="umowa najmu", d2="umowa").search([("q", "umowa")], 2)
    assert (everywhere.scores > 0).all()


@pytest.mark.parametrize("language", ["polish", "english", "pl"])
def test_c20_no_foreign_analyser(language: str) -> None:
    with pytest.raises(ConfigError, match="bm25-lemma"):
        build_retriever("bm25", settings={"language": language})
    for word in ("to", "do", "no", "on", "ten"):
        assert ranked(bm25(a=word, b="umowa").search([("q", word)], 1)) == ["a"]


def test_c21_unknown_words_are_ignored() -> None:
    retriever = bm25(d1="urlop")
    assert ranked(retriever.search([("q", "urlopp wypoczynkowy")], 5)) == []
    assert ranked(retriever.search([("q", "urlop wypoczynkowyy")], 5)) == ["d1"]
    assert ranked(retriever.search([("q", "")], 5)) == []


def test_c22_a_bare_number_is_a_word() -> None:
    rankings = bm25(d1="art. 5 ust. 2", d2="art. 7 ust. 2").search([("q", "art. 5 ust. 2")], 2)
    assert ranked(rankings) == ["d1", "d2"]
    assert rankings.scores[0, 0] > rankings.scores[0, 1]
    assert BM25Retriever().description()["token_pattern"] == TOKEN_PATTERN


@pytest.mark.parametrize("name", ["bm25", "bm25-lemma"])
def test_d26_searching_changes_nothing_in_the_index(name: str) -> None:
    documents = [Document("a", "umowa najmu"), Document("b", "faktura")]
    retriever = build_retriever(name)
    retriever.index(documents)
    before = retriever.search([("q", "umowa")], 2)
    retriever.search([("v1", "umowy"), ("v2", "UMOWA!"), ("v3", "brak")], 2)
    after = retriever.search([("q", "umowa")], 2)
    assert np.array_equal(before.scores, after.scores)
    assert documents == [Document("a", "umowa najmu"), Document("b", "faktura")]


def test_d26_document_vectors_stay(bge_like: Path) -> None:
    retriever = DenseRetriever(SentenceTransformerEncoder(str(bge_like)))
    retriever.index([Document("a", "umowa najmu"), Document("b", "faktura")])
    before = retriever._documents.copy()
    retriever.search([("v1", "umowy"), ("v2", "umowy najmu")], 2)
    assert np.array_equal(before, retriever._documents)
