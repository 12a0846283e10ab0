"""What a reader must know before trusting the figures."""

from __future__ import annotations

from perturb.evaluation import Evaluation, ModelRun
from perturb.evaluation.remarks import missing_originals
from perturb.polish.morphology import dictionary_id
from perturb.report.tables import Report
from perturb.significance import MIN_QUERIES
from perturb.wording import counted

MANY_EMPTY = 0.1
"""Share of empty rankings from which a run is suspected to be incomplete."""

_UNTESTABLE = range(1, MIN_QUERIES)
"""Numbers of queries, or groups, too small for any p-value below 5 %."""


def warnings(report: Report) -> list[str]:
    """What a reader must know before trusting the figures."""
    evaluation = report.evaluation
    found = []
    for reason, ids in evaluation.excluded.items():
        if ids:
            of = counted(len(evaluation.qrels.query_ids), "query", "queries")
            shown = ", ".join(ids[:5]) + (" …" if len(ids) > 5 else "")
            found.append(f"{len(ids)} of {of} left out of every mean ({reason}): {shown}")
    found += [f"{model.name} could not run: {model.error}" for model in evaluation.models if model.error]
    found += _provenance(evaluation)
    found += missing(evaluation)
    found += [_unanswered(model) for model in evaluation.succeeded if _share_empty(model) > MANY_EMPTY]
    found += _too_few(report)
    absent = [s["name"] for s in evaluation.suite.header["spec"] if s["name"] not in report.perturbations]
    if absent:
        found.append(f"applied to no query that can be scored: {', '.join(absent)}")
    return found


def _too_few(report: Report) -> list[str]:
    """Rows of the leading measure, which the terminal shows, with too few queries to test, whatever p they have."""
    rows = report.main_rows(report.lead)
    # Where no query changed p is 1 however few there are: that p-value says nothing.
    few = {r.perturbation: r.n_units or r.n_queries for r in rows if r.p_value is None or r.n_units in _UNTESTABLE}
    if not few:
        return []
    names = ", ".join(f"{name} ({count})" for name, count in few.items())
    return [f"too few {report.unit} to test, a test needs {MIN_QUERIES} (their number in brackets): {names}"]


def missing(evaluation: Evaluation) -> list[str]:
    """For each model the queries without a ranking whose variants have one, however few: they show a false gain."""
    found = []
    for model in evaluation.succeeded:
        if model.rankings is None:
            continue
        ids = missing_originals(model.rankings, evaluation.variants, evaluation.parent)
        if ids:
            shown = ", ".join(ids[:10]) + (" …" if len(ids) > 10 else "")
            found.append(
                f"{model.name}: nothing is ranked for the original of {counted(len(ids), 'query', 'queries')} whose "
                "variants have rankings (missing from the run, or nothing was found), so it counts 0 and perturbing it "
                f"looks like a gain: {shown}"
            )
    return found


def _share_empty(model: ModelRun) -> float:
    return float((model.rankings.doc_index[:, :1] < 0).mean()) if model.rankings is not None else 0.0


def _unanswered(model: ModelRun) -> str:
    share = _share_empty(model)
    why = "nothing was found, or the run is cut off"
    return f"{model.name}: {share:.0%} of its rankings are missing or empty and count 0: {why}"


def _provenance(evaluation: Evaluation) -> list[str]:
    """Where suite and golden set, or the dictionaries that made and read them, are not the same."""
    header, found = evaluation.suite.header, []
    if header.get("golden_set") and header["golden_set"] != evaluation.golden_set.sha256:
        found.append("the suite was generated from another state of the golden set; generate it again to be sure")
    if header.get("morfeusz") and header["morfeusz"] != dictionary_id():
        found.append(f"the suite was made with the dictionary {header['morfeusz']}, here is {dictionary_id()}")
    return found
