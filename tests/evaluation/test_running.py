import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from perturb.errors import GoldenSetError, RetrieverError
from perturb.evaluation import ALL_KINDS, clean_scores, drops, evaluate, fragile_queries
from perturb.golden.goldenset import GoldenSet, load_golden_set
from perturb.records import ORIGINAL, Document, Edit, Query, Rankings, Variant
from perturb.retrieval.base import Retriever
from perturb.retrieval.catalogue import build_retriever
from perturb.significance import Resampling
from perturb.suite import Suite, generate, specs_from
from tests.golden_sets import write_golden_set

RESAMPLING = Resampling(1, 1000)


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> GoldenSet:
    return load_golden_set(write_golden_set(tmp_path_factory.mktemp("office")))


@pytest.fixture(scope="module")
def suite(office: GoldenSet) -> Suite:
    return generate(office.queries, specs_from(["diacritics.strip", "typo"]))


class Recording(Retriever):
    """Remembers what it was asked."""

    def __init__(self, name: str = "recording") -> None:
        super().__init__(name)
        self.asked: list[tuple[str, str]] = []
        self.documents: Sequence[Document] = ()

    def index(self, documents: Sequence[Document]) -> None:
        self.documents = tuple(documents)

    def search(self, queries: Sequence[tuple[str, str]], k: int) -> Rankings:
        self.asked += queries
        ids = tuple(document.doc_id for document in self.documents)
        docs = np.tile(np.arange(k, dtype=np.int32), (len(queries), 1))
        docs[docs >= len(ids)] = -1
        scores = np.where(docs >= 0, -docs, -np.inf).astype(np.float32)
        return Rankings(tuple(name for name, _ in queries), docs, scores, ids)

    def description(self) -> dict[str, object]:
        return {}


class Broken(Recording):
    def index(self, documents: Sequence[Document]) -> None:
        raise RetrieverError("vectors hold NaN at document 'd7'")


def test_scores_equal_pytrec_eval_on_the_same_rankings(office: GoldenSet, suite: Suite) -> None:
    evaluation = evaluate(office, suite, {"bm25": lambda: build_retriever("bm25")}, ["recall@5", "ndcg@10", "map@10"])
    model = evaluation.models[0]
    assert model.rankings is not None
    qrels: dict[str, dict[str, int]] = {}
    for judgement in office.judgements:
        qrels.setdefault(judgement.query_id, {})[judgement.doc_id] = judgement.grade
    parents = {v.variant_id: v.query_id for v in evaluation.variants}
    run = {
        variant_id: {model.rankings.doc_ids[d]: float(s) for d, s in zip(docs, scores, strict=True) if d >= 0}
        for variant_id, docs, scores in zip(
            model.rankings.query_ids, model.rankings.doc_index, model.rankings.scores, strict=True
        )
    }
    oracle = pytrec_eval.RelevanceEvaluator(
        {v: qrels[parents[v]] for v in run}, {"recall_5", "ndcg_cut_10", "map_cut_10"}
    ).evaluate(run)
    for line, name in zip(model.scores, ("recall_5", "ndcg_cut_10", "map_cut_10"), strict=True):
        expected = [oracle.get(v, {}).get(name, 0.0) for v in model.rankings.query_ids]
        assert line == pytest.approx(expected, abs=1e-6)


def test_each_text_is_asked_once_and_no_variant_is_seen(office: GoldenSet, suite: Suite) -> None:
    retriever = Recording()
    evaluate(office, suite, {"recording": lambda: retriever})
    texts = [text for _, text in retriever.asked]
    assert len(texts) == len(set(texts)) == len({v.text for v in suite.variants})
    assert retriever.documents == office.documents  # the corpus is never perturbed


def test_a_query_without_relevant_documents_is_left_out_of_clean_and_perturbed_alike(tmp_path: Path) -> None:
    golden_set = load_golden_set(
        write_golden_set(
            tmp_path,
            {"d1": "żółta łódź", "d2": "inny"},
            {"q1": "żółta łódź", "q2": "mała łódź", "q3": "żaba"},
            [("q1", "d1", 1), ("q2", "d1", 0)],
        )
    )
    suite = generate(golden_set.queries, specs_from(["diacritics.strip"]))
    evaluation = evaluate(golden_set, suite, {"bm25": lambda: build_retriever("bm25")}, ["recall@1"])
    assert evaluation.excluded == {"no relevant document": ("q2", "q3")}
    assert {v.query_id for v in evaluation.variants} == {"q1"}
    row = drops(evaluation, RESAMPLING)[0]
    assert (row.clean, row.perturbed, row.n_queries, row.coverage) == (1.0, 0.0, 1, 1.0)
    assert (row.ci_low, row.ci_high, row.p_value) == (None, None, None)


