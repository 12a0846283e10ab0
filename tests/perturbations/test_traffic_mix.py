import random
from collections import Counter

import pytest

from perturb.errors import ConfigError
from perturb.golden.goldenset import load_golden_set
from perturb.perturbations import load_all
from perturb.perturbations.base import PERTURBATIONS, build
from perturb.perturbations.traffic_mix import GROUPS, TrafficMix
from perturb.polish.parsed import ParsedQuery
from perturb.records import Query, Variant, replay
from perturb.suite import Spec, generate

load_all()


def mixed(text: str, shares: dict[str, float], seed: int = 0) -> Variant | None:
    return next(TrafficMix(shares)(ParsedQuery(Query("q", text)), random.Random(seed)), None)


def test_every_kind_that_can_be_mixed_is_registered() -> None:
    assert {name for group in GROUPS for name in group} <= set(PERTURBATIONS)


def test_nothing_is_drawn_without_shares() -> None:
    query = ParsedQuery(Query("q", "żądanie zapłaty"))
    assert not list(TrafficMix({})(query, random.Random(1)))
    assert query.declined == {"drawn to stay clean": 1}


def test_several_kinds_meet_in_one_query() -> None:
    every = {"query_form.polite": 1.0, "spelling": 1.0, "query_form.no_punctuation": 1.0, "query_form.lower": 1.0}
    query = "Jak złożyć żądanie zapłaty?"
    variant = mixed(query, {**every, "diacritics.strip": 1.0})
    assert variant is not None
    assert variant.kind == "query_form.polite+spelling+query_form.no_punctuation+query_form.lower+diacritics.strip"
    assert variant.text.isascii()
    assert variant.text == variant.text.lower()
    assert "?" not in variant.text
    assert replay(query, variant.edits) == variant.text
    assert 0 < variant.confidence <= 1


def test_kinds_that_do_not_apply_are_left_out_of_the_kind() -> None:
    variant = mixed("Faktura", {"diacritics.strip": 1.0, "query_form.lower": 1.0})
    assert variant is not None
    assert (variant.kind, variant.text) == ("query_form.lower", "faktura")


def test_abbreviations_are_only_made_never_written_out() -> None:
    shares = {"abbreviations": 1.0}
    assert mixed("korekta FV", shares) is None
    shortened = mixed("numer faktury", shares)
    assert shortened is not None
    assert len(shortened.text) < len("numer faktury")


def test_keywords_are_not_made_of_keywords() -> None:
    shares = {"query_form.keywords": 1.0}
    assert mixed("rezygnacja z najmu lokalu na salon sprzedaży", shares) is None
    shortened = mixed("Czy szef może odmówić urlopu na żądanie?", shares)
    assert shortened is not None
    assert "urlopu na żądanie" in shortened.text


def test_shares_come_true() -> None:
    shares = {"diacritics.strip": 0.3, "diacritics.some": 0.1, "typo.omission": 0.2, "query_form.lower": 0.5}
    drawn: Counter[str] = Counter()
    n = 4000
    for seed in range(n):
        variant = mixed("Żądanie zapłaty należności", shares, seed)
        drawn.update(variant.kind.split("+") if variant else ["clean"])
    for name, share in shares.items():
        assert drawn[name] / n == pytest.approx(share, abs=0.025), name
    assert drawn["clean"] / n == pytest.approx(0.6 * 0.8 * 0.5, abs=0.025)


def test_a_larger_share_adds_noise_and_moves_none() -> None:
    queries = load_golden_set("firma").queries[:60]

    def kinds(shares: dict[str, float]) -> dict[str, set[str]]:
        suite = generate(queries, [Spec("traffic_mix", {"shares": shares})], seed=3)
        return {v.query_id: set(v.kind.split("+")) for v in suite.variants if v.perturbation == "traffic_mix"}

    less = kinds({"query_form.lower": 0.3, "diacritics.strip": 0.4})
    more = kinds({"query_form.lower": 0.3, "diacritics.strip": 0.8})
    assert all(found <= more[query_id] for query_id, found in less.items())
    assert {q for q, found in less.items() if "query_form.lower" in found} == {
        q for q, found in more.items() if "query_form.lower" in found
    }
    assert sum(map(len, more.values())) > sum(map(len, less.values()))


def test_a_query_gets_the_same_noise_in_any_company() -> None:
    queries = load_golden_set("firma").queries[:30]
    spec = [Spec("traffic_mix", {"shares": {"spelling": 0.5, "diacritics.some": 0.5}})]
    whole = {v.variant_id: v.text for v in generate(queries, spec).variants}
    part = {v.variant_id: v.text for v in generate(queries[::-3], spec).variants}
    assert part.items() <= whole.items()


def test_what_the_user_protects_stays_through_all_steps() -> None:
    rule = TrafficMix(
        {"query_form.polite": 1.0, "typo.omission": 1.0, "query_form.upper": 1.0, "diacritics.strip": 1.0}
    )
    for seed in range(30):
        query = ParsedQuery(Query("q", "reklamacja mebli Żółw"), ["Żółw"])
        for variant in rule(query, random.Random(seed)):
            assert "Żółw" in variant.text


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ({"typo": 0.1}, "'typo' cannot be mixed; known: query_form.keywords"),
        ({"spelling": 1.1}, "from 0 to 1"),
        ({"spelling": -0.1}, "from 0 to 1"),
        ({"spelling": float("nan")}, "from 0 to 1"),
        ({"query_form.lower": 0.6, "query_form.upper": 0.6}, "add up to 1.2"),
        ({"spelling": "often"}, "valid number"),
    ],
)
def test_shares_that_are_none_are_refused(shares: dict[str, float], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        build("traffic_mix", {"shares": shares})
