"""What is counted in a log, of which queries, how, and which perturbation makes the like of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from perturb.traffic.observe import Observation

_ALL = "all queries"

BY_SIGN: Mapping[str, tuple[Callable[[Observation], bool], str, str]] = {
    "lower": (lambda q: q.casing == "lower", _ALL, "no capital letter"),
    "upper": (lambda q: q.casing == "upper", _ALL, "two words or more, capitals only"),
    "sentence_case": (lambda q: q.casing == "sentence_case", _ALL, "a capital first letter, small letters after it"),
    "question": (lambda q: q.form == "question", _ALL, "begins with a question word or ends with a question mark"),
    "command": (lambda q: q.form == "command", _ALL, "begins with a command such as 'pokaż'"),
    "sentence": (lambda q: q.form == "sentence", _ALL, "holds a finite verb and is neither question nor command"),
    "keywords": (lambda q: q.form == "keywords", _ALL, "none of question, command, sentence"),
    "open_question": (
        lambda q: "open_question" in q.signs,
        "questions",
        "a question without a closing mark",
    ),
    "polite": (lambda q: "polite" in q.signs, _ALL, "greetings, requests and thanks of lexicons/politeness.tsv"),
    "english_terms": (
        lambda q: "english_terms" in q.signs,
        _ALL,
        "English terms of lexicons/english_terms.tsv, with or without a Polish ending",
    ),
    "acronyms": (lambda q: "acronyms" in q.signs, _ALL, "two to five capitals that are no ordinary word"),
    "abbreviations": (
        lambda q: "abbreviations" in q.signs,
        _ALL,
        "abbreviations of lexicons/abbreviations.tsv and lexicons/abbreviation_pairs.tsv, units left aside",
    ),
    "numbers": (lambda q: "numbers" in q.signs, _ALL, "numbers, amounts, dates"),
    "codes": (lambda q: "codes" in q.signs, _ALL, "codes with digits, such as FV/12/2026"),
    "spacing": (lambda q: "spacing" in q.signs, _ALL, "wrongly joined or split words of lexicons/spacing.tsv"),
}
"""Kinds that are read off a query as it stands: test, base and explanation."""

EXPLAINED: Mapping[str, tuple[str, str]] = {
    "diacritics_none": (
        "queries that need diacritics",
        "no diacritic, and a non-word that one to three diacritics make a word; words that are other words without "
        "them (sąd, sad) cannot be seen, the correction allows for them",
    ),
    "diacritics_some": (
        "queries that need diacritics",
        "some diacritics, and a non-word that one to three more make a word",
    ),
    "mistakes": (
        "queries not typed without diacritics",
        "a non-word of four letters or more, one mistake from a word; mistakes that give another word cannot be seen",
    ),
    "mistake": (
        "queries not typed without diacritics",
        "the first non-word of the query that one mistake explains, by the kind of that mistake",
    ),
    "english_terms_chosen": (
        "queries that name something for which both an English and a Polish term exist (a sample in large logs)",
        "the English term stands there, not the Polish one",
    ),
    "abbreviations_chosen": (
        "queries with something that can be abbreviated (a sample in large logs)",
        "the abbreviation stands there, not the words",
    ),
    "spacing_chosen": (
        "queries with a phrase of lexicons/spacing.tsv (a sample in large logs)",
        "it is wrongly joined or split",
    ),
}
"""Base and explanation of the other kinds."""

SECOND_LOOK: Mapping[str, str] = {
    "english_terms_chosen": "english_terms",
    "abbreviations_chosen": "abbreviations",
    "spacing_chosen": "spacing",
}
"""Kinds that are shares of the queries with a place for a sign, and the sign."""

MIXED: Mapping[str, str] = {
    "keywords": "query_form.keywords",
    "question": "query_form.keywords_to_question",
    "polite": "query_form.polite",
    "english_terms_chosen": "english_terms",
    "abbreviations_chosen": "abbreviations",
    "spacing_chosen": "spacing",
    "omission": "typo.omission",
    "substitution": "typo.keyboard",
    "insertion": "typo.insertion",
    "transposition": "typo.transposition",
    "spelling": "spelling",
    "open_question": "query_form.no_punctuation",
    "lower": "query_form.lower",
    "upper": "query_form.upper",
    "diacritics_none": "diacritics.strip",
    "diacritics_some": "diacritics.some",
}
"""The perturbation that makes each kind."""
