"""Numbers written in another way: in words, in digits, in another unit or notation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.notations import NOTATIONS
from perturb.perturbations.number_pairs import together
from perturb.perturbations.number_words import (
    compound_adjectives,
    halves,
    in_digits,
    in_other_units,
    in_words,
    regrouped,
)
from perturb.perturbations.sentence import is_shouted
from perturb.polish.parsed import ParsedQuery
from perturb.records import Variant


@register
@dataclass(frozen=True)
class Numerals(Perturbation):
    """Rewrite one number, date, amount, percentage or time per variant, both numbers of a range alike.

    Identifiers are never touched (*FV/12/2023*, *art. 5*, *ISO 9001*): a number is rewritten only where it counts a
    noun that agrees with it, or where the notation says what it is. Rules: Polish grammar, own compilation.

    Attributes:
        meaning_risk: also yield pairs that law or calendar may tell apart (*30 dni*, *miesiąc*), flagged.
    """

    name: ClassVar[str] = "numerals"
    summary: ClassVar[str] = (
        "numbers in words, digits, other units and notations: 14 dni ↔ czternastu dni ↔ dwóch tygodni"
    )
    changes_protected: ClassVar[bool] = True
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("zwrot w ciągu 14 dni", "zwrot w ciągu czternastu dni"),
        ("zwrot w ciągu 14 dni", "zwrot w ciągu dwóch tygodni"),
        ("zakup za 10 000 zł", "zakup za dziesięć tysięcy złotych"),
        ("faktura z 12.05.2024", "faktura z 12 maja 2024 r."),
        ("kwota 1 250,50 zł", "kwota 1250,50 zł"),
        ("rabat 5%", "rabat 5 proc."),
    )

    meaning_risk: bool = True

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant per rewriting; draws nothing."""
        seen, shouted = {query.text}, is_shouted(query)
        for rule in (in_words, in_digits, in_other_units, halves, compound_adjectives, *NOTATIONS, regrouped):
            for rewritings in together(query, list(rule(query))):
                if any(rewriting.risk for rewriting in rewritings) and not self.meaning_risk:
                    continue
                flags = ("meaning_risk",) if any(rewriting.risk for rewriting in rewritings) else ()
                edits = [
                    query.edit(found.start, found.end, found.after.upper() if shouted else found.after)
                    for found in rewritings
                ]
                edits = [edit for edit in edits if edit.before != edit.after]
                confidence = min(rewriting.confidence for rewriting in rewritings)
                kind = rewritings[0].kind
                variant = query.variant(self.name, kind, edits, confidence=confidence, flags=flags)
                if variant.text not in seen:
                    seen.add(variant.text)
                    yield variant