def test_variants_are_averaged_within_their_query_first() -> None:
    office = _hand_made()
    evaluation = evaluate(office[0], office[1], {"m": lambda: office[2]}, ["hit@1"])
    row = next(r for r in drops(evaluation, RESAMPLING) if r.kind == ALL_KINDS)
    # q1: clean 1, variants 0 0 0 1 → 0.25; q2: clean 1, variant 1. Per variant the mean would be 0.4.
    assert row.clean == 1.0
    assert row.perturbed == pytest.approx((0.25 + 1.0) / 2)
    assert (row.n_queries, row.n_variants, row.worse, row.better) == (2, 5, 1, 0)
    kinds = {r.kind: r for r in drops(evaluation, RESAMPLING) if r.kind != ALL_KINDS}
    assert set(kinds) == {"a", "b"}
    assert kinds["b"].perturbed == 1.0
    assert clean_scores(evaluation, RESAMPLING)[0].mean == 1.0


class _ByText(Recording):
    """Ranks the right document first unless the text says «źle»."""

    def search(self, queries: Sequence[tuple[str, str]], k: int) -> Rankings:
        found = super().search(queries, k)
        docs = np.array([[1, 0] if "źle" in text else [0, 1] for _, text in queries], np.int32)
        scores = np.tile(np.array([2.0, 1.0], np.float32), (len(docs), 1))
        return Rankings(found.query_ids, docs, scores, found.doc_ids)


def _hand_made() -> tuple[GoldenSet, Suite, Retriever]:
    from perturb.records import Judgement

    documents = (Document("right", "dobry"), Document("wrong", "zły"))
    queries = (Query("q1", "pierwsze"), Query("q2", "drugie"))
    golden_set = GoldenSet(
        "hand", Path("hand"), documents, queries, (Judgement("q1", "right", 1), Judgement("q2", "right", 1))
    )
    texts = {"q1": ["źle 1", "źle 2", "źle 3", "dobrze"], "q2": ["dobrze 2"]}
    variants = []
    for query in queries:
        variants.append(Variant(query.query_id, query.query_id, ORIGINAL, ORIGINAL, query.text))
        for number, text in enumerate(texts[query.query_id]):
            edit = Edit(0, len(query.text), query.text, text)
            kind = "a" if "źle" in text else "b"
            variants.append(Variant(f"{query.query_id}-{number}", query.query_id, "typo", kind, text, (edit,)))
    return golden_set, Suite({"seed": 1, "spec": [{"name": "typo"}]}, tuple(variants)), _ByText("m")


def test_fragile_queries_name_who_overtook_the_right_document() -> None:
    golden_set, suite, retriever = _hand_made()
    evaluation = evaluate(golden_set, suite, {"m": lambda: retriever}, ["hit@1"])
    (entry,) = fragile_queries(evaluation)
    assert (entry.query.query_id, entry.variant.text, entry.clean, entry.perturbed) == ("q1", "źle 1", 1.0, 0.0)
    assert (entry.right.doc_id, entry.rank_before, entry.rank_after) == ("right", 1, 2)
    assert [document.doc_id for document in entry.overtakers] == ["wrong"]
    assert entry.mean_drop == pytest.approx(0.75)


def test_a_broken_model_is_marked_and_the_others_go_on(office: GoldenSet, suite: Suite) -> None:
    evaluation = evaluate(office, suite, {"broken": Broken, "fine": Recording})
    assert [model.error for model in evaluation.models] == ["vectors hold NaN at document 'd7'", ""]
    assert {row.model for row in drops(evaluation, RESAMPLING)} == {"fine"}
    with pytest.raises(RetrieverError, match="no model could run: broken: vectors hold NaN"):
        evaluate(office, suite, {"broken": Broken})


def test_a_suite_of_another_golden_set_is_refused(office: GoldenSet) -> None:
    foreign = generate([Query("zz", "obce pytanie")], specs_from(["typo"]))
    with pytest.raises(GoldenSetError, match="belongs to query 'zz'"):
        evaluate(office, foreign, {"r": Recording})
    suite = generate(office.queries[:1], specs_from(["typo"]))
    headless = Suite(suite.header, tuple(v for v in suite.variants if v.perturbation != ORIGINAL))
    with pytest.raises(GoldenSetError, match="no variant named 'original'"):
        evaluate(office, headless, {"r": Recording})


