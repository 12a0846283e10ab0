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


def registry_of(monkeypatch: pytest.MonkeyPatch, **points: str) -> Registry[float]:
    found = [metadata.EntryPoint(name, value, "perturb.test") for name, value in points.items()]
    monkeypatch.setattr(registry, "entry_points", lambda group: found if group == "perturb.test" else [])
    things: Registry[float] = Registry(
        "number", "perturb.test", lambda _, thing: "" if isinstance(thing, float) else f"is {thing!r}, not a number"
    )
    things.add("ours", 1.0)
    return things


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("no_such_module:x", "number 'theirs' (no_such_module:x) cannot be loaded: ModuleNotFoundError"),
        ("math:no_such", "(math:no_such) cannot be loaded: AttributeError"),
        ("this_is::not valid", "cannot be loaded"),
        ("math:sin", "(math:sin) is <built-in function sin>, not a number; mend or uninstall its package"),
        ("sys:exit.__doc__.zzz", "cannot be loaded"),
    ],
)
def test_a_broken_third_party_is_named_and_spoils_only_itself(
    monkeypatch: pytest.MonkeyPatch, value: str, message: str
) -> None:
    things = registry_of(monkeypatch, theirs=value, fine="math:e")
    assert things["ours"] == 1.0
    assert things["fine"] == pytest.approx(2.718, abs=1e-3)
    assert list(things) == ["fine", "ours", "theirs"]
    for _ in range(2):
        with pytest.raises(ConfigError) as caught:
            things["theirs"]
        assert message in str(caught.value)


def test_a_third_party_may_not_take_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    things = registry_of(monkeypatch, ours="math:pi")
    with pytest.raises(ConfigError, match=r"number 'ours' is registered twice \(math:pi\)"):
        list(things)
    assert things["ours"] == 1.0
