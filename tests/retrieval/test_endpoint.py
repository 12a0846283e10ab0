from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from perturb.errors import ConfigError, RetrieverError
from perturb.records import Document
from perturb.retrieval import build_retriever
from perturb.retrieval.endpoint import EndpointEncoder
from perturb.retrieval.settings import RetrieverSettings


def vector(text: str) -> list[float]:
    return [float(len(text)), float(text.count("a")), 1.0]


class Server(ThreadingHTTPServer):
    """Answers with vectors in reverse order; tests set what else it does."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[tuple[dict[str, Any], str | None]] = []
        self.failures: list[int] = []
        self.answer: Any = None
        self.url = f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((body, self.headers.get("Authorization")))
        status = self.server.failures.pop(0) if self.server.failures else 200
        entries = [{"index": n, "embedding": vector(text)} for n, text in enumerate(body["input"])]
        answer = {"data": entries[::-1]} if self.server.answer is None else self.server.answer
        content = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
        self.send_response(status if self.path == "/v1/embeddings" else 404)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments: Any) -> None:
        """Silence."""


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    thread = threading.Thread(target=running.serve_forever, args=(0.01,))
    thread.start()
    yield running
    running.shutdown()
    thread.join()
    running.server_close()


def encoder(server: Server, **values: Any) -> EndpointEncoder:
    table = {"base_url": server.url, "model": "bge-m3", **values}
    return EndpointEncoder("remote", RetrieverSettings.from_table(table, "test"), pause_seconds=0.0)


def test_vectors_come_back_in_order_in_batches_with_prompts_and_key(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_KEY", "abc")
    remote = encoder(server, batch_size=2, prompt_query="Q: ", api_key_env="TEST_KEY")
    texts = ["a", "umowa najmu", "żółć"]
    assert remote.encode_queries(texts).tolist() == [vector(f"Q: {text}") for text in texts]
    assert remote.encode_documents(texts).tolist() == [vector(text) for text in texts]
    assert remote.encode_queries([]).shape == (0, 3)
    assert [len(body["input"]) for body, _ in server.requests] == [1, 2, 1, 2, 1]
    assert {key for _, key in server.requests} == {"Bearer abc"}
    assert "abc" not in json.dumps(remote.description())


def test_a_table_makes_a_retriever(server: Server) -> None:
    tables = {"remote": {"kind": "endpoint", "base_url": server.url + "/", "model": "m", "similarity": "dot"}}
    retriever = build_retriever("remote", tables=tables)
    retriever.index([Document("long", "aaaa"), Document("short", "a")])
    rankings = retriever.search([("q", "aa")], 2)
    np.testing.assert_allclose(rankings.scores, [[2 * 4 + 2 * 4 + 1, 2 + 2 + 1]])
    assert retriever.description()["similarity"] == "dot"
    assert any("does not tell" in note for note in retriever.notes)


def test_a_busy_server_is_asked_again(server: Server) -> None:
    server.failures = [503, 429]
    assert encoder(server).dim == 3
    server.failures = [503, 503, 503]
    with pytest.raises(RetrieverError, match="answered 503"):
        encoder(server)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"data": []}, "0 vectors for 1 text"),
        ({"error": "no such model"}, "unexpected answer"),
        ("<html>", "gave no answer"),
        ({"data": [{"index": 0, "embedding": "x"}]}, "unexpected answer"),
    ],
)
def test_nonsense_is_told_in_one_line(server: Server, answer: Any, message: str) -> None:
    server.answer = answer
    with pytest.raises(RetrieverError, match=message):
        encoder(server)


def test_a_refusal_is_not_repeated(server: Server) -> None:
    server.failures = [401]
    with pytest.raises(RetrieverError, match="answered 401"):
        encoder(server)
    assert len(server.requests) == 1


def test_vectors_of_another_length(server: Server) -> None:
    remote = encoder(server)
    server.answer = {"data": [{"index": 0, "embedding": [1.0]}]}
    with pytest.raises(RetrieverError, match="different lengths"):
        remote.encode_queries(["a"])


def test_no_server() -> None:
    with pytest.raises(RetrieverError, match="gave no answer"):
        table = {"base_url": "http://127.0.0.1:9/v1", "model": "m"}
        EndpointEncoder("remote", RetrieverSettings.from_table(table, "test"))


def test_settings_that_cannot_work() -> None:
    with pytest.raises(ConfigError, match="needs base_url"):
        build_retriever("r", tables={"r": {"kind": "endpoint", "model": "m", "base_url": "file:///etc/passwd"}})
    with pytest.raises(ConfigError, match="NO_SUCH_KEY is not set"):
        build_retriever(
            "r", tables={"r": {"kind": "endpoint", "model": "m", "base_url": "http://x", "api_key_env": "NO_SUCH_KEY"}}
        )
