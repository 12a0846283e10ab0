"""Noise planted at known rates into clean queries is estimated back within its interval.

The queries are those of the bundled golden set; the detectors' errors were measured on its documents, not on them.
"""

import random
from collections import Counter
from functools import lru_cache

import pytest

from perturb.golden.goldenset import load_golden_set
from perturb.perturbations.diacritics import SomeDiacritics, StripDiacritics
from perturb.polish.parsed import ParsedQuery
from perturb.polish.text import POLISH_DIACRITICS
from perturb.records import Query
from perturb.traffic import profile_log, query_log
from perturb.traffic.errors_of_detectors import plant
from perturb.traffic.words import MISTAKES

SEEDS = 10
LOSSES = {"diacritics_none": StripDiacritics(), "diacritics_some": SomeDiacritics()}
KINDS = (*MISTAKES, *LOSSES)


@lru_cache(maxsize=1)
def clean_queries() -> list[str]:
    return [query.text for query in load_golden_set("firma").queries]


def noisy(rates: dict[str, float], seed: int) -> tuple[list[str], dict[str, float]]:
    """Queries with noise, and the shares that were really planted, of the queries that have a place for it."""
    rng = random.Random(seed)
    planted: Counter[str] = Counter()
    texts = []
    for text in clean_queries():
        kind = drawn(rng, rates, MISTAKES)
        spoilt = plant(kind, text, rng) if kind else None
        planted[kind] += spoilt is not None
        text = spoilt or text
        kind = drawn(rng, rates, tuple(LOSSES))
        variants = list(LOSSES[kind](ParsedQuery(Query("", text)), rng)) if kind else []
        planted[kind] += bool(variants)
        texts.append(variants[0].text if variants else text)
    needing = sum(any(letter in POLISH_DIACRITICS for letter in text) for text in clean_queries())
    return texts, {kind: planted[kind] / (needing if kind in LOSSES else len(texts)) for kind in KINDS}


def drawn(rng: random.Random, rates: dict[str, float], kinds: tuple[str, ...]) -> str:
    mark = rng.random()
    for kind in kinds:
        mark -= rates[kind]
        if mark < 0:
            return kind
    return ""


@pytest.mark.parametrize(("mistakes", "none", "some"), [(0.02, 0.05, 0.02), (0.05, 0.3, 0.1), (0.08, 0.6, 0.2)])
def test_planted_noise_is_found_again(mistakes: float, none: float, some: float) -> None:
    rates = {**dict.fromkeys(MISTAKES, mistakes), "diacritics_none": none, "diacritics_some": some}
    held: Counter[str] = Counter()
    bias: Counter[str] = Counter()
    for seed in range(SEEDS):
        texts, planted = noisy(rates, seed)
        found = profile_log(query_log(texts)).kinds
        for kind in KINDS:
            share = found[kind].share
            held[kind] += share.low <= planted[kind] <= share.high
            bias[kind] += (share.estimate - planted[kind]) / SEEDS
    assert all(held[kind] >= 0.9 * SEEDS for kind in KINDS), held
    assert all(abs(bias[kind]) < 0.025 for kind in KINDS), bias


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
def test_planted_forms_are_counted_exactly(rate: float) -> None:
    rng = random.Random(3)
    texts, lower, courteous = [], 0, 0
    for text in clean_queries():
        upper_first = text[0].upper() + text[1:]
        small, polite = rng.random() < rate, rng.random() < rate
        texts.append(("Proszę o pomoc: " if polite else "") + upper_first)
        courteous += polite
        if small:
            texts[-1] = texts[-1].lower()
            lower += 1
    found = profile_log(query_log(texts)).kinds
    assert (found["lower"].count, found["polite"].count) == (lower, courteous)
    for kind in ("lower", "polite"):
        assert found[kind].share.low <= rate <= found[kind].share.high
