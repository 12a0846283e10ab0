from __future__ import annotations

import pytest

from perturb.polish.morphology import CASES, GENDERS, paradigm
from perturb.polish.numerals import (
    MAX_NUMBER,
    cardinal,
    compound_prefix,
    governed_cell,
    ordinal,
    read_cardinal,
)
from perturb.resources import read_table

SIMPLE = sorted({int(row["value"]) for row in read_table("numerals.tsv")} - {0})


def dictionary_forms(value: int, case: str, gender: str) -> set[str]:
    """Forms of the dictionary for one cell of one numeral, collectives left out."""
    lemma = "jeden:A" if value == 1 else cardinal(value)
    forms: set[str] = set()
    for reading in paradigm(lemma):
        number = "sg" if value == 1 else "pl"
        wanted = reading.pos == ("adj" if value == 1 else "num") and "col" not in reading.get("collective")
        if (
            wanted
            and number in reading.get("number")
            and case in reading.get("case")
            and gender in reading.get("gender")
        ):
            forms.add(reading.form)
    return forms


@pytest.mark.parametrize("value", SIMPLE)
def test_simple_numerals_agree_with_the_dictionary(value: int) -> None:
    for case in CASES[:6]:
        for gender in GENDERS:
            assert cardinal(value, case, gender) in dictionary_forms(value, case, gender), (value, case, gender)


def test_every_number_reads_back() -> None:
    numbers = [*range(1, 2200), *range(2200, MAX_NUMBER, 4999), MAX_NUMBER]
    for number in numbers:
        for case, gender in (("nom", "m3"), ("gen", "f"), ("inst", "f"), ("acc", "m1")):
            words = cardinal(number, case, gender).split()
            assert read_cardinal(words) == (number, len(words)), (number, words)


@pytest.mark.parametrize(
    ("words", "value", "taken"),
    [
        ("pięć dni", 5, 1),
        ("dwadzieścia pięć dni", 25, 2),
        ("pięć dwadzieścia", 5, 1),
        ("sto dwa tysiące trzysta", 102_300, 4),
        ("tysiąc złotych", 1000, 1),
        ("dwadzieścia jedenaście", 20, 1),
        ("dwu umów", 2, 1),
        ("trzej pracownicy", 3, 1),
        ("tysiąc tysięcy", 1000, 1),
    ],
)
def test_reading_stops_where_the_number_ends(words: str, value: int, taken: int) -> None:
    assert read_cardinal(words.split()) == (value, taken)


def test_no_number_is_read_from_other_words() -> None:
    assert read_cardinal(["umowa"]) is None
    assert read_cardinal([]) is None


@pytest.mark.parametrize(
    ("number", "case", "gender", "expected"),
    [
        (1, "gen", "f", ("sg", "gen")),
        (2, "nom", "f", ("pl", "nom")),
        (2, "nom", "m1", ("pl", "gen")),
        (4, "acc", "m3", ("pl", "acc")),
        (12, "nom", "f", ("pl", "gen")),
        (22, "nom", "f", ("pl", "nom")),
        (112, "nom", "f", ("pl", "gen")),
        (5, "nom", "n", ("pl", "gen")),
        (5, "inst", "n", ("pl", "inst")),
        (21, "nom", "f", ("pl", "gen")),
        (1000, "inst", "m3", ("pl", "gen")),
        (0, "nom", "m3", ("pl", "gen")),
    ],
)
def test_case_of_the_counted_noun(number: int, case: str, gender: str, expected: tuple[str, str]) -> None:
    assert governed_cell(number, case, gender) == expected


@pytest.mark.parametrize(
    ("number", "case", "gender", "expected"),
    [
        (217, "nom", "m3", "dwieście siedemnaście"),
        (1250, "gen", "m3", "tysiąca dwustu pięćdziesięciu"),
        (2000, "dat", "m3", "dwóm tysiącom"),
        (10_000, "inst", "m3", "dziesięcioma tysiącami"),
        (21, "gen", "f", "dwudziestu jeden"),
        (999_999, "nom", "m3", "dziewięćset dziewięćdziesiąt dziewięć tysięcy dziewięćset dziewięćdziesiąt dziewięć"),
        (0, "gen", "f", "zera"),
    ],
)
def test_composed_numbers(number: int, case: str, gender: str, expected: str) -> None:
    assert cardinal(number, case, gender) == expected


@pytest.mark.parametrize(
    ("number", "case", "gender", "expected"),
    [
        (1, "gen", "m", "pierwszego"),
        (2, "gen", "m", "drugiego"),
        (2, "inst", "m", "drugim"),
        (2, "nom", "f", "druga"),
        (2, "nom", "n", "drugie"),
        (3, "gen", "m", "trzeciego"),
        (3, "acc", "f", "trzecią"),
        (3, "loc", "m", "trzecim"),
        (8, "loc", "f", "ósmej"),
        (12, "gen", "m", "dwunastego"),
        (21, "gen", "m", "dwudziestego pierwszego"),
        (100, "nom", "m", "setny"),
        (1000, "loc", "m", "tysięcznym"),
        (1905, "gen", "m", "tysiąc dziewięćset piątego"),
        (1999, "loc", "m", "tysiąc dziewięćset dziewięćdziesiątym dziewiątym"),
        (2026, "loc", "m", "dwa tysiące dwudziestym szóstym"),
        (2100, "nom", "m", "dwa tysiące setny"),
    ],
)
def test_ordinals(number: int, case: str, gender: str, expected: str) -> None:
    assert ordinal(number, case, gender) == expected


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1, "jedno"),
        (2, "dwu"),
        (3, "trzy"),
        (10, "dziesięcio"),
        (21, "dwudziestojedno"),
        (25, "dwudziestopięcio"),
        (100, "stu"),
    ],
)
def test_first_parts_of_compound_adjectives(number: int, expected: str) -> None:
    assert compound_prefix(number) == expected


@pytest.mark.parametrize("number", [-1, MAX_NUMBER + 1])
def test_cardinals_out_of_range_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match=str(number)):
        cardinal(number)


@pytest.mark.parametrize("number", [0, 2000, 10_000])
def test_ordinals_out_of_range_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match=str(number)):
        ordinal(number)


@pytest.mark.parametrize("number", [0, 1000])
def test_prefixes_out_of_range_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match=str(number)):
        compound_prefix(number)
