from importlib import metadata

import pytest

from perturb import registry
from perturb.errors import ConfigError
from perturb.registry import Registry


def test_a_wrong_name_gets_the_nearest_right_one() -> None:
    things: Registry[int] = Registry("perturbation", "perturb.test")
    things.add("diacritics", 1)
    with pytest.raises(ConfigError, match="unknown perturbation 'diacritcs'; did you mean 'diacritics'"):
        things["diacritcs"]
    with pytest.raises(ConfigError, match="known: diacritics"):
        things["zzz"]


def test_a_name_is_taken_once() -> None:
    things: Registry[int] = Registry("model", "perturb.test")
    things.register("bm25")(1)
    with pytest.raises(ConfigError, match="registered twice"):
        things.add("bm25", 2)
    assert things["bm25"] == 1


def test_third_parties_come_in_through_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    point = metadata.EntryPoint("theirs", "math:pi", "perturb.test")
    monkeypatch.setattr(registry, "entry_points", lambda group: [point] if group == "perturb.test" else [])
    things: Registry[float] = Registry("number", "perturb.test")
    things.add("ours", 1.0)
    assert list(things) == ["ours", "theirs"]
    assert len(things) == 2
    assert "theirs" in things
    assert things["theirs"] == pytest.approx(3.14159, abs=1e-4)
