"""The wheel works outside the checkout, with its lexicons and golden set inside."""

import site
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(out.glob("perturb_pl-*.whl"))


def test_the_wheel_holds_lexicons_golden_set_templates_and_licence(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "perturb/_resources/lexicons/english_terms.tsv" in names
    assert "perturb/_resources/goldensets/firma/queries.jsonl" in names
    assert "perturb/report/templates/report.html.j2" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not [name for name in names if name.startswith("tests")]


def test_it_runs_in_a_new_environment_outside_the_repository(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(environment), "platbase": str(environment)}))
    zipfile.ZipFile(wheel).extractall(packages)
    # Dependencies come from this environment; a plain path in a .pth file brings no editable install along.
    (packages / "dependencies.pth").write_text("\n".join(site.getsitepackages()), encoding="utf-8")
    python = environment / "bin" / "python"
    where = subprocess.run(
        [python, "-c", "import perturb; print(perturb.__file__)"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert str(environment) in where.stdout
    command = [python, "-m", "perturb", "run", "firma", "--models", "bm25", "--perturbations", "case,english_terms"]
    done = subprocess.run(
        [*command, "--out", "out", "--quiet"], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "report: out/report.html" in done.stdout
    assert (tmp_path / "out" / "drops.csv").exists()
