from __future__ import annotations

from pathlib import Path

import pytest

from perturb.errors import ConfigError
from perturb.perturbations import synonym_lexicon
from perturb.perturbations.base import build
from perturb.perturbations.synonym_lexicon import groups
from perturb.perturbations.synonyms import Synonyms
from perturb.polish.morphology import analyse
from perturb.polish.phrases import phrase_table
from perturb.polish.vocalisation import vocalised
from tests.perturbations.drawing import draw, texts

RULE = build("synonyms")
SEEDS = range(40)


def all_texts(text: str) -> set[str]:
    return texts(RULE, text, SEEDS)


def test_the_lexicon_is_large() -> None:
    assert len(groups()) >= 300
    assert len({tuple(member.text for member in group.members) for group in groups()}) == len(groups())
    assert len({group.domain for group in groups()}) >= 10


def test_every_noun_inflects_with_the_gender_it_claims() -> None:
    for group in groups():
        for member in group.members if group.pos == "noun" else ():
            cell = 7 if member.plural else 0
            assert member.forms[cell], member
            assert member.text in member.forms[cell], (member, member.forms[cell])
            assert member.forms[cell + 1], member
            assert (
                phrase_table(member.text).confidence >= 0.6 or member.text.upper() == member.text or "-" in member.text
            )


def test_words_of_a_group_are_of_one_part_of_speech() -> None:
    wanted = {"verb": {"inf"}, "adj": {"adj", "ppas"}}
    for group in groups():
        if group.pos in wanted:
            aspects: list[frozenset[str]] = []
            for member in group.members:
                readings = [r for r in analyse(member.text) if r.pos in wanted[group.pos] and r.is_accepted]
                assert readings, member
                if group.pos == "verb":
                    aspects.append(readings[0].get("aspect"))
            assert not aspects or frozenset.intersection(*aspects), group


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("numer konta dostawcy", "numer rachunku dostawcy"),
        ("skradziony komputer przenośny", "skradziony laptop"),
        ("nowa umowa z dostawcą", "nowy kontrakt z dostawcą"),
        ("do nowej umowy z klientem", "do nowego kontraktu z klientem"),
        ("jak podpisać nową umowę z klientem", "jak podpisać nowy kontrakt z klientem"),
        ("Umowa z dostawcą", "Kontrakt z dostawcą"),
        ("UMOWA Z DOSTAWCĄ", "KONTRAKT Z DOSTAWCĄ"),
        ("w umowie z klientem", "w kontrakcie z klientem"),
        ("opłata za przesyłkę", "opłata za paczkę"),
        ("w skrzynce mailowej", "w skrzynce e-mail"),
        ("z kursu BHP", "ze szkolenia BHP"),
        ("nowe środki trwałe", "nowy majątek trwały"),
        ("kontakt do kadr", "kontakt do działu kadr"),
        ("zwolnienie lekarskie", "L4"),
        ("jak usunąć konto", "jak skasować konto"),
        ("usuń plik", "skasuj plik"),
        ("błędny adres", "nieprawidłowy adres"),
        ("o błędnym adresie", "o niepoprawnym adresie"),
        ("podczas urlopu", "w trakcie urlopu"),
        ("w trakcie urlopu", "podczas urlopu"),
        ("dlaczego nie działa", "czemu nie działa"),
        ("z ubiegłego roku", "z zeszłego roku"),
        ("we wzorze pisma", "w szablonie pisma"),
        ("premia obejmująca rok", "bonus obejmujący rok"),
        ("Premia uznaniowa kierownika", "Bonus uznaniowy kierownika"),
    ],
)
def test_synonyms_take_the_form_of_the_word_they_replace(text: str, expected: str) -> None:
    assert expected in all_texts(text)


@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("umowa, która wygasła", "kontrakt"),
        ("umowa została podpisana", "kontrakt"),
        ("umowa o pracę", "kontrakt"),
        ("urlop bez podania przyczyny", "wniosk"),
        ("otwórz wdrożenie pracownika biurowego", "onboarding"),
        ("stawka 0% przy sprzedaży mebli odbiorcy", "klienta"),
        ("ile może wzrosnąć wynagrodzenie", "pensję"),
        ("kadry są czynne", "dział kadr"),
        ("ocena skutków dla ochrony danych", "konsekwencji"),
        ("lepszy termin niż najniższy", "minimalny"),
        ("zasady premii i bonusów", "bonusów i bonusów"),  # it stands there already
        ("co robić z przesyłką, w której brakuje paczki", "paczką, w której brakuje paczki"),
        ("program lojalnościowy dla stałych klientów", "lojalnych"),
        ("umowa o poziomie usług", "kontrakt"),
        ("zbyt długi czas realizacji", "zadłużenia"),
        ("zwrócić się o zwrot", "oddać"),
        ("premia obejmująca rok", "bonus obejmująca"),
        ("Wynagrodzenie zachowujesz w całości", "Pensja"),  # an object, not the subject
        ("nie trzeba składać wniosku", "należy"),
        ("program lojalnościowy regulamin punktów", "lojalnościowe"),
    ],
)
def test_nothing_where_meaning_or_agreement_is_unsure(text: str, unwanted: str) -> None:
    assert not any(unwanted in found for found in all_texts(text))


def test_risk_is_flagged_and_can_be_left_out() -> None:
    assert any("meaning_risk" in variant.flags for variant in draw(RULE, "zestawienie kosztów", SEEDS))
    assert texts(Synonyms(meaning_risk=False), "zestawienie kosztów", SEEDS) == set()


