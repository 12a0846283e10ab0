import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from perturb.cli.main import main
from perturb.suite import read_suite
from perturb.traffic import profile as profile_module
from perturb.traffic import read_profile
from tests.golden_sets import write_golden_set
from tests.traffic.quick import quick_errors  # noqa: F401

LOG = "query;sent\n" + "".join(
    f"{query};1\n"
    for query in (
        *("termin platnosci", "zadanie zaplaty", "wypowiedzenie umowy najmu", "kopia zapasowa", "urlop na żądanie"),
        *("jak zlozyc wniosek", "zgloszenie serwisowe", "FAKTURA KORYGUJĄCA", "umwa najmu", "wniosek o urlop"),
    )
)


@pytest.fixture(scope="module", autouse=True)
def short_logs_will_do() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(profile_module, "ENOUGH", 0)
        yield


@pytest.fixture(scope="module")
def profile(short_logs_will_do: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("traffic")
    (folder / "queries.csv").write_text(LOG, encoding="utf-8-sig")
    assert main(["profile", str(folder / "queries.csv"), "--out", str(folder / "profile.toml"), "--quiet"]) == 0
    return folder / "profile.toml"


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_golden_set(tmp_path_factory.mktemp("office"))


def test_a_profile_is_written_and_shown(profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = profile.parent / "queries.csv"
    out = tmp_path / "p.toml"
    assert main(["profile", str(log), "--column", "query", "--sep", ";", "--examples", "--out", str(out)]) == 0
    shown = capsys.readouterr()
    assert "10 queries, 10 distinct" in shown.out
    assert "without diacritics" in shown.out
    assert "of all 10 queries" in shown.out
    assert "wrongly joined or split" in shown.out
    assert "fewer than 50: this profile is rough" in shown.out
    assert "read distinct queries: 10 of 10" in shown.err
    assert "look for mistakes" in shown.err
    assert "umwa najmu" in out.read_text(encoding="utf-8")
    assert "umwa" not in profile.read_text(encoding="utf-8")
    assert read_profile(out)["mix"] == read_profile(profile)["mix"]


def test_what_is_not_in_the_mix_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(profile_module, "ENOUGH", 20)
    (tmp_path / "q.txt").write_text("umowa najmu\n" * 800, encoding="utf-8")
    assert main(["profile", str(tmp_path / "q.txt"), "--out", str(tmp_path / "p.toml"), "--quiet"]) == 0
    shown = capsys.readouterr().out
    assert "not in the mix, as fewer than 20 effective queries could show it: " in shown
    assert "query_form.lower" in shown
    assert main(["generate", "firma", "--profile", str(tmp_path / "p.toml"), "--out", str(tmp_path)]) == 2
    assert "[mix] is empty, since the log is too short (effective = 1) for any share" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "content", "options", "message"),
    [
        ("empty.csv", b"", (), "is empty"),
        ("blank.txt", b"--\n", (), "holds no query"),
        ("latin.txt", "śruby żądanie\n".encode("cp1250"), (), "name the encoding: cp1250"),
        ("latin.txt", "śruby żądanie\n".encode(), ("--encoding", "nope"), "unknown encoding"),
        ("latin.txt", "śruby\n".encode(), ("--encoding", "base64"), "unknown encoding"),
        ("latin.txt", b"umowa\n", ("--encoding", "utf-16"), "is not utf-16"),
        ("two.csv", b"a;b\nc;d\n", (), "--column"),
        ("book.xlsx", b"PK\x03\x04rest", (), "is an Excel workbook"),
        ("book.csv", b"%PDF-1.7\n", (), "is a PDF"),
        ("header.csv", b"query\n", (), "holds no query; at least one"),
        ("emoji.txt", "😀\n🇵🇱\n".encode(), (), "holds no query (2 blank rows)"),
        ("half.csv", b"query,n\na, b,1\n", (), "quote cells that contain the separator"),
        ("two.csv", b"a;b\nc;d\n", ("--column", "z"), "no such column"),
    ],
)
def test_mistakes_end_in_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    content: bytes,
    options: tuple[str, ...],
    message: str,
) -> None:
    (tmp_path / name).write_bytes(content)
    assert main(["profile", str(tmp_path / name), "--out", str(tmp_path / "p.toml"), *options]) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.err.count("\n") == 1
    assert not (tmp_path / "p.toml").exists()


@pytest.mark.parametrize(
    ("queries", "polish"),
    [
        (("how to cancel my contract", "invoice template", "refund policy"), False),
        (("Kündigung Mietvertrag", "Rechnung überfällig"), False),
        (("1234567", "8900", "2026"), False),
        (("umowa najmu", "wniosek o urlop", "zadanie zaplaty deadline"), True),
    ],
)
def test_a_log_that_is_hardly_polish_is_warned_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], queries: tuple[str, ...], polish: bool
) -> None:
    (tmp_path / "q.txt").write_text("\n".join(queries), encoding="utf-8")
    assert main(["profile", str(tmp_path / "q.txt"), "--out", str(tmp_path / "p.toml"), "--quiet"]) == 0
    assert ("of the longer words are Polish" in capsys.readouterr().out) != polish


def test_one_query_is_enough_for_a_profile_that_says_it_is_rough(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "q.txt").write_text("umowa najmu", encoding="utf-8")
    assert main(["profile", str(tmp_path / "q.txt"), "--out", str(tmp_path / "p.toml"), "--quiet"]) == 0
    assert "worth 1 independent query, fewer than 50" in capsys.readouterr().out


