import random

import pytest

from perturb.perturbations.orthography import (
    RealisticEnding,
    Spelling,
    is_common_word,
    misspellings,
    realistic_endings,
    spelling_rules,
)
from perturb.perturbations.slips import is_real_word
from perturb.perturbations.spacing import Spacing, fixed_phrases
from perturb.polish.morphology import analyse
from perturb.polish.parsed import ParsedQuery
from perturb.records import Query
from perturb.resources import read_table
from tests.perturbations.drawing import draw, texts


@pytest.mark.parametrize("rule", spelling_rules(), ids=lambda rule: f"{rule.before}-{rule.after}")
def test_each_spelling_rule_gives_its_example(rule) -> None:
    results = {way.after: way for way in misspellings(rule.before)}
    assert rule.after in results
    assert results[rule.after].kind == rule.kind
    assert 0.5 <= rule.confidence <= 1
    assert is_real_word(rule.before)


def test_rules_cover_what_poles_confuse() -> None:
    assert {rule.kind for rule in spelling_rules()} == {
        "ó-u", "rz-ż", "ch-h", "nasal", "ji-ii", "voicing", "cluster", "x",
    }  # fmt: skip


@pytest.mark.parametrize(
    "word",
    [
        "umowy",
        "faktura",
        "domu",
        "struktura",
        "procedura",
        "instrukcja",
        "wniosku",
        "przykład",
        "krzesło",
        "hardware",
        "vendor",
    ],
)
def test_what_no_pole_writes_is_not_offered(word: str) -> None:
    """Endings in -u never get ó, loanwords in -ura neither; prz- and krz- stay; unknown words have no rules."""
    offered = {way.after for way in misspellings(word)}
    assert not {after for after in offered if after.count("ó") > word.count("ó")}
    assert not {after for after in offered if after.startswith(("pż", "kż", "psz", "chard"))}


@pytest.mark.parametrize(
    "text",
    [
        "długo usługa dużej trudny rachunek obsługa przysługuje",  # no ó for u within a stem
        "piętrze dotrze powietrze strzelnica rozpatrzenie patrzeć",  # trz is cz only in trzeba and potrzeba
    ],
)
def test_u_and_trz_stay_where_nobody_errs(text: str) -> None:
    for word in text.split():
        for way in misspellings(word):
            assert way.after.count("ó") <= word.count("ó"), way
            assert way.kind != "cluster", way


def test_names_are_spelt_right_but_not_endings() -> None:
    assert not any("Łudz" in text or "Łudź" in text for text in texts(Spelling(), "sąd Łódź, mąż", range(60)))
    assert "przez Warszawe" in texts(RealisticEnding(), "przez Warszawę", range(10))


def test_the_first_person_gets_an_m_in_chcem_only() -> None:
    assert {way.after for way in realistic_endings("chcę")} >= {"chcem"}
    assert "płacem" not in {way.after for way in realistic_endings("płacę")}


def test_unknown_words_and_names_have_no_spelling_rules() -> None:
    assert not is_common_word("xyzrz")
    assert misspellings("reworksów") == ()
    assert misspellings("óóó") == ()
    assert draw(Spelling(), "RODO KSeF 12/2024", range(5)) == []


def test_spelling_keeps_capitals_and_flags_other_words() -> None:
    assert texts(Spelling(), "ŻĄDANIE", range(60)) >= {"RZĄDANIE"}
    assert all(after.isupper() for after in texts(Spelling(), "ŻĄDANIE", range(60)))
    assert all(after[0].isupper() for after in texts(Spelling(), "Rozpatrzyć", range(60)))
    flags = {variant.text: variant.flags for variant in draw(Spelling(), "może później", range(60))}
    assert flags["morze później"] == {"real_word"}
    assert flags["może puźniej"] == frozenset()


def test_several_mistakes_hit_different_words() -> None:
    for variant in draw(Spelling(mistakes=2), "żądanie zwrotu należności", range(30)):
        assert variant.kind == "s2"
        assert [edit.before for edit in variant.edits] == ["żądanie", "należności"] or len(variant.edits) == 2
    assert {v.kind for v in draw(Spelling(mistakes=3), "żądanie", range(5))} == {"rz-ż", "nasal"} & {
        v.kind for v in draw(Spelling(mistakes=3), "żądanie", range(5))
    }


def test_protected_words_stay() -> None:
    text = "„Żądanie” żądania na biuro@żądanie.pl, Żądanie"
    for after in texts(Spelling(), text, range(40), protected=["Żądanie"]):
        assert after.startswith("„Żądanie” ")
        assert after.endswith(" na biuro@żądanie.pl, Żądanie")


