import json
import subprocess
import sys
from pathlib import Path

import pytest

from perturb.errors import ConfigError, GoldenSetError
from perturb.records import ORIGINAL, Query, replay
from perturb.suite import DEFAULT_PERTURBATIONS, generate, read_suite, specs_from, write_suite

QUERIES = [
    Query("q1", "jak wystawić fakturę korygującą"),
    Query("q2", "termin płatności faktury"),
    Query("q3", "urlop"),
    Query("q4", "rezygnacja z umowy najmu lokalu użytkowego"),
]


def test_same_seed_same_suite_in_any_order_of_queries() -> None:
    specs = specs_from(DEFAULT_PERTURBATIONS)
    forward = generate(QUERIES, specs, seed=7)
    backward = generate(QUERIES[::-1], specs, seed=7)
    alone = generate(QUERIES[1:2], specs, seed=7)
    assert set(forward.variants) == set(backward.variants)
    assert [v for v in forward.variants if v.query_id == "q2"] == list(alone.variants)
    assert forward.variants != generate(QUERIES, specs, seed=8).variants


def test_every_variant_replays_and_no_text_stands_twice_within_a_perturbation() -> None:
    suite = generate(QUERIES, specs_from(DEFAULT_PERTURBATIONS))
    texts = {query.query_id: query.text for query in QUERIES}
    seen = set()
    for variant in suite.variants:
        assert replay(texts[variant.query_id], variant.edits) == variant.text
        assert (variant.perturbation, variant.query_id, variant.text) not in seen
        seen.add((variant.perturbation, variant.query_id, variant.text))
        assert (variant.text == texts[variant.query_id]) == (variant.perturbation == ORIGINAL)


def test_the_header_says_what_made_the_suite_and_how_far_it_reaches() -> None:
    suite = generate(QUERIES, specs_from(["diacritics"]), seed=3, protected=["urlop"], golden_set_hash="abc")
    header = suite.header
    assert header["seed"] == 3
    assert header["golden_set"] == "abc"
    assert header["protected"] == ["urlop"]
    assert header["morfeusz"].startswith("pl.sgjp")
    assert header["spec"][0]["name"] == "diacritics"
    coverage = header["coverage"]["diacritics"]
    assert coverage["queries"] == 4
    assert coverage["applicable"] == 3  # «urlop» has no diacritics: not applicable, not a drop of 0
    assert coverage["variants"] == sum(v.perturbation == "diacritics" for v in suite.variants)


def test_variant_ids_never_collide_with_query_ids() -> None:
    first = generate([Query("q", "żółta łódź")], specs_from(["diacritics.strip"]))
    clash = next(v.variant_id for v in first.variants if v.perturbation != ORIGINAL)
    suite = generate([Query("q", "żółta łódź"), Query(clash, "inne pytanie")], specs_from(["diacritics.strip"]))
    ids = [v.variant_id for v in suite.variants]
    assert len(ids) == len(set(ids))
    assert {v.query_id for v in suite.variants if v.text == "zolta lodz"} == {"q"}


def test_a_suite_survives_its_file(tmp_path: Path) -> None:
    suite = generate(QUERIES, specs_from(["diacritics", "typo"]))
    path = tmp_path / "deep" / "variants.jsonl"
    write_suite(suite, path)
    assert read_suite(path).variants == suite.variants
    assert read_suite(path).sha256 == suite.sha256
    assert json.loads(path.read_text(encoding="utf-8").splitlines()[0])["suite"]["seed"] == suite.header["seed"]
    assert [p.name for p in path.parent.iterdir()] == ["variants.jsonl"]


