"""What the rules on wording ask about a query: its kind, its first word, the noun phrase that begins at a token."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from perturb.polish.government import is_preposition
from perturb.polish.morphology import Reading, analyse, is_word, paradigm
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases import CONFIDENCE_THRESHOLD
from perturb.polish.phrases.inflect import PhraseReader, replacements
from perturb.polish.phrases.parse import Parse
from perturb.polish.phrases.shapes import CELLS
from perturb.polish.text import Token, match_case
from perturb.polish.verbs import action_nouns
from perturb.records import Edit
from perturb.resources import read_table

FINITE = frozenset({"fin", "impt", "praet", "bedzie", "cond", "winien", "pred", "inf"})
"""Parts of speech that make a clause: finite verbs, infinitives, *można*."""

PREPOSITIONS = frozenset({"preposition", "strong_preposition"})
"""Roles of prepositions among the function words."""

SUBORDINATORS = frozenset({"gdy", "jeśli", "jeżeli", "gdyby", "kiedy"})
"""Conjunctions whose clause may stand before or after the main one."""


@lru_cache(maxsize=1)
def function_words() -> dict[str, str]:
    """Role of each function word."""
    return {row["word"]: row["role"] for row in read_table("function_words.tsv")}


def role(token: Token) -> str:
    """Role of a token among the function words; empty for content words and protected tokens."""
    return function_words().get(token.lower, "") if token.is_word else ""


def body(query: ParsedQuery) -> Sequence[Token]:
    """Tokens without the closing marks."""
    tokens = query.tokens
    while tokens and tokens[-1].kind == "symbol" and tokens[-1].text in ".?!…" and not tokens[-1].protected:
        if len(tokens) > 1 and tokens[-2].kind == "abbreviation" and tokens[-1].text == ".":
            break
        tokens = tokens[:-1]
    return tokens


def is_question(query: ParsedQuery) -> bool:
    """Whether the query begins as a question does: *jak*, *czy*, *w jakim*, *do kiedy*."""
    tokens = query.tokens
    if not tokens:
        return False
    if role(tokens[0]) == "question":
        every = tokens[0].lower == "co" and len(tokens) > 1 and tokens[1].kind == "number"  # co 30 dni
        return not every
    return len(tokens) > 1 and role(tokens[0]) in PREPOSITIONS and role(tokens[1]) == "question"


def is_command(query: ParsedQuery) -> bool:
    """Whether the query begins with an imperative: *pokaż*, *usuń*."""
    if not query.tokens or not query.tokens[0].is_word:
        return False
    return imperative(query.tokens[0]) is not None


def imperative(token: Token) -> Reading | None:
    """The reading of a token as an imperative of the second person, if that is the likeliest one."""
    readings = [reading for reading in analyse(token.text) if reading.is_accepted and not reading.is_proper]
    verbs = [r for r in readings if r.pos == "impt" and "sec" in r.get("person") and "sg" in r.get("number")]
    if not verbs:
        return None
    known = role(token) == "command"
    return verbs[0] if known or all(reading.pos == "impt" for reading in readings) else None


def has_clause(tokens: Sequence[Token]) -> bool:
    """Whether a verb, a comma or a question word stands among the tokens, so that they are no mere noun phrase."""
    for token in tokens:
        if token.text == "," or role(token) in ("question", "command") or token.lower == "nie":
            return True
        readings = [reading for reading in analyse(token.text) if reading.is_accepted] if token.is_word else []
        if readings and all(reading.pos in FINITE for reading in readings):
            return True
    return False


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun phrase inside a query.

    Attributes:
        tokens: the tokens of the query from the phrase on; indices of the parse count from here.
        parse: its likeliest parse.
        confidence: 0 to 1.
    """

    tokens: Sequence[Token]
    parse: Parse
    confidence: float

    @property
    def end(self) -> int:
        """One past its last character."""
        return self.tokens[self.parse.end - 1].end

    @property
    def is_whole(self) -> bool:
        """Whether nothing follows it."""
        return self.parse.end == len(self.tokens)

    @property
    def gender(self) -> str:
        """Gender of its head."""
        return self.parse.head.noun.gender

    def can_be(self, case: str) -> bool:
        """Whether it stands in this case, in either number."""
        return any(self.parse.mask >> index & 1 for index, cell in enumerate(CELLS) if cell[1] == case)

    def number(self, case: str) -> str | None:
        """Its grammatical number if it stands in this case; singular where both fit."""
        for index, (number, own_case) in enumerate(CELLS):
            if own_case == case and self.parse.mask >> index & 1:
                return number
        return None

    def recased(self, query: ParsedQuery, number: str, case: str, *, lower_first: bool = False) -> list[Edit] | None:
        """Edits that put it into another cell; None if the cell does not exist or a protected word would change."""
        wanted = replacements(self.parse, CELLS.index((number, case)))
        if wanted is None:
            return None
        edits: list[Edit] = []
        for index, forms in wanted:
            token = self.tokens[index]
            form = match_case(token.text, forms[0])
            if index == 0 and lower_first:
                form = lowered(token, form)
            if form == token.text:
                continue
            if token.protected or is_preposition(token):
                return None
            edits.append(query.edit(token.start, token.end, form))
        return edits


