"""Noun phrases given as such, against tables written by hand."""

from __future__ import annotations

import pytest

from perturb.errors import ConfigError
from perturb.polish.morphology import CASES, NUMBERS
from perturb.polish.phrases import inflect, phrase_table
from tests.polish.tables import rows

GOLD = rows("phrases.tsv")
CASE_TABLE = rows("inflection_cases.tsv")
LENIENT = ("sg_tantum", "proper", "pronoun")


@pytest.mark.parametrize("row", GOLD, ids=lambda row: row["phrase"])
def test_every_cell_of_the_gold(row: dict[str, str]) -> None:
    table = phrase_table(row["phrase"])
    for number in NUMBERS:
        for case in CASES:
            wanted, found = row[f"{number}.{case}"], table.cells[number][case]
            if wanted == "-":
                strict = "plurale_tantum" in row["tags"] or not any(tag in row["tags"] for tag in LENIENT)
                assert not (strict and found), f"{case}.{number} should not exist"
            else:
                assert found[:1], f"{case}.{number} is missing"
                assert found[0] in wanted.split("|"), f"{case}.{number}"


def test_the_gold_is_large_enough() -> None:
    assert len(GOLD) >= 300


@pytest.mark.parametrize("row", CASE_TABLE, ids=lambda row: f"{row['id']} {row['phrase']} {row['cell']}")
def test_phrases_that_broke_other_tools(row: dict[str, str]) -> None:
    case, number = row["cell"].split(".")
    forms = inflect(row["phrase"], case, number).forms
    if row["forms"] == "-":
        assert forms == ()
    else:
        assert forms[0] in row["forms"].split("|")
    assert not any(row["never"] in form for form in forms)


@pytest.mark.parametrize("phrase", ["RODO", "euro", "SLA", "KPI", "menu"])
def test_indeclinable_phrases_have_equal_cells(phrase: str) -> None:
    table = phrase_table(phrase)
    assert {form for cells in table.cells.values() for forms in cells.values() for form in forms} == {phrase}


@pytest.mark.parametrize("phrase", [row["phrase"] for row in GOLD if "pronoun" not in row["tags"]][::5])
def test_identity_and_round_trip(phrase: str) -> None:
    table = phrase_table(phrase)
    lemma = phrase_table(table.lemma)
    for number, cells in table.cells.items():
        for case, forms in cells.items():
            assert lemma.cells[number][case][:1] == forms[:1] or forms[0] in lemma.cells[number][case]


def test_no_form_holds_a_tag_or_homonym_id() -> None:
    for row in GOLD:
        for cells in phrase_table(row["phrase"]).cells.values():
            for forms in cells.values():
                for form in forms:
                    assert ":" not in form
                    assert "_" not in form or "_" in row["phrase"]


@pytest.mark.parametrize("phrase", ["", "   ", "xyzzy qwrt", "§ 4", "???", "umowa\u00a0najmu", "и так далее"])
def test_phrases_without_a_known_noun_do_not_raise(phrase: str) -> None:
    table = phrase_table(phrase)
    assert 0.0 <= table.confidence <= 1.0
    assert set(table.cells) == set(NUMBERS)


def test_a_phrase_without_a_noun_has_no_confidence() -> None:
    assert inflect("xyzzy qwrt", "gen", "sg").confidence == 0.0


def test_non_breaking_spaces_and_punctuation_are_kept() -> None:
    assert inflect("umowa\u00a0najmu", "gen", "sg").forms == ("umowy\u00a0najmu",)
    assert inflect("(umowa  najmu)", "gen", "sg").forms == ("(umowy  najmu)",)


@pytest.mark.parametrize(("case", "number"), [("genitive", "sg"), ("gen", "plural")])
def test_unknown_cells_are_refused(case: str, number: str) -> None:
    with pytest.raises(ConfigError, match="no cell"):
        inflect("umowa", case, number)


def test_apostrophes_follow_the_phrase() -> None:
    assert inflect("deadline", "gen", "sg").forms[:2] == ("deadline'u", "deadline’u")
    assert inflect("deadline’y", "gen", "sg").forms[0] == "deadline’u"


def test_same_table_for_soft_hyphen_and_decomposed_letters() -> None:
    clean = phrase_table("umowa najmu").cells
    assert phrase_table("umo\u00adwa najmu").cells == clean
    assert phrase_table("umowę najmu".replace("ę", "e\u0328")).cells["sg"]["gen"] == clean["sg"]["gen"]
