"""The decision in words: every figure comes from the run, whatever the run is like."""

import re
from dataclasses import replace

import pytest

from perturb.evaluation import Evaluation, clean_scores, drops, fragile_queries
from perturb.evaluation.groups import n_units, query_groups
from perturb.report import html, markdown
from perturb.report.analysis import analysed
from perturb.report.decision import advice_sentences, decision
from perturb.report.tables import Report
from perturb.significance import Resampling
from tests.tiny_evaluation import tiny_evaluation

RESAMPLING = Resampling(7, 500)


def _evaluation(
    lost: dict[str, dict[str, int]],
    *,
    n: int = 60,
    missed: dict[str, int] | None = None,
    measures: tuple[str, ...] = ("recall@5",),
) -> Evaluation:
    """Each model misses the first ``missed`` queries as they stand; of the others, ``lost`` under each perturbation.

    A negative number of lost queries is found only when perturbed.
    """
    queries = {f"q{i:03}": f"umowa{i} termin{i}" for i in range(n)}
    names = list(dict.fromkeys(name for per_model in lost.values() for name in per_model))
    variants = [(q, name, f"{text} {name}") for name in names for q, text in queries.items()]
    rankings: dict[str, dict[str, list[str]]] = {}
    for model, per_model in lost.items():
        skipped = (missed or {}).get(model, 0)
        found = {q: ["d2" if i < skipped else "d1"] for i, q in enumerate(queries)}
        for place, (q, name, _) in enumerate(variants):
            i, gone = place % n, per_model.get(name, 0)
            right = i >= skipped + gone
            found[f"{q}/{name}/{place}"] = ["d1" if right else "d2"]
        rankings[model] = found
    return tiny_evaluation(queries, variants, rankings=rankings, measures=measures)


def _report(evaluation: Evaluation, resample_by: str = "query") -> Report:
    groups = query_groups(evaluation.golden_set, resample_by)
    settings = {
        "confidence": 0.95,
        "resamples": 500,
        "resample_by": resample_by,
        "n_units": n_units(groups, evaluation.qrels.query_ids),
    }
    rows, clean = drops(evaluation, RESAMPLING, groups), clean_scores(evaluation, RESAMPLING, groups)
    return analysed(
        Report(evaluation, rows, clean, fragile_queries(evaluation), settings), RESAMPLING, {}, groups=groups
    )


def _told(evaluation: Evaluation) -> list[str]:
    report = _report(evaluation)
    sentences = advice_sentences(report)
    assert 3 <= len(sentences) <= 6
    assert decision(report).sentences[: len(sentences)] == tuple(sentences)
    for sentence in sentences:
        assert sentence.endswith(".") and "None" not in sentence.replace("None of", "") and "nan" not in sentence
        assert sentence in html.render(report).replace("&#39;", "'")
    assert "## Decision" in markdown.render(report)
    return sentences


def test_one_model_has_no_choice_to_make() -> None:
    found = _told(_evaluation({"m": {"diacritics.strip": 20, "case": 0}}))
    assert re.match(
        r"Only m ran, so there is no choice of model to make: recall@5 1\.000 \[1\.000; 1\.000\] on clean queries; "
        r"perturbed, it loses 0\.167 \[0\.\d{3}; 0\.\d{3}\] on average\.$",
        found[0],
    )
    assert re.match(
        r"What hurts m most of the 2 perturbations is diacritics\.strip: recall@5 falls by 0\.333 "
        r"\[0\.\d{3}; 0\.\d{3}\], from 1\.000 to 0\.667 on 60 queries, beyond noise\.$",
        found[1],
    )
    assert re.match(
        r"Of 100 such questions, about 33 more \[\d\d; \d\d\] find nothing right in the first 5 results once "
        r"diacritics\.strip is applied; as they stand, 0 of 100 find nothing\.$",
        found[2],
    )
    assert found[3] == (
        "Decided for m: diacritics.strip costs quality. Not decided: case, where nothing changed, or all queries alike."
    )
    assert found[4].startswith("Next: normalise diacritics both when indexing and in the query; run again")
    assert len(found) == 5


def test_models_that_tie_are_told_as_such() -> None:
    found = _told(_evaluation({"a": {"typo": 20}, "b": {"typo": 20}}))
    assert (
        found[0] == "a and b tie on clean queries at recall@5 1.000; a and b tie under perturbation at recall@5 0.667."
    )
    assert found[1].startswith("What hurts a is typo: recall@5 falls by 0.333")
    three = _told(_evaluation({"a": {"typo": 0}, "b": {"typo": 0}, "c": {"typo": 30}}))
    assert re.search(
        r"a and b tie under perturbation at recall@5 1\.000 "
        r"\(ahead of c by 0\.500 \[0\.\d+; 0\.\d+\], beyond noise\)\.$",
        three[0],
    )


