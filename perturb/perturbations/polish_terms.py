"""``polish_terms``: English business terms in Polish queries replaced by the Polish ones: *z vendorem* → *z dostawcą*.

An inflected loan tells its cell itself. A bare or indeclinable one (*SLA*) takes its case from what governs it: a
preposition, a noun before it, a verb, the beginning of the query; where these do not tell, nothing is yielded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random
from typing import ClassVar

from perturb.perturbations.agreement import UNCERTAIN_CASE, change_needs, reagree
from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.english_forms import noun_form
from perturb.perturbations.slots import Slot, find_slot
from perturb.perturbations.term_context import has_barred_neighbour
from perturb.perturbations.term_pairs import TermPair, english_plural, pair_index
from perturb.polish.government import preposition_cases
from perturb.polish.loanwords import is_acronym, loan_paradigm
from perturb.polish.morphology import CASES, GENDERS, analyse, is_word, lemmas
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.shapes import ALL_CELLS, CELLS, GENITIVE, NOMINATIVE, PLURAL, SINGULAR, VOCATIVE
from perturb.polish.terms import TermPattern, noun_cells, term_pattern
from perturb.polish.text import Token, tokenize
from perturb.polish.vocalisation import preposition_edit
from perturb.records import Edit, Variant

ACCUSATIVE = 1 << 3 | 1 << 10
_FIRST_CASE_HOLDS = frozenset({"w", "we", "przed", "nad", "pod", "między"})
"""Prepositions of two cases of which the first is nearly always meant: *w SLA* is a locative."""
_ACCUSATIVE_HOLDS = frozenset({"za", "o"})
"""Prepositions after which a loan without an ending is an accusative, for its other case would show."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An English term in a query.

    Attributes:
        pair: the two terms.
        start: its first token.
        end: one past its last token.
        inflected: cells that its ending tells.
        bare: cells it may stand in if it was left without an ending; 0 if it has one.
    """

    pair: TermPair
    start: int
    end: int
    inflected: int
    bare: int


def _key(word: str) -> str:
    return word.lower().replace("’", "'")


@dataclass(frozen=True, slots=True)
class EnglishForms:
    """Every form of every English term.

    Attributes:
        terms: by tokens the pair, the cells its ending tells, and the cells if it is bare.
        lengths: by first token how many tokens a form has, longest first.
    """

    terms: Mapping[tuple[str, ...], tuple[TermPair, int, int]]
    lengths: Mapping[str, tuple[int, ...]]


@lru_cache(maxsize=32)
def _english_forms(mapping: tuple[tuple[str, str], ...], lexicons: tuple[str, ...]) -> EnglishForms:
    masks: dict[tuple[str, ...], dict[TermPair, int]] = defaultdict(dict)
    bare: dict[tuple[TermPair, tuple[str, ...]], int] = {}
    for pair in pair_index(mapping, lexicons).nouns:
        numbers = {"both": ALL_CELLS, "sg": SINGULAR, "pl": PLURAL}[pair.number] & ~VOCATIVE
        for cell in (index for index in range(14) if numbers >> index & 1):
            forms = {noun_form(pair, cell, "inflected"), noun_form(pair, cell, "colloquial")}
            forms.update(loan_paradigm(pair.english, pair.gender, pair.genitive)[CELLS[cell]])
            for form in filter(None, forms):
                tokens = tuple(_key(token.text) for token in tokenize(form))
                masks[tokens][pair] = masks[tokens].get(pair, 0) | 1 << cell
        whole = (pair.english, numbers & SINGULAR or numbers)
        for form, cells in (whole, (english_plural(pair.english), numbers & PLURAL)):
            tokens = tuple(_key(token.text) for token in tokenize(form))
            if cells:
                bare[pair, tokens] = bare.get((pair, tokens), 0) | cells
                masks[tokens].setdefault(pair, 0)
    terms = {
        tokens: (pair, by_pair[pair], bare.get((pair, tokens), 0))
        for tokens, by_pair in masks.items()
        if tokens and (pair := next(iter(by_pair)))
    }
    lengths: dict[str, set[int]] = defaultdict(set)
    for tokens in terms:
        lengths[tokens[0]].add(len(tokens))
    return EnglishForms(terms, {first: tuple(sorted(found, reverse=True)) for first, found in lengths.items()})


@register
@dataclass(frozen=True)
class PolishTerms(Perturbation):
    """English business terms replaced by the Polish ones.

    Attributes:
        mapping: further pairs of Polish and English terms, before those of the lexicon.
        lexicons: TSV files or folders with further pairs.
    """

    mapping: Mapping[str, str] = field(default_factory=dict)
    lexicons: tuple[str, ...] = ()

    name: ClassVar[str] = "polish_terms"
    summary: ClassVar[str] = "English business terms become the Polish ones, in the case the query needs"
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("umowa z vendorem", "umowa z dostawcą"),
        ("nowe SLA", "nowa umowa o poziomie usług"),
        ("przekroczenie deadline'u", "przekroczenie terminu"),
        ("problem z ticketem", "problem ze zgłoszeniem"),
    )

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant per English term whose case can be told."""
        forms = _english_forms(tuple(sorted(self.mapping.items())), self.lexicons)
        found = list(_occurrences(query, forms))
        for occurrence in found:
            if _in_compound(query, occurrence, found):
                query.decline("the term is part of an English compound")
                continue
            variant = self._replace(query, occurrence)
            if variant is not None and variant.text != query.text:
                yield variant

    def _replace(self, query: ParsedQuery, occurrence: Occurrence) -> Variant | None:
        pair = occurrence.pair
        pattern = term_pattern(pair.polish)
        slot = _slot(query, occurrence)
        if pattern is None or slot is None or slot.runs_on:
            query.decline(UNCERTAIN_CASE)
            return None
        if len(pattern.lemmas) == 1 and any(pattern.lemmas[0][0] in lemmas(token.lower) for token in query.words):
            query.decline("the Polish word stands there already")
            return None
        outcomes: dict[str, list[Edit]] = {}
        for cell in (index for index in range(14) if slot.mask >> index & 1):
            edits = _edits(query, occurrence, slot, pattern, cell)
            if isinstance(edits, str):
                query.decline(edits)
                return None
            outcomes[repr(edits)] = edits
        if len(outcomes) != 1:
            query.decline(UNCERTAIN_CASE)
            return None
        flags = ("meaning_risk",) if pair.meaning_risk else ()
        confidence = round((0.9 if occurrence.inflected and slot.settled else 0.8) - 0.1 * pair.meaning_risk, 2)
        kind = pair.domain or "own"
        return query.variant(self.name, kind, next(iter(outcomes.values())), confidence=confidence, flags=flags)


