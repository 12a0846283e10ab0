from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.perturbations.compose import compose_edits
from perturb.records import Edit, replay

ALPHABET = "ab ćż😀"


@st.composite
def edits_of(draw: st.DrawFn, text: str) -> tuple[Edit, ...]:
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pairs = zip(places[::2], places[1::2], strict=False)
    return tuple(Edit(a, b, text[a:b], draw(st.text(ALPHABET, max_size=3))) for a, b in pairs)


@st.composite
def two_rounds(draw: st.DrawFn) -> tuple[str, tuple[Edit, ...], tuple[Edit, ...]]:
    text = draw(st.text(ALPHABET, max_size=14))
    first = draw(edits_of(text))
    return text, first, draw(edits_of(replay(text, first)))


@given(two_rounds())
def test_one_round_does_what_two_did(rounds: tuple[str, tuple[Edit, ...], tuple[Edit, ...]]) -> None:
    text, first, second = rounds
    composed = compose_edits(text, first, second)
    assert replay(text, composed) == replay(replay(text, first), second)
    assert all(edit.before != edit.after for edit in composed)
    assert all(one.end < other.start for one, other in pairwise(composed))


@given(two_rounds())
def test_three_rounds_compose_in_either_order(rounds: tuple[str, tuple[Edit, ...], tuple[Edit, ...]]) -> None:
    text, first, second = rounds
    last = (Edit(0, 0, "", "ż"),)
    between = replay(text, first)
    left = compose_edits(text, compose_edits(text, first, second), last)
    right = compose_edits(text, first, compose_edits(between, second, last))
    assert replay(text, left) == replay(text, right)


def test_edits_of_different_words_stay_apart() -> None:
    text = "żądanie urlopu w lipcu"
    first = (Edit(0, 7, "żądanie", "zadanie"), Edit(17, 22, "lipcu", "lipcuu"))
    assert compose_edits(text, first, (Edit(8, 14, "urlopu", "urlpu"),)) == (
        first[0],
        Edit(8, 14, "urlopu", "urlpu"),
        first[1],
    )


def test_edits_of_one_word_become_one() -> None:
    first, second = (Edit(0, 7, "żądanie", "żadanie"),), (Edit(0, 7, "żadanie", "zadanie"),)
    assert compose_edits("żądanie urlopu", first, second) == (Edit(0, 7, "żądanie", "zadanie"),)
    assert compose_edits("ab", (Edit(0, 1, "a", "c"),), (Edit(0, 1, "c", "a"),)) == ()


def test_edits_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="expects"):
        compose_edits("umowa", (Edit(0, 1, "u", "o"),), (Edit(0, 1, "u", "o"),))
