"""Words wrongly joined or split, and the two norms for *nie*: before and since 1 January 2026.

Since that date the Polish Language Council has *nie* written together with participles without exception, and with
adjectives and their adverbs in every degree (*nielepszy*); before, comparatives and superlatives stood apart (*nie
lepszy*). Both spellings stand in the documents people search, so a switch between them is no mistake: its kind names
the norm that the variant follows. Fixed phrases come from ``lexicons/spacing.tsv``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.slips import is_real_word
from perturb.polish.morphology import Reading, analyse
from perturb.polish.parsed import ParsedQuery
from perturb.polish.text import Token, match_case
from perturb.records import Edit, Variant
from perturb.resources import read_table

_FINITE = frozenset({"fin", "praet", "impt", "inf", "bedzie", "imps", "winien", "pred"})
_DESCRIBING = frozenset({"adj", "adv", "ppas", "pact"})
_PARTICIPLES = frozenset({"ppas", "pact"})
_NOT_FROM_ADJECTIVES = frozenset({"bardzo", "dużo", "mało", "wiele"})
"""Adverbs without an adjective behind them: *nie więcej*, *nie mniej* stand apart by both norms."""


class Respacing(NamedTuple):
    """A place where spaces may move: the edit, its kind, how readily it happens and how sure we are of it."""

    edit: Edit
    kind: str
    weight: float
    confidence: float


class _Phrase(NamedTuple):
    words: tuple[str, ...]
    wrong: str
    kind: str
    weight: float
    confidence: float


@lru_cache(maxsize=1)
def _phrases() -> dict[str, tuple[_Phrase, ...]]:
    """Phrases of the lexicon by their first word, in lower case."""
    table: dict[str, tuple[_Phrase, ...]] = {}
    for row in read_table("spacing.tsv"):
        words = tuple(row["correct"].split())
        phrase = _Phrase(words, row["wrong"], row["kind"], float(row["weight"]), float(row["confidence"]))
        table[words[0]] = (*table.get(words[0], ()), phrase)
    return table


def _follow_each_other(query: ParsedQuery, words: tuple[Token, ...]) -> bool:
    return all(query.text[left.end : right.start] == " " for left, right in itertools.pairwise(words))


def fixed_phrases(query: ParsedQuery) -> Iterator[Respacing]:
    """Phrases of the lexicon, joined or split as people do it: *na pewno* → *napewno*, *naprawdę* → *na prawdę*."""
    for place, token in enumerate(query.words):
        for phrase in _phrases().get(token.lower, ()):
            words = query.words[place : place + len(phrase.words)]
            if tuple(word.lower for word in words) != phrase.words or not _follow_each_other(query, words):
                continue
            after = match_case(" ".join(word.text for word in words), phrase.wrong)
            edit = query.edit(words[0].start, words[-1].end, after)
            yield Respacing(edit, phrase.kind, phrase.weight, phrase.confidence)


def nie_joined(query: ParsedQuery) -> Iterator[Respacing]:
    """*nie* joined with the next word.

    With a verb that is a mistake (*nie działa* → *niedziała*); with a participle, a comparative or a superlative it is
    the norm since 2026 (*nie lepszy* → *nielepszy*). *nie później niż* and its like set a limit and stay apart.
    """
    for left, right in itertools.pairwise(query.words):
        if left.lower != "nie" or right.lower == "być" or not _follow_each_other(query, (left, right)):
            continue
        if query.text[right.end :].lstrip().startswith("niż"):
            continue
        readings = analyse(right.lower)
        kind = ""
        if any(_was_apart(reading) for reading in readings):
            kind = "nie-since-2026"
        elif any(reading.pos in _FINITE for reading in readings) and not any(
            reading.pos in _DESCRIBING for reading in readings
        ):
            kind = "nie-joined"
        if kind:
            edit = query.edit(left.start, right.end, match_case(f"{left.text} {right.text}", f"nie{right.lower}"))
            yield Respacing(edit, kind, 4, 1.0 if kind != "nie-joined" or len(right.text) <= 6 else 0.8)


def nie_split(query: ParsedQuery) -> Iterator[Respacing]:
    """*nie* split off the word it belongs to.

    With an adjective that is a mistake (*nieważny* → *nie ważny*); with a participle, a comparative or a superlative it
    was allowed before 2026 (*niezapłacony* → *nie zapłacony*).
    """
    for token in query.words:
        rest = token.lower[3:]
        if not token.lower.startswith("nie") or len(rest) < 3 or not _is_describing(token.lower):
            continue
        readings = [reading for reading in analyse(rest) if reading.pos in _DESCRIBING and reading.is_accepted]
        if not readings:
            continue
        old_norm = any(_was_apart(reading) for reading in readings)
        after = match_case(token.text, f"nie {rest}")
        edit = query.edit(token.start, token.end, after)
        yield Respacing(edit, "nie-before-2026" if old_norm else "nie-split", 3, 1.0 if old_norm else 0.9)


def _was_apart(reading: Reading) -> bool:
    """Whether *nie* could or had to stand apart from such a form before 2026."""
    compared = reading.pos in ("adj", "adv") and not reading.get("degree").isdisjoint({"com", "sup"})
    return (compared and reading.lemma not in _NOT_FROM_ADJECTIVES) or reading.pos in _PARTICIPLES


def _is_describing(word: str) -> bool:
    """Whether *nie…* is an adjective, adverb or participle and nothing else; unknown words count as such."""
    readings = analyse(word)
    return all(reading.pos in _DESCRIBING for reading in readings)


def hyphens(query: ParsedQuery) -> Iterator[Respacing]:
    """Hyphens left out: *e-faktura* → *efaktura* or *e faktura*, *zdawczo-odbiorczy* → *zdawczo odbiorczy*."""
    for token in query.words:
        first, hyphen, second = token.text.partition("-")
        if not hyphen or not second.isalpha() or (len(first) > 1 and first.isupper() and second.islower()):
            continue
        if first.lower() == "e":
            yield Respacing(query.edit(token.start, token.end, first + second), "hyphen", 3, 1.0)
            yield Respacing(query.edit(token.start, token.end, f"{first} {second}"), "hyphen", 2, 1.0)
        elif first.endswith("o"):
            yield Respacing(query.edit(token.start, token.end, f"{first} {second}"), "hyphen", 4, 1.0)
            yield Respacing(query.edit(token.start, token.end, first + second), "hyphen", 1, 0.8)


_WAYS = (fixed_phrases, nie_joined, nie_split, hyphens)


@register
@dataclass(frozen=True)
class Spacing(Perturbation):
    """Words joined or split at one place.

    The kinds ``joined``, ``split``, ``nie-joined``, ``nie-split`` and ``hyphen`` are mistakes; ``nie-before-2026``,
    ``nie-since-2026`` and their like with *by* are the other norm.
    """

    name = "spacing"
    summary = (
        "words wrongly joined or split (napewno, na prawdę, niedziała), and nie- by the norms before and since 2026"
    )
    draws = 2
    examples = (
        ("czy na pewno zapłacono", "czy napewno zapłacono"),
        ("drukarka nie działa", "drukarka niedziała"),
        ("nieważna umowa", "nie ważna umowa"),
        ("nie lepszy termin", "nielepszy termin"),
        ("niezapłacona faktura", "nie zapłacona faktura"),
        ("e-faktura w systemie", "efaktura w systemie"),
        ("W OGÓLE nie", "WOGÓLE nie"),
    )

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant."""
        sites = [site for way in _WAYS for site in way(query)]
        if not sites:
            query.decline("no words that are joined or split")
            return
        site = rng.choices(sites, [site.weight for site in sites])[0]
        joined = site.kind in ("joined", "nie-joined")
        flags = ("real_word",) if joined and is_real_word(site.edit.after.lower()) else ()
        yield query.variant(self.name, site.kind, [site.edit], confidence=site.confidence, flags=flags)
