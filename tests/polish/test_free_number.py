"""Which noun phrases are free in number, and homographs, acronyms and keywords that must not be misread."""

from __future__ import annotations

import random

import pytest

from perturb.perturbations import load_all
from perturb.perturbations.base import build
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases import inflect
from perturb.polish.phrases.free_number import is_countable
from perturb.records import Query

load_all()


def variants(name: str, text: str) -> set[str]:
    rule = build(name)
    parsed = ParsedQuery(Query("q", text))
    return {v.text for i in range(12) for v in rule(parsed, random.Random(str(i)))}


@pytest.mark.parametrize(
    "query",
    [
        "wilgotny sufit w piwnicy",
        "kosiarka w garażu",
        "zapasowe okno w kuchni",
        "wynajem auta w mieście",
        "urlop na żądanie w ciąży",
        "długi gminy",
        "saldo karty",
        "kaucja za lokal klienta",
        "opinie dla dyrektorów oddziałów",
        "wywóz gruzu",
        "podział spadku",
        "wycinka krzewów",
        "reset licznika",
        "nauka z języka francuskiego",
        "cukrzyca ciążowa",
        "rozliczyć koszt od dochodu",
        "zgubiłam kluczyk i fakturę",
        "sprzeciw od nakazu",
        "umowy z dostawcami",
        "duplikat faktury FV/7/2024",
        "promocja katalog rabat",
        "moje hasło do banku",
        "kierownik budowy",
    ],
)
def test_what_is_bound_keeps_its_number(query: str) -> None:
    changed = variants("number", query)
    harmless = {"kosiarki w garażu", "kaucje za lokal klienta"}
    assert changed <= harmless


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("faktura zaliczkowa", "faktury zaliczkowe"),
        ("jak wypełnić formularz zgłoszeniowy", "jak wypełnić formularze zgłoszeniowe"),
        ("zakup drukarki biurowej", "zakup drukarek biurowych"),
        ("czy notariusz musi podpisać umowę", "czy notariusze muszą podpisać umowę"),
        ("jak odstąpić od umowy pożyczki", "jak odstąpić od umów pożyczki"),
        ("brak dostępu do pliku", "brak dostępu do plików"),
        ("kary umowne za zwłokę", "kara umowna za zwłokę"),
        ("tzw. faktura uproszczona", "tzw. faktury uproszczone"),
        ("Czy w umowie trzeba podać PESEL?", "Czy w umowach trzeba podać PESEL?"),
    ],
)
def test_what_is_free_changes(query: str, expected: str) -> None:
    assert expected in variants("number", query)


def test_unique_persons_and_unknown_nouns_are_not_countable() -> None:
    assert is_countable("pracownik", "m1")
    assert is_countable("faktura", "f")
    assert not is_countable("prezes", "m1")
    assert not is_countable("wywóz", "m3")


@pytest.mark.parametrize(
    ("query", "unwanted"),
    [
        ("nowy XBR", "nowa"),
        ("stary SUV na sprzedaż", "stara"),
        ("tani MPV", "tania"),
        ("jury konkursu", "jura"),
        ("członek jury", "jur "),
        ("bilety na party", "parta"),
        ("zeznanie PIT małżonków", "PITY"),
    ],
)
def test_homographs_and_acronyms_are_not_misread(query: str, unwanted: str) -> None:
    for name in ("case", "number", "case_in_frame"):
        assert not any(unwanted in text for text in variants(name, query))


def test_an_unknown_acronym_beside_an_adjective_is_a_doubtful_masculine() -> None:
    assert inflect("drogi XBR", "gen", "sg").forms[0] == "drogiego XBR"
    assert inflect("drogi XBR", "gen", "sg").confidence < 0.75
    assert inflect("używany MPV", "dat", "sg").forms[0] == "używanemu MPV"


