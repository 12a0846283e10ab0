"""perturb: how much retrieval quality is lost when Polish queries are written the way people write them."""

__version__ = "0.1.0"
