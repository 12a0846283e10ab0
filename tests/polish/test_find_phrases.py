"""Noun phrases found in queries: spans, governors, cells, obstacles."""

from __future__ import annotations

import pytest

from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases import CONFIDENCE_THRESHOLD, NounPhrase, find_phrases
from perturb.polish.phrases.clause import free_phrase, has_clause, number_of
from perturb.polish.phrases.countability import number_can_change
from perturb.polish.verbs import first_person_past, imperative, infinitive, other_gender, other_number, verbal_noun
from perturb.records import Query


def parsed(text: str, protected: tuple[str, ...] = ()) -> ParsedQuery:
    return ParsedQuery(Query("q", text), protected)


def phrase(text: str, surface: str) -> NounPhrase:
    return next(found for found in parsed(text).noun_phrases if found.surface == surface)


def test_object_of_an_infinitive() -> None:
    found = phrase("jak wystawić fakturę korygującą do umowy", "fakturę korygującą do umowy")
    assert (found.governor.kind, found.governor.lemma) == ("verb", "wystawić")
    assert found.cells == {("sg", "acc")}
    assert (found.lemma, found.gender) == ("faktura", "f")
    assert (found.head, found.agreeing, found.tail) == (2, (3,), (4, 6))
    assert found.confidence >= CONFIDENCE_THRESHOLD
    assert found.obstacle == ""


def test_object_of_a_preposition() -> None:
    found = phrase("opłata za nową umowę", "nową umowę")
    assert (found.governor.kind, found.governor.lemma, found.cells) == ("preposition", "za", {("sg", "acc")})


def test_prepositions_narrow_the_cells() -> None:
    assert phrase("pismo w sprawie umowy", "umowy").cells == {("sg", "gen")}
    assert phrase("o umowie", "umowie").cells == {("sg", "loc")}


def test_genitive_tail_is_a_phrase_of_its_own() -> None:
    found = phrase("termin płatności faktury", "faktury")
    assert found.governor.kind == "noun"


def test_free_phrase_keeps_every_cell_it_can_stand_in() -> None:
    found = phrase("umowy najmu", "umowy najmu")
    assert found.cells == {("sg", "gen"), ("pl", "nom"), ("pl", "acc")}
    assert number_of(found) == "pl"


@pytest.mark.parametrize(
    ("query", "surface", "obstacle"),
    [
        ("5 faktur korygujących", "faktur korygujących", "counted by a numeral"),
        ("ile umów", "umów", "counted by a numeral"),
        ("ta umowa", "ta umowa", "demonstrative or question word beside it"),
        ("siedziba w Łodzi", "Łodzi", "proper name"),
        ("list do prezesa Nowaka", "prezesa Nowaka", "proper name"),
        ("jak wystawić fakturę i ją wysłać", "fakturę", "a pronoun refers back"),
        ("faktura, którą wystawiłem", "faktura", "a relative clause depends on it"),
        ("kto jest właścicielem firmy", "właścicielem firmy", "predicate of a sentence"),
        ("zwrot „umowy najmu”", "umowy najmu", "protected words"),
    ],
)
def test_obstacles(query: str, surface: str, obstacle: str) -> None:
    assert phrase(query, surface).obstacle == obstacle


def test_names_the_user_protects_are_an_obstacle() -> None:
    (found,) = parsed("umowa ramowa", ("umowa",)).noun_phrases
    assert found.obstacle == "protected words"


def test_possible_subjects_are_marked() -> None:
    assert phrase("kiedy wygasa umowa najmu", "umowa najmu").clause_subject
    assert not phrase("kto zatwierdza umowę", "umowę").clause_subject
    assert phrase("ile może kosztować naprawa", "naprawa").clause_subject
    assert not phrase("czy pracownik może złożyć wniosek", "wniosek").clause_subject


@pytest.mark.parametrize("query", ["", "???", "jak", "5", "nie wiem co zrobić"])
def test_queries_without_phrases(query: str) -> None:
    assert all(isinstance(found, NounPhrase) for found in find_phrases(parsed(query)))


def test_edits_of_a_phrase() -> None:
    found = phrase("nowa umowa najmu", "nowa umowa najmu")
    edits = found.edits("gen", "sg")
    assert edits is not None
    assert [(edit.start, edit.before, edit.after) for edit in edits] == [(0, "nowa", "nowej"), (5, "umowa", "umowy")]
    assert found.form("inst", "pl") == "nowymi umowami najmu"
    assert found.edits("nom", "sg") == ()
    doors = phrase("drzwi wejściowe", "drzwi wejściowe")
    assert doors.edits("nom", "sg") is None
    assert doors.form("nom", "sg") is None


def test_clauses() -> None:
    assert has_clause(parsed("jak wystawić fakturę"), 3)
    assert not has_clause(parsed("faktura, którą wystawiłem"), 1)
    declined = parsed("jak wystawić fakturę")
    assert free_phrase(declined, 0.5) is None
    assert sum(declined.declined.values()) == 1


@pytest.mark.parametrize(
    ("lemma", "kind", "target", "possible"),
    [
        ("umowa", "subst", "pl", True),
        ("bezpieczeństwo", "subst", "pl", False),
        ("wystawić", "ger", "pl", False),
        ("należność", "subst", "pl", True),
        ("poufność", "subst", "pl", False),
        ("warunek", "subst", "sg", False),
        ("faktura", "subst", "sg", True),
        ("pieniądz", "subst", "sg", False),
        ("frekwencja", "subst", "pl", False),
    ],
)
def test_countability(lemma: str, kind: str, target: str, possible: bool) -> None:
    assert number_can_change(lemma, kind, target) is possible


def test_verb_forms() -> None:
    reading = infinitive("wystawić")
    assert reading is not None
    aspect = reading.get("aspect")
    assert verbal_noun(reading.lexeme, aspect, "inst") == "wystawieniem"
    assert verbal_noun(reading.lexeme, aspect, "voc") == "wystawienie"
    assert first_person_past(reading.lexeme, aspect, "f") == "wystawiłam"
    assert imperative(reading.lexeme, aspect) == "wystaw"
    assert infinitive("faktura") is None
    sending = infinitive("wysłać")
    assert sending is not None
    assert imperative(sending.lexeme, sending.get("aspect")) == "wyślij"


@pytest.mark.parametrize(
    ("word", "gender", "number"),
    [
        ("zapomniałem", "zapomniałam", "zapomnieliśmy"),
        ("zapomniałam", "zapomniałem", "zapomnieliśmy"),
        ("chciałbym", "chciałabym", "chcielibyśmy"),
        ("mogę", "", "możemy"),
        ("możemy", "", "mogę"),
        ("faktura", "", ""),
    ],
)
def test_speakers(word: str, gender: str, number: str) -> None:
    assert other_gender(word) == gender
    assert other_number(word) == number


@pytest.mark.parametrize(("words", "found"), [(20, True), (5_000, False)])
def test_a_stretch_without_verb_or_mark_is_searched_up_to_a_length(words: int, found: bool) -> None:
    # Each phrase is parsed up to the next mark; of thousands of nouns that would be the square.
    query = ParsedQuery(Query("q", "umowa najmu lokalu użytkowego " * (words // 4) + ". wypowiedzenie umowy"))
    lemmas = [phrase.lemma for phrase in query.noun_phrases]
    assert lemmas[-2:] == ["wypowiedzenie", "umowa"]
    assert (len(lemmas) > 2) == found
