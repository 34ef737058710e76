"""The library: a live function, through the engine, to a compiled derivative.

Derivatives are real Python functions in real files, whose path follows from their text; the editor
and the debugger know them by the same path.
"""

from __future__ import annotations

import builtins
import gc
import inspect
import json
import linecache
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from types import CodeType, FunctionType
from typing import Any, NoReturn

from adlsp import live, primal, workspace
from adlsp.live import LiveResolver
from adlsp.transform import engine, requests
from adlsp.transform.derivative import Derivative, Request
from adlsp.transform.findings import language, reading
from adlsp.transform.findings.vocabulary import Diagnostic, Found
from adlsp.transform.frontend import operators
from adlsp.transform.source import Span

Value = Any
"""Whatever a function takes or gives."""

Wrt = int | str | Sequence[int | str]


class DifferentiationError(TypeError):
    """A function cannot be differentiated; `findings` tell why and where, as an editor does."""

    def __init__(self, name: str, findings: tuple[Diagnostic, ...]) -> None:
        self.findings = findings
        lines = [f"`{name}` cannot be differentiated"]
        for finding in findings:
            span = finding.span
            place = f"{span.path}:{span.line}:{span.column}: " if span.path else ""
            lines.append(f"  {place}{finding.code} {finding.message}")
        super().__init__("\n".join(lines))


class Differentiated:
    """A compiled derivative: call it as the primal, with `out_bar=` for another seed than 1.

    `__wrapped__` is the primal, `derivative` the text with its map and findings, `path` its file.
    """

    derivative: Derivative
    path: str
    _compiled: FunctionType
    _primal: FunctionType
    _asked: Asked

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        """The primal; but `inspect`, which follows this to find a source, gets the derivative's."""
        frame = inspect.currentframe()
        caller = None if frame is None else frame.f_back
        if caller is not None and caller.f_globals.get("__name__") == "inspect":
            return self._compiled
        return primal.runs(self._primal)

    def __repr__(self) -> str:
        return f"<derivative {self._compiled.__name__} of {self._primal.__qualname__}>"


def grad(f: Callable[..., Any], wrt: Wrt = 0, *, outputs: Sequence[str] = ()) -> Value:
    """Makes the gradient function of `f`.

    Called as `f` is; gives the gradient with respect to `wrt` (an index or a name), in the shape of
    that argument; for a tuple or list of them, a tuple of gradients. The output of `f` must be a
    scalar, unless `out_bar=` (in the shape of the output) is passed. `outputs` names arrays that
    `f` changes in place: their values after the call are the outputs.

    Raises DifferentiationError if `f` cannot be differentiated, ValueError or TypeError if `wrt` or
    `outputs` name no parameter of it.
    """
    return _differentiated(f, wrt, "grad", outputs)


def value_and_grad(f: Callable[..., Any], wrt: Wrt = 0, *, outputs: Sequence[str] = ()) -> Value:
    """Makes a function that gives the value of `f` and its gradient; see `grad`."""
    return _differentiated(f, wrt, "value_and_grad", outputs)


def vjp(f: Callable[..., Any], wrt: Wrt = 0, *, outputs: Sequence[str] = ()) -> Value:
    """Makes the vector-Jacobian product of `f`, called with `out_bar=` in the output's shape.

    Where `f` has a parameter `out_bar` itself, the seed is called `out_bar_2`.
    """
    return _differentiated(f, wrt, "vjp", outputs)


def jvp(f: Callable[..., Any], wrt: Wrt = 0, *, outputs: Sequence[str] = ()) -> Value:
    """Makes the Jacobian-vector product of `f`: the tangent of its output.

    Called with `dots=`, a tuple with one tangent for each entry of `wrt`, each in the shape of its
    argument; gives the tangent in the shape of the output. Where `f` has a parameter `dots` itself,
    they are called `dots_2`.
    """
    return _differentiated(f, wrt, "jvp", outputs)


def hvp(f: Callable[..., Any], wrt: Wrt = 0) -> Value:
    """Makes the Hessian-vector product of a scalar `f`: the tangent of its gradient.

    Called with `dots=` as `jvp` is; gives the product in the shape of the gradient.
    """
    return jvp(grad(f, wrt), wrt)


