from collections.abc import Sequence

import numpy as np
import pytest

from perturb.evaluation import Evaluation
from perturb.evaluation.misses import MISS_CLASSES, MISS_MEANINGS, _Corpus, miss_classes
from tests.tiny_evaluation import tiny_evaluation

DOCUMENTS = {
    "right": "korekta faktury sprzedaży wymaga numeru dokumentu pierwotnego",
    "twin": "korekta faktury zakupu wymaga numeru dokumentu pierwotnego",
    "topic": "duplikat faktury wystawia księgowość na wniosek klienta",
    "lure": "urlop bezplatny korekty grafiku",
    "odd": "parking podziemny brama garaż",
    **{f"other{n}": f"tekst{n} o czym{n} innym{n}" for n in range(20)},
}


def _evaluation(found: Sequence[str] | None, text: str = "korekty faktur") -> Evaluation:
    rankings = {"q1": ["right"]} | ({} if found is None else {"q1/case/0": found})
    return tiny_evaluation(
        {"q1": "korekta faktury"},
        [("q1", "case", text)],
        documents=DOCUMENTS,
        qrels=[("q1", "right", 1), ("q1", "other3", 1)],
        rankings={"a": rankings},
    )


@pytest.mark.parametrize(
    ("ranking", "expected"),
    [
        (["twin", "right"], "near-duplicate"),
        (["topic", "right"], "same topic"),
        (["lure", "right"], "lexical lure"),
        (["odd", "right"], "other"),
        # The best-ranked newcomer counts, the rest does not; a right document that is gone is overtaken too.
        (["topic", "twin"], "same topic"),
        (None, "nothing found"),
    ],
)
def test_class_of_a_miss_by_hand(ranking: Sequence[str] | None, expected: str) -> None:
    found = {entry.name: entry for entry in miss_classes(_evaluation(ranking))}
    assert list(found) == list(MISS_CLASSES) == list(MISS_MEANINGS)
    assert {name: (entry.share, entry.variants) for name, entry in found.items() if entry.variants} == {
        expected: (1.0, 1)
    }
    assert found[expected].n_queries == 1


def test_another_relevant_document_is_no_overtaker() -> None:
    # Under recall@1 of two relevant documents the score stays: nothing is lost.
    assert miss_classes(_evaluation(["other3", "right"])) == ()


def test_a_query_that_missed_before_cannot_miss() -> None:
    evaluation = tiny_evaluation(
        {"q1": "korekta"},
        [("q1", "case", "korekty")],
        documents=DOCUMENTS,
        qrels=[("q1", "right", 1)],
        rankings={"a": {"q1": ["odd"], "q1/case/0": ["lure"]}},
    )
    assert miss_classes(evaluation) == ()


def test_a_query_counts_once_however_many_variants_missed() -> None:
    evaluation = tiny_evaluation(
        {"q1": "korekta faktury", "q2": "korekta faktury sprzedaży"},
        [("q1", "case", "korekty faktur"), ("q1", "typo", "koretka faktury"), ("q2", "case", "korekt faktur")],
        documents=DOCUMENTS,
        qrels=[("q1", "right", 1), ("q2", "right", 1)],
        rankings={
            "a": {
                "q1": ["right"],
                "q1/case/0": ["twin"],
                "q1/typo/1": ["odd"],
                "q2": ["right"],
                "q2/case/2": ["twin"],
            }
        },
    )
    found = {entry.name: entry for entry in miss_classes(evaluation)}
    assert (found["near-duplicate"].share, found["near-duplicate"].variants) == (0.75, 2)
    assert (found["other"].share, found["other"].variants) == (0.25, 1)
    assert sum(entry.share for entry in found.values()) == pytest.approx(1.0)


def test_a_document_above_before_did_not_overtake() -> None:
    evaluation = tiny_evaluation(
        {"q1": "korekta faktury"},
        [("q1", "case", "korekty faktur")],
        documents=DOCUMENTS,
        qrels=[("q1", "right", 1)],
        measures=("mrr@10",),
        rankings={"a": {"q1": ["lure", "right"], "q1/case/0": ["lure", "twin", "right"]}},
    )
    assert [entry.name for entry in miss_classes(evaluation) if entry.variants] == ["near-duplicate"]


def test_similarity_is_the_weighted_jaccard_of_its_definition() -> None:
    corpus = _Corpus(_evaluation(["twin"]))
    similar = corpus.similarities(0)
    words = [set(text.replace(":", "").lower().split()) for text in DOCUMENTS.values()]
    weight = {word: np.log(1 + len(words) / sum(word in other for other in words)) for other in words for word in other}
    for column, other in enumerate(words):
        shared = sum(weight[word] for word in words[0] & other)
        assert similar[column] == pytest.approx(shared / sum(weight[word] for word in words[0] | other))
    assert similar[0] == pytest.approx(1.0)
