from __future__ import annotations

import pytest

from perturb.retrieval.prompts import choose_prompts


@pytest.mark.parametrize(
    ("model", "query", "document"),
    [
        ("intfloat/multilingual-e5-small", "query: ", "passage: "),
        ("intfloat/multilingual-e5-base", "query: ", "passage: "),
        ("intfloat/e5-large-v2", "query: ", "passage: "),
        ("models/intfloat/multilingual-e5-large/", "query: ", "passage: "),
        ("/srv/models/multilingual-e5-large", "query: ", "passage: "),
        ("sdadas/mmlw-e5-base", "query: ", "passage: "),
        ("sdadas/mmlw-retrieval-e5-large", "query: ", "passage: "),
        ("sdadas/mmlw-roberta-base", "zapytanie: ", ""),
        ("sdadas/mmlw-retrieval-roberta-large", "zapytanie: ", ""),
        ("sdadas/mmlw-retrieval-roberta-large-v2", "[query]: ", ""),
        ("OPI-PIB/PolDense-150M", "[query]: ", ""),
        ("ipipan/silver-retriever-base-v1.1", "Pytanie: ", ""),
        ("BAAI/bge-m3", "", ""),
    ],
)
def test_families_that_ship_no_prompts(model: str, query: str, document: str) -> None:
    prompts = choose_prompts(model, {}, None, None, None)
    assert (prompts.query, prompts.document) == (query, document)
    assert prompts.source == "table of model families"


@pytest.mark.parametrize(
    "model", ["intfloat/multilingual-e5-large-instruct", "firma/multilingual-e5-base-tuned", "BAAI/bge-m3-unsupervised"]
)
def test_an_unknown_model_gets_none_and_says_so(model: str) -> None:
    prompts = choose_prompts(model, {}, None, None, None)
    assert (prompts.query, prompts.document) == ("", "")
    assert prompts.source.startswith("no prefix")


@pytest.mark.parametrize("name", ["document", "passage", "corpus"])
def test_configuration_wins_over_the_table(name: str) -> None:
    prompts = choose_prompts("intfloat/multilingual-e5-base", {"query": "Q: ", name: "D: "}, None, None, None)
    assert (prompts.query, prompts.document, prompts.source) == ("Q: ", "D: ", "model configuration")


def test_empty_prompts_in_the_configuration_are_none_at_all() -> None:
    """Newer Sentence-Transformers fill in empty query and document prompts for models that have none."""
    prompts = choose_prompts("intfloat/multilingual-e5-base", {"query": "", "document": ""}, None, None, None)
    assert prompts.query == "query: "


def test_a_default_prompt_serves_both_roles() -> None:
    prompts = choose_prompts("x/y", {"sts": "S: "}, "S: ", None, None)
    assert (prompts.query, prompts.document) == ("S: ", "S: ")


def test_the_user_wins_and_may_wish_for_none() -> None:
    prompts = choose_prompts("intfloat/multilingual-e5-base", {}, None, "", None)
    assert (prompts.query, prompts.document) == ("", "passage: ")
    assert prompts.source == "user's setting, else table of model families"
    assert choose_prompts("x/y", {"query": "Q"}, None, "a", "b").source == "user's setting"
