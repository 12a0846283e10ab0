from __future__ import annotations

import math
import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perturb.errors import ConfigError, RetrieverError
from perturb.records import Document
from perturb.retrieval.lexical import BM25Retriever, lemma_sets, tokens, words

KNOWN = ["umowa", "najem", "faktura", "to", "5", "i"]


def corpus(**texts: str) -> list[Document]:
    return [Document(doc_id, text) for doc_id, text in texts.items()]


def found(retriever: BM25Retriever, query: str, k: int = 10) -> list[str]:
    rankings = retriever.search([("q", query)], k)
    return [rankings.doc_ids[column] for column in rankings.doc_index[0] if column >= 0]


def indexed(documents: list[Document], **settings: object) -> BM25Retriever:
    retriever = BM25Retriever(**settings)
    retriever.index(documents)
    return retriever


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Umowa NAJMU", ["umowa", "najmu"]),
        ("art. 5 ust. 2", ["art", "5", "ust", "2"]),
        ("FV/12/2023", ["fv/12/2023", "fv", "12", "2023"]),
        ("deadline'u", ["deadline'u", "deadline", "u"]),
        ("deadline’u", ["deadline'u", "deadline", "u"]),
        ("ISO 9001:2015", ["iso", "9001:2015", "9001", "2015"]),
        ("1,5 tony, 2 palety", ["1,5", "1", "5", "tony", "2", "palety"]),
        ("z o.o.", ["z", "o.o", "o", "o"]),
        ("Z\u0307O\u0301L\u0301C\u0301 ŻÓŁĆ", ["żóĺć", "żółć"]),
        ("R&D_2", ["r&d_2", "r", "d", "2"]),
        ("  …—! ", []),
        ("", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@settings(deadline=None)
@given(st.text())
def test_case_and_composition_never_matter(text: str) -> None:
    import unicodedata

    assert tokens(unicodedata.normalize("NFD", text)) == tokens(unicodedata.normalize("NFC", text))


def lucene_bm25(documents: list[Document], query: str, k1: float, b: float) -> list[float]:
    """The formula as written in Lucene's BM25Similarity since version 8, without the constant k1 + 1."""
    terms = [tokens(document.content) for document in documents]
    mean_length = sum(map(len, terms)) / len(terms)
    scores = []
    for document in terms:
        count = Counter(document)
        score = 0.0
        for term in filter(count.__getitem__, tokens(query)):
            n = sum(term in other for other in terms)
            idf = math.log(1 + (len(terms) - n + 0.5) / (n + 0.5))
            score += idf * count[term] / (count[term] + k1 * (1 - b + b * len(document) / mean_length))
        scores.append(score)
    return scores


@settings(deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from(["umowa", "najem", "faktura", "to", "5", "i"]), max_size=8), min_size=1, max_size=6
    ),
    st.lists(st.sampled_from([*KNOWN, "obcy"]), max_size=6),
    st.sampled_from([(1.5, 0.75), (0.9, 0.4), (1.2, 0.0), (2.0, 1.0)]),
)
def test_scores_follow_the_formula(texts: list[list[str]], query: list[str], parameters: tuple[float, float]) -> None:
    documents = [Document(f"d{number}", " ".join(text)) for number, text in enumerate(texts)]
    if not any(texts):
        documents.append(Document("last", "umowa"))
    rankings = indexed(documents, k1=parameters[0], b=parameters[1]).search([("q", " ".join(query))], len(documents))
    expected = np.array(lucene_bm25(documents, " ".join(query), *parameters))
    scores = np.zeros(len(documents))
    kept = rankings.doc_index[0] >= 0
    scores[rankings.doc_index[0][kept]] = rankings.scores[0][kept]
    np.testing.assert_allclose(scores, expected, rtol=2e-6)
    assert kept.sum() == (expected > 0).sum()


def test_title_is_searched() -> None:
    retriever = indexed([Document("d1", "tekst", title="Urlopy"), Document("d2", "tekst")])
    assert found(retriever, "urlopy") == ["d1"]


def test_word_order_changes_no_bit() -> None:
    documents = [Document(f"d{n}", " ".join(f"w{(n * m) % 17}" for m in range(1, 9))) for n in range(30)]
    retriever = indexed(documents)
    left = retriever.search([("q", "w1 w2 w3 w5 w7 w11 w13")], 30)
    right = retriever.search([("q", "w13 w7 w1 w11 w2 w5 w3")], 30)
    assert np.array_equal(left.scores, right.scores)
    assert np.array_equal(left.doc_index, right.doc_index)


