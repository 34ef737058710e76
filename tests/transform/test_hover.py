"""What a hover says of variables and functions: nothing false, and nothing where nobody asks."""

from __future__ import annotations

import re

import pytest

from adlsp.transform import engine
from adlsp.transform.frontend.resolve import Definition, StaticResolver
from adlsp.transform.hover import Description, Recorded
from adlsp.transform.source import Source

TEXT = """
import numpy as np
import adlsp

def f(x):
    a = x * 1.0
    b = a
    b[0] = 3.0 * x[1]
    a = a * 2.0
    return np.sum(a * b)

df = adlsp.grad(f)
"""


MODEL = """
import numpy as np
import adlsp
import shapes
from shapes import loss

def step(u, k):
    return u + k * np.sin(u)

def simulate(u0, kappa):
    u = u0 * 1.0
    fixed = 3.0
    for n in range(9):
        new = step(u, kappa)
        if np.sum(new) > 3.0:
            break
        u = new
    late = u * 2.0
    return np.sum(late)

def guarded(x):
    y = x * x
    for i in range(3):
        early = y + 1.0
        try:
            y = y * 2.0
        except ValueError:
            pass
    return y

def wave(u0, c, n):
    u = np.zeros((n + 1, 3))
    u[0] = u0
    u[1] = u0
    for t in range(1, n):
        u[t + 1] = 2 * u[t] - u[t - 1] + c**2 * u[t]
    return np.sum(u[n] ** 2)

def penalized(params, x):
    penalty = 0.0
    for p in params:
        penalty += np.sum(p * p)
    return penalty + np.sum(params[0] * x)

def both(u, kappa):
    a = u * 3.0
    b = a + kappa
    u = b * 2.0  # and so u is new
    return np.sum(b * u) + shapes.loss(a) + loss(b)

def relaxed(u, k):
    u[0] = k * u[1]

def factory(k):
    def inner(x):
        k = 3.0 * x
        return k * x
    return inner

def shadows(x):
    y = [x for x in np.ones(3)]
    return x * np.sum("x" == y)

adlsp.grad(simulate, ("u0", "kappa"))
adlsp.grad(guarded)
adlsp.grad(wave, "c")
adlsp.grad(penalized, "params")
adlsp.grad(both, ("u", "kappa"))
adlsp.vjp(relaxed, ("u", "k"), outputs=("u",))
adlsp.grad(factory)
adlsp.grad(shadows)
"""
SHAPES = """
import numpy as np

def loss(w):
    return np.sum(w * w)
"""


def hover(
    fragment: str, word: str, text: str = MODEL, recorded: Recorded = lambda _: ""
) -> Description | None:
    """What is said of a word in the first line that has a fragment."""
    sources = {
        "case": Source("case.py", "case", text),
        "shapes": Source("shapes.py", "shapes", SHAPES),
    }
    lines = text.splitlines()
    line = next(number for number, each in enumerate(lines) if fragment in each)
    found = re.compile(rf"\b{word}\b").search(lines[line], lines[line].index(fragment))
    assert found is not None
    resolver = StaticResolver(sources.get)
    place = line + 1, found.start() + 1
    return engine.describe(sources["case"], *place, resolver, recorded=recorded)


BREAK = "AD402, line 16: `break` leaves a loop with active computation."


@pytest.mark.parametrize(("fragment", "word"), [("new = step", "new"), ("late =", "late")])
def test_below_what_is_not_supported_nothing_is_known(fragment: str, word: str) -> None:
    shown = hover(fragment, word)
    assert shown is not None
    assert shown.title == f"`{word}` may be active"
    assert shown.lines == (
        "From line 13 on it is not known what depends on `u0`, `kappa`.",
        BREAK,
    )


def test_a_loop_with_something_unsupported_begins_anew() -> None:
    shown = hover("early =", "early")
    assert shown is not None
    assert shown.title == "`early` may be active"
    assert shown.lines[0] == "From line 23 on it is not known what depends on `x`."


def test_above_what_is_not_supported_dependence_is_known() -> None:
    shown = hover("u = u0", "u")
    assert shown is not None
    assert shown.title == "`u` is varied"
    assert shown.lines == (
        "It depends on `u0`; whether the result of `simulate` depends on it is not known.",
        BREAK,
        "`u` depends on `u0` because:\n\n- line 11: `u = u0 * 1.0`\n- `u0` is an input of interest",
    )
    fixed = hover("fixed =", "fixed")
    assert fixed is not None
    assert fixed.lines == (
        "It does not depend on `u0`, `kappa`.",
        "As far as the text tells, it is `3.0`.",
    )


