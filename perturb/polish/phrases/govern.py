"""What governs the noun phrase that begins at a token of a query: a preposition, a verb, a numeral, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from perturb.polish.government import preposition_cases, prepositions
from perturb.polish.morphology import Reading, analyse
from perturb.polish.phrases.lexicons import word_class
from perturb.polish.phrases.shapes import ACCUSATIVE, ALL_CELLS, CELLS, GENITIVE, NOMINATIVE, Governor
from perturb.polish.phrases.syntax import Word
from perturb.polish.text import Token
from perturb.resources import read_table

VERBAL_POS = frozenset(
    {"fin", "praet", "impt", "inf", "imps", "bedzie", "pred", "winien", "pcon", "pant", "cond", "aglt"}
)
_SPEAKER_POS = frozenset({"inf", "impt", "imps", "pcon", "pant"})
"""Forms whose subject never stands beside them, so that a noun phrase after them is their object."""

COUNTING = word_class("counting")
POINTING = word_class("pointing")
"""Demonstratives, interrogatives and quantifiers: a phrase that has one is left alone."""

ALWAYS_VERBS = word_class("always_verb")
"""Verb forms that are verbs whatever else the dictionary makes of them."""

CLAUSE_OPENERS = word_class("clause_opener")
"""Words with which a clause begins."""

IMPERSONAL = word_class("impersonal_verb")
"""Verbs without a subject that changes their number: *należy*, *można*."""

CALLING_FOR_INFINITIVE = word_class("before_infinitive")

_EVERYDAY = 0.2
"""Penalty up to which a noun reading is believed against a verb reading."""

_UNLIKELY = 2.0
"""Penalty from which a noun reading is not meant: a rare surname, an obsolete word."""

_SKIPPED_BEFORE_OBJECT = word_class("before_object")


@lru_cache(maxsize=256)
def mask_of_cases(cases: tuple[str, ...] | frozenset[str]) -> int:
    """Cells of both numbers in these cases."""
    return sum(1 << index for index, (_, case) in enumerate(CELLS) if case in cases)


@lru_cache(maxsize=256)
def preposition_mask(word: str) -> int:
    """Cells that a preposition of one word governs; all cells if its government is not known."""
    cases = prepositions().get((word,))
    return mask_of_cases(cases) if cases else ALL_CELLS


@lru_cache(maxsize=1)
def _object_cases() -> dict[str, tuple[str, ...]]:
    return {row["lemma"]: tuple(row["cases"].split(".")) for row in read_table("verb_government.tsv")}


@lru_cache(maxsize=1)
def _intransitive() -> frozenset[str]:
    return frozenset(row["lemma"] for row in read_table("verb_intransitive.tsv"))


@lru_cache(maxsize=65536)
def verb_readings(text: str) -> tuple[Reading, ...]:
    """Readings of a word as a verb form that builds a clause."""
    return tuple(reading for reading in analyse(text) if reading.pos in VERBAL_POS and reading.is_accepted)


def is_verb(tokens: Sequence[Token], words: Sequence[Word], index: int) -> bool:
    """Whether a token is a verb form, and not rather an everyday noun or adjective that looks like one."""
    token, word = tokens[index], words[index]
    if token.kind != "word" or not verb_readings(token.text):
        return False
    if token.lower in ALWAYS_VERBS:
        return True
    if word.pos & {"ppron3", "ppron12"} or any(reading.noun.kind == "overlay" for reading in word.nouns):
        return False
    if index and tokens[index - 1].lower in CALLING_FOR_INFINITIVE and "inf" in word.pos:
        return True
    if not index and len(tokens) > 1 and _is_order(word, words[1]):
        return True
    if index and _follows_its_subject(words, index):
        return True
    if any(reading.noun.kind == "subst" and reading.penalty <= _EVERYDAY for reading in word.nouns):
        return False
    return not any(reading.adjective.kind == "adj" and reading.penalty < 0.1 for reading in word.adjectives)


def _follows_its_subject(words: Sequence[Word], index: int) -> bool:
    """Whether a form is a predicate behind its subject: *monitor miga*, *licencja na program wygasła*.

    A third person that looks like an oblique case of a rare noun (*mig*), or a past tense that looks like an adjective
    in the feminine, which then would have its noun right after it (*wygasła licencja*).
    """
    word, before = words[index], words[index - 1]
    if word.pos & {"fin"} and word.nouns:
        oblique = all(reading.penalty >= 0 and not reading.mask & NOMINATIVE for reading in word.nouns)
        subject = any(reading.mask & NOMINATIVE for reading in before.nouns) or "part" in before.pos
        third = not any(reading.get("person") & {"pri", "sec"} for reading in verb_readings(word.text))
        return oblique and third and subject and not before.is_preposition
    likely = any(reading.penalty < _UNLIKELY for reading in word.nouns)
    if "praet" not in word.pos or likely or not word.adjectives or not before.nouns or before.is_preposition:
        return False
    following = words[index + 1] if index + 1 < len(words) else None
    return following is None or not any(
        a.masks[n.noun.gender_index] & n.mask
        for n in following.nouns
        for a in word.adjectives
        if not following.adjectives
    )


def _is_order(word: Word, following: Word) -> bool:
    """Whether the first word is an imperative, not a noun in an oblique case: *wystaw fakturę*, *umów wizytę*."""
    if "impt" not in word.pos or any(reading.mask & NOMINATIVE for reading in word.nouns):
        return False
    objects = any(reading.mask & ACCUSATIVE for reading in following.nouns)
    return objects or any(reading.any_mask & ACCUSATIVE for reading in following.adjectives) or following.is_opaque


def is_subject_verb(token: Token) -> bool:
    """Whether a verb may have the phrase beside it as its subject: third person, finite."""
    return any(
        reading.pos in ("fin", "praet", "bedzie", "cond", "winien") and not reading.get("person") & {"pri", "sec"}
        for reading in verb_readings(token.text)
    )


def governor_at(tokens: Sequence[Token], words: Sequence[Word], start: int) -> tuple[Governor, int]:
    """What governs the phrase that begins at a token, and the cells it allows.

    Args:
        tokens: all tokens of the query.
        words: their readings.
        start: first token of the phrase.

    Returns:
        The governor, and a mask of cells; all cells where nothing governs the phrase.
    """
    if start == 0:
        return Governor(), ALL_CELLS
    before = tokens[start - 1]
    cases = preposition_cases(tokens, start)
    if cases:
        return Governor("preposition", start - 1, before.lower, frozenset(cases)), mask_of_cases(cases)
    if before.lower in COUNTING or words[start - 1].is_numeral:
        return Governor("numeral", start - 1, before.lower), ALL_CELLS
    index = start - 1
    while index > 0 and tokens[index].lower in _SKIPPED_BEFORE_OBJECT:
        index -= 1
    if not is_verb(tokens, words, index):
        return Governor(), ALL_CELLS
    if _subject_may_follow(tokens, words, index):
        return Governor("verb", index, verb_readings(tokens[index].text)[0].lemma), ALL_CELLS
    return _verb_governor(tokens, words, index)


def _subject_may_follow(tokens: Sequence[Token], words: Sequence[Word], index: int) -> bool:
    """Whether an infinitive hangs on a third person verb whose subject is still to come: *może wzrosnąć cena*."""
    if not index or "inf" not in words[index].pos:
        return False
    before = next((i for i in range(index - 1, -1, -1) if tokens[i].lower not in _SKIPPED_BEFORE_OBJECT), 0)
    if not is_verb(tokens, words, before) or not is_subject_verb(tokens[before]):
        return False
    if any(reading.lemma in IMPERSONAL for reading in verb_readings(tokens[before].text)):
        return False
    return not has_subject_before(tokens, words, before)


def has_subject_before(tokens: Sequence[Token], words: Sequence[Word], verb: int) -> bool:
    """Whether the subject of a verb stands before it: *czy pracownik może*, but not *jakie dokumenty musi*."""
    found = False
    for index in range(verb - 1, -1, -1):
        token, word = tokens[index], words[index]
        if token.lower in CLAUSE_OPENERS - {"kto"}:
            # *ile paliwa spala*: what is counted is no subject.
            counted = token.lower in COUNTING and any(n.mask & GENITIVE for n in words[index + 1].nouns)
            found = found and not (counted and _is_only(words, index + 1, verb))
            break
        if token.text in (",", ";", ":", "(", "–") or is_verb(tokens, words, index):
            break
        if token.lower == "kto":
            return True
        if token.lower in POINTING or token.lower in COUNTING:
            return False
        if any(reading.mask & NOMINATIVE for reading in word.nouns) and not preposition_cases(tokens, index):
            found = True
    return found


def _is_only(words: Sequence[Word], index: int, verb: int) -> bool:
    """Whether no other noun stands between a noun and a verb."""
    return not any(word.nouns for word in words[index + 1 : verb])


def _verb_governor(tokens: Sequence[Token], words: Sequence[Word], index: int) -> tuple[Governor, int]:
    readings = verb_readings(tokens[index].text)
    lemma = readings[0].lemma
    transitive = not any(reading.lemma in _intransitive() for reading in readings)
    reflexive = any(token.lower == "się" for token in tokens[max(index - 1, 0) : index + 2])
    subjectless = all(
        reading.pos in _SPEAKER_POS or reading.get("person") & {"pri", "sec"} for reading in readings
    ) or has_subject_before(tokens, words, index)
    known = next((_object_cases()[r.lemma] for r in readings if r.lemma in _object_cases()), None)
    cases = known or ("acc", "gen")
    negated = any(token.lower == "nie" for token in tokens[max(index - 1, 0) : index])
    if negated and "acc" in cases:
        cases = ("gen",)
    if subjectless and transitive and not (reflexive and "acc" in cases):
        return Governor("verb", index, lemma, frozenset(cases)), mask_of_cases(cases)
    return Governor("verb", index, lemma), ALL_CELLS
