"""A trained pipeline breaks ties; the pipelines here are trained on a handful of sentences, or set tags by rule."""

from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc

from perturb.errors import ConfigError
from perturb.perturbations import load_all
from perturb.perturbations.base import build
from perturb.polish.parsed import ParsedQuery
from perturb.polish.pipeline import Tagger
from perturb.polish.tags import Tag, chosen, fits_tree
from perturb.records import Query
from perturb.suite import generate, specs_from

TAGS = {
    "mam": ("NOUN", "Case=Gen|Number=Plur"),
    "zamek": ("NOUN", "Case=Nom|Number=Sing"),
    "umowy": ("NOUN", "Case=Nom|Number=Plur"),
    "faktury": ("NOUN", "Case=Gen|Number=Sing"),
}


@Language.component("tags_by_rule")
def tags_by_rule(doc: Doc) -> Doc:
    for token in doc:
        if token.text in TAGS:
            pos, morph = TAGS[token.text]
            token.pos_ = pos
            token.set_morph(morph)
    return doc


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("model") / "rule"
    nlp = spacy.blank("pl")
    nlp.add_pipe("tags_by_rule")
    nlp.to_disk(path)
    return str(path)


def _parsed(text: str, model: str = "") -> ParsedQuery:
    query = ParsedQuery(Query("q", text))
    if model:
        Tagger(model)(query)
    return query


def test_a_tag_leaves_only_the_cells_it_allows(model: str) -> None:
    plain, tagged = _parsed("umowy najmu").noun_phrases[0], _parsed("umowy najmu", model).noun_phrases[0]
    assert ("sg", "gen") in plain.cells
    assert tagged.cells == {("pl", "nom")}


def test_a_tag_never_takes_the_last_reading() -> None:
    word = _parsed("umowa").looked_up[0]
    assert chosen(word, Tag("VERB", {})) is word
    assert chosen(word, Tag("ADJ", {})) is word
    assert chosen(word, Tag("NOUN", {"Case": "Ins"})) is word
    assert chosen(word, None) is word


def test_a_verb_tag_takes_the_noun_away() -> None:
    word = _parsed("piec").looked_up[0]
    assert word.nouns
    assert not chosen(word, Tag("VERB", {})).nouns
    assert chosen(word, Tag("NOUN", {})).nouns


def test_an_adjective_that_modifies_another_word_breaks_the_phrase() -> None:
    query = _parsed("ważna umowa najmu")
    phrase = query.noun_phrases[0]
    assert phrase.agreeing == (0,)
    inside = [Tag("ADJ", {}, 1, "amod"), Tag("NOUN", {}), Tag("NOUN", {}, 1, "nmod")]
    outside = [Tag("ADJ", {}, 2, "amod"), *inside[1:]]
    assert fits_tree(phrase, inside)
    assert not fits_tree(phrase, outside)
    query = _parsed("ważna umowa najmu")
    query.tags = tuple(outside)
    assert all(found.head != 1 for found in query.noun_phrases)


def test_a_suite_is_made_with_the_named_pipeline_and_says_so(model: str) -> None:
    queries = [Query("q", "faktury zakupu")]
    plain = generate(queries, specs_from(["case"]))
    tagged = generate(queries, specs_from(["case"]), tagger=Tagger(model))
    assert {v.kind for v in tagged.variants} != {v.kind for v in plain.variants}
    assert tagged.header["spacy_model"].startswith("pl_")
    assert plain.header["spacy_model"] == ""


def test_a_pipeline_without_tags_changes_nothing(tmp_path: Path) -> None:
    spacy.blank("pl").to_disk(tmp_path / "blank")
    load_all()
    query = _parsed("umowy najmu", str(tmp_path / "blank"))
    assert query.tags == ()
    assert build("case").name == "case"


def test_a_tagger_that_was_trained_here(tmp_path: Path) -> None:
    """Trained on four sentences until it knows them: the real path of a statistical pipeline, tokens and all."""
    from spacy.training import Example

    sentences = {
        "piec gazowy": ["NOUN", "ADJ"],
        "piec chleb": ["VERB", "NOUN"],
        "stary piec": ["ADJ", "NOUN"],
        "jak piec": ["ADV", "VERB"],
    }
    nlp = spacy.blank("pl")
    nlp.add_pipe("morphologizer")
    examples = []
    for text, pos in sentences.items():
        doc = nlp.make_doc(text)
        words = [token.text for token in doc]
        examples.append(Example(doc, Doc(nlp.vocab, words=words, pos=pos, morphs=["" for _ in pos])))
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(40):
        nlp.update(examples, sgd=optimizer)
    nlp.to_disk(tmp_path / "trained")
    tagger = Tagger(str(tmp_path / "trained"))
    heads = {}
    for text in ("piec gazowy", "jak piec"):
        query = ParsedQuery(Query("q", text))
        tagger(query)
        heads[text] = [phrase.surface for phrase in query.noun_phrases]
    assert heads == {"piec gazowy": ["piec gazowy"], "jak piec": []}


def test_a_pipeline_that_is_not_installed_is_named() -> None:
    with pytest.raises(ConfigError, match="'pl_core_news_none' cannot be loaded"):
        Tagger("pl_core_news_none")
