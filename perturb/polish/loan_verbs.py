"""Verbs that Poles make of English ones: *zaapprove’ować*, *zmergować*. All end in *-ować* and inflect alike."""

from __future__ import annotations

from perturb.polish.morphology import Reading

_PRESENT = {("sg", "pri"): "uję", ("sg", "sec"): "ujesz", ("sg", "ter"): "uje", ("pl", "pri"): "ujemy",
            ("pl", "sec"): "ujecie", ("pl", "ter"): "ują"}  # fmt: skip
_IMPERATIVE = {("sg", "sec"): "uj", ("pl", "pri"): "ujmy", ("pl", "sec"): "ujcie"}
_PAST = {"m1.sg": "ował", "m.sg": "ował", "f.sg": "owała", "n.sg": "owało", "m1.pl": "owali", "m.pl": "owały",
         "f.pl": "owały", "n.pl": "owały"}  # fmt: skip
_PAST_PERSON = {("sg", "pri"): ("em", "m"), ("sg", "sec"): ("eś", "ś"), ("pl", "pri"): ("śmy", "śmy"),
                ("pl", "sec"): ("ście", "ście")}  # fmt: skip
_FIXED = {"inf": "ować", "imps": "owano", "pcon": "ując", "pant": "owawszy"}


def conjugate(infinitive: str, reading: Reading) -> str:
    """The form of an *-ować* verb that stands where a form of another verb stands.

    Args:
        infinitive: such as ``zmergować``.
        reading: the form to stand in for: infinitive, present or future, imperative, past, conditional, impersonal or
            adverbial participle.

    Returns:
        The form; empty if there is none for this reading.
    """
    if not infinitive.endswith("ować"):
        return ""
    stem = infinitive.removesuffix("ować")
    if reading.pos in _FIXED:
        return stem + _FIXED[reading.pos]
    numbers, persons, genders = reading.get("number"), reading.get("person"), reading.get("gender")
    if len(numbers) != 1 or len(persons) > 1:
        return ""
    number, person = min(numbers), min(persons, default="ter")
    if reading.pos in ("fin", "impt"):
        ending = (_PRESENT if reading.pos == "fin" else _IMPERATIVE).get((number, person), "")
        return stem + ending if ending else ""
    if reading.pos not in ("praet", "cond") or not genders:
        return ""
    gender = "m1" if "m1" in genders else "m" if genders & {"m2", "m3"} else min(genders)
    past = stem + _PAST[f"{gender}.{number}"]
    after_l, after_vowel = _PAST_PERSON.get((number, person), ("", ""))
    if reading.pos == "cond":
        return f"{past}by{after_vowel}"
    return past + (after_l if past.endswith("ł") else after_vowel)
