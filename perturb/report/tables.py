"""The figures of a report as rows and cells, shared by terminal, Markdown and HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from perturb.evaluation import ALL_KINDS, CleanScore, DropRow, Evaluation, FragileQuery
from perturb.evaluation.corrections import correction_name, correction_promise
from perturb.evaluation.groups import unit_name
from perturb.measures import score
from perturb.records import ORIGINAL
from perturb.wording import counted, percent_of

if TYPE_CHECKING:
    from perturb.evaluation.between import Between
    from perturb.evaluation.expected import ExpectedDrop
    from perturb.evaluation.harm import Harm
    from perturb.evaluation.looks import Looks
    from perturb.evaluation.noticed import Noticed
    from perturb.evaluation.stability import Stability
    from perturb.evaluation.standing import Standing
    from perturb.evaluation.why import Why
    from perturb.report.gate import GateResult

SIGNIFICANT = 0.05
FEW_QUERIES = 10
"""With fewer queries a figure is shown, but neither coloured nor called the worst."""
JUDGED = "judged@10"


@dataclass(frozen=True, slots=True)
class Report:
    """An evaluation with everything computed from it, ready to be shown.

    Attributes:
        evaluation: scores and settings.
        rows: the drop table.
        clean: mean and interval of every model and measure on the originals.
        fragile: the most fragile queries.
        settings: ``confidence`` (0 to 1), ``resamples``, ``method``, ``seed``, ``resample_by``, ``n_units``,
            ``command`` and versions.
        between: the models compared.
        why: what the drops go with, by measure.
        harm: which drops are shown to be small.
        stability: how far the rankings change, judgements aside.
        standings: which model is best, clean and perturbed.
        noticed: how many more questions find nothing, by model and perturbation.
        gate: limits held against the figures; ``None`` if there are none.
        looks: how often the held-out part was looked at; ``None`` if none was used.
        expected: drops under the mix of one's own traffic; empty if the suite was made without it.
    """

    evaluation: Evaluation
    rows: tuple[DropRow, ...]
    clean: tuple[CleanScore, ...]
    fragile: tuple[FragileQuery, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    between: Between | None = None
    why: Mapping[str, Why] = field(default_factory=dict)
    harm: Harm | None = None
    stability: tuple[Stability, ...] = ()
    standings: tuple[Standing, ...] = ()
    noticed: tuple[Noticed, ...] = ()
    gate: GateResult | None = None
    looks: Looks | None = None
    expected: tuple[ExpectedDrop, ...] = ()

    @property
    def lead(self) -> str:
        """Name of the measure that leads the report."""
        return self.evaluation.measures[0].name

    @property
    def unit(self) -> str:
        """What was resampled, in words: ``queries``, or groups of them."""
        return unit_name(self.settings.get("resample_by", "query"))

    @property
    def grouped(self) -> str:
        """What was resampled and how many there are, to stand beside a table; empty for single queries."""
        if self.settings.get("resample_by", "query") == "query":
            return ""
        return f"Resampled as a whole: {self.settings['n_units']} {self.unit}."

    @property
    def correction(self) -> str:
        """What the correction for many tests is called: ``Holm`` or ``Benjamini-Hochberg``."""
        return correction_name(self.settings.get("adjustment", "holm"))

    @property
    def perturbations(self) -> tuple[str, ...]:
        """Perturbations with at least one figure, in the order of the suite."""
        present = {row.perturbation for row in self.rows}
        return tuple(name for name in self.evaluation.suite.perturbations if name in present)

    def main_rows(self, measure: str | None = None) -> list[DropRow]:
        """One row per model and perturbation, all kinds together."""
        return [r for r in self.rows if r.kind == ALL_KINDS and measure in (None, r.measure)]

    def find(self, model: str, perturbation: str, measure: str, kind: str = ALL_KINDS) -> DropRow | None:
        """The row of one cell, or nothing if the perturbation applied to no query."""
        wanted = (model, perturbation, measure, kind)
        return next((r for r in self.rows if (r.model, r.perturbation, r.measure, r.kind) == wanted), None)


def number(value: float | None, digits: int = 3) -> str:
    """A figure with a fixed number of digits; *n/d* where it is not defined; never a minus before zero."""
    if value is None:
        return "n/d"
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if not float(text) else text.replace("-", "−")


def percent(value: float | None) -> str:
    """Per cent with one digit."""
    return "n/d" if value is None else f"{number(value, 1)} %"


def p_text(value: float | None) -> str:
    """A p-value as papers write it."""
    if value is None:
        return "n/d"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def interval(low: float | None, high: float | None, digits: int = 3, *, n: int | None = None) -> str:
    """An interval in brackets; *n/d* where it is not defined, with the number of queries ``n`` if that is given."""
    if low is None or high is None:
        return "n/d" if n is None else f"n/d (n={n})"
    return f"[{number(low, digits)}; {number(high, digits)}]"


def is_sure(row: DropRow) -> bool:
    """Whether the corrected test finds a difference."""
    return row.p_adjusted is not None and row.p_adjusted < SIGNIFICANT


def figures(row: DropRow) -> dict[str, str]:
    """All figures of a row as text."""
    return {
        "model": row.model,
        "perturbation": row.perturbation,
        "kind": row.kind,
        "measure": row.measure,
        "clean": number(row.clean),
        "perturbed": number(row.perturbed),
        "drop": number(row.drop),
        "drop_pct": percent(row.drop_pct),
        "interval": interval(row.ci_low, row.ci_high, n=row.n_queries),
        "p_value": p_text(row.p_value),
        "p_adjusted": p_text(row.p_adjusted),
        "n_queries": str(row.n_queries),
        "n_variants": str(row.n_variants),
        "coverage": f"{100 * row.coverage:.0f} %",
        "outcome": f"{row.worse} / {row.better}",
        "minimum_detectable": number(row.minimum_detectable),
        "note": row.note,
    }


def judged_share(evaluation: Evaluation) -> dict[str, tuple[float, float]]:
    """Share of judged documents in the top 10, for originals and for variants, by model.

    A lower share for variants hints that part of a drop is missing judgements, not worse documents.
    """
    original = np.array([v.perturbation == ORIGINAL for v in evaluation.variants])
    shares = {}
    for model in evaluation.succeeded:
        if model.rankings is None:
            continue
        judged = score(model.rankings, evaluation.qrels, [JUDGED], parent=evaluation.parent)[0]
        perturbed = float(judged[~original].mean()) if (~original).any() else float("nan")
        shares[model.name] = (float(judged[original].mean()), perturbed)
    return shares


def judged_text(before: float, after: float) -> str:
    """Shares of judged documents, originals / variants."""
    return f"{before:.0%} / {after:.0%}" if after == after else f"{before:.0%} / n/d"


def reach(header: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Coverage per perturbation, as the suite's header counts it, in the order of its specification."""
    lines, coverage = [], header.get("coverage", {})
    asked = [str(spec["name"]) for spec in header.get("spec", ())]
    for name in dict.fromkeys([*(name for name in asked if name in coverage), *coverage]):
        counts = coverage[name]
        declined = ", ".join(f"{reason} ({count})" for reason, count in counts["declined"].items())
        lines.append({"name": name, **counts, "declined": declined})
    return lines


