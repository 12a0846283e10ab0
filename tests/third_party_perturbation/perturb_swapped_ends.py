"""A third-party perturbation: the first and the last word of a query change places."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from perturb.perturbations.base import Perturbation
from perturb.polish.parsed import ParsedQuery
from perturb.records import Variant


@dataclass(frozen=True)
class SwappedEnds(Perturbation):
    """Swap the first and the last word that may be changed, where they differ and each has ``min_length`` letters."""

    min_length: int = 2

    name = "swapped_ends"
    summary = "first and last word swapped"
    examples = (("umowa najmu lokalu", "lokalu najmu umowa"),)

    def __call__(self, query: ParsedQuery, rng: random.Random) -> Iterator[Variant]:
        """Yield one variant of kind ``swapped``."""
        words = [word for word in query.words if len(word.text) >= self.min_length]
        if len(words) < 2 or words[0].text == words[-1].text:
            query.decline("no two different words to swap")
            return
        first, last = words[0], words[-1]
        edits = [query.edit(first.start, first.end, last.text), query.edit(last.start, last.end, first.text)]
        yield query.variant(self.name, "swapped", edits)
