"""A synonym in the form of the word it replaces, and what has to change around it."""

from __future__ import annotations

from dataclasses import dataclass

from perturb.perturbations.sentence import role
from perturb.perturbations.synonym_context import breaks_pair, leans_on
from perturb.perturbations.synonym_lexicon import Entry, Member
from perturb.polish.government import expected_cases, is_preposition, preposition_cases
from perturb.polish.morphology import analyse, paradigm
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.shapes import CELLS
from perturb.polish.phrases.words import AdjectiveReading, adjective_readings, noun_readings
from perturb.polish.terms import noun_cells
from perturb.polish.text import Token, match_case
from perturb.polish.vocalisation import vocalised
from perturb.records import Edit

_LINKING = frozenset({"być", "zostać", "stać"})


@dataclass(frozen=True, slots=True)
class Replacement:
    """Edits that put a synonym in place.

    Attributes:
        edits: in the order of the text.
    """

    edits: tuple[Edit, ...]


def noun_replacement(query: ParsedQuery, entry: Entry, member: Member, span: tuple[int, int]) -> Replacement | None:
    """Put a noun in the place of another; None where its form or the agreement around it cannot be told."""
    first, last = span
    tokens, old = query.tokens, entry[1]
    text = query.text[tokens[first].start : tokens[last].end].lower()
    cells = [
        cell for cell in old.cells if CELLS[cell][1] != "voc" and text in (form.lower() for form in old.forms[cell])
    ]
    if old.words > 1 and last + 1 < len(tokens) and adjective_readings(tokens[last + 1].text):
        query.decline("an adjective after a phrase may belong to any of its nouns")
        return None
    before, after = _adjectives_around(query, first, last, old)
    if after and member.words > 1:
        query.decline("an adjective would stand after a phrase")  # spis z natury roczny
        return None
    cells = _narrowed(query, cells, old, [*before, *after], first - len(before))
    changes = old.gender != member.gender or old.plural != member.plural
    # In program lojalnościowy regulamin the adjective belongs to the noun before it.
    contested = bool(before) and before[0] > 0 and _agrees_with(query, before[0], before[0] - 1)
    # In zaproszenie na szkolenie wysłane it belongs to the first noun.
    contested = contested or any(_agrees_with(query, after[0], index) for index in range(first) if after)
    # In szkolenie obronne rezerwy the adjective agrees with the noun after it as well.
    contested = contested or (
        not after and last + 1 < len(tokens) and bool(_agreeing(tokens[last + 1], old.gender_index))
    )
    if not cells or (changes and (contested or _agreement_is_unsure(query, first, last))):
        query.decline("form of a synonym is not settled")
        return None
    if _is_keyword_or_genitive(query, text, cells, old, first - len(before)):
        query.decline("form of a synonym is not settled")
        return None
    targets = {cell: _target(cell, old, member) for cell in cells}
    if any(cell != target for cell, target in targets.items()) and _has_finite_verb(query):
        query.decline("number of a synonym may disagree with a verb")
        return None
    forms = {member.forms[target][:1] for target in targets.values()}
    if len(forms) != 1 or forms == {()}:
        query.decline("form of a synonym is not settled")
        return None
    form = forms.pop()[0]
    end = last + 1 + len(after)
    if leans_on(query, first, last, end, form, changes) or breaks_pair(query, end, old, member):
        query.decline("a word further right depends on the word replaced")
        return None
    if member.text.upper() != member.text:
        form = match_case(tokens[first].text, form)
    edits = [query.edit(tokens[first].start, tokens[last].end, form)]
    if changes:
        agreed = _reagreed(query, [*before, *after], targets, old, member)
        if agreed is None:
            query.decline("agreement around a synonym is not settled")
            return None
        edits += agreed
    return Replacement(_with_preposition(query, edits, first - len(before)))


def _is_keyword_or_genitive(query: ParsedQuery, text: str, cells: list[int], old: Member, start: int) -> bool:
    """Whether a word after a noun may be its genitive or another keyword, or is its attribute without an ending.

    *etykiety na palety wymagania*: in the genitive singular, or in the nominative plural; *stopka e-mail wzór*.
    """
    if not start or not noun_cells(query.tokens[start - 1].text):
        return False
    cases = {CELLS[cell][1] for cell in range(14) if text in (form.lower() for form in old.forms[cell])}
    if "-" in text and {CELLS[cell][1] for cell in cells} <= {"nom", "acc"}:
        return True
    prepositional = any(is_preposition(token) for token in query.tokens[: start - 1])
    return {"nom", "gen"} <= cases and prepositional and not _has_finite_verb(query)


