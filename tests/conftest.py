"""No test reads or writes what belongs to the user: caches and counters live in a folder of the session."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("PERTURB_CACHE", "PERTURB_STATE"):
            patch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))
        yield
