"""The section that says what drops go with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from perturb.evaluation.misses import MISS_CLASSES, MISS_MEANINGS, NOTHING_FOUND, MissClass
from perturb.evaluation.regression import MIN_QUERIES_PER_FACTOR, Regression
from perturb.evaluation.why import Why, WhyRow
from perturb.report.sections import Section, SectionTable, joined_tables
from perturb.report.tables import Report, interval, number
from perturb.wording import counted

_EQUAL = 1e-9


def why_section(report: Report) -> Section | None:
    """What drops go with: the leading measure in words and tables, all others in tables; nothing if nothing dropped."""
    found = report.why.get(report.lead)
    if found is None or not found.rows:
        return None
    sentences = [sentence for row in found.overall if (sentence := _form_sentence(row, report.lead))]
    sentences += _miss_sentences(found.misses)
    tables = _tables(found, report)
    others = [(measure, _tables(why, report)) for measure, why in report.why.items() if measure != report.lead]
    for place in range(max([0, *(len(own) for _, own in others)])):
        tables.append(joined_tables([(measure, own[place]) for measure, own in others if place < len(own)]))
    return Section("why", "Why quality drops", tuple(sentences), tuple(tables))


def _tables(found: Why, report: Report) -> list[SectionTable]:
    tables = [_form_table(found), _regression_table(found.regressions, report)]
    return [*tables, _miss_table(found.misses)] if found.misses else tables


def _form_sentence(row: WhyRow, lead: str) -> str:
    if row.drop_if_form_absent is None or row.drop_if_form_occurs is None:
        return ""
    return (
        f"{row.model}: where what was typed does not stand in the right document "
        f"({counted(row.n_form_absent, 'query', 'queries')}), {lead} "
        f"{_moves(row.drop_if_form_absent, row.absent_interval, row.n_form_absent)}; where it does "
        f"({counted(row.n_form_occurs, 'query', 'queries')}, which may be others), it "
        f"{_moves(row.drop_if_form_occurs, row.occurs_interval, row.n_form_occurs)}."
    )


def _moves(drop: float, limits: tuple[float | None, float | None], n: int) -> str:
    """What a drop does, with its interval, turned round where it is a rise."""
    low, high = limits
    if drop < 0 and low is not None and high is not None:
        low, high = -high, -low
    how = "stays" if not float(number(abs(drop))) else f"{'drops' if drop > 0 else 'rises'} by {number(abs(drop))}"
    return f"{how} {interval(low, high, n=n)}"


def _miss_sentences(misses: Sequence[MissClass]) -> list[str]:
    sentences = []
    for model in dict.fromkeys(entry.model for entry in misses):
        mine = [entry for entry in misses if entry.model == model]
        behind = counted(mine[0].n_queries, "query", "queries")
        # Where nothing stands in its place, nothing overtook it.
        overtakers = [entry for entry in mine if entry.name != NOTHING_FOUND]
        most = max((entry.share for entry in overtakers), default=0.0)
        first = [entry.name for entry in overtakers if entry.share > 0 and most - entry.share < _EQUAL]
        gone = next((entry.share for entry in mine if entry.name == NOTHING_FOUND), 0.0)
        parts = []
        if first:
            named = " and ".join(f"“{name}”" for name in first)
            each = " each" if len(first) > 1 else ""
            parts.append(f"the overtaker is most often {named} ({number(100 * most, 0)} %{each})")
        if gone > 0:
            parts.append(f"nothing was found in its place in {number(100 * gone, 0)} %")
        sentences.append(f"{model}: where the right document fell behind ({behind}), {'; '.join(parts)}.")
    return sentences


def _form_table(found: Why) -> SectionTable:
    rows = tuple(
        (
            row.model,
            row.perturbation,
            number(row.drop),
            f"{number(100 * row.lost_overlap, 0)} %",
            _with_count(row.drop_if_form_occurs, row.n_form_occurs),
            _with_count(row.drop_if_form_absent, row.n_form_absent),
            number(row.tokens_added, 2),
            number(row.edits, 1),
            number(row.words, 1),
            f"{row.word_class} ({100 * row.word_class_share:.0f} %)",
            f"{row.leading}: {number(row.leading_part)}" if row.leading else "",
        )
        for row in (*found.rows, *found.overall)
    )
    header = (
        *("model", "perturbation", "drop", "words lost", "form in document", "form not there", "tokens per word, more"),
        *("edit distance", "words", "word hit", "goes most with"),
    )
    caption = (
        "Words lost: share of the query's words that stood in the right document and no longer do. Form in document: "
        "drop of the variants all of whose new words stand in a right document (queries in brackets). Tokens: by the "
        "model's own tokenizer, n/d if it has none. Goes most with: effect from the regression times mean; what goes "
        "together need not be cause and effect."
    )
    return SectionTable(
        "Each drop and what it goes with", header, rows, frozenset({0, 1, 9, 10}), folded=True, caption=caption
    )


def _with_count(drop: float | None, count: int) -> str:
    return "n/d" if drop is None else f"{number(drop)} ({count})"


def _regression_table(fits: Mapping[str, Regression | None], report: Report) -> SectionTable:
    rows: list[tuple[str, ...]] = []
    remarks: list[str] = []
    for model, fit in fits.items():
        if fit is None:
            remarks.append(f"{model}: fewer than {MIN_QUERIES_PER_FACTOR} {report.unit} per factor, or nothing varies.")
            continue
        remarks += [f"{model}: {note}." for note in fit.notes]
        rows += [
            (
                model,
                factor.name,
                number(factor.effect, 4),
                interval(factor.ci_low, factor.ci_high, 4),
                number(factor.per_spread, 4),
                f"{number(100 * fit.explained, 0)} %",
                str(fit.n_queries),
            )
            for factor in fit.factors
        ]
    header = ("model", "factor", "points lost per unit", "interval", "per standard deviation", "explained", "queries")
    caption = (
        "Linear regression of the drop of each variant, each query weighing the same, all factors together; intervals "
        f"by resampling {report.unit}, not corrected for the number of factors. " + " ".join(remarks)
    )
    return SectionTable("Factors", header, tuple(rows), frozenset({0, 1}), folded=True, caption=caption.strip())


def _miss_table(misses: Sequence[MissClass]) -> SectionTable:
    rows = []
    for model in dict.fromkeys(entry.model for entry in misses):
        mine = {entry.name: entry for entry in misses if entry.model == model}
        cells = [f"{100 * mine[name].share:.0f} % ({mine[name].variants})" for name in MISS_CLASSES]
        rows.append((model, *cells, str(next(iter(mine.values())).n_queries)))
    meanings = "; ".join(f"{name}: {MISS_MEANINGS[name]}" for name in MISS_CLASSES)
    caption = f"Share of the misses, each query counting once; variants in brackets. First class that fits: {meanings}."
    return SectionTable(
        "What overtook the right document", ("model", *MISS_CLASSES, "queries"), tuple(rows), caption=caption
    )
