"""Patrons, specifications of goods, acronyms, towns, titles, institutions: every cell, and what never comes out."""

from __future__ import annotations

import pytest

from perturb.polish.morphology import CASES, NUMBERS, analyse, lemmas
from perturb.polish.overlay import overlay_lemma
from perturb.polish.phrases import inflect, phrase_table
from perturb.polish.phrases.words import is_unlisted_acronym
from tests.polish.tables import rows

GOLD = rows("phrases_fourth.tsv")
PATRONS = [row["patron"] for row in rows("patrons.tsv")]
OTHER_TABLES = ("phrases.tsv", "phrases_second.tsv", "phrases_third.tsv")


@pytest.mark.parametrize("row", GOLD, ids=lambda row: row["phrase"])
def test_every_cell(row: dict[str, str]) -> None:
    table = phrase_table(row["phrase"])
    for number in NUMBERS:
        for case in CASES:
            wanted, found = row[f"{number}.{case}"], table.cells[number][case]
            if wanted == "-":
                assert not found, f"{case}.{number} should not exist"
            else:
                assert found[:1], f"{case}.{number} is missing"
                assert found[0] in wanted.split("|"), f"{case}.{number}"


def test_the_table_is_large_and_shares_no_phrase_with_the_others() -> None:
    assert len(GOLD) >= 220
    others = {row["phrase"] for name in OTHER_TABLES for row in rows(name)}
    phrases = [row["phrase"] for row in GOLD]
    assert len(set(phrases)) == len(phrases)
    assert not others & set(phrases)


HEADS = {
    "ulica": "ulicy",
    "aleja": "alei",
    "plac": "placu",
    "rondo": "ronda",
    "osiedle": "osiedla",
    "skwer": "skweru",
    "park": "parku",
    "fundacja": "fundacji",
    "szkoła": "szkoły",
    "szkoła imienia": "szkoły imienia",
    "szkoła podstawowa im.": "szkoły podstawowej im.",
    "nagroda": "nagrody",
    "biblioteka": "biblioteki",
    "przychodnia": "przychodni",
    "stypendium": "stypendium",
}


@pytest.mark.parametrize("head", HEADS)
def test_a_patron_keeps_its_form_after_any_head(head: str) -> None:
    for patron in PATRONS:
        table = phrase_table(f"{head} {patron}")
        assert table.cells["sg"]["gen"] == (f"{HEADS[head]} {patron}",)
        for cells in table.cells.values():
            assert all(form.endswith(f" {patron}") for forms in cells.values() for form in forms)
        assert table.confidence >= 0.75, patron


@pytest.mark.parametrize("row", rows("towns.tsv"), ids=lambda row: row["town"])
def test_towns(row: dict[str, str]) -> None:
    table = phrase_table(row["town"])
    cells = table.cells[row["number"]]
    assert cells["gen"][0] in row["gen"].split("|")
    assert cells["loc"][0] in row["loc"].split("|")
    assert not any(table.cells["pl" if row["number"] == "sg" else "sg"].values())


