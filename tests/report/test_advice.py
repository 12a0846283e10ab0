import pytest

from perturb.report.advice import _queries


@pytest.mark.parametrize(
    ("now", "detectable", "target", "wanted"),
    [(60, 0.1, 0.05, 240), (60, 0.1, 0.03, 670), (60, 0.04, 0.05, None), (60, None, 0.05, None), (60, 0.9, 0.01, None)],
)
def test_queries_wanted(now: int, detectable: float | None, target: float, wanted: int | None) -> None:
    assert _queries(now, detectable, target) == wanted
