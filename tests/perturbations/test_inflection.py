"""``case``, ``number``, ``case_in_frame``, ``verb_form`` and ``word_forms`` on whole queries."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.errors import ConfigError
from perturb.perturbations import load_all
from perturb.perturbations.base import build
from perturb.perturbations.frame_lexicon import frames
from perturb.perturbations.inflection import Case, Number
from perturb.perturbations.word_forms import WordForms
from perturb.polish.parsed import ParsedQuery
from perturb.records import Query, Variant, replay
from tests.polish.tables import rows

load_all()

NAMES = ("case", "number", "case_in_frame", "verb_form", "word_forms")
TABLE = rows("inflection_queries.tsv")
DRAWS = 40


def variants(
    name: str, text: str, draws: int = DRAWS, protected: tuple[str, ...] = (), **settings: Any
) -> list[Variant]:
    rule = build(name, settings)
    query = ParsedQuery(Query("q", text), protected)
    count = draws if rule.draws else 1
    return [variant for index in range(count) for variant in rule(query, random.Random(f"7|{index}"))]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['id']} {row['perturbation']} {row['query']}")
def test_queries_that_broke_other_tools(row: dict[str, str]) -> None:
    found = {variant.text for variant in variants(row["perturbation"], row["query"])}
    if row["yields"] == "-":
        assert not found
    else:
        assert set(row["yields"].split(" | ")) <= found
    for text in found:
        assert not any(never in text for never in row["never"].split(" | "))


@pytest.mark.parametrize("name", NAMES)
def test_variants_replay_their_edits_and_differ_from_the_query(name: str) -> None:
    for row in TABLE:
        clean = ParsedQuery(Query("q", row["query"])).text
        texts = [variant.text for variant in variants(name, row["query"], draws=3)]
        assert clean not in texts
        for variant in variants(name, row["query"], draws=3):
            assert replay(clean, variant.edits) == variant.text
            assert variant.perturbation == name
            assert 0 < variant.confidence <= 1


@pytest.mark.parametrize("name", ["case", "number"])
def test_no_two_variants_of_a_query_are_equal(name: str) -> None:
    for row in TABLE:
        texts = [variant.text for variant in variants(name, row["query"])]
        assert len(texts) == len(set(texts))


def test_examples_shown_to_users_hold() -> None:
    for name in NAMES:
        for query, expected in type(build(name)).examples:
            assert expected in {variant.text for variant in variants(name, query, draws=600)}, query


def test_one_edit_per_changed_word() -> None:
    (variant,) = (v for v in variants("case", "nasza  nowa umowa najmu!") if v.kind == "inst.sg")
    assert [(edit.before, edit.after) for edit in variant.edits] == [
        ("nasza", "naszą"),
        ("nowa", "nową"),
        ("umowa", "umową"),
    ]
    assert variant.text == "naszą  nową umową najmu!"


def test_kind_names_the_cell() -> None:
    assert {variant.kind for variant in variants("case", "kara umowna")} == {"gen.sg", "dat.sg", "acc.sg", "inst.sg"}
    assert [variant.kind for variant in variants("number", "kara umowna")] == ["pl"]


def test_vocative_only_on_request() -> None:
    assert "umowo" not in {variant.text for variant in variants("case", "umowa")}
    assert "umowo" in {variant.text for variant in variants("case", "umowa", cases=["voc"])}


def test_protected_words_stop_the_phrase() -> None:
    assert variants("case", "umowa najmu", protected=("umowa",)) == []
    assert variants("case", "umowa najmu", protected=("najmu",))


def test_same_variants_for_soft_hyphen() -> None:
    for name in NAMES:
        dirty, clean = (variants(name, text) for text in ("umo\u00adwa najmu", "umowa najmu"))
        assert [variant.text for variant in dirty] == [variant.text for variant in clean]


def test_declined_queries_say_why() -> None:
    query = ParsedQuery(Query("q", "jak wystawić 5 faktur"))
    assert list(Number()(query, random.Random(0))) == []
    assert query.declined["counted by a numeral"] == 1
    assert list(Case()(query, random.Random(0))) == []
    assert sum(query.declined.values()) == 2


def test_unsure_parses_yield_nothing() -> None:
    assert variants("case", "kara umowna", min_confidence=1.0) == []
    assert variants("number", "kara umowna", min_confidence=1.0) == []


def test_tails_of_verbal_nouns_are_optional() -> None:
    texts = {variant.text for variant in variants("number", "anulowanie faktury korygującej")}
    assert texts == {"anulowanie faktur korygujących"}
    assert variants("number", "anulowanie faktury korygującej", tails=False) == []


def test_every_frame_governs_a_case_and_enough_of_them() -> None:
    assert len(frames()) >= 60
    assert {frame.case for frame in frames()} >= {"gen", "dat", "acc", "inst", "loc"}


def test_frames_follow_capitals() -> None:
    upper = {variant.text for variant in variants("case_in_frame", "UMOWA NAJMU")}
    assert upper and all(text.isupper() for text in upper)
    first = {variant.text for variant in variants("case_in_frame", "Kara umowna")}
    assert first and all(text[0].isupper() and " K" not in text for text in first)
    titled = {variant.text for variant in variants("case_in_frame", "Protokół Zdawczo-Odbiorczy", draws=100)}
    assert any("Protokołu Zdawczo-Odbiorczego" in text for text in titled)
    assert any(text.endswith(" VAT-u") for text in (v.text for v in variants("case_in_frame", "VAT", draws=100)))


def test_frames_take_the_vowelled_preposition() -> None:
    texts = {variant.text for variant in variants("case_in_frame", "zwrot towaru", draws=400)}
    assert "pytania związane ze zwrotem towaru" in texts
    assert not any(" z zwrotem" in text for text in texts)


def test_problem_frames_only_on_request_and_flagged() -> None:
    assert not any("problem" in variant.text for variant in variants("case_in_frame", "kara umowna", draws=200))
    found = variants("case_in_frame", "kara umowna", draws=200, stances=["problem"])
    assert "problem z karą umowną" in {variant.text for variant in found}
    assert all("meaning_risk" in variant.flags for variant in found)


def test_requests_are_replaced_by_frames() -> None:
    texts = {variant.text for variant in variants("case_in_frame", "podaj termin płatności", draws=500)}
    assert "poproszę o termin płatności" in texts


def test_verb_forms_of_a_how_to_question() -> None:
    found = {variant.kind: variant for variant in variants("verb_form", "Jak wystawić fakturę korygującą?")}
    assert found["gerund"].text == "Wystawienie faktury korygującej"
    assert found["gerund_imperf"].text == "Wystawianie faktury korygującej"
    assert found["imperative"].text == "Wystaw fakturę korygującą"
    assert found["past"].text == "Wystawiłem fakturę korygującą"
    assert "meaning_risk" in found["past"].flags
    assert "meaning_risk" not in found["gerund"].flags


def test_verb_form_kinds_can_be_chosen() -> None:
    assert [variant.kind for variant in variants("verb_form", "jak wystawić fakturę", kinds=["past"])] == ["past"]


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("case", {"cases": ["ablative"]}),
        ("case_in_frame", {"stances": ["angry"]}),
        ("verb_form", {"kinds": ["supine"]}),
        ("word_forms", {"share": 0}),
        ("word_forms", {"share": 1.5}),
    ],
)
def test_bad_settings_are_refused(name: str, settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=name):
        build(name, settings)


def test_word_forms_are_flagged_and_seeded() -> None:
    first, again = (variants("word_forms", "termin płatności faktury") for _ in range(2))
    assert [variant.text for variant in first] == [variant.text for variant in again]
    assert all(variant.flags == {"ungrammatical"} for variant in first)
    assert all(len(variant.edits) == 3 for variant in first)
    assert all(len(variant.edits) == 1 for variant in variants("word_forms", "termin płatności faktury", share=0.3))


def test_word_forms_leave_protected_and_short_words() -> None:
    query = ParsedQuery(Query("q", "FV/12/2023 w 14 dni"))
    assert list(WordForms()(query, random.Random(0))) == []


@given(st.text(alphabet="abcąęółżź umowaINajmu0123456789.,-/?„”\u00ad\u00a0'’", max_size=40), st.sampled_from(NAMES))
def test_any_text_is_survived(text: str, name: str) -> None:
    clean = ParsedQuery(Query("q", text)).text
    for variant in variants(name, text, draws=1):
        assert replay(clean, variant.edits) == variant.text != clean


def test_every_aspect_pair_has_both_verbal_nouns() -> None:
    from perturb.polish.verbs import imperfective, infinitive, verbal_noun
    from perturb.resources import read_table

    for row in read_table("aspect_pairs.tsv"):
        first, second = infinitive(row["perfective"]), imperfective(row["perfective"])
        assert first is not None and second is not None, row
        assert second.lemma == row["imperfective"]
        assert verbal_noun(first.lexeme, first.get("aspect"), "nom"), row
        assert verbal_noun(second.lexeme, second.get("aspect"), "nom"), row
