import pytest

from perturb.evaluation.harm import harm
from perturb.evaluation.stability import stability
from perturb.report.harm_section import harm_section
from perturb.report.tables import Report
from perturb.significance import Resampling
from tests.tiny_evaluation import tiny_evaluation

RESAMPLING = Resampling(1, 500)


def test_rankings_are_compared_with_those_of_their_own_original_and_averaged_within_the_query() -> None:
    evaluation = tiny_evaluation(
        {"q1": "jeden", "q2": "dwa"},
        [("q1", "typo", "jedne"), ("q1", "typo", "jden"), ("q2", "typo", "dwaa")],
        documents={"d1": "a", "d2": "b", "d3": "c", "d4": "d"},
        rankings={
            "m": {
                "q1": ["d1", "d2"],
                "q2": ["d3"],
                "q1/typo/0": ["d1", "d2"],
                "q1/typo/1": ["d3", "d4"],
                "q2/typo/2": ["d3"],
            }
        },
    )
    (row,) = stability(evaluation, RESAMPLING)
    assert (row.model, row.perturbation, row.n_queries) == ("m", "typo", 2)
    assert row.overlap == pytest.approx(((1.0 + 0.0) / 2 + 1.0) / 2)
    assert row.rank_biased_overlap == pytest.approx(0.75)
    report = Report(evaluation, (), (), (), harm=harm(evaluation, RESAMPLING), stability=(row,))
    section = harm_section(report)
    assert section is not None
    assert section.tables[-1].rows[0][:2] == ("m", "typo")
    assert section.tables[-1].rows[0][2].startswith("0.750")
