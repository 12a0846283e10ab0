"""Counted phrases, attributes with complements, participles with objects, ordinals, names, and their neighbours."""

from __future__ import annotations

import pytest

from perturb.polish.morphology import CASES, NUMBERS
from perturb.polish.numerals import cardinal
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases import CONFIDENCE_THRESHOLD, inflect, phrase_table
from perturb.polish.phrases.counting import numeral_at_start
from perturb.records import Query
from tests.polish.tables import rows

GOLD = rows("phrases_fifth.tsv")
OTHER_TABLES = ("phrases.tsv", "phrases_second.tsv", "phrases_third.tsv", "phrases_fourth.tsv")


@pytest.mark.parametrize("row", GOLD, ids=lambda row: row["phrase"])
def test_every_cell(row: dict[str, str]) -> None:
    table = phrase_table(row["phrase"])
    assert table.confidence >= 0.75
    for number in NUMBERS:
        for case in CASES:
            wanted, found = row[f"{number}.{case}"], table.cells[number][case]
            if wanted == "-":
                assert not found, f"{case}.{number} should not exist"
            else:
                assert found[:1], f"{case}.{number} is missing"
                assert found[0] in wanted.split("|"), f"{case}.{number}"


def test_the_table_is_large_and_shares_no_phrase_with_the_others() -> None:
    assert len(GOLD) >= 80
    others = {row["phrase"] for name in OTHER_TABLES for row in rows(name)}
    phrases = [row["phrase"] for row in GOLD]
    assert len(set(phrases)) == len(phrases)
    assert not others & set(phrases)


COUNTED = [row["phrase"] for row in GOLD if "counted" in row["tags"].split(",")]


@pytest.mark.parametrize("phrase", COUNTED)
def test_a_counted_phrase_is_read_from_any_of_its_cells(phrase: str) -> None:
    table = phrase_table(phrase).cells["pl"]
    for case in ("gen", "dat", "inst", "loc"):
        written = table[case][0]
        for other in CASES:
            assert set(table[other]) & set(inflect(written, other, "pl").forms), f"{other} from {written}"
        assert not any(phrase_table(written).cells["sg"].values())


@pytest.mark.parametrize("value", [2, 3, 4, 5, 11, 12, 21, 22, 25, 100, 101, 112, 234, 1002, 2500, 25_000])
def test_numbers_before_each_gender(value: int) -> None:
    for noun, gender in (("klienci", "m1"), ("raty", "f"), ("wnioski", "m3"), ("zamówienia", "n")):
        forms = {case: inflect(noun, case, "pl").forms[0] for case in ("nom", "gen", "dat", "inst", "loc")}
        words = cardinal(value, "gen", gender)
        thousands = value % 1000 == 0
        written = f"{words} {forms['gen']}"
        wanted = forms["gen"] if thousands else forms["dat"]
        assert inflect(written, "dat", "pl").forms[0] == f"{cardinal(value, 'dat', gender)} {wanted}"
        assert inflect(written, "nom", "pl").confidence > 0.3


@pytest.mark.parametrize(
    "words",
    [
        "jeden wniosek",
        "tysiąc złotych",
        "pierwszy wniosek",
        "milion złotych",
        "zero błędów",
        "1 wniosek",
        "wniosek",
        "",
    ],
)
def test_what_is_no_counting_numeral(words: str) -> None:
    assert numeral_at_start(words.split()) is None


