"""Named things that users choose by name: perturbations and retrievers, ours and third parties'."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from perturb.errors import ConfigError

T = TypeVar("T")


class Registry(Generic[T], Mapping[str, T]):
    """A mapping from name to thing that suggests the right name when asked for a wrong one.

    Third parties add theirs through an entry point group. Each is loaded when it is asked for, so that importing
    perturb stays fast and a broken package spoils only its own name. A third party may not replace a name of perturb.
    """

    def __init__(
        self, noun: str, group: str, wrong: Callable[[str, Any], str] = lambda _name, _thing: "", also: str = ""
    ) -> None:
        """Make an empty registry.

        Args:
            noun: what it holds, for messages.
            group: entry point group of third parties.
            wrong: says what keeps a third party's thing from being used under a name; empty if nothing does.
            also: what else may be named, said where a name is unknown.
        """
        self.noun = noun
        self.group = group
        self.wrong = wrong
        self.also = also
        self._things: dict[str, T] = {}
        self._offered: dict[str, EntryPoint] | None = None

    def add(self, name: str, thing: T) -> T:
        """Register under a new name.

        Raises:
            ConfigError: the name is taken.
        """
        if name in self._things:
            raise ConfigError(f"{self.noun} {name!r} is registered twice; rename one of the two")
        self._things[name] = thing
        return thing

    def register(self, name: str) -> Callable[[T], T]:
        """Decorator form of :meth:`add`."""
        return lambda thing: self.add(name, thing)

    def _points(self) -> dict[str, EntryPoint]:
        """What third parties offer, by name; read once, and loaded one by one when asked for.

        Raises:
            ConfigError: a third party uses a name that is taken.
        """
        if self._offered is None:
            offered: dict[str, EntryPoint] = {}
            for point in entry_points(group=self.group):
                if point.name in self._things or point.name in offered:
                    raise ConfigError(f"{self.noun} {point.name!r} is registered twice ({point.value}); rename one")
                offered[point.name] = point
            self._offered = offered
        return self._offered

    def _load(self, point: EntryPoint) -> T:
        """Load what a third party offers.

        Raises:
            ConfigError: its code fails, or the thing is not what it must be.
        """
        package = f" of {point.dist.name}" if point.dist is not None else ""
        culprit = f"{self.noun} {point.name!r} ({point.value}{package})"
        mend = "mend or uninstall its package"
        try:
            thing: T = point.load()
        except (Exception, SystemExit) as error:  # whatever the code of third parties may raise
            what = f"{type(error).__name__}: {error}".rstrip(": ")
            raise ConfigError(f"{culprit} cannot be loaded: {what}; {mend}") from error
        if wrong := self.wrong(point.name, thing):
            raise ConfigError(f"{culprit} {wrong}; {mend}")
        return thing

    def __getitem__(self, name: str) -> T:
        if name not in self._things:
            points = self._points()
            if name not in points:
                known = sorted({*self._things, *points})
                near = difflib.get_close_matches(name, known, n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
                raise ConfigError(f"unknown {self.noun} {name!r}; {hint}" + (f"; {self.also}" if self.also else ""))
            self._things[name] = self._load(points[name])
        return self._things[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self._things, *self._points()}))

    def __len__(self) -> int:
        return len({*self._things, *self._points()})

    def __contains__(self, name: object) -> bool:
        return name in self._things or name in self._points()
