"""Measures of rankings: against judgements, and of one ranking against another.

Sources: recall, precision, R-precision, MAP and MRR as in trec_eval; nDCG of Järvelin and Kekäläinen (TOIS 2002) with
the discount ``log2(rank + 1)``; condensed lists of Sakai (SIGIR 2007); rank-biased overlap of Webber, Moffat and Zobel
(TOIS 2010).
"""

from perturb.measures.agreement import overlap, query_shift, rank_biased_overlap
from perturb.measures.context import context_recall, relative_recall
from perturb.measures.names import FORMULAS, Measure, parse_measure
from perturb.measures.qrels import OUTSIDE, Qrels, QueryMatch, match_queries
from perturb.measures.rankings import (
    check_rankings,
    rankings_from_dict,
    rankings_from_lists,
    rankings_from_scores,
    ties_at_cutoff,
    without_documents,
)
from perturb.measures.scoring import refuse_huge_gains, score

__all__ = [
    "FORMULAS",
    "OUTSIDE",
    "Measure",
    "Qrels",
    "QueryMatch",
    "check_rankings",
    "context_recall",
    "match_queries",
    "overlap",
    "parse_measure",
    "query_shift",
    "rank_biased_overlap",
    "rankings_from_dict",
    "rankings_from_lists",
    "rankings_from_scores",
    "refuse_huge_gains",
    "relative_recall",
    "score",
    "ties_at_cutoff",
    "without_documents",
]
