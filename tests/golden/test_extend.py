"""An extended golden set loads again, keeps every origin, and never asks one question with two answers."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perturb.errors import ConfigError, GoldenSetError
from perturb.golden import extend as extend_module
from perturb.golden.extend import ExtendSummary, extend
from perturb.golden.goldenset import GoldenSet, load_golden_set
from perturb.records import Document, Edit, Judgement, Query, Variant

from .folders import golden, jsonl

HEADER: dict[str, object] = {
    "perturb": "0.1.0",
    "seed": 7,
    "spec": [{"name": "case", "settings": {"share": 0.5, "all": True}, "draws": None}],
    "protected": ["„Termin \\ Plus”\n\x7f"],
    "none": None,
}
CASE = Variant(
    "q1::case::gen.sg::1", "q1", "case", "gen.sg", "czynszu za lokal", (Edit(0, 6, "czynsz", "czynszu"),), 0.9,
    frozenset({"ungrammatical", "meaning_risk"}), "7|case|q1|0",
)  # fmt: skip
ORIGINAL = Variant("q1", "q1", "original", "original", "czynsz za lokal")


@pytest.fixture
def golden_set(tmp_path: Path) -> GoldenSet:
    queries = jsonl(
        {"_id": "q1", "text": "czynsz za lokal", "metadata": {"dział": "najem"}}, {"_id": "q2", "text": "zwrot podatku"}
    )
    corpus = jsonl(
        {"_id": "d1", "text": "Umowa najmu", "metadata": {"url": "x"}}, {"_id": "d2", "title": "T", "text": "b"}
    )
    qrels = "q1\td1\t2\nq1\td2\t0\nq2\td2\t1\n"
    return load_golden_set(
        golden(tmp_path / "mała", {"queries.jsonl": queries, "corpus.jsonl": corpus, "qrels.tsv": qrels})
    )


def test_round_trip(golden_set: GoldenSet, tmp_path: Path) -> None:
    summary = extend(golden_set, [ORIGINAL, CASE], HEADER, tmp_path / "nowa" / "out")
    extended = load_golden_set(tmp_path / "nowa" / "out")
    assert summary == ExtendSummary(tmp_path / "nowa" / "out", extended.sha256, 2, 1, 5, 0, 0, 0, 0)
    assert extended.name == "mała-extended"
    assert extended.documents == golden_set.documents
    assert extended.queries == (*golden_set.queries, Query(CASE.variant_id, CASE.text))
    assert extended.judgements == (
        *golden_set.judgements, Judgement(CASE.variant_id, "d1", 2), Judgement(CASE.variant_id, "d2", 0),
    )  # fmt: skip
    assert extended.notes == ()
    assert extended.document_metadata == {"d1": {"url": "x"}}
    assert extended.query_metadata == {
        "q1": {"dział": "najem"},
        CASE.variant_id: {
            "parent": "q1", "variant_id": CASE.variant_id, "perturbation": "case", "kind": "gen.sg",
            "edits": [{"start": 0, "end": 6, "before": "czynsz", "after": "czynszu"}], "seed": "7|case|q1|0",
            "confidence": 0.9, "flags": ["meaning_risk", "ungrammatical"],
        },
    }  # fmt: skip


def test_provenance(golden_set: GoldenSet, tmp_path: Path) -> None:
    extend(golden_set, [CASE], {**HEADER, "golden_set": golden_set.sha256}, tmp_path / "out")
    description = tomllib.loads((tmp_path / "out" / "goldenset.toml").read_text(encoding="utf-8"))
    assert description["origin"]["golden_set_sha256"] == golden_set.sha256
    assert description["suite"]["seed"] == 7
    assert description["suite"]["spec"] == [{"name": "case", "settings": {"share": 0.5, "all": True}}]
    assert description["suite"]["protected"] == HEADER["protected"]


@pytest.mark.parametrize(
    ("taken", "expected"),
    [((CASE.variant_id,), f"{CASE.variant_id}-2"), ((CASE.variant_id, f"{CASE.variant_id}-2"), f"{CASE.variant_id}-3")],
)
def test_ids_never_collide(golden_set: GoldenSet, tmp_path: Path, taken: tuple[str, ...], expected: str) -> None:
    others = tuple(Query(query_id, f"inne pytanie {number}") for number, query_id in enumerate(taken))
    judged = tuple(Judgement(query_id, "d2", 1) for query_id in taken)
    crowded = replace(golden_set, queries=(*golden_set.queries, *others), judgements=(*golden_set.judgements, *judged))
    summary = extend(crowded, [CASE], {}, tmp_path / "out")
    assert summary.renamed == 1
    extended = load_golden_set(tmp_path / "out")
    assert extended.queries[-1] == Query(expected, CASE.text)
    assert extended.query_metadata[expected]["variant_id"] == CASE.variant_id


def test_two_variants_with_one_id(golden_set: GoldenSet, tmp_path: Path) -> None:
    extend(golden_set, [CASE, replace(CASE, text="czynsze za lokal")], {}, tmp_path / "out")
    assert [query.query_id for query in load_golden_set(tmp_path / "out").queries[2:]] == [
        CASE.variant_id,
        f"{CASE.variant_id}-2",
    ]


@pytest.mark.parametrize(
    ("texts", "kept", "repeated", "ambiguous"),
    [
        pytest.param(("czynsz za lokal",), 0, 1, 0, id="equals its query"),
        pytest.param(("CZYNSZ ZA LOKAL",), 1, 0, 0, id="differs from its query by case"),
        pytest.param(("Zwrot  podatku",), 0, 0, 1, id="equals another query, case folded"),
        pytest.param(("czynszu", "czynszu"), 1, 1, 0, id="two alike"),
        pytest.param(("czynsz za lo\u00adkal",), 0, 1, 0, id="differs from its query by a soft hyphen"),
    ],
)
def test_left_out(
    golden_set: GoldenSet, tmp_path: Path, texts: tuple[str, ...], kept: int, repeated: int, ambiguous: int
) -> None:
    variants = [replace(CASE, variant_id=f"v{number}", text=text) for number, text in enumerate(texts)]
    summary = extend(golden_set, variants, {}, tmp_path / "out")
    assert (summary.variants, summary.repeated, summary.ambiguous) == (kept, repeated, ambiguous)


def test_blank_is_left_out(golden_set: GoldenSet, tmp_path: Path) -> None:
    summary = extend(golden_set, [replace(CASE, text="\u200b ")], {}, tmp_path / "out")
    assert (summary.variants, summary.blank) == (0, 1)


def test_variants_of_two_queries_with_one_text(golden_set: GoldenSet, tmp_path: Path) -> None:
    pair = [replace(CASE, variant_id="a", text="Podatek"), replace(CASE, variant_id="b", query_id="q2", text="podatek")]
    assert extend(golden_set, pair, {}, tmp_path / "other").ambiguous == 2
    alike = tuple(Judgement(query_id, "d1", 1) for query_id in ("q1", "q2"))
    assert extend(replace(golden_set, judgements=alike), pair, {}, tmp_path / "alike").variants == 2


def test_stranger_and_other_golden_set(golden_set: GoldenSet, tmp_path: Path) -> None:
    with pytest.raises(GoldenSetError, match=r"'v9' belongs to query 'q9'"):
        extend(golden_set, [replace(CASE, variant_id="v9", query_id="q9")], {}, tmp_path / "out")
    with pytest.raises(GoldenSetError, match=r"a variant of query 'q1' has the id .*control character"):
        extend(golden_set, [replace(CASE, variant_id="v\t9")], {}, tmp_path / "out")
    with pytest.raises(GoldenSetError, match="made from another golden set"):
        extend(golden_set, [CASE], {"golden_set": "0" * 64}, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_nothing_is_overwritten(golden_set: GoldenSet, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    extend(golden_set, [CASE], {}, tmp_path / "out")
    with pytest.raises(ConfigError, match="not empty"):
        extend(golden_set, [CASE], {}, tmp_path / "out")
    with pytest.raises(ConfigError, match="is a file"):
        extend(golden_set, [CASE], {}, tmp_path / "out" / "qrels.tsv")


def test_interrupted(golden_set: GoldenSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> Mapping[str, object]:
        raise KeyboardInterrupt

    monkeypatch.setattr(extend_module, "_origin", interrupt)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(KeyboardInterrupt):
        extend(golden_set, [CASE], {}, tmp_path / "out")
    assert sorted(tmp_path.iterdir()) == before


def test_same_bytes_twice_and_extension_of_an_extension(golden_set: GoldenSet, tmp_path: Path) -> None:
    extend(golden_set, [CASE], HEADER, tmp_path / "a")
    extend(golden_set, [CASE], HEADER, tmp_path / "b")
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()
    first = load_golden_set(tmp_path / "a")
    again = replace(CASE, variant_id="v2", query_id=CASE.variant_id, text="czynszu za lokale")
    extend(first, [again], {}, tmp_path / "c")
    metadata = load_golden_set(tmp_path / "c").query_metadata
    assert metadata["v2"]["parent"] == CASE.variant_id
    assert metadata[CASE.variant_id]["parent"] == "q1"


def test_without_corpus(golden_set: GoldenSet, tmp_path: Path) -> None:
    extend(replace(golden_set, documents=()), [CASE], {}, tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "goldenset.toml",
        "qrels.tsv",
        "queries.jsonl",
    ]


text = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cf"]), max_size=12).map(lambda t: f"ą{t}")


identifiers = st.from_regex(r"[a-zżą#=. ]{1,6}x", fullmatch=True).map(str.strip)


@settings(deadline=None, max_examples=50)
@given(ids=st.lists(identifiers, min_size=2, max_size=5, unique=True),
       texts=st.lists(text, min_size=5, max_size=5), seed=st.text(max_size=5))  # fmt: skip
def test_any_golden_set_round_trips(
    tmp_path_factory: pytest.TempPathFactory, ids: list[str], texts: list[str], seed: str
) -> None:
    from perturb.polish.text import clean

    documents = tuple(Document(name, clean(body), clean(texts[0])) for name, body in zip(ids, texts, strict=False))
    queries = tuple(Query(name, clean(body)) for name, body in zip(ids, reversed(texts), strict=False))
    judgements = tuple(Judgement(name, ids[0], 1) for name in ids)
    made = GoldenSet("każda", Path("każda"), documents, queries, judgements)
    out = tmp_path_factory.mktemp("round") / "out"
    summary = extend(
        made, [Variant("w::1", ids[0], "typo", "skip", "zupełnie inny tekst", seed=seed)], {"s": seed}, out
    )
    assert json.loads((out / "queries.jsonl").read_text(encoding="utf-8").split("\n")[-2])["metadata"]["seed"] == seed
    extended = load_golden_set(out)
    assert extended.queries[: len(ids)] == queries
    assert extended.documents == documents
    assert extended.sha256 == summary.sha256
