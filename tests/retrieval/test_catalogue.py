from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from perturb.errors import ConfigError, RetrieverError
from perturb.retrieval import RETRIEVERS, build_retriever
from perturb.retrieval.lexical import BM25Retriever
from perturb.retrieval.settings import RetrieverSettings


def test_our_names_have_a_summary() -> None:
    assert set(RETRIEVERS) >= {"bm25", "bm25-lemma", "use-multilingual", "e5-small"}
    for entry in RETRIEVERS.values():
        assert entry.summary
        assert "\n" not in entry.summary


def test_nothing_heavy_is_imported() -> None:
    script = (
        "import sys, perturb.retrieval\n"
        "heavy = {'torch', 'sentence_transformers', 'transformers', 'bm25s', 'scipy', 'pandas', 'spacy', 'morfeusz2'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    output = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "[]"


@pytest.mark.parametrize(
    ("name", "settings", "tables", "message"),
    [
        ("bm52", {}, {}, "unknown model 'bm52'; did you mean 'bm25'?"),
        ("nosuch", {}, {}, "or a hub id, which contains a slash (BAAI/bge-m3), a folder, or hybrid:bm25+e5-small"),
        ("bm25", {"k": 1}, {}, "model 'bm25': unknown setting 'k'; did you mean 'k1'?"),
        ("bm25", {"prompt_query": "x"}, {}, "unknown setting 'prompt_query'"),
        ("bm25", {"k1": "1.5"}, {}, "k1 = '1.5'; expected a number"),
        ("bm25", {"k1": True}, {}, "k1 = True; expected a number"),
        ("bm25", {"language": "polish"}, {}, "use bm25-lemma for Polish inflection"),
        ("use-multilingual", {"threads": 0}, {}, "threads = 0; it must be at least 1"),
        ("use-multilingual", {"threads": 1.5}, {}, "threads = 1.5; expected a whole number"),
        ("mine", {}, {"mine": {"kind": "bm52"}}, "[retriever.mine]: kind = 'bm52' is not offered; did you mean"),
        ("mine", {}, {"mine": {"kind": "??"}}, "choose one of sentence-transformers, endpoint, bm25"),
        ("mine", {}, {"mine": {"kind": "sentence-transformers"}}, "model is missing"),
        ("x/y", {"dtype": "float64"}, {}, "dtype = 'float64' is not offered"),
        ("x/y", {"trust_remote_code": "yes"}, {}, "expected true or false"),
        ("hybrid:bm25", {}, {}, "at least two different retrievers"),
        ("hybrid:bm25+bm25", {}, {}, "at least two different retrievers"),
        ("hybrid:bm25+", {}, {}, "at least two different retrievers"),
        ("hybrid:bm25+bm52", {}, {}, "did you mean 'bm25'?"),
        ("h", {}, {"h": {"kind": "hybrid", "models": ["bm25", 1]}}, "expected a list of retriever names"),
        ("h", {}, {"h": {"kind": "hybrid", "models": "bm25"}}, "expected a list"),
        ("h", {}, {"h": {"kind": "hybrid", "models": ["bm25", "h"]}}, "'h' is itself a hybrid"),
        ("hybrid:bm25+bm25-lemma", {"k1": 1}, {}, "unknown setting 'k1'"),
    ],
)
def test_mistakes_are_told_in_one_line(
    name: str, settings: dict[str, Any], tables: dict[str, dict[str, Any]], message: str
) -> None:
    with pytest.raises(ConfigError) as raised:
        build_retriever(name, settings=settings, tables=tables)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_settings_of_a_registered_name_and_of_a_name_of_ones_own() -> None:
    tables = {"bm25": {"k1": 0.9}, "mine": {"kind": "bm25-lemma", "b": 0.3}}
    tuned = build_retriever("bm25", tables=tables)
    assert tuned.description()["k1"] == 0.9
    mine = build_retriever("mine", tables=tables, settings={"k1": 2})
    assert isinstance(mine, BM25Retriever)
    assert mine.name == "mine"
    assert (mine.description()["terms"], mine.description()["b"], mine.description()["k1"]) == ("lemmas", 0.3, 2.0)


def test_a_hybrid_of_tables() -> None:
    tables = {"mine": {"kind": "bm25"}, "both": {"kind": "hybrid", "models": ["mine", "bm25"], "rrf_k": 10, "depth": 5}}
    description = build_retriever("both", tables=tables).description()
    assert (description["rrf_k"], description["depth"]) == (10, 5)
    assert set(description["components"]) == {"mine", "bm25"}


def test_a_folder_is_a_model_even_without_a_slash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RetrieverError, match="it is no model folder"):
        build_retriever("model")


def test_settings_remember_what_was_given() -> None:
    settings = RetrieverSettings.from_table({"k1": 1}, "here")
    assert settings.given == {"k1"}
    assert settings.models == ()
