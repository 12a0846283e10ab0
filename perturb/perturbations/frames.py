"""``case_in_frame``: a noun phrase in another case because something else governs it.

Three ways, all of them with the case the governor asks for: a search frame put before a query that is a noun phrase
(*kara umowna* → *informacje o karze umownej*), a frame before the nominalised form of a how-to question (*jak wystawić
fakturę* → *pomoc w wystawieniu faktury*), another preposition of the same meaning (*według umowy* → *zgodnie z umową*).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from perturb.errors import ConfigError
from perturb.perturbations.asked_actions import REQUEST, WISH, asked_action, beginning, goes_on
from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.frame_fit import fitting, fitting_request, repeats
from perturb.perturbations.frame_lexicon import Frame, Swap, draw_frame, openings, swaps
from perturb.perturbations.keywords_joined import written_out
from perturb.polish.morphology import lemmas
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases import CONFIDENCE_THRESHOLD, NounPhrase
from perturb.polish.phrases.clause import free_phrase, is_transparent, number_of
from perturb.polish.phrases.countability import is_thing, names_action, number_can_change
from perturb.polish.phrases.govern import verb_readings
from perturb.polish.phrases.nominal import FOR_WHOM, REQUESTS, action_after, how_to, nominalise, order
from perturb.polish.phrases.obstacles import PREDICATE
from perturb.polish.verbs import third_person
from perturb.polish.vocalisation import vocalised
from perturb.records import Edit, Variant

_STANCES = ("neutral", "request", "problem")
_FRAME_CONFIDENCE = 0.97
_SWAP_CONFIDENCE = 0.93
_ENOUGH_DRAWS = 12


@register
@dataclass(frozen=True)
class CaseInFrame(Perturbation):
    """A noun phrase governed by something else, in the case that this asks for.

    Attributes:
        stances: which frames to use: ``neutral`` (the same question), ``request`` (asks to be told or shown),
            ``problem`` (adds that something is wrong or missing; such variants are flagged ``meaning_risk``).
        min_confidence: phrases parsed with less confidence yield nothing.
    """

    stances: tuple[str, ...] = ("neutral", "request")
    min_confidence: float = CONFIDENCE_THRESHOLD

    name: ClassVar[str] = "case_in_frame"
    summary: ClassVar[str] = "a noun phrase in a frame that governs its case: kara umowna → informacje o karze umownej"
    draws: ClassVar[int] = 3
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("kara umowna", "informacje o karze umownej"),
        ("jak wystawić fakturę korygującą", "pomoc w wystawieniu faktury korygującej"),
    )

    def __post_init__(self) -> None:
        for stance in self.stances:
            if stance not in _STANCES:
                raise ConfigError(f"[perturbation.case_in_frame] stances has {stance!r}; known: {', '.join(_STANCES)}")

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant with a frame or preposition drawn at random."""
        ways = (self._framed, self._written_out, self._reopened, self._nominalised, self._ordered, self._swapped)
        for way in ways:
            variant = way(query, rng)
            if variant is not None and variant.text != query.text:
                yield variant
                return

    def _framed(self, query: ParsedQuery, rng: Random) -> Variant | None:
        requested = _requested(query, self.min_confidence)
        phrase = requested or free_phrase(query, self.min_confidence)
        if phrase is None or (requested is None and not is_transparent(query.tokens[: phrase.start])):
            return None
        if not _ends_with(query, phrase):
            query.decline("more than one phrase")
            return None
        number = number_of(phrase)
        fits = fitting_request(query, phrase) if requested else fitting(query, phrase)
        for _ in range(_ENOUGH_DRAWS):
            frame = draw_frame(self.stances, fits, rng)
            edits = _frame_edits(query, phrase, frame, number) if number else None
            if edits is not None:
                return self._variant(query, frame, number, edits, phrase.confidence * _FRAME_CONFIDENCE)
        query.decline("no frame fits")
        return None

    def _nominalised(self, query: ParsedQuery, rng: Random) -> Variant | None:
        asked = asked_action(query)
        found = action_after(query, len(asked.words)) if asked else how_to(query)
        if found is None or (found.object is not None and found.object.confidence < self.min_confidence):
            return None
        wish = asked is not None and asked.frame.before == WISH
        if wish and goes_on(query, found):
            query.decline("no verbal noun that people use")
            return None
        frame = asked.frame if asked else draw_frame(self.stances, ("asking", "action"), rng)
        noun = nominalise(query, found, frame.case)
        if noun is None:
            query.decline("no verbal noun, or its object is unclear")
            return None
        before = _before(frame, noun[0].after.lower())
        edits = nominalise(query, found, frame.case, before)
        return self._variant(query, frame, "sg", edits or noun, _FRAME_CONFIDENCE)

    def _ordered(self, query: ParsedQuery, rng: Random) -> Variant | None:
        found = order(query)
        if found is None or found.object is None or found.object.confidence < self.min_confidence:
            return None
        noun = nominalise(query, found, REQUEST.case, REQUEST.before)
        if noun is None or goes_on(query, found):
            return None
        return self._variant(query, REQUEST, "sg", noun, _FRAME_CONFIDENCE)

    def _written_out(self, query: ParsedQuery, rng: Random) -> Variant | None:
        """Two keywords side by side, the second one governing the first: *opłata za przelew zagraniczny*."""
        found = written_out(query, self.min_confidence)
        if found is None:
            return None
        case, number, edit = found
        return query.variant("case_in_frame", f"{case}.{number}", [edit], confidence=_SWAP_CONFIDENCE)

    def _reopened(self, query: ParsedQuery, rng: Random) -> Variant | None:
        possible = []
        for opening in beginning(openings(), query):
            length = len(opening.words)
            phrase = next((p for p in query.noun_phrases if p.start == length), None)
            if phrase is None or phrase.confidence < self.min_confidence:
                continue
            if phrase.obstacle and (phrase.obstacle != PREDICATE or opening.thing_case != "nom"):
                continue
            number = _number_in(phrase, opening.thing_case)
            if number and _ends_with(query, phrase):
                edits = _frame_edits(query, phrase, opening.frame, number)
                if edits is not None:
                    possible.append((opening.frame, number, edits, phrase.confidence))
        if not possible:
            return None
        frame, number, edits, confidence = rng.choice(possible)
        return self._variant(
            query, frame, number, _without_question_mark(query, edits, frame), confidence * _SWAP_CONFIDENCE
        )

    def _swapped(self, query: ParsedQuery, rng: Random) -> Variant | None:
        possible: list[tuple[Swap, tuple[Edit, ...], str]] = []
        for phrase in query.noun_phrases:
            if not phrase.start or phrase.obstacle or phrase.confidence < self.min_confidence:
                continue
            for swap in swaps().get(_plain(query.tokens[phrase.start - 1].lower), ()):
                if swap.before == ("przy",) and not _is_occasion(phrase):
                    continue
                if swap.before == ("przy",) and swap.instead == "w przypadku" and phrase.lemma.endswith(("nie", "cie")):
                    continue  # *błąd przy zapisywaniu* is one while it goes on
                edits = _swap_edits(query, phrase, swap)
                if edits is not None:
                    possible.append((swap, edits, _number_in(phrase, swap.before_case)))
        if not possible:
            query.decline("no frame or preposition to exchange")
            return None
        swap, edits, number = rng.choice(possible)
        return query.variant("case_in_frame", f"{swap.instead_case}.{number}", edits, confidence=_SWAP_CONFIDENCE)

    def _variant(
        self, query: ParsedQuery, frame: Frame, number: str, edits: list[Edit] | tuple[Edit, ...], confidence: float
    ) -> Variant:
        flags = ("meaning_risk",) if frame.stance == "problem" else ()
        kind = f"{frame.case}.{number}"
        return query.variant("case_in_frame", kind, edits, confidence=round(confidence, 3), flags=flags)


