"""Numbers as they are read aloud: years, dates, times of day, decimals, amounts and areas.

Each function takes the tokens of a query and the place of a number and gives words, or nothing where nobody can tell
how it is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from perturb.perturbations.counted import contexts, month_names, noun_form, unit_lemmas
from perturb.perturbations.number_cases import governing_cases, unit_case
from perturb.perturbations.number_words import noun_gender
from perturb.perturbations.spoken_ordinals import is_roman, noun_cells
from perturb.polish.government import preposition_cases
from perturb.polish.morphology import lemmas
from perturb.polish.numerals import MAX_NUMBER, cardinal, governed_cell, ordinal
from perturb.polish.text import Token

_YEAR = re.compile(r"(?:19|20)\d{2}")
_DATE = re.compile(r"(\d{1,2})\.(\d{1,2})\.((?:19|20)\d{2})")
_ISO_DATE = re.compile(r"((?:19|20)\d{2})-(\d{2})-(\d{2})")
_TIME = re.compile(r"([01]?\d|2[0-3])[:.]([0-5]\d)")
_DECIMAL = re.compile(r"(\d{1,6}),(\d{1,2})")
_WHOLE = re.compile(r"\d{1,3}(?:[ \u00a0\u202f]\d{3})+|\d{1,6}")
_YEAR_CASES = {"rok": "nom", "rokiem": "inst", "rokowi": "dat"}
_HOURS = frozenset(
    {"czynny", "otwarty", "otwarcie", "godzina", "dyżur", "sklep", "infolinia", "praca", "pracować", "zmiana", "biuro"}
    | {"recepcja", "sekretariat", "kasa", "stołówka", "urząd", "dostawa", "szatnia", "kawiarnia", "magazyn", "dostępny"}
)
"""Words beside which *od 8 do 18* are hours."""
_DAYTIMES = frozenset({"rano", "wieczorem", "popołudniu", "południu"})
"""Words after an hour: *od 8 rano*."""
_IDENTIFIED = frozenset(
    {"seria", "partia", "numer", "nr", "kod", "id", "zamówienie", "zlecenie", "faktura", "sprawa", "zgłoszenie"}
    | {"ticket", "konto", "indeks", "klient", "umowa", "paczka", "przesyłka", "model", "lot", "batch", "reklamacja"}
)
"""Nouns whose number is an identifier, which nobody reads as a quantity: *seria 4512*."""
_READ_ACRONYMS = frozenset({"ISO", "PN", "EN"})
_AREAS = {"m2": "kwadratow", "m²": "kwadratow", "m3": "sześcienn", "m³": "sześcienn"}
_ENDINGS = {
    "sg": {"nom": "y", "gen": "ego", "dat": "emu", "acc": "y", "inst": "ym", "loc": "ym"},
    "pl": {"nom": "e", "gen": "ych", "dat": "ym", "acc": "e", "inst": "ymi", "loc": "ych"},
}


def year_words(value: int, case: str) -> str:
    """A year as an ordinal: *dwa tysiące dwudziestego szóstego*, *dwutysięcznego*."""
    if value == 2000:
        return f"dwutysięczn{_ENDINGS['sg'][case]}"
    return ordinal(value, case)


@lru_cache(maxsize=1)
def _before_years() -> frozenset[str]:
    """Dictionary forms of words whose year follows in the genitive; homonyms of months among them do no harm."""
    return frozenset(lemma for name in month_names() for lemma in lemmas(name)) | {"kwartał", "półrocze", "semestr"}


def spoken_year(tokens: Sequence[Token], index: int) -> tuple[int, str] | None:
    """A year as people say it and where it ends; nothing where it is no year, or bare and read as a number.

    *w 2026 roku*, *za 2025 r.*, *na rok 2026*, *w maju 2025* (always of the year: genitive), *od 2020*.
    """
    token = tokens[index]
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if token.shielded or not (_YEAR.fullmatch(token.text) or (following and _is_year_with_noun(token, following))):
        return None
    value, before = int(token.text), tokens[index - 1] if index else None
    if following is not None and following.lower in ("roku", "rok", "r"):
        return _year_with_noun(tokens, index)
    if before is None or not (before.is_word or before.kind == "number" or is_roman(before)):
        return None
    case = _year_case(tokens, index)
    return (token.end, year_words(value, case)) if case else None


def _is_year_with_noun(token: Token, following: Token) -> bool:
    """*w 966 r.*, *do 1410 roku*."""
    return re.fullmatch(r"[1-9]\d{2,3}", token.text) is not None and following.lower in ("roku", "r")


def _year_with_noun(tokens: Sequence[Token], index: int) -> tuple[int, str] | None:
    value, noun = int(tokens[index].text), tokens[index + 1]
    if value % 1000 == 0 and value not in (1000, 2000):
        return None
    cases = preposition_cases(tokens, index)
    if noun.lower == "rok" or (noun.lower == "r" and tokens[index - 1].lower in ("za", "na", "przez") and index):
        case, word = "nom", "rok"
    else:
        case, word = ("loc" if "loc" in cases else "gen"), "roku"
    end = noun.end
    if (
        noun.lower == "r"
        and index + 2 < len(tokens)
        and tokens[index + 2].text == "."
        and tokens[index + 2].start == end
    ):
        end = tokens[index + 2].end
    return end, f"{year_words(value, case)} {word}"


def _year_case(tokens: Sequence[Token], index: int) -> str:
    """Case of a year without its noun; empty where nothing before it asks for one."""
    before = tokens[index - 1]
    if is_roman(before) and index > 1:
        before = tokens[index - 2]  # kwartał IV 2025
    if before.lower == "roku":
        return "loc" if "loc" in preposition_cases(tokens, index - 1) else "gen"
    if before.lower in _YEAR_CASES:
        return _YEAR_CASES[before.lower]
    if before.is_word and not _before_years().isdisjoint(lemmas(before.lower)):
        return "gen"
    cases = preposition_cases(tokens, index)
    ends = index + 1 == len(tokens) or not (tokens[index + 1].is_word and noun_cells(tokens[index + 1]))
    return cases[0] if cases and ends and before.lower not in ("około", "ponad") else ""


def spoken_area(tokens: Sequence[Token], index: int) -> tuple[int, str] | None:
    """*45 m2*, *38 m kw.* → the offset where it ends and *czterdzieści pięć metrów kwadratowych*."""
    token, following = tokens[index], tokens[index + 1 : index + 4]
    if token.shielded or not following or not re.fullmatch(r"[1-9]\d{0,5}", token.text):
        return None
    stem, end = _AREAS.get(following[0].lower, ""), following[0].end
    if not stem and [part.lower for part in following[:2]] == ["m", "kw"]:
        stem, end = "kwadratow", following[1].end
        if len(following) > 2 and following[2].text == "." and following[2].start == end:
            end = following[2].end
    if not stem:
        return None
    case = unit_case(tokens, index, "metr")
    number, governed = governed_cell(int(token.text), case, "m3")
    noun = f"{noun_form('metr', number, governed)} {stem}{_ENDINGS[number][governed]}"
    return end, f"{cardinal(int(token.text), case)} {noun}"


def spoken_amount(tokens: Sequence[Token], index: int) -> str:
    """*1 250,50 zł* → *tysiąc dwieście pięćdziesiąt złotych pięćdziesiąt groszy*; empty for anything else."""
    digits = re.sub(r"[ \u00a0\u202f]", "", tokens[index].text)
    match = re.fullmatch(r"(\d{1,6}),(\d{2})", digits)
    following = tokens[index + 1].lower if index + 1 < len(tokens) else ""
    if match is None or tokens[index].shielded or following not in ("zł", "pln"):
        return ""
    case = unit_case(tokens, index, "złoty")
    parts = ((int(match[1]), "złoty"), (int(match[2]), "grosz"))
    return " ".join(
        f"{cardinal(value, case)} {noun_form(lemma, *governed_cell(value, case, 'm3'))}"
        for value, lemma in parts
        if value or (lemma == "złoty" and not parts[1][0])
    )


def spoken_decimal(tokens: Sequence[Token], index: int) -> tuple[int, str] | None:
    """*3,5 t* → its end and *trzy i pół tony*, *5,25%* → *pięć przecinek dwadzieścia pięć procenta*."""
    token = tokens[index]
    match = _DECIMAL.fullmatch(token.text.removesuffix("%"))
    if match is None or token.shielded:
        return None
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    lemma, end = ("procent", token.end) if token.text.endswith("%") else ("", token.end)
    if not lemma and after is not None and after.lower in unit_lemmas() and not after.shielded:
        lemma, end = unit_lemmas()[after.lower], after.end
        following = tokens[index + 2] if index + 2 < len(tokens) else None
        if (
            following is not None
            and following.text == "."
            and following.start == end
            and after.lower not in ("zł", "%")
        ):
            end = following.end
    half = match[2] in ("5", "50")
    words = _half(tokens, index, int(match[1]), lemma) if half and (lemma or _counts(after)) else _with_comma(match)
    if not lemma:
        return end, words
    noun = "procent" if lemma == "procent" and half else noun_form(lemma, "sg", "gen")
    return (end, f"{words} {noun}") if noun else None


def _counts(token: Token | None) -> bool:
    """Whether a noun in the genitive singular follows: *1,5 roku*."""
    return token is not None and token.is_word and any(cell[:2] == ("sg", "gen") for cell in noun_cells(token))


def _half(tokens: Sequence[Token], index: int, whole: int, lemma: str) -> str:
    if whole == 0:
        return "pół"
    if whole == 1:
        genders = {noun_gender(lemma)} if lemma else {cell[2] for cell in noun_cells(tokens[index + 1])}
        return "półtorej" if genders == {"f"} else "półtora"
    cases = preposition_cases(tokens, index)
    return f"{cardinal(whole, 'gen' if cases == ('gen',) else 'nom')} i pół"


def _with_comma(match: re.Match[str]) -> str:
    digits = match[2]
    read = [cardinal(int(digit)) for digit in digits] if digits.startswith("0") else [cardinal(int(digits))]
    return f"{cardinal(int(match[1]))} przecinek {' '.join(read)}"


def spoken_number(tokens: Sequence[Token], index: int) -> str:
    """A number on its own, read aloud; empty for what nobody reads as a number (versions, references)."""
    text = tokens[index].text
    date, iso = _DATE.fullmatch(text), _ISO_DATE.fullmatch(text)
    if date or iso:
        day, month, year = date.groups() if date else reversed(iso.groups()) if iso else ("", "", "")
        return _spoken_date(int(day), int(month), int(year))
    place, label = _before_label(tokens, index)
    time = _TIME.fullmatch(text)
    if time and (":" in text or label or _says_when(tokens, index)):
        return _spoken_time(tokens, place, int(time[1]), int(time[2]))
    after = tokens[index + 1].lower if index + 1 < len(tokens) else ""
    if after in contexts()["month"] and text.isdigit() and 1 <= int(text) <= 31:
        return ordinal(int(text), "gen")
    if text.isdigit() and 1 <= int(text) <= 24 and (label or _is_hour(tokens, index)):
        return _spoken_time(tokens, place, int(text), 0)
    value = _WHOLE.fullmatch(text.removesuffix("%"))
    if value is None or (len(value[0]) > 1 and text.startswith("0")):
        return ""
    number = int(re.sub(r"\D", "", text))
    if _is_identifier(tokens, index):
        return ""
    # do lat trzech: the numeral behind its noun stands in the same case
    counted = index > 1 and tokens[index - 1].lower == "lat"
    cases = preposition_cases(tokens, index - 1) if counted else governing_cases(tokens, index)
    if number == 1 and index + 1 < len(tokens) and tokens[index + 1].is_word:
        return _one(tokens[index + 1], cases)
    case = cases[0] if cases and cases[0] in ("gen", "loc", "inst") and not label else "nom"
    words = cardinal(number, case) if number <= MAX_NUMBER else ""
    return f"{words} procent" if words and text.endswith("%") else words


def _is_identifier(tokens: Sequence[Token], index: int) -> bool:
    """Whether a number names something: five digits in a row, four behind *seria*, *faktura* or an acronym."""
    text = tokens[index].text
    if not text.isdigit() or _YEAR.fullmatch(text):
        return False
    following = tokens[index + 1].lower if index + 1 < len(tokens) else ""
    if following in unit_lemmas() or following in ("zł", "tys", "mln"):
        return False
    before = tokens[index - 1] if index else None
    known = before is not None and (
        not set(lemmas(before.lower)).isdisjoint(_IDENTIFIED)
        or before.lower in _IDENTIFIED
        or (len(before.text) > 1 and before.text.isupper() and before.text not in _READ_ACRONYMS)
    )
    return len(text) >= 5 or (known and len(text) == 4)


def _one(noun: Token, cases: tuple[str, ...]) -> str:
    """*za 1 stronę* → *jedną*."""
    cells = [(case, gender) for number, case, gender in sorted(noun_cells(noun)) if number == "sg"]
    fitting = [cell for case in (cases or ("nom",)) for cell in cells if cell[0] == case]
    return cardinal(1, *fitting[0]) if fitting else cardinal(1)


def _spoken_date(day: int, month: int, year: int) -> str:
    if not (1 <= day <= 31 and 1 <= month <= 12):
        return ""
    return f"{ordinal(day, 'gen')} {month_names()[month - 1]} {year_words(year, 'gen')}"


def _before_label(tokens: Sequence[Token], index: int) -> tuple[int, bool]:
    """The place before *godz.*, whose case decides, and whether that word stands there."""
    place = index - 1
    if place > 0 and tokens[place].text == ".":
        place -= 1
    label = place >= 0 and (tokens[place].lower == "godz" or "godzina" in lemmas(tokens[place].lower))
    return (place, True) if label else (index, False)


def _says_when(tokens: Sequence[Token], index: int) -> bool:
    return index > 0 and tokens[index - 1].lower == "o"


def _is_hour(tokens: Sequence[Token], index: int) -> bool:
    """*o 8*, and *od 8 do 18* beside words of opening hours; nothing counted may follow."""
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    if after is not None and after.lower in _DAYTIMES:
        return True
    if after is not None and (after.text in (".", "%") or after.kind == "abbreviation" or _is_plural_noun(after)):
        return False
    before = tokens[index - 1].lower if index else ""
    beside = any(
        token.lower in _DAYTIMES or not _HOURS.isdisjoint(lemmas(token.lower)) for token in tokens if token.is_word
    )
    return before == "o" or (before in ("od", "do", "po", "przed") and beside)


def _is_plural_noun(token: Token) -> bool:
    return token.is_word and any(cell[0] == "pl" for cell in noun_cells(token)) and len(token.text) > 2


def _spoken_time(tokens: Sequence[Token], index: int, hour: int, minute: int) -> str:
    cases = preposition_cases(tokens, index)
    case = next((case for case in ("loc", "gen", "inst") if case in cases), "nom")
    words = ordinal(hour, case, "f") if hour else "zero"
    return words if not minute else f"{words} {cardinal(minute) if minute > 9 else f'zero {cardinal(minute)}'}"
