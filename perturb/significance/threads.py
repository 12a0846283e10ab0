"""One BLAS thread for small matrix products.

On a busy machine two threads wait for each other by whole scheduler ticks, and a product of half a millisecond takes
eight; a table with many such products took five times as long (measured with two cores and three busy processes).
"""

from __future__ import annotations

import functools
from contextlib import AbstractContextManager, nullcontext
from typing import Any

_WORTH_SHARING = 5e8
"""Multiplications from which a second thread is worth its risk: about five milliseconds of one core."""


@functools.cache
def _controller() -> Any:  # threadpoolctl has no type hints
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def threads_for(multiplications: float) -> AbstractContextManager[object]:
    """Context in which a matrix product of that size runs: on one thread if it is small, else on all."""
    if multiplications >= _WORTH_SHARING:
        return nullcontext()
    limited: AbstractContextManager[object] = _controller().limit(limits=1, user_api="blas")
    return limited