@pytest.mark.parametrize(
    ("word", "after", "kind"),
    [
        ("osobom", "osobą", "om-ą"),
        ("dzieciom", "dziecią", "om-ą"),
        ("umową", "umowom", "ą-om"),
        ("mogą", "mogom", "ą-om"),
        ("rozumiem", "rozumię", "em-ę"),
        ("chcę", "chcem", "ę-em"),
        ("fakturę", "fakture", "ę-e"),
        ("proszę", "prosze", "ę-e"),
    ],
)
def test_endings_taken_for_one_another(word: str, after: str, kind: str) -> None:
    assert (after, kind) in {(way.after, way.kind) for way in realistic_endings(word)}


@pytest.mark.parametrize("word", ["atom", "dom", "tom", "dobrą", "terminem", "się", "wiem", "problem"])
def test_endings_that_only_look_alike_stay(word: str) -> None:
    assert realistic_endings(word) == ()


def test_endings_flag_other_words() -> None:
    flags = {v.text: v.flags for v in draw(RealisticEnding(), "osobom trzecim wystawić fakturę", range(40))}
    assert flags["osobą trzecim wystawić fakturę"] == {"real_word"}
    assert flags["osobom trzecim wystawić fakture"] == frozenset()
    assert draw(RealisticEnding(), "termin zwrotu", range(5)) == []


@pytest.mark.parametrize("row", read_table("spacing.tsv"), ids=lambda row: row["correct"] + "-" + row["wrong"])
def test_each_phrase_moves_its_spaces(row: dict[str, str]) -> None:
    query = ParsedQuery(Query("q", f"czemu {row['correct']} tutaj"))
    assert f"czemu {row['wrong']} tutaj" in {
        f"czemu {site.edit.after} tutaj" for site in fixed_phrases(query) if site.kind == row["kind"]
    }
    spaces = row["correct"].count(" ") - row["wrong"].count(" ")
    assert (spaces > 0) == (row["kind"] in ("joined", "by-before-2026"))
    for word in row["correct"].split():
        assert analyse(word), word


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("na pewno tak", "napewno tak", "joined"),
        ("NA PEWNO tak", "NAPEWNO tak", "joined"),
        ("Naprawdę warto", "Na prawdę warto", "split"),
        ("drukarka nie działa", "drukarka niedziała", "nie-joined"),
        ("nieważna umowa", "nie ważna umowa", "nie-split"),
        ("Niekompletny wniosek", "Nie kompletny wniosek", "nie-split"),
        ("nie lepszy termin", "nielepszy termin", "nie-since-2026"),
        ("nie zapłacona faktura", "niezapłacona faktura", "nie-since-2026"),
        ("niezapłacona faktura", "nie zapłacona faktura", "nie-before-2026"),
        ("czyby warto", "czy by warto", "by-since-2026"),
        ("e-faktura", "efaktura", "hyphen"),
        ("E-faktura", "E faktura", "hyphen"),
        ("protokół zdawczo-odbiorczy", "protokół zdawczo odbiorczy", "hyphen"),
    ],
)
def test_spacing(before: str, after: str, kind: str) -> None:
    assert (after, kind) in {(v.text, v.kind) for v in draw(Spacing(), before, range(40))}


@pytest.mark.parametrize(
    "text",
    [
        "niedziela handlowa",
        "Niemcy i Polska",
        "niski niebieski",
        "VAT-u od KPI-ów",
        "na  pewno",
        "na, pewno",
        "nie Kowalski",
        "nie później niż jutro",
        "nie więcej",
        "nie być",
    ],
)
def test_spacing_leaves_the_rest(text: str) -> None:
    assert draw(Spacing(), text, range(20)) == []


def test_spacing_protects_and_flags() -> None:
    assert texts(Spacing(), "„na pewno” na pewno", range(20)) == {"„na pewno” napewno"}
    assert draw(Spacing(), "w ciągu dnia", range(3))[0].flags == {"real_word"}
    assert draw(Spacing(), "na pewno", range(3))[0].flags == frozenset()


def test_norms_of_nie_are_no_mistakes() -> None:
    for text in ("nie lepszy termin", "niezapłacona faktura"):
        for variant in draw(Spacing(), text, range(10)):
            assert variant.flags == frozenset()
            assert variant.confidence == 1.0


def test_nothing_to_do_is_declined() -> None:
    for rule in (Spelling(), Spacing(), RealisticEnding()):
        query = ParsedQuery(Query("q", "VAT"))
        assert list(rule(query, random.Random(1))) == []
        assert sum(query.declined.values()) == 1


@pytest.mark.parametrize(
    ("word", "barred"),
    [
        ("dwóch", "dwóh"),
        ("łańcuch", "łańcuh"),
        ("pracochłonności", "pracohłonności"),
        ("echo", "eho"),
        ("sądową", "sondową"),
    ],
)
def test_nobody_errs_there(word: str, barred: str) -> None:
    assert barred not in {way.after for way in misspellings(word)}
