"""How often the held-out part of a golden set was looked at: each look makes its figures a little less held out.

Looks are counted in the user's state folder and not beside the golden set, which may be bundled, read-only or under
version control. Whoever looks on another machine is not counted, and the report says *on this machine*. Counting never
fails a run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

HELD_OUT = frozenset({"test", "heldout", "held-out", "held_out", "holdout"})
"""Parts that are meant for the last look. ``dev`` and ``train`` may be looked at as often as one likes."""


@dataclass(frozen=True, slots=True)
class Looks:
    """Looks at a held-out part, this one included.

    Attributes:
        part: its name.
        count: finished runs on it; ``None`` if they could not be counted.
        different: how many of them had other models, variants or measures than all before.
        problem: why they could not be counted.
    """

    part: str
    count: int | None
    different: int = 0
    problem: str = ""


def state_folder() -> Path:
    """``PERTURB_STATE``, or ``perturb`` in the user's state folder (``XDG_STATE_HOME``, ``~/.local/state``)."""
    own = os.environ.get("PERTURB_STATE")
    if own:
        return Path(own)
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "perturb"


def count_look(golden_set_hash: str, name: str, part: str | None, settings_hash: str) -> Looks | None:
    """Count a finished run on a part of a golden set.

    Args:
        golden_set_hash: of the content of the part.
        name: of the golden set, for people who read the file.
        part: as the run names it; ``None`` for all of it.
        settings_hash: of what was asked: models, variants, measures.

    Returns:
        The looks so far; ``None`` for a part that is not held out.
    """
    if part is None or part.lower() not in HELD_OUT:
        return None
    now = datetime.now(UTC).isoformat(timespec="seconds")
    line = {"golden_set": golden_set_hash, "name": name, "part": part, "settings": settings_hash, "at": now}
    try:
        path = state_folder() / "looks.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        # One short line in append mode: runs that end at the same time do not lose each other's look.
        with path.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(line, ensure_ascii=False) + "\n")
        return _tally(path, golden_set_hash, part)
    except (OSError, RuntimeError) as error:
        return Looks(part, None, problem=str(getattr(error, "strerror", None) or error))


def recall_looks(golden_set_hash: str, part: str | None) -> Looks | None:
    """The looks so far without counting one, for a report that is written once more."""
    if part is None or part.lower() not in HELD_OUT:
        return None
    try:
        return _tally(state_folder() / "looks.jsonl", golden_set_hash, part)
    except (OSError, RuntimeError) as error:
        return Looks(part, None, problem=str(getattr(error, "strerror", None) or error))


def _tally(path: Path, golden_set_hash: str, part: str) -> Looks:
    seen = [settings for found, name, settings in _entries(path) if (found, name) == (golden_set_hash, part)]
    return Looks(part, len(seen), len(set(seen)))


def _entries(path: Path) -> Iterator[tuple[str, str, str]]:
    """Golden set, part and settings of every look; a line that was cut by a crash counts as none."""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            entry = json.loads(line)
            yield str(entry["golden_set"]), str(entry["part"]), str(entry["settings"])
        except (ValueError, KeyError, TypeError):
            continue


def sentence(part: str | None, looks: Looks | None) -> str:
    """Which part of the golden set a report rests on, and how fresh it is."""
    if looks is None:
        return f"Part used: {part}." if part else "Part used: all of the golden set; nothing was held out."
    if looks.count is None:
        return f"Part used: {part}, held out; looks at it could not be counted ({looks.problem})."
    if looks.count == 1:
        return f"Part used: {part}, held out; this is the first look at it on this machine."
    return (
        f"Part used: {part}, held out; look number {looks.count} on this machine, with {looks.different} different "
        f"combinations of models, variants and measures. Choices made by looking at it flatter its figures."
    )
