"""Which functions of a file are differentiated, with respect to what, and what is refused."""

from __future__ import annotations

import re
import textwrap

import pytest

from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend.resolve import StaticResolver
from adlsp.transform.frontend.roots import Root, handed, roots, takers
from adlsp.transform.source import Source

LOSS = """\
import adlsp
import numpy as np

def loss(w, x, *, scale=1.0):
    return scale * np.sum(w * x)

def step(A, B, n):
    A[0] = n

"""


def read(text: str, **others: str) -> tuple[Source, tuple[Root, ...], tuple[Diagnostic, ...]]:
    source = Source("main.py", "main", textwrap.dedent(text))
    sources = {name: Source(f"{name}.py", name, textwrap.dedent(t)) for name, t in others.items()}
    found = roots(source, StaticResolver({**sources, "main": source}.get))
    return (source, *found)


def shown(root: Root) -> str:
    """A root in short: `kind function(wrt)`, with a comma after a tuple of one."""
    request = root.request
    comma = "," if request.is_tuple and len(request.wrt) == 1 else ""
    outputs = f" -> {' '.join(request.outputs)}" if request.outputs else ""
    interest = ", ".join(request.wrt) + comma
    interest = f"({interest})" if request.is_tuple else interest
    inner, kinds = request.inner, request.kind
    while inner is not None:
        assert (inner.function, inner.wrt) == (request.function, request.wrt)
        inner, kinds = inner.inner, f"{kinds} of {inner.kind}"
    return f"{kinds} {request.function} {interest}{outputs}"


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("adlsp.grad(loss)", "grad main.loss w"),
        ("adlsp.grad(f=loss)", "grad main.loss w"),
        ("adlsp.grad(loss, 1)", "grad main.loss x"),
        ("adlsp.grad(loss, -1)", "grad main.loss x"),
        ("adlsp.grad(loss, wrt='x')", "grad main.loss x"),
        ("adlsp.grad(loss, wrt='scale')", "grad main.loss scale"),
        ("adlsp.grad(loss, wrt=(0,))", "grad main.loss (w,)"),
        ("adlsp.grad(loss, wrt=['x', 'w'])", "grad main.loss (x, w)"),
        ("adlsp.grad(loss, wrt=unknown())", "grad main.loss w"),
        ("adlsp.value_and_grad(loss, 1)", "value_and_grad main.loss x"),
        ("adlsp.vjp(loss)", "vjp main.loss w"),
        ("adlsp.jvp(loss, wrt=(0, 1))", "jvp main.loss (w, x)"),
        ("adlsp.hvp(loss)", "jvp of grad main.loss w"),
        ("adlsp.jacobian(loss)", "vjp main.loss w"),
        ("adlsp.hessian(loss)", "vjp of grad main.loss w"),
        ("adlsp.derive(loss, 'x')", "grad main.loss x"),
        ("adlsp.derive(loss, mode='forward')", "jvp main.loss w"),
        ("adlsp.derive(loss, 'x', 'forward', 2)", "jvp of grad main.loss x"),
        ("adlsp.derive(loss, order=3)", "grad of grad of grad main.loss w"),
        ("adlsp.check_grads(loss, (1.0, 2.0), wrt=1)", "vjp main.loss (x,)"),
        ("adlsp.grad(step, wrt='A', outputs=('A', 'B'))", "grad main.step A -> A B"),
        ("adlsp.grad(step, wrt='A', outputs='B')", "grad main.step A -> B"),
        ("import jax\njax.grad(loss, argnums=(0, 1))", "grad main.loss (w, x)"),
        ("import jax\njax.jit(jax.value_and_grad(loss))", "value_and_grad main.loss w"),
        ("import jax\njax.vjp(loss, w, x)", "vjp main.loss (w, x)"),
        ("import jax\njax.vjp(loss, *both)", "vjp main.loss (w, x)"),
        ("import jax\njax.jvp(loss, (w,), (v,))", "jvp main.loss (w,)"),
        ("import autograd\nautograd.grad(loss, 1)", "grad main.loss x"),
        ("from autograd import grad as g\ng(loss, argnum=1)", "grad main.loss x"),
        ("import tangent\ntangent.grad(loss, wrt=(0,))", "grad main.loss (w,)"),
        ("g = adlsp.grad\n\ng(loss)", "grad main.loss w"),
        ("WRT = ('w', 'x')\nadlsp.grad(loss, WRT)", "grad main.loss (w, x)"),
        ("best = loss\nadlsp.grad(best)", "grad main.loss w"),
        ("print([adlsp.grad(loss)(v, 1.0) for v in range(3)])", "grad main.loss w"),
        ("f = lambda v: adlsp.grad(loss)(v, 1.0)", "grad main.loss w"),
        ("def run():\n    f = loss\n    return adlsp.grad(f)", "grad main.loss w"),
        ("def run():\n    wrt = 'x'\n    return adlsp.grad(loss, wrt)", "grad main.loss x"),
        ("def run():\n    from jax import grad\n    return grad(loss)", "grad main.loss w"),
        ("class T:\n    def run(self):\n        return adlsp.grad(loss)", "grad main.loss w"),
        (
            "class T:\n    loss = 1\n    def f(s):\n        return adlsp.grad(loss)",
            "grad main.loss w",
        ),
        ("async def run():\n    return adlsp.grad(loss)", "grad main.loss w"),
        ("def grad(f): pass\ngrad(loss)", None),
        ("np.grad(loss)", None),
        ("'adlsp.grad(loss)'", None),
    ],
)
def test_calls(call: str, expected: str | None) -> None:
    _, found, problems = read(LOSS + call)
    assert [shown(root) for root in found] == ([] if expected is None else [expected])
    assert problems == ()


