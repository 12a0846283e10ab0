"""A suite after a person has looked at its variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from perturb.errors import GoldenSetError
from perturb.golden.review import ACCEPT, EDIT, REJECT, Decision, apply_decisions, export_review
from perturb.records import ORIGINAL, Query
from perturb.suite import Suite

UNDECIDED = "undecided"


def export_suite(suite: Suite, path: Path, *, sep: str = "\t", bom: bool = False) -> int:
    """Write the variants of a suite on a sheet for a person; see :func:`perturb.golden.review.export_review`.

    Args:
        suite: what to look at.
        path: the sheet; replaced whole.
        sep: tab, ``;`` or ``,``.
        bom: begin with a byte-order mark.

    Returns:
        Number of rows.
    """
    return export_review(suite.variants, _queries(suite), path, sep=sep, bom=bom)


def reviewed(suite: Suite, decisions: Iterable[Decision], *, keep_undecided: bool = True) -> Suite:
    """The suite as accepted: rejected variants left out, edited ones with the text of the reviewer.

    Originals always stay. The header gets an entry ``review`` that counts accepted, rejected, edited and undecided
    variants; that of an earlier review is kept under ``before``.

    Args:
        suite: as exported.
        decisions: one per variant at most.
        keep_undecided: whether variants without a decision stay.

    Raises:
        GoldenSetError: a decision on a variant that the suite lacks or on an original, two that differ on one variant,
            or an edited text that is blank, the query itself or that of another variant of the same rule.
    """
    decided = _by_variant(decisions, suite)
    outcome = {
        v.variant_id: decided[v.variant_id].decision if v.variant_id in decided else UNDECIDED
        for v in suite.variants
        if v.perturbation != ORIGINAL
    }
    applied = apply_decisions(suite.variants, _queries(suite), decided)
    kept = [
        replace(variant, confidence=1.0) if outcome.get(variant.variant_id) == EDIT else variant
        for variant in applied
        if keep_undecided or outcome.get(variant.variant_id) != UNDECIDED
    ]
    counts = Counter(outcome.values())
    entry: dict[str, Any] = {
        "accepted": counts[ACCEPT],
        "rejected": counts[REJECT],
        "edited": counts[EDIT],
        UNDECIDED: counts[UNDECIDED],
        "undecided_kept": keep_undecided,
    }
    if "review" in suite.header:
        entry["before"] = suite.header["review"]
    return Suite({**suite.header, "review": entry}, tuple(kept))


def _queries(suite: Suite) -> list[Query]:
    return [Query(v.query_id, v.text) for v in suite.variants if v.perturbation == ORIGINAL]


def _by_variant(decisions: Iterable[Decision], suite: Suite) -> Mapping[str, Decision]:
    variants = {variant.variant_id: variant for variant in suite.variants}
    originals = {query.query_id: query.text for query in _queries(suite)}
    taken = {(v.query_id, v.perturbation, v.text): v.variant_id for v in suite.variants}
    decided: dict[str, Decision] = {}
    for decision in decisions:
        name = decision.variant_id
        variant = variants.get(name)
        if variant is None:
            raise GoldenSetError(
                f"decision on {name!r}, which is no variant of this suite; review the sheet of its export"
            )
        if variant.perturbation == ORIGINAL:
            raise GoldenSetError(f"decision on {name!r}, which is an original query; only variants are reviewed")
        if name in decided and decided[name] != decision:
            raise GoldenSetError(f"{name!r} is decided twice and differently; keep one row")
        decided[name] = decision
        if decision.decision != EDIT:
            continue
        if variant.query_id not in originals:
            raise GoldenSetError(
                f"{name!r} is edited, but the suite lacks its query {variant.query_id!r}; generate it again"
            )
        if not decision.text.strip():
            raise GoldenSetError(f"{name!r}: edited_text is blank; write the text, or reject the variant")
        if decision.text == originals[variant.query_id]:
            raise GoldenSetError(f"{name!r}: edited_text is the query itself; reject the variant instead")
        other = taken.setdefault((variant.query_id, variant.perturbation, decision.text), name)
        if other != name:
            raise GoldenSetError(f"{name!r}: edited_text is that of {other!r} already; reject one of the two")
    return decided
