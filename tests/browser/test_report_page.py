"""The report in a real browser: it renders, shows its figures, asks for nothing from the network."""

import os
import re
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from perturb.cli.main import main
from tests.golden_sets import write_golden_set

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    golden_set = write_golden_set(folder / "g")
    (folder / "broken-model").mkdir()
    models = f"bm25,bm25-lemma,{folder / 'broken-model'}"
    arguments = ["run", str(golden_set), "--models", models, "--perturbations", "diacritics,typo,case,english_terms"]
    assert main([*arguments, "--out", str(folder / "out"), "--resamples", "200", "--quiet"]) == 0
    return folder / "out" / "report.html"


def chromium(page: Path, profile: Path, *flags: str) -> str:
    browser = shutil.which("chromium")
    if browser is None:
        if os.environ.get("CI"):
            pytest.fail("chromium is missing; .ci/run installs it")
        pytest.skip("needs chromium")
    command = [browser, *FLAGS, f"--user-data-dir={profile}", *flags, page.as_uri()]
    return subprocess.run(command, capture_output=True, check=True, timeout=120, text=True).stdout


def test_the_page_is_self_contained(page: Path) -> None:
    source = page.read_text(encoding="utf-8")
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", source)
    assert "<script" not in source
    assert not re.search(r"@import|url\(", source)


def test_a_browser_shows_heat_map_forest_plot_and_fragile_queries(page: Path, tmp_path: Path) -> None:
    dom = chromium(page, tmp_path, "--dump-dom")
    heat = re.search(r'<table class="heat" id="heatmap">.*?</table>', dom, re.DOTALL)
    assert heat
    for name in ("bm25", "bm25-lemma", "diacritics", "typo", "case"):
        assert name in heat[0]
    assert len(re.findall(r"<circle", dom)) == 2 * heat[0].count('<th class="n">')
    assert "<ins>" in dom
    assert "could not run" in dom


def test_the_picture_is_as_wide_as_asked_and_not_blank(page: Path, tmp_path: Path) -> None:
    picture = tmp_path / "report.png"
    chromium(page, tmp_path / "profile", "--window-size=1280,1600", f"--screenshot={picture}")
    header = picture.read_bytes()
    assert header[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", header[16:24]) == (1280, 1600)
    assert len(header) > 50_000  # a blank page of this size takes about 8 kB


def test_a_browser_shows_what_changed_between_two_runs(page: Path, tmp_path: Path) -> None:
    out = page.parent
    assert main(["compare", str(out), str(out), "--out", str(tmp_path / "c")]) == 0
    compared = tmp_path / "c" / "compare.html"
    source = compared.read_text(encoding="utf-8")
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//|<script|@import|url\(""", source)
    dom = chromium(compared, tmp_path / "profile", "--dump-dom")
    assert dom.count('<table class="heat">') == 4 and "nothing got better or worse beyond noise" in dom
    picture = tmp_path / "compare.png"
    chromium(compared, tmp_path / "profile", "--window-size=1280,1600", f"--screenshot={picture}")
    assert picture.stat().st_size > 50_000


def test_texts_from_a_golden_set_cannot_run_as_code(tmp_path: Path) -> None:
    evil = '<img src=x onerror="document.title=1"> </ins> żółta łódź & <b>"'
    golden_set = write_golden_set(tmp_path / "g", {"d1": evil, "d2": "żółta łódź"}, {"q1": evil}, [("q1", "d1", 1)])
    arguments = ["run", str(golden_set), "--models", "bm25", "--perturbations", "diacritics", "--measures", "hit@1"]
    assert main([*arguments, "--out", str(tmp_path / "out"), "--resamples", "100", "--quiet"]) == 0
    source = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "<img" not in source
    assert "<b>" not in source
