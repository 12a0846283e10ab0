from __future__ import annotations

import re

import pytest

from perturb.errors import ConfigError
from perturb.perturbations import load_all
from perturb.perturbations.base import PERTURBATIONS, build
from perturb.perturbations.polite import Polite
from perturb.perturbations.query_form import QueryForm
from perturb.perturbations.surface_forms import Truncated
from perturb.resources import read_table
from tests.perturbations.drawing import draw, texts

load_all()
SEEDS = range(60)


def found(form: str, text: str) -> set[str]:
    return texts(build(f"query_form.{form}"), text, SEEDS)


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        ("lower", "Szkolenie BHP w Łodzi", "szkolenie bhp w łodzi"),
        ("lower", "McDonald i KSeF w Łodzi, UMOWA NAJMU", "mcdonald i KSeF w łodzi, umowa najmu"),
        ("upper", "urlop na żądanie", "URLOP NA ŻĄDANIE"),
        ("upper", "umowa z McDonald", "UMOWA Z McDonald"),
        ("upper", "zakup od 100 000 zł netto", "ZAKUP OD 100 000 ZŁ NETTO"),
        ("upper", "DELEGACJI m.in. paliwo", "DELEGACJI M.IN. PALIWO"),
        ("no_punctuation", "Co zrobić, gdy (nagle) brak?", "Co zrobić gdy nagle brak"),
        ("no_punctuation", "pasek – gdzie jest?", "pasek gdzie jest"),
        ("no_punctuation", "Alfa sp. z o.o. zwrot.", "Alfa sp. z o.o. zwrot"),
        ("no_punctuation", "zgodnie z art. 5, ust. 2", "zgodnie z art. 5 ust. 2"),
        ("no_punctuation", "tak,nie", "tak nie"),
        ("no_punctuation", "umowa „Bank, Polski”.", "umowa „Bank, Polski”"),
        ("doubled", "zwrot towaru", "zwrot towaru zwrot towaru"),
        ("spaces", "Kto płaci?", "Kto płaci ?"),
        ("spaces", "Kto płaci?", "Kto  płaci?"),
        ("spaces", "sprawdź, czy działa", "sprawdź,czy działa"),
    ],
)
def test_surface_forms(form: str, text: str, expected: str) -> None:
    if form == "lower" and "McDonald" in text:
        # A capital inside a word marks a name, which nothing changes.
        expected = expected.replace("mcdonald", "McDonald")
    assert expected in found(form, text)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("lower", "urlop"),
        ("lower", "KSeF"),
        ("upper", "URLOP"),
        ("no_punctuation", "urlop"),
        ("no_punctuation", "???"),
        ("doubled", "12/2024"),
        ("spaces", "urlop"),
        ("truncated", "faktura FV/12/2026"),
        ("truncated", "a"),
        ("truncated", "zwrot „Plus”"),
        ("keywords", "jak to jest?"),
        ("keywords", "urlop"),
        ("keywords", "Co wysłać klientowi, który zgubił fakturę?"),
        ("keywords", "Gdzie zgłosić wypadek i kto sporządza dokumentację?"),
        ("keywords", "Jak ująć usługę, za którą nie ma faktury?"),
        ("keywords", "W jakim terminie firma wydaje świadectwo pracy?"),
        ("keywords", "nie ma czasu na zapytanie, co zrobić"),
        ("keywords", "o co w niej chodzi"),
        ("keywords", "kto zatwierdza i podpisuje umowę?"),
        ("keywords", "bilety lotnicze kto kupuje"),
        ("keywords", "dostęp do systemu kadrowego"),
        ("keywords", "wymagania dla dostawcy"),
        ("keywords", "umowa B2B a etat"),
        ("keywords", "mam awarię monitora i nie mogę pracować"),
        ("word_order", "ocena ryzyka zawodowego magazyniera"),
        ("keywords", "wniosek do zarządu"),
        ("keywords", "termin do końca miesiąca"),
        ("keywords", "kto odpowiada za serwis klimatyzacji"),
        ("keywords", "nabór do szkoły od 1 do 31 marca"),
        ("keywords", "badania kierowców co 5 lat dla kogo"),
        ("keywords", "odprawa przy zwolnieniu grupowym"),
        ("keywords", "Drukarka na 3 piętrze nie drukuje w kolorze"),
        ("keywords", "zysk operacyjny w ujęciu rok do roku"),
        ("keywords", "jak działa podzielona płatność"),
        ("question_to_keywords", "urlop"),
        ("question_to_keywords", "Jak działać szybko?"),
        ("question_to_keywords", "Jak wystawić fakturę, gdy nie ma danych?"),
        ("question_to_keywords", "„jak” to jest"),
        ("keywords_to_question", "Jak to działa?"),
        ("keywords_to_question", "pokaż wzór"),
        ("keywords_to_question", "pożar u podwykonawcy a niewykonanie umowy"),
        ("keywords_to_question", "xyzzy"),
        ("polite", "xyzzy"),
        ("polite", "prośba o zwiększenie limitu"),
        ("polite", "nowe logo na samochodach"),
        ("word_order", "urlop"),
        ("word_order", "comiesięczne wskaźniki terminowości kluczowych dostawców"),
        ("word_order", "Termin płatności faktury"),
        ("word_order", "czas pracy kierowców"),
        ("word_order", "W jakim terminie firma wydaje świadectwo i co zrobić, jeśli jest błąd?"),
        ("word_order", "Co z umową, gdy jej nie ma?"),
        ("dictated", "urlop"),
        ("dictated", "?"),
    ],
)
def test_not_applicable(form: str, text: str) -> None:
    assert found(form, text) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Czy szef może nie zgodzić się na urlop na żądanie?", "szef może nie zgodzić się na urlop na żądanie"),
        ("Jak wystawić fakturę korygującą?", "wystawić fakturę korygującą"),
        ("Jak wystawić fakturę do umowy?", "wystawić fakturę do umowy"),
        ("Ile ofert trzeba zebrać?", "Ile ofert zebrać"),
        ("Ile nowych ofert?", "nowe oferty"),
        ("Od jakiej wartości potrzebna jest opinia?", "Od jakiej wartości potrzebna opinia"),
        ("ocena dostawcy w jego zakładzie", "ocena dostawcy w zakładzie"),
        ("Jak długo przechowywane są nagrania?", "Jak długo przechowywane nagrania"),
        ("co mam teraz zrobić z umową?", "co zrobić z umową"),
        ("pokaż nową umowę ramową", "nowa umowa ramowa"),
        ("Proszę o zmianę adresu", "zmiana adresu"),
        ("kto jest kupcem odpowiedzialnym za opakowania", "kupiec odpowiedzialny za opakowania"),
        ("gdzie można kupić bilet?", "gdzie kupić bilet"),
        ("zwroty od klientów w sklepie", "zwroty klientów w sklepie"),
        ("zwroty od klientów gdzie kierować", "zwroty klientów gdzie kierować"),
        ("kod do furtki", "kod furtki"),
        ("znajdź mi nową procedurę zwrotu", "nowa procedura zwrotu"),
        ("jakie mam opcje dojazdu", "opcje dojazdu"),
        ("do jakiej kwoty mogę sam podpisać umowę, proszę", "do jakiej kwoty mogę sam podpisać umowę"),
        ("ile razy w roku jest ocena pracownicza", "ile razy w roku ocena pracownicza"),
        ("proszę o informację kiedy dotrze przesyłka", "kiedy dotrze przesyłka"),
        ("w tym roku są jakieś dodatki?", "w tym roku dodatki"),
        ("chciałbym wiedzieć kiedy kończy się moja umowa", "kiedy kończy się umowa"),
        ("faktury co 30 czy co 60 dni są lepsze", "faktury co 30 czy co 60 dni lepsze"),
        ("pokaż wzór wniosku o urlop", "wzór wniosku o urlop"),
        ("kto jest właścicielem procesu?", "właściciel procesu"),
        ("Proszę o przesłanie umowy", "przesłanie umowy"),
        ("Na ile lat można podpisać umowę?", "Na ile lat podpisać umowę"),
        ("Czy spółka musi mieć kasę?", "spółka musi mieć kasę"),
        ("jakie co najmniej 2 lata stażu", "co najmniej 2 lata stażu"),
        ("Ile procent podwyżki?", "procent podwyżki"),
        ("jaki kurs euro tabela A", "kurs euro tabela A"),
        ("Jaka jest różnica między ratą a odsetkami?", "różnica między ratą a odsetkami"),
        ("Czy na pewno trzeba płacić składkę?", "na pewno płacić składkę"),
        ("Jak napisać pismo w sprawie renty?", "napisać pismo w sprawie renty"),
    ],
)
def test_keywords(text: str, expected: str) -> None:
    assert expected in found("keywords", text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Jak wystawić fakturę korygującą?", "wystawienie faktury korygującej"),
        ("pokaż, jak ustawić nowe hasło", "ustawienie nowego hasła"),
        ("Jaki jest termin płatności faktury?", "termin płatności faktury"),
        ("Jakie są warunki umowy", "warunki umowy"),
        ("Jaki jest obecnie roczny limit godzin?", "roczny limit godzin"),
        ("ile wynosi dieta za wyjazd?", "dieta za wyjazd"),
        ("Co to jest kopia zapasowa?", "kopia zapasowa"),
        ("pokaż instrukcję ewakuacji", "instrukcja ewakuacji"),
        ("znajdź mi procedurę zwrotu towaru", "procedura zwrotu towaru"),
        ("usuń moje konto z bazy", "usunięcie mojego konta z bazy"),
        ("gdzie znajdę wzór umowy?", "wzór umowy"),
    ],
)
def test_questions_become_keywords(text: str, expected: str) -> None:
    assert found("question_to_keywords", text) == {expected}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("termin płatności faktury", "jaki jest termin płatności faktury?"),
        ("stawka podatku", "ile wynosi stawka podatku?"),
        ("warunki umowy", "jakie są warunki umowy?"),
        ("kary umowne", "co to są kary umowne?"),
        ("kopia zapasowa", "co to jest kopia zapasowa?"),
        ("wypowiedzenie umowy", "jak wygląda wypowiedzenie umowy?"),
        ("rezygnacja z najmu", "jak wygląda rezygnacja z najmu?"),
        ("wniosek o urlop", "gdzie znajdę wniosek o urlop?"),
        ("umowa najmu", "gdzie znajdę umowę najmu?"),
        ("kara umowna", "gdzie znajdę informacje o karze umownej?"),
        ("Kara umowna", "Gdzie szukać informacji na temat kary umownej?"),
        ("UMOWA NAJMU", "CO TRZEBA WIEDZIEĆ O UMOWIE NAJMU?"),
        ("praca i urlop", "jak wyglądają praca i urlop?"),
    ],
)
def test_keywords_become_questions(text: str, expected: str) -> None:
    assert expected in found("keywords_to_question", text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Jak wystawić fakturę?", "Proszę o informację, jak wystawić fakturę."),
        ("jak wystawić fakturę", "chciałbym się dowiedzieć, jak wystawić fakturę"),
        ("Jak wystawić fakturę?", "Czy ktoś wie, jak wystawić fakturę?"),
        ("Jak wystawić fakturę?", "Mam pytanie: jak wystawić fakturę?"),
        ("Jak wystawić fakturę?", "Jak wystawić fakturę? Z góry dziękuję."),
        ("czy ktoś wie", "dzień dobry, czy ktoś wie"),
        ("W jakim terminie firma płaci?", "Proszę o odpowiedź, w jakim terminie firma płaci."),
        ("pokaż wzór umowy", "bardzo proszę, pokaż wzór umowy"),
        ("pokaż wzór umowy", "pokaż wzór umowy, proszę"),
        ("kara umowna", "szukam informacji na temat kary umownej"),
        ("Kara umowna", "Proszę o informacje o karze umownej"),
        ("kara umowna", "mam pytanie o karę umowną"),
        ("VAT", "interesuje mnie VAT"),
        ("kary umowne", "interesują mnie kary umowne"),
        ("praca i urlop", "interesują mnie praca i urlop"),
    ],
)
def test_polite_frames(text: str, expected: str) -> None:
    assert expected in texts(build("query_form.polite"), text, range(300))


