"""The shape of ``[gate]`` in ``perturb.toml``; a module of its own, because it imports pydantic."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from perturb.errors import ConfigError

Share = Annotated[float, Field(ge=0.0, le=1.0)]

_WANTED = {
    "max_drop": "give points of the measure from 0 to 1, such as 0.05",
    "min_clean": "give a score from 0 to 1, such as 0.6",
    "on": 'give "estimate" or "bound"',
    "undecided": 'give "fail" or "report"',
    "measure": 'give the name of a measure, such as "recall@5"',
}


class CellTable(BaseModel):
    """``[gate.perturbation.NAME]``: limits on drops."""

    model_config = ConfigDict(extra="forbid", strict=True)
    max_drop: Share | None = None
    on: Literal["estimate", "bound"] | None = None
    measure: str | None = None


class ModelTable(CellTable):
    """``[gate.model.NAME]``: limits on one model."""

    min_clean: Share | None = None
    perturbation: dict[str, CellTable] = Field(default_factory=dict)


class GateTable(ModelTable):
    """``[gate]``."""

    undecided: Literal["fail", "report"] = "fail"
    model: dict[str, ModelTable] = Field(default_factory=dict)


def checked_table(table: Mapping[str, Any]) -> GateTable:
    """Check a ``[gate]`` table.

    Raises:
        ConfigError: an unknown key, or a value of the wrong kind or out of range.
    """
    try:
        return GateTable.model_validate(dict(table))
    except ValidationError as error:
        found = error.errors()
        more = f" ({len(found) - 1} more)" if len(found) > 1 else ""
        raise ConfigError(f"{_one_line(found[0])}{more}") from error


def _one_line(error: Any) -> str:
    """The table, the key, the value and what to write instead."""
    *tables, key = [str(part) for part in error["loc"]]
    where = ".".join(["gate", *tables])
    if error["type"] == "extra_forbidden":
        kind = CellTable if "perturbation" in tables else ModelTable if tables else GateTable
        near = difflib.get_close_matches(key, kind.model_fields, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(kind.model_fields)}"
        return f"[{where}] unknown key {key!r}; {hint}"
    if error["type"] in ("model_type", "dict_type"):
        name = "" if error["type"] == "model_type" else ".NAME"
        return f"[{where}] {key} = {error['input']!r}: write limits in a table, such as [{where}.{key}{name}]"
    return f"[{where}] {key} = {error['input']!r}: {_WANTED.get(key, error['msg'])}"
