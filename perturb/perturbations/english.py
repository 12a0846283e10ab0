"""``english_terms``: Polish business terms replaced by the English ones that Poles use at work.

The English word takes the cell of the Polish one (*terminu* → *deadline'u*, *dostawcą* → *vendorem*), agreeing words
follow its gender (*nowa umowa o poziomie usług* → *nowe SLA*), what the term governs stays (*termin wdrożenia* →
*deadline wdrożenia*). Where case or agreement cannot be told, nothing is yielded.

One rule everywhere: ``inflected`` gives the English word its Polish ending (*przed deadline'em*), ``bare`` leaves it as
English has it (*przed deadline*). A word that does not inflect (*due diligence*, *SLA*) looks the same in both and is
yielded once, as ``inflected``. Beside each other, ``bare`` is left out where Poles always give the ending: names of
people (*od vendora*), single words in the plural (*lista ticketów*), words whose adjective shows the case (*do
zaległego invoice'u*); asked for alone, it is yielded there too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar, Literal

from perturb.perturbations.agreement import UNCERTAIN_AGREEMENT, UNCERTAIN_CASE, change_needs, reagree
from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.slots import Slot, find_slot
from perturb.perturbations.term_context import is_barred, stands_already
from perturb.perturbations.term_pairs import TermPair, english_plural, pair_index
from perturb.polish.government import is_preposition
from perturb.polish.loan_verbs import conjugate
from perturb.polish.loanwords import (
    APOSTROPHE,
    colloquial_acronym_plural,
    is_acronym,
    loan_paradigm,
    render_apostrophe,
    without_apostrophe,
)
from perturb.polish.morphology import GENDERS, analyse, lemmas
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.lexicons import word_class
from perturb.polish.phrases.shapes import CELLS, SINGULAR
from perturb.polish.terms import TermMatch
from perturb.polish.vocalisation import preposition_edit
from perturb.records import Edit, Variant

Rendering = Literal["bare", "inflected", "colloquial"]


@dataclass(frozen=True)
class Replacement:
    """An English noun in the place of a Polish term.

    Attributes:
        pair: the two terms.
        match: the Polish term in the query.
        slot: its surroundings.
        cells: pairs of the old cell and the cell of the English noun, for every cell that is still possible.
        predicate: changes of a verb that agrees with the noun.
    """

    pair: TermPair
    match: TermMatch
    slot: Slot
    cells: tuple[tuple[int, int], ...]
    predicate: tuple[Edit, ...] = ()


_SHORT = 7
"""Letters of the short loans that always take an ending: *team*, *board*, *meeting*."""

_DATIVE = 1 << 2 | 1 << 9

_GIVING = word_class("giving_verb")
"""Verbs with an object and a receiver: *zlecić prace podwykonawcy*."""


def english_cell(pair: TermPair, cell: int) -> int:
    """The cell of the English noun: that of the Polish one, unless English knows one number only."""
    if pair.number == "both":
        return cell
    return cell % 7 + (7 if pair.number == "pl" else 0)


def singular_first(mask: int) -> int:
    """Read a form that is singular and plural in the same cases (*reklamacji*) as a singular."""
    return mask & SINGULAR if mask & SINGULAR == mask >> 7 else mask


def takes_ending(query: ParsedQuery, pair: TermPair, slot: Slot, cell: int) -> bool:
    """Whether Poles would not leave the English word as it is in this cell, unless the whole phrase is English.

    Args:
        query: the query.
        pair: the term.
        slot: its surroundings.
        cell: index of the cell.
    """
    inflected = noun_form(pair, cell, "inflected")
    if noun_form(pair, cell, "bare") == inflected:
        return False
    if pair.gender in ("m1", "f") or slot.agreeing:
        return True
    if re.search(r"[ -]", pair.english):
        return False
    # An ending that needs an apostrophe is a nuisance (deadline'u), others come by themselves (z backupu, dla boardu).
    easy = APOSTROPHE not in inflected and not is_acronym(pair.english)
    governed = slot.start > 0 and is_preposition(query.tokens[slot.start - 1])
    return cell >= 7 or (easy and (governed or len(pair.english) <= _SHORT))


def fit_case(model: str, text: str, whole: bool) -> str:
    """Give a replacement the capitals of what it replaces: all of them, the first one, or none."""
    if whole and len(model) > 1 and model.isupper():
        return text.upper()
    if model[:1].isupper() and not text[:1].isupper() and not model.isupper():
        return text[:1].upper() + text[1:]
    return text


@register
@dataclass(frozen=True)
class EnglishTerms(Perturbation):
    """Polish business terms replaced by the English ones that Poles use.

    Attributes:
        rendering: kinds to yield, one or several: ``inflected`` (*deadline'u*), ``bare`` (*deadline*), ``colloquial``
            (*deadlinu*, *KPI-ów*).
        apostrophe: ``ascii`` as keyboards have it, or ``typographic``.
        mapping: further pairs of Polish and English terms, before those of the lexicon.
        lexicons: TSV files or folders with further pairs.
    """

    rendering: Rendering | tuple[Rendering, ...] = ("inflected", "bare")
    apostrophe: Literal["ascii", "typographic"] = "ascii"
    mapping: Mapping[str, str] = field(default_factory=dict)
    lexicons: tuple[str, ...] = ()

    name: ClassVar[str] = "english_terms"
    summary: ClassVar[str] = "Polish business terms become the English ones Poles use, inflected as Poles inflect them"
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("przekroczenie terminu", "przekroczenie deadline'u"),
        ("umowa z dostawcą", "umowa z vendorem"),
        ("nowa umowa o poziomie usług", "nowe SLA"),
        ("Termin wdrożenia w firmie „Termin Plus”", "Deadline wdrożenia w firmie „Termin Plus”"),
        ("przed terminem odbioru", "przed deadline odbioru"),
        ("jak zatwierdzić wniosek", "jak zaapprove'ować wniosek"),
    )

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant per term and rendering."""
        index = pair_index(tuple(sorted(self.mapping.items())), self.lexicons)
        for match in index.matcher(query):
            pair = index.by_polish[match.pattern.text]
            if is_barred(query, match, pair):
                query.decline("the term means something else here")
            elif stands_already(query, match.start, match.end, pair.english):
                query.decline("the English word stands there already")
            elif pair.pos == "verb":
                yield from self._verb(query, match, pair)
            else:
                yield from self._noun(query, match, pair)

    def _kinds(self) -> list[Rendering]:
        """The renderings asked for, the standard one first: where two give the same text, it keeps the name."""
        wanted = (self.rendering,) if isinstance(self.rendering, str) else self.rendering
        return sorted(set(wanted), key=("inflected", "bare", "colloquial").index)

    def _noun(self, query: ParsedQuery, match: TermMatch, pair: TermPair) -> Iterator[Variant]:
        replacement = locate(query, match, pair)
        if replacement is None:
            return
        seen = {query.text}
        for rendering in self._kinds():
            variant = self._render(query, replacement, rendering)
            if variant is not None and variant.text not in seen:
                seen.add(variant.text)
                yield variant

    def _render(self, query: ParsedQuery, replacement: Replacement, rendering: Rendering) -> Variant | None:
        pair, match, slot = replacement.pair, replacement.match, replacement.slot
        outcomes: dict[str, list[Edit]] = {}
        for _, cell in replacement.cells:
            form = noun_form(pair, cell, rendering)
            if rendering == "bare" and self._kinds() != ["bare"] and takes_ending(query, pair, slot, cell):
                query.decline("the English word always takes a Polish ending here")
                return None
            adjectives = reagree(query, slot, GENDERS.index(pair.gender), cell)
            if not form or adjectives is None:
                query.decline(UNCERTAIN_AGREEMENT if form else "the English word has no usual form in this case")
                return None
            written = render_apostrophe(form, self.apostrophe)
            edits = [*adjectives, *self._edits(query, match, slot, written), *replacement.predicate]
            outcomes.setdefault(repr(sorted(edits, key=lambda e: e.start)), sorted(edits, key=lambda e: e.start))
        if len(outcomes) != 1:
            query.decline(UNCERTAIN_CASE)
            return None
        confidence = (0.95 if slot.settled or len(replacement.cells) == 1 else 0.85) - 0.1 * pair.meaning_risk
        flags = ("meaning_risk",) if pair.meaning_risk else ()
        edits = next(iter(outcomes.values()))
        return query.variant(self.name, rendering, edits, confidence=round(confidence, 2), flags=flags)

    def _edits(self, query: ParsedQuery, match: TermMatch, slot: Slot, form: str) -> Iterator[Edit]:
        first, last = query.tokens[match.start], query.tokens[match.end - 1]
        before = query.text[first.start : last.end]
        if slot.start == match.start:
            yield from preposition_edit(query, match.start, form)
        yield query.edit(first.start, last.end, fit_case(before, form, whole=True))

    def _verb(self, query: ParsedQuery, match: TermMatch, pair: TermPair) -> Iterator[Variant]:
        token = query.tokens[match.start]
        verb = lemmas(pair.polish.split()[0])
        forms = {
            form
            for reading in analyse(token.text)
            if reading.lemma in verb and reading.is_accepted and (form := conjugate(pair.english, reading))
        }
        others = [r for r in analyse(token.text) if r.is_accepted and r.lemma not in verb and not r.is_proper]
        if len(forms) != 1 or others:
            query.decline("the form of the verb cannot be told")
            return
        written = {"inflected": forms.pop()}
        if "colloquial" in self._kinds() and pair.colloquial:
            reading = next(r for r in analyse(token.text) if r.lemma in verb and conjugate(pair.english, r))
            written["colloquial"] = conjugate(pair.colloquial[0], reading)
        last = query.tokens[match.end - 1]
        for rendering, form in written.items():
            if rendering in self._kinds():
                written_form = render_apostrophe(form, self.apostrophe)
                text = fit_case(query.text[token.start : last.end], written_form, whole=True)
                edit = query.edit(token.start, last.end, text)
                flags = ("meaning_risk",) if pair.meaning_risk else ()
                yield query.variant(self.name, rendering, [edit], confidence=0.8 if flags else 0.9, flags=flags)


def locate(query: ParsedQuery, match: TermMatch, pair: TermPair) -> Replacement | None:
    """Find out which cells the English noun may take; None, with the reason noted in the query, if that is unsafe."""
    noun = match.pattern.head
    frozen_end = any(index == match.end - match.start - 1 for index, _, _ in match.pattern.frozen)
    slot = find_slot(query, match.start, match.end, noun.gender_index, match.mask, frozen_end=frozen_end)
    if slot.runs_on:
        query.decline("the phrase goes on after the term")
        return None
    mask = singular_first(slot.mask | _receiver(query, slot, match.mask))
    cells = tuple((cell, english_cell(pair, cell)) for cell in range(14) if mask >> cell & 1)
    predicate: tuple[Edit, ...] = ()
    for old, new in cells:
        before = (noun.gender_index, CELLS[old][0])
        after = (GENDERS.index(pair.gender), CELLS[new][0])
        change = change_needs(query, slot, (match.start, match.end), before, after)
        if change.obstacle:
            query.decline(change.obstacle)
            return None
        predicate = change.edits
    return Replacement(pair, match, slot, cells, predicate)


def _receiver(query: ParsedQuery, slot: Slot, mask: int) -> int:
    """The dative, where a noun after a verb and its object may be either its genitive or the receiver."""
    if slot.start < 2 or is_preposition(query.tokens[slot.start - 1]):
        return 0
    verbs = {reading.lemma for token in query.tokens[: slot.start - 1] for reading in analyse(token.text)}
    return mask & _DATIVE if verbs & _GIVING else 0


def noun_form(pair: TermPair, cell: int, rendering: Rendering) -> str:
    """An English noun as Poles write it in a cell; empty if the rendering has no usual form for it.

    Args:
        pair: the term.
        cell: index of the cell.
        rendering: ``bare``, ``inflected`` or ``colloquial``.
    """
    plural = cell >= 7
    listed_in_plural = pair.number == "pl" and pair.genitive == "0"
    bare = english_plural(pair.english) if plural and not listed_in_plural else pair.english
    if rendering == "bare":
        return bare
    if rendering == "colloquial" and pair.colloquial:
        lemma, genitive = pair.colloquial
        return _first(loan_paradigm(lemma, pair.gender, genitive)[CELLS[cell]])
    if pair.genitive == "0":
        if rendering == "colloquial" and plural and is_acronym(pair.english):
            return _first(colloquial_acronym_plural(pair.english)[CELLS[cell]])
        return bare
    form = _first(loan_paradigm(pair.english, pair.gender, pair.genitive)[CELLS[cell]])
    if rendering == "colloquial" and (APOSTROPHE in form or is_acronym(pair.english)):
        return without_apostrophe(form)
    return form


def _first(forms: tuple[str, ...]) -> str:
    return forms[0] if forms else ""
