"""Small golden sets that tests write themselves."""

import json
from pathlib import Path

DOCUMENTS = {
    "d1": "Faktura korygująca: jak wystawić korektę faktury sprzedaży w systemie.",
    "d2": "Termin płatności faktury wynosi 30 dni od daty wystawienia.",
    "d3": "Umowa najmu lokalu użytkowego wymaga formy pisemnej.",
    "d4": "Wypowiedzenie umowy najmu składa się z miesięcznym wyprzedzeniem.",
    "d5": "Kopia zapasowa bazy danych powstaje co noc o drugiej.",
    "d6": "Zgłoszenie serwisowe obsługuje dział wsparcia w ciągu czterech godzin.",
    "d7": "Łódź żaglowa i źdźbło trawy: notatka z wyjazdu.",
    "d8": "Wniosek o urlop na żądanie składa pracownik przed rozpoczęciem pracy.",
}
QUERIES = {
    "q1": "jak wystawić fakturę korygującą",
    "q2": "termin płatności faktury",
    "q3": "wypowiedzenie umowy najmu lokalu użytkowego",
    "q4": "kopia zapasowa bazy danych",
    "q5": "zgłoszenie serwisowe do działu wsparcia",
    "q6": "wniosek o urlop na żądanie",
}
QRELS = [
    ("q1", "d1", 3),
    ("q1", "d2", 1),
    ("q2", "d2", 3),
    ("q3", "d4", 3),
    ("q3", "d3", 1),
    ("q4", "d5", 2),
    ("q5", "d6", 3),
    ("q6", "d8", 3),
    ("q6", "d1", 0),
]


def write_golden_set(
    folder: Path,
    documents: dict[str, str] | None = None,
    queries: dict[str, str] | None = None,
    qrels: list[tuple[str, str, int]] | None = None,
) -> Path:
    """Write a BEIR folder; what is not given is the small office above."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{"_id": i, "title": "", "text": t} for i, t in (DOCUMENTS if documents is None else documents).items()]
    _lines(folder / "corpus.jsonl", [json.dumps(row, ensure_ascii=False) for row in rows])
    rows = [{"_id": i, "text": t} for i, t in (QUERIES if queries is None else queries).items()]
    _lines(folder / "queries.jsonl", [json.dumps(row, ensure_ascii=False) for row in rows])
    judged = QRELS if qrels is None else qrels
    _lines(folder / "qrels.tsv", ["query-id\tcorpus-id\tscore", *(f"{q}\t{d}\t{g}" for q, d, g in judged)])
    return folder


def in_cp1250(folder: Path) -> Path:
    """Write the small office with texts in cp1250, queries in a table whose columns an unusual character parts."""
    write_golden_set(folder)
    (folder / "corpus.jsonl").write_text((folder / "corpus.jsonl").read_text(encoding="utf-8"), encoding="cp1250")
    (folder / "queries.jsonl").unlink()
    rows = ["_id|text", *(f"{query_id}|{text}" for query_id, text in QUERIES.items())]
    (folder / "queries.csv").write_text("\n".join(rows) + "\n", encoding="cp1250")
    return folder


def _lines(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