def test_whether_an_unsupported_statement_calls_a_function_for_derivatives_is_not_known() -> None:
    shown = hover("new = step", "step")
    assert shown is not None
    assert shown.lines == (
        "Differentiable with respect to `u`, `k`.",
        f"Whether the derivative of `simulate` reaches it is not known: {BREAK}",
    )


@pytest.mark.parametrize(
    ("fragment", "word", "because"),
    [
        (
            "np.sum(u[n]",
            "u",
            "`u` depends on `c` because:\n\n"
            "- line 36: `u[t + 1] = 2 * u[t] - u[t - 1] + c**2 * u[t]`\n"
            "- `c` is an input of interest",
        ),
        (
            "penalty +=",
            "penalty",
            "`penalty` depends on `params` because:\n\n"
            "- line 42: `penalty += np.sum(p * p)`\n"
            "- line 41: `for p in params:`\n"
            "- `params` is an input of interest",
        ),
        (
            "b * u",
            "u",
            "`u` depends on the input `u` because:\n\n"
            "- line 48: `u = b * 2.0`\n- line 47: `b = a + kappa`\n- line 46: `a = u * 3.0`\n"
            "- `u` is an input of interest",
        ),
        (
            "b = a",
            "b",
            "`b` depends on `kappa` because:\n\n"
            "- line 47: `b = a + kappa`\n- `kappa` is an input of interest",
        ),
    ],
)
def test_why_a_variable_is_active_ends_at_an_input(fragment: str, word: str, because: str) -> None:
    shown = hover(fragment, word)
    assert shown is not None
    assert shown.title == f"`{word}` is active"
    assert because in shown.lines


@pytest.mark.parametrize(("fragment", "word"), [("b = a", "kappa"), ("def both", "u")])
def test_an_input_is_one_and_does_not_depend_on_others(fragment: str, word: str) -> None:
    shown = hover(fragment, word)
    assert shown is not None
    assert shown.lines == (
        "It is an input of interest, and the result of `both` depends on it.",
        f"Its adjoint is `{word}_bar`.",
    )


def test_what_is_stored_into_an_input_is_told_beside_it() -> None:
    shown = hover("u[0] = k", "u")
    assert shown is not None
    assert shown.title == "`u` is active"
    assert shown.lines[0] == (
        "It is an input of interest and depends on `k`, and the result of `relaxed` depends on it."
    )


def test_only_inputs_that_a_variable_depends_on_are_named() -> None:
    shown = hover("a = u", "a")
    assert shown is not None
    assert shown.lines[0] == "It depends on `u`, and the result of `both` depends on it."


@pytest.mark.parametrize(
    ("fragment", "word"),
    [
        ("return u + k", "u"),  # nobody differentiates it for sure
        ("def inner", "inner"),
        ("return inner", "inner"),
        ("k = 3.0", "k"),  # of the function inside
        ("x for x in np", "x"),
        ("for x in np", "x"),
        ('"x" ==', "x"),
        ("# and so", "u"),
        ("import numpy", "np"),
    ],
)
def test_of_what_is_no_variable_in_a_derivative_nothing_is_said(fragment: str, word: str) -> None:
    assert hover(fragment, word) is None


@pytest.mark.parametrize("fragment", ["shapes.loss(", "loss(b)", "import loss"])
def test_a_function_of_another_module_is_described_wherever_it_is_named(fragment: str) -> None:
    shown = hover(fragment, "loss")
    assert shown is not None
    assert shown.lines == (
        "Differentiable with respect to `w`.",
        "It is differentiated as a part of `both`.",
    )


def test_the_function_of_a_name_after_a_dot_is_that_of_its_module() -> None:
    own = (
        "import adlsp\nimport shapes\n\ndef loss(own):\n    return own\n\nadlsp.grad(shapes.loss)\n"
    )
    shown = hover("shapes.loss", "loss", own)
    assert shown is not None
    assert shown.lines == ("Differentiable with respect to `w`.",)


@pytest.mark.parametrize(
    ("line", "column", "name", "adjoint"),
    [(7, 5, "b", "a_bar"), (8, 5, "b", "a_bar"), (10, 23, "b", "b_bar"), (10, 19, "a", "a_bar")],
)
def test_a_second_name_is_as_active_as_the_first(
    line: int, column: int, name: str, adjoint: str
) -> None:
    source = Source("case.py", "case", TEXT)
    shown = engine.describe(source, line, column, StaticResolver({"case": source}.get))
    assert shown is not None
    assert shown.title == f"`{name}` is active"
    assert f"Its adjoint is `{adjoint}`." in shown.lines
    is_second = adjoint != f"{name}_bar"
    assert ("It is another name of `a` here." in shown.lines) is is_second


