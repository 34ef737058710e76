"""Functions that compute tangents: the root's gives a tangent, a callee's its value as well."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from adlsp.transform import ir, pipeline
from adlsp.transform.forward.callees import Callees
from adlsp.transform.forward.sweep import Sweep
from adlsp.transform.forward.tangents import dot
from adlsp.transform.ir import Role, targets
from adlsp.transform.ir.variables import DOTS, readable
from adlsp.transform.modes import primal_facts
from adlsp.transform.modes.builder import RUNTIME, unset
from adlsp.transform.modes.inferred import told
from adlsp.transform.program import Program
from adlsp.transform.source import place_name
from adlsp.transform.values.inference import NOTHING, Instances
from adlsp.transform.values.inferred import Inferred
from adlsp.transform.values.lattice import EITHER, Array, Mapped, Number, Sequence, Value, contents


def forward(
    function: ir.Function, wrt: tuple[str, ...], known: Program, *, optimize: bool
) -> tuple[ir.Function, ...]:
    """The functions for the tangent of a function: its own, then those of its callees."""
    callees = Callees()
    root = _Assembly(function, wrt, known, callees, is_root=True, optimize=optimize)
    made = [root.root()]
    done = 0
    while done < len(callees.pending):
        callee, active, name = callees.pending[done]
        assembly = _Assembly(callee, active, known, callees, is_root=False, optimize=optimize)
        made.append(assembly.callee(name))
        done += 1
    return tuple(made)


def prepared(function: ir.Function, wrt: tuple[str, ...], known: Program) -> ir.Function:
    """The primal of a root as its tangents are written beside it."""
    return _Assembly(function, wrt, known, Callees(), is_root=True, optimize=True).primal


class _Assembly:
    """Puts together the function for the tangent of one function."""

    def __init__(
        self,
        function: ir.Function,
        wrt: tuple[str, ...],
        known: Program,
        callees: Callees,
        *,
        is_root: bool,
        optimize: bool,
    ) -> None:
        self.wrt = wrt
        self.known = known
        self.optimize = optimize
        asked = pipeline.Asked(wrt, known, is_root=is_root)
        self.primal = pipeline.run(pipeline.FORWARD, function, asked)
        typed = NOTHING
        if is_root and known.given and not known.has_tensors:
            own, typed = known.facts(self.primal), Instances(known).of(self.primal, known.given)
            own.note_inferred(Inferred(typed, own.versions))
        facts = primal_facts.gather(self.primal, wrt, known, typed=typed)
        self.sweep = Sweep(self.primal, facts, callees)

    def root(self) -> ir.Function:
        """The function that is called from outside: gives the tangent of the result."""
        origin = self.primal.origin
        names = tuple(dot(name) for name in self.wrt)
        taken = ir.Assign(names, ir.Name(DOTS), origin, Role.TANGENT, is_tuple=True)
        body, (_, result) = self.body()
        body = (taken, *self.cast(), *body, ir.Return(result, self.last.origin, Role.TANGENT))
        parameters = (*self.primal.parameters, ir.Parameter(DOTS, ir.ParameterKind.KEYWORD))
        title = f"Tangent of {self.place()} with respect to {self.inputs()}."
        title += told(self.known, self.primal.module)
        return self.function(f"{self.primal.name}_jvp", parameters, body, title)

    def cast(self) -> Iterator[ir.Assign]:
        """Makes numbers of NumPy of tangents that may be given as Python's, which have no methods.

        That is so where the argument is one, or an array without axes, or holds such, and methods
        or axes are asked for.
        """
        asked = {
            name
            for statement in ir.walk(self.primal.body)
            if isinstance(statement, ir.Assign | ir.Do) and self.may_ask(statement.value)
            for name in ir.reads(statement)
        }
        for name in self.wrt:
            match self.known.given.get(name):
                case Number(dtype="float64" | "float32" as dtype) if name in asked:
                    number = ir.Call(f"numpy.{dtype}", (ir.Name(dot(name)),))
                case Array("float64", (), library="numpy") if name in asked:
                    number = ir.Call("numpy.asarray", (ir.Name(dot(name)),))
                case Sequence() | Mapped() as held if self.asks_numbers and _has_numbers(held):
                    pair = ir.Name(dot(name)), ir.Name(name)
                    number = ir.Call(f"{RUNTIME}.numbers", pair)
                case _:
                    continue
            yield ir.Assign((dot(name),), number, self.primal.origin, Role.TANGENT)

    @cached_property
    def asks_numbers(self) -> bool:
        """Tells whether methods or axes of NumPy's numbers are asked for, by a callee perhaps."""
        inferred = self.sweep.facts.inferred
        return any(
            self.may_ask(statement.value)
            and any(_is_number(inferred.read(statement, a)) for a in statement.value.args)
            for statement in ir.walk(self.primal.body)
            if isinstance(statement, ir.Assign | ir.Do) and isinstance(statement.value, ir.Call)
        )

    def may_ask(self, value: ir.Expression) -> bool:
        """Tells whether an expression may ask for methods or axes, or gives a second name."""
        match value:
            case ir.Call("operator.getitem"):
                return True
            case ir.Call(function=called):
                return targets.is_member(called) or self.known.function(called) is not None
        return True

    def callee(self, called: targets.Pair) -> ir.Function:
        """The function for a callee: gives its value and its tangent."""
        body, results = self.body()
        last, both = self.last, self.sweep.fresh.step()
        packing = ir.Assign((both,), ir.Call("python.tuple", results), last.origin, Role.TANGENT)
        body = (*body, packing, ir.Return(ir.Name(both), last.origin, Role.TANGENT))
        dots = tuple(ir.Parameter(dot(name)) for name in self.wrt)
        title = f"Value and tangent of {self.place()} with respect to {self.inputs()}."
        parameters = dots + self.primal.parameters
        return replace(self.function(called.name, parameters, body, title), called=called)

    def lacks_structure(self, body: ir.Block, result: ir.Atom) -> bool:
        """Tells whether a tangent may be, or have in it, the zero of a tuple, which is a list."""
        made: dict[str, list[ir.Expression]] = {}
        for statement in ir.walk(body):
            match statement:
                case ir.Assign((name,), value):
                    made.setdefault(name, []).append(value)
        pending = [*ir.names((result,))]
        while pending:
            for value in made.pop(pending.pop(), ()):
                match value:
                    case ir.Call(function, args) if function == f"{RUNTIME}.zeros":
                        if self.may_be_tuple(*args):
                            return True
                    case ir.Call(function, args) if targets.is_syntax(function):
                        pending += ir.names(args)
                    case ir.Name(other):
                        pending.append(other)
        return False

    def may_be_tuple(self, atom: ir.Atom) -> bool:
        """Tells whether an atom may be a tuple, or hold one."""
        return not isinstance(atom, ir.Name) or atom.id not in self.sweep.facts.arrays

    @property
    def last(self) -> ir.Return:
        """The return of the primal."""
        last = self.primal.body[-1]
        assert isinstance(last, ir.Return)
        return last

    def body(self) -> tuple[ir.Block, tuple[ir.Atom, ir.Atom]]:
        """The primal's statements with their tangents; its result, and the tangent of that.

        The tangent is zero if nothing influences the result.
        """
        sweep, last = self.sweep, self.last
        body = sweep.block(self.primal.body[:-1])
        tangent = sweep.dot(last, last.value)
        body += tuple(sweep.out)
        if self.lacks_structure(body, tangent):
            call = ir.Call(f"{RUNTIME}.restructure", (tangent, last.value))
            tangent = ir.Name(sweep.fresh.step())
            body += (ir.Assign((tangent.id,), call, last.origin, Role.TANGENT),)
        return body, (last.value, tangent)

    def function(
        self, name: str, parameters: tuple[ir.Parameter, ...], body: ir.Block, title: str
    ) -> ir.Function:
        """A function of the derivative."""
        if self.optimize:
            inferred = self.sweep.facts.inferred or None
            body = pipeline.optimized(body, frozenset(), self.known.rule, inferred)
        primal = self.primal
        body = unset(body, (p.name for p in parameters), primal.origin) + body
        made = replace(primal, name=name, parameters=parameters, body=body, docstring=title)
        return replace(made, called=None, findings=())

    def inputs(self) -> str:
        """The inputs of interest, as they are called."""
        return ", ".join(readable(name) for name in self.wrt)

    def place(self) -> str:
        """What the function is called, and where it is."""
        origin = self.primal.origin
        return f"{self.primal.name} ({place_name(origin.path, origin.line)})"


def _is_number(value: Value) -> bool:
    """Tells whether a value is a number of NumPy's, or an array without axes."""
    match value:
        case Number(dtype=str() as dtype):
            return dtype != EITHER
        case Array(shape=(), library="numpy"):
            return True
    return False


def _has_numbers(value: Value) -> bool:
    """Tells whether a container holds numbers of NumPy's somewhere."""
    return any(_is_number(part) or _has_numbers(part) for part in contents(value))
