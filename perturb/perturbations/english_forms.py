"""How Poles write an English noun in a cell, and where they avoid it."""

from __future__ import annotations

from typing import Literal

from perturb.perturbations.slots import Slot
from perturb.perturbations.term_pairs import TermPair, english_plural
from perturb.polish.government import is_preposition
from perturb.polish.loanwords import (
    APOSTROPHE,
    colloquial_acronym_plural,
    is_acronym,
    loan_paradigm,
    without_apostrophe,
)
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.shapes import CELLS
from perturb.polish.terms import TermMatch, noun_cells

Rendering = Literal["bare", "inflected", "colloquial"]

NO_USUAL_FORM = "the English word has no usual form in this case"


def english_cell(pair: TermPair, cell: int) -> int:
    """The cell of the English noun: that of the Polish one, unless English knows one number only."""
    if pair.number == "both":
        return cell
    return cell % 7 + (7 if pair.number == "pl" else 0)


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
    if " " in pair.english and CELLS[cell][1] in ("nom", "acc"):
        return False
    governed = _follows_preposition(query, slot)
    if not governed and not _follows_noun(query, slot):
        return True
    if " " in pair.english:
        return governed and pair.number != "sg"
    # An ending that needs an apostrophe is a nuisance (deadline'u), others come by themselves (z backupu, dla boardu).
    easy = APOSTROPHE not in inflected and not is_acronym(pair.english)
    return cell >= 7 or easy


def _follows_preposition(query: ParsedQuery, slot: Slot) -> bool:
    return slot.start > 0 and is_preposition(query.tokens[slot.start - 1])


def _follows_noun(query: ParsedQuery, slot: Slot) -> bool:
    """Whether a noun stands right before a phrase, which may be its attribute: *proces* risk assessment."""
    return slot.start > 0 and bool(noun_cells(query.tokens[slot.start - 1].text))


def is_awkward(
    query: ParsedQuery, pair: TermPair, match: TermMatch, slot: Slot, cell: int, rendering: Rendering
) -> bool:
    """Whether Poles avoid several English words in a cell: *w* purchase orderze, business tripu *zagranicznego*.

    They give an ending to the last of several words only where that stays as it is, so neither in the dative nor in the
    locative, where only what cannot be counted is left without one (*w* risk management). No adjective follows them.
    The name of a person that has no endings can only be a subject.

    Args:
        query: the query.
        pair: the term.
        match: the Polish term in the query.
        slot: its surroundings.
        cell: index of the cell.
        rendering: how the English term is written.
    """
    if " " not in pair.english or pair.gender == "f":
        return False
    if pair.gender == "m1":
        return pair.genitive == "0" and cell not in (0, 7)
    if any(index >= match.end for index, _ in slot.agreeing):
        return True
    case = CELLS[cell][1]
    if pair.genitive == "0":
        counted = pair.number == "both" and not pair.after_prepositions
        return counted and case not in ("nom", "acc") and _follows_preposition(query, slot)
    bare = noun_form(pair, cell, rendering) == noun_form(pair, cell, "bare")
    return case in ("dat", "loc") and not (bare and pair.number == "sg")


def fit_case(model: str, text: str, whole: bool) -> str:
    """Give a replacement the capitals of what it replaces: all of them, the first one, or none."""
    if whole and len(model) > 1 and model.isupper():
        return text.upper()
    if model[:1].isupper() and not text[:1].isupper() and not model.isupper():
        return text[:1].upper() + text[1:]
    return text


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
