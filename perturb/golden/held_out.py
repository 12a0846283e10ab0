"""Which queries of a golden set were held out: those of every part that is not there to be looked at."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from perturb.golden.findings import Findings
from perturb.golden.folder import SPLIT_FILE, part_files, part_without_asking
from perturb.golden.formats import ReadOptions
from perturb.golden.goldenset import GoldenSet
from perturb.golden.judgements import read_judgements
from perturb.golden.source import UTF8, known_encoding
from perturb.golden.suspicious import comparable

OPEN_PARTS = frozenset({"dev", "devel", "development", "train", "training", "val", "valid", "validation"})
"""Parts that may be looked at as often as one likes. Every other part, whatever its name, is held out."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """The held-out queries that a run looks at.

    Attributes:
        part: name of the part, or of several, joined by ``+``.
        whole: whether they were looked at among all queries, no part being asked for.
        n_queries: how many they are.
        prints: hashes of their texts, 16 hexadecimal digits each, sorted. Ids, documents and judgements play no part:
            a golden set that is renamed, or gets one document more, holds out what it did.
    """

    part: str
    whole: bool
    n_queries: int
    prints: tuple[str, ...]


def held_out(golden_set: GoldenSet, part: str | None) -> HeldOut | None:
    """The held-out queries among those of a golden set as it was loaded.

    Args:
        golden_set: loaded with ``part``.
        part: as the run names it; ``None`` for all, which looks at every part of ``split.tsv`` and ``qrels/``.

    Returns:
        ``None`` if nothing that is looked at was held out.
    """
    queries = {query.query_id: query.text for query in golden_set.queries}
    in_qrels = part_files(golden_set.path)
    if part is None and len(in_qrels) > 1:
        part = part_without_asking(golden_set.path)
    if part is not None:
        return None if part.lower() in OPEN_PARTS else _held_out(part, False, queries.values())
    named = {q: name for q, name in _named_parts(golden_set, in_qrels) if name.lower() not in OPEN_PARTS}
    texts = {query_id: text for query_id, text in queries.items() if query_id in named}
    return _held_out("+".join(sorted({named[q] for q in texts})), True, texts.values()) if texts else None


def _held_out(part: str, whole: bool, texts: Iterable[str]) -> HeldOut:
    shown = list(texts)
    prints = {hashlib.sha256(comparable(text).encode()).hexdigest()[:16] for text in shown}
    return HeldOut(part, whole, len(shown), tuple(sorted(prints)))


def _named_parts(golden_set: GoldenSet, in_qrels: Sequence[tuple[str, Path]]) -> Iterator[tuple[str, str]]:
    """Query id and part, from ``qrels/`` and ``split.tsv``; what is wrong in them is told when a part is asked for."""
    options = ReadOptions(None, known_encoding(UTF8))
    for name, path in in_qrels if len(in_qrels) > 1 else ():
        yield from ((judgement.query_id, name) for judgement in read_judgements(path, options, Findings()))
    split = golden_set.path / SPLIT_FILE
    if split.is_file():
        for line in split.read_text(encoding="utf-8", errors="replace").splitlines():
            query_id, tab, name = line.strip().partition("\t")
            if tab and query_id != "query-id":
                yield query_id, name
