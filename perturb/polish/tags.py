"""Tags and tree of a trained pipeline, which break the ties that the dictionary leaves open.

A tag never adds a reading: it chooses among those of the dictionary, and only if it leaves at least one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from perturb.polish.phrases.shapes import ALL_CELLS, mask_of

if TYPE_CHECKING:
    from perturb.polish.morphology import Reading
    from perturb.polish.phrases import NounPhrase
    from perturb.polish.phrases.syntax import Word

_CASES = {"Nom": "nom", "Gen": "gen", "Dat": "dat", "Acc": "acc", "Ins": "inst", "Loc": "loc", "Voc": "voc"}
_NUMBERS = {"Sing": "sg", "Plur": "pl"}
_NOUNS = frozenset({"NOUN", "PROPN"})
_ADJECTIVES = frozenset({"ADJ", "DET"})
_NEITHER = frozenset({"VERB", "AUX", "ADV", "ADP", "PART", "CCONJ", "SCONJ", "PRON", "INTJ"})
_MODIFIERS = frozenset({"amod", "det", "acl", "det:numgov", "det:poss"})

SGJP_TO_UD: Mapping[str, str] = {
    **dict.fromkeys(("subst", "depr", "ger"), "NOUN"),
    **dict.fromkeys(("adj", "adja", "adjp", "adjc", "ppas", "pact"), "ADJ"),
    **dict.fromkeys(("fin", "praet", "cond", "inf", "impt", "imps", "pcon", "pant", "winien", "pred"), "VERB"),
    **dict.fromkeys(("bedzie", "aglt"), "AUX"),
    **dict.fromkeys(("num", "dig", "romandig"), "NUM"),
    **dict.fromkeys(("ppron12", "ppron3", "siebie"), "PRON"),
    "adv": "ADV",
    "prep": "ADP",
    "conj": "CCONJ",
    "comp": "SCONJ",
    "part": "PART",
    "interj": "INTJ",
    "brev": "X",
}
"""Part of speech of SGJP as Universal Dependencies has it."""


_FEATURES = {
    "nom": "Case=Nom", "gen": "Case=Gen", "dat": "Case=Dat", "acc": "Case=Acc", "inst": "Case=Ins", "loc": "Case=Loc",
    "voc": "Case=Voc", "sg": "Number=Sing", "pl": "Number=Plur", "m1": "Gender=Masc|Animacy=Hum",
    "m2": "Gender=Masc|Animacy=Nhum",
    "m3": "Gender=Masc|Animacy=Inan", "f": "Gender=Fem", "n": "Gender=Neut", "pri": "Person=1", "sec": "Person=2",
    "ter": "Person=3", "perf": "Aspect=Perf", "imperf": "Aspect=Imp", "com": "Degree=Cmp", "sup": "Degree=Sup",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tag:
    """What a trained pipeline says of one token.

    Attributes:
        pos: Universal Dependencies part of speech.
        features: such as ``{"Case": "Gen", "Number": "Plur"}``.
        head: token it depends on; ``-1`` if there is no tree or it is the root.
        relation: Universal Dependencies relation to it.
    """

    pos: str
    features: Mapping[str, str]
    head: int = -1
    relation: str = ""

    @property
    def cells(self) -> int:
        """Bit mask of the cells its number and case allow."""
        numbers = _NUMBERS.get(self.features.get("Number", ""))
        case = _CASES.get(self.features.get("Case", ""))
        if numbers is None and case is None:
            return ALL_CELLS
        return mask_of(
            frozenset([numbers] if numbers else _NUMBERS.values()), frozenset([case] if case else _CASES.values())
        )


def ud_features(reading: Reading) -> str:
    """Universal Dependencies features that the tag settles: syncretic values are left out."""
    found: list[str] = []
    for values in reading.features.values():
        if len(values) == 1:
            feature = _FEATURES.get(next(iter(values)))
            if feature:
                found += feature.split("|")
    return "|".join(sorted(found)) or "_"


def chosen(word: Word, tag: Tag | None) -> Word:
    """The readings of a word that fit its tag; all of them if none does."""
    if tag is None:
        return word
    kept_pos = frozenset(p for p in word.pos if SGJP_TO_UD.get(p) == tag.pos) or word.pos
    cells = tag.cells
    if tag.pos in _NOUNS:
        nouns = tuple(replace(r, mask=r.mask & cells) for r in word.nouns if r.mask & cells)
        return replace(word, nouns=nouns, adjectives=(), pos=kept_pos) if nouns else word
    if tag.pos in _ADJECTIVES:
        adjectives = tuple(
            replace(r, masks=_narrowed(r.masks, cells), any_mask=r.any_mask & cells)
            for r in word.adjectives
            if r.any_mask & cells
        )
        return replace(word, nouns=(), adjectives=adjectives, pos=kept_pos) if adjectives else word
    if tag.pos in _NEITHER and any(
        SGJP_TO_UD.get(p) in (tag.pos, "VERB" if tag.pos == "AUX" else "") for p in word.pos
    ):
        return replace(word, nouns=(), adjectives=(), pos=kept_pos)
    return word


def _narrowed(masks: tuple[int, int, int, int, int], cells: int) -> tuple[int, int, int, int, int]:
    m1, m2, m3, f, n = masks
    return m1 & cells, m2 & cells, m3 & cells, f & cells, n & cells


def fits_tree(phrase: NounPhrase, tags: Sequence[Tag | None]) -> bool:
    """Whether no agreeing word of a phrase modifies, by the tree, something outside it."""
    inside = {phrase.head, *phrase.agreeing}
    for index in phrase.agreeing:
        tag = tags[index]
        if tag is not None and tag.relation in _MODIFIERS and tag.head >= 0 and tag.head not in inside:
            return False
    return True
