"""Whether two runs can be compared, and what differs between them that may explain a change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perturb.errors import ConfigError
from perturb.evaluation.stored import StoredRun

_WATCHED = ("dtype", "model", "prompt_query", "prompt_document", "max_tokens", "similarity", "tokenizer", "fingerprint")
"""Parts of a model's description whose change explains a change of its figures."""


def refuse_other_questions(old: StoredRun, new: StoredRun) -> None:
    """Figures may be compared only if they answer the same questions.

    Raises:
        ConfigError: another part, golden set or suite.
    """
    theirs, ours = old.record["golden_set"], new.record["golden_set"]
    if theirs.get("part") != ours.get("part"):
        raise ConfigError(
            f"{old.folder} used part {theirs.get('part') or 'all'} of the golden set and {new.folder} part "
            f"{ours.get('part') or 'all'}; compare runs on the same part"
        )
    if theirs["sha256"] != ours["sha256"]:
        raise ConfigError(
            f"{old.folder} and {new.folder} used different golden sets ({theirs.get('name')} {theirs['sha256'][:8]}, "
            f"{ours.get('name')} {ours['sha256'][:8]}); compare runs on the same one"
        )
    if old.record["suite"]["sha256"] != new.record["suite"]["sha256"]:
        raise ConfigError(
            f"{old.folder} and {new.folder} asked different variants; run `perturb evaluate GOLDENSET "
            f"{old.folder / 'variants.jsonl'}` to ask the old ones again"
        )


def model_pairs(old: StoredRun, new: StoredRun) -> tuple[list[tuple[str, str]], list[str]]:
    """Models to compare, and remarks on those that stand alone.

    Raises:
        ConfigError: no model is in both runs.
    """
    both = [model for model in new.models if model in old.models]
    if not both:
        if len(old.models) == len(new.models) == 1:
            return [(old.models[0], new.models[0])], []
        raise ConfigError(
            f"no model is in both runs: {old.folder} has {', '.join(old.models)}, "
            f"{new.folder} {', '.join(new.models)}; compare runs of the same model, or two runs of one model each"
        )
    remarks = []
    for run, models in ((old, old.models), (new, new.models)):
        alone = [model for model in models if model not in both]
        if alone:
            remarks.append(f"only in {run.folder}: {', '.join(alone)}")
        remarks += [f"{name} could not run in {run.folder}: {why}" for name, why in run.failed.items()]
    return [(model, model) for model in both], remarks


def differences(old: StoredRun, new: StoredRun, pairs: list[tuple[str, str]]) -> list[str]:
    """Other versions, dtypes and settings: a change may be theirs and not the model's."""
    found = []
    libraries = _changed(old.record["versions"], new.record["versions"])
    if libraries:
        found.append(f"library versions differ: {', '.join(libraries)}; part of any change may be theirs")
    depths = [run.record.get("settings", {}).get("depth") for run in (old, new)]
    if depths[0] != depths[1]:
        shown = " → ".join("as the measures need" if depth is None else str(depth) for depth in depths)
        found.append(
            f"depth of retrieval differs: {shown}; measures that look further than one of them are not comparable"
        )
    pooled = [measure for measure in new.measures if measure in old.measures and measure.startswith("relative_recall")]
    if pooled and old.models != new.models:
        found.append(f"{', '.join(pooled)}: each run pools what its own models found, and they are not the same models")
    for before, after in pairs:
        then, now = old.description(before), new.description(after)
        watched = [key for key in _WATCHED if key in then or key in now]
        changed = _changed({k: then.get(k) for k in watched}, {k: now.get(k) for k in watched})
        changed += _changed(then.get("versions") or {}, now.get("versions") or {})
        if changed:
            name = after if before == after else f"{before} → {after}"
            found.append(f"{name}: {', '.join(changed)}")
    return found


def _changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    return [
        f"{key} {_shown(old.get(key))} → {_shown(new.get(key))}"
        for key in dict.fromkeys([*old, *new])
        if old.get(key) != new.get(key)
    ]


def _shown(value: Any) -> str:
    text = "none" if value is None or value == "" else str(value)
    return text if len(text) <= 40 else f"{text[:12]}…"
