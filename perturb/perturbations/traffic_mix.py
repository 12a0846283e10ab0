"""``traffic_mix``: the noise that a user of one's own traffic would produce, drawn in the shares of its profile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar

from perturb.errors import ConfigError
from perturb.perturbations.base import PERTURBATIONS, Perturbation, register
from perturb.perturbations.compose import compose_edits
from perturb.perturbations.sentence import has_clause, is_command, is_question
from perturb.polish.parsed import ParsedQuery
from perturb.records import Edit, Query, Variant

GROUPS: tuple[tuple[str, ...], ...] = (
    ("query_form.keywords", "query_form.keywords_to_question"),
    ("query_form.polite",),
    ("english_terms",),
    ("abbreviations",),
    ("spacing",),
    ("typo.omission", "typo.keyboard", "typo.insertion", "typo.transposition", "spelling"),
    ("query_form.no_punctuation",),
    ("query_form.lower", "query_form.upper"),
    ("diacritics.strip", "diacritics.some"),
)
"""What a query can get, in this order: wording, then the hand, then the keyboard. Of a group it gets one or none."""

ILLUSTRATION: Mapping[str, float] = {"typo.omission": 0.04, "typo.keyboard": 0.03, "diacritics.strip": 0.3}
"""Shares without a profile. They illustrate; no figures for Polish traffic are published."""

_ONLY = {"abbreviations": "short", "query_form.keywords": "light"}
"""Kinds that are wanted of rules that work both ways, or go further than people do."""


def _is_wordy(query: ParsedQuery) -> bool:
    """Whether a query is more than keywords already: a question, a command, or a clause."""
    return is_question(query) or is_command(query) or has_clause(query.tokens)


@register
@dataclass(frozen=True)
class TrafficMix(Perturbation):
    """Each query as a user of this traffic would have typed it: with several kinds of noise, with one, or with none.

    Groups of kinds are drawn independently of each other. A kind that does not apply to the query changes nothing, so
    shares are meant *of the queries to which the kind applies*. The kind of a variant names what was applied, joined
    by ``+``. Profiles are made by ``perturb profile``.

    Attributes:
        shares: chance of each kind, 0 to 1; kinds of one group (see ``GROUPS``) add up to 1 at most.
        left_out: kinds that the traffic has and the mix has not, with their shares of its queries. Nothing is drawn
            from them; reports say that the expected loss leaves them out.
    """

    shares: Mapping[str, float] = field(default_factory=lambda: dict(ILLUSTRATION))
    left_out: Mapping[str, float] = field(default_factory=dict)

    name: ClassVar[str] = "traffic_mix"
    summary: ClassVar[str] = "the mix of noise of your own traffic, see `perturb profile`"
    draws: ClassVar[int] = 1
    changes_protected: ClassVar[bool] = True
    examples: ClassVar[tuple[tuple[str, str], ...]] = (("żądanie zapłaty", "zadanie zaplaty"),)

    def __post_init__(self) -> None:
        """Refuse shares that are none.

        Raises:
            ConfigError: a kind that cannot be mixed, a share outside 0 to 1, or a group whose shares exceed 1.
        """
        known = [name for group in GROUPS for name in group]
        for name, share in self.shares.items():
            if name not in known:
                raise ConfigError(
                    f"[perturbation.traffic_mix] shares: {name!r} cannot be mixed; known: {', '.join(known)}"
                )
            if not 0 <= share <= 1:
                raise ConfigError(f'[perturbation.traffic_mix] shares."{name}" = {share}: give a share from 0 to 1')
        for group in GROUPS:
            total = sum(self.shares.get(name, 0.0) for name in group)
            if total > 1 + 1e-6:
                raise ConfigError(
                    f"[perturbation.traffic_mix] shares of {', '.join(group)} add up to {total:.3f}: at most 1 fits"
                )

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield the query with its noise; nothing if it stays clean."""
        now = query
        edits: tuple[Edit, ...] = ()
        kinds: list[str] = []
        confidence, flags = 1.0, frozenset[str]()
        for name, own in self._drawn(rng):
            if name == "query_form.keywords" and not _is_wordy(now):
                continue
            offered = PERTURBATIONS[name]()(now, own)
            variants = [variant for variant in offered if variant.kind == _ONLY.get(name, variant.kind)]
            if not variants:
                continue
            variant = variants[own.randrange(len(variants))]
            changed = ParsedQuery(Query(query.query_id, variant.text), query.protected)
            if changed.text != variant.text:
                query.decline("noise that cleaning would change")
                continue
            now = changed
            edits = compose_edits(query.text, edits, variant.edits)
            kinds.append(name)
            confidence, flags = confidence * variant.confidence, flags | variant.flags
        if edits:
            yield query.variant(self.name, "+".join(kinds), edits, confidence=confidence, flags=flags)
        else:
            query.decline("drawn to stay clean" if not kinds else "noise that cancelled out")

    def _drawn(self, rng: Random) -> list[tuple[str, Random]]:
        """The kinds drawn for a query. Each group takes its numbers, so that to change one share moves no other."""
        drawn: list[tuple[str, Random]] = []
        for group in GROUPS:
            mark, own = rng.random(), Random(rng.getrandbits(64))
            for name in group:
                mark -= self.shares.get(name, 0.0)
                if mark < 0:
                    drawn.append((name, own))
                    break
        return drawn
