"""What is asked of the derivatives of a program that is called with several types of arguments.

At each point, in turn and with one derivative: the value is the primal's, gradients are what
differences of the primal in double precision say, the tangent agrees by the inner product, the
text is that which the static way writes for the signature, and what runs unoptimized or for
whatever arguments gives the same. Numbers pair by ⟨a, b⟩ = Re Σ a·b.
"""

from __future__ import annotations

import copy
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import five_points
import numpy as np
import oracle
from oracle import WrongError

import adlsp
from adlsp.transform import engine
from adlsp.workspace import Workspace

FAILURES = (
    ArithmeticError,
    AttributeError,
    IndexError,
    KeyError,
    TypeError,
    UnboundLocalError,
    ValueError,
    np.exceptions.ComplexWarning,
    Warning,
)
"""What a primal may raise at arguments that it was not written for."""


@dataclass
class Verdict:
    """What became of a program: messages of what refused it, and how much was checked."""

    refused: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)


def mapped(f: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """The same structure of what `f` gives for each part, and for those of others at its place."""
    if isinstance(tree, dict):
        return {k: mapped(f, part, *(o[k] for o in others)) for k, part in tree.items()}
    if isinstance(tree, tuple | list):
        return type(tree)([mapped(f, *both) for both in zip(tree, *others, strict=True)])
    if hasattr(tree, "__dict__") and not isinstance(tree, type | FunctionType | np.ufunc):
        made = copy.copy(tree)
        for k, part in vars(tree).items():
            setattr(made, k, mapped(f, part, *(getattr(o, k) for o in others)))
        return made
    return f(tree, *others)


def parts(tree: Any) -> list[Any]:
    """The arrays and numbers in a structure, in order."""
    found: list[Any] = []
    mapped(found.append, tree)
    return found


def inner(one: Any, other: Any) -> float:
    """The inner product of two structures."""
    pairs = zip(parts(one), parts(other), strict=True)
    return float(sum(np.real(np.sum(np.asarray(a) * b)) for a, b in pairs if a is not None))


def wide(tree: Any) -> Any:
    """The same numbers in double precision; an array that is there twice is so again."""
    seen: dict[int, Any] = {}

    def part(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            kind = np.complex128 if value.dtype.kind == "c" else np.float64
            return seen.setdefault(id(value), np.array(value, dtype=kind))
        if isinstance(value, complex | np.complexfloating):
            return complex(value)
        return np.float64(value) if isinstance(value, np.generic) else float(value)

    return mapped(part, tree)


def is_plain(point: dict[str, Any]) -> bool:
    """Tells whether a point is one for a derivative that is made for whatever arguments.

    That takes no functions, no objects that change, and else arrays or numbers, real ones.
    """
    listed = any(
        isinstance(point.get(name), list | tuple) for name in ("x", "y", "z", "m", "a", "s", "r")
    )
    return (
        not {"act", "model"} & {*point}
        and not listed
        and not any(map(np.iscomplexobj, parts(point)))
    )


def shifted(value: Any, shift: float, along: Any) -> Any:
    """A number or array, moved along a direction."""
    moved = value + shift * along
    return moved if isinstance(value, np.ndarray) else type(value)(moved)


def narrowest(tree: Any) -> float:
    """How exact the numbers in a structure are."""
    dtypes = [np.asarray(part).dtype for part in parts(tree)]
    return 3e-3 if any(d in (np.float32, np.complex64) for d in dtypes) else 4e-6


def run_program(
    path: Path, program: Any, text: str | None = None, *, drops_parts: bool = False
) -> Verdict:
    """Checks the derivatives of the function `f` of a program; raises WrongError.

    `drops_parts`: the program may drop imaginary parts, of which NumPy warns.
    """
    text = program.text if text is None else text
    module = oracle.load(path, text)
    checker = Checker(path, module, program.wrt, drops_parts=drops_parts)
    points = [make(module) for make in program.points]
    if not any(checker.is_usable(point) for point in points):
        return checker.verdict
    for number, point in enumerate((*points, points[0])):
        checker.check(point, is_second=number == program.seed % 4)
    return checker.verdict


class Checker:
    """Checks one program at many points."""

    def __init__(
        self, path: Path, module: ModuleType, wrt: tuple[str, ...], *, drops_parts: bool = False
    ) -> None:
        self.path, self.f, self.wrt = path, module.f, wrt
        self.drops_parts = drops_parts
        self.verdict = Verdict()
        self.pull = self.with_value = adlsp.value_and_grad(self.f, wrt=wrt)
        self.without_value = adlsp.vjp(self.f, wrt=wrt)
        self.push = adlsp.jvp(self.f, wrt=wrt)
        self.seen: set[str] = set()
        self.generic: Any = None

    def primal(self, point: dict[str, Any]) -> Any:
        """The primal's value, on copies of its arguments."""
        with np.errstate(all="raise", under="ignore"), warnings.catch_warnings():
            warnings.simplefilter("error")
            if self.drops_parts:
                warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
            return self.f(**copy.deepcopy(point))

    def is_usable(self, point: dict[str, Any]) -> bool:
        """Tells whether the primal runs here, to numbers of a sound size."""
        try:
            out = self.primal(point)
        except FAILURES:
            return False
        found = [np.asarray(part) for part in parts(out)]
        if isinstance(out, list):
            return False
        return all(p.dtype.kind in "fciub" for p in found) and all(
            p.size == 0 or bool(np.all(np.isfinite(p)) and np.max(np.abs(p)) < 1e4) for p in found
        )

    def check(self, point: dict[str, Any], *, is_second: bool) -> None:
        """Checks all derivatives at a point; raises WrongError."""
        if not self.is_usable(point):
            self.verdict.done["unusable"] += 1
            return
        out = self.primal(point)
        out_bar = self.random_like(out, 3)
        try:
            if any(map(np.iscomplexobj, parts(out))):
                self.pull = self.without_value
                value, bars = out, self.run(self.pull, point, out_bar=out_bar)
            else:
                self.pull = self.with_value
                value, bars = self.run(self.pull, point, out_bar=out_bar)
        except oracle.LateError as error:
            self.verdict.refused["late: " + str(error)[-500:]] += 1
            return
        except adlsp.DifferentiationError as error:
            self.refuse(error)
            return
        self.verdict.done["run"] += 1
        self.same_value(value, out)
        self.same_structure(bars, point)
        self.static_text(point, out_bar, bars)
        expected = self.differences(point, out, out_bar, bars)
        tangent = self.forward(point, out, out_bar, bars)
        if is_second and expected and tangent is not None:
            self.second(point, out_bar)

    def run(self, derivative: Any, point: dict[str, Any], **seeds: Any) -> Any:
        """Runs a derivative, which leaves what it is given as it is."""
        given = copy.deepcopy({**point, **seeds})
        before = copy.deepcopy(given)
        try:
            with oracle.refusing_late():
                made = derivative(**given)
        except (oracle.LateError, adlsp.DifferentiationError):
            raise
        except Exception as error:
            if "(AD503)" in str(error):
                raise oracle.LateError(str(error)) from error
            kind = f"crash {type(error).__name__}"
            raise WrongError(kind, f"{error!r} at {point}{text_of(derivative)}") from error
        for key, value in given.items():
            for one, other in zip(parts(value), parts(before[key]), strict=True):
                if not np.array_equal(one, other):
                    raise WrongError("mutation", f"{key} was changed{text_of(derivative)}")
        return made

    def refuse(self, error: adlsp.DifferentiationError) -> None:
        """Notes what refused a program."""
        for finding in error.findings:
            self.verdict.refused[f"{finding.code} {finding.message}"] += 1

    def random_like(self, tree: Any, seed: int) -> Any:
        """Random numbers in the structure of a tree: complex for what is complex."""
        random = np.random.default_rng(seed)

        def part(value: Any) -> Any:
            shape = np.shape(value)
            made: Any = random.uniform(0.4, 1.0, shape)
            if np.iscomplexobj(value):
                made = made + 1j * random.uniform(-0.5, 0.5, shape)
            if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
                return np.asarray(made, dtype=value.dtype)
            return made if shape else made[()] if isinstance(made, np.ndarray) else made

        return mapped(part, tree)

    def same_value(self, value: Any, out: Any) -> None:
        """The value of a derivative is the primal's."""
        mine, theirs = parts(value), parts(out)
        tolerance = narrowest(out)
        for a, b in zip(mine, theirs, strict=True):
            is_same = np.shape(a) == np.shape(b) and np.asarray(a).dtype == np.asarray(b).dtype
            if not is_same or not np.allclose(a, b, rtol=tolerance * 1e-3, atol=1e-9):
                raise WrongError("value", f"{a!r} is not {b!r}{text_of(self.pull)}")

    def same_structure(self, bars: Any, point: dict[str, Any]) -> None:
        """Gradients have the shapes and dtypes of the arguments."""
        for key, bar in zip(self.wrt, bars, strict=True):
            mine, theirs = parts(bar), parts(point[key])
            is_like = len(mine) == len(theirs) and all(
                np.shape(a) == np.shape(b) for a, b in zip(mine, theirs, strict=True)
            )
            is_typed = is_like and all(
                np.asarray(a).dtype == b.dtype
                for a, b in zip(mine, theirs, strict=True)
                if isinstance(b, np.ndarray) and b.dtype.kind in "fc" and b.ndim
            )
            if not is_typed:
                message = f"{key} has {bar!r} for {point[key]!r}{text_of(self.pull)}"
                raise WrongError("structure", message)

    def static_text(self, point: dict[str, Any], out_bar: Any, bars: Any) -> None:
        """The static way writes the same for this signature; unoptimized it gives the same."""
        live = self.pull.derivative
        signature = live.request.signature
        if signature in self.seen:
            return
        self.seen.add(signature)
        workspace = Workspace()
        resolver = workspace.resolver(str(self.path))
        function = f"{workspace.module_name(str(self.path))}.f"
        request = replace(live.request, function=function)
        for name, asked in (
            ("static", request),
            ("unoptimized", replace(request, optimize=False)),
            ("generic", replace(request, signature="", optimize=len(self.seen) % 2 == 0)),
        ):
            if name == "generic" and not is_plain(point):
                continue
            try:
                derivative = engine.derive(asked, resolver)
            except Exception as error:
                raise WrongError(f"crash {name}", f"deriving raises {error!r}") from error
            if {found.code for found in derivative.findings} == {"AD204"}:
                return  # a lambda in a variable: which it is, only the program knows
            if name == "static":
                if derivative.source != live.source:
                    raise WrongError("static", f"{signature}\n{derivative.source}\n{live.source}")
                continue
            if not derivative.source:
                if name == "generic":
                    continue
                raise WrongError("refused", f"{name}: {derivative.findings}")
            made = oracle.compiled(derivative)
            try:
                others = self.run(made, point, out_bar=out_bar)
                others = others[1] if self.pull is self.with_value else others
            except oracle.LateError:
                continue
            except WrongError as error:
                raise WrongError(f"{name} {error.kind}", f"{signature} {error}") from error
            tolerance = 2e-3 if narrowest(point) > 1e-3 else 1e-9
            for one, other in zip(parts(bars), parts(others), strict=True):
                if np.shape(one) != np.shape(other) or not np.allclose(
                    one, other, rtol=tolerance, atol=tolerance * 10
                ):
                    raise WrongError(
                        name,
                        f"{other!r} is not {one!r} at {point}\n{derivative.source}\n{live.source}",
                    )

    def differences(
        self, point: dict[str, Any], out: Any, out_bar: Any, bars: Any
    ) -> dict[str, float] | None:
        """Compares with differences in double precision; None where they tell nothing."""
        fixed = {"act": point["act"]} if "act" in point else {}
        moving = {name: point[name] for name in point if name in self.wrt}
        rest = {n: point[n] for n in point if n not in self.wrt and n not in fixed}
        kept = {
            n: wide(v) if narrowest(v) > 1e-3 and n not in ("k", "flag") else v
            for n, v in rest.items()
        }
        groups = self.groups(moving)
        base = wide(moving)
        try:
            wider = self.primal({**base, **kept, **fixed})
        except FAILURES:
            return None
        tolerance = max(narrowest(point), narrowest(out))
        mine, theirs = parts(wider), parts(out)
        if len(mine) != len(theirs) or not all(
            np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=tolerance, atol=tolerance)
            for a, b in zip(mine, theirs, strict=True)
        ):
            return None
        found = {}
        for group in groups:
            directions = {name: self.direction(point, name) for name in group}

            def at(shift: float, group: Any = group, directions: Any = directions) -> list[float]:
                moved = dict(base)
                for name in group:
                    moved[name] = mapped(
                        lambda v, d: (
                            v + shift * d if isinstance(v, np.ndarray) else type(v)(v + shift * d)
                        ),
                        base[name],
                        directions[name],
                    )
                if len(group) > 1:
                    moved |= dict.fromkeys(group, moved[group[0]])
                try:
                    return [inner(self.primal({**moved, **kept, **fixed}), out_bar)]
                except FAILURES:
                    return [float("nan")]

            slope = five_points.slopes(at)
            if slope is None:
                return None
            expected = float(slope[0])
            given = sum(
                inner(bar, directions[name])
                for name, bar in zip(self.wrt, bars, strict=True)
                if name in group
            )
            if not abs(given - expected) <= tolerance * max(1.0, abs(expected)):
                raise WrongError(
                    "gradient",
                    f"{group}: {given!r}, differences give {expected!r} at {point}"
                    + text_of(self.pull),
                )
            found[group[0]] = expected
        self.verdict.done["compared"] += 1
        return found

    def groups(self, moving: dict[str, Any]) -> list[tuple[str, ...]]:
        """The names of what is moved together, as it is one array."""
        found: dict[int, list[str]] = {}
        for name, value in moving.items():
            found.setdefault(id(value) if isinstance(value, np.ndarray) else -id(name), []).append(
                name
            )
        return [tuple(names) for names in found.values()]

    def direction(self, point: dict[str, Any], name: str) -> Any:
        """A direction in which to move an argument; one array given twice has one."""
        value = point[name]
        first = next(n for n in point if point[n] is value)
        return self.random_like(wide(value), sum(map(ord, first)))

    def forward(self, point: dict[str, Any], out: Any, out_bar: Any, bars: Any) -> Any:
        """Compares the tangent by the inner product; None where there is none."""
        dots = tuple(self.direction(point, name) for name in self.wrt)
        dots = tuple(
            mapped(
                lambda d, v: (
                    np.asarray(d, v.dtype)
                    if isinstance(v, np.ndarray) and v.dtype.kind in "fc"
                    else d
                ),
                dot,
                point[name],
            )
            for dot, name in zip(dots, self.wrt, strict=True)
        )
        try:
            out_dot = self.run(self.push, point, dots=dots)
        except oracle.LateError as error:
            self.verdict.refused["jvp late: " + str(error).split("\n")[0]] += 1
            return None
        except adlsp.DifferentiationError as error:
            self.refuse(error)
            return None
        except WrongError as error:
            raise WrongError(f"jvp {error.kind}", str(error)) from error
        for mine, theirs in zip(parts(out_dot), parts(out), strict=True):
            if np.shape(mine) != np.shape(theirs):
                raise WrongError(
                    "jvp structure",
                    f"tangent {mine!r} for {theirs!r} at {point}{text_of(self.push)}",
                )
        one, other = inner(out_dot, out_bar), sum(map(inner, bars, dots))
        tolerance = 5e-3 if max(narrowest(point), narrowest(out)) > 1e-3 else 1e-8
        if not abs(one - other) <= tolerance * max(
            1.0, abs(one), *(abs(inner(b, d)) for b, d in zip(bars, dots, strict=True))
        ):
            raise WrongError(
                "tangent",
                f"{one!r}, the gradient gives {other!r} at {point}"
                + text_of(self.push)
                + text_of(self.pull),
            )
        self.verdict.done["forward"] += 1
        return out_dot

    def second(self, point: dict[str, Any], out_bar: Any) -> None:
        """Compares the derivatives of the gradient with differences of it, and each other."""
        if narrowest(point) > 1e-3 or any(
            np.asarray(p).dtype.kind != "f" for n in self.wrt for p in parts(point[n])
        ):
            return
        gradient = adlsp.vjp(self.f, wrt=self.wrt)
        push, pull = adlsp.jvp(gradient, wrt=self.wrt), adlsp.vjp(gradient, wrt=self.wrt)
        dots = tuple(self.direction(point, name) for name in self.wrt)
        groups = self.groups({n: point[n] for n in self.wrt})
        if any(len(group) > 1 for group in groups):
            return

        def at(shift: float) -> list[Any]:
            moved = {
                n: mapped(
                    lambda v, d: (
                        v + shift * d if isinstance(v, np.ndarray) else type(v)(v + shift * d)
                    ),
                    point[n],
                    d,
                )
                for n, d in zip(self.wrt, dots, strict=True)
            }
            if not self.is_usable({**point, **moved}):
                return [np.asarray(np.nan * p) for p in parts(dots)]
            with oracle.refusing_late():
                return [
                    np.asarray(p)
                    for p in parts(gradient(**copy.deepcopy({**point, **moved}), out_bar=out_bar))
                ]

        try:
            expected = five_points.slopes(at)
            if expected is None:
                return
            tangent = self.run(push, point, inner_bar=out_bar, dots=dots)
            pull_bar = self.random_like(tangent, 7)
            pulled = self.run(pull, point, inner_bar=out_bar, out_bar=pull_bar)
        except oracle.LateError:
            self.verdict.done["second late"] += 1
            return
        except adlsp.DifferentiationError as error:
            self.verdict.refused[
                f"second {error.findings[0].code} {error.findings[0].message}"
            ] += 1
            return
        except WrongError as error:
            raise WrongError(f"second {error.kind}", str(error)) from error
        size = max(1.0, *(float(np.max(np.abs(p), initial=0.0)) for p in expected))
        for mine, theirs in zip(parts(tangent), expected, strict=True):
            if not np.allclose(mine, theirs, rtol=0.0, atol=2e-6 * size):
                message = f"{mine!r}, differences give {theirs!r} at {point}"
                raise WrongError("second tangent", message + text_of(push))
        one, other = inner(pulled, dots), inner(tangent, pull_bar)
        if not abs(one - other) <= 1e-8 * max(size, abs(other)):
            message = f"{one!r}, the tangent gives {other!r} at {point}"
            raise WrongError("second gradient", message + text_of(pull))
        self.verdict.done["second"] += 1


def text_of(derivative: Any) -> str:
    """The text of a derivative, to be shown below what is wrong with it."""
    try:
        return f"\n{oracle.source(derivative)}"
    except adlsp.DifferentiationError:
        return ""
