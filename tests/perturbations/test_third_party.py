"""A perturbation from another package comes in through its entry point and keeps the same contract."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "third_party_perturbation"
ROOT = Path(__file__).parent.parent.parent

ASK = """
import random
from perturb.perturbations import load_all
from perturb.perturbations.base import PERTURBATIONS, build
from perturb.polish.parsed import ParsedQuery
from perturb.records import Query
load_all()
assert "swapped_ends" in PERTURBATIONS and "swapped_ends" in list(PERTURBATIONS), list(PERTURBATIONS)
rule = build("swapped_ends", {"min_length": 3})
print(*(variant.text for variant in rule(ParsedQuery(Query("q", "umowa najmu lokalu")), random.Random("1"))))
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the package and its dist-info on the path, as if it were installed."""
    path = os.pathsep.join((str(PACKAGE), str(ROOT)))
    environment = {"PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=environment, cwd=ROOT)


def test_entry_point_is_found_and_settings_reach_it() -> None:
    done = run("-c", ASK)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "lokalu najmu umowa"


def test_contract_holds_for_it() -> None:
    done = run(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/perturbations/test_contract.py", "-k", "swapped_ends"
    )
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def test_without_the_package_it_is_unknown() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASK], capture_output=True, text=True, env={"PYTHONPATH": str(ROOT)}, cwd=ROOT
    )
    assert done.returncode != 0
    assert "AssertionError" in done.stderr
