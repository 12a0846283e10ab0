"""Whatever stands in the files: checking lists findings, loading refuses in one line or succeeds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perturb.errors import GoldenSetError
from perturb.golden.checks import check
from perturb.golden.goldenset import load_golden_set

from .folders import golden

NAMES = (
    "corpus.jsonl", "corpus.csv", "corpus.tsv", "queries.jsonl", "queries.json", "queries.csv", "queries.tsv",
    "qrels.tsv", "qrels.csv", "qrels.trec", "qrels.txt", "qrels.json", "qrels.jsonl", "qrels/test.tsv",
    "queries.jsonl.gz", "goldenset.toml",
)  # fmt: skip
PIECES = (
    '"', '""', "\t", ";", ",", "|", " ", "\n", "\r\n", "\r", "{", "}", "[", "]", ":", "#", "# ",
    "sep=;", "0", "1", "-1",
    "1,5", "q1", "q2", "d1", "d2", "id", "text", "query-id", "corpus-id", "score", "_id", "null",
    "NaN", "\\ud83d", "\\u0000",
    "\x00",
    '{"_id":"q1","text":"', '"}\n', '{"q1":{"d1":', "\ufeff", "\u200b", "żółw", "e\u0301", "Ä…", "<p>", "\u2028", "1E5",
    "<", "&",
)  # fmt: skip
contents = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=25).map(lambda pieces: "".join(pieces).encode()), st.binary(max_size=40)
)


@settings(deadline=None, max_examples=300)
@given(name=st.sampled_from(NAMES), content=contents)
def test_nothing_escapes(tmp_path_factory: pytest.TempPathFactory, name: str, content: bytes) -> None:
    folder = golden(tmp_path_factory.mktemp("any"), {name: content})
    findings = check(folder)
    for finding in findings:
        line = str(finding)
        assert line.startswith(str(folder))
        assert "\n" not in line
        line.encode("utf-8")
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        with pytest.raises(GoldenSetError) as refusal:
            load_golden_set(folder)
        assert "\n" not in str(refusal.value)
        return
    golden_set = load_golden_set(folder)
    queries = {query.query_id for query in golden_set.queries}
    documents = {document.doc_id for document in golden_set.documents}
    assert len(queries) == len(golden_set.queries)
    assert len(documents) == len(golden_set.documents)
    assert all(judgement.query_id in queries and judgement.doc_id in documents for judgement in golden_set.judgements)
    assert all(query.text.strip() for query in golden_set.queries)
    "\n".join(query.text for query in golden_set.queries).encode("utf-8")
