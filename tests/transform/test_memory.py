"""Who may share memory with whom, who is read again, and what must run."""

from __future__ import annotations

import pytest
from lowered import lowered

from adlsp.transform import ir
from adlsp.transform.facts import aliases, effects
from adlsp.transform.facts.facts import Facts
from adlsp.transform.ir.variables import Generated, Step


def shared(text: str) -> str:
    """The pairs of the user's variables that may share memory where the function returns."""
    function, _ = lowered(text)
    facts, last = Facts(function).aliases(), function.body[-1]
    users = [n for n in facts.before[last] if isinstance(n, str) and not n.startswith("%")]
    pairs = ((one, other) for one in users for other in facts.before[last][one])
    return " ".join(
        sorted(f"{one}~{other}" for one, other in pairs if other in users if one < other)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(x, y):\n return x", ""),
        ("def f(x):\n y = x\n return y", "x~y"),
        ("def f(x):\n y = x * 1.0\n z = np.sin(y)\n return z", ""),
        ("def f(x):\n y = x.copy()\n z = np.copy(x)\n return z", ""),
        ("def f(x):\n y = x[:2]\n z = x.T\n return z", "x~y x~z y~z"),
        ("def f(x):\n y = x[0]\n z = x[1, 2]\n return z", ""),
        ("def f(x):\n y = x.reshape(2)\n z = np.ravel(y)\n return z", "x~y x~z y~z"),
        ("def f(x):\n y = np.asarray(x)\n z = np.array(x)\n return z", "x~y"),
        ("def f(x):\n s = x.sum()\n n = x.shape\n return s", ""),
        ("def f(x):\n p = (x, 1.0)\n a, b = p\n return a", "a~p a~x b~p b~x p~x"),
        ("def f(x):\n p = (x, x)\n a, b = p\n a[0] = 1\n return b", "a~b a~p a~x b~p b~x p~x"),
        ("def f(x, k):\n if k:\n  y = x\n else:\n  y = x * 2.0\n return y", "x~y"),
        ("def f(x):\n for row in x:\n  y = row\n return y", "row~x row~y x~y"),
        ("def f(x):\n y = x\n y = y * 1.0\n return y", ""),
        ("def f(x):\n y = unknown(x)\n return y", "x~y"),
        (
            "def f(u, n):\n for i in range(n):\n  v = u * 2.0\n  u = v\n return u",
            "u~v",
        ),
    ],
)
def test_who_may_share_memory(text: str, expected: str) -> None:
    assert shared(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(x, y):\n x[0] = 1.0\n return x", "x"),
        ("def f(x, y):\n x = x * 1.0\n x[0] = y\n return x", ""),
        ("def f(x, y):\n z = x[1:]\n z[1] = y\n z += 1.0\n return y", "x"),
        ("def f(x, y):\n for row in y:\n  row *= 2.0\n return x", "y"),
        ("def f(x, y):\n x += y\n y -= 1.0\n return x", "x y"),
    ],
)
def test_which_parameters_are_written(text: str, expected: str) -> None:
    function, _ = lowered(text)
    assert " ".join(aliases.written_parameters(Facts(function))) == expected


def test_what_is_read_again() -> None:
    text = """
        def f(x, n):
            y = x * n
            z = y + 1.0
            for i in range(n):
                y = y * z
                if y > x:
                    z = 2.0
            while n > 0:
                n = n - i
            return z
    """
    function, _ = lowered(text)
    after = Facts(function).live.after
    told = {}
    for statement in ir.walk(function.body):
        if isinstance(statement, ir.Assign) and not isinstance(statement.targets[0], Step):
            live = sorted(name for name in after[statement] if not isinstance(name, Generated))
            told[f"{statement.origin.line} {statement.targets[0]}"] = " ".join(live)
    assert told == {
        "4 y": "i n x y",
        "5 z": "i n x y z",
        "7 y": "i n x y z",
        "9 z": "i n x y z",
        "11 n": "i n z",
    }


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("numpy.sin", True),
        ("operator.add", True),
        ("ndarray.sum", True),
        ("attribute.T", True),
        ("builtins.len", True),
        ("ndarray.append", False),
        ("ndarray.sort", False),
        ("builtins.print", False),
        ("numpy.random.rand", False),
        ("numpy.copyto", False),
        ("mypkg.step", False),
        ("?unknown", False),
        ("python.call", False),
    ],
)
def test_what_may_be_left_out(function: str, expected: bool) -> None:
    assert effects.is_pure(ir.Call(function, (ir.Name("x"),))) is expected


def test_a_result_written_to_an_argument_may_not_be_left_out() -> None:
    assert not effects.is_pure(ir.Call("numpy.add", (ir.Name("x"),), (("out", ir.Name("y")),)))
