"""Keeps what tests write out of the user's cache, and what they leave out of each other's way."""

import weakref
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Gives all tests, and the programs that they start, one temporary cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADLSP_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def nothing_watched() -> Iterator[None]:
    """Leaves out thousands of derivatives of other tests, where all are given other code."""
    from adlsp.library import watching

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watching, "_watches", weakref.WeakSet())
        yield
