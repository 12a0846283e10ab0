"""A split that new queries do not disturb, and counts of what perturbations reach."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from perturb.errors import ConfigError, GoldenSetError
from perturb.golden.coverage import CoverageRow, coverage
from perturb.golden.goldenset import GoldenSet, load_golden_set
from perturb.golden.held_out import held_out
from perturb.golden.split import split, write_split
from perturb.records import Judgement, Query, Variant

from .folders import golden

MANY = GoldenSet(
    "wiele",
    Path("wiele"),
    (),
    tuple(Query(f"q{number}", f"pytanie {number}") for number in range(2000)),
    tuple(Judgement(f"q{number}", "d1", 1) for number in range(2000)),
)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_share_and_independence_of_order(share: float) -> None:
    parts = split(MANY, seed=3, dev_share=share)
    count = list(parts.values()).count("dev")
    # Four standard deviations of a binomial count.
    assert abs(count - 2000 * share) < 4 * (2000 * share * (1 - share)) ** 0.5
    assert split(replace(MANY, queries=MANY.queries[::-1]), seed=3, dev_share=share) == parts
    fewer = split(replace(MANY, queries=MANY.queries[::3]), seed=3, dev_share=share)
    assert fewer == {query_id: parts[query_id] for query_id in fewer}
    assert split(MANY, seed=4, dev_share=share) != parts


def test_near_duplicates_and_variants_stay_together() -> None:
    twins = tuple(Query(f"z{number}", f"Pytanie,  {number}?") for number in range(2000))
    bare = (Query("ż1", "Źródło prądu"), Query("ż2", "zrodlo pradu"))
    variants = tuple(Query(f"v{number}", f"zupełnie inne słowa {number}") for number in range(2000))
    metadata = {f"v{number}": {"parent": f"z{number}"} for number in range(2000)}
    parts = split(replace(MANY, queries=(*variants, *twins, *bare, *MANY.queries), query_metadata=metadata))
    assert all(parts[f"q{number}"] == parts[f"z{number}"] == parts[f"v{number}"] for number in range(2000))
    assert parts["ż1"] == parts["ż2"]
    assert set(parts.values()) == {"dev", "test"}


@pytest.mark.parametrize("share", [0, 1, -1, float("nan")])
def test_impossible_share(share: float) -> None:
    with pytest.raises(ConfigError, match="dev_share"):
        split(MANY, dev_share=share)


def test_parts_load(tmp_path: Path) -> None:
    folder = golden(tmp_path, {})
    whole = load_golden_set(folder)
    assert write_split(whole, {"q1": "dev", "q2": "test"}) == folder / "split.tsv"
    assert load_golden_set(folder) == whole
    dev = load_golden_set(folder, part="dev")
    assert [query.query_id for query in dev.queries] == ["q1"]
    assert dev.judgements == (Judgement("q1", "d1", 2),)
    assert dev.documents == whole.documents
    with pytest.raises(GoldenSetError, match="has no part 'train'; parts: dev, test"):
        load_golden_set(folder, part="train")
    (folder / "split.tsv").write_text("q1 dev\n", encoding="utf-8")
    with pytest.raises(GoldenSetError, match=r"split\.tsv:1: .*is not query id, tab, part"):
        load_golden_set(folder, part="dev")
    write_split(whole, {"q1": "dev"}, tmp_path / "elsewhere.tsv")
    assert (tmp_path / "elsewhere.tsv").read_text(encoding="utf-8") == "query-id\tpart\nq1\tdev\n"


def test_coverage() -> None:
    def variant(query_id: str, perturbation: str, kind: str) -> Variant:
        return Variant(f"{query_id}{kind}", query_id, perturbation, kind, "x")

    variants = [
        variant("q1", "original", "original"),
        variant("q1", "typo", "skip"),
        variant("q1", "typo", "double"),
        variant("q2", "typo", "skip"),
        variant("q2", "case", "gen"),
    ]
    assert coverage(variants, 4) == [
        CoverageRow("typo", "all", 2, 3, 0.5),
        CoverageRow("typo", "double", 1, 1, 0.25),
        CoverageRow("typo", "skip", 2, 2, 0.5),
        CoverageRow("case", "all", 1, 1, 0.25),
        CoverageRow("case", "gen", 1, 1, 0.25),
    ]
    assert coverage([], 0) == []
    assert coverage([variant("q1", "typo", "all")], 0) == [CoverageRow("typo", "all", 1, 1, 0.0)]


# --- what is held out -----------------------------------------------------------------------------------------------


def _asked(folder: Path, parts: dict[str, str] | None, qrels: dict[str, str] | None = None) -> Path:
    """Four queries; their parts in ``split.tsv``, or in files of ``qrels/``."""
    folder.mkdir()
    (folder / "corpus.jsonl").write_text('{"_id": "d1", "text": "urlop i umowa"}\n', encoding="utf-8")
    queries = [f'{{"_id": "q{i}", "text": "pytanie numer {i}"}}\n' for i in range(4)]
    (folder / "queries.jsonl").write_text("".join(queries), encoding="utf-8")
    if qrels is None or "" in qrels:
        (folder / "qrels.tsv").write_text("".join(f"q{i}\td1\t1\n" for i in range(4)), encoding="utf-8")
    for name, ids in (qrels or {}).items():
        if name:
            (folder / "qrels").mkdir(exist_ok=True)
            (folder / "qrels" / f"{name}.tsv").write_text("".join(f"q{i}\td1\t1\n" for i in ids), encoding="utf-8")
    if parts:
        lines = [f"q{i}\t{name}\n" for name, ids in parts.items() for i in ids]
        (folder / "split.tsv").write_text("query-id\tpart\n" + "".join(lines), encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", ["test", "final", "Ostatni", "holdout"])
def test_every_part_that_is_not_for_looking_is_held_out(tmp_path: Path, name: str) -> None:
    folder = _asked(tmp_path / "set", {"dev": "01", name: "23"})
    part = held_out(load_golden_set(folder, part=name), name)
    assert part is not None and (part.part, part.whole, part.n_queries) == (name, False, 2)
    assert held_out(load_golden_set(folder, part="dev"), "dev") is None
    whole = held_out(load_golden_set(folder), None)
    assert whole is not None and (whole.part, whole.whole, whole.n_queries) == (name, True, 2)
    assert whole.prints == part.prints


def test_several_held_out_parts_are_told_together(tmp_path: Path) -> None:
    whole = held_out(load_golden_set(_asked(tmp_path / "set", {"train": "0", "test": "1", "final": "23"})), None)
    assert whole is not None and (whole.part, whole.n_queries) == ("final+test", 3)


@pytest.mark.parametrize("parts", [None, {"dev": "01", "train": "23"}])
def test_without_a_held_out_part_nothing_is_looked_at(tmp_path: Path, parts: dict[str, str] | None) -> None:
    assert held_out(load_golden_set(_asked(tmp_path / "set", parts)), None) is None


def test_parts_in_qrels_are_held_out_too(tmp_path: Path) -> None:
    both = held_out(load_golden_set(_asked(tmp_path / "a", None, {"dev": "01", "test": "23"})), None)
    assert both is not None and (both.part, both.whole, both.n_queries) == ("test", False, 2)
    beside = held_out(load_golden_set(_asked(tmp_path / "b", None, {"": "", "dev": "01", "final": "3"})), None)
    assert beside is not None and (beside.part, beside.whole, beside.n_queries) == ("final", True, 1)
    assert held_out(load_golden_set(_asked(tmp_path / "c", None, {"test": "0123"})), None) is None


def test_a_held_out_part_is_known_by_its_texts(tmp_path: Path) -> None:
    folder = _asked(tmp_path / "set", {"dev": "01", "test": "23"})
    before = held_out(load_golden_set(folder, part="test"), "test")
    with (folder / "corpus.jsonl").open("a", encoding="utf-8") as lines:
        lines.write('{"_id": "d2", "text": "nie na temat"}\n')
    after = held_out(load_golden_set(folder, part="test"), "test")
    assert before is not None and before == after
