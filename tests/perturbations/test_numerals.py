from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from perturb.perturbations.base import build
from perturb.perturbations.counted import noun_form
from perturb.perturbations.numerals import Numerals
from perturb.resources import read_table
from tests.perturbations.drawing import draw, texts

CASES = Path(__file__).parent.parent / "cases"
PHRASES = [(row["digits"], row["words"]) for row in read_table("numeral_phrases.tsv", folder=CASES)]
REFERENCES = (CASES / "number_references.txt").read_text(encoding="utf-8").splitlines()
RULE = build("numerals")


def of_kind(text: str, *kinds: str) -> set[str]:
    return {variant.text for variant in draw(RULE, text) if variant.kind in kinds}


def test_the_table_is_large() -> None:
    assert len(PHRASES) >= 150
    assert len(set(PHRASES)) == len(PHRASES)


@pytest.mark.parametrize(("digits", "words"), PHRASES)
def test_digits_to_words(digits: str, words: str) -> None:
    assert of_kind(digits, "words") == {words}


@pytest.mark.parametrize(
    ("digits", "words"), [pair for pair in PHRASES if not re.search("zł|PLN|%|godz|mies|1 ", pair[0])]
)
def test_words_to_digits(digits: str, words: str) -> None:
    ungrouped = digits.replace(" 000", "000")
    found = {text.replace(" 000", "000") for text in of_kind(words, "digits")}
    assert ungrouped in found


@pytest.mark.parametrize("text", REFERENCES)
def test_references_keep_their_numbers(text: str) -> None:
    assert of_kind(text, "words", "unit", "amount", "grouping", "percent", "half") == set()


@pytest.mark.parametrize("text", ["kara 100 zł", "rekompensata 70 euro", "rabat 5%", "koszt naprawy 2 okien i 5 drzwi"])
def test_no_words_where_the_case_is_not_settled(text: str) -> None:
    assert not any("sto złotych" in t or "pięć procent" in t for t in of_kind(text, "words"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("w ciągu 14 dni", {"w ciągu dwóch tygodni", "w ciągu 2 tygodni"}),
        ("w ciągu dwóch tygodni", {"w ciągu 14 dni", "w ciągu czternastu dni"}),
        ("za 7 dni", {"za tydzień"}),
        ("umowa na dwa lata", {"umowa na 24 miesiące"}),
        ("po 24 miesiącach", {"po dwóch latach", "po 2 latach"}),
        ("przez 60 minut", {"przez godzinę"}),
        ("w ciągu 14 dni roboczych", set()),
        ("14 kolejnych dni", set()),
        ("co 8 dni", set()),
    ],
)
def test_other_units(text: str, expected: set[str]) -> None:
    assert of_kind(text, "unit") == expected


def test_months_are_flagged_as_a_risk() -> None:
    risky = [variant for variant in draw(RULE, "w ciągu 30 dni") if "meaning_risk" in variant.flags]
    assert {variant.text for variant in risky} == {"w ciągu miesiąca"}
    assert texts(Numerals(meaning_risk=False), "w ciągu 30 dni") == {"w ciągu trzydziestu dni"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("faktura z 12.05.2024", {"faktura z 12 maja 2024", "faktura z 12 maja 2024 r.", "faktura z 2024-05-12"}),
        ("faktura z 12.05.2024 r.", {"faktura z 12 maja 2024 r.", "faktura z 2024-05-12"}),
        ("do 1 marca 2025 r.", {"do 01.03.2025 r.", "do 2025-03-01"}),
        ("od 2024-05-12", {"od 12.05.2024", "od 12 maja 2024", "od 12 maja 2024 r."}),
        ("do 3/4/2025", {"do 03.04.2025", "do 3 kwietnia 2025", "do 3 kwietnia 2025 r.", "do 2025-04-03"}),
        ("spis do 5 stycznia", {"spis do 05.01"}),
        ("wersja 32.13.2024", set()),
        ("termin 31.02.2024", set()),
        ("wersja 2.14.3", set()),
        ("31 lutego", set()),
        ("umowa FV/12.05.2024", set()),
    ],
)
def test_dates(text: str, expected: set[str]) -> None:
    assert of_kind(text, "date") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kwota 1 250,50 zł", {"kwota 1250,50 zł", "kwota 1.250,50 zł", "kwota 1 250,50zł", "kwota 1 250,50 PLN"}),
        ("kwota 1.250,50 zł", {"kwota 1250,50 zł", "kwota 1 250,50 zł", "kwota 1.250,50zł", "kwota 1.250,50 PLN"}),
        ("do 900 PLN", {"do 900 zł"}),
        ("60 tys. zł", {"60 000 zł"}),
        ("70 €", {"70 EUR", "70 euro"}),
        ("koszt 50,00 zł", {"koszt 50 zł", "koszt 50,00zł", "koszt 50,00 PLN"}),
        ("umowa 7/2024", set()),
    ],
)
def test_amounts(text: str, expected: set[str]) -> None:
    assert of_kind(text, "amount") == expected


