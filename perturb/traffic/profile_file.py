"""``profile.toml``: a profile as a commented file that people read, edit and share."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from perturb import __version__
from perturb.errors import ConfigError
from perturb.files import replacing
from perturb.perturbations import load_all
from perturb.perturbations.base import build
from perturb.polish.morphology import dictionary_id
from perturb.traffic.estimates import CONFIDENCE, Share
from perturb.traffic.kinds import MIXED
from perturb.traffic.profile import ENOUGH, KindShare, Profile

VERSION = 1
"""Version of the file format; others are refused."""

_WORTH_SAYING = 0.0005
"""Shares of the traffic below which it does not matter that a mix leaves them out."""

_HEADER = """\
# Noise profile of a query log: how often each kind of noise occurs in it.
# `perturb run GOLDENSET --profile FILE` gives each query the noise that this traffic would, in the shares under [mix].
# Shares are 0 to 1, low and high their {confidence:.0f} % intervals; figures that rest on a detector are corrected for
# its errors (Rogan and Gladen 1978), which were measured on clean business Polish with planted noise. Logs full of
# names and trade terms that the dictionary lacks show more mistakes than there are.
"""
_MIX = """\
# What --profile makes of your golden set, by perturbation. A share is meant of the queries to which the perturbation
# applies; what the golden set has already is taken off. Edit freely: 0 to 1, and what excludes one another (all
# diacritics or some, one kind of mistake, lower or upper) adds up to 1 at most. Small letters are never made capital.
"""
_EXAMPLES = """\
# Queries of the log, kept because --examples was given. Look through them before you share this file.
"""


def render(profile: Profile) -> str:
    """A profile as TOML; holds no text of any query unless the profile has examples."""
    return "\n".join(_lines(profile)) + "\n"


def write_profile(profile: Profile, path: Path) -> None:
    """Write a profile; the file is replaced whole.

    Raises:
        ConfigError: it cannot be written there.
    """
    try:
        with replacing(path) as partial:
            partial.write_text(render(profile), encoding="utf-8", newline="\n")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written ({error.strerror or error}); give another --out") from error


def _lines(profile: Profile) -> Iterator[str]:
    yield _HEADER.format(confidence=100 * CONFIDENCE) + f"version = {VERSION}"
    yield f"perturb = {_text(__version__)}"
    yield f"morfeusz = {_text(dictionary_id())}"
    yield "\n[log]\n# effective: independent queries the log is worth; one sent often tells about one way of typing."
    yield from (f"{key} = {value:g}" if value % 1 else f"{key} = {int(value)}" for key, value in profile.log.items())
    yield "\n" + _MIX + "[mix]"
    yield from (f"{_text(rule)} = {share:.4f}" for rule, share in profile.mix.items())
    if profile.left_out:
        yield f"# Left out: fewer than {profile.enough} effective queries could show it. Add a line if you know better."
        yield from (f"# {_text(rule)}: {effective:g} effective" for rule, effective in profile.left_out.items())
    for kind, found in profile.kinds.items():
        yield f"\n# Share of {found.of}: {found.how}."
        yield f"[kinds.{kind}]"
        yield from _figures(found)
    lengths = profile.lengths
    yield "\n[lengths]\n# words: how many queries have 1, 2, … 10 words, and more."
    yield f"words = {list(lengths.words)}"
    for name in ("mean_words", "median_words", "mean_characters"):
        share: Share = getattr(lengths, name)
        yield f"{name} = {{ estimate = {share.estimate:.2f}, low = {share.low:.2f}, high = {share.high:.2f} }}"
    if profile.examples:
        yield "\n" + _EXAMPLES + "[examples]"
        yield from (f"{_text(kind)} = [{', '.join(map(_text, queries))}]" for kind, queries in profile.examples.items())


def _figures(found: KindShare) -> Iterator[str]:
    share = found.share
    yield f"share = {share.estimate:.4f}"
    yield f"low = {share.low:.4f}"
    yield f"high = {share.high:.4f}"
    yield f"count = {found.count}"
    yield f"n = {found.n}"
    yield f"effective = {found.effective:.1f}"
    if found.observed is not None:
        yield f"observed = {found.observed:.4f}"
        yield f"sensitivity = {found.sensitivity:.3f}"
        yield f"false_positives = {found.false_positives:.4f}"


def _text(value: str) -> str:
    """A TOML basic string; JSON escapes are a subset but for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _worth(content: Mapping[str, Any]) -> float:
    """Effective queries of the log, unless somebody took that figure out."""
    log = content.get("log")
    worth = log.get("effective") if isinstance(log, Mapping) else None
    return float(worth) if isinstance(worth, int | float) else float("inf")


def not_in_mix(content: Mapping[str, Any]) -> dict[str, float]:
    """Kinds of noise that a log showed and that the mix of its profile has not, with their shares of all its queries.

    Left out were those that too few queries could show; whoever edits a profile may have left out others.

    Args:
        content: as :func:`read_profile` gives it; figures that somebody took out count as nothing seen.
    """
    log = content.get("log")
    queries = _figure(log, "queries")
    kinds = content.get("kinds")
    if not queries or not isinstance(kinds, Mapping):
        return {}
    shares = {
        rule: _figure(kinds.get(kind), "share") * min(1.0, _figure(kinds.get(kind), "n") / queries)
        for kind, rule in MIXED.items()
        if rule not in content["mix"]
    }
    return {rule: round(share, 4) for rule, share in shares.items() if share >= _WORTH_SAYING}


def _figure(table: Any, key: str) -> float:
    found = table.get(key) if isinstance(table, Mapping) else None
    return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else 0.0


def read_profile(path: Path) -> dict[str, Any]:
    """Read a profile, as ``perturb profile`` wrote it or as somebody edited it.

    Returns:
        Its content; ``mix`` holds shares that ``traffic_mix`` accepts.

    Raises:
        ConfigError: not TOML, another version, a mix that cannot be drawn, or one left empty by too short a log; it
            names file and key.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise ConfigError(f"{path}: no such file; make one with `perturb profile queries.csv`") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read as a profile ({error})") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from error
    if content.get("version") != VERSION:
        raise ConfigError(
            f"{path}: version = {content.get('version')!r}, this perturb reads {VERSION}; make the profile again"
        )
    mix = content.get("mix")
    if not isinstance(mix, Mapping):
        raise ConfigError(f"{path}: has no table [mix] with shares; make the profile again")
    if not mix and (worth := _worth(content)) < ENOUGH:
        raise ConfigError(
            f"{path}: [mix] is empty, since the log is too short (effective = {worth:g}) for any share; "
            "make the profile of a longer log, or write shares under [mix]"
        )
    for rule, share in mix.items():
        if isinstance(share, bool) or not isinstance(share, int | float):
            raise ConfigError(f'{path}: mix."{rule}" = {share!r}: give a share from 0 to 1')
    load_all()
    try:
        build("traffic_mix", {"shares": dict(mix)})
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error
    # A run keeps the profile as JSON, which has no dates: those that somebody noted in the file become text.
    kept: dict[str, Any] = json.loads(json.dumps(content, default=str))
    return kept