def test_frames_do_not_contradict_the_gender_of_the_speaker() -> None:
    man = found("polite", "Jak odzyskać dostęp, gdy zapomniałem hasła?")
    woman = found("polite", "Jak odzyskać dostęp, gdy zapomniałam hasła?")
    assert any("hciałbym" in text for text in man)
    assert not any("hciałabym" in text for text in man)
    assert any("hciałabym" in text for text in woman)
    assert not any("hciałbym" in text for text in woman)


def test_frames_can_be_chosen_by_register() -> None:
    assert texts(Polite(registers=("colloquial",)), "kara umowna", SEEDS) == {"mam pytanie o karę umowną"} or texts(
        Polite(registers=("colloquial",)), "Jak to zrobić?", SEEDS
    )
    assert texts(Polite(registers=()), "Jak to zrobić?", SEEDS) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Co zrobić, gdy dostawca zmienia cenę?", "Gdy dostawca zmienia cenę, co zrobić?"),
        ("czy mogę pracować, jeśli choruję", "jeśli choruję, czy mogę pracować"),
        ("jak ustawić nowe hasło do skrzynki", "nowe hasło do skrzynki jak ustawić"),
        (
            "Czy podczas alarmu w biurze można korzystać z windy?",
            "Czy można korzystać z windy podczas alarmu w biurze?",
        ),
        ("skład komisji przetargowej", "komisja przetargowa skład"),
        ("Zwrot kosztów dojazdu", "Koszty dojazdu zwrot"),
        ("blokada karty SIM", "karta SIM blokada"),
    ],
)
def test_word_order(text: str, expected: str) -> None:
    assert found("word_order", text) == {expected}


