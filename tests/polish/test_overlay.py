import pytest

from perturb.polish.morphology import analyse, lemmas
from perturb.polish.overlay import overlay_lemma


@pytest.mark.parametrize("word", ["KPI", "ROI", "IT", "SLA", "KSeF", "NDA", "HR", "vendora", "KSeF-u"])
def test_words_of_the_overlay_are_nouns_and_nothing_else(word: str) -> None:
    readings = analyse(word)
    assert readings
    assert {reading.pos for reading in readings} == {"subst"}
    assert not any(reading.is_proper for reading in readings)


def test_an_acronym_counts_as_it_is_capitalised_but_its_lemma_in_any_capitals() -> None:
    assert {reading.lemma for reading in analyse("kpi")} == {"kpić"}
    assert lemmas("kpi") == lemmas("KPI") == ("kpi",)
    assert lemmas("vendorami") == ("vendor",)
    assert lemmas("Vendorzy") == ("vendor",)


def test_other_words_are_left_to_the_dictionary() -> None:
    assert overlay_lemma("umowa") is None
    assert lemmas("umów") == ("umowa", "umówić")


def test_cells_of_an_inflected_form() -> None:
    cells = {(min(r.get("number")), min(r.get("case"))) for r in analyse("vendorami")}
    assert cells == {("pl", "inst")}
