"""The shapes of a suite: what to apply, and the variants that came of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from perturb.errors import ConfigError
from perturb.perturbations.base import Perturbation, build
from perturb.records import ORIGINAL, Variant


@dataclass(frozen=True, slots=True)
class Spec:
    """A perturbation to apply, its settings, and how often it is drawn per query (``None``: its own default)."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    draws: int | None = None

    def build(self) -> Perturbation:
        """Make the perturbation.

        Raises:
            ConfigError: unknown name or setting.
        """
        if self.draws is not None and not 1 <= self.draws <= 1000:
            raise ConfigError(f"[perturbation.{self.name}] draws = {self.draws}: give a number from 1 to 1000")
        return build(self.name, self.settings)


@dataclass(frozen=True, slots=True)
class Suite:
    """The variants of one golden set.

    Attributes:
        header: what made it: perturb version, seed, specs, lexicon hashes, Morfeusz dictionary, golden set hash.
        variants: originals first within each query, then its variants in the order of the specs.
    """

    header: Mapping[str, Any]
    variants: tuple[Variant, ...]

    @property
    def perturbations(self) -> tuple[str, ...]:
        """Names of those that have variants, in the order of the specs; others in the order of appearance."""
        present = dict.fromkeys(v.perturbation for v in self.variants if v.perturbation != ORIGINAL)
        named = [spec["name"] for spec in self.header.get("spec", ())]
        return tuple(dict.fromkeys(name for name in (*named, *present) if name in present))

    @property
    def sha256(self) -> str:
        """Hash of the variants: two suites with the same hash ask models the same questions."""
        digest = hashlib.sha256()
        for variant in self.variants:
            digest.update(f"{variant.variant_id}\0{variant.query_id}\0{variant.text}\n".encode())
        return digest.hexdigest()
