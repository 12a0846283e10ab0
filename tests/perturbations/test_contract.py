"""What every registered perturbation promises, ours and third parties' alike."""

from __future__ import annotations

import random
import unicodedata

import pytest

from perturb.perturbations import load_all
from perturb.perturbations.base import PERTURBATIONS, Perturbation, build
from perturb.polish.parsed import ParsedQuery
from perturb.records import Query, Variant, replay
from tests.perturbations.nasty_queries import NASTY_QUERIES

FLAGS = {"real_word", "meaning_risk", "ungrammatical"}
PROTECTED_NAMES = ("Orlen", "Bank Polski", "Škoda")

load_all()
NAMES = sorted(PERTURBATIONS)


def parsed(text: str) -> ParsedQuery:
    return ParsedQuery(Query("q", text), PROTECTED_NAMES)


def variants(rule: Perturbation, text: str, seed: str = "7") -> list[Variant]:
    return list(rule(parsed(text), random.Random(seed)))


@pytest.fixture(params=NAMES)
def rule(request: pytest.FixtureRequest) -> Perturbation:
    return build(request.param)


def test_every_rule_introduces_itself(rule: Perturbation) -> None:
    cls = type(rule)
    assert PERTURBATIONS[cls.name] is cls
    assert cls.summary
    assert "\n" not in cls.summary
    assert cls.draws >= 0
    assert cls.__doc__
    assert cls.examples, "every rule shows what it does"


def test_variants_are_well_formed(rule: Perturbation) -> None:
    for text in NASTY_QUERIES:
        query = parsed(text)
        for variant in rule(query, random.Random("7")):
            assert variant.perturbation == rule.name
            assert variant.query_id == "q"
            assert variant.kind.strip()
            assert variant.kind != "all", "the name of the row over all kinds"
            assert 0 <= variant.confidence <= 1
            assert variant.flags <= FLAGS
            assert variant.text != query.text
            assert variant.text.strip()
            assert variant.edits
            assert all(query.text[edit.start : edit.end] == edit.before != edit.after for edit in variant.edits)
            assert replay(query.text, variant.edits) == variant.text


def test_no_spaces_are_left_behind(rule: Perturbation) -> None:
    """Where something goes, the space beside it goes too; two rules are about spaces, and Unidecode has its own."""
    if rule.name in ("query_form.spaces", "query_form", "transliterate", "unicode_form"):
        return
    for text in NASTY_QUERIES:
        clean = parsed(text).text
        for variant in variants(rule, text) if "  " not in clean and not clean.endswith(" ") else ():
            assert "  " not in variant.text, (text, variant.text)
            assert not variant.text.endswith(" "), (text, variant.text)


def test_nfc_is_kept(rule: Perturbation) -> None:
    made = [variant for text in NASTY_QUERIES for variant in variants(rule, text)]
    broken = [variant for variant in made if not unicodedata.is_normalized("NFC", variant.text)]
    # A rule may leave NFC by purpose; then it says so, and does.
    assert bool(broken) == (not getattr(rule, "keeps_nfc", True)), broken


def test_protected_tokens_stay(rule: Perturbation) -> None:
    """Numbers may be rewritten by rules that say so (``changes_protected``); quotations and protected names by none."""
    rewrites = getattr(rule, "changes_protected", False)
    for text in NASTY_QUERIES:
        query = parsed(text)
        shielded = [token for token in query.tokens if token.shielded or (token.protected and not rewrites)]
        for variant in rule(query, random.Random("7")):
            for token in shielded:
                for edit in variant.edits:
                    overlaps = edit.start < token.end and token.start < edit.end
                    assert not overlaps or token.text in edit.after, (token, variant)


def test_names_the_user_protects_stay(rule: Perturbation) -> None:
    for seed in range(10):
        for variant in variants(rule, "Reklamacja: Orlen, umowa „Bank Polski” i Škoda żółta.", str(seed)):
            assert "orlen" in variant.text.lower()
            assert "bank polski" in variant.text.lower()
            assert "škoda" in unicodedata.normalize("NFC", variant.text).lower()


def test_same_seed_same_variants_in_any_order(rule: Perturbation) -> None:
    forward = [variants(rule, text) for text in NASTY_QUERIES]
    backward = [variants(rule, text) for text in reversed(NASTY_QUERIES)]
    assert forward == backward[::-1]
    assert [variants(build(rule.name), text) for text in NASTY_QUERIES] == forward


def test_global_random_state_is_not_touched(rule: Perturbation) -> None:
    import numpy as np

    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    for text in NASTY_QUERIES:
        variants(rule, text)
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # noqa: NPY002


def test_rules_that_draw_nothing_do_not_draw(rule: Perturbation) -> None:
    same = all(variants(rule, text, "1") == variants(rule, text, "2") for text in NASTY_QUERIES)
    assert same or rule.draws


def test_examples_come_true(rule: Perturbation) -> None:
    for before, after in type(rule).examples:
        texts: set[str] = set()
        query = ParsedQuery(Query("q", before))
        for seed in range(600 if rule.draws else 1):
            texts |= {variant.text for variant in rule(query, random.Random(str(seed)))}
            if after in texts:
                break
        assert after in texts, f"{before} → {after}; got {sorted(texts)[:20]}"
