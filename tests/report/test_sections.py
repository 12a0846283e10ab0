import io
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from perturb.evaluation import Evaluation, clean_scores, drops, fragile_queries
from perturb.evaluation.looks import Looks
from perturb.report import html, markdown
from perturb.report.analysis import analysed, check_limits
from perturb.report.cautions import warnings
from perturb.report.console import show
from perturb.report.decision import decision
from perturb.report.models_section import which_model
from perturb.report.tables import Report
from perturb.report.why_section import why_section
from perturb.significance import Resampling
from perturb.suite import Suite
from tests.tiny_evaluation import tiny_evaluation

RESAMPLING = Resampling(7, 300)
HOSTILE = '<script>alert("&")</script>'


def _report(evaluation: Evaluation, gate: dict[str, object] | None = None, part: str | None = None) -> Report:
    rows = drops(evaluation, RESAMPLING)
    settings = {"part": part, "confidence": 0.95, "resamples": 300}
    report = Report(evaluation, rows, clean_scores(evaluation, RESAMPLING), fragile_queries(evaluation), settings)
    return analysed(report, RESAMPLING, gate or {})


def _evaluation(names: tuple[str, ...] = ("a", HOSTILE)) -> Evaluation:
    """The second model stands everything; the first loses to every typo, not to case."""
    queries = {f"q{n:02}": f"umowa{n} termin{n}" for n in range(24)}
    documents = {f"d{n:02}": f"umowa{n} umowy{n} termin{n}" for n in range(24)}
    variants = [(q, "typo", f"u{text}") for q, text in queries.items()]
    variants += [(q, "case", text.replace("umowa", "umowy")) for q, text in queries.items()]
    right = {q: [f"d{q[1:]}"] for q in queries}
    wrong = {f"{q}/typo/{n}": [f"d{(n + 1) % 24:02}"] for n, q in enumerate(queries)}
    kept = {f"{q}/case/{n + 24}": found for n, (q, found) in enumerate(right.items())}
    rankings = {names[0]: right | wrong | kept}
    if len(names) > 1:
        rankings[names[1]] = {f"{v[0]}/{v[1]}/{n}": right[v[0]] for n, v in enumerate(variants)} | right
    qrels = [(q, found[0], 1) for q, found in right.items()]
    tokens = {names[0]: np.arange(72).tolist()}
    return tiny_evaluation(
        queries,
        variants,
        documents=documents,
        qrels=qrels,
        rankings=rankings,
        tokens=tokens,
        seconds=dict.fromkeys(names, 1.0),
    )


@pytest.fixture(scope="module")
def report() -> Report:
    return _report(_evaluation(), {"max_drop": 0.1})


def test_which_model_says_who_is_best_and_who_loses_less(report: Report) -> None:
    section = which_model(report)
    assert section is not None
    text = "\n".join(section.sentences)
    assert f"{HOSTILE} loses less than a: by 0.500 [" in text
    assert f"Beaten by no other model in clean quality, robustness and speed together: {HOSTILE}." in text
    lines = {row[0]: row for row in section.tables[0].rows}
    assert lines["a"][3].startswith("typo: 1.000") and lines["a"][4] == "0.000" and lines["a"][6] == ""
    assert lines[HOSTILE][4] == "1.000" and lines[HOSTILE][6] == "yes"
    orders = {row[0]: row for row in section.tables[1].rows}
    assert orders["typo"][1:4] == (f"a = {HOSTILE}", f"{HOSTILE} > a", "no")
    assert all(len(row) == len(table.header) for table in section.tables for row in table.rows)


def test_without_speed_nobody_is_unbeaten_for_being_fast() -> None:
    scores = {"good": {"recall@1": [1.0, 1.0]}, "fast": {"recall@1": [0.5, 0.0]}}
    evaluation = tiny_evaluation(
        {"q1": "raz"}, [("q1", "typo", "rza")], scores=scores, seconds={"good": 9.0, "fast": 1.0}
    )
    report = _report(evaluation)
    timed, untimed = which_model(report), which_model(report, timed=False)
    assert timed is not None and untimed is not None
    assert [row[-1] for row in timed.tables[0].rows] == ["yes", "yes"]
    assert [row[-1] for row in untimed.tables[0].rows] == ["yes", ""]
    assert "Beaten by no other model in clean quality and robustness together: good." in untimed.sentences
    assert "speed" not in "".join(untimed.sentences) + untimed.tables[0].caption + untimed.tables[0].title
    slower = replace(evaluation, models=tuple(replace(m, seconds={"search": 77.0}) for m in evaluation.models))
    assert markdown.render(_report(slower)) == markdown.render(report)
    assert html.render(_report(slower)) != html.render(report)


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("perturb run g --out a --seed 3", "perturb run g --seed 3"),
        ("perturb run g --out=/b/c --junit x.xml", "perturb run g"),
        ("perturb run 'my set' --models bm25,e5", "perturb run 'my set' --models bm25,e5"),
        ("", ""),
    ],
)
def test_where_files_went_is_no_part_of_the_markdown(report: Report, command: str, shown: str) -> None:
    text = markdown.render(replace(report, settings={**report.settings, "command": command}))
    assert text.endswith(f"```\n{shown}\n```\n")


