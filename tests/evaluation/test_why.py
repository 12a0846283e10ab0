import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from perturb.evaluation.explanatory import best_share, class_hit, edit_distance, explanatory, word_class
from perturb.evaluation.regression import regress
from perturb.evaluation.why import CHANGES, LOST_OVERLAP, TOKENS, why
from perturb.records import Edit
from perturb.significance import Resampling
from tests.tiny_evaluation import tiny_evaluation

RESAMPLING = Resampling(7, 400)


# --- regression -----------------------------------------------------------------------------------------------------


def test_one_factor_and_one_variant_per_query_is_the_line_of_scipy() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=60)
    y = 0.3 + 0.7 * x + rng.normal(size=60)
    found = regress(y, [("x", x)], np.arange(60), RESAMPLING)
    expected = scipy.stats.linregress(x, y)
    assert found is not None
    assert found.factors[0].effect == pytest.approx(expected.slope)
    assert found.intercept == pytest.approx(expected.intercept)
    assert found.explained == pytest.approx(expected.rvalue**2)
    assert found.factors[0].per_spread == pytest.approx(expected.slope * x.std())


def test_each_query_weighs_the_same_however_many_variants_it_has() -> None:
    rng = np.random.default_rng(2)
    query = np.repeat(np.arange(50), rng.integers(1, 9, 50))
    table = rng.normal(size=(len(query), 3))
    y = table @ [0.2, -0.5, 0.1] + rng.normal(size=len(query))
    found = regress(y, [(f"x{i}", table[:, i]) for i in range(3)], query, RESAMPLING)
    root = np.sqrt(1.0 / np.bincount(query)[query])
    design = np.column_stack([np.ones(len(query)), table])
    expected = np.linalg.lstsq(design * root[:, None], y * root, rcond=None)[0]
    assert found is not None
    assert [found.intercept, *(f.effect for f in found.factors)] == pytest.approx(expected.tolist())
    assert (found.n_queries, found.n_variants) == (50, len(query))


def test_interval_has_the_width_of_the_cluster_robust_standard_error() -> None:
    """Variants of a query share their noise: an interval that resampled variants would be half as wide."""
    rng = np.random.default_rng(3)
    n_queries, per_query = 200, 8
    query = np.repeat(np.arange(n_queries), per_query)
    x = rng.normal(size=n_queries)[query]
    y = 0.5 * x + rng.normal(size=n_queries)[query] + 0.1 * rng.normal(size=len(query))
    found = regress(y, [("x", x)], query, Resampling(1, 2000))
    assert found is not None
    (factor,) = found.factors
    assert factor.ci_low is not None and factor.ci_high is not None
    # Sandwich of Liang and Zeger, by hand, over the queries.
    design = np.column_stack([np.ones(len(x)), x])
    residual = y - design @ [found.intercept, factor.effect]
    bread = np.linalg.inv(design.T @ design)
    sums = np.stack([(design * residual[:, None])[query == q].sum(axis=0) for q in range(n_queries)])
    error = np.sqrt((bread @ (sums.T @ sums) @ bread)[1, 1])
    assert factor.ci_high - factor.ci_low == pytest.approx(2 * 1.96 * error, rel=0.12)
    naive = scipy.stats.linregress(x, y).stderr
    assert error > 2 * naive


def test_order_of_the_rows_changes_no_figure() -> None:
    rng = np.random.default_rng(4)
    query = np.repeat(np.arange(30), 2)
    x, y = rng.normal(size=60), rng.normal(size=60)
    ids = [f"q{n:02}" for n in range(30)]
    shuffled = rng.permutation(60)
    one = regress(y, [("x", x)], query, RESAMPLING, query_ids=ids)
    other = regress(y[shuffled], [("x", x[shuffled])], query[shuffled], RESAMPLING, query_ids=ids)
    assert one is not None and other is not None
    assert one.factors[0].ci_low == pytest.approx(other.factors[0].ci_low)
    assert one.factors[0].effect == pytest.approx(other.factors[0].effect)


