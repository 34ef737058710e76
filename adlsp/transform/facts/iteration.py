"""What loops run over: `zip`, `enumerate`, `reversed` and lists made of these are looked through.

`for i, (a, b) in enumerate(zip(xs, ys))` runs over `xs` and `ys`; its `i` is a number, whatever
they hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from typing import TypeGuard

from adlsp.transform import ir
from adlsp.transform.diagnostics import language
from adlsp.transform.facts import effects, operations
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir.variables import Step
from adlsp.transform.ops.spec import Kind

FIRST = ir.Const(0)
"""Where positions start, if not told otherwise."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a loop runs over: an atom, as `reader` reads it, or a `function` of other runs.

    The positions of an `enumerate` count from `start`.
    """

    atom: ir.Atom
    reader: ir.Statement
    function: str = ""
    parts: tuple[Run, ...] = ()
    start: ir.Atom = FIRST

    def leaves(self) -> Iterator[Run]:
        """The values that elements come from."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves()

    def steps(self) -> Iterator[str]:
        """The steps of the calls that make it."""
        if self.parts:
            yield from ir.names((self.atom,))
        for part in self.parts:
            yield from part.steps()

    def elements(self) -> tuple[Run | None, ...]:
        """What the parts of an element come from; None for a position."""
        match self.function:
            case "builtins.enumerate":
                return (None, self.parts[0])
            case "builtins.zip":
                return self.parts
            case "builtins.reversed":
                return self.parts[0].elements()
        return ()


class Iterations:
    """The runs of the loops of a function, and the statements that take their elements apart.

    `whole` are the iterables of which some loop names whole elements, which are tuples.
    """

    def __init__(self, function: ir.Function) -> None:
        self.made: dict[str, ir.Assign] = {}
        self.runs: dict[ir.For, Run] = {}
        self.apart: dict[ir.Assign, tuple[Run | None, ...]] = {}
        self.whole: set[str] = set()
        self.of_loop: dict[ir.For, tuple[ir.Assign, ...]] = {}
        named = frozenset(_named(function))
        for statement in ir.walk(function.body):
            match statement:
                case ir.Assign(targets=(target,), is_tuple=False) if (
                    isinstance(target, Step) or statement in named
                ):
                    self.made[target] = statement
                case ir.For(iterable=iterable):
                    self.runs[statement] = self._run(iterable, statement)
                    taken = tuple(self._taken_apart(statement))
                    self.of_loop[statement] = tuple(one for one, _ in taken)
                    self.apart.update(taken)

    def is_spent(self, atom: ir.Atom) -> bool:
        """Tells whether an atom is an iterator, which can be run over once."""
        return self._is_made(atom, Kind.ITERATOR)

    def is_count(self, atom: ir.Atom) -> bool:
        """Tells whether an atom is a range."""
        return self._is_made(atom, Kind.RANGE)

    def _is_made(self, atom: ir.Atom, kind: Kind) -> bool:
        made = self.made.get(atom.id) if isinstance(atom, ir.Name) else None
        return (
            made is not None
            and isinstance(made.value, ir.Call)
            and operations.gives(made.value.function, kind)
        )

    def _run(self, atom: ir.Atom, reader: ir.Statement) -> Run:
        source = self.made.get(atom.id) if isinstance(atom, ir.Name) else None
        match source:
            case ir.Assign(value=ir.Call("builtins.enumerate", (inner, *first), keywords)):
                start = (*first, *(value for _, value in keywords), FIRST)[0]
                part = self._run(inner, source)
                return Run(atom, source, "builtins.enumerate", (part,), start)
            case ir.Assign(value=ir.Call(function=function, args=args, keywords=())) if (
                operations.combines(function) and args
            ):
                parts = tuple(self._run(a, source) for a in args)
                return Run(atom, source, function, parts)
            case ir.Assign(value=ir.Call(function=function, args=(inner,), keywords=())) if (
                operations.keeps_elements(function)
            ):
                held = self._run(inner, source)
                return held if held.parts else Run(atom, reader)
        return Run(atom, reader)

    def _taken_apart(self, loop: ir.For) -> Iterator[tuple[ir.Assign, tuple[Run | None, ...]]]:
        """The first statements of a loop that name the parts of its elements."""
        named = {loop.target: self.runs[loop]}
        for statement in loop.body:
            match statement:
                case ir.Assign(targets=targets, value=ir.Name(id), is_tuple=True) if (
                    id in named
                    and isinstance(id, Step)
                    and len(parts := named[id].elements()) == len(targets)
                ):
                    yield statement, parts
                    del named[id]
                    pairs = zip(targets, parts, strict=True)
                    named |= {target: part for target, part in pairs if part is not None}
                case _:
                    break
        for run in named.values():
            self.whole |= set(run.steps())


