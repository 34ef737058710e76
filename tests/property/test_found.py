"""Programs that random ones led to: each was once differentiated wrongly, or refused wrongly."""

import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import oracle
import pytest
import thinning

import adlsp

HEADER = "import numpy as np\n\n\n"

POINT: dict[str, Any] = {
    "x": np.array([0.4, -0.7, 1.1]),
    "y": np.array([-0.2, 0.9, 0.3]),
    "m": np.array([[0.3, -0.8, 0.6], [1.2, 0.1, -0.5]]),
    "s": 0.7,
    "n": 3,
}
"""Arguments by name: vectors `x` and `y`, a matrix `m`, a number `s`, a count `n`."""

DIFFERENTIATED = {
    "an open mesh holds the numbers that it is made of": """
def f(x, y):
    a, b = np.ix_(x, y)
    return np.sum(a * b)
""",
    "what one branch gives is zero in the other, and is stored into before": """
def f(m, s):
    a = s
    for i in range(3):
        m[i % 2, i] = np.tanh(np.sum(m[0]) * s)
    rows = m
    if s > 5.0:
        return a
    return np.sum(rows, axis=1)[0]
""",
    "the array that a loop runs over is bound again in it": """
def f(x):
    for e in x:
        x = np.array([e, 0.5, e * e])
    return x
""",
    "so it is in a loop over elements and their numbers": """
def f(x, s):
    for i, e in enumerate(x):
        x = x.copy()
        x[2] *= e
        s = s + x[i]
    return s * x
""",
    "and in one over two arrays": """
def f(x, y, s):
    for e, g in zip(y, x):
        x = np.array([g, s, e])
    return x
""",
    "numbers from the last to the first, and a binding that does not depend on them": """
def f(x, m):
    for i in reversed(range(3)):
        m = x
    return m
""",
    "elements from the last to the first, of no interest": """
def f(y, s):
    w = s
    for e in reversed(y):
        w = w * s + 1.0
    return w
""",
    "a number of an element, read backward in a tuple assignment": """
def f(x, y):
    for i, e in enumerate(y):
        s, x[2 - i] = 2, e
    return x
""",
    "a number of an element, read backward in a store": """
def f(x):
    total = 0.0
    for i, e in enumerate(x):
        q = np.zeros((2, 3))
        q[i % 2] = x
        total = total + np.sum(q * q * (i + 1))
    return total
""",
    "a number of an element, read to undo a store": """
def f(m, x, y):
    for i, e in enumerate(x):
        m[:, i] += 2
        y = np.sum(m) * y
    return y
""",
    "elements of a variable under its own name": """
def f(x):
    x = x[[2, 0, 2]]
    return x
""",
    "a view of a variable under its own name": """
def f(x, s):
    x[1] = s
    x = x[::-1]
    x = x[1:]
    x = x[0]
    return x * x
""",
    "a tuple assignment makes arrays of their own": """
def f(x, s):
    c, x = np.sin(s), np.tanh(x)
    x[0] = 1.0
    return x * c
""",
    "two arrays that changed their names": """
def f(x, y, s):
    x, y = y, x
    x[0] = s
    return np.dot(x, y)
""",
    "two results of a helper": """
def helper(t, o):
    return np.sin(t), np.tanh(o)


def f(x, s):
    c, x = helper(s, x)
    x[0] = c
    return np.sum(x) + c
""",
    "a number that a helper changes": """
def helper(t, rate=0.6):
    rate *= np.mean(t)
    return t * rate


def f(x, s):
    return helper(x, s)
""",
    "a pivot": """
def f(x, s):
    pivot = x[0]
    x[1] = pivot * s
    x[0] = 2.0
    return pivot * np.sum(x)
""",
    "an exchange of two elements": """
def f(x, n):
    for i in range(n):
        t = x[i]
        x[i] = x[n - 1 - i] * t
        x[n - 1 - i] = t
    return x
""",
    "a view whose array was overwritten after its last use": """
def f(m, x):
    m = np.tanh(m)
    y = m
    y -= x
    return y
""",
    "an array under two more names": """
def f(x):
    w = x
    u = x
    u[1] = np.dot(w, x)
    return u
""",
    "a test with `or`, and a store after it": """
def f(x, s):
    if x[1] > 2 or s > 2:
        s = s * 2.0
    x[2] *= 2.0
    return np.sum(np.sin(x)) * s
""",
    "a row of an array of no interest is changed": """
def f(x, m):
    v = m[1].copy()
    v[2] -= 1.0
    return x * v
""",
    "a store into places that are found in the array itself": """
def f(x, s):
    for i in range(3):
        x[x > 0.1] = np.sin(s) * i
    return x * x
""",
    "a second name on one branch, a store on the other": """
def helper(t, o):
    return 2.0


def f(x, m, s):
    if s > 0.0:
        m[:] *= x
    else:
        both = helper(s, m)
    return m * x
""",
    "a number that `or` may give, and a store": """
def f(x, s):
    d = 2.0
    x[2] += s if x[1] or d else d
    return np.sin(x[2])
""",
    "a choice by `and`, after a store": """
def f(x):
    c = np.dot(x, x)
    x[2] = 1.0
    return x * (c if np.sum(x) > 2 and c < 2 else c)
""",
    "stores on two branches, and two names in the end": """
def f(m, s):
    if s < 0.8:
        m[:, 2] = s
    else:
        j = 0
        m[0] *= m[j]
        j += 1
    m = np.sin(m)
    x = m
    return x
""",
    "an array of no interest is scaled": """
def f(x, y):
    w = np.ones(3)
    w *= y
    w[1] *= x[0]
    return w
""",
    "the truth of a test is not what it tests": """
def f(x, s):
    chosen = -0.9 < s < 0.9
    either = s > 0.2 or s < 0.1
    s += 1.0
    if chosen and either:
        x = x * s
    return x
""",
    "a view of what a loop changes in place": """
def f(m, n):
    for _ in range(n):
        m *= m.reshape(3, 2).T
    return m
""",
    "an argument that a helper gives back, and a loop changes in place": """
def helper(t):
    return t


def f(x, y, n):
    for _ in range(n):
        x += y @ helper(x)
    return x
""",
    "an array that a helper of no interest changes": """
def helper(t, o):
    o[1] += t
    return o


def f(x, y):
    w = helper(2.0, y)
    return x * x
""",
    "a loop that scales the array that it runs over": """
def f(x, s):
    for i, e in enumerate(x):
        x *= e / (2 + s)
    return x
""",
}
"""Programs that have a derivative, by what is special about them."""