def method_lines(report: Report) -> list[str]:
    """Definitions a statistician asks for."""
    settings = report.settings
    confidence = percent_of(settings.get("confidence", 0.95))
    drawn = (
        f"{settings.get('resamples', 0):,} resamples of {report.unit} (not variants), seed {settings.get('seed', 0)}"
    )
    return [
        *(f"{measure.name}: {measure.formula}" for measure in report.evaluation.measures),
        "Recall counts all relevant documents in its denominator, also those beyond k or missing from the corpus.",
        "Ties are broken by score, then document id, both descending; a query without results counts 0.",
        f"Interval: {settings.get('method', '')}, confidence {confidence} %, {drawn}.",
        "Every query weighs the same, and within a query every variant; a mean over other queries may differ.",
        "p-value: two-sided sign-flip randomisation of the per-query drops, exact for few queries; small ones are "
        "computed from ten times as many patterns. Where few large changes stand against many small ones the sign-flip "
        "test speaks up too often; the p-value is then raised to that of an exponentially tilted mean.",
        _families(report),
        "Intervals are those of one row, not corrected, and answer another question than the test: where few queries "
        "changed, an interval may exclude 0 while the test finds nothing. Bold follows the corrected test.",
        "Minimum detectable drop: found in 80 of 100 such golden sets by one test at 5 %, before correction.",
        *(f"{key} {version}" for key, version in sorted(dict(settings.get("versions", {})).items())),
    ]


def _families(report: Report) -> str:
    """Over how many p-values each correction went."""
    tested = [row.kind == ALL_KINDS for row in report.rows if row.p_value is not None]
    main, finer = sum(tested), len(tested) - sum(tested)
    where = "each of the two tables, not in both together"
    return (
        f"{report.correction} correction, once over the {counted(main, 'row')} with all kinds together and once over "
        f"the {counted(finer, 'finer one')}: {correction_promise(report.settings.get('adjustment', 'holm'), where)}."
    )


def notes(evaluation: Evaluation) -> list[str]:
    """Notes of the golden set and of each model."""
    found: list[str] = list(evaluation.golden_set.notes)
    crowded: Sequence[str] = ()
    cuts = [m.k for m in evaluation.measures if m.family == "recall" and m.k]
    if cuts:
        crowded = evaluation.qrels.crowded(min(cuts))
    if crowded:
        k = min(cuts)
        have = counted(len(crowded), "query has", "queries have")
        whose = "its" if len(crowded) == 1 else "their"
        found.append(f"{have} more than {k} relevant documents: {whose} recall@{k} cannot reach 1")
    found += _unpooled(evaluation)
    if evaluation.qrels.n_negative and not any("negative grades" in note for note in found):
        found.append(f"{counted(evaluation.qrels.n_negative, 'negative grade counts', 'negative grades count')} as 0")
    for model in evaluation.models:
        found += [f"{model.name}: {note}" for note in model.notes]
    return found


def _unpooled(evaluation: Evaluation) -> list[str]:
    """Queries for which no model found anything relevant, where that is the measure."""
    found = []
    for place, measure in enumerate(evaluation.measures):
        if measure.family != "relative_recall" or not evaluation.succeeded:
            continue
        best = np.max([model.scores[place] for model in evaluation.succeeded], axis=0)
        reached = np.zeros(len(evaluation.qrels.query_ids), np.bool_)
        reached[evaluation.parent[best > 0]] = True
        empty = int(((evaluation.original_rows >= 0) & ~reached).sum())
        if empty:
            found.append(
                f"{measure.name}: no model found a relevant document for {counted(empty, 'query', 'queries')}, which "
                f"{'counts' if empty == 1 else 'count'} 0, clean and perturbed alike"
            )
    return found
