"""What a perturbation is, and where it is registered.

A perturbation is a frozen dataclass whose fields are its settings. Called with a parsed query and a random source it
yields variants, or nothing where it does not apply. It sees neither golden set nor retriever.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, ClassVar, TypeVar

from perturb.errors import ConfigError
from perturb.polish.parsed import ParsedQuery
from perturb.records import Variant
from perturb.registry import Registry

ENTRY_POINT_GROUP = "perturb.perturbations"


class Perturbation(ABC):
    """A named rule that rewrites a query.

    Class attributes:
        name: registered name.
        summary: one line for ``perturb perturbations``.
        draws: how many times the suite calls it per query by default, each with its own random source. 0 marks a rule
            that draws nothing: it is called once and may yield several variants.
        examples: pairs of query and one possible result, tested and shown to users.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    draws: ClassVar[int] = 0
    examples: ClassVar[tuple[tuple[str, str], ...]] = ()

    @abstractmethod
    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield variants of the query; nothing yielded means *not applicable*."""


def _wrong(name: str, thing: Any) -> str:
    """What keeps the class of a third party from being a perturbation; empty if nothing does."""
    if not isinstance(thing, type) or not issubclass(thing, Perturbation):
        return f"is {thing!r:.60}, not a subclass of perturb.perturbations.base.Perturbation"
    if thing.__abstractmethods__:
        return "has no __call__"
    if getattr(thing, "name", None) != name:
        return f"has the name {getattr(thing, 'name', None)!r} in its class; both must be the same"
    if not isinstance(getattr(thing, "summary", None), str):
        return "has no summary"
    if not isinstance(thing.draws, int) or not 0 <= thing.draws <= 1000:
        return f"has draws = {thing.draws!r}; give a number from 0 to 1000"
    return ""


PERTURBATIONS: Registry[type[Perturbation]] = Registry("perturbation", ENTRY_POINT_GROUP, _wrong)

P = TypeVar("P", bound=type[Perturbation])


def register(cls: P) -> P:
    """Class decorator: make a perturbation known under its ``name``."""
    PERTURBATIONS.add(cls.name, cls)
    return cls


def build(name: str, settings: Mapping[str, Any] | None = None) -> Perturbation:
    """Make a registered perturbation with the given settings.

    Raises:
        ConfigError: unknown name, unknown setting, or a value of the wrong kind.
    """
    from perturb.perturbations import load_all

    load_all()
    if ":" in name:
        from perturb.perturbations.chains import build_composed

        return build_composed(name, settings)
    cls = PERTURBATIONS[name]
    if not settings:
        try:
            return cls()
        except TypeError as error:
            raise ConfigError(f"perturbation {name!r} cannot be made without settings: {error}") from error
    from pydantic import ConfigDict, TypeAdapter, ValidationError

    known = getattr(cls, "__dataclass_fields__", {})
    for key in settings:
        if key not in known:
            raise ConfigError(f"[perturbation.{name}] has no setting {key!r}; it knows: {', '.join(known) or 'none'}")
    if "__pydantic_config__" not in cls.__dict__:
        cls.__pydantic_config__ = ConfigDict(strict=False, arbitrary_types_allowed=True)  # type: ignore[attr-defined]
    try:
        return TypeAdapter(cls).validate_python(dict(settings))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"[perturbation.{name}] {where} = {first['input']!r}: {first['msg']}") from error
