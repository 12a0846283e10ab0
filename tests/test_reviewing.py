from pathlib import Path

import pytest

from perturb.errors import GoldenSetError
from perturb.golden.review import Decision, read_review
from perturb.records import ORIGINAL, Query, replay
from perturb.reviewing import export_suite, reviewed
from perturb.suite import Suite, generate, read_suite, specs_from, write_suite

QUERIES = [Query("q1", "żądanie zapłaty"), Query("q2", "termin płatności faktury")]


@pytest.fixture(scope="module")
def suite() -> Suite:
    return generate(QUERIES, specs_from(["diacritics.strip", "typo"]))


def ids(suite: Suite) -> list[str]:
    return [variant.variant_id for variant in suite.variants if variant.perturbation != ORIGINAL]


def test_decisions_are_applied_and_counted(suite: Suite, tmp_path: Path) -> None:
    first, second, third, *rest = ids(suite)
    decisions = [
        Decision(first, "accept"),
        Decision(second, "reject", comment="nikt tak nie pisze"),
        Decision(third, "edit", "rządanie zapłaty"),
    ]
    accepted = reviewed(suite, decisions)
    assert ids(accepted) == [first, third, *rest]
    edited = next(v for v in accepted.variants if v.variant_id == third)
    assert edited.text == "rządanie zapłaty"
    assert replay("żądanie zapłaty", edited.edits) == edited.text
    assert (edited.confidence, edited.flags) == (1.0, frozenset())
    entry = {"accepted": 1, "rejected": 1, "edited": 1, "undecided": len(rest), "undecided_kept": True}
    assert accepted.header["review"] == entry
    assert {key: value for key, value in accepted.header.items() if key != "review"} == suite.header
    write_suite(accepted, tmp_path / "accepted.jsonl")
    assert read_suite(tmp_path / "accepted.jsonl") == accepted


def test_undecided_variants_can_be_left_out_and_reviews_follow_each_other(suite: Suite) -> None:
    first, *_ = ids(suite)
    strict = reviewed(suite, [Decision(first, "accept")], keep_undecided=False)
    assert ids(strict) == [first]
    assert [v.query_id for v in strict.variants if v.perturbation == ORIGINAL] == ["q1", "q2"]
    again = reviewed(strict, [Decision(first, "reject")])
    assert ids(again) == []
    assert again.header["review"]["before"] == strict.header["review"]


@pytest.mark.parametrize("name", ["sheet.tsv", "sheet.csv"])
def test_a_sheet_comes_back_as_decisions(suite: Suite, tmp_path: Path, name: str) -> None:
    sheet = tmp_path / name
    assert export_suite(suite, sheet, sep=";" if name.endswith("csv") else "\t", bom=True) == len(ids(suite))
    assert read_review(sheet) == []
    assert reviewed(suite, []).variants == suite.variants


@pytest.mark.parametrize(
    ("decision", "message"),
    [
        (Decision("gone", "accept"), "'gone', which is no variant"),
        (Decision("q1", "reject"), "is an original query"),
        (Decision("{0}", "edit", " "), "is blank"),
        (Decision("{0}", "edit", "żądanie zapłaty"), "is the query itself"),
        (Decision("{1}", "edit", "{2}"), "that of"),
    ],
)
def test_decisions_that_make_no_sense_are_refused(suite: Suite, decision: Decision, message: str) -> None:
    names = ids(suite)
    of_first = [v for v in suite.variants if v.query_id == "q1" and v.perturbation == "typo"]
    name = decision.variant_id.format(names[0], of_first[0].variant_id)
    text = decision.text.format("", "", of_first[1].text)
    with pytest.raises(GoldenSetError, match=message) as caught:
        reviewed(suite, [Decision(name, decision.decision, text)])
    assert "\n" not in str(caught.value)


def test_two_minds_on_one_variant_are_refused(suite: Suite) -> None:
    name = ids(suite)[0]
    assert reviewed(suite, [Decision(name, "accept")] * 2).header["review"]["accepted"] == 1
    with pytest.raises(GoldenSetError, match="decided twice and differently"):
        reviewed(suite, [Decision(name, "accept"), Decision(name, "reject")])


def test_a_suite_without_the_query_cannot_take_an_edited_text(suite: Suite) -> None:
    headless = Suite(suite.header, tuple(v for v in suite.variants if v.perturbation != ORIGINAL))
    with pytest.raises(GoldenSetError, match="lacks its query 'q1'"):
        reviewed(headless, [Decision(ids(suite)[0], "edit", "x")])