def test_truncation_keeps_the_share_it_promises() -> None:
    text = "rozliczenie delegacji zagranicznej"
    for variant in draw(build("query_form.truncated"), text, SEEDS):
        assert text.startswith(variant.text)
        assert len(variant.text) >= 0.6 * len(text)
        assert variant.kind in ("in_word", "before_word")
    kinds = {variant.kind for variant in draw(build("query_form.truncated"), text, SEEDS)}
    assert kinds == {"in_word", "before_word"}
    assert "urlop na" in texts(Truncated(kept=0.4), "urlop na żądanie", SEEDS)


def test_truncation_to_another_word_is_flagged() -> None:
    variants = draw(build("query_form.truncated"), "szmaty nasączone lakierem", SEEDS)
    assert any("real_word" in variant.flags for variant in variants if variant.text.endswith(" la"))
    assert not any("real_word" in variant.flags for variant in variants if variant.text.endswith("lakiere"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Czy mogę oddać towar w ciągu 14 dni?", "czy mogę oddać towar w ciągu czternastu dni"),
        ("mail na Biuro.Kadr@przyklad-abc.pl", "mail na biuro kropka kadr małpa przyklad minus abc kropka pl"),
        ("faktury w 2026 roku", "faktury w dwa tysiące dwudziestym szóstym roku"),
        ("od 2000 roku", "od dwutysięcznego roku"),
        ("w 2024 r.", "w dwa tysiące dwudziestym czwartym roku"),
        ("rok 2024, styczeń", "rok dwa tysiące dwudziesty czwarty styczeń"),
        ("faktura z 12.05.2024 r.", "faktura z dwunastego maja dwa tysiące dwudziestego czwartego roku"),
        ("od 2024-05-12", "od dwunastego maja dwa tysiące dwudziestego czwartego"),
        ("do 12 maja", "do dwunastego maja"),
        ("na 1 250,50 zł", "na tysiąc dwieście pięćdziesiąt złotych pięćdziesiąt groszy"),
        ("na 7,00 zł", "na siedem złotych"),
        ("rekompensata 70 euro", "rekompensata siedemdziesiąt euro"),
        ("stawka 0%", "stawka zero procent"),
        ("kara 0,5%", "kara pół procent"),
        ("norma 2,05", "norma dwa przecinek zero pięć"),
        ("§ 5 i art. 7", "paragraf pięć i artykuł siedem"),
        ("nr 5", "numer pięć"),
        ("spotkanie o 8:30", "spotkanie o ósmej trzydzieści"),
        ("spotkanie 8:05", "spotkanie ósma zero pięć"),
        ("ISO 9001", "iso dziewięć tysięcy jeden"),
        ("wersja 2.14.3, FV/12/2026", "wersja 2.14.3 FV/12/2026"),
        ("Kod 007", "kod 007"),
        ("Umowa „Bank 5 dni”!", "umowa „Bank 5 dni”"),
        ("Limit 5000000 zł", "limit 5000000 zł"),
    ],
)
def test_dictation(text: str, expected: str) -> None:
    assert found("dictated", text) == {expected}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("urlop na rok 2026", "urlop na rok dwa tysiące dwudziesty szósty"),
        ("w roku 2026", "w roku dwa tysiące dwudziestym szóstym"),
        ("plan roku 2026", "plan roku dwa tysiące dwudziestego szóstego"),
        ("od 1 stycznia 2026", "od pierwszego stycznia dwa tysiące dwudziestego szóstego"),
        ("w maju 2025", "w maju dwa tysiące dwudziestego piątego"),
        ("inflacja od 2020", "inflacja od dwa tysiące dwudziestego"),
        ("stawki na 2027", "stawki na dwa tysiące dwudziesty siódmy"),
        ("limit IKZE 2026", "limit ikze dwa tysiące dwadzieścia sześć"),
        ("do 2000 osób", "do dwóch tysięcy osób"),
        ("do 20. dnia miesiąca", "do dwudziestego dnia miesiąca"),
        ("po 50. roku życia", "po pięćdziesiątym roku życia"),
        ("w 4. tygodniu", "w czwartym tygodniu"),
        ("3. rata", "trzecia rata"),
        ("przed 12. maja", "przed dwunastego maja"),
        ("koniec 5. Anna", "koniec pięć anna"),
        ("mieszkanie 45 m2", "mieszkanie czterdzieści pięć metrów kwadratowych"),
        ("do 38 m kw. powierzchni", "do trzydziestu ośmiu metrów kwadratowych powierzchni"),
        ("waga 3,5 t", "waga trzy i pół tony"),
        ("do 2,5 kg", "do dwóch i pół kilograma"),
        ("1,5 godz. jazdy", "półtorej godziny jazdy"),
        ("1,5 roku", "półtora roku"),
        ("do 1 250,50 zł", "do tysiąca dwustu pięćdziesięciu złotych pięćdziesięciu groszy"),
        ("odliczyć w 50%", "odliczyć w pięćdziesięciu procentach"),
        ("wzrost o 20%", "wzrost o dwadzieścia procent"),
        ("po 50 zł", "po pięćdziesiąt złotych"),
        ("lokata na 6 mies.", "lokata na sześć miesięcy"),
        ("do 50 km/h", "do pięćdziesięciu kilometrów na godzinę"),
        ("rower 500 W", "rower 500 W"),
        ("kat. C+E od 2026 r.", "kategoria C+E od dwa tysiące dwudziestego szóstego roku"),
        ("infolinia od 8 do 18", "infolinia od ósmej do osiemnastej"),
        ("wiek od 8 do 18", "wiek od ośmiu do osiemnastu"),
        ("o godz. 20:00", "o godzinie dwudziestej"),
        ("godz. 8", "godzina ósma"),
        ("przy ul. Długiej", "przy ulicy długiej"),
        ("Dz.U. poz. 15", "dziennik ustaw pozycja piętnaście"),
        ("zgodnie z art. 5 K.p.a.", "zgodnie z artykułem pięć kpa"),
        ("Spółka z o.o.", "spółka z o.o."),
        ("koniec XIX w. w Łodzi", "koniec dziewiętnastego wieku w łodzi"),
        ("uchwała nr 15/2024", "uchwała numer 15/2024"),
        ("pod nr 5", "pod numerem pięć"),
        ("bitwa w 1410 r.", "bitwa w tysiąc czterysta dziesiątym roku"),
        ("PIT za 2025 r. do kiedy", "pit za dwa tysiące dwudziesty piąty rok do kiedy"),
        ("w II kwartale 2026", "w drugim kwartale dwa tysiące dwudziestego szóstego"),
        ("dom do 600 tys. zł", "dom do sześciuset tysięcy złotych"),
        ("od ponad 60 dni", "od ponad sześćdziesięciu dni"),
        ("koszt za 1 mb", "koszt za jeden mb"),
        ("opłata za 1 stronę", "opłata za jedną stronę"),
        ("po 50 roku życia", "po pięćdziesiątym roku życia"),
        ("do 20 dnia miesiąca", "do dwudziestego dnia miesiąca"),
        ("mieszkanie na 2 piętrze", "mieszkanie na drugim piętrze"),
        ("w 1 kwartale 2026", "w pierwszym kwartale dwa tysiące dwudziestego szóstego"),
        ("za 1 rok", "za jeden rok"),
        ("200 gram mąki", "dwieście gram mąki"),
        ("z okazji 50. urodzin", "z okazji pięćdziesiątych urodzin"),
        ("33. urodziny", "trzydzieste trzecie urodziny"),
        ("w latach 90. w Polsce", "w latach dziewięćdziesiątych w polsce"),
        ("moda lata 90. XX wieku", "moda lata dziewięćdziesiąte dwudziestego wieku"),
        ("dzieci do lat 3", "dzieci do lat trzech"),
        ("za 1 zł", "za jeden złoty"),
        ("ok. 20 zł", "około dwudziestu złotych"),
        ("między 10 a 20 zł", "między dziesięcioma a dwudziestoma złotymi"),
        ("1 godz. 30 min", "jedna godzina trzydzieści minut"),
        ("w godz. 8-16", "w godzinach 8-16"),
        ("art. 5 i 6", "artykuły pięć i sześć"),
        ("w myśl art. 10", "w myśl artykułu dziesięć"),
        ("z art. 5", "z artykułu pięć"),
        ("§§ 5-7", "paragrafy 5-7"),
        ("p.o. dyrektora", "pełniący obowiązki dyrektora"),
        ("od 1 do 15 maja", "od pierwszego do piętnastego maja"),
        ("w nocy z 24 na 25 grudnia", "w nocy z dwudziestego czwartego na dwudziestego piątego grudnia"),
        ("pkt 12 ppkt 3 załącznika", "punkt dwanaście podpunkt trzy załącznika"),
        ("umowa z dn. 4.04.2026", "umowa z dnia czwartego kwietnia dwa tysiące dwudziestego szóstego"),
        ("śr. cena", "śr cena"),
        ("wzrost o 0,5 p.p.", "wzrost o zero przecinek pięć punktu procentowego"),
        ("opłata 0,99 zł", "opłata dziewięćdziesiąt dziewięć groszy"),
        ("przez 2 tyg.", "przez dwa tygodnie"),
        ("Druk PIT/O", "druk PIT/O"),
        ("tzw. frankowicze", "tzw frankowicze"),
        ("wyrok K 34/15 z maja", None),
        ("Jan Paweł II", None),
        ("pracownik do 26 r.ż.", "pracownik do dwudziestego szóstego roku życia"),
        ("cena 5 zł/szt.", "cena pięć złotych za sztukę"),
        ("godz. otwarcia", "godziny otwarcia"),
        ("raport za kwartał IV 2025", "raport za kwartał czwarty dwa tysiące dwudziestego piątego"),
        ("II etap rekrutacji", "drugi etap rekrutacji"),
        ("Rozdział V regulaminu", "rozdział piąty regulaminu"),
        ("od 8 rano", "od ósmej rano"),
        ("spotkanie godz. 10", "spotkanie godzina dziesiąta"),
        ("partia nr 20251103 Reklamacja", "partia numer 20251103 reklamacja"),
        ("Seria 4512", "seria 4512"),
        ("Zamówienie 4500012345", "zamówienie 4500012345"),
        ("kodeks pracy art. 151", "kodeks pracy artykuł sto pięćdziesiąt jeden"),
    ],
)
def test_dictation_in_the_right_case(text: str, expected: str | None) -> None:
    assert found("dictated", text) == ({expected} - {None, text})


