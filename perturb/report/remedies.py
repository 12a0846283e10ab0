"""What mends a kind of perturbation, what a chain is made of, and what a model does already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perturb.evaluation import DropRow
from perturb.report.tables import Report, is_sure, number
from perturb.wording import counted

_INFLECTION = "reduce words to lemmas both when indexing and in the query, or fuse with a retriever that does"
_TYPING = "correct spelling before searching, or index pieces of words beside words"
_TERMS = "give the index or the query both names of a term, from a glossary"
_ENCODING = "repair encodings and normalise Unicode both when indexing and in the query"
_PADDING = "take out of the query what carries no meaning, such as polite phrases and question words"
_MEND = {
    "diacritics": "normalise diacritics both when indexing and in the query",
    "transliterate": "normalise diacritics and punctuation both when indexing and in the query",
    **dict.fromkeys(("case", "number", "case_in_frame", "verb_form", "word_forms", "realistic_ending"), _INFLECTION),
    **dict.fromkeys(("typo", "spelling", "spacing"), _TYPING),
    **dict.fromkeys(("english_terms", "polish_terms", "english_phrase", "synonyms", "abbreviations"), _TERMS),
    **dict.fromkeys(("encoding", "unicode_form"), _ENCODING),
    "numerals": "write numbers in one way both when indexing and in the query",
    # Of the forms of a query only padding is mended by taking it out; capitals or a cut last word are not.
    **dict.fromkeys(("query_form.polite", "query_form.keywords", "query_form.keywords_to_question"), _PADDING),
}
"""By perturbation, or the part of its name before the first dot: what usually mends it. A hint, to be measured."""


def remedy(report: Report, worst: DropRow) -> tuple[str, bool]:
    """What to do about a drop, as the end of a sentence.

    Args:
        report: everything that was found.
        worst: the drop; of a chain, its links' own rows in the same run tell which link costs.

    Returns:
        The clause, and whether it names something that mends the drop.
    """
    links = _links(worst.perturbation)
    if links:
        return _of_a_chain(report, worst, links)
    return _of_one(report, worst.model, worst.perturbation)


def _of_one(report: Report, model: str, perturbation: str) -> tuple[str, bool]:
    name = perturbation.removeprefix("severity:")
    found = _MEND.get(name, _MEND.get(name.partition(".")[0]))
    alone = f"measure {perturbation} by itself on further queries, and read the most fragile queries below"
    if found == _INFLECTION and _lemmatises(report, model):
        return f"{model} reduces words to lemmas already; {alone}", False
    if found is None:
        return f"no usual remedy is known; {alone}", False
    return found, True


def _of_a_chain(report: Report, worst: DropRow, links: tuple[str, ...]) -> tuple[str, bool]:
    """The remedy of the link that explains most of the drop; else which links to measure, or where to begin."""
    rows = {name: report.find(worst.model, name, worst.measure) for name in links}
    known = {name: row for name, row in rows.items() if row is not None}
    most = [row for row in known.values() if is_sure(row) and _explained(row, worst) > worst.drop / 2]
    if len(most) == 1:
        clause, mends = _of_one(report, worst.model, most[0].perturbation)
        queries = counted(most[0].n_queries, "query", "queries")
        return (
            f"{most[0].perturbation} explains most of it ({number(most[0].drop)} alone, on {queries}): {clause}",
            mends,
        )
    sure = [row for row in known.values() if is_sure(row) and row.drop > 0]
    if len(known) < len(links) or not sure:
        return f"measure its links one by one ({', '.join(links)}) to see which one costs", False
    first = max(sure, key=lambda row: _explained(row, worst))
    clause, mends = _of_one(report, worst.model, first.perturbation)
    alone = ", ".join(f"{name} {number(row.drop)}" for name, row in known.items())
    return f"several of its links cost ({alone} alone); begin with {first.perturbation}: {clause}", mends


def _links(perturbation: str) -> tuple[str, ...]:
    """Names of the rules of a chain, in order, each once; none for what is no chain."""
    if not perturbation.startswith("chain:"):
        return ()
    return tuple(dict.fromkeys(part.removesuffix("?") for part in perturbation.removeprefix("chain:").split("+")))


def _explained(link: DropRow, chain: DropRow) -> float:
    """The drop of a link, spread over the queries of the chain: an optional link applies to some of them only."""
    return link.drop * min(1.0, link.n_queries / chain.n_queries)


def _lemmatises(report: Report, model: str) -> bool:
    """Whether a model, or a part of a fusion, searches lemmas: by its name, or by its description."""
    run = next((run for run in report.evaluation.models if run.name == model), None)
    return "lemma" in model or (run is not None and _has_lemmas(run.description))


def _has_lemmas(description: Mapping[str, Any]) -> bool:
    parts = description.get("components", {})
    return description.get("terms") == "lemmas" or any(_has_lemmas(part) for part in parts.values())