TWO = ["grad main.loss w", "grad main.step A"]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("for f in (loss, step):\n    adlsp.grad(f)", TWO),
        ("for f in [loss, step]:\n    def run():\n        return adlsp.grad(f)", TWO),
        ("for name, f in (('a', loss), ('b', step)):\n    adlsp.grad(f)", TWO),
        ("for name, f in {'a': loss, 'b': step}.items():\n    adlsp.grad(f)", TWO),
        ("for i, (f, n) in enumerate(zip([loss, step], [1, 2])):\n    adlsp.grad(f)", TWO),
        ("ALL = (loss, step)\nfor f in ALL:\n    adlsp.grad(f)", TWO),
        ("ALL = (loss,)\nfor f in sorted([*ALL, step]):\n    adlsp.grad(f)", TWO),
        ("for f in [loss] + [step]:\n    adlsp.grad(f)", TWO),
        ("def run():\n    for f in (loss, step):\n        adlsp.grad(f)", TWO),
        ("gs = [adlsp.grad(f) for f in (loss, step)]", TWO),
        ("gs = {n: adlsp.grad(f) for n, f in [('a', loss), ('b', step)]}", TWO),
        ("gs = [adlsp.grad(f) for fs in [[loss], [step]] for f in fs]", TWO),
        ("gs = list(map(adlsp.grad, [loss, step]))", TWO),
        ("g = adlsp.grad(loss if fast else step)", TWO),
        ("best = loss if fast else step\nadlsp.grad(best)", TWO),
        ("adlsp.grad({'a': loss, 'b': step}[name])", TWO),
        ("D = {'a': step, 'b': loss}\nadlsp.grad(D['b'])", TWO[:1]),
        ("D = [step, loss]\nadlsp.grad(D[-1])", TWO[:1]),
        ("def keep(f):\n    return f\nadlsp.grad(keep(loss))", TWO[:1]),
        ("import functools\nadlsp.grad(functools.lru_cache(loss))", TWO[:1]),
        ("import functools\nadlsp.grad(functools.lru_cache(maxsize=9)(loss))", TWO[:1]),
        ("import jax\nadlsp.grad(jax.jit(loss))", TWO[:1]),
        ("import main\nadlsp.grad(getattr(main, 'loss'))", TWO[:1]),
        ("import jax, functools\njax.grad(functools.partial(loss, 1.0))", ["grad main.loss x"]),
        (
            "import jax\nfrom functools import partial\nh = partial(loss, w=1)\njax.grad(h)",
            ["grad main.loss x"],
        ),
        ("from functools import partial\npartial(adlsp.grad, wrt='x')(loss)", ["grad main.loss x"]),
        (
            "from functools import partial\ng = partial(adlsp.grad, wrt='x')\ng(loss)",
            ["grad main.loss x"],
        ),
        ("if fast:\n    best = loss\nelse:\n    best = step\nadlsp.grad(best)", TWO),
        ("best = loss\nbest = best if fast else loss\nadlsp.grad(best)", TWO[:1]),
        ("for f in ((loss, step) if fast else [loss]):\n    adlsp.grad(f)", TWO),
        (
            "for name, op in [('g', adlsp.grad), ('v', adlsp.vjp)]:\n    op(loss)",
            ["grad main.loss w", "vjp main.loss w"],
        ),
        ("[op(loss) for op in (adlsp.grad, adlsp.jvp)]", ["grad main.loss w", "jvp main.loss w"]),
        ("import jax\njax.jacfwd(loss)", ["jvp main.loss w"]),
        ("import jax\njax.jacrev(loss, argnums=1)", ["vjp main.loss x"]),
        ("import autograd\nautograd.elementwise_grad(loss)", ["vjp main.loss w"]),
        ("import autograd\nautograd.multigrad_dict(loss)", ["grad main.loss (w, x, scale)"]),
        (
            "def run():\n    first = adlsp.grad(loss)\n    return adlsp.grad(first)",
            ["grad main.loss w", "grad of grad main.loss w"],
        ),
        ("for f in (loss, adlsp.grad(loss)):\n    adlsp.grad(f)", None),
    ],
)
def test_what_is_passed_is_followed(call: str, expected: list[str] | None) -> None:
    _, found, problems = read(LOSS + call)
    again = ["grad main.loss w", "grad main.loss w", "grad of grad main.loss w"]
    assert sorted(shown(root) for root in found) == (again if expected is None else expected)
    assert problems == ()