def test_round_thousands_are_shortened() -> None:
    assert "limit 60 tys. zł" in of_kind("limit 60 000 zł", "amount")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rabat 5%", {"rabat 5 %", "rabat 5 proc.", "rabat 5 procent"}),
        ("rabat 5 proc.", {"rabat 5 %", "rabat 5%", "rabat 5 procent"}),
        ("rabat 12,5 procent", {"rabat 12,5%", "rabat 12,5 %", "rabat 12,5 proc."}),
        ("kara 0,5%", {"kara 0,5 %", "kara 0,5 proc.", "kara 0,5 procent", "kara pół procent"}),
    ],
)
def test_percentages(text: str, expected: set[str]) -> None:
    assert of_kind(text, "percent") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("o godz. 8:00", {"o godz. 8.00", "o godz. 8", "o ósmej"}),
        ("do 16:00", {"do 16.00", "do 16", "do szesnastej"}),
        ("przed 9:00", {"przed 9.00", "przed 9", "przed dziewiątą"}),
        ("godz. 8.30", {"godz. 8:30"}),
        ("wersja 8.30", set()),
        ("adres 10:30:15", set()),
    ],
)
def test_times(text: str, expected: set[str]) -> None:
    assert of_kind(text, "time") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dziesięciogodzinny wyjazd", {"10-godzinny wyjazd"}),
        ("10-godzinny wyjazd", {"dziesięciogodzinny wyjazd"}),
        ("o trzytygodniowym urlopie", {"o 3-tygodniowym urlopie"}),
        ("24-godzinna zmiana", {"dwudziestoczterogodzinna zmiana"}),
        ("dwuletni okres", {"2-letni okres"}),
        ("500-godzinny", set()),
        ("3-majowy", set()),
        ("trzynastka", set()),
    ],
)
def test_compound_adjectives(text: str, expected: set[str]) -> None:
    assert of_kind(text, "compound") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,5 roku", {"półtora roku"}),
        ("1,5 godziny", {"półtorej godziny"}),
        ("na pół etatu", {"na 0,5 etatu"}),
        ("półtora roku", {"1,5 roku"}),
        ("1,5 mln", set()),
    ],
)
def test_halves(text: str, expected: set[str]) -> None:
    assert of_kind(text, "half") == expected


def test_digit_groups() -> None:
    assert of_kind("60 000 sztuk", "grouping") == {"60000 sztuk"}
    assert of_kind("60000 sztuk", "grouping") == {"60 000 sztuk"}


def test_quotations_and_protected_names_are_left_alone() -> None:
    assert texts(RULE, "umowa „14 dni” i „5%”") == set()
    assert texts(RULE, "zwrot w ciągu 14 dni", protected=["14 dni"]) == set()


def test_round_millions_are_shortened() -> None:
    assert "obrót 2 mln zł" in of_kind("obrót 2 000 000 zł", "amount")
    assert not any("tys." in text for text in of_kind("obrót 2 000 000 zł", "amount"))


def test_collective_numerals_and_fractions_are_left_alone() -> None:
    assert texts(RULE, "trzy czwarte etatu") == set()
    assert texts(RULE, "wymiana dwojga drzwi") == set()


def test_only_the_number_changes() -> None:
    for variant in draw(RULE, "Czy (zgodnie z art. 5) w ciągu 14 dni  przysługuje zwrot?"):
        assert variant.text.startswith("Czy (zgodnie z art. 5) w ciągu ")
        assert variant.text.endswith("  przysługuje zwrot?")


def test_a_noun_of_measure_without_a_form_has_none() -> None:
    assert noun_form("xyzzy", "sg", "gen") is None
    assert noun_form("procent", "sg", "gen") == "procenta"
    assert noun_form("rok", "pl", "gen") == "lat"


@pytest.mark.parametrize(
    "text",
    [
        "konto 61 1090 1014 0000 0712 1981 2874",
        "konto PL61\u20091090\u20091014\u20090000\u20090712\u20091981\u20092874", "NIP 525 000 12 34",
        "telefon +48 22 123 45 67", "telefon (22) 123-45-67", "karta 4111 1111 1111 1111", "faktura FV 12/05/2024",
        "faktura 12/05/2024", "adres fe80::1%eth0", "art. 22(1) kodeksu", "wymiar 10×20×5 mm",
        "wersja 2.14.3 z 192.168.1.1", "kwota 1’250’000,00 zł", "kwota 1'250.50 CHF", "dyrektywa 2006/112/WE",
        "wyrok II CSK 12/20", "tabela 123/A/NBP/2024",
    ],
)  # fmt: skip
def test_identifiers_in_any_notation_are_not_rewritten(text: str) -> None:
    assert not draw(RULE, text)


