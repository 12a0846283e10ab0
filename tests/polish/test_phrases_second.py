"""Accuracy of noun phrase inflection over a second table written by hand, with other phrases than the first."""

from __future__ import annotations

from perturb.polish.morphology import CASES, NUMBERS
from perturb.polish.phrases import phrase_table
from tests.polish.tables import rows

GOLD = rows("phrases_second.tsv")
FIRST = {row["phrase"] for row in rows("phrases.tsv")}
LENIENT = ("sg_tantum", "proper", "pronoun")
LEAST_ACCURACY = 0.99


def judged_cells(row: dict[str, str]) -> dict[str, bool]:
    """Whether the first form of every cell is right; empty cells that the README calls lenient are left out."""
    table = phrase_table(row["phrase"])
    strict = "plurale_tantum" in row["tags"] or not any(tag in row["tags"] for tag in LENIENT)
    verdicts: dict[str, bool] = {}
    for number in NUMBERS:
        for case in CASES:
            wanted, found = row[f"{number}.{case}"], table.cells[number][case]
            if wanted != "-":
                verdicts[f"{number}.{case}"] = bool(found) and found[0] in wanted.split("|")
            elif strict:
                verdicts[f"{number}.{case}"] = not found
    return verdicts


def test_first_forms_are_right_nearly_everywhere() -> None:
    verdicts = {(row["phrase"], cell): right for row in GOLD for cell, right in judged_cells(row).items()}
    wrong = sorted({phrase for (phrase, _), right in verdicts.items() if not right})
    assert sum(verdicts.values()) / len(verdicts) >= LEAST_ACCURACY, wrong


def test_the_second_table_is_large_and_shares_no_phrase_with_the_first() -> None:
    assert len(GOLD) >= 260
    assert len({row["phrase"] for row in GOLD}) == len(GOLD)
    assert not FIRST & {row["phrase"] for row in GOLD}
    assert sum("given:" in row["tags"] for row in GOLD) >= len(GOLD) // 4


def test_every_phrase_stands_in_the_cell_its_tag_names() -> None:
    for row in GOLD:
        cell = next((tag.removeprefix("given:") for tag in row["tags"].split(",") if "given:" in tag), "sg.nom")
        assert row["phrase"] in row[cell].split("|"), row["phrase"]
