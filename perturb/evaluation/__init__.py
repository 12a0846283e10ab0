"""Evaluation: every model on every variant, and what each perturbation costs it."""

from perturb.evaluation.drops import ALL_KINDS, CleanScore, DropRow, clean_scores, drops
from perturb.evaluation.fragile import FragileQuery, fragile_queries
from perturb.evaluation.model_runs import ModelRun, RetrieverFactory
from perturb.evaluation.running import DEFAULT_MEASURES, Evaluation, evaluate

__all__ = [
    "ALL_KINDS",
    "DEFAULT_MEASURES",
    "CleanScore",
    "DropRow",
    "Evaluation",
    "FragileQuery",
    "ModelRun",
    "RetrieverFactory",
    "clean_scores",
    "drops",
    "evaluate",
    "fragile_queries",
]
