"""The spaCy side: tokens, component in any pipeline, lemmas by vocabulary and by tags."""

from __future__ import annotations

from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc

from perturb.errors import ConfigError
from perturb.polish.pipeline import LemmaPhrases, build_pipeline


@pytest.fixture(scope="module")
def nlp() -> Language:
    return build_pipeline()


def lemma(nlp: Language, text: str, word: str) -> str:
    return next(token.lemma_ for token in nlp(text) if token.text == word)


@pytest.mark.parametrize(
    "word", ["deadline’u", "deadline'u", "VAT-u", "e-faktura", "FV/12/2023", "KPI-ów", "24-godzinny", "P&L"]
)
def test_our_tokens_stay_whole(nlp: Language, word: str) -> None:
    assert [token.text for token in nlp(f"o {word} i")] == ["o", word, "i"]


@pytest.mark.parametrize("text", ["", " ", "a  b", " a\tb ", "umowa\u00a0o pracę", "§ 5 ust. 2"])
def test_the_text_is_kept(nlp: Language, text: str) -> None:
    assert nlp(text).text == text


def test_lemmas_morphology_and_phrases(nlp: Language) -> None:
    doc = nlp("rozwiązanie umowy o pracę")
    umowy = doc[1]
    assert (umowy.lemma_, umowy.pos_) == ("umowa", "NOUN")
    assert "Gender=Fem" in str(umowy.morph)
    assert umowy._.lemmas == ("umowa",) or "umowa" in umowy._.lemmas
    spans = {span.text: span for span in doc.spans["noun_phrases"]}
    assert "umowy o pracę" in spans
    assert spans["umowy o pracę"]._.inflections["sg"]["inst"][0] == "umową o pracę"


def test_abbreviations_and_unknown_words(nlp: Language) -> None:
    assert lemma(nlp, "art. 5 ustawy", "art") == "artykuł"
    assert lemma(nlp, "qwxyz działa", "qwxyz") == "qwxyz"
    assert lemma(nlp, "zwrot VAT-u", "VAT-u") == "VAT"


def test_the_vocabulary_decides_between_lemmas() -> None:
    assert lemma(build_pipeline(vocabulary=["zgłosić"]), "zgłoszenia", "zgłoszenia") == "zgłosić"
    assert lemma(build_pipeline(vocabulary=["zgłoszenie"]), "zgłoszenia", "zgłoszenia") == "zgłoszenie"


def test_works_with_the_tokenizer_of_spacy() -> None:
    nlp = spacy.blank("pl")
    nlp.add_pipe("perturb_morfeusz", config={"vocabulary": ["umowa"]})
    doc = nlp("Wzo\u0301r umowy.")
    assert [token.lemma_ for token in doc][1:] == ["umowa", "."]
    assert "Wzo\u0301r umowy" in {span.text for span in doc.spans["noun_phrases"]}


@Language.component("test_tagger")
def tag_mam(doc: Doc) -> Doc:
    for token in doc:
        if token.text == "mam":
            token.pos_ = "NOUN" if token.i else "VERB"
    return doc


def test_tags_of_earlier_components_break_ties(tmp_path: Path) -> None:
    trained = spacy.blank("pl")
    trained.add_pipe("test_tagger")
    trained.to_disk(tmp_path / "model")
    nlp = build_pipeline(str(tmp_path / "model"))
    assert [token.lemma_ for token in nlp("mam mam")] == ["mieć", "mama"]
    assert [token.pos_ for token in nlp("mam mam")] == ["VERB", "NOUN"]


def test_a_pipeline_that_is_not_there() -> None:
    with pytest.raises(ConfigError, match="no_such_pipeline"):
        build_pipeline("no_such_pipeline")


def test_saved_and_loaded(nlp: Language, tmp_path: Path) -> None:
    nlp.to_disk(tmp_path / "ours")
    nlp.from_bytes(nlp.to_bytes())
    nlp.from_disk(tmp_path / "ours")
    assert [token.text for token in nlp("VAT-u")] == ["VAT-u"]


def test_lemma_phrases() -> None:
    phrases = LemmaPhrases({7: [("kara", "umowny")], 8: [("kara",)]})
    assert sorted(phrases.find(["o", "kara", "umowny"])) == [(7, 1, 3), (8, 1, 2)]
    assert phrases.find(["o"]) == []