def test_factors_that_do_not_vary_or_repeat_others_are_left_out_and_named() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=40), rng.normal(size=40)
    columns = [("x", x), ("constant", np.ones(40)), ("twice", 2 * x + 1), ("other", rng.normal(size=40))]
    found = regress(y, columns, np.arange(40), RESAMPLING)
    assert found is not None
    assert [factor.name for factor in found.factors] == ["x", "other"]
    assert found.notes == (
        "constant: left out, it does not vary",
        "twice: left out, the factors before it determine it",
    )


def test_a_factor_of_few_queries_has_no_interval_where_resamples_often_miss_it() -> None:
    x = np.zeros(20)
    x[0] = 1.0
    found = regress(np.linspace(0, 1, 20), [("x", x)], np.arange(20), RESAMPLING)
    assert found is not None
    assert (found.factors[0].ci_low, found.factors[0].ci_high) == (None, None)


@pytest.mark.parametrize("rows", [0, 9])
def test_too_few_queries_give_no_regression(rows: int) -> None:
    x = np.arange(rows, dtype=float)
    assert regress(x, [("x", x)], np.arange(rows), RESAMPLING) is None


def test_drops_that_are_all_alike_are_explained_by_nothing() -> None:
    x = np.random.default_rng(6).normal(size=30)
    found = regress(np.zeros(30), [("x", x)], np.arange(30), RESAMPLING)
    assert found is not None and found.explained == 0.0 and found.factors[0].effect == 0.0


# --- facts about a variant ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "distance"),
    [("", "", 0), ("kot", "kot", 0), ("", "abc", 3), ("abc", "", 3), ("fakturę", "fakture", 1), ("umowa", "mowa", 1)],
)
def test_edit_distance_by_hand(before: str, after: str, distance: int) -> None:
    assert edit_distance(before, after) == distance


@given(st.text("abć", max_size=6), st.text("abć", max_size=6), st.text("abć", max_size=6))
def test_edit_distance_is_a_metric(one: str, two: str, three: str) -> None:
    assert edit_distance(one, two) == edit_distance(two, one)
    assert (edit_distance(one, two) == 0) == (one == two)
    assert edit_distance(one, three) <= edit_distance(one, two) + edit_distance(two, three)
    assert abs(len(one) - len(two)) <= edit_distance(one, two) <= max(len(one), len(two))


@pytest.mark.parametrize(
    ("word", "expected"),
    [("faktura", "noun"), ("wystawić", "verb"), ("korygującej", "adjective"), ("jak", "ambiguous"), ("xyzq", "other")],
)
def test_word_class_by_the_dictionary(word: str, expected: str) -> None:
    assert word_class(word) == expected


def test_class_hit_looks_at_the_words_that_the_edits_touch() -> None:
    text = "wystawić fakturę, korektę"
    assert class_hit(text, [Edit(9, 16, "fakturę", "faktury")]) == "noun"
    assert class_hit(text, [Edit(15, 16, "ę", "e"), Edit(24, 25, "ę", "e")]) == "noun"
    assert class_hit(text, [Edit(7, 8, "ć", "c"), Edit(15, 16, "ę", "e")]) == "several"
    assert class_hit(text, [Edit(0, 0, "", "proszę ")]) == "none"
    assert class_hit(text, [Edit(16, 17, ",", "")]) == "none"
    assert class_hit(text, [Edit(12, 12, "", "k")]) == "noun"
    assert class_hit(text, []) == "none"


def test_best_share_takes_the_document_with_most_words() -> None:
    documents = [frozenset({"a"}), frozenset({"b", "c"})]
    assert best_share({"a", "b", "c"}, documents) == pytest.approx(2 / 3)
    assert best_share(set(), documents) == 0.0
    assert best_share({"a"}, []) == 0.0


