"""Agreement when a noun of another gender or number takes the place of a noun in a query.

Replacing a noun is safe only where every word that agrees with it is known. Where that is not so, the functions here
say why not, and the perturbation declines.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cache

from perturb.perturbations.slots import Slot, belongs_after, belongs_before
from perturb.polish.morphology import CASES, GENDERS, analyse, lemmas, paradigm
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.shapes import NOMINATIVE
from perturb.polish.phrases.syntax import Word
from perturb.polish.phrases.words import adjective_readings
from perturb.polish.text import match_case
from perturb.records import Edit

UNCERTAIN_CASE = "case cannot be told"
UNCERTAIN_AGREEMENT = "an agreeing word cannot be told"
ACCUSATIVE = 1 << 3
NUMERAL = "a numeral agrees in gender"

_PRONOUNS = frozenset({"który", "jaki", "ten", "taki"})
_COPULAS = frozenset({"jest", "będzie", "była", "było", "był"})
_PAST = frozenset({"praet", "cond", "winien"})
_GENDERED_NUMERALS = frozenset({"dwa", "trzy", "cztery", "oba", "obydwa", "półtora"})


@dataclass(frozen=True, slots=True)
class Change:
    """What a new gender or number asks of the words away from a noun.

    Attributes:
        obstacle: why the noun may not be replaced; empty if it may.
        edits: changes of the predicate: *faktura została opłacona* → *invoice został opłacony*.
    """

    obstacle: str = ""
    edits: tuple[Edit, ...] = ()


def change_needs(
    query: ParsedQuery, slot: Slot, span: tuple[int, int], old: tuple[int, str], new: tuple[int, str]
) -> Change:
    """What must change if a noun is replaced by one of another gender or number.

    Args:
        query: the query.
        slot: the place of the noun.
        span: its own tokens.
        old: index of its gender, and its number.
        new: index of the gender, and the number, of what takes its place.
    """
    words = query.looked_up
    if slot.start and words[slot.start - 1].pos & {"num", "numcomp"}:
        numerals = {reading.lemma for reading in analyse(words[slot.start - 1].text)}
        if old != new and (numerals & _GENDERED_NUMERALS or 0 in (old[0], new[0])):
            return Change(NUMERAL)
    if old == new or (old[1] == new[1] == "pl" and 0 not in (old[0], new[0])):
        return Change()
    own = {index for index, _ in slot.agreeing} | set(range(*span))
    concerned = [
        index
        for index, word in enumerate(words)
        if index not in own
        and (_asks(words, index) or not _belongs_elsewhere(words, index, own))
        and _may_agree(word, index, slot, old, new)
    ]
    if not concerned:
        return Change()
    edits = _predicate(query, words, slot, concerned, old, new)
    return Change(edits=tuple(edits)) if edits else Change(UNCERTAIN_AGREEMENT)


def _belongs_elsewhere(words: Sequence[Word], index: int, own: Container[int]) -> bool:
    return belongs_after(words, index) or (index - 1 not in own and belongs_before(words, index))


def _asks(words: Sequence[Word], index: int) -> bool:
    """Whether a word is a copula, or a pronoun right before one: *jaka była* prognoza."""
    following = words[index + 1].text.lower() if index + 1 < len(words) else ""
    return words[index].text.lower() in _COPULAS or following in _COPULAS


def _predicate(
    query: ParsedQuery,
    words: Sequence[Word],
    slot: Slot,
    concerned: Sequence[int],
    old: tuple[int, str],
    new: tuple[int, str],
) -> list[Edit]:
    """Edits that make the predicate agree; none unless the noun is beyond doubt its subject."""
    asks = all(word.text.lower() in _COPULAS for word in words[concerned[0] + 1 : slot.start])
    between = words[slot.end : concerned[-1]]
    others = (i for i in range(len(words)) if not slot.start <= i < slot.end and i not in concerned)
    rivals = (noun for i in others for noun in words[i].nouns)
    certain = (
        slot.mask in (1, 1 | ACCUSATIVE)
        and new[1] == "sg"
        and (concerned[0] >= slot.end or (asks and {"jaki", "który"} & set(lemmas(words[concerned[0]].text))))
        and all(word.kind != "symbol" for word in between)
        and not any(noun.mask & 1 and (slot.mask > 1 or noun.noun.gender_index == old[0]) for noun in rivals)
    )
    edits: list[Edit] = []
    for index in concerned if certain else ():
        token = query.tokens[index]
        form = "" if token.protected else _in_gender(token.lower, old[0], new[0])
        if not form:
            return []
        edits.append(query.edit(token.start, token.end, match_case(token.text, form)))
    return edits


def _in_gender(word: str, old: int, new: int) -> str:
    """A past tense, or a predicative adjective or participle, of the third person singular in another gender."""
    past = _past_in_gender(word, {"praet", "cond"}, old, new)
    forms = [
        form
        for adjective in adjective_readings(word)
        if adjective.masks[old] & 1 and adjective.penalty < 1
        for form in adjective.adjective.forms[new][0]
    ]
    return past or (_full_form(forms) if forms else _past_in_gender(word, {"winien"}, old, new))


def _past_in_gender(word: str, kinds: Container[str], old: int, new: int) -> str:
    for reading in analyse(word):
        if reading.pos not in kinds or "sg" not in reading.get("number") or GENDERS[old] not in reading.get("gender"):
            continue
        for other in paradigm(reading.lexeme):
            same = other.pos == reading.pos and other.get("person") == reading.get("person") and other.is_accepted
            if same and "sg" in other.get("number") and GENDERS[new] in other.get("gender"):
                return other.form
    return ""


def _full_form(forms: Sequence[str]) -> str:
    """The long form of an adjective where there is a short one too: *gotowy*, not *gotów*."""
    return next((form for form in forms if form.endswith(("y", "i"))), forms[0])


def _may_agree(word: Word, index: int, slot: Slot, old: tuple[int, str], new: tuple[int, str]) -> bool:
    """Whether a word away from the noun may agree with it and would have to change along."""
    gender, number = GENDERS[old[0]], old[1]
    subject = bool(slot.mask & NOMINATIVE)
    present = any(reading.pos == "fin" for reading in analyse(word.text))  # działa is a past tense only in theory
    for reading in analyse(word.text):
        agrees = number in reading.get("number") and gender in reading.get("gender")
        fits = agrees and not (GENDERS[new[0]] in reading.get("gender") and new[1] in reading.get("number"))
        if subject and reading.pos in _PAST and fits and not present:
            return True
        if subject and reading.pos in ("fin", "bedzie") and old[1] != new[1] and reading.get("person") == {"ter"}:
            return True
        if index > slot.start and reading.pos == "ppron3" and word.text.lower() != "nie" and fits:
            return True
        relative = reading.lemma in _PRONOUNS and (index < slot.start or reading.lemma == "który")
        alike = any(case in reading.get("case") for case in _cases(slot.mask))
        # In obsługa nie ma dostępu the verb is no short form of moja.
        elliptic = alike and not present and reading.pos in ("adj", "ppas", "pact") and _stands_alone(word)
        if fits and (relative or elliptic):
            return True
    return False


@cache
def _cases(mask: int) -> tuple[str, ...]:
    return tuple(case for index, case in enumerate(CASES) if (mask | mask >> 7) >> index & 1)


def _stands_alone(word: Word) -> bool:
    """Whether a word is better read as an adjective than as a noun."""
    return not any(noun.noun.kind != "participle" and noun.penalty < 1 for noun in word.nouns)


def reagree(query: ParsedQuery, slot: Slot, gender: int, cell: int) -> list[Edit] | None:
    """Put the agreeing words into another gender and cell.

    Args:
        query: the query.
        slot: the place of the noun.
        gender: index of the new gender.
        cell: index of the cell, as in :data:`perturb.polish.phrases.shapes.CELLS`.

    Returns:
        One edit per word that changes; None if a word lacks the form, or would change though it may belong elsewhere.
    """
    edits: list[Edit] = []
    for index, reading in slot.agreeing:
        token = query.tokens[index]
        forms = reading.adjective.forms[gender][cell]
        if not forms or (index in slot.doubtful and token.lower not in forms):
            return None
        if token.lower not in forms:
            edits.append(
                query.edit(token.start, token.end, match_case(token.text, _full_form(forms) if cell == 0 else forms[0]))
            )
    return edits
