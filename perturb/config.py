"""``perturb.toml``: what to run, checked before anything starts."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from perturb.errors import ConfigError
from perturb.evaluation import DEFAULT_MEASURES
from perturb.evaluation.corrections import known_adjustment
from perturb.evaluation.groups import known_unit
from perturb.significance import Method
from perturb.suite import DEFAULT_PERTURBATIONS, DEFAULT_SEED

DEFAULT_MODELS = ("bm25", "bm25-lemma")
"""What needs nothing beyond perturb itself."""

DEFAULT_OUT = Path("perturb-report")

_STRINGS = ("models", "perturbations", "measures", "protected", "lexicons")
_INTEGERS = ("seed", "resamples", "depth")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that decides a run. Defaults are those of the command line.

    Attributes:
        golden_set: folder of a golden set, or the name of a bundled one.
        models: names, hub ids or folders.
        perturbations: registered names.
        measures: such as ``recall@5``; the first leads the report.
        seed: of suite and resampling.
        out: folder of the report.
        part: ``dev`` or ``test``; ``None`` for all.
        protected: words and phrases nothing may change.
        lexicons: folders whose files add rows to the lexicons of the same names.
        spacy_model: trained pipeline whose tags and tree break ties, such as ``pl_core_news_lg``; empty for none.
        resamples: of each interval and test.
        depth: documents retrieved per query; ``None``: what the measures need.
        confidence: of the intervals, 0 to 1.
        resample_by: what is drawn as a whole: ``query``, ``near-duplicate`` (same words) or ``document`` (queries that
            share a relevant document); for every interval and p-value.
        adjustment: correction for many tests, wherever p-values are corrected: ``holm`` (bounds the chance of any false
            alarm) or ``bh`` (Benjamini and Hochberg: bounds the share of false alarms among the findings).
        interval: ``bca`` (with tails widened for small samples) or ``percentile`` (the plain one).
        allow_dangling: accept judgements of unknown queries or documents.
        sep: separator of the delimited files of the golden set; ``None``: told by content.
        encoding: of the files of the golden set.
        csv_dialect: ``excel-pl`` writes ``drops.excel.csv`` beside ``drops.csv``; empty for ``drops.csv`` alone.
        perturbation: ``[perturbation.NAME]`` tables.
        retriever: ``[retriever.NAME]`` tables.
        gate: ``[gate]`` table.
        profile: content of a ``profile.toml``, examples left out; see :meth:`with_profile`.
    """

    golden_set: str = ""
    models: tuple[str, ...] = DEFAULT_MODELS
    perturbations: tuple[str, ...] = DEFAULT_PERTURBATIONS
    measures: tuple[str, ...] = DEFAULT_MEASURES
    seed: int = DEFAULT_SEED
    out: Path = DEFAULT_OUT
    part: str | None = None
    protected: tuple[str, ...] = ()
    lexicons: tuple[str, ...] = ()
    spacy_model: str = ""
    resamples: int = 10_000
    depth: int | None = None
    confidence: float = 0.95
    resample_by: str = "query"
    adjustment: str = "holm"
    interval: Method = "bca"
    allow_dangling: bool = False
    sep: str | None = None
    encoding: str = "utf-8"
    csv_dialect: str = ""
    perturbation: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    retriever: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    gate: Mapping[str, Any] = field(default_factory=dict)
    profile: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 0.5 <= self.confidence < 1:
            raise ConfigError(f"confidence = {self.confidence}: give a number from 0.5 to below 1, such as 0.95")
        if not 100 <= self.resamples <= 1_000_000:
            raise ConfigError(f"resamples = {self.resamples}: give a number from 100 to 1000000")
        if self.depth is not None and self.depth < 1:
            raise ConfigError(f"depth = {self.depth}: give a number of at least 1")
        known_unit(self.resample_by)
        known_adjustment(self.adjustment)
        if self.interval not in ("bca", "percentile"):
            raise ConfigError(f"interval = {self.interval!r}: choose bca or percentile")
        for key in ("models", "perturbations", "measures"):
            values = getattr(self, key)
            if not values:
                raise ConfigError(f"{key} is empty; name at least one")
            doubled = {value for value in values if values.count(value) > 1}
            if doubled:
                raise ConfigError(f"{key} names {sorted(doubled)[0]!r} twice; name it once")
        if self.csv_dialect:
            from perturb.report.csv_files import known_dialect

            known_dialect(self.csv_dialect)
        if self.gate:
            from perturb.report.gate import read_gate

            read_gate(self.gate)

    def with_overrides(self, **given: Any) -> Settings:
        """The same with what the command line gives; ``None`` leaves a setting as it is."""
        return replace(self, **{key: value for key, value in given.items() if value is not None})

    def with_profile(self, profile: Mapping[str, Any]) -> Settings:
        """The same with the noise of a traffic: ``traffic_mix`` in the shares of its profile joins the perturbations.

        Args:
            profile: as :func:`perturb.traffic.read_profile` gives it; its examples are not kept.

        Raises:
            ConfigError: ``[perturbation.traffic_mix]`` has shares of its own.
        """
        name = "traffic_mix"
        table = dict(self.perturbation.get(name, {}))
        if "shares" in table and not self.profile:
            raise ConfigError(f"[perturbation.{name}] has shares and there is a profile too; give one of the two")
        kept = {key: value for key, value in profile.items() if key != "examples"}
        named = self.perturbations if name in self.perturbations else (*self.perturbations, name)
        from perturb.traffic import not_in_mix

        mixed = {"shares": dict(profile["mix"]), "left_out": not_in_mix(profile)}
        tables = {**self.perturbation, name: {**table, **mixed}}
        return replace(self, profile=kept, perturbations=named, perturbation=tables)