def test_domains_can_be_chosen() -> None:
    assert texts(Synonyms(domains=("it",)), "link do umowy", SEEDS) == {"odnośnik do umowy"}


def test_quotations_and_protected_names_are_left_alone() -> None:
    assert all_texts("„umowa”") == set()
    assert texts(RULE, "Umowa Plus", SEEDS, ["umowa plus"]) == set()


def test_only_the_word_and_its_adjectives_change() -> None:
    for variant in draw(RULE, "zmiana (pilna!)  przesyłki: numer  5/2024", SEEDS):
        assert variant.text.endswith("numer  5/2024")
        assert "(pilna!)  " in variant.text or "(nagląca!)  " in variant.text


@pytest.mark.parametrize(
    ("preposition", "word", "expected"),
    [
        ("w", "wniosku", "we"),
        ("we", "umowie", "w"),
        ("w", "firmie", "w"),
        ("w", "wersji", "w"),
        ("w", "Francji", "we"),
        ("z", "szkolenia", "ze"),
        ("z", "zwrotu", "ze"),
        ("z", "zespołu", "z"),
        ("z", "szefem", "z"),
        ("z", "wsparcia", "ze"),
        ("z", "wzoru", "ze"),
        ("z", "wniosku", "z"),
        ("ze", "umowy", "z"),
        ("z", "schematu", "ze"),
        ("z", "rzecznikiem", "z"),
        ("Z", "szkolenia", "Ze"),
        ("Z", "SZKOLENIA", "ZE"),
        ("z", "WZ", "z"),
        ("do", "wniosku", "do"),
        ("z", "", "z"),
    ],
)
def test_prepositions_are_vocalised(preposition: str, word: str, expected: str) -> None:
    assert vocalised(preposition, word) == expected


def test_a_noun_without_gender_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"words": "umowa; kontrakt/m3", "pos": "noun", "domain": "legal", "risk": "no", "not_in": "", "note": ""}
    with pytest.raises(ConfigError, match="umowa"):
        synonym_lexicon._group(row)


@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        # a word further right depends on what goes
        ("korekta faktury VAT wystawionej na złego nabywcę", "faktura korygująca"),
        ("zaświadczenie o zatrudnieniu i zarobkach do kredytu", "potwierdzenie"),
        ("szkolenie z ochrony danych obowiązkowe do kiedy", "kurs"),
        ("pracownik produkcyjny i magazynowy", "pracownik produkcji"),
        ("zaproszenie na podróż służbową wysłane wczoraj", "wyjazd"),
        # another sense
        ("ocena okresowa dostawców", "pracownicza"),
        ("z kursem NBP z dnia faktury", "szkoleniem"),
        ("szkolenie z metody 5S", "sposobu"),
        ("metoda liniowa amortyzacji", "sposób"),
        ("kurs akcji spółki", "szkolenie"),
        ("szkolenie ptaków drapieżnych", "kurs"),
        ("szkolenie zarządu z cyberbezpieczeństwa", "kurs"),
        ("kasa fiskalna przegląd techniczny", "badanie"),
        ("wynagrodzenie za bezumowne korzystanie z gruntu", "pensja"),
        ("wynagrodzenie kierowcy za nocleg", "pensja"),
        ("zapas uzupełnić przed weekendem", "wypełnić"),
        ("policzyć palety na hali", "obliczyć"),
        ("ze skutkiem natychmiastowym", "konsekwencją"),
        ("podczas gdy inni pracują", "w trakcie"),
        ("zwrócić uwagę dostawcy na towar", "oddać"),
        ("metodą 5 dlaczego", "czemu"),
        ("kopia zapasowa kluczy", "backup"),
        ("pod nieobecność kierownika", "absencj"),
        # a form misread, a fixed term
        ("etykiety logistyczne na palety wymagania", "wymogu"),
        ("podpis w stopce e-mail wzór", "wiadomość"),
        ("umowa o poziomie świadczenia usług z dostawcą", "kontrakt"),
        ("klient kluczowy plan współpracy", "najważniejszy"),
        ("karta szkolenia z Excela", "kursu"),
        ("premia inwestycyjna dla pracownika", "bonus"),
        ("zapora przeciwpożarowa między halami", "firewall"),
        ("bon żywieniowy dla pracownika", "voucher"),
        ("kurs jazdy na wózku", "szkolenie"),
        ("wada postawy pracowników biurowych", "defekt"),
        ("regulamin premii", "bonus"),
        # one side of a contrast
        ("umowa z dostawcą a umowa z klientem", "kontrakt"),
        ("premia uznaniowa a premia roczna", "bonus"),
    ],
)
def test_fixed_terms_other_senses_and_dependents_are_left_alone(text: str, unwanted: str) -> None:
    assert not any(unwanted in found for found in all_texts(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("szkolenie z Excela dla działu", "kurs z Excela dla działu"),
        ("wynagrodzenie pracownika brutto", "pensja pracownika brutto"),
        ("przegląd techniczny samochodu", "badanie techniczne samochodu"),
        ("ocena okresowa kierownika", "ocena pracownicza kierownika"),
        ("zaświadczenie o zarobkach do kredytu", "zaświadczenie o dochodach do kredytu"),
        ("metoda pakowania szkła", "sposób pakowania szkła"),
        ("wypełnić wniosek o urlop", "uzupełnić wniosek o urlop"),
    ],
)
def test_beside_the_right_words_they_are_exchanged(text: str, expected: str) -> None:
    assert expected in all_texts(text)
