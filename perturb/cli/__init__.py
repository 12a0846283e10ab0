"""The command line, ``perturb``: one module per family of subcommands."""

from perturb.cli.main import main

__all__ = ["main"]
