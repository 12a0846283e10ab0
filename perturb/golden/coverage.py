"""How many queries each perturbation and each of its kinds reaches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from perturb.records import ORIGINAL, Variant

ALL_KINDS = "all"


class CoverageRow(NamedTuple):
    """Reach of one perturbation (``kind`` is ``all``) or of one of its kinds.

    Attributes:
        perturbation: registered name.
        kind: the finer cell, or ``all``.
        n_queries: queries with at least one variant.
        n_variants: variants.
        share: ``n_queries`` by all queries, 0 to 1; 0 if there are none.
    """

    perturbation: str
    kind: str
    n_queries: int
    n_variants: int
    share: float


def coverage(variants: Iterable[Variant], n_queries: int) -> list[CoverageRow]:
    """Count queries and variants per perturbation and kind.

    Args:
        variants: variants of one suite; ``original`` ones are not counted.
        n_queries: queries of the golden set, those no perturbation applies to included.

    Returns:
        Perturbations in the order of first appearance, each with its row ``all`` first, then its kinds by name.
    """
    queries: dict[str, dict[str, set[str]]] = {}
    counts: dict[tuple[str, str], int] = {}
    for variant in variants:
        if variant.perturbation == ORIGINAL:
            continue
        kinds = queries.setdefault(variant.perturbation, {ALL_KINDS: set()})
        for kind in {ALL_KINDS, variant.kind}:
            kinds.setdefault(kind, set()).add(variant.query_id)
            counts[variant.perturbation, kind] = counts.get((variant.perturbation, kind), 0) + 1
    rows = []
    for perturbation, kinds in queries.items():
        for kind in sorted(kinds, key=lambda kind: (kind != ALL_KINDS, kind)):
            reached = len(kinds[kind])
            share = reached / n_queries if n_queries else 0.0
            rows.append(CoverageRow(perturbation, kind, reached, counts[perturbation, kind], share))
    return rows
