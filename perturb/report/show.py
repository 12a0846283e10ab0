"""The variants of one query in the terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from perturb.records import Query, Variant
from perturb.report.console import highlighted, open_console

LOOKS_IDENTICAL = "looks identical: other characters"


def show_variants(query: Query, variants: Sequence[Variant], coverage: Mapping[str, Mapping[str, Any]]) -> None:
    """Print the variants of one query, what is new in bold, and the rules that yielded nothing."""
    from rich.table import Table
    from rich.text import Text

    console = open_console()
    table = Table(title=Text(query.text), title_justify="left")
    for name in ("perturbation", "kind", "variant"):
        table.add_column(name, overflow="fold")
    table.add_column("confidence", justify="right")
    table.add_column("flags", overflow="fold")
    for variant in variants:
        flags = sorted(variant.flags)
        if looks_identical(query.text, variant.text):
            flags.append(LOOKS_IDENTICAL)
        shown = highlighted(query.text, variant.edits)
        table.add_row(variant.perturbation, variant.kind, shown, f"{variant.confidence:.2f}", ", ".join(flags))
    console.print(table)
    for name, counts in coverage.items():
        if not counts["variants"]:
            why = ", ".join(counts["declined"]) or "nothing to change"
            console.print(Text(f"{name}: not applicable ({why})"), style="dim")


def each_once(variants: Sequence[Variant]) -> list[Variant]:
    """The variants without those of a family (``diacritics``) that a member of it (``diacritics.strip``) gives too."""
    by_text: dict[str, list[str]] = {}
    for variant in variants:
        by_text.setdefault(variant.text, []).append(variant.perturbation)
    return [
        variant
        for variant in variants
        if not any(name.startswith(f"{variant.perturbation}.") for name in by_text[variant.text])
    ]


def looks_identical(one: str, other: str) -> bool:
    """Whether two different texts are drawn alike: composed or not, kinds of blanks, characters without a glyph."""
    return one != other and _drawn(one) == _drawn(other)


def _drawn(text: str) -> str:
    kinds = ((char, unicodedata.category(char)) for char in unicodedata.normalize("NFC", text))
    return "".join(" " if kind == "Zs" else char for char, kind in kinds if kind != "Cf")