def test_the_family_draws_from_all_its_members() -> None:
    rule = build("query_form")
    queries = ("Co zrobić, gdy ją zgubiłem?", "termin płatności faktury", "Jak wystawić nową fakturę?")
    kinds = {variant.kind.split(".")[0] for text in queries for variant in draw(rule, text, range(300))}
    members = {name.partition(".")[2] for name in PERTURBATIONS if name.startswith("query_form.")}
    assert kinds == members
    assert all(variant.perturbation == "query_form" for variant in draw(rule, "kara umowna", SEEDS))


def test_the_family_keeps_to_its_weights() -> None:
    assert texts(QueryForm(weights={"lower": 1.0}), "Kara umowna", SEEDS) == {"kara umowna"}
    assert texts(QueryForm(weights={"lower": 1.0}), "kara umowna", SEEDS) == set()
    with pytest.raises(ConfigError, match="shouting"):
        QueryForm(weights={"shouting": 1.0})


def test_all_forms_are_registered() -> None:
    forms = "lower upper no_punctuation keywords word_order question_to_keywords keywords_to_question polite dictated"
    expected = {f"query_form.{form}" for form in (*forms.split(), "truncated", "doubled", "spaces")}
    assert {name for name in PERTURBATIONS if name.startswith("query_form")} == expected | {"query_form"}


