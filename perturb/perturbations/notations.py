"""Dates, amounts, percentages and times of day in the notations that Polish offices use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import lru_cache

from perturb.perturbations.counted import contexts, month_names
from perturb.perturbations.number_words import Rewriting, grouped
from perturb.polish.government import is_preposition
from perturb.polish.morphology import lemmas
from perturb.polish.numerals import ordinal
from perturb.polish.parsed import ParsedQuery

_NUMERIC_DATE = re.compile(
    r"(?P<day>\d{1,2})(?P<mark>[./])(?P<month>\d{1,2})(?P=mark)(?P<year>(?:19|20)\d{2})(?P<tail>\s?(?:r\.|roku\b|r\b))?"
)
_ISO_DATE = re.compile(r"(?P<year>(?:19|20)\d{2})-(?P<month>\d{2})-(?P<day>\d{2})(?P<tail>\s?(?:r\.|roku\b|r\b))?")
_GROUPED = r"\d{1,3}(?:[ \u00a0\u202f]\d{3})+|\d{1,3}(?:\.\d{3})+|\d+"
_CURRENCY = r"zł(?:otych|ote|oty)?|PLN|EUR|euro|€"
_AMOUNT = re.compile(
    rf"(?P<whole>{_GROUPED})(?P<cents>,\d{{2}})?(?P<thousand>\s?tys\.)?(?P<gap>\s?)(?P<currency>{_CURRENCY})(?!\w)"
)
_PERCENT = re.compile(r"(?P<value>\d+(?:,\d+)?)(?P<mark>\s?%|\s?proc\.|\sprocent(?!\w))")
_TIME = re.compile(
    r"(?:(?P<before>o|od|do|po|przed|około)\s)?(?P<label>godz\.\s?|godzin(?:a|y|ie|ą|ę)\s)?"
    r"(?P<hour>[01]?\d|2[0-4])(?P<mark>[:.])(?P<minute>[0-5]\d)(?!\w|[.:,]\d)",
    re.IGNORECASE,
)
_DATED = frozenset({"data", "dzień", "termin"})
_HOUR_CASES = {"o": "loc", "od": "gen", "do": "gen", "po": "loc", "przed": "inst", "około": "gen"}


@lru_cache(maxsize=1)
def _worded_date() -> re.Pattern[str]:
    months = "|".join(contexts()["month"])
    year = r"(?:\s(?P<year>(?:19|20)\d{2})(?P<tail>\s?(?:r\.|roku\b|r\b))?)?"
    return re.compile(rf"(?P<day>\d{{1,2}})\s(?P<month>{months})(?!\w){year}", re.IGNORECASE)


def _matches(query: ParsedQuery, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Matches that begin and end with tokens and touch no quotation, protected name, code or address."""
    starts = {token.start for token in query.tokens}
    ends = {token.end for token in query.tokens}
    barred = [token for token in query.tokens if token.shielded or token.kind in ("address", "code")]
    for match in pattern.finditer(query.text):
        start, end = match.span()
        free = all(token.end <= start or token.start >= end for token in barred)
        if free and start in starts and end in ends:
            yield match


def dates(query: ParsedQuery) -> Iterator[Rewriting]:
    """*12.05.2024* ↔ *12 maja 2024 r.* ↔ *2024-05-12*, and *12 maja* → *12.05*."""
    for pattern in (_NUMERIC_DATE, _ISO_DATE):
        for match in _matches(query, pattern):
            if pattern is not _NUMERIC_DATE or match["mark"] == "." or _introduced(query, match.start()):
                yield from _date_forms(match, int(match["month"]))
    for match in _matches(query, _worded_date()):
        month = int(contexts()["month"][match["month"].lower()])
        if match["year"] is not None:
            yield from _date_forms(match, month)
        elif _calendar_day(2024, month, int(match["day"])) and not match["month"].istitle():  # ul. 3 Maja
            yield Rewriting("date", *match.span(), f"{int(match['day']):02d}.{month:02d}", 0.8)


def _introduced(query: ParsedQuery, start: int) -> bool:
    """Whether what stands before *12/05/2024* makes it a date; after a noun it is as often the number of a document."""
    before = next((token for token in reversed(query.tokens) if token.end <= start), None)
    return before is None or is_preposition(before) or not _DATED.isdisjoint(lemmas(before.text))


