import pytest

from perturb.wording import counted


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ((0, "error"), "0 errors"),
        ((1, "error"), "1 error"),
        ((1, "query", "queries"), "1 query"),
        ((2, "query", "queries"), "2 queries"),
    ],
)
def test_a_number_and_its_noun_agree(given: tuple[int, str], shown: str) -> None:
    assert counted(*given) == shown
