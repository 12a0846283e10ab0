"""Tokens: what is a word that rules may change, and what nothing may touch, in every notation people use."""

from __future__ import annotations

import time

import pytest

from perturb.polish.text import Token, tokenize

SPACES = (" ", "\u00a0", "\u2007", "\u2009", "\u202f")
UNTOUCHABLE = (
    # bank accounts, cards, identifiers of people and firms, telephones
    "PL61 1090 1014 0000 0712 1981 2874", "PL61109010140000071219812874", "61 1090 1014 0000 0712 1981 2874",
    "4111 1111 1111 1111", "4111-1111-1111-1111", "525-000-12-34", "525 000 12 34", "PL5250001234",
    "44051401359",
    "0000123456", "BREXPLPW", "BREXPLPWXXX", "+48 22 123 45 67", "(22) 123-45-67", "22 123-45-67",
    "22/123.45.67",
    "+48 (22) 123 45 67", "0-800-123-456", "600 700 800 90",
    # amounts and quantities
    "1 250,50", "2 500 000", "1.250,50", "1,250.50", "1'250.50", "1’250’000,00", "-5,5%", "+3,2", "−5,5",
    "±0,5", "5zł",
    "10x20", "10×20×5", "8–16", "8—16", "½", "1½", "10³", "H2O", "１２３４", "١٢٣٤",
    # dates, times, versions
    "12.05.2024", "2024-05-12", "12/05/2024", "12-05-2024r", "12.V.2024", "14:30", "2024-05-12T14:30:00+02:00",
    "2020/21",
    "v2.14.3-rc1", "2.14.3", "HTTP/1.1", "0x80070005",
    # law, standards, document numbers
    "15¹", "22(1)", "22^1", "183a", "2006/112/WE", "2016/679", "IV/2024", "XIV", "Dz.U.", "Dz. U.",
    "27001:2022",
    "1090-2+A1:2011", "PDF/A-1b", "FV/2024/05/001", "0114-KDIP1-1.4012.123.2024.1.AB", "123/A/NBP/2024",
    "JPK_V7M", "PIT-37",
    # addresses, files, hosts
    "jan.kowalski+faktury@przykład.pl", "żółw@łódź.com.pl", "biuro@localhost", "mailto:biuro@firma.pl",
    "tel:600700800",
    "https://firma.pl/umowa?typ=najem#warunki", "HTTP://FIRMA.PL/UMOWA", "www.firma.pl", "żółw.pl",
    "moja-firma.online",
    "podatki.gov.pl/umowy/najem", "https://firma.pl/umowa_(najmu)", "192.168.0.1:8080/panel",
    "localhost:8080/panel", "10.0.0.0/8",
    "00:1A:2B:3C:4D:5E", "2001:db8::1", "fe80::1%eth0", "443/tcp", "umowa_najmu.docx", "Faktura-Zażółć.PDF",
    "umowa.tar.gz",
    "skrypt.py", "dane.parquet", r"C:\Users\Żaneta\najem.docx", r"\\serwer\udział\umowy", "~/dokumenty/umowy",
    "./skrypty",
    "../umowy", "/home/łukasz/umowy", "#umowaNajmu", "#umowa_o_pracę2024", "@księgowość",
    # code
    "funkcja_glowna", "camelCase", "obiekt.metoda", "$zmienna", "${zmienna}", "{{szablon}}", "%USERPROFILE%",
    "--opcja-dluga",
    "std::vector", "a->b", "<umowa>", "</umowa>", "550e8400-e29b-41d4-a716-446655440000",
)  # fmt: skip


def words(text: str, *protected: str) -> list[str]:
    return [token.text for token in tokenize(text, protected) if token.is_word]


def inside(token: Token, text: str, piece: str) -> bool:
    start = text.index(piece)
    return token.start < start + len(piece) and start < token.end