def _calendar_day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _date_forms(match: re.Match[str], month: int) -> Iterator[Rewriting]:
    day = _calendar_day(int(match["year"]), month, int(match["day"]))
    if day is None:
        return
    # "r." stays where it stands if the date before it can still have it.
    tail = match["tail"] or ""
    worded = f"{day.day} {month_names()[month - 1]} {day.year}"
    forms = [f"{day:%d.%m.%Y}{tail}", f"{worded}{tail}", f"{day.isoformat()}"]
    if not tail:
        forms.append(f"{worded} r.")
    for form in forms:
        yield Rewriting("date", *match.span(), form)


def amounts(query: ParsedQuery) -> Iterator[Rewriting]:
    """*1 250,50 zł* ↔ *1250,50 PLN* ↔ *1.250,50 zł*, *60 000 zł* ↔ *60 tys. zł*, *900 zł* → *900zł*."""
    for match in _matches(query, _AMOUNT):
        value, cents = int(re.sub(r"\D", "", match["whole"])), match["cents"] or ""
        currency = match["currency"]
        if match["thousand"]:
            if not cents:
                yield Rewriting("amount", *match.span(), f"{grouped(value * 1000)} {currency}")
            continue
        whole = match["whole"]
        yield Rewriting("amount", *match.span(), f"{value}{cents} {currency}")
        if value >= 1000:
            dotted, spaced = f"{value:,}".replace(",", "."), f"{value:,}".replace(",", " ")
            yield Rewriting("amount", *match.span(), f"{spaced}{cents} {currency}")
            if cents:
                yield Rewriting("amount", *match.span(), f"{dotted}{cents} {currency}")
            elif value % 1_000_000 == 0:
                yield Rewriting("amount", *match.span(), f"{value // 1_000_000} mln {currency}")
            elif value % 1000 == 0 and value < 1_000_000:
                yield Rewriting("amount", *match.span(), f"{value // 1000} tys. {currency}")
        if cents == ",00":
            yield Rewriting("amount", *match.span(), f"{whole} {currency}")
        for other in _other_currencies(currency):
            gap = "" if other == "zł" and currency == "zł" else " "
            yield Rewriting("amount", *match.span(), f"{whole}{cents}{gap}{other}")


def _other_currencies(currency: str) -> tuple[str, ...]:
    if currency == "zł":
        return "zł", "PLN"
    if currency in ("EUR", "euro", "€"):
        return tuple(other for other in ("EUR", "euro", "€") if other != currency)
    return ("zł",)


def percentages(query: ParsedQuery) -> Iterator[Rewriting]:
    """*5%* ↔ *5 %* ↔ *5 proc.* ↔ *5 procent*; *0,5%* → *pół procent*."""
    for match in _matches(query, _PERCENT):
        for mark in ("%", " %", " proc.", " procent"):
            if mark != match["mark"]:
                yield Rewriting("percent", *match.span(), match["value"] + mark)
        if match["value"] == "0,5":
            yield Rewriting("percent", *match.span(), "pół procent")


def times(query: ParsedQuery) -> Iterator[Rewriting]:
    """*godz. 8:00* ↔ *godz. 8.00* ↔ *godz. 8*, *o 8:00* → *o ósmej*; a dot is a time only after *godz*."""
    for match in _matches(query, _TIME):
        if match["mark"] == "." and not match["label"]:
            continue
        other = "." if match["mark"] == ":" else ":"
        start, end = match.start("hour"), match.end()
        yield Rewriting("time", start, end, f"{match['hour']}{other}{match['minute']}")
        before = (match["before"] or "").lower()
        if match["minute"] != "00" or not (before or match["label"]):
            continue
        yield Rewriting("time", start, end, str(int(match["hour"])), 0.9)
        hour = int(match["hour"])
        if before and 1 <= hour <= 23:
            label = match.start("label") if match["label"] else start
            yield Rewriting("time", label, end, ordinal(hour, _HOUR_CASES[before], "f"), 0.9)


NOTATIONS: tuple[Callable[[ParsedQuery], Iterator[Rewriting]], ...] = (dates, amounts, percentages, times)
"""Every rule of this module, in the order in which it is tried."""
