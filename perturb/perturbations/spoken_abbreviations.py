"""Abbreviations as they are read aloud."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from perturb.perturbations.abbreviation_lexicon import Pair, pairs
from perturb.perturbations.abbreviations import expanded, labels_several, long_form
from perturb.perturbations.number_words import Rewriting
from perturb.polish.government import preposition_cases
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.inflect import read_phrase
from perturb.polish.phrases.shapes import CELLS


def read_aloud(query: ParsedQuery) -> Iterator[Rewriting]:
    """Abbreviations with a full stop, *nr*, *pkt* and *§* in full; nominative where their case is not settled.

    Acronyms and codes of law (*k.c.*) are read by their letters and stay.
    """
    tokens, done = query.tokens, -1
    settled: dict[int, Rewriting] = {}
    for rewriting in expanded(query):
        settled.setdefault(rewriting.start, rewriting)
    for index, token in enumerate(tokens):
        if token.text == "§" and query.text[token.end : token.end + 1] == "§":
            continue
        if token.start < done or token.shielded or not (token.kind == "abbreviation" or token.text == "§"):
            continue
        found = settled.get(token.start) or _nominative(query, index)
        if found is not None and not found.after.lower().startswith("kodeks"):
            done = found.end
            yield found


def _nominative(query: ParsedQuery, index: int) -> Rewriting | None:
    token = query.tokens[index]
    dotted = query.text[token.end : token.end + 1] == "."
    pair = _aloud().get(token.lower + "." * dotted) or _aloud().get(token.lower)
    if pair is None or pair.context in ("after_number", "after_year"):
        return None
    last = index + (dotted and pair.short.endswith("."))
    following = query.tokens[last + 1] if last + 1 < len(query.tokens) else None
    if pair.number == "none" and pair.context == "before_number" and (following is None or following.kind != "number"):
        return None  # śr. cena is no average of it
    form = (
        pair.long
        if pair.number == "none"
        else long_form(query, pair, index, last) or _likely_form(query, pair, index, last)
    )
    return Rewriting("long", token.start, query.tokens[last].end, form)


def _likely_form(query: ParsedQuery, pair: Pair, first: int, last: int) -> str:
    """The form that the preposition before asks for in the first place; the nominative without one."""
    cases = preposition_cases(query.tokens, first)
    number = "pl" if labels_several(query, last) else "sg"
    forms = read_phrase(pair.long).forms(CELLS.index((number, cases[0] if cases else "nom")))
    return forms[0] if forms else pair.long


@lru_cache(maxsize=1)
def _aloud() -> dict[str, Pair]:
    """Pairs by abbreviations in small letters, those included that are not written out elsewhere."""
    plain = (pair for pair in reversed(pairs()) if not pair.risk and pair.long != "tak zwany")
    return {pair.short: pair for pair in plain if pair.short == pair.short.lower()}
