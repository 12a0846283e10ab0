"""Typing errors as Poles make them on the Polish (Programmers) keyboard, in the shares that were measured.

The mix ``typo`` draws an operation by the shares of PlEWiC (``lexicons/typo_weights.tsv``); ``typo.keyboard``,
``typo.omission`` and the others make one kind of slip only. Each edit covers the whole mistyped word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from perturb.errors import ConfigError
from perturb.perturbations import slips
from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.slips import Mistyped, measured
from perturb.polish.parsed import ParsedQuery
from perturb.polish.text import Token
from perturb.records import Variant

_TWO_SLIPS = 8
"""Letters a word needs before it takes a second slip, when all other words have theirs."""


@dataclass(frozen=True)
class Typing(Perturbation):
    """Base of the typing errors.

    Attributes:
        severity: slips per query, spread over different words as long as there are any.
        rate: chance of each word to take a slip, 0 to 1; if not 0 it replaces ``severity``; one word is always hit.
        min_length: letters a word needs to be hit.
    """

    severity: int = 1
    rate: float = 0.0
    min_length: int = 4

    draws = 3

    def __post_init__(self) -> None:
        """Refuse settings that make no sense.

        Raises:
            ConfigError: ``severity`` below 1, ``rate`` outside 0 to 1, or ``min_length`` below 2.
        """
        for setting, value, right in (
            ("severity", self.severity, self.severity >= 1),
            ("rate", self.rate, 0 <= self.rate <= 1),
            ("min_length", self.min_length, self.min_length >= 2),
        ):
            if not right:
                allowed = {"severity": "1 or more", "rate": "0 to 1", "min_length": "2 or more"}[setting]
                raise ConfigError(f"[perturbation.{self.name}] {setting} = {value}: it has to be {allowed}")

    def slip(self, words: tuple[str, ...], rng: Random) -> tuple[str, Mistyped] | None:
        """Draw one slip: its kind, the word and what becomes of it; ``None`` if it can happen to none of the words."""
        raise NotImplementedError

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant: its kind is that of the slip, or ``s2``, ``s3`` where more slips were made."""
        tokens, words = slips.typable(query, self.min_length)
        if not tokens:
            query.decline("no word long enough for a typo")
            return
        if self.severity == 1 and not self.rate:
            drawn = self.slip(words, rng)
            if drawn is None:
                query.decline("no word takes this typo")
                return
            kind, (index, after, real) = drawn
            token = tokens[index]
            edits = (query.edit(token.start, token.end, after),)
            yield query.variant(self.name, kind, edits, flags=("real_word",) if real else ())
            return
        yield from self._several(query, tokens, rng)

    def _several(self, query: ParsedQuery, tokens: Sequence[Token], rng: Random) -> Iterator[Variant]:
        now = [token.text for token in tokens]
        wanted = self.severity
        if self.rate:
            wanted = max(1, sum(rng.random() < self.rate for _ in tokens))
        open_words = list(range(len(tokens)))
        again = [index for index in open_words if len(now[index]) >= _TWO_SLIPS]
        kinds: list[str] = []
        real = False
        while len(kinds) < wanted and (open_words or again):
            pool = open_words or again
            drawn = self.slip(tuple(now[index] for index in pool), rng)
            if drawn is None:
                pool.clear()
                continue
            kind, slip = drawn
            now[pool[slip.position]] = slip.after
            real = real or slip.real_word
            kinds.append(kind)
            del pool[slip.position]
        edits = [
            query.edit(token.start, token.end, after)
            for token, after in zip(tokens, now, strict=True)
            if after != token.text
        ]
        if (len(kinds) < wanted and not self.rate) or not edits:
            query.decline("too few words for so many typos")
            return
        kind = kinds[0] if len(kinds) == 1 else f"s{len(kinds)}"
        yield query.variant(self.name, kind, edits, flags=("real_word",) if real else ())


def _named(kind: str, slip: Mistyped | None) -> tuple[str, Mistyped] | None:
    return (kind, slip) if slip else None


def keyboard_slip(words: tuple[str, ...], rng: Random) -> Mistyped | None:
    """One letter replaced by that of an adjacent key."""
    return slips.mistype(words, slips.hit_neighbour, rng)


