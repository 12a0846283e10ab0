"""Closed classes of words that shape a noun phrase, and the tokens of a phrase with their readings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from perturb.polish.morphology import analyse
from perturb.polish.numerals import ordinal_lemmas, read_cardinal
from perturb.polish.overlay import overlay_nouns
from perturb.polish.phrases.adjectives import is_substantivised
from perturb.polish.phrases.compounds import english_compounds
from perturb.polish.phrases.lexicons import word_class
from perturb.polish.phrases.names import with_names
from perturb.polish.phrases.persons import womans_title
from perturb.polish.phrases.shapes import GENITIVE, NOMINATIVE
from perturb.polish.phrases.words import (
    AdjectiveReading,
    NounReading,
    acronym_nouns,
    adjective_readings,
    is_unlisted_acronym,
    noun_readings,
)
from perturb.polish.text import Token

CONJUNCTIONS = word_class("conjunction")
FROZEN_POSSESSIVES = word_class("frozen_possessive")
KIND_GENITIVES = word_class("kind_genitive")
QUALITY_GENITIVES = word_class("quality_genitive")
"""Genitives that describe a noun which follows: *wysokiej jakości* produkt."""

RELATIONAL_ENDINGS = ("ow", "sk", "ck", "czn", "jn", "aln", "ijn", "cyjn", "arn", "nicz", "ościow", "ąc")
"""Stems of adjectives that name a kind (*umowa leasingowa*) and so follow their noun."""

NUMERAL_POS = frozenset({"num", "numcomp", "dig"})
HONORIFICS = word_class("honorific")
"""Titles after which a second title takes the same case: *panu dyrektorowi*."""

PERSON_TITLES = word_class("person_title")
FROZEN_ATTRIBUTES = word_class("frozen_attribute")
"""Nouns and adverbs that stand unchanged after a noun: *adres e-mail*, *kwota brutto*."""

GENITIVE_CARRIERS = word_class("genitive_carrier")
"""Forms of nouns that only introduce a genitive; an adjective after them is part of it: *celu szybkiej wypłaty*."""

_FROZEN_PRONOUNS = frozenset({"ppron3", "ppron12"})


@dataclass(frozen=True, eq=False)
class Word:
    """A token as the parser sees it.

    Attributes:
        text: as it stands there.
        kind: kind of its token.
        nouns: its readings as a noun.
        adjectives: its readings as an adjective.
        pos: all its parts of speech.
        capital: begins with a capital letter.
        is_acronym: an acronym that the dictionary lacks, whose gender the adjective before it tells.
        is_modifier: a word of an English compound that stays as it is before the last one.
    """

    text: str
    kind: str
    nouns: tuple[NounReading, ...]
    adjectives: tuple[AdjectiveReading, ...]
    pos: frozenset[str]
    capital: bool
    is_acronym: bool = False
    is_modifier: bool = False

    @cached_property
    def lower(self) -> str:
        """Its text in lower case."""
        return self.text.lower()

    @cached_property
    def is_preposition(self) -> bool:
        """Whether it can be a preposition and is not better read as a noun."""
        return "prep" in self.pos

    @cached_property
    def is_conjunction(self) -> bool:
        """Whether it joins phrases."""
        return self.lower in CONJUNCTIONS

    @cached_property
    def is_participle(self) -> bool:
        """Whether it can be a participle, which may have complements of its own."""
        return any(reading.adjective.kind != "adj" for reading in self.adjectives)

    @cached_property
    def is_numeral(self) -> bool:
        """Whether it counts something: a number or a numeral."""
        return self.kind == "number" or bool(self.pos & NUMERAL_POS)

    @cached_property
    def is_adverbial(self) -> bool:
        """Whether it is rather an adverb or a particle than an oblique case of a noun: *prawie*, *długo*."""
        if self.adjectives or not self.pos & {"adv", "part"}:
            return False
        return not any(reading.mask & NOMINATIVE and reading.penalty <= 1.0 for reading in self.nouns)

    @cached_property
    def is_opaque(self) -> bool:
        """Whether nothing is known about it: a code, a foreign word, an unknown name."""
        return not self.pos and not self.nouns and not self.adjectives


_NO_NOUN = word_class("never_noun")
"""Frequent function words whose readings as nouns are never meant."""

_NO_PREPOSITION = frozenset({"lada"})
"""The dictionary has *lada* as in *lada dzień*; the counter is meant."""

_RARE = 0.3
_EVERYDAY = 0.6
"""Penalty up to which a noun is believed against its homograph among the adverbs: *otwarcie* sklepu."""

_OBSOLETE = 2.0
"""Penalty from which an adjective gives way to an ordinary noun: *umowa* is no form of an old adjective."""


@lru_cache(maxsize=65536)
def word_of(text: str, kind: str) -> Word:
    """Look a token up.

    Args:
        text: the token.
        kind: its kind, as :class:`perturb.polish.text.Token` gives it.
    """
    lower = text.lower()
    capital = text[:1].isupper()
    if kind == "code" and "-" in text and lower.rpartition("-")[2].isalpha():
        adjectives = adjective_readings(text) if text.partition("-")[0].isdigit() else ()
        nouns = noun_readings(text) if "-leci" in text else ()
        return Word(text, "word" if adjectives or nouns else kind, nouns, adjectives, frozenset(), capital)
    if kind != "word" and not (kind == "code" and overlay_nouns(text)):
        return Word(text, kind, (), (), frozenset(), capital)
    kind = "word"  # CV is no Roman numeral
    pos = frozenset(reading.pos for reading in analyse(text) if reading.is_accepted)
    if lower in _NO_PREPOSITION:
        pos -= {"prep"}
    nouns = () if lower in _NO_NOUN else noun_readings(text)
    adjectives = adjective_readings(text)
    # An old adjective is still the word where the noun is nothing but it: redaktor naczelna.
    lone = not nouns or bool(adjectives and is_substantivised(nouns[0].noun, adjectives[0]))
    if adjectives and adjectives[0].penalty >= _OBSOLETE and nouns and nouns[0].penalty < 1.0 and not lone:
        adjectives = ()
    if adjectives and lone and adjectives[0].penalty >= _OBSOLETE:
        # Marked as rare, but nothing else is meant: praca okazjonalna.
        floor = adjectives[0].penalty - _RARE
        adjectives = tuple(replace(reading, penalty=reading.penalty - floor) for reading in adjectives)
    if "prep" in pos and not text.isupper():
        nouns = () if len(lower) <= 5 else nouns
    return Word(text, kind, nouns, adjectives, pos, capital)


def words_of(tokens: Sequence[Token]) -> tuple[Word, ...]:
    """Look the tokens of a phrase up."""
    words = with_names(tuple(word_of(token.text, token.kind) for token in tokens))
    if len(words) > 1 and all(word.text.isupper() for word in words if word.kind == "word"):
        words = tuple(_shouted(word) for word in words)
    compounds = english_compounds([word.lower for word in words])
    if compounds:
        words = tuple(_in_compound(word, compounds.get(index, ())) for index, word in enumerate(words))
    for index in range(1, len(words)):
        if words[index].capital and words[index - 1].adjectives and is_unlisted_acronym(words[index].text):
            return tuple(
                acronym_of(word.text) if before is not None and _names_acronym(before, word) else word
                for before, word in zip((None, *words), words, strict=False)
            )
    return words


@lru_cache(maxsize=1024)
def _shouted(word: Word) -> Word:
    """A word of a phrase in capitals throughout: an acronym only if its letters are no other word (*WYMIANA KAS*)."""
    if not any(entry.has_twin for entry in overlay_nouns(word.text)):
        return word
    return replace(word_of(word.lower, word.kind), text=word.text, capital=True)


def _in_compound(word: Word, role: tuple[NounReading, ...] | None) -> Word:
    """A word as a part of an English compound: ``None`` before the last one, else its readings."""
    if role is None:
        return Word(word.text, "word", (), (), frozenset(), word.capital, is_modifier=True)
    return replace(word, nouns=role, adjectives=(), pos=frozenset({"subst"})) if role else word


def _names_acronym(before: Word, word: Word) -> bool:
    """Whether an unlisted word in capitals is what the adjective before it describes: *drogi SUV*."""
    if word.is_modifier or before.text.isupper() or not is_unlisted_acronym(word.text):
        return False
    return any(reading.any_mask & NOMINATIVE and reading.penalty < _OBSOLETE for reading in before.adjectives)


@lru_cache(maxsize=1024)
def acronym_of(text: str) -> Word:
    """An acronym that the dictionary lacks, as a noun of any gender that stays as it is."""
    return Word(text, "word", acronym_nouns(text), (), frozenset(), True, is_acronym=True)


def is_frozen_modifier(words: Sequence[Word], index: int) -> int:
    """How many tokens from ``index`` on stand before a noun without agreeing with it; 0 if none.

    *jego* umowa, *tego rodzaju* strata, *bardzo* ważna umowa.
    """
    word = words[index]
    lower = word.lower
    if word.is_modifier:
        return 1
    if word.is_numeral or word.kind == "code" or lower == "tysiąc":
        return _begins_ordinal(words, index)
    title = womans_title(words, index) if word.nouns else 0
    if title:
        return title
    if word.is_opaque and word.kind == "word" and index + 1 < len(words):
        return int(any(reading.noun.kind == "overlay" for reading in words[index + 1].nouns))
    if lower in FROZEN_POSSESSIVES or (word.pos & _FROZEN_PRONOUNS and not word.nouns and not word.adjectives):
        return 1
    following = words[index + 1].lower if index + 1 < len(words) else ""
    if following in KIND_GENITIVES and any(a.masks[2] & 2 for a in word.adjectives):
        return 2
    beyond = words[index + 2] if index + 2 < len(words) else None
    if following in QUALITY_GENITIVES and beyond is not None and any(a.masks[3] & 2 for a in word.adjectives):
        described = any(n.mask & ~GENITIVE for n in beyond.nouns) or any(
            a.any_mask & ~GENITIVE for a in beyond.adjectives
        )
        return 2 if described else 0
    if word.nouns and (word.nouns[0].penalty <= _EVERYDAY or (not index and _heads_genitive(words))):
        return 0
    if "adv" in word.pos or ("part" in word.pos and not word.nouns and not word.is_preposition):
        return 1
    return 0


_ROMAN = re.compile(r"(?=[IVXL])L?X{0,3}(?:IX|IV|V?I{0,3})")


def _begins_ordinal(words: Sequence[Word], index: int) -> int:
    """How many words of an ordinal stay as they are: *II* etap, *sto* pięćdziesiąta rocznica; 0 if none."""
    if index + 1 >= len(words):
        return 0
    if words[index].kind == "code":
        return 0 if index else _roman_numerals(words)
    found = read_cardinal([word.lower for word in words[index:]])
    if found is None or found[0] % 100 or index + found[1] >= len(words):
        return 0
    following = words[index + found[1]].adjectives
    return found[1] if any(r.adjective.lexeme.partition(":")[0] in ordinal_lemmas() for r in following) else 0


def _roman_numerals(words: Sequence[Word]) -> int:
    """How many words Roman numerals before a noun take: *II* etap, *I i II* instancja; 0 if none."""
    end = 0
    while end + 1 < len(words) and _ROMAN.fullmatch(words[end].text):
        following = words[end + 1]
        if not following.is_conjunction or end + 2 >= len(words):
            return end + 1 if following.kind == "word" else 0
        end += 2
    return 0


def _heads_genitive(words: Sequence[Word]) -> bool:
    """Whether the first word is a verbal noun that looks like an adverb: *otwarcie* rachunku, not *otwarcie* wrogi."""
    if not words[0].text.lower().endswith(("cie", "nie")) or len(words) == 1:
        return False
    after = words[1]
    noun = any(reading.mask & GENITIVE for reading in after.nouns) and not after.adjectives
    return noun or any(a.any_mask & GENITIVE and not a.any_mask & NOMINATIVE for a in after.adjectives)


def is_relational(word: Word) -> bool:
    """Whether an adjective names a kind rather than a quality, and so usually follows its noun."""
    for reading in word.adjectives:
        lexeme = reading.adjective.lexeme.split(":")[0]
        stem = lexeme.rstrip("yi")
        if reading.adjective.kind == "pact" or (len(stem) > 5 and stem.endswith(RELATIONAL_ENDINGS)):
            return True
    return False


def noun_soon(words: Sequence[Word], index: int) -> bool:
    """Whether a noun in the nominative comes from ``index`` on, after adjectives."""
    while index < len(words) and words[index].adjectives and not words[index].nouns:
        index += 1
    return index < len(words) and any(reading.mask & NOMINATIVE for reading in words[index].nouns)
