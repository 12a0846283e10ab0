"""Ready-made choices of perturbations: ``mobile``, ``desktop``, ``careful``, ``dictated``, ``mixed-office``.

``perturb run GOLDENSET --preset mobile`` applies one. Each is a TOML file in ``lexicons/presets``, written like
``perturb.toml``: copy it, change it, run it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from perturb.errors import ConfigError
from perturb.resources import resource


def presets() -> tuple[str, ...]:
    """Names of the presets, sorted."""
    return tuple(sorted(path.stem for path in resource("lexicons", "presets").glob("*.toml")))


def preset(name: str) -> tuple[tuple[str, ...], Mapping[str, Mapping[str, Any]]]:
    """Read a preset.

    Args:
        name: one of :func:`presets`.

    Returns:
        Names of perturbations and their settings, as :func:`perturb.suite.specs_from` takes them.

    Raises:
        ConfigError: no such preset.
    """
    if name not in presets():
        raise ConfigError(f"unknown preset {name!r}; known: {', '.join(presets())}")
    content = tomllib.loads((resource("lexicons", "presets") / f"{name}.toml").read_text(encoding="utf-8"))
    return tuple(content["perturbations"]), content.get("perturbation", {})
