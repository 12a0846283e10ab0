"""Terms found by lemma, with agreement checked."""

from __future__ import annotations

import time

import pytest

from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.shapes import cells_of
from perturb.polish.terms import TermMatcher, term_pattern
from perturb.records import Query

TERMS = [
    "umowa", "umowa o poziomie usług", "kara umowna", "termin płatności", "termin", "faktura", "spółka z o.o.",
    "należności", "śledzenie przesyłki", "zatwierdzić", "przesłać dalej", "fuzje i przejęcia", "wdrożenie", "wdrożyć",
]  # fmt: skip


@pytest.fixture(scope="module")
def matcher() -> TermMatcher:
    return TermMatcher(TERMS)


def found(matcher: TermMatcher, text: str) -> list[tuple[str, set[str]]]:
    query = ParsedQuery(Query("q", text))
    return [
        (match.pattern.text, {f"{case}.{number}" for number, case in cells_of(match.mask)}) for match in matcher(query)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wzór umów o poziomie usług", [("umowa o poziomie usług", {"gen.pl"})]),
        ("spór o karę umowną", [("kara umowna", {"acc.sg"})]),
        ("naliczanie kar umownych", [("kara umowna", {"gen.pl"})]),
        ("przed terminem płatności", [("termin płatności", {"inst.sg"})]),
        ("przed terminem", [("termin", {"inst.sg"})]),
        ("śledzeniem przesyłek", [("śledzenie przesyłki", {"inst.sg"})]),
        ("Zatwierdziłam fakturę", [("zatwierdzić", set()), ("faktura", {"acc.sg"})]),
        ("proszę przesłać dalej", [("przesłać dalej", set())]),
        ("po fuzjach i przejęciach", [("fuzje i przejęcia", {"loc.pl"})]),
    ],
)
def test_inflected_terms_are_found(matcher: TermMatcher, text: str, expected: list[tuple[str, set[str]]]) -> None:
    assert found(matcher, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "kara umowne",  # no agreement
        "umownej karą",  # other order, no agreement
        "należność",  # the plural is the term
        "firma „Termin Plus”",  # a quoted name
        "zatwierdzony",  # no form that a loan verb could take
        "kot na dachu",
        "",
    ],
)
def test_what_is_no_term(matcher: TermMatcher, text: str) -> None:
    assert [name for name, _ in found(matcher, text) if name not in ("umowa",)] == []


def test_a_verbal_noun_is_no_conjugated_verb(matcher: TermMatcher) -> None:
    assert [name for name, _ in found(matcher, "wdrożenie systemu")] == ["wdrożenie"]
    assert [name for name, _ in found(matcher, "wdrożyliśmy system")] == ["wdrożyć"]


def test_terms_without_a_noun_are_left_out() -> None:
    assert term_pattern("dokładnie na czas") is None
    assert TermMatcher(["dokładnie na czas"]).patterns == ()


def test_speed(matcher: TermMatcher) -> None:
    queries = [ParsedQuery(Query(str(n), f"kara umowna i termin płatności faktury {n}")) for n in range(200)]
    matcher(queries[0])
    start = time.perf_counter()
    for query in queries:
        matcher(query)
    assert len(queries) / (time.perf_counter() - start) > 1000
