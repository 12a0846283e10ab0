"""The lexicon of term pairs: size, shape, and the user's own rows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from perturb.errors import ConfigError
from perturb.perturbations.english_forms import noun_form
from perturb.perturbations.term_pairs import english_plural, pair_index, term_pairs
from perturb.polish.loan_verbs import conjugate
from perturb.polish.morphology import analyse
from perturb.polish.terms import term_pattern

PAIRS = term_pairs()


def test_size_and_domains() -> None:
    terms = [pair for pair in PAIRS if pair.pos in ("noun", "verb")]
    assert len(terms) >= 400
    domains = Counter(pair.domain for pair in terms)
    assert len([domain for domain, count in domains.items() if count >= 10]) >= 10
    assert sum(pair.pos == "verb" for pair in PAIRS) >= 30
    assert sum(" " in pair.polish and " " in pair.english for pair in PAIRS) >= 100
    assert sum(pair.english.isupper() for pair in PAIRS) >= 40


def test_one_english_term_per_polish_term_and_back() -> None:
    to_english = Counter(pair.polish for pair in PAIRS if pair.use != "polish")
    to_polish = Counter(pair.english for pair in PAIRS if pair.use != "english" and pair.pos == "noun")
    assert [term for term, count in (to_english + to_polish).items() if count > 1 and to_english[term] > 1] == []
    assert max(to_polish.values()) == 1


def test_every_polish_term_can_be_found_in_a_query() -> None:
    lost = [pair.polish for pair in PAIRS if pair.pos != "adj" and term_pattern(pair.polish) is None]
    assert lost == []


def test_adjectives_are_adjectives() -> None:
    odd = [
        p.polish
        for p in PAIRS
        if p.pos == "adj" and not any(r.pos in ("adj", "pact", "ppas") for r in analyse(p.polish))
    ]
    assert odd == []


def test_every_verb_is_conjugated() -> None:
    infinitive = next(reading for reading in analyse("robić") if reading.pos == "inf")
    assert [p.english for p in PAIRS if p.pos == "verb" and conjugate(p.english, infinitive) != p.english] == []


def test_every_noun_has_forms() -> None:
    for pair in PAIRS:
        if pair.pos == "noun":
            cell = 7 if pair.number == "pl" else 0
            for rendering in ("bare", "inflected", "colloquial"):
                assert noun_form(pair, cell, rendering)


@pytest.mark.parametrize(
    ("singular", "plural"),
    [
        ("deadline", "deadlines"),
        ("security patch", "security patches"),
        ("privacy policy", "privacy policies"),
        ("survey", "surveys"),
        ("letter of intent", "letters of intent"),
        ("gap analysis", "gap analyses"),
        ("SLA", "SLA"),
    ],
)
def test_english_plural(singular: str, plural: str) -> None:
    assert english_plural(singular) == plural


def test_own_rows_need_only_two_columns(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_text("pl\ten\nwskaźnik rotacji\tturnover rate\npaczka\tshipment\n", encoding="utf-8")
    index = pair_index((), (str(path),))
    assert index.by_polish["wskaźnik rotacji"].english == "turnover rate"
    assert index.by_polish["faktura"].english == "invoice"
    assert (index.by_polish["paczka"].gender, index.by_polish["paczka"].genitive) == ("m3", "u")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("pl\ten\nrzecz\t\n", "own.tsv:2: column 'en' is missing or empty"),
        ("pl\nrzecz\n", "own.tsv:2: column 'en' is missing"),
        ("pl\ten\tnumber\nrzecz\tthing\tdual\n", "own.tsv:2: number 'dual'; use one of both, sg, pl"),
        ("pl\ten\tgender\tclass\nrzecz\tthing\tm3\tz\n", "own.tsv:2: gender 'm3' with class 'z'"),
    ],
)
def test_a_wrong_row_is_told_by_line(tmp_path: Path, rows: str, message: str) -> None:
    path = tmp_path / "own.tsv"
    path.write_text(rows, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        term_pairs((str(path),))


def test_a_mapping_needs_a_polish_noun_or_verb() -> None:
    with pytest.raises(ConfigError, match="mapping 'bardzo'"):
        pair_index((("bardzo", "very"),), ())