def jacobian(f: Callable[..., Any], wrt: Wrt = 0) -> Value:
    """Makes a function for the Jacobian of `f`, one row for each element of the output.

    Its shape is that of the output followed by that of the argument; for a tuple or list in `wrt`,
    a tuple of Jacobians.
    """
    from adlsp import matrices

    return matrices.jacobian(f, vjp(f, wrt))


def hessian(f: Callable[..., Any], wrt: int | str = 0) -> Value:
    """Makes a function for the Hessian of a scalar `f` with respect to one argument.

    Its shape is that of the argument, twice.
    """
    return jacobian(grad(f, wrt), wrt)


def derive(
    f: Callable[..., Any], wrt: Wrt = 0, mode: str = "reverse", order: int = 1
) -> Derivative:
    """Gives the derivative of `f` as text: `.source`, `.source_map`, `.findings`, `.path`.

    `source` is empty where findings prevent a derivative. `order` 2 is the derivative of the
    gradient. Raises ValueError for a mode other than "reverse" and "forward" and an order below 1.
    """
    if mode not in ("reverse", "forward") or order < 1:
        raise ValueError("`mode` is 'reverse' or 'forward', and `order` at least 1")
    kinds = ["grad"] * (order - 1) + ["grad" if mode == "reverse" else "jvp"]
    names, is_tuple = _request(f, wrt)
    asked: Asked | None = None
    for kind in kinds:
        asked = Asked(names, is_tuple, kind, (), asked)
    assert asked is not None
    return _derived(_primal(f), asked)[0]


def differentiable(
    f: Callable[..., Any] | None = None, *, wrt: Wrt | None = None
) -> Callable[..., Any]:
    """Marks a function as one to be differentiated, for the editor and `adlsp check`.

    Used as `@differentiable` or `@differentiable(wrt="w")`. Calling the function runs the primal,
    without the blocks of `insert_grad_of` in it; without such blocks it is left as it is.
    """
    del wrt
    return differentiable if f is None else primal.without_blocks(f, insert_grad_of)


def stop_gradient(x: Value) -> Value:
    """Gives `x`; its derivative is zero."""
    return x


def insert_grad_of(x: Value) -> AbstractContextManager[Any]:
    """Opens a block that runs in the backward sweep, as in `with … as x_bar:`.

    The block runs where the backward sweep passes its place. `x_bar` is what the adjoint of `x` is
    there, in the shape of `x`: all that later statements have contributed. What the block assigns
    to it is the adjoint from then on. The block may read the primal's variables, bind names of its
    own, and call what it likes; it changes nothing of the primal's. Forward mode passes it by. It
    does not run for an `x` that does not depend on the inputs of interest.

    Entered outside of a derivative it raises RuntimeError: mark the function with
    `@adlsp.differentiable`, and its primal runs without the block.
    """
    del x
    raise RuntimeError(
        "`insert_grad_of` has no meaning while the primal runs: mark the function with "
        "`@adlsp.differentiable`, and call its derivative"
    )


