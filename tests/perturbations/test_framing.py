"""Noun phrases in frames: which phrases go into one, and which frames go around them."""

from __future__ import annotations

import pytest

from perturb.perturbations.base import build
from tests.perturbations.drawing import texts

SEEDS = range(60)


def framed(form: str, text: str) -> set[str]:
    return texts(build(f"query_form.{form}"), text, SEEDS)


@pytest.mark.parametrize("form", ["polite", "keywords_to_question"])
def test_a_frame_does_not_repeat_the_words_of_the_phrase(form: str) -> None:
    found = framed(form, "informacja zwrotna po rozmowie")
    assert found or form == "keywords_to_question", "each of its frames would say informacje o informacji"
    assert all(text.count("informacj") == 1 for text in found)


@pytest.mark.parametrize("form", ["polite", "keywords_to_question"])
@pytest.mark.parametrize(
    "text",
    [
        "wdrożenie nowego pracownika w dziale zakupów lista kontrolna",
        "audyt w dziale produkcji ocena dostawcy",
        "pożar u podwykonawcy a niewykonanie umowy",
        "łańcuch dostaw ryzyka 2024",
        "monitor miga po podłączeniu stacji dokującej",
        "klimatyzacja w biurze za zimno",
        "skrzynka pocztowa pełna",
    ],
)
def test_keywords_beside_one_another_and_sentences_without_a_verb_are_no_phrase(form: str, text: str) -> None:
    assert framed(form, text) == set()


def test_joined_phrases_are_one() -> None:
    assert framed("polite", "umowa z dostawcą i polityka prywatności")


def test_thanks_follow_in_the_style_of_the_query() -> None:
    assert "jak rozliczyć zaliczkę, z góry dziękuję" in framed("polite", "jak rozliczyć zaliczkę")
    assert "Jak rozliczyć zaliczkę? Z góry dziękuję." in framed("polite", "Jak rozliczyć zaliczkę?")


def test_a_verbal_noun_that_means_a_thing_is_asked_for_as_one() -> None:
    found = framed("keywords_to_question", "wynagrodzenie chorobowe po 33 dniach")
    assert not any("polega" in text for text in found)
