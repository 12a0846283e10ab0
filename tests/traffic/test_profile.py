import random
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from perturb.errors import ConfigError, GoldenSetError
from perturb.golden.goldenset import load_golden_set
from perturb.perturbations.base import build
from perturb.perturbations.traffic_mix import GROUPS
from perturb.suite import Spec, generate
from perturb.traffic import Profile, counting, missing, not_in_mix, profile_log, query_log, read_profile, write_profile
from perturb.traffic import profile as profile_module
from perturb.traffic.errors_of_detectors import conditions
from perturb.traffic.estimates import Share
from perturb.traffic.kinds import MIXED
from perturb.traffic.lengths import lengths_of
from perturb.traffic.profile_file import render
from tests.traffic.quick import quick_errors  # noqa: F401

QUERIES = [
    *("Jak wystawić fakturę?", "jak wystawic fakture", "termin płatności", "termin platnosci", "urlop na żądanie"),
    *("umwa najmu lokalu", "URLOP NA ŻĄDANIE", "przekroczenie deadline'u", "nr faktury FV/12/2026", "ktury wniosek"),
    *("prosze o pomoc z haslem", "czy napewno zapłacono", "składki ZUS", "wypowiedzenie umowy", "reklamacja płyty"),
]


@pytest.fixture(scope="module", autouse=True)
def short_logs_will_do() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(profile_module, "ENOUGH", 0)
        yield


@pytest.fixture(scope="module")
def profile(short_logs_will_do: None) -> Profile:
    return profile_log(query_log(QUERIES), examples=True)


