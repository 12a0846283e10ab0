import itertools
import json
import random

import pytest

from perturb.errors import ConfigError
from perturb.perturbations import load_all
from perturb.perturbations.base import build
from perturb.perturbations.chains import Chain, chain, stage
from perturb.perturbations.presets import preset, presets
from perturb.polish.parsed import ParsedQuery
from perturb.records import Query, replay
from perturb.resources import resource
from perturb.suite import generate, specs_from
from tests.perturbations.drawing import draw, texts
from tests.perturbations.nasty_queries import NASTY_QUERIES

load_all()


def test_edits_of_both_rules_are_traced_to_the_query() -> None:
    rule = chain(build("diacritics.strip"), build("typo"))
    assert rule.name == "chain:diacritics.strip+typo"
    text = "żądanie zwrotu zapłaty"
    for variant in draw(rule, text, range(50)):
        assert variant.perturbation == rule.name
        assert variant.kind.startswith("strip+")
        assert replay(text, variant.edits) == variant.text
        assert variant.text.isascii()
        assert {edit.before for edit in variant.edits} >= {"żądanie", "zapłaty"}


def test_inflection_comes_first() -> None:
    rule = build("chain:case+diacritics.strip")
    assert "składki emerytalne" not in texts(rule, "składki emerytalne", range(60))
    assert "skladek emerytalnych" in texts(rule, "składki emerytalne", range(60))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("chain:diacritics.strip+case", r"write chain:case\+diacritics.strip"),
        ("chain:typo+query_form.lower?", r"write chain:query_form.lower\?\+typo"),
        ("chain:typo", "two or more"),
        ("chain:typo+severity:typo", "two or more"),
        ("severity:diacritics.strip", "no setting severity"),
        ("row:typo", "begin with chain"),
        ("chain:typo+typpo", "did you mean 'typo'"),
    ],
)
def test_chains_that_cannot_be(name: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        build(name)


def test_settings_of_the_parts() -> None:
    rule = build("chain:diacritics.strip+typo", {"typo": {"min_length": 8}})
    assert isinstance(rule, Chain)
    assert rule.parts[1] == build("typo", {"min_length": 8})
    with pytest.raises(ConfigError, match="give a table"):
        build("chain:diacritics.strip+typo", {"min_length": 8})
    assert build("severity:typo", {"min_length": 8}).draws == 3


def test_every_part_has_to_apply_but_the_optional_ones() -> None:
    strict, loose = build("chain:diacritics.strip+typo"), build("chain:diacritics.strip?+typo")
    query = ParsedQuery(Query("q", "urlop"))
    assert list(strict(query, random.Random(1))) == []
    assert query.declined["diacritics.strip does not apply"] == 1
    assert {v.kind.count("+") for v in draw(loose, "urlop", range(5))} == {0}
    assert draw(build("chain:diacritics.strip?+typo?"), "VAT") == []


def test_a_text_that_is_not_clean_ends_the_chain() -> None:
    assert draw(build("chain:transliterate+unicode_form"), "umowa żółta", range(9))
    assert stage("unicode_form") > stage("encoding") > stage("typo.touch") > stage("diacritics") > stage("case")
    seen = draw(build("chain:encoding+unicode_form"), "umowę najmu", range(40))
    assert all(replay("umowę najmu", variant.edits) == variant.text for variant in seen)


def test_protected_words_stay_protected_in_every_step() -> None:
    rule = build("chain:diacritics.strip+typo")
    for after in texts(rule, "żółta Łódźmebel faktura „Żółw”", range(60), protected=["Łódźmebel"]):
        assert "Łódźmebel" in after
        assert "„Żółw”" in after


def test_rules_that_undo_one_another_give_nothing() -> None:
    query = ParsedQuery(Query("q", "UMOWA"))
    assert list(build("chain:query_form.lower+query_form.upper")(query, random.Random(1))) == []
    assert query.declined["the rules undo one another"] == 1


def test_confidence_and_flags_add_up() -> None:
    (variant,) = draw(build("chain:spelling+diacritics.strip"), "sąd", [1]) or draw(
        build("chain:realistic_ending+diacritics.strip"), "osobom sąd", [1]
    )
    assert variant.confidence == 0.9
    assert variant.flags == {"real_word"}


def test_levels_of_a_severity_curve_build_on_each_other() -> None:
    text = "reklamacja przesyłki uszkodzonej przez kuriera"
    for seed in range(30):
        levels = draw(build("severity:typo"), text, [seed])
        assert [variant.kind for variant in levels] == ["1", "2", "3"]
        assert {variant.perturbation for variant in levels} == {"severity:typo"}
        for less, more in itertools.pairwise(levels):
            assert set(less.edits) < set(more.edits)
        assert [len(variant.edits) for variant in levels] == [1, 2, 3]
    assert draw(build("severity:typo"), "rata") == []
    assert len(draw(build("severity:spelling"), "żądanie usługi harmonogram który", [3])) == 3
    assert draw(build("severity:spelling"), "żądanie", [3]) == []


@pytest.mark.parametrize(
    "name", ["chain:diacritics.some?+typo", "chain:query_form.lower?+diacritics.strip?+typo.touch"]
)
def test_chains_stand_nasty_queries(name: str) -> None:
    rule = build(name)
    for text in NASTY_QUERIES:
        query = ParsedQuery(Query("q", text))
        for variant in rule(query, random.Random("7")):
            assert replay(query.text, variant.edits) == variant.text != query.text


def test_presets_are_the_five_and_work() -> None:
    assert presets() == ("careful", "desktop", "dictated", "mixed-office", "mobile")
    with pytest.raises(ConfigError, match="known: careful, desktop"):
        preset("tablet")
    lines = (resource("goldensets", "firma") / "queries.jsonl").read_text(encoding="utf-8").splitlines()[:40]
    queries = [Query(row["_id"], row["text"]) for row in map(json.loads, lines)]
    for name in presets():
        specs = specs_from(*preset(name))
        suite = generate(queries, specs, seed=1)
        assert set(suite.perturbations) == {spec.name for spec in specs}, name
