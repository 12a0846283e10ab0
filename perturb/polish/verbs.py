"""Verb forms that a search query can be rephrased with: verbal noun, first person past, imperative."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from perturb.polish.morphology import CASES, Reading, analyse, paradigm
from perturb.resources import read_table


def infinitive(word: str) -> Reading | None:
    """The reading of a word as an infinitive, if it has one."""
    found = [reading for reading in analyse(word) if reading.pos == "inf" and reading.is_accepted]
    # One spelling, two verbs: wysłać is to send (wyślę) far more often than to line (wyścielę).
    return min(found, key=lambda reading: reading.lexeme.endswith("cielę"), default=None)


def _pick(lexeme: str, wanted: Callable[[Reading], bool]) -> str:
    """The neutral form, shortest first; a marked one only where there is no other; empty if there is none."""
    found = [reading for reading in paradigm(lexeme) if wanted(reading) and reading.is_accepted]
    found.sort(key=lambda reading: (len(reading.labels), len(reading.form), reading.form))
    return found[0].form if found else ""


@lru_cache(maxsize=1)
def _partners() -> dict[str, str]:
    return {row["perfective"]: row["imperfective"] for row in read_table("aspect_pairs.tsv")}


def imperfective(lemma: str) -> Reading | None:
    """The imperfective partner of a verb as an infinitive, from ``aspect_pairs.tsv``; None if none is known."""
    readings = analyse(_partners().get(lemma, ""))
    return next((r for r in readings if r.pos == "inf" and "imperf" in r.get("aspect")), None)


@lru_cache(maxsize=1)
def action_nouns() -> dict[str, str]:
    """Verbs whose verbal noun gives way to another noun, and that noun: *wymienić* and *wymiana*."""
    return {row["verb"]: row["noun"] for row in read_table("action_nouns.tsv")}


@lru_cache(maxsize=4096)
def verbal_noun(lexeme: str, aspect: frozenset[str], case: str) -> str:
    """Singular of the verbal noun of a verb, such as *wystawieniem*; empty if the verb has none.

    Args:
        lexeme: the verb, as :attr:`Reading.lexeme` gives it.
        aspect: its aspect, ``{"perf"}`` or ``{"imperf"}``.
        case: one of :data:`CASES`.
    """
    wanted = "nom" if case == "voc" else case
    return _pick(
        lexeme,
        lambda reading: (
            reading.pos == "ger"
            and "aff" in reading.get("polarity")
            and "sg" in reading.get("number")
            and wanted in reading.get("case")
            and bool(aspect & reading.get("aspect"))
        ),
    )


@lru_cache(maxsize=4096)
def first_person_past(lexeme: str, aspect: frozenset[str], gender: str) -> str:
    """*wystawiłem* (gender ``m1``) or *wystawiłam* (``f``); empty if there is none."""
    return _pick(
        lexeme,
        lambda reading: (
            reading.pos == "praet"
            and "pri" in reading.get("person")
            and "sg" in reading.get("number")
            and gender in reading.get("gender")
            and bool(aspect & reading.get("aspect"))
        ),
    )


@lru_cache(maxsize=4096)
def imperative(lexeme: str, aspect: frozenset[str]) -> str:
    """Second person singular imperative, such as *wystaw*; empty if there is none."""
    return _pick(
        lexeme,
        lambda reading: (
            reading.pos == "impt"
            and "sec" in reading.get("person")
            and "sg" in reading.get("number")
            and bool(aspect & reading.get("aspect"))
        ),
    )


@lru_cache(maxsize=4096)
def other_gender(word: str) -> str:
    """A first person past or conditional in the other gender: *zapomniałem* ↔ *zapomniałam*; empty for other words."""
    readings = [
        reading
        for reading in analyse(word)
        if reading.pos in ("praet", "cond") and "pri" in reading.get("person") and "sg" in reading.get("number")
    ]
    if not readings or not word.lower().endswith(("łem", "łam", "bym")):
        return ""
    reading = readings[0]
    target = "f" if "m1" in reading.get("gender") else "m1"
    return _pick(
        reading.lexeme,
        lambda other: (
            other.pos == reading.pos
            and "pri" in other.get("person")
            and "sg" in other.get("number")
            and target in other.get("gender")
            and bool(reading.get("aspect") & other.get("aspect"))
        ),
    )


@lru_cache(maxsize=4096)
def other_number(word: str) -> str:
    """A first person form in the other number: *mogę* ↔ *możemy*, *zgubiłem* → *zgubiliśmy*; empty for other words."""
    readings = [r for r in analyse(word) if r.pos in ("fin", "bedzie", "praet", "cond") and "pri" in r.get("person")]
    if len(readings) != 1 or not readings[0].is_accepted:
        return ""
    reading = readings[0]
    target = "pl" if "sg" in reading.get("number") else "sg"
    if target == "sg" and reading.pos in ("praet", "cond") and "m1" not in reading.get("gender"):
        return ""
    return _pick(
        reading.lexeme,
        lambda other: (
            other.pos == reading.pos
            and "pri" in other.get("person")
            and target in other.get("number")
            and ("m1" in other.get("gender") or not other.get("gender"))
            and bool(reading.get("aspect") & other.get("aspect"))
        ),
    )


@lru_cache(maxsize=4096)
def _third_person(lexeme: str, pos: str, aspect: frozenset[str], number: str, gender: str) -> str:
    return _pick(
        lexeme,
        lambda other: (
            other.pos == pos
            and not other.get("person") & {"pri", "sec"}
            and number in other.get("number")
            and (not other.get("gender") or gender in other.get("gender"))
            and bool(aspect & other.get("aspect"))
        ),
    )


def third_person(reading: Reading, number: str, gender: str) -> str:
    """The third person of a finite verb in a number: *działa* → *działają*, *wygasł* → *wygasły*; empty if none.

    Args:
        reading: the verb as it stands, present, past or future.
        number: ``sg`` or ``pl``.
        gender: gender of its subject.
    """
    return _third_person(reading.lexeme, reading.pos, reading.get("aspect"), number, gender)


__all__ = [
    "CASES",
    "first_person_past",
    "imperative",
    "infinitive",
    "other_gender",
    "other_number",
    "third_person",
    "verbal_noun",
]
