"""Words for their abbreviations and abbreviations for their words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from perturb.perturbations.abbreviation_lexicon import Pair, by_short, long_forms, short_pattern
from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.number_words import Rewriting
from perturb.perturbations.sentence import is_shouted
from perturb.polish.government import UNKNOWN, expected_cases, is_preposition, prepositions
from perturb.polish.morphology import CASES, analyse, lemmas
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.inflect import PhraseReader, read_phrase
from perturb.polish.phrases.shapes import CELLS
from perturb.polish.phrases.words import adjective_readings
from perturb.polish.text import Token
from perturb.records import Variant

_LONGEST = 5


def _fits(query: ParsedQuery, pair: Pair, first: int, last: int) -> bool:
    """Whether what stands around tokens ``first`` to ``last`` (inclusive) is what the pair asks for."""
    if last + 1 < len(query.tokens) and query.tokens[last + 1].lower.startswith(pair.short.lower()):
        return False  # fakturę FV/12/2026 would become FV FV/12/2026
    if pair.context == "before_number":
        after = query.tokens[last + 1] if last + 1 < len(query.tokens) else None
        return after is not None and after.kind in ("number", "code") and after.text[0].isdigit()
    if pair.context == "before_noun":
        following = query.tokens[last + 1 : last + 2]
        return any(t.is_word and not t.shielded and _is_noun_or_adjective(t) for t in following)
    if pair.context == "after_year" and not (first and re.fullmatch(r"\d{4}", query.tokens[first - 1].text)):
        return False
    if pair.context in ("after_number", "after_year"):
        return first > 0 and query.tokens[first - 1].kind == "number"
    return True


def _is_noun_or_adjective(token: Token) -> bool:
    """Whether a word may complete a title, as in *kierownik działu*, *dyrektor finansowy*, and is no verb."""
    found = {reading.pos for reading in analyse(token.text) if reading.is_accepted}
    return bool(found & {"subst", "ger", "adj"}) and not found & {"fin", "praet", "prep", "conj"}


def shortened(query: ParsedQuery) -> Iterator[Rewriting]:
    """*numer faktury* → *nr faktury*, *numer FV*; every inflected form of the long side is found."""
    tokens = query.tokens
    for first in range(len(tokens)):
        for length in range(1, _LONGEST + 2):
            span = tokens[first : first + length]
            if len(span) < length or any(t.shielded or t.kind != "word" for t in span):
                break
            text = " ".join(token.lower for token in span)
            if " ".join(query.text[span[0].start : span[-1].end].lower().split()) != text:
                continue
            for pair in long_forms().get(text, ()):
                # Apart from a comma, to jest is a clause: co to jest.
                inserted = pair.context != "after_comma" or (
                    first > 0 and tokens[first - 1].text in (",", "(", "–", "-")
                )
                if inserted and _fits(query, pair, first, first + length - 1):
                    yield _short_form(query, pair, span[0], span[-1])


def _short_form(query: ParsedQuery, pair: Pair, first: Token, last: Token) -> Rewriting:
    short = pair.short
    if first.text[:1].isupper() and short.upper() in {other.short for other in long_forms()[pair.long.lower()]}:
        short = short.upper()  # FV at the beginning of a sentence, not Fv
    elif first.text[:1].isupper() and short.islower() and short[0].isalpha() and first is query.tokens[0]:
        short = short[:1].upper() + short[1:]
    end = last.end
    if short.endswith(".") and query.text[end : end + 1] == ".":
        end += 1
    return Rewriting("short", first.start, end, short, 0.7 if pair.risk else 1.0, pair.risk)


def expanded(query: ParsedQuery) -> Iterator[Rewriting]:
    """*nr FV* → *numer FV*, *nr faktury*; only where the case of the long side is settled by what stands around."""
    starts = {token.start: index for index, token in enumerate(query.tokens)}
    ends = {token.end: index for index, token in enumerate(query.tokens)}
    for match in short_pattern().finditer(query.text):
        start, end = match.span()
        first, last = starts.get(start), ends.get(end)
        if first is None or last is None:
            continue
        if any(token.shielded for token in query.tokens[first : last + 1]):
            continue
        if _is_part_of_name(query.tokens, first, last):
            query.decline("the abbreviation is part of a longer one")
            continue
        for pair in by_short().get(match.group(), ()):
            if not _fits(query, pair, first, last):
                continue
            if first and pair.barred & {*lemmas(query.tokens[first - 1].lower)}:
                query.decline("nobody writes the abbreviation out here")
                continue
            if pair.number == "none":
                raise_first = first == 0 and match.group()[:1].isupper()
                long: str | None = pair.long[:1].upper() + pair.long[1:] if raise_first else pair.long
            else:
                long = long_form(query, pair, first, last)
            if long is None:
                query.decline("case of an abbreviation is not settled")
                continue
            yield Rewriting("long", start, end, long, 0.7 if pair.risk else 1.0, pair.risk)


def _is_part_of_name(tokens: Sequence[Token], first: int, last: int) -> bool:
    """Whether an acronym or a bare number is attached to an acronym: *VAT UE*, *JPK VAT*, *PIT 37*, *ZUS ZUA*."""
    if not _is_acronym(tokens[first]) or first != last:
        return False
    if all(token.text.isupper() for token in tokens if token.is_word):
        return False
    beside = [tokens[place] for place in (first - 1, last + 1) if 0 <= place < len(tokens)]
    if any(_is_acronym(token) for token in beside):
        return True
    after = tokens[last + 1 : last + 3]
    bare = bool(after) and after[0].kind in ("number", "code") and not after[0].text.endswith("%")
    return bare and not (len(after) > 1 and after[1].text in ("%", "proc", "procent"))


def _is_acronym(token: Token) -> bool:
    return len(token.text) > 1 and token.text.isalpha() and token.text.isupper()


def long_form(query: ParsedQuery, pair: Pair, first: int, last: int) -> str | None:
    """The words for an abbreviation at tokens ``first`` to ``last``, as its place asks for them; None if unsettled."""
    reader = read_phrase(pair.long)
    cases = (
        frozenset({"nom"}) if _is_apposition(query.tokens, pair, first, last) else _cases(query, reader, first, last)
    )
    hours = pair.long == "godzina" and last + 1 < len(query.tokens) and query.tokens[last + 1].is_word
    number = "pl" if pair.number == "pl" or hours or labels_several(query, last) else "sg"
    forms = {
        reader.forms(CELLS.index((number, case)))[0] for case in cases if reader.forms(CELLS.index((number, case)))
    }
    if len(forms) != 1:
        return None
    form = forms.pop()
    token = query.tokens[first]
    sentence_start = first == 0 and token.text[:1].isupper() and not token.text.isupper()
    return form[:1].upper() + form[1:] if sentence_start else form


_HAVING_ARTICLES = frozenset(
    {"brzmienie", "grunt", "interpretacja", "moc", "myśl", "nowelizacja", "podstawa", "przepis", "skutek", "światło"}
    | {"treść", "tryb", "warunek", "wykładnia", "wymóg", "zakres", "zmiana", "znaczenie"}
)
"""Nouns that a reference follows in the genitive: *treść artykułu 5*; verbal nouns do as well."""


_JOURNALS = frozenset({"Dziennik Ustaw", "Dziennik Urzędowy", "Monitor Polski"})
"""Where acts are published; cited right after the act, they stand in the nominative."""


def labels_several(query: ParsedQuery, last: int) -> bool:
    """*godz. 8-16*, *art. 5 i 6*: more than one number follows."""
    after = query.text[query.tokens[last].end :]
    return re.match(r"\s*\d[\d.:]*\s?(?:[-–]|(?:i|oraz|lub|do)\s)\s?\d", after) is not None


def _is_apposition(tokens: Sequence[Token], pair: Pair, first: int, last: int) -> bool:
    """Whether a reference is set beside what it points into or explains: *uchwała nr 15*, *kodeks cywilny art. 415*."""
    if pair.long in _JOURNALS and first and not is_preposition(tokens[first - 1]):
        return True
    labels = last + 1 < len(tokens) and tokens[last + 1].kind in ("number", "code") and pair.number == "sg"
    if not labels or not first:
        return False
    if pair.long == "numer":
        return (
            tokens[first - 1].is_word and not is_preposition(tokens[first - 1]) and not _is_adjective(tokens[first - 1])
        )
    before = tokens[first - 1]
    if pair.long == "godzina":
        return not is_preposition(before) and not _is_adjective(before)
    if pair.context != "before_number" or not before.is_word or is_preposition(before):
        return False
    readings = [reading for reading in analyse(before.text) if reading.is_accepted]
    named = any(reading.pos in ("subst", "adj", "ppas", "pact") for reading in readings)
    has_articles = any(r.pos == "ger" or r.lemma in _HAVING_ARTICLES for r in readings)
    verbal = any(reading.pos in ("fin", "inf", "impt", "praet", "imps") for reading in readings)
    return named and not has_articles and not verbal


def _is_adjective(token: Token) -> bool:
    readings = [reading for reading in analyse(token.text) if reading.is_accepted]
    return token.is_word and bool(readings) and all(reading.pos in ("adj", "ppas", "pact") for reading in readings)


def _cases(query: ParsedQuery, reader: PhraseReader, first: int, last: int) -> frozenset[str]:
    """Cases left by what governs the abbreviation and by adjectives beside it that agree with its hidden noun."""
    tokens = query.tokens
    if first and tokens[first - 1].kind == "number":
        return UNKNOWN
    start, agreeing = first, frozenset(CASES)
    gender = reader.parse.head.noun.gender_index if reader.parse else 2
    while start and tokens[start - 1].is_word and (tokens[start - 1].lower,) not in prepositions():
        cases = _adjective_cases(tokens[start - 1], gender)
        if not cases:
            break
        start, agreeing = start - 1, agreeing & cases
    if last + 1 < len(tokens) and tokens[last + 1].is_word:
        agreeing &= _adjective_cases(tokens[last + 1], gender) or agreeing
    expected = _expected(tokens, start)
    if not expected and len(agreeing) == 1:
        return agreeing
    return frozenset(expected & agreeing)


_LIKELY_FIRST_CASE = frozenset({"w", "we", "o", "przed", "nad", "pod"})


def _expected(tokens: Sequence[Token], index: int) -> frozenset[str]:
    """Cases asked for; before an abbreviation *w* means a place, and the form of a company follows its name."""
    before = tokens[index - 1] if index else None
    if before is not None and before.lower in _LIKELY_FIRST_CASE:
        return frozenset(prepositions()[before.lower,][:1])
    if before is not None and tokens[index].lower in ("sp", "s.a.", "s.c.") and before.text[:1].isupper():
        return frozenset({"nom"}) if index == 1 else UNKNOWN
    return expected_cases(tokens, index)


def _adjective_cases(token: Token, gender: int) -> frozenset[str]:
    readings = adjective_readings(token.text)
    mask = 0
    for reading in readings:
        mask |= reading.masks[gender]
    return frozenset(case for index, (_, case) in enumerate(CELLS[:7]) if mask >> index & 1)


@register
@dataclass(frozen=True)
class Abbreviations(Perturbation):
    """One word abbreviated or one abbreviation written out per variant.

    The pairs are ``abbreviation_pairs.tsv``. Abbreviations are written out only where their case is settled: after
    prepositions, nouns and most verbs, beside adjectives, at the beginning.

    Attributes:
        meaning_risk: also yield abbreviations with several meanings (*US*, *KP*), flagged.
    """

    name: ClassVar[str] = "abbreviations"
    summary: ClassVar[str] = "words and their abbreviations, both ways: faktura ↔ FV, numer ↔ nr"
    changes_protected: ClassVar[bool] = True
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("numer faktury", "nr faktury"),
        ("korekta FV", "korekta faktury"),
        ("w art. 5 ustawy", "w artykule 5 ustawy"),
        ("spółka z o.o.", "spółka z ograniczoną odpowiedzialnością"),
    )

    meaning_risk: bool = True

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant per pair that applies; draws nothing."""
        seen, shouted = {query.text}, is_shouted(query)
        for rule in (shortened, expanded):
            for rewriting in rule(query):
                if rewriting.risk and not self.meaning_risk:
                    continue
                after = rewriting.after.upper() if shouted else rewriting.after
                edit = query.edit(rewriting.start, rewriting.end, after)
                flags = ("meaning_risk",) if rewriting.risk else ()
                variant = query.variant(self.name, rewriting.kind, [edit], confidence=rewriting.confidence, flags=flags)
                if variant.text not in seen:
                    seen.add(variant.text)
                    yield variant
