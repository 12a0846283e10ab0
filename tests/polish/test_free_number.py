"""Which noun phrases are free in number, and homographs, acronyms and keywords that must not be misread."""

from __future__ import annotations

import random

import pytest

from perturb.perturbations import load_all
from perturb.perturbations.base import build
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases import inflect
from perturb.polish.phrases.free_number import is_countable
from perturb.records import Query

load_all()


def variants(name: str, text: str) -> set[str]:
    rule = build(name)
    parsed = ParsedQuery(Query("q", text))
    return {v.text for i in range(12) for v in rule(parsed, random.Random(str(i)))}


@pytest.mark.parametrize(
    "query",
    [
        "wilgotny sufit w piwnicy",
        "kosiarka w garażu",
        "zapasowe okno w kuchni",
        "wynajem auta w mieście",
        "urlop na żądanie w ciąży",
        "długi gminy",
        "saldo karty",
        "kaucja za lokal klienta",
        "opinie dla dyrektorów oddziałów",
        "wywóz gruzu",
        "podział spadku",
        "wycinka krzewów",
        "reset licznika",
        "nauka z języka francuskiego",
        "cukrzyca ciążowa",
        "rozliczyć koszt od dochodu",
        "zgubiłam kluczyk i fakturę",
        "sprzeciw od nakazu",
        "umowy z dostawcami",
        "duplikat faktury FV/7/2024",
        "promocja katalog rabat",
        "moje hasło do banku",
        "kierownik budowy",
    ],
)
def test_what_is_bound_keeps_its_number(query: str) -> None:
    changed = variants("number", query)
    harmless = {"kosiarki w garażu", "kaucje za lokal klienta"}
    assert changed <= harmless


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("faktura zaliczkowa", "faktury zaliczkowe"),
        ("jak wypełnić formularz zgłoszeniowy", "jak wypełnić formularze zgłoszeniowe"),
        ("zakup drukarki biurowej", "zakup drukarek biurowych"),
        ("czy notariusz musi podpisać umowę", "czy notariusze muszą podpisać umowę"),
        ("jak odstąpić od umowy pożyczki", "jak odstąpić od umów pożyczki"),
        ("brak dostępu do pliku", "brak dostępu do plików"),
        ("kary umowne za zwłokę", "kara umowna za zwłokę"),
        ("tzw. faktura uproszczona", "tzw. faktury uproszczone"),
        ("jak zmienić hasło do routera", "jak zmienić hasła do routera"),
        ("Czy w umowie trzeba podać PESEL?", "Czy w umowach trzeba podać PESEL?"),
    ],
)
def test_what_is_free_changes(query: str, expected: str) -> None:
    assert expected in variants("number", query)


def test_unique_persons_and_unknown_nouns_are_not_countable() -> None:
    assert is_countable("pracownik", "m1")
    assert is_countable("faktura", "f")
    assert not is_countable("prezes", "m1")
    assert not is_countable("wywóz", "m3")


@pytest.mark.parametrize(
    ("query", "unwanted"),
    [
        ("nowy XBR", "nowa"),
        ("stary SUV na sprzedaż", "stara"),
        ("tani MPV", "tania"),
        ("jury konkursu", "jura"),
        ("członek jury", "jur "),
        ("bilety na party", "parta"),
        ("zeznanie PIT małżonków", "PITY"),
    ],
)
def test_homographs_and_acronyms_are_not_misread(query: str, unwanted: str) -> None:
    for name in ("case", "number", "case_in_frame"):
        assert not any(unwanted in text for text in variants(name, query))


def test_an_unknown_acronym_beside_an_adjective_is_a_doubtful_masculine() -> None:
    assert inflect("drogi SUV", "gen", "sg").forms[0] == "drogiego SUV"
    assert inflect("drogi SUV", "gen", "sg").confidence < 0.75
    assert inflect("używany MPV", "dat", "sg").forms[0] == "używanemu MPV"


def test_indeclinable_jury() -> None:
    assert inflect("niezależne jury", "gen", "sg").forms[0] == "niezależnego jury"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("np. rata balonowa", "np. raty balonowej"),
        ("tzw. trudna miłość", "tzw. trudnej miłości"),
        ("przegląd gwarancyjny co dwa lata", "przeglądu gwarancyjnego co dwa lata"),
    ],
)
def test_an_abbreviation_or_interval_leaves_the_phrase_free(query: str, expected: str) -> None:
    assert expected in variants("case", query)


def test_a_frame_goes_before_an_abbreviation() -> None:
    framed = variants("case_in_frame", "tzw. czarna lista")
    assert framed
    assert all(" tzw. czarn" in text for text in framed)


@pytest.mark.parametrize(
    "query",
    [
        "mobbing zgłoszenie anonimowe",
        "spam raport miesięczny",
        "urlop wniosek elektroniczny",
        "phishing zgłoszenie szkody",
    ],
)
def test_keywords_side_by_side_are_declined(query: str) -> None:
    assert not variants("case", query)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("czy mogę odwołać rezerwację", "możliwość odwołania rezerwacji"),
        ("do kiedy trzeba opłacić składkę?", "termin opłacenia składki"),
        ("chcę zmienić adres wysyłki", "prośba o zmianę adresu wysyłki"),
        ("zmień mi numer telefonu", "prośba o zmianę numeru telefonu"),
        ("usuń konto klienta", "prośba o usunięcie konta klienta"),
        ("kto może odebrać paczkę", "osoba uprawniona do odebrania paczki"),
        ("co podpisać przy zakupie auta", "co podpisać w przypadku zakupu auta"),
        ("czy muszę oddać sprzęt, który dostałem", "obowiązek oddania sprzętu, który dostałem"),
    ],
)
def test_questions_and_orders_about_an_action(query: str, expected: str) -> None:
    assert expected in variants("case_in_frame", query)


@pytest.mark.parametrize("query", ["mam kłopot z drukarką", "czy trzeba mieć konto", "chcę oddać buty, co mam robić"])
def test_no_verbal_noun_that_nobody_uses(query: str) -> None:
    assert not any(word in text for text in variants("case_in_frame", query) for word in ("mamieni", "mieni", "prośba"))
