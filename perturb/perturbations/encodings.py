"""What machines do to a text: transliteration to ASCII, other Unicode forms, files read in the wrong encoding."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import ClassVar

from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.slips import is_real_word
from perturb.polish.parsed import ParsedQuery
from perturb.polish.text import POLISH_DIACRITICS, VOWELS
from perturb.records import Edit, Variant, replay

_VOWELS = frozenset(VOWELS + VOWELS.upper())
_IDENTIFIERS = frozenset({"address", "code", "number"})


@register
@dataclass(frozen=True)
class Transliterate(Perturbation):
    """The whole text in ASCII as Unidecode writes it; quotations, addresses and the names the user protects stay.

    Unidecode is licensed GPL-2.0-or-later. This is the only place that imports it, and only when called.
    """

    name = "transliterate"
    changes_protected: ClassVar[bool] = True
    summary = "the whole text in ASCII, as the library Unidecode (GPL) transliterates it"
    examples = (
        ("żądanie zapłaty – 5 € brutto", "zadanie zaplaty - 5 EUR brutto"),
        ("Gößler, Київ, 5 zł", "Gossler, Kiyiv, 5 zl"),
    )

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant of kind ``ascii``."""
        if query.text.isascii():
            query.decline("already ASCII")
            return
        from unidecode import unidecode

        edits: list[Edit] = []
        real = False
        for token in query.tokens:
            if token.shielded or token.kind in _IDENTIFIERS or token.text.isascii():
                continue
            after = unidecode(token.text)
            edits.append(query.edit(token.start, token.end, after))
            real = real or (token.kind == "word" and is_real_word(after))
        yield from _if_any(query, self.name, "ascii", edits, real=real)


@register
@dataclass(frozen=True)
class UnicodeForm(Perturbation):
    """Text that looks the same but is encoded otherwise: copied from a Mac, a web page or a PDF.

    Its results are not NFC by purpose. The kinds are ``nfd`` (letters and their marks as separate characters), ``nbsp``
    (non-breaking spaces), ``soft-hyphen`` (in the middle of every word of at least ``hyphenated`` letters) and
    ``zero-width`` (a zero-width space after every space, as web pages leave it behind).

    Attributes:
        hyphenated: letters a word needs to get a soft hyphen.
    """

    hyphenated: int = 8

    name = "unicode_form"
    summary = "same look, other characters: NFD, non-breaking and zero-width spaces, soft hyphens"
    keeps_nfc: ClassVar[bool] = False
    examples = (("umowę zawarto", "umowe\u0328 zawarto"), ("umowa najmu", "umowa\u00a0najmu"))

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant per kind that changes anything."""
        nfd = [
            query.edit(word.start, word.end, unicodedata.normalize("NFD", word.text))
            for word in query.words
            if not unicodedata.is_normalized("NFD", word.text)
        ]
        soft = [
            query.edit(word.start, word.end, _hyphenated(word.text))
            for word in query.words
            if len(word.text) >= self.hyphenated and word.text.isalpha()
        ]
        gaps = list(_gaps(query))
        kinds = {
            "nfd": nfd,
            "nbsp": [query.edit(gap, gap + 1, "\u00a0") for gap in gaps],
            "soft-hyphen": soft,
            "zero-width": [query.edit(gap, gap + 1, " \u200b") for gap in gaps],
        }
        if not any(kinds.values()):
            query.decline("nothing to encode otherwise")
        for kind, edits in kinds.items():
            if edits:
                yield query.variant(self.name, kind, edits)


def _hyphenated(word: str) -> str:
    """A soft hyphen between two syllables, after a vowel and before a consonant, as near to the middle as can be."""
    middle = len(word) // 2
    breaks = [place for place in range(2, len(word) - 1) if word[place - 1] in _VOWELS and word[place] not in _VOWELS]
    place = min(breaks, key=lambda place: abs(place - middle), default=middle)
    return f"{word[:place]}\u00ad{word[place:]}"


def _gaps(query: ParsedQuery) -> Iterator[int]:
    """Offsets of single spaces between two tokens of which neither is protected."""
    for left, right in zip(query.tokens, query.tokens[1:], strict=False):
        if query.text[left.end : right.start] == " " and not (left.protected or right.protected):
            yield left.end


def _misread(written: str, read: str) -> Callable[[str], str]:
    """A text written in one encoding and read in another; bytes unknown to the reader stay control characters."""

    def misread(text: str) -> str:
        letters: list[str] = []
        for byte in text.encode(written):
            try:
                letters.append(bytes([byte]).decode(read))
            except UnicodeDecodeError:
                letters.append(chr(byte))
        return "".join(letters)

    return misread


def _replacement(text: str) -> str:
    """Written in cp1250, read as UTF-8: every Polish letter is an invalid byte."""
    return "".join("\ufffd" if not char.isascii() else char for char in text)


def _question_marks(text: str) -> str:
    """Exported to a code page without Polish letters."""
    return text.encode("ascii", "replace").decode("ascii")


@lru_cache(maxsize=1)
def misreadings() -> dict[str, dict[int, str]]:
    """For each pair of encodings what becomes of the 18 Polish letters, as a translation table."""
    ways: dict[str, Callable[[str], str]] = {
        "utf8-as-cp1250": _misread("utf-8", "cp1250"),
        "utf8-as-latin2": _misread("utf-8", "iso8859-2"),
        "utf8-as-cp1252": _misread("utf-8", "cp1252"),
        "cp1250-as-latin2": _misread("cp1250", "iso8859-2"),
        "latin2-as-cp1250": _misread("iso8859-2", "cp1250"),
        "cp1250-as-cp1252": _misread("cp1250", "cp1252"),
        "cp1250-as-utf8": _replacement,
        "question-marks": _question_marks,
    }
    return {kind: {ord(letter): way(letter) for letter in POLISH_DIACRITICS} for kind, way in ways.items()}


@register
@dataclass(frozen=True)
class Encoding(Perturbation):
    """Polish letters as they look after an export was read in the wrong encoding; protected parts stay.

    The kinds name what was written and how it was read: ``utf8-as-cp1250`` (*umowÄ™*), ``latin2-as-cp1250`` and so on;
    ``question-marks`` is an export to a code page that has no Polish letters.

    Attributes:
        kinds: kinds to make; empty for all.
    """

    kinds: tuple[str, ...] = ()

    name = "encoding"
    summary = "Polish letters after an export read in the wrong encoding (cp1250, ISO-8859-2, UTF-8)"
    examples = (("umowę", "umowÄ™"), ("ścisły", "¶cisły"), ("urlop na żądanie", "urlop na ??danie"), ("kąt", "k±t"))

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant per pair of encodings that changes a letter of the query."""
        if query.text.isascii():
            query.decline("no diacritics")
            return
        for kind, table in misreadings().items():
            if self.kinds and kind not in self.kinds:
                continue
            edits = [
                query.edit(word.start, word.end, after)
                for word in query.words
                if (after := word.text.translate(table)) != word.text
            ]
            yield from _if_any(query, self.name, kind, edits)


def _if_any(query: ParsedQuery, name: str, kind: str, edits: list[Edit], *, real: bool = False) -> Iterator[Variant]:
    if not edits:
        query.decline("nothing but protected words to change")
    elif not replay(query.text, edits).strip():
        query.decline("nothing would be left")
    else:
        yield query.variant(name, kind, edits, flags=("real_word",) if real else ())
