"""``word_forms``: every noun and adjective in some other form, without regard to its neighbours. A stress test.

The result is no Polish sentence; it shows what a model makes of the words alone. Variants are flagged ``ungrammatical``
and reported apart from those that people write.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from perturb.errors import ConfigError
from perturb.perturbations.base import Perturbation, register
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.govern import is_verb
from perturb.polish.phrases.syntax import Word
from perturb.polish.text import match_case
from perturb.records import Variant

_LEAST_LETTERS = 4


@register
@dataclass(frozen=True)
class WordForms(Perturbation):
    """Each content word in another form of its own.

    Attributes:
        share: share of the nouns and adjectives that change, above 0 and up to 1; at least one changes.
    """

    share: float = 1.0

    name: ClassVar[str] = "word_forms"
    summary: ClassVar[str] = "nouns and adjectives in random forms, agreement broken (a stress test)"
    draws: ClassVar[int] = 2
    examples: ClassVar[tuple[tuple[str, str], ...]] = (("termin urlopu", "terminami urlop"),)

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise ConfigError(f"[perturbation.word_forms] share = {self.share}: give a number above 0, up to 1")

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant."""
        words = query.looked_up
        choices: list[tuple[int, list[str]]] = []
        for index, (token, word) in enumerate(zip(query.tokens, words, strict=True)):
            if token.is_word and len(token.text) >= _LEAST_LETTERS and not is_verb(query.tokens, words, index):
                forms = sorted(other_forms(word))
                if forms:
                    choices.append((index, forms))
        if not choices:
            query.decline("no word that inflects")
            return
        count = max(1, round(self.share * len(choices)))
        chosen = sorted(rng.sample(range(len(choices)), count))
        edits = []
        for position in chosen:
            index, forms = choices[position]
            token = query.tokens[index]
            edits.append(query.edit(token.start, token.end, match_case(token.text, rng.choice(forms))))
        yield query.variant("word_forms", "every" if self.share == 1 else "some", edits, flags=("ungrammatical",))


def other_forms(word: Word) -> set[str]:
    """Forms of the likeliest noun or adjective, the word itself and the vocative left out; none for proper names."""
    forms: set[str] = set()
    if word.nouns and (not word.adjectives or word.nouns[0].penalty <= word.adjectives[0].penalty):
        noun = word.nouns[0].noun
        if noun.proper:
            return set()
        forms = {form for index, cell in enumerate(noun.forms) if index % 7 != 6 for form in cell[:1]}
    elif word.adjectives:
        adjective = word.adjectives[0].adjective
        forms = {
            form for table in adjective.forms for index, cell in enumerate(table) if index % 7 != 6 for form in cell[:1]
        }
    return {form for form in forms if form.lower() != word.text.lower() and "’" not in form}
