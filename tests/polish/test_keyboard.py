from perturb.polish.keyboard import BARE, layout
from perturb.polish.text import POLISH_DIACRITICS


def test_altgr_gives_the_nine_letters_and_x_is_the_key_of_z_acute() -> None:
    altgr = layout().altgr
    assert {key: altgr[key] for key in "acelnosxz"} == dict(zip("acelnosxz", "ąćęłńóśźż", strict=True))
    assert altgr["X"] == "Ź"
    assert "b" not in altgr
    assert layout().without_altgr["ź"] == "x"
    assert layout().without_altgr["Ż"] == "Z"


def test_rows_are_qwerty_not_qwertz() -> None:
    near = layout().neighbours
    assert "y" in near["t"]
    assert "z" not in near["t"]
    assert set("asx") == set(near["z"])
    assert set("drw") == set(near["e"]) & set("drw")
    assert near["P"] == near["p"].upper()


def test_neighbours_are_letters_and_mutual() -> None:
    near = layout().neighbours
    for letter, others in near.items():
        assert others == "" or others.isalpha()
        assert letter not in others
        for other in others:
            assert letter in near[other], (letter, other)
            assert others.count(other) == near[other].count(letter)


def test_letters_with_diacritics_have_neighbours_on_their_own_layer() -> None:
    near = layout().neighbours
    for letter in POLISH_DIACRITICS:
        assert set(near[letter]) <= set(POLISH_DIACRITICS)
    assert set(near["ż"]) == set("ąśź")
    assert near["ń"] == ""


def test_same_row_counts_double() -> None:
    near = layout().neighbours["d"]
    assert near.count("s") == near.count("f") == 2
    assert near.count("e") == near.count("c") == 1


def test_confused_letters_lie_apart() -> None:
    for letter, others in layout().confused.items():
        assert letter not in others
        assert not set(others) & set(layout().neighbours[letter])


def test_bottom_row_lies_over_the_space_bar() -> None:
    assert layout().bottom_row == frozenset("cvbnmCVBNM")


def test_bare_letters() -> None:
    assert "zażółć gęślą jaźń ŻŹĄĘ".translate(BARE) == "zazolc gesla jazn ZZAE"
