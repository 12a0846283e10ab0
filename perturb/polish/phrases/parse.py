"""Parsing a noun phrase: its head, the words that agree with it, what is coordinated with it, and the frozen rest.

No tagger and no treebank: readings of the dictionary are unified for agreement, and ties are broken by the structure
of Polish noun phrases (a genitive after the noun is frozen, a kind-naming adjective follows its noun) and by the
penalties of :mod:`perturb.polish.phrases.words`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from perturb.polish.phrases.complements import can_precede_head, has_object, surely_object
from perturb.polish.phrases.govern import preposition_mask
from perturb.polish.phrases.groups import (
    MAX_PREMODIFIERS,
    Group,
    agree,
    agrees_with_following_noun,
    apposition,
    bearer,
    best_group,
    head_groups,
    takes_adjective,
)
from perturb.polish.phrases.persons import is_patron, names_one, womans_title
from perturb.polish.phrases.shapes import ALL_CELLS, GENITIVE, NOMINATIVE, SINGULAR, VOCATIVE
from perturb.polish.phrases.syntax import Word, is_frozen_modifier, noun_soon
from perturb.polish.phrases.tails import begins_another, specification_end, tail_penalty
from perturb.polish.phrases.words import AdjectiveReading, NounReading

_NOT_NOMINATIVE = 0.6
_RIVAL = 0.5
"""How much likelier the best reading of a noun in the tail must be for a rival to be forgotten."""
_BROKEN = 0.3
"""Doubt that makes sure a phrase is left alone because part of it would be left behind."""


@dataclass(frozen=True, slots=True)
class Parse:
    """One way to read a phrase.

    Attributes:
        groups: the head's group first, then what inflects along with it.
        mask: cells in which the whole phrase can stand as it is written.
        end: one past the last token of the phrase.
        penalty: how unlikely this reading is.
        doubt: share of confidence lost to structures that can be read in two ways.
        is_unique: names one person or one place, which has no plural.
    """

    groups: tuple[Group, ...]
    mask: int
    end: int
    penalty: float
    doubt: float
    is_unique: bool = False

    @property
    def head(self) -> Group:
        """The group of the head noun."""
        return self.groups[0]


def cases_of(mask: int) -> int:
    """The cases of a cell mask, numbers merged."""
    return (mask | mask >> 7) & SINGULAR


class _Walk:
    """The walk from the head to the end of the phrase."""

    def __init__(self, words: Sequence[Word], group: Group, penalty: float, allowed: int, in_query: bool) -> None:
        self.words = words
        self.allowed = allowed
        self.in_query = in_query
        self.end = len(words)
        self.groups = [group]
        self.penalty = penalty
        self.doubt = 0.0
        self.tail: list[NounReading] = []
        self.in_tail = False
        self.index = group.head + 1

    @property
    def last(self) -> Group:
        return self.groups[-1]

    def adopt(self, index: int, match: tuple[AdjectiveReading, int], which: int = -1) -> None:
        group = self.groups[which]
        adjectives = (*group.adjectives, (index, match[0].adjective))
        self.groups[which] = Group(group.head, group.noun, adjectives, match[1], group.joined)
        self.penalty += match[0].penalty

    def run(self) -> Parse | None:
        while self.index < self.end:
            self._step()
        mask = self.common_mask() & self.allowed
        if not mask:
            return None
        bare = mask & ~VOCATIVE
        nominative = bare & NOMINATIVE or not self.allowed & NOMINATIVE
        penalty = self.penalty + (0.0 if nominative else _NOT_NOMINATIVE) + (0.0 if bare else 3.0)
        unique = names_one(self.words, self.groups, self.end)
        return Parse(tuple(self.groups), bare or mask, self.end, penalty, self.doubt, unique)

    def common_mask(self) -> int:
        mask = self.groups[0].mask
        cases = cases_of(mask)
        for group in self.groups[1:]:
            if group.joined == "apposition":
                mask &= group.mask
            else:
                cases &= cases_of(group.mask)
        return mask & (cases | cases << 7)

    def _step(self) -> None:
        word = self.words[self.index]
        if word.is_conjunction or word.text == ",":
            self._conjunction(word)
        elif self._specification():
            return
        elif not self.in_tail:
            self._beside_head(word)
        else:
            self._inside_tail(word)
        self.index += 1

    def _specification(self) -> bool:
        end = specification_end(self.words, self.index)
        if end:
            self.in_tail = True
            self.tail = []
            self.index = end
        return bool(end)

    def _beside_head(self, word: Word) -> None:
        acting = self.index == self.last.head + 1 and has_object(self.words, self.index)
        acting = acting and (not self.in_query or surely_object(self.words, self.index, self.last.mask))
        match = takes_adjective(self.words, self.index, self.last) if word.adjectives and not acting else None
        if match is not None:
            self.adopt(self.index, match)
            return
        title = womans_title(self.words, self.index) if word.nouns else 0
        if title:
            self.index += title - 1
            return
        complement = acting or self._follows_participle()
        joined = apposition(self.words, self.index, self.last) if word.nouns and not complement else None
        if joined is not None and not (joined[2] and self.in_query):
            self.groups.append(joined[0])
            self.index = joined[0].head
            self.penalty += joined[1]
            self.doubt += joined[2]
            return
        if is_frozen_modifier(self.words, self.index) == 1 and self._adjective_follows():
            return
        penalty, doubt = (0.0, 0.0) if complement else tail_penalty(self.words, self.index, self.last)
        if self.in_query and (doubt or joined is not None):
            # Beside a nominative another phrase may begin; beside an oblique case the noun belongs here.
            self.doubt += 0.0 if self.last.mask & NOMINATIVE or joined is None else _BROKEN
            self.end = self.index
            return
        self.in_tail = True
        self.penalty += penalty
        self.doubt += doubt
        self._note_tail(word)

    def _follows_participle(self) -> bool:
        previous = self.index - 1
        return any(index == previous for index, _ in self.last.adjectives) and self.words[previous].is_participle

    def _adjective_follows(self) -> bool:
        following = self.index + 1
        return (
            following < len(self.words)
            and bool(self.words[following].adjectives)
            and agree(self.words[following].adjectives, self.last.noun.gender_index, self.last.mask) is not None
        )

    def _note_tail(self, word: Word) -> None:
        if not word.nouns or word.is_preposition:
            return
        before = self.words[self.index - 1]
        governed = before.is_preposition
        cells = preposition_mask(before.lower) if governed else ALL_CELLS
        genitive = not governed and any(reading.mask & GENITIVE for reading in word.nouns[:3])
        for reading in word.nouns[:3]:
            if reading.noun.indeclinable or reading.penalty > word.nouns[0].penalty + _RIVAL:
                continue
            if not genitive:
                self.tail.append(NounReading(reading.noun, reading.mask & cells, reading.penalty))
            elif reading.mask & GENITIVE:
                self.tail.append(NounReading(reading.noun, reading.mask & GENITIVE, reading.penalty))

    def _inside_tail(self, word: Word) -> None:
        if self.in_query and begins_another(self.words, self.index, self.groups[0]):
            self.end = self.index
            return
        if word.capital:
            name = bearer(self.words, self.index, self.groups[0])
            if name is not None:
                self.groups.append(name)
                self.in_tail, self.tail = False, []
                return
        # A name goes on: Wody Polskie, Stara Droga, imienia Daniela Chodowieckiego.
        named = word.capital and (self.words[self.index - 1].capital or is_patron(self.words, self.index, alone=False))
        if word.adjectives and not named and not any(self._tail_agrees(word)):
            match = agree(word.adjectives, self.last.noun.gender_index, self.last.mask)
            follows = agrees_with_following_noun(self.words, self.index)
            previous = self.words[self.index - 1]
            if match and not follows and not previous.is_preposition and not self._noun_agrees_after(match[0]):
                self.adopt(self.index, match)
                return
        self._note_tail(word)

    def _noun_agrees_after(self, adjective: AdjectiveReading) -> bool:
        """Whether an adjective behind the tail begins another phrase: *oferta pracy atrakcyjne zarobki*."""
        if self.index + 1 >= self.end or adjective.adjective.kind != "adj":
            return False
        return any(adjective.masks[n.noun.gender_index] & n.mask for n in self.words[self.index + 1].nouns[:2])

    def _tail_agrees(self, word: Word) -> Iterator[bool]:
        for noun in self.tail:
            for adjective in word.adjectives:
                yield bool(adjective.masks[noun.noun.gender_index] & noun.mask & ~NOMINATIVE)

    def _conjunction(self, word: Word) -> None:
        following = self.index + 1
        if following >= len(self.words):
            return
        beside = self.words[following]
        if word.text == "," and specification_end(self.words, following):
            return
        if self.in_tail and is_patron(self.words, following, alone=True):
            return
        if not self.in_tail and beside.adjectives:
            match = takes_adjective(self.words, following, self.last)
            if match is not None and not noun_soon(self.words, following + 1):
                return
        second = best_group(self.words, following)
        if second is None and self.in_query:
            self.end = self.index
            return
        if second is None:
            self.in_tail = True
            self.doubt += 0.1 if word.text == "," else 0.2
            return
        self._coordinate(second)

    def _coordinate(self, second: tuple[Group, float]) -> None:
        group, penalty = second
        with_head = cases_of(self.common_mask()) & cases_of(group.mask)
        tail_mask = 0
        for reading in self.tail[-3:]:
            tail_mask |= reading.mask & ~NOMINATIVE & ~VOCATIVE
        with_tail = cases_of(tail_mask) & cases_of(group.mask)
        if with_tail and self.tail:
            self.in_tail = True
            self.doubt += 0.2 if with_head else 0.0
            return
        if not with_head:
            self.in_tail = True
            self.doubt += 0.3
            return
        self.groups.append(replace(group, joined="coordination"))
        self.penalty += penalty * 0.5
        self.index = group.head
        self.tail = []
        self.in_tail = False


def parses(words: Sequence[Word], allowed: int = ALL_CELLS, in_query: bool = False) -> list[Parse]:
    """Every way to read a phrase that begins with its first word, likeliest first.

    Args:
        words: the phrase, or the query from its first word on.
        allowed: cells in which it can stand, as its governor demands.
        in_query: the phrase may end before the words do; where structure becomes doubtful it ends.
    """
    found: list[Parse] = []
    for head in range(min(len(words), MAX_PREMODIFIERS + 1)):
        for group, penalty in head_groups(words, 0, head):
            parse = _Walk(words, group, penalty, allowed, in_query).run()
            if parse is not None:
                found.append(parse)
        if not can_precede_head(words, head):
            break
    found.sort(key=lambda parse: (parse.penalty, parse.head.head, parse.head.noun.lexeme, parse.head.noun.gender))
    return found


__all__ = ["Group", "Parse", "cases_of", "parses"]
