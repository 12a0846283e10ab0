"""Phrases of blind evaluations: at least 98.5 % of the cells right at first form; a refused phrase is wrong in all."""

from __future__ import annotations

import pytest

from perturb.polish.morphology import CASES
from perturb.polish.phrases import phrase_table
from tests.polish.tables import rows

LEAST_RIGHT = 0.985


@pytest.mark.parametrize("table", ["phrases_blind.tsv", "phrases_blind_second.tsv"])
def test_nearly_every_cell_is_right_at_first_form(table: str) -> None:
    misses, cells = [], 0
    for row in rows(table):
        found = phrase_table(row["phrase"]).cells
        for number in ("sg", "pl"):
            for case in CASES:
                wanted = row[f"{number}.{case}"]
                if wanted == "-":
                    continue
                cells += 1
                first = found[number][case][:1]
                if not first or first[0] not in wanted.split("|"):
                    misses.append(f"{row['phrase']} {case}.{number}: {first}, wanted {wanted}")
    assert cells > 1500
    assert 1 - len(misses) / cells >= LEAST_RIGHT, f"{len(misses)} of {cells} wrong:\n" + "\n".join(misses)


def test_an_opening_abbreviation_stays_before_the_phrase() -> None:
    table = phrase_table("tzw. miękka hipoteka")
    assert table.cells["sg"]["gen"][0] == "tzw. miękkiej hipoteki"
    assert phrase_table("tzw. miękkiej hipoteki").cells["sg"]["nom"][0] == "tzw. miękka hipoteka"