def run(folder: Path, text: str, outputs: tuple[str, ...] = ()) -> oracle.Verdict:
    """Checks `f` with respect to all its parameters that are no counts, at the one point."""
    signature = text[text.index("def f(") + len("def f(") :].partition(")")[0]
    names = signature.split(", ")
    point = {name: POINT[name] for name in names}
    wrt = tuple(name for name in names if name != "n")
    return oracle.run_program(folder / "program_found.py", HEADER + text, wrt, outputs, (point,))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ADLSP_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


OVER_ITSELF = {
    "for x in x": "x * x",
    "for x in reversed(x)": "x * x",
    "for x in x[::-1]": "x * x",
    "for x in list(reversed(x))": "x * x",
    "for x in itertools.chain(x, x)": "x * x",
    "for x in sorted(x)": "x * x",
    "for x, y in zip(x, y)": "x * y * y",
    "for i, x in enumerate(x)": "x * x * i",
    "for i, (x, y) in enumerate(zip(x, y[1:]))": "x * y * (i + 1)",
    "for x, y in zip(x, x[1:])": "x * y",
    "for x, y in itertools.pairwise(x)": "x * y",
    "for x, y in zip(x, [v * v for v in x])": "x * y",
}
"""Loops whose target has the name of what they run over, and what is added up in them."""


@pytest.mark.parametrize("loop", ["for d in d.values()", "for k, d in d.items()"])
def test_a_loop_over_a_dictionary_of_the_name_of_its_target(folder: Path, loop: str) -> None:
    text = f"def f(d):\n    s = 0.1\n    {loop}:\n        s = s * 0.5 + d * d\n    return s\n"
    point = {"d": {"a": 0.5, "b": 2.0}}
    verdict = oracle.run_called(folder / "program_found.py", text, ("d",), (point,))
    assert verdict == oracle.Verdict((), 1)


@pytest.mark.parametrize("kind", ["array", "list", "tuple"])
@pytest.mark.parametrize("loop", OVER_ITSELF)
def test_a_loop_whose_target_has_the_name_of_what_it_runs_over(
    folder: Path, loop: str, kind: str
) -> None:
    body = f"    s = 0.1\n    {loop}:\n        s = s * 0.5 + {OVER_ITSELF[loop]}\n    return s\n"
    text = f"import itertools\n\n\ndef f(x, y):\n{body}"
    made = {"array": np.array, "list": list, "tuple": tuple}[kind]
    point = {name: made(POINT[name].tolist()) for name in ("x", "y")}
    verdict = oracle.run_program(folder / "program_found.py", text, ("x", "y"), (), (point,))
    assert verdict == oracle.Verdict((), 1)