def test_indeclinable_jury() -> None:
    assert inflect("niezależne jury", "gen", "sg").forms[0] == "niezależnego jury"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("np. rata balonowa", "np. raty balonowej"),
        ("tzw. trudna miłość", "tzw. trudnej miłości"),
        ("przegląd gwarancyjny co dwa lata", "przeglądu gwarancyjnego co dwa lata"),
    ],
)
def test_an_abbreviation_or_interval_leaves_the_phrase_free(query: str, expected: str) -> None:
    assert expected in variants("case", query)


def test_a_frame_goes_before_an_abbreviation() -> None:
    framed = variants("case_in_frame", "tzw. czarna lista")
    assert framed
    assert all(" tzw. czarn" in text for text in framed)


@pytest.mark.parametrize(
    ("query", "genitive"),
    [
        ("mobbing zgłoszenie anonimowe", "mobbingu zgłoszenie anonimowe"),
        # The second keyword is hidden behind a genitive, a preposition, a code, an instrumental.
        ("zarządca budynku kontakt", "zarządcy budynku kontakt"),
        ("kaucja za mieszkanie zwrot", "kaucji za mieszkanie zwrot"),
        ("karta zgubiona duplikat", "karty zgubionej duplikat"),
        ("taryfa G12 godziny tańszego prądu", "taryfy G12 godziny tańszego prądu"),
        ("umowa wzór", "umowy wzór"),
        ("praca magisterska wymagania edytorskie", "pracy magisterskiej wymagania edytorskie"),
        ("dostawca prądu zmiana", "dostawcy prądu zmiana"),
        ("norma ISO 9001 punkt 8.4", "normy ISO 9001 punkt 8.4"),
        ("spółka z o.o. podatek", "spółki z o.o. podatek"),
    ],
)
def test_keywords_side_by_side_stand_the_genitive_only(query: str, genitive: str) -> None:
    assert variants("case", query) == {genitive}
    # At most both are written out as one phrase: *wzór umowy*.
    assert len(variants("case_in_frame", query)) <= 1


@pytest.mark.parametrize(
    "query",
    [
        "spam raport miesięczny",
        "urlop wniosek elektroniczny",
        "dostawca prądu umowa",
        "stażysta z urzędu pracy dofinansowanie",
        "skaleczenie ręki nożem pierwsza pomoc",
        "skład celny pozwolenie",
        "świadectwo fitosanitarne import",
        "konkurs chopinowski 2025 bilety",
        "rozkład jazdy autobus Radom",
        "umowa zlecenie",
        "przeciekający dach odszkodowanie",
        "phishing zgłoszenie szkody",
        "błąd 0x80070005 aktualizacja systemu",
        "rozporządzenie RODO art. 13 klauzula informacyjna",
        "czynsz zaległości raty",
    ],
)
def test_keywords_that_take_a_preposition_leave_the_first_alone(query: str) -> None:
    assert not variants("case", query)
    assert len(variants("case_in_frame", query)) <= 1


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("przelew zagraniczny opłata", "opłata za przelew zagraniczny"),
        ("zamówienie publiczne próg", "próg zamówienia publicznego"),
        ("badania wstępne skierowanie", "skierowanie na badania wstępne"),
        ("świetlica szkolna godziny otwarcia", "godziny otwarcia świetlicy szkolnej"),
        ("Umowa najmu wzór", "Wzór umowy najmu"),
        ("drukarka sieciowa sterownik", "sterownik do drukarki sieciowej"),
        ("VAT stawki", "stawki VAT-u"),
        ("urlop ojcowski wniosek", "wniosek o urlop ojcowski"),
        ("zwrotka szkolna instruktaż", "instruktaż ze zwrotki szkolnej"),
    ],
)
def test_two_keywords_written_out_as_one_phrase(query: str, expected: str) -> None:
    assert variants("case_in_frame", query) == {expected}


