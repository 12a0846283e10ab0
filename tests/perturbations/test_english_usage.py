"""English words only where a Pole would type them: in the office, in a usual form, with the right tail and case."""

from __future__ import annotations

import pytest

from perturb.perturbations.base import Perturbation
from perturb.perturbations.english import EnglishTerms
from perturb.perturbations.english_phrase import EnglishPhrase
from perturb.perturbations.synonyms import Synonyms
from perturb.perturbations.term_pairs import term_pairs
from perturb.resources import read_table
from tests.perturbations.drawing import texts

ALL = EnglishTerms(rendering=("inflected", "bare", "colloquial"))
SEEDS = range(6)


@pytest.mark.parametrize("rule", [ALL, EnglishPhrase()], ids=["terms", "phrase"])
@pytest.mark.parametrize(
    "text",
    [
        # at the doctor's, at school, in church, at home, with the authorities, in court, in a shop
        "termin wizyty u lekarza",
        "spotkanie z wychowawcą w przedszkolu",
        "harmonogram i zarząd parafii",
        "faktura za prąd do mieszkania",
        "przetarg na działkę gminną",
        "termin wykonania wyroku sądu",
        "zarząd wspólnoty mieszkaniowej",
        "szkolenie dla rodziców zastępczych",
        "spotkanie absolwentów liceum",
        "wspólnicy podjęli uchwałę o premii",
        "kierownik kina",
        # words of another trade or of everybody
        "zespół powypadkowy",
        "użytkownik wózka widłowego",
        "zadania służby BHP",
        "moje zamówienie nie dotarło",
        "zamówienie klienta złożone w sklepie",
        "reklamacja butów",
        "dostawca prądu",
        "marka samochodu",
        "wtyczka do gniazdka",
        "łatka na spodnie",
        "przestój pracownika",
        "kierownik budowy",
        "odrzucić spadek",
        "naprawić rower",
        "usunięcie niezgodności po audycie wewnętrznym",
        "zobowiązania stron umowy",
        "zwrot kosztów okularów",
        "dostarczyć towar do klienta",
        "aneks do umowy",
        "harmonogram zmian",
    ],
)
def test_the_english_of_the_office_stays_in_the_office(rule: Perturbation, text: str) -> None:
    assert texts(rule, text, [0]) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("odnośnik do strony urzędu", "link do strony urzędu"),
        ("kopia zapasowa telefonu dziecka", "backup telefonu dziecka"),
        ("sztuczna inteligencja w szkole", "AI w szkole"),
    ],
)
def test_some_english_is_everybodys(text: str, expected: str) -> None:
    assert expected in texts(ALL, text, [0])


def test_who_adds_a_pair_wants_it_everywhere() -> None:
    assert texts(EnglishTerms(mapping={"wizyta": "appointment"}), "wizyta u lekarza", [0]) == {"appointment u lekarza"}


@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("nasza faktura sprzedaży", "invoice"),  # the tail is a part of the term
        ("opis faktury zaliczkowej", "invoice"),
        ("awaria i kopia zapasowa systemu ERP", "system outage"),
        ("opóźnienie projektu i zwrot z inwestycji w maszyny", "ROI"),
        ("analiza wydatków na marketing", "spend analysis"),
        ("notatka ze spotkania z dostawcą", "minutes"),
        ("prognoza sprzedaży mebli", "sales forecast"),  # the sale of furniture
        ("odejście pracownika do konkurencji", "offboarding"),
        ("faktura korygująca zaliczkę", "credit note"),
        ("harmonogram zamknięcia miesiąca", "closing"),
        ("podróż służbowa zagraniczna", "business trip"),  # no adjective follows several English words
        ("rezerwacja terminu u dyrektora", "deadline"),  # a date, not a limit
        ("dwa terminy do wyboru", "deadline"),
    ],
)
def test_a_tail_that_belongs_to_the_polish_term_keeps_it(text: str, unwanted: str) -> None:
    assert not any(unwanted in found for rule in (ALL, EnglishPhrase()) for found in texts(rule, text, [0]))


