import json
import random
import re
from collections import Counter

import pytest

from perturb.errors import ConfigError
from perturb.perturbations import slips
from perturb.perturbations.base import build
from perturb.perturbations.typing_devices import AltGrTypo, TouchTypo
from perturb.perturbations.typos import InsertionTypo, KeyboardTypo, OmissionTypo, TranspositionTypo, Typo
from perturb.polish.keyboard import layout
from perturb.polish.parsed import ParsedQuery
from perturb.polish.text import POLISH_LETTERS
from perturb.records import Query
from perturb.resources import resource
from tests.perturbations.drawing import draw, texts

ALL = ["typo", "typo.keyboard", "typo.omission", "typo.insertion", "typo.transposition", "typo.altgr", "typo.touch"]
ONE_LETTER = ["typo", "typo.keyboard", "typo.omission", "typo.insertion", "typo.transposition", "typo.altgr"]


@pytest.mark.parametrize("name", ALL)
def test_numbers_codes_and_separators_stay(name: str) -> None:
    text = "błąd 192.168.1.1 w wersji 2.14.3 umowa 7/2024 kwota 1 250,50 zł"
    pattern = r"\d[\d.,/ ]*"
    for after in texts(build(name), text, range(200)):
        assert re.findall(pattern, after) == re.findall(pattern, text)


@pytest.mark.parametrize("name", ONE_LETTER)
def test_everything_but_one_word_is_identical(name: str) -> None:
    text = "Czy (zgodnie z art. 5) przysługuje zwrot?  Tak/nie"
    for variant in draw(build(name), text, range(60)):
        (edit,) = variant.edits
        assert edit.before in ("zgodnie", "przysługuje", "zwrot")
        assert variant.text == text[: edit.start] + edit.after + text[edit.end :]


@pytest.mark.parametrize("name", ONE_LETTER)
@pytest.mark.parametrize("text", ["żądanie ścięcia źdźbła", "premia kwartalna"])
def test_only_polish_letters_result(name: str, text: str) -> None:
    allowed = set(POLISH_LETTERS) | set("qvx ")
    for after in texts(build(name), text, range(200)):
        assert set(after) <= allowed


@pytest.mark.parametrize("name", ALL)
def test_capitals_and_protected_words_stay(name: str) -> None:
    text = "McDonald i KSeF w Łodzi, UMOWA NAJMU i RODO do VAT-u dla „Bank Polski” i Orlen"
    for after in texts(build(name), text, range(120), protected=["Orlen"]):
        for word in ("McDonald", "KSeF", "RODO", "VAT-u", "„Bank Polski”", "Orlen"):
            assert word in after
        city, contract = re.search(r"w (\S.*?), (.*) i RODO", after).groups()
        assert city[0].isupper()
        assert city[1:].islower()
        assert contract.upper() == contract or name == "typo.touch"


@pytest.mark.parametrize("name", ALL)
def test_short_words_are_left_alone(name: str) -> None:
    for text in ("VAT", "a", "i", "w z o", "", "ząb"):
        assert draw(build(name), text, range(30)) == []
    assert draw(build(name), "od RODO do NIP", range(10)) == []


@pytest.mark.parametrize("name", ALL)
def test_other_scripts_and_graphemes_stay(name: str) -> None:
    text = "faktura × 2 для контрагента ΔT \U0001f469\u200d\U0001f4bb \U0001f1f5\U0001f1f1 z\u0337łoty"
    for after in texts(build(name), text, range(100)):
        assert after.endswith(text[text.index(" × ") :])


@pytest.mark.parametrize("name", ALL)
def test_addresses_and_codes_stay(name: str) -> None:
    text = "jak zmienić hasło do biuro@przyklad.pl na https://przyklad.pl/panel?tab=hasło"
    for after in texts(build(name), text, range(100)):
        assert after.endswith("biuro@przyklad.pl na https://przyklad.pl/panel?tab=hasło")
    text = "instrukcja X-200/B, wzór A4, sygn. II CSK 12/20"
    for after in texts(build(name), text, range(100)):
        for part in ("X-200/B", "A4", "sygn. II CSK 12/20"):
            assert part in after


