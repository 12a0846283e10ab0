"""The decision: what the figures settle, what they leave open, and what to do next, in a few sentences."""

from __future__ import annotations

from perturb.evaluation import DropRow
from perturb.evaluation.expected import TRAFFIC_MIX
from perturb.evaluation.looks import sentence as part_sentence
from perturb.evaluation.standing import Gap, Standing
from perturb.evaluation.worst import Worst, nothing_to_lose, worst_rows
from perturb.report.advice import next_steps
from perturb.report.gate_checks import CHECK_COLUMNS, check_rows, sentence
from perturb.report.sections import Section, SectionTable
from perturb.report.tables import SIGNIFICANT, Report, interval, is_sure, number
from perturb.significance import MIN_QUERIES, SMALL_SAMPLE
from perturb.wording import counted


def decision(report: Report) -> Section:
    """Whether the gate is open, what the figures decide, and which part of the golden set all rests on."""
    sentences = []
    tables: tuple[SectionTable, ...] = ()
    gate = report.gate
    if gate is not None:
        sentences.append(sentence(gate))
        sentences += [f"{check.model}: {check.message}" for check in gate.stopping[:5]]
        if len(gate.stopping) > 5:
            sentences.append(f"… and {len(gate.stopping) - 5} more, below")
        tables = (
            SectionTable(
                "The one check of the gate" if len(gate.checks) == 1 else f"All {len(gate.checks)} checks of the gate",
                CHECK_COLUMNS,
                tuple(check_rows(gate.checks)),
                frozenset({0, 1, 2, 6, 7}),
                folded=True,
                caption=report.grouped,
            ),
        )
    sentences += advice_sentences(report)
    sentences.append(part_sentence(report.settings.get("part"), report.looks))
    return Section("decision", "Decision", tuple(sentences), tables, alarm=gate is not None and not gate.passed)


def advice_sentences(report: Report) -> list[str]:
    """At most six points: the best model, its worst perturbation, what users notice, what is open, what to do next.

    Every figure is of the leading measure. Nothing if the standings were not computed.
    """
    if not report.standings:
        return []
    model = report.standings[-1].best[0]
    rows = [r for r in report.main_rows(report.lead) if r.model == model and r.perturbation != TRAFFIC_MIX]
    found = [_best_model(report)]
    if not rows:
        return [*found, f"Nothing is known of perturbed queries: no perturbation applied to any query of {model}."]
    if all(nothing_to_lose(row) for row in rows):
        return [*found, *_nothing_found(report, model)]
    known = [row for row in rows if not nothing_to_lose(row)]
    worst = worst_rows(known)
    assert worst is not None
    found.append(_worst(report, worst, len(known)))
    found += _users(report, worst.tested if worst.untested and worst.tested is not None else worst.largest)
    found.append(_settled(report, model, rows))
    return found + next_steps(report, worst.tested or worst.largest, rows)


def _nothing_found(report: Report, model: str) -> list[str]:
    return [
        f"{model} finds nothing right as the queries stand ({report.lead} {number(0.0)}), so there was nothing to "
        "lose: what perturbation costs it cannot be told.",
        "Next: mend what the queries find as they stand, or look whether the judgements are of this corpus.",
    ]


def _best_model(report: Report) -> str:
    clean, perturbed = report.standings[0], report.standings[-1]
    if not clean.gaps and len(clean.best) == 1:
        return _only_model(report)
    if not perturbed.perturbed:
        return f"{_best(clean, report.lead, 'on clean queries')}."
    if clean.best == perturbed.best and len(clean.best) == 1:
        return (
            f"{clean.best[0]} is best by {report.lead} both on clean queries, {number(clean.mean)}{_lead(clean)}, and "
            f"under perturbation, {number(perturbed.mean)}{_lead(perturbed)}."
        )
    return (
        f"{_best(clean, report.lead, 'on clean queries')}; "
        f"{_best(perturbed, report.lead, 'under perturbation')}.".replace("; Best", "; best")
    )


