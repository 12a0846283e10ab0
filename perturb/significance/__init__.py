"""Intervals, tests and decisions on drops. Queries are resampled, never variants."""

from perturb.significance.adjustment import Adjusted, benjamini_hochberg, holm
from perturb.significance.comparison import Equivalence, drop_difference, equivalence, severity_slope
from perturb.significance.drops import Drop, average_variants, drops, paired_drop
from perturb.significance.estimates import MIN_QUERIES, ROUNDING, SMALL_SAMPLE, Estimate, estimates, rare_limit, shown
from perturb.significance.intervals import Method, Resampling, bootstrap_intervals
from perturb.significance.randomisation import EXACT_LIMIT, sign_flip_p_values
from perturb.significance.ranking import RankingChange, pareto_front, ranking_change, ranking_changes
from perturb.significance.tilting import tilted_p_values

__all__ = [
    "EXACT_LIMIT",
    "MIN_QUERIES",
    "ROUNDING",
    "SMALL_SAMPLE",
    "Adjusted",
    "Drop",
    "Equivalence",
    "Estimate",
    "Method",
    "RankingChange",
    "Resampling",
    "average_variants",
    "benjamini_hochberg",
    "bootstrap_intervals",
    "drop_difference",
    "drops",
    "equivalence",
    "estimates",
    "holm",
    "paired_drop",
    "pareto_front",
    "ranking_change",
    "ranking_changes",
    "rare_limit",
    "severity_slope",
    "shown",
    "sign_flip_p_values",
    "tilted_p_values",
]