A_CALL = "what `{}` gives is known only when the program runs"


@pytest.mark.parametrize(
    ("call", "at", "reason"),
    [
        ("def run(f):\n    return adlsp.grad(f)", "f", "it is a parameter"),
        ("h = lambda f: adlsp.grad(f)", "f", "it is a parameter"),
        ("[adlsp.grad(f) for f in losses()]", "f", "what the loop passes is known only"),
        ("L = [loss]\nL.append(step)\nfor f in L:\n    adlsp.grad(f)", "f", "what the loop"),
        ("for f in (loss, step):\n    f = wrap(f)\n    adlsp.grad(f)", "f", "what it is bound to"),
        ("map(adlsp.grad, losses())", "adlsp.grad", "the call that it is passed to decides"),
        ("pool.submit(adlsp.grad, loss)", "adlsp.grad", "the call that it is passed to decides"),
        ("net = Net()\nadlsp.grad(net.loss)", "net.loss", "which function an object has there"),
        ("class Net:\n    def g(self): adlsp.grad(self.loss)", "self.loss", "which function an"),
        ("adlsp.grad(getattr(net(), 'loss'))", "getattr(net(), 'loss')", "which function an"),
        ("net = Net()\nadlsp.grad(net)", "net", A_CALL.format("Net")),
        ("adlsp.grad(make())", "make()", A_CALL.format("make")),
        ("h = make()\nadlsp.grad(h)", "h", A_CALL.format("make")),
        ("def run():\n    h = make()\n    return adlsp.grad(h)", "h", A_CALL.format("make")),
        ("adlsp.grad(loss if fast else make())", "loss if fast else make()", A_CALL.format("make")),
        ("D = make()\nadlsp.grad(D['a'])", "D['a']", "what is there is known only"),
        ("D = {}\nD['a'] = loss\nadlsp.grad(D['a'])", "D['a']", "what is there is known only"),
        ("def run():\n    global loss\n    return adlsp.grad(loss)", "loss", "what it is bound to"),
        ("class T:\n    loss = 1\n    f = adlsp.grad(loss)", "loss", "it is no function"),
        ("adlsp.grad()", "adlsp.grad()", "nothing in the text says which function"),
        ("adlsp.grad(*many)", "adlsp.grad(*many)", "nothing in the text says which function"),
        ("other = 3\nadlsp.grad(other)", "other", "it is no function"),
        ("class Net: pass\nadlsp.grad(Net)", "Net", "it is a class, no function"),
        ("@wrap\ndef f(x): 1\nadlsp.grad(f)", "f", "what `@wrap` makes of it is known only"),
        ("@adlsp.differentiable\n@wrap(n=1)\ndef f(x): 1", "adlsp.differentiable", "what `@wrap(n"),
        (
            "@adlsp.grad\n@wrap\ndef f(x): 1",
            "adlsp.grad",
            "what `@wrap` makes of it is known only",
        ),
        (
            "import torch\n@torch.func.grad\ndef f(x): 1",
            "torch.func.grad",
            "there are no rules for functions of torch",
        ),
        (
            "import torch\ntorch.func.grad(loss)",
            "loss",
            "there are no rules for functions of torch",
        ),
        (
            "import colorsys\nadlsp.vjp(colorsys.rgb_to_yiq)",
            "colorsys.rgb_to_yiq",
            "its text is not",
        ),
        ("def f(): return 1\nadlsp.grad(f)", "adlsp.grad(f)", "no parameter of it is named"),
    ],
)
def test_what_cannot_be_followed_is_said(call: str, at: str, reason: str) -> None:
    source, found, (problem,) = read(LOSS + call)
    assert [shown(root) for root in found] in ([], ["grad main.loss w"])
    assert (problem.finding.code, problem.finding.severity.value) == ("AD111", "information")
    assert problem.finding.text().partition(" cannot be followed: ")[2].startswith(reason)
    assert source.slice(problem.span) == at
    assert not problem.blocks


