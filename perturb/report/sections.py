"""Sections that terminal, Markdown and HTML share: sentences first, then tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class SectionTable:
    """A table of texts.

    Attributes:
        title: what it shows.
        header: names of the columns.
        rows: cells.
        left: columns that hold text; the others hold figures.
        folded: only shown on demand.
        caption: how to read it.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: frozenset[int] = frozenset({0})
    folded: bool = False
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report.

    Attributes:
        anchor: id in HTML.
        title: heading.
        sentences: what the tables say.
        tables: the figures.
        alarm: something failed.
    """

    anchor: str
    title: str
    sentences: tuple[str, ...]
    tables: tuple[SectionTable, ...] = ()
    alarm: bool = False


def joined_tables(by_measure: Sequence[tuple[str, SectionTable]]) -> SectionTable:
    """Join the tables of several measures, which have the same columns, into one with a column for the measure.

    Args:
        by_measure: name of each measure and its table, at least one.

    Returns:
        Folded, with the caption of the first.
    """
    first = by_measure[0][1]
    return replace(
        first,
        title=f"{first.title}: {', '.join(measure for measure, _ in by_measure)}",
        header=("measure", *first.header),
        rows=tuple((measure, *row) for measure, table in by_measure for row in table.rows),
        left=frozenset({0, *(column + 1 for column in first.left)}),
        folded=True,
    )