def test_cp1250_is_read_when_named(tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_bytes("śruby żądanie\n".encode("cp1250"))
    out = tmp_path / "p.toml"
    assert main(["profile", str(tmp_path / "q.txt"), "--encoding", "cp1250", "--out", str(out), "--quiet"]) == 0


def test_generate_draws_the_mix(office: Path, profile: Path, tmp_path: Path) -> None:
    out = tmp_path / "v.jsonl"
    command = ["generate", str(office), "--profile", str(profile), "--quiet", "--out", str(out)]
    assert main([*command, "--perturbations", "traffic_mix"]) == 0
    suite = read_suite(out)
    assert suite.perturbations == ("traffic_mix",)
    shares = suite.header["spec"][0]["settings"]["shares"]
    assert 0 < shares["diacritics.strip"] <= 1
    assert "query_form.lower" not in shares, "the queries of the golden set are in small letters already"
    before = out.read_bytes()
    assert main([*command, "--perturbations", "traffic_mix"]) == 0
    assert out.read_bytes() == before
    assert main([*command, "--perturbations", "case"]) == 0
    assert [spec["name"] for spec in read_suite(out).header["spec"]] == ["case", "traffic_mix"]


def test_a_run_says_what_to_expect_on_this_traffic(
    office: Path, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "perturb.toml"
    config.write_text(
        f'golden_set = "{office}"\nmodels = ["bm25"]\nperturbations = ["case"]\nresamples = 200\n'
        f'measures = ["recall@5"]\nprofile = "{profile}"\nout = "out"\n',
        encoding="utf-8",
    )
    assert main(["run", str(config), "--quiet"]) == 0
    sentence = "Expected on your traffic: bm25 loses"
    assert sentence in capsys.readouterr().out
    out = tmp_path / "out"
    record = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert record["settings"]["profile"]["mix"] == read_profile(profile)["mix"]
    expected = record["expected_on_traffic"][0]
    assert expected["n_queries"] == 6
    assert 0 <= expected["stay_clean"] <= 1
    for name in ("report.md", "report.html"):
        assert sentence in (out / name).read_text(encoding="utf-8")
    (out / "report.md").unlink()
    assert main(["report", str(out)]) == 0
    assert sentence in (out / "report.md").read_text(encoding="utf-8")
    assert main(["run", str(config), "--quiet", "--perturbations", "typo", "--out", str(tmp_path / "again")]) == 0
    assert sentence in capsys.readouterr().out


def test_a_run_says_what_the_mix_leaves_out(
    office: Path, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line taken out of the mix, or never put there, makes the expected loss too small: report and console say so."""
    lines = profile.read_text(encoding="utf-8").splitlines(keepends=True)
    cut = tmp_path / "cut.toml"
    cut.write_text("".join(line for line in lines if not line.startswith('"query_form.upper" =')), encoding="utf-8")
    out = tmp_path / "out"
    run = ["run", str(office), "--models", "bm25", "--perturbations", "traffic_mix", "--resamples", "100", "--quiet"]
    assert main([*run, "--profile", str(cut), "--out", str(out)]) == 0
    sentence = (
        "The expected loss is too small by what your traffic has and its mix leaves out: "
        "query_form.upper (10.0 % of its queries)."
    )
    assert sentence in " ".join(capsys.readouterr().out.split())
    for name in ("report.md", "report.html"):
        assert sentence in (out / name).read_text(encoding="utf-8").replace("\\", "")
    assert main(["report", str(out)]) == 0
    assert sentence in " ".join(capsys.readouterr().out.split())
    assert main([*run, "--profile", str(profile), "--out", str(tmp_path / "whole")]) == 0
    assert "too small" not in capsys.readouterr().out


def test_profiles_that_cannot_be_drawn_end_in_one_line(
    office: Path, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["generate", str(office), "--profile", str(tmp_path / "none.toml")]) == 2
    assert "make one with `perturb profile" in capsys.readouterr().err
    config = tmp_path / "perturb.toml"
    text = f'golden_set = "{office}"\nperturbations = ["traffic_mix"]\n'
    config.write_text(text + f'profile = "{profile}"\n[perturbation.traffic_mix.shares]\nspelling = 0.1\n')
    assert main(["generate", str(config), "--out", str(tmp_path / "v.jsonl")]) == 2
    assert "give one of the two" in capsys.readouterr().err
    config.write_text(text + "profile = 5\n")
    assert main(["generate", str(config)]) == 2
    assert "profile = 5" in capsys.readouterr().err


def test_examples_of_a_profile_never_reach_a_run(office: Path, profile: Path, tmp_path: Path) -> None:
    log, kept = profile.parent / "queries.csv", tmp_path / "kept.toml"
    assert main(["profile", str(log), "--examples", "--out", str(kept), "--quiet"]) == 0
    run = ["run", str(office), "--profile", str(kept), "--models", "bm25", "--perturbations", "traffic_mix"]
    assert main([*run, "--out", str(tmp_path / "out"), "--resamples", "100", "--quiet"]) == 0
    assert "umwa" not in (tmp_path / "out" / "run.json").read_text(encoding="utf-8")


def test_help_is_quick_and_loads_no_dictionary() -> None:
    code = (
        "import sys; from perturb.cli.main import main; main(['profile', '--help']); print('morfeusz2' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Query log" in shown.stdout
    assert shown.stdout.strip().endswith("False")
