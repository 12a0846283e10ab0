"""Queries as letters to somebody: greetings, requests and thanks around the question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import ClassVar

from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.question_forms import echoes, framed, is_joined, plain_phrase
from perturb.perturbations.sentence import body, is_command, is_question, lowered, speaker_gender
from perturb.polish.parsed import ParsedQuery
from perturb.records import Edit, Variant
from perturb.resources import read_table


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
        frames = [f for case in cases for f in _frames()[case] if f["register"] in self.registers]
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
