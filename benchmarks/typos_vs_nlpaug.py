"""Keyboard typos: variants per second of ``typo.keyboard`` and of nlpaug's ``KeyboardAug`` on the same sentences.

Ours makes one variant per call with a random source of its own, finds the edit and checks against the dictionary that
the result is no other word. nlpaug is measured as it comes, and set to one letter of one word of four letters or more,
which is as much as ours changes. Rounds alternate and processor time is counted, so that other load on the machine
matters little; medians are compared. Loading of models and dictionaries is left out, parsing of the queries is not.
Needs the extra ``bench``. Run: ``python benchmarks/typos_vs_nlpaug.py [rounds]``.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
import warnings
from collections.abc import Callable

from perturb.perturbations.typos import KeyboardTypo
from perturb.polish.parsed import ParsedQuery
from perturb.records import Query
from perturb.resources import resource

VARIANTS_PER_SENTENCE = 20


def sentences() -> list[str]:
    """The queries of the bundled golden set."""
    path = resource("goldensets", "firma") / "queries.jsonl"
    return [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()]


def ours(texts: list[str], first_draw: int) -> int:
    """Make the variants of one round; returns their number."""
    rule = KeyboardTypo()
    made = 0
    for number, text in enumerate(texts):
        query = ParsedQuery(Query(str(number), text))
        for draw in range(first_draw, first_draw + VARIANTS_PER_SENTENCE):
            rng = random.Random(f"20261130|{rule.name}|{query.query_id}|{draw}")
            made += sum(1 for _ in rule(query, rng))
    return made


def nlpaug(**settings: object) -> Callable[[list[str], int], int]:
    """One round of ``KeyboardAug`` with these settings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from nlpaug.augmenter.char import KeyboardAug

    augmenter = KeyboardAug(lang="pl", **settings)

    def make(texts: list[str], first_draw: int) -> int:
        return sum(len(augmenter.augment(text, n=1)) for text in texts for _ in range(VARIANTS_PER_SENTENCE))

    return make


def main() -> None:
    """Print the rates and their ratios."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    texts = sentences()
    contenders = {
        "perturb typo.keyboard": ours,
        "nlpaug KeyboardAug as it comes": nlpaug(),
        "nlpaug KeyboardAug, one letter": nlpaug(
            aug_char_max=1, aug_word_max=1, include_special_char=False, include_numeric=False, min_char=4
        ),
    }
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for make in contenders.values():
        make(texts[:2], 0)
    for number in range(rounds):
        for name, make in contenders.items():
            start = time.process_time()
            made = make(texts, number * VARIANTS_PER_SENTENCE)
            rates[name].append(made / (time.process_time() - start))
    best = statistics.median(rates["perturb typo.keyboard"])
    for name, seen in rates.items():
        median = statistics.median(seen)
        print(f"{name:<32} {median:>9,.0f}/s (first round {seen[0]:,.0f}); perturb {best / median:.2f} times as fast")


if __name__ == "__main__":
    main()
