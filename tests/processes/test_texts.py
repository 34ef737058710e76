"""Functions that no name leads to, and functions of `__main__`, go to other processes by text."""

from __future__ import annotations

import functools
import linecache
import pickle
import re
import subprocess
import sys
from pathlib import Path

import cloudpickle
import numpy as np
import pytest
import sent_losses as losses

import adlsp
from adlsp.library.sending import packing

HERE = Path(__file__).parent
W, X = np.array([0.3, -1.2, 0.7]), np.array([1.5, 0.5, -2.0])

SUBJECTS = {
    "a lambda": (losses.squared, 0.3),
    "another in its line": (losses.cubed, 0.3),
    "one in a dictionary": (losses.BY_NAME["sine"], 0.3),
    "one in a list": (losses.BY_NAME["twice"][0], 0.3),
    "a closure": (losses.nested(X), W),
    "a closure over functions and modules": (losses.shared(X), W),
    "one that calls itself": (losses.power(3), 0.3),
    "a partial": (functools.partial(losses.loss, x=X), W),
    "a partial of a closure": (functools.partial(losses.shared(X), factor=3.0), W),
    "a bound method": (losses.Model(X).loss, W),
    "a static method": (losses.Model.free, W),
    "a callable object": (losses.Model(X), W),
}


RUN = """
import pickle, sys
given = [derived(w) for derived, w in pickle.load(sys.stdin.buffer)]
pickle.dump(given, sys.stdout.buffer)
"""


def run(code: str, data: bytes, cwd: Path) -> bytes:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], input=data, capture_output=True, cwd=cwd
    )
    assert done.stderr.decode() == ""
    return done.stdout


@pytest.mark.parametrize("name", SUBJECTS)
@pytest.mark.parametrize("dumps", [pickle.dumps, cloudpickle.dumps])
def test_it_comes_back(name: str, dumps) -> None:
    f, w = SUBJECTS[name]
    for make in (adlsp.grad, adlsp.hessian):
        derived = make(f)
        np.testing.assert_array_equal(pickle.loads(dumps(derived))(w), derived(w))


def test_another_process_computes_the_same() -> None:
    derived = [(make(f), w) for f, w in SUBJECTS.values() for make in (adlsp.grad, adlsp.hessian)]
    given = pickle.loads(run(RUN, pickle.dumps(derived), HERE))
    for (one, w), value in zip(derived, given, strict=True):
        np.testing.assert_array_equal(value, one(w))


def test_what_is_captured_goes_as_it_is_then() -> None:
    x = np.ones(3)
    derived = adlsp.grad(losses.nested(x))
    x *= 2.0
    again = pickle.loads(pickle.dumps(derived))
    x *= 2.0
    np.testing.assert_array_equal(again(W), 2 * (W - 2.0))
    np.testing.assert_array_equal(derived(W), 2 * (W - 4.0))


def test_containers_of_functions_go_too() -> None:
    sent = pickle.loads(pickle.dumps(packing.portable(losses.holding(2.0))))
    here = losses.holding(2.0)
    assert [sent(1.0), sent(0.5)] == [here(1.0), here(0.5)]


def test_functions_share_their_cells() -> None:
    def pair():
        total = 0.0

        def add(x):
            nonlocal total
            total += x

        return [add, lambda: total]

    make = functools.partial(lambda both: both, pair())
    add, read = pickle.loads(pickle.dumps(packing.portable(make)))()
    add(2.0)
    add(3.0)
    assert read() == 5.0


def test_closures_of_a_loop_stay_apart() -> None:
    derived = [adlsp.grad(losses.nested(i * X)) for i in range(3)]
    for i, again in enumerate(pickle.loads(pickle.dumps(derived))):
        np.testing.assert_array_equal(again(W), 2 * (W - i * X))


MAIN = """
import functools, sys
import numpy as np
import adlsp

STRENGTH = 0.5

class Model:
    def __init__(self, x):
        self.x = x

    def loss(self, w):
        return np.sum((w - self.x) ** 2) + penalty(w)

def penalty(w):
    return STRENGTH * np.sum(w * w)

def loss(w, x):
    return np.sum(np.sin(w * x)) + penalty(w)

def nested(x):
    return lambda w: loss(w, x) * STRENGTH

if __name__ == "__main__":
    x = np.array([1.5, 0.5])
    derived = [
        adlsp.grad(penalty),
        adlsp.hessian(penalty),
        adlsp.grad(nested(x)),
        adlsp.grad(lambda w: loss(w, x)),
        adlsp.grad(functools.partial(loss, x=x)),
        adlsp.grad(Model(x).loss),
    ]
"""

SEND = """
    import cloudpickle
    pairs = [(one, x) for one in derived]
    data = cloudpickle.dumps((pairs, [one(x) for one in derived]))
    sys.stdout.buffer.write(data)
"""

RECEIVE = """
import inspect, pickle, sys
import numpy as np
import adlsp
pairs, wanted = pickle.load(sys.stdin.buffer)
for (derived, w), value in zip(pairs, wanted):
    np.testing.assert_array_equal(derived(w), value)
penalty = pairs[0][0].__wrapped__
assert np.allclose(adlsp.hvp(penalty)(wanted[0], dots=(wanted[0],)), wanted[0])
print(inspect.getsource(penalty), end="")
"""

