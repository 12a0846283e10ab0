"""What to do next: what other models withstand, what mends a kind of perturbation, how many more queries are needed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from perturb.evaluation import DropRow
from perturb.evaluation.harm import HARMLESS
from perturb.evaluation.worst import nothing_to_lose, untested_losses
from perturb.report.remedies import remedy
from perturb.report.tables import SIGNIFICANT, Report, is_sure, number, p_text
from perturb.significance import MIN_QUERIES
from perturb.wording import counted

_HOPELESS = 100
"""So many times more queries than there are is no plan."""


def next_steps(report: Report, worst: DropRow, rows: Sequence[DropRow]) -> list[str]:
    """One sentence, or two: mend what is shown to hurt, and take more queries where nothing is decided.

    Args:
        report: everything that was found.
        worst: the largest drop of the best model that was tested; any if none was.
        rows: all drops of that model under the leading measure.
    """
    if all(row.p_value is None for row in rows):
        return ["Next: more queries; until then, read the most fragile queries below one by one."]
    known = [row for row in rows if row.p_value is not None and not nothing_to_lose(row)]
    open_rows = [row for row in known if not is_sure(row) and not _harmless(report, row)]
    found = []
    if is_sure(worst) and worst.drop > HARMLESS:
        found.append(_mend(report, worst))
    elif worst in open_rows and worst.p_value is not None and worst.p_value < SIGNIFICANT:
        found.append(_alone(report, worst))
    if few := untested_losses(rows):
        found.append(_too_few(report, few))
    undecided = [row for row in open_rows if not (found and row is worst)]
    found = [*found, *_more_queries(report, undecided)][:2]
    empty = [row.perturbation for row in rows if nothing_to_lose(row)]
    if not found and empty:
        return [f"Next: mend what the queries of {', '.join(empty)} find as they stand; there was nothing to lose."]
    if not found and not open_rows:
        highest = max(row.ci_high if row.ci_high is not None else row.drop for row in rows)
        limit = max(0.01, math.ceil(100 * highest) / 100)
        found.append(
            "Next: nothing to mend for these perturbations; a gate keeps it so, such as "
            f"--max-drop {number(limit, 2)}, where the highest interval ends."
        )
    return found or [_unchanged(report, open_rows)]


def _too_few(report: Report, rows: Sequence[DropRow]) -> str:
    """Losses that nobody can test are no all-clear."""
    names = ", ".join(f"{row.perturbation} (lost {number(row.drop)} on {row.n_units})" for row in rows[:3])
    more = f" and {counted(len(rows) - 3, 'other')}" if len(rows) > 3 else ""
    return f"More queries are needed for {names}{more}: a test takes at least {MIN_QUERIES} {report.unit}."


def _harmless(report: Report, row: DropRow) -> bool:
    known = report.harm.harmless if report.harm is not None else {}
    return (row.model, row.perturbation) in known and known[row.model, row.perturbation].no_larger


def _unchanged(report: Report, open_rows: Sequence[DropRow]) -> str:
    """What to say where something is open and no plan of more queries suggests itself."""
    still = [row.perturbation for row in open_rows if row.minimum_detectable is None and not row.drop]
    if len(still) < len(open_rows):
        return "Next: nothing here calls for a change, and what is open takes far more queries than these."
    # The rule of three: so many units without a change, and a loss in more than HARMLESS of them is excluded.
    wanted = math.ceil(math.log(SIGNIFICANT) / math.log(1.0 - HARMLESS))
    return (
        f"Next: nothing to mend for these perturbations; {wanted} {report.unit} as unchanged as these would show that "
        f"what is open costs less than {number(HARMLESS, 2)}."
    )


def _alone(report: Report, worst: DropRow) -> str:
    tests = sum(row.p_value is not None for row in report.main_rows())
    return (
        f"Next: measure {worst.perturbation} by itself on further queries; as the only test its drop would count "
        f"(p {p_text(worst.p_value)}), as one of {tests} it does not."
    )


def _mend(report: Report, worst: DropRow) -> str:
    better = _withstands(report, worst)
    clause, mends = remedy(report, worst)
    compare = "; run again and see with perturb compare OLD NEW whether the drop shrank"
    if better is not None:
        return (
            f"Next: {better.model} withstands {worst.perturbation} better beyond noise (it loses "
            f"{number(better.drop)}); {_fused(better.model, worst.model)}{f', or {clause}' if mends else ''}{compare}."
        )
    return f"Next: {clause}{compare if mends else ''}."


def _fused(first: str, second: str) -> str:
    fusion = f" (hybrid:{first}+{second})" if ":" not in first + second else ""
    return f"try both together{fusion}"


def _withstands(report: Report, worst: DropRow) -> DropRow | None:
    """The model that loses least under the worst perturbation, if it loses less than the best model beyond noise."""
    if report.between is None:
        return None
    sure = []
    for pair in report.between.under(report.lead).comparisons:
        if pair.perturbation != worst.perturbation or pair.p_adjusted is None or pair.p_adjusted >= SIGNIFICANT:
            continue
        less, more = (pair.first, pair.second) if pair.difference < 0 else (pair.second, pair.first)
        if more == worst.model:
            sure.append(less)
    found = [row for name in sure if (row := report.find(name, worst.perturbation, report.lead)) is not None]
    # A model that finds nothing loses nothing, and is no help.
    return min((row for row in found if row.perturbed > 0), key=lambda row: row.drop, default=None)


def _more_queries(report: Report, rows: Sequence[DropRow]) -> list[str]:
    """How many queries would decide the largest drop that is not decided, or else a lead that is not."""
    known = [row for row in rows if row.minimum_detectable is not None]
    if known:
        row = max(known, key=lambda row: row.drop)
        target = max(row.drop, HARMLESS)
        wanted = _queries(row.n_queries, row.minimum_detectable, target)
        if wanted is not None:
            return [
                f"More queries would settle {row.perturbation}: about {wanted:,} of its kind (now {row.n_queries}) "
                f"would show a drop of {number(target)}."
            ]
    standing = report.standings[-1]
    gap = standing.gaps[0] if standing.gaps else None
    if gap is None or gap.p_adjusted is None or gap.p_adjusted < SIGNIFICANT:
        return []
    wanted = _queries(standing.n_queries, gap.minimum_detectable, gap.difference)
    if wanted is None:
        return []
    return [
        f"More queries would settle the choice between {standing.best[0]} and {gap.model}: about {wanted:,} (now "
        f"{standing.n_queries}) would show a lead of {number(gap.difference)}."
    ]


def _queries(now: int, detectable: float | None, target: float) -> int | None:
    """Queries that show a mean of ``target``, as what is detectable shrinks with the square root of their number."""
    if detectable is None or target <= 0 or detectable <= target:
        return None
    wanted = now * (detectable / target) ** 2
    if wanted > _HOPELESS * now:
        return None
    digits = max(0, len(str(int(wanted))) - 2)
    step: int = 10**digits
    return math.ceil(wanted / step) * step
