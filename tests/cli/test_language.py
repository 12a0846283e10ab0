import json
import re
from pathlib import Path

import pytest

from perturb.cli.main import main
from perturb.polish.morphology import CASES
from perturb.suite import DEFAULT_PERTURBATIONS

CELLS = ["nom", "gen", "dat", "acc", "inst", "loc", "voc"]


def test_inflect_shows_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inflect", "umowa najmu lokalu użytkowego"]) == 0
    shown = capsys.readouterr().out
    assert "umowie najmu lokalu użytkowego" in shown
    assert "umowami najmu lokalu użytkowego" in shown


def test_inflect_json_follows_the_contract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "phrases.txt").write_text("\ufefffaktura VAT\n\ndane osobowe\n", encoding="utf-8")
    assert main(["inflect", "--file", str(tmp_path / "phrases.txt"), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["phrase"] for line in lines] == ["faktura VAT", "dane osobowe"]
    for line in lines:
        assert list(line) == ["phrase", "lemma", "cells", "confidence"]
        assert list(line["cells"]) == ["sg", "pl"]
        assert [list(line["cells"][number]) for number in ("sg", "pl")] == [CELLS, CELLS]
        assert 0 <= line["confidence"] <= 1
    assert lines[0]["cells"]["pl"]["gen"][0] == "faktur VAT"
    assert lines[1]["cells"]["sg"]["gen"] == []
    assert lines[1]["cells"]["pl"]["gen"][0] == "danych osobowych"
    assert list(CASES) == CELLS


def test_inflect_reads_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.StringIO("umowa\nfaktura\n"))
    assert main(["inflect", "--file", "-", "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["inflect"], "give either one phrase or --file"),
        (["inflect", "umowa", "--file", "x"], "give either one phrase or --file"),
        (["inflect", "--file", "missing.txt"], "missing.txt"),
        (["inflect", "  "], "the phrase is empty"),
        (["show", " "], "the query is empty"),
        (["show", "urlop \ud83d"], "half a character"),
        (["show", "urlop", "--perturbations", "tipo"], "did you mean 'typo'"),
    ],
)
def test_mistakes_end_in_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    errors = capsys.readouterr().err
    assert message in errors
    assert len(errors.splitlines()) == 1


def test_show_lists_variants_and_what_did_not_apply(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "urlop", "--perturbations", "diacritics,typo"]) == 0
    shown = capsys.readouterr().out
    assert "diacritics: not applicable" in shown
    assert "typo" in shown
    assert main(["show", "jak wystawić fakturę", "--json", "--perturbations", "diacritics"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert "jak wystawic fakture" in {line["text"] for line in lines}


def test_show_lists_each_text_of_a_family_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "jak wystawić fakturę"]) == 0
    shown = capsys.readouterr().out
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in shown.splitlines() if line.startswith("│")]
    assert [row[0] for row in rows if row[2] == "jak wystawic fakture"].count("diacritics.strip") == 1
    assert "diacritics" not in [row[0] for row in rows if row[2] == "jak wystawic fakture"]
    assert "traffic_mix" not in shown
    assert "confidence" in shown and "1.00" in {row[3] for row in rows}
    assert main(["show", "jak wystawić fakturę", "--perturbations", "diacritics,traffic_mix,diacritics.strip"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("jak wystawic fakture") >= 2
    assert "traffic_mix" in shown


def test_variants_that_look_like_the_query_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    from perturb.report.show import looks_identical

    assert looks_identical("umowę", "umowe\u0328")
    assert looks_identical("umowa najmu", "umowa\u00a0naj\u00admu")
    assert not looks_identical("umowa najmu", "umowa  najmu")
    assert not looks_identical("umowa", "umowa")
    assert main(["show", "umowę najmu", "--perturbations", "unicode_form"]) == 0
    assert "identical" in capsys.readouterr().out


def test_what_is_no_noun_phrase_gets_no_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inflect", "xqzw bvk"]) == 1
    assert capsys.readouterr().out == "xqzw bvk: no noun phrase recognised\n"


def test_what_is_no_noun_phrase_has_empty_cells_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inflect", "xqzw bvk", "--json"]) == 1
    record = json.loads(capsys.readouterr().out)
    assert (record["phrase"], record["lemma"], record["confidence"]) == ("xqzw bvk", "", 0.0)
    assert not any(forms for cells in record["cells"].values() for forms in cells.values())


def test_models_and_perturbations_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models"]) == 0
    assert "e5-small" in capsys.readouterr().out
    assert main(["perturbations"]) == 0
    assert "* case" in capsys.readouterr().out
    assert main(["perturbations", "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {record["name"] for record in records} >= {"case", "number", "typo", "english_terms"}
    assert all(record["summary"] and record["examples"] for record in records)


def test_an_internal_defect_ends_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from perturb.polish import phrases

    def broken(_phrase: str) -> None:
        raise RuntimeError("defect")

    monkeypatch.setattr(phrases, "phrase_table", broken)
    assert main(["inflect", "umowa"]) == 70
    assert "internal error: RuntimeError: defect" in capsys.readouterr().err
    with pytest.raises(RuntimeError):
        main(["inflect", "umowa", "--debug"])


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    from perturb import __version__

    assert main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == __version__


def test_own_lexicons_and_a_trained_pipeline_reach_inflect_show_and_generate(tmp_path: Path) -> None:
    import subprocess
    import sys

    import spacy

    own = tmp_path / "own"
    own.mkdir()
    (own / "english_terms.tsv").write_text(
        "\n".join([_header("english_terms.tsv"), _row_like("zamówienie", "order", "english_terms.tsv")]) + "\n",
        encoding="utf-8",
    )
    spacy.blank("pl").to_disk(tmp_path / "model")
    command = [sys.executable, "-m", "perturb", "show", "nowe zamówienie", "--perturbations", "english_terms", "--json"]
    command += ["--lexicons", str(own), "--spacy-model", str(tmp_path / "model")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "order" in done.stdout
    wrong = subprocess.run([*command[:-1], "pl_core_none"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "'pl_core_none' cannot be loaded" in wrong.stderr
    missing = [sys.executable, "-m", "perturb", "inflect", "umowa", "--lexicons", str(tmp_path / "none")]
    assert subprocess.run(missing, capture_output=True, check=False).returncode == 2


def _header(name: str) -> str:
    from perturb.resources import resource

    lines = resource("lexicons", name).read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if not line.startswith("#"))


def _row_like(polish: str, english: str, name: str) -> str:
    from perturb.resources import read_table

    row = dict(
        next(r for r in read_table(name) if r["pos"] == "noun" and r["gender"] == "m3" and r["meaning_risk"] == "no")
    )
    row.update({"pl": polish, "en": english})
    return "\t".join(row.values())


def test_the_help_of_show_tells_what_it_shows_without_names(capsys: pytest.CaptureFixture[str]) -> None:
    """Every perturbation but the mix, whose shares are nobody's without a profile."""
    assert main(["show", "--help"]) == 0
    told = " ".join(re.sub(r"[│╭╮╰╯─]", " ", capsys.readouterr().out).split())
    assert "Default: all of them but traffic_mix." in told and "set of eight" not in told
    assert main(["show", "Jak wystawić 2 faktury w Łodzi?", "--json"]) == 0
    shown = {json.loads(line)["perturbation"] for line in capsys.readouterr().out.splitlines()}
    assert "traffic_mix" not in shown and len(shown) > 20 and not shown <= set(DEFAULT_PERTURBATIONS)
