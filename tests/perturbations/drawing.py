"""Draw variants the way a suite does, for the tests of single rules."""

from __future__ import annotations

import random
from collections.abc import Iterable

from perturb.perturbations.base import Perturbation
from perturb.polish.parsed import ParsedQuery
from perturb.records import Query, Variant


def draw(rule: Perturbation, text: str, seeds: Iterable[int] = (0,), protected: Iterable[str] = ()) -> list[Variant]:
    """Variants of one query, each seed with a random source of its own."""
    query = ParsedQuery(Query("q", text), protected)
    return [variant for seed in seeds for variant in rule(query, random.Random(f"{seed}|{rule.name}|q|0"))]


def texts(rule: Perturbation, text: str, seeds: Iterable[int] = (0,), protected: Iterable[str] = ()) -> set[str]:
    """Their texts."""
    return {variant.text for variant in draw(rule, text, seeds, protected)}
