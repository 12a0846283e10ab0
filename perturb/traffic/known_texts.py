"""Clean Polish on which the detectors' own errors are measured: the documents of the bundled golden set."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from random import Random

from perturb.golden.goldenset import load_golden_set
from perturb.polish.text import POLISH_DIACRITICS

_SENTENCE_END = re.compile(r"(?<=\w{3})[.!?;:]\s+|\n+|\s[–—]\s")
_WITH_DIACRITICS = re.compile(f"[{POLISH_DIACRITICS}]")
_LONGEST = 12


@lru_cache(maxsize=1)
def clean_texts() -> tuple[str, ...]:
    """Titles and sentences of the documents, proofread."""
    documents = load_golden_set("firma").documents
    texts = (text for document in documents for text in (document.title, document.text))
    parts = (part for text in texts for part in _SENTENCE_END.split(text))
    return tuple(dict.fromkeys(part.strip(" .,;:!?") for part in parts if len(part.split()) > 1))


def clean_queries(lengths: Sequence[int], number: int, seed: int) -> list[str]:
    """Stretches of the clean texts, as long as queries are.

    Args:
        lengths: words per query, drawn from; more than twelve count as twelve.
        number: how many to cut.
        seed: of the draw.
    """
    rng = Random(f"{seed}|clean queries")
    sentences = [text.split() for text in clean_texts()]
    return [_stretch(sentences, min(lengths[rng.randrange(len(lengths))], _LONGEST), rng) for _ in range(number)]


def plain_queries(lengths: Sequence[int], number: int, seed: int) -> list[str]:
    """The same from the runs of words that have no diacritics."""
    rng = Random(f"{seed}|plain queries")
    runs: list[list[str]] = []
    for text in clean_texts():
        run: list[str] = []
        for word in [*text.split(), "ą"]:
            if _WITH_DIACRITICS.search(word):
                if run:
                    runs.append(run)
                run = []
            else:
                run.append(word)
    return [_stretch(runs, min(lengths[rng.randrange(len(lengths))], _LONGEST), rng) for _ in range(number)]


def _stretch(sentences: list[list[str]], wanted: int, rng: Random) -> str:
    """A random stretch of so many words; shorter only if no sentence drawn is long enough."""
    words: list[str] = []
    for _ in range(20):
        drawn = sentences[rng.randrange(len(sentences))]
        words = max(words, drawn, key=len)
        if len(words) >= wanted:
            break
    start = rng.randrange(max(1, len(words) - wanted + 1))
    return " ".join(words[start : start + wanted])
