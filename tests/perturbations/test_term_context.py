"""English terms where Poles would say them, and in the form they would give them."""

from __future__ import annotations

import pytest

from perturb.perturbations.english import EnglishTerms
from tests.perturbations.drawing import draw, texts


def kinds(rule: EnglishTerms, text: str) -> set[str]:
    return {variant.kind for variant in draw(rule, text, [0])}


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("umowa z zewnętrznym dostawcą", False),  # names of people
        ("lista programistów", False),
        ("lista faktur", False),  # single words in the plural
        ("do zaległej faktury", False),  # the adjective shows the case
        ("z kopii zapasowej", False),  # backupu is no trouble to write
        ("do oprogramowania", True),
        ("proces wdrożenia pracownika", False),
        ("podwyższenie limitu kredytowego klienta", True),
        ("bez listu pakunkowego", False),  # after a preposition several words need the ending
        ("nie dotrzymał terminu", False),  # nor is there a noun that could carry the bare word
        ("przed terminem", True),
    ],
)
def test_bare_beside_inflected_only_where_people_leave_the_ending_out(text: str, bare: bool) -> None:
    assert kinds(EnglishTerms(), text) == {"inflected", *(["bare"] if bare else [])}
    assert kinds(EnglishTerms(rendering="bare"), text) == {"bare"}


@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("zespół powypadkowy", "team"),
        ("szkolenie BHP", "training"),
        ("termin płatności", "payment"),
        ("sprawdź warunki umowy", "sczekuj"),
        ("opłata za przechowywanie", "fee"),
        ("spotkanie o meetingach", "meeting z"),
        ("aktualizacja i update", "update i update"),
        ("dostawa towaru", "delivery"),
        ("ocena dostawcy w jego zakładzie", "vendor rating"),
        ("proces reklamacji", "claim"),
        ("ocena ryzyka zawodowego spawacza", "risk"),
        ("wdrożenie procedury antymobbingowej", "deployment"),
        ("wdrożenie pracownika produkcji", "onboarding"),
    ],
)
def test_what_nobody_says_is_not_said(text: str, unwanted: str) -> None:
    assert not any(unwanted in found for found in texts(EnglishTerms(), text, [0]))
