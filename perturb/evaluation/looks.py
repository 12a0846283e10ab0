"""How often the held-out part of a golden set was looked at: each look makes its figures a little less held out.

Looks are counted in the user's state folder and not beside the golden set, which may be bundled, read-only or under
version control. Whoever looks on another machine is not counted, and the report says *on this machine*. Counting never
fails a run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from perturb.golden.held_out import HeldOut
from perturb.wording import counted

SKETCH = 256
"""So many queries of a held-out part are remembered, those with the smallest hashes: any two parts can be compared by
the smallest hashes of both (Broder's bottom-k sketch)."""

SAME = 0.5
"""Two parts are one if they share this share of the queries of the smaller: a query more or less resets no count."""


@dataclass(frozen=True, slots=True)
class Looks:
    """Looks at a held-out part, this one included.

    Attributes:
        part: its name.
        count: finished runs that looked at it; ``None`` if they could not be counted.
        different: how many of them had other models, variants or measures than all before.
        problem: why they could not be counted.
        whole: whether this look was at the whole golden set, the part included.
    """

    part: str
    count: int | None
    different: int = 0
    problem: str = ""
    whole: bool = False


def state_folder() -> Path:
    """``PERTURB_STATE``, or ``perturb`` in the user's state folder (``XDG_STATE_HOME``, ``~/.local/state``)."""
    own = os.environ.get("PERTURB_STATE")
    if own:
        return Path(own)
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "perturb"


def count_look(seen: HeldOut | None, golden_set_hash: str, name: str, settings_hash: str) -> Looks | None:
    """Count a finished run that looked at held-out queries.

    Args:
        seen: the held-out queries that the run looked at; ``None`` if there were none.
        golden_set_hash: of the content of all that was loaded, for people who read the file.
        name: of the golden set, for the same.
        settings_hash: of what was asked: models, variants, measures.

    Returns:
        The looks so far; ``None`` if nothing was held out.
    """
    if seen is None:
        return None
    line = {
        "golden_set": golden_set_hash,
        "name": name,
        "part": seen.part,
        "settings": settings_hash,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "queries": list(seen.prints[:SKETCH]),
    }
    try:
        path = state_folder() / "looks.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        # One short line in append mode: runs that end at the same time do not lose each other's look.
        with path.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(line, ensure_ascii=False) + "\n")
        return _tally(path, seen, golden_set_hash)
    except (OSError, RuntimeError) as error:
        return Looks(seen.part, None, problem=str(getattr(error, "strerror", None) or error), whole=seen.whole)


def recall_looks(seen: HeldOut | None, golden_set_hash: str) -> Looks | None:
    """The looks so far without counting one, for a report that is written once more."""
    if seen is None:
        return None
    try:
        return _tally(state_folder() / "looks.jsonl", seen, golden_set_hash)
    except (OSError, RuntimeError) as error:
        return Looks(seen.part, None, problem=str(getattr(error, "strerror", None) or error), whole=seen.whole)


def _tally(path: Path, seen: HeldOut, golden_set_hash: str) -> Looks:
    ours = seen.prints[:SKETCH]
    settings = [
        look["settings"]
        for look in _entries(path)
        if (look["golden_set"], look["part"]) == (golden_set_hash, seen.part) or _same_part(ours, look["queries"])
    ]
    return Looks(seen.part, len(settings), len(set(settings)), whole=seen.whole)


def _same_part(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether two parts are one, as far as their sketches tell; ids, documents and the other parts play no role."""
    if not ours or not theirs:
        return False
    # A full sketch knows of no query beyond its largest hash, so only up to there the two can be compared.
    ends = [max(sketch) for sketch in (ours, theirs) if len(sketch) >= SKETCH]
    one, other = ({print_ for print_ in sketch if not ends or print_ <= min(ends)} for sketch in (ours, theirs))
    shared = len(one & other)
    return shared > 0 and shared >= SAME * min(len(one), len(other))


def _entries(path: Path) -> Iterator[dict[str, Any]]:
    """Golden set, part, settings and queries of every look; a line that was cut by a crash counts as none."""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            entry = json.loads(line)
            found: dict[str, Any] = {key: str(entry[key]) for key in ("golden_set", "part", "settings")}
            found["queries"] = [str(query) for query in entry.get("queries", ())]
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
        yield found


def sentence(part: str | None, looks: Looks | None) -> str:
    """Which part of the golden set a report rests on, and how fresh it is."""
    if looks is None:
        return f"Part used: {part}." if part else "Part used: all of the golden set; nothing was held out."
    used = f"Part used: {looks.part}, held out"
    if looks.whole:
        used = f"Part used: all of the golden set, held-out {looks.part} included"
    if looks.count is None:
        return f"{used}; looks at it could not be counted ({looks.problem})."
    if looks.count == 1:
        return f"{used}; this is the first look at it on this machine."
    combinations = counted(looks.different, "combination", "different combinations")
    return (
        f"{used}; look number {looks.count} on this machine, with {combinations} of models, variants and measures. "
        "Choices made by looking at it flatter its figures."
    )