def _occurrences(query: ParsedQuery, forms: EnglishForms) -> Iterator[Occurrence]:
    keys = [_key(token.text) if token.is_word else "" for token in query.tokens]
    position = 0
    while position < len(keys):
        rest = len(keys) - position
        for length in (n for n in forms.lengths.get(keys[position], ()) if n <= rest):
            found = forms.terms.get(tuple(keys[position : position + length]))
            tokens = query.tokens[position : position + length]
            if found and _is_meant(tokens, found[0], position):
                if not has_barred_neighbour(query, position, position + length, found[0]):
                    yield Occurrence(found[0], position, position + length, found[1], found[2])
                position += length
                break
        else:
            position += 1


def _in_compound(query: ParsedQuery, occurrence: Occurrence, found: Sequence[Occurrence]) -> bool:
    """Whether another English word stands right beside it: *brand manager*, but not *vendorem software'u*."""
    for other in found:
        pair = sorted((occurrence, other), key=lambda o: o.start)
        if pair[0].end == pair[1].start and (pair[1].bare or not pair[1].inflected & GENITIVE):
            return True
    before = query.tokens[occurrence.start - 1 : occurrence.start]
    return any(t.is_word and t.text.islower() and len(t.text) > 2 and not is_word(t.text) for t in before)


def _is_meant(tokens: tuple[Token, ...], pair: TermPair, position: int) -> bool:
    """Whether the words are the term, not a name or a Polish homograph: *target*, not *w Target*; *PIT*, not *pit*."""
    last = tokens[-1].text
    if is_acronym(pair.english.rpartition(" ")[2]):
        return last[:2].isupper() or (len(last) > 2 and not is_word(last))
    return position == 0 or not tokens[0].text[:1].isupper() or tokens[0].text.isupper()