def test_facts_by_hand() -> None:
    documents = {"d1": "korekta faktury: termin", "d2": "fakture wpisz", "d3": "inny"}
    evaluation = tiny_evaluation(
        {"q1": "termin faktury", "q2": "inny tekst"},
        [("q1", "case", "termin fakture"), ("q1", "typo", "trmin faktury"), ("q2", "order", "tekst inny")],
        documents=documents,
        qrels=[("q1", "d1", 2), ("q1", "d3", 0), ("q2", "d3", 1), ("q2", "d9", 1)],
        scores={"a": {"recall@1": [1.0] * 5}},
    )
    facts = explanatory(evaluation)
    assert facts.positions.tolist() == [2, 3, 4] and facts.query.tolist() == [0, 0, 1]
    assert facts.lost_overlap.tolist() == [0.5, 0.5, 0.0]
    # The new word `fakture` stands in d2, but that is not relevant; the third variant has no new word.
    assert facts.form_occurs.tolist()[:2] == [0.0, 0.0] and np.isnan(facts.form_occurs[2])
    assert facts.edits.tolist()[:2] == [1.0, 1.0]
    assert facts.words.tolist() == [2.0, 2.0, 2.0]
    assert facts.part_of_speech[:2] == ("noun", "noun")


# --- all together ---------------------------------------------------------------------------------------------------


def _lexical(n_queries: int = 40) -> dict[str, object]:
    """Variants that lose a word of the document cost 0.5, others nothing; tokens say nothing."""
    queries = {f"q{n:02}": f"umowa{n} termin{n}" for n in range(n_queries)}
    documents = {f"d{n:02}": f"umowa{n} umowy{n} termin{n}" for n in range(n_queries)}
    variants, drops = [], []
    for n, query_id in enumerate(queries):
        variants.append((query_id, "case", f"umowy{n} termin{n}"))
        variants.append((query_id, "typo", f"uumowa{n} termin{n}"))
        drops += [0.0, 0.5]
    qrels = [(f"q{n:02}", f"d{n:02}", 1) for n in range(n_queries)]
    scores = [1.0] * n_queries + [1.0 - drop for drop in drops]
    rng = np.random.default_rng(8)
    tokens = rng.integers(2, 9, 3 * n_queries).tolist()
    return {
        "queries": queries,
        "variants": variants,
        "documents": documents,
        "qrels": qrels,
        "scores": {"a": {"recall@1": scores}, "b": {"recall@1": scores}},
        "tokens": {"b": tokens},
    }


def test_lost_words_are_found_where_they_are_the_cause() -> None:
    found = why(tiny_evaluation(**_lexical()), RESAMPLING)["recall@1"]
    fit = found.regressions["a"]
    assert fit is not None
    factor = next(f for f in fit.factors if f.name == LOST_OVERLAP)
    # Half of the words lost is five tenths and costs 0.5.
    assert factor.effect == pytest.approx(0.1)
    assert fit.explained == pytest.approx(1.0)
    case, typo = (row for row in found.rows if row.model == "a")
    assert (case.perturbation, case.drop, case.lost_overlap) == ("case", 0.0, 0.0)
    assert (case.drop_if_form_occurs, case.n_form_occurs, case.drop_if_form_absent) == (0.0, 40, None)
    assert (typo.drop, typo.lost_overlap, typo.drop_if_form_absent, typo.n_form_absent) == (0.5, 0.5, 0.5, 40)
    assert typo.leading in CHANGES and typo.leading_part == pytest.approx(0.5)
    assert case.leading == "" and case.leading_part is None


def test_tokens_per_word_where_the_model_tells_them() -> None:
    evaluation = tiny_evaluation(**_lexical())
    found = why(evaluation, RESAMPLING)["recall@1"]
    assert {row.tokens_added for row in found.rows if row.model == "a"} == {None}
    counts = evaluation.succeeded[1].query_tokens
    assert counts is not None
    expected = np.mean([counts[40 + 2 * n] / 2 - counts[n] / 2 for n in range(40)])
    assert next(row for row in found.rows if row.model == "b").tokens_added == pytest.approx(expected)
    names = {model: [f.name for f in fit.factors] for model, fit in found.regressions.items() if fit}
    assert TOKENS in names["b"] and TOKENS not in names["a"]


def test_nothing_perturbed_explains_nothing() -> None:
    evaluation = tiny_evaluation({"q1": "raz"}, [], scores={"a": {"recall@1": [1.0]}})
    found = why(evaluation, RESAMPLING)["recall@1"]
    assert (found.rows, found.overall, found.misses, found.regressions) == ((), (), (), {"a": None})