@pytest.mark.parametrize("piece", UNTOUCHABLE)
@pytest.mark.parametrize("frame", ["{}", "umowa {} lokalu", "umowa ({}), najem", "umowa: {}.", "umowa „x” {}?"])
def test_no_part_of_a_code_number_or_address_is_a_word(frame: str, piece: str) -> None:
    text = frame.format(piece)
    touched = [token.text for token in tokenize(text) if token.is_word and inside(token, text, piece)]
    assert not touched
    if frame.startswith("umowa"):
        assert "umowa" in words(text)


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize(
    "digits", ["1 250,50", "2 500 000", "PL61 1090 1014 0000 0712 1981 2874", "525 000 12 34", "+48 22 123 45 67"]
)
def test_grouped_digits_are_one_token_whatever_space_parts_them(digits: str, space: str) -> None:
    digits = digits.replace(" ", space)
    assert digits in [token.text for token in tokenize(f"umowa {digits} najem")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("towaru.Kiedy zwrot", ["towaru", "Kiedy", "zwrot"]),
        ("np.faktura i nr.faktury", ["faktura", "i", "faktury"]),
        ("umowa,najem;zwrot", ["umowa", "najem", "zwrot"]),
        ("ulga/zwrot", ["ulga", "zwrot"]),
        ("umowa -- najem – lokal", ["umowa", "najem", "lokal"]),
        ("a < b i c > d umowa", ["a", "b", "i", "c", "d", "umowa"]),
        ("umowa(2) i najem[3]", ["umowa", "i", "najem"]),
        ("limit 10 000 zł na 14 dni", ["limit", "na", "dni"]),
        ("umowa najmu.", ["umowa", "najmu"]),
        ("VAT-u i e-faktura", ["VAT-u", "i", "e-faktura"]),
        ("lit. a ustawy i PIT/O", ["ustawy", "i", "PIT"]),
        ("polsko-czesko-słowacka umowa", ["polsko-czesko-słowacka", "umowa"]),
        ("a-" * 5000 + "a umowa", ["umowa"]),
    ],
)
def test_words_beside_signs_stay_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    "quoted",
    [
        "„umowa plus”", "„umowa plus“", "“umowa plus”", '"umowa plus"', '„umowa plus"', '"umowa plus”', "”umowa plus”",
        "«umowa plus»", "»umowa plus«", "‹umowa plus›", "‚umowa plus’", "‘umowa plus’", "'umowa plus'", "`umowa plus`",
        ",,umowa plus''", ",,umowa plus”", "„umowa „plus” termin”", "„umowa «plus» termin”", "«umowa „plus” termin»",
    ],
)  # fmt: skip
@pytest.mark.parametrize("frame", ["zwrot {} towar", "{}, zwrot towar", "zwrot towar ({})."])
def test_quotations_of_every_style_are_shielded(frame: str, quoted: str) -> None:
    text = frame.format(quoted)
    assert words(text) == ["zwrot", "towar"]
    assert all(token.shielded for token in tokenize(text) if inside(token, text, quoted))


@pytest.mark.parametrize(
    "text", ["„umowa najmu", "umowa najmu”", 'umowa "najmu', "umowa ’najmu", "„„umowa najmu", "umowa «najmu"]
)
def test_a_quotation_mark_without_its_partner_shields_nothing(text: str) -> None:
    assert words(text) == ["umowa", "najmu"]


@pytest.mark.parametrize(
    "text",
    [
        "Orlen",
        "ORLEN,",
        "(orlen)",
        "Orlen’u",
        "Orlen-owski",
        "e-Orlen",
        "Bank Polski",
        "bank  polski",
        "Bank\u00a0Polski:",
        "„Orlen",
    ],
)
def test_protected_names_are_shielded_with_all_that_hangs_on_them(text: str) -> None:
    assert words(f"zwrot {text} towar", "Orlen", "Bank Polski", "") == ["zwrot", "towar"]


@pytest.mark.parametrize("text", ["Orleny", "Bank Pocztowy", "Polski Bank", "bankier polski"])
def test_a_protected_name_inside_another_word_protects_nothing(text: str) -> None:
    assert words(text, "Orlen", "Bank Polski", "ban") == text.split()


@pytest.mark.parametrize(
    "piece",
    [
        "umowa ",
        "„",
        "„a",
        '"',
        "'",
        ",,",
        "‚",
        "{{",
        "<a",
        "%a",
        "1(",
        "1 ",
        "123 ",
        "1'234",
        "a.",
        "a:",
        "a-",
        "/a",
        "a@",
        "::",
        "_",
    ],
)
def test_a_long_text_costs_no_more_than_its_length(piece: str) -> None:
    text = piece * (20_000 // len(piece))
    started = time.perf_counter()
    tokens = tokenize(text, ("Orlen", "Bank Polski"))
    assert time.perf_counter() - started < 2
    assert all(text[token.start : token.end] == token.text for token in tokens)
    assert [token.start for token in tokens] == sorted(token.start for token in tokens)
