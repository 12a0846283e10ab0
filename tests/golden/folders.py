"""Small golden sets written by tests."""

from __future__ import annotations

import json
from pathlib import Path

CORPUS = '{"_id":"d1","title":"Najem","text":"Umowa najmu lokalu."}\n{"_id":"d2","text":"Termin zwrotu podatku."}\n'
QUERIES = '{"_id":"q1","text":"czynsz za lokal"}\n{"_id":"q2","text":"kiedy oddają podatek"}\n'
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq2\td2\t1\n"
COMPLETE = {"corpus.jsonl": CORPUS, "queries.jsonl": QUERIES, "qrels.tsv": QRELS}


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    """Write files byte for byte; JSON halves of characters stay escapes."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return folder


def golden(folder: Path, files: dict[str, str | bytes]) -> Path:
    """Write a golden set: the given files, and for every part not among them a default that fits ids q1, q2, d1, d2."""
    given = {Path(name).parts[0].split(".")[0] for name in files}
    defaults = {name: content for name, content in COMPLETE.items() if name.split(".")[0] not in given}
    return write(folder, {**defaults, **files})


def jsonl(*rows: dict[str, object]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
