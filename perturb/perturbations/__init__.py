"""Perturbations: named rules that rewrite a query the way people really write it."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache


@cache
def load_all() -> None:
    """Import every built-in module of perturbations, so that all of them are registered.

    Third-party perturbations come in through their entry points when the registry is first read.
    """
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        importlib.import_module(module.name)
