"""``number`` where a predicate has to change along, and where the number must stay."""

from __future__ import annotations

import random

import pytest

from perturb.perturbations.base import build
from perturb.polish.parsed import ParsedQuery
from perturb.records import Query


def numbers(text: str) -> set[str]:
    return {variant.text for variant in build("number")(ParsedQuery(Query("q", text)), random.Random(1))}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("kod rabatowy nie działa", "kody rabatowe nie działają"),
        ("nie działają drukarki sieciowe", "nie działa drukarka sieciowa"),
        ("czy faktury muszą być podpisane", "czy faktura musi być podpisana"),
        ("Dlaczego moja transakcja została odrzucona?", "Dlaczego moje transakcje zostały odrzucone?"),
        ("gdzie jest moja paczka", "gdzie są moje paczki"),
        ("certyfikat wygasł i strona nie działa", "certyfikaty wygasły i strona nie działa"),
        ("jak długo przechowywane są logi", "jak długo przechowywany jest log"),
        ("czy ten model jest wodoodporny", "czy te modele są wodoodporne"),
        ("Czy radca prawny może reprezentować obie strony?", "Czy radcowie prawni mogą reprezentować obie strony?"),
        ("faktura została opłacona dwa razy", "faktury zostały opłacone dwa razy"),
    ],
)
def test_the_predicate_changes_along(query: str, expected: str) -> None:
    assert expected in numbers(query)


@pytest.mark.parametrize(
    ("query", "unwanted"),
    [
        ("Czy paragon z NIP-em jest fakturą?", "fakturami"),
        ("Jak często wykonuje się przegląd uprawnień?", "wykonują"),
        ("Kto jest beneficjentem rzeczywistym spółki?", "beneficjentami"),
        ("Zepsuła się winda, kiedy będzie naprawiona?", "windy"),
        ("szef nie podpisał wniosku", "szefowie"),
        ("prawie wszystkie dostawy są opóźnione", "wszystka"),
        ("wykonawca zapłaci karę. Czy kara ta podlega VAT?", "kary."),
        ("jak podłączyć drugi monitor", "monitory"),
        ("jaki jest największy oddział", "oddziały"),
        ("Nie otrzymałem potwierdzenia zamówienia nr 458822.", "zamówień"),
        ("wyrok SN z 12 maja 2021 r., sygn. II CSK 12/20", "wyroki"),
        ("skonfiguruj logowanie w aplikacji „Authenticator”", "aplikacjach"),
        ("przelew zwrócony przez bank", "banki"),
        ("recepta bez wizyty", "recepta bez wizyt"),
        ("skierowanie do kardiologa", "kardiologów"),
        ("Jak cofnąć przelew wysłany na złe konto?", "konta"),
        ("drukarka do etykiet", "etykiety"),
        ("chcę wziąć urlop w piątek", "urlopy"),
        ("po upływie terminu", "upływach"),
        ("domowe sposoby na kaszel", "kaszle"),
        ("wystaw fakturę dla firmy ABC sp. z o.o.", "firm "),
    ],
)
def test_the_number_stays(query: str, unwanted: str) -> None:
    assert not any(unwanted in text for text in numbers(query))


def test_an_imperative_opens_no_noun_phrase() -> None:
    query = ParsedQuery(Query("q", "wystaw fakturę dla klienta"))
    assert query.verbs[0]
    assert not list(build("case")(query, random.Random(1)))


def test_keywords_side_by_side_stand_the_genitive_only() -> None:
    query = ParsedQuery(Query("q", "polecenie pracownika zasady"))
    texts = [variant.text for variant in build("case")(query, random.Random(1))]
    assert texts == ["polecenia pracownika zasady"]
    assert query.declined["keywords side by side"] == 5


def test_frames_fit_what_they_frame() -> None:
    rule = build("case_in_frame")
    asked = {v.text for i in range(300) for v in rule(ParsedQuery(Query("q", "tani laptop")), random.Random(str(i)))}
    assert "pytanie o tani laptop" in asked
    assert not any(text.startswith(("zasady", "sprawa", "procedura", "omów")) for text in asked)
    shown = {v.text for i in range(99) for v in rule(ParsedQuery(Query("q", "pokaż noty")), random.Random(str(i)))}
    assert "interesują mnie noty" in shown
    assert not any("informacje" in text for text in shown)
