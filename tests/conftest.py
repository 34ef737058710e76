"""Keeps what tests write out of the user's cache, and what they leave out of each other's way."""

import gc
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest


def pytest_collection_finish() -> None:
    """Lets the collector leave alone what stays until the end, and look seldom at the rest.

    Deriving makes many objects that go away by themselves.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the modules of random programs are, and the derivatives of them."""
    made: Path = tmp_path_factory.mktemp("programs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADLSP_CACHE_DIR", str(made / "cache"))
        patch.syspath_prepend(str(made))
        yield made
    for name, module in [*sys.modules.items()]:
        if str(getattr(module, "__file__", None) or "").startswith(f"{made}/"):
            del sys.modules[name]
