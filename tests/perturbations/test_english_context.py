"""No English word where the Polish one is part of another term, a length of time, counted, repeated or leant on."""

from __future__ import annotations

import pytest

from perturb.perturbations.base import Perturbation
from perturb.perturbations.english import EnglishTerms
from perturb.perturbations.english_phrase import EnglishPhrase
from perturb.perturbations.term_dependents import dependents
from perturb.perturbations.term_pairs import kept_terms, pair_index, term_pairs
from perturb.polish.parsed import ParsedQuery
from perturb.polish.terms import term_pattern
from perturb.records import Query
from tests.perturbations.drawing import texts

RULES = pytest.mark.parametrize("rule", [EnglishTerms(), EnglishPhrase()], ids=["terms", "phrase"])


@RULES
@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("koszty ogólne zarządu w kalkulacji", "overhead"),
        ("koszty ogólne zarządu w kalkulacji", "board"),
        ("zasoby ludzkie w projekcie", "human resources"),
        ("zespół prądotwórczy na hali", "team"),
        ("zespół Aspergera u pracownika", "team"),
        ("zespół ratownictwa medycznego", "team"),
        ("szkolenie ptaków drapieżnych", "training"),
        ("szkolenie językowe pracowników", "training"),
        ("spotkanie integracyjne działu", "meeting"),
        ("wdrożenie systemu obiegu faktur", "invoice"),
        ("harmonogram projektu wdrożenia nowego systemu", "deployment"),
        ("wdrożenie systemu kaucyjnego w sklepach", "deployment"),
        ("termin wdrożenia e-faktur", "deployment"),
        ("zawieranie umów w imieniu zarządu", "board"),
        ("sprawozdanie zarządu z działalności", "board"),
        ("dostawca posiłków na stołówkę", "vendor"),
        ("premia gwarancyjna od banku", "bonus"),
        ("paragon z NIP zamiast faktury", "invoice"),
        ("kadry inżynierskie z Ukrainy", "HR"),
        ("zatwierdzić wniosek urlopowy", "approve"),
        ("Mój przełożony nie zatwierdził jeszcze wniosku urlopowego", "approve"),
        ("klauzula RODO w ogłoszeniu", "GDPR"),
        ("biuro obsługi klienta", "customer service"),
        ("kopia zapasowa dowodu osobistego", "backup"),
        ("wersja próbna perfum", "trial"),
        ("plan kontroli sanepidu", "control plan"),
        ("zarząd nad magazynem", "board"),
        ("zadanie inwestycyjne zespołu", "task"),
    ],
)
def test_a_term_that_means_something_else_stays_polish(rule: Perturbation, text: str, unwanted: str) -> None:
    assert not any(unwanted in found for found in texts(rule, text, [0]))


@RULES
@pytest.mark.parametrize(
    "text",
    [
        "skrócenie terminu płatności z 45 do 21 dni",
        "termin płatności 14 czy 30 dni",
        "odroczony termin płatności 60 dni",
        "dwutygodniowy termin płatności",
        "wydłużyć termin zapłaty klientowi",
        "ostateczny termin to 14 dni od doręczenia",
        "jak długi jest termin płatności",
        "termin odpowiedzi na reklamację wynosi trzydzieści dni",
    ],
)
def test_a_length_of_time_is_no_deadline(rule: Perturbation, text: str) -> None:
    assert not any("deadline" in found for found in texts(rule, text, [0]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 dni po terminie płatności", "3 dni po deadlinie płatności"),
        ("przesunąć termin wdrożenia o 2 tygodnie", "przesunąć deadline wdrożenia o 2 tygodnie"),
        ("dwa tygodnie przed terminem dostawy", "dwa tygodnie przed deadline'em dostawy"),
        ("przed terminem płatności", "przed deadline'em płatności"),
    ],
)
def test_a_distance_from_a_date_leaves_it_a_deadline(text: str, expected: str) -> None:
    assert expected in texts(EnglishTerms(), text, [0])


@RULES
@pytest.mark.parametrize("text", ["liczba nadgodzin w maju", "ile nadgodzin", "20 nadgodzin", "praca w nadgodzinach"])
def test_what_is_counted_takes_no_mass_noun(rule: Perturbation, text: str) -> None:
    assert not any("overtime" in found for found in texts(rule, text, [0]))


def test_after_a_counting_word_the_english_word_is_plural() -> None:
    found = texts(EnglishTerms(), "ile reklamacji zgłosiliśmy dostawcom", [0])
    assert "ile claimów zgłosiliśmy dostawcom" in found
    assert not any("claimu" in text for text in found)


@RULES
@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("testy akceptacyjne użytkowników systemu", "UAT"),
        ("faktura proforma a faktura zaliczkowa", "invoice"),
        ("premia uznaniowa a premia regulaminowa", "bonus"),
        ("faktura od dostawcy a faktura dla klienta", "invoice"),
    ],
)
def test_nothing_is_said_twice_and_no_contrast_is_halved(rule: Perturbation, text: str, unwanted: str) -> None:
    assert not any(unwanted in found for found in texts(rule, text, [0]))


