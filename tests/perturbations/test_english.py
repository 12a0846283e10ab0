"""Polish terms to English ones and back: right cell, agreement, prepositions, and where to keep hands off."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from perturb.perturbations.base import Perturbation, build
from perturb.perturbations.english import EnglishTerms
from perturb.perturbations.english_phrase import EnglishPhrase
from perturb.perturbations.polish_terms import PolishTerms
from perturb.polish.parsed import ParsedQuery
from perturb.polish.vocalisation import leans_on_vowel, vocalised
from perturb.records import Query, Variant, replay

INFLECTED = EnglishTerms(rendering="inflected")
BARE = EnglishTerms(rendering="bare")


def variants(rule: Perturbation, text: str) -> list[Variant]:
    query = ParsedQuery(Query("q", text))
    return list(rule(query, random.Random(0)))


def texts(rule: Perturbation, text: str) -> list[str]:
    return [variant.text for variant in variants(rule, text)]


@pytest.mark.parametrize("rule", [EnglishTerms(), PolishTerms(), EnglishPhrase()], ids=lambda rule: rule.name)
def test_examples(rule: Perturbation) -> None:
    for text, expected in rule.examples:
        assert expected in texts(rule, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("przekroczenie terminu", "przekroczenie deadline'u"),
        ("umowa z dostawcą", "umowa z vendorem"),
        ("dostawcy muszą podpisać", "vendorzy muszą podpisać"),
        ("lista dostawców", "lista vendorów"),
        ("nowa umowa o poziomie usług", "nowe SLA"),
        ("zapisy nowych umów o poziomie usług", "zapisy nowych SLA"),
        ("w nowej umowie o poziomie usług", "w nowym SLA"),
        ("nowa i droższa faktura", "nowy i droższy invoice"),
        ("opis merytoryczny oprogramowania magazynowego", "opis merytoryczny software'u magazynowego"),
        ("moja faktura", "mój invoice"),
        ("jego faktura", "jego invoice"),
        ("czy faktura została opłacona", "czy invoice został opłacony"),
        ("dlaczego przedpłata nie wpłynęła na konto", "dlaczego prepayment nie wpłynął na konto"),
        ("czy reklamacja u dostawcy powinna mieć zdjęcia", "czy claim u dostawcy powinien mieć zdjęcia"),
        ("Kiedy umowa o poziomie usług została podpisana?", "Kiedy SLA zostało podpisane?"),
        ("faktura jest nieczytelna", "invoice jest nieczytelny"),
        ("Twoja faktura jest gotowa", "Twój invoice jest gotowy"),
        ("jaka jest premia roczna", "jaki jest annual bonus"),
        ("jaka była prognoza sprzedaży", "jaki był sales forecast"),
        ("nie znam okresu wypowiedzenia", "nie znam notice period"),
        ("nie ma faktury", "nie ma invoice'u"),
        ("nowe zgłoszenie od użytkownika", "nowy ticket od użytkownika"),
        ("wysłałem załącznik i nie działa", "wysłałem attachment i nie działa"),
        ("zaległe faktury", "zaległe invoice'y"),
        ("rekompensata za zaległą fakturę", "rekompensata za zaległy invoice"),
        ("tygodniowa prognoza sprzedaży", "tygodniowy sales forecast"),
        ("roczne przepływy pieniężne", "roczny cash flow"),
        ("pięć faktur", "pięć invoice'ów"),
        ("3 faktury", "3 invoice'y"),
        ("ilu dostawców", "ilu vendorów"),
        ("w budowie nowej zapory sieciowej", "w budowie nowego firewalla"),
        ("udział interesariuszy", "udział stakeholderów"),
        ("w kopii zapasowej", "w backupie"),
        ("do oprogramowania", "do software'u"),
        ("zwrot podatku od towarów i usług", "zwrot VAT-u"),
        ("problem ze zgłoszeniem", "problem z ticketem"),
        ("we wdrożeniu aplikacji", "w deploymencie aplikacji"),
        ("Z zakresem prac", "Ze scope of work"),
        ("Dostawca nie odpowiada", "Vendor nie odpowiada"),
        ("LISTA DOSTAWCÓW", "LISTA VENDORÓW"),
        ("Uwaga: Faktura i jej termin płatności", "Uwaga: Faktura i jej deadline płatności"),
        ("zmiana rachunku bankowego dostawcy", "zmiana rachunku bankowego vendora"),
        ("rozliczenie reklamacji od dostawcy", "rozliczenie claimu od dostawcy"),
        ("kto zatwierdza wniosek", "kto approve'uje wniosek"),
        ("Zatwierdziliśmy wniosek", "Zaapprove'owaliśmy wniosek"),
        ("opinie inżynierów danych", "opinie data engineerów"),
        ("wyniki zapytań ofertowych", "wyniki RFQ"),
    ],
)
def test_inflected(text: str, expected: str) -> None:
    assert expected in texts(INFLECTED, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("przed terminem odbioru", "przed deadline odbioru"),
        ("lista dostawców", "lista vendors"),
        ("zmiana nowego dostawcy", "zmiana nowego vendor"),
        ("zwrot podatku od towarów i usług", "zwrot VAT"),
        ("o podatku od towarów i usług", "o VAT"),
    ],
)
def test_bare(text: str, expected: str) -> None:
    assert expected in texts(BARE, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("przekroczenie terminu", "przekroczenie deadlinu"),
        ("zwrot podatku od towarów i usług", "zwrot VATu"),
        ("wzór umów o poziomie usług", "wzór SLA-ów"),
        ("opis zadania", "opis taska"),
        ("opis zrzutu ekranu", "opis screena"),
        ("opis faktury", "opis invoice'u"),  # without the silent e it would sound otherwise
        ("zatwierdzić fakturę", "zaapruwować fakturę"),
    ],
)
def test_colloquial(text: str, expected: str) -> None:
    assert expected in texts(EnglishTerms(rendering="colloquial"), text)


def test_a_quoted_name_is_not_touched() -> None:
    rule = EnglishTerms(mapping={"termin": "deadline"})
    found = texts(rule, "Termin wdrożenia w firmie „Termin Plus”")
    assert "Deadline wdrożenia w firmie „Termin Plus”" in found
    assert all("„Termin Plus”" in text for text in found)


def test_one_rule_for_bare_and_inflected() -> None:
    rule = EnglishTerms(mapping={"termin": "deadline"})
    found = {
        variant.kind: variant.text
        for variant in variants(EnglishTerms(mapping={"termin": "deadline"}), "przed terminem")
    }
    assert found == {"inflected": "przed deadline'em", "bare": "przed deadline"}
    assert "przed deadline'em płatności" in texts(EnglishTerms(), "przed terminem płatności")
    assert all("deadlinem" not in text for text in texts(rule, "przed terminem płatności"))
    assert texts(EnglishTerms(mapping={"faktura": "bill"}, rendering="bare"), "faktura korygująca") == [
        "bill korygujący"
    ]
    assert texts(EnglishTerms(), "zasady pracy zdalnej") == ["zasady home office"]


def test_both_apostrophes() -> None:
    rule = EnglishTerms(rendering=("inflected",), apostrophe="typographic")
    assert "przekroczenie deadline’u" in texts(rule, "przekroczenie terminu")


@pytest.mark.parametrize(
    "text",
    [
        "usługa i faktura została opłacona",  # the verb would have to agree, with which of the two?
        "jak została opłacona faktura",  # the verb stands first
        "faktura, która jest zaległa",  # the pronoun would have to agree
        "dwie faktury",  # and the numeral
        "obie umowy o poziomie usług",
        "w jakim terminie złożyć wniosek",  # not a deadline
        "termin ważności",
        "zestawienie kosztów operacyjnych i zmiennych",
        "zgłoszenie naruszenia",  # the act, not a ticket
        "zamówienie publiczne",
        "stwierdzenie wycieku danych osobowych",  # cut in the middle
        "ewidencja incydentów RODO niezgłoszonych organowi",
        "firma „Faktura”",
        "system Zgłoszenia",  # a name
        "zapisy Kodeksu Dostawcy",
        "premie i bonusy",  # the English word stands there already
        "czy można zlecić prace dostawcy",  # the receiver, or whose work
    ],
)
def test_declined(text: str) -> None:
    query = ParsedQuery(Query("q", text))
    found = [variant.text for variant in INFLECTED(query, random.Random(0))]
    assert found in ([], ["stwierdzenie wycieku personal data"])
    if "„" not in text:
        assert query.declined


def test_flags_and_confidence_come_from_the_lexicon() -> None:
    risky = variants(INFLECTED, "przekroczenie terminu")[0]
    plain = variants(INFLECTED, "umowa z dostawcą")[0]
    assert risky.flags == {"meaning_risk"}
    assert plain.flags == frozenset()
    assert risky.confidence < plain.confidence <= 1


def test_own_lexicon(tmp_path: Path) -> None:
    (tmp_path / "english_terms.tsv").write_text("pl\ten\tgender\tclass\npaczka\tparcel\tm3\tu\n", encoding="utf-8")
    assert texts(EnglishTerms(rendering="inflected", lexicons=(str(tmp_path),)), "dwie nowe paczki") == []
    assert texts(EnglishTerms(rendering="inflected", lexicons=(str(tmp_path),)), "zwrot paczki") == ["zwrot parcelu"]


def test_settings_from_toml() -> None:
    rule = build("english_terms", {"rendering": ["bare"], "mapping": {"sprawa": "case"}})
    assert texts(rule, "opis sprawy") == ["opis case"]
    assert isinstance(build("english_terms", {"rendering": "inflected"}), EnglishTerms)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("umowa z vendorem", "umowa z dostawcą"),
        ("umowa z vendor", None),  # z: genitive or instrumental
        ("dla vendor", "dla dostawcy"),
        ("nowe SLA", "nowa umowa o poziomie usług"),
        ("zapis w nowym SLA", "zapis w nowej umowie o poziomie usług"),
        ("warunki SLA", "warunki umowy o poziomie usług"),
        ("SLA dla dostawcy", "umowa o poziomie usług dla dostawcy"),
        ("co to jest SLA?", None),
        ("przekroczenie deadline’u", "przekroczenie terminu"),
        ("problem z ticketem", "problem ze zgłoszeniem"),
        ("w deploymencie", "we wdrożeniu"),
        ("roczny cash flow", "roczne przepływy pieniężne"),
        ("nowi vendorzy", "nowi dostawcy"),
        ("Backup został wykonany", "Kopia zapasowa została wykonana"),
        ("faktura VAT", None),
        ("stawka VAT", "stawka podatku od towarów i usług"),
        ("wizyta w Target", None),
        ("LISTA VENDORÓW", "LISTA DOSTAWCÓW"),
        ("podpisanie NDA", "podpisanie umowy o zachowaniu poufności"),
        ("w Firewall Sp. z o.o.", None),
        ("brand manager szuka agencji", None),
        ("sales manager szuka agencji", None),
    ],
)
def test_polish_terms(text: str, expected: str | None) -> None:
    assert texts(PolishTerms(), text) == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("zmiana terminu wdrożenia", ["zmiana deployment deadline"]),
        ("audyt zewnętrznego dostawcy", ["audyt external vendor"]),
        ("lista międzynarodowych dostawców", ["lista international vendors"]),
        ("opis stanowiska analityka danych", ["data analyst job description"]),
        ("podział terminów płatności", ["podział payment deadlines"]),
        ("przed terminem", ["przed deadline"]),
        ("Zaległa faktura", ["Overdue invoice"]),
        ("zielona faktura", []),
        ("zgłoszenie naruszenia", []),
        ("zaległa faktura została opłacona", ["overdue invoice został opłacony"]),
        ("umowa z dostawcą", []),  # people say z vendorem
        ("zasady premii i bonusów", []),  # the English word stands there already,
    ],
)
def test_english_phrase(text: str, expected: list[str]) -> None:
    assert texts(EnglishPhrase(), text) == expected


def test_vocalised_keeps_capitals() -> None:
    assert [vocalised("Z", "zgłoszeniem"), vocalised("ZE", "TICKETEM"), vocalised("do", "x")] == ["Ze", "Z", "do"]
    assert texts(INFLECTED, "Ze wsparciem technicznym") == ["Z supportem"]
    assert texts(INFLECTED, "ZE WSPARCIEM TECHNICZNYM") == ["Z SUPPORTEM"]


@pytest.mark.parametrize(
    ("preposition", "word", "leans"),
    [
        ("z", "zgłoszeniem", True), ("z", "ticketem", False), ("z", "stakeholderem", True), ("z", "sourcingu", False),
        ("z", "SLA", False), ("z", "wsparciem", True), ("z", "wdrożenia", False), ("z", "siłą", False),
        ("z", "rzeczą", False),
        ("z", "szkolenia", True), ("w", "wdrożeniu", True), ("w", "frameworku", True), ("w", "workshopie", False),
        ("w", "whistleblowerze", False), ("w", "deploymencie", False),
    ],
)  # fmt: skip
def test_vocalised_prepositions(preposition: str, word: str, leans: bool) -> None:
    assert leans_on_vowel(preposition, word) is leans


def every_variant() -> Iterator[tuple[str, Variant]]:
    queries = [
        "Jak wystawić fakturę korygującą dla dostawcy?", "nowa umowa o poziomie usług z dostawcą", "ticket do vendora",
        "e-mail do dostawcy@firma.pl i faktura FV/12/2023", "KTO ZATWIERDZA FAKTURĘ", "Termin płatności", "SLA",
    ]  # fmt: skip
    rules = [EnglishTerms(rendering=("bare", "inflected", "colloquial")), PolishTerms(), EnglishPhrase()]
    for text in queries:
        for rule in rules:
            for variant in variants(rule, text):
                yield text, variant


def test_edits_replay_and_nothing_is_yielded_twice() -> None:
    seen = []
    for text, variant in every_variant():
        assert replay(text, variant.edits) == variant.text != text
        assert "FV/12/2023" not in text or "FV/12/2023" in variant.text
        seen.append((text, variant.perturbation, variant.text))
    assert len(seen) == len(set(seen)) > 10
