"""Which text a model wants before queries and before documents."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_FAMILIES: tuple[tuple[str, str, str], ...] = (
    (r"intfloat/(multilingual-)?e5-(small|base|large)(-v2)?", "query: ", "passage: "),
    (r"sdadas/mmlw-(retrieval-)?e5-\w+", "query: ", "passage: "),
    (r"sdadas/mmlw-(retrieval-)?roberta-\w+-v2", "[query]: ", ""),
    (r"sdadas/mmlw-(retrieval-)?roberta-(base|large)", "zapytanie: ", ""),
    (r"OPI-PIB/PolDense-\w+", "[query]: ", ""),
    (r"ipipan/silver-retriever-base-v1(\.1)?", "Pytanie: ", ""),
    (r"BAAI/bge-m3", "", ""),
)
"""Families trained with prompts that their configuration does not ship, from their model cards and from the
configurations of the Polish Information Retrieval Benchmark; BGE-M3 is listed because its card asks for none."""

_QUERY_NAMES = ("query",)
_DOCUMENT_NAMES = ("document", "passage", "corpus")


@dataclass(frozen=True, slots=True)
class Prompts:
    """What is put before the texts.

    Attributes:
        query: before every query.
        document: before every document.
        source: where the two come from, for the report.
    """

    query: str
    document: str
    source: str


def choose_prompts(
    model: str,
    configured: Mapping[str, str],
    default_prompt: str | None,
    override_query: str | None,
    override_document: str | None,
) -> Prompts:
    """Decide the prompts of a model once, for originals and variants alike.

    The user's own win, then the model's configuration, then the table of families; a model unknown to all three
    gets none, and the report says so.

    Args:
        model: hub id or folder; the last two parts of a folder are compared with the table too.
        configured: ``prompts`` of ``config_sentence_transformers.json``.
        default_prompt: the configured prompt for texts of any role, or None.
        override_query: the user's prompt for queries; None for no wish, empty for none.
        override_document: the user's prompt for documents.
    """
    configured = {name: text for name, text in configured.items() if text}
    query = next((configured[name] for name in _QUERY_NAMES if name in configured), None)
    document = next((configured[name] for name in _DOCUMENT_NAMES if name in configured), None)
    family = next((row for row in _FAMILIES if _is_of(model, row[0])), None)
    if query is not None or document is not None or default_prompt:
        source = "model configuration"
        query = default_prompt or "" if query is None else query
        document = default_prompt or "" if document is None else document
    elif family is not None:
        _, query, document = family
        source = "table of model families"
    else:
        query, document, source = "", "", "no prefix: unknown model without prompts of its own"
    if override_query is not None or override_document is not None:
        source = f"user's setting, else {source}" if None in (override_query, override_document) else "user's setting"
    return Prompts(
        query if override_query is None else override_query,
        document if override_document is None else override_document,
        source,
    )


def _is_of(model: str, pattern: str) -> bool:
    """Whether a hub id, or a folder that ends like one (``models/BAAI/bge-m3``, ``models/bge-m3``), is of a family."""
    parts = [part for part in re.split(r"[/\\]", model.rstrip("/\\")) if part]
    owner, _, short = pattern.partition("/")
    if re.fullmatch(pattern, "/".join(parts[-2:]), re.IGNORECASE):
        return True
    is_folder = len(parts) != 2 or not re.fullmatch(owner, parts[0], re.IGNORECASE)
    return is_folder and bool(parts) and re.fullmatch(short, parts[-1], re.IGNORECASE) is not None