@pytest.mark.parametrize(
    "query",
    [
        "urlop ojcowski wniosek termin",
        "pracownik młodociany skierowanie na badania",
        "faktura 12/2026 korekta",
        "rozkład jazdy autobus",
        "umowa zlecenie wypowiedzenie",
        "czy wniosek urlop",
    ],
)
def test_keywords_of_unclear_government_are_not_written_out(query: str) -> None:
    assert not variants("case_in_frame", query)


@pytest.mark.parametrize(
    ("query", "dative"),
    [
        ("zgoda pani dyrektor", "zgodzie pani dyrektor"),
        ("wniosek o urlop i zgoda na wyjazd", None),
        ("karta multisport", "karcie multisport"),
        ("umowa o roboty budowlane", "umowie o roboty budowlane"),
        ("zgoda na wyjazd służbowy", "zgodzie na wyjazd służbowy"),
        ("naruszenie zasady równego traktowania", "naruszeniu zasady równego traktowania"),
        ("odpowiedzialność za szkody i straty", "odpowiedzialności za szkody i straty"),
        ("pismo z art. 5 ustawy", "pismu z art. 5 ustawy"),
    ],
)
def test_what_belongs_to_a_phrase_is_no_keyword_beside_it(query: str, dative: str | None) -> None:
    if dative:
        assert dative in variants("case", query)
    assert len(variants("case", query)) > 1


@pytest.mark.parametrize(
    "query",
    [
        "monitor miga po podłączeniu",
        "licencja na program wygasła",
        "umowa z dostawcą wygasła co robić",
        "rata kredytu wzrosła",
        "kotłownia dymi",
    ],
)
def test_a_predicate_behind_its_subject_is_no_part_of_the_phrase(query: str) -> None:
    assert not variants("case", query)
    assert not variants("case_in_frame", query)


@pytest.mark.parametrize(
    ("query", "plural"),
    [
        ("wygasła licencja na program", "wygasłe licencje na program"),
        ("monitor miga po podłączeniu", "monitory migają po podłączeniu"),
        ("licencja na program wygasła", "licencje na program wygasły"),
    ],
)
def test_predicate_and_adjective_are_told_apart(query: str, plural: str) -> None:
    assert plural in variants("number", query)


@pytest.mark.parametrize(
    "query",
    [
        "jak ocenić pracownika który pracuje zdalnie",
        "gdzie oddać sprzęt z którego nie korzystam",
        "przesyłka dotarła uszkodzona",
        "skierowanie do sanatorium jak długo się czeka",
        "zepsuty rower przy drodze kto zabiera",
        "czy turysta potrzebuje karty EKUZ?",
        "dlaczego bank odrzucił przelew",
        "jak przedłużyć umowę pracownikowi z Ukrainy",
        "kto ma uprawnienia administratora",
    ],
)
def test_number_is_kept_where_something_else_speaks_of_one(query: str) -> None:
    assert not variants("number", query) - {"czy turyści potrzebują karty EKUZ?"}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("czy mogę odwołać rezerwację", "możliwość odwołania rezerwacji"),
        ("do kiedy trzeba opłacić składkę?", "termin opłacenia składki"),
        ("chcę zmienić adres wysyłki", "w sprawie zmiany adresu wysyłki"),
        ("zmień mi numer telefonu", "prośba o zmianę numeru telefonu"),
        ("usuń konto klienta", "prośba o usunięcie konta klienta"),
        ("kto może odebrać paczkę", "osoba uprawniona do odebrania paczki"),
        ("co podpisać przy zakupie auta", "co podpisać w przypadku zakupu auta"),
        ("kto płaci za wywóz gruzu", "kto ponosi koszt wywozu gruzu"),
        ("kto zatwierdza plan lekcji", "kto odpowiada za zatwierdzanie planu lekcji"),
        ("gdzie kupić znak drogowy", "gdzie szukać znaku drogowego"),
        ("jak często przeglądać gaśnice", "częstotliwość przeglądania gaśnic"),
        ("kto przeprowadza szkolenie wstępne", "kto odpowiada za przeprowadzenie szkolenia wstępnego"),
        ("zgubiłem kartę wejściową", "co zrobić po zgubieniu karty wejściowej"),
        ("proszę o przesunięcie terminu wizyty", "w sprawie przesunięcia terminu wizyty"),
        ("chcę zrezygnować z ubezpieczenia", "w sprawie rezygnacji z ubezpieczenia"),
        ("czy mogę odstąpić od umowy", "możliwość odstąpienia od umowy"),
        ("nie działa mi drukarka sieciowa", "problem z drukarką sieciową"),
        ("czy muszę oddać sprzęt, który dostałem", "obowiązek oddania sprzętu, który dostałem"),
    ],
)
def test_questions_and_orders_about_an_action(query: str, expected: str) -> None:
    assert expected in variants("case_in_frame", query)


