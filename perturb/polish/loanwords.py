"""How Poles inflect English words and acronyms: *deadline’u*, *feedbackiem*, *targecie*, *VAT-em*, *vendorzy*.

String rules plus the exceptions of ``lexicons/loanwords.tsv``; no dictionary is asked, so the rules hold for words
that Morfeusz lacks. An apostrophe stands only where the last written sound is silent (*deadline’u* but *feedbacku*) and
vanishes where the stem softens (*o deadlinie*); acronyms take a hyphen; ``x`` becomes ``ks``. Sources: rules of Polish
orthography on foreign names and acronyms (Polish Language Council), checked against SGJP in the tests.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from perturb.polish.morphology import CASES, NUMBERS
from perturb.resources import read_table

Cell = tuple[str, str]
LoanParadigm = Mapping[Cell, tuple[str, ...]]

APOSTROPHE = "’"
CELLS: tuple[Cell, ...] = tuple((number, case) for number in NUMBERS for case in CASES)

_VOICELESS_E = re.compile(r"[^aeiouy]e$")
_INDECLINABLE_END = re.compile(r"(?:[aeiou]|[aeo]w|y|ew|ee|gh)$")
_LETTER_NAMES_IN_VOWEL = frozenset("ABCDEGHIKOPTUVWQ")
_READ_AS_WORD = re.compile(r"[A-Z]*[AEIOUY][BCDFGHJKLMNPRSTVWXZ]{1,2}$")

# Final sound -> ending of the locative with what the stem becomes. "" keeps the stem, ``-u`` words are listed apart.
_SOFTENED = {
    "st": "ście", "zd": "ździe", "t": "cie", "d": "dzie", "r": "rze", "ł": "le", "n": "nie", "m": "mie", "b": "bie",
    "p": "pie", "f": "fie", "v": "vie", "w": "wie", "s": "sie", "z": "zie",
}  # fmt: skip
_LOCATIVE_IN_U = ("oy", "ay", "ey", "k", "g", "l", "ch", "sh", "c", "j", "h", "cz", "sz", "rz", "ż", "ź", "ć", "ś", "ń")
_PLURAL_IN_E = ("oy", "ay", "ey", "l", "ch", "sh", "c", "j", "cz", "sz", "rz", "ż", "ge", "che")
_PERSONS = {"st": "ści", "t": "ci", "d": "dzi", "r": "rzy", "k": "cy", "g": "dzy", "n": "ni", "m": "mi", "p": "pi",
            "b": "bi", "w": "wi", "ł": "li"}  # fmt: skip
_FEMININE = {**_SOFTENED, "k": "ce", "g": "dze", "ch": "sze", "l": "li", "j": "i", "c": "cy", "cz": "czy", "sz": "szy"}


@dataclass(frozen=True, slots=True)
class Loan:
    """How one loan inflects.

    Attributes:
        lemma: nominative singular as written, such as ``deadline`` or ``VAT``.
        gender: ``m1``, ``m2``, ``m3``, ``f`` or ``n``.
        genitive: ending of the masculine genitive, ``u`` or ``a``; ``y`` for feminines; ``0`` if it does not inflect.
        sound: the last sound as Polish letters, where spelling misleads (*tech*: ``k``); empty to follow the spelling.
        cells: forms that the rules would get wrong; an empty tuple marks a form that no one writes.
    """

    lemma: str
    gender: str
    genitive: str
    sound: str = ""
    cells: tuple[tuple[Cell, tuple[str, ...]], ...] = ()

    @property
    def is_indeclinable(self) -> bool:
        """Whether all cells hold the lemma."""
        return self.genitive == "0"


@lru_cache(maxsize=1)
def _exceptions() -> Mapping[str, Loan]:
    loans = {}
    for row in read_table("loanwords.tsv"):
        cells = []
        for assignment in filter(None, row["cells"].split(";")):
            name, _, forms = assignment.partition("=")
            number, _, case = name.partition(".")
            cells.append(((number, case), tuple(filter(None, forms.split("/")))))
        loans[row["lemma"].lower()] = Loan(row["lemma"], row["gender"], row["genitive"], row["sound"], tuple(cells))
    return loans


def is_acronym(word: str) -> bool:
    """Whether a word is written as an acronym: at least two capitals, no lower-case ending."""
    capitals = sum(char.isupper() for char in word)
    return capitals >= 2 and word[-1:].isupper()


def guess(lemma: str) -> Loan:
    """How a loan most likely inflects, from its spelling and the exceptions.

    Args:
        lemma: nominative singular; of several words only the last one inflects.

    Returns:
        A masculine inanimate with genitive ``u``, unless exceptions or ending say otherwise. Persons cannot be guessed.
    """
    last = lemma.rpartition(" ")[2]
    known = _exceptions().get(lemma.lower()) or _exceptions().get(last.lower())
    if known is not None:
        return replace(known, lemma=lemma)
    if is_acronym(last):
        bare = re.sub(r"[^A-Za-z]", "", last).upper()
        word_like = _READ_AS_WORD.fullmatch(bare) is not None and len(bare) <= 5
        declines = word_like or bare[-1:] not in _LETTER_NAMES_IN_VOWEL
        return Loan(lemma, "m3", "u") if declines else Loan(lemma, "n", "0")
    if last.endswith("a"):
        return Loan(lemma, "f", "y")
    if _INDECLINABLE_END.search(last) and not _VOICELESS_E.search(last):
        return Loan(lemma, "n", "0")
    # Devices and things that act take -a (newslettera, routera); transfer, folder, tender keep -u.
    acts = re.search(r"(?<![nlf])[a-z](?<![df])er$", last) is not None and len(last) > 5
    return Loan(lemma, "m3", "a" if acts else "u")


def loan_paradigm(lemma: str, gender: str = "", genitive: str = "") -> LoanParadigm:
    """All forms of a loan in Polish, standard spelling with U+2019.

    Args:
        lemma: nominative singular, such as ``deadline``, ``credit note`` or ``VAT``; only the last word inflects.
        gender: ``m1``, ``m2``, ``m3``, ``f`` or ``n``; empty to guess.
        genitive: ``u``, ``a``, ``y`` or ``0`` (does not inflect); empty to guess.

    Returns:
        For each number and case the forms, preferred one first; none where Poles avoid the form (*Picie* of ``PIT``).
    """
    loan = guess(lemma)
    same_kind = not gender or gender == loan.gender
    if gender and not same_kind:
        default = {"f": "y", "n": "0", "m1": "a", "m2": "a"}.get(gender, "u")
        loan = replace(loan, gender=gender, genitive=default, cells=())
    if genitive and genitive != loan.genitive:
        kept = () if loan.is_indeclinable or genitive == "0" else loan.cells
        loan = replace(loan, genitive=genitive, cells=tuple(cell for cell in kept if cell[0] != ("sg", "gen")))
    return _inflect(loan)


@lru_cache(maxsize=8192)
def _inflect(loan: Loan) -> LoanParadigm:
    before, space, word = loan.lemma.rpartition(" ")
    lead = before + space
    if loan.is_indeclinable:
        return dict.fromkeys(CELLS, (loan.lemma,))
    if is_acronym(word):
        table = _acronym(word, loan)
    elif loan.gender == "f":
        table = _feminine(word, loan.sound)
    else:
        table = _masculine(word, loan)
    for cell, forms in loan.cells:
        table[cell] = forms
    return {cell: tuple(lead + form for form in table[cell]) for cell in CELLS}


def _final_sound(word: str, sounds: Mapping[str, str] | tuple[str, ...]) -> str:
    for length in (3, 2, 1):
        if word[-length:] in sounds:
            return word[-length:]
    return ""


def _masculine(word: str, loan: Loan) -> dict[Cell, tuple[str, ...]]:
    silent = not loan.sound and _VOICELESS_E.search(word) is not None
    stem = f"{word}{APOSTROPHE}" if silent else re.sub("x$", "ks", word)
    heard = loan.sound or _heard(word)
    hard = heard if silent and heard[-1:] in ("k", "g") else stem  # remake: remake’u, but remakiem, remaki
    soft_i = "i" if heard[-1:] in ("k", "g") else ""
    genitive = (f"{stem}{loan.genitive}",)
    accusative = genitive if loan.gender in ("m1", "m2") else (word,)
    locative = (_locative(word, stem, heard, silent),)
    sg = ((word,), genitive, (f"{stem}owi",), accusative, (f"{hard}{soft_i}em",), locative, locative)
    many: tuple[str, ...] = (f"{stem}ów",)
    if heard[-1:] == "l" and not silent and loan.gender != "m1":
        many = (f"{stem}i", f"{stem}ów")
    persons = loan.gender == "m1"
    nominative = _persons(word, stem, heard) if persons else (f"{hard}{_plural_vowel(heard)}",)
    oblique = ((f"{stem}om",), many if persons else nominative, (f"{stem}ami",), (f"{stem}ach",), nominative)
    return dict(zip(CELLS, (*sg, nominative, many, *oblique), strict=True))


def _heard(word: str) -> str:
    """The end of the word as it sounds: silent *e* gone, *-ce* as *s*, *-gn* as *n*, *x* as *ks*."""
    if _VOICELESS_E.search(word):
        if word.endswith(("ge", "che")):
            return word[-3:] if word.endswith("che") else "ge"
        return word[:-2] + "s" if word.endswith("ce") else word[:-1]
    if word.endswith("gn"):
        return word[:-2] + "n"
    return re.sub("x$", "ks", word)


def _locative(word: str, stem: str, heard: str, silent: bool) -> str:
    if heard.endswith(("ge", "che")) or (silent and heard.endswith(("k", "g", "l"))):
        return f"{stem}u"
    ending = _final_sound(heard, _LOCATIVE_IN_U)
    if ending:
        return f"{stem}u"
    sound = _final_sound(heard, _SOFTENED)
    if silent or word.endswith("x"):
        return heard[: len(heard) - len(sound)] + _SOFTENED.get(sound, "ie")
    if heard != word and sound:
        return f"{word}ie"
    base = word[: len(word) - len(sound)]
    return base + _SOFTENED.get(sound, "ie") if sound else f"{stem}ie"


def _plural_vowel(heard: str) -> str:
    if heard[-1:] in ("k", "g"):
        return "i"
    return "e" if _final_sound(heard, _PLURAL_IN_E) else "y"


def _persons(word: str, stem: str, heard: str) -> tuple[str, ...]:
    sound = _final_sound(heard, _PERSONS)
    if not sound or heard.endswith(("ch", "sh", "l")) or heard != word:
        return (f"{stem}owie",)
    return (word[: len(word) - len(sound)] + _PERSONS[sound],)


def _feminine(word: str, sound: str) -> dict[Cell, tuple[str, ...]]:
    stem = word.removesuffix("a")
    end = sound or _final_sound(stem, _FEMININE)
    soft = end in ("l", "j")
    hushed = end in ("c", "cz", "sz")
    genitive = f"{stem}{'i' if soft or end in ('k', 'g') else 'y'}"
    dative = stem[: len(stem) - len(end)] + _FEMININE[end] if end in _FEMININE else f"{stem}ie"
    plural = f"{stem}e" if soft or hushed else genitive
    sg = (word, genitive, dative, f"{stem}ę", f"{stem}ą", dative, f"{stem}o")
    pl = (plural, stem, f"{stem}om", plural, f"{stem}ami", f"{stem}ach", plural)
    return dict(zip(CELLS, ((form,) for form in (*sg, *pl)), strict=True))


def _acronym(word: str, loan: Loan) -> dict[Cell, tuple[str, ...]]:
    last = word[-1].lower()
    stem = f"{word}-"
    genitive = (f"{stem}{loan.genitive}",)
    accusative = genitive if loan.gender in ("m1", "m2") else (word,)
    # After T and D the stem would soften inside the acronym (VA-cie, Picie): such forms are avoided, none is offered.
    locative: tuple[str, ...] = (f"{stem}{'ze' if last == 'r' else 'u' if last in 'kglchj' else 'ie'}",)
    if last in "td":
        locative = ()
    instrumental = f"{stem}{'i' if last in 'kg' else ''}em"
    sg = ((word,), genitive, (f"{stem}owi",), accusative, (instrumental,), locative, locative)
    plural = (f"{stem}{'i' if last in 'kg' else 'e' if last in 'lcj' else 'y'}",)
    oblique = ((f"{stem}om",), plural, (f"{stem}ami",), (f"{stem}ach",), plural)
    return dict(zip(CELLS, (*sg, plural, (f"{stem}ów",), *oblique), strict=True))


def colloquial_acronym_plural(word: str) -> LoanParadigm:
    """Plural that people give to acronyms which the norm leaves uninflected: *KPI-e, KPI-ów*, *SLA-y, SLA-ów*.

    Args:
        word: an acronym whose last letter is read with a final vowel.

    Returns:
        The plural cells only.
    """
    nominative = f"{word}-{'e' if word[-1:] in 'IE' else 'y'}"
    forms = (nominative, f"{word}-ów", f"{word}-om", nominative, f"{word}-ami", f"{word}-ach", nominative)
    return {("pl", case): (form,) for case, form in zip(CASES, forms, strict=True)}


def without_apostrophe(form: str) -> str:
    """The careless spelling of an inflected loan: *deadlinu* for *deadline’u*, *VATu* for *VAT-u*.

    Where the silent *e* tells how the letter before it sounds (*invoice’u*), the spelling stays as it is.
    """
    if re.search(rf"[cg]e{APOSTROPHE}", form):
        return form
    form = re.sub(rf"e?{APOSTROPHE}", "", form)
    return re.sub(r"(?<=[A-Z])-(?=[a-ząęó]+$)", "", form)


def render_apostrophe(form: str, style: str) -> str:
    """Write the apostrophe as people type it (``ascii``) or as it is printed (``typographic``)."""
    return form.replace(APOSTROPHE, "'") if style == "ascii" else form
