"""Further kinds of noun phrases, from English compounds to places: every cell, and what must never come out."""

from __future__ import annotations

import pytest

from perturb.polish.morphology import CASES, NUMBERS, analyse, is_word, paradigm
from perturb.polish.phrases import inflect, phrase_table
from perturb.polish.phrases.compounds import english_compounds
from perturb.polish.phrases.words import adjective_readings, noun_readings
from tests.polish.tables import rows

GOLD = rows("phrases_third.tsv")
ONE_OF_A_KIND = [row for row in GOLD if "proper" in row["tags"].split(",") and row["pl.nom"] == "-"]


@pytest.mark.parametrize("row", GOLD, ids=lambda row: row["phrase"])
def test_every_cell(row: dict[str, str]) -> None:
    table = phrase_table(row["phrase"])
    strict = "proper" not in row["tags"] or "plurale_tantum" in row["tags"]
    for number in NUMBERS:
        for case in CASES:
            wanted, found = row[f"{number}.{case}"], table.cells[number][case]
            if wanted == "-":
                assert not (strict and found), f"{case}.{number} should not exist"
            else:
                assert found[:1], f"{case}.{number} is missing"
                assert found[0] in wanted.split("|"), f"{case}.{number}"


def test_the_table_is_large_and_shares_no_phrase_with_the_others() -> None:
    assert len(GOLD) >= 150
    assert len({row["phrase"] for row in GOLD}) == len(GOLD)
    others = {row["phrase"] for name in ("phrases.tsv", "phrases_second.tsv") for row in rows(name)}
    assert not others & {row["phrase"] for row in GOLD}


@pytest.mark.parametrize("row", GOLD, ids=lambda row: row["phrase"])
def test_the_phrase_stands_in_the_cell_its_tag_names(row: dict[str, str]) -> None:
    first = "pl.nom" if row["sg.nom"] == "-" else "sg.nom"
    cell = next((tag.removeprefix("given:") for tag in row["tags"].split(",") if "given:" in tag), first)
    assert row["phrase"] in row[cell].split("|")


@pytest.mark.parametrize("row", ONE_OF_A_KIND, ids=lambda row: row["phrase"])
def test_one_person_or_place_has_no_plural(row: dict[str, str]) -> None:
    if row["phrase"].split()[0] not in ("miasto", "rzeka", "wyspa"):
        assert not any(phrase_table(row["phrase"]).cells["pl"].values())


@pytest.mark.parametrize(
    ("phrase", "case", "number", "expected"),
    [
        # English words that are no compound, or have a Polish rest
        ("team sprzedaży", "gen", "sg", "teamu sprzedaży"),
        ("data listu", "gen", "sg", "daty listu"),
        ("data dostawy", "inst", "sg", "datą dostawy"),
        ("marketing produktu", "gen", "sg", "marketingu produktu"),
        ("test regresji", "gen", "sg", "testu regresji"),
        ("front robót", "gen", "sg", "frontu robót"),
        ("blog firmowy", "gen", "sg", "blogu firmowego"),
        ("program partnerski", "gen", "sg", "programu partnerskiego"),
        ("Team Leader", "dat", "sg", "Team Leaderowi"),
        ("team leader i project manager", "gen", "sg", "team leadera i project managera"),
        # titles of men, and names in the tail
        ("profesor Jan Nowak", "gen", "sg", "profesora Jana Nowaka"),
        ("dyrektor szkoły", "gen", "sg", "dyrektora szkoły"),
        ("adwokat Marii Zawadzkiej", "dat", "sg", "adwokatowi Marii Zawadzkiej"),
        ("sędzia Jan Nowak", "gen", "sg", "sędziego Jana Nowaka"),
        ("klient Jan Nowak", "gen", "sg", "klienta Jana Nowaka"),
        ("pan prezes Jan Nowak", "voc", "sg", "panie prezesie Janie Nowak"),
        ("redaktor naczelna Marta Zięba", "gen", "sg", "redaktor naczelnej Marty Zięby"),
        ("dyrektor zarządzająca Ewa Mróz", "acc", "sg", "dyrektor zarządzającą Ewę Mróz"),
        ("dr Zofia Baran", "gen", "sg", "dr Zofii Baran"),
        ("dr hab. Ewa Mróz", "inst", "sg", "dr hab. Ewą Mróz"),
        ("prof. Maria Zawadzka", "gen", "sg", "prof. Marii Zawadzkiej"),
        ("prof. Jan Kowalski", "dat", "sg", "prof. Janowi Kowalskiemu"),
        ("mgr inż. Anna Lis", "acc", "sg", "mgr inż. Annę Lis"),
        # persons and things with one spelling
        ("informator policji", "nom", "pl", "informatorzy policji"),
        ("korektor", "nom", "pl", "korektorzy"),
        ("pilot samolotu", "nom", "pl", "piloci samolotu"),
        ("klient banku", "nom", "pl", "klienci banku"),
        ("ucho", "nom", "pl", "uszy"),
        ("oko", "inst", "pl", "oczami"),
        # words that also name a place
        ("Rada Nadzorcza", "nom", "pl", "Rady Nadzorcze"),
        ("radom gmin", "nom", "sg", "rada gmin"),
        ("Marki samochodów", "nom", "sg", "Marka samochodów"),
        ("dania obiadowe", "nom", "sg", "danie obiadowe"),
        ("piła tarczowa", "nom", "pl", "piły tarczowe"),
        ("koło zamachowe", "gen", "sg", "koła zamachowego"),
    ],
)
def test_neighbours_of_the_mended_kinds(phrase: str, case: str, number: str, expected: str) -> None:
    assert inflect(phrase, case, number).forms[:1] == (expected,)


