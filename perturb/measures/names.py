"""Measures by name: ``recall@5``, ``mrr@10(rel=2)``, ``ndcg@10(condensed)`` and what other tools call them."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

from perturb.errors import MeasureError

FORMULAS = {
    "recall": "relevant documents in the top k / all relevant documents",
    "rcap": "relevant documents in the top k / min(k, all relevant documents)",
    "precision": "relevant documents in the top k / k",
    "f1": "harmonic mean of precision@k and recall@k",
    "hit": "1 if a relevant document is in the top k, else 0",
    "rprec": "relevant documents in the top R / R, where R is the number of relevant documents",
    "mrr": "1 / rank of the first relevant document, 0 if there is none (in the top k)",
    "map": "sum of the precisions at the ranks of the relevant documents (in the top k) / all relevant documents",
    "ndcg": "sum of grade / log2(rank + 1) in the top k, divided by that of the ideal order cut at k",
    "ndcg_exp": "sum of (2^grade - 1) / log2(rank + 1) in the top k, divided by that of the ideal order cut at k",
    "judged": "judged documents in the top k / documents retrieved in the top k",
    "context_recall": "relevant documents that fit a prompt of so many tokens / all relevant documents; the prompt is "
    "filled in the order of the ranking and ends before the first document that does not fit whole; three characters "
    "are taken for a token",
    "relative_recall": "relevant documents in the top k / relevant documents that any model of the run has in its top "
    "k for the query or a variant of it; 0 where none has one",
}
"""Family of measures and its formula, as reports print it."""

CUT_NEEDED = frozenset({"recall", "rcap", "precision", "f1", "hit", "judged", "context_recall", "relative_recall"})
CUT_REFUSED = frozenset({"rprec"})
REL_REFUSED = frozenset({"ndcg", "ndcg_exp", "judged"})
CONDENSED_REFUSED = frozenset({"context_recall", "relative_recall"})
"""Families whose documents are those of a prompt or a pool; taking some out makes another one."""

# What trec_eval, ir_measures, ranx, BEIR and the papers write for the same thing.
_ALIASES = {
    "r": "recall",
    "r_cap": "rcap",
    "recall_cap": "rcap",
    "capped_recall": "rcap",
    "p": "precision",
    "prec": "precision",
    "f": "f1",
    "f_1": "f1",
    "success": "hit",
    "hits": "hit",
    "hit_rate": "hit",
    "hitrate": "hit",
    "accuracy": "hit",
    "r_precision": "rprec",
    "rr": "mrr",
    "recip_rank": "mrr",
    "ap": "map",
    "map_cut": "map",
    "ndcg_cut": "ndcg",
    "ndcg_linear": "ndcg",
    "ndcg_burges": "ndcg_exp",
}

_OPTIONS = r"(?:\(([^()]*)\))?"
_SHAPE = re.compile(rf"([a-z][a-z0-9_\- ]*?){_OPTIONS}(?:@\s*([^()\s]+))?{_OPTIONS}")
_TREC_CUT = re.compile(r"(p|recall|success|ndcg_cut|map_cut)_([0-9]+)")


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of one ranking against its judgements, between 0 and 1.

    Attributes:
        family: what is measured, a key of :data:`FORMULAS`.
        k: only the first ``k`` documents count; ``None`` for all that were retrieved. For ``context_recall`` it is the
            budget in tokens.
        rel: the lowest grade that makes a document relevant; graded measures use all grades and leave it at 1.
        condensed: unjudged documents are taken out of the ranking first (Sakai, SIGIR 2007).
    """

    family: str
    k: int | None = None
    rel: int = 1
    condensed: bool = False

    @property
    def name(self) -> str:
        """The one name under which results are filed, such as ``mrr@10(rel=2)``."""
        options = [f"rel={self.rel}"] * (self.rel != 1) + ["condensed"] * self.condensed
        cut = f"@{self.k}" if self.k is not None else ""
        return f"{self.family}{cut}" + (f"({','.join(options)})" if options else "")

    @property
    def needs_depth(self) -> int | None:
        """How many documents must be retrieved; ``None`` means as many as one can afford."""
        return None if self.condensed else self.rank_cut

    @property
    def rank_cut(self) -> int | None:
        """The rank at which it cuts; ``None`` if it counts all documents, or tokens instead of ranks."""
        return None if self.family == "context_recall" else self.k

    @property
    def formula(self) -> str:
        """What is computed, in words."""
        return FORMULAS[self.family]

    def __str__(self) -> str:
        return self.name