MODEL = """
class Base:
    def loss(self, w, x): return w

    @classmethod
    def of_class(cls, w): return w

    @staticmethod
    def of_none(w): return w

class Model(Base):
    def __call__(self, w): return w

    def fit(self):
        return adlsp.grad(self.loss)
"""

IN_OTHERS = [
    ("from functools import partial\nadlsp.grad(partial(loss, 1.0))", "grad main.loss x"),
    ("from functools import partial\nadlsp.grad(partial(loss, x=1.0))", "grad main.loss w"),
    (
        "from functools import partial\nadlsp.grad(partial(loss, x=1.0), 'scale')",
        "grad main.loss scale",
    ),
    (
        "from functools import partial as p\nadlsp.grad(p(p(loss, 1.0), scale=2.0))",
        "grad main.loss x",
    ),
    ("adlsp.grad(lambda w: w)", "grad main.<lambda:10:11> w"),
    ("f = lambda w: w\nadlsp.grad(f)", "grad main.<lambda:10:4> w"),
    ("def r(k):\n  def g(w): return w * k\n  adlsp.grad(g)", "grad main.r.<locals>.g w"),
    ("def r():\n  @adlsp.differentiable\n  def g(w): 1", "grad main.r.<locals>.g (w,)"),
    ("def r(k):\n  return adlsp.grad(lambda w: w * k)", "grad main.r.<locals>.<lambda:11:20> w"),
    ("L = {'a': lambda w: w}\nadlsp.grad(L['a'])", "grad main.<lambda:10:10> w"),
    (MODEL, "grad main.Model.loss w"),
    (MODEL + "m = Model()\nadlsp.grad(m.loss, 1)", "grad main.Model.loss x"),
    (MODEL + "adlsp.grad(Model().loss)", "grad main.Model.loss w"),
    (MODEL + "adlsp.grad(Model.loss, 1)", "grad main.Model.loss w"),
    (MODEL + "adlsp.grad(Model.of_class)", "grad main.Model.of_class w"),
    (MODEL + "m = Model()\nadlsp.grad(m.of_none)", "grad main.Model.of_none w"),
    (MODEL + "m = Model()\nadlsp.grad(m)", "grad main.Model.__call__ w"),
    (MODEL + "def run():\n  m = Model()\n  return adlsp.grad(m)", "grad main.Model.__call__ w"),
    ("class T:\n  @adlsp.differentiable\n  def g(self, w): 1", "grad main.T.g (w,)"),
]


