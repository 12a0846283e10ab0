import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.records import Document, Edit, Rankings, replay


def test_content_has_no_stray_space_where_title_or_text_is_missing() -> None:
    assert Document("d", "tekst").content == "tekst"
    assert Document("d", "tekst", "Tytuł").content == "Tytuł tekst"
    assert Document("d", "", "Tytuł").content == "Tytuł"


@given(st.text(max_size=30), st.data())
def test_replay_puts_each_replacement_where_the_text_stood(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    spans = [(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=False) if a < b]
    edits = [Edit(a, b, text[a:b], data.draw(st.text(max_size=5))) for a, b in spans]
    expected = text
    for edit in reversed(edits):
        expected = expected[: edit.start] + edit.after + expected[edit.end :]
    assert replay(text, edits) == expected


def test_replay_refuses_edits_of_another_text() -> None:
    with pytest.raises(ValueError, match="expects 'umowa' at 0, found 'faktu'"):
        replay("faktura", [Edit(0, 5, "umowa", "umowy")])
    with pytest.raises(ValueError, match="overlaps"):
        replay("umowa", [Edit(0, 3, "umo", "x"), Edit(2, 4, "ow", "y")])


def test_rankings_refuse_arrays_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="all must agree"):
        Rankings(("q",), np.zeros((2, 3), np.int32), np.zeros((2, 3), np.float32), ("d",))
