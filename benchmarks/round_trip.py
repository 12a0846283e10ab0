"""Do phrases of real text come back as they are, in their own cell and by way of the nominative?

Pairs of words are cut from HTML pages by agreement alone, as Morfeusz sees them: adjective and noun, or noun and
genitive. Some are no phrases (*jako formuły*, *kilka opcji*), which counts against the engine.

    python benchmarks/round_trip.py [FOLDER] [--pairs 6000]
"""

from __future__ import annotations

import argparse
import html
import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import morfeusz2

from perturb.polish.phrases import inflect, phrase_table

ANALYSER = morfeusz2.Morfeusz()
Readings = frozenset[tuple[str, str, str]]  # number, case, gender


@cache
def readings(word: str) -> tuple[Readings, Readings]:
    """Readings of a word as an adjective or participle, and as a noun."""
    found: tuple[set[tuple[str, str, str]], set[tuple[str, str, str]]] = (set(), set())
    for _, _, (_, _, tag, _, _) in ANALYSER.analyse(word):
        pos, *values = tag.split(":")
        if pos in ("adj", "ppas", "pact", "subst") and len(values) >= 3:
            numbers, cases, genders = (value.split(".") for value in values[:3])
            found[pos == "subst"].update((n, c, g) for n in numbers for c in cases for g in genders)
    return frozenset(found[0]), frozenset(found[1])


def pairs(folder: Path) -> Iterator[tuple[str, set[tuple[str, str]]]]:
    """Pairs of words and the cells in which they can stand."""
    for page in sorted(folder.rglob("*.html")):
        text = html.unescape(re.sub(r"<[^>]+>", " ", page.read_text(encoding="utf-8", errors="ignore")))
        for stretch in re.split(r'[.;:,!?()\n"„”]', text):
            words = stretch.split()
            for first, second in pairwise(words):
                if not all(w.isalpha() and w.islower() and len(w) > 3 for w in (first, second)):
                    continue
                (adjective, noun), (other, head) = readings(first), readings(second)
                if adjective and not noun and not other and (common := adjective & head):
                    yield f"{first} {second}", {(n, c) for n, c, _ in common}
                elif noun and not adjective and not other and any(c == "gen" for _, c, _ in head):
                    yield f"{first} {second}", {(n, c) for n, c, _ in noun}


def main() -> None:
    """Cut, inflect, count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("/usr/share/libreoffice/help/pl"))
    parser.add_argument("--pairs", type=int, default=6000)
    options = parser.parse_args()
    found = dict(pairs(options.folder))
    if not found:
        raise SystemExit(f"{options.folder}: no pages; install Debian's libreoffice-help-pl or name a folder")
    drawn = random.Random(1).sample(sorted(found), min(options.pairs, len(found)))
    refused = identical = returned = 0
    for phrase in drawn:
        table = phrase_table(phrase)
        if not table.confidence:
            refused += 1
            continue
        own = [cell for cell in found[phrase] if phrase in table.cells[cell[0]][cell[1]]]
        identical += bool(own)
        there = (((n, c), table.cells[n]["nom"][:1]) for n, c in own)
        returned += any(phrase in inflect(nom[0], c, n).forms for (n, c), nom in there if nom)
    print(f"{len(drawn)} of {len(found)} pairs, {refused} refused")
    recognised = len(drawn) - refused
    print(f"identical in a cell of their own: {identical / len(drawn):.2%}, {identical / recognised:.2%} if recognised")
    print(f"back by way of the nominative: {returned / identical:.2%}")


if __name__ == "__main__":
    main()
