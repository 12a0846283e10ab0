"""What callers may pass by mistake is refused in one line; nothing is cut, wrapped, averaged twice or warned about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from perturb.errors import ConfigError, MeasureError, PerturbError
from perturb.significance import Resampling, average_variants, drops, estimates, paired_drop

CLEAN, AFTER = [1.0] * 8, [1.0, 0.0] * 4
SETTINGS = Resampling(1, 200)

Call = Callable[..., Any]


def _drops(values: Any, **given: Any) -> Any:
    return drops(np.zeros(8), values, seed=1, resamples=200, **given)


def _paired(values: Any, **given: Any) -> Any:
    return paired_drop(values, values, seed=1, resamples=200, **given)


def _estimates(values: Any, **given: Any) -> Any:
    return estimates(values, SETTINGS, **given)


CALLS = pytest.mark.parametrize("call", [_drops, _paired, _estimates])


@CALLS
@pytest.mark.parametrize(
    "values",
    [
        ["a"] * 8,
        ["1.0"] * 8,
        [1 + 0j] * 8,
        [object()] * 8,
        [[1.0], [1.0, 2.0]],
        np.array(["2020-01-01"] * 8, "datetime64[D]"),
        np.zeros((2, 2, 8)),
        [1.7e308] * 8,
        [1.7e308, -1.7e308] * 4,
        [float("inf")] * 8,
        [float("nan")] * 8,
    ],
    ids=str,
)
def test_scores_that_are_none_are_refused(call: Call, values: Any) -> None:
    with pytest.raises(MeasureError) as caught:
        call(values)
    assert "\n" not in str(caught.value)


@CALLS
@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (range(8), "query id 0 in place 0 is int"),
        (["a", 1, *"cdefgh"], "query id 1 in place 1 is int"),
        ([None, *"bcdefgh"], "is NoneType"),
        (["a\ud800", *"bcdefgh"], "half a surrogate pair"),
        ([*"abcdefg", "a"], "query id 'a' occurs twice"),
        ([*"abc"], "3 query ids"),
    ],
)
def test_query_ids_are_texts_and_each_but_once(call: Call, ids: Sequence[Any], message: str) -> None:
    with pytest.raises(MeasureError, match=message):
        call(AFTER, query_ids=ids)


def test_ten_variants_of_one_query_are_not_ten_queries() -> None:
    with pytest.raises(MeasureError, match="average the variants of a query first"):
        drops([1.0] * 10, [0.0] * 10, seed=1, query_ids=["q"] * 10)


@CALLS
def test_groups_that_name_no_stream_are_refused(call: Call) -> None:
    with pytest.raises(MeasureError, match=r"group .* half a surrogate pair"):
        call(AFTER, groups=["\udfff", *"abcdefg"])
    assert call(AFTER, groups=[1, 1, 2, 2, "x", "x", None, None])


@pytest.mark.parametrize("resamples", [1000.5, 1000.0, True, np.float64(500)])
def test_resamples_are_a_whole_number(resamples: Any) -> None:
    for call in (
        lambda: drops(CLEAN, AFTER, seed=1, resamples=resamples),
        lambda: paired_drop(CLEAN, AFTER, seed=1, resamples=resamples),
        lambda: estimates(AFTER, Resampling(1, resamples)),
    ):
        with pytest.raises(ConfigError):
            call()


@pytest.mark.parametrize(
    ("scores", "owner"),
    [(["a", "b"], [0, 1]), ([1.0, 1.0], [0, 1.5]), ([1.0, 1.0], ["q", "r"]), ([1.7e308, 1.0], [0, 0])],
)
def test_variants_are_averaged_from_numbers_only(scores: Any, owner: Any) -> None:
    with pytest.raises(PerturbError):
        average_variants(scores, owner)


def test_what_is_right_stays_right() -> None:
    found = drops(np.array(CLEAN, np.float32), np.array(AFTER) > 0, seed=1, query_ids=tuple("abcdefgh"))[0]
    assert (found.drop, found.n_queries) == (0.5, 8)
    assert str(paired_drop(CLEAN, AFTER, seed=1, confidence=0.999)).count("99.9% interval") == 1
    assert average_variants([True, False], [0.0, 0.0])[0].tolist() == [0.5]
