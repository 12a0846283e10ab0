"""Edits of edits: one perturbation applied after another, told as edits of the original query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from perturb.records import Edit, replay

_Stretch = tuple[int, int, list[Edit], list[Edit]]


def compose_edits(text: str, first: Sequence[Edit], second: Sequence[Edit]) -> tuple[Edit, ...]:
    """Merge two rounds of edits into one.

    Edits of the second round that touch one of the first become one edit with it; the others keep their extent, moved
    to where they stand in the original.

    Args:
        text: the original query.
        first: ascending, non-overlapping edits of ``text``.
        second: ascending, non-overlapping edits of what ``first`` makes of it.

    Returns:
        Ascending, non-overlapping edits of ``text`` that give what both rounds give; what cancels out is left out.

    Raises:
        ValueError: edits overlap, or do not fit the text they refer to.
    """
    between = replay(text, first)
    replay(between, second)
    composed: list[Edit] = []
    shift = 0
    for start, end, earlier, later in _stretches(first, second):
        grown = sum(len(edit.after) - len(edit.before) for edit in earlier)
        before = text[start - shift : end - shift - grown]
        moved = [Edit(edit.start - start, edit.end - start, edit.before, edit.after) for edit in later]
        after = replay(between[start:end], moved)
        if before != after:
            composed.append(Edit(start - shift, end - shift - grown, before, after))
        shift += grown
    return tuple(composed)


def _stretches(first: Sequence[Edit], second: Sequence[Edit]) -> Iterator[_Stretch]:
    """Stretches of the text between the rounds that were made or will be changed, with the edits of both rounds."""
    spans: list[tuple[int, int, int, Edit]] = []
    shift = 0
    for edit in first:
        spans.append((edit.start + shift, edit.start + shift + len(edit.after), 0, edit))
        shift += len(edit.after) - len(edit.before)
    spans += [(edit.start, edit.end, 1, edit) for edit in second]
    spans.sort(key=lambda span: span[:3])
    open_stretch: _Stretch | None = None
    for start, end, round_, edit in spans:
        if open_stretch is None or start > open_stretch[1]:
            if open_stretch is not None:
                yield open_stretch
            open_stretch = (start, end, [], [])
        begin, reached, earlier, later = open_stretch
        (later if round_ else earlier).append(edit)
        open_stretch = (begin, max(reached, end), earlier, later)
    if open_stretch is not None:
        yield open_stretch
