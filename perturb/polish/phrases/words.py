"""What a word can be in a noun phrase: its readings as a noun and as an adjective, likeliest first.

Words the dictionary lacks are read by their parts: *e-doręczenie*, *lekarz-specjalista*, *cyberatak*, *mailingowy*.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from perturb.polish.morphology import GENDERS, REJECTED_LABELS, Reading, analyse
from perturb.polish.overlay import overlay_nouns
from perturb.polish.phrases.lexicons import avoided, word_class
from perturb.polish.phrases.paradigms import (
    Adjective,
    Forms,
    Noun,
    adjective_like,
    adjective_paradigm,
    is_indeclinable,
    noun_paradigm,
    overlay_noun,
    participle_noun,
    prefixed_noun,
    style_tier,
    twin_noun,
)
from perturb.polish.phrases.shapes import ALL_CELLS, mask_of

_ADJECTIVAL = frozenset({"adj", "pact", "ppas"})


_PREFIXES = tuple(sorted(word_class("compound_prefix"), key=lambda prefix: (-len(prefix), prefix)))
"""First parts of compounds that do not inflect."""


@dataclass(frozen=True, slots=True)
class NounReading:
    """A noun and the cells in which this very form of it can stand."""

    noun: Noun
    mask: int
    penalty: float


@dataclass(frozen=True, slots=True)
class AdjectiveReading:
    """An adjective and, per gender, the cells in which this very form of it can stand."""

    adjective: Adjective
    masks: tuple[int, int, int, int, int]
    any_mask: int
    penalty: float


def _one(values: frozenset[str]) -> str:
    return min(values) if values else ""


def _noun_reading(reading: Reading, word: str) -> NounReading | None:
    genders = reading.get("gender")
    if not genders:
        return None
    verbal = (_one(reading.get("aspect")), _one(reading.get("polarity")))
    is_plural_only = "pt" in reading.get("collective")
    noun = noun_paradigm(reading.lexeme, min(genders), is_plural_only, is_indeclinable(reading), reading.pos, verbal)
    mask = mask_of(reading.get("number"), reading.get("case")) & noun.exists
    if reading.pos == "ger":
        mask |= (mask & (1 | 1 << 7)) << 6
    penalty = noun.prior + 1.0 * style_tier(reading.labels) * (2 if reading.labels & REJECTED_LABELS else 1)
    if noun.proper and not word[:1].isupper():
        penalty += 4.0
    elif noun.proper and len(word) > 1 and word.isupper() and not noun.lexeme.isupper():
        penalty += 1.0
    return NounReading(noun, mask, penalty) if mask else None


def _join(readings: list[NounReading]) -> tuple[NounReading, ...]:
    """One reading per noun: masks united, the lowest penalty kept, hopeless readings dropped beside better ones."""
    best: dict[int, NounReading] = {}
    for reading in readings:
        known = best.get(id(reading.noun))
        if known is None:
            best[id(reading.noun)] = reading
        elif reading.penalty == known.penalty:
            best[id(reading.noun)] = NounReading(reading.noun, known.mask | reading.mask, known.penalty)
        elif reading.penalty < known.penalty:
            best[id(reading.noun)] = reading
    kept = sorted(best.values(), key=lambda r: (r.penalty, r.noun.lexeme, r.noun.gender))
    floor = kept[0].penalty + 4.0 if kept else 0.0
    return tuple(reading for reading in kept if reading.penalty <= floor)


@lru_cache(maxsize=65536)
def noun_readings(word: str) -> tuple[NounReading, ...]:
    """Every noun this word can be a form of, likeliest first.

    Args:
        word: one word as it stands in the text; capitals decide between names and common nouns.
    """
    overlaid = overlay_nouns(word)
    if overlaid:
        return _join(
            [NounReading(overlay_noun(entry.lemma, entry.gender, entry.forms), entry.mask, 0.0) for entry in overlaid]
        )
    read = [_noun_reading(reading, word) for reading in analyse(word) if reading.pos in ("subst", "ger")]
    found = [reading for reading in read if reading is not None]
    if word.isupper():
        found = _own_acronym(word, found)
    return _join(found or _participle_as_noun(word) or _compound(word))


_UNKNOWN = 2.6
"""Penalty of an acronym that the dictionary lacks: it takes an emitted phrase below the threshold of confidence."""


def acronym_nouns(word: str) -> tuple[NounReading, ...]:
    """An unknown acronym as a noun: masculine before all, else feminine or neuter, unchanged in every case."""
    forms: Forms = ((word,),) * 14
    return tuple(
        NounReading(overlay_noun(word, gender, forms), ALL_CELLS, _UNKNOWN + extra)
        for gender, extra in (("m3", 0.0), ("f", 0.1), ("n", 0.2))
    )


def _own_acronym(word: str, found: list[NounReading]) -> list[NounReading]:
    """In capitals an acronym is never an oblique case of its ordinary homograph: *PIT*, not *pita*."""
    acronyms = [reading for reading in found if reading.noun.lexeme.partition(":")[0] == word and len(word) > 1]
    return acronyms or found


def _participle_as_noun(word: str) -> list[NounReading]:
    """*zamawiający*, *wynajmujący*, *poszkodowany*: persons named by a participle."""
    found = []
    for reading in adjective_readings(word):
        adjective = reading.adjective
        if adjective.kind == "adj" and not adjective.lexeme.endswith("ący"):
            continue
        forms, mask = adjective.forms[0], reading.masks[0]
        if mask:
            exists = sum(1 << index for index, cell in enumerate(forms) if cell)
            noun = participle_noun(adjective.lexeme, forms, exists)
            found.append(NounReading(noun, mask, noun.prior))
    return found


def _compound(word: str) -> list[NounReading]:
    """Words the dictionary lacks: *lekarz-specjalista* inflects twice, *e-doręczenie* in its last part."""
    head, hyphen, last = word.rpartition("-")
    if not hyphen:
        prefix = next((p for p in _PREFIXES if word.lower().startswith(p) and len(word) > len(p) + 3), "")
        if not prefix:
            return []
        head, last = word[: len(prefix)], word[len(prefix) :]
    elif head.lower() not in _PREFIXES and len(head) > 2:
        first = noun_readings(head)
        second = noun_readings(last)
        pairs = ((a, b) for a in first for b in second if a.mask & b.mask)
        return [NounReading(twin_noun(a.noun, b.noun), a.mask & b.mask, a.penalty + b.penalty + 0.3) for a, b in pairs][
            :1
        ]
    if len(last) < 4 or not last.islower():
        return []
    return [
        NounReading(prefixed_noun(head.lower() + hyphen, reading.noun), reading.mask, reading.penalty + 0.3)
        for reading in noun_readings(last)
        if not reading.noun.proper
    ]


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
    if overlay_nouns(word):
        return ()
    prefix, readings = _adjective_parts(word)
    if not readings and word.isalpha() and word.islower():
        return _guessed_adjective(word)
    found: dict[int, AdjectiveReading] = {}
    for reading in readings:
        if reading.pos not in _ADJECTIVAL:
            continue
        verbal = (_one(reading.get("aspect")), _one(reading.get("polarity")))
        adjective = adjective_paradigm(reading.lexeme, reading.pos, _one(reading.get("degree")), verbal, prefix.lower())
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
                masks = [_mask_in(forms, word) for forms in adjective.forms]
                if any(masks):
                    m1, m2, m3, f, n = masks
                    return (AdjectiveReading(adjective, (m1, m2, m3, f, n), m1 | m2 | m3 | f | n, 0.05),)
    return ()


@lru_cache(maxsize=8)
def _model(word: str) -> Adjective:
    return next(r.adjective for r in adjective_readings(word) if r.adjective.degree == "pos")


def _mask_in(forms: Forms, word: str) -> int:
    return sum(1 << index for index, cell in enumerate(forms) if word in cell)


__all__ = [
    "Adjective",
    "AdjectiveReading",
    "Noun",
    "NounReading",
    "acronym_nouns",
    "adjective_readings",
    "noun_readings",
]
