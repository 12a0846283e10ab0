"""``python -m perturb``."""

from perturb.cli.main import script

script()