@pytest.mark.parametrize(
    ("phrase", "case", "number", "expected"),
    [
        # names that look like a man's genitive and are a woman's
        ("klientka Henryka Nowak", "gen", "sg", "klientki Henryki Nowak"),
        ("klientka Stanisława Kowalska", "gen", "sg", "klientki Stanisławy Kowalskiej"),
        ("klientka Kamila Zielińska", "gen", "sg", "klientki Kamili Zielińskiej"),
        ("sędzia Kamila Zielińska", "gen", "sg", "sędzi Kamili Zielińskiej"),
        ("pani Stanisława Zawada", "gen", "sg", "pani Stanisławy Zawady"),
        ("profesor Stanisława Zawadzka", "gen", "sg", "profesor Stanisławy Zawadzkiej"),
        ("dyrektor Paula Wilk", "gen", "sg", "dyrektor Pauli Wilk"),
        ("Anna Jana Kowalska", "gen", "sg", "Anny Jany Kowalskiej"),
        ("klientka Kamila", "gen", "sg", "klientki Kamili"),
        ("sukienka Paula", "gen", "sg", "sukienki Paula"),
        ("siostra Stanisława", "gen", "sg", "siostry Stanisławy"),
        ("córka Jana Kowalskiego", "gen", "sg", "córki Jana Kowalskiego"),
        ("adwokat Jan Kowalski", "gen", "sg", "adwokata Jana Kowalskiego"),
        # an agreeing adjective is no name
        ("ulica Szkolna 17", "gen", "sg", "ulicy Szkolnej 17"),
        ("plac Zamkowy", "gen", "sg", "placu Zamkowego"),
        ("galeria Krakowska", "gen", "sg", "galerii Krakowskiej"),
        ("Aleje Jerozolimskie", "gen", "pl", "Alei Jerozolimskich"),
        # adjectives before a neuter noun
        ("należne wynagrodzenia", "gen", "pl", "należnych wynagrodzeń"),
        ("zaległe wynagrodzenia pracowników", "gen", "pl", "zaległych wynagrodzeń pracowników"),
        ("drobne zamówienia", "gen", "pl", "drobnych zamówień"),
        ("zmienne wynagrodzenia", "gen", "pl", "zmiennych wynagrodzeń"),
        ("trasa wytyczna", "gen", "sg", "trasy wytycznej"),
        ("opłaty składowe", "gen", "pl", "opłat składowych"),
        ("instrumenty pochodne", "gen", "pl", "instrumentów pochodnych"),
        # nouns of the specification without a value
        ("numer faktury", "gen", "sg", "numeru faktury"),
        ("kolor ścian", "gen", "sg", "koloru ścian"),
        ("nowy model samochodu", "gen", "sg", "nowego modelu samochodu"),
        ("wersja demonstracyjna programu", "gen", "sg", "wersji demonstracyjnej programu"),
        ("śruba M8 długość 40 mm klasa 8.8", "gen", "sg", "śruby M8 długość 40 mm klasa 8.8"),
        ("linia produkcyjna klasa A", "gen", "sg", "linii produkcyjnej klasa A"),
        ("hotel kategorii A", "gen", "sg", "hotelu kategorii A"),
        ("farba, kolor biały", "gen", "sg", "farby, kolor biały"),
        ("instrukcja obsługi wersja polska", "gen", "sg", "instrukcji obsługi wersja polska"),
        # acronyms
        ("MOPS w Krakowie", "gen", "sg", "MOPS-u w Krakowie"),
        ("MOPS-u", "inst", "sg", "MOPS-em"),
        ("PLAN", "gen", "sg", "PLANU"),
        ("UMOWA NAJMU", "gen", "sg", "UMOWY NAJMU"),
        ("KURS NA BUS", "gen", "sg", "KURSU NA BUS"),
        ("karta HDMI", "gen", "sg", "karty HDMI"),
        ("CV kandydata", "gen", "sg", "CV kandydata"),
        # participles that have a noun
        ("osoba sprzątająca", "gen", "sg", "osoby sprzątającej"),
        ("firma sprzątająca biura", "gen", "sg", "firmy sprzątającej biura"),
        ("nowa sprzątająca", "gen", "sg", "nowej sprzątającej"),
        # a title and an adjective that has its own noun, or is a man's
        ("redaktor naczelny", "gen", "sg", "redaktora naczelnego"),
        ("radca prawny", "gen", "sg", "radcy prawnego"),
        ("sędzia rejonowy", "gen", "sg", "sędziego rejonowego"),
        ("dr Zofia Baran", "gen", "sg", "dr Zofii Baran"),
        ("dra Jana Kowalskiego", "nom", "sg", "dr Jan Kowalski"),
        ("dr. Jana Kowalskiego", "dat", "sg", "drowi Janowi Kowalskiemu"),
        ("prof. dr hab. Jan Kowalski", "gen", "sg", "prof. dra hab. Jana Kowalskiego"),
        ("(dr Jan Nowak)", "gen", "sg", "(dra Jana Nowaka)"),
        # institutions of which there are many, and persons
        ("Sąd Okręgowy", "nom", "pl", "Sądy Okręgowe"),
        ("Główny Księgowy", "nom", "pl", "Główni Księgowi"),
        ("Główna Księgowa", "nom", "pl", "Główne Księgowe"),
        ("Naczelnego Sądu Administracyjnego", "nom", "sg", "Naczelny Sąd Administracyjny"),
        ("KRAJOWY REJESTR SĄDOWY", "gen", "sg", "KRAJOWEGO REJESTRU SĄDOWEGO"),
        ("miasto stołeczne Warszawa", "gen", "sg", "miasta stołecznego Warszawy"),
    ],
)
def test_neighbours_of_the_mended_kinds(phrase: str, case: str, number: str, expected: str) -> None:
    assert inflect(phrase, case, number).forms[:1] == (expected,)


ACRONYMS = ["MOPS", "KAS", "PUP", "NOT", "LOT", "CIT", "OPS", "PIP", "NIK", "RIO", "BIP", "WORD", "SOK", "SAN", "KOS"]
ACRONYMS += ["PIN", "RAM", "ROM", "BUS", "BOK", "KIS", "GIS", "KIR", "RUR", "BON", "RAK", "QWX", "TPZ", "URSUS"]


@pytest.mark.parametrize("word", ACRONYMS)
def test_an_acronym_is_never_a_common_noun_in_capitals(word: str) -> None:
    table = phrase_table(word)
    assert table.confidence > 0
    for cells in table.cells.values():
        for forms in cells.values():
            assert all(form == word or form.startswith(f"{word}-") for form in forms)


def test_an_unlisted_acronym_is_doubtful_and_stays_as_it_is() -> None:
    assert is_unlisted_acronym("QWX")
    assert not is_unlisted_acronym("MOPS")
    assert not is_unlisted_acronym("PLAN")
    assert not is_unlisted_acronym("KARA")
    assert not is_unlisted_acronym("qwx")
    assert inflect("QWX", "gen", "sg").forms == ("QWX",)
    assert 0 < inflect("QWX", "gen", "sg").confidence < 0.75


def test_an_acronym_with_a_twin_leaves_lemmas_in_any_capitals_alone() -> None:
    assert {reading.lemma for reading in analyse("KAS")} == {"KAS"}
    assert "kasa" in lemmas("kas")
    assert lemmas("KAS") == lemmas("kas")
    assert overlay_lemma("mops") is None
    assert overlay_lemma("MOPS-u") == "mops"
    assert lemmas("MOPS") == lemmas("mops")


def test_a_man_with_an_abbreviated_title_has_both_spellings() -> None:
    assert inflect("dr hab. Jan Kowalski", "loc", "sg").forms == (
        "drze hab. Janie Kowalskim",
        "dr. hab. Janie Kowalskim",
    )
    assert inflect("prof. Jan Kowalski", "gen", "sg").forms == ("prof. Jana Kowalskiego",)
    assert inflect("Dr Jan Kowalski", "gen", "sg").forms[0] == "Dra Jana Kowalskiego"
