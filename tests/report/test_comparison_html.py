from html.parser import HTMLParser
from itertools import product
from pathlib import Path

import pytest

from perturb.evaluation.compare import ChangeRow, Comparison
from perturb.report import comparison_html
from perturb.report.comparison import as_markdown
from perturb.report.heat import contrast, shade
from perturb.significance import Resampling

HOSTILE = '<script>alert("&")</script>'


def _row(model: str, measure: str, perturbation: str, change: float, p: float | None, n: int = 50) -> ChangeRow:
    low, high = (change - 0.05, change + 0.05) if p is not None else (None, None)
    return ChangeRow(model, measure, perturbation, "score", 0.5, 0.5 + change, change, low, high, p, p, n)


def _comparison(unit: str = "queries") -> Comparison:
    rows = [
        _row(model, measure, name, change, p, n)
        for model, measure in product(("a", HOSTILE), ("recall@5", "mrr@10"))
        for name, change, p, n in (
            ("original", 0.0, 1.0, 50),
            ("case", 0.2, 0.001, 50),
            ("typo", -0.3, 0.002, 50),
            ("diacritics", -0.1, None, 4),
        )
    ]
    rows = [row for row in rows if (row.model, row.perturbation) != (HOSTILE, "typo")]
    rows.append(ChangeRow("a", "recall@5", "typo", "drop", 0.1, 0.4, 0.3, 0.2, 0.4, 0.01, 0.03, 50))
    return Comparison(
        Path("old"), Path(f"new {HOSTILE}"), tuple(rows), ("dtype <differs>",), "test", Resampling(1), unit, 9
    )


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.links += [value[1:] for name, value in attrs if name == "href" and value]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_well_formed_escaped_and_its_links_lead_somewhere() -> None:
    page = comparison_html.render(_comparison())
    tags = _Tags()
    tags.feed(page)
    assert tags.open == [] and set(tags.links) <= set(tags.ids) and len(tags.ids) == len(set(tags.ids))
    assert "<script" not in page and "&lt;script&gt;" in page and "&lt;differs&gt;" in page
    assert "url(" not in page and "http" not in page and "<style>" in page


def test_every_measure_has_a_heat_map_and_its_figures() -> None:
    page = comparison_html.render(_comparison())
    assert page.count('<table class="heat">') == 2
    for measure in ("recall@5", "mrr@10"):
        assert page.count(f"<h3>{measure}</h3>") == page.count(f">{measure}</h2>") == 1
    assert page.count("<small>better</small>") == 4 and page.count("<small>worse</small>") == 2
    assert "+0.200" in page and "−0.300" in page and "+0.000" not in page
    assert page.count('<td class="soft">n/d</td>') == 2  # the model that has no typo
    assert "drop of recall@5 under typo" in page
    assert "8 figures: 2 worse, 2 better beyond noise." in page and "7 figures: 1 worse, 2 better beyond noise." in page


def test_the_unit_and_the_family_are_told() -> None:
    page = comparison_html.render(_comparison("groups of near-duplicate queries"))
    assert "50 queries of part test, resampled as 9 groups of near-duplicate queries; 2 models, 2 measures" in page
    assert "resamples of 9 groups of near-duplicate queries" in page
    assert "Holm correction over all 11 tests of recall@5, mrr@10 together" in page
    single = comparison_html.render(_comparison())
    assert "50 queries of part test; 2 models, 2 measures, 3 perturbations" in single
    text = as_markdown(_comparison())
    assert "### recall@5" in text and "### mrr@10" in text and "of recall@5, mrr@10 together" in text


def test_nothing_changed_is_said() -> None:
    row = _row("a", "recall@5", "original", 0.0, 1.0)
    page = comparison_html.render(Comparison(Path("o"), Path("n"), (row,), (), None, Resampling(1)))
    assert "nothing got better or worse beyond noise" in page
    assert "1 figure, none beyond noise" in page and "none better or worse beyond noise" in page
    assert "50 queries of the whole golden set; 1 model, 1 measure, 0 perturbations" in page and "Mind" not in page


@pytest.mark.parametrize("loss", [i / 100 for i in range(-40, 41, 5)])
def test_ink_can_be_read_on_every_shade(loss: float) -> None:
    background, ink = shade(loss)
    colour = tuple(int(part) for part in background[4:-1].split(","))
    assert len(colour) == 3
    black = (255, 255, 255) if ink == "#fff" else (28, 35, 48)
    assert contrast(black, (colour[0], colour[1], colour[2])) > 3.9


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21.0)
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)
    assert shade(0.2, few=True)[0] == shade(-0.9, few=True)[0]
