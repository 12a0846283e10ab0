"""Small words of messages: numbers with the noun that fits them."""

from __future__ import annotations


def counted(number: int, singular: str, plural: str = "") -> str:
    """A number with its noun: ``1 query``, ``2 queries``.

    Args:
        number: how many.
        singular: noun or phrase for one, ``document contains``.
        plural: for any other number; by default ``singular`` with an *s*.
    """
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def percent_of(share: float) -> str:
    """A share as per cent, without the sign: 0.95 is ``95``, 0.999 is ``99.9`` and never ``100``.

    Args:
        share: 0 to 1.
    """
    return f"{100.0 * share:.10g}"
