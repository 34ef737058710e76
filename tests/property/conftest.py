"""What the tests of random programs share."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the modules of programs are, and the derivatives of them."""
    made: Path = tmp_path_factory.mktemp("programs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADLSP_CACHE_DIR", str(made / "cache"))
        patch.syspath_prepend(str(made))
        yield made
    for name, module in [*sys.modules.items()]:
        if str(getattr(module, "__file__", None) or "").startswith(f"{made}/"):
            del sys.modules[name]