@pytest.mark.parametrize(
    ("phrase", "case", "number", "expected"),
    [
        # counted
        ("pięć rat", "nom", "pl", "pięć rat"),
        ("dwóch wspólników", "nom", "pl", "dwóch wspólników"),
        ("dwóch wspólników", "inst", "pl", "dwoma wspólnikami"),
        ("obojga rodziców", "inst", "pl", "obojgiem rodziców"),
        ("dwa tysiące złotych", "gen", "pl", "dwóch tysięcy złotych"),
        ("pięć milionów złotych", "dat", "pl", "pięciu milionom złotych"),
        ("tysiąc złotych", "gen", "sg", "tysiąca złotych"),
        ("te dwie faktury", "inst", "pl", "tymi dwiema fakturami"),
        ("ostatnich trzech klientów", "dat", "pl", "ostatnim trzem klientom"),
        ("5 faktur VAT", "loc", "pl", "5 fakturach VAT"),
        ("15 kwietnia", "gen", "sg", "15 kwietnia"),
        ("zajęcie", "gen", "sg", "zajęcia"),
        ("para butów", "gen", "sg", "pary butów"),
        ("półtora miesiąca", "inst", "sg", "półtora miesiąca"),
        ("pół roku", "gen", "sg", "pół roku"),
        ("oboje małżonkowie", "nom", "pl", "oboje małżonkowie"),
        ("oboje małżonkowie", "inst", "pl", "obojgiem małżonków"),
        ("obydwiema stronami", "gen", "pl", "obydwu stron"),
        ("ile umów", "gen", "pl", "ilu umów"),
        # complements before the noun
        ("złożony przez pełnomocnika strony wniosek", "gen", "sg", "złożonego przez pełnomocnika strony wniosku"),
        ("płatne wolne na zdrowe dziecko", "gen", "sg", "płatnego wolnego na zdrowe dziecko"),
        ("dostępnych w sklepie nowych towarów", "nom", "pl", "dostępne w sklepie nowe towary"),
        ("ubiegająca się o dotację nowa spółka", "gen", "sg", "ubiegającej się o dotację nowej spółki"),
        ("oskarżony o oszustwo", "gen", "sg", "oskarżonego o oszustwo"),
        ("wolne od pracy", "gen", "sg", "wolnego od pracy"),
        ("pełna błędów umowa", "gen", "sg", "pełnej błędów umowy"),
        ("warta uwagi oferta", "gen", "sg", "wartej uwagi oferty"),
        ("trudno dostępny w Polsce lek", "gen", "sg", "trudno dostępnego w Polsce leku"),
        ("podlegający opodatkowaniu dochód", "gen", "sg", "podlegającego opodatkowaniu dochodu"),
        ("niespełniający wymagań wniosek", "gen", "sg", "niespełniającego wymagań wniosku"),
        # persons named by a participle
        ("zamawiający publiczny", "gen", "sg", "zamawiającego publicznego"),
        ("zamawiający szpital", "gen", "sg", "zamawiającego szpitala"),
        ("wnoszący nowy wniosek", "gen", "sg", "wnoszącego nowy wniosek"),
        ("kupujący towar", "gen", "sg", "kupującego towar"),
        ("obowiązujący regulamin", "gen", "sg", "obowiązującego regulaminu"),
        ("kierujący pojazdem mechanicznym", "dat", "sg", "kierującemu pojazdem mechanicznym"),
        # ordinals and Roman numerals
        ("dwa tysiące dwudziesty szósty rok", "gen", "sg", "dwa tysiące dwudziestego szóstego roku"),
        ("IV kwartału", "inst", "sg", "IV kwartałem"),
        ("I lub II instancja", "gen", "sg", "I lub II instancji"),
        ("CV kandydata", "gen", "sg", "CV kandydata"),
        ("XX-lecie firmy", "gen", "sg", "XX-lecia firmy"),
        ("50-lecie firmy", "inst", "sg", "50-leciem firmy"),
        # names
        ("ministra Jana Kowalskiego", "nom", "sg", "minister Jan Kowalski"),
        ("ministra edukacji", "nom", "sg", "minister edukacji"),
        ("ministra Katarzyna Kotula", "nom", "sg", "ministra Katarzyna Kotula"),
        ("profesora Jana Nowaka", "dat", "sg", "profesorowi Janowi Nowakowi"),
        ("Katarzyny Kotuli", "nom", "sg", "Katarzyna Kotula"),
        ("Anny Moniuszko", "nom", "sg", "Anna Moniuszko"),
        ("Ewy Moskal-Kowalskiej", "nom", "sg", "Ewa Moskal-Kowalska"),
        ("kierowniczka działu kadr Maria Zawadzka", "dat", "sg", "kierowniczce działu kadr Marii Zawadzkiej"),
        ("dyrektor szkoły Anna Nowak", "gen", "sg", "dyrektor szkoły Anny Nowak"),
        ("Ministra Klimatu Paulina Nowak", "gen", "sg", "Ministry Klimatu Pauliny Nowak"),
        ("Prezes Zarządu Jan Kowalski", "dat", "sg", "Prezesowi Zarządu Janowi Kowalskiemu"),
        ("Beaty Kowalskiej", "nom", "sg", "Beata Kowalska"),
        ("Stanisława Kowalskiego", "nom", "sg", "Stanisław Kowalski"),
        ("umowa najmu Jan Kowalski", "gen", "sg", "umowy najmu Jan Kowalski"),
        # places and twins
        ("Zakopane", "loc", "sg", "Zakopanem"),
        ("miasto Białystok", "voc", "sg", "miasto Białystok"),
        ("przewodnik górski", "acc", "sg", "przewodnika górskiego"),
        ("przewodnik wycieczek", "nom", "pl", "przewodnicy wycieczek"),
    ],
)
def test_neighbours_of_the_mended_kinds(phrase: str, case: str, number: str, expected: str) -> None:
    assert inflect(phrase, case, number).forms[:1] == (expected,)


def test_a_counted_phrase_of_a_query_is_left_alone() -> None:
    for text in ("dwaj wspólnicy", "pięć rat leasingowych", "kilka dokumentów", "obie strony umowy", "pół roku"):
        heads = [phrase for phrase in ParsedQuery(Query("q", text)).noun_phrases if phrase.governor.kind != "noun"]
        assert all(phrase.obstacle or phrase.confidence < CONFIDENCE_THRESHOLD for phrase in heads), text