@pytest.mark.parametrize("text", ["do 12/05/2024", "termin 12/05/2024", "12/05/2024"])
def test_a_date_with_slashes_is_one_where_the_words_before_it_say_so(text: str) -> None:
    assert text.replace("12/05/2024", "12.05.2024") in of_kind(text, "date")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("§5 regulaminu", "paragraf pięć regulaminu"),
        ("temperatura 20°C w biurze, kara €50", "temperatura 20°C w biurze kara €50"),
        ("telefon +48 22 123 45 67, dział", "telefon +48 22 123 45 67 dział"),
        ("konto 61 1090 1014 0000 0712 1981 2874?", "konto 61 1090 1014 0000 0712 1981 2874"),
        ("dział R&D i 1090-2+A1:2011?", "dział r&d i 1090-2+A1:2011"),
        ("port 443/tcp?", "port 443/tcp"),
        ("rabat 5 % i 7%", "rabat pięć procent i siedem procent"),
    ],
)
def test_dictation_reads_no_code_as_a_number(text: str, expected: str) -> None:
    assert texts(build("query_form.dictated"), text) == {expected}


def test_dictation_of_a_long_text_of_signs_costs_no_more_than_its_length() -> None:
    started = time.perf_counter()
    texts(build("query_form.dictated"), "umowa " + "?!.," * 5000)
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("od ponad 60 dni", {"od ponad sześćdziesięciu dni"}),
        ("po 50 zł", {"po pięćdziesiąt złotych"}),
        ("czynne od 8 do 18", set()),  # do is a preposition here, not the first note of the scale
        ("od 10 do 20 zł", set()),  # not one of two in words
        ("do 10 km/h", set()),
        ("do 5 m kw. podłogi", set()),
        ("po 1 godz. 30 min", set()),
        ("za 1 zł", {"za jeden złoty"}),
        ("koszt za 1 mb", set()),  # metres as often as megabytes
    ],
)
def test_numbers_in_words_by_what_governs_them(text: str, expected: set[str]) -> None:
    assert of_kind(text, "words") == expected


def test_a_date_in_the_name_of_a_street_is_no_date() -> None:
    assert not of_kind("ul. 3 Maja 5", "date")
    assert of_kind("do 3 maja", "date")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wydłużenie terminu z 30 na 60 dni", set()),
        ("faktury co 30 czy co 60 dni", set()),
        ("dwie lub trzy osoby", set()),
        ("od 30 do 60 dni", set()),
        ("od 2 tygodni do 4 tygodni", {"od dwóch tygodni do czterech tygodni"}),
        ("kwoty od 100 do 200 zł", {"kwoty od 100 do 200zł", "kwoty od 100 do 200 PLN"}),
        ("rabat od 5 do 10%", {f"rabat od 5 do 10{mark}" for mark in (" %", " proc.", " procent")}),
        ("rabat 5% lub 10%", {f"rabat 5{mark} lub 10{mark}" for mark in (" %", " proc.", " procent")}),
        (
            "czynne od 8:00 do 16:00",
            {"czynne od 8.00 do 16.00", "czynne od 8 do 16", "czynne od ósmej do szesnastej"},
        ),
        ("od 12 maja do 15 czerwca", {"od 12.05 do 15.06"}),
    ],
)
def test_both_numbers_of_a_pair_change_or_none(text: str, expected: set[str]) -> None:
    assert texts(RULE, text) == expected


@pytest.mark.parametrize("text", ["Czy 2 godziny wystarczą?", "Czy 120 minut wystarczy?"])
def test_a_verb_that_agrees_keeps_its_number(text: str) -> None:
    assert of_kind(text, "unit") == set()


@pytest.mark.parametrize("text", ["umowa na 5 lat", "gwarancja na 48 miesięcy", "wypowiedzenie na 3 miesiące"])
def test_no_unit_that_nobody_counts_in(text: str) -> None:
    assert not any(word in found for found in of_kind(text, "unit") for word in ("miesięcy", "lat", "kwartał"))


def test_a_quarter_is_how_often_something_comes() -> None:
    assert "raport co kwartał" in of_kind("raport co 3 miesiące", "unit")


def test_long_numerals_stay_in_digits() -> None:
    assert of_kind("w ciągu 1825 dni", "words") == set()
    assert of_kind("w ciągu 125 dni", "words") == {"w ciągu stu dwudziestu pięciu dni"}