def test_lexicons_hold_each_entry_once() -> None:
    for name, key in (
        ("function_words.tsv", ("word",)),
        ("politeness.tsv", ("frame", "takes")),
        ("question_frames.tsv", ("frame", "heads")),
        ("question_heads.tsv", ("head", "class")),
        ("prepositions.tsv", ("phrase",)),
        ("durations.tsv", ("value", "unit", "other_unit")),
        ("dropped_prepositions.tsv", ("preposition", "noun")),
        ("genitive_verbs.tsv", ("verb",)),
    ):
        rows = [tuple(row[column] for column in key) for row in read_table(name)]
        assert len(rows) == len(set(rows)), name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Jak zmienić lekarza?", {"zmiana lekarza"}),
        ("Jak kupić mieszkanie?", {"zakup mieszkania"}),
        ("Jak wymienić licznik?", {"wymiana licznika"}),
    ],
)
def test_the_noun_of_an_action_is_the_usual_one(text: str, expected: set[str]) -> None:
    assert found("question_to_keywords", text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "regulamin konkursu plastycznego nowy wzór",
        "fotowoltaika 10 kWp opłacalność",
        "wypowiedzenie umowy najmu lokalu użytkowego wzór",
        "kodeks cywilny art. 415 odpowiedzialność za szkodę",
        "obsługa wózka widłowego uprawnienia UDT",
        "przegląd sprintu notatki",
        "korespondencja przychodząca rejestr",
        "premia roczna zasady naliczania",
        "rozmowa handlowa wskazówki",
        "limit 5000 zł",
        "okres wypowiedzenia 3 miesiące",
        "spotkanie godz. 10",
        "gwarancja 48 miesięcy",
    ],
)
def test_keywords_set_beside_a_phrase_are_put_into_no_frame(text: str) -> None:
    assert found("keywords_to_question", text) == set()
    assert found("polite", text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "świadczenie na niepełnosprawne dziecko",
        "pracownik powodujący znaczną szkodę",
        "odszkodowanie za opóźniony lot",
        "nowy telefon służbowy",
    ],
)
def test_nouns_that_something_governs_stay_in_the_phrase(text: str) -> None:
    assert found("keywords_to_question", text)


