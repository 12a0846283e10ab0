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

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar, Literal

from perturb.perturbations.agreement import UNCERTAIN_AGREEMENT, UNCERTAIN_CASE, reagree
from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.english_forms import NO_USUAL_FORM, Rendering, fit_case, is_awkward, noun_form, takes_ending
from perturb.perturbations.english_slots import Replacement, locate
from perturb.perturbations.slots import Slot
from perturb.perturbations.term_context import is_barred, stands_already
from perturb.perturbations.term_pairs import OTHER_SENSE, TermPair, pair_index
from perturb.polish.loan_verbs import conjugate
from perturb.polish.loanwords import render_apostrophe
from perturb.polish.morphology import GENDERS, analyse, lemmas
from perturb.polish.parsed import ParsedQuery
from perturb.polish.terms import TermMatch
from perturb.polish.vocalisation import preposition_edit
from perturb.records import Edit, Variant


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
        for match, pair in index.find(query):
            if is_barred(query, match, pair):
                query.decline(OTHER_SENSE)
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
            if not form or is_awkward(query, pair, match, slot, cell, rendering):
                query.decline(NO_USUAL_FORM)
                return None
            adjectives = reagree(query, slot, GENDERS.index(pair.gender), cell)
            if adjectives is None:
                query.decline(UNCERTAIN_AGREEMENT)
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