@pytest.mark.parametrize("text", DIFFERENTIATED.values(), ids=DIFFERENTIATED.keys())
def test_a_program_is_differentiated(folder: Path, text: str) -> None:
    assert run(folder, text) == oracle.Verdict((), 1)


def test_a_view_that_a_loop_writes_is_refused_where_its_array_is_an_output(folder: Path) -> None:
    text = "def f(m, s):\n    for row in m:\n        row[:] += s\n"
    assert run(folder, text, outputs=("m",)).refused == ("AD303",)


REFUSED = {
    "an array is changed by its fourth name": (
        "AD303",
        """
def f(x, s):
    p = x
    d = p
    b = d
    b += 2
    return x * s
""",
    ),
    "the sign of complex numbers is a phase": (
        "AD103",
        "def f(x, s):\n    return np.sum(np.sign(x + 1j * s).real)\n",
    ),
    "what is broadcast holds the numbers that a loop over it runs over": (
        "AD103",
        "def f(x, y):\n    return sum(a * b for a, b in np.broadcast(x, y))\n",
    ),
    "what an array's function does with an object is in the class": (
        "AD203",
        """
class Odd:
    def __init__(self, v):
        self.v = v

    def __array_ufunc__(self, function, method, *given, **named):
        return self.v * 2


def f(x):
    o = Odd(x)
    return np.sum(np.sign(o))
""",
    ),
}
"""Programs that have no derivative, by why: the code of the finding, and the text."""


@pytest.mark.parametrize(("code", "text"), REFUSED.values(), ids=REFUSED.keys())
def test_a_program_is_refused(folder: Path, code: str, text: str) -> None:
    assert run(folder, text).refused == (code,)


def test_a_store_through_a_view_of_an_output(folder: Path) -> None:
    text = "def f(m, s):\n    x = m[0]\n    x[1] = 2.0 * s\n"
    assert run(folder, text, outputs=("m",)) == oracle.Verdict((), 1)


def test_an_output_that_is_bound_again_is_refused(folder: Path) -> None:
    text = "def f(m, s):\n    m[0] += s\n    m = m * 2.0\n    m[1] = 0.0\n"
    assert set(run(folder, text, outputs=("m",)).refused) == {"AD104"}


def test_a_helper_that_changes_an_array_as_if_it_were_a_number(folder: Path) -> None:
    text = "def helper(t):\n    t *= t\n    return 2.0\n\n\ndef f(x, s):\n    s *= helper(x)\n"
    assert run(folder, f"{text}    return x * s\n").refused == ()


def test_a_text_in_a_result_stays(folder: Path) -> None:
    text = (
        "import numpy as np\n\n\ndef f(x):\n    y = x * x\n    z = np.sum(np.sin(y) * y)\n"
        "    y[0] = 2.0\n    return y, 'm', z\n"
    )
    f = oracle.load(folder / "texts.py", text).f
    seed = np.ones(3), None, 1.0
    (y, unit, _), _ = adlsp.value_and_grad(f)(np.array([0.2, -0.4, 0.7]), out_bar=seed)
    assert (unit, y[0]) == ("m", 2.0)


UNBOUND = {
    "returned": "return best",
    "summed": "return np.sum(best)",
    "read on one of two ways": "if s > 0:\n        return np.sum(best)\n    return s",
    "read twice": "t = [best, s]\n    return np.mean(t) * best",
}


@pytest.mark.parametrize("how", UNBOUND)
def test_what_no_pass_of_a_loop_has_bound_fails_as_in_the_primal(folder: Path, how: str) -> None:
    loop = "    for v in x:\n        if v > 0:\n            best = v * s\n"
    text = f"def f(x, s):\n{loop}    {UNBOUND[how]}\n"
    assert run(folder, text).checked
    f = oracle.load(folder / "unbound.py", HEADER + text).f
    for operator in (adlsp.grad, adlsp.value_and_grad, adlsp.vjp, adlsp.hvp):
        derivative = operator(f)
        given = {"out_bar": 1.0} if operator is adlsp.vjp else {}
        given |= {"dots": (np.ones(2),)} if operator is adlsp.hvp else {}
        with pytest.raises(UnboundLocalError, match="best"):
            derivative(np.array([-1.0, -2.0]), 0.4, **given)