def test_what_too_few_queries_could_show_stays_out_of_the_mix(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(profile_module, "ENOUGH", 10)
    log = query_log([*(f"umowa numer {n}" for n in range(19)), *["przekroczenie deadline'u"] * 200, "na prawdę urlop"])
    found = profile_log(log)
    assert found.log["effective"] < 2
    assert not found.mix
    assert found.left_out["query_form.lower"] == found.log["effective"]
    log = query_log([*(f"umowa numer {n}" for n in range(19)), "przekroczenie deadline'u", "na prawdę urlop"])
    found = profile_log(log)
    assert found.kinds["english_terms_chosen"].share.estimate > 0
    assert "english_terms" not in found.mix and 0 < found.left_out["english_terms"] < 10
    assert "query_form.lower" in found.mix and "query_form.lower" not in found.left_out
    write_profile(found, tmp_path / "p.toml")
    assert read_profile(tmp_path / "p.toml")["mix"] == pytest.approx(dict(found.mix))
    text = (tmp_path / "p.toml").read_text(encoding="utf-8")
    assert "# Left out: fewer than 10 effective queries" in text
    assert '# "english_terms": ' in text
    absent = not_in_mix(read_profile(tmp_path / "p.toml"))
    assert absent == {"english_terms": pytest.approx(1 / 21, abs=1e-3), "spacing": pytest.approx(1 / 21, abs=1e-3)}


def test_a_profile_without_its_figures_leaves_nothing_out() -> None:
    assert not_in_mix({"mix": {}, "version": 1}) == {}
    assert not_in_mix({"mix": {}, "log": {"queries": 9}, "kinds": {"lower": {"share": "much", "n": True}}}) == {}


def test_every_kind_has_an_interval_its_base_and_an_explanation(profile: Profile) -> None:
    assert set(MIXED) <= set(profile.kinds)
    for found in profile.kinds.values():
        assert 0 <= found.share.low <= found.share.estimate <= found.share.high <= 1
        assert found.count <= found.n <= len(QUERIES)
        assert found.of
        assert found.how
    counts = {kind: found.count for kind, found in profile.kinds.items()}
    assert counts["diacritics_none"] == 3
    assert counts["mistakes"] == 2
    assert (counts["omission"], counts["spelling"]) == (1, 1)
    assert (counts["upper"], counts["polite"], counts["english_terms"], counts["spacing"]) == (1, 1, 1, 1)
    assert profile.kinds["open_question"].n == 3


def test_the_mix_can_be_drawn(profile: Profile) -> None:
    assert build("traffic_mix", {"shares": profile.mix})
    for group in GROUPS:
        assert sum(profile.mix.get(rule, 0) for rule in group) <= 1
    assert profile.mix["diacritics.strip"] == pytest.approx(profile.kinds["diacritics_none"].share.estimate, abs=1e-4)


def test_the_file_is_read_as_it_was_written(profile: Profile, tmp_path: Path) -> None:
    path = tmp_path / "new" / "profile.toml"
    write_profile(profile, path)
    content = read_profile(path)
    assert content["version"] == 1
    assert content["log"]["queries"] == len(QUERIES)
    assert content["mix"] == pytest.approx(dict(profile.mix))
    assert content["kinds"]["lower"]["n"] == len(QUERIES)
    assert content["kinds"]["omission"]["sensitivity"] > 0.5
    assert sum(content["lengths"]["words"]) == len(QUERIES)
    assert content["examples"]["upper"] == ["URLOP NA ŻĄDANIE"]
    assert [p.name for p in path.parent.iterdir()] == ["profile.toml"]


def test_no_text_of_any_query_is_kept_unless_asked_for(profile: Profile) -> None:
    secret = ["zlecenie dla Xawerego Qwerniuka", "hasło tajne987 firmy Zqwex", "pesel 44051401359 zgloszenie szkody"]
    silent = profile_log(query_log(secret))
    assert not silent.examples
    text = render(silent).lower()
    for word in " ".join(secret).lower().split():
        if len(word) > 4:
            assert word not in text, word
    assert "examples]" not in text
    assert "[examples]" in render(profile)


def test_the_same_log_gives_the_same_bytes_in_any_order(profile: Profile) -> None:
    again = profile_log(query_log(QUERIES), examples=True)
    assert render(again) == render(profile)
    backward = profile_log(query_log(QUERIES[::-1]))
    for kind, found in profile.kinds.items():
        assert backward.kinds[kind].share.estimate == pytest.approx(found.share.estimate)


def test_one_query_gives_wide_intervals() -> None:
    one = profile_log(query_log(["umowa"]))
    assert one.kinds["lower"].share.low < 0.5
    assert one.kinds["polite"].share.high > 0.5
    assert one.kinds["mistakes"].share.high > 0.3
    assert one.kinds["open_question"].share == Share(0.0, 0.0, 1.0)
    assert one.mix["query_form.lower"] == 1
    with pytest.raises(GoldenSetError, match="holds no query"):
        profile_log(query_log([]))


def test_where_all_diacritics_are_lost_mistakes_cannot_be_told() -> None:
    bare = profile_log(query_log(["zadanie zaplaty naleznosci", "jak zlozyc wniosek", "blad ksiegowania"]))
    assert bare.kinds["diacritics_none"].share.estimate > 0.8
    assert bare.kinds["mistakes"].n == 0
    assert bare.kinds["omission"].share == Share(0.0, 0.0, 1.0)
    assert "typo.omission" not in bare.mix


def test_repeats_weigh_but_do_not_make_sure() -> None:
    often = profile_log(query_log(["URLOP NA ŻĄDANIE"] * 99 + ["umowa"]))
    found = often.kinds["upper"]
    assert (found.count, found.n, found.share.estimate) == (99, 100, 0.99)
    assert found.share.low < 0.5


def test_large_logs_are_sampled_for_what_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "LOOKED_AT_CLOSELY", 6)
    monkeypatch.setattr(counting, "_PLACES_LOOKED_AT", 4)
    told: list[tuple[str, int, int]] = []
    sampled = profile_log(query_log(QUERIES), progress=lambda *step: told.append(step))
    assert sampled.kinds["mistakes"].n == 6
    assert sampled.kinds["english_terms_chosen"].n <= 4
    assert sampled.kinds["lower"].n == len(QUERIES)
    assert told[-1] == ("look for mistakes in distinct queries", 6, 6)