@pytest.mark.parametrize("text", ["lista zadań zespołu", "czas realizacji zamówienia u dostawcy"])
def test_an_english_phrase_is_wholly_english(text: str) -> None:
    assert not any(
        "lista" in found.split("zadań")[0] and "to-do" in found for found in texts(EnglishPhrase(), text, [0])
    )
    assert not any("PO lead time" in found for found in texts(EnglishPhrase(), text, [0]))


def test_an_adjective_set_against_another_keeps_its_language() -> None:
    assert texts(EnglishPhrase(), "lista zewnętrznych dostawców", [0]) == {"lista external vendors"}
    assert not texts(EnglishPhrase(), "lista zewnętrznych dostawców czy krajowych", [0])


@RULES
@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("Kto jest kierownikiem projektu Nowa Hala?", "project manager"),
        ("Kto jest kierownikiem projektu „Nowa Hala”?", "project manager"),
        ("kierownik zespołu 4 w magazynie", "team leader"),
        ("kierownik projektu budowlanego uprawnienia", "project manager"),
        ("reklamacja uszkodzonych palet od dostawcy", "claim"),
        ("reklamacja jakościowa partii lakieru u dostawcy", "claim"),
        ("kto odpowiada za wdrożenie pracownika z zagranicy", "onboarding"),
        ("błąd w oprogramowaniu do fakturowania", "bug"),
        ("zamówienie 200 sztuk u dostawcy", "PO"),
    ],
)
def test_what_belongs_to_a_noun_inside_a_term_keeps_it(rule: Perturbation, text: str, unwanted: str) -> None:
    assert not any(unwanted in found for found in texts(rule, text, [0]))


@RULES
@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("spotkanie z dostawcą przełożone na piątek", "meeting"),
        ("oferta cenowa od dostawcy ważna tylko 14 dni", "quote"),
        ("wdrożenie pracownika, który wraca po dwóch latach", "onboarding"),
        ("zaproszenie na spotkanie wysłane do złej osoby", "meeting"),
        ("klient nie przyjął oferty cenowej, bo była droższa", "quote"),
        ("obsługa klienta nie ma dostępu", "mój"),
        ("kupiec nie odpisuje dostawcy od poniedziałku", "vendora"),
    ],
)
def test_words_that_lean_on_a_term_are_not_left_behind(rule: Perturbation, text: str, unwanted: str) -> None:
    assert not any(unwanted in found for found in texts(rule, text, [0]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "wdrożenie nowej wersji aplikacji przesunięte o tydzień",
            "deployment nowej wersji aplikacji przesunięty o tydzień",
        ),
        ("szkolenie z ochrony danych obowiązkowe do piątku", "training z ochrony danych obowiązkowy do piątku"),
        ("plan działania z audytu przyjęty w maju", "action plan z audytu przyjęty w maju"),
        ("zespół IT nie odbiera telefonu", "team IT nie odbiera telefonu"),
        ("premia kwartalna kierownika", "bonus kwartalny kierownika"),
        ("faktura wpłynęła wczoraj", "invoice wpłynął wczoraj"),
        ("oferta cenowa od dostawcy ważna do piątku", "quote od dostawcy ważny do piątku"),
    ],
)
def test_what_can_follow_does(text: str, expected: str) -> None:
    assert expected in texts(EnglishTerms(), text, [0])


def test_kept_terms_can_be_found_and_are_not_translated() -> None:
    polish = {pair.polish for pair in term_pairs() if pair.use != "polish"}
    assert kept_terms() == tuple(sorted(set(kept_terms())))
    for term in kept_terms():
        assert term_pattern(term) is not None, term
        assert term not in polish


def test_a_term_of_ones_own_comes_before_those_that_are_kept() -> None:
    index = pair_index((("zespół prądotwórczy", "generator"),))
    query = ParsedQuery(Query("q", "zespół prądotwórczy na hali"))
    assert [pair.english for _, pair in index.find(query)] == ["generator"]
    assert not query.declined


@pytest.mark.parametrize(
    ("text", "span", "found"),
    [
        ("korekta faktury wystawionej wczoraj", (0, 1), [(2, 1)]),
        ("szkolenie z ochrony danych obowiązkowe dla działu", (0, 0), [(4, 0)]),
        ("umowa z dostawcą nowego systemu", (0, 0), []),  # the system is new
        ("spotkanie na nową umowę podpisaną wczoraj", (0, 0), []),  # the contract is signed
        ("umowa, podpisana wczoraj", (0, 0), [(2, 0)]),
        ("umowa i podpisane wczoraj aneksy", (0, 0), []),
    ],
)
def test_dependents(text: str, span: tuple[int, int], found: list[tuple[int, int]]) -> None:
    query = ParsedQuery(Query("q", text))
    assert dependents(query, *span, span[1] + 1) == found
