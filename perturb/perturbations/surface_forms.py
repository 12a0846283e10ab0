"""Forms of a query that touch no wording: capitals, punctuation, spaces, cut and doubled text."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from perturb.perturbations.base import Perturbation, register
from perturb.polish.morphology import is_word, lemmas
from perturb.polish.parsed import ParsedQuery
from perturb.polish.text import Token
from perturb.records import Edit, Variant

_MARKS = frozenset('.,;:?!…()[]{}"„”«»–—-')
_CLOSING_MARKS = frozenset(".?!…")


@register
@dataclass(frozen=True)
class Lower(Perturbation):
    """Everything in lower case; protected tokens and acronyms with small letters in them stay."""

    name: ClassVar[str] = "query_form.lower"
    summary: ClassVar[str] = "all letters small"
    examples: ClassVar[tuple[tuple[str, str], ...]] = (("Szkolenie BHP w Łodzi", "szkolenie bhp w łodzi"),)

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield the query in lower case; draws nothing."""
        edits = [query.edit(t.start, t.end, t.lower) for t in query.words if t.lower != t.text]
        if edits:
            yield query.variant(self.name, "lower", edits)


@register
@dataclass(frozen=True)
class Upper(Perturbation):
    """Everything in capitals, as with Caps Lock on, abbreviations and units too; names, codes and addresses stay."""

    name: ClassVar[str] = "query_form.upper"
    summary: ClassVar[str] = "all letters capital"
    changes_protected: ClassVar[bool] = True
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("urlop na żądanie", "URLOP NA ŻĄDANIE"),
        ("zakup od 100 zł netto", "ZAKUP OD 100 ZŁ NETTO"),
    )

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield the query in capitals; draws nothing. Words whose capitals have another length (ß) stay."""
        edits = [
            query.edit(t.start, t.end, t.text.upper())
            for t in query.tokens
            if (t.is_word or (t.kind == "abbreviation" and not t.shielded))
            and t.text.upper() != t.text
            and len(t.text.upper()) == len(t.text)
        ]
        if any(edit.before.lower() == token.lower for edit in edits for token in query.words):
            yield query.variant(self.name, "upper", edits)


def is_mark(query: ParsedQuery, index: int) -> bool:
    """Whether a token is punctuation one can leave out; the dot of an abbreviation and quotation marks are not."""
    token = query.tokens[index]
    if token.kind != "symbol" or token.protected or token.text not in _MARKS:
        return False
    before = query.tokens[index - 1] if index else None
    return not (
        token.text == "." and before is not None and before.kind == "abbreviation" and before.end == token.start
    )


def without_mark(query: ParsedQuery, token: Token) -> Edit:
    """The edit that deletes a mark: a spaced dash goes with the space before it, one between words leaves a space."""
    left, right = query.text[token.start - 1 : token.start], query.text[token.end : token.end + 1]
    if left.isspace() and (right.isspace() or not right):
        return query.edit(token.start - 1, token.end, "")
    joins = bool(left) and bool(right) and (left.isalnum() or left in _MARKS) and right.isalnum()
    return query.edit(token.start, token.end, " " if joins else "")


@register
@dataclass(frozen=True)
class NoPunctuation(Perturbation):
    """Commas, full stops, brackets and question marks left out; quotations, abbreviations and numbers stay."""

    name: ClassVar[str] = "query_form.no_punctuation"
    summary: ClassVar[str] = "no commas, full stops, brackets, question marks"
    examples: ClassVar[tuple[tuple[str, str], ...]] = (("Co zrobić, gdy brak zasięgu?", "Co zrobić gdy brak zasięgu"),)

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield the query without punctuation; draws nothing."""
        marks = [token for index, token in enumerate(query.tokens) if is_mark(query, index)]
        edits: list[Edit] = []
        for token in marks:
            edit = without_mark(query, token)
            if not edits or edit.start >= edits[-1].end:
                edits.append(edit)
            else:
                edits.append(query.edit(token.start, token.end, edit.after))
        if edits and any(token.kind != "symbol" for token in query.tokens):
            yield query.variant(self.name, "no_punctuation", edits)


@register
@dataclass(frozen=True)
class Truncated(Perturbation):
    """The query as it stands while its author is still typing: cut in its last word or before it.

    Attributes:
        kept: least share of the characters that stays.
    """

    name: ClassVar[str] = "query_form.truncated"
    summary: ClassVar[str] = "still typing: the last word cut or missing"
    draws: ClassVar[int] = 2
    examples: ClassVar[tuple[tuple[str, str], ...]] = (("termin płatności faktury", "termin płatności fakt"),)

    kept: float = 0.6

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one cut query; nothing if its last word is protected or too short to be cut."""
        last = next((token for token in reversed(query.tokens) if token.kind != "symbol"), None)
        if last is None or not last.is_word or query.tokens[-1].protected:
            query.decline("query ends in something protected")
            return
        least = math.ceil(self.kept * len(query.text))
        cuts = [cut for cut in range(last.start + 1, last.end) if cut >= least]
        before = len(query.text[: last.start].rstrip())
        if before >= least:
            cuts.append(before)
        if not cuts:
            query.decline("query is too short to be cut")
            return
        cut = rng.choice(cuts)
        rest = query.text[last.start : cut]
        other_word = bool(rest) and is_word(rest) and not set(lemmas(rest)) & set(lemmas(last.text))
        edit = query.edit(cut, len(query.text), "")
        kind = "in_word" if rest else "before_word"
        yield query.variant(self.name, kind, [edit], flags=("real_word",) if other_word else ())


@register
@dataclass(frozen=True)
class Doubled(Perturbation):
    """The query pasted twice."""

    name: ClassVar[str] = "query_form.doubled"
    summary: ClassVar[str] = "pasted twice"
    examples: ClassVar[tuple[tuple[str, str], ...]] = (("zwrot towaru", "zwrot towaru zwrot towaru"),)

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield the query twice, a space between; draws nothing."""
        if query.words:
            end = len(query.text.rstrip())
            yield query.variant(self.name, "doubled", [query.edit(end, end, f" {query.text.rstrip()}")])


@register
@dataclass(frozen=True)
class Spaces(Perturbation):
    """One careless space: doubled, set before a closing mark, or missing after a comma."""

    name: ClassVar[str] = "query_form.spaces"
    summary: ClassVar[str] = "a doubled, misplaced or missing space beside punctuation"
    draws: ClassVar[int] = 1
    examples: ClassVar[tuple[tuple[str, str], ...]] = (("Kto płaci?", "Kto płaci ?"),)

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant; nothing for a query of one word."""
        choices: list[tuple[str, Edit]] = []
        for before, after in zip(query.tokens, query.tokens[1:], strict=False):
            gap = query.text[before.end : after.start]
            if before.shielded and after.shielded:
                continue
            if gap == " " and before.is_word and after.is_word:
                choices.append(("double", query.edit(before.end, after.start, "  ")))
            elif gap == " " and before.text == "," and after.is_word:
                choices.append(("missing", query.edit(before.end, after.start, "")))
            elif not gap and before.is_word and after.text in _CLOSING_MARKS and after is query.tokens[-1]:
                choices.append(("before_mark", query.edit(before.end, before.end, " ")))
        kinds = sorted({kind for kind, _ in choices})
        if kinds:
            kind = rng.choice(kinds)
            yield query.variant(self.name, kind, [rng.choice([edit for k, edit in choices if k == kind])])
