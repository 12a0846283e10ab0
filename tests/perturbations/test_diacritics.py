import random
from collections import Counter

import pytest

from perturb.perturbations.base import build
from perturb.perturbations.diacritics import (
    Diacritics,
    SomeDiacritics,
    StripDiacritics,
    WrongDiacritics,
    lose,
    loss_weights,
)
from perturb.perturbations.encodings import Encoding, Transliterate, UnicodeForm, misreadings
from perturb.polish.keyboard import BARE
from perturb.polish.parsed import ParsedQuery
from perturb.records import Query
from tests.perturbations.drawing import draw, texts

PANGRAM = "zażółć gęślą jaźń ŁÓDŹ"


@pytest.mark.parametrize("name", ["diacritics", "diacritics.strip"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (PANGRAM, "zazolc gesla jazn LODZ"),
        ("spółka з Київ, Gößler, Škoda, Ñ", "spolka з Київ, Gößler, Škoda, Ñ"),
        ("Łódź ŁÓDŹ łÓdŹ", "Lodz LODZ łÓdŹ"),
        ("ściana  (żółta)?", "sciana  (zolta)?"),
        (
            "jak zmienić hasło do biuro@przyklad.pl na https://przyklad.pl/panel?tab=hasło",
            "jak zmienic haslo do biuro@przyklad.pl na https://przyklad.pl/panel?tab=hasło",
        ),
        ("umowa „Żółty Słoń” ważna", "umowa „Żółty Słoń” wazna"),
        ("umowe\u0328 zawrzec\u0301", "umowe zawrzec"),
    ],
)
def test_only_polish_letters_of_free_words_are_stripped(name: str, before: str, after: str) -> None:
    variants = [variant for variant in draw(build(name), before) if variant.kind == "strip"]
    assert [variant.text for variant in variants] == [after]


@pytest.mark.parametrize("name", ["diacritics", "diacritics.strip", "diacritics.some", "diacritics.wrong", "encoding"])
def test_without_diacritics_not_applicable(name: str) -> None:
    query = ParsedQuery(Query("q", "urlop"))
    assert list(build(name)(query, random.Random(1))) == []
    assert sum(query.declined.values()) >= 1


def test_other_word_is_flagged_by_the_strict_gate() -> None:
    assert draw(StripDiacritics(), "sąd")[0].flags == {"real_word"}
    assert draw(StripDiacritics(), "Sąd")[0].flags == {"real_word"}
    assert draw(StripDiacritics(), "SĄD")[0].flags == {"real_word"}
    assert draw(StripDiacritics(), "życie")[0].flags == frozenset()


def test_one_edit_per_changed_word() -> None:
    edits = draw(StripDiacritics(), "żółta umowa ścisła")[0].edits
    assert [(edit.start, edit.before, edit.after) for edit in edits] == [
        (0, "żółta", "zolta"),
        (12, "ścisła", "scisla"),
    ]


def test_some_keeps_at_least_one_and_loses_at_least_one() -> None:
    for share in (0.0, 0.4, 1.0):
        for variant in draw(SomeDiacritics(share), PANGRAM, range(50)):
            lost = sum(a != b for a, b in zip(PANGRAM, variant.text, strict=True))
            assert 1 <= lost <= 11
            if share == 0.0:
                assert lost == 1
            if share == 1.0:
                assert lost == 11
    assert draw(SomeDiacritics(), "sąd rejonowy") == []


def test_both_kinds_of_the_first_rule() -> None:
    assert {variant.kind for variant in draw(Diacritics(), PANGRAM)} == {"strip", "some"}
    assert {variant.kind for variant in draw(Diacritics(), "sąd")} == {"strip"}


def test_loss_follows_the_measured_shares() -> None:
    """Within 2 points over 100,000 draws."""
    text = "ęążłśóćńź"
    rng = random.Random("loss")
    draws = 100_000
    lost = Counter(text[lose(text, range(9), 1, rng)[0]] for _ in range(draws))
    weights = {letter: weight for letter, weight in loss_weights().items() if letter.islower()}
    for letter, weight in weights.items():
        assert abs(lost[letter] / draws - weight / sum(weights.values())) < 0.02
    assert "".join(letter for letter, _ in lost.most_common()) == "ęążłśóćńź"


def test_several_losses_are_different_letters() -> None:
    rng = random.Random(5)
    for _ in range(200):
        lost = lose(PANGRAM.lower(), [2, 3, 4, 5, 8, 9], 4, rng)
        assert lost == sorted(set(lost))
        assert len(lost) == 4


