"""The tables of forms: nouns with 14 cells, adjectives with 14 cells per gender.

Forms come from the SGJP dictionary, from ``lexicons/overlay.tsv`` for words it lacks or misreads, and are ordered by
``lexicons/preferred_forms.tsv`` and a few rules where the dictionary lists several without saying which is usual.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from perturb.polish.morphology import GENDERS, PENALISED_LABELS, REJECTED_LABELS, Reading, paradigm
from perturb.polish.phrases.lexicons import (
    avoided,
    frequent_nouns,
    plural_only,
    preferred_forms,
    singular_only,
    word_class,
)
from perturb.polish.phrases.shapes import CELLS, PLURAL, mask_of

Forms = tuple[tuple[str, ...], ...]
"""14 tuples of forms, one per cell."""

_FULL_STEMS = {"mój": "oj", "twój": "oj", "swój": "oj", "wszystek": "wszystk"}
"""Pronouns with short by-forms (*mego*, *wszech*): forms with the full stem come first."""

_FREQUENT = 0.7
"""What an everyday noun has ahead of a rare one; more than the nominative has ahead of another case."""

_AGENTS = ("or", "er", "ik", "acz", "ant", "ent")
"""Endings that make the person likelier where SGJP has the person and a thing under one lemma."""

_OWIE_FIRST = word_class("plural_in_owie")
"""Masculine personal nouns whose plural is rather *-owie* where SGJP gives both."""


@dataclass(frozen=True, eq=False)
class Noun:
    """A noun lexeme in one gender.

    Attributes:
        lexeme: its dictionary id.
        gender: ``m1``, ``m2``, ``m3``, ``f`` or ``n``.
        gender_index: position of the gender in :data:`GENDERS`.
        kind: ``subst``, ``ger`` (verbal noun) or ``overlay``.
        forms: 14 tuples, best form first.
        exists: mask of the cells that have a form.
        indeclinable: all cells are equal.
        proper: a proper name only.
        names: kinds of name, such as ``nazwisko``.
        prior: penalty of this lexeme against its homographs; lower is likelier.
    """

    lexeme: str
    gender: str
    gender_index: int
    kind: str
    forms: Forms
    exists: int
    indeclinable: bool
    proper: bool
    names: frozenset[str]
    prior: float

    @cached_property
    def lemma(self) -> str:
        """Nominative singular, or plural where there is no singular."""
        return next((cell[0] for cell in (self.forms[0], self.forms[7], *self.forms) if cell), self.lexeme)


@dataclass(frozen=True, slots=True, eq=False)
class Adjective:
    """An adjective, participle, ordinal or adjectival pronoun in one degree.

    Attributes:
        lexeme: its dictionary id.
        kind: ``adj``, ``pact`` or ``ppas``.
        degree: ``pos``, ``com``, ``sup`` or empty.
        forms: per gender 14 tuples.
        prefix: what stands unchanged before the inflected part, such as ``zdawczo-``.
    """

    lexeme: str
    kind: str
    degree: str
    forms: tuple[Forms, ...]
    prefix: str = ""


def style_tier(labels: frozenset[str]) -> int:
    """How far from neutral a form is: 0 neutral, 1 marked, 2 never generated."""
    if labels & REJECTED_LABELS:
        return 2
    return 1 if labels & PENALISED_LABELS else 0


def _collect(readings: Iterable[Reading]) -> list[dict[int, list[str]]]:
    """Sort forms by cell into a table per style tier: neutral, marked, rejected."""
    tiers: list[dict[int, list[str]]] = [{}, {}, {}]
    for reading in readings:
        mask = mask_of(reading.get("number"), reading.get("case"))
        cells = tiers[style_tier(reading.labels)]
        for index in range(14):
            if mask >> index & 1:
                forms = cells.setdefault(index, [])
                if reading.form not in forms:
                    forms.append(reading.form)
    return tiers


def _merge(tiers: list[dict[int, list[str]]]) -> dict[int, list[str]]:
    neutral, marked, rejected = tiers
    if not neutral and not marked:
        return rejected
    return {index: neutral.get(index) or marked[index] for index in neutral.keys() | marked.keys()}


def _without_adjectival_twins(cells: dict[int, list[str]]) -> dict[int, list[str]]:
    """Drop *odprawej* beside *odprawy*: SGJP lists both under one feminine noun."""
    genitive = cells.get(1, [])
    if len(genitive) > 1 and any(f.endswith("ej") for f in genitive) and not all(f.endswith("ej") for f in genitive):
        endings = ("ej", "ych", "ich", "ym", "im", "ymi", "imi")
        for index, forms in cells.items():
            kept = [f for f in forms if not f.endswith(endings)]
            if index == 6:
                kept = [f for f in kept if not f.endswith("a")] or kept
            if index == 3:
                kept = [f for f in kept if not f.endswith("ą")] or kept
            if index in (7, 10, 13):
                kept = [f for f in kept if not f.endswith("e")] or kept
            cells[index] = kept or forms
    return cells


def _order(lexeme: str, gender: str, index: int, forms: list[str]) -> tuple[str, ...]:
    lemma = lexeme.split(":")[0]
    wanted = preferred_forms().get((lemma, CELLS[index]), ())
    if wanted and (lemma == lexeme or not set(wanted).isdisjoint(forms)):
        return (*wanted, *(f for f in sorted(forms) if f not in wanted))
    if len(forms) == 1:
        return (forms[0],)

    def rank(form: str) -> tuple[int, str]:
        if gender == "m1" and index in (7, 13):
            return (int(form.endswith("owie") != (lemma in _OWIE_FIRST)), form)
        if gender == "m3" and index == 1:
            return (int(form.endswith("u") == lemma.endswith("er")), form)
        if gender == "m3" and index in (7, 10, 13):
            return (int(form.endswith("a")), form)
        if index == 8 and gender == "f":
            return (int(form.endswith("i") == lemma.endswith("la")), form)
        if index == 8:
            return (int(form.endswith("ów")), form)
        return (0, form)

    return tuple(sorted(forms, key=rank))


def _restrict(cells: dict[int, list[str]], lemma: str) -> dict[int, list[str]]:
    """Remove what nobody writes: *Picie* and *VA-cie* of acronyms, numbers barred by the lexicon."""
    if len(lemma) > 1 and lemma.isupper():
        cells = {index: [f for f in forms if f.startswith(lemma)] for index, forms in cells.items()}
        cells = {index: forms for index, forms in cells.items() if forms}
    if lemma in singular_only():
        return {index: forms for index, forms in cells.items() if index < 7}
    if lemma in plural_only():
        return {index: forms for index, forms in cells.items() if index >= 7}
    return cells


@lru_cache(maxsize=16384)
def noun_paradigm(
    lexeme: str, gender: str, is_plural_only: bool, indeclinable: bool, kind: str, verbal: tuple[str, str]
) -> Noun:
    """A noun lexeme in one gender.

    Args:
        lexeme: its dictionary id.
        gender: one of its genders.
        is_plural_only: its reading as a plurale tantum.
        indeclinable: its reading in which all cells are equal (*profesor* of a woman, *VAT* beside *VAT-u*).
        kind: ``subst`` or ``ger``.
        verbal: aspect and polarity of a verbal noun, two empty strings for other nouns.
    """
    aspect, polarity = verbal
    wanted = [
        reading
        for reading in paradigm(lexeme)
        if reading.pos == kind
        and gender in reading.get("gender")
        and ("pt" in reading.get("collective")) == is_plural_only
        and is_indeclinable(reading) == indeclinable
        and (kind != "ger" or (aspect in reading.get("aspect") and polarity in reading.get("polarity")))
    ]
    cells = _restrict(_without_adjectival_twins(_merge(_collect(wanted))), lexeme.split(":")[0])
    if kind == "ger":
        for number in (0, 7):
            if number in cells:
                cells[number + 6] = cells[number]
    if indeclinable:
        forms = tuple(tuple(cells.get(index, ())) for index in range(14))
    else:
        forms = tuple(_order(lexeme, gender, index, cells[index]) if index in cells else () for index in range(14))
    names = frozenset(name for reading in wanted for name in reading.names)
    proper = bool(names) and "nazwa_pospolita" not in names
    prior = {"m1": 0.1, "m2": 0.6}.get(gender, 0.0) + avoided(lexeme, gender)
    prior += 0.5 * (kind == "ger") + 0.8 * is_plural_only + 2.5 * indeclinable
    prior += 1.5 * ("nazwisko" in names and "imię" not in names) + 0.7 * proper
    if kind == "subst" and not proper and lexeme.split(":")[0] in frequent_nouns():
        prior -= _FREQUENT
    if any(form.endswith(("ego", "ej")) for form in forms[1]):
        prior += 0.4
    if gender == "m3" and ":Sm3" in lexeme and lexeme.split(":")[0].endswith(_AGENTS):
        prior += 0.8
    exists = sum(1 << index for index, cell in enumerate(forms) if cell)
    return Noun(lexeme, gender, GENDERS.index(gender), kind, forms, exists, indeclinable, proper, names, prior)


def is_indeclinable(reading: Reading) -> bool:
    """Whether one form fills all cells."""
    return len(reading.get("case")) == 7 and len(reading.get("number")) == 2


@lru_cache(maxsize=16384)
def adjective_paradigm(lexeme: str, kind: str, degree: str, verbal: tuple[str, str], prefix: str) -> Adjective:
    """An adjective or participle in one degree.

    Args:
        lexeme: its dictionary id.
        kind: ``adj``, ``pact`` or ``ppas``.
        degree: ``pos``, ``com``, ``sup`` or empty.
        verbal: aspect and polarity of a participle, two empty strings for adjectives.
        prefix: what stands unchanged before it.
    """
    aspect, polarity = verbal
    wanted = [
        reading
        for reading in paradigm(lexeme)
        if reading.pos == kind
        and (not degree or degree in reading.get("degree"))
        and (kind == "adj" or (aspect in reading.get("aspect") and polarity in reading.get("polarity")))
    ]
    tables: list[Forms] = []
    for gender in GENDERS:
        cells = _merge(_collect(reading for reading in wanted if gender in reading.get("gender")))
        stem = _FULL_STEMS.get(lexeme.split(":")[0])
        if stem:
            cells = {index: sorted(forms, key=lambda f: stem not in f) for index, forms in cells.items()}
        tables.append(tuple(tuple(prefix + form for form in cells.get(index, ())) for index in range(14)))
    return Adjective(lexeme, kind, degree, tuple(tables), prefix)


@lru_cache(maxsize=4096)
def participle_noun(lexeme: str, gender: str, forms: Forms) -> Noun:
    """A person named by a participle: *zamawiający*, *sprzątająca*."""
    exists = sum(1 << index for index, cell in enumerate(forms) if cell)
    return Noun(lexeme, gender, GENDERS.index(gender), "participle", forms, exists, False, False, frozenset(), 1.5)


@lru_cache(maxsize=2048)
def prefixed_noun(prefix: str, noun: Noun) -> Noun:
    """A noun with an unchanging first part: *e-doręczenie*."""
    forms = tuple(tuple(prefix + form for form in cell) for cell in noun.forms)
    return replace(noun, lexeme=prefix + noun.lexeme, forms=forms)


@lru_cache(maxsize=256)
def plural_part(noun: Noun) -> Noun:
    """A noun without its singular, as it is used in *Stany Zjednoczone*."""
    return replace(noun, forms=((),) * 7 + noun.forms[7:], exists=noun.exists & PLURAL)


@lru_cache(maxsize=2048)
def twin_noun(first: Noun, second: Noun) -> Noun:
    """Two nouns joined by a hyphen, both inflected: *lekarz-specjalista*."""
    forms = tuple((f"{a[0]}-{b[0]}",) if a and b else () for a, b in zip(first.forms, second.forms, strict=True))
    exists = sum(1 << index for index, cell in enumerate(forms) if cell)
    return replace(first, lexeme=f"{first.lexeme}-{second.lexeme}", forms=forms, exists=exists)


@lru_cache(maxsize=4096)
def overlay_noun(lemma: str, gender: str, forms: Forms) -> Noun:
    """A noun of the overlay lexicon."""
    exists = sum(1 << index for index, cell in enumerate(forms) if cell)
    indeclinable = len({form for cell in forms for form in cell}) == 1
    return Noun(lemma, gender, GENDERS.index(gender), "overlay", forms, exists, indeclinable, False, frozenset(), 0.0)


@lru_cache(maxsize=1024)
def adjective_like(stem: str, model: Adjective, model_stem: str) -> Adjective:
    """An adjective that the dictionary lacks, inflected like one it has."""
    tables = tuple(
        tuple(tuple(stem + form.removeprefix(model_stem) for form in cell) for cell in forms) for forms in model.forms
    )
    return Adjective(stem, "adj", "pos", tables)