@pytest.mark.parametrize(
    ("form", "text", "barred"),
    [
        ("polite", "logo firmy w wysokiej rozdzielczości", "czegoś o|informac"),
        ("polite", "zamówienie kuriera", "czegoś o"),
        ("polite", "książka telefoniczna", "czegoś o|informac"),
        ("polite", "wzór noty korygującej", "czegoś o|informac"),
        ("polite", "termin płatności", "czegoś o"),
        ("polite", "umowa o pracę", "o umow[ęi]e? o"),
        ("polite", "czy ktoś z IT może podejść", "wskazówk|informac|powiedzieć|wiedzieć"),
        ("polite", "podaj mi proszę adres", "proszę.*proszę"),
        ("polite", "czy trzeba mieć zgodę", "wskazówk|podpowiedź"),
        ("keywords_to_question", "rezerwacja hotelu", "polega|co to"),
        ("keywords_to_question", "zamówienie kuriera", "gdzie znajdę zamówienie"),
        ("keywords_to_question", "rozliczenie wynagrodzenia prezesa", "co to"),
        ("keywords_to_question", "nowy telefon służbowy", "co to"),
        ("keywords_to_question", "zepsuty laptop", "co to|informac"),
    ],
)
def test_frames_fit_what_they_hold(form: str, text: str, barred: str) -> None:
    assert not [
        variant for variant in texts(build(f"query_form.{form}"), text, range(300)) if re.search(barred, variant)
    ]


def test_things_are_asked_for() -> None:
    assert "szukam logo firmy" in texts(build("query_form.polite"), "logo firmy", range(300))
    assert "proszę o wzór noty" in texts(build("query_form.polite"), "wzór noty", range(300))


@pytest.mark.parametrize("text", ["premia roczna zasady naliczania", "samochody koszt całkowity posiadania floty"])
def test_no_word_is_moved_out_of_two_phrases(text: str) -> None:
    assert found("word_order", text) == set()
