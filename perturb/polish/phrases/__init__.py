"""Polish noun phrases: found in queries, parsed, and inflected as a whole."""

from perturb.polish.phrases.find import NounPhrase, find_phrases
from perturb.polish.phrases.shapes import CONFIDENCE_THRESHOLD, Cell, Governor, Inflection, PhraseTable
from perturb.polish.phrases.table import inflect, phrase_table

__all__ = [
    "CONFIDENCE_THRESHOLD",
    "Cell",
    "Governor",
    "Inflection",
    "NounPhrase",
    "PhraseTable",
    "find_phrases",
    "inflect",
    "phrase_table",
]