@pytest.mark.parametrize("query", ["mam kłopot z drukarką", "czy trzeba mieć konto", "chcę oddać buty, co mam robić"])
def test_no_verbal_noun_that_nobody_uses(query: str) -> None:
    assert not any(word in text for text in variants("case_in_frame", query) for word in ("mamieni", "mieni", "prośba"))


@pytest.mark.parametrize(
    "query",
    ["jak kupić w nocy części zamienne", "jak zadzwonić do banku", "jak zwrócić uwagę na błąd", "jak zadać pytanie"],
)
def test_no_verbal_noun_where_people_use_none(query: str) -> None:
    assert not variants("case_in_frame", query)


@pytest.mark.parametrize(
    ("query", "frame"),
    [
        ("regulamin pracy zdalnej", "opisz"),
        ("lista dostawców", "gdzie przeczytam o"),
        ("ogłoszenie o zebraniu", "informacje o"),
        ("zapytanie ofertowe", "pytanie o"),
        ("wózek widłowy", "gdzie przeczytam o"),
        ("hasło do poczty", "gdzie przeczytam o"),
        ("jak zresetować hasło", "informacje o zresetowaniu"),
        ("jak zresetować hasło", "interesuje mnie"),
        ("jak zresetować hasło", "kogo zapytać"),
    ],
)
def test_frames_that_do_not_suit_what_they_frame(query: str, frame: str) -> None:
    parsed, rule = ParsedQuery(Query("q", query)), build("case_in_frame")
    found = {v.text for seed in range(150) for v in rule(parsed, random.Random(seed))}
    assert len(found) > 2
    assert not [text for text in found if text.startswith(frame)]


@pytest.mark.parametrize("query", ["nr konta Wspólnoty Mieszkaniowej", "ul. Lipowa 5 śmieci", "tel. do kadr"])
def test_an_abbreviation_may_be_the_head(query: str) -> None:
    assert not variants("case", query)
    assert not variants("case_in_frame", query)


@pytest.mark.parametrize(
    "query",
    ["skrzynka pocztowa pełna", "winda nieczynna", "potrzebny mi nowy monitor i klawiatura", "drzwi zablokowane"],
)
def test_a_left_out_verb_makes_no_phrase(query: str) -> None:
    assert not variants("case", query)
    assert not variants("case_in_frame", query)


@pytest.mark.parametrize(
    "query", ["umowa ważna do końca roku", "towar uszkodzony w transporcie", "zamknięty obieg wody"]
)
def test_a_state_with_words_of_its_own_tells_which_one_is_meant(query: str) -> None:
    assert variants("case", query)


@pytest.mark.parametrize(
    "query",
    [
        "dlaczego system nie przyjmuje mojego numeru konta",
        "kiedy spółdzielnia wymienia wodomierze",
        "od tygodnia czekam na zwrot za sukienkę",
    ],
)
def test_number_is_kept_where_the_speaker_means_one(query: str) -> None:
    assert not variants("number", query) - {"kiedy spółdzielnia wymienia wodomierz"}
