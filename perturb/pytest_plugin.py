"""A pytest plugin: drops as assertions.

``pytest --perturb-config perturb.toml`` gives tests the fixture ``perturb_report``; the models run once per session.
The option can also stand in the configuration of pytest, as ``perturb_config``. Importing this module loads nothing
else of perturb, because pytest does so in every project where perturb is installed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from perturb.report.tables import Report

_HELP = "perturb.toml that says what the perturb_report fixture runs"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--perturb-config`` and the setting ``perturb_config``."""
    parser.getgroup("perturb").addoption("--perturb-config", metavar="FILE", default=None, help=_HELP)
    parser.addini("perturb_config", _HELP, default="")


def _config_path(config: pytest.Config) -> Path:
    """The file that was named: on the command line, else in the configuration of pytest, else the one beside that."""
    given = config.getoption("perturb_config")
    if given:
        return config.invocation_params.dir / str(given)
    return config.rootpath / (str(config.getini("perturb_config")) or "perturb.toml")


@pytest.fixture(scope="session")
def perturb_report(request: pytest.FixtureRequest) -> Report:
    """Run what ``perturb.toml`` asks for, once per session.

    Returns:
        The report: ``perturb_report.find(model, perturbation, measure)`` is a row of the drop table,
        ``perturb_report.gate.passed`` the outcome of ``[gate]``. Its files land in ``out`` of the settings.

    Raises:
        pytest.fail.Exception: there is no such file, or the run is refused; in one line.
    """
    from perturb import api
    from perturb.config import read_config
    from perturb.errors import PerturbError

    try:
        return api.run(read_config(_config_path(request.config)), command="pytest")
    except PerturbError as error:
        pytest.fail(f"perturb: {error}", pytrace=False)