TWO = """
import adlsp

def f(x, k):
    y = [k]
    for v in x:
        y.append(v * 2.0)
    y = len(y) * k
    z = [y]
    z = z[0] * x[0]
    return z

adlsp.grad(f)
"""


@pytest.mark.parametrize(
    ("fragment", "word", "title"),
    [
        ("y = [k]", "y", "`y` is not active"),
        ("y.append", "y", "`y` is varied, but not useful"),
        ("z = [y]", "z", "`z` is not active"),
        ("z = z[0]", "z", "`z` is active"),
        ("return z", "z", "`z` is active"),
    ],
)
def test_a_name_for_two_things_is_told_by_place(fragment: str, word: str, title: str) -> None:
    shown = hover(fragment, word, TWO)
    assert shown is not None
    assert shown.title == title
    assert not any("another name" in line for line in shown.lines)


LIBRARY = """
import math
import numpy as np
import adlsp

def f(x, y):
    a = np.median(x) + np.clip(y, 0, 1) + np.arctan2(x, y)
    return a * math.exp(y) * np.argmax(x) * np.pi * np.i0(x)

def unasked(x):
    return np.tanh(x)

adlsp.grad(f)
"""


@pytest.mark.parametrize(
    ("word", "lines"),
    [
        (
            "median",
            (
                "It has a derivative rule (condition: away from ties).",
                "The gradient of `a`, from that of the result, `out_bar`:\n\n"
                "```python\nreturn rt.quantiles_bar(out_bar, a, 0.5, axis)\n```",
            ),
        ),
        (
            "exp",
            (
                "It has a derivative rule.",
                "The partial derivative by `x`; `out` is the result:\n\n```python\nreturn out\n```",
            ),
        ),
        ("argmax", ("Its derivative is zero: no gradient passes through it.",)),
    ],
)
def test_a_function_of_a_library_is_told_by_its_rule(word: str, lines: tuple[str, ...]) -> None:
    shown = hover(f".{word}", word, LIBRARY)
    assert shown is not None
    assert shown.lines == lines


@pytest.mark.parametrize("word", ["pi", "i0", "tanh", "numpy", "math"])
def test_no_rule_is_told_where_there_is_none_or_nobody_asks(word: str) -> None:
    assert hover(word, word, LIBRARY) is None


LOOPS = """
import adlsp

def f(x, n):
    z = x
    for z in range(n):
        pass
    i = x * z
    for i in range(n):
        x = x * i
    return x * i

adlsp.grad(f)
"""


@pytest.mark.parametrize("name", ["z", "i"])
def test_the_variable_of_a_loop_is_what_the_loop_passes(name: str) -> None:
    shown = hover(f"for {name}", name, LOOPS)
    assert shown is not None
    assert shown.title == f"`{name}` is not active"


IN_OTHERS = """\
import adlsp
import numpy as np

class Model:
    def __init__(self, x):
        self.x = x

    def predict(self, w):
        h = self.x * w
        return np.tanh(h)

    def loss(self, w):
        return np.sum(self.predict(w))

def train(x, y):
    k = 2.0

    def model(v):
        z = v * x
        return z

    def loss(w):
        r = model(w) * k
        return np.sum(r - y)

    return adlsp.grad(loss), adlsp.grad(lambda u: np.sum(u * k))

adlsp.grad(Model(3.0).loss)
"""


@pytest.mark.parametrize(
    ("fragment", "word", "title", "line"),
    [
        ("h = self", "h", "`h` is active", "It depends on `w`, and the result of `predict`"),
        ("self.x * w", "self", "`self` is not active", "The result of `predict` depends on it"),
        ("sum(self.predict", "predict", "function `predict`", "Differentiable with respect to `w`"),
        ("z = v", "z", "`z` is active", "It depends on `v`, and the result of `model`"),
        ("v * x", "x", "`x` is not active", "The result of `model` depends on it, but"),
        ("r = model", "model", "function `model`", "Differentiable with respect to `v`"),
        ("(w) * k", "k", "`k` is not active", "The result of `loss` depends on it, but it does"),
        ("grad(loss)", "loss", "function `loss`", "Differentiable with respect to `w`"),
        ("u * k", "u", "`u` is active", "It is an input of interest, and the result of `lambda`"),
    ],
)
def test_functions_in_others_are_described(fragment: str, word: str, title: str, line: str) -> None:
    shown = hover(fragment, word, IN_OTHERS)
    assert shown is not None
    assert shown.title == title
    assert shown.lines[0].startswith(line)


