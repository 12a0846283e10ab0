"""Named things that users choose by name: perturbations and retrievers, ours and third parties'."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import entry_points
from typing import Generic, TypeVar

from perturb.errors import ConfigError

T = TypeVar("T")


class Registry(Generic[T], Mapping[str, T]):
    """A mapping from name to thing that suggests the right name when asked for a wrong one.

    Third parties add theirs through an entry point group; those are loaded on first use, so that importing
    perturb stays fast. A third party may not replace a name that perturb itself registers.
    """

    def __init__(self, noun: str, group: str) -> None:
        self.noun = noun
        self.group = group
        self._things: dict[str, T] = {}
        self._entry_points_loaded = False

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

    def _load_entry_points(self) -> None:
        if self._entry_points_loaded:
            return
        self._entry_points_loaded = True
        for point in sorted(entry_points(group=self.group), key=lambda point: point.name):
            self.add(point.name, point.load())

    def __getitem__(self, name: str) -> T:
        self._load_entry_points()
        if name not in self._things:
            near = difflib.get_close_matches(name, self._things, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(self._things))}"
            raise ConfigError(f"unknown {self.noun} {name!r}; {hint}")
        return self._things[name]

    def __iter__(self) -> Iterator[str]:
        self._load_entry_points()
        return iter(sorted(self._things))

    def __len__(self) -> int:
        self._load_entry_points()
        return len(self._things)

    def __contains__(self, name: object) -> bool:
        self._load_entry_points()
        return name in self._things
