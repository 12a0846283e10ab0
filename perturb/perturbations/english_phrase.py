"""``english_phrase``: a whole noun phrase as English has it: *termin wdrożenia* → *deployment deadline*.

The phrase is a term with the adjectives that agree with it and the genitive term that follows; every one of its words
must have an English counterpart. It stays uninflected, whatever case the Polish phrase stood in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar

from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.english_forms import NO_USUAL_FORM, fit_case, is_awkward, noun_form, takes_ending
from perturb.perturbations.english_slots import Replacement, locate
from perturb.perturbations.slots import Slot, belongs_after
from perturb.perturbations.term_context import is_barred, stands_already
from perturb.perturbations.term_pairs import OTHER_SENSE, PairIndex, TermPair, pair_index
from perturb.polish.government import is_preposition
from perturb.polish.loanwords import is_acronym
from perturb.polish.morphology import GENDERS
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.shapes import CELLS, GENITIVE
from perturb.polish.terms import TermMatch, noun_cells
from perturb.polish.vocalisation import preposition_edit
from perturb.records import Edit, Variant

_MASCULINE = GENDERS.index("m3")
_OF_THE_LAST = frozenset({"z", "ze", "od"})
"""Prepositions whose phrase may belong to the last noun, which stands first in English: *ocena dostawcy* z Turcji."""
_NO_ENGLISH = "a word of the phrase has no English counterpart"


@register
@dataclass(frozen=True)
class EnglishPhrase(Perturbation):
    """A noun phrase in English, bare and in its dictionary form.

    Attributes:
        mapping: further pairs of Polish and English terms, before those of the lexicon.
        lexicons: TSV files or folders with further pairs.
    """

    mapping: Mapping[str, str] = field(default_factory=dict)
    lexicons: tuple[str, ...] = ()

    name: ClassVar[str] = "english_phrase"
    summary: ClassVar[str] = "A whole noun phrase is written in English, without Polish endings"
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("zmiana terminu wdrożenia", "zmiana deployment deadline"),
        ("audyt zewnętrznego dostawcy", "audyt external vendor"),
        ("przed terminem", "przed deadline"),
    )

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant per noun phrase; ``kind`` tells whether it is a ``term`` or ``composed`` of several."""
        index = pair_index(tuple(sorted(self.mapping.items())), self.lexicons)
        matches = [match for match, _ in index.find(query) if match.pattern.verb < 0]
        position = 0
        while position < len(matches):
            used, variant = self._phrase(query, matches[position:], index)
            position += used
            if variant is not None:
                yield variant

    def _phrase(self, query: ParsedQuery, matches: Sequence[TermMatch], index: PairIndex) -> tuple[int, Variant | None]:
        """The phrase that begins with the first match: how many matches it takes up, and its variant."""
        chain = _genitive_chain(matches)
        pairs = [index.by_polish[match.pattern.text] for match in chain]
        if any(is_barred(query, match, pairs[at], governed=at > 0) for at, match in enumerate(chain)):
            query.decline(OTHER_SENSE)
            return len(chain), None
        found: list[Replacement] = []
        for match, pair in zip(chain, pairs, strict=True):
            replacement = locate(query, match, pair)
            if replacement is None:
                return len(chain), None
            found.append(replacement)
        reason = _no_place(query, found)
        if reason:
            query.decline(reason)
            return len(chain), None
        predicate = next((replacement.predicate for replacement in found if replacement.predicate), ())
        return len(chain), self._compose(query, pairs, [replacement.slot for replacement in found], index, predicate)

    def _compose(
        self,
        query: ParsedQuery,
        pairs: Sequence[TermPair],
        slots: Sequence[Slot],
        index: PairIndex,
        predicate: Sequence[Edit],
    ) -> Variant | None:
        adjectives = [_english_adjectives(slot, index) for slot in slots]
        head = _head(pairs[0], _number(slots[0]))
        words = [*adjectives[0]]
        for pair, before in zip(pairs[1:], adjectives[1:], strict=True):
            words += [*before, _head(pair, 0)]
        phrase = " ".join([*words, head])
        start, end = min(slot.start for slot in slots), max(slot.end for slot in slots)
        composed = len(pairs) > 1 or bool(adjectives[0])
        names = phrase.lower().split()
        if stands_already(query, start, end, phrase) or len(set(names)) < len(names):
            query.decline("the English word stands there already")
            return None
        # An English phrase has no Polish endings (to-do lista); its attribute is told in words (not: PO lead time).
        polonised = any(pair.gender == "f" for pair in pairs) or any(is_acronym(pair.english) for pair in pairs[1:])
        halved = bool(adjectives[0]) and _is_contrasted(query, end)
        if "" in words or polonised or halved or (composed and (" of " in head or _has_complement(query, end))):
            query.decline(_NO_ENGLISH)
            return None
        first, last = query.tokens[start], query.tokens[end - 1]
        text = fit_case(query.text[first.start : last.end], phrase, whole=True)
        edits = [*preposition_edit(query, start, text), query.edit(first.start, last.end, text), *predicate]
        risk = any(pair.meaning_risk for pair in pairs)
        flags = ("meaning_risk",) if risk else ()
        confidence = 0.75 if risk else 0.85
        return query.variant(self.name, "composed" if composed else "term", edits, confidence=confidence, flags=flags)


