"""Keywords side by side, written out: *przelew zagraniczny opłata* → *opłata za przelew zagraniczny*."""

from __future__ import annotations

from perturb.perturbations.frame_lexicon import keyword_government
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.clause import has_clause, number_of
from perturb.polish.phrases.obstacles import RELATIVE_CLAUSE
from perturb.polish.text import Token
from perturb.polish.vocalisation import vocalised
from perturb.records import Edit, replay


def written_out(query: ParsedQuery, min_confidence: float) -> tuple[str, str, Edit] | None:
    """The second of two keywords before the first, which stands in the case that the second one governs.

    Args:
        query: the query.
        min_confidence: the least confidence of the parse of the first keyword.

    Returns:
        The case, the number, and the edit of the whole query; None if the query is anything else than two keywords, or
        the second is not known to govern the first.
    """
    split, tokens = query.second_keyword, query.tokens
    if split <= 0 or has_clause(query, len(tokens)):
        return None
    first = query.noun_phrases[0]
    known = keyword_government().get(tokens[split].lower)
    if known is None or first.start or first.governor.kind != "none" or first.confidence < min_confidence:
        return None
    if first.obstacle not in ("", RELATIVE_CLAUSE) or max((first.head, *first.agreeing)) >= split:
        return None
    if not _is_plain(tokens[:split]) or not _is_plain(tokens[split:]) or _goes_on(query, split):
        return None
    case, before = known
    number = number_of(first)
    edits = first.edits(case, number) if number else None
    if edits is None or not number:
        return None
    start, end = tokens[0].start, tokens[-1].end
    own = [edit for edit in edits if edit.end <= tokens[split - 1].end]
    changed = replay(query.text[: tokens[split - 1].end], own)[start:]
    keyword = query.text[tokens[split].start : end]
    if tokens[0].text[:1].isupper() and not tokens[0].text.isupper():
        changed, keyword = changed[:1].lower() + changed[1:], keyword[:1].upper() + keyword[1:]
    joint = f" {vocalised(before, changed.split()[0].lower())} " if before else " "
    return case, number, query.edit(start, end, keyword + joint + changed)


def _is_plain(tokens: tuple[Token, ...]) -> bool:
    """Whether there are only words: with numbers and codes between them nobody knows what belongs to what."""
    return all(token.is_word for token in tokens)


def _goes_on(query: ParsedQuery, split: int) -> bool:
    """Whether a third keyword follows, or a preposition that may belong to either."""
    return any(query.looked_up[index].is_preposition for index in range(split + 1, len(query.tokens))) or any(
        other.start > split and other.governor.kind == "none" for other in query.noun_phrases
    )