def _named(function: ir.Function) -> Iterator[ir.Assign]:
    """The statements that give an iterator a name for the one loop that follows: `it = zip(a, b)`.

    What stands between changes nothing that it runs over.
    """
    found = [s for s in ir.walk(function.body) if _is_combined(s)]
    if not found:
        return
    reads = Counter(name for s in ir.walk(function.body) for name in ir.reads(s))
    writes = Counter(name for s in ir.walk(function.body) for name in ir.writes(s))
    for block in ir.nested(function.body):
        for place, made in enumerate(block):
            if not (isinstance(made, ir.Assign) and made in found):
                continue
            (name,) = made.targets
            between = takewhile(_is_quiet, block[place + 1 :])
            first = next(iter(block[place + 1 + len([*between]) :]), None)
            is_run = isinstance(first, ir.For) and first.iterable == ir.Name(name)
            if is_run and reads[name] == writes[name] == 1:
                yield made


def _is_combined(statement: ir.Statement) -> bool:
    """Tells whether a statement binds a variable of the user's to `zip` and its like."""
    match statement:
        case ir.Assign((target,), ir.Call(function=function), is_tuple=False):
            return not isinstance(target, Step) and operations.combines(function)
    return False


def _is_quiet(statement: ir.Statement) -> bool:
    """Tells whether a statement changes nothing that is there before it."""
    return isinstance(statement, ir.Assign) and effects.is_pure(statement.value)


def counted(iterations: Iterations) -> frozenset[ir.Statement]:
    """The statements that take an element of `enumerate` apart into its position and its value."""
    apart = iterations.apart
    return frozenset(statement for statement, parts in apart.items() if parts[0] is None)


def surely_run(function: ir.Function) -> frozenset[ir.Statement]:
    """The loops that have at least one pass: over a range of literals, or a display."""
    filled: set[str] = set()
    found: set[ir.Statement] = set()
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(targets=(target,), value=ir.Call(function=called, args=args)) if (
                isinstance(target, Step)
            ):
                numbers = [a.value for a in args if isinstance(a, ir.Const)]
                if called in ("python.list", "python.tuple"):
                    is_filled = bool(args)
                else:
                    is_filled = operations.gives(called, Kind.RANGE) and _is_range(
                        numbers, len(args)
                    )
                if is_filled:
                    filled.add(target)
            case ir.For(iterable=ir.Name(id)) if id in filled:
                found.add(statement)
    return frozenset(found)


def _is_range(numbers: list[object], n_arguments: int) -> bool:
    """Tells whether all arguments are integers, of a range that has elements."""
    integers = [number for number in numbers if type(number) is int]
    if not len(integers) == n_arguments in (1, 2, 3) or 0 in integers[2:]:
        return False
    return bool(range(*integers))


GENERATOR = language.UnsupportedStatement("yield")


def generates(function: ir.Function | None) -> TypeGuard[ir.Function]:
    """Tells whether a function is a generator, and nothing worse."""
    return function is not None and {each.finding for each in function.findings} == {GENERATOR}


def gives(statement: ir.Statement) -> bool:
    """Tells whether a generator gives a value by a statement."""
    match statement:
        case ir.Do(value=ir.Call(function)):
            return function == ir.YIELD
    return False
