"""What an adjective or participle governs before its noun, or after it where it is a noun itself.

*zgodny z normą* wyrób, *objęty umową* towar, zamawiający *usługę*: all of it keeps its form.
"""

from __future__ import annotations

from collections.abc import Sequence

from perturb.polish.phrases.paradigms import Adjective
from perturb.polish.phrases.shapes import ACCUSATIVE, GENITIVE, INSTRUMENTAL, NOMINATIVE
from perturb.polish.phrases.syntax import KIND_GENITIVES, QUALITY_GENITIVES, Word, is_frozen_modifier


def complement_end(words: Sequence[Word], preposition: int, end: int) -> int | None:
    """End of what an adjective governs before its noun: *złożony przez klienta* wniosek, *zgodny z normą* wyrób.

    A genitive that goes on with it belongs to it: *upoważniony do odbioru korespondencji* pełnomocnik.

    Args:
        words: the phrase.
        preposition: where the complement begins.
        end: index before which it must end.

    Returns:
        One past its last noun; None if there is no noun.
    """
    first = preposition + 1
    while first < end and not _ends_complement(words, first):
        if not words[first].adjectives and words[first].kind != "number":
            return None
        first += 1
    if first >= end:
        return None
    last = index = first + 1
    while index < end:
        word = words[index]
        if word.is_conjunction or word.text == ",":
            break
        if word.is_preposition and not word.adjectives:
            # właściwy ze względu na miejsce, złożony w terminie przez klienta
            further = complement_end(words, index, end)
            return last if further is None else further
        if not word.adjectives and any(reading.mask & GENITIVE for reading in word.nouns):
            last = index + 1
        elif not word.adjectives:
            break
        index += 1
    return last


def _ends_complement(words: Sequence[Word], index: int) -> bool:
    """Whether a word is the noun or pronoun of a complement."""
    word = words[index]
    if word.pos & {"ppron3", "ppron12"} and not word.adjectives:
        return True
    return bool(word.nouns) and not _agrees_ahead(words, index)


def _agrees_ahead(words: Sequence[Word], index: int) -> bool:
    """Whether a word of a complement is an adjective of the noun right after it: *z polską normą*."""
    if index + 1 >= len(words) or not words[index].adjectives:
        return False
    return any(
        adjective.masks[noun.noun.gender_index] & noun.mask & ~NOMINATIVE
        for adjective in words[index].adjectives
        for noun in words[index + 1].nouns[:3]
    )


def after_complement(words: Sequence[Word], head: int) -> int:
    """Index after what a word governs: *oskarżony o oszustwo* biznesmen."""
    start = head + 1
    if start < len(words) and words[start].lower == "się":
        start += 1
    if start < len(words) and words[start].is_preposition:
        return complement_end(words, start, len(words)) or start
    if is_object(words, head + 1):
        return complement_end(words, head, len(words)) or start
    return start


_GOVERNED = ACCUSATIVE | INSTRUMENTAL
_DATIVE = 1 << 2 | 1 << 9
_WITH_GENITIVE = frozenset({"pełny", "pełen", "godny", "wart", "świadomy", "pozbawić"})
"""Adjectives and verbs whose complement is a genitive: *pełna błędów* umowa, *godny zaufania* partner."""


def is_object(words: Sequence[Word], index: int) -> bool:
    """Whether a noun is what the word before it governs: *kierujący* pojazdem kierowca, *objęty* umową towar."""
    if not 0 < index < len(words):
        return False
    word, governor = words[index], words[index - 1]
    if word.adjectives or not word.nouns or not governor.adjectives:
        return False
    best = word.nouns[0]
    return any(
        best.mask & _governed_by(reading.adjective, governor.lower)
        and not reading.masks[best.noun.gender_index] & best.mask
        for reading in governor.adjectives
    )


def _governed_by(adjective: Adjective, form: str) -> int:
    """The cells of what an adjective governs without a preposition; a negated participle governs the genitive."""
    lemma = adjective.lexeme.partition(":")[0]
    if adjective.kind == "pact":
        return _GOVERNED | _DATIVE | (GENITIVE if form.startswith("nie") else 0)
    if adjective.kind == "ppas":
        return INSTRUMENTAL | (GENITIVE if lemma in _WITH_GENITIVE else 0)
    return GENITIVE if lemma in _WITH_GENITIVE else 0


_AGENTS = frozenset(
    f"{stem}ący" for stem in ("daj", "kupuj", "najmuj", "przyjmuj", "sprzedaj", "składaj", "ubezpieczaj", "wnosz",
                              "wydzierżawiaj", "wykonuj", "wynajmuj", "wystawiaj", "zamawiaj", "zbywaj",
                              "zgłaszaj", "zlecaj")
)  # fmt: skip
"""Participles by which the law names a person, before whatever noun they stand: *wynajmujący* lokal."""