def test_a_function_in_others_that_nobody_differentiates_is_not_described() -> None:
    assert hover("def __init__", "__init__", IN_OTHERS) is None
    assert hover("k = 2", "k", IN_OTHERS) is None


SPELLED = """
import adlsp
import numpy as np
import tensorflow as tf

def f(x, w, n):
    zeros = tf.zeros((3, n), tf.float32)
    h = tf.tanh(x @ w)
    rows = tf.reshape(h, (2, -1))
    half = tf.cast(tf.negative(rows), tf.float16)
    whole = tf.cast(half, dtype="int32")
    for i in range(3):
        h = h * 2.0
    flat = np.ones(n, dtype=x.dtype).reshape(2, n)
    return tf.reduce_sum(half) * tf.reduce_sum(h) + w[0, 0] + zeros[0, 0] + flat[0, 0] + whole[0]

adlsp.grad(f, ("x", "w"))
"""


@pytest.mark.parametrize(
    ("fragment", "word", "said"),
    [
        ("tf.zeros", "zeros", "the result has the shape `(3, n)` and the dtype `float32`."),
        ("tf.reshape", "reshape", "the result has the shape `(2, -1)`."),
        ("tf.cast(tf", "cast", "the result has the shape `(2, -1)` and the dtype `float16`."),
        ("tf.negative", "negative", "the result has the shape `(2, -1)`."),
        ("np.ones", "ones", "the result has the shape `n` and the dtype `x.dtype`."),
        ("flat =", "flat", "it has the shape `(2, n)` and the dtype `x.dtype`."),
    ],
)
def test_shape_and_dtype_are_told_where_the_text_spells_them(
    fragment: str, word: str, said: str
) -> None:
    shown = hover(fragment, word, SPELLED)
    assert shown is not None
    assert f"By what the text says, {said}" in shown.lines


@pytest.mark.parametrize(
    ("fragment", "word", "said"),
    [
        ("zeros =", "zeros", "tf.float32[3, m?]"),
        ("rows =", "rows", "tf.?[2, m?]"),
        ("half =", "half", "tf.float16[2, m?]"),
        ("whole =", "whole", "tf.int32[2, m?]"),
    ],
)
def test_what_tensors_are_is_told(fragment: str, word: str, said: str) -> None:
    shown = hover(fragment, word, SPELLED)
    assert shown is not None
    assert f"As far as the text tells, it is `{said}`." in shown.lines


@pytest.mark.parametrize(("fragment", "word"), [("h = tf", "h"), ("h = h", "h"), ("x @", "x")])
def test_shape_and_dtype_are_not_told_where_nothing_spells_them(fragment: str, word: str) -> None:
    shown = hover(fragment, word, SPELLED)
    assert shown is not None
    assert not any("By what the text says" in line for line in shown.lines)


def test_a_function_of_tensorflow_is_told_by_its_rule() -> None:
    shown = hover("tf.reshape", "reshape", SPELLED)
    assert shown is not None
    assert shown.title == "function `tensorflow.reshape`"
    assert shown.lines == (
        "It has a derivative rule.",
        "The gradient of `tensor`, from that of the result, `out_bar`:\n\n"
        "```python\nreturn tf.reshape(out_bar, tf.shape(tensor))\n```",
        "By what the text says, the result has the shape `(2, -1)`.",
    )


def test_a_call_that_stands_for_steps_is_told_by_these() -> None:
    text = (
        "import tensorflow as tf\nimport adlsp\n\n\ndef f(x):\n    return tf.nn.dropout(x, 0.5)\n"
    )
    shown = hover("tf.nn.dropout", "dropout", f"{text}\n\nadlsp.vjp(f)\n")
    assert shown is not None
    said, code, *_ = shown.lines[1].split("\n\n")
    assert said == "Where `x` matters, a call stands for these steps:"
    assert "mask = tf.nn.dropout(tf.ones_like(x), rate, noise_shape, seed)" in code


def test_where_integers_are_made_no_gradient_passes() -> None:
    shown = hover("cast(half", "cast", SPELLED)
    assert shown is not None
    assert shown.lines[0] == "Its derivative is zero: no gradient passes through it."


RUN = """
import adlsp
import numpy as np

def layer(x, w):
    h = x @ w
    return np.tanh(h)

def loss(x, w):
    for _ in range(2):
        x = layer(x, w)
    return np.sum(x)

adlsp.grad(loss, wrt="w")
"""


