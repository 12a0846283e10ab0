from __future__ import annotations

import pytest

from perturb.errors import MeasureError
from perturb.measures import FORMULAS, Measure, parse_measure


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("recall@5", "recall@5"),
        ("Recall@5", "recall@5"),
        ("R@10", "recall@10"),
        ("recall_10", "recall@10"),
        ("P@5", "precision@5"),
        ("P_5", "precision@5"),
        ("precision @5", "precision@5"),
        ("F1@5", "f1@5"),
        ("success@3", "hit@3"),
        ("success_3", "hit@3"),
        ("hit_rate@3", "hit@3"),
        ("Hit-Rate@3", "hit@3"),
        ("Rprec", "rprec"),
        ("R-Precision", "rprec"),
        ("RR", "mrr"),
        ("RR@10", "mrr@10"),
        ("recip_rank", "mrr"),
        ("MRR@10(rel=2)", "mrr@10(rel=2)"),
        ("RR(rel=2)@10", "mrr@10(rel=2)"),
        ("mrr@10(rel=1)", "mrr@10"),
        ("AP", "map"),
        ("AP@100", "map@100"),
        ("map_cut_10", "map@10"),
        ("nDCG", "ndcg"),
        ("nDCG@10", "ndcg@10"),
        ("ndcg_cut_10", "ndcg@10"),
        ("NDCG_exp@10", "ndcg_exp@10"),
        ("ndcg_burges@10", "ndcg_exp@10"),
        ("ndcg@10(condensed)", "ndcg@10(condensed)"),
        ("map( condensed , rel=2 )", "map(rel=2,condensed)"),
        ("judged@10", "judged@10"),
        ("R_cap@10", "rcap@10"),
        ("recall@05", "recall@5"),
        (" recall@5 ", "recall@5"),
        ("mrr()", "mrr"),
        ("context_recall@2000", "context_recall@2000"),
        ("Context-Recall @4000(rel=2)", "context_recall@4000(rel=2)"),
        ("relative recall@10", "relative_recall@10"),
    ],
)
def test_names_and_aliases(text, canonical):
    measure = parse_measure(text)
    assert measure.name == str(measure) == canonical
    assert parse_measure(measure.name) == measure
    assert parse_measure(measure) is measure


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("recal@5", "did you mean 'recall'"),
        ("context_recall", "needs a cut-off"),
        ("relative_recall", "needs a cut-off"),
        ("context_recall@2000(condensed)", "takes no condensed"),
        ("relative_recall@5(condensed)", "takes no condensed"),
        ("ncdg@10", "did you mean 'ndcg'"),
        ("hitrat@10", "did you mean 'hit'"),
        ("bleu@4", "known: recall, rcap"),
        ("recall", "needs a cut-off, such as recall@10"),
        ("judged", "needs a cut-off"),
        ("rprec@10", "takes no cut-off"),
        ("recall@0", "cut-off '0'"),
        ("recall@-5", "cut-off '-5'"),
        ("recall@5.5", r"cut-off '5\.5'"),
        ("recall@five", "cut-off 'five'"),
        ("recall@٣", "cut-off '٣'"),
        ("recall@", "cannot be read"),
        ("", "cannot be read"),
        ("@5", "cannot be read"),
        ("recall@5@10", "cut-off '5@10'"),
        ("mrr(rel=2)@10(rel=2)", "options twice"),
        ("mrr@10(rel=0)", "option 'rel=0'"),
        ("mrr@10(level=2)", "option 'level=2'"),
        ("mrr@10(condensed=1)", "option 'condensed=1'"),
        ("ndcg@10(rel=2)", "ndcg counts every grade"),
        ("judged@10(rel=2)", "judged counts every grade"),
        ("judged@10(condensed)", "always 1"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(text, message):
    with pytest.raises(MeasureError, match=message) as caught:
        parse_measure(text)
    assert "\n" not in str(caught.value)
    assert repr(text) in str(caught.value)


def test_depth_and_formula():
    assert parse_measure("recall@5").needs_depth == 5
    assert parse_measure("map").needs_depth is None
    assert parse_measure("ndcg@10(condensed)").needs_depth is None
    assert all(Measure(family, 10).formula for family in FORMULAS)
