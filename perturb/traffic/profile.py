"""The noise profile of a query log: how often each kind of noise occurs, with intervals, without any query text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from perturb.perturbations.traffic_mix import GROUPS
from perturb.traffic.counting import CLEAN, Counts, Progress, Tally, silent
from perturb.traffic.errors_of_detectors import SEED, conditions, diacritics_errors, mistake_errors
from perturb.traffic.estimates import Confusion, Corrected, Share, corrected, wilson
from perturb.traffic.kinds import BY_SIGN, EXPLAINED, MIXED
from perturb.traffic.lengths import Lengths, lengths_of
from perturb.traffic.log import QueryLog
from perturb.traffic.observe import FULL, NEEDLESS, NONE, PARTIAL
from perturb.traffic.words import MISTAKES

ENOUGH = 20
"""Effective queries that could show a kind, below which its share is too uncertain for the mix."""

_LEAST = 0.0001
_NEEDING = (NONE, PARTIAL, FULL)


@dataclass(frozen=True, slots=True)
class KindShare:
    """How often one kind of noise occurs.

    Attributes:
        share: estimate with its interval.
        count: queries in which it was seen, repeats included.
        n: queries of which it is a share, repeats included.
        of: which those are.
        how: how it was counted.
        effective: what the ``n`` are worth as independent queries.
        observed: the share before correction; ``None`` if none was needed, as with the two below.
        sensitivity: share of such noise that the detector sees and names right.
        false_positives: share of clean queries in which it sees some.
    """

    share: Share
    count: int
    n: int
    of: str
    how: str
    effective: float
    observed: float | None = None
    sensitivity: float | None = None
    false_positives: float | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """A noise profile.

    Attributes:
        log: counts of the log: ``queries``, ``distinct``, ``effective``, ``blank``, ``too_long``; and ``polish_words``,
            the share of its longer words that are Polish, 0 to 1.
        kinds: share of each kind of noise.
        lengths: how long queries are.
        mix: shares for ``traffic_mix``, by the perturbation that makes such noise.
        examples: queries by kind, only if asked for.
        left_out: perturbations that are not in the mix because too few queries could show such noise, with the
            effective number of those.
        enough: effective queries that it takes.
    """

    log: Mapping[str, float]
    kinds: Mapping[str, KindShare]
    lengths: Lengths
    mix: Mapping[str, float]
    examples: Mapping[str, Sequence[str]] = field(default_factory=dict)
    left_out: Mapping[str, float] = field(default_factory=dict)
    enough: int = ENOUGH


def profile_log(log: QueryLog, *, examples: bool = False, seed: int = SEED, progress: Progress = silent) -> Profile:
    """Estimate how often each kind of noise occurs in a log.

    Args:
        log: what users sent.
        examples: keep a few queries per kind; without it the profile holds no text of any query.
        seed: of the resampling and of the samples of large logs.
        progress: told what is done.
    """
    counts = Counts(list(log.counts), np.array(list(log.counts.values()), np.float64), seed, progress)
    words = [query.words for query in counts.seen]
    given = conditions(Counter(words), counts.share_of([query.casing == "lower" for query in counts.seen]))
    kinds = dict(_diacritics(counts, diacritics_errors(*given), seed))
    kinds.update(_mistakes(counts.mistakes(), mistake_errors(*given), seed))
    kinds.update(_as_seen(counts))
    summary = {
        "queries": log.total,
        "distinct": len(log.counts),
        "effective": round(log.effective, 1),
        "blank": log.blank,
        "too_long": log.too_long,
        "polish_words": round(counts.polish_words(), 3),
    }
    lengths = lengths_of(words, [len(text) for text in counts.texts], counts.weights, seed)
    kept = counts.examples if examples else {}
    return Profile(summary, kinds, lengths, mix_of(kinds), kept, too_few(kinds), ENOUGH)


def too_few(kinds: Mapping[str, KindShare]) -> dict[str, float]:
    """Perturbations whose noise was seen, but among fewer than ``ENOUGH`` effective queries, with that number."""
    shares = {rule: kinds[kind] for kind, rule in MIXED.items()}
    return {
        rule: round(found.effective, 1)
        for rule, found in shares.items()
        if found.share.estimate >= _LEAST and found.effective < ENOUGH
    }


def mix_of(kinds: Mapping[str, KindShare]) -> dict[str, float]:
    """Shares for ``traffic_mix``; without :func:`too_few`; a group that adds up to more than 1 is scaled down."""
    left_out = too_few(kinds)
    mix = {rule: kinds[kind].share.estimate for kind, rule in MIXED.items() if rule not in left_out}
    for group in GROUPS:
        total = sum(mix.get(rule, 0.0) for rule in group)
        for rule in group:
            if rule in mix and total > 1:
                mix[rule] /= total
    # Cut off, not rounded, so that no group adds up to more than 1.
    return {rule: int(share * 10_000 + 1e-9) / 10_000 for rule, share in mix.items() if share >= _LEAST}


def _corrected(tallies: Mapping[str, Tally], confusion: Confusion, seed: int) -> Corrected:
    observed = np.array([tallies[name].share for name in confusion.classes])
    return corrected(observed, tallies[confusion.classes[0]].effective, confusion, seed)


def _diacritics(counts: Counts, confusion: Confusion, seed: int) -> Iterator[tuple[str, KindShare]]:
    tallies = counts.diacritics()
    true = _corrected(tallies, confusion, seed)
    needing = sum(tallies[state].count for state in _NEEDING)
    for kind, state, clean in (("diacritics_none", NONE, NEEDLESS), ("diacritics_some", PARTIAL, FULL)):
        count = tallies[state].count
        yield (
            kind,
            KindShare(
                true.share(state, of=_NEEDING),
                round(count),
                round(needing),
                *EXPLAINED[kind],
                counts.effective_needing(_NEEDING),
                observed=count / needing if needing else 0.0,
                sensitivity=confusion.rate(state, state),
                false_positives=confusion.rate(clean, state),
            ),
        )


def _mistakes(tallies: Mapping[str, Tally], confusion: Confusion, seed: int) -> Iterator[tuple[str, KindShare]]:
    true = _corrected(tallies, confusion, seed)
    n = tallies[CLEAN].n
    for kind in ("mistakes", *MISTAKES):
        names = MISTAKES if kind == "mistakes" else (kind,)
        count = sum(tallies[name].count for name in names)
        seen = [sum(confusion.rate(name, other) for other in names) for name in names]
        share = true.share(*names) if n else Share(0.0, 0.0, 1.0)
        yield (
            kind,
            KindShare(
                share,
                round(count),
                round(n),
                *EXPLAINED["mistakes" if kind == "mistakes" else "mistake"],
                tallies[CLEAN].effective,
                observed=count / n if n else 0.0,
                sensitivity=sum(seen) / len(seen),
                false_positives=sum(confusion.rate(CLEAN, name) for name in names),
            ),
        )


def _as_seen(counts: Counts) -> Iterator[tuple[str, KindShare]]:
    for kind, tally in (*counts.signs(), *counts.chosen()):
        of, how = BY_SIGN[kind][1:] if kind in BY_SIGN else EXPLAINED[kind]
        share = wilson(tally.share, tally.effective)
        yield kind, KindShare(share, round(tally.count), round(tally.n), of, how, tally.effective)


def missing(mix: Mapping[str, float], texts: Sequence[str], seed: int = SEED) -> dict[str, float]:
    """Shares that have to be drawn so that queries which have some noise already come to those of a mix.

    A golden set of questions and keywords must not be shuffled into keywords and questions: of two groups of queries
    with shares *t* and *g* of a kind, the second is like the first when (t − g) / (1 − g) of the others get it.

    Args:
        mix: shares of the traffic, by perturbation.
        texts: the queries that are to become like it.
        seed: of the samples if there are many.
    """
    counts = Counts(list(dict.fromkeys(texts)), np.ones(len(set(texts))), seed)
    own = {kind: tally.share for kind, tally in (*counts.signs(), *counts.chosen())}
    states, slips = counts.diacritics(), counts.mistakes()
    needing = sum(states[state].count for state in _NEEDING) or 1.0
    own |= {"diacritics_none": states[NONE].count / needing, "diacritics_some": states[PARTIAL].count / needing}
    own |= {kind: slips[kind].share for kind in MISTAKES}
    by_rule = {rule: own[kind] for kind, rule in MIXED.items()}
    gaps = {rule: (share - by_rule[rule]) / max(1 - by_rule[rule], 1e-9) for rule, share in mix.items()}
    return {rule: round(gap, 6) for rule, gap in gaps.items() if gap >= _LEAST}