def parse_measure(text: str | Measure) -> Measure:
    """Read the name of a measure.

    Upper case, the names of trec_eval, ir_measures and ranx (``P@5``, ``RR``, ``AP(rel=2)@10``, ``ndcg_cut_10``,
    ``success@5``) and options before or after the cut-off are understood.

    Args:
        text: such as ``recall@5``; a measure is returned as it is.

    Returns:
        The measure; its ``name`` is the canonical form.

    Raises:
        MeasureError: unknown name, impossible cut-off or unknown option.
    """
    if isinstance(text, Measure):
        return text
    plain = text.strip().lower()
    trec = _TREC_CUT.fullmatch(plain)
    if trec:
        plain = f"{trec[1]}@{trec[2]}"
    shape = _SHAPE.fullmatch(plain)
    if shape is None:
        raise MeasureError(f"measure {text!r} cannot be read; write it like recall@5 or mrr@10(rel=2)")
    name, before, cut, after = shape.groups()
    if before is not None and after is not None:
        raise MeasureError(f"measure {text!r} has options twice; write them once, at the end")
    family = _family(re.sub(r"[\s-]+", "_", name.strip()), text)
    rel, condensed = _options(before if before is not None else after, family, text)
    return Measure(family, _cut_off(cut, family, text), rel, condensed)


def _family(name: str, text: str) -> str:
    family = _ALIASES.get(name, name)
    if family in FORMULAS:
        return family
    near = difflib.get_close_matches(name, [*FORMULAS, *_ALIASES], n=1, cutoff=0.5)
    hint = f"did you mean {_ALIASES.get(near[0], near[0])!r}?" if near else f"known: {', '.join(FORMULAS)}"
    raise MeasureError(f"unknown measure {text!r}; {hint}")


def _cut_off(cut: str | None, family: str, text: str) -> int | None:
    if cut is None:
        if family in CUT_NEEDED:
            raise MeasureError(f"measure {text!r} needs a cut-off, such as {family}@10")
        return None
    if family in CUT_REFUSED:
        raise MeasureError(
            f"measure {text!r} takes no cut-off: its own is the number of relevant documents; write {family}"
        )
    if not (cut.isascii() and cut.isdigit()) or int(cut) < 1:
        raise MeasureError(f"cut-off {cut!r} in measure {text!r} is not a whole number of at least 1")
    return int(cut)


def _options(options: str | None, family: str, text: str) -> tuple[int, bool]:
    rel, condensed = 1, False
    for option in options.split(",") if options else ():
        key, _, setting = (part.strip() for part in option.partition("="))
        if key == "condensed" and not setting:
            condensed = True
        elif key == "rel" and family in REL_REFUSED:
            raise MeasureError(f"measure {text!r}: {family} counts every grade and takes no rel; leave it out")
        elif key == "rel" and setting.isascii() and setting.isdigit() and int(setting) >= 1:
            rel = int(setting)
        else:
            raise MeasureError(
                f"option {option.strip()!r} in measure {text!r} is neither condensed nor rel=1, rel=2, …"
            )
    if condensed and family in CONDENSED_REFUSED:
        raise MeasureError(f"measure {text!r}: {family} takes no condensed; leave it out")
    if condensed and family == "judged":
        raise MeasureError(f"measure {text!r} is always 1: a condensed ranking holds judged documents only")
    return rel, condensed
