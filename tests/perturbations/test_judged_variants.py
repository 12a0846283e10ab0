"""The bars on whole questions: 97 % of the variants right Polish with the same meaning, 85 % of the queries covered.

``tests/cases/judged_variants.tsv`` has one variant per query and perturbation, drawn with the seeds below, judged one
by one. A change of the grammar that makes another variant come out fails here: judge the new one and note it.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache

import pytest

from perturb.perturbations import load_all
from perturb.perturbations.base import build
from perturb.polish.parsed import ParsedQuery
from perturb.records import Query
from tests.polish.tables import rows

load_all()

JUDGED = rows("judged_variants.tsv")
QUERIES = tuple(dict.fromkeys(row["query"] for row in JUDGED))
NAMES = ("case", "number", "case_in_frame")
LEAST_RIGHT = 0.97
LEAST_COVERED = 0.85


@lru_cache(maxsize=1024)
def variants(query: str, name: str) -> frozenset[tuple[str, str]]:
    rule = build(name)
    parsed = ParsedQuery(Query("q", query))
    draws = max(1, rule.draws)
    return frozenset(
        (v.kind, v.text) for index in range(draws) for v in rule(parsed, random.Random(f"judge|{query}|{index}"))
    )


def test_enough_was_judged() -> None:
    assert len(QUERIES) >= 200
    assert Counter(row["verdict"] for row in JUDGED)["right"] >= 300


def test_share_of_right_variants() -> None:
    verdicts = Counter(row["verdict"] for row in JUDGED)
    assert verdicts["right"] / (verdicts["right"] + verdicts["wrong"]) >= LEAST_RIGHT


def test_share_of_queries_with_a_variant() -> None:
    covered = sum(any(variants(query, name) for name in NAMES) for query in QUERIES)
    assert covered / len(QUERIES) >= LEAST_COVERED


@pytest.mark.parametrize("query", QUERIES)
def test_judged_variants_still_come_out(query: str) -> None:
    for row in JUDGED:
        if row["query"] != query:
            continue
        if row["verdict"] == "none":
            assert not any(variants(query, name) for name in NAMES), "a variant came out: judge it"
        else:
            assert (row["kind"], row["variant"]) in variants(query, row["perturbation"]), "judge what came out instead"