VARIANT = (
    '{"variant_id": "v", "query_id": "v", "perturbation": "original", "kind": "original", "text": "umowa", '
    '"edits": [], "confidence": 1.0, "flags": [], "seed": ""}'
)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "is empty"),
        (["{}"], ":1: not a suite header"),
        (["[1]"], ":1: not a suite header"),
        (['{"suite": {}}', "{"], ":2: not a variant"),
        (['{"suite": {}}', '{"variant_id": "v"}'], ":2: not a variant"),
        (['{"suite": []}'], ":1: not a suite header (it is no object"),
        (['{"suite": {"spec": 5}}'], ":1: not a suite header (it is no object, or its spec no list"),
        (['{"suite": {"spec": ["typo"]}}'], ":1: not a suite header (it is no object, or its spec no list"),
        (['{"suite": {"coverage": []}}'], ":1: not a suite header (its coverage is no object)"),
        (['{"suite": {}}'], "holds no variants"),
        (['{"suite": {}}', VARIANT.replace("1.0", "NaN")], ":2: not a variant (confidence nan is not between 0 and 1)"),
        (['{"suite": {}}', VARIANT.replace("[]", "5", 1)], ":2: not a variant"),
    ],
)
def test_a_broken_suite_is_refused_with_its_line(tmp_path: Path, lines: list[str], message: str) -> None:
    path = tmp_path / "variants.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(GoldenSetError) as error:
        read_suite(path)
    assert message in str(error.value)
    assert str(path) in str(error.value)


def test_a_variant_whose_edits_do_not_give_its_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "variants.jsonl"
    write_suite(generate(QUERIES[:1], specs_from(["diacritics.strip"])), path)
    path.write_text(
        path.read_text(encoding="utf-8").replace('"text": "jak wystawic', '"text": "jak wystawi'), encoding="utf-8"
    )
    with pytest.raises(GoldenSetError, match=r":3: not a variant .its edits do not give its text"):
        read_suite(path)


def test_doubled_variant_ids_and_missing_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "variants.jsonl"
    write_suite(generate(QUERIES[:1], specs_from(["typo"])), path)
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*lines, lines[1]]), encoding="utf-8")
    with pytest.raises(GoldenSetError, match="'q1' stands twice"):
        read_suite(path)
    with pytest.raises(GoldenSetError, match="cannot be read as a suite"):
        read_suite(tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    ("names", "tables", "message"),
    [
        (["tpyo"], {}, "did you mean 'typo'"),
        (["typo", "typo"], {}, "named 2 times"),
        (["typo"], {"diacritics": {}}, "'diacritics' is not among the perturbations"),
        (["typo"], {"typo": {"colour": 1}}, "has no setting 'colour'"),
        (["typo"], {"typo": {"draws": "many"}}, "give a whole number"),
        (["typo"], {"typo": {"draws": 0}}, "give a number from 1 to 1000"),
        (["typo"], {"typo": {"severity": "high"}}, "severity"),
    ],
)
def test_wrong_specs_are_refused_in_one_line(
    names: list[str], tables: dict[str, dict[str, object]], message: str
) -> None:
    with pytest.raises(ConfigError) as error:
        specs_from(names, tables)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_more_draws_keep_the_first_ones() -> None:
    few = generate(QUERIES, specs_from(["typo"], {"typo": {"draws": 2}}))
    more = generate(QUERIES, specs_from(["typo"], {"typo": {"draws": 6}}))
    assert {(v.query_id, v.text) for v in few.variants} < {(v.query_id, v.text) for v in more.variants}


def test_hash_randomisation_changes_nothing(tmp_path: Path) -> None:
    texts = []
    for hash_seed in ("0", "12345"):
        out = tmp_path / f"{hash_seed}.jsonl"
        command = [sys.executable, "-m", "perturb", "generate", "firma", "--out", str(out), "--quiet"]
        command += ["--perturbations", "typo,diacritics,spelling"]
        subprocess.run(command, check=True, capture_output=True, env={"PYTHONHASHSEED": hash_seed})
        texts.append(out.read_bytes())
    assert texts[0] == texts[1]


def test_a_kind_that_means_all_kinds_together_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from perturb.perturbations.diacritics import StripDiacritics

    monkeypatch.setattr(
        StripDiacritics,
        "__call__",
        lambda self, query, rng: iter([query.variant("diacritics.strip", "all", [query.edit(0, 1, "x")])]),
    )
    monkeypatch.setattr(StripDiacritics, "__module__", "theirs")
    with pytest.raises(ConfigError, match="yields kind 'all', which is reserved"):
        generate(QUERIES, specs_from(["diacritics.strip"]))


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1c", "\r", "\n", "\t"])
def test_a_text_with_any_line_separator_survives_its_file(tmp_path: Path, separator: str) -> None:
    suite = generate([Query("q1", f"żądanie{separator}zapłaty faktury")], specs_from(["diacritics.strip", "typo"]))
    write_suite(suite, tmp_path / "variants.jsonl")
    assert read_suite(tmp_path / "variants.jsonl") == suite
