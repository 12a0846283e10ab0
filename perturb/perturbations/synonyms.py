"""Words replaced by near-synonyms in the same grammatical form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.synonym_context import fits, is_fixed, is_repeated, kept_tokens, repeats
from perturb.perturbations.synonym_forms import noun_replacement, word_replacement
from perturb.perturbations.synonym_lexicon import Entry, Group, Member, lemma_index, longest, noun_index, others
from perturb.polish.morphology import analyse, lemmas
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.words import noun_readings
from perturb.records import Variant


@register
@dataclass(frozen=True)
class Synonyms(Perturbation):
    """Replace one word or phrase by another of its group, in the same case and number.

    Agreeing adjectives follow a change of gender, *w* and *z* are vocalised anew. Where agreement cannot be told (a
    relative pronoun, a past tense), nothing is yielded. Groups: ``synonyms.tsv``, own compilation.

    Attributes:
        meaning_risk: also yield words that can differ in meaning, flagged.
        domains: use only groups of these domains; empty for all.
    """

    name: ClassVar[str] = "synonyms"
    summary: ClassVar[str] = "business near-synonyms: odnośnik ↔ link, termin płatności ↔ termin zapłaty"
    draws: ClassVar[int] = 3
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("numer konta dostawcy", "numer rachunku dostawcy"),
        ("skradziony komputer przenośny", "skradziony laptop"),
        ("nowa umowa z dostawcą", "nowy kontrakt z dostawcą"),
        ("wniosek o szkolenie", "podanie o szkolenie"),
    )

    meaning_risk: bool = True
    domains: tuple[str, ...] = ()

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant, its place and word drawn at random."""
        places = list(self._places(query))
        rng.shuffle(places)
        for entry, member, span in places:
            group = entry[0]
            if repeats(query, group, member, span):
                query.decline("the synonym stands in the query already")
                continue
            make = noun_replacement if group.pos == "noun" else word_replacement
            replacement = make(query, entry, member, span)
            if replacement is None or not replacement.edits:
                continue
            flags = ("meaning_risk",) if group.risk else ()
            confidence = 0.75 if group.risk else 0.95
            yield query.variant(self.name, group.pos, replacement.edits, confidence=confidence, flags=flags)
            return

    def _wants(self, group: Group) -> bool:
        return (self.meaning_risk or not group.risk) and (not self.domains or group.domain in self.domains)

    def _places(self, query: ParsedQuery) -> Iterator[tuple[Entry, Member, tuple[int, int]]]:
        """Every word to put in every place, longest phrase first; words inside a found phrase are left alone."""
        tokens = query.tokens
        taken = kept_tokens(query)
        for length in range(longest(), 0, -1):
            for first in range(len(tokens) - length + 1):
                last = first + length - 1
                span = range(first, last + 1)
                if taken.intersection(span) or any(tokens[i].shielded or tokens[i].kind == "symbol" for i in span):
                    continue
                entries = _entries(query, first, last)
                if entries:
                    taken.update(span)
                for entry in entries:
                    group = entry[0]
                    if not self._wants(group) or not fits(query, group, span) or is_fixed(query, group, first, last):
                        continue
                    if is_repeated(query, group, span):
                        query.decline("a word of the term stands elsewhere too")
                    else:
                        yield from ((entry, member, (first, last)) for member in others(entry))


def _entries(query: ParsedQuery, first: int, last: int) -> list[Entry]:
    text = query.text[query.tokens[first].start : query.tokens[last].end].lower()
    found = list(noun_index().get(text, ()))
    if first == last:
        token = query.tokens[first]
        if not token.is_word and not found:
            return []
        found = [entry for entry in found if not token.is_word or _is_noun(token.text, entry[1])]
        for lemma in dict.fromkeys((text, *lemmas(token.text))) if not found else ():
            found += [e for e in lemma_index().get(lemma, ()) if e[0].pos in ("verb", "adj") or lemma == text]
        return found
    return found + list(lemma_index().get(text, ()))


def _is_noun(word: str, member: Member) -> bool:
    """Whether a word is rather a form of this noun than of another word."""
    if not analyse(word):
        return True
    likely = noun_readings(word)[:2]
    verbal = any(reading.pos in ("fin", "impt", "inf", "praet") for reading in analyse(word) if reading.is_accepted)
    lemma = member.text.lower()
    # An adjective is more frequent than the noun it looks like: zbyt długi czas, not długi.
    adjectives = {r.lemma for r in analyse(word) if r.is_accepted and r.pos in ("adj", "ppas", "pact")}
    if adjectives - {lemma}:
        return False
    return not verbal and any(lemma in (f.lower() for cell in (0, 7) for f in r.noun.forms[cell]) for r in likely)
