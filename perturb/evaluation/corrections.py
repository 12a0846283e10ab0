"""Which correction for many tests a run uses, by the name that users give it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from perturb.errors import ConfigError
from perturb.significance import Adjusted, benjamini_hochberg, holm

_CORRECTIONS: dict[str, tuple[str, Callable[[Sequence[float | None]], Adjusted], str]] = {
    "holm": ("Holm", holm, "the chance of any false alarm is at most 5 % in {where}"),
    "bh": (
        "Benjamini-Hochberg",
        benjamini_hochberg,
        "of the findings at most 5 % are false alarms on average in {where}, though some are to be expected",
    ),
}
"""By name: what it is called, the correction, and what it promises."""

ADJUSTMENTS = tuple(_CORRECTIONS)


def known_adjustment(name: str) -> str:
    """The value of ``adjustment`` as it stands.

    Raises:
        ConfigError: unknown.
    """
    if name not in _CORRECTIONS:
        raise ConfigError(
            f"adjustment = {name!r}: choose holm (bounds the chance of any false alarm) or bh (bounds their share)"
        )
    return name


def correction_name(adjustment: str) -> str:
    """What a correction is called: ``Holm`` or ``Benjamini-Hochberg``."""
    return _CORRECTIONS[known_adjustment(adjustment)][0]


def correction_promise(adjustment: str, where: str) -> str:
    """What a correction promises, where it was applied."""
    return _CORRECTIONS[known_adjustment(adjustment)][2].format(where=where)


def adjusted(p_values: Sequence[float | None], adjustment: str) -> list[float | None]:
    """Correct p-values for their number; ``None`` where there was none, which does not count.

    Raises:
        ConfigError: an unknown correction.
    """
    return _CORRECTIONS[known_adjustment(adjustment)][1](p_values).p_values
