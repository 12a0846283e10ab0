"""The lexicon of near-synonyms, indexed by every form its words can take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from perturb.errors import ConfigError
from perturb.polish.morphology import GENDERS
from perturb.polish.phrases.inflect import read_phrase
from perturb.polish.phrases.shapes import CELLS
from perturb.resources import read_table


@dataclass(frozen=True)
class Member:
    """A word or phrase of a group.

    Attributes:
        text: dictionary form.
        gender: gender of its head for nouns; empty for other parts of speech.
        plural: whether a noun is meant in the plural only (*kadry*, *środki trwałe*).
    """

    text: str
    gender: str = ""
    plural: bool = False

    @property
    def words(self) -> int:
        """How many words it has."""
        return len(self.text.split())

    @cached_property
    def forms(self) -> tuple[tuple[str, ...], ...]:
        """14 tuples of forms, best first; a word the dictionary lacks does not inflect."""
        reader = read_phrase(self.text)
        if reader.parse is None or self.text.upper() == self.text:
            return ((self.text,),) * len(CELLS)
        return tuple(reader.forms(cell) for cell in range(len(CELLS)))

    @property
    def cells(self) -> range:
        """Cells it can replace or be replaced in."""
        return range(7 if self.plural else 0, len(CELLS))

    @property
    def gender_index(self) -> int:
        """Position of its gender in :data:`GENDERS`."""
        return GENDERS.index(self.gender)


@dataclass(frozen=True)
class Group:
    """Words that may replace one another.

    Attributes:
        members: the words.
        pos: ``noun``, ``verb``, ``adj``, ``adv``, ``conj``, ``prep`` or ``pred``.
        domain: where they are used.
        risk: whether their meanings can differ.
        not_in: fixed phrases in which they stay as they are.
        near: lemmas of which one must stand elsewhere in the query; empty if none need.
        far: lemmas none of which may stand elsewhere in the query.
        not_before: lemmas that may not follow directly; ``NAME`` stands for a word with a capital, a number or a code,
            ``KIND`` for an adjective that names a kind: *zapora* przeciwpożarowa.
    """

    members: tuple[Member, ...]
    pos: str
    domain: str
    risk: bool
    not_in: tuple[str, ...]
    near: frozenset[str] = frozenset()
    far: frozenset[str] = frozenset()
    not_before: frozenset[str] = frozenset()

    @cached_property
    def fixed_forms(self) -> frozenset[str]:
        """Every form of the fixed phrases, in lower case."""
        forms: set[str] = set()
        for phrase in self.not_in:
            reader = read_phrase(phrase)
            forms.update(form.lower() for cell in range(len(CELLS)) for form in reader.forms(cell))
        return frozenset(forms)


def _group(row: dict[str, str]) -> Group:
    members: list[Member] = []
    for word in row["words"].split("; "):
        text, slash, gender = word.partition("/")
        gender, _, number = gender.partition(".")
        if (row["pos"] == "noun") != bool(slash) or (slash and gender not in GENDERS):
            raise ConfigError(f"synonyms.tsv: {word!r} of {row['words']!r} needs a gender if and only if it is a noun")
        members.append(Member(text, gender, number == "pl"))
    not_in = tuple(phrase for phrase in row["not_in"].split("; ") if phrase)
    near, far, not_before = (frozenset(filter(None, row[name].split(","))) for name in ("near", "far", "not_before"))
    return Group(tuple(members), row["pos"], row["domain"], row["risk"] == "yes", not_in, near, far, not_before)


@lru_cache(maxsize=1)
def groups() -> tuple[Group, ...]:
    """All groups of ``synonyms.tsv``.

    Raises:
        ConfigError: a noun without gender, or another word with one.
    """
    return tuple(_group(row) for row in read_table("synonyms.tsv"))


Entry = tuple[Group, Member]


@lru_cache(maxsize=1)
def noun_index() -> dict[str, list[Entry]]:
    """Nouns and noun phrases by every form but the vocative, in lower case."""
    index: dict[str, list[Entry]] = {}
    for group in groups():
        if group.pos == "noun":
            for member in group.members:
                cells = [cell for cell in member.cells if CELLS[cell][1] != "voc"]
                for form in {form.lower() for cell in cells for form in member.forms[cell]}:
                    index.setdefault(form, []).append((group, member))
    return index


@lru_cache(maxsize=1)
def lemma_index() -> dict[str, list[Entry]]:
    """Verbs and adjectives by lemma; everything that does not inflect by its text."""
    index: dict[str, list[Entry]] = {}
    for group in groups():
        if group.pos != "noun":
            for member in group.members:
                index.setdefault(member.text, []).append((group, member))
    return index


@lru_cache(maxsize=1)
def longest() -> int:
    """Number of words of the longest phrase."""
    return max(member.words for group in groups() for member in group.members)


def others(entry: Entry) -> Sequence[Member]:
    """The other words of the group."""
    return [member for member in entry[0].members if member is not entry[1]]
