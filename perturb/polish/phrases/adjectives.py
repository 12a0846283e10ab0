"""What a word can be as an adjective, participle or adjectival pronoun, likeliest reading first.

Adjectives that the dictionary lacks are read by their parts (*14-dniowy*) or like a known one (*mailingowy*).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from perturb.polish.morphology import GENDERS, Reading, analyse
from perturb.polish.overlay import overlay_nouns
from perturb.polish.phrases.lexicons import avoided
from perturb.polish.phrases.paradigms import Adjective, Forms, Noun, adjective_like, adjective_paradigm, style_tier
from perturb.polish.phrases.shapes import mask_of

_ADJECTIVAL = frozenset({"adj", "pact", "ppas"})
LONGEST_COMPOUND = 60
"""Letters beyond which a string is no compound word."""


@dataclass(frozen=True, slots=True)
class AdjectiveReading:
    """An adjective and, per gender, the cells in which this very form of it can stand."""

    adjective: Adjective
    masks: tuple[int, int, int, int, int]
    any_mask: int
    penalty: float


def one_of(values: frozenset[str]) -> str:
    """The only value of a feature; empty if it has none."""
    return min(values) if values else ""


def _adjective_parts(word: str) -> tuple[str, tuple[Reading, ...]]:
    """Split *zdawczo-odbiorczego* and *14-dniowy* into an unchanged prefix and the readings of the rest."""
    whole = analyse(word)
    if "-" not in word or (whole and not word[0].isdigit()):
        return "", whole
    head, _, last = word.rpartition("-")
    first = head.rpartition("-")[2]
    is_prefix = first.isdigit() or first.lower() in ("e", "i", "m") or any(r.pos == "adja" for r in analyse(first))
    if is_prefix or (first.endswith("o") and len(first) > 3):
        return f"{head}-", analyse(last)
    return "", ()


@lru_cache(maxsize=65536)
def adjective_readings(word: str) -> tuple[AdjectiveReading, ...]:
    """Every adjective, participle or adjectival pronoun this word can be a form of, likeliest first."""
    if overlay_nouns(word) or len(word) > LONGEST_COMPOUND:
        return ()
    prefix, readings = _adjective_parts(word)
    if not readings and word.isalpha() and word.islower():
        return _guessed_adjective(word)
    found: dict[int, AdjectiveReading] = {}
    for reading in readings:
        if reading.pos not in _ADJECTIVAL:
            continue
        verbal = (one_of(reading.get("aspect")), one_of(reading.get("polarity")))
        adjective = adjective_paradigm(
            reading.lexeme, reading.pos, one_of(reading.get("degree")), verbal, prefix.lower()
        )
        cells = mask_of(reading.get("number"), reading.get("case"))
        penalty = (
            2.0 * style_tier(reading.labels) * (not prefix)
            + 0.1 * (reading.pos != "adj")
            + avoided(reading.lexeme, "adj")
        )
        masks = tuple(cells if gender in reading.get("gender") else 0 for gender in GENDERS)
        known = found.get(id(adjective))
        if known is not None:
            masks = tuple(a | b for a, b in zip(masks, known.masks, strict=True))
            penalty = min(penalty, known.penalty)
        m1, m2, m3, f, n = masks
        found[id(adjective)] = AdjectiveReading(adjective, (m1, m2, m3, f, n), m1 | m2 | m3 | f | n, penalty)
    kept = sorted(found.values(), key=lambda r: (r.penalty, r.adjective.kind, r.adjective.lexeme))
    return tuple(reading for reading in kept if reading.penalty <= kept[0].penalty + 1.5)


_MODELS = (("ow", "nowy", "now"), ("n", "ładny", "ładn"), ("sk", "polski", "polsk"), ("ck", "miejski", "miejsk"))
"""Stem endings by which an unknown word is an adjective, and a known adjective that inflects like it."""


_ADJECTIVE_ENDINGS = (
    "iego",
    "iemu",
    "ego",
    "emu",
    "iej",
    "ych",
    "ich",
    "ymi",
    "imi",
    "ym",
    "im",
    "ej",
    "y",
    "i",
    "a",
    "e",
    "ą",
)


def _guessed_adjective(word: str) -> tuple[AdjectiveReading, ...]:
    """Adjectives that the dictionary lacks, such as *mailingowy*: inflected like a known one with that stem ending."""
    for ending in _ADJECTIVE_ENDINGS:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 4:
            continue
        for suffix, model, model_stem in _MODELS:
            if stem.endswith(suffix) and not analyse(stem):
                adjective = adjective_like(stem, _model(model), model_stem)
                masks = [mask_in(forms, word) for forms in adjective.forms]
                if any(masks):
                    m1, m2, m3, f, n = masks
                    return (AdjectiveReading(adjective, (m1, m2, m3, f, n), m1 | m2 | m3 | f | n, 0.05),)
    return ()


@lru_cache(maxsize=8)
def _model(word: str) -> Adjective:
    return next(r.adjective for r in adjective_readings(word) if r.adjective.degree == "pos")


def mask_in(forms: Forms, word: str) -> int:
    """The cells in which a word stands among these forms."""
    return sum(1 << index for index, cell in enumerate(forms) if word in cell)


def is_substantivised(noun: Noun, reading: AdjectiveReading) -> bool:
    """Whether the noun is this adjective used as a noun, such as *księgowa*."""
    cell = 1 if noun.forms[1] else 8
    return bool(set(noun.forms[cell]) & set(reading.adjective.forms[noun.gender_index][cell]))


__all__ = ["LONGEST_COMPOUND", "AdjectiveReading", "adjective_readings", "is_substantivised", "mask_in", "one_of"]
