"""Typing errors that belong to a device: the AltGr key of the desktop keyboard, the glass keyboard of a phone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from perturb.perturbations import slips
from perturb.perturbations.base import register
from perturb.perturbations.slips import Mistyped, is_real_word, measured
from perturb.perturbations.typos import Typing
from perturb.polish.keyboard import BARE, layout
from perturb.polish.parsed import ParsedQuery
from perturb.records import Variant

_X_FOR_Z_ACUTE = 0.1
"""``ź`` without AltGr is ``x`` on the keyboard, yet corrected text shows nearly always ``z``."""


_SWAPPED = str.maketrans("źżŹŻ", "żźŻŹ")


@register
@dataclass(frozen=True)
class AltGrTypo(Typing):
    """AltGr missed, late, held one letter too long, or held with the key beside."""

    name = "typo.altgr"
    summary = "AltGr missed, pressed late, held one letter too long, or held with the neighbouring key"
    examples = (
        ("błędny zapis", "blędny zapis"),
        ("źródłowy plik", "żródłowy plik"),
        ("łatwy termin", "łątwy termin"),
        ("złożenie", "zlóżenie"),
    )

    def slip(self, words: tuple[str, ...], rng: Random) -> tuple[str, Mistyped] | None:
        """Draw a slip of kind ``held``, ``late``, ``neighbour`` or ``missed``; the last where the others cannot be."""
        with_altgr = layout().without_altgr
        sites = [(i, place) for i, word in enumerate(words) for place, char in enumerate(word) if char in with_altgr]
        kind = measured("altgr").draw(rng)
        possible = [(i, place) for i, place in sites if _ALTGR[kind](words[i], place, rng) is not None]
        if not possible:
            kind, possible = "missed", sites
        fallback: Mistyped | None = None
        for _ in range(slips.TRIES if possible else 0):
            position, place = possible[int(rng.random() * len(possible))]
            after = _ALTGR[kind](words[position], place, rng) or words[position]
            if not is_real_word(after):
                return kind, Mistyped(position, after, False)
            fallback = fallback or Mistyped(position, after, True)
        return (kind, fallback) if fallback else None


def _bare(letter: str, rng: Random) -> str:
    if letter in "źŹ" and rng.random() < _X_FOR_Z_ACUTE:
        return layout().without_altgr[letter]
    return letter.translate(BARE)


def _missed(word: str, place: int, rng: Random) -> str | None:
    return word[:place] + _bare(word[place], rng) + word[place + 1 :]


def _held(word: str, place: int, rng: Random) -> str | None:
    beside = word[place + 1 : place + 2]
    extra = layout().altgr.get(beside)
    return word[: place + 1] + extra + word[place + 2 :] if extra else None


def _late(word: str, place: int, rng: Random) -> str | None:
    held = _held(word, place, rng)
    return _missed(held, place, rng) if held else None


def _neighbour(word: str, place: int, rng: Random) -> str | None:
    """The two letters that share their bare one are taken for each other; others for a letter beside them."""
    if word[place] in "źżŹŻ":
        return word[:place] + word[place].translate(_SWAPPED) + word[place + 1 :]
    return slips.hit_neighbour(word, place, rng)


_ALTGR = {"missed": _missed, "held": _held, "late": _late, "neighbour": _neighbour}


@lru_cache(maxsize=1)
def _within_words() -> slips.Choices:
    """The kinds of slips on a phone, without the one that joins two words."""
    return slips.choices([(kind, weight) for kind, weight in measured("touch").weights() if kind != "joined"])


@register
@dataclass(frozen=True)
class TouchTypo(Typing):
    """Typing errors on a phone: neighbouring letters, lost letters, and the space bar hit or missed."""

    name = "typo.touch"
    summary = "phone keyboard: the letter beside, a letter lost or doubled, the space bar hit or missed"
    examples = (
        ("faktura", "faktuea"),
        ("umowa najmu", "umowanajmu"),
        ("umowa najmu", "umowabnajmu"),
        ("zamówienie", "za ówienie"),
    )

    def slip(self, words: tuple[str, ...], rng: Random) -> tuple[str, Mistyped] | None:
        """Draw a slip of kind ``neighbour``, ``omission``, ``doubling`` or ``space``."""
        kind = _within_words().draw(rng)
        for tried in (kind, "neighbour") if kind in _TOUCH else ("neighbour",):
            drawn = slips.mistype(words, _TOUCH[tried], rng)
            if drawn:
                return tried, drawn
        return None

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant; kind ``joined`` where the space between two words was missed."""
        if self.severity == 1 and not self.rate:
            pairs = self._pairs(query)
            touch = measured("touch")
            if pairs and touch.draw(rng) == "joined":
                start, space, end = pairs[int(rng.random() * len(pairs))]
                instead = slips.choices([("", 2.0), ("b", 1.0), ("n", 1.0), ("v", 0.5), ("m", 0.5)]).draw(rng)
                instead = instead.upper() if query.text[start:end].isupper() else instead
                after = query.text[start:space] + instead + query.text[space + 1 : end]
                real = is_real_word(after)
                yield query.variant(
                    self.name, "joined", [query.edit(start, end, after)], flags=("real_word",) if real else ()
                )
                return
        yield from super().__call__(query, rng)

    def _pairs(self, query: ParsedQuery) -> list[tuple[int, int, int]]:
        """Start, space and end of neighbouring words that may both be changed."""
        words, _ = slips.typable(query, self.min_length)
        return [
            (left.start, left.end, right.end)
            for left, right in itertools.pairwise(words)
            if query.text[left.end : right.start] == " " and left.text.islower() == right.text.islower()
        ]


def _space(word: str, place: int, rng: Random) -> str | None:
    if 1 < place < len(word) - 2 and word[place] in layout().bottom_row:
        return f"{word[:place]} {word[place + 1 :]}"
    return None


def _fat_finger(word: str, place: int, rng: Random) -> str | None:
    """Letters with diacritics come from a long press, which no neighbour gets by mistake."""
    return slips.hit_neighbour(word, place, rng) if word[place].isascii() else None


_TOUCH = {"neighbour": _fat_finger, "omission": slips.omit, "doubling": slips.double, "space": _space}
