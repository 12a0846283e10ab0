"""Polish words: their readings and their paradigms, from Morfeusz 2 (SGJP dictionary) behind one narrow interface.

One analyser per process, created on first use; results are cached. Words are NFC, apostrophes are given to Morfeusz
as U+2019, the only form its dictionary knows.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from perturb.polish.overlay import CASES as CASES
from perturb.polish.overlay import NUMBERS as NUMBERS
from perturb.polish.overlay import overlay_lemma, overlay_tags

GENDERS = ("m1", "m2", "m3", "f", "n")

_FIELDS: dict[str, str] = {
    **dict.fromkeys(NUMBERS, "number"),
    **dict.fromkeys(CASES, "case"),
    **dict.fromkeys(GENDERS, "gender"),
    **dict.fromkeys(("pri", "sec", "ter"), "person"),
    **dict.fromkeys(("pos", "com", "sup"), "degree"),
    **dict.fromkeys(("imperf", "perf"), "aspect"),
    **dict.fromkeys(("aff", "neg"), "polarity"),
    **dict.fromkeys(("congr", "rec"), "accommodability"),
    **dict.fromkeys(("col", "ncol", "pt"), "collective"),
    **dict.fromkeys(("wok", "nwok"), "vocalicity"),
    **dict.fromkeys(("akc", "nakc"), "accentability"),
    **dict.fromkeys(("praep", "npraep"), "postprepositionality"),
    **dict.fromkeys(("pun", "npun"), "period"),
    **dict.fromkeys(("agl", "nagl"), "agglutination"),
}

REJECTED_LABELS = frozenset(
    [
        "daw.",
        "przest.",
        "arch.",
        "arch.*",
        "gwar.",
        "rzad.",
        "niepopr.",
        "indyw.",
        "reg.",
        "wulg.",
        "slang",
        "poet.",
        "z_d.",
        "szt.",
        "niezal.",
        "środ.",
        "po_liczebniku",
        "pisane_łącznie_z_przyimkiem",
    ]
)
"""Forms with such a label are never generated: archaic, dialectal, rare, wrong, vulgar, bound to a numeral.

Not among them: ``hom.`` and ``char.``, which name the homonymous and the distinct form of a pair. Either can be the
usual one: *decyzji* is «hom.» (*decyzyj* is «arch.» as well), *chwil* is «char.».
"""

PENALISED_LABELS = frozenset(["pot.", "książk.", "iron.", "żart.", "pogard.", "lekcew.", "podniosłe", "rub."])
"""Forms with such a label are generated only where no neutral one exists."""

_NOT_WORDS = frozenset({"ign", "brev", "interj", "romandig", "aglt", "interp", "dig"})
_LONGEST_WORD = 120
"""Letters beyond which a string is no word; Morfeusz overflows its stack on thousands of hyphens."""
_EMPTY: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a word form.

    Attributes:
        form: the form as the dictionary writes it.
        lemma: its dictionary form, without homonym id.
        lexeme: the lemma with its homonym id where there is one (``zamek:Sm3~u``), as :func:`paradigm` takes it.
        pos: part of speech: ``subst``, ``adj``, ``fin``, ``ger`` and so on.
        tag: the whole SGJP tag.
        features: values by field, such as ``{"number": {"sg"}, "case": {"gen", "loc"}, "gender": {"f"}}``.
        labels: style labels, such as ``arch.``.
        names: kinds of name, such as ``nazwisko``.
    """

    form: str
    lemma: str
    lexeme: str
    pos: str
    tag: str
    features: Mapping[str, frozenset[str]]
    labels: frozenset[str]
    names: frozenset[str]

    def get(self, field: str) -> frozenset[str]:
        """Values of a field such as ``case``; empty if the tag has none."""
        return self.features.get(field, _EMPTY)

    @property
    def is_accepted(self) -> bool:
        """Whether no label bars this form from generated queries."""
        return not self.labels & REJECTED_LABELS

    @property
    def is_proper(self) -> bool:
        """Whether this reads as a proper name only."""
        return bool(self.names) and "nazwa_pospolita" not in self.names


_analysers: dict[tuple[int, bool], Any] = {}


def _analyser(strict_case: bool = False) -> Any:
    key = (os.getpid(), strict_case)
    if key not in _analysers:
        import morfeusz2

        handling = morfeusz2.STRICTLY_CASE_SENSITIVE if strict_case else morfeusz2.IGNORE_CASE
        _analysers[key] = morfeusz2.Morfeusz(case_handling=handling, praet="composite")
    return _analysers[key]


