"""Lost and mistaken Polish diacritics.

Edits cover whole words. Only the 18 Polish letters are touched: ``Škoda``, ``Gößler`` and other scripts stay as they
are. A result that is another Polish word (*sąd* → *sad*) carries the flag ``real_word``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.slips import choices, is_real_word
from perturb.polish.keyboard import BARE, layout
from perturb.polish.parsed import ParsedQuery
from perturb.polish.text import POLISH_DIACRITICS, Token
from perturb.records import Edit, Variant
from perturb.resources import read_table

_DIACRITICS = frozenset(POLISH_DIACRITICS)


@lru_cache(maxsize=1)
def loss_weights() -> dict[str, float]:
    """How readily each letter loses its diacritic, relative to the others, both cases (PlEWiC counts)."""
    rows = {row["letter"]: float(row["lost"]) for row in read_table("diacritic_loss.tsv")}
    return {**rows, **{letter.upper(): weight for letter, weight in rows.items()}}


@lru_cache(maxsize=1)
def wrong_letters() -> dict[str, tuple[tuple[str, float], ...]]:
    """Other letters with diacritics that are typed for a letter, with weights, both cases."""
    table: dict[str, tuple[tuple[str, float], ...]] = {}
    for row in read_table("diacritic_loss.tsv"):
        pairs = [pair.split(":") for pair in row["wrong"].split()]
        if pairs:
            table[row["letter"]] = tuple((letter, float(weight)) for letter, weight in pairs)
            table[row["letter"].upper()] = tuple((letter.upper(), float(weight)) for letter, weight in pairs)
    return table


@dataclass(frozen=True)
class _DiacriticRule(Perturbation):
    """Base of the rules that change letters with diacritics."""

    def _sites(self, query: ParsedQuery) -> list[int]:
        """Offsets of letters with Polish diacritics in words that may be changed."""
        if query.text.isascii():
            return []
        return [
            offset
            for token in query.words
            for offset in range(token.start, token.end)
            if query.text[offset] in _DIACRITICS
        ]

    def _variant(self, query: ParsedQuery, kind: str, changes: dict[int, str]) -> Variant:
        """A variant with the letters at these offsets replaced; one edit per word that changes."""
        edits: list[Edit] = []
        real = False
        for token in _tokens_at(query.words, changes):
            after = "".join(changes.get(token.start + place, letter) for place, letter in enumerate(token.text))
            edits.append(query.edit(token.start, token.end, after))
            real = real or is_real_word(after)
        return query.variant(self.name, kind, edits, flags=("real_word",) if real else ())

    def _strip(self, query: ParsedQuery, kind: str = "strip") -> Iterator[Variant]:
        sites = self._sites(query)
        if not sites:
            query.decline("no diacritics")
            return
        yield self._variant(query, kind, {site: query.text[site].translate(BARE) for site in sites})

    def _lose_some(self, query: ParsedQuery, rng: Random, share: float, kind: str = "some") -> Iterator[Variant]:
        sites = self._sites(query)
        if len(sites) < 2:
            query.decline("fewer than two diacritics")
            return
        wanted = min(max(1, round(share * len(sites))), len(sites) - 1)
        lost = lose(query.text, sites, wanted, rng)
        yield self._variant(query, kind, {site: query.text[site].translate(BARE) for site in lost})


def _tokens_at(words: Sequence[Token], offsets: dict[int, str]) -> Iterator[Token]:
    for token in words:
        if any(token.start <= offset < token.end for offset in offsets):
            yield token


def lose(text: str, sites: Sequence[int], wanted: int, rng: Random) -> list[int]:
    """Draw which letters lose their diacritic, one after the other without replacement.

    Letters compete by the measured loss counts, whatever their number in the query: of ``ę`` and ``ń`` the first is
    lost in 45.6 of 48.8 cases, also where the query has three ``ń``.

    Args:
        text: the query.
        sites: offsets of letters with diacritics.
        wanted: how many are to be lost, at most ``len(sites)``.
        rng: random source.

    Returns:
        Offsets, ascending.
    """
    weights = loss_weights()
    left: dict[str, list[int]] = {}
    for site in sites:
        left.setdefault(text[site].lower(), []).append(site)
    lost: list[int] = []
    for _ in range(wanted):
        places = left[choices([(letter, weights[letter]) for letter in left]).draw(rng)]
        lost.append(places.pop(rng.randrange(len(places))))
        left = {letter: sites for letter, sites in left.items() if sites}
    return sorted(lost)


@register
@dataclass(frozen=True)
class Diacritics(_DiacriticRule):
    """All diacritics lost, and some of them.

    Attributes:
        share: share of the letters that the kind ``some`` loses, 0 to 1; at least one letter is lost and one kept.
    """

    share: float = 0.4

    name = "diacritics"
    summary = "Polish letters without their diacritics: all of them, and some (ę and ą first)"
    draws = 1
    examples = (("zażółć gęślą jaźń ŁÓDŹ", "zazolc gesla jazn LODZ"), ("żądanie urlopu", "żadanie urlopu"))

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield ``strip``, and ``some`` where the query has two diacritics or more."""
        yield from self._strip(query)
        yield from self._lose_some(query, rng, self.share)


