"""*w* or *we*, *z* or *ze*: the form of a preposition that the next word asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perturb.polish.parsed import ParsedQuery
from perturb.records import Edit

_VOWELLESS_FRICATIVE = re.compile(r"(?:sz|rz|s(?!z)|ś|ź|ż|z)(?![aeiouyąęó])(?!i[aeouąęó])[^\W\d_]")
_W_CLUSTER = re.compile(r"w[sśzźż][^aeiouyąęó]|wz")
_SILENT_W = re.compile(r"wh|wr(?:ap|it|on)")


def leans_on_vowel(preposition: str, word: str) -> bool:
    """Whether *w* and *z* are said *we* and *ze* before a word: *ze zgłoszeniem*, *we wdrożeniu*, *z ticketem*.

    Args:
        preposition: ``w`` or ``z``.
        word: the word that follows; acronyms are spelled out and never need it.
    """
    if len(word) > 1 and word[:2].isupper():
        return False
    lower = word.lower()
    if _SILENT_W.match(lower):
        return False
    if preposition == "w":
        return re.match(r"[wf][^aeiouyąęó\W]", lower) is not None
    return _VOWELLESS_FRICATIVE.match(lower) is not None or _W_CLUSTER.match(lower) is not None


def preposition_edit(query: ParsedQuery, start: int, word: str) -> Iterator[Edit]:
    """The change of *w/we*, *z/ze* before a token whose place another word takes; nothing if none is due."""
    if not start:
        return
    token = query.tokens[start - 1]
    due = vocalised(token.text, word)
    if due != token.text and not token.protected:
        yield query.edit(token.start, token.end, due)


def vocalised(preposition: str, following: str) -> str:
    """The form of a preposition before a word, in the capitals of what was given.

    Args:
        preposition: ``w``, ``we``, ``z`` or ``ze``; any other comes back as it is.
        following: the word after it.
    """
    short = {"we": "w", "ze": "z"}.get(preposition.lower(), preposition.lower())
    if short not in ("w", "z") or not following:
        return preposition
    # In a query typed in capitals a long word is no acronym.
    word = following.lower() if preposition.isupper() and len(following) > 5 else following
    form = f"{short}e" if leans_on_vowel(short, word) or following.lower().startswith(("mną", "mnie")) else short
    if preposition.isupper() and following.isupper():
        return form.upper()
    return form.capitalize() if preposition[0].isupper() else form
