"""What each subcommand does, as one call each.

>>> from pathlib import Path
>>> from perturb import api
>>> from perturb.config import Settings
>>> report = api.run(Settings(golden_set="firma", models=("bm25",), out=Path("report")))  # doctest: +SKIP
"""

from perturb.api.generating import Progress, generate_suite, load
from perturb.api.reporting import make_report, run_record, versions, write_report
from perturb.api.rescoring import report_again, score_runs
from perturb.api.running import evaluate_suite, run

__all__ = [
    "Progress",
    "evaluate_suite",
    "generate_suite",
    "load",
    "make_report",
    "report_again",
    "run",
    "run_record",
    "score_runs",
    "versions",
    "write_report",
]
