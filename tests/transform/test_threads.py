"""Several threads that derive at once."""

from __future__ import annotations

import gc
import importlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import adlsp
from adlsp.transform import depth

N_THREADS = 4


def together(works: list[Callable[[], object]]) -> list[object]:
    """What each gives, all begun at the same time; raises what one of them raises."""
    given: list[object] = [None] * len(works)
    raised: list[BaseException] = []
    begin = threading.Barrier(len(works))

    def run(i: int) -> None:
        begin.wait()
        try:
            given[i] = works[i]()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]
    return given


@pytest.fixture
def many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    terms = " + ".join(f"np.sin(x * {i})" for i in range(400))
    text = f"import numpy as np\n\n\ndef long(x):\n    return {terms}\n"
    text += "def shared(x):\n    y = np.cos(x)\n    return y * np.exp(x)\n"
    for i in range(N_THREADS):
        text += f"def own_{i}(x):\n    return shared(x * {i})\n"
    (tmp_path / "many.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("many", None)
    return importlib.import_module("many")


def test_threads_derive_the_same_and_other_functions(many) -> None:
    limit, interval = sys.getrecursionlimit(), sys.getswitchinterval()

    def slopes(i: int) -> list[float]:
        return [adlsp.grad(f)(0.5) for f in (many.shared, getattr(many, f"own_{i}"))]

    sys.setswitchinterval(1e-5)
    try:
        given = together([partial(slopes, i) for i in range(N_THREADS)])
    finally:
        sys.setswitchinterval(interval)

    def slope(x: float) -> float:
        return (np.cos(x) - np.sin(x)) * np.exp(x)

    np.testing.assert_allclose(given, [[slope(0.5), i * slope(0.5 * i)] for i in range(N_THREADS)])
    assert sys.getrecursionlimit() == limit


def test_threads_may_parse_at_once() -> None:
    text = "y = " + " + ".join(f"f(x * {i})" for i in range(300))
    threshold, interval = gc.get_threshold(), sys.getswitchinterval()

    def collected(phase: str, info: object) -> None:
        """Runs Python in the middle of a parse, so that another thread gets its turn there."""

    sys.setswitchinterval(1e-5)
    gc.set_threshold(10)
    gc.callbacks.append(collected)
    try:
        works = [lambda: [depth.parse(text) for _ in range(20)] for _ in range(N_THREADS)]
        assert all(together(works))
    finally:
        gc.callbacks.remove(collected)
        gc.set_threshold(*threshold)
        sys.setswitchinterval(interval)


def test_a_long_expression_is_read_in_a_program(many) -> None:
    assert sys.getrecursionlimit() <= 1000
    assert np.isfinite(adlsp.grad(many.long)(0.5))


def nested(n: int) -> int:
    return 0 if n == 0 else 1 + nested(n - 1)


def test_one_who_leaves_takes_no_room_from_another() -> None:
    limit = sys.getrecursionlimit()
    is_in, is_out = threading.Event(), threading.Event()

    def first() -> None:
        with depth.room():
            is_in.wait(10)
        is_out.set()

    def second() -> int:
        with depth.room():
            is_in.set()
            is_out.wait(10)
            return nested(2 * limit)

    assert together([first, second]) == [None, 2 * limit]
    assert sys.getrecursionlimit() == limit


def test_room_within_room_lasts() -> None:
    limit = sys.getrecursionlimit()
    with depth.room():
        with depth.room():
            pass
        assert nested(2 * limit) == 2 * limit
    assert sys.getrecursionlimit() == limit


def test_a_limit_that_was_set_meanwhile_stays() -> None:
    limit = sys.getrecursionlimit()
    try:
        with depth.room():
            sys.setrecursionlimit(depth.CALLS + 1)
        assert sys.getrecursionlimit() == depth.CALLS + 1
    finally:
        sys.setrecursionlimit(limit)


FORKS = """
import os, sys, threading
from adlsp.transform import depth

limit = sys.getrecursionlimit()
is_in, is_done = threading.Event(), threading.Event()

def work():
    with depth.room():
        with depth._turn:
            is_in.set()
            is_done.wait(10)

thread = threading.Thread(target=work)
thread.start()
is_in.wait(10)
child = os.fork()
if child == 0:
    with depth.room():
        raised = sys.getrecursionlimit()
    os._exit(not raised > limit == sys.getrecursionlimit())
_, status = os.waitpid(child, 0)
is_done.set()
thread.join()
print(status, sys.getrecursionlimit() == limit)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_fork_waits_for_no_thread_of_its_parent() -> None:
    code = f"import adlsp.library.api\n{FORKS}"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "0 True\n"
