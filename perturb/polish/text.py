"""Text as it comes in and the tokens it is made of.

Everything that is later compared, tokenised or inflected has gone through :func:`clean`. Tokens carry character
offsets, so that a perturbation copies what it does not change byte for byte.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from perturb.polish.token_pattern import COMPANY_FORM, QUOTED, token_pattern
from perturb.resources import read_table

POLISH_DIACRITICS = "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ"
POLISH_LETTERS = "aąbcćdeęfghijklłmnńoóprsśtuwyzźż"
VOWELS = "aąeęioóuy"

_SOFT_HYPHEN = "\u00ad"
_ZERO_WIDTH_SPACE = "\u200b"
_JOINER = "\u200d"
_INVISIBLE = re.compile("[\u00ad\u200b\u200c\u200d\u2060\ufeff]")


def clean(text: str) -> str:
    """Bring a text to the one form that is compared, tokenised and shown.

    NFC; soft hyphens, zero-width non-joiners, word joiners and inner byte order marks are removed; a zero-width space
    becomes a space. A zero-width joiner stays only between emoji, where it makes one picture of two. Non-breaking
    spaces, quotes, case and double spaces are kept.

    Args:
        text: any text.

    Returns:
        The cleaned text; the same object if nothing had to change.
    """
    if text.isascii():
        return text
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    if _INVISIBLE.search(text) is None:
        return text
    kept: list[str] = []
    for index, char in enumerate(text):
        if char == _ZERO_WIDTH_SPACE:
            kept.append(" ")
        elif char == _JOINER:
            around = text[index - 1 : index] + text[index + 1 : index + 2]
            if len(around) == 2 and all(unicodedata.category(c) in ("So", "Sk", "Mn") for c in around):
                kept.append(char)
        elif _INVISIBLE.match(char) is None:
            kept.append(char)
    return unicodedata.normalize("NFC", "".join(kept))


def clean_with_offsets(text: str) -> tuple[str, tuple[int, ...]]:
    """Clean a text and say where each character of the result came from.

    Args:
        text: any text.

    Returns:
        The cleaned text, and for each of its characters plus its end the offset in ``text``: ``len(cleaned) + 1``
        numbers.
    """
    cleaned = clean(text)
    offsets: list[int] = []
    position = 0
    for end in range(1, len(text) + 1):
        if end < len(text) and unicodedata.combining(text[end]):
            continue
        grown = clean(text[:end])
        if cleaned.startswith(grown):
            offsets += [position] * (len(grown) - len(offsets))
            position = end
    offsets += [position] * (len(cleaned) - len(offsets))
    return cleaned, (*offsets[: len(cleaned)], len(text))


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of text between two offsets.

    Attributes:
        start: first character in the cleaned query.
        end: one past the last character.
        text: what stands there.
        kind: ``word``, ``number``, ``code``, ``address``, ``abbreviation``, ``foreign`` (another script) or ``symbol``.
        protected: nothing may change it: numbers, codes, addresses, abbreviations, quoted text, protected names.
        shielded: quoted or protected by the user, so that not even rules made for numbers or abbreviations touch it.
        lower: the text in lower case; kept, since every rule asks for it.
        is_word: whether this is a word that rules may change.
    """

    start: int
    end: int
    text: str
    kind: str
    protected: bool
    shielded: bool = False
    lower: str = field(init=False, repr=False, compare=False)
    is_word: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lower", self.text.lower())
        object.__setattr__(self, "is_word", self.kind == "word" and not self.protected)


