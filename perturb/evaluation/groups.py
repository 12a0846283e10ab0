"""Queries that are not independent of one another: near-duplicates, or questions to the same document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from perturb.errors import ConfigError
from perturb.golden.goldenset import GoldenSet
from perturb.golden.suspicious import comparable

RESAMPLE_BY = ("query", "near-duplicate", "document")
"""What may be drawn as a whole when queries are resampled."""

_UNITS = {
    "query": "queries",
    "near-duplicate": "groups of near-duplicate queries",
    "document": "groups of queries that share a relevant document",
}


def known_unit(by: str) -> str:
    """The value of ``resample_by`` as it stands.

    Raises:
        ConfigError: unknown.
    """
    if by not in RESAMPLE_BY:
        raise ConfigError(f"resample_by = {by!r}: choose {', '.join(RESAMPLE_BY)}")
    return by


def unit_name(by: str) -> str:
    """What is resampled, in words, for a value of ``resample_by``."""
    return _UNITS[by]


def query_groups(golden_set: GoldenSet, by: str) -> dict[str, str] | None:
    """The group of each query; ``None`` if each is one of its own.

    Args:
        golden_set: queries and judgements.
        by: ``query``; ``near-duplicate``: queries with the same words, whatever their order, case and punctuation;
            ``document``: queries that share a relevant document, directly or through other queries.

    Returns:
        By query id the id of the first query of its group.

    Raises:
        ConfigError: another value of ``by``.
    """
    if known_unit(by) == "query":
        return None
    if by == "near-duplicate":
        keys = {query.query_id: [" ".join(sorted(comparable(query.text).split()))] for query in golden_set.queries}
    else:
        keys = {query.query_id: [] for query in golden_set.queries}
        for judgement in golden_set.judgements:
            if judgement.grade > 0 and judgement.query_id in keys:
                keys[judgement.query_id].append(judgement.doc_id)
    return _joined(keys)


def _joined(keys: dict[str, list[str]]) -> dict[str, str]:
    """Join queries that share a key (union-find)."""
    parent = {query_id: query_id for query_id in keys}

    def root(query_id: str) -> str:
        while parent[query_id] != query_id:
            parent[query_id] = parent[parent[query_id]]
            query_id = parent[query_id]
        return query_id

    first: dict[str, str] = {}
    for query_id, own in keys.items():
        for key in own:
            parent[root(query_id)] = root(first.setdefault(key, query_id))
    eldest: dict[str, str] = {}
    return {query_id: eldest.setdefault(root(query_id), query_id) for query_id in keys}


def shared_groups(golden_set: GoldenSet) -> dict[str, list[list[str]]]:
    """Every group of more than one query, by the values of ``resample_by`` that make groups, for ``run.json``."""
    found: dict[str, list[list[str]]] = {}
    for by in RESAMPLE_BY[1:]:
        members: dict[str, list[str]] = {}
        for query_id, group in (query_groups(golden_set, by) or {}).items():
            members.setdefault(group, []).append(query_id)
        found[by] = [together for together in members.values() if len(together) > 1]
    return found


def regrouped(shared: Sequence[Sequence[str]], query_ids: Sequence[str]) -> dict[str, str]:
    """The group of each query from what :func:`shared_groups` told; a query that it does not name is one of its own."""
    of_shared = {query_id: together[0] for together in shared for query_id in together}
    return {query_id: of_shared.get(query_id, query_id) for query_id in query_ids}


def n_units(groups: Mapping[str, str] | None, query_ids: Sequence[str]) -> int:
    """How many units some queries make."""
    return len(query_ids) if groups is None else len({groups[query_id] for query_id in query_ids})


def labels(groups: dict[str, str] | None, query_ids: Sequence[str]) -> list[str] | None:
    """Groups of some queries, in their order."""
    return None if groups is None else [groups[query_id] for query_id in query_ids]
