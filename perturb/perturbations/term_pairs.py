"""The pairs of Polish and English business terms behind ``english_terms``, ``polish_terms`` and ``english_phrase``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from perturb.errors import ConfigError
from perturb.lexicon import Row, rows_of
from perturb.polish.loanwords import guess, is_acronym
from perturb.polish.parsed import ParsedQuery
from perturb.polish.terms import TermMatch, TermMatcher, term_pattern
from perturb.polish.text import clean
from perturb.resources import read_table

LEXICON = "english_terms.tsv"
OTHER_SENSE = "the term means something else here"
_CLASSES = {"m1": "a0", "m2": "a0", "m3": "ua0", "f": "y0", "n": "0"}
_CHOICES = {
    "pos": ("noun", "verb", "adj"),
    "number": ("both", "sg", "pl"),
    "use": ("both", "english", "polish"),
    "meaning_risk": ("yes", "no"),
}


@dataclass(frozen=True, slots=True)
class TermPair:
    """A Polish term and the English one that means the same in its domain.

    Attributes:
        polish: dictionary form: nominative (plural where only the plural means this) or infinitive.
        english: as Poles write it, in its dictionary form.
        domain: where the two mean the same.
        pos: ``noun``, ``verb`` or ``adj``.
        gender: of the English noun in Polish.
        genitive: how the English noun inflects: ``u``, ``a``, ``y`` or ``0`` (not at all).
        number: ``both``, or the only number in which the English noun is used.
        colloquial: another lemma people write for it, with its genitive; empty if none.
        use: ``both``, ``english`` (only put English for Polish) or ``polish``.
        meaning_risk: whether the Polish term also has everyday senses.
        barred: lemmas that, next to the term, give it another sense; ``NAME`` is a word with a capital after it.
        required: lemmas of which one must stand near the term; empty if none need.
        wanted: lemmas of which one must stand anywhere in the query; empty if none need.
        unwanted: lemmas none of which may stand anywhere in the query.
        tails: lemmas of which one must be what follows, if an adjective of the term or a genitive does; empty for any.
        takes_complement: whether the term keeps its meaning before a genitive.
        takes_adjective: whether it does so before an adjective that agrees with it.
        ends_open: whether a genitive may follow though the term ends in one: *opis stanowiska* kierownika.
        after_prepositions: whether several words that have no Polish endings go after prepositions: *po* code review.
        everyday: whether people use the English word outside the office as well.
        is_date: whether the English word is a day, so that it is no length of time: *termin płatności 14 dni*.
        place: ``file:line``.
    """

    polish: str
    english: str
    domain: str = ""
    pos: str = "noun"
    gender: str = "m3"
    genitive: str = "u"
    number: str = "both"
    colloquial: tuple[str, str] | None = None
    use: str = "both"
    meaning_risk: bool = False
    barred: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()
    wanted: frozenset[str] = frozenset()
    unwanted: frozenset[str] = frozenset()
    tails: frozenset[str] = frozenset()
    takes_complement: bool = True
    takes_adjective: bool = True
    ends_open: bool = False
    after_prepositions: bool = False
    everyday: bool = False
    is_date: bool = False
    place: str = ""


def _pair(row: Row) -> TermPair:
    cells = row.cells
    for column in ("pl", "en"):
        if not cells.get(column, "").strip():
            raise ConfigError(f"{row.place}: column {column!r} is missing or empty; every row needs pl and en")
    for column, allowed in _CHOICES.items():
        if cells.get(column) and cells[column] not in allowed:
            raise ConfigError(f"{row.place}: {column} {cells[column]!r}; use one of {', '.join(allowed)}")
    guessed = guess(cells["en"])
    gender = cells.get("gender") or guessed.gender
    pos = cells.get("pos") or "noun"
    genitive = cells.get("class") or (guessed.genitive if gender == guessed.gender else _CLASSES.get(gender, "u")[0])
    if pos == "noun" and genitive not in _CLASSES.get(gender, ""):
        raise ConfigError(f"{row.place}: gender {gender!r} with class {genitive!r}; use {_legal_classes()}")
    colloquial, _, colloquial_class = cells.get("colloquial", "").partition("/")
    context = cells.get("context", "")
    flags = set(context.split())
    domain = cells.get("domain", "")
    return TermPair(
        polish=cells["pl"],
        english=cells["en"],
        domain=domain,
        pos=pos,
        gender=gender,
        genitive=genitive,
        number=cells.get("number") or "both",
        colloquial=(colloquial, colloquial_class or genitive) if colloquial else None,
        use=cells.get("use") or "both",
        meaning_risk=cells.get("meaning_risk") == "yes",
        barred=_listed(context, "not"),
        required=_listed(context, "only"),
        wanted=_listed(context, "in"),
        unwanted=_listed(context, "out"),
        tails=_listed(context, "tail"),
        takes_complement=not flags & {"no_complement", "no_tail"},
        takes_adjective="no_tail" not in flags,
        ends_open="complement" in flags,
        after_prepositions="after_prepositions" in flags,
        everyday="everyday" in flags or not domain,  # who adds a pair of his own, without a domain, wants it everywhere
        is_date="date" in flags,
        place=row.place,
    )


def _listed(context: str, key: str) -> frozenset[str]:
    """The lemmas that a column ``context`` lists after a key."""
    found = re.search(rf"(?:^|\s){key}:(\S+)", context)
    return frozenset(found[1].split(",")) if found else frozenset()


def _legal_classes() -> str:
    return "; ".join(f"{gender}: {' or '.join(classes)}" for gender, classes in _CLASSES.items())


@lru_cache(maxsize=32)
def term_pairs(lexicons: tuple[str, ...] = ()) -> tuple[TermPair, ...]:
    """Pairs of the user's lexicons, then the bundled ones.

    Args:
        lexicons: TSV files or folders with rows of one's own; only the columns ``pl`` and ``en`` are required.

    Raises:
        ConfigError: a file is missing or a row is wrong, with its place.
    """
    return tuple(_pair(row) for row in rows_of(LEXICON, lexicons))


@dataclass(frozen=True, slots=True, eq=False)
class PairIndex:
    """Pairs prepared for one direction.

    Attributes:
        matcher: finds the Polish terms, and the longer ones that people always say in Polish (``kept_terms.tsv``).
        by_polish: the preferred pair of each Polish term.
        adjectives: English adjectives by Polish lemma.
        nouns: every noun pair that may be turned into Polish, best first.
    """

    matcher: TermMatcher
    by_polish: Mapping[str, TermPair]
    adjectives: Mapping[str, str]
    nouns: tuple[TermPair, ...]

    def find(self, query: ParsedQuery) -> list[tuple[TermMatch, TermPair]]:
        """The Polish terms of a query that have an English counterpart, in the order of the text."""
        found = []
        for match in self.matcher(query):
            pair = self.by_polish.get(match.pattern.text)
            if pair is None:
                query.decline(OTHER_SENSE)
            else:
                found.append((match, pair))
        return found


@lru_cache(maxsize=1)
def kept_terms() -> tuple[str, ...]:
    """Terms people always say in Polish, though a shorter term inside has an English counterpart or a synonym."""
    return tuple(row["term"] for row in read_table("kept_terms.tsv"))


@lru_cache(maxsize=32)
def pair_index(mapping: tuple[tuple[str, str], ...] = (), lexicons: tuple[str, ...] = ()) -> PairIndex:
    """Prepare pairs; built once per settings.

    Args:
        mapping: further pairs of Polish and English terms, which come before all others, longer ones included.
        lexicons: as for :func:`term_pairs`.

    Raises:
        ConfigError: a Polish term of the user's has no recognisable noun or infinitive.
    """
    own = [_pair(Row(f"mapping {pl!r}", {"pl": clean(pl), "en": clean(en)})) for pl, en in mapping]
    by_polish: dict[str, TermPair] = {}
    nouns: list[TermPair] = []
    adjectives: dict[str, str] = {}
    for pair in (*own, *term_pairs(lexicons)):
        if pair.pos == "adj":
            adjectives.setdefault(pair.polish, pair.english)
            continue
        if pair.use != "polish":
            by_polish.setdefault(pair.polish, pair)
        if pair.use != "english" and pair.pos == "noun":
            nouns.append(pair)
    for pair in own:
        if term_pattern(pair.polish) is None:
            raise ConfigError(
                f"{pair.place}: no noun or infinitive recognised; give a Polish term in its dictionary form"
            )
    matcher = TermMatcher((*by_polish, *kept_terms()), preferred=(pair.polish for pair in own))
    return PairIndex(matcher, by_polish, adjectives, tuple(nouns))


def english_plural(term: str) -> str:
    """English plural of a noun; acronyms stay as they are.

    *letter of intent* gives *letters of intent*; the rest follows the spelling rules of English for its last word.
    """
    before_of, of, rest = term.partition(" of ")
    if of:
        return f"{english_plural(before_of)}{of}{rest}"
    if is_acronym(term.rpartition(" ")[2]):
        return term
    if re.search(r"[^aeiou]y$", term):
        return f"{term[:-1]}ies"
    if term.endswith("analysis"):
        return f"{term[:-2]}es"
    return f"{term}es" if term.endswith(("s", "x", "ch", "sh", "z")) else f"{term}s"