def read_config(path: Path) -> Settings:
    """Read ``perturb.toml``. Relative paths in it are relative to its folder.

    Raises:
        ConfigError: not TOML, an unknown key, or a value of the wrong kind; names file and key.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise ConfigError(f"{path}: no such file; give a golden set folder or a perturb.toml") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read ({error})") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from error
    known = {f.name: f for f in fields(Settings)}
    values: dict[str, Any] = {}
    for key, value in content.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
            raise ConfigError(f"{path}: unknown key {key!r}; {hint}")
        values[key] = _checked(path, key, value)
    for key in ("golden_set", "out"):
        if key in values and (key == "out" or (path.parent / values[key]).exists()):
            values[key] = type(values[key])(path.parent / values[key])
    if "lexicons" in values:
        values["lexicons"] = tuple(str(path.parent / folder) for folder in values["lexicons"])
    profile = values.pop("profile", None)
    try:
        settings = Settings(**values)
        if profile is None:
            return settings
        from perturb.traffic import read_profile

        return settings.with_profile(read_profile(path.parent / profile))
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error


def _checked(path: Path, key: str, value: Any) -> Any:
    if key in _STRINGS:
        if not isinstance(value, list) or not all(isinstance(part, str) and part.strip() for part in value):
            raise ConfigError(f'{path}: {key} = {value!r}: give a list of names, such as ["a", "b"]')
        return tuple(value)
    if key in ("perturbation", "retriever"):
        if not isinstance(value, dict) or not all(isinstance(table, dict) for table in value.values()):
            raise ConfigError(f"{path}: write settings in tables such as [{key}.NAME]")
        return value
    kinds: dict[str, tuple[type, ...]] = {
        **dict.fromkeys(_INTEGERS, (int,)),
        "confidence": (float,),
        "allow_dangling": (bool,),
        "gate": (dict,),
    }
    expected = kinds.get(key, (str,))
    if not isinstance(value, expected) or (isinstance(value, bool) and bool not in expected):
        raise ConfigError(f"{path}: {key} = {value!r}: give a value of type {expected[0].__name__}")
    return Path(str(value)) if key == "out" else value