@pytest.mark.parametrize(("call", "expected"), IN_OTHERS)
def test_functions_in_others_are_roots(call: str, expected: str) -> None:
    _, found, problems = read(LOSS + call)
    assert shown(found[-1]) == expected
    assert problems == ()


def test_a_name_is_compared_before_it_is_followed_into_a_checkout() -> None:
    _, (root,), problems = read(
        LOSS + "from autograd import grad\ngrad(loss, 1)",
        autograd="from operators import grad",
        operators="@unary\ndef grad(fun, x): 1",
    )
    assert (shown(root), problems) == ("grad main.loss x", ())


def test_each_call_is_reported_once() -> None:
    _, found, problems = read(LOSS + "adlsp.hessian(adlsp.grad(los))\nadlsp.grad(adlsp.grad(f()))")
    assert found == ()
    assert [problem.finding.code for problem in problems] == ["AD101", "AD111"]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("adlsp.grad(adlsp.grad(loss))", ["grad of grad main.loss w", "grad main.loss w"]),
        (
            "first = adlsp.grad(loss, 1)\nadlsp.jvp(first, 1)",
            ["grad main.loss x", "jvp of grad main.loss x"],
        ),
        ("adlsp.hessian(adlsp.jacobian(loss))", ["vjp main.loss w"]),
        ("import jax\njax.grad(jax.grad(loss))", ["grad main.loss w"]),
        (
            "def run(first):\n    first = adlsp.grad(loss)\n    adlsp.grad(first)",
            ["grad main.loss w"],
        ),
    ],
)
def test_derivatives_of_derivatives(call: str, expected: list[str]) -> None:
    _, found, _ = read(LOSS + call)
    assert [shown(root) for root in found] == expected


@pytest.mark.parametrize(
    ("decorator", "expected"),
    [
        ("@adlsp.differentiable", "grad main.f (a, b, c)"),
        ("@adlsp.differentiable()", "grad main.f (a, b, c)"),
        ("@adlsp.differentiable(wrt='b')", "grad main.f b"),
        ("@adlsp.differentiable(wrt=(0, -1))", "grad main.f (a, b)"),
        ("@adlsp.differentiable(('a', 'c'))", "grad main.f (a, c)"),
        ("@adlsp.grad", "grad main.f a"),
        ("@adlsp.jvp", "jvp main.f a"),
        ("@jax.value_and_grad", "value_and_grad main.f a"),
        ("@partial(adlsp.grad, wrt='b')", "grad main.f b"),
        ("@partial(jax.grad, argnums=(0, 1))", "grad main.f (a, b)"),
        ("@other.differentiable", None),
        ("@cache", None),
    ],
)
def test_decorators(decorator: str, expected: str | None) -> None:
    text = (
        f"import adlsp, jax\nfrom functools import cache, partial\nimport other\n"
        f"@cache\n{decorator}\ndef f(a, b, *rest, c=1):\n    return a\n"
    )
    source, found, problems = read(text)
    assert [shown(root) for root in found] == ([] if expected is None else [expected])
    assert problems == ()
    for root in found:
        assert f"@{source.slice(root.span)}" == decorator
        assert source.slice(root.definition).startswith("def f(")


