"""The colours of heat maps: red where quality is lost, blue where it is gained."""

from __future__ import annotations

_FULL_COLOUR = 0.30
"""A loss of this size gets the strongest colour."""

_WHITE, _DARK = (255, 255, 255), (28, 35, 48)


def shade(loss: float, *, few: bool = False) -> tuple[str, str]:
    """Colours of a cell.

    Args:
        loss: points of the measure, 0 to 1; negative is a gain.
        few: too few queries to colour it.

    Returns:
        Background and ink as CSS colours, of dark and white ink the one with more contrast.
    """
    if few:
        return "#f1f3f6", "#5b6577"
    strength = min(1.0, abs(loss) / _FULL_COLOUR)
    target = (185, 28, 28) if loss > 0 else (29, 78, 216)
    red, green, blue = (round(255 + (part - 255) * strength * 0.9) for part in target)
    ink = max((_DARK, _WHITE), key=lambda colour: contrast(colour, (red, green, blue)))
    return f"rgb({red},{green},{blue})", "#fff" if ink == _WHITE else "#1c2330"


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """Contrast of two sRGB colours, 1 to 21 (WCAG 2.1)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: tuple[int, int, int]) -> float:
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