def noun_phrase(query: ParsedQuery, tokens: Sequence[Token]) -> NounPhrase | None:
    """The noun phrase that begins with the first of the tokens, if one is recognised with confidence."""
    if not tokens or any(token.shielded for token in tokens[:1]):
        return None
    reader = PhraseReader(query.text[tokens[0].start : tokens[-1].end], tokens)
    if reader.parse is None or reader.confidence < CONFIDENCE_THRESHOLD:
        return None
    return NounPhrase(tokens, reader.parse, reader.confidence)


def lowered(token: Token, form: str | None = None) -> str:
    """The first word of a query inside a sentence: small, unless it is a name or an acronym."""
    word = token.text if form is None else form
    if not token.is_word or not word[:1].isupper() or (len(word) > 1 and token.text.isupper()):
        return word
    readings = [reading for reading in analyse(token.text) if reading.is_accepted]
    if not readings or all(reading.is_proper for reading in readings):
        return word
    return word[:1].lower() + word[1:]


def is_shouted(query: ParsedQuery) -> bool:
    """Whether the query is typed in capitals, so that what a rule adds must be, too; an acronym does not count."""
    return query.text.isupper() and any(len(token.text) > 3 and is_word(token.lower) for token in query.words)


def raised(word: str) -> str:
    """A word with a capital first letter."""
    return word[:1].upper() + word[1:]


def verbal_noun(reading: Reading) -> str | None:
    """The verbal noun of a verb, affirmative, in the nominative: *wystawić* → *wystawienie*."""
    forms: Iterator[str] = (
        form.form
        for form in paradigm(reading.lexeme)
        if form.pos == "ger"
        and form.is_accepted
        and "aff" in form.get("polarity")
        and "sg" in form.get("number")
        and "nom" in form.get("case")
    )
    return next(forms, None)


def action_noun(verb: Reading) -> str | None:
    """The noun that names an action: *zmiana*, *wystawienie*; None if there is none."""
    return action_nouns().get(verb.lemma) or verbal_noun(verb)


def speaker_gender(query: ParsedQuery) -> str:
    """``m`` or ``f`` if the query says *zapomniałem* or *zapomniałam*; empty if it does not tell."""
    for token in query.words:
        for reading in analyse(token.text):
            if reading.pos in ("praet", "cond") and "pri" in reading.get("person") and "sg" in reading.get("number"):
                return "f" if "f" in reading.get("gender") else "m" if "m1" in reading.get("gender") else ""
    return ""


def infinitive(token: Token) -> Reading | None:
    """The reading of a token as an infinitive, if it has no other."""
    readings = [reading for reading in analyse(token.text) if reading.is_accepted] if token.is_word else []
    return readings[0] if readings and all(reading.pos == "inf" for reading in readings) else None
