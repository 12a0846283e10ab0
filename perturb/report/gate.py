"""The gate: limits on drops and clean scores that a run must keep, for CI.

``[gate]`` in ``perturb.toml`` limits everything, ``[gate.perturbation.NAME]`` one perturbation,
``[gate.model.NAME]`` one model, ``[gate.model.NAME.perturbation.NAME]`` one cell. The most specific table that sets a
limit decides, a perturbation's table before a model's.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from perturb.errors import ConfigError
from perturb.measures import parse_measure

if TYPE_CHECKING:
    from perturb.report.gate_schema import CellTable
    from perturb.report.tables import Report

Status = Literal["pass", "fail", "undecided", "skipped"]
On = Literal["estimate", "bound"]


@dataclass(frozen=True, slots=True)
class Limits:
    """One table of limits; ``None`` leaves the matter to the less specific table.

    Attributes:
        max_drop: largest drop allowed, in points of the measure, 0 to 1.
        min_clean: smallest clean score allowed, 0 to 1.
        on: ``estimate``: the figure itself must keep the limit; ``bound``: the unfavourable end of its interval must,
            which shows that the limit is kept and not merely not seen to be broken.
        measure: canonical name; ``None`` for the one that leads the report.
    """

    max_drop: float | None = None
    min_clean: float | None = None
    on: On | None = None
    measure: str | None = None


@dataclass(frozen=True)
class GateSettings:
    """All limits.

    Attributes:
        everywhere: the ``[gate]`` table.
        undecided: what a figure without interval does where ``on = "bound"``: ``fail`` (the default) or ``report``.
        perturbation: ``[gate.perturbation.NAME]``.
        model: ``[gate.model.NAME]``.
        cell: ``[gate.model.NAME.perturbation.NAME]`` by model and perturbation.
    """

    everywhere: Limits
    undecided: Literal["fail", "report"] = "fail"
    perturbation: Mapping[str, Limits] = field(default_factory=dict)
    model: Mapping[str, Limits] = field(default_factory=dict)
    cell: Mapping[tuple[str, str], Limits] = field(default_factory=dict)

    @cached_property
    def limits(self) -> tuple[Limits, ...]:
        """Every table."""
        return (self.everywhere, *self.perturbation.values(), *self.model.values(), *self.cell.values())

    def limit(self, key: str, model: str, perturbation: str | None = None) -> Any:
        """The value of ``max_drop``, ``min_clean``, ``on`` or ``measure`` that holds for a cell; ``None`` for none."""
        nothing = Limits()
        tables = [self.model.get(model, nothing), self.everywhere]
        if perturbation is not None:
            tables.insert(0, self.perturbation.get(perturbation, nothing))
            tables.insert(0, self.cell.get((model, perturbation), nothing))
        return next((value for table in tables if (value := getattr(table, key)) is not None), None)

    def check_names(self, models: Sequence[str], perturbations: Sequence[str], measures: Sequence[str]) -> None:
        """Refuse limits on what the run does not have.

        Raises:
            ConfigError: a model, perturbation or measure that is not part of it.
        """
        named = {*self.perturbation, *(name for _, name in self.cell)}
        for name in sorted(named):
            _known("gate.perturbation", name, perturbations)
        for name in sorted({*self.model, *(name for name, _ in self.cell)}):
            _known("gate.model", name, models)
        canonical = [parse_measure(measure).name for measure in measures]
        for limits in self.limits:
            if limits.measure is not None and limits.measure not in canonical:
                raise ConfigError(
                    f"[gate] measure = {limits.measure!r} is not measured in this run; measured: {', '.join(canonical)}"
                )


def _known(table: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"this run has: {', '.join(known)}"
        raise ConfigError(f"[{table}.{name}] limits what this run does not have; {hint}")


def read_gate(table: Mapping[str, Any]) -> GateSettings | None:
    """Check a ``[gate]`` table.

    Args:
        table: as TOML gives it.

    Returns:
        The limits; ``None`` for an empty table.

    Raises:
        ConfigError: an unknown key, a value of the wrong kind or out of range, or no limit at all.
    """
    if not table:
        return None
    from perturb.report.gate_schema import checked_table

    checked = checked_table(table)
    cells = {
        (model, name): _limits(limits)
        for model, entry in checked.model.items()
        for name, limits in entry.perturbation.items()
    }
    gate = GateSettings(
        _limits(checked),
        checked.undecided,
        {name: _limits(limits) for name, limits in checked.perturbation.items()},
        {name: _limits(limits) for name, limits in checked.model.items()},
        cells,
    )
    if all(limits.max_drop is None and limits.min_clean is None for limits in gate.limits):
        raise ConfigError("[gate] sets neither max_drop nor min_clean; set a limit, such as max_drop = 0.05")
    return gate


def _limits(checked: CellTable) -> Limits:
    measure = parse_measure(checked.measure).name if checked.measure is not None else None
    return Limits(checked.max_drop, getattr(checked, "min_clean", None), checked.on, measure)


@dataclass(frozen=True, slots=True)
class GateCheck:
    """One limit held against one figure.

    Attributes:
        model: name of the model.
        perturbation: registered name; empty for clean scores and for a model that could not run.
        measure: canonical name.
        limit: ``max_drop``, ``min_clean``, or ``runs`` for a model that could not.
        allowed: the limit.
        found: the estimate.
        ci_low: lower limit of its interval.
        ci_high: upper limit.
        on: ``estimate`` or ``bound``.
        status: ``pass``, ``fail``, ``undecided`` (no interval to decide on) or ``skipped`` (no query to decide on).
        message: the same in words.
    """

    model: str
    perturbation: str
    measure: str
    limit: str
    allowed: float | None
    found: float | None
    ci_low: float | None
    ci_high: float | None
    on: On
    status: Status
    message: str

    @property
    def name(self) -> str:
        """What was checked, such as ``typo: drop of recall@5``."""
        if self.limit == "runs":
            return "the model runs"
        return f"{self.perturbation}: drop of {self.measure}" if self.perturbation else f"clean {self.measure}"


@dataclass(frozen=True, slots=True)
class GateResult:
    """All checks of a run.

    Attributes:
        checks: model by model.
        undecided: whether an undecided check fails the gate (``fail``) or is only reported (``report``).
        grouped: what the intervals resampled as a whole, in a sentence; empty for single queries.
    """

    checks: tuple[GateCheck, ...]
    undecided: Literal["fail", "report"] = "fail"
    grouped: str = ""

    @property
    def stopping(self) -> tuple[GateCheck, ...]:
        """The checks that keep the gate shut."""
        return tuple(
            c for c in self.checks if c.status == "fail" or (c.status, self.undecided) == ("undecided", "fail")
        )

    @property
    def passed(self) -> bool:
        """Whether the gate is open."""
        return not self.stopping

    def count(self, status: Status) -> int:
        """Number of checks with a status."""
        return sum(check.status == status for check in self.checks)


def check_gate(report: Report, gate: GateSettings) -> GateResult:
    """Hold the figures of a report against the limits; see :mod:`perturb.report.gate_checks`."""
    from perturb.report.gate_checks import checks

    return GateResult(tuple(checks(report, gate)), gate.undecided, report.grouped)
