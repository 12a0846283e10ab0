"""Questions and requests about an action, and the noun phrases that ask the same: *czy można* … → *możliwość* …."""

from __future__ import annotations

from collections.abc import Iterator

from perturb.perturbations.frame_lexicon import Frame, Opening, action_openings
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.nominal import HowTo
from perturb.polish.phrases.obstacles import RELATIVE_CLAUSE

REQUEST = Frame("prośba o ", "acc", "request", "action")
"""What an order is as a noun phrase: *usuń moje konto*."""

WISH = "w sprawie "
"""How the frame of a wish begins: *chcę zwrócić ekspres* is no request that somebody else return it."""

_LONGEST_OPENING = 8


def goes_on(query: ParsedQuery, found: HowTo) -> bool:
    """Whether a clause follows that belongs to no noun, so that a noun phrase cannot stand for the whole.

    Args:
        query: the query.
        found: the action it is about.
    """
    if found.object is not None and found.object.obstacle == RELATIVE_CLAUSE:
        return False
    commas = [index for index, token in enumerate(query.tokens) if token.text in ",.;–"]
    return bool(commas) and any(query.verbs[commas[0] :])


def asked_action(query: ParsedQuery) -> Opening | None:
    """The opening of a question about an action, such as *czy można* or *do kiedy trzeba*; None if there is none.

    Args:
        query: the query.
    """
    return next(beginning(action_openings(), query), None)


def beginning(known: dict[str, tuple[Opening, ...]], query: ParsedQuery) -> Iterator[Opening]:
    """The openings with which a query begins.

    Args:
        known: openings by their first word.
        query: the query.
    """
    rows = known.get(query.tokens[0].lower, ()) if query.tokens else ()
    if rows:
        words = tuple(token.lower for token in query.tokens[:_LONGEST_OPENING])
        yield from (opening for opening in rows if words[: len(opening.words)] == opening.words)
