"""The lexicons behind ``case_in_frame``: search frames, openings of questions, prepositions of one meaning."""

from __future__ import annotations

import zlib
from collections import defaultdict
from functools import lru_cache
from random import Random
from typing import NamedTuple

from perturb.resources import read_table


class Frame(NamedTuple):
    """A search frame: its words before the phrase, the case it governs, what it adds to the meaning, what it fits."""

    before: str
    case: str
    stance: str
    fits: str


class Swap(NamedTuple):
    """Two prepositions of one meaning and their cases."""

    before: tuple[str, ...]
    before_case: str
    after: str
    instead: str
    instead_case: str


class Opening(NamedTuple):
    """The opening of a question about one thing, the case of the thing, and a frame that asks the same."""

    words: tuple[str, ...]
    thing_case: str
    frame: Frame


@lru_cache(maxsize=1)
def frames() -> tuple[Frame, ...]:
    """The search frames of ``lexicons/frames.tsv``."""
    return tuple(
        Frame(row["frame"].removesuffix("{}"), row["case"], row["stance"], row["fits"])
        for row in read_table("frames.tsv")
    )


@lru_cache(maxsize=64)
def _fitting(stances: tuple[str, ...], fits: tuple[str, ...]) -> tuple[tuple[Frame, ...], tuple[int, ...]]:
    found = tuple(frame for frame in frames() if frame.stance in stances and frame.fits in fits)
    return found, tuple(zlib.crc32(frame.before.encode()) for frame in found)


def draw_frame(stances: tuple[str, ...], fits: tuple[str, ...], rng: Random) -> Frame:
    """Draw a frame by rendezvous hashing, so that a frame added or taken out changes few other draws.

    Args:
        stances: stances to choose from.
        fits: what the frame must fit.
        rng: source of the draw.
    """
    possible, fingerprints = _fitting(stances, fits)
    ticket = rng.getrandbits(32)
    ranks = [(fingerprint ^ ticket) * 0x9E3779B1 & 0xFFFFFFFF for fingerprint in fingerprints]
    return possible[ranks.index(max(ranks))]


@lru_cache(maxsize=1)
def swaps() -> dict[str, tuple[Swap, ...]]:
    """The exchanges of ``lexicons/governor_swaps.tsv``, by the last word of what is exchanged."""
    found: dict[str, list[Swap]] = defaultdict(list)
    for row in read_table("governor_swaps.tsv"):
        before = tuple(row["before"].split())
        found[before[-1]].append(Swap(before, row["before_case"], row["after"], row["instead"], row["instead_case"]))
    return {word: tuple(rows) for word, rows in found.items()}


@lru_cache(maxsize=1)
def openings() -> dict[str, tuple[Opening, ...]]:
    """The openings of ``lexicons/question_openings.tsv``, by their first word."""
    found: dict[str, list[Opening]] = defaultdict(list)
    for row in read_table("question_openings.tsv"):
        words = tuple(row["opening"].split())
        frame = Frame(row["frame"].removesuffix("{}"), row["case"], "neutral", "any")
        if row["thing_case"] != "action":
            found[words[0]].append(Opening(words, row["thing_case"], frame))
    return {word: tuple(rows) for word, rows in found.items()}


@lru_cache(maxsize=1)
def action_openings() -> dict[str, tuple[Opening, ...]]:
    """The openings of questions about an action, with an infinitive after them, by first word, the longest first."""
    found: dict[str, list[Opening]] = defaultdict(list)
    for row in read_table("question_openings.tsv"):
        words = tuple(row["opening"].split())
        frame = Frame(row["frame"].removesuffix("{}"), row["case"], "neutral", "action")
        if row["thing_case"] == "action":
            found[words[0]].append(Opening(words, "action", frame))
    return {word: tuple(sorted(rows, key=lambda opening: -len(opening.words))) for word, rows in found.items()}


@lru_cache(maxsize=1)
def keyword_government() -> dict[str, tuple[str, str]]:
    """Case and preposition by which a keyword governs the one before it, of ``lexicons/keyword_government.tsv``."""
    return {row["keyword"]: (row["case"], row["before"]) for row in read_table("keyword_government.tsv")}
