"""Split the queries of a golden set into parts: one to choose perturbations and models on, one to report."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from perturb.errors import ConfigError
from perturb.files import replacing
from perturb.golden.folder import SPLIT_FILE
from perturb.golden.goldenset import GoldenSet
from perturb.golden.suspicious import comparable

_WITHOUT_DIACRITICS = str.maketrans("ąćęłńóśźż", "acelnoszz")


def split(golden_set: GoldenSet, *, seed: int = 0, dev_share: float = 0.5) -> dict[str, str]:
    """Put each query into ``dev`` or ``test`` by a hash of its id, so that new queries move no old one.

    Queries with the same text (case, punctuation, spacing and diacritics aside) go into one part, and variants of an
    extended golden set go where their parent goes: a part must not contain the answers of the other.

    Args:
        golden_set: the queries.
        seed: another seed, another split.
        dev_share: expected share of ``dev``, above 0 and below 1. The actual share varies as coin tosses do.

    Returns:
        Query id to part, in the order of the queries.

    Raises:
        ConfigError: ``dev_share`` is not between 0 and 1.
    """
    if not 0 < dev_share < 1:
        raise ConfigError(f"dev_share = {dev_share}: give a share above 0 and below 1")
    groups = _groups(golden_set)
    return {query_id: "dev" if _draw(seed, group) < dev_share else "test" for query_id, group in groups.items()}


def _draw(seed: int, group: str) -> float:
    digest = hashlib.sha256(f"{seed}|split|{group}".encode()).digest()
    return float(int.from_bytes(digest[:8], "big")) / 2.0**64


def _groups(golden_set: GoldenSet) -> dict[str, str]:
    """Query id to the smallest id of its group, whatever the order of the queries."""
    texts = {query.query_id: query.text for query in golden_set.queries}
    by_text: dict[str, list[str]] = {}
    for query_id, text in texts.items():
        by_text.setdefault(comparable(text).translate(_WITHOUT_DIACRITICS), []).append(query_id)
    links: dict[str, set[str]] = {query_id: set() for query_id in texts}
    neighbours = [(query_ids[0], other) for query_ids in by_text.values() for other in query_ids[1:]]
    neighbours += [
        (query_id, parent) for query_id in texts if (parent := _parent(golden_set.query_metadata, query_id)) in texts
    ]
    for one, other in neighbours:
        links[one].add(other)
        links[other].add(one)
    groups: dict[str, str] = {}
    for smallest in sorted(texts):
        waiting = [smallest]
        while waiting:
            query_id = waiting.pop()
            if query_id not in groups:
                groups[query_id] = smallest
                waiting.extend(links[query_id])
    return {query_id: groups[query_id] for query_id in texts}


def _parent(metadata: Mapping[str, Mapping[str, object]], query_id: str) -> str:
    return str(metadata.get(query_id, {}).get("parent", ""))


def write_split(golden_set: GoldenSet, parts: Mapping[str, str], path: Path | None = None) -> Path:
    """Write ``query-id<TAB>part``, which ``load_golden_set(..., part="dev")`` reads.

    Args:
        golden_set: whose folder receives ``split.tsv`` if no path is given.
        parts: query id to part.
        path: another place.

    Returns:
        The file written; it is replaced whole.
    """
    path = path or golden_set.path / SPLIT_FILE
    with replacing(path) as partial, partial.open("w", encoding="utf-8", newline="\n") as lines:
        lines.write("query-id\tpart\n")
        lines.writelines(f"{query_id}\t{part}\n" for query_id, part in parts.items())
    return path
