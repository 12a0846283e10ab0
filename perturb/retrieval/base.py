"""What every retriever and every encoder offers. Nothing heavy is imported here."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from perturb.records import Document, Float32Array, Rankings

if TYPE_CHECKING:
    from perturb.retrieval.settings import RetrieverSettings

Similarity = Literal["cosine", "dot"]
Role = Literal["query", "document"]
Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many texts are done, and how many there are."""


@runtime_checkable
class Encoder(Protocol):
    """Text to vectors. Prefixes and instructions belong to the encoder, never to the text it is given."""

    @property
    def name(self) -> str:
        """Name of the model, as reports show it."""
        ...

    @property
    def dim(self) -> int:
        """Number of components of a vector."""
        ...

    @property
    def similarity(self) -> Similarity:
        """How two vectors are compared."""
        ...

    def encode_queries(self, texts: Sequence[str]) -> Float32Array:
        """Encode queries: float32 ``(n, dim)``."""
        ...

    def encode_documents(self, texts: Sequence[str]) -> Float32Array:
        """Encode documents: float32 ``(n, dim)``."""
        ...

    def overlong(self, texts: Sequence[str], role: Role) -> list[int]:
        """Positions of the texts that the model cuts, prompt and special tokens included in the count."""
        ...

    def fingerprint(self) -> str:
        """Hexadecimal hash of all that decides the vectors: weights, tokenizer, prompts, dtype, versions."""
        ...

    def description(self) -> dict[str, object]:
        """What ``run.json`` keeps: prompts, dtype, versions, tokenizer class, maximum length."""
        ...

    def notes(self) -> list[str]:
        """What a reader of the report should know about this model, one sentence each."""
        ...


class Retriever(ABC):
    """Anything that ranks documents. It never sees a variant, only ``(query_id, text)``.

    Attributes:
        name: name of the model, as reports show it.
        notes: what a reader of the report should know, one sentence each; filled while indexing and searching.
        progress: called while long work goes on; None for silence.
    """

    name: str

    def __init__(self, name: str) -> None:
        self.name = name
        self.notes: list[str] = []
        self.progress: Progress | None = None

    @abstractmethod
    def index(self, documents: Sequence[Document]) -> None:
        """Take in the corpus, replacing any earlier one.

        Raises:
            RetrieverError: two documents share an id, or the model gives unusable vectors.
        """

    @abstractmethod
    def search(self, queries: Sequence[tuple[str, str]], k: int) -> Rankings:
        """Rank the indexed documents for each ``(query_id, text)``.

        Args:
            queries: ids and texts; the rows of the result keep their order.
            k: depth of the rankings, at least 1; may exceed the number of documents.

        Returns:
            The best ``k`` documents of each query, ties by ``doc_id`` descending; documents without evidence
            are left out.

        Raises:
            RetrieverError: nothing is indexed, or the model gives unusable vectors.
        """

    @abstractmethod
    def description(self) -> dict[str, object]:
        """Everything needed to repeat the ranking, as plain JSON values."""

    def query_tokens(self, texts: Sequence[str]) -> list[int] | None:  # noqa: ARG002  # for models that have them
        """Tokens of each query in the model's own tokenizer, without prompt; ``None`` if it has none."""
        return None

    def query_vectors(self, texts: Sequence[str]) -> Float32Array | None:  # noqa: ARG002  # for models that have them
        """Vectors of some queries, float32 ``(n, dim)``, from the cache where it has them; ``None`` without vectors."""
        return None

    def note(self, sentence: str) -> None:
        """Add a note once."""
        if sentence not in self.notes:
            self.notes.append(sentence)


@dataclass(frozen=True, slots=True)
class RetrieverEntry:
    """A retriever that users choose by name; what an entry point of the group ``perturb.retrievers`` must be.

    Attributes:
        summary: one line for ``perturb models``.
        requires: what must be installed, such as ``perturb-pl[embedded]``; empty if nothing beyond perturb.
        build: makes the retriever from its name and settings, importing its libraries only then.
        settings: names of the settings it reads.
    """

    summary: str
    build: Callable[[str, RetrieverSettings], Retriever]
    requires: str = ""
    settings: frozenset[str] = frozenset()


def versions_of(*distributions: str) -> Mapping[str, str]:
    """Installed versions of distributions; those that are not installed are left out."""
    from importlib.metadata import PackageNotFoundError, version

    found: dict[str, str] = {}
    for distribution in distributions:
        try:
            found[distribution] = version(distribution)
        except PackageNotFoundError:
            continue
    return found
