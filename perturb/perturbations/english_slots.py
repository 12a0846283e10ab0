"""Where an English noun stands in the place of a Polish term: its cells, and what has to agree with it."""

from __future__ import annotations

from dataclasses import dataclass

from perturb.perturbations.agreement import UNCERTAIN_AGREEMENT, change_needs
from perturb.perturbations.english_forms import english_cell
from perturb.perturbations.slots import Slot, belongs_before, find_slot
from perturb.perturbations.term_context import is_counting
from perturb.perturbations.term_dependents import dependents
from perturb.perturbations.term_pairs import TermPair
from perturb.polish.government import is_preposition
from perturb.polish.morphology import GENDERS, analyse, lemmas
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.lexicons import word_class
from perturb.polish.phrases.shapes import CELLS, PLURAL, SINGULAR, VOCATIVE
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
    if slot.runs_on or (frozen_end and slot.end < len(query.tokens) and belongs_before(query.looked_up, slot.end)):
        query.decline("the phrase goes on after the term")
        return None
    gender = GENDERS.index(pair.gender)
    changes = gender != noun.gender_index
    if changes and (_is_meant_later(query, slot.end, noun.gender_index) or _is_contested(query, slot, match.end)):
        query.decline(UNCERTAIN_AGREEMENT)
        return None
    counted = slot.start and pair.number == "both" and is_counting(query.tokens[slot.start - 1])
    mask = slot.mask | _receiver(query, slot, match.mask)
    mask = (mask & PLURAL if counted else 0) or singular_first(mask)
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
    if changes and _is_subject_later(query, slot.end, noun.gender_index, gender, predicate):
        query.decline(UNCERTAIN_AGREEMENT)
        return None
    if _leaves_dependents(query, match, slot, gender, predicate, cells):
        query.decline(UNCERTAIN_AGREEMENT)
        return None
    return Replacement(pair, match, slot, cells, predicate)


def _is_contested(query: ParsedQuery, slot: Slot, end: int) -> bool:
    """Whether an adjective after a term may belong to an earlier noun: *zaproszenie* na spotkanie *wysłane*.

    Args:
        query: the query.
        slot: the place of the term.
        end: first token after the term itself.
    """
    words = query.looked_up
    return any(
        reading.masks[noun.noun.gender_index] & noun.mask & ~VOCATIVE
        for index, reading in slot.agreeing
        if index >= end
        for word in words[: slot.start]
        if not word.is_preposition
        for noun in word.nouns
    )


def _is_subject_later(query: ParsedQuery, start: int, old: int, new: int, predicate: tuple[Edit, ...]) -> bool:
    """Whether a past tense in a later clause has the term for its unspoken subject: *oferta* …, bo *była droższa*."""
    words = query.looked_up
    begins = start
    for index in range(start, len(words)):
        token = query.tokens[index]
        if token.kind == "symbol" or token.lower in ("bo", "ale", "a", "i", "że", "gdy", "jeśli", "choć"):
            begins = index + 1
        if begins == start or any(edit.start == token.start for edit in predicate):
            continue
        past = [r for r in analyse(token.text) if r.pos == "praet" and "sg" in r.get("number")]
        if not past or any(r.pos == "fin" for r in analyse(token.text)):
            continue
        genders = {gender for reading in past for gender in reading.get("gender")}
        if GENDERS[old] not in genders or GENDERS[new] in genders:
            continue
        clause = (word for word in words[begins : index + 4] if not word.is_preposition and not word.adjectives)
        if not any(
            noun.mask & 1 and noun.noun.gender_index == old
            for word in clause
            if "praet" not in word.pos
            for noun in word.nouns
        ):
            return True
    return False


def _leaves_dependents(
    query: ParsedQuery,
    match: TermMatch,
    slot: Slot,
    gender: int,
    predicate: tuple[Edit, ...],
    cells: tuple[tuple[int, int], ...],
) -> bool:
    """Whether a word further right agrees with a noun that goes away: *spotkanie* z dostawcą *odwołane*."""
    noun = match.pattern.head.gender_index
    stays = gender == noun and all(CELLS[old][0] == CELLS[new][0] for old, new in cells)
    head = match.start + match.pattern.heads[0][0]
    changed = {edit.start for edit in predicate}
    return any(
        not (at == head and stays) and query.tokens[index].start not in changed
        for index, at in dependents(query, match.start, match.end - 1, slot.end)
    )


def _receiver(query: ParsedQuery, slot: Slot, mask: int) -> int:
    """The dative, where a noun after a verb and its object may be either its genitive or the receiver."""
    if slot.start < 2 or is_preposition(query.tokens[slot.start - 1]):
        return 0
    if any(reading.pos == "ppas" for reading in analyse(query.tokens[slot.start - 1].text)):
        return mask & _DATIVE  # informacje przekazane dostawcy
    if query.verbs[slot.start - 1]:
        return mask & _DATIVE  # kupiec nie odpisuje dostawcy
    verbs = {reading.lemma for token in query.tokens[: slot.start - 1] for reading in analyse(token.text)}
    return mask & _DATIVE if verbs & _GIVING else 0


def _is_meant_later(query: ParsedQuery, start: int, gender: int) -> bool:
    """Whether an adjective without a noun may stand for a term before it: *umowa wygasła, czy trzeba podpisać* nową."""
    words = query.looked_up
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
