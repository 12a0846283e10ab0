from collections import Counter

import pytest

from perturb.perturbations.orthography import spelling_rules
from perturb.perturbations.slips import is_real_word
from perturb.traffic.words import Vocabulary, lost_diacritics, mistake, restored

NO_LOG = Vocabulary.of(Counter())


@pytest.mark.parametrize("typed", ["zycie", "bledny", "zadanie", "wystawic", "wroclaw", "Lodz", "żadanie", "ZYCIE"])
def test_words_that_diacritics_make_known_have_lost_them(typed: str) -> None:
    if typed == "zadanie":
        assert not lost_diacritics(typed), "another word: such collisions cannot be seen"
        return
    if typed == "żadanie":
        assert restored(typed) == "żądanie"
    assert lost_diacritics(typed, first=True)


@pytest.mark.parametrize("typed", ["życie", "faktura", "Wrocław", "wrocławia", "vendor", "xqzt", "sad"])
def test_known_words_and_foreign_ones_have_lost_nothing(typed: str) -> None:
    assert not lost_diacritics(typed)


def test_a_capital_within_a_query_marks_a_name() -> None:
    assert not lost_diacritics("Zycie"), "Zyta in the dative"
    assert lost_diacritics("Zycie", first=True)


@pytest.mark.parametrize(
    ("typed", "kind"),
    [
        ("umwa", "omission"),
        ("reklmacja", "omission"),
        ("faltura", "substitution"),
        ("fakturra", "insertion"),
        ("fasktura", "insertion"),
        ("fatkura", "transposition"),
        ("ktury", "spelling"),
        ("kalendaże", "spelling"),
        ("wziąść", "spelling"),
        ("informaci", "spelling"),
        ("bespieczeństwo", "spelling"),
        ("index", "spelling"),
        ("deployment", ""),
        ("qwertyuiop", ""),
        ("fa", ""),
        ("fv12", ""),
    ],
)
def test_one_mistake_explains_a_non_word(typed: str, kind: str) -> None:
    assert mistake(typed, NO_LOG) == kind


def test_every_spelling_rule_is_recognised_by_its_example() -> None:
    missed = [
        (rule.before, rule.after)
        for rule in spelling_rules()
        if not is_real_word(rule.after) and len(rule.after) > 3 and mistake(rule.after, NO_LOG) != "spelling"
    ]
    assert not missed


def test_the_log_decides_what_was_meant() -> None:
    assert mistake("fakturra", Vocabulary.of(Counter({"fakturka": 40}))) == "substitution"
    assert mistake("fakturra", Vocabulary.of(Counter({"faktura": 40}))) == "insertion"


def test_a_non_word_that_is_commoner_than_what_it_would_stand_for_is_a_name() -> None:
    assert mistake("faltura", Vocabulary.of(Counter({"faltura": 9, "faktura": 2}))) == ""
    assert mistake("faltura", Vocabulary.of(Counter({"faltura": 9, "faktura": 90}))) == "substitution"
