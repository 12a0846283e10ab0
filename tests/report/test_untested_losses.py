"""Losses on too few queries to test, and queries with nothing to lose: neither may be told as an all-clear."""

import io

import pytest
from rich.console import Console

from perturb.evaluation import Evaluation, clean_scores, drops, fragile_queries
from perturb.report.analysis import analysed
from perturb.report.cautions import warnings
from perturb.report.console import show
from perturb.report.decision import advice_sentences, decision
from perturb.report.harm_section import harm_section
from perturb.report.models_section import which_model
from perturb.report.tables import Report
from perturb.report.verdict import verdict
from perturb.significance import Resampling
from tests.tiny_evaluation import tiny_evaluation

RESAMPLING = Resampling(7, 500)


def _report(evaluation: Evaluation) -> Report:
    rows, clean = drops(evaluation, RESAMPLING), clean_scores(evaluation, RESAMPLING)
    settings = {"confidence": 0.95, "resamples": 500}
    return analysed(Report(evaluation, rows, clean, fragile_queries(evaluation), settings), RESAMPLING, {})


def _mixed(applies: dict[str, int], lost: dict[str, int], *, n: int = 30, right: bool = True) -> Evaluation:
    """One model; each perturbation applies to the first so many queries and loses some of them."""
    queries = {f"q{i:03}": f"umowa{i}" for i in range(n)}
    names = [*queries]
    variants = [(q, name, f"{queries[q]} {name}") for name, count in applies.items() for q in names[:count]]
    found = {q: ["d1" if right else "d2"] for q in queries}
    for place, (q, name, _) in enumerate(variants):
        gone = not right or names.index(q) < lost.get(name, 0)
        found[f"{q}/{name}/{place}"] = ["d2" if gone else "d1"]
    return tiny_evaluation(queries, variants, rankings={"m": found}, measures=("recall@1",))


@pytest.mark.parametrize("few", [1, 2, 5])
def test_a_loss_that_cannot_be_tested_is_the_largest_and_no_all_clear(few: int) -> None:
    report = _report(_mixed({"number": few, "typo": 30}, {"number": few}))
    told = " ".join(advice_sentences(report))
    assert "What hurts m most of the 2 perturbations is number: recall@1 falls by 1.000" in told
    assert "too few queries to test" in told and f"number ({few})" in told
    assert "More queries are needed for number (lost 1.000 on " in told
    for reassuring in ("None of", "nothing here calls", "nothing to mend", "costs m no"):
        assert reassuring not in told
    (line,) = verdict(report)
    assert line.startswith("m loses most recall@1 to number: 1.000") and "too few queries to test" in line
    assert "no perturbation costs" not in line
    shown = which_model(report)
    assert shown is not None and "number: 1.000" in shown.tables[0].rows[0][3]
    assert "too few to test" in shown.tables[0].rows[0][3]


def test_a_tested_loss_stands_beside_a_larger_one_that_cannot_be_tested() -> None:
    report = _report(_mixed({"number": 3, "typo": 30}, {"number": 3, "typo": 12}))
    told = advice_sentences(report)
    assert "is number: recall@1 falls by 1.000" in told[1]
    assert "; of those that can be tested it is typo: recall@1 falls by 0.400" in told[1]
    assert told[1].endswith("beyond noise.") and any(s.startswith("Next: correct spelling") for s in told)
    assert verdict(report)[0].endswith("Beyond noise: typo (0.400).")
    smaller = _report(_mixed({"number": 4, "typo": 30}, {"number": 1, "typo": 15}))
    assert "is typo: recall@1 falls by 0.500" in advice_sentences(smaller)[1]
    assert any("More queries are needed for number" in s for s in advice_sentences(smaller))


def test_where_nothing_is_found_there_is_nothing_to_lose() -> None:
    report = _report(_mixed({"case": 30, "typo": 30}, {}, right=False))
    told = " ".join(advice_sentences(report))
    assert "m finds nothing right as the queries stand (recall@1 0.000), so there was nothing to lose" in told
    for praise in ("None of", "costs m", "cost less", "nothing to mend"):
        assert praise not in told
    assert verdict(report) == [
        "m finds nothing right as the queries stand (recall@1 0.000): there was nothing to lose."
    ]
    section = harm_section(report)
    assert section is not None and section.sentences[0].startswith("m: shown to cost less than 0.02 recall@1: none")
    assert "nothing to lose" in section.sentences[0]


def test_where_some_queries_find_nothing_their_perturbation_is_not_called_harmless() -> None:
    queries = {f"q{i:03}": f"umowa{i}" for i in range(400)}
    variants = [(q, "typo" if i < 200 else "case", f"{t} x") for i, (q, t) in enumerate(queries.items())]
    hit = [["d2"] if i < 200 else ["d1"] for i in range(400)]
    rankings = {**dict(zip(queries, hit, strict=True))}
    rankings |= {f"{q}/{name}/{place}": hit[place] for place, (q, name, _) in enumerate(variants)}
    report = _report(tiny_evaluation(queries, variants, rankings={"m": rankings}))
    told = " ".join(advice_sentences(report))
    assert "case costs less than 0.02 (by a test of its own at 5 %, not corrected)" in told
    assert "case costs m no recall@1 on the whole" in told and "None of" not in told
    assert verdict(report)[0].endswith("Under typo there was nothing to lose.")
    assert "Nothing to lose, as the queries find nothing right as they stand: typo." in told
    assert "mend what the queries of typo find as they stand" in told
    section = harm_section(report)
    assert section is not None and "0.02 recall@1: case; nothing to lose under typo." in section.sentences[0]


def test_the_note_names_the_rows_of_the_measure_shown_that_cannot_be_tested() -> None:
    """Where nothing changed p is 1 on however few queries; a change by another measure alone is not shown."""
    queries = {f"q{i:02}": f"umowa{i}" for i in range(20)}
    variants = [(q, "spelling", f"{queries[q]}x") for q in ("q00", "q01", "q02")]
    variants += [(q, "english_terms", f"{queries[q]}y") for q in ("q03", "q04", "q05", "q06")]
    variants += [(q, "typo", f"{text}z") for q, text in queries.items()]
    found = {q: ["d1", "d2"] for q in queries}
    for place, (q, name, _) in enumerate(variants):
        found[f"{q}/{name}/{place}"] = ["d2", "d1"] if name == "spelling" else ["d1", "d2"]
    report = _report(tiny_evaluation(queries, variants, rankings={"m": found}, measures=("recall@5", "mrr@10")))
    assert [row.p_value for row in report.main_rows("recall@5")] == [1.0, 1.0, 1.0]
    assert report.find("m", "spelling", "mrr@10").p_value is None  # type: ignore[union-attr]
    note = "too few queries to test, a test needs 6 (their number in brackets): spelling (3), english_terms (4)"
    assert [line for line in warnings(report) if line.startswith("too few")] == [note]
    printed = io.StringIO()
    show(report, Console(file=printed, width=200))
    assert f"! {note}" in printed.getvalue()
    enough = _report(_mixed({"typo": 30}, {"typo": 3}))
    assert not any(line.startswith("too few") for line in warnings(enough))


def test_the_decision_has_at_most_six_points_and_the_part_used() -> None:
    lost = {"number": 3, "typo": 12, "case": 2, "spelling": 1}
    report = _report(_mixed({"number": 3, "typo": 30, "case": 30, "spelling": 30}, lost))
    points = decision(report).sentences
    assert len(points) == 7 and points[-1].startswith("Part used:")
    assert sum(point.startswith("Part used:") for point in points) == 1
