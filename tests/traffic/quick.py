"""Detector errors measured on fewer texts, for tests that do not look at them closely."""

from collections.abc import Iterator

import pytest

from perturb.traffic import errors_of_detectors


@pytest.fixture(scope="module", autouse=True)
def quick_errors() -> Iterator[None]:
    def forget() -> None:
        errors_of_detectors.diacritics_errors.cache_clear()
        errors_of_detectors.mistake_errors.cache_clear()

    forget()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(errors_of_detectors, "_TEXTS", 120)
        patch.setattr(errors_of_detectors, "_PLANTED", 25)
        yield
    forget()