def _only_model(report: Report) -> str:
    assert report.between is not None
    (line,) = report.between.under(report.lead).robustness
    clean = f"{report.lead} {number(line.clean.mean)} {interval(line.clean.ci_low, line.clean.ci_high)}"
    text = f"Only {line.model} ran, so there is no choice of model to make: {clean} on clean queries"
    if line.mean_drop is None:
        return f"{text}."
    loss = "loses" if line.mean_drop >= 0 else "gains"
    low, high = (line.ci_low, line.ci_high) if line.mean_drop >= 0 else _turned(line.ci_low, line.ci_high)
    return f"{text}; perturbed, it {loss} {number(abs(line.mean_drop))} {interval(low, high)} on average."


def _turned(low: float | None, high: float | None) -> tuple[float | None, float | None]:
    return (-high, -low) if low is not None and high is not None else (low, high)


def _best(standing: Standing, lead: str, where: str) -> str:
    if len(standing.best) > 1:
        return f"{_listed(standing.best)} tie {where} at {lead} {number(standing.mean)}{_lead(standing)}"
    return f"Best {where}: {standing.best[0]}, {lead} {number(standing.mean)}{_lead(standing)}"


def _lead(standing: Standing) -> str:
    """How far ahead of the others, and whether beyond noise."""
    if not standing.gaps:
        return ""
    nearest = standing.gaps[0]
    ahead = f"ahead of {nearest.model} by {number(nearest.difference)} {interval(nearest.ci_low, nearest.ci_high)}"
    if nearest.p_adjusted is None:
        return f" ({ahead}; too few queries to test)"
    open_ones = [gap.model for gap in standing.gaps if not _beyond(gap)]
    if not open_ones:
        others = " and further ahead of the others" if len(standing.gaps) > 1 else ""
        return f" ({ahead}{others}, beyond noise)"
    if open_ones == [nearest.model]:
        return f" ({ahead}, which may be noise)"
    return f" ({ahead}; not told apart from {_listed(open_ones)})"


def _beyond(gap: Gap) -> bool:
    return gap.p_adjusted is not None and gap.p_adjusted < SIGNIFICANT


def _worst(report: Report, worst: Worst, measured: int) -> str:
    """What hurts most of what had something to lose; where that cannot be tested, also what hurts most of what can."""
    row = worst.largest
    among = f" of the {measured} perturbations" if measured > 1 else ""
    if row.drop <= 0:
        if measured == 1:
            return (
                f"{row.perturbation} costs {row.model} no {report.lead} on the whole: the drop is {number(row.drop)} "
                f"{interval(row.ci_low, row.ci_high, n=row.n_queries)}."
            )
        return f"None{among} costs {row.model} any {report.lead} on the whole."
    most = " most" if measured > 1 else ""
    text = f"What hurts {row.model}{most}{among} is {row.perturbation}: {report.lead} {_fall(row, report.unit)}"
    second = worst.tested
    if worst.untested and second is not None and second.drop > 0:
        text += f"; of those that can be tested it is {second.perturbation}: {report.lead} {_fall(second, report.unit)}"
    return f"{text}."


def _fall(row: DropRow, unit: str) -> str:
    if row.p_value is None:
        noise = f"too few {unit} to test"
    else:
        noise = "beyond noise" if is_sure(row) else "which may be noise"
    return (
        f"falls by {number(row.drop)} {interval(row.ci_low, row.ci_high, n=row.n_queries)}, from {number(row.clean)} "
        f"to {number(row.perturbed)} on {counted(row.n_queries, 'query', 'queries')}, {noise}"
    )


