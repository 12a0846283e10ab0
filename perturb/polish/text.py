"""Text as it comes in and the tokens it is made of.

Everything that is later compared, tokenised or inflected has gone through :func:`clean`. Tokens carry character
offsets, so that a perturbation copies what it does not change byte for byte.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

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
        The cleaned text, and for each of its characters plus its end the offset in ``text``: ``len(cleaned) + 1`` numbers.
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
        protected: nothing may change it: numbers, codes, addresses, abbreviations, quoted text, names the user protects.
        shielded: quoted or protected by the user, so that not even rules made for numbers or abbreviations touch it.
    """

    start: int
    end: int
    text: str
    kind: str
    protected: bool
    shielded: bool = False

    @property
    def lower(self) -> str:
        """The token in lower case."""
        return self.text.lower()

    @property
    def is_word(self) -> bool:
        """Whether this is a word that rules may change."""
        return self.kind == "word" and not self.protected


_LETTER = r"[^\W\d_]"
_WORD_LETTER = rf"(?:{_LETTER}|[\u0300-\u036f])"
_FILE_ENDINGS = (
    "pdf|docx?|xlsx?|pptx?|csv|tsv|txt|xml|xsd|jsonl?|zip|rar|7z|jpe?g|png|gif|tiff?|html?|odt|ods|rtf|msg|eml|exe|dll"
)
_DOMAIN_ENDINGS = "pl|com|eu|org|net|gov|edu|info|biz|io|dev|de|uk"
_GAP = r"[\ \u00a0\u2007\u2009\u202f]"
"""What parts the groups of a number; figure and thin spaces are what typesetters put there."""

@lru_cache(maxsize=1)
def _token_pattern() -> re.Pattern[str]:
    """The kinds of tokens, first match wins; compiled when first asked for, as it needs the abbreviations."""
    shortened = "|".join(sorted(map(re.escape, (form for form in abbreviations() if form.isalpha()))))
    return re.compile(
        rf"""
    (?P<markup>
        \$\{{[^{{}}\s]*\}} | \$[a-z_]\w* | \{{\{{[^{{}}]*\}}\}} | %\w+% | </?[a-z][^<>]*> | (?<!\S)--?[a-z][\w-]*
      | (?<![\w:])(?=[\da-f:]*(?:::|[a-f]))[\da-f]{{0,4}}(?::[\da-f]{{0,4}}){{2,}}(?:%\w+|/\d+)?(?![\w:])
      | \w+(?:(?:::|->)\w+)+
    )
  | (?P<address>
        [a-z][a-z0-9+.-]*://\S+ | www\.\S+ | (?:mailto|tel|sms|file):\S+
      | [\w.+%-]+@[\w-]+(?:\.[\w-]+)*
      | [\w-]+(?:[.\\/][\w-]+)*\.(?:{_FILE_ENDINGS}|{_DOMAIN_ENDINGS})(?![\w])(?:/\S*)?
      | (?=[\w-]+\.\w)(?!(?:{shortened})\.){_LETTER}[\w-]*\w(?:\.(?-i:[\da-ząćęłńóśźż])[\w-]*\w)+(?:/\S*)?
      | \d{{1,3}}(?:\.\d{{1,3}}){{3}}(?::\d+)?/\S*\w
      | [#@][\w-]+ | [A-Za-z]:\\\S+ | \\\\\S+ | (?<![\w.])(?:\.{{1,2}}|~)/\S+ | (?:/[\w.-]+){{2,}}
    )
  | (?P<digits>
        [A-Z]{{2}}\d{{2}}(?:{_GAP}?\d{{4}}){{6}}(?!\d)
      | (?:\+\d{{1,3}}{_GAP}?)?(?:\(\d{{2,3}}\){_GAP}?|(?<!\d)\d{{2}}{_GAP}(?=\d{{3}}-))
        \d{{2,3}}(?:(?:{_GAP}|-)\d{{2,3}}){{1,2}}(?!\w)
      | (?![+-]?\d{{1,3}}(?:{_GAP}\d{{3}})+(?!{_GAP}?\w*\d))
        \+?\d{{1,4}}(?:{_GAP}\d{{2,4}}){{2,}}(?![,.:/–-]?\w)
      | \d+(?:\(\d+[a-z]?\)|\^\d+)
    )
  | (?P<number>
        [+−±-]?\d{{1,3}}(?:{_GAP}\d{{3}})+(?!\d)(?:,\d+)?(?![\w])
      | [+−±-]?\d{{1,3}}(?:['’]\d{{3}})+(?!\d)(?:[.,]\d+)?(?![\w])
      | [+−±-]?\d+(?:[.,:/–—-]\d+)*(?![-\w]*\w|[/.:+]\w)%?
    )
  | (?P<code>
        (?=[^\s]*[\d_]) \w+(?:[-/.:,&+]\w+)* | \w*[\d_]\w*
      | (?-i:[A-Z]{{4}}PL[A-Z\d]{{2}}(?:[A-Z\d]{{3}})?)(?!\w)
    )
  | (?P<dotted> (?:{_LETTER}{{1,4}}\.){{2,}} | Dz\.\s?U\. | w/w(?!\w) )
  | (?P<word> {_LETTER}{_WORD_LETTER}*(?:[-'’`]{_WORD_LETTER}+|&{_LETTER}(?!{_LETTER}))* )
  | (?P<symbol> [^\s] )
    """,
        re.VERBOSE | re.IGNORECASE,
    )


_COMPANY_FORM = re.compile(
    r"(?<!\w)(?:sp\.?\s+)?z\s*o\.\s?o\.?|(?<!\w)sp\.\s?(?:j|k|p)\.|(?<!\w)S\.?A\.(?!\w)", re.IGNORECASE
)
_QUOTED = re.compile(
    r"[„“](?:[^„“”\"]|„[^„“”\"]*[”“])*[”“\"]|\"[^\"”]*[\"”]|”[^„“”\"]*”|«[^«»]*»|»[^«»]*«|‹[^‹›]*›|(?<!\w)‚[^‚‘’]*[‘’](?!\w)"
    r"|(?<!\w)‘[^‘’]*’(?!\w)|,,(?:(?!,,|'')[^”])*(?:''|”)|(?<!\w)'[^']*'(?!\w)|`[^`]*`"
)
_ROMAN = re.compile(r"(?=[MDCLXVI])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
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
    shields = [match.span() for match in _QUOTED.finditer(text)]
    for term in protected:
        pattern = rf"(?<!\w){re.escape(clean(term))}(?!\w)"
        shields += [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]
    company_forms = [match.span() for match in _COMPANY_FORM.finditer(text)]
    tokens: list[Token] = []
    for match in _token_pattern().finditer(text):
        tokens.append(_token(match, text, tokens))
    if shields or company_forms:
        return tuple(_shielded(token, shields, company_forms) for token in tokens)
    return tuple(tokens)


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
        mixed = not word.islower() and not word.isupper() and not word[0] + word[1:].lower() == word
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


def _shielded(token: Token, shields: list[tuple[int, int]], company_forms: list[tuple[int, int]]) -> Token:
    if any(start <= token.start and token.end <= end for start, end in shields):
        return replace(token, protected=True, shielded=True)
    if any(start <= token.start and token.end <= end for start, end in company_forms):
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
