"""The result of a gate for other programs: JUnit XML for CI servers, Markdown for a pull request."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from perturb.report.gate import GateCheck, GateResult
from perturb.report.gate_checks import CHECK_COLUMNS, check_rows, sentence
from perturb.report.markdown import escape, table

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(result: GateResult) -> str:
    """Write the checks as JUnit XML: one suite per model, one test case per check.

    A check that shuts the gate is a ``failure``; one that is skipped, or undecided and only reported, is ``skipped``.
    """
    stopping = set(map(id, result.stopping))
    root = ElementTree.Element("testsuites", {"name": "perturb gate", **_counts(result.checks, stopping)})
    for model in dict.fromkeys(check.model for check in result.checks):
        mine = tuple(check for check in result.checks if check.model == model)
        suite = ElementTree.SubElement(root, "testsuite", {"name": _xml(model), **_counts(mine, stopping)})
        for check in mine:
            case = ElementTree.SubElement(suite, "testcase", classname=_xml(f"perturb.{model}"), name=_xml(check.name))
            if id(check) in stopping:
                failure = ElementTree.SubElement(case, "failure", type=check.status, message=_xml(check.message))
                failure.text = _xml(f"{model}, {check.name}: {check.message}")
            elif check.status != "pass":
                ElementTree.SubElement(case, "skipped", message=_xml(check.message))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _counts(checks: tuple[GateCheck, ...], stopping: set[int]) -> dict[str, str]:
    failures = sum(id(check) in stopping for check in checks)
    skipped = sum(check.status != "pass" and id(check) not in stopping for check in checks)
    return {"tests": str(len(checks)), "failures": str(failures), "errors": "0", "skipped": str(skipped)}


def _xml(text: str) -> str:
    """Text without the control characters that XML forbids."""
    return _NOT_XML.sub("\ufffd", text)


def gate_markdown(result: GateResult) -> str:
    """Write the checks for a comment on a pull request: what fails first, what passes folded away."""
    lines = [f"## {sentence(result)}", "", *([result.grouped, ""] if result.grouped else [])]
    notable = [check for check in result.checks if check.status != "pass"]
    passed = [check for check in result.checks if check.status == "pass"]
    order = {"fail": 0, "undecided": 1, "skipped": 2}
    if notable:
        lines += [_table(sorted(notable, key=lambda check: order[check.status])), ""]
    if passed:
        lines += ["<details><summary>" + f"{len(passed)} passed</summary>", "", _table(passed), "", "</details>", ""]
    return "\n".join(lines)


def _table(checks: Sequence[GateCheck]) -> str:
    return table(CHECK_COLUMNS, [[escape(cell) for cell in row] for row in check_rows(checks)])
