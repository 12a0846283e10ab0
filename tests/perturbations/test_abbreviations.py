from __future__ import annotations

import pytest

from perturb.perturbations.abbreviation_lexicon import pairs
from perturb.perturbations.abbreviations import Abbreviations
from perturb.perturbations.base import build
from perturb.polish.phrases import phrase_table
from tests.perturbations.drawing import draw, texts

RULE = build("abbreviations")


def of_kind(text: str, kind: str) -> set[str]:
    return {variant.text for variant in draw(RULE, text) if variant.kind == kind}


def test_the_lexicon_is_large_and_sound() -> None:
    assert len({pair.long for pair in pairs()}) >= 80
    assert len({(pair.long, pair.short) for pair in pairs()}) == len(pairs())
    for pair in pairs():
        assert pair.shortens or pair.expands
        assert pair.number in ("sg", "pl", "none")
        assert pair.context in ("any", "before_number", "after_number", "after_year", "before_noun", "after_comma")
        if pair.number != "none":
            assert phrase_table(pair.long).cells[pair.number]["nom"], pair
            assert phrase_table(pair.long).cells[pair.number]["gen"], pair


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("termin płatności faktury", "termin płatności FV"),
        ("korekta do faktur z maja", "korekta do FV z maja"),
        ("zmiana numeru telefonu", "zmiana nr telefonu"),
        ("w artykule 5 ustawy", "w art. 5 ustawy"),
        ("zgodnie z rozporządzeniem", "zgodnie z rozp."),
        ("w spółce z ograniczoną odpowiedzialnością", "w spółce z o.o."),
        ("do spółki z ograniczoną odpowiedzialnością", "do sp. z o.o."),
        ("o zwolnieniu lekarskim", "o L4"),
        ("w ciągu 8 godzin", "w ciągu 8 godz."),
        ("w ciągu 8 godzin", "w ciągu 8 h"),
        ("od 2024 roku", "od 2024 r."),
        ("wymiar dla umowy o pracę", "wymiar dla UoP"),
        ("na przykład urlop", "np. urlop"),
        ("Na przykład urlop", "Np. urlop"),
        ("według procedury", "wg procedury"),
        ("do dyrektora zakładu.", "do dyr. zakładu."),
        ("Jaki jest numer?", "Jaki jest nr?"),
        ("NUMER FAKTURY", "NR FAKTURY"),
    ],
)
def test_words_are_shortened_in_every_form(text: str, expected: str) -> None:
    assert expected in of_kind(text, "short")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("korekta FV", "korekta faktury"),
        ("korekta fv", "korekta faktury"),
        ("jak wystawić FV korygującą", "jak wystawić fakturę korygującą"),
        ("FV zaliczkowa", "faktura zaliczkowa"),
        ("do US", "do urzędu skarbowego"),
        ("w art. 5 ustawy", "w artykule 5 ustawy"),
        ("zgodnie z art. 5", "zgodnie z artykułem 5"),
        ("Nr faktury", "Numer faktury"),
        ("np. urlop", "na przykład urlop"),
        ("Np. urlop", "Na przykład urlop"),
        ("Alfa sp. z o.o. zwrot", "Alfa spółka z ograniczoną odpowiedzialnością zwrot"),
        ("do spółki z o.o.", "do spółki z ograniczoną odpowiedzialnością"),
        ("do ZUS", "do Zakładu Ubezpieczeń Społecznych"),
        ("zasady PPK", "zasady pracowniczych planów kapitałowych"),
        ("wysyłka do KSeF", "wysyłka do Krajowego Systemu e-Faktur"),
        ("dział HR", "dział kadr"),
        ("nie dotyczy do FV", "nie dotyczy do faktury"),
        ("dla nowej FV", "dla nowej faktury"),
        ("w § 5", "w paragrafie 5"),
        ("KOREKTA FV", "KOREKTA FAKTURY"),
        ("VAT", "podatek od towarów i usług"),
        ("Dz.U. z 2024 r.", "Dziennik Ustaw z 2024 r."),
        ("w Dz. U. z 2024 r.", "w Dzienniku Ustaw z 2024 r."),
        ("do M.P.", "do Monitora Polskiego"),
        ("zgodnie z KC", "zgodnie z kodeksem cywilnym"),
        ("zgodnie z k.c.", "zgodnie z kodeksem cywilnym"),
        ("zgodnie z k.p.k.", "zgodnie z kodeksem postępowania karnego"),
        ("skarga do WSA", "skarga do wojewódzkiego sądu administracyjnego"),
        ("uchwała nr 15", "uchwała numer 15"),
        ("zmiana nr konta", "zmiana numeru konta"),
        ("kodeks cywilny art. 415", "kodeks cywilny artykuł 415"),
        ("z umową art. 43d", "z umową artykuł 43d"),
        ("treść art. 5", "treść artykułu 5"),
        ("kodeks pracy art. 151", "kodeks pracy artykuł 151"),
        ("ustawa o prawach konsumenta art. 27", "ustawa o prawach konsumenta artykuł 27"),
        ("ustawa o podatku od towarów i usług art. 86", "ustawa o podatku od towarów i usług artykuł 86"),
        ("stłuczka na parkingu art. 86", "stłuczka na parkingu artykuł 86"),
        ("naruszenie art. 86", "naruszenie artykułu 86"),
        ("kodeks pracy zmiana art. 151", "kodeks pracy zmiana artykułu 151"),
        ("ustawa o ochronie zwierząt Dz.U. 1997", "ustawa o ochronie zwierząt Dziennik Ustaw 1997"),
    ],
)
def test_abbreviations_are_written_out_in_the_right_case(text: str, expected: str) -> None:
    assert expected in of_kind(text, "long")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("podpis kierownika działu", {"podpis kier. działu"}),
        ("zatwierdza kierownik", set()),
        ("kierownik zatwierdza urlop", set()),
        ("budżet na 2026 rok", {"budżet na 2026 r."}),
        ("dziecko do 18 lat", set()),
        ("Faktura za prąd", {"FV za prąd"}),
        ("co to jest odsetek", set()),
        ("co to znaczy netto", set()),
        ("kaucja, to jest zabezpieczenie", {"kaucja, tj. zabezpieczenie"}),
    ],
)
def test_words_are_abbreviated_where_people_do(text: str, expected: set[str]) -> None:
    assert of_kind(text, "short") == expected