def recorded(definition: Definition) -> str:
    """What the last run called the loss with."""
    return "x: float64[n, 4], w: float64[4, 4]" if definition.name == "loss" else ""


@pytest.mark.parametrize(
    ("fragment", "word", "value"),
    [
        ("def loss", "x", "float64[n, 4]"),
        ("x = layer", "x", "float64[n, 4]"),
        ("h = x @ w", "h", "float64[n, 4]"),  # in what the loss calls, for both calls
    ],
)
def test_what_the_last_run_had(fragment: str, word: str, value: str) -> None:
    told = hover(fragment, word, RUN, recorded)
    assert told is not None
    assert told.lines[1] == f"In the last run it was `{value}`."
    unrecorded = hover(fragment, word, RUN)
    assert unrecorded is not None
    assert "last run" not in "".join(unrecorded.lines)


USED = """
import numpy as np
import adlsp

def fall(x, k, n):
    for _ in range(n):
        x = x - k * np.sin(x)
    return x

def spread(u, k):
    v = u[:, 0]
    return np.sum(v * k)

adlsp.grad(fall)
adlsp.grad(spread)
"""


@pytest.mark.parametrize(
    ("fragment", "word", "value"),
    [
        ("x - k", "k", "float"),
        ("range", "n", "int"),
        ("u[:", "u", "float64[n, m]"),
        ("v = u", "v", "float64[n]"),
    ],
)
def test_what_is_assumed_by_use_is_told_as_that(fragment: str, word: str, value: str) -> None:
    found = hover(fragment, word, USED)
    assert found is not None
    assumed = "As parameters are used, it is assumed to be `{}`."
    assert assumed.format(value) in found.lines
    recorded = "x: float, k: np.float64, n: int, u: float64[n, 3]"
    found = hover(fragment, word, USED, lambda _: recorded)
    assert found is not None
    assert assumed.format(value) not in found.lines


NET = """
import numpy as np
import adlsp

class Dense:
    def __init__(self, n, m):
        self.w = np.zeros((n, m))

    def forward(self, x):{kept}
        z = x @ self.w
        scale = 2.0
        return np.tanh(z) * scale

class Net:
    def __init__(self, sizes):
        self.layers = [Dense(n, m) for n, m in zip(sizes[:-1], sizes[1:])]

    def forward(self, x):
        y = x * 1.0
        for layer in self.layers:
            y = layer.forward(y)
        return y

def loss(net, x):
    e = net.forward(x)
    return np.sum(e**2)

net = Net([4, 5, 2])
adlsp.grad(loss)(net, np.ones((6, 4)))
"""
TEXTS = {"read": NET.replace("{kept}", ""), "kept": NET.replace("{kept}", "\n        self.x = x")}
"""A network that is only read, and one whose layers keep what they are given."""


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    ("fragment", "word", "title", "value"),
    [
        ("z = x", "z", "`z` is active", "float64[n, m]"),
        ("scale = 2", "scale", "`scale` is not active", "2.0"),
        ("y = x * 1", "y", "`y` is not active", "float64[n, m]"),
        ("y = layer", "y", "`y` is active", "float64[n, m]"),
        ("e = net", "e", "`e` is active", "float64[n, m]"),
    ],
)
def test_what_methods_do_is_known_by_how_the_function_is_called(
    text: str, fragment: str, word: str, title: str, value: str
) -> None:
    found = hover(fragment, word, TEXTS[text])
    assert found is not None
    assert found.title == title
    said = next(line for line in found.lines if line.startswith("As far as the text tells"))
    assert re.sub(r"\b[a-z]\b", "n", said) == re.sub(
        r"\b[a-z]\b", "n", f"As far as the text tells, it is `{value}`."
    )
    is_method = "net" not in fragment
    assert ("It is differentiated as a part of `loss`." in found.lines) == is_method


@pytest.mark.parametrize("text", TEXTS)
def test_a_method_that_is_called_by_an_object_can_be_differentiated(text: str) -> None:
    found = hover("def forward", "forward", TEXTS[text])
    assert found is not None
    assert found.lines[0].startswith("Differentiable with respect to ")
    assert found.lines[-1] == "It is differentiated as a part of `loss`."


def test_a_variable_of_a_method_says_why_it_is_active() -> None:
    found = hover("z = x", "z", TEXTS["kept"])
    assert found is not None
    assert found.lines[-2] == (
        "`z` depends on `net` because:\n\n- line 11: `z = x @ self.w`\n"
        "- `net` is an input of interest"
    )