def check_grads(
    f: Callable[..., Any],
    args: Sequence[Any],
    wrt: Wrt | None = None,
    order: int = 1,
    *,
    outputs: Sequence[str] = (),
    tolerance: float = 1e-6,
) -> None:
    """Checks the gradient of `f` at `args` against central differences, and against its tangent.

    The output is weighted with random numbers, and each argument in `wrt` (all that hold floating
    point, if None) moved along a random direction d, so that one number checks every element:
    ⟨out_bar, f(x + h·d) - f(x - h·d)⟩ / 2h = ⟨x_bar, d⟩, and ⟨out_bar, out_dot⟩ = ⟨x_bar, d⟩ with
    the tangent out_dot for d. With `order` 2 the gradient is then checked in the same way, as a
    function of its own. Arguments and results may be tuples, lists and dictionaries, nested.

    Raises AssertionError with a report of each argument if two of these differ by more than
    `tolerance`, relative to their size; DifferentiationError where there is no derivative, and
    ValueError for an order other than 1 and 2.
    """
    from adlsp import checking  # NumPy loads when something is checked

    if order not in (1, 2):
        raise ValueError("`order` is 1 or 2")
    names, _ = _request(f, checking.smooth_arguments(args) if wrt is None else wrt)
    names = (names,) if isinstance(names, str) else names
    moved = tuple((name, _parameters(f).index(name)) for name in names)
    pullback: Value = _differentiated(f, names, "vjp", outputs)

    def primal(*given: Value) -> Value:
        result = f(*given)
        values = tuple(given[_parameters(f).index(name)] for name in outputs)
        return values if outputs else result

    def problems(function: Callable[..., Any], pulled: Value, tangent: Value) -> None:
        checked = checking.Checked(_name(f), function, pulled, tangent, args, moved)
        if told := checked.problems(tolerance):
            raise AssertionError("\n".join(told))

    problems(primal, pullback, _tangent(f, names, outputs))
    if order == 2:
        seed = checking.seed(primal, args)
        first = partial(pullback, out_bar=seed)
        again: Value = _differentiated(pullback, names, "vjp", ())
        tangent = _tangent(pullback, names, ())
        second = partial(again, inner_bar=seed)
        problems(first, second, tangent and partial(tangent, inner_bar=seed))


def _tangent(f: Callable[..., Any], wrt: Wrt, outputs: Sequence[str]) -> Value:
    """The tangent of a function; None where only its gradient can be made, as by a user's rule."""
    try:
        return _differentiated(f, wrt, "jvp", outputs)
    except DifferentiationError:
        return None