@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("w zamówieniu zakupu brakuje ceny", "purchase order"),
        ("w limicie kredytowym klienta", "credit limi"),
        ("po zamknięciu miesiąca", "month-end"),
        ("po premierze produktu", "product launch"),
        ("oferta dla przedstawiciela handlowego", "sales representative"),
        ("dlaczego kupiec zastępuje kierownika działu zakupów", "procurement manager"),
    ],
)
def test_several_english_words_do_not_follow_prepositions(text: str, unwanted: str) -> None:
    assert not any(unwanted in found for rule in (ALL, EnglishPhrase()) for found in texts(rule, text, [0]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("zamówienie zakupu w systemie", "purchase order w systemie"),  # a subject
        ("uzgodnić zakres prac", "uzgodnić scope of work"),  # an object
        ("podwyższenie limitu kredytowego klienta", "podwyższenie credit limit klienta"),  # after a Polish noun
        ("poprawki po przeglądzie kodu", "poprawki po code review"),  # people do say it
        ("szkolenie z zarządzania zmianą", "szkolenie z change management"),  # nothing that could be counted
    ],
)
def test_where_several_english_words_do_stand(text: str, expected: str) -> None:
    assert expected in texts(ALL, text, [0])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("faktura od dostawcy stali", {"faktura od vendora stali", "invoice od dostawcy stali"}),  # not: stały
        ("nie mogę znaleźć faktury", set()),  # a genitive: invoice'u, or one of several: invoice'y?
        ("poufność informacji przekazanych dostawcy", set()),  # to the supplier
        ("umiejętności miękkie szkolenie", {"soft skille szkolenie", "soft skills szkolenie"}),  # not: miękki training
        ("umowa o poufności wygasła", set()),  # a past tense, not an adjective
        ("skan faktury zaginął, prosić o nową", set()),  # the invoice
        ("strona docelowa nie działa", {"landing page nie działa"}),  # działa is no past tense
        ("po wdrożeniu nowej wersji", {"po deploymencie nowej wersji", "po deployu nowej wersji"}),
    ],
)
def test_case_and_agreement_are_not_guessed(text: str, found: set[str]) -> None:
    assert texts(ALL, text, [0]) == found


def test_words_are_not_said_twice() -> None:
    assert not any("team team" in found for found in texts(EnglishPhrase(), "wyjazd integracyjny zespołu", [0]))


@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("usunąć usterkę", "skasować"),
        ("umowa o pracę na zastępstwo", "kontrakt"),
        ("za rok ubiegły", "zeszły"),
        ("oferta dla kluczowego klienta", "najważniejsz"),
        ("przesłać dalej wiadomość", "wysłać"),
        ("szkolenie obronne rezerwy", "kurs obronne"),
        ("próg rentowności wzór", "szablon"),
        ("wydarzenie online", "przez internet"),
        ("krótka lista dostawców", "wykaz"),
        ("kadry i płace", "dział kadr"),
        ("kto należy do zespołu", "trzeba"),
    ],
)
def test_synonyms_keep_fixed_phrases_and_other_senses(text: str, unwanted: str) -> None:
    assert not any(unwanted in found for found in texts(Synonyms(), text, SEEDS))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("jak usunąć plik", "jak skasować plik"),
        ("umowa z klientem", "kontrakt z klientem"),
        ("zwrócić towar", "oddać towar"),
        ("wzór pełnomocnictwa", "szablon pełnomocnictwa"),
    ],
)
def test_synonyms_beside_the_words_that_settle_the_sense(text: str, expected: str) -> None:
    assert expected in texts(Synonyms(), text, SEEDS)


def test_contexts_are_lemmas_in_lower_case() -> None:
    words = [row["lemma"] for row in read_table("everyday_contexts.tsv")]
    assert words == sorted(set(words)) and len(words) > 300
    assert all(word == word.lower() for word in words)


def test_enough_pairs_still_go_into_english() -> None:
    into_english = [pair for pair in term_pairs() if pair.use != "polish" and pair.pos in ("noun", "verb")]
    assert len(into_english) >= 400
    domains = {pair.domain for pair in into_english}
    assert len([d for d in domains if sum(pair.domain == d for pair in into_english) >= 10]) >= 10
