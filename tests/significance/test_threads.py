from __future__ import annotations

from threadpoolctl import threadpool_info

from perturb.significance.threads import threads_for


def blas_threads() -> list[int]:
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def test_small_products_run_on_one_thread_and_the_setting_is_given_back():
    before = blas_threads()
    with threads_for(1e6):
        assert set(blas_threads()) == {1}
    with threads_for(1e12):
        assert blas_threads() == before
    assert blas_threads() == before
