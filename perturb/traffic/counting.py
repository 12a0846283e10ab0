"""Count kinds of noise in queries, as they are seen: no correction for what detectors miss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

import numpy as np

from perturb.perturbations import abbreviations, load_all, spacing
from perturb.perturbations.base import build
from perturb.polish.parsed import ParsedQuery
from perturb.records import Float64Array, Query
from perturb.traffic.kinds import BY_SIGN, SECOND_LOOK
from perturb.traffic.observe import DIACRITICS, NONE, Observation, first_mistake, observe
from perturb.traffic.words import MISTAKES, SHORTEST, Vocabulary, is_known, is_name, restored

LOOKED_AT_CLOSELY = 20_000
"""Distinct queries in which mistakes are searched; larger logs are sampled for that."""

CLEAN = "no mistake"
MISTAKE_CLASSES = (CLEAN, *MISTAKES)

_PLACES_LOOKED_AT = 2000
_EXAMPLES = 3

Progress = Callable[[str, int, int], None]


def silent(_what: str, _done: int, _total: int) -> None:
    """No progress."""


def kish(weights: Float64Array) -> float:
    """Kish's effective number of queries of float64 weights ``(n,)``; 0 if there are none."""
    return float(weights.sum()) ** 2 / float((weights**2).sum()) if len(weights) else 0.0


@dataclass(frozen=True, slots=True)
class Tally:
    """How many queries show something.

    Attributes:
        count: queries that do, repeats included.
        n: queries that could, repeats included.
        effective: what those are worth as independent queries: Kish's (sum of counts)² / (sum of squared counts).
    """

    count: float
    n: float
    effective: float

    @property
    def share(self) -> float:
        """Share of the queries, 0 if there are none."""
        return self.count / self.n if self.n else 0.0


@dataclass
class Counts:
    """Everything that is counted in distinct queries.

    Attributes:
        texts: distinct cleaned queries.
        weights: float64 ``(n,)``, how often each was sent.
        seed: of the samples of large logs.
        progress: told what is done.
        examples: the first queries that show a kind.
    """

    texts: Sequence[str]
    weights: Float64Array
    seed: int
    progress: Progress = silent
    examples: dict[str, list[str]] = field(default_factory=dict)

    @cached_property
    def seen(self) -> tuple[Observation, ...]:
        """Signs of each query."""
        found: list[Observation] = []
        for text in self.texts:
            found.append(observe(text))
            if len(found) % 1000 == 0 or len(found) == len(self.texts):
                self.progress("read distinct queries", len(found), len(self.texts))
        return tuple(found)

    def polish_words(self) -> float:
        """Share of the words of four letters or more that are Polish, diacritics aside; 0 if there are none."""
        known = total = 0.0
        for weight, query in zip(self.weights, self.seen, strict=True):
            words = [word for word in query.seen if len(word) >= SHORTEST and word.isalpha()]
            total += weight * len(words)
            known += weight * sum(is_known(word) or is_name(word) or bool(restored(word)) for word in words)
        return float(known / total) if total else 0.0

    def share_of(self, marked: Sequence[bool]) -> float:
        """Weighted share of all queries."""
        return float(self.weights @ np.array(marked, np.float64) / self.weights.sum())

    def effective_needing(self, states: Sequence[str]) -> float:
        """What the queries in some states of their diacritics are worth as independent queries."""
        return kish(self.weights[[query.diacritics in states for query in self.seen]])

    def diacritics(self) -> dict[str, Tally]:
        """Queries by the state of their diacritics."""
        return self._classes("diacritics_", DIACRITICS, range(len(self.texts)), [q.diacritics for q in self.seen])

    def mistakes(self) -> dict[str, Tally]:
        """Queries not typed without diacritics, by the kind of their first mistake; a sample of large logs."""
        counts: Counter[str] = Counter()
        for query in self.seen:
            counts.update(set(query.seen))
        vocabulary = Vocabulary.of(counts)
        base = [index for index, query in enumerate(self.seen) if query.diacritics != NONE]
        base = self._drawn(base, LOOKED_AT_CLOSELY, "mistakes")
        found: list[str] = []
        for done, index in enumerate(base, 1):
            found.append(first_mistake(self.seen[index], vocabulary) or CLEAN)
            if done % 500 == 0 or done == len(base):
                self.progress("look for mistakes in distinct queries", done, len(base))
        return self._classes("", MISTAKE_CLASSES, base, found)

    def signs(self) -> Iterator[tuple[str, Tally]]:
        """Kinds that are read off a query as it stands."""
        for kind, (test, _, _) in BY_SIGN.items():
            base = [i for i, query in enumerate(self.seen) if kind != "open_question" or query.form == "question"]
            yield kind, self._tally(kind, base, [test(self.seen[index]) for index in base])

    def chosen(self) -> Iterator[tuple[str, Tally]]:
        """Of the queries that name something with two ways to write it, those with the one that is noise."""
        load_all()
        terms = build("english_terms")
        places: Mapping[str, Callable[[ParsedQuery], Iterator[object]]] = {
            "english_terms": lambda query: terms(query, Random(0)),
            "abbreviations": lambda query: iter(abbreviations.shortened(query)),
            "spacing": spacing.fixed_phrases,
        }
        drawn = self._drawn(range(len(self.texts)), _PLACES_LOOKED_AT, "places")
        parsed = {index: ParsedQuery(Query("", self.texts[index])) for index in drawn}
        for kind, sign in SECOND_LOOK.items():
            base = [i for i in drawn if sign in self.seen[i].signs or next(places[sign](parsed[i]), None) is not None]
            yield kind, self._tally(kind, base, [sign in self.seen[index].signs for index in base])

    def _drawn(self, chosen: Sequence[int], most: int, what: str) -> list[int]:
        """A random sample of distinct queries, in their order; all of them if there are few."""
        if len(chosen) <= most:
            return list(chosen)
        return sorted(Random(f"{self.seed}|{what}").sample(list(chosen), most))

    def _tally(self, kind: str, base: Sequence[int], marked: Sequence[bool]) -> Tally:
        for index, mark in zip(base, marked, strict=True):
            if mark:
                self._keep(kind, index)
        weights = self.weights[list(base)]
        total = float(weights.sum())
        return Tally(float(weights @ np.array(marked, np.float64)) if len(base) else 0.0, total, kish(weights))

    def _classes(
        self, prefix: str, classes: Sequence[str], base: Sequence[int], found: Sequence[str]
    ) -> dict[str, Tally]:
        return {name: self._tally(f"{prefix}{name}", base, [one == name for one in found]) for name in classes}

    def _keep(self, kind: str, index: int) -> None:
        kept = self.examples.setdefault(kind, [])
        if len(kept) < _EXAMPLES:
            kept.append(self.texts[index])