def omission(words: tuple[str, ...], rng: Random) -> tuple[str, Mistyped] | None:
    """One letter left out, of double letters more often than of others."""
    sites: float = len(slips.double_letters(words))
    if sites:
        weights = dict(measured("omission").weights())
        sites *= weights["doubled"]
        others = sum(map(len, words)) * weights["plain"]
        if rng.random() * (sites + others) < sites and (slip := slips.drop_one_of_double(words, rng)):
            return "doubled", slip
    return _named("plain", slips.mistype(words, slips.omit, rng))


def insertion(words: tuple[str, ...], rng: Random) -> tuple[str, Mistyped] | None:
    """One letter too many: typed twice, the neighbouring key hit too, or a letter of the word repeated."""
    kind = measured("insertion").draw(rng)
    slip = {"doubling": slips.double, "adjacent": slips.hit_two_keys, "echo": slips.echo}[kind]
    return _named(kind, slips.mistype(words, slip, rng, pairs=kind == "echo"))


def substitution(words: tuple[str, ...], rng: Random) -> tuple[str, Mistyped] | None:
    """One letter for another: that of the adjacent key, or one that is taken for it, where that gives no other word."""
    kind = measured("substitution").draw(rng)
    if kind == "confused":
        for slip in (slips.mishear, slips.mishear, slips.confuse):
            drawn = slips.mistype(words, slip, rng, elsewhere=False)
            if drawn is not None and not drawn.real_word:
                return kind, drawn
    return _named("adjacent", keyboard_slip(words, rng))


def transposition(words: tuple[str, ...], rng: Random) -> tuple[str, Mistyped] | None:
    """Two neighbouring letters swapped."""
    return _named("adjacent", slips.mistype(words, slips.transpose, rng, pairs=True))


_OPERATIONS = {
    "omission": omission,
    "substitution": substitution,
    "insertion": insertion,
    "transposition": transposition,
}


@register
@dataclass(frozen=True)
class Typo(Typing):
    """A typing error drawn by the measured shares: omission, substitution, insertion, transposition."""

    name = "typo"
    summary = "typing errors in the shares measured on Polish text: omission, substitution, insertion, transposition"
    examples = (("umowa najmu", "umwa najmu"), ("faktura korygująca", "faltura korygująca"), ("termin", "temrin"))

    def slip(self, words: tuple[str, ...], rng: Random) -> tuple[str, Mistyped] | None:
        """Draw the operation, then the slip; the kind is the operation."""
        operation = measured("operation").draw(rng)
        drawn = _OPERATIONS[operation](words, rng)
        return (operation, drawn[1]) if drawn else None


@register
@dataclass(frozen=True)
class KeyboardTypo(Typing):
    """A letter replaced by that of an adjacent key, on the AltGr layer for letters with diacritics."""

    name = "typo.keyboard"
    summary = "the key beside the right one, on the Polish programmers' keyboard"
    examples = (("faktura", "faktira"), ("źródło", "żródło"))

    def slip(self, words: tuple[str, ...], rng: Random) -> tuple[str, Mistyped] | None:
        """Draw a slip of kind ``adjacent``."""
        return _named("adjacent", keyboard_slip(words, rng))


@register
@dataclass(frozen=True)
class OmissionTypo(Typing):
    """A letter left out."""

    name = "typo.omission"
    summary = "a letter left out"
    examples = (("reklamacja", "reklmacja"), ("faktura brutto", "faktura bruto"))

    def slip(self, words: tuple[str, ...], rng: Random) -> tuple[str, Mistyped] | None:
        """Draw a slip of kind ``plain`` or ``doubled``."""
        return omission(words, rng)


@register
@dataclass(frozen=True)
class InsertionTypo(Typing):
    """A letter too many."""

    name = "typo.insertion"
    summary = "a letter typed twice, or another one typed too"
    examples = (("umowa", "umoowa"), ("faktura", "fasktura"), ("termin", "terminm"))

    def slip(self, words: tuple[str, ...], rng: Random) -> tuple[str, Mistyped] | None:
        """Draw a slip of kind ``doubling``, ``adjacent`` or ``echo``."""
        return insertion(words, rng)


@register
@dataclass(frozen=True)
class TranspositionTypo(Typing):
    """Two neighbouring letters swapped."""

    name = "typo.transposition"
    summary = "two neighbouring letters swapped"
    examples = (("faktura", "fatkura"), ("UMOWA", "UMWOA"))

    def slip(self, words: tuple[str, ...], rng: Random) -> tuple[str, Mistyped] | None:
        """Draw a slip of kind ``adjacent``."""
        return transposition(words, rng)
