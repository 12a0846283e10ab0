"""What one query shows of how it was typed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from perturb.perturbations.sentence import FINITE, PREPOSITIONS, function_words
from perturb.perturbations.term_pairs import term_pairs
from perturb.polish.keyboard import BARE
from perturb.polish.morphology import analyse, is_word
from perturb.polish.text import POLISH_DIACRITICS, Token, abbreviations, tokenize, units
from perturb.resources import read_table
from perturb.traffic.words import SHORTEST, Vocabulary, is_known, is_name, lost_diacritics, mistake

NONE, PARTIAL, FULL, NEEDLESS = "none", "partial", "full", "needless"
DIACRITICS = (NONE, PARTIAL, FULL, NEEDLESS)
"""Diacritics of a query: all lost, some lost, all there, or no word that is known to need any."""

FORMS = ("question", "command", "sentence", "keywords")
CASINGS = ("lower", "upper", "sentence_case", "mixed")

_DIACRITIC = re.compile(f"[{POLISH_DIACRITICS}]")
_ENDING = re.compile(r"^(.{2,}?)(?:['’-]?(?:u|a|em|owi|ie|y|ów|om|ami|ach|i|e|ą|ę|s))?$")
_POLITE_WORDS = frozenset(("prosze", "poprosze", "dziekuje", "witam", "przepraszam", "uprzejmie", "pozdrawiam"))
_ACRONYM_LENGTH = 5
_CONTENT_WORDS = 2
_SHORT_LOAN = 4


@dataclass(frozen=True, slots=True)
class Observation:
    """Signs of one query.

    Attributes:
        diacritics: one of :data:`DIACRITICS`.
        form: one of :data:`FORMS`.
        casing: one of :data:`CASINGS`.
        signs: any of ``open_question`` (a question without a closing mark), ``polite``, ``english_terms``,
            ``acronyms``, ``abbreviations``, ``numbers``, ``codes``, ``spacing``.
        words: all words and numbers.
        seen: its words in small letters.
        unknown: words in small letters that neither dictionary, names nor English terms explain.
    """

    diacritics: str
    form: str
    casing: str
    signs: frozenset[str]
    words: int
    seen: tuple[str, ...]
    unknown: tuple[str, ...]


def bare(text: str) -> str:
    """In small letters without Polish diacritics, as words are compared that may lack them."""
    return text.lower().translate(BARE)


def observe(text: str) -> Observation:
    """Look at one cleaned query."""
    tokens = tokenize(text)
    words = [token for token in tokens if token.kind == "word"]
    shouted = len(words) > 1 and text.isupper()
    lost = {
        index for index, word in enumerate(words) if _is_lost(word, first=word is tokens[0] or shouted, shouted=shouted)
    }
    english = _english(tokens)
    signs = {
        "polite": _is_polite(text),
        "english_terms": bool(english),
        "acronyms": not shouted and any(map(_is_acronym, tokens)),
        "abbreviations": any(_is_abbreviation(token) for token in tokens),
        "numbers": any(token.kind == "number" for token in tokens),
        "codes": any(token.kind in ("code", "address") and any(map(str.isdigit, token.text)) for token in tokens),
        "spacing": _has_wrong_spacing([token.lower for token in words]),
    }
    form = _form(tokens, text)
    signs["open_question"] = form == "question" and not text.rstrip().endswith(("?", "!", "."))
    unknown = tuple(
        word.lower
        for index, word in enumerate(words)
        if index not in lost and word not in english and _is_unexplained(word, word is tokens[0] or shouted)
    )
    return Observation(
        _diacritics(words, lost),
        form,
        _casing(text, shouted),
        frozenset(sign for sign, shown in signs.items() if shown),
        sum(token.kind != "symbol" for token in tokens),
        tuple(word.lower for word in words),
        unknown,
    )


def first_mistake(observed: Observation, vocabulary: Vocabulary) -> str:
    """Kind of the first word of a query that one mistake explains; empty if there is none."""
    return next((kind for word in observed.unknown if (kind := mistake(word, vocabulary))), "")


def _diacritics(words: Sequence[Token], lost: set[int]) -> str:
    typed = any(_DIACRITIC.search(word.text) for word in words)
    if lost:
        return PARTIAL if typed else NONE
    return FULL if typed else NEEDLESS


def _is_lost(token: Token, *, first: bool, shouted: bool) -> bool:
    if token.protected or len(token.text) < 2 or (token.text.isupper() and not shouted):
        return False
    return token.text.isalpha() and _lost(token.text, first)


@lru_cache(maxsize=1 << 17)
def _lost(word: str, first: bool) -> bool:
    return lost_diacritics(word, first=first)


def _is_unexplained(token: Token, first: bool) -> bool:
    """Whether a word needs an explanation; a capital within a query marks a name, which needs none."""
    text = token.text
    if token.protected or len(text) < SHORTEST or not text.isalpha() or (text[:1].isupper() and not first):
        return False
    lower = token.lower
    return not is_known(lower) and not is_name(lower) and not _is_acronym(token) and lower not in _joined()


def _is_acronym(token: Token) -> bool:
    stem = token.text.partition("-")[0]
    letters = 1 < len(stem) <= _ACRONYM_LENGTH and stem.isupper() and stem.isalpha()
    return letters and token.kind == "word" and not is_known(stem.lower())


@lru_cache(maxsize=1)
def _english_words() -> tuple[Mapping[str, bool], frozenset[tuple[str, ...]]]:
    """English terms of one word and of several, in small letters; without acronyms that the dictionary has (*VAT*).

    Of those of one word, whether they are also everyday Polish words (*partner*, *lead*), so that only capitals or an
    ending that Polish lacks tell them.
    """
    single: dict[str, bool] = {}
    several: set[tuple[str, ...]] = set()
    everyday = {row["lemma"] for row in read_table("frequent_nouns.tsv")}
    for pair in term_pairs():
        if pair.pos == "adj" or (pair.english.isupper() and is_word(pair.english)):
            continue
        for spelt in {pair.english, *((pair.colloquial[0],) if pair.colloquial else ())}:
            words = tuple(spelt.lower().replace("’", "'").split())
            if len(words) > 1:
                several.add(words)
            else:
                short = len(words[0]) <= _SHORT_LOAN and is_known(words[0])
                single[words[0]] = spelt.isupper() or short or words[0] in everyday
    return single, frozenset(several)


def _english(tokens: Sequence[Token]) -> frozenset[Token]:
    """Tokens that are or belong to English terms of the lexicon, with or without a Polish ending."""
    single, several = _english_words()
    words = [token for token in tokens if token.kind in ("word", "code")]
    found = {word for word in words if _is_english(word.text, single)}
    lowers = [word.lower for word in words]
    for start in range(len(words) - 1):
        for length in (2, 3, 4):
            if start + length <= len(words) and _fits_several(tuple(lowers[start : start + length]), several):
                found.update(words[start : start + length])
    return frozenset(found)


def _fits_several(words: tuple[str, ...], several: frozenset[tuple[str, ...]]) -> bool:
    if words in several:
        return True
    match = _ENDING.match(words[-1])
    return match is not None and (*words[:-1], match[1]) in several


def _is_english(word: str, single: Mapping[str, bool]) -> bool:
    lower = word.lower().replace("’", "'")
    for base in (lower, *_stems(lower)):
        if base in single:
            capitals = len(base) > 1 and word[: len(base)].isupper()
            return capitals or (len(base) > 2 and not (single[base] and is_known(lower)))
    return False


@lru_cache(maxsize=1 << 16)
def _stems(lower: str) -> tuple[str, ...]:
    """What may stand before a Polish ending, longest ending last."""
    endings = ("u", "a", "y", "i", "e", "ą", "ę", "s", "em", "ie", "ów", "om", "owi", "ami", "ach")
    stems = [lower[: -len(ending)].rstrip("'-") for ending in endings if lower.endswith(ending)]
    return tuple(stem for stem in stems if len(stem) > 1)


def _is_abbreviation(token: Token) -> bool:
    return token.lower not in units() and (token.kind == "abbreviation" or token.lower in _shorts())


@lru_cache(maxsize=1)
def _shorts() -> frozenset[str]:
    written = {row["short"].lower() for row in read_table("abbreviation_pairs.tsv") if row["risk"] == "no"}
    return frozenset(short for short in written | abbreviations() if not is_known(short))


@lru_cache(maxsize=1)
def _spacing() -> tuple[frozenset[str], frozenset[tuple[str, ...]]]:
    wrong = [row["wrong"].lower() for row in read_table("spacing.tsv") if row["kind"] in ("joined", "split")]
    joined = frozenset(word for word in wrong if " " not in word)
    return joined, frozenset(tuple(phrase.split()) for phrase in wrong if " " in phrase)


def _joined() -> frozenset[str]:
    return _spacing()[0]


def _has_wrong_spacing(words: Sequence[str]) -> bool:
    joined, split = _spacing()
    if any(word in joined for word in words):
        return True
    return any(tuple(words[i : i + n]) in split for n in (2, 3) for i in range(len(words) - n + 1))


@lru_cache(maxsize=1)
def _roles() -> Mapping[str, str]:
    """Roles of function words, also without their diacritics."""
    roles = function_words()
    return {**{bare(word): role for word, role in roles.items()}, **roles}


def _form(tokens: Sequence[Token], text: str) -> str:
    roles = [_roles().get(token.lower, "") if token.kind == "word" else "" for token in tokens]
    if text.rstrip().endswith("?") or roles[:1] == ["question"]:
        return "question"
    if roles[1:2] == ["question"] and roles[0] in PREPOSITIONS:
        return "question"
    if roles[:1] == ["command"]:
        return "command"
    return "sentence" if any(_is_clause_verb(token.text) for token in tokens if token.is_word) else "keywords"


@lru_cache(maxsize=1 << 16)
def _is_clause_verb(word: str) -> bool:
    readings = [reading for reading in analyse(word) if reading.is_accepted]
    return bool(readings) and all(reading.pos in FINITE and reading.pos != "inf" for reading in readings)


@lru_cache(maxsize=1)
def _courtesies() -> tuple[str, ...]:
    """What politeness frames put before the query, of two words or more."""
    before = {bare(row["frame"].partition("{query}")[0]).strip(" ,:") for row in read_table("politeness.tsv")}
    return tuple(sorted(part for part in before if len(part.split()) >= _CONTENT_WORDS))


def _is_polite(text: str) -> bool:
    plain = bare(text)
    words = re.findall(r"\w+", plain)
    return any(word in _POLITE_WORDS for word in words) or plain.startswith(_courtesies())


def _casing(text: str, shouted: bool) -> str:
    if not any(map(str.isupper, text)):
        return "lower"
    if shouted:
        return "upper"
    letters = "".join(filter(str.isalpha, text))[:2]
    return "sentence_case" if letters[:1].isupper() and not letters[1:].isupper() else "mixed"