@pytest.mark.parametrize(
    ("call", "message", "at"),
    [
        ("adlsp.grad(los)", "AD101 `los` is not defined", "los"),
        ("adlsp.grad(other.los)", "AD101 `other.los` is not defined", "other.los"),
        ("adlsp.grad(nump.tanh)", "AD101 `nump.tanh` is not defined", "nump.tanh"),
        ("adlsp.grad(np.tanh)", "AD112 `np.tanh` is a function of a library", "np.tanh"),
        ("adlsp.grad(len)", "AD112 `len` is a function of a library", "len"),
        ("async def g(x): 1\nadlsp.grad(g)", "AD205 `async def` cannot be differentiated", "g"),
        (
            "@adlsp.differentiable\nasync def g(x): 1",
            "AD205 `async def` cannot be",
            "adlsp.differentiable",
        ),
        ("class T:\n  @adlsp.grad\n  def g(s): 1", "AD202 `g` is not at the top", "adlsp.grad"),
        ("adlsp.grad(loss, 'v')", "AD105 `loss` has no parameter `v`", "'v'"),
        ("adlsp.grad(loss, wrt=('v',))", "AD105 `loss` has no parameter `v`", "('v',)"),
        ("adlsp.grad(loss, 2)", "AD105 `loss` has no parameter number 2", "2"),
        ("adlsp.grad(loss, -3)", "AD105 `loss` has no parameter number -3", "-3"),
    ],
)
def test_what_cannot_be_a_root_is_reported_at_the_argument(
    call: str, message: str, at: str
) -> None:
    source, found, (problem,) = read(LOSS + "import other\n" + call, other="x = 1")
    assert found == ()
    assert f"{problem.finding.code} {problem.finding.text()}".startswith(message)
    assert source.slice(problem.span) == at
    assert problem.blocks


def test_one_wrong_parameter_does_not_hide_the_right_ones() -> None:
    _, (root,), (problem,) = read(LOSS + "adlsp.grad(loss, ('w', 'v'))")
    assert root.request.wrt == ("w",)
    assert problem.finding.code == "AD105"


def test_a_root_may_be_defined_in_another_file() -> None:
    source, (root,), problems = read(
        "import ad\nimport models\nad.grad(models.loss, wrt='x')",
        ad="from adlsp import grad",
        models="\n\ndef loss(w, x):\n    return w * x\n",
    )
    assert shown(root) == "grad models.loss x"
    assert source.slice(root.span) == "ad.grad(models.loss, wrt='x')"
    assert (root.definition.path, root.definition.line) == ("models.py", 3)
    assert problems == ()


def test_roots_come_in_order_and_each_call_counts() -> None:
    _, found, _ = read(
        LOSS
        + """
def run():
    return adlsp.grad(loss, "x"), adlsp.vjp(loss)

adlsp.grad(loss)
"""
    )
    assert [shown(r) for r in found] == ["grad main.loss x", "vjp main.loss w", "grad main.loss w"]


def test_the_definition_that_counts_is_the_one_marked() -> None:
    text = "import adlsp\n@adlsp.differentiable\ndef f(x): 1\n\ndef f(y): 2\n"
    _, found, problems = read(text)
    assert (found, problems) == ((), ())


def test_a_function_with_open_parameters_may_be_given_any() -> None:
    text = "import adlsp\ndef f(x, *more, **named): 1\n"
    for wrt in ("5", "'other'"):
        _, found, (problem,) = read(f"{text}adlsp.grad(f, {wrt})")
        assert (found, problem.finding.code) == ((), "AD111")


def test_what_a_syntax_error_hides_is_not_reported_again() -> None:
    text = "import adlsp\ndef f(x:\n    return x\n\ndef g(x):\n    return x\n\n"
    _, found, problems = read(text + "adlsp.grad(f)\nadlsp.grad(g)\n")
    assert [shown(root) for root in found] == ["grad main.g x"]
    assert problems == ()


@pytest.mark.parametrize("n_terms", [400, 1100])
def test_what_is_nested_too_deeply_for_us_is_no_syntax_error(n_terms: int) -> None:
    terms = " + ".join(["x"] * n_terms)
    text = f"import adlsp\nx = 1\ny = {terms}\ndef f(x):\n    return {terms}\nadlsp.grad(f)\n"
    source, found, problems = read(text)
    assert StaticResolver({"main": source}.get).parsed(source)[1] == ()
    if n_terms == 400:
        assert ([shown(root) for root in found], problems) == (["grad main.f x"], ())
    else:
        assert found == ()
        assert [problem.finding.code for problem in problems] == ["AD113"]


