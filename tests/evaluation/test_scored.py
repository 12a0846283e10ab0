"""Measures that need more than one ranking and its judgements: a prompt of so many tokens, a pool of all models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from perturb.cli import main
from perturb.evaluation import Evaluation, evaluate
from perturb.evaluation.harm import harm
from perturb.evaluation.noticed import noticed
from perturb.evaluation.running import UNCUT_DEPTH
from perturb.evaluation.scored import estimated_tokens, with_pooled_scores
from perturb.evaluation.stability import stability
from perturb.measures import parse_measure
from perturb.records import Document, Float32Array, Rankings
from perturb.report.harm_section import harm_section
from perturb.report.tables import Report, notes
from perturb.retrieval.base import Retriever
from perturb.significance import Resampling
from tests.golden_sets import write_golden_set
from tests.tiny_evaluation import tiny_evaluation

RESAMPLING = Resampling(1, 200)
DOCUMENTS = {"d1": "a" * 30, "d2": "b" * 31, "d3": "c" * 3, "d4": "d"}
VARIANTS = [("q1", "typo", "jedne"), ("q2", "typo", "dwaa")]


class Fixed(Retriever):
    """Gives each text the ranking it was told, and vectors if it has any."""

    def __init__(self, name: str, ranked: Mapping[str, str], vectors: Mapping[str, Sequence[float]] | None) -> None:
        super().__init__(name)
        self.ranked, self.vectors, self.depths = ranked, vectors, list[int]()

    def index(self, documents: Sequence[Document]) -> None:
        self.doc_ids = tuple(document.doc_id for document in documents)

    def search(self, queries: Sequence[tuple[str, str]], k: int) -> Rankings:
        self.depths.append(k)
        width = min(k, 4)
        index = np.full((len(queries), width), -1, np.int32)
        scores = np.full((len(queries), width), -np.inf, np.float32)
        for row, (_, text) in enumerate(queries):
            for place, number in enumerate(self.ranked.get(text, "")[:width]):
                index[row, place], scores[row, place] = int(number) - 1, -float(place)
        return Rankings(tuple(q for q, _ in queries), index, scores, self.doc_ids)

    def description(self) -> dict[str, object]:
        return {"kind": "fixed"}

    def query_vectors(self, texts: Sequence[str]) -> Float32Array | None:
        return None if self.vectors is None else np.array([self.vectors[text] for text in texts], np.float32)


def _evaluated(
    models: Mapping[str, Mapping[str, str]],
    measures: Sequence[str],
    vectors: Mapping[str, Sequence[float]] | None = None,
    keep: Callable[[Retriever], None] = lambda _: None,
) -> Evaluation:
    blank = tiny_evaluation(
        {"q1": "jeden", "q2": "dwa"},
        VARIANTS,
        documents=DOCUMENTS,
        qrels=[("q1", "d1", 1), ("q1", "d2", 1), ("q1", "d3", 1), ("q2", "d4", 2)],
        rankings={},
    )

    def made(name: str) -> Retriever:
        retriever = Fixed(name, models[name], vectors)
        keep(retriever)
        return retriever

    factories = {name: lambda name=name: made(name) for name in models}  # type: ignore[misc]
    return evaluate(blank.golden_set, blank.suite, factories, measures)


def test_a_prompt_is_filled_until_a_document_does_not_fit() -> None:
    asked: list[Retriever] = []
    found = _evaluated(
        {"m": {"jeden": "4123", "jedne": "3241", "dwa": "1324"}}, ["context_recall@22"], keep=asked.append
    )
    assert estimated_tokens(found.golden_set.documents).tolist() == [10, 11, 1, 1]
    # jeden: 1 + 10 + 11 tokens are 22, the next does not fit; dwa: d4 comes as the last, at 23.
    assert found.models[0].scores[0].tolist() == pytest.approx([2 / 3, 0.0, 2 / 3, 0.0])
    wider = _evaluated({"m": {"jeden": "4123", "dwa": "1324"}}, ["context_recall@23"])
    assert wider.models[0].scores[0].tolist() == pytest.approx([1.0, 1.0, 0.0, 0.0])
    assert _evaluated({"m": {"dwa": "4"}}, ["context_recall@22(rel=2)"]).measures[0].rel == 2
    assert asked[0].depths == [UNCUT_DEPTH]  # type: ignore[attr-defined]


def test_a_budget_in_tokens_is_no_rank() -> None:
    found = _evaluated({"m": {"jeden": "1", "dwa": "1"}}, ["context_recall@2000"])
    assert noticed(found, RESAMPLING)[0].k == 10
    assert parse_measure("context_recall@2000").rank_cut is None


def test_relative_recall_is_of_what_all_models_found_for_a_query_and_its_variants() -> None:
    first = {"jeden": "14", "jedne": "41", "dwa": "12"}
    second = {"jeden": "2", "jedne": "3", "dwa": "13"}
    found = _evaluated({"a": first, "b": second}, ["recall@2", "relative_recall@2"])
    # The pool of q1 is d1, d2 and d3; that of q2 is empty, as nobody found d4.
    assert found.models[0].scores[1].tolist() == pytest.approx([1 / 3, 0.0, 1 / 3, 0.0])
    assert found.models[1].scores[1].tolist() == pytest.approx([1 / 3, 0.0, 1 / 3, 0.0])
    assert found.models[0].scores[0].tolist() == pytest.approx([1 / 3, 0.0, 1 / 3, 0.0])
    alone = _evaluated({"a": first}, ["relative_recall@2"])
    assert alone.models[0].scores[0].tolist() == [1.0, 0.0, 1.0, 0.0]
    assert any("no model found a relevant document for 1 query, which counts 0" in note for note in notes(alone))
    shallow = _evaluated({"a": first, "b": second}, ["relative_recall@1"])
    assert shallow.models[0].scores[0].tolist() == pytest.approx([1 / 3, 0.0, 0.0, 0.0])


def test_a_model_that_failed_is_in_no_pool() -> None:
    found = _evaluated({"a": {"jeden": "1"}, "b": {"jeden": "2"}}, ["relative_recall@2"])
    failed = replace(found.models[1], rankings=None, scores=np.zeros((0, 0)), error="gone")
    first, second = with_pooled_scores([found.models[0], failed], found.qrels, found.measures, found.parent)
    assert first.scores[0, 0] == 1.0 and second.error == "gone"


def test_how_far_vectors_move_stands_beside_how_far_rankings_change() -> None:
    vectors = {"jeden": (1.0, 0.0), "jedne": (0.0, 2.0), "dwa": (0.0, 1.0), "dwaa": (0.0, 3.0)}
    moved = _evaluated({"m": {"jeden": "1"}}, ["recall@1"], vectors)
    (row,) = stability(moved, RESAMPLING)
    assert row.shift == pytest.approx(0.5)
    silent = _evaluated({"m": {"jeden": "1"}}, ["recall@1"], {**vectors, "dwa": (0.0, 0.0)})
    (row,) = stability(silent, RESAMPLING)
    assert row.shift == pytest.approx(1.0)  # a vector without direction moved nowhere one can tell
    nothing = _evaluated({"m": {}}, ["recall@1"], dict.fromkeys(vectors, (0.0, 0.0)))
    assert stability(nothing, RESAMPLING)[0].shift is None
    without = _evaluated({"m": {"jeden": "1"}}, ["recall@1"])
    assert stability(without, RESAMPLING)[0].shift is None

    section = harm_section(
        Report(moved, (), (), (), harm=harm(moved, RESAMPLING), stability=stability(moved, RESAMPLING))
    )
    assert section is not None
    table = section.tables[-1]
    assert table.rows[0][table.header.index("vector shift")] == "0.5000"


@pytest.mark.parametrize("given", [np.zeros((3, 2)), np.zeros(4), np.zeros((4, 2), int), np.full((4, 2), np.nan)])
def test_vectors_that_are_none_stop_their_model_only(given: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fixed, "query_vectors", lambda self, _: given if self.name == "bad" else None)
    found = _evaluated({"bad": {"jeden": "1"}, "good": {"jeden": "1"}}, ["recall@1"])
    assert found.models[0].error.startswith("bad: query_vectors gave") and not found.models[1].error


def test_all_of_it_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERTURB_CACHE", str(tmp_path / "cache"))
    folder, out = write_golden_set(tmp_path / "set"), tmp_path / "out"
    measures = "context_recall@60,relative_recall@3"
    how = ["--perturbations", "diacritics,case", "--measures", measures, "--resamples", "100", "--out", str(out)]
    assert main(["run", str(folder), "--models", "bm25,e5-small", *how, "--quiet"]) == 0
    before = (out / "report.md").read_text(encoding="utf-8")
    assert "context\\_recall@60" in before and "relative\\_recall@3" in before
    assert "vector shift" in before and (out / "query_shift.json").exists()
    drops = (out / "drops.csv").read_bytes()
    assert main(["report", str(out)]) == 0
    assert (out / "drops.csv").read_bytes() == drops and (out / "report.md").read_text(encoding="utf-8") == before
    assert main(["compare", str(out), str(out)]) == 0


def test_grades_that_allow_no_exponential_gain_are_refused_before_any_model_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_golden_set(tmp_path / "set", {"d1": "umowa"}, {"q1": "umowa najmu"}, [("q1", "d1", 2000)])
    how = ["--models", "bm25", "--perturbations", "typo", "--measures", "ndcg_exp@10", "--quiet"]
    assert main(["run", str(folder), *how, "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert "a grade of 2000 has a gain of 2^2000" in error and error.count("\n") == 1
    assert not (tmp_path / "out" / ".resume").exists()