@pytest.mark.parametrize("name", [name for name in ALL if name != "typo.altgr"])
@pytest.mark.parametrize("text", ["rata", "karta", "lekki", "panna", "ustawy", "Rata", "KARTA"])
def test_other_words_are_flagged_and_nothing_stays_the_same(name: str, text: str) -> None:
    flagged = 0
    variants = draw(build(name), text, range(200))
    for variant in variants:
        assert variant.text != text
        real = slips.is_real_word(variant.text)
        assert real == ("real_word" in variant.flags)
        flagged += real
    assert len(variants) == 200
    assert flagged == 0, "each of these words has slips that are no words"


def test_real_words_are_flagged_where_there_is_nothing_else() -> None:
    """Every single omission of *tama* but one at its edge is a word or not; force the case with a stub slip."""
    outcome = slips.mistype(("kota",), lambda word, place, rng: "kot", random.Random(1))
    assert outcome == slips.Mistyped(0, "kot", True)
    assert slips.mistype(("kota",), lambda word, place, rng: word, random.Random(1)) is None
    assert slips.mistype(("kota",), lambda word, place, rng: None, random.Random(1)) is None


def test_equal_letters_are_not_swapped() -> None:
    assert slips.transpose("panna", 2, random.Random(1)) is None
    assert slips.transpose("Aare", 0, random.Random(1)) is None


def test_three_draws_give_different_variants_at_different_places() -> None:
    assert all(build(name).draws == 3 for name in ALL)
    places = Counter()
    for number in range(60):
        rule = build("typo")
        variants = {v.text for seed in range(3) for v in draw(rule, "potwierdzenie odbioru", [number * 3 + seed])}
        assert len(variants) >= 2
        for after in variants:
            places[
                next(i for i, (a, b) in enumerate(zip("potwierdzenie odbioru ", after + " ", strict=False)) if a != b)
            ] += 1
    assert len(places) > 12
    assert max(places.values()) < 0.2 * sum(places.values())


@pytest.mark.parametrize("name", ALL)
def test_severity_counts_the_slips(name: str) -> None:
    text = "żądanie zwrotu zapłaconej składki ubezpieczenia"
    for severity in (2, 3):
        for variant in draw(build(name, {"severity": severity}), text, range(30)):
            assert variant.kind == f"s{severity}"
            assert len(variant.edits) == severity or name == "typo.altgr"


def test_severity_returns_to_long_words_and_gives_up_on_short_ones() -> None:
    rule = Typo(severity=2)
    assert {len(v.edits) for v in draw(rule, "ubezpieczenie", range(20))} == {1}
    assert {v.kind for v in draw(rule, "ubezpieczenie", range(20))} == {"s2"}
    assert draw(rule, "rata", range(20)) == []
    assert draw(AltGrTypo(severity=3), "żaba w lesie", range(20)) == []


def test_rate_is_per_word() -> None:
    text = "reklamacja przesyłki uszkodzonej przez kuriera firmy zewnętrznej podczas dostawy"
    count = Counter(len(v.edits) for v in draw(Typo(rate=0.5), text, range(400)))
    mean = sum(n * times for n, times in count.items()) / 400
    assert 4.1 < mean < 4.9
    assert min(count) >= 1
    assert all(v.edits for v in draw(Typo(rate=0.01), text, range(40)))


@pytest.mark.parametrize(
    ("settings", "part"),
    [({"severity": 0}, "severity = 0"), ({"rate": 1.5}, "rate = 1.5"), ({"min_length": 1}, "min_length = 1")],
)
def test_senseless_settings_are_refused(settings: dict[str, float], part: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(part)):
        build("typo", settings)


def test_min_length_is_a_setting() -> None:
    assert draw(KeyboardTypo(min_length=3), "kot", range(20))
    assert draw(KeyboardTypo(min_length=9), "umowa najmu", range(20)) == []


