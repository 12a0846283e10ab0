"""Draw the variants of one query, and hold every rule, ours and third parties', to what variants must be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from perturb.errors import ConfigError, PerturbError
from perturb.perturbations.base import Perturbation
from perturb.polish.parsed import ParsedQuery
from perturb.records import ORIGINAL, Edit, Variant, replay

RESERVED_KINDS = frozenset({"", "all", ORIGINAL})
"""``all`` stands for all kinds together in ``drops.csv``."""

FLAGS = frozenset({"real_word", "meaning_risk", "ungrammatical"})

_BROKEN = re.compile("[\x00\ud800-\udfff]")

MAX_PER_CALL = 10_000
"""More variants from one call are taken for a rule that never ends."""


_OWN = "perturb."
"""Rules of perturb itself are held to all that is checked here by the contract test, not on every query anew."""

_UNDRAWN = Random(0)
"""Handed to our rules that draw nothing: seeding costs more than many of them."""


def draw(parsed: ParsedQuery, name: str, rule: Perturbation, seed: int, draws: int) -> tuple[list[Variant], int]:
    """Draw the variants of one query.

    A text that is blank or reads as the query does is *not applicable* and declined with that reason.

    Args:
        parsed: the query.
        name: registered name of the rule.
        rule: the rule.
        seed: of the suite.
        draws: how many times the rule is called; 0 for once, of a rule that draws nothing.

    Returns:
        The variants, each with its seed and its number within its kind in place of an id; and how many repeated an
        earlier text.

    Raises:
        ConfigError: the rule fails or yields what is no variant of this query; names rule and query.
    """
    seen: set[str] = set()
    numbers: Counter[str] = Counter()
    fresh: list[Variant] = []
    repeated = 0
    for index in range(max(1, draws)):
        source = f"{seed}|{name}|{parsed.query_id}|{index}"
        for variant in _yielded(parsed, name, rule, source):
            if variant.text == parsed.text or not variant.text.strip():
                parsed.decline("yields a blank text" if not variant.text.strip() else "yields the query as it is")
            elif variant.text in seen:
                repeated += 1
            else:
                seen.add(variant.text)
                numbers[variant.kind] += 1
                number = str(numbers[variant.kind])
                fresh.append(_numbered(variant, number, source if draws else ""))
    return fresh, repeated


def _numbered(variant: Variant, number: str, seed: str) -> Variant:
    """The variant with its number and seed; built directly, which takes a third of the time of ``replace``."""
    v = variant
    return Variant(number, v.query_id, v.perturbation, v.kind, v.text, v.edits, v.confidence, v.flags, seed)


def _yielded(parsed: ParsedQuery, name: str, rule: Perturbation, source: str) -> Iterator[Variant]:
    """What one call yields, each checked; a failure of any sort names its rule and query."""
    where = parsed.query_id
    own = type(rule).__module__.startswith(_OWN) and ":" not in name  # chains may have parts from elsewhere
    rng = _UNDRAWN if own and not rule.draws else Random(source)
    try:
        for count, variant in enumerate(rule(parsed, rng), 1):
            if count > MAX_PER_CALL:
                end = f"yields over {MAX_PER_CALL} variants of query {where!r}; it must come to an end"
                raise ConfigError(f"{_culprit(name, rule)} {end}")
            if not own and (wrong := _wrong(variant, name, parsed)):
                raise ConfigError(f"{_culprit(name, rule)} {wrong}, on query {where!r}; mend it or leave it out")
            yield variant
    except PerturbError:
        raise
    except (Exception, SystemExit) as error:  # whatever the code of third parties may raise
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        end = f"fails on query {where!r}: {what}; mend it or leave it out (--debug shows where)"
        raise ConfigError(f"{_culprit(name, rule)} {end}") from error


def _culprit(name: str, rule: Perturbation) -> str:
    return f"perturbation {name!r} ({type(rule).__module__}.{type(rule).__qualname__})"


def _wrong(variant: Any, name: str, parsed: ParsedQuery) -> str:
    """What makes this no variant of the query, as the end of a sentence; empty if nothing does."""
    if not isinstance(variant, Variant):
        return f"yields {variant!r:.60}, which is no Variant; make it by query.variant(…)"
    for field in ("text", "kind", "perturbation", "query_id"):
        if not isinstance(value := getattr(variant, field), str):
            return f"yields the {field} {value!r:.60}, which is no text"
    if variant.kind.strip() in RESERVED_KINDS:
        return f"yields kind {variant.kind!r}, which is reserved; name it apart"
    if variant.perturbation != name:
        return f"yields a variant of {variant.perturbation!r}; a rule yields variants of its own name"
    if variant.query_id != parsed.query_id:
        return f"yields a variant of query {variant.query_id!r}"
    return _wrong_text(variant, parsed) or _wrong_marks(variant)


def _wrong_text(variant: Variant, parsed: ParsedQuery) -> str:
    for text in (variant.text, variant.kind):
        if _BROKEN.search(text):
            return f"yields {text!r:.60}, which holds a NUL or half a character (a lone surrogate)"
    if not isinstance(variant.edits, tuple) or not all(isinstance(edit, Edit) for edit in variant.edits):
        return f"yields edits {variant.edits!r:.60}, which are no tuple of Edit"
    try:
        replayed = replay(parsed.text, variant.edits)
    except (ValueError, TypeError) as error:
        return f"yields wrong edits ({error})"
    return "" if replayed == variant.text else f"yields edits that give {replayed!r:.60} and not {variant.text!r:.60}"


def _wrong_marks(variant: Variant) -> str:
    if not isinstance(variant.confidence, (int, float)) or not 0 <= variant.confidence <= 1:
        return f"yields confidence {variant.confidence!r}; give a number from 0 to 1"
    if not isinstance(variant.flags, frozenset) or not variant.flags <= FLAGS:
        return f"yields flags {variant.flags!r:.60}; known: {', '.join(sorted(FLAGS))}"
    return ""
