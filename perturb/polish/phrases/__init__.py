"""Polish noun phrases: found in queries, parsed, and inflected as a whole."""

from perturb.polish.phrases.find import NounPhrase, find_phrases
from perturb.polish.phrases.inflect import inflect, phrase_table
from perturb.polish.phrases.shapes import CONFIDENCE_THRESHOLD, Cell, Governor, Inflection, PhraseTable

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