def _without_question_mark(query: ParsedQuery, edits: list[Edit], frame: Frame) -> list[Edit]:
    """A noun phrase is no question: drop the mark, unless the frame asks a question itself."""
    last = query.tokens[-1]
    if last.text != "?" or frame.before.split()[0] in ("gdzie", "kto", "komu", "czy"):
        return edits
    return [*edits, query.edit(last.start, last.end, "")]


def _ends_with(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether nothing but punctuation or a subordinate clause follows the phrase."""
    rest = query.tokens[phrase.end :]
    return all(token.kind == "symbol" for token in rest) or rest[0].text == ","


def _requested(query: ParsedQuery, min_confidence: float) -> NounPhrase | None:
    """The object of a request such as *podaj*, *pokaż*, *szukam*, with which the query begins."""
    if len(query.tokens) < 2 or query.tokens[0].lower not in REQUESTS:
        return None
    start = 1 + (query.tokens[1].lower in FOR_WHOM)
    phrase = next((phrase for phrase in query.noun_phrases if phrase.start == start), None)
    if phrase is None or phrase.obstacle or phrase.confidence < min_confidence or not phrase.governor.cases:
        return None
    return phrase


def _number_in(phrase: NounPhrase, case: str) -> str:
    """The number of a phrase in a case: of *inflacji* the singular, since nobody counts it. Empty if unclear."""
    numbers = {number for number, own in phrase.cells if own == case}
    noun = phrase.parse.head.noun
    if len(numbers) == 2 and not number_can_change(noun.lemma, noun.kind, "pl"):
        return "sg"
    return numbers.pop() if len(numbers) == 1 else ""


def _is_occasion(phrase: NounPhrase) -> bool:
    """Whether a phrase names what happens rather than a place: *przy zakupie*, not *przy maszynie*."""
    noun = phrase.parse.head.noun
    return names_action(noun.lemma, noun.kind) and not is_thing(noun.lemma)


def _before(frame: Frame, following: str) -> str:
    """The words of a frame with the vowelled form of its last preposition where the next word asks for it."""
    *words, last = frame.before.split()
    return " ".join((*words, vocalised(last, following))) + " "


def _agreeing(before: str, number: str) -> str:
    """A frame whose subject the phrase is, its verb in the number of the phrase: *interesują mnie* kary."""
    first, _, rest = before.partition(" ")
    readings = verb_readings(first)
    if number == "pl" and readings and (form := third_person(readings[0], "pl", "f")):
        return f"{form} {rest}"
    return before


def _frame_edits(query: ParsedQuery, phrase: NounPhrase, frame: Frame, number: str) -> list[Edit] | None:
    changed = phrase.edits(frame.case, number)
    if changed is None or repeats(query, phrase, frame):
        return None
    token = query.tokens[phrase.start]
    edits = {edit.start: edit for edit in changed}
    opening = edits.pop(token.start, None)
    word = opening.after if opening else token.text
    if phrase.start and is_transparent(query.tokens[: phrase.start]):
        word = query.text[query.tokens[0].start : token.start] + word
    before = _before(frame, word.lower() if not word.isupper() else word)
    if frame.case == "nom":
        before = _agreeing(before, number)
    if query.text.isupper() and len(query.text) > len(token.text):
        before = before.upper()
    elif query.text[:1].isupper() and not (phrase.start == 0 and token.text.isupper() and len(token.text) > 1):
        before = before[:1].upper() + before[1:]
        titled = any(other.text[:1].isupper() for other in query.tokens[1:] if other.kind == "word")
        word = word if phrase.start or titled else word[:1].lower() + word[1:]
    return [query.edit(query.tokens[0].start, token.end, before + word), *edits.values()]


def _swap_edits(query: ParsedQuery, phrase: NounPhrase, swap: Swap) -> tuple[Edit, ...] | None:
    start = phrase.start - len(swap.before)
    tokens = query.tokens
    if start < 0:
        return None
    if tuple(_plain(token.lower) for token in tokens[start : phrase.start]) != swap.before:
        return None
    if swap.after and (not start or swap.after not in lemmas(tokens[start - 1].text)):
        return None
    number = _number_in(phrase, swap.before_case)
    if not number:
        # A noun inside a complex preposition (w razie) governs the phrase; the parser calls it a genitive of a noun.
        return None
    edits = phrase.edits(swap.instead_case, number)
    if edits is None:
        return None
    following = edits[0].after if edits and edits[0].start == tokens[phrase.start].start else tokens[phrase.start].text
    *words, last = swap.instead.split()
    instead = " ".join((*words, vocalised(last, following.lower())))
    if tokens[start].text[:1].isupper():
        instead = instead[:1].upper() + instead[1:]
    return (query.edit(tokens[start].start, tokens[phrase.start - 1].end, instead), *edits)


def _plain(preposition: str) -> str:
    return {"ze": "z", "we": "w"}.get(preposition, preposition)