def test_changed_and_likely_orders_are_told() -> None:
    rng = np.random.default_rng(1)
    queries = {f"q{n}": "słowo" for n in range(20)}
    variants = [(q, "typo", f"{q} x") for q in queries] + [(q, "case", f"{q} y") for q in queries]
    near = rng.random(20)
    a = [*(near + 0.01), *(near - 0.2), *(near + rng.normal(0, 0.3, 20))]
    scores = {"a": {"recall@1": a}, "b": {"recall@1": [*near, *near, *near - 0.02]}}
    section = which_model(_report(tiny_evaluation(queries, variants, scores=scores)))
    assert section is not None
    text = "\n".join(section.sentences)
    assert "The order of the models changes under: typo (probability" in text


def test_one_model_gets_a_line_and_no_comparison() -> None:
    section = which_model(_report(_evaluation(("a",))))
    assert section is not None and section.sentences == () and len(section.tables) == 1


def test_why_says_where_the_typed_form_stands(report: Report) -> None:
    section = why_section(report)
    assert section is not None
    assert section.sentences[0] == (
        "a: where what was typed does not stand in the right document (24 queries), recall@1 drops by 1.000 "
        "[1.000; 1.000]; where it does (24 queries, which may be others), it stays [0.000; 0.000]."
    )
    assert any("overtaker is most often" in sentence for sentence in section.sentences)
    assert all(len(row) == len(table.header) for table in section.tables for row in table.rows)


def test_nothing_perturbed_has_no_reasons() -> None:
    evaluation = tiny_evaluation({"q1": "raz"}, [], scores={"a": {"recall@1": [1.0]}})
    assert why_section(_report(evaluation)) is None
    assert "Why" not in html.render(_report(evaluation))


def test_decision_names_gate_and_part(report: Report) -> None:
    section = decision(report)
    assert section.alarm and section.sentences[0].startswith("Gate FAILED: 4 checks, 1 fail")
    assert "Part used: all" in section.sentences[-1]
    held_out = replace(report, gate=None, settings={**report.settings, "part": "test"}, looks=Looks("test", 4, 2))
    section = decision(held_out)
    assert not section.alarm and section.tables == () and "look number 4" in section.sentences[-1]


def test_more_than_five_broken_limits_are_counted() -> None:
    names = tuple(f"m{n}" for n in range(7))
    queries = {"q1": "raz"}
    scores = {name: {"recall@1": [1.0, 0.0]} for name in names}
    report = _report(tiny_evaluation(queries, [("q1", "typo", "rza")], scores=scores), {"max_drop": 0.1})
    assert "… and 2 more, below" in decision(report).sentences


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        return None

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_well_formed_escaped_and_has_its_sections(report: Report) -> None:
    text = html.render(report)
    tags = _Tags()
    tags.feed(text)
    assert tags.open == []
    assert [name for name in tags.ids if name in ("decision", "models", "why")] == ["decision", "models", "why"]
    assert "<script" not in text and "&lt;script&gt;" in text


def test_markdown_has_the_same_sections(report: Report) -> None:
    text = markdown.render(report)
    for heading in ("## Decision", "## Which model", "## Why quality drops"):
        assert heading in text
    assert text.count("<details>") == text.count("</details>") > 3
    assert "<script" not in text.replace("\\<script", "")


def test_terminal_ends_with_the_decision(report: Report) -> None:
    from rich.console import Console

    console = Console(width=160, record=True, file=io.StringIO())
    show(report, console)
    text = console.export_text()
    assert text.index("loses less than") < text.index("Gate FAILED") < text.index("Part used")


def test_limits_are_checked_before_anything_runs() -> None:
    from perturb.errors import ConfigError

    check_limits({}, (), (), ())
    check_limits({"max_drop": 0.1}, ("a",), ("typo",), ("recall@5",))
    with pytest.raises(ConfigError, match=r"gate\.model\.b"):
        check_limits({"model": {"b": {"max_drop": 0.1}}}, ("a",), ("typo",), ("recall@5",))


def test_a_gain_is_no_negative_drop() -> None:
    documents = {"d1": "termin umowy", "d2": "umowa"}
    variants = [("q1", "case", "umowy"), ("q1", "typo", "umwoa")]
    scores = {"a": {"recall@1": [0.5, 1.0, 0.0]}}
    evaluation = tiny_evaluation({"q1": "umowa"}, variants, documents=documents, scores=scores)
    section = why_section(_report(evaluation))
    assert section is not None
    assert section.sentences[0].endswith(
        "recall@1 drops by 0.500 n/d (n=1); where it does (1 query, which may be others), it rises by 0.500 n/d (n=1)."
    )


def test_a_suite_of_another_state_or_dictionary_is_told() -> None:
    evaluation = tiny_evaluation({"q1": "umowa"}, [("q1", "typo", "umwa")], scores={"m": {"recall@1": [1.0, 1.0]}})
    header = {**evaluation.suite.header, "golden_set": "other", "morfeusz": "pl.sgjp.sgjp-1999.01.01"}
    changed = replace(evaluation, suite=Suite(header, evaluation.suite.variants))
    told = warnings(Report(changed, (), (), ()))
    assert any("another state of the golden set" in line for line in told)
    assert any("made with the dictionary pl.sgjp.sgjp-1999.01.01, here is pl.sgjp" in line for line in told)
    assert not any("dictionary" in line for line in warnings(Report(evaluation, (), (), ())))