def test_the_best_clean_is_not_the_best_perturbed() -> None:
    found = _told(_evaluation({"a": {"typo": 50}, "b": {"typo": 0}}, missed={"b": 2}))
    assert re.match(
        r"Best on clean queries: a, recall@5 1\.000 \(ahead of b by 0\.033 \[0\.000; 0\.\d+\], which may be noise\); "
        r"best under perturbation: b, recall@5 0\.967 \(ahead of a by 0\.800 \[0\.\d+; 0\.\d+\], beyond noise\)\.$",
        found[0],
    )
    assert found[1] == "typo costs b no recall@5 on the whole: the drop is 0.000 [0.000; 0.000]."


def test_a_lead_within_noise_names_all_that_cannot_be_told_apart() -> None:
    found = _told(_evaluation({"a": {"case": 1}, "b": {"case": 2}, "c": {"case": 3}, "d": {"case": 40}}))
    assert re.search(
        r"under perturbation: a, .*\(ahead of b by 0\.017 \[.*\]; not told apart from b and c\)\.$", found[0]
    )


def test_the_same_model_best_in_both_is_told_once() -> None:
    found = _told(_evaluation({"a": {"typo": 12}, "b": {"typo": 30}}, missed={"b": 20}))
    assert found[0].startswith("a is best by recall@5 both on clean queries, 1.000 (ahead of b by 0.333 [")
    assert ", beyond noise), and under perturbation, 0.800 (ahead of b by 0.633 [" in found[0]


def test_a_model_that_withstands_the_worst_better_is_named() -> None:
    found = _told(_evaluation({"a": {"case": 25, "typo": 0}, "b": {"case": 0, "typo": 0}}, missed={"b": 30}))
    assert found[-1].startswith(
        "Next: b withstands case better beyond noise (it loses 0.000); try both together (hybrid:b+a), or reduce words"
    )
    dead = _told(_evaluation({"a": {"case": 25, "typo": 0}, "b": {"case": 0, "typo": 0}}, missed={"b": 60}))
    assert "b withstands" not in dead[-1] and dead[-1].startswith("Next: reduce words to lemmas")


def test_no_drop_beyond_noise_says_what_more_queries_would_show() -> None:
    found = _told(_evaluation({"m": {"typo": 3, "case": 1}}))
    assert "falls by 0.050 [" in found[1] and found[1].endswith("which may be noise.")
    assert re.match(
        r"No drop of m is decided\. Not decided: typo \(0\.\d{3}\) and case \(0\.\d{3}\); in brackets the least drop "
        r"that one test on so many queries shows, with 80 % power\.$",
        found[3],
    )
    wanted = re.match(
        r"More queries would settle typo: about (\d+) of its kind \(now 60\) would show a drop of 0\.050\.$", found[4]
    )
    row = next(r for r in _report(_evaluation({"m": {"typo": 3, "case": 1}})).rows if r.perturbation == "typo")
    assert wanted and row.minimum_detectable is not None
    assert int(wanted[1]) == pytest.approx(60 * (row.minimum_detectable / 0.05) ** 2, rel=0.1)


def test_a_drop_that_only_correction_hides_is_to_be_measured_by_itself() -> None:
    names = {f"p{i}": 0 for i in range(9)}
    found = _told(_evaluation({"m": {"typo": 7, **names}}))
    assert "which may be noise" in found[1]
    assert re.search(
        r"Next: measure typo by itself on further queries; .*\(p 0\.0\d\d\), as one of 10 it does not\.$", found[-1]
    )


def test_few_queries_decide_nothing() -> None:
    found = _told(_evaluation({"a": {"typo": 3}, "b": {"typo": 1}}, n=4, missed={"a": 1}))
    assert "; too few queries to test)" in found[0]
    assert found[1].endswith("too few queries to test.")
    assert found[-2] == (
        "Nothing is decided: no perturbation reaches the 6 queries that a test needs (at most 4 queries); the figures "
        "describe these queries, not others."
    )
    assert found[-1].startswith("Next: more queries")
    one = _told(_evaluation({"m": {"typo": 1}}, n=1))
    assert "n/d (n=1)" in one[1] and not any("Of 100" in sentence for sentence in one)


def test_nothing_that_costs_is_kept_by_a_gate() -> None:
    found = _told(_evaluation({"m": {"typo": 0, "case": 0}}, n=200))
    assert found[1] == "None of the 2 perturbations costs m any recall@5 on the whole."
    assert found[2] == (
        "Decided for m: typo and case cost less than 0.02 (each by a test of its own at 5 %, not corrected)."
    )
    assert found[3].startswith(
        "Next: nothing to mend for these perturbations; a gate keeps it so, such as --max-drop 0.01,"
    )


def test_a_lead_within_noise_says_what_more_queries_would_show() -> None:
    evaluation = _evaluation({"a": {"typo": 0}, "b": {"typo": 0}}, n=200, missed={"b": 2})
    found = _told(evaluation)
    wanted = re.match(
        r"More queries would settle the choice between a and b: about ([\d,]+) \(now 200\) would show a "
        r"lead of 0\.010\.$",
        found[-1],
    )
    gap = _report(evaluation).standings[-1].gaps[0]
    assert wanted and gap.minimum_detectable is not None
    assert int(wanted[1].replace(",", "")) == pytest.approx(200 * (gap.minimum_detectable / 0.01) ** 2, rel=0.1)