# from a function to its derivative


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a primal: as a `Request`, of what `inner` asks for if there is one."""

    names: tuple[str, ...]
    is_tuple: bool
    kind: str
    outputs: tuple[str, ...]
    inner: Asked | None = None

    def request(self, dotted: str) -> Request:
        """The request, for a function by its dotted name."""
        inner = None if self.inner is None else self.inner.request(dotted)
        return Request(
            dotted, self.names, self.is_tuple, self.kind, outputs=self.outputs, inner=inner
        )


def _differentiated(
    f: Callable[..., Any], wrt: Wrt, kind: str, outputs: Sequence[str]
) -> Differentiated:
    names, is_tuple = _request(f, wrt)
    for name in outputs:
        if name not in _parameters(f):
            raise ValueError(f"`{_name(f)}` has no parameter {name!r} for `outputs`")
    inner = f._asked if isinstance(f, Differentiated) else None
    if inner is not None and outputs:
        raise ValueError(f"`{_name(f)}` is a derivative, which changes nothing: no `outputs`")
    return _compiled(_primal(f), Asked(names, is_tuple, kind, tuple(outputs), inner))


def _primal(f: Callable[..., Any]) -> FunctionType:
    """The function that somebody wrote; a cache or a compiler around it is looked through."""
    inner = f._primal if isinstance(f, Differentiated) else live.unwrapped(f)
    if not isinstance(inner, FunctionType):
        home = str(getattr(f, "__module__", None) or type(f).__module__).partition(".")[0]
        if home in operators.LIBRARIES and callable(f):
            finding = reading.LibraryFunction(_name(f))
            found = engine.render(Found(finding, Span("", 1, 1, 1, 1)), _name(f))
            raise DifferentiationError(_name(f), (found,))
        raise TypeError(f"only Python functions can be differentiated, not {f!r}")
    return inner


def _name(f: Callable[..., Any]) -> str:
    return str(getattr(f, "__name__", f))


def _parameters(f: Callable[..., Any]) -> list[str]:
    code = _primal(f).__code__
    return list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def _request(f: Callable[..., Any], wrt: Wrt) -> tuple[tuple[str, ...], bool]:
    """The parameters of interest by name, and whether their gradients come as a tuple."""
    primal = _primal(f)
    if primal.__closure__:
        _refuse(primal, language.Closure(primal.__code__.co_freevars[0], primal.__name__))
    known = _parameters(f)
    if isinstance(wrt, int | str):
        return (_parameter(f, wrt, known),), False
    names = tuple(_parameter(f, each, known) for each in wrt)
    if not names:
        raise ValueError("`wrt` names no parameter")
    if len(set(names)) < len(names):
        raise ValueError("`wrt` names a parameter twice")
    return names, True


def _parameter(f: Callable[..., Any], which: int | str, known: list[str]) -> str:
    if isinstance(which, str):
        if which not in known:
            raise ValueError(f"`{_name(f)}` has no parameter {which!r}")
        return which
    if not -len(known) <= which < len(known):
        raise ValueError(f"`{_name(f)}` has {len(known)} parameters, so none at {which}")
    return known[which]


@lru_cache(maxsize=1024)
def _compiled(f: FunctionType, asked: Asked) -> Differentiated:
    derivative, resolver = _derived(f, asked)
    if not derivative.source:
        raise DifferentiationError(f.__name__, tuple(d for d in derivative.findings if d.blocks))
    assert derivative.path is not None
    space: dict[str, Any] = {
        "__name__": f"adlsp.derivatives.{derivative.name}",
        "__file__": derivative.path,
        "__builtins__": {**vars(builtins), "__import__": resolver.importer()},
    }
    exec(_of_one_file(compile(derivative.source, derivative.path, "exec")), space)
    compiled = space[derivative.name]
    compiled.__defaults__ = f.__defaults__
    compiled.__kwdefaults__ = {**(compiled.__kwdefaults__ or {}), **(f.__kwdefaults__ or {})}
    _announce(derivative, f)
    members = {"__call__": staticmethod(compiled), "__doc__": compiled.__doc__}
    made: Differentiated = type("Differentiated", (Differentiated,), members)()
    made.derivative, made.path = derivative, derivative.path
    made._compiled, made._primal, made._asked = compiled, f, asked  # type: ignore[assignment]
    for name in ("__name__", "__qualname__", "__module__"):
        setattr(made, name, getattr(compiled, name))
    return made


def _of_one_file(code: CodeType) -> CodeType:
    """The same code, equal to none of another file: debuggers remember what they know by code."""
    constants = (
        _of_one_file(each) if isinstance(each, CodeType) else each for each in code.co_consts
    )
    return code.replace(co_consts=(*constants, code.co_filename))


def _derived(f: FunctionType, asked: Asked) -> tuple[Derivative, LiveResolver]:
    """The derivative of a live function, in its file."""
    if f.__name__ == "<lambda>":
        _refuse(f, language.NestedFunction("lambda"))
    if f.__closure__:
        _refuse(f, language.Closure(f.__code__.co_freevars[0], f.__name__))
    resolver = LiveResolver(f)
    if not resolver.dotted:
        module = None if resolver.source is None else resolver.parsed(resolver.source)[0]
        unfit = requests.unfit(module, f.__qualname__)
        _refuse(f, unfit or reading.SourceUnavailable(f.__name__))
    with _undisturbed():
        derivative = engine.derive(asked.request(resolver.dotted), resolver)
    if not derivative.source:
        return derivative, resolver
    try:
        path = workspace.write_derivative(derivative)
    except OSError:
        path = f"<adlsp {os.path.basename(workspace.derivative_path(derivative))}>"
        lines = derivative.source.splitlines(keepends=True)
        linecache.cache[path] = (len(derivative.source), None, lines, path)
    return replace(derivative, path=path), resolver


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Looks for no garbage meanwhile: deriving makes many small objects, few of them in circles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _refuse(f: FunctionType, finding: Value) -> NoReturn:
    line = f.__code__.co_firstlineno
    place = Span(f.__code__.co_filename, line, 1, line, 1)
    raise DifferentiationError(f.__name__, (engine.render(Found(finding, place), f.__name__),))


def _announce(derivative: Derivative, f: FunctionType) -> None:
    """Tells a debugger, if there is one, of a new derivative."""
    from adlsp.runtime import hook

    lines = [
        {
            "line": mapped.line,
            "role": mapped.role.value,
            "path": mapped.primal.path,
            "primal_line": mapped.primal.line,
            "primal_end_line": mapped.primal.end_line,
        }
        for mapped in derivative.source_map
    ]
    payload = {
        "version": 1,
        "path": derivative.path,
        "name": derivative.name,
        "primal": f.__name__,
        "map": lines,
    }
    hook.bind(json.dumps(payload))