def _slot(query: ParsedQuery, occurrence: Occurrence) -> Slot | None:
    """Where the term stands; None if neither its ending nor its surroundings tell the case."""
    gender = GENDERS.index(occurrence.pair.gender)
    if not occurrence.bare:
        return _narrowed(
            query, find_slot(query, occurrence.start, occurrence.end, gender, occurrence.inflected), occurrence
        )
    for mask in (occurrence.bare & SINGULAR, occurrence.bare & PLURAL):
        if not mask:
            continue
        slot = find_slot(query, occurrence.start, occurrence.end, gender, mask)
        agrees = bool(slot.agreeing) and len({cell % 7 for cell in range(14) if slot.mask >> cell & 1}) == 1
        if (slot.settled or agrees) and not _after_dative(query, slot.start):
            return _narrowed(query, _object_first(query, slot, occurrence), occurrence)
    return None


def _after_dative(query: ParsedQuery, start: int) -> bool:
    """Whether a receiver stands before the term, which then is an object rather than its genitive: *klientowi SLA*."""
    return bool(start) and noun_cells(query.tokens[start - 1].text) in (1 << 2, 1 << 9)


def _object_first(query: ParsedQuery, slot: Slot, occurrence: Occurrence) -> Slot:
    """At the beginning of a clause a word without an ending may be its object: *Jakie SLA podpisał dostawca*."""
    own = occurrence.pair.genitive != "0"
    finite = any(reading.pos in ("fin", "praet") for token in query.words for reading in analyse(token.text))
    if slot.start or own or not finite:
        return slot
    return replace(slot, mask=slot.mask | slot.mask << 3 & (ACCUSATIVE if slot.mask & NOMINATIVE else 0))


def _narrowed(query: ParsedQuery, slot: Slot, occurrence: Occurrence) -> Slot:
    """Choose between the two cases of a preposition where one of them is nearly always meant."""
    preposition = query.tokens[slot.start - 1].lower if slot.start else ""
    if preposition in _ACCUSATIVE_HOLDS and occurrence.pair.genitive != "0":
        index = CASES.index("acc")
    elif preposition in _FIRST_CASE_HOLDS:
        index = CASES.index(preposition_cases(query.tokens, slot.start)[0])
    else:
        return slot
    mask = slot.mask & (1 << index | 1 << index + 7)
    return replace(slot, mask=mask or slot.mask)


def _edits(query: ParsedQuery, occurrence: Occurrence, slot: Slot, pattern: TermPattern, cell: int) -> list[Edit] | str:
    """The edits that put the Polish term into a cell, or why that cannot be done."""
    pair = occurrence.pair
    target = cell if pattern.cells & SINGULAR else cell % 7 + 7
    form = pattern.form(target)
    gender = pattern.head.gender_index
    old = (GENDERS.index(pair.gender), CELLS[cell][0])
    change = change_needs(query, slot, (occurrence.start, occurrence.end), old, (gender, CELLS[target][0]))
    adjectives = reagree(query, slot, gender, target)
    if change.obstacle or not form or adjectives is None:
        return change.obstacle or UNCERTAIN_CASE
    first, last = query.tokens[occurrence.start], query.tokens[occurrence.end - 1]
    text = _fit_case(query, occurrence, form)
    edits = [*adjectives, query.edit(first.start, last.end, text), *change.edits]
    if slot.start == occurrence.start:
        edits += preposition_edit(query, occurrence.start, text)
    return sorted(edits, key=lambda edit: edit.start)


def _fit_case(query: ParsedQuery, occurrence: Occurrence, text: str) -> str:
    if query.text.isupper() and len(query.tokens) > occurrence.end - occurrence.start:
        return text.upper()
    written = query.tokens[occurrence.start].text
    sentence = occurrence.start == 0 and query.text[-1:] in ".?!"
    capital = sentence if written[:2].isupper() else written[:1].isupper()
    return text[:1].upper() + text[1:] if capital else text
