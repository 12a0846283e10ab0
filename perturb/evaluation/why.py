"""Why quality drops: lost words, broken tokens, size of the edit, length of the query, kind of word, misses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from perturb.evaluation.explanatory import PARTS_OF_SPEECH, Explanatory, explanatory
from perturb.evaluation.groups import labels
from perturb.evaluation.misses import MissClass, misses_by_measure
from perturb.evaluation.model_runs import ModelRun
from perturb.evaluation.regression import Regression, regressions
from perturb.evaluation.running import Evaluation
from perturb.records import Float64Array
from perturb.significance import Resampling, average_variants, estimates

LOST_OVERLAP = "words lost, per tenth of the query"
TOKENS = "tokens per word, one more"
EDITS = "edit distance, per character"
LENGTH = "query length, per word"
CHANGES = (LOST_OVERLAP, TOKENS, EDITS)
"""Factors that are 0 where nothing was changed: their effect times their mean is the part of a drop they go with."""

_RARE = 10


@dataclass(frozen=True, slots=True)
class WhyRow:
    """One drop and what it goes with. Means give each query the same weight.

    Attributes:
        model: name of the model.
        perturbation: registered name.
        drop: clean minus perturbed.
        lost_overlap: mean share of the query's words that no longer stand in the relevant document.
        drop_if_form_occurs: drop of the variants whose new words all stand in a relevant document; ``None`` for none.
        n_form_occurs: queries with such a variant.
        drop_if_form_absent: drop of those with a new word that does not.
        n_form_absent: queries with such a variant.
        tokens_added: change in tokens per word of the model's tokenizer; ``None`` if the model tells none.
        edits: mean Levenshtein distance in characters.
        words: mean length of the originals in words.
        word_class: what is hit most often.
        word_class_share: in which share of the variants.
        leading: the factor of the regression that goes with the largest part of the drop, its interval clear of 0;
            empty if there is none.
        leading_part: that part, in points of the measure.
        occurs_interval: limits of ``drop_if_form_occurs``; known over all variants under the leading measure only.
        absent_interval: limits of ``drop_if_form_absent``, likewise. The two rest in part on other queries.
    """

    model: str
    perturbation: str
    drop: float
    lost_overlap: float
    drop_if_form_occurs: float | None
    n_form_occurs: int
    drop_if_form_absent: float | None
    n_form_absent: int
    tokens_added: float | None
    edits: float
    words: float
    word_class: str
    word_class_share: float
    leading: str = ""
    leading_part: float | None = None
    occurs_interval: tuple[float | None, float | None] = (None, None)
    absent_interval: tuple[float | None, float | None] = (None, None)


@dataclass(frozen=True, slots=True)
class Why:
    """What explains the drops of one measure. Regression shows what goes together, not what causes what.

    Attributes:
        rows: per model and perturbation, in their order.
        regressions: by model; ``None`` where there are too few queries.
        overall: per model one row over all perturbed variants (``perturbation`` is ``all variants``).
        misses: who overtook the right document, per model.
        measure: canonical name.
    """

    rows: tuple[WhyRow, ...]
    regressions: dict[str, Regression | None]
    overall: tuple[WhyRow, ...]
    misses: tuple[MissClass, ...]
    measure: str


def why(evaluation: Evaluation, resampling: Resampling, groups: dict[str, str] | None = None) -> dict[str, Why]:
    """Explain the drops of every model under every measure.

    Args:
        evaluation: finished.
        resampling: seed, resamples and confidence.
        groups: by query id what is resampled as a whole; ``None`` for single queries.

    Returns:
        By measure, the leading one first.
    """
    facts = explanatory(evaluation)
    ids, measures = evaluation.qrels.query_ids, [measure.name for measure in evaluation.measures]
    names = np.array([evaluation.variants[position].perturbation for position in facts.positions], dtype=object)
    members = {name: np.flatnonzero(names == name) for name in evaluation.suite.perturbations}
    members = {name: places for name, places in members.items() if len(places)}
    rows: dict[str, list[WhyRow]] = {measure: [] for measure in measures}
    overall: dict[str, list[WhyRow]] = {measure: [] for measure in measures}
    fits: dict[str, dict[str, Regression | None]] = {measure: {} for measure in measures}
    for model in evaluation.succeeded:
        drops = model.scores[:, evaluation.original_rows[facts.query]] - model.scores[:, facts.positions]
        added = tokens_added(evaluation, model, facts)
        factors = _factors(facts, added)
        found = regressions(drops, factors, facts.query, resampling, query_ids=ids, groups=groups)
        values = dict(factors)
        for measure, lost, fit in zip(measures, drops, found, strict=True):
            fits[measure][model.name] = fit
            for name, places in members.items():
                rows[measure].append(_row(model.name, name, places, lost, facts, added, values, fit))
            if len(lost):
                everything = np.arange(len(lost))
                row = _row(model.name, "all variants", everything, lost, facts, added, values, fit)
                if measure == measures[0]:
                    limits = [_limits(lost, facts, form, ids, resampling, groups) for form in (1, 0)]
                    row = replace(row, occurs_interval=limits[0], absent_interval=limits[1])
                overall[measure].append(row)
    misses = misses_by_measure(evaluation)
    return {m: Why(tuple(rows[m]), fits[m], tuple(overall[m]), misses[m], m) for m in measures}


def _limits(
    lost: Float64Array,
    facts: Explanatory,
    occurs: int,
    ids: Sequence[str],
    resampling: Resampling,
    groups: dict[str, str] | None,
) -> tuple[float | None, float | None]:
    """Interval of the mean drop of the variants whose new words do, or do not, stand in a relevant document."""
    chosen = facts.form_occurs == occurs
    if not chosen.any():
        return None, None
    means, has = average_variants(lost[chosen], facts.query[chosen], len(ids))
    own = [query_id for query_id, yes in zip(ids, has, strict=True) if yes]
    (found,) = estimates(means[None, has], resampling, query_ids=own, groups=labels(groups, own))
    return found.ci_low, found.ci_high


def tokens_added(evaluation: Evaluation, model: ModelRun, facts: Explanatory) -> Float64Array | None:
    """Tokens per word of each variant minus those of its original, float64 ``(n,)``; ``None`` without a tokenizer."""
    if model.query_tokens is None:
        return None
    counts = np.asarray(model.query_tokens, np.float64)
    originals = evaluation.original_rows[facts.query]
    before = counts[originals] / np.maximum(facts.words, 1.0)
    after = counts[facts.positions] / np.maximum(facts.words_after, 1.0)
    added: Float64Array = after - before
    return added


def _factors(facts: Explanatory, added: Float64Array | None) -> list[tuple[str, Float64Array]]:
    found = [(LOST_OVERLAP, 10.0 * facts.lost_overlap)]
    if added is not None:
        found.append((TOKENS, added))
    found += [(EDITS, facts.edits), (LENGTH, facts.words)]
    classes = np.array(facts.part_of_speech, dtype=object)
    common = [c for c in PARTS_OF_SPEECH if len(set(facts.query[classes == c].tolist())) >= _RARE]
    usual = max(common, key=lambda c: int((classes == c).sum()), default="")
    # Rare classes stay with the usual one: a column for a handful of queries tells nothing.
    found += [(f"word hit: {c} instead of {usual}", (classes == c).astype(np.float64)) for c in common if c != usual]
    return found


def _row(
    model: str,
    perturbation: str,
    members: NDArray[np.intp],
    drops: Float64Array,
    facts: Explanatory,
    added: Float64Array | None,
    factors: dict[str, Float64Array],
    fit: Regression | None,
) -> WhyRow:
    query = facts.query[members]
    occurs = facts.form_occurs[members]
    classes = Counter(facts.part_of_speech[member] for member in members)
    most, count = min(classes.items(), key=lambda entry: (-entry[1], entry[0]))
    drop = _mean(drops[members], query)
    assert drop is not None
    leading, part = _leading(members, query, drop, factors, fit)
    present, absent = members[occurs == 1], members[occurs == 0]
    return WhyRow(
        model=model,
        perturbation=perturbation,
        drop=drop,
        lost_overlap=_mean(facts.lost_overlap[members], query) or 0.0,
        drop_if_form_occurs=_mean(drops[present], facts.query[present]),
        n_form_occurs=len(set(facts.query[present].tolist())),
        drop_if_form_absent=_mean(drops[absent], facts.query[absent]),
        n_form_absent=len(set(facts.query[absent].tolist())),
        tokens_added=_mean(added[members], query) if added is not None else None,
        edits=_mean(facts.edits[members], query) or 0.0,
        words=_mean(facts.words[members], query) or 0.0,
        word_class=most,
        word_class_share=count / len(members),
        leading=leading,
        leading_part=part,
    )


def _mean(values: Float64Array, query: NDArray[np.int64]) -> float | None:
    """Mean over queries of the means within them; ``None`` for no value."""
    if not len(values):
        return None
    _, unit_of = np.unique(query, return_inverse=True)
    return float((np.bincount(unit_of, values) / np.bincount(unit_of)).mean()) + 0.0


def _leading(
    members: NDArray[np.intp],
    query: NDArray[np.int64],
    drop: float,
    factors: dict[str, Float64Array],
    fit: Regression | None,
) -> tuple[str, float | None]:
    """The change that goes with most of a drop, among those whose effect is clear of 0."""
    best, most = "", 0.0
    for factor in fit.factors if fit is not None and drop > 0 else ():
        if factor.name not in CHANGES or factor.ci_low is None or factor.ci_high is None:
            continue
        if factor.ci_low <= 0 <= factor.ci_high:
            continue
        part = factor.effect * (_mean(factors[factor.name][members], query) or 0.0)
        if part > most:
            best, most = factor.name, part
    return best, most if best else None