def _no_place(query: ParsedQuery, found: Sequence[Replacement]) -> str:
    """Why an English phrase does not go where a Polish one stands; empty if it does."""
    first, last = found[0], found[-1].slot.end
    if len(found) > 1 and last < len(query.tokens) and query.tokens[last].lower in _OF_THE_LAST:
        return _NO_ENGLISH
    if len(found) == 1 and not first.slot.agreeing:
        if any(takes_ending(query, first.pair, first.slot, cell) for _, cell in first.cells):
            return "the English word always takes a Polish ending here"
        awkward = any(is_awkward(query, first.pair, first.match, first.slot, cell, "bare") for _, cell in first.cells)
        return NO_USUAL_FORM if awkward else ""
    # An English phrase shows no case: it may be a subject, an object or an attribute, but hardly follows a preposition;
    # and the name of a person is no object without an ending.
    start = first.slot.start
    governed = start > 0 and is_preposition(query.tokens[start - 1])
    oblique = any(CELLS[old][1] not in ("nom", "acc") for old, _ in first.cells)
    named = first.pair.gender == "m1" and any(old not in (0, 7) for old, _ in first.cells)
    after_noun = start > 0 and bool(noun_cells(query.tokens[start - 1].text))
    return NO_USUAL_FORM if (governed and oblique) or (named and not after_noun) else ""


def _genitive_chain(matches: Sequence[TermMatch]) -> list[TermMatch]:
    """A term and the terms that follow it directly in the genitive: at most two, more is no phrase people write."""
    chain = [matches[0]]
    for match in matches[1:2]:
        if match.start == chain[-1].end and match.mask & GENITIVE:
            chain.append(match)
    return chain


def _english_adjectives(slot: Slot, index: PairIndex) -> list[str]:
    """English for the agreeing words, in their order; an empty string for each without a counterpart."""
    lemmas = [reading.adjective.forms[_MASCULINE][0] for _, reading in slot.agreeing]
    return [index.adjectives.get(forms[0], "") if forms else "" for forms in lemmas]


def _number(slot: Slot) -> int:
    return 0 if slot.mask & 127 else 7


def _head(pair: TermPair, cell: int) -> str:
    return noun_form(pair, cell if pair.number == "both" else (7 if pair.number == "pl" else 0), "bare")


def _is_contrasted(query: ParsedQuery, end: int) -> bool:
    """Whether an adjective without a noun is set against that of the phrase: *dostawcy krajowi* a zagraniczni."""
    words = query.looked_up
    if end + 1 >= len(words) or words[end].text.lower() not in ("a", "czy", "i", "oraz", "lub", "albo"):
        return False
    return bool(words[end + 1].adjectives) and not belongs_after(words, end + 1)


def _has_complement(query: ParsedQuery, end: int) -> bool:
    if end >= len(query.tokens) or query.tokens[end].kind != "word" or is_preposition(query.tokens[end]):
        return False
    return bool(noun_cells(query.tokens[end].text) & GENITIVE)
