"""Polish for spaCy: our tokens, a Morfeusz component for any pipeline, and terms found by lemma.

The only module that imports spaCy. Importing it registers the component factory ``perturb_morfeusz``; installed, the
factory is also found through the entry point group ``spacy_factories`` without importing perturb.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from spacy import blank, load
from spacy.language import Language
from spacy.matcher import PhraseMatcher
from spacy.tokens import Doc, Span, Token
from spacy.vocab import Vocab

from perturb.errors import ConfigError
from perturb.polish.morphology import Reading, analyse, lemmas
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases import phrase_table
from perturb.polish.tags import SGJP_TO_UD, Tag, ud_features
from perturb.polish.text import clean, clean_with_offsets, tokenize
from perturb.records import Query
from perturb.resources import read_table

FACTORY = "perturb_morfeusz"

_UNLIKELY = {
    "brev": 4,
    "interj": 4,
    "romandig": 4,
    "adja": 3,
    "depr": 3,
    "pant": 2,
    "ger": 1,
    "ppas": 1,
    "pact": 1,
    "part": 1,
}


class QueryTokenizer:
    """spaCy tokenizer that gives the tokens of :func:`perturb.polish.text.tokenize`.

    *deadline’u*, *VAT-u*, *e-faktura* and *FV/12/2023* stay whole. White space beyond one space becomes a token of its
    own, as spaCy has it, so that ``doc.text`` is the cleaned text.
    """

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab

    def __call__(self, text: str) -> Doc:
        """Tokenise a text."""
        text = clean(text)
        words: list[str] = []
        spaces: list[bool] = []
        position = 0
        for token in tokenize(text):
            _append_gap(text[position : token.start], words, spaces)
            words.append(token.text)
            spaces.append(False)
            position = token.end
        _append_gap(text[position:], words, spaces)
        return Doc(self.vocab, words=words, spaces=spaces)

    def to_bytes(self, **_: Any) -> bytes:
        """Nothing to store: the tokenizer has no state."""
        return b""

    def from_bytes(self, _content: bytes, **_: Any) -> QueryTokenizer:
        """Nothing to restore."""
        return self

    def to_disk(self, path: Path | str, **_: Any) -> None:
        """Write the empty file that spaCy expects."""
        Path(path).write_bytes(b"")

    def from_disk(self, _path: Path | str, **_: Any) -> QueryTokenizer:
        """Nothing to restore."""
        return self


def _append_gap(gap: str, words: list[str], spaces: list[bool]) -> None:
    if gap.startswith(" ") and words:
        spaces[-1] = True
        gap = gap[1:]
    if gap:
        words.append(gap)
        spaces.append(False)


class MorfeuszComponent:
    """Fills lemmas, part of speech and morphology from the SGJP dictionary, without a trained model.

    Where earlier components have set ``token.pos_`` or ``token.morph`` (a trained pipeline), these choose among the
    readings of the dictionary and are kept. Sets ``token.lemma_``, ``token._.lemmas`` (every lemma, sorted),
    ``doc.spans["noun_phrases"]`` and, on any span, ``span._.inflections`` (the 7 by 2 table).

    Args:
        vocabulary: lemmas preferred where a form belongs to several, such as those of a term lexicon.
    """

    def __init__(self, vocabulary: Iterable[str] = ()) -> None:
        self.vocabulary = frozenset(word.lower() for word in vocabulary)

    def __call__(self, doc: Doc) -> Doc:
        """Annotate a document in place."""
        tags = {token.idx: tag for token in doc if (tag := _tag(token)) is not None}
        for token in doc:
            if token.is_space:
                continue
            word = clean(token.text)
            known = lemmas(word)
            token._.lemmas = known or (word.lower(),)
            expansion = _expansions().get(word.lower()) if _is_abbreviated(token) else None
            if expansion:
                token.lemma_ = expansion
                token._.lemmas = (expansion,)
                continue
            reading = self._choose(token, word)
            if reading is None:
                token.lemma_ = token.lemma_ or word
                continue
            token.lemma_ = reading.lemma
            if not token.pos:
                token.pos_ = _pos(reading)
            if not str(token.morph):
                token.set_morph(ud_features(reading))
        doc.spans["noun_phrases"] = _noun_phrases(doc, tags)
        return doc

    def _choose(self, token: Token, word: str) -> Reading | None:
        readings = analyse(word)
        if not readings:
            return None
        tagged = token.pos_
        features = set(str(token.morph).split("|")) - {""}

        def cost(reading: Reading) -> tuple[Any, ...]:
            own = set(ud_features(reading).split("|"))
            return (
                bool(tagged) and SGJP_TO_UD.get(reading.pos) != tagged,
                len(features - own),
                not reading.is_accepted,
                reading.lemma.lower() not in self.vocabulary,
                reading.is_proper and not word[:1].isupper(),
                _UNLIKELY.get(reading.pos, 0),
                bool(reading.names),
            )

        return min(readings, key=cost)


@lru_cache(maxsize=1)
def _expansions() -> dict[str, str]:
    return {row["abbreviation"].lower(): row["expansion"] for row in read_table("abbreviations.tsv")}


def _is_abbreviated(token: Token) -> bool:
    following = token.doc[token.i + 1].text if token.i + 1 < len(token.doc) else ""
    return following == "." and not token.whitespace_ and token.text.lower() in _expansions()


def _pos(reading: Reading) -> str:
    if reading.is_proper and reading.pos == "subst":
        return "PROPN"
    return SGJP_TO_UD.get(reading.pos, "X")


def _tag(token: Token) -> Tag | None:
    """What earlier components of the pipeline say of a token, if they say anything."""
    if not token.pos_ and not str(token.morph):
        return None
    return Tag(token.pos_, token.morph.to_dict(), -1 if token.head.i == token.i else token.head.idx, token.dep_)


def _tagged(query: ParsedQuery, tags: Mapping[int, Tag], offsets: Sequence[int]) -> ParsedQuery:
    """Hand tags by character offset on to the tokens of a query; a token that the pipeline cuts otherwise gets none."""
    index_of = {offsets[token.start]: index for index, token in enumerate(query.tokens)}
    found = [tags.get(offsets[token.start]) for token in query.tokens]
    query.tags = tuple(replace(tag, head=index_of.get(tag.head, -1)) if tag else None for tag in found)
    return query


def _noun_phrases(doc: Doc, tags: Mapping[int, Tag]) -> list[Span]:
    _, offsets = clean_with_offsets(doc.text)
    query = ParsedQuery(Query("", doc.text))
    spans: list[Span] = []
    for phrase in (_tagged(query, tags, offsets) if tags else query).noun_phrases:
        start, end = phrase.span
        span = doc.char_span(offsets[start], offsets[end], label="NP", alignment_mode="expand")
        if span is not None:
            spans.append(span)
    return spans


class Tagger:
    """Gives queries the tags and tree of a trained pipeline.

    Args:
        model: name or folder of a spaCy pipeline, such as ``pl_core_news_lg``.

    Raises:
        ConfigError: it is not installed.
    """

    def __init__(self, model: str) -> None:
        self.nlp = _load(model)
        meta = self.nlp.meta
        self.description = f"{meta.get('lang', '')}_{meta.get('name', '')} {meta.get('version', '')}".strip()

    def __call__(self, query: ParsedQuery) -> None:
        """Set ``query.tags``; call it before anything is asked of the query."""
        tags = {token.idx: tag for token in self.nlp(query.text) if (tag := _tag(token)) is not None}
        if tags:
            _tagged(query, tags, range(len(query.text) + 1))


def _inflections(span: Span) -> dict[str, dict[str, tuple[str, ...]]]:
    return {number: dict(cases) for number, cases in phrase_table(span.text).cells.items()}


class LemmaPhrases:
    """Sequences of lemmas found in sequences of lemmas, by spaCy's ``PhraseMatcher`` on the attribute ``LEMMA``.

    Args:
        phrases: by key the lemma sequences that count as that phrase.
    """

    def __init__(self, phrases: Mapping[int, Sequence[tuple[str, ...]]]) -> None:
        self.vocab = Vocab()
        self.matcher = PhraseMatcher(self.vocab, attr="LEMMA")
        self._keys: dict[int, int] = {}
        for key, sequences in phrases.items():
            name = str(key)
            self.matcher.add(name, [self._doc(sequence) for sequence in sequences])
            self._keys[self.vocab.strings[name]] = key

    def _doc(self, sequence: Sequence[str]) -> Doc:
        return Doc(self.vocab, words=list(sequence), lemmas=list(sequence))

    def find(self, sequence: Sequence[str]) -> list[tuple[int, int, int]]:
        """Every phrase in a sequence of lemmas, overlaps included: key, first token, one past the last token."""
        return [(self._keys[name], start, end) for name, start, end in self.matcher(self._doc(sequence))]


def _register_extensions() -> None:
    if not Token.has_extension("lemmas"):
        Token.set_extension("lemmas", default=())
    if not Span.has_extension("inflections"):
        Span.set_extension("inflections", getter=_inflections)


@Language.factory(  # type: ignore[untyped-decorator]
    FACTORY, default_config={"vocabulary": []}, assigns=["token.lemma", "token.morph", "doc.spans"]
)
def make_morfeusz(nlp: Language, name: str, vocabulary: list[str]) -> MorfeuszComponent:  # noqa: ARG001
    """Component factory for ``nlp.add_pipe("perturb_morfeusz", config={"vocabulary": [...]})``."""
    _register_extensions()
    return MorfeuszComponent(vocabulary)


def build_pipeline(model: str = "", vocabulary: Sequence[str] = ()) -> Language:
    """Make the pipeline that reads Polish queries.

    Args:
        model: name or folder of a trained spaCy pipeline, whose tags and morphology then choose among readings;
            empty for a blank pipeline with our own tokenizer.
        vocabulary: lemmas preferred where a form belongs to several.

    Raises:
        ConfigError: the named pipeline is not installed.
    """
    if model:
        nlp = _load(model)
    else:
        nlp = blank("pl")
        nlp.tokenizer = QueryTokenizer(nlp.vocab)
    nlp.add_pipe(FACTORY, config={"vocabulary": list(vocabulary)})
    return nlp


def _load(model: str) -> Language:
    try:
        return load(model)
    except OSError as error:
        raise ConfigError(f"spaCy pipeline {model!r} cannot be loaded; install it or give its folder") from error
