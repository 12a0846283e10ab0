"""Noun phrases inflected by perturb and by polish-inflection: accuracy on the hand-written tables, and time per cell.

Run: ``python benchmarks/inflection_vs_polish_inflection.py``. Accuracy: share of the cells in
``tests/cases/phrases.tsv`` (vocatives left out) whose first form is among the accepted ones. polish-inflection takes a
phrase in the nominative singular, so phrases given in another cell and pluralia tantum are left out of the second line.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from perturb.polish.morphology import CASES, NUMBERS
from perturb.polish.phrases import phrase_table
from perturb.polish.phrases.inflect import PhraseReader
from perturb.polish.text import clean, tokenize
from perturb.resources import read_table

GOLD = read_table("phrases.tsv", folder=Path(__file__).parent.parent / "tests" / "cases")


def peer() -> Callable[[str, str, str], str | None]:
    """The peer as a function of phrase, case and number; it uses the same names for both. None where it declines."""
    from polish_inflection import odmien_fraze

    def inflect(phrase: str, case: str, number: str) -> str | None:
        result = odmien_fraze(phrase, case, number, default=None)
        return str(result) if result else None

    return inflect


def accuracy(inflect: Callable[[str, str, str], str | None], rows: list[dict[str, str]]) -> tuple[float, int]:
    """Share of the existing cells whose form is accepted, and how many cells there are."""
    verdicts: Counter[bool] = Counter()
    for row in rows:
        for number in NUMBERS:
            for case in CASES[:6]:
                wanted = row[f"{number}.{case}"]
                if wanted != "-":
                    verdicts[inflect(row["phrase"], case, number) in wanted.split("|")] += 1
    return verdicts[True] / verdicts.total(), verdicts.total()


def ours(phrase: str, case: str, number: str) -> str | None:
    """The first form of our table."""
    forms = phrase_table(phrase).cells[number][case]
    return forms[0] if forms else None


def seconds_per_cell(tables: Callable[[str], int], phrases: list[str], repeats: int = 5) -> float:
    """Best time of several passes over the phrases, divided by the number of cells made."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        cells = sum(tables(phrase) for phrase in phrases)
        best = min(best, (time.perf_counter() - start) / cells)
    return best


def our_cells(phrase: str) -> int:
    """A full table without the cache of phrases: words are known, the phrase is new."""
    text = clean(phrase)
    reader = PhraseReader(text, tokenize(text))
    return sum(1 for cell in range(14) if reader.forms(cell) is not None)


def main() -> None:
    """Print both."""
    inflect = peer()
    nominative = [row for row in GOLD if "given:" not in row["tags"] and "plurale_tantum" not in row["tags"]]
    for name, rows in (("all phrases", GOLD), ("nominative singular", nominative)):
        our_share, cells = accuracy(ours, rows)
        peer_share, _ = accuracy(inflect, rows)
        print(
            f"{name}: {len(rows)} phrases, {cells} cells: perturb {our_share:.2%}, polish-inflection {peer_share:.2%}"
        )
    phrases = [row["phrase"] for row in nominative]

    def peer_cells(phrase: str) -> int:
        for number in NUMBERS:
            for case in CASES:
                inflect(phrase, case, number)
        return 14

    our_time, peer_time = seconds_per_cell(our_cells, phrases), seconds_per_cell(peer_cells, phrases, repeats=2)
    print(f"time per cell: perturb {our_time * 1e6:.1f} µs, polish-inflection {peer_time * 1e6:.1f} µs")
    print(f"ratio {peer_time / our_time:.1f}; full tables per second: {1 / (14 * our_time):,.0f}")


if __name__ == "__main__":
    main()
