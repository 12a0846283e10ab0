"""A query with its tokens: what every perturbation gets to see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from perturb.polish.text import Token, clean, tokenize
from perturb.records import Edit, Query, Variant, replay

if TYPE_CHECKING:
    from perturb.polish.phrases import NounPhrase
    from perturb.polish.phrases.syntax import Word
    from perturb.polish.tags import Tag


class ParsedQuery:
    """A query, cleaned and cut into tokens; deeper analyses are made when first asked for.

    Attributes:
        query_id: the id of the query.
        text: its cleaned text; all offsets refer to it.
        protected: words and phrases nothing may change, so that a changed query can be parsed alike.
        tokens: its tokens.
        tags: what a trained pipeline says of each token; empty without one. Set it before anything else is asked for.
        free_phrases: what :func:`perturb.polish.phrases.clause.free_phrase` found, by what it was asked.
        declined: why rules that looked at this query yielded nothing, with counts; the suite reports them.
    """

    def __init__(self, query: Query, protected: Iterable[str] = ()) -> None:
        self.query_id = query.query_id
        self.text = clean(query.text)
        self.protected = tuple(protected)
        self.tokens: tuple[Token, ...] = tokenize(self.text, self.protected)
        self.declined: Counter[str] = Counter()
        self.free_phrases: dict[tuple[float, bool], tuple[NounPhrase | None, str]] = {}
        self.tags: tuple[Tag | None, ...] = ()

    @cached_property
    def words(self) -> tuple[Token, ...]:
        """The words that rules may change: no numbers, codes, addresses, abbreviations, quotations, protected names."""
        return tuple(token for token in self.tokens if token.is_word)

    @cached_property
    def looked_up(self) -> tuple[Word, ...]:
        """Every token with its readings as a noun and as an adjective."""
        from perturb.polish.phrases.syntax import words_of

        words = words_of(self.tokens)
        if not self.tags:
            return words
        from perturb.polish.tags import chosen

        return tuple(chosen(word, tag) for word, tag in zip(words, self.tags, strict=True))

    @cached_property
    def verbs(self) -> tuple[bool, ...]:
        """For every token whether it is a verb form that builds a clause."""
        from perturb.polish.phrases.govern import is_verb

        return tuple(is_verb(self.tokens, self.looked_up, index) for index in range(len(self.tokens)))

    @cached_property
    def second_keyword(self) -> int:
        """The token at which a keyword beside the first noun phrase begins; -1 if there is none."""
        from perturb.polish.phrases.keywords import second_keyword

        return second_keyword(self, self.noun_phrases[0]) if self.noun_phrases else -1

    @cached_property
    def noun_phrases(self) -> tuple[NounPhrase, ...]:
        """The noun phrases, those in the tail of another one included."""
        from perturb.polish.phrases import find_phrases

        found = find_phrases(self)
        if not self.tags:
            return found
        from perturb.polish.tags import fits_tree

        return tuple(phrase for phrase in found if fits_tree(phrase, self.tags))

    def decline(self, reason: str) -> None:
        """Note why a rule yields nothing here, in a few words that can be counted over queries."""
        self.declined[reason] += 1

    def variant(
        self,
        perturbation: str,
        kind: str,
        edits: Sequence[Edit],
        *,
        confidence: float = 1.0,
        flags: Iterable[str] = (),
    ) -> Variant:
        """Make a variant of this query from edits; the suite gives it its id and seed.

        Args:
            perturbation: registered name of the rule.
            kind: the finer cell.
            edits: ascending, non-overlapping, offsets in :attr:`text`.
            confidence: 0 to 1.
            flags: any of ``real_word``, ``meaning_risk``, ``ungrammatical``.
        """
        text = replay(self.text, edits)
        return Variant("", self.query_id, perturbation, kind, text, tuple(edits), confidence, frozenset(flags))

    def edit(self, start: int, end: int, after: str) -> Edit:
        """Replace characters ``start`` to ``end`` by ``after``."""
        return Edit(start, end, self.text[start:end], after)