def _users(report: Report, worst: DropRow) -> list[str]:
    """What a user would notice under the worst perturbation, in questions of a hundred."""
    wanted = (worst.model, worst.perturbation)
    seen = next((entry for entry in report.noticed if (entry.model, entry.perturbation) == wanted), None)
    if seen is None or worst.drop <= 0 or seen.n_queries < SMALL_SAMPLE:
        return []  # a hundred questions are not told from a handful
    count = round(100 * seen.more)
    low, high = (None if limit is None else round(100 * limit) for limit in (seen.ci_low, seen.ci_high))
    spread = "" if low is None or high is None else f" [{number(low, 0)}; {number(high, 0)}]"
    if count < 0 and low is not None and high is not None:
        spread = f" [{number(-high, 0)}; {number(-low, 0)}]"
    change = f"about {abs(count)} {'more' if count > 0 else 'fewer'}" if count else "about as many as before"
    results = f"in the first {seen.k} results" if seen.k > 1 else "at the top of the results"
    return [
        f"Of 100 such questions, {change}{spread} {'finds' if abs(count) == 1 else 'find'} nothing right {results} "
        f"once {worst.perturbation} is applied; as they stand, {100 * seen.before:.0f} of 100 find nothing."
    ]


def _settled(report: Report, model: str, rows: list[DropRow]) -> str:
    """Which drops the data decide, which they do not, and what they could have shown."""
    if max(row.n_queries for row in rows) < MIN_QUERIES or all(row.p_value is None for row in rows):
        most = max(row.n_queries for row in rows)
        return (
            f"Nothing is decided: no perturbation reaches the {MIN_QUERIES} {report.unit} that a test needs "
            f"(at most {counted(most, 'query', 'queries')}); the figures describe these queries, not others."
        )
    harmless = report.harm.harmless if report.harm is not None else {}
    helpful = [r for r in rows if is_sure(r) and r.drop < 0]
    shown = [r for r in rows if (model, r.perturbation) in harmless and harmless[model, r.perturbation].no_larger]
    small = [r for r in shown if r not in helpful and not nothing_to_lose(r)]
    costly = [r for r in rows if is_sure(r) and r.drop > 0 and r not in small]
    settled = [r.perturbation for r in (*small, *costly, *helpful)]
    parts = []
    if costly:
        parts.append(f"{_listed([r.perturbation for r in costly])} {_verb(costly, 'costs', 'cost')} quality")
    if helpful:
        parts.append(f"{_listed([r.perturbation for r in helpful])} {_verb(helpful, 'helps', 'help')}")
    if small and report.harm is not None:
        limit = f"less than {number(report.harm.margin, 2)}"
        how = f"{'each ' if len(small) > 1 else ''}by a test of its own at 5 %, not corrected"
        parts.append(f"{_listed([r.perturbation for r in small])} {_verb(small, 'costs', 'cost')} {limit} ({how})")
    text = f"Decided for {model}: {'; '.join(parts)}." if parts else f"No drop of {model} is decided."
    return text + _left_open([r for r in rows if r.perturbation not in settled], report.unit)


def _left_open(rows: list[DropRow], unit: str) -> str:
    """What is not decided, by what keeps it open."""
    empty = [row for row in rows if nothing_to_lose(row)]
    few = [row for row in rows if row.p_value is None and row not in empty]
    text = _undecided([row for row in rows if row not in empty and row not in few])
    if few:
        names = [f"{row.perturbation} ({row.n_units})" for row in few]
        text += f" Too few {unit} to test, their number in brackets: {_listed(names)}."
    if empty:
        text += f" Nothing to lose, as the queries find nothing right as they stand: {_listed_rows(empty)}."
    return text


def _listed_rows(rows: list[DropRow]) -> str:
    return _listed([row.perturbation for row in rows])


def _undecided(rows: list[DropRow]) -> str:
    if not rows:
        return ""
    if all(row.minimum_detectable is None for row in rows):
        return f" Not decided: {_listed_rows(rows)}, where nothing changed, or all queries alike."
    names = _listed(
        [
            row.perturbation
            if row.minimum_detectable is None
            else f"{row.perturbation} ({number(row.minimum_detectable)})"
            for row in rows
        ]
    )
    return f" Not decided: {names}; in brackets the least drop that one test on so many queries shows, with 80 % power."


def _verb(rows: list[DropRow], one: str, many: str) -> str:
    return one if len(rows) == 1 else many


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
