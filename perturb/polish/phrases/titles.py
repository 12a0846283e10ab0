"""Abbreviated titles before a name: *dr* Jan Kowalski, *dra* or *dr.* Jana Kowalskiego; of a woman always *dr*.

An abbreviation that ends in the last letter of its word has no full stop in the nominative; in other cases of a man it
takes a full stop or an ending. One that is cut short (*prof.*, *inż.*) never changes. Source: rules of Polish
orthography on abbreviations.
"""

from __future__ import annotations

from collections.abc import Sequence

from perturb.polish.phrases.lexicons import word_class
from perturb.polish.text import Token, match_case

_TITLES = word_class("title_abbreviation")
_FIRM = ("", "a", "owi", "a", "em", "ze", "")
_SOFT = ("", "a", "owi", "a", "iem", "u", "")
_ENDINGS = {"dr": _FIRM, "mgr": _FIRM, "mjr": _FIRM, "płk": _SOFT, "ppłk": _SOFT}
"""By abbreviation its endings in the cases of the singular."""

_BASES = {base + ending: base for base, endings in _ENDINGS.items() for ending in endings}


_FIELDS = frozenset({".", "n", "ekon", "farm", "hum", "med", "praw", "roln", "tech", "wet", "zdr"})
"""What only goes on with a title: *dr n. med.*"""


def abbreviated_title(tokens: Sequence[Token], start: int) -> int:
    """How many tokens from ``start`` on are abbreviated titles before a name: *dr hab.* Ewa Mróz; 0 if none."""
    end = start
    while end < len(tokens) and (
        tokens[end].lower in _TITLES or tokens[end].lower in _BASES or (end > start and tokens[end].lower in _FIELDS)
    ):
        end += 1
    named = end < len(tokens) and tokens[end].kind == "word" and tokens[end].text[:1].isupper()
    return end - start if named else 0


def title_forms(text: str, title: Sequence[Token], cell: int) -> tuple[str, ...]:
    """The text up to the end of a man's title in a cell, the usual form first.

    Args:
        text: the phrase.
        title: the tokens of the title.
        cell: position of the cell.

    Returns:
        With endings and with full stops; none in the plural where the title would change, for it names one person.
    """
    changing = [token for token in title if token.lower in _BASES]
    if not changing:
        return (text[: title[-1].end],)
    if cell >= 7:
        return ()
    bases = [_BASES[token.lower] for token in changing]
    declined = [base + _ENDINGS[base][cell] for base in bases]
    dotted = [f"{base}." if ending != base else base for base, ending in zip(bases, declined, strict=True)]
    return tuple(dict.fromkeys(_spelled(text, title, forms) for forms in (declined, dotted)))


def _spelled(text: str, title: Sequence[Token], forms: Sequence[str]) -> str:
    """The text up to the end of the title with other forms of its changing tokens, their full stops left out."""
    out, position = "", 0
    left = iter(forms)
    changed = False
    for token in title:
        if token.lower in _BASES:
            out += text[position : token.start] + match_case(token.text, next(left))
            position, changed = token.end, True
        else:
            if changed and token.text == ".":
                position = token.end
            changed = False
    return out + text[position : max(position, title[-1].end)]


__all__ = ["abbreviated_title", "title_forms"]