KINDS = rows("persons_and_things.tsv")


def of_kind(kind: str) -> list[str]:
    """The nouns of one kind."""
    return [row["noun"] for row in KINDS if row["kind"] == kind]


@pytest.mark.parametrize("noun", of_kind("thing"))
def test_things_have_the_accusative_of_things(noun: str) -> None:
    assert inflect(noun, "acc", "sg").forms[0] == noun
    assert inflect(noun, "acc", "pl").forms[0] == inflect(noun, "nom", "pl").forms[0]


@pytest.mark.parametrize("noun", of_kind("person"))
def test_persons_have_the_plural_of_persons(noun: str) -> None:
    assert inflect(noun, "acc", "sg").forms[0] != noun
    assert inflect(noun, "acc", "pl").forms[0] == inflect(noun, "gen", "pl").forms[0]
    assert inflect(noun, "nom", "pl").forms[0] != inflect(noun, "acc", "pl").forms[0]


@pytest.mark.parametrize("noun", of_kind("animal"))
def test_animals_have_the_singular_of_persons_and_the_plural_of_things(noun: str) -> None:
    assert inflect(noun, "acc", "sg").forms[0] == inflect(noun, "gen", "sg").forms[0]
    assert inflect(noun, "acc", "pl").forms[0] == inflect(noun, "nom", "pl").forms[0]


@pytest.mark.parametrize("row", rows("english_compounds.tsv"), ids=lambda row: row["phrase"])
def test_english_compounds_inflect_at_the_end_only(row: dict[str, str]) -> None:
    found = inflect(row["phrase"], "gen", "sg")
    assert found.forms[0] in row["sg.gen"].split("|")
    assert found.confidence >= 0.75


def test_compounds_of_words() -> None:
    assert english_compounds(["team", "sprzedaży"]) == {}
    assert english_compounds(["plan"]) == {}
    assert english_compounds([]) == {}
    found = english_compounds(["nowy", "key", "account", "managerem"])
    assert found[1] is None and found[2] is None
    assert [reading.noun.lemma for reading in found[3] or ()] == ["manager"]
    assert english_compounds(["business", "plan"]) == {0: None, 1: ()}


def test_a_title_of_a_man_takes_an_ending_or_a_full_stop() -> None:
    assert inflect("dr Jan Kowalski", "gen", "sg").forms == ("dra Jana Kowalskiego", "dr. Jana Kowalskiego")
    assert inflect("dr Jan Kowalski", "nom", "sg").forms == ("dr Jan Kowalski",)
    assert inflect("dr Jan Kowalski", "nom", "pl").forms == ()


def test_an_unknown_end_of_a_compound_is_doubtful() -> None:
    inflection = inflect("business accelerator", "gen", "sg")
    assert inflection.forms[0] == "business acceleratoru"
    assert inflection.confidence < 0.75


@pytest.mark.parametrize(
    "term", ["call center", "data center", "business plan", "team leader", "case study", "help desk"]
)
def test_compounds_inflect_as_the_english_terms_do(term: str) -> None:
    pairs = [row for row in rows_of_terms() if row["en"] == term]
    for row in pairs:
        if row["class"] == "0":
            assert inflect(term, "gen", "sg").forms == (term,)
        else:
            assert inflect(term, "gen", "sg").forms[0] == term + row["class"]


def rows_of_terms() -> list[dict[str, str]]:
    """The lexicon of English terms."""
    from perturb.resources import read_table

    return read_table("english_terms.tsv")


@pytest.mark.parametrize("word", ["-" * 10_000, "a-" * 5_000 + "b", "super" * 3_000 + "umowa", "e-" * 40 + "umowa"])
def test_endless_words_are_no_compounds(word: str) -> None:
    assert noun_readings(word) == ()
    assert adjective_readings(word) == ()
    assert analyse(word) == ()
    assert paradigm(word) == ()
    assert not is_word(word)


def test_compounds_of_the_usual_length_are_still_read() -> None:
    assert noun_readings("lekarz-specjalista")
    assert noun_readings("e-doręczenie")
