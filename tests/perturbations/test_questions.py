"""``case``, ``number`` and ``case_in_frame`` on whole questions in mixed registers, every variant judged one by one.

``tests/cases/questions.tsv`` holds the queries, ``tests/cases/question_variants.tsv`` a verdict on each variant that
was emitted at some time: ``right``, ``wrong``, or ``doubtful``, which counts as half right.
"""

from __future__ import annotations

import unicodedata
from collections import Counter

import pytest

from perturb.records import ORIGINAL, Query, Variant
from perturb.suite import generate, specs_from
from tests.polish.tables import rows

NAMES = ("case", "number", "case_in_frame")
QUESTIONS = rows("questions.tsv")
VERDICTS = {
    (row["query_id"], row["perturbation"], row["text"]): row["verdict"] for row in rows("question_variants.tsv")
}
WORTH = {"right": 1.0, "doubtful": 0.5, "wrong": 0.0}

LEAST_RIGHT = 0.97
LEAST_COVERED = 0.85
MOST_UNJUDGED = 0.05


@pytest.fixture(scope="module")
def emitted() -> list[Variant]:
    suite = generate([Query(row["query_id"], row["text"]) for row in QUESTIONS], specs_from(NAMES))
    return [variant for variant in suite.variants if variant.perturbation != ORIGINAL]


def verdict(variant: Variant) -> str:
    return VERDICTS.get((variant.query_id, variant.perturbation, variant.text), "unjudged")


def listed(variants: list[Variant]) -> str:
    """The variants as rows of the table of verdicts, to be judged and pasted there."""
    return "\n".join(f"{v.query_id}\t{v.perturbation}\t{v.kind}\t{v.text}" for v in variants)


def test_the_tables_are_sound() -> None:
    texts = [row["text"] for row in QUESTIONS]
    ids = [row["query_id"] for row in QUESTIONS]
    judged = rows("question_variants.tsv")
    assert len(texts) >= 200
    assert len(set(texts)) == len(texts)
    assert len(set(ids)) == len(ids)
    assert len({row["register"] for row in QUESTIONS}) >= 8
    assert all(2 <= len(text.split()) <= 25 and unicodedata.is_normalized("NFC", text) for text in texts)
    assert len(VERDICTS) == len(judged), "a variant is judged twice"
    assert {row["query_id"] for row in judged} <= set(ids)
    assert {row["verdict"] for row in judged} <= set(WORTH)
    assert all((row["verdict"] == "right") == (row["why"] == "-") for row in judged)


def test_no_variant_judged_wrong_is_emitted(emitted: list[Variant]) -> None:
    wrong = [variant for variant in emitted if verdict(variant) == "wrong"]
    assert not wrong, f"{len(wrong)} variants that are wrong:\n{listed(wrong)}"


@pytest.mark.parametrize("name", ["all", *NAMES])
def test_nearly_all_judged_variants_are_right(emitted: list[Variant], name: str) -> None:
    counts = Counter(verdict(variant) for variant in emitted if name in ("all", variant.perturbation))
    judged = sum(counts[word] for word in WORTH)
    assert judged
    share = sum(worth * counts[word] for word, worth in WORTH.items()) / judged
    doubtful = [v for v in emitted if verdict(v) == "doubtful" and name in ("all", v.perturbation)]
    assert share >= LEAST_RIGHT, f"{share:.1%} right ({dict(counts)}); doubtful:\n{listed(doubtful)}"


def test_the_table_of_verdicts_is_up_to_date(emitted: list[Variant]) -> None:
    fresh = [variant for variant in emitted if verdict(variant) == "unjudged"]
    assert len(fresh) <= MOST_UNJUDGED * len(emitted), f"{len(fresh)} variants to be judged:\n{listed(fresh)}"


def test_most_questions_get_a_variant(emitted: list[Variant]) -> None:
    covered = {variant.query_id for variant in emitted}
    bare = [f"{row['query_id']} {row['text']}" for row in QUESTIONS if row["query_id"] not in covered]
    share = 1 - len(bare) / len(QUESTIONS)
    assert share >= LEAST_COVERED, f"{share:.1%} of questions get a variant; none for:\n" + "\n".join(bare)