PENALTY = "def penalty(w):\n    return STRENGTH * np.sum(w * w)\n"


@pytest.mark.parametrize("there", ["nothing", "the same", "another version"])
def test_cloudpickle_sends_functions_of_the_main_program(there: str, tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(MAIN + SEND)
    sent = subprocess.run([sys.executable, str(script)], capture_output=True, check=True).stdout
    if there == "nothing":
        script.unlink()
    elif there == "another version":
        script.write_text("\n\n" + MAIN.replace("0.5", "0.25").replace("np.sin", "np.cos"))
    assert run(RECEIVE, sent, tmp_path).decode() == PENALTY


POOL = """
    import multiprocessing
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        for one in derived:
            np.testing.assert_array_equal(pool.apply(one, (x,)), one(x))
    print("done")
"""


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_a_pool_gets_lambdas_of_the_main_program(method: str, tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(MAIN + POOL)
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script), method], capture_output=True, text=True
    )
    assert (done.stderr, done.stdout) == ("", "done\n")


CELLS = {
    "<cell 1>": "import numpy as np\ndef helper(u):\n    return np.tanh(u)\n",
    "<cell 2>": "def f(w):\n    return np.sum(helper(w) ** 2)\n",
    "<cell 3>": "model = lambda w: f(w) * 2.0\n",
}

SESSION = f"""
import ast, linecache, pickle, sys
import adlsp, cloudpickle
for name, text in {CELLS!r}.items():
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    for node in ast.parse(text).body:
        module = ast.Module([node], [])
        exec(compile(module, name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), globals())
w = np.ones(2)
pairs = [(adlsp.grad(f), w), (adlsp.grad(model), w)]
wanted = [one(w) for one, _ in pairs]
for _ in range(int(sys.argv[-1])):
    pairs = pickle.loads(cloudpickle.dumps(pairs))
sys.stdout.buffer.write(cloudpickle.dumps((pairs, wanted)))
"""


@pytest.mark.parametrize("n_times", [0, 1, 2])
def test_cloudpickle_sends_functions_of_cells(n_times: int, tmp_path: Path) -> None:
    """A scheduler that runs in the session sends on what it has been sent."""
    receive = RECEIVE.partition("penalty =")[0] + "print('done')"
    sent = run(f"import sys; sys.argv.append({n_times})\n{SESSION}", b"", tmp_path)
    assert run(receive, sent, tmp_path) == b"done\n"


def test_a_text_that_is_gone_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "make = lambda: (lambda w: w * w)\n"
    space: dict = {"__name__": "session"}
    monkeypatch.setitem(
        linecache.cache, "<cell 9>", (len(text), None, text.splitlines(keepends=True), "<cell 9>")
    )
    exec(compile(text, "<cell 9>", "exec"), space)
    derived = adlsp.grad(space["make"]())
    monkeypatch.delitem(linecache.cache, "<cell 9>")
    told = "the lambda at line 1 of the module `session` cannot be pickled: its module does not"
    with pytest.raises(pickle.PicklingError, match=re.escape(told)) as caught:
        pickle.dumps(derived)
    assert "0x" not in str(caught.value)


def test_a_text_that_has_changed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "changing.py"
    file.write_text("def make(x):\n    def inner(w):\n        return w * x\n    return inner\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import changing

    derived = adlsp.grad(changing.make(2.0))
    file.write_text("def make(x):\n    def inner(w):\n        return w + x\n    return inner\n")
    told = "`inner`, which is defined inside `make`, of the module `changing` cannot be pickled"
    with pytest.raises(pickle.PicklingError, match=re.escape(told)):
        pickle.dumps(derived)


STEP = """
import sys
import cloudpickle, numpy as np, adlsp

def loss(w):
    return np.sum(w * w)

def step(w):
    return w - 0.1 * adlsp.grad(loss)(w)

sys.stdout.buffer.write(cloudpickle.dumps(step))
"""

TRY = """
import pickle, sys
import adlsp
step = pickle.load(sys.stdin.buffer)
try:
    step(1.0)
except adlsp.DifferentiationError as error:
    print(error)
"""


def test_a_function_that_came_without_its_text_says_so(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(STEP)
    sent = subprocess.run([sys.executable, str(script)], capture_output=True, check=True).stdout
    script.unlink()
    assert (
        "AD102 error: the source of `loss` is not available: it came from another process without "
        "it; send its derivative, which takes it along"
    ) in run(TRY, sent, tmp_path).decode()


LIVES = """
import gc, pickle, sys, weakref
sent = sys.stdin.buffer.read()
gone = []
for _ in range(3):
    pairs, _ = pickle.loads(sent)
    for derived, w in pairs:
        derived(w)
    pairs = [(derived, w) for derived, w in pairs if hasattr(derived, "_subject")]
    gone += [weakref.ref(derived._subject.function) for derived, _ in pairs]
    penalty = pairs[0][0].__wrapped__
    assert adlsp.grad(penalty) is adlsp.grad(penalty)
    del pairs, derived, penalty
gc.collect()
print([one() for one in gone if one() is not None])
"""


def test_what_has_arrived_is_not_kept_longer_than_it_is_used(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(MAIN + SEND)
    sent = subprocess.run([sys.executable, str(script)], capture_output=True, check=True).stdout
    assert run(f"import adlsp{LIVES}", sent, tmp_path) == b"[]\n"
