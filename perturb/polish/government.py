"""Which case a phrase must stand in, judged by the words before it.

Only what can be known from the left is answered: prepositions (``prepositions.tsv``), nouns that govern a genitive,
verbs that govern an accusative or a genitive, the beginning of the query. Everything else is *unknown*.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from perturb.polish.morphology import Reading, analyse, paradigm
from perturb.polish.text import Token
from perturb.resources import read_table

UNKNOWN: frozenset[str] = frozenset()
"""The answer where the words before a phrase do not settle its case."""

_VERBAL = frozenset({"inf", "impt", "fin", "bedzie"})
_SUBJECT_VERBS = frozenset({"być", "wynosić", "wynieść", "przysługiwać", "móc", "musieć", "trwać", "minąć", "mijać"})


@lru_cache(maxsize=1)
def prepositions() -> dict[tuple[str, ...], tuple[str, ...]]:
    """Prepositions and the cases they govern, commonest first, by their lower-case words."""
    return {tuple(row["phrase"].split()): tuple(row["cases"].split(".")) for row in read_table("prepositions.tsv")}


@lru_cache(maxsize=1)
def _genitive_verbs() -> frozenset[str]:
    return frozenset(row["verb"] for row in read_table("genitive_verbs.tsv"))


def is_preposition(token: Token) -> bool:
    """Whether a token is a preposition of one word."""
    return (token.lower,) in prepositions()


def preposition_cases(tokens: Sequence[Token], index: int) -> tuple[str, ...]:
    """Cases governed by the preposition that ends right before a token; empty if none does."""
    known = prepositions()
    for length in (2, 1):
        phrase = tuple(token.lower for token in tokens[max(index - length, 0) : index])
        if len(phrase) == length and phrase in known:
            return known[phrase]
    return ()


def is_negated(tokens: Sequence[Token], index: int) -> bool:
    """Whether *nie* stands among the two tokens before a token, which makes the case of an object uncertain."""
    return any(token.lower == "nie" for token in tokens[max(index - 2, 0) : index])


def expected_cases(tokens: Sequence[Token], index: int) -> frozenset[str]:
    """Cases in which the phrase that begins at a token can stand.

    Args:
        tokens: all tokens of the query.
        index: the first token of the phrase.

    Returns:
        One or more cases; :data:`UNKNOWN` (empty) where the words before it do not tell.
    """
    if index == 0:
        return frozenset({"nom"})
    before = tokens[index - 1]
    governed = preposition_cases(tokens, index)
    if governed:
        return frozenset(governed)
    if before.kind == "symbol":
        return frozenset({"nom"}) if before.text in ":–-(" else UNKNOWN
    if before.kind != "word":
        return UNKNOWN
    readings = [reading for reading in analyse(before.text) if reading.is_accepted and not reading.is_proper]
    if any(reading.pos in _VERBAL for reading in readings):
        # A third person may be followed by its subject (przyszła faktura, wpływa faktura) as well as by its object.
        third = any("ter" in reading.get("person") for reading in readings)
        if third or any(reading.pos in ("subst", "ger") for reading in readings) or is_negated(tokens, index):
            return UNKNOWN
        verbs = {reading.lemma for reading in readings if reading.pos in _VERBAL}
        if not all(_is_transitive(reading.lexeme) for reading in readings if reading.pos in _VERBAL):
            return frozenset({"gen"}) if verbs & _genitive_verbs() else UNKNOWN
        if verbs & _genitive_verbs():
            return frozenset({"gen"})
        return UNKNOWN if verbs & _SUBJECT_VERBS else frozenset({"acc"})
    if any(reading.pos in ("subst", "ger") for reading in readings) and _is_rather_noun(before.lower, readings):
        return frozenset({"gen"})
    return UNKNOWN


@lru_cache(maxsize=4096)
def _is_transitive(lexeme: str) -> bool:
    """Verbs with a passive participle take an accusative; others (*wzrosnąć*, *trwać*) may precede their subject."""
    return any(form.pos == "ppas" for form in paradigm(lexeme))


def _is_rather_noun(word: str, readings: Sequence[Reading]) -> bool:
    """Whether a word that can be a noun is one: not *przyszła*, but *dział*, which is a past tense only in theory."""
    kinds = {reading.pos for reading in readings}
    past = "praet" in kinds and not word.endswith("dział")
    return not past and kinds <= {"subst", "ger", "praet", "adj", "depr"} and readings[0].pos != "adj"
