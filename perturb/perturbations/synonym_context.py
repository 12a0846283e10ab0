"""What stands around a word with a near-synonym: fixed phrases, words that settle its sense, and its repetition."""

from __future__ import annotations

from functools import lru_cache

from perturb.perturbations.synonym_lexicon import Group, Member
from perturb.perturbations.term_dependents import dependents
from perturb.perturbations.term_pairs import kept_terms
from perturb.polish.morphology import lemmas
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.syntax import CONJUNCTIONS, is_relational
from perturb.polish.terms import TermMatcher

_STEM = 6
"""Letters after which longer words are forms of one another, or derived from one another."""


def fits(query: ParsedQuery, group: Group, span: range) -> bool:
    """Whether the words of a group mean the same in this query: *usunąć plik* is *skasować plik*, *usterkę* is not."""
    rest = _lemmas_outside(query, span)
    if (group.near and group.near.isdisjoint(rest)) or not group.far.isdisjoint(rest):
        return False
    following = query.tokens[span.stop] if span.stop < len(query.tokens) else None
    if following is None or not group.not_before:
        return True
    named = following.kind in ("number", "code") or following.shielded or following.text[:1].isupper()
    if named and not query.text.isupper() and "NAME" in group.not_before:
        return False
    if "KIND" in group.not_before and is_relational(query.looked_up[span.stop]):
        return False
    return group.not_before.isdisjoint({following.lower, *lemmas(following.lower)})


def _lemmas_outside(query: ParsedQuery, span: range) -> set[str]:
    """The words outside a span in lower case, and their lemmas."""
    rest = (token.lower for index, token in enumerate(query.tokens) if index not in span and token.kind == "word")
    return {form for word in rest for form in (word, *lemmas(word))}


def is_repeated(query: ParsedQuery, group: Group, span: range) -> bool:
    """Whether a word to be replaced stands elsewhere too, so that a contrast would be lost: *umowa* a umowa ramowa."""
    if group.pos not in ("noun", "verb", "adj"):
        return False
    replaced = {lemma for index in span for lemma in lemmas(query.tokens[index].lower)}
    return not replaced.isdisjoint(_lemmas_outside(query, span))


@lru_cache(maxsize=1)
def _kept() -> TermMatcher:
    return TermMatcher(kept_terms())


def kept_tokens(query: ParsedQuery) -> set[int]:
    """Indices of the tokens inside terms that stay as they are (``kept_terms.tsv``)."""
    return {index for match in _kept()(query) for index in range(match.start, match.end)}


def leans_on(query: ParsedQuery, first: int, last: int, after: int, form: str, changes: bool) -> bool:
    """Whether a word further right depends on a word that a synonym takes away or changes in gender.

    *korekta faktury VAT wystawionej*, *zaświadczenie o zatrudnieniu i zarobkach*, *szkolenie z RODO obowiązkowe*.

    Args:
        query: the query.
        first: first token of the word or phrase.
        last: its last token.
        after: first token after it and its adjectives.
        form: what takes its place.
        changes: whether the gender or number of the head changes.
    """
    kept = set(form.lower().split())
    return any(
        (changes or last > first) and query.tokens[at].lower not in kept
        for _, at in dependents(query, first, last, after)
    )


def breaks_pair(query: ParsedQuery, after: int, old: Member, new: Member) -> bool:
    """Whether a conjunct follows that shares a word of the old phrase: *o zatrudnieniu* i zarobkach."""
    if after >= len(query.tokens) or query.tokens[after].lower not in CONJUNCTIONS:
        return False
    tails = (_tail(old), _tail(new))
    return tails[0] != tails[1]


def _tail(member: Member) -> str:
    """The last word of a phrase if it stays as it is in every case: *zaświadczenie o* zarobkach."""
    cell = 7 if member.plural else 0
    ends = {forms[0].split()[-1] for forms in member.forms[cell : cell + 2] if forms}
    return ends.pop() if member.words > 1 and len(ends) == 1 else ""


def repeats(query: ParsedQuery, group: Group, member: Member, span: tuple[int, int]) -> bool:
    """Whether a content word of the synonym stands elsewhere in the query: *premie i bonusy* → *bonusy i bonusy*."""
    if group.pos not in ("noun", "verb", "adj"):
        return False
    words = {lemma for word in member.text.lower().split() if len(word) > 2 for lemma in (word, *lemmas(word))}
    rest = (t for i, t in enumerate(query.tokens) if not span[0] <= i <= span[1] and t.is_word)
    stems = {word[:_STEM] for word in words if len(word) > _STEM}
    return any(words & {token.lower, *lemmas(token.lower)} or token.lower[:_STEM] in stems for token in rest)


def is_fixed(query: ParsedQuery, group: Group, first: int, last: int) -> bool:
    """Whether a word stands in one of the fixed phrases of its group: *umowa* o pracę."""
    start, end = query.tokens[first].start, query.tokens[last].end
    lower = query.text.lower()
    if group.pos == "verb":
        following = [token.lower for token in query.tokens[last + 1 : last + 2]]
        return any(
            phrase.split()[1:] == following
            for phrase in group.not_in
            if phrase.split()[0] in lemmas(query.tokens[first].text)
        )
    for form in group.fixed_forms:
        at = lower.find(form)
        while at >= 0:
            if at <= start and end <= at + len(form):
                return True
            at = lower.find(form, at + 1)
    return False
