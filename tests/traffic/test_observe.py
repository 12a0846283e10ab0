import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.polish.text import clean
from perturb.traffic.observe import CASINGS, DIACRITICS, FORMS, observe
from tests.perturbations.nasty_queries import NASTY_QUERIES


@pytest.mark.parametrize(
    ("query", "state"),
    [
        ("żądanie zapłaty", "full"),
        ("zadanie zaplaty", "none"),
        ("żądanie zaplaty", "partial"),
        ("faktura VAT", "needless"),
        ("sad", "needless"),
        ("PIT 2026", "needless"),
        ("ŻĄDANIE ZAPLATY", "partial"),
        ("JAK ZLOZYC WNIOSEK", "none"),
        ("firma Zycie, faktura", "needless"),
        ("12345", "needless"),
    ],
)
def test_state_of_the_diacritics(query: str, state: str) -> None:
    assert observe(query).diacritics == state


@pytest.mark.parametrize(
    ("query", "form"),
    [
        ("Jak wystawić fakturę?", "question"),
        ("ktory formularz zlozyc", "question"),
        ("w jakim terminie wypłata", "question"),
        ("urlop na jutro?", "question"),
        ("pokaż umowy najmu", "command"),
        ("pokaz umowy najmu", "command"),
        ("klient odesłał fakturę", "sentence"),
        ("termin płatności faktury", "keywords"),
    ],
)
def test_form(query: str, form: str) -> None:
    assert observe(query).form == form


@pytest.mark.parametrize(
    ("query", "casing"),
    [
        ("umowa najmu", "lower"),
        ("UMOWA NAJMU", "upper"),
        ("Umowa najmu", "sentence_case"),
        ("umowa z ZUS", "mixed"),
        ("ZUS", "mixed"),
        ("VAT umowa", "mixed"),
        ("Ⓤ 5", "mixed"),
    ],
)
def test_casing(query: str, casing: str) -> None:
    assert observe(query).casing == casing


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("Jak wystawić fakturę", {"open_question"}),
        ("Jak wystawić fakturę?", set()),
        ("prosze o pomoc z drukarką", {"polite"}),
        ("Dzień dobry, mam pytanie: kto płaci?", {"polite"}),
        ("przekroczenie deadline'u", {"english_terms"}),
        ("umowa z vendorem", {"english_terms"}),
        ("partner w umowie", set()),
        ("zwrot VAT", {"acronyms", "abbreviations"}),
        ("stan SLA", {"english_terms", "acronyms"}),
        ("cash flow na rok", {"english_terms"}),
        ("składki ZUS", {"acronyms", "abbreviations"}),
        ("nr rachunku", {"abbreviations"}),
        ("zapłata 500 zł", {"numbers"}),
        ("korekta FV/12/2026", {"codes"}),
        ("czy napewno zapłacono?", {"spacing"}),
        ("umowa najmu", set()),
    ],
)
def test_signs(query: str, shown: set[str]) -> None:
    assert set(observe(query).signs) == shown


def test_what_is_no_mistake_is_not_asked_about() -> None:
    assert observe("umowa z firmą Orlenn i vendorem o compliance napewno").unknown == ()
    assert observe("umwa z kontrahentem").unknown == ("umwa",)


@given(st.sampled_from(NASTY_QUERIES) | st.text(max_size=30))
def test_any_text_can_be_observed(text: str) -> None:
    seen = observe(clean(text))
    assert seen.words >= len(seen.seen) >= len(seen.unknown)
    assert seen.diacritics in DIACRITICS
    assert seen.form in FORMS
    assert seen.casing in CASINGS
