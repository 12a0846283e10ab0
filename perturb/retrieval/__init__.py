"""Everything that ranks documents: lexical, dense, embedded and fused retrievers, and the exact search below them."""

from perturb.retrieval.base import Encoder, Retriever, RetrieverEntry
from perturb.retrieval.catalogue import RETRIEVERS, build_retriever

__all__ = ["RETRIEVERS", "Encoder", "Retriever", "RetrieverEntry", "build_retriever"]
