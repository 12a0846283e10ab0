"""Queries as letters to somebody: greetings, requests and thanks around the question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import ClassVar

from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.plain_phrases import echoes, head_classes, is_joined, plain_phrase
from perturb.perturbations.question_forms import framed
from perturb.perturbations.sentence import body, is_command, is_question, lowered, speaker_gender
from perturb.polish.parsed import ParsedQuery
from perturb.records import Edit, Variant
from perturb.resources import read_table

_REQUESTS = frozenset(
    {"ktoś", "możesz", "możecie", "mogłabyś", "mógłbyś", "mogliby", "moglibyście", "mogłyby", "mogą", "proszę"}
    | {"prosić", "poprosić", "mógłby", "mogłaby", "dacie", "masz", "macie", "zechce", "państwo", "pani", "pan"}
)
"""Words near the beginning of a question that make it a request or address somebody."""

_HOW = frozenset({"jak", "gdzie", "skąd", "dokąd", "komu", "kogo", "co"})
"""Question words whose answer is a hint."""

_WHY = frozenset({"jak", "dlaczego", "czemu", "czym", "czy"})
"""Question words whose answer is an explanation."""


@lru_cache(maxsize=1)
def _frames() -> dict[str, list[dict[str, str]]]:
    frames: dict[str, list[dict[str, str]]] = {}
    for row in read_table("politeness.tsv"):
        frames.setdefault(row["takes"], []).append(row)
    return frames


@register
@dataclass(frozen=True)
class Polite(Perturbation):
    """The query in a polite, wordy frame: *Proszę o informację, jak wystawić fakturę*.

    Questions follow as they are, noun phrases go into the case the frame asks for, commands get a *proszę*. Frames:
    ``politeness.tsv``. Nothing is yielded for a query that is none of these.

    Attributes:
        registers: kinds of frame to draw from: ``formal``, ``neutral``, ``colloquial``.
    """

    name: ClassVar[str] = "query_form.polite"
    summary: ClassVar[str] = "polite padding: proszę o informację, jak …"
    draws: ClassVar[int] = 2
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("Jak wystawić fakturę?", "Proszę o informację, jak wystawić fakturę."),
        ("kara umowna", "szukam informacji na temat kary umownej"),
    )

    registers: tuple[str, ...] = ("formal", "neutral", "colloquial")

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant with a frame drawn at random."""
        takes = "question" if is_question(query) else "command" if is_command(query) else ""
        phrase = None if takes else plain_phrase(query)
        if not takes and phrase is None:
            return
        cases = [takes] if takes else ["nom", "gen", "loc", "acc"]
        fits = {"any", "command"} | (head_classes(phrase) if phrase else _fits(query))
        frames = [f for case in cases for f in _frames()[case] if f["register"] in self.registers and f["fits"] in fits]
        frames = [frame for frame in frames if not _is_said(frame["frame"], query)]
        clash = {"m": "łabym", "f": "łbym"}.get(speaker_gender(query))
        frames = [frame for frame in frames if clash is None or clash not in frame["frame"]]
        frames = [frame for frame in frames if phrase is None or not echoes(frame["frame"], phrase)]
        if not frames:
            query.decline("no frame of the chosen registers")
            return
        frame = rng.choice(frames)
        if phrase is None:
            edits: list[Edit] | None = _around(query, frame["frame"], frame["ending"])
        else:
            number = phrase.number("nom") or "sg"
            filled = frame["frame"]
            if number == "pl" or is_joined(phrase):
                filled = filled.replace("Interesuje ", "Interesują ")
            edits = framed(query, phrase, filled, (number, frame["takes"]))
        if edits:
            yield query.variant(self.name, f"{frame['takes']}.{frame['register']}", edits)


def _fits(query: ParsedQuery) -> set[str]:
    """What frames fit a question: one that asks somebody to do something takes a greeting only.

    *Czy ktoś z IT może podejść* and *czy możecie sprawdzić* are requests; *jak*, *gdzie*, *co* ask for a hint, *jak*,
    *dlaczego*, *czy* for an explanation.
    """
    words = [token.lower for token in query.tokens[:4]]
    if not _REQUESTS.isdisjoint(words):
        return set()
    hint = {"how"} if not _HOW.isdisjoint(words[:2]) else set()
    return {"fact"} | hint | ({"why"} if not _WHY.isdisjoint(words[:2]) else set())


def _is_said(frame: str, query: ParsedQuery) -> bool:
    """Whether the query greets, asks or thanks as the frame does: *podaj mi proszę …, proszę*."""
    words = {token.lower for token in query.tokens}
    return any(said in frame.lower() and said in words for said in ("proszę", "dziękuję", "cześć", "hej", "dzień"))


def _around(query: ParsedQuery, frame: str, ending: str) -> list[Edit]:
    before, after = frame.split("{query}")
    edits: list[Edit] = []
    if before:
        first = query.tokens[0]
        # A query that begins small is typed without care for capitals; so is what is set before it.
        if first.text[:1].islower():
            before = before[:1].lower() + before[1:]
        lower = lowered(first)
        if lower == first.text:
            edits.append(query.edit(0, 0, before))
        else:
            edits.append(query.edit(0, first.end, before + lower))
    end = body(query)[-1].end
    if after:
        closing = query.text[end:] if after.startswith(" ") else ""
        if after.startswith(" ") and not closing:
            # Who leaves the question mark out goes on in the same breath: jak to zrobić, z góry dziękuję.
            thanks = after.strip(" .")
            after = f", {thanks[:1].lower()}{thanks[1:]}"
        edits.append(query.edit(len(query.text) if closing else end, len(query.text), after))
    elif ending != "keep" and query.text[end:] and query.text[end:] != ending:
        edits.append(query.edit(end, len(query.text), ending))
    elif ending == "?" and not query.text[end:]:
        edits.append(query.edit(end, end, "?"))
    return [edit for edit in edits if edit.before != edit.after]
