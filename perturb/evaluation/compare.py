"""Two runs of the same suite: what got better or worse beyond noise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from perturb.errors import ConfigError
from perturb.evaluation.comparability import differences, model_pairs, refuse_other_questions
from perturb.evaluation.corrections import adjusted, known_adjustment
from perturb.evaluation.expected import TRAFFIC_MIX
from perturb.evaluation.groups import known_unit, labels, n_units, regrouped, unit_name
from perturb.evaluation.paired import OVERALL
from perturb.evaluation.stored import StoredRun, read_run
from perturb.records import ORIGINAL, Float64Array
from perturb.significance import Resampling, average_variants, estimates
from perturb.wording import counted

SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One figure in both runs; changes are new − old, paired on the queries.

    Attributes:
        model: its name, or ``old → new`` if the two runs have one model each.
        measure: canonical name.
        perturbation: registered name; ``original`` for the clean score, ``overall`` for all perturbations, averaged
            within the query.
        figure: ``score`` (the more the better) or ``drop`` (the less the better).
        old: mean in the old run.
        new: mean in the new run.
        change: new − old.
        ci_low: lower limit of the change; ``None`` with one query.
        ci_high: upper limit.
        p_value: two-sided sign-flip test; ``None`` with too few queries.
        p_adjusted: corrected over all rows.
        n_queries: pairs.
        note: why a figure is missing.
    """

    model: str
    measure: str
    perturbation: str
    figure: str
    old: float
    new: float
    change: float
    ci_low: float | None
    ci_high: float | None
    p_value: float | None
    p_adjusted: float | None
    n_queries: int
    note: str = ""

    @property
    def verdict(self) -> str:
        """``better``, ``worse``, ``within noise``, ``same`` or ``too few queries``."""
        if self.change == 0 and self.ci_low == self.ci_high:
            return "same"
        if self.p_adjusted is None:
            return "too few queries"
        if self.p_adjusted >= SIGNIFICANT:
            return "within noise"
        return "better" if (self.change > 0) == (self.figure == "score") else "worse"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs side by side.

    Attributes:
        old: folder of the earlier run.
        new: folder of the later run.
        rows: model by model, measure by measure; the clean score first.
        warnings: differences between the runs that may explain a change, and what could not be compared.
        part: part of the golden set both used; ``None`` for all of it.
        resampling: how intervals and p-values were computed.
        unit: what was resampled, in words: ``queries``, or groups of them.
        n_units: how many of them the queries of both runs make.
        adjustment: correction for the number of rows, ``holm`` or ``bh``.
    """

    old: Path
    new: Path
    rows: tuple[ChangeRow, ...]
    warnings: tuple[str, ...]
    part: str | None
    resampling: Resampling
    unit: str = "queries"
    n_units: int = 0
    adjustment: str = "holm"

    @property
    def measures(self) -> tuple[str, ...]:
        """Measures that both runs have, in the order of the later one."""
        return tuple(dict.fromkeys(row.measure for row in self.rows))

    def verdicts(self, name: str) -> tuple[ChangeRow, ...]:
        """Rows with a verdict."""
        return tuple(row for row in self.rows if row.verdict == name)


def compare_runs(
    old_folder: Path, new_folder: Path, resample_by: str | None = None, adjustment: str | None = None
) -> Comparison:
    """Compare two runs of the same suite.

    Args:
        old_folder: ``--out`` folder of the earlier run.
        new_folder: that of the later run; its seed, resamples and confidence are used.
        resample_by: what is drawn as a whole, ``query``, ``near-duplicate`` or ``document``; ``None`` for what the
            later run drew.
        adjustment: ``holm`` or ``bh``; ``None`` for what the later run used.

    Returns:
        Changes of clean scores, perturbed scores and drops under every measure that both runs have.

    Raises:
        ConfigError: no finished run, another golden set, part or suite, no model or measure in common, or no groups in
            ``run.json``.
    """
    old, new = read_run(old_folder), read_run(new_folder)
    refuse_other_questions(old, new)
    measures = [measure for measure in new.measures if measure in old.measures]
    if not measures:
        raise ConfigError(
            f"{old_folder} measured {', '.join(old.measures)} and {new_folder} {', '.join(new.measures)}; "
            "run one of them again with a measure of the other"
        )
    pairs, remarks = model_pairs(old, new)
    remarks = [*differences(old, new, pairs), *remarks]
    common = frozenset(old.variant_ids) & frozenset(new.variant_ids)
    alone = len({*old.query_ids} ^ {*new.query_ids})
    if alone:
        told = counted(alone, "query was", "queries were")
        remarks.append(f"{told} scored in one of the runs only and left out")
    old, new = old.restricted(common), new.restricted(common)
    settings = new.record["settings"]
    method = settings.get("interval", "bca")
    resampling = Resampling(settings["seed"], settings["resamples"], settings["confidence"], method, method == "bca")
    groups, unit = _groups(old, new, resample_by, remarks)
    rows = [
        row for a, b in pairs for measure in measures for row in _changes(old, new, a, b, measure, resampling, groups)
    ]
    correction = known_adjustment(adjustment or settings.get("adjustment", "holm"))
    corrected = adjusted([row.p_value for row in rows], correction)
    rows = [replace(row, p_adjusted=p) for row, p in zip(rows, corrected, strict=True)]
    part = new.record["golden_set"].get("part")
    units = n_units(groups, new.query_ids)
    return Comparison(old_folder, new_folder, tuple(rows), tuple(remarks), part, resampling, unit, units, correction)


def _groups(
    old: StoredRun, new: StoredRun, resample_by: str | None, remarks: list[str]
) -> tuple[dict[str, str] | None, str]:
    """The group of each query and what a group is; adds a remark if the earlier run drew another unit.

    Raises:
        ConfigError: an unknown unit, or the later run was written before groups were kept.
    """
    then, now = (run.record["settings"].get("resample_by", "query") for run in (old, new))
    by = known_unit(resample_by or now)
    if resample_by is None and then != now:
        remarks.append(
            f"{old.folder} resampled {unit_name(then)}, {new.folder} {unit_name(now)}; here as in the latter"
        )
    if by == "query":
        return None, unit_name(by)
    kept = (new.record.get("resampling") or old.record.get("resampling") or {}).get("groups", {})
    if by not in kept:
        raise ConfigError(
            f"{new.folder / 'run.json'}: does not tell which queries belong together; write it again with `perturb "
            f"report {new.folder}`, or compare with --resample-by query"
        )
    return regrouped(kept[by], new.query_ids), unit_name(by)


def _suite_order(run: StoredRun) -> list[str]:
    """Perturbations with scores, in the order in which the suite was asked for."""
    present = dict.fromkeys(name for name in run.perturbations if name != ORIGINAL)
    asked = [str(spec["name"]) for spec in run.record["suite"].get("spec", ())]
    return [*(name for name in dict.fromkeys(asked) if name in present), *(n for n in present if n not in asked)]


def _changes(
    old: StoredRun,
    new: StoredRun,
    before: str,
    after: str,
    measure: str,
    resampling: Resampling,
    groups: dict[str, str] | None,
) -> Iterator[ChangeRow]:
    """Changes of one model under one measure: clean, under each perturbation, and over all of them."""
    name = before if before == after else f"{before} → {after}"
    order = {variant_id: place for place, variant_id in enumerate(old.variant_ids)}
    aligned = np.array([order[variant_id] for variant_id in new.variant_ids], np.intp)
    both = np.stack([old.scores[before, measure][aligned], new.scores[after, measure]])
    kinds = np.array(new.perturbations, dtype=object)
    clean, _ = average_variants(both[:, kinds == ORIGINAL], new.query_of[kinds == ORIGINAL], len(new.query_ids))
    yield _row((name, measure, ORIGINAL, "score"), clean, new.query_ids, resampling, groups)
    total, count = np.zeros_like(clean), np.zeros(len(new.query_ids))
    for perturbation in _suite_order(new):
        members = kinds == perturbation
        scores, has = average_variants(both[:, members], new.query_of[members], len(new.query_ids))
        ids = tuple(query_id for query_id, there in zip(new.query_ids, has, strict=True) if there)
        yield _row((name, measure, perturbation, "score"), scores[:, has], ids, resampling, groups)
        yield _row((name, measure, perturbation, "drop"), (clean - scores)[:, has], ids, resampling, groups)
        if perturbation != TRAFFIC_MIX:  # a mean already, as in the report of a run
            total[:, has] += scores[:, has]
            count += has
    if sum(perturbation != TRAFFIC_MIX for perturbation in _suite_order(new)) > 1:
        has = count > 0
        mean = total[:, has] / count[has]
        ids = tuple(query_id for query_id, there in zip(new.query_ids, has, strict=True) if there)
        yield _row((name, measure, OVERALL, "score"), mean, ids, resampling, groups)
        yield _row((name, measure, OVERALL, "drop"), clean[:, has] - mean, ids, resampling, groups)


def _row(
    names: tuple[str, str, str, str],
    both: Float64Array,
    query_ids: tuple[str, ...],
    resampling: Resampling,
    groups: dict[str, str] | None,
) -> ChangeRow:
    gaps = both[1] - both[0]
    gaps[np.abs(gaps) < 1e-12] = 0.0
    found = estimates(gaps[None], resampling, query_ids=query_ids, groups=labels(groups, query_ids))[0]
    old, new = both.mean(axis=1).tolist()
    return ChangeRow(
        *names,
        old,
        new,
        found.value,
        found.ci_low,
        found.ci_high,
        found.p_value,
        None,
        found.n_queries,
        "; ".join(found.notes),
    )
