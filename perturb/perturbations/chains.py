"""Perturbations made of others: several in a row, and one in growing severity.

``chain:diacritics.strip+typo`` applies one rule to the result of the other and traces all edits back to the query as it
was; a part with a question mark is left out where it does not apply (``chain:diacritics.strip?+typo``);
``severity:typo`` applies a rule once, twice, three times, each level on top of the one before. Both are names like
any other: in ``--perturbations``, in ``perturb.toml`` and for :func:`perturb.perturbations.base.build`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import Any

from perturb.errors import ConfigError
from perturb.perturbations.base import PERTURBATIONS, Perturbation, build
from perturb.perturbations.compose import compose_edits
from perturb.polish.parsed import ParsedQuery
from perturb.records import Edit, Query, Variant

_STAGES = {
    "case": 0,
    "case_in_frame": 0,
    "number": 0,
    "english_phrase": 1,
    "english_terms": 1,
    "polish_terms": 1,
    "synonyms": 1,
    "abbreviations": 1,
    "numerals": 1,
    "query_form": 2,
    "spelling": 3,
    "spacing": 3,
    "realistic_ending": 3,
    "diacritics": 4,
    "typo": 5,
    "transliterate": 6,
    "encoding": 6,
    "unicode_form": 7,
}
"""Order in which rules build on one another: dictionaries know no mistyped words, and no words without diacritics."""

_THIRD_PARTY_STAGE = 1
_LEVELS = (1, 2, 3)
_SEVERITY_SETTINGS = ("severity", "mistakes")


def stage(name: str) -> int:
    """Place of a rule in a chain: inflection 0, wording 1, form 2, spelling 3, diacritics 4, typos 5, encodings 6, 7.

    Third-party rules say theirs in a class attribute ``stage``; without it they count as wording.
    """
    known = _STAGES.get(name, _STAGES.get(name.partition(".")[0]))
    return known if known is not None else int(getattr(PERTURBATIONS[name], "stage", _THIRD_PARTY_STAGE))


class Composed(Perturbation):
    """Base of the perturbations made of others; they are made on demand, so each object carries its own name."""

    def __init__(self, name: str, summary: str, draws: int) -> None:
        """Set what registered perturbations have as class attributes."""
        self.__dict__.update(name=name, summary=summary, draws=draws)


class Chain(Composed):
    """Rules applied one after the other, each to the result of the one before.

    Applicable only where every rule is, those aside that may be left out. Where a rule yields several variants, one is
    drawn. The kind joins the kinds of the rules (``strip+omission``); confidences multiply, flags add up, and edits
    refer to the query as it was.
    """

    def __init__(self, parts: Sequence[Perturbation], optional: Collection[str] = ()) -> None:
        """Chain rules in the order given.

        Args:
            parts: the rules.
            optional: names of rules that are left out where they do not apply.

        Raises:
            ConfigError: fewer than two rules, one that is itself made of others, or an order in which a rule could not
                build on the one before it.
        """
        name = _chain_name(parts, optional)
        if len(parts) < 2 or ":" in name.removeprefix("chain:"):
            raise ConfigError(f"{name}: give two or more plain perturbations joined by +")
        ordered = sorted(parts, key=lambda part: stage(part.name))
        if ordered != list(parts):
            raise ConfigError(
                f"{name}: rules that need whole words come before those that spoil them; "
                f"write {_chain_name(ordered, optional)}"
            )
        summary = " then ".join(part.name for part in parts)
        super().__init__(name, summary, max(1, *(part.draws for part in parts)))
        self.parts = tuple(parts)
        self.optional = frozenset(optional)

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant."""
        steps: list[Variant] = []
        edits: tuple[Edit, ...] = ()
        now = query
        for part in self.parts:
            offered = list(part(now, rng))
            if not offered and part.name in self.optional:
                continue
            if not offered:
                query.decline(f"{part.name} does not apply")
                return
            step = offered[int(rng.random() * len(offered))]
            edits = compose_edits(query.text, edits, step.edits)
            steps.append(step)
            if part is self.parts[-1]:
                break
            now = ParsedQuery(Query(query.query_id, step.text), query.protected)
            if now.text != step.text:
                query.decline(f"{part.name} leaves a text that the next rule cannot read")
                return
        if not edits:
            query.decline("none of the rules applies" if not steps else "the rules undo one another")
            return
        confidence = 1.0
        for step in steps:
            confidence *= step.confidence
        flags = {flag for step in steps for flag in step.flags}
        yield query.variant(self.name, "+".join(step.kind for step in steps), edits, confidence=confidence, flags=flags)


def _chain_name(parts: Sequence[Perturbation], optional: Collection[str]) -> str:
    return "chain:" + "+".join(f"{part.name}?" if part.name in optional else part.name for part in parts)


class Severity(Composed):
    """One rule in growing severity: kinds ``1``, ``2`` and ``3``; the clean query is level 0.

    Each level holds the mistakes of the level before and one more. All levels are yielded or none, so that the points
    of a severity curve are means over the same queries.
    """

    def __init__(self, part: Perturbation) -> None:
        """Take a rule with a setting ``severity`` or ``mistakes``.

        Raises:
            ConfigError: it has neither.
        """
        known: list[str] = [field.name for field in fields(part)] if is_dataclass(part) else []
        setting = next((name for name in _SEVERITY_SETTINGS if name in known), None)
        if setting is None:
            raise ConfigError(f"severity:{part.name}: {part.name} has no setting severity or mistakes; typo has one")
        super().__init__(f"severity:{part.name}", f"{part.name} with one, two and three mistakes", max(1, part.draws))
        self.levels: tuple[Perturbation, ...] = tuple(replace(part, **{setting: level}) for level in _LEVELS)  # type: ignore[type-var]

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant per level."""
        source = rng.getstate()
        found: list[Variant] = []
        for level, rule in zip(_LEVELS, self.levels, strict=True):
            rng.setstate(source)
            found += [
                replace(variant, perturbation=self.name, kind=str(level))
                for variant in rule(query, rng)
                if level == 1 or variant.kind == f"s{level}"
            ]
        if len({variant.text for variant in found}) == len(_LEVELS):
            yield from found
        else:
            query.decline("too few words for three mistakes")


def chain(*parts: Perturbation) -> Chain:
    """Chain rules: ``chain(build("diacritics.strip"), build("typo"))``.

    Raises:
        ConfigError: as :class:`Chain` says.
    """
    return Chain(parts)


def build_composed(name: str, settings: Mapping[str, Any] | None = None) -> Composed:
    """Make a perturbation from a name such as ``chain:diacritics.strip+typo`` or ``severity:typo``.

    Args:
        name: ``chain:`` with names joined by ``+``, or ``severity:`` with one name.
        settings: for a chain settings by part (``{"typo": {"min_length": 5}}``), for a severity those of the rule.

    Raises:
        ConfigError: unknown prefix, name or setting.
    """
    prefix, _, rest = name.partition(":")
    given = dict(settings or {})
    if prefix == "severity":
        return Severity(build(rest, given))
    if prefix != "chain":
        raise ConfigError(f"unknown perturbation {name!r}; composed ones begin with chain: or severity:")
    names = [part.removesuffix("?") for part in rest.split("+")]
    for key, value in given.items():
        if key not in names or not isinstance(value, Mapping):
            raise ConfigError(
                f"[perturbation.{name!r}] {key} = {value!r}: give a table of settings for {' or '.join(names)}"
            )
    optional = {part.removesuffix("?") for part in rest.split("+") if part.endswith("?")}
    return Chain([build(part, given.get(part)) for part in names], optional)
