"""A pytest plugin: drops as assertions.

``pytest --perturb-config perturb.toml`` gives tests the fixture ``perturb_report``; the models run once per session.
The option can also stand in the configuration of pytest, as ``perturb_config``. Importing this module loads nothing
else of perturb, because pytest does so in every project where perturb is installed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from perturb.evaluation import DropRow
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


class ReportOfRun:
    """The report as tests see it: all attributes of :class:`perturb.report.tables.Report`, and rows by name.

    Its representation is short, since pytest shows it with every assertion that fails.
    """

    def __init__(self, report: Report) -> None:
        self._report = report

    def __getattr__(self, name: str) -> Any:
        if name == "_report":  # asked for before __init__, as copy does
            raise AttributeError(name)
        return getattr(self._report, name)

    def __repr__(self) -> str:
        models = ", ".join(model.name for model in self._report.evaluation.models)
        return f"<perturb report: {len(self._report.rows)} rows; models {models}>"

    def row(self, model: str, perturbation: str, measure: str, kind: str = "all") -> DropRow:
        """The row of the drop table with these names.

        Raises:
            ConfigError: there is none; says which name the run does not know, or that nothing was perturbed so.
        """
        from perturb.errors import ConfigError

        __tracebackhide__ = True
        wanted = {"model": model, "perturbation": perturbation, "measure": measure, "kind": kind}
        fitting = list(self._report.rows)
        for name, value in wanted.items():
            known = list(dict.fromkeys(getattr(row, name) for row in fitting))
            fitting = [row for row in fitting if getattr(row, name) == value]
            if not fitting:
                before = [f"{key} {wanted[key]!r}" for key in list(wanted)[: list(wanted).index(name)]]
                where = f" for {', '.join(before)}" if before else ""
                raise ConfigError(f"the run has no {name} {value!r}{where}; it has: {', '.join(known) or 'no rows'}")
        return fitting[0]


@pytest.fixture(scope="session")
def perturb_report(request: pytest.FixtureRequest) -> ReportOfRun:
    """Run what ``perturb.toml`` asks for, once per session.

    Returns:
        The report: ``perturb_report.row(model, perturbation, measure)`` is a row of the drop table,
        ``perturb_report.gate.passed`` the outcome of ``[gate]``. Its files land in ``out`` of the settings.

    Raises:
        pytest.fail.Exception: there is no such file, or the run is refused; in one line.
    """
    from perturb import api
    from perturb.config import read_config
    from perturb.errors import PerturbError

    try:
        return ReportOfRun(api.run(read_config(_config_path(request.config)), command="pytest"))
    except PerturbError as error:
        pytest.fail(f"perturb: {error}", pytrace=False)