FIT = """\
import adlsp

def fit(loss, w, *, wrt=0):
    gradient = adlsp.grad(loss)
    return gradient(w)

def fit_again(*, f):
    return fit(f, 1.0)

def fit_model(model, w):
    return adlsp.grad(model.net.loss, 1)(w)

class Trainer:
    def fit(self, f, w):
        return adlsp.grad(f)(w)

class Keeper:
    def __init__(self, rate, loss=None):
        self.rate = rate
        self.loss = loss

    def fit(self, w):
        return adlsp.grad(self.loss)(w)

    def again(self, w):
        return Keeper(0.1, self.loss).fit(w)
"""


@pytest.mark.parametrize(
    ("call", "expected", "at"),
    [
        ("fit(loss, 1.0)", "grad main.loss w", "fit(loss, 1.0)"),
        ("fit(w=1.0, loss=loss)", "grad main.loss w", "fit(w=1.0, loss=loss)"),
        ("fit_again(f=loss)", "grad main.loss w", "fit_again(f=loss)"),
        ("go = fit\ngo(loss, 1)", "grad main.loss w", "go(loss, 1)"),
        ("t = Trainer()\nt.fit(loss, 1)", "grad main.loss w", "t.fit(loss, 1)"),
        ("Keeper(0.1, loss).fit(1)", "grad main.loss w", "Keeper(0.1, loss)"),
        ("k = Keeper(loss=loss, rate=1)", "grad main.loss w", "Keeper(loss=loss, rate=1)"),
        ("for f in (loss,): fit(f, 1)", "grad main.loss w", "fit(f, 1)"),
        ("fit(adlsp.grad(loss), 1)", "grad of grad main.loss w", "fit(adlsp.grad(loss), 1)"),
    ],
)
def test_what_is_handed_to_what_differentiates_it(call: str, expected: str, at: str) -> None:
    source, found, _ = read(FIT + LOSS + call)
    (root,) = (each for each in found if each.is_handed)
    assert (shown(root), source.slice(root.span)) == (expected, at)


KEEPING = """\
import dataclasses
from dataclasses import dataclass, field
from typing import Callable, ClassVar
import adlsp

class Keeper:
    def __init__(self, rate, loss=None):
        self.rate = rate
        self.loss = loss

class Trainer(Keeper):
    def step(self, w):
        return adlsp.grad(self.loss)(w)

class Careful(Trainer):
    def __init__(self, loss, limit):
        super().__init__(0.1, loss)
        self.limit = limit

class Named(Keeper):
    def __init__(self, loss):
        Keeper.__init__(self, 0.1, loss)

    def step(self, w):
        return adlsp.grad(self.loss)(w)

class Stepping:
    def step(self, w):
        return adlsp.grad(self.cost)(w)

class Costly(Stepping):
    def __init__(self, cost):
        self.cost = cost

@dataclass
class Settings:
    rate: float
    kinds: ClassVar[int] = 3
    seen: list = field(default_factory=list, init=False)

@dataclasses.dataclass(frozen=True)
class Data(Settings):
    loss: Callable
    n: int = 3

    def __post_init__(self):
        self.g = adlsp.grad(self.loss)

class Open:
    loss = None

    def step(self, w):
        return adlsp.grad(self.loss)(w)
"""


@pytest.mark.parametrize(
    ("call", "at"),
    [
        ("Trainer(0.1, loss).step(1.0)", "Trainer(0.1, loss)"),
        ("t = Trainer(loss=loss, rate=0.1)", "Trainer(loss=loss, rate=0.1)"),
        ("Careful(loss, 3).step(1.0)", "Careful(loss, 3)"),
        ("class More(Careful):\n    pass\nMore(loss, 3)", "More(loss, 3)"),
        ("Named(loss)", "Named(loss)"),
        ("Costly(loss).step(1.0)", "Costly(loss)"),
        ("Data(0.1, loss)", "Data(0.1, loss)"),
        ("d = Data(0.1, n=2, loss=loss)", "Data(0.1, n=2, loss=loss)"),
        ("o = Open()\no.loss = loss\no.step(1.0)", "o.loss = loss"),
        ("t = Trainer(0.1)\nt.loss = loss", "t.loss = loss"),
        ("def run(f):\n    o = Open()\n    o.loss = f\nrun(loss)", "run(loss)"),
    ],
)
@pytest.mark.parametrize("is_apart", [False, True])
def test_what_objects_keep(call: str, at: str, *, is_apart: bool) -> None:
    """What a class above sets, a dataclass is made with, or is set from outside, in any file."""
    if not is_apart:
        source, found, problems = read(KEEPING + LOSS + call)
        roots_ = [each for each in found if each.is_handed]
        assert not any("Data" in source.slice(each.span) for each in problems)
    else:
        text = LOSS.partition("\n")[2] + f"from trainer import *\n{call}\n"
        names = re.findall(r"^class (\w+)", KEEPING, re.MULTILINE)
        text = text.replace("import *", f"import {', '.join(names)}")
        texts = {"main": text, "trainer": KEEPING}
        sources = {name: Source(f"{name}.py", name, text) for name, text in texts.items()}
        resolver = StaticResolver(sources.get)
        source = sources["main"]
        roots_ = [*handed(sources["trainer"], resolver, source, resolver)]
    told = {(shown(each), source.slice(each.span)) for each in roots_}
    assert told == {("grad main.loss w", at)}


