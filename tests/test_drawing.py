"""Rules of third parties that misbehave end in one line that names them and the query."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from perturb.drawing import draw
from perturb.errors import ConfigError
from perturb.perturbations.base import Perturbation
from perturb.polish.parsed import ParsedQuery
from perturb.records import Edit, Query, Variant

Rule = Callable[[ParsedQuery], Any]


class Theirs(Perturbation):
    """A rule of a third party that does what the test says."""

    name = "theirs"
    summary = "theirs"

    def __init__(self, rule: Rule) -> None:
        self.rule = rule

    def __call__(self, query: ParsedQuery, rng: random.Random) -> Iterator[Variant]:
        found: Iterator[Variant] = self.rule(query)
        return found


def good(query: ParsedQuery, after: str = "x", kind: Any = "k", **marks: Any) -> Variant:
    return query.variant("theirs", kind, [query.edit(0, 1, after)], **marks)


def raises(error: BaseException) -> Rule:
    def rule(query: ParsedQuery) -> Iterator[Variant]:
        yield good(query)
        raise error

    return rule


def endless(query: ParsedQuery) -> Iterator[Variant]:
    while True:
        yield good(query)


def drawn(rule: Rule, draws: int = 0) -> tuple[list[Variant], int, dict[str, int]]:
    parsed = ParsedQuery(Query("q1", "umowa najmu"))
    return *draw(parsed, "theirs", Theirs(rule), 7, draws), parsed.declined


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (raises(RuntimeError("boom\nbang")), "fails on query 'q1': RuntimeError: boom"),
        (raises(KeyError("zzz")), "KeyError: 'zzz'"),
        (raises(AssertionError()), "AssertionError; mend"),
        (raises(SystemExit(0)), "SystemExit: 0"),
        (lambda _: None, "'NoneType' object is not iterable"),
        (lambda _: [None], "yields None, which is no Variant"),
        (lambda _: ["umowa zmieniona"], "'umowa zmieniona', which is no Variant"),
        (lambda q: [replace(good(q), text=12345)], "yields the text 12345"),
        (lambda q: [replace(good(q), text=None)], "yields the text None"),
        (lambda q: [replace(good(q), text=b"umowa")], "yields the text b'umowa'"),
        (lambda q: [good(q, kind=5)], "yields the kind 5"),
        (lambda q: [good(q, kind="all")], "yields kind 'all', which is reserved"),
        (lambda q: [good(q, kind="original")], "yields kind 'original', which is reserved"),
        (lambda q: [good(q, kind="  ")], "yields kind '  ', which is reserved"),
        (lambda q: [replace(good(q), perturbation="typo")], "yields a variant of 'typo'"),
        (lambda q: [replace(good(q), perturbation="original")], "yields a variant of 'original'"),
        (lambda q: [replace(good(q), query_id="q2")], "yields a variant of query 'q2'"),
        (lambda q: [replace(good(q), edits=())], "yields edits that give 'umowa najmu' and not 'xmowa najmu'"),
        (lambda q: [replace(good(q), edits=(Edit(0, 1, "q", "x"),))], "wrong edits (edit expects 'q' at 0, found 'u')"),
        (lambda q: [replace(good(q), edits=(Edit(0, 99, "u", "x"),))], "yields wrong edits"),
        (lambda q: [replace(good(q), edits=[("u", "x")])], "no tuple of Edit"),
        (lambda q: [replace(good(q), edits=None)], "no tuple of Edit"),
        (lambda q: [good(q, confidence=7)], "confidence 7"),
        (lambda q: [good(q, confidence=float("nan"))], "confidence nan"),
        (lambda q: [replace(good(q), confidence="1")], "confidence '1'"),
        (lambda q: [good(q, flags=("weird",))], "flags frozenset({'weird'}); known: meaning_risk"),
        (lambda q: [good(q, after="\ud83d")], "half a character"),
        (lambda q: [good(q, after="\x00")], "holds a NUL"),
        (endless, "yields over 10000 variants"),
    ],
)
def test_what_is_no_variant_is_refused_by_name(rule: Rule, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        drawn(rule)
    told = str(caught.value)
    assert message in told
    assert told.startswith("perturbation 'theirs' (tests.test_drawing.Theirs) ")
    assert "'q1'" in told


@pytest.mark.parametrize(
    ("after", "reason"), [("", "yields the query as it is"), ("  \u00a0", "yields a blank text")], ids=["same", "blank"]
)
def test_a_blank_text_or_the_query_itself_is_not_applicable(after: str, reason: str) -> None:
    def rule(query: ParsedQuery) -> Iterator[Variant]:
        edits = [query.edit(0, len(query.text), after)] if after else []
        yield query.variant("theirs", "k", edits)

    assert drawn(rule) == ([], 0, {reason: 1})


def test_repeated_texts_are_counted_and_numbers_run_within_a_kind() -> None:
    fresh, repeated, _ = drawn(lambda q: [good(q), good(q), good(q, "y"), good(q, "z", "other")])
    assert [(variant.text, variant.kind, variant.variant_id) for variant in fresh] == [
        ("xmowa najmu", "k", "1"),
        ("ymowa najmu", "k", "2"),
        ("zmowa najmu", "other", "1"),
    ]
    assert repeated == 1
    assert {variant.seed for variant in fresh} == {""}


def test_each_draw_has_a_seed_of_its_own() -> None:
    letters = iter("abc")
    fresh, _, _ = drawn(lambda q: [good(q, next(letters))], draws=3)
    assert [variant.seed for variant in fresh] == [f"7|theirs|q1|{index}" for index in range(3)]