@register
@dataclass(frozen=True)
class StripDiacritics(_DiacriticRule):
    """All Polish diacritics lost: the query typed on a foreign keyboard, or in haste."""

    name = "diacritics.strip"
    summary = "all Polish letters without their diacritics"
    examples = (("sąd rejonowy w Łodzi", "sad rejonowy w Lodzi"), ("ŻĄDANIE zwrotu", "ZADANIE zwrotu"))

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant of kind ``strip``."""
        yield from self._strip(query)


@register
@dataclass(frozen=True)
class SomeDiacritics(_DiacriticRule):
    """Some diacritics lost, others typed: a query written fast.

    Attributes:
        share: share of the letters that are lost, 0 to 1; at least one is lost and one is kept.
    """

    share: float = 0.4

    name = "diacritics.some"
    summary = "some Polish letters without their diacritics, ę and ą most often"
    draws = 3
    examples = (("błąd księgowania", "bład księgowania"), ("usługę płatną", "usługe płatna"))

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant of kind ``some``."""
        yield from self._lose_some(query, rng, self.share)


@register
@dataclass(frozen=True)
class WrongDiacritics(_DiacriticRule):
    """One letter with the wrong diacritic: ``ż`` for ``ź``, ``ą`` for ``ę``, or AltGr held for one letter too many.

    Attributes:
        held: chance that AltGr is held too long where both kinds are possible, 0 to 1.
    """

    held: float = 0.4

    name = "diacritics.wrong"
    summary = "one diacritic mistaken for another (ż for ź, ą for ę), or AltGr held one letter too long"
    draws = 2
    examples = (
        ("wyjaśnienie źródła", "wyjaśnienie żródła"),
        ("zacząłem staż", "zaczęłem staż"),
        ("łatwy termin", "łątwy termin"),
    )

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant of kind ``mistaken`` or ``held``."""
        sites = self._sites(query)
        wrong = wrong_letters()
        mistaken = [
            (site, pair)
            for site in sites
            if query.text[site].lower() not in "ąę" or _nasal_is_mistaken(query, site)
            for pair in wrong.get(query.text[site], ())
        ]
        held = [change for site in sites for change in held_changes(query, site)]
        if held and (not mistaken or rng.random() < self.held):
            site, letter = held[rng.randrange(len(held))]
            yield self._variant(query, "held", {site: letter})
        elif mistaken:
            weights = [weight for _, (_, weight) in mistaken]
            site, (letter, _) = rng.choices(mistaken, weights)[0]
            yield self._variant(query, "mistaken", {site: letter})
        else:
            query.decline("no diacritic that is mistaken for another")


_SURE_OF_NASAL = frozenset({"się", "cię", "mię", "są"})


def _nasal_is_mistaken(query: ParsedQuery, site: int) -> bool:
    """Whether ``ą`` and ``ę`` are taken for each other there: at the end (*tę* → *tą*), and in *zacząłem* → *zaczęłem*.

    Within a word they sound different, so that nobody writes *żędanie* or *pieniędze*.
    """
    word = next(token for token in query.words if token.start <= site < token.end)
    rest = word.lower[site - word.start :]
    return (len(rest) == 1 and len(word.text) > 1 and word.lower not in _SURE_OF_NASAL) or rest[:2] == "ął"


def held_changes(query: ParsedQuery, site: int) -> Iterator[tuple[int, str]]:
    """Letters beside a diacritic that get one too when AltGr goes down too early or up too late.

    Args:
        query: the query.
        site: offset of the letter with a diacritic.

    Yields:
        Offset and letter, within the same word.
    """
    altgr = layout().altgr
    text = query.text
    for beside in (site + 1, site - 1):
        inside = any(token.start <= beside < token.end and token.start <= site < token.end for token in query.words)
        if inside and text[beside] in altgr:
            yield beside, altgr[text[beside]]
