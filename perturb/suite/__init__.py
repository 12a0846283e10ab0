"""Suites: the variants of one golden set, with the settings that made them."""

from perturb.suite.files import as_json, read_suite, write_suite
from perturb.suite.generating import DEFAULT_PERTURBATIONS, DEFAULT_SEED, generate, specs_from
from perturb.suite.shapes import Spec, Suite

__all__ = [
    "DEFAULT_PERTURBATIONS",
    "DEFAULT_SEED",
    "Spec",
    "Suite",
    "as_json",
    "generate",
    "read_suite",
    "specs_from",
    "write_suite",
]
