"""Holding the figures of a report against the limits of its gate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from perturb.report.gate import GateCheck, GateResult, GateSettings, On, Status
from perturb.report.tables import Report, interval, number
from perturb.significance import MIN_QUERIES, rare_limit
from perturb.wording import counted

CHECK_COLUMNS = ("", "model", "check", "found", "interval", "allowed", "on", "why")
"""Header over :func:`check_rows`."""

_ROUNDING = 1e-9
"""A drop of 0.05 is no larger than 0.05, whatever the last bit says."""


def checks(report: Report, gate: GateSettings) -> Iterator[GateCheck]:
    """Check every model: that it ran, its clean score, its drop under every perturbation of the suite.

    A perturbation that applies to no query has no figure: it is undecided if a table of its own limits it, otherwise
    skipped, which never fails the gate.
    """
    evaluation = report.evaluation
    asked = [str(spec["name"]) for spec in evaluation.suite.header.get("spec", ())]
    perturbations = tuple(dict.fromkeys([*asked, *evaluation.suite.perturbations]))
    for model in evaluation.models:
        if model.error:
            message = f"could not run: {model.error}"
            yield GateCheck(model.name, "", "", "runs", None, None, None, None, "estimate", "fail", message)
            continue
        if gate.limit("min_clean", model.name) is not None:
            yield _clean(report, gate, model.name)
        for perturbation in perturbations:
            if gate.limit("max_drop", model.name, perturbation) is not None:
                yield _drop(report, gate, model.name, perturbation)


def _clean(report: Report, gate: GateSettings, model: str) -> GateCheck:
    measure = str(gate.limit("measure", model) or report.lead)
    on: On = gate.limit("on", model) or "estimate"
    allowed = float(gate.limit("min_clean", model))
    score = next(c for c in report.clean if (c.model, c.measure) == (model, measure))
    unseen = _unseen(report, score.n_units, score.imperfect)
    low = score.ci_low if unseen is None or score.ci_low is None else min(score.ci_low, 1.0 - unseen)
    status, message = _judge(score.mean, low, allowed, on, at_least=True)
    message += _why_unseen(on, score.ci_low, low, score.imperfect, score.n_units)
    text = f"clean {measure} {number(score.mean)} {interval(score.ci_low, score.ci_high)}: {message}"
    return GateCheck(
        model, "", measure, "min_clean", allowed, score.mean, score.ci_low, score.ci_high, on, status, text
    )


def _drop(report: Report, gate: GateSettings, model: str, perturbation: str) -> GateCheck:
    measure = str(gate.limit("measure", model, perturbation) or report.lead)
    on: On = gate.limit("on", model, perturbation) or "estimate"
    allowed = float(gate.limit("max_drop", model, perturbation))
    row = report.find(model, perturbation, measure)
    if row is None:
        named = perturbation in gate.perturbation or (model, perturbation) in gate.cell
        status: Status = "undecided" if named else "skipped"
        text = f"{perturbation} applies to no query that can be scored; there is no drop to check"
        return GateCheck(model, perturbation, measure, "max_drop", allowed, None, None, None, on, status, text)
    unseen = _unseen(report, row.n_units, row.worse + row.better)
    high = row.ci_high if unseen is None or row.ci_high is None else max(row.ci_high, unseen)
    status, message = _judge(row.drop, high, allowed, on, at_least=False)
    message += _why_unseen(on, row.ci_high, high, row.worse + row.better, row.n_units)
    figure = f"{number(row.drop)} {interval(row.ci_low, row.ci_high)} on {counted(row.n_queries, 'query', 'queries')}"
    text = f"{perturbation}: drop of {measure} {figure}: "
    return GateCheck(
        model,
        perturbation,
        measure,
        "max_drop",
        allowed,
        row.drop,
        row.ci_low,
        row.ci_high,
        on,
        status,
        text + message,
    )


def _unseen(report: Report, n_units: int, changed: int) -> float | None:
    """What may be lost though few queries of so many show it, as the test of equivalence has it; ``None`` if many do.

    An interval of no width shows that nothing changed here, not that nothing can.
    """
    if changed >= MIN_QUERIES or n_units < 1:
        return None
    confidence = float(report.settings.get("confidence", 0.95))
    return rare_limit(n_units, (1.0 - confidence) / 2.0)


def _why_unseen(on: On, shown: float | None, decisive: float | None, changed: int, n_units: int) -> str:
    if on == "estimate" or shown is None or decisive == shown or decisive is None:
        return ""
    return f" (the bound is {number(decisive)}: {changed} of {n_units} queries show no more)"


def _judge(estimate: float, bound: float | None, allowed: float, on: On, *, at_least: bool) -> tuple[Status, str]:
    """Whether a figure, or the unfavourable end of its interval, keeps its limit."""
    rule = f"{'at least' if at_least else 'at most'} {allowed:g}"
    if on == "bound" and bound is None:
        return "undecided", f'no interval to show that it is {rule}; take more queries or set on = "estimate"'
    decisive = bound if on == "bound" and bound is not None else estimate
    kept = decisive >= allowed - _ROUNDING if at_least else decisive <= allowed + _ROUNDING
    what = "the end of the interval" if on == "bound" else "it"
    return ("pass", f"{rule}") if kept else ("fail", f"{what} must be {rule}")


def sentence(result: GateResult) -> str:
    """The outcome in one sentence."""
    if not result.checks:
        return "The gate had nothing to check."
    counts = ", ".join(
        f"{count} {status}" for status in ("fail", "undecided", "skipped", "pass") if (count := result.count(status))
    )
    return f"Gate {'passed' if result.passed else 'FAILED'}: {counted(len(result.checks), 'check')}, {counts}."


def check_rows(checks: Sequence[GateCheck]) -> Iterator[tuple[str, ...]]:
    """Each check as texts under :data:`CHECK_COLUMNS`; ``why`` is empty where the figures say it."""
    for check in checks:
        sign = "≥" if check.limit == "min_clean" else "≤"
        yield (
            "FAIL" if check.status == "fail" else check.status,
            check.model,
            check.name,
            number(check.found),
            interval(check.ci_low, check.ci_high),
            f"{sign} {check.allowed:g}" if check.allowed is not None else "",
            check.on,
            check.message if check.found is None or check.status == "undecided" else "",
        )
