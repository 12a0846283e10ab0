"""Everything a report says beyond its tables: models compared, drops explained, limits checked, looks counted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from perturb.evaluation.between import between
from perturb.evaluation.harm import harm
from perturb.evaluation.looks import Looks, count_look, recall_looks
from perturb.evaluation.noticed import noticed
from perturb.evaluation.running import Evaluation
from perturb.evaluation.stability import stability
from perturb.evaluation.standing import standings
from perturb.evaluation.why import why
from perturb.golden.held_out import held_out
from perturb.report.gate import check_gate, read_gate
from perturb.report.tables import Report
from perturb.significance import Resampling


def analysed(
    report: Report,
    resampling: Resampling,
    gate: Mapping[str, Any],
    *,
    again: bool = False,
    groups: dict[str, str] | None = None,
    adjustment: str = "holm",
) -> Report:
    """Complete a report.

    Args:
        report: with its tables.
        resampling: seed, resamples, confidence and method.
        gate: ``[gate]`` table; empty for none.
        again: the report is written once more, which is no further look at the held-out part.
        groups: by query id what is resampled as a whole, as for the tables of the report; ``None`` for single queries.
        adjustment: correction for many tests, as for the tables of the report.

    Returns:
        The same report with comparisons, explanations, gate and looks.

    Raises:
        ConfigError: a limit on what the run does not have.
    """
    evaluation = report.evaluation
    full = replace(
        report,
        between=between(evaluation, report.rows, report.clean, resampling, groups, adjustment),
        why=why(evaluation, resampling, groups),
        harm=harm(evaluation, resampling, groups=groups),
        stability=stability(evaluation, resampling, groups),
        standings=standings(evaluation, resampling, groups, adjustment),
        noticed=noticed(evaluation, resampling, groups),
        looks=_looks(evaluation, report.settings.get("part"), again),
    )
    limits = read_gate(gate)
    return full if limits is None else replace(full, gate=check_gate(full, limits))


def _looks(evaluation: Evaluation, part: str | None, again: bool) -> Looks | None:
    golden_set = evaluation.golden_set
    seen = held_out(golden_set, part)
    if again:
        return recall_looks(seen, golden_set.sha256)
    asked: list[object] = [evaluation.suite.sha256, [measure.name for measure in evaluation.measures]]
    asked += [[model.name, dict(model.description)] for model in evaluation.models]
    settings_hash = hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()[:16]
    return count_look(seen, golden_set.sha256, golden_set.name, settings_hash)


def check_limits(
    gate: Mapping[str, Any], models: tuple[str, ...], perturbations: tuple[str, ...], measures: tuple[str, ...]
) -> None:
    """Refuse a wrong ``[gate]`` before minutes of work.

    Raises:
        ConfigError: a limit that cannot be read, or on what the run does not have.
    """
    limits = read_gate(gate)
    if limits is not None:
        limits.check_names(models, perturbations, measures)