def test_finished_models_are_handed_out_and_taken_back(office: GoldenSet, suite: Suite) -> None:
    kept: dict[str, Rankings] = {}

    def keep(run: object) -> None:
        kept[run.name] = run.rankings

    first = evaluate(office, suite, {"r": Recording}, keep=keep)
    second = evaluate(office, suite, {"r": Broken}, kept=lambda name, _: kept[name])
    assert np.array_equal(first.models[0].scores, second.models[0].scores)


def test_rankings_in_another_order_are_aligned_and_missing_ones_count_zero(office: GoldenSet, suite: Suite) -> None:
    whole = evaluate(office, suite, {"r": Recording})
    rankings = whole.models[0].rankings
    assert rankings is not None
    backwards = np.arange(len(rankings))[:0:-1]  # reversed, without the first
    stored = Rankings(
        tuple(rankings.query_ids[i] for i in backwards),
        rankings.doc_index[backwards],
        rankings.scores[backwards],
        rankings.doc_ids,
    )
    evaluation = evaluate(office, suite, {"r": Recording}, kept=lambda *_: stored)
    assert np.array_equal(evaluation.models[0].scores[:, 1:], whole.models[0].scores[:, 1:])
    assert not evaluation.models[0].scores[:, 0].any()
    strangers = Rankings(tuple(f"x{i}" for i in backwards), stored.doc_index, stored.scores, stored.doc_ids)
    with pytest.raises(RetrieverError, match="ranks none of the"):
        evaluate(office, suite, {"r": Recording}, kept=lambda *_: strangers)


def test_p_values_are_corrected_over_the_table_and_over_the_finer_kinds(office: GoldenSet, suite: Suite) -> None:
    from perturb.significance import holm

    evaluation = evaluate(office, suite, {"bm25": lambda: build_retriever("bm25")}, ["recall@1", "mrr@10"])
    rows = drops(evaluation, RESAMPLING)
    for part in ([r for r in rows if r.kind == ALL_KINDS], [r for r in rows if r.kind != ALL_KINDS]):
        assert [r.p_adjusted for r in part] == holm([r.p_value for r in part]).p_values
    assert json.dumps([r.drop for r in rows])


def _raise(error: BaseException) -> None:
    raise error


@pytest.mark.parametrize(
    "error", [RuntimeError("two\nlines"), MemoryError(), SystemExit(3), KeyError("x"), OSError("disk")]
)
@pytest.mark.parametrize("method", ["index", "search", "description", "query_tokens", "query_vectors"])
def test_a_model_that_fails_in_any_way_leaves_the_others_running(
    office: GoldenSet, suite: Suite, method: str, error: BaseException
) -> None:
    failing = type("Failing", (Recording,), {method: lambda *_: _raise(error)})
    evaluation = evaluate(office, suite, {"theirs": failing, "ours": Recording}, ["recall@5"])
    broken, fine = evaluation.models
    assert broken.error.startswith("theirs: fails in test_running.py:")
    assert type(error).__name__ in broken.error
    assert "\n" not in broken.error
    assert not fine.error
    with pytest.raises(RetrieverError, match="no model could run: theirs: fails"):
        evaluate(office, suite, {"theirs": failing}, ["recall@5"])


def test_what_is_built_must_be_a_retriever(office: GoldenSet, suite: Suite) -> None:
    evaluation = evaluate(office, suite, {"theirs": lambda: None, "ours": Recording}, ["recall@5"])  # type: ignore[dict-item, return-value]
    assert "theirs: None was built, which is no Retriever" in evaluation.models[0].error


def test_a_model_cannot_change_the_documents_of_the_next(office: GoldenSet, suite: Suite) -> None:
    class Greedy(Recording):
        def index(self, documents: Sequence[Document]) -> None:
            super().index(documents)
            if isinstance(documents, list):
                documents.clear()

    evaluation = evaluate(office, suite, {"greedy": Greedy, "ours": Recording}, ["recall@5"])
    assert [model.error for model in evaluation.models] == ["", ""]
    assert evaluation.models[0].scores.tolist() == evaluation.models[1].scores.tolist()