def test_single_slips() -> None:
    rng = random.Random(3)
    assert slips.omit("Umowa", 0, rng) == "Mowa"
    assert slips.omit("zdawczo-odbiorczy", 7, rng) is None
    assert slips.omit("e-faktura", 0, rng) is None
    assert slips.omit("deadline'u", 9, rng) is None
    assert slips.double("Umowa", 0, rng) == "Uumowa"
    assert slips.double("UMOWA", 0, rng) == "UUMOWA"
    assert slips.double("e-faktura", 1, rng) is None
    assert slips.transpose("Umowa", 0, rng) == "Muowa"
    assert slips.transpose("umowa", 4, rng) == "umoaw"
    assert slips.transpose("e-faktura", 0, rng) is None
    assert slips.hit_neighbour("koń", 2, rng) is None
    assert slips.hit_two_keys("koń", 2, rng) is None
    assert slips.confuse("żal", 0, rng) is None
    assert slips.echo("umowa", 0, rng) is None
    assert slips.echo("panna", 2, rng) is None
    assert {slips.echo("umowa", 1, random.Random(seed)) for seed in range(20)} == {"umomwa", "uomowa"}
    assert {slips.hit_two_keys("Ola", 0, random.Random(seed)) for seed in range(40)} == {"Oila", "Opla", None}
    assert slips.drop_one_of_double(("panna",), rng) is None, "pana is a word"
    assert slips.drop_one_of_double(("brutto", "umowa"), rng) == slips.Mistyped(0, "bruto", False)


def test_kinds() -> None:
    text = "opłata za netto i brutto w oddziale"
    assert {v.kind for v in draw(Typo(), text, range(100))} == {
        "omission",
        "substitution",
        "insertion",
        "transposition",
    }
    assert {v.kind for v in draw(KeyboardTypo(), text, range(20))} == {"adjacent"}
    assert {v.kind for v in draw(OmissionTypo(), text, range(40))} == {"plain", "doubled"}
    assert {v.kind for v in draw(InsertionTypo(), text, range(60))} == {"doubling", "adjacent", "echo"}
    assert {v.kind for v in draw(TranspositionTypo(), text, range(20))} == {"adjacent"}


def test_altgr() -> None:
    assert draw(AltGrTypo(), "umowa najmu", range(5)) == []
    seen: dict[str, set[str]] = {}
    for variant in draw(AltGrTypo(), "późniejsze złożenie źródeł", range(1500)):
        seen.setdefault(variant.kind, set()).add(variant.text)
    assert set(seen) == {"missed", "held", "late", "neighbour"}
    assert "późniejsze złożenie zródeł" in seen["missed"]
    assert "późniejsze złożenie xródeł" in seen["missed"]
    assert "późniejsze zlóżenie źródeł" in seen["late"]
    assert "późniejsze złóżenie źródeł" in seen["held"]
    assert "późniejsze złożenie żródeł" in seen["neighbour"]
    assert {v.text for v in draw(AltGrTypo(), "prąd", range(40)) if not v.flags} == {"prad"}


def test_touch() -> None:
    seen: dict[str, set[str]] = {}
    for variant in draw(TouchTypo(), "zamówienie towaru w sklepie nie dotarło ŻĄDŁO", range(800)):
        seen.setdefault(variant.kind, set()).add(variant.text)
    assert set(seen) == {"neighbour", "omission", "doubling", "space", "joined"}
    assert "zamówienietowaru w sklepie nie dotarło ŻĄDŁO" in seen["joined"]
    assert "zamówienie towaru w sklepie nie dotarło ŻĄDŁO" not in set().union(*seen.values())
    assert all(text.count(" ") == 7 for text in seen["space"])
    assert draw(TouchTypo(), "żółć", range(40)), "omission and doubling remain where no key is plain"
    assert {v.kind for v in draw(TouchTypo(severity=2), "zamówienie towaru", range(10))} == {"s2"}


def shares(counts: Counter[str]) -> dict[str, float]:
    return {key: 100 * count / sum(counts.values()) for key, count in counts.items()}


def assert_near(counts: Counter[str], wanted: dict[str, float]) -> None:
    total = sum(wanted.values())
    found = shares(counts)
    for key, weight in wanted.items():
        assert abs(found.get(key, 0.0) - 100 * weight / total) < 2, (key, found, wanted)