def _target(cell: int, old: Member, new: Member) -> int:
    """The cell of the new noun: one that is plural only keeps the case, not the number."""
    if new.plural:
        return cell % 7 + 7
    return cell % 7 if old.plural else cell


def _has_finite_verb(query: ParsedQuery) -> bool:
    return any(reading.pos in ("fin", "praet") for token in query.words for reading in analyse(token.text))


def _addresses(query: ParsedQuery) -> bool:
    """Whether a verb in the first or second person has a subject of its own."""
    readings = (reading for token in query.words for reading in analyse(token.text))
    return any(reading.pos in ("fin", "impt") and reading.get("person") & {"pri", "sec"} for reading in readings)


def _adjectives_around(query: ParsedQuery, first: int, last: int, member: Member) -> tuple[list[int], list[int]]:
    """Indices of the adjectives right before and right after that can agree with the noun."""
    before: list[int] = []
    index = first - 1
    while index >= 0 and _agreeing(query.tokens[index], member.gender_index):
        before.insert(0, index)
        index -= 1
    after: list[int] = []
    index = last + 1
    while index < len(query.tokens) and _agreeing(query.tokens[index], member.gender_index):
        after.append(index)
        index += 1
    # In zmiana nowego adresu the adjective belongs to the noun after it.
    if after and index < len(query.tokens) and query.tokens[index].is_word and not is_preposition(query.tokens[index]):
        # A participle may have that noun for its object: spotkanie podsumowujące rok.
        participle = any(r.pos == "pact" for r in analyse(query.tokens[after[0]].text))
        after = [] if _agrees_with(query, after[-1], index) and not participle else after
    return before, after


def _agreeing(token: Token, gender: int) -> list[AdjectiveReading]:
    if not token.is_word or is_preposition(token):
        return []
    return [reading for reading in adjective_readings(token.text) if reading.masks[gender]]


def _agrees_with(query: ParsedQuery, adjective: int, noun: int) -> bool:
    """Whether an adjective may belong to a noun: *nowych maszyn*, but not *roczna magazynu*."""
    nouns = noun_readings(query.tokens[noun].text)
    return any(
        reading.masks[other.noun.gender_index] & other.mask
        for reading in adjective_readings(query.tokens[adjective].text)
        for other in nouns
    )


def _narrowed(query: ParsedQuery, cells: list[int], old: Member, adjectives: list[int], start: int) -> list[int]:
    """Cells left after the adjectives and the words before have had their say."""
    for index in adjectives:
        mask = 0
        for reading in _agreeing(query.tokens[index], old.gender_index):
            mask |= reading.masks[old.gender_index]
        agreeing = [cell for cell in cells if mask >> cell & 1]
        cells = agreeing or cells
    expected = expected_cases(query.tokens, start)
    if start == 0 and expected == {"nom"} and _addresses(query):
        expected = frozenset({"nom", "acc"})  # Wynagrodzenie zachowujesz: a fronted object
    fitting = [cell for cell in cells if CELLS[cell][1] in expected]
    after_noun = start > 0 and not preposition_cases(query.tokens, start)
    if after_noun and expected == {"gen"} and any(CELLS[cell][1] == "dat" for cell in cells):
        return cells  # sprzedaż mebli odbiorcy: of the customer, or to the customer
    return fitting or cells


def _agreement_is_unsure(query: ParsedQuery, first: int, last: int) -> bool:
    """Whether words further away may agree with the noun: relative pronouns, past tenses, predicates, numerals."""
    for index, token in enumerate(query.tokens):
        if first <= index <= last:
            continue
        if role(token) == "anaphor" or token.lower.startswith("któr"):
            return True
        for reading in analyse(token.text) if token.is_word else ():
            if reading.pos in ("praet", "num") and (reading.pos == "praet" or index == first - 1):
                return True
            if reading.pos in ("fin", "praet") and reading.lemma in _LINKING:
                return True
    # "umowa i zasady" may share an adjective with what is joined to it.
    return any(0 <= i < len(query.tokens) and query.tokens[i].lower in ("i", "oraz", "lub", ",") for i in (first - 1,))


