"""Programs that change what a function with a rule has given, or what it was given, and go on.

Each is a sample of the rules: the call, a store into its result or into one of its arguments, and
both in the output. What the call gives may be new, a view, or an argument itself.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from cases import DIFFERENTIABLE
from interpreter import function
from samples import SAMPLES, Call

from adlsp.transform import ir
from adlsp.transform.facts import views

SPECIAL: list[tuple[str, Call]] = [
    ("builtins.sum", Call(([], np.array([0.7, -1.3, 2.1])))),
    ("builtins.sum", Call(([np.array([0.7, -1.3])], np.array([0.4, 0.2])))),
    ("numpy.diff", Call((np.array([0.7, -1.3, 2.1]), 0))),
    ("numpy.linalg.matrix_power", Call((np.array([[0.7, -1.3], [0.2, 0.4]]), 1))),
    ("numpy.array", Call((np.array([0.7, -1.3, 2.1]),), {"copy": None})),
    ("ndarray.astype", Call((np.array([0.7, -1.3, 2.1]), float), {"copy": False})),
]
"""Calls of which the result is an argument."""

FOREIGN = ("adlsp.", "python.")
"""What no program calls by its name."""

STORES = (
    "{y} *= 2.0",
    "{y} += 0.5",
    "{y} -= {y} * {y}",
    "{y}[...] = {y} * {y}",
    "{y} = {y} * 3.0",
)
PLACES = ("{y}[0] = 3.0 * {y}[-1]", "{y}[-1] += 0.5", "{y}[0] *= {y}[0]", "{y}[:] = 2.0 * {y}")
NUMBERS = ("{y} *= 2.0", "{y} += 0.5", "{y} = {y} * {y}")
"""What is done to an array, to one with places, and to a number."""


@dataclass(frozen=True)
class Program:
    """A text with the function `f`, its parameters of interest, and where it is looked at.

    `is_new`: the result of the call is said to share nothing with the arguments.
    """

    name: str
    text: str
    wrt: tuple[str, ...]
    point: dict[str, Any]
    is_new: bool


def samples() -> list[tuple[str, Call]]:
    """All calls that a program can write."""
    found = [
        (name, call)
        for declared in DIFFERENTIABLE
        for name in declared.functions
        for call in SAMPLES.get(declared.functions[0], ())
    ]
    return [
        (name, call)
        for name, call in (*SPECIAL, *found)
        if not name.startswith(FOREIGN) and function(name) is not None
    ]


class Unwritten(Exception):  # noqa: N818
    """What an argument has no text for here."""


def write(name: str, call: Call, seed: int) -> Program:
    """Writes a program around a call; raises Unwritten where it cannot."""
    chance = random.Random(seed)
    writer = _Writer()
    args = [writer.atom(value) for value in call.args]
    keywords = {key: writer.atom(value) for key, value in call.keywords.items()}
    lines = []
    is_index = name in ("numpy.r_", "numpy.c_")
    if not is_index and chance.random() < 0.3 and any(text.startswith("[") for text in args):
        place = next(i for i, text in enumerate(args) if text.startswith("["))
        lines.append(f"parts = {args[place]}")
        args[place] = "parts"
    for parameter, value in writer.point.items():
        if isinstance(value, np.ndarray) and chance.random() < 0.5:
            lines.append(f"{parameter} = np.copy({parameter})")
    lines += _result(spelled(name, args, keywords), _outcome(name, call), chance)
    is_read_before = chance.random() < 0.5
    given = [p for p, value in writer.point.items() if _is_smooth(value)]
    values = dict(writer.point)
    values["y"] = _part(_outcome(name, call))
    is_complex = np.iscomplexobj(values["y"])
    square = "np.sum(np.real(y * np.conj(y)))" if is_complex else "np.sum(y * y)"
    lines.append(f"before = {square if is_read_before else 1.0}")
    for _ in range(chance.choice((1, 1, 2))):
        changed = "y" if chance.random() < 0.7 else chance.choice(given)
        lines.append(_store(changed, values[changed], chance))
    outputs = ", ".join((square, "before", *(f"np.sum({p} * {p})" for p in given)))
    lines.append(f"return {outputs}")
    head = "".join(f"import {home}\n" for home in ("copy", "math", "operator"))
    head += "import numpy as np\nimport scipy.linalg\nimport scipy.special\nimport scipy.stats\n"
    body = "".join(f"    {line}\n" for line in lines)
    text = f"{head}\n\ndef f({', '.join(writer.point)}):\n{body}"
    atoms = tuple(ir.Name(a) if a.isidentifier() else _literal(a) for a in args)
    told = tuple(
        (key, ir.Name(a) if a.isidentifier() else _literal(a)) for key, a in keywords.items()
    )
    is_held = any(line.startswith("made = ") for line in lines)
    is_new = not (is_held or views.may_view(ir.Call(name, atoms, told)))
    return Program(name, text, tuple(given), writer.point, is_new)


def _literal(text: str) -> ir.Atom:
    """A literal as the front end has it; of what it has in a step, the name of that."""
    try:
        value = eval(text, {})
    except NameError:
        return ir.Name("%0")
    return ir.Const(value) if value is None or isinstance(value, int | str) else ir.Name("%0")


def spelled(name: str, args: list[str], keywords: dict[str, str]) -> str:
    """A call as a program writes it."""
    home, _, last = name.rpartition(".")
    if home == "ndarray" and not callable(getattr(np.ndarray, last, len)):
        return f"{args[0]}.{last}"
    if last in ("r_", "c_"):
        return f"np.{last}{args[0]}"
    told = ", ".join([*args[home == "ndarray" :], *(f"{k}={v}" for k, v in keywords.items())])
    if home == "ndarray":
        return f"{args[0]}.{last}({told})"
    home = {"builtins": "", "numpy": "np."}.get(home, f"{home}.".replace("numpy.", "np.", 1))
    return f"{home}{last}({told})"


class _Writer:
    """Writes arguments: arrays and floats are parameters of the program."""

    def __init__(self) -> None:
        self.point: dict[str, Any] = {}

    def atom(self, value: Any) -> str:
        if isinstance(value, np.ndarray) or type(value) is float:
            if np.iscomplexobj(value):
                raise Unwritten
            self.point[f"v{len(self.point)}"] = value if np.ndim(value) else float(value)
            return f"v{len(self.point) - 1}"
        if value is None or isinstance(value, int | str):
            return repr(value)
        if isinstance(value, list):
            return f"[{', '.join(map(self.atom, value))}]"
        if isinstance(value, tuple):
            return f"({''.join(f'{self.atom(each)}, ' for each in value)})"
        if value in (float, int):
            return str(value.__name__)
        raise Unwritten


def _outcome(name: str, call: Call) -> Any:
    called = function(name)
    assert called is not None
    return called(*call.args, **call.keywords)


def _part(result: Any) -> Any:
    part = result[0] if isinstance(result, list | tuple) and len(result) else result
    if isinstance(part, list | tuple | dict):
        raise Unwritten
    return part


def _result(text: str, result: Any, chance: random.Random) -> Iterator[str]:
    """Binds `y` to the result of a call, or to the first part of it."""
    if not (isinstance(result, list | tuple) and len(result)):
        yield f"y = {text}"
    elif chance.random() < 0.5:
        yield f"made = {text}"
        yield "y = made[0]"
    else:
        yield f"{', '.join(['y', *(f'w{i}' for i in range(1, len(result)))])}, = {text}"


def _is_smooth(value: Any) -> bool:
    return isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype.kind == "f")


def _store(name: str, value: Any, chance: random.Random) -> str:
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
        return chance.choice(NUMBERS).format(y=name)
    if value.ndim == 0:
        return chance.choice(NUMBERS).format(y=name)
    return chance.choice((*STORES, *(PLACES if value.size else ()))).format(y=name)