_ROMAN = re.compile(r"(?=[MDCLXVI])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_MAX_HYPHENS = 8
"""More of them join no compound; *a-b-c-…* of any length is a code."""
_LABELLED = frozenset({"lit", "pkt", "ust", "zał", "par"})
"""Abbreviations whose single letter is a label: *lit. a*."""


@lru_cache(maxsize=1)
def abbreviations() -> frozenset[str]:
    """Abbreviations that Polish writes with a dot or that stand without one, from ``lexicons/abbreviations.tsv``."""
    return frozenset(row["abbreviation"].lower() for row in read_table("abbreviations.tsv"))


@lru_cache(maxsize=1)
def units() -> frozenset[str]:
    """Units and currencies that belong to the number before them."""
    return frozenset(row["abbreviation"].lower() for row in read_table("abbreviations.tsv") if row["kind"] == "unit")


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    return token_pattern(frozenset(form.rstrip("!") for form in abbreviations()))


def is_latin(text: str) -> bool:
    """Whether every letter of the text is Latin."""
    return text.isascii() or all("LATIN" in unicodedata.name(c, "") for c in text if c.isalpha())


def tokenize(text: str, protected: Iterable[str] = ()) -> tuple[Token, ...]:
    """Cut a cleaned text into tokens; white space lies between them.

    Args:
        text: cleaned text.
        protected: words or phrases nothing may change, matched as whole words without regard to case.

    Returns:
        Tokens in the order of the text, not overlapping.
    """
    quoted, named, company = (bytearray(len(text)) for _ in range(3))
    for match in QUOTED.finditer(text):
        _mark(quoted, match)
    for term in protected:
        words = r"\s+".join(map(re.escape, clean(term).split()))
        for match in re.finditer(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE) if words else ():
            _mark(named, match)
    for match in COMPANY_FORM.finditer(text):
        _mark(company, match)
    tokens: list[Token] = []
    for match in _pattern().finditer(text):
        tokens.append(_token(match, text, tokens))
    return tuple(_shielded(token, quoted, named, company) for token in tokens)


def _mark(covered: bytearray, match: re.Match[str]) -> None:
    start, end = match.span()
    covered[start:end] = b"\1" * (end - start)


def _token(match: re.Match[str], text: str, before: list[Token]) -> Token:
    start, end = match.span()
    kind = match.lastgroup or "symbol"
    word = match.group()
    if kind == "address":
        word = word.rstrip(".,;:!?]}'\"”»")
        while word.endswith(")") and word.count(")") > word.count("("):
            word = word[:-1].rstrip(".,;:!?]}'\"”»")
        return Token(start, start + len(word), word, kind, True)
    if kind == "dotted":
        return Token(start, end, word, "abbreviation", True)
    if kind in ("digits", "markup"):
        return Token(start, end, word, "code", True)
    if kind == "word" and (not any(map(str.isalpha, word)) or word.count("-") > _MAX_HYPHENS):
        return Token(start, end, word, "code", True)
    if kind == "word":
        lower = word.lower()
        if not is_latin(word):
            return Token(start, end, word, "foreign", True)
        after_number = bool(before) and before[-1].text[-1:].isdigit() and lower in units()
        dotted = text[end : end + 1] == "." and lower in abbreviations()
        if dotted or after_number or f"{lower}!" in abbreviations():
            return Token(start, end, word, "abbreviation", True)
        if len(word) == 1 and _is_label(text, start, before):
            return Token(start, end, word, "code", True)
        roman = word.isupper() and _ROMAN.fullmatch(word) is not None
        mixed = not word.islower() and not word.isupper() and word[0] + word[1:].lower() != word
        inner_capital = mixed and any(c.isupper() for part in re.split("[-'’]", word) for c in part[1:])
        return Token(start, end, word, "code" if roman else kind, roman or (inner_capital and not _stem_is_upper(word)))
    return Token(start, end, word, kind, kind in ("number", "code"))


def _is_label(text: str, start: int, before: list[Token]) -> bool:
    """Whether a letter names a point of a list or hangs on a slash: *lit. a*, *PIT/O*."""
    at_slash = text[start - 1 : start] == "/" and text[start - 2 : start - 1].isupper()
    label = len(before) > 1 and before[-1].text == "." and before[-2].lower in _LABELLED
    return text[start].isalpha() and (at_slash or label)


def _stem_is_upper(word: str) -> bool:
    """An inflected acronym such as ``VAT-u`` is a word, though its letters differ in case."""
    stem, hyphen, ending = word.partition("-")
    return bool(hyphen) and stem.isupper() and ending.islower()


def _shielded(token: Token, quoted: bytearray, named: bytearray, company: bytearray) -> Token:
    """Protect what lies in a quotation or company form, and what holds a name the user protects: *Orlen’u*."""
    span = slice(token.start, token.end)
    if all(quoted[span]) or any(named[span]):
        return replace(token, protected=True, shielded=True)
    if not token.protected and all(company[span]):
        return replace(token, protected=True)
    return token


def match_case(model: str, form: str) -> str:
    """Write a form with the capitals of the word it replaces.

    Args:
        model: the word that stood there: ``UMOWA``, ``Umowa`` or ``umowa``.
        form: the new form, in the case the dictionary gives it.

    Returns:
        ``form`` in upper case, with a capital first letter, in lower case, or as it is: a word whose capitals fit none
        of these patterns (*iPhone*) and an acronym with an ending (*VAT-u*) keep the capitals of the dictionary.
    """
    if model.islower():
        return form.lower()
    if form[:2].isupper():
        return form
    if "-" in model and model.count("-") == form.count("-"):
        return "-".join(map(_match_part, model.split("-"), form.split("-")))
    return _match_part(model, form)


def _match_part(model: str, form: str) -> str:
    letters = [c for c in model if c.isalpha()]
    if len(letters) > 1 and all(c.isupper() for c in letters):
        return form.upper()
    if model[:1].isupper():
        return form[:1].upper() + form[1:]
    return form