def _reagreed(
    query: ParsedQuery, adjectives: list[int], targets: dict[int, int], old: Member, new: Member
) -> list[Edit] | None:
    edits: list[Edit] = []
    for index in adjectives:
        token = query.tokens[index]
        readings = [
            reading
            for reading in _agreeing(token, old.gender_index)
            if any(reading.masks[old.gender_index] >> cell & 1 for cell in targets)
        ]
        if not readings:
            continue
        adjective = readings[0].adjective
        forms = {adjective.forms[new.gender_index][target][:1] for target in targets.values()}
        if len(forms) != 1 or forms == {()}:
            return None
        form = match_case(token.text, forms.pop()[0])
        if form != token.text:
            edits.append(query.edit(token.start, token.end, form))
    return edits


def _with_preposition(query: ParsedQuery, edits: list[Edit], start: int) -> tuple[Edit, ...]:
    """Add the edit that vocalises the preposition before the phrase, if its first word changed."""
    edits = sorted((edit for edit in edits if edit.before != edit.after), key=lambda edit: edit.start)
    first = query.tokens[start]
    if start and edits and edits[0].start == first.start:
        preposition = query.tokens[start - 1]
        form = vocalised(preposition.text, edits[0].after.split()[0])
        if preposition.is_word and form != preposition.text and preposition.lower in ("w", "we", "z", "ze"):
            edits.insert(0, query.edit(preposition.start, preposition.end, form))
    return tuple(edits)


def word_replacement(query: ParsedQuery, entry: Entry, member: Member, span: tuple[int, int]) -> Replacement | None:
    """Put a verb, adjective or invariable word in the place of another; None where its form cannot be told."""
    first, last = span
    token = query.tokens[first]
    if first and query.tokens[first - 1].kind == "number":
        query.decline("a number makes a name of the word")  # metoda 5 dlaczego
        return None
    if entry[0].pos == "pred" and first and query.tokens[first - 1].lower == "nie":
        query.decline("nie trzeba is not nie należy")
        return None
    rest = query.tokens[last + 1 :]
    if entry[0].pos == "pred" and not any(r.pos == "inf" for other in rest for r in analyse(other.text)):
        query.decline("należy do is to belong")
        return None
    if entry[0].pos == "verb" and any(other.lower == "się" for other in query.tokens):
        query.decline("a reflexive verb means something else")
        return None
    if entry[0].pos == "verb":
        form = _verb_form(token, entry[1].text, member.text)
    elif entry[0].pos == "adj":
        form = _adjective_form(token, entry[1].text, member.text)
    else:
        form = member.text
    if form is None:
        query.decline("form of a synonym is not settled")
        return None
    edit = query.edit(token.start, query.tokens[last].end, match_case(token.text, form))
    return Replacement(_with_preposition(query, [edit], first))


def _verb_form(token: Token, old: str, new: str) -> str | None:
    """The new verb with the very tag of the old one; None if the word can be anything else."""
    readings = [reading for reading in analyse(token.text) if reading.is_accepted]
    if not readings or any(reading.lemma != old or reading.pos in ("ger", "ppas", "pact") for reading in readings):
        return None
    forms = {
        form.form for reading in readings for form in paradigm(new) if form.tag == reading.tag and form.is_accepted
    }
    return forms.pop() if len(forms) == 1 else None


def _adjective_form(token: Token, old: str, new: str) -> str | None:
    """The new adjective in every gender and cell of the old one, if that is one form."""
    readings = [reading for reading in adjective_readings(token.text) if reading.adjective.lexeme.split(":")[0] == old]
    targets = [r for r in adjective_readings(new) if new in r.adjective.forms[0][0]]
    if not readings or readings[0].adjective.degree not in ("", "pos") or not targets:
        return None
    if any(reading.pos in ("subst", "ger", "adv") for reading in analyse(token.text) if reading.is_accepted):
        return None
    forms = {
        targets[0].adjective.forms[gender][cell][:1]
        for gender, mask in enumerate(readings[0].masks)
        for cell in range(len(CELLS))
        if mask >> cell & 1 and CELLS[cell][1] != "voc"
    }
    return forms.pop()[0] if len(forms) == 1 and () not in forms else None