@pytest.mark.parametrize("text", ["szkolenie BHP", "składki ZUS", "zwrot VAT", "incydenty RODO"])
def test_what_nobody_writes_out_is_left_alone(text: str) -> None:
    assert of_kind(text, "long") == set()


@pytest.mark.parametrize(
    "text",
    [
        "nie mam FV",  # the case of a negated object
        "z FV",  # of an invoice, or with it
        "zgubił FV",
        "wpływa FV",
        "5 FV",
        "może wzrosnąć VAT",
        "Beta i Alfa sp. z o.o.",
        "JPK_VAT",
        "NIP-u",
        "FV/12/2023",
    ],
)
def test_nothing_is_written_out_where_the_case_is_not_settled(text: str) -> None:
    assert not any(word in t for t in of_kind(text, "long") for word in ("faktur", "podat", "spółk", "numer"))


@pytest.mark.parametrize(
    "text",
    [
        "artykuły biurowe",
        "części zamienne",
        "fakturę FV/12/2026",
        "punkt odbioru",
        "strona internetowa",
        "złoty krążek",
    ],
)
def test_words_of_another_meaning_stay(text: str) -> None:
    assert of_kind(text, "short") == set()


def test_risky_abbreviations_are_flagged() -> None:
    assert all("meaning_risk" in variant.flags for variant in draw(RULE, "do US"))
    assert texts(Abbreviations(meaning_risk=False), "do US") == set()


def test_quotations_and_protected_names_are_left_alone() -> None:
    assert texts(RULE, "umowa „nr faktury”") == set()
    assert texts(RULE, "numer konta", protected=["numer konta"]) == set()


def test_no_double_dots() -> None:
    assert not any(".." in text for text in texts(RULE, "jak znaleźć numer w art. 5 lub u dyrektora."))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("spotkanie godz. 10", {"spotkanie godzina 10"}),
        ("spotkanie o godz. 10", {"spotkanie o godzinie 10"}),
        ("rejestr podatników VAT", set()),
        ("zgłoszenie VAT UE", set()),
        ("druk PIT 37", set()),
        ("kurs UDT i uprawnienia UDT", set()),
    ],
)
def test_abbreviations_are_written_out_only_where_people_do(text: str, expected: set[str]) -> None:
    assert {variant.text for variant in draw(build("abbreviations"), text) if variant.kind == "long"} == expected
