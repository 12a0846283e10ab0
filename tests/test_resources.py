import subprocess
import sys
from pathlib import Path

import pytest

from perturb.errors import PerturbError
from perturb.resources import read_table, resource, use_lexicons


def test_what_is_missing_is_named() -> None:
    with pytest.raises(PerturbError, match=r"lexicons/none\.tsv is missing from this installation"):
        resource("lexicons", "none.tsv")


def test_comments_and_blank_lines_are_skipped_and_columns_counted(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("# źródło\na\tb\n\n1\tż\n", encoding="utf-8")
    assert read_table("t.tsv", folder=tmp_path) == [{"a": "1", "b": "ż"}]
    (tmp_path / "t.tsv").write_text("a\tb\n1\n", encoding="utf-8")
    with pytest.raises(PerturbError, match=r"t\.tsv:2: 1 columns, the header has 2"):
        read_table("t.tsv", folder=tmp_path)


def _in_new_process(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_own_rows_extend_the_bundled_lexicons_and_win(tmp_path: Path) -> None:
    (tmp_path / "inflection_overrides.tsv").write_text(
        "lexeme\tgender\tverdict\tnote\nzamek:Sm3~a\tm3\tavoid\tu nas zamki królewskie\n"
        "zamek:Sm3~u\tm3\tprefer\tu nas zamki królewskie\n",
        encoding="utf-8",
    )
    code = (
        "import sys; from pathlib import Path; from perturb.resources import use_lexicons\n"
        "if len(sys.argv) > 1: use_lexicons([Path(sys.argv[1])])\n"
        "from perturb.polish.phrases import inflect; from perturb.lexicon import lexicon_hashes\n"
        "print(inflect('stary zamek', 'gen', 'sg').forms[0], 'user/inflection_overrides.tsv' in lexicon_hashes())"
    )
    plain = _in_new_process(code)
    own = _in_new_process(code.replace("len(sys.argv) > 1", "True").replace("sys.argv[1]", repr(str(tmp_path))))
    assert plain.stdout.split() == ["starego", "zamka", "False"], plain.stderr
    assert own.stdout.split() == ["starego", "zamku", "True"], own.stderr


def test_own_lexicons_are_checked(tmp_path: Path) -> None:
    with pytest.raises(PerturbError, match="no such folder"):
        use_lexicons([tmp_path / "none"])
    with pytest.raises(PerturbError, match=r"holds no \.tsv file"):
        use_lexicons([tmp_path])
    (tmp_path / "overide.tsv").write_text("a\n1\n", encoding="utf-8")
    with pytest.raises(PerturbError, match="no lexicon of perturb has this name"):
        use_lexicons([tmp_path])
    (tmp_path / "overide.tsv").unlink()
    (tmp_path / "durations.tsv").write_text("a\tb\n1\t2\n", encoding="utf-8")
    code = (
        "from pathlib import Path; from perturb.resources import read_table, use_lexicons\n"
        f"use_lexicons([Path({str(tmp_path)!r})]); read_table('durations.tsv')"
    )
    assert "its columns are a, b; durations.tsv has" in _in_new_process(code).stderr
    late = code.replace("\n", "; read_table('durations.tsv')\n", 1)
    assert "was read before your folder was named" in _in_new_process(late).stderr