def operation_of(before: str, after: str) -> tuple[str, int]:
    """Read operation and place back from a mistyped word, blind to how it was made."""
    start = next(
        (i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    if len(after) < len(before):
        return "omission", start
    if len(after) > len(before):
        return "insertion", start
    if before[start : start + 2] == after[start : start + 2][::-1] and before[start + 2 :] == after[start + 2 :]:
        return "transposition", start
    return "substitution", start


def test_the_mix_matches_the_measured_shares() -> None:
    """100,000 draws on real queries: operation, place and letter within 2 points of what the tables say."""
    lines = (resource("goldensets", "firma") / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    queries = [ParsedQuery(Query(str(i), json.loads(line)["text"])) for i, line in enumerate(lines)]
    rule, rng = Typo(), random.Random("fidelity")
    near = layout().neighbours
    operations: Counter[str] = Counter()
    places: Counter[str] = Counter()
    adjacent: Counter[str] = Counter()
    doubling: Counter[str] = Counter()
    for number in range(100_000):
        (variant,) = rule(queries[number % len(queries)], rng)
        (edit,) = variant.edits
        before, after = edit.before.lower(), edit.after.lower()
        operation, start = operation_of(before, after)
        operations[operation] += 1
        assert operation == variant.kind
        last = len(before) - 1
        if operation == "substitution":
            places["first" if start == 0 else "last" if start == last else "inner"] += 1
            adjacent["adjacent" if after[start] in near[before[start]] else "confused"] += 1
        elif operation == "insertion":
            twice = after[start] in after[max(0, start - 1) : start]
            doubling["doubling" if twice else "other"] += 1
    assert_near(operations, {"omission": 43.0, "substitution": 24.3, "insertion": 22.5, "transposition": 10.2})
    assert_near(places, {"first": 2, "inner": 92, "last": 6})
    assert_near(adjacent, {"adjacent": 77, "confused": 23})
    assert_near(doubling, {"doubling": 22.5, "other": 77.5})


def test_double_letters_are_dropped_twenty_times_as_readily() -> None:
    """*zapłata brutto*: one double letter of weight 20 against 13 letters of weight 1."""
    rule, rng = OmissionTypo(), random.Random("doubles")
    query = ParsedQuery(Query("q", "zapłata brutto"))
    kinds = Counter(variant.kind for _ in range(20_000) for variant in rule(query, rng))
    assert_near(kinds, {"doubled": 20, "plain": 13})


def test_altgr_kinds_match_their_shares_where_all_are_possible() -> None:
    rule, rng = AltGrTypo(), random.Random("altgr")
    query = ParsedQuery(Query("q", "późniejsze złożenie źródeł"))
    kinds = Counter(variant.kind for _ in range(20_000) for variant in rule(query, rng))
    assert_near(kinds, {"missed": 85.5, "held": 7, "late": 3.8, "neighbour": 3.7})


def test_touch_kinds_match_their_shares() -> None:
    rule, rng = TouchTypo(), random.Random("touch")
    query = ParsedQuery(Query("q", "zamówienie towaru zepsutego"))
    kinds = Counter(variant.kind for _ in range(20_000) for variant in rule(query, rng))
    assert_near(kinds, {"neighbour": 55, "omission": 15, "doubling": 8, "space": 10, "joined": 12})


def test_letters_hit_by_mistake_match_the_layout() -> None:
    """Beside ``d`` lie ``s`` and ``f`` in the same row, counted twice, and ``e``, ``c``, ``x`` above and below."""
    rng = random.Random("letters")
    near = Counter(str(slips.hit_neighbour("d", 0, rng)) for _ in range(20_000))
    assert_near(near, dict(Counter(layout().neighbours["d"])))
    assert set("sf") < set(near)


def test_a_letter_is_misheard_before_an_obstruent_or_at_the_end() -> None:
    rng = random.Random("heard")
    assert slips.mishear("obsługa", 1, rng) == "opsługa"
    assert slips.mishear("informacja", 8, rng) == "informacia"
    assert slips.mishear("ugoda", 3, rng) is None


def test_no_vowel_is_confused_with_another() -> None:
    assert not any(layout().confused[vowel] for vowel in "aeiouy")
