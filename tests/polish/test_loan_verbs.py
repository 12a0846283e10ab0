"""Loan verbs conjugated like the -ować verbs of the dictionary."""

from __future__ import annotations

import pytest

from perturb.polish.loan_verbs import conjugate
from perturb.polish.morphology import Reading, analyse, paradigm

CONJUGATED = ("fin", "impt", "praet", "cond", "inf", "imps", "pcon", "pant")


def reading(form: str, pos: str) -> Reading:
    return next(r for r in analyse(form) if r.pos == pos)


@pytest.mark.parametrize("verb", ["resetować", "zabukować", "audytować", "zaplanować"])
def test_agrees_with_the_dictionary(verb: str) -> None:
    forms = [r for r in paradigm(verb) if r.pos in CONJUGATED and r.is_accepted]
    assert len(forms) > 20
    assert [(r.form, r.tag) for r in forms if conjugate(verb, r) != r.form] == []


@pytest.mark.parametrize(
    ("form", "pos", "expected"),
    [
        ("zatwierdził", "praet", "zaapprove’ował"),
        ("zatwierdziły", "praet", "zaapprove’owały"),
        ("zatwierdzę", "fin", "zaapprove’uję"),
        ("zatwierdź", "impt", "zaapprove’uj"),
        ("zatwierdzić", "inf", "zaapprove’ować"),
        ("zatwierdzono", "imps", "zaapprove’owano"),
    ],
)
def test_takes_the_place_of_another_verb(form: str, pos: str, expected: str) -> None:
    assert conjugate("zaapprove’ować", reading(form, pos)) == expected


def test_no_form_for_nouns_or_other_classes() -> None:
    assert conjugate("zmergować", reading("zatwierdzenie", "ger")) == ""
    assert conjugate("fixnąć", reading("zatwierdzić", "inf")) == ""