def test_where_nothing_changed_the_rule_of_three_says_how_many_queries_prove_it() -> None:
    found = _told(_evaluation({"m": {"typo": 0, "case": 0}}))
    assert found[2].startswith("No drop of m is decided. Not decided: typo and case, where nothing changed")
    wanted = re.match(r"Next: nothing to mend for these perturbations; (\d+) queries as unchanged as these", found[-1])
    assert wanted and found[-1].endswith("would show that what is open costs less than 0.02.")
    for n, decided in ((int(wanted[1]), True), (int(wanted[1]) - 1, False)):
        assert _told(_evaluation({"m": {"typo": 0}}, n=n))[2].startswith("Decided for m: typo costs less") is decided


def test_what_no_realistic_number_of_queries_settles_calls_for_nothing() -> None:
    """All queries lose the same hair: there is a drop, and no spread from which to plan."""
    queries = {f"q{i:02}": f"umowa{i}" for i in range(10)}
    scores = {"m": {"recall@5": [1.0] * 10 + [0.995] * 10}}
    variants = [(q, "typo", f"{q}x") for q in queries]
    report = _report(tiny_evaluation(queries, variants, scores=scores, measures=("recall@5",)))
    row = report.main_rows()[0]
    report = replace(report, rows=(replace(row, p_value=0.2, p_adjusted=0.2),))
    assert advice_sentences(report)[-1].startswith("Next: nothing here calls for a change, and what is open takes far")


def test_a_model_that_is_a_fusion_already_is_not_fused_by_name() -> None:
    lost = {"hybrid:a+c": {"case": 25, "typo": 0}, "b": {"case": 0, "typo": 0}}
    found = _told(_evaluation(lost, missed={"b": 30}))
    assert "b withstands case better" in found[-1] and "try both together, or" in found[-1]


def test_a_gain_helps_and_is_no_drop() -> None:
    found = _told(_evaluation({"m": {"query_form": -20}}, missed={"m": 25}))
    assert "perturbed, it gains 0.333 [0." in found[0]
    assert found[1].startswith("query_form costs m no recall@5 on the whole: the drop is −0.333 [−0.")
    assert found[2] == "Decided for m: query_form helps."


def test_nothing_perturbed_is_said() -> None:
    report = _report(_evaluation({"a": {}, "b": {}}, missed={"b": 3}))
    assert advice_sentences(report) == [
        advice_sentences(report)[0],
        "Nothing is known of perturbed queries: no perturbation applied to any query of a.",
    ]
    assert advice_sentences(report)[0].startswith("Best on clean queries: a, recall@5 1.000 (ahead of b by 0.050 [")
    alone = advice_sentences(_report(_evaluation({"a": {}})))
    assert alone[0].endswith("[1.000; 1.000] on clean queries.")


def test_fewer_may_find_nothing_though_the_measure_falls() -> None:
    """Recall falls where one of two documents is lost; the query still finds something."""
    queries = {f"q{i:02}": f"umowa{i}" for i in range(20)}
    variants = [(q, "typo", f"{q}x") for q in queries]
    rankings = {q: ["d1", "d2"] if i else ["d3"] for i, q in enumerate(queries)}
    rankings |= {f"{q}/typo/{i}": ["d1"] for i, q in enumerate(queries)}
    evaluation = tiny_evaluation(
        queries,
        variants,
        documents={"d1": "a", "d2": "b", "d3": "c"},
        qrels=[(q, d, 1) for q in queries for d in ("d1", "d2")],
        rankings={"m": rankings},
        measures=("recall@5",),
    )
    sentence = _told(evaluation)[2]
    assert re.match(
        r"Of 100 such questions, about 5 fewer \[0; \d+\] find nothing right in the first 5 results", sentence
    )
    assert sentence.endswith("as they stand, 5 of 100 find nothing.")


def test_traffic_mix_is_no_perturbation_to_mend() -> None:
    found = advice_sentences(_report(_evaluation({"m": {"typo": 10, "traffic_mix": 30}})))
    assert found[1].startswith("What hurts m is typo:")


def test_groups_are_named_where_they_were_resampled() -> None:
    report = _report(_evaluation({"a": {"typo": 20}, "b": {"typo": 5}}), "document")
    assert report.grouped == "Resampled as a whole: 1 groups of queries that share a relevant document."
    assert advice_sentences(report)[-2].startswith(
        "Nothing is decided: no perturbation reaches the 6 groups of queries that share a relevant document that a test"
    )
    page, text = html.render(report), markdown.render(report)
    assert page.count(report.grouped) >= 6 and text.count(report.grouped) >= 5
    assert "_plain_" not in page and _report(_evaluation({"a": {"typo": 1}})).grouped == ""