def test_what_nobody_sets_is_not_known() -> None:
    _, found, problems = read(KEEPING)
    assert found == ()
    assert {problem.finding.code for problem in problems} == {"AD111"}


@pytest.mark.parametrize(
    "call",
    [
        "fit(loss)",
        "trainer.fit(loss, 1.0)",
        "trainer.fit_again(f=loss)",
        "go(loss, 1.0)",
        "trainer.Keeper(1.0, loss)",
    ],
)
def test_what_other_files_hand(call: str) -> None:
    """The file need not say a word of derivatives."""
    texts = {"main": LOSS.partition("\n")[2] + f"import trainer\n{IMPORTS}{call}", "trainer": FIT}
    sources = {name: Source(f"{name}.py", name, text) for name, text in texts.items()}
    resolver = StaticResolver(sources.get)
    main, trainer = sources["main"], sources["trainer"]
    assert takers(trainer, resolver) == {
        *("trainer.fit", "trainer.fit_again", "trainer.fit_model"),
        *("trainer.Trainer.fit", "trainer.Keeper"),
    }
    assert roots(main, resolver) == ((), ())
    (root,) = handed(trainer, resolver, main, resolver)
    assert (shown(root), main.slice(root.span)) == ("grad main.loss w", call)
    assert handed(trainer, resolver, trainer, resolver) == ()


IMPORTS = "from trainer import fit, fit as go\n"


@pytest.mark.parametrize(
    "call",
    [
        "def h(f):\n    adlsp.grad(f)\n    h(f)\nh(f)",
        "def h(f, g):\n    adlsp.grad(f)\nh(g=loss, *two)",
        "def h(f):\n    adlsp.grad(f)\nh(other())",
        "def h(f):\n    f = loss\n    adlsp.grad(f)\n",
    ],
)
def test_what_is_handed_may_not_be_known(call: str) -> None:
    _, found, problems = read(LOSS + call)
    assert not any(root.is_handed for root in found)
    assert [problem.finding.code for problem in problems] in (["AD111"], [])


HELD = """\
class Net:
    def loss(self, w): return w

class Model:
    def loss(self, w): return w

model: Model = Model()
made = model
"""


@pytest.mark.parametrize(
    "call",
    [
        "from held import model\nadlsp.grad(model.loss)",
        "import held\nadlsp.grad(held.made.loss)",
        "from held import Model\ndef f(m: Model): adlsp.grad(m.loss)",
        "import held\ndef f(a, *, m: 'held.Model'): adlsp.grad(m.loss)",
    ],
)
def test_objects_of_other_modules_and_annotations(call: str) -> None:
    _, found, problems = read(f"import adlsp\n{call}", held=HELD)
    assert ([shown(root) for root in found], problems) == (["grad held.Model.loss w"], ())


def test_a_file_without_derivatives_is_not_parsed() -> None:
    source = Source("main.py", "main", "def f(x): return x\n" * 10)
    parsed = []
    resolver = StaticResolver({"main": source}.get, lambda s: (parsed.append(s), ())[1])
    assert roots(source, resolver) == ((), ())
    assert parsed == []
