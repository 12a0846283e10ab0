"""Whether a noun can change its number and still mean the same."""

from __future__ import annotations

from functools import lru_cache

from perturb.polish.phrases.lexicons import frequent_nouns, word_class
from perturb.resources import read_table

ACTIONS = word_class("action_noun")
"""Nouns that name an action on what follows them in the genitive, though they are not built with *-nie* or *-cie*."""

_UNCOUNTABLE_ENDINGS = ("ość", "stwo", "ctwo", "izm", "yzm", "ologia", "owanie", "ywanie", "iwanie")
_FREQUENT_ONLY = ("cja", "zja", "sja", "gia", "fia", "yka", "ika", "anie", "enie", "ęcie")
"""Endings of actions and fields, of which only everyday nouns are counted."""

_COUNTABLE = word_class("countable_exception")
"""Countable nouns with an ending that most often marks a quality, a state or an action."""


@lru_cache(maxsize=1)
def _barred() -> dict[str, str]:
    return {row["lemma"]: row["bars"] for row in read_table("uncountable_nouns.tsv")}


@lru_cache(maxsize=1)
def fixed_phrases() -> frozenset[str]:
    """Preposition and noun that belong together, such as *w razie*."""
    return frozenset(row["phrase"] for row in read_table("fixed_phrases.tsv"))


@lru_cache(maxsize=8192)
def number_can_change(lemma: str, kind: str, target: str) -> bool:
    """Whether a noun may be put into another number without changing what is asked.

    Args:
        lemma: nominative singular of the noun.
        kind: ``subst``, ``ger`` and so on, as :class:`perturb.polish.phrases.words.Noun` has it.
        target: ``sg`` or ``pl``.
    """
    bars = _barred().get(lemma, _barred().get(lemma.lower(), ""))
    if bars == "both" or bars == {"pl": "plural", "sg": "singular"}[target]:
        return False
    if target == "sg":
        return True
    if kind != "ger" and lemma in _COUNTABLE:
        return True
    if kind == "ger" or (lemma.endswith(_FREQUENT_ONLY) and lemma not in frequent_nouns()):
        return False
    return not lemma.endswith(_UNCOUNTABLE_ENDINGS)


def is_thing(lemma: str) -> bool:
    """Whether a noun built like an action names a thing or an event that can be counted: *skierowanie*."""
    return lemma in _COUNTABLE and lemma != "rozwiązanie"


def names_action(lemma: str, kind: str) -> bool:
    """Whether a noun names an action, so that a genitive after it is what is acted upon."""
    return kind == "ger" or lemma in ACTIONS or lemma.endswith(("anie", "enie", "cie"))
