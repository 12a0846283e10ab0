"""Texts that look broken: letters read in the wrong encoding, leftovers of HTML."""

from __future__ import annotations

import re
import unicodedata

_LETTERS = "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ"


def _misread_letters() -> frozenset[str]:
    """How UTF-8 letters look when their two bytes are read as two characters of an older encoding."""
    looks = set()
    for letter in _LETTERS:
        for encoding in ("cp1250", "cp1252", "latin-1", "iso8859-2"):
            look = letter.encode("utf-8").decode(encoding, errors="ignore")
            if len(look) == 2:
                looks.add(look)
    return frozenset(looks)


_MISREAD = re.compile("|".join(sorted(map(re.escape, _misread_letters()))) + "|\ufffd")
# cp1250 read as cp1252 (p³atnoœci, wi¹¿e) and ISO-8859-2 read as cp1250 (ksi±żka, umow¶): signs inside a word.
_SIGN_IN_WORD = re.compile(r"[a-ząćęłńóśźż][³¹¿±¶¼][a-ząćęłńóśźżêæñ]|\b[¿³¶¼][a-z]{2}")
# Every misread text has one of these; looking for single characters first is ten times faster.
_STRANGE = re.compile("[" + "".join(sorted({look[0] for look in _misread_letters()})) + "\ufffd³¹¿±¶¼]")
_TAGS = "p|br|hr|div|span|ul|ol|li|b|i|u|strong|em|a|h[1-6]|table|tbody|thead|tr|td|th|img|font|pre|code|script|style"
_HTML = re.compile(rf"</?(?:{_TAGS})(?:\s[^<>]*)?/?>|&(?:[a-z]{{2,8}}[0-9]?|#[0-9]{{2,6}}|#x[0-9a-f]{{2,5}});", re.I)
_GAPS = re.compile(r"[^\w+#]+|_+")


def mojibake(text: str) -> str | None:
    """The first place that looks like text read in the wrong encoding, or ``None``. Nothing is repaired."""
    if text.isascii() or _STRANGE.search(text) is None:
        return None
    match = _MISREAD.search(text) or _SIGN_IN_WORD.search(text)
    return match[0] if match else None


def html_leftover(text: str) -> str | None:
    """The first HTML tag or entity, or ``None``; ``kwota < 5000`` and ``A&B`` are none."""
    if "<" not in text and "&" not in text:
        return None
    match = _HTML.search(text)
    return match[0] if match else None


def comparable(text: str) -> str:
    """A text without case, punctuation and spacing: two queries with equal ones ask the same.

    A text of signs alone is told by its signs, and *C++* from *C#*.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _GAPS.sub(" ", folded).strip() or folded.strip()
