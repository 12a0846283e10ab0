"""Tokens of a query, for the reports that say why quality drops."""

from pathlib import Path
from types import SimpleNamespace

from perturb.retrieval.dense import SentenceTransformerEncoder
from perturb.retrieval.embedded import E5Small, UniversalSentenceEncoder
from perturb.retrieval.lexical import BM25Retriever
from perturb.retrieval.vectors import DenseRetriever

TEXTS = ["korekta", "korekta faktury", "korekta faktury korekta faktury"]


class _Counting:
    name, dim, similarity = "counting", 2, "cosine"

    def token_counts(self, texts: list[str]) -> list[int]:
        return [len(text) for text in texts]


class _Silent:
    name, dim, similarity = "silent", 2, "cosine"


def test_the_encoder_is_asked_if_it_can_tell() -> None:
    assert DenseRetriever(_Counting()).query_tokens(["ab", ""]) == [2, 0]
    assert DenseRetriever(_Silent()).query_tokens(["ab"]) is None
    assert BM25Retriever().query_tokens(["ab"]) is None


def test_embedded_models_count_without_prompt_and_marks() -> None:
    for encoder in (UniversalSentenceEncoder(), E5Small()):
        one, two, twice = encoder.token_counts(TEXTS) or []
        assert 1 <= one < two < twice == 2 * two, encoder.name


def test_a_package_that_hides_its_tokenizer_tells_nothing() -> None:
    encoder = UniversalSentenceEncoder()
    encoder._model = SimpleNamespace()
    assert encoder.token_counts(TEXTS) is None


def test_broken_words_cost_tokens() -> None:
    whole, broken = E5Small().token_counts(["faktura", "fkatrua"])
    assert whole < broken


def test_sentence_transformers_models_count_with_their_own_tokenizer(bge_like: Path) -> None:
    encoder = SentenceTransformerEncoder(str(bge_like))
    counts = encoder.token_counts(TEXTS)
    tokenizer = encoder._tokenizer
    assert counts == [len(tokenizer(text, add_special_tokens=False)["input_ids"]) for text in TEXTS]
    assert DenseRetriever(encoder).query_tokens(TEXTS) == counts
    encoder._tokenizer = None
    assert encoder.token_counts(TEXTS) is None