_BODIES = frozenset(
    {"bank", "dom", "instytut", "oddział", "organ", "podmiot", "sklep", "szpital", "sąd", "urząd", "zakład"}
)
"""What rather acts itself: *zamawiający* szpital."""


def surely_object(words: Sequence[Word], index: int, head_mask: int) -> bool:
    """Whether in a query, too, a noun is the object of the participle before it, and not of a verb, nor a subject."""
    nouns = words[index].nouns
    if not nouns or any(reading.mask & NOMINATIVE for reading in nouns[:2]):
        return False
    return bool(nouns[0].mask & INSTRUMENTAL or head_mask & NOMINATIVE)


def has_object(words: Sequence[Word], index: int) -> bool:
    """Whether what follows an active participle that names a person is its object: *składający* pisemną ofertę."""
    if not any(reading.adjective.kind == "pact" for reading in words[index - 1].adjectives):
        return False
    if is_object(words, index) or words[index - 1].lower in _AGENTS:
        return is_object(words, index) or _is_direct(words, index)
    return _is_direct(words, index) and not _is_direct(words, index, bare=True)


def is_agent(words: Sequence[Word], index: int) -> bool:
    """Whether a participle names a person though the noun after it could agree: *wynajmujący* lokal mieszkalny."""
    if words[index].lower not in _AGENTS or index + 1 >= len(words) or not has_object(words, index + 1):
        return False
    return not any(r.noun.lemma in _BODIES for word in words[index + 1 : index + 3] for r in word.nouns[:1])


def _is_direct(words: Sequence[Word], index: int, bare: bool = False) -> bool:
    """Whether a noun in the accusative or instrumental stands at an index, or after an adjective there."""
    word = words[index]
    if bare or not word.adjectives:
        return any(r.mask & _GOVERNED and r.noun.gender != "m1" for r in word.nouns[:1]) and not word.adjectives
    following = words[index + 1].nouns[:3] if index + 1 < len(words) else ()
    return any(a.masks[n.noun.gender_index] & n.mask & _GOVERNED for a in word.adjectives for n in following)


def premodifiers(words: Sequence[Word], start: int, head: int) -> tuple[list[int], frozenset[int]] | None:
    """Indices of the words before the head that must agree with it, and of those that may; None if others stand there.

    An adjective right after the complement of another one may belong to either: *odporna na wodę morską nowa* farba.
    """
    found: list[int] = []
    either: set[int] = set()
    governed = False
    index = start
    while index < head:
        word = words[index]
        frozen = is_frozen_modifier(words, index)
        reflexive = word.lower == "się" and found[-1:] == [index - 1] and words[index - 1].is_participle
        joins = (word.is_conjunction or word.text == ",") and found and words[index + 1].adjectives and index + 1 < head
        if governed and word.is_conjunction:
            return None
        if frozen and index + frozen <= head and not (word.adjectives and frozen == 1):
            index += frozen
        elif word.adjectives:
            found.append(index)
            index += 1
        elif reflexive or joins:
            index += 1
        else:
            complement = _complement_at(words, found, index, head)
            if complement is None:
                return None
            index, governed = complement, True
            while index < head and words[index].adjectives:
                either.add(index)
                index += 1
            found += sorted(either - set(found))
    return found, frozenset(either)


def _complement_at(words: Sequence[Word], found: Sequence[int], index: int, head: int) -> int | None:
    """End of a complement that begins at an index right after an agreeing word; None if there is none."""
    if not found:
        return None
    if is_object(words, index):
        return complement_end(words, index - 1, head)
    governor = index - 2 if words[index - 1].lower == "się" else index - 1
    if words[index].is_preposition and found[-1] == governor:
        return complement_end(words, index, head)
    return None


def _may_be_inside_modifier(words: Sequence[Word], index: int) -> bool:
    """Whether a word can be other than the first of a modifier: in *tego rodzaju*, a numeral, a title before a name."""
    word = words[index]
    if word.lower in KIND_GENITIVES or word.lower in QUALITY_GENITIVES or word.is_numeral or word.kind == "code":
        return True
    return any(following.capital for following in words[index + 1 : index + 6])


def can_precede_head(words: Sequence[Word], index: int) -> bool:
    """Whether the head may still come after this word."""
    word = words[index]
    if word.adjectives or word.is_conjunction or word.text == "," or is_frozen_modifier(words, index):
        return True
    if word.lower == "się" and index and words[index - 1].is_participle:
        return True
    if _may_be_inside_modifier(words, index) and any(
        is_frozen_modifier(words, before) > index - before for before in range(max(0, index - 6), index)
    ):
        return True
    if not any(w.adjectives for w in words[: index + 1]):
        return False
    return any(w.is_preposition for w in words[1 : index + 1]) or (index > 0 and is_object(words, 1))


__all__ = [
    "after_complement",
    "can_precede_head",
    "complement_end",
    "has_object",
    "is_agent",
    "is_object",
    "premodifiers",
    "surely_object",
]
