"""The forest plot: every drop with its interval, drawn as SVG without any library."""

from __future__ import annotations

from html import escape

from perturb.evaluation import DropRow
from perturb.report.tables import FEW_QUERIES, Report, interval, is_sure, number

_LEFT, _WIDTH, _RIGHT = 190, 640, 230
_ROW, _TOP, _GAP = 18, 26, 12
_COLOURS = ("#1d4ed8", "#c2410c", "#15803d", "#7e22ce", "#0e7490", "#a16207", "#be123c", "#475569")


def forest_plot(report: Report) -> str:
    """Draw the drops of the leading measure, grouped by perturbation.

    Args:
        report: with rows for at least one perturbation.

    Returns:
        One ``<svg>`` element; its text repeats every figure, so nothing hangs on colour alone.
    """
    rows = report.main_rows(report.lead)
    if not rows:
        return "<p>No perturbation applied to any query.</p>"
    # An interval from a handful of queries spans the whole axis and would squeeze all others; it is cut at the edge,
    # where an arrow says that it, or the point itself, lies beyond.
    scaling = [r for r in rows if r.n_queries >= FEW_QUERIES] or rows
    low = min(0.0, *(r.ci_low if r.ci_low is not None else r.drop for r in scaling))
    high = max(0.0, *(r.ci_high if r.ci_high is not None else r.drop for r in scaling))
    span = (high - low) or 1.0
    low, high = low - 0.04 * span, high + 0.04 * span
    models = [model.name for model in report.evaluation.succeeded]
    parts: list[str] = []
    y = _TOP
    for name in report.perturbations:
        group = [r for r in rows if r.perturbation == name]
        middle = y + _ROW * len(group) / 2 + 4
        parts.append(f'<text x="4" y="{middle:.0f}" font-weight="600">{escape(name)}</text>')
        for row in group:
            parts.append(_whisker(row, y + _ROW / 2, low, high, _COLOURS[models.index(row.model) % len(_COLOURS)]))
            y += _ROW
        y += _GAP
    height = y + 14
    axis = "".join(_tick(value, low, high, height) for value in _ticks(low, high))
    width = _LEFT + _WIDTH + _RIGHT
    return (
        f'<svg id="forest" role="img" aria-label="Drop of {escape(report.lead)} with intervals" '
        f'viewBox="0 0 {width} {height + 24}" width="{width}" height="{height + 24}">{axis}{"".join(parts)}</svg>'
    )


def _x(value: float, low: float, high: float) -> float:
    """Place on the axis; what lies beyond is put at its end."""
    return _LEFT + _WIDTH * min(1.0, max(0.0, (value - low) / (high - low)))


def _arrow(x: float, y: float, towards: float, colour: str, fill: str, size: float = 5.0) -> str:
    """A triangle whose tip is at ``x``: what it stands for lies further that way."""
    back = x - towards * 2 * size
    points = f"{x:.1f},{y:.1f} {back:.1f},{y - size:.1f} {back:.1f},{y + size:.1f}"
    return f'<polygon class="beyond" points="{points}" fill="{fill}" stroke="{colour}" stroke-width="2"/>'


def _beyond(value: float, low: float, high: float) -> float:
    """In which direction a value lies off the axis; 0 for on it."""
    return float(value > high) - float(value < low)


def _whisker(row: DropRow, y: float, low: float, high: float, colour: str) -> str:
    x = _x(row.drop, low, high)
    line = ""
    if row.ci_low is not None and row.ci_high is not None:
        left, right = _x(row.ci_low, low, high), _x(row.ci_high, low, high)
        line = f'<line x1="{left:.1f}" y1="{y:.1f}" x2="{right:.1f}" y2="{y:.1f}" stroke="{colour}" stroke-width="2"/>'
        ends = [(limit, _beyond(limit, low, high)) for limit in (row.ci_low, row.ci_high)]
        line += "".join(_arrow(_x(end, low, high), y, towards, colour, colour, 3.0) for end, towards in ends if towards)
    fill = colour if is_sure(row) else "#fff"
    off = _beyond(row.drop, low, high)
    point = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{fill}" stroke="{colour}" stroke-width="2"/>'
    if off:
        point = _arrow(x, y, off, colour, fill)
    figures = f"{number(row.drop)} {interval(row.ci_low, row.ci_high)}, n = {row.n_queries}"
    title = f"{row.model}, {row.perturbation}: {figures}"
    few = f" (n = {row.n_queries})" if row.n_queries < FEW_QUERIES else ""
    label = f"{escape(_short(row.model))} {number(row.drop)}{few}"
    return (
        f"<g><title>{escape(title)}</title>{line}{point}"
        f'<text x="{_LEFT + _WIDTH + 12}" y="{y + 4:.1f}" fill="{colour}">{label}</text></g>'
    )


def _short(name: str, limit: int = 20) -> str:
    return name if len(name) <= limit else "…" + name[-(limit - 1) :]


def _ticks(low: float, high: float) -> list[float]:
    """Round values about a fifth of the axis apart; zero is always one of them."""
    rough = (high - low) / 5
    power = 10.0 ** _floor_log10(rough)
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough)
    first = int(low / step) - 1
    values = [round(step * i, 10) for i in range(first, first + 20)]
    return [v for v in values if low <= v <= high]


def _floor_log10(value: float) -> int:
    exponent = f"{value:e}".partition("e")[2]
    return int(exponent)


def _tick(value: float, low: float, high: float, bottom: float) -> str:
    x = _x(value, low, high)
    style = 'stroke="#1c2330" stroke-width="1.5"' if value == 0 else 'stroke="#d9dee7"'
    return (
        f'<line x1="{x:.1f}" y1="{_TOP - 8}" x2="{x:.1f}" y2="{bottom - 8}" {style}/>'
        f'<text x="{x:.1f}" y="{bottom + 8}" text-anchor="middle">{number(value, 2)}</text>'
    )