@pytest.mark.parametrize("place", ["a = {0: np.sin(x)}", "a = [np.sin(x)]"])
def test_what_a_container_holds_gets_the_precision_of_what_changes_it(
    folder: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FIXME: `a[0] *= s` is `a[0] = a[0] * s` then, which is double where NumPy's stays single."""
    monkeypatch.setattr(thinning, "IS_WHOLE", True)
    text = f"def f(x, s):\n    {place}\n    a[0] *= np.sin(s)\n    return np.sum(a[0])\n"
    with pytest.raises(oracle.WrongError, match="single precision"):
        run(folder, text)


GIVEN_BACK = {
    "an array without axes": "z = np.array(s)\n    z[...] = z * t\n    return z",
    "in a loop": "z = np.array(s)\n    for _ in range(2):\n        z[()] = z * t\n    return z",
    "a view without axes": "z = np.array([s, t])\n    z[0] *= z[1]\n    return z[:1].reshape(())",
    "a part": "z = np.array([s, t])\n    z[0] *= z[1]\n    return z[0, ...]",
}


@pytest.mark.parametrize("what", GIVEN_BACK)
def test_what_is_given_back_keeps_its_value(folder: Path, what: str) -> None:
    """The backward sweep undoes the stores into what it shares memory with."""
    text = f"import numpy as np\n\n\ndef f(s, t):\n    {GIVEN_BACK[what]}\n"
    point = {"s": 0.65, "t": 0.5}
    verdict = oracle.run_called(folder / "given_back.py", text, ("s", "t"), (point,))
    assert verdict == oracle.Verdict((), 1)
    f = oracle.load(folder / "given_back_too.py", text).f
    assert adlsp.value_and_grad(f)(0.65, 0.5)[0] == f(0.65, 0.5)


def test_a_member_of_an_enumeration_has_a_value_and_a_name(folder: Path) -> None:
    text = """
import enum


class Way(enum.Enum):
    ONE = 2.0
    TWO = 3.0


def f(s, way):
    return s**2 * way.value * (1.0 if way.name == "ONE" else 0.5) + s * Way[way.name].value
"""
    f = oracle.load(folder / "ways.py", text).f
    way = sys.modules["ways"].Way.TWO
    assert np.isclose(adlsp.grad(f)(0.7, way), 0.7 * 3.0 + 3.0)
    assert np.isclose(adlsp.jvp(f)(0.7, way, dots=(1.0,)), 0.7 * 3.0 + 3.0)


def test_lists_in_a_dictionary_are_put_together_in_second_order(folder: Path) -> None:
    text = """
import collections


def f(x):
    d = collections.defaultdict(list)
    d["a"] += list(x)
    d["b"] = d["a"] + [x[0]]
    return sum(d["b"]) * d["a"][0]
"""
    f, x, v = oracle.load(folder / "put.py", text).f, POINT["x"], POINT["y"]
    g, h = adlsp.grad(f), 1e-6
    found = adlsp.hvp(f)(x, dots=(v,))
    np.testing.assert_allclose(found, (g(x + h * v) - g(x - h * v)) / (2 * h), rtol=1e-7)


def pairs(_: Any) -> Any:
    return np.ones(2), [3.0, np.ones(2)]


def one_of_two(x: Any, is_active: bool) -> Any:
    y = (np.ones(3), 2.0)
    if is_active:
        y = (x * 1.0, 3.0)
    return y


def around(x: Any) -> Any:
    return pairs(x), {"both": pairs(x)}


def by_sum(x: Any) -> Any:
    return np.sum(x * np.array([1.0, 2.0, 3.0]))


def test_a_tangent_of_zero_has_the_structure_of_the_value() -> None:
    x = POINT["x"]
    flat = (np.zeros(2), [0.0, np.zeros(2)])
    same(adlsp.jvp(pairs)(x, dots=(x,)), flat)
    same(adlsp.jvp(one_of_two)(x, False, dots=(x,)), (np.zeros(3), 0.0))
    same(adlsp.jvp(one_of_two)(x, True, dots=(x,)), (x, 0.0))
    same(adlsp.jvp(around)(x, dots=(x,)), (flat, {"both": flat}))
    same(adlsp.jvp(adlsp.grad(by_sum, wrt=(0,)))(x, dots=(x,)), (np.zeros(3),))


class Pair(NamedTuple):
    value: Any
    rate: Any


def paired(x: Any) -> Any:
    made = Pair(x * 2.0, x * x)
    return made._replace(rate=made.rate + made.value) if x > 0.0 else made


def test_the_tangent_of_a_named_tuple_is_one() -> None:
    assert adlsp.jvp(paired)(0.5, dots=(1.0,)) == Pair(2.0, 3.0)
    assert type(adlsp.jvp(paired)(-0.5, dots=(1.0,))) is Pair


def joined(a: Any, b: Any) -> Any:
    ends = a[1:]
    ends = ends + b
    return ends


@pytest.mark.parametrize("wrt", [(0,), (1,), (0, 1)])
def test_tangents_of_lists_of_which_nothing_is_known_are_put_together(wrt: tuple[int, ...]) -> None:
    derivative = adlsp.derive(joined, wrt, mode="forward")
    space: dict[str, Any] = {}
    exec(derivative.source, space)
    dots = tuple(([3.0, 5.0], [7.0])[i] for i in wrt)
    found = space[derivative.name]([0.5, 1.0], [2.0], dots=dots)
    assert [*found] == [5.0 * (0 in wrt), 7.0 * (1 in wrt)]


def same(got: Any, wanted: Any) -> None:
    assert type(got) is type(wanted)
    if isinstance(wanted, tuple | list | dict):
        assert len(got) == len(wanted)
        for key in wanted if isinstance(wanted, dict) else range(len(wanted)):
            same(got[key], wanted[key])
    else:
        assert np.array_equal(got, wanted)


def test_keys_of_texts_are_no_numbers(folder: Path) -> None:
    text = """
def f(d):
    made = {k: 0.0 for k in dict(d)}
    for k in d:
        made[k] += d[k] ** 2
    for k in {k: 1.0 for k in d.keys()}:
        made[k] += d[k]
    return sum(made.values())
"""
    point = {"d": {"a": 0.5, "b": 2.0}}
    verdict = oracle.run_called(folder / "program_found.py", text, ("d",), (point,))
    assert verdict == oracle.Verdict((), 1)


def test_axes_that_a_comprehension_counts(folder: Path) -> None:
    text = """
def f(m):
    every = tuple(i for i in range(m.ndim) if i != 1)
    others = [i for i in range(m.ndim) if i != 0]
    y = m - m.mean(axis=every, keepdims=True)
    return np.sum(y**3) + np.sum(np.sum(m, axis=tuple(others)) ** 2)
"""
    assert run(folder, text) == oracle.Verdict((), 1)


@pytest.mark.parametrize("root", ["s ** 0.35", "math.pow(s, 0.35)"])
def test_the_slope_of_a_root_of_zero_is_infinite(folder: Path, root: str) -> None:
    """As it is for arrays: for a number of Python's, a negative power of zero raises an error."""
    module = oracle.load(folder / "rooted.py", f"import math\n\n\ndef f(s):\n    return {root}\n")
    with np.errstate(divide="ignore"):
        assert adlsp.grad(module.f)(0.0) == np.inf
        assert adlsp.jvp(module.f)(0.0, dots=(1.0,)) == np.inf
    assert oracle.run_called(
        folder / "rooted_too.py",
        f"import math\n\n\ndef f(s):\n    return {root}\n",
        ("s",),
        ({"s": 0.7},),
    ) == oracle.Verdict((), 1)


OF_ARRAYS = {
    "np.sum(np.array(np.gradient(m, 0.5)) ** 2)",
    "np.sum(np.square(np.gradient(m, 0.1, 0.2)))",
    "np.sum(np.linalg.norm(np.gradient(m), axis=0))",
    "np.sum(np.maximum(np.gradient(m), 0.1))",
    "np.sum(math.prod([m, 2.0 * m, m[::-1]]))",
    "np.sum(math.prod((m[0], m[1]), start=3.0) ** 2)",
    "np.sum(math.prod(m))",
    "math.prod(m[0])",
    "np.sum(stats.multivariate_normal.logpdf(m[:, None], m[0], np.eye(3)) ** 2)",
    "np.sum(stats.multivariate_normal.pdf(m[None, :1, :], m[1], np.eye(3)) ** 2)",
    "np.sum(linalg.sqrtm(np.stack([m @ m.T + np.eye(2)] * 2)) ** 2)",
    "np.sum(linalg.solve_sylvester(*[np.stack([m @ m.T + np.eye(2)])] * 3) ** 2)",
    "np.sum(np.abs(signal.convolve(m[0], m[1] * 1j + 1.0)) ** 2)",
    "np.sum(np.abs(signal.fftconvolve(m[0] * (1 + 2j), m[1])) ** 2)",
    "np.sum(np.cumsum(m[0, 0], axis=-1) * m[0, 1])",
    "np.sum(np.cumulative_sum(m[0, 0]) * m[0, 1])",
}


@pytest.mark.parametrize("expression", sorted(OF_ARRAYS))
def test_functions_of_arrays_in_containers_and_of_stacks(folder: Path, expression: str) -> None:
    imports = "import math\n\nimport numpy as np\nfrom scipy import linalg, signal, stats\n"
    text = f"{imports}\n\ndef f(m):\n    return {expression}\n"
    point = {"m": np.array([[0.7, 1.3, 0.4], [-0.6, 0.5, 1.1]])}
    name = f"of_arrays_{sorted(OF_ARRAYS).index(expression)}.py"
    assert oracle.run_called(folder / name, text, ("m",), (point,)) == oracle.Verdict((), 1)


def test_each_call_that_makes_a_function_captures_anew(folder: Path) -> None:
    text = """
import numpy as np


def add(functions, k):
    functions.append(lambda v: v * k)


def f(x):
    functions = []
    for k in (1.0, 2.0, 3.0):
        add(functions, k)
    for each in functions:
        x = x + each(x)
    return np.sum(x)
"""
    try:
        point = {"x": np.array([0.4, 0.7])}
        verdict = oracle.run_called(folder / "anew.py", text, ("x",), (point,))
    except adlsp.DifferentiationError:
        return
    assert verdict.refused or verdict.checked


HOLDERS = {
    "an object": ("Held(np.sin(x), x * a)", "c.q"),
    "a named tuple": ("Named(np.sin(x), x * a)", "c.q"),
    "a list with a star": ("[np.cos(x), *[np.sin(x), x * a]]", "c[1]"),
    "a sum of lists": ("[np.sin(x)] + [x * a]", "c[1]"),
    "a list of a loop": ("filled(x, a)", "c[1]"),
    "a dictionary": ("{'p': np.sin(x), 'q': x * a}", "c['q']"),
    "a tuple": ("(np.sin(x), x * a)", "c[1]"),
}
CHANGED = ("t *= a", "t += x", "t[0] = a", "t[1:] *= a", "scaled(t, a)")
SEEN = ("[1:]", "[0:2]", ".reshape(-1, 1)", "[:, None]", "")

HELD = """
from typing import NamedTuple

import numpy as np


class Held:
    def __init__(self, p, q):
        self.p = p
        self.q = q


class Named(NamedTuple):
    p: np.ndarray
    q: np.ndarray


def filled(x, a):
    values = [None] * 2
    for i in range(2):
        values[i] = x * (i + a)
    return values


def scaled(t, a):
    t *= a


"""


@pytest.mark.parametrize("change", CHANGED)
@pytest.mark.parametrize("holder", sorted(HOLDERS))
def test_what_is_held_changes_by_another_name(folder: Path, holder: str, change: str) -> None:
    made, part = HOLDERS[holder]
    steps = f"    c = {made}\n    t = {part}\n    {change}\n"
    text = f"{HELD}def f(x, a):\n{steps}    return np.sum({part} * x) + np.sum({part} * t)\n"
    point = {"x": np.array([0.4, 0.7, -0.3]), "a": 1.3}
    name = f"held_{sorted(HOLDERS).index(holder)}_{CHANGED.index(change)}.py"
    verdict = oracle.run_called(folder / name, text, ("x", "a"), (point,))
    assert verdict.checked == 1, verdict


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("holder", sorted(HOLDERS.keys() - {"a tuple", "a named tuple"}))
def test_what_is_held_changes_while_it_is_seen(folder: Path, holder: str, seen: str) -> None:
    made, part = HOLDERS[holder]
    steps = f"    c = {made}\n    u = {part}{seen}\n    {part} *= a\n    u[0] += a\n"
    text = f"{HELD}def f(x, a):\n{steps}    return np.sum({part} * {part}) + np.sum(u * a)\n"
    point = {"x": np.array([0.4, 0.7, -0.3]), "a": 1.3}
    name = f"seen {sorted(HOLDERS).index(holder)} {SEEN.index(seen)}"
    assert oracle.run_each(folder, name, [text], point, ("x", "a")) <= 1