def test_wrong_letters_stay_polish_and_within_the_word() -> None:
    seen = draw(WrongDiacritics(), "źródło większości błędów", range(300))
    assert {variant.kind for variant in seen} == {"mistaken", "held"}
    for variant in seen:
        (edit,) = variant.edits
        assert len(edit.before) == len(edit.after)
        assert sum(a != b for a, b in zip(edit.before, edit.after, strict=True)) == 1
    assert "żródło większości błędów" in {variant.text for variant in seen}


@pytest.mark.parametrize(
    ("text", "mistaken"),
    [
        ("żądanie", {"źądanie"}),
        ("są pieniądze się błąd", set()),
        ("tę umowę", {"tą umowę", "tę umową"}),
        ("zacząłem", {"zaczęłem"}),
        ("wzięła", set()),
    ],
)
def test_nasal_vowels_are_mistaken_only_where_people_do(text: str, mistaken: set[str]) -> None:
    assert {v.text for v in draw(WrongDiacritics(held=0), text, range(60)) if v.kind == "mistaken"} == mistaken


def test_wrong_without_any_possible_letter() -> None:
    query = ParsedQuery(Query("q", "łatwy"))
    assert [v.kind for v in WrongDiacritics()(query, random.Random(1))] == ["held"]
    query = ParsedQuery(Query("q", "próg"))
    assert list(WrongDiacritics()(query, random.Random(1))) == []
    assert query.declined


def test_wrong_keeps_capitals() -> None:
    assert all(text.isupper() for text in texts(WrongDiacritics(), "ŹRÓDŁO", range(40)))


def test_transliterate_whole_text_but_what_is_protected() -> None:
    text = "Gößler – żądanie 5 € „Żółw” żółw@dół.pl 👩‍💻"
    assert draw(Transliterate(), text)[0].text == "Gossler - zadanie 5 EUR „Żółw” żółw@dół.pl "
    assert draw(Transliterate(), "urlop") == []
    assert draw(Transliterate(), "👩‍💻") == []
    assert draw(Transliterate(), "„Żółw”") == []
    assert draw(Transliterate(), "sąd")[0].flags == {"real_word"}


def test_unidecode_is_imported_only_there() -> None:
    import subprocess
    import sys

    code = (
        "import sys, perturb.perturbations as p; p.load_all(); assert 'unidecode' not in sys.modules;"
        "assert not {'spacy', 'torch', 'pandas', 'morfeusz2'} & set(sys.modules), set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_unicode_forms() -> None:
    variants = {variant.kind: variant.text for variant in draw(UnicodeForm(), "umowę najmu lokalizacji 1 000 zł")}
    assert variants["nfd"] == "umowe\u0328 najmu lokalizacji 1 000 zł"
    assert variants["nbsp"] == "umowę\u00a0najmu\u00a0lokalizacji 1 000 zł"
    assert variants["soft-hyphen"] == "umowę najmu loka\u00adlizacji 1 000 zł"
    assert variants["zero-width"] == "umowę \u200bnajmu \u200blokalizacji 1 000 zł"
    assert draw(UnicodeForm(), "urlop") == []


@pytest.mark.parametrize(
    ("kind", "after"),
    [
        ("utf8-as-cp1250", "ĹĽĂłĹ‚Ä‡ gÄ™Ĺ›lÄ…"),
        ("utf8-as-cp1252", "Å¼Ã³Å‚Ä‡ gÄ™Å›lÄ…"),
        ("latin2-as-cp1250", "żółć gę¶l±"),
        ("cp1250-as-latin2", "żółć gę\x9clš"),
        ("cp1250-as-cp1252", "¿ó³æ gêœl¹"),
        ("cp1250-as-utf8", "\ufffd\ufffd\ufffd\ufffd g\ufffd\ufffdl\ufffd"),
        ("question-marks", "???? g??l?"),
    ],
)
def test_encodings_as_seen_in_exports(kind: str, after: str) -> None:
    assert {variant.kind: variant.text for variant in draw(Encoding(), "żółć gęślą")}[kind] == after


def test_readable_misreadings_can_be_undone_by_the_opposite_reading() -> None:
    for written, read in (("utf-8", "iso8859-2"), ("cp1250", "iso8859-2")):
        table = misreadings()[{"utf-8": "utf8-as-latin2", "cp1250": "cp1250-as-latin2"}[written]]
        assert PANGRAM.translate(table).encode(read).decode(written) == PANGRAM


def test_encoding_kinds_can_be_chosen_and_protected_parts_stay() -> None:
    rule = Encoding(kinds=("question-marks",))
    assert texts(rule, "żółw „Żółw” hasło@dół.pl") == {"?ó?w „Żółw” hasło@dół.pl".replace("ó", "?", 1)}
    assert draw(rule, "„Żółw”") == []


def test_bare_table_covers_the_eighteen() -> None:
    assert len(BARE) == 18