def test_odd_unicode_goes_through() -> None:
    odd = [
        "👩‍💻 awaria",
        "ⓊⓂⓄⓌⒶ",
        "Ŝkoda ñandú",
        "Київ договір",
        "ﷺ umowa",
        "e\u0301tude",
        "\x7f del",
        "a" * 500,
        "ß",
        "ǅ",
    ]
    found = profile_log(query_log(odd))
    assert tomllib.loads(render(found))["log"]["queries"] == len(odd) - 1, "circled letters are symbols"
    kept = profile_log(query_log(["umowa \x7f \"x\" \\ 'y'"]), examples=True)
    assert tomllib.loads(render(kept))["examples"]["lower"] == ["umowa \x7f \"x\" \\ 'y'"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("version = 1", "version = 2"), "version = 2, this perturb reads 1"),
        (("[mix]", "[mixture]"), r"no table \[mix\]"),
        (("[mix]\n", "[mix]\ntypo = 0.5\n"), "'typo' cannot be mixed"),
        (("[mix]\n", '[mix]\n"query_form.upper" = 7\n'), "a share from 0 to 1"),
        (("[mix]\n", '[mix]\n"query_form.upper" = "often"\n'), "give a share from 0 to 1"),
        (("[mix]\n", '[mix]\n"query_form.upper" = true\n'), "give a share from 0 to 1"),
        (("[mix]\n", '[mix]\n"query_form.upper" = 0.9\n"query_form.lower" = 0.9\n'), "add up to 1.8"),
        (("[mix]", "[mix"), "not valid TOML"),
    ],
)
def test_a_file_that_cannot_be_drawn_is_refused(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    path = tmp_path / "p.toml"
    path.write_text("version = 1\n[mix]\n".replace(*change), encoding="utf-8")
    with pytest.raises(ConfigError, match=message) as caught:
        read_profile(path)
    assert "p.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_notes_in_the_file_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text('version = 1\nmade = 2026-11-30\n[mix]\n"spelling" = 1\n', encoding="utf-8-sig")
    assert read_profile(path) == {"version": 1, "made": "2026-11-30", "mix": {"spelling": 1}}


def test_files_that_are_none_are_refused(tmp_path: Path, profile: Profile) -> None:
    with pytest.raises(ConfigError, match="no such file; make one with"):
        read_profile(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_profile(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b"version = 1 # \xb9")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_profile(tmp_path / "latin.toml")
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be written"):
        write_profile(profile, tmp_path / "file" / "profile.toml")


def test_a_golden_set_lacks_nothing_of_its_own_profile() -> None:
    texts = [query.text for query in load_golden_set("firma").queries]
    own = profile_log(query_log(texts))
    assert missing(own.mix, texts) == {}


def test_a_golden_set_with_the_noise_of_a_profile_has_that_profile() -> None:
    mix = {
        "english_terms": 0.3,
        "abbreviations": 0.4,
        "query_form.no_punctuation": 0.8,
        "query_form.lower": 0.9,
        "typo.omission": 0.06,
        "typo.keyboard": 0.05,
        "typo.insertion": 0.03,
        "spelling": 0.06,
        "diacritics.strip": 0.45,
        "diacritics.some": 0.15,
        "query_form.keywords": 0.7,
    }
    queries = load_golden_set("firma").queries
    shares = missing(mix, [query.text for query in queries])
    variants = generate(queries, [Spec("traffic_mix", {"shares": shares})]).variants
    typed = {variant.query_id: variant.text for variant in variants}
    found = profile_log(query_log(list(typed.values()))).kinds
    kinds = {rule: kind for kind, rule in MIXED.items()}
    outside = [rule for rule, share in mix.items() if not held(found[kinds[rule]].share, share)]
    assert len(outside) <= 1, outside


def held(share: Share, truth: float) -> bool:
    return share.low <= truth <= share.high


def test_what_is_missing_makes_up_the_shares() -> None:
    texts = ["Umowa najmu"] * 1 + [f"umowa {word}" for word in ("najmu", "zlecenia", "o dzieło")]
    gap = missing({"query_form.lower": 0.9, "query_form.upper": 0.1, "query_form.polite": 0.0}, texts)
    assert gap["query_form.lower"] == pytest.approx((0.9 - 0.75) / 0.25)
    assert gap["query_form.upper"] == pytest.approx(0.1)
    assert "query_form.polite" not in gap


def test_lengths_and_conditions() -> None:
    import numpy as np

    words = [1, 2, 3, 4, 12]
    found = lengths_of(words, [5, 9, 15, 20, 80], np.array([1.0, 1, 1, 1, 96]), 1)
    assert found.mean_words.estimate == pytest.approx((1 + 2 + 3 + 4 + 12 * 96) / 100)
    assert found.mean_words.low < found.mean_words.estimate <= found.mean_words.high
    assert (found.median_words.estimate, found.median_words.low) == (12, 1)
    assert found.words == (1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 96)
    assert conditions(Counter({3: 50, 7: 50}), 0.333) == ((3,) * 10 + (7,) * 10, 0.3)
    rng = random.Random(1)
    sample = [rng.randrange(1, 9) for _ in range(400)]
    median = lengths_of(sample, sample, np.ones(400), 1).median_words
    assert median.low <= sorted(sample)[200] <= median.high
