"""Seconds and memory that the profile of a query log of 100,000 distinct queries takes.

The log is cut from the documents of the bundled golden set; a third of it has lost its diacritics and a tenth has a
typing error, so that there is as much to look up as in real traffic.
Run: ``python benchmarks/profile_100k.py [queries]``.
"""

from __future__ import annotations

import random
import resource
import sys
import time

from perturb.polish.keyboard import BARE
from perturb.traffic import profile_log, query_log
from perturb.traffic.errors_of_detectors import plant
from perturb.traffic.known_texts import clean_queries

WORDS = (1, 2, 3, 3, 4, 5, 6, 8)


def log_texts(number: int) -> list[str]:
    """Distinct queries with noise."""
    rng = random.Random(1)
    texts = []
    for place, text in enumerate(clean_queries(WORDS, number, seed=5)):
        if rng.random() < 0.1:
            text = plant("omission", text, rng) or text
        if rng.random() < 1 / 3:
            text = text.translate(BARE)
        texts.append(f"{text} {place}")
    return texts


def main() -> None:
    """Measure and print."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    log = query_log(log_texts(number))
    wall, processor = time.perf_counter(), time.process_time()
    profile = profile_log(log)
    print(f"{number:,} queries: {time.perf_counter() - wall:.1f} s, processor {time.process_time() - processor:.1f} s")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    for kind in ("diacritics_none", "omission"):
        share = profile.kinds[kind].share
        print(f"{kind}: {share.estimate:.3f} [{share.low:.3f}; {share.high:.3f}]")


if __name__ == "__main__":
    main()
