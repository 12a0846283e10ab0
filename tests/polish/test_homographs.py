"""Homographs told apart by the words beside them, in phrases of the kinds that real texts broke on."""

from __future__ import annotations

import pytest

from perturb.polish.phrases import inflect, phrase_table

CASES = [
    # agreement beats government: an adjective that agrees with a noun after it is no noun itself
    ("lewy górny róg", "loc", "sg", "lewym górnym rogu"),
    ("lewy i prawy margines", "gen", "sg", "lewego i prawego marginesu"),
    ("długi wiersz", "gen", "sg", "długiego wiersza"),
    ("ten sam styl", "gen", "sg", "tego samego stylu"),
    ("poziomy pasek przewijania", "loc", "sg", "poziomym pasku przewijania"),
    ("oskarżony o oszustwo biznesmen", "dat", "sg", "oskarżonemu o oszustwo biznesmenowi"),
    ("komunikat taki", "nom", "pl", "komunikaty takie"),
    # a plural noun that looks like an adjective stays a tail
    ("seria danych", "gen", "pl", "serii danych"),
    ("tabela w bazie danych", "nom", "pl", "tabele w bazie danych"),
    ("dane klienta", "inst", "pl", "danymi klienta"),
    # one lexeme or its homograph
    ("list przewozowy", "gen", "sg", "listu przewozowego"),
    ("listy wyboru", "gen", "sg", "listy wyboru"),
    ("bal charytatywny", "gen", "sg", "balu charytatywnego"),
    ("drugi rząd", "loc", "sg", "drugim rzędzie"),
    ("rząd polski", "loc", "sg", "rządzie polskim"),
    ("operator logiczny", "nom", "pl", "operatory logiczne"),
    ("operator maszyny", "nom", "pl", "operatorzy maszyny"),
    ("strona prawa", "gen", "sg", "strony prawej"),
    # what stays as it is
    ("architektura klient-serwer", "inst", "sg", "architekturą klient-serwer"),
    ("alibi oskarżonego", "inst", "sg", "alibi oskarżonego"),
    ("menu kontekstowe", "gen", "sg", "menu kontekstowego"),
    ("szkolenie podczas pracy", "gen", "sg", "szkolenia podczas pracy"),
    ("otwarcie rachunku", "inst", "sg", "otwarciem rachunku"),
    ("kopia akt osobowych", "loc", "sg", "kopii akt osobowych"),
    # behind the tail, and behind a second noun
    ("prawo jazdy międzynarodowe", "gen", "sg", "prawa jazdy międzynarodowego"),
    ("buty do biegania damskie", "gen", "pl", "butów do biegania damskich"),
    ("pole listy lub pole kombi", "loc", "sg", "polu listy lub polu kombi"),
]


@pytest.mark.parametrize(("phrase", "case", "number", "expected"), CASES)
def test_homographs_are_told_apart(phrase: str, case: str, number: str, expected: str) -> None:
    assert inflect(phrase, case, number).forms[:1] == (expected,)


def test_plural_names_have_no_singular() -> None:
    table = phrase_table("Stanach Zjednoczonych")
    assert table.lemma == "Stany Zjednoczone"
    assert not any(table.cells["sg"].values())


def test_short_possessives_are_kept_in_their_own_cell() -> None:
    assert inflect("swego stanu", "gen", "sg").forms[0] == "swego stanu"
    assert inflect("swój stan", "gen", "sg").forms[0] == "swojego stanu"