def test_order_of_documents_does_not_matter() -> None:
    documents = corpus(a="umowa najmu", b="umowa", c="umowa najmu", d="faktura")
    assert found(indexed(documents), "umowa najmu") == found(indexed(documents[::-1]), "umowa najmu") == list("cab")


def test_equal_texts_get_equal_rows_in_the_order_of_the_queries() -> None:
    retriever = indexed(corpus(a="umowa", b="faktura"))
    rankings = retriever.search([("q1", "umowa"), ("q2", "faktura"), ("q3", "umowa")], 1)
    assert rankings.query_ids == ("q1", "q2", "q3")
    assert [rankings.doc_ids[column] for column in rankings.doc_index[:, 0]] == ["a", "b", "a"]


def test_no_queries_and_no_documents() -> None:
    retriever = indexed([])
    assert found(retriever, "umowa") == []
    assert retriever.search([], 3).doc_index.shape == (0, 3)


def test_documents_without_words_are_noted_not_fatal() -> None:
    retriever = indexed(corpus(a="…", b="—"))
    assert found(retriever, "umowa") == []
    assert "2 documents contain no word" in retriever.notes[0]
    retriever.index(corpus(a="…", b="umowa"))
    assert found(retriever, "umowa") == ["b"]
    assert "1 document contains" in retriever.notes[-1]


def test_searching_before_indexing_is_refused() -> None:
    with pytest.raises(RetrieverError, match="call index first"):
        BM25Retriever().search([("q", "umowa")], 1)


@pytest.mark.parametrize("settings", [{"k1": -1.0}, {"b": 1.5}, {"k1": math.nan}, {"b": math.nan}])
def test_parameters_out_of_range_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="k1 must be at least 0"):
        BM25Retriever(**settings)


def test_lemmas_find_other_forms() -> None:
    documents = corpus(umowa="Umowa najmu lokalu", urlop="Urlop wypoczynkowy pracownika", faktura="Termin faktury")
    by_lemma, by_word = indexed(documents, analyser=lemma_sets), indexed(documents)
    for query, expected in [
        ("umowami", "umowa"),
        ("umów o najem", "umowa"),
        ("pracownikom", "urlop"),
        ("fakturze", "faktura"),
        ("URLOPEM", "urlop"),
    ]:
        assert found(by_lemma, query)[0] == expected
        assert found(by_word, query) == []


def test_an_ambiguous_word_counts_once() -> None:
    """*Umów* is a form of *umowa* and of *umówić*; a document with both readings must not count it twice."""
    assert len(lemma_sets("umów")[0]) >= 2
    retriever = indexed(corpus(x="umów", y="faktura", z="urlop"), analyser=lemma_sets)
    ambiguous = retriever.search([("q", "umów")], 1).scores[0, 0]
    clear = retriever.search([("q", "umową")], 1).scores[0, 0]
    assert ambiguous == clear > 0


def test_words_without_lemma_stay_as_they_are() -> None:
    assert lemma_sets("xqzt 5 płatnosci") == (("xqzt",), ("5",), ("płatnosci",))
    assert found(indexed(corpus(a="xqzt", b="umowa"), analyser=lemma_sets), "XQZT") == ["a"]


def test_description_names_what_matters() -> None:
    description = BM25Retriever("bm25-lemma", analyser=lemma_sets, k1=1.2).description()
    assert description["terms"] == "lemmas"
    assert description["k1"] == 1.2
    assert "morfeusz2" in description["versions"]
    assert BM25Retriever(analyser=words).description()["terms"] == "words"


def test_progress_reaches_the_end() -> None:
    retriever = indexed(corpus(a="umowa"))
    seen: list[tuple[str, int, int]] = []
    retriever.progress = lambda *step: seen.append(step)
    retriever.search([("q1", "umowa"), ("q2", "najem")], 1)
    assert seen[-1] == ("bm25: searching", 2, 2)


def test_hash_seed_changes_no_byte() -> None:
    script = (
        "from perturb.records import Document\n"
        "from perturb.retrieval.lexical import BM25Retriever\n"
        "r = BM25Retriever()\n"
        "r.index([Document(f'd{n}', ' '.join(f'w{(n * m) % 31}' for m in range(1, 20))) for n in range(50)])\n"
        "x = r.search([('q', ' '.join(f'w{n}' for n in range(31)))], 50)\n"
        "print(x.doc_index.tolist(), x.scores.tobytes().hex())\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
