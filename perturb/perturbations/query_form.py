"""The family ``query_form``: one form of the query drawn from all that apply."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar

from perturb.errors import ConfigError
from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.dictation import Dictated
from perturb.perturbations.keywords import Keywords
from perturb.perturbations.polite import Polite
from perturb.perturbations.question_forms import KeywordsToQuestion, QuestionToKeywords
from perturb.perturbations.surface_forms import Doubled, Lower, NoPunctuation, Spaces, Truncated, Upper
from perturb.perturbations.word_order import WordOrder
from perturb.polish.parsed import ParsedQuery
from perturb.records import Variant

_MEMBERS = (
    Lower,
    NoPunctuation,
    Keywords,
    QuestionToKeywords,
    KeywordsToQuestion,
    Polite,
    WordOrder,
    Truncated,
    Dictated,
    Upper,
    Spaces,
    Doubled,
)
_WEIGHTS = {
    "lower": 4.0,
    "no_punctuation": 3.0,
    "keywords": 3.0,
    "question_to_keywords": 2.0,
    "keywords_to_question": 2.0,
    "polite": 2.0,
    "word_order": 1.0,
    "truncated": 1.0,
    "dictated": 1.0,
    "upper": 0.5,
    "spaces": 0.5,
    "doubled": 0.25,
}


@register
@dataclass(frozen=True)
class QueryForm(Perturbation):
    """One way to type the same question, drawn from all that apply to the query.

    Attributes:
        weights: relative frequency of each form by its name without ``query_form.``; 0 or absent leaves it out. The
            defaults are our estimate, no published Polish figures exist: profile your own query log instead.
    """

    name: ClassVar[str] = "query_form"
    summary: ClassVar[str] = "a mix of the forms below: capitals, keywords, questions, politeness, dictation …"
    draws: ClassVar[int] = 4
    changes_protected: ClassVar[bool] = True
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("Jak wystawić fakturę korygującą?", "wystawić fakturę korygującą"),
        ("kara umowna", "kara umowna kara umowna"),
    )

    weights: Mapping[str, float] = field(default_factory=lambda: dict(_WEIGHTS))

    def __post_init__(self) -> None:
        for form, weight in self.weights.items():
            if form not in _WEIGHTS or weight < 0:
                known = ", ".join(sorted(_WEIGHTS))
                raise ConfigError(f"[perturbation.query_form] weights.{form} = {weight}; give 0 or more for: {known}")

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant of a form drawn by weight; forms that do not apply are redrawn."""
        left = {member: self.weights.get(_short(member), 0.0) for member in _MEMBERS}
        while any(left.values()):
            chosen = rng.choices(list(left), list(left.values()))[0]
            variants = list(chosen()(query, rng))
            if variants:
                variant = rng.choice(variants)
                kind = _short(chosen) if variant.kind == _short(chosen) else f"{_short(chosen)}.{variant.kind}"
                yield query.variant(self.name, kind, variant.edits, confidence=variant.confidence, flags=variant.flags)
                return
            del left[chosen]


def _short(member: type[Perturbation]) -> str:
    return member.name.partition(".")[2]