def dictionary_id() -> str:
    """Name and date of the Morfeusz dictionary, such as ``pl.sgjp.sgjp-2026.06.01``."""
    return str(_analyser().dict_id())


@lru_cache(maxsize=4096)
def _parse_tag(tag: str) -> tuple[str, Mapping[str, frozenset[str]]]:
    pos, *fields = tag.split(":")
    features: dict[str, frozenset[str]] = {}
    for values in fields:
        parts = values.split(".")
        name = _FIELDS.get(parts[0], "other")
        features[name] = features.get(name, _EMPTY) | frozenset(parts)
    return pos, MappingProxyType(features)


def _reading(entry: tuple[str, str, str, list[str], list[str]]) -> Reading:
    form, lexeme, tag, names, labels = entry
    pos, features = _parse_tag(tag)
    split = frozenset(part for label in labels for part in label.split(","))
    return Reading(form, lexeme.split(":")[0] or lexeme, lexeme, pos, tag, features, split, frozenset(names))


def _spell(word: str) -> str:
    return word.replace("'", "’").replace("`", "’")


@lru_cache(maxsize=65536)
def analyse(word: str) -> tuple[Reading, ...]:
    """All readings of one word, whatever its capitals.

    Args:
        word: one cleaned word; any apostrophe style.

    Returns:
        Readings that span the whole word, in the order of the dictionary; those of ``lexicons/overlay.tsv`` alone for
        its words, so that *KPI* is no verb and *IT* no name; empty if the word is unknown or too long to be one.
    """
    if not word or len(word) > _LONGEST_WORD or any(c.isspace() for c in word):
        return ()
    own = overlay_tags(word)
    if own:
        return tuple(_reading((word, lemma, tag, [], [])) for lemma, tag in own)
    edges = _analyser().analyse(_spell(word))
    last = max((edge[1] for edge in edges), default=0)
    return tuple(_reading(edge[2]) for edge in edges if edge[0] == 0 and edge[1] == last and edge[2][2] != "ign")


@lru_cache(maxsize=65536)
def is_word(word: str) -> bool:
    """Whether a string is an ordinary Polish word: the strict gate behind the ``real_word`` flag.

    Capitals count (*zycie* is no form of the name *Zyta*); archaic and rare forms, abbreviations and
    interjections do not.
    """
    if len(word) > _LONGEST_WORD:
        return False
    analyser = _analyser(strict_case=True)
    # Most typos are unknown: asking below the Python layer, which builds tuples, is three times faster.
    found = analyser._morfeusz_obj.analyse(_spell(word))
    if len(found) == 1 and found[0].isIgn():
        return False
    edges = analyser.analyse(_spell(word))
    last = max((edge[1] for edge in edges), default=0)
    for start, end, entry in edges:
        if start == 0 and end == last:
            reading = _reading(entry)
            if reading.pos not in _NOT_WORDS and reading.is_accepted:
                return True
    return False


@lru_cache(maxsize=65536)
def lemmas(word: str) -> tuple[str, ...]:
    """Lower-cased dictionary forms a word may belong to, sorted; empty if it is unknown.

    Archaic, rare and bound readings count only where there is no other; words of the overlay have its lemma.
    """
    own = overlay_lemma(word)
    if own is not None:
        return (own,)
    readings = analyse(word.lower() if overlay_tags(word) else word)
    accepted = [reading for reading in readings if reading.is_accepted] or readings
    return tuple(sorted({reading.lemma.lower() for reading in accepted}))


@lru_cache(maxsize=16384)
def paradigm(lexeme: str) -> tuple[Reading, ...]:
    """Every form of a lexeme, all parts of speech, sorted by tag and form.

    Args:
        lexeme: a lemma as :attr:`Reading.lexeme` gives it, with homonym id where there is one.

    Returns:
        Its forms as readings; empty if the dictionary lacks the lexeme.
    """
    if not lexeme or len(lexeme) > _LONGEST_WORD or any(c.isspace() for c in lexeme):
        return ()
    entries = _analyser().generate(_spell(lexeme))
    return tuple(sorted((_reading(e) for e in entries if e[2] != "ign"), key=lambda r: (r.tag, r.form)))
