"""Where an English noun stands in the place of a Polish term: its cells, and what has to agree with it."""

from __future__ import annotations

from dataclasses import dataclass

from perturb.perturbations.agreement import UNCERTAIN_AGREEMENT, change_needs
from perturb.perturbations.english_forms import english_cell
from perturb.perturbations.slots import Slot, belongs_before, find_slot
from perturb.perturbations.term_pairs import TermPair
from perturb.polish.government import is_preposition
from perturb.polish.morphology import GENDERS, analyse, lemmas
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.lexicons import word_class
from perturb.polish.phrases.shapes import CELLS, SINGULAR
from perturb.polish.phrases.syntax import words_of
from perturb.polish.terms import TermMatch
from perturb.records import Edit

_DATIVE = 1 << 2 | 1 << 9

_LINKING = frozenset({"być", "zostać", "okazać", "wydawać"})

_GIVING = word_class("giving_verb")
"""Verbs with an object and a receiver: *zlecić prace podwykonawcy*."""


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


def singular_first(mask: int) -> int:
    """Read a form that is singular and plural in the same cases (*reklamacji*) as a singular."""
    return mask & SINGULAR if mask & SINGULAR == mask >> 7 else mask


def locate(query: ParsedQuery, match: TermMatch, pair: TermPair) -> Replacement | None:
    """Find out which cells the English noun may take; None, with the reason noted in the query, if that is unsafe."""
    noun = match.pattern.head
    frozen_end = any(index == match.end - match.start - 1 for index, _, _ in match.pattern.frozen)
    slot = find_slot(query, match.start, match.end, noun.gender_index, match.mask, frozen_end=frozen_end)
    if slot.runs_on:
        query.decline("the phrase goes on after the term")
        return None
    gender = GENDERS.index(pair.gender)
    if gender != noun.gender_index and _is_meant_later(query, slot.end, noun.gender_index):
        query.decline(UNCERTAIN_AGREEMENT)
        return None
    mask = singular_first(slot.mask | _receiver(query, slot, match.mask))
    cells = tuple((cell, english_cell(pair, cell)) for cell in range(14) if mask >> cell & 1)
    predicate: tuple[Edit, ...] = ()
    for old, new in cells:
        before = (noun.gender_index, CELLS[old][0])
        after = (gender, CELLS[new][0])
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
    if any(reading.pos == "ppas" for reading in analyse(query.tokens[slot.start - 1].text)):
        return mask & _DATIVE  # informacje przekazane dostawcy
    verbs = {reading.lemma for token in query.tokens[: slot.start - 1] for reading in analyse(token.text)}
    return mask & _DATIVE if verbs & _GIVING else 0


def _is_meant_later(query: ParsedQuery, start: int, gender: int) -> bool:
    """Whether an adjective without a noun may stand for a term before it: *umowa wygasła, czy trzeba podpisać* nową."""
    words = words_of(query.tokens)
    for index in range(start + 1, len(words)):
        word = words[index]
        ends = index + 1 == len(words) or words[index + 1].kind == "symbol"
        alone = (
            ends
            and word.adjectives
            and all(noun.penalty > 0 for noun in word.nouns)
            and not belongs_before(words, index)
        )
        before = words[index - 1]
        verb = before.pos & {"inf", "fin", "impt"} and not _LINKING & set(lemmas(before.text.lower()))
        led = before.is_preposition or verb
        if alone and led and any(adjective.masks[gender] for adjective in word.adjectives):
            return True
    return False
