"""The main job on a golden set that is not ours: the Polish help of LibreOffice, index entries as queries.

Needs Debian's package libreoffice-help-pl (MPL-2.0), whose pages are read where it installs them, or in the folder
given; options of ``perturb run`` may follow:

    python benchmarks/help_texts.py [FOLDER [OPTIONS]]

Builds a BEIR folder of about 1,500 pages and 6,500 index entries in a temporary place, runs the BM25 retrievers on
every default perturbation, and prints wall time, peak memory, the queries left out, and clean recall@5 beside
pytrec_eval's on the exported run.
"""

import html
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytrec_eval

INSTALLED = Path("/usr/share/libreoffice/help/pl")


def page_text(path: Path) -> tuple[str, str]:
    """Title and running text of a help page."""
    source = path.read_text(encoding="utf-8")
    title = re.search(r"<title>(.*?)</title>", source, re.DOTALL)
    body = source.partition('id="DisplayArea"')[2].partition('<div id="DonationFrame"')[0]
    body = re.sub(r"<(script|style|meta)\b[^>]*>(.*?</\1>)?", " ", body, flags=re.DOTALL)
    text = html.unescape(re.sub(r"<[^>]+>", " ", ">" + body))
    return html.unescape(title[1]) if title else "", " ".join(text.split())[1:].strip()


def build(source: Path, out: Path) -> None:
    """Write corpus, queries and judgements."""
    entries = re.findall(
        r'url:"pl/(text/[^"?#]+)[^"]*", app:"[^"]*", text:"([^"]*)"',
        (source / "bookmarks.js").read_text(encoding="utf-8"),
    )
    texts: dict[str, set[str]] = {}
    for page, entry in entries:
        text = " ".join(html.unescape(entry).replace(" -- ", " ").split())
        if text and (source / page).exists():
            texts.setdefault(text, set()).add(page)
    pages = sorted({page for found in texts.values() for page in found})
    out.mkdir(parents=True)
    with (out / "corpus.jsonl").open("w", encoding="utf-8") as corpus:
        for page in pages:
            title, text = page_text(source / page)
            corpus.write(json.dumps({"_id": page, "title": title, "text": text or title}, ensure_ascii=False) + "\n")
    with (
        (out / "queries.jsonl").open("w", encoding="utf-8") as queries,
        (out / "qrels.tsv").open("w", encoding="utf-8") as qrels,
    ):
        qrels.write("query-id\tcorpus-id\tscore\n")
        for number, (text, found) in enumerate(sorted(texts.items())):
            queries.write(json.dumps({"_id": f"b{number}", "text": text}, ensure_ascii=False) + "\n")
            qrels.writelines(f"b{number}\t{page}\t1\n" for page in sorted(found))
    print(f"{len(pages)} documents, {len(texts)} queries")


def oracle(golden_set: Path, run: Path) -> float:
    """Mean recall@5 of the originals by pytrec_eval."""
    qrels: dict[str, dict[str, int]] = {}
    for line in (golden_set / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query_id, doc_id, grade = line.split("\t")
        qrels.setdefault(query_id, {})[doc_id] = int(grade)
    with run.open(encoding="utf-8") as lines:
        ranked = pytrec_eval.parse_run(line for line in lines if line.split(" ", 1)[0] in qrels)
    scores = pytrec_eval.RelevanceEvaluator(qrels, {"recall_5"}).evaluate({q: ranked.get(q, {}) for q in qrels})
    return sum(score["recall_5"] for score in scores.values()) / len(qrels)


def main() -> None:
    """Build, run, compare."""
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else INSTALLED
    if not (source / "bookmarks.js").exists():
        sys.exit(f"{source}: no help pages; install Debian's libreoffice-help-pl or name the folder")
    with tempfile.TemporaryDirectory() as place:
        golden_set, out = Path(place) / "help", Path(place) / "out"
        build(source, golden_set)
        started = time.perf_counter()
        command = [
            sys.executable,
            "-m",
            "perturb",
            "run",
            str(golden_set),
            "--models",
            "bm25,bm25-lemma",
            "--out",
            str(out),
            *sys.argv[2:],
        ]
        subprocess.run(command, check=True)
        seconds = time.perf_counter() - started
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
        record = json.loads((out / "run.json").read_text(encoding="utf-8"))
        skipped = {reason: len(ids) for reason, ids in record["golden_set"]["excluded"].items()}
        print(f"{seconds:.0f} s, peak {peak:.2f} GiB, left out: {skipped}")
        import pyarrow.parquet as pq

        frame = pq.read_table(out / "scores.parquet").to_pandas()
        for model in ("bm25", "bm25-lemma"):
            rows = frame[(frame.model == model) & (frame.perturbation == "original") & (frame.measure == "recall@5")]
            trec = oracle(golden_set, out / "runs" / f"{model}.trec")
            print(f"{model}: clean recall@5 {rows.score.mean():.6f}, pytrec_eval {trec:.6f}")


if __name__ == "__main__":
    main()
