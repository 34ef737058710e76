"""Forward mode: each statement that makes something varied also makes its tangent.

A variable has a tangent exactly where it is varied; where ways meet, what one of them lacks is
zero.
A callee becomes one function that gives its value and its tangent. Nothing is saved.

Source: Griewank and Walther, Evaluating Derivatives (SIAM 2008), section 3.1.
"""

from __future__ import annotations

import os.path
from dataclasses import replace

from adlsp.transform import arguments, ir, unfold
from adlsp.transform.analyses import activity, iteration
from adlsp.transform.analyses.shapes import broadcast
from adlsp.transform.ir import Role
from adlsp.transform.optimize import passes
from adlsp.transform.program import PAIR, Program
from adlsp.transform.reverse import facts, prepare
from adlsp.transform.reverse.steps import MINUS_ONE, ONE, RUNTIME, Writer
from adlsp.transform.rules import table
from adlsp.transform.source import Span

DOTS = "%dots"
"""The parameter for the tangents of the inputs of interest."""


def dot(name: str) -> str:
    """The tangent of a variable."""
    return f"%dot:{name}"


class Callees:
    """The functions whose tangents are needed, with the parameters that have one."""

    def __init__(self) -> None:
        self.names: dict[tuple[str, tuple[str, ...]], str] = {}
        self.pending: list[tuple[ir.Function, tuple[str, ...], str]] = []

    def request(self, function: ir.Function, active: tuple[str, ...]) -> str:
        """The name of the function for a callee's value and tangent."""
        key = function.dotted, active
        if key not in self.names:
            base = function.name.removeprefix(PAIR)
            name, number = f"{PAIR}{base}_jvp", 1
            while name in self.names.values():
                number += 1
                name = f"{PAIR}{base}_jvp_{number}"
            self.names[key] = name
            self.pending.append((arguments.plain(function), active, name))
        return self.names[key]


def forward(
    function: ir.Function, wrt: tuple[str, ...], known: Program, *, optimize: bool
) -> tuple[ir.Function, ...]:
    """The functions for the tangent of a function: its own, then those of its callees."""
    callees = Callees()
    made = [_Tangents(function, wrt, known, callees, is_root=True, optimize=optimize).root()]
    done = 0
    while done < len(callees.pending):
        callee, active, name = callees.pending[done]
        tangents = _Tangents(callee, active, known, callees, is_root=False, optimize=optimize)
        made.append(tangents.callee(name))
        done += 1
    return tuple(made)


class _Tangents(Writer):
    """Writes the statements of one function, with their tangents."""

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
        super().__init__(0)
        self.wrt = wrt
        self.known = known
        self.callees = callees
        self.optimize = optimize
        function = unfold.unfolded(function, wrt, known.flow)
        self.primal = prepare.own(function, known, is_root=is_root)
        self.made = ir.last_step(self.primal)
        self.facts = facts.gather(self.primal, wrt, known)
        self.activity: activity.Activity = self.facts.activity
        self.in_place = _in_place(self.primal, self.facts.in_place)

    # functions

    def root(self) -> ir.Function:
        """The function that is called from outside: gives the tangent of the result."""
        origin = self.primal.origin
        names = tuple(dot(name) for name in self.wrt)
        taken = ir.Assign(names, ir.Name(DOTS), origin, Role.TANGENT, is_tuple=True)
        body, last = self.body()
        outer, self.out = self.out, []
        result = self.result_dot(last)
        steps, self.out = tuple(self.out), outer
        body = (taken, *body, *steps, ir.Return(result, last.origin, Role.TANGENT))
        parameters = (*self.primal.parameters, ir.Parameter(DOTS, "keyword"))
        title = f"Tangent of {self.place()} with respect to {self.inputs()}."
        return self.function(f"{self.primal.name}_jvp", parameters, body, title)

    def callee(self, name: str) -> ir.Function:
        """The function for a callee: gives its value and its tangent."""
        body, last = self.body()
        outer, self.out = self.out, []
        both = self.call("python.tuple", last.origin, last.value, self.result_dot(last))
        packing, self.out = tuple(self.out), outer
        body = (*body, *packing, ir.Return(both, last.origin, Role.TANGENT))
        dots = tuple(ir.Parameter(dot(name)) for name in self.wrt)
        title = f"Value and tangent of {self.place()} with respect to {self.inputs()}."
        return self.function(name, dots + self.primal.parameters, body, title)

    def body(self) -> tuple[ir.Block, ir.Return]:
        """The statements of the primal with their tangents, without the return."""
        last = self.primal.body[-1]
        assert isinstance(last, ir.Return)
        return self.block(self.primal.body[:-1]), last

    def function(
        self, name: str, parameters: tuple[ir.Parameter, ...], body: ir.Block, title: str
    ) -> ir.Function:
        """A function of the derivative."""
        if self.optimize:
            body = passes.improve(body, frozenset(), self.known.rule)
        primal = self.primal
        return ir.Function(
            name, primal.module, parameters, body, primal.origin, primal.aliases, title
        )

    def inputs(self) -> str:
        """The inputs of interest, as they are called."""
        return ", ".join(ir.readable(name) for name in self.wrt)

    def place(self) -> str:
        """What the function is called, and where it is."""
        origin = self.primal.origin
        name = self.primal.name.removeprefix(PAIR)
        return f"{name} ({os.path.basename(origin.path)}:{origin.line})"

    def result_dot(self, last: ir.Return) -> ir.Atom:
        """The tangent of the result; zero if nothing influences it."""
        return self.dot(last, last.value)

    # tangents of atoms

    def is_varied(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether an atom has a tangent before a statement."""
        return isinstance(atom, ir.Name) and atom.id in self.activity.varied_before[statement]

    def dot(self, statement: ir.Statement, atom: ir.Atom) -> ir.Atom:
        """The tangent of an atom; a zero where it has none."""
        if self.is_varied(statement, atom):
            assert isinstance(atom, ir.Name)
            return ir.Name(dot(atom.id))
        if isinstance(atom, ir.Const) and isinstance(atom.value, int | float):
            return ir.Const(0.0)
        return self.call(f"{RUNTIME}.zeros", statement.origin, atom)

    def hold(self, value: ir.Expression, origin: Span, role: Role = Role.TANGENT) -> ir.Atom:
        """Names a value with a step."""
        return super().hold(value, origin, role)

    # statements

    def block(self, block: ir.Block) -> ir.Block:
        """The statements of a block with their tangents."""
        outer, self.out = self.out, []
        for statement in block:
            self.statement(statement)
        made, self.out = tuple(self.out), outer
        return made

    def statement(self, statement: ir.Statement) -> None:
        """Writes one statement, and before or after it its tangent."""
        match statement:
            case ir.Assign() if self.has_tangent(statement):
                self.assign(statement)
            case ir.Store() if statement.base in self.activity.varied_after[statement]:
                self.store(statement)
            case ir.Do(value=ir.Call(function="python.append", args=(tape, value))) if (
                self.has_tangent(statement)
            ):
                assert isinstance(tape, ir.Name)
                call = ir.Call("python.append", (ir.Name(dot(tape.id)), self.dot(statement, value)))
                self.out += [statement, ir.Do(call, statement.origin, Role.TANGENT)]
            case ir.If():
                self.branch(statement)
            case ir.For() | ir.While():
                self.loop(statement)
            case ir.Insert():
                pass
            case _:
                self.out.append(statement)

    def has_tangent(self, statement: ir.Statement) -> bool:
        """Tells whether something that a statement binds is varied after it."""
        after = self.activity.varied_after[statement]
        return any(name in after for name in ir.writes(statement))

    def bind(self, name: str, value: ir.Expression, origin: Span) -> None:
        """Sets the tangent of a variable."""
        self.out.append(ir.Assign((dot(name),), value, origin, Role.TANGENT))

    def rebind(self, name: str, value: ir.Atom, origin: Span) -> None:
        """Sets the tangent of a variable that `x += v` changes; in place if others look at it."""
        if name in self.in_place:
            args = (ir.Name(dot(name)), value)
            self.bind(name, ir.Call(f"{RUNTIME}.refill", args), origin)
        else:
            self.bind(name, value, origin)

    def assign(self, statement: ir.Assign) -> None:
        """An assignment of something varied.

        The value is named first and bound last, because the tangent may need both the arguments
        and the result, of which one may overwrite the other.
        """
        value, origin = statement.value, statement.origin
        if statement.is_tuple:
            self.unpack(statement)
            return
        (target,) = statement.targets
        if isinstance(value, ir.Call) and self.callee_of(statement, value) is not None:
            out_dot = self.new()
            self.called(statement, value, (target, out_dot))
            self.bind(target, ir.Name(out_dot), origin)
            return
        out: ir.Atom = ir.Name(self.new())
        assert isinstance(out, ir.Name)
        self.out.append(ir.Assign((out.id,), value, origin, statement.role))
        tangent = self.tangent(statement, value, out)
        is_carried = isinstance(value, ir.Call) and value.function in iteration.CARRYING
        if target in self.in_place and not (is_carried or _is_second_name(value)):
            tangent = self.call(f"{RUNTIME}.copy", origin, tangent)
        self.bind(target, tangent, origin)
        self.out.append(ir.Assign((target,), out, origin, statement.role))

    def unpack(self, statement: ir.Assign) -> None:
        """`a, b = value`."""
        value, origin, targets = statement.value, statement.origin, statement.targets
        after = self.activity.varied_after[statement]
        if isinstance(value, ir.Call) and self.callee_of(statement, value) is not None:
            out, out_dot = self.new("out"), self.new("out_dot")
            self.called(statement, value, (out, out_dot))
            value, tangent = ir.Name(out), ir.Name(out_dot)
        elif isinstance(value, ir.Call) and value.function == "python.tuple":
            parts = tuple(self.dot(statement, atom) for atom in value.args)
            tangent = ir.Call("python.tuple", parts)  # type: ignore[assignment]
        elif isinstance(value, ir.Call) and value.function == "python.unpack":
            dots_of = (self.dot(statement, value.args[0]), *value.args[1:])
            tangent = replace(value, args=dots_of)  # type: ignore[assignment]
        else:
            tangent = self.tangent(statement, value, ir.Const(None))  # type: ignore[assignment]
        dots = tuple(dot(t) if t in after else self.new("unused") for t in targets)
        self.out.append(ir.Assign(dots, tangent, origin, Role.TANGENT, is_tuple=True))
        self.out.append(ir.Assign(targets, value, origin, statement.role, is_tuple=True))

    def callee_of(self, statement: ir.Statement, call: ir.Call) -> ir.Function | None:
        """The user's function that a call with varied arguments goes to."""
        if self.known.rule(call.function) is not None:
            return None
        if not any(self.is_varied(statement, atom) for atom in call.atoms):
            return None
        return self.known.function(call.function)

    def called(self, statement: ir.Assign, call: ir.Call, targets: tuple[str, str]) -> None:
        """A call of a user's function: its value and its tangent at once."""
        callee = self.callee_of(statement, call)
        assert callee is not None
        bound = arguments.bind(callee, call)
        assert isinstance(bound, dict)
        active = tuple(
            p.name
            for p in callee.parameters
            if any(self.is_varied(statement, atom) for atom in arguments.atoms(bound[p.name]))
        )
        name = self.callees.request(callee, active)
        dots = tuple(self.dots(statement, bound[p]) for p in active)
        call = arguments.direct(callee, call, bound, lambda made: self.hold(made, statement.origin))
        both = ir.Call(name, dots + call.args, call.keywords)
        self.out.append(ir.Assign(targets, both, statement.origin, Role.TANGENT, is_tuple=True))

    def dots(self, statement: ir.Assign, argument: ir.Atom | arguments.Made) -> ir.Atom:
        """The tangent of an argument; that of packed ones is packed as they are."""
        if not isinstance(argument, arguments.Made):
            return self.dot(statement, argument)
        packed = tuple(self.dot(statement, atom) for atom in argument.atoms)
        return self.hold(replace(argument, atoms=packed).display, statement.origin)

    def tangent(self, statement: ir.Assign, value: ir.Expression, out: ir.Atom) -> ir.Atom:
        """The tangent of an expression whose value is `out`."""
        origin = statement.origin
        match value:
            case ir.Name():
                return self.dot(statement, value)
            case ir.Opaque():
                return ir.Const(0.0)
            case ir.Call(function="python.tuple" | "python.list" as display, args=args):
                return self.call(display, origin, *(self.dot(statement, a) for a in args))
            case ir.Call(function="python.dict", args=args):
                parts = [a if i % 2 == 0 else self.dot(statement, a) for i, a in enumerate(args)]
                return self.call("python.dict", origin, *parts)
            case ir.Call(function="python.pop", args=(tape,)):
                return self.call("python.pop", origin, self.dot(statement, tape))
            case ir.Call(function=function) if function in iteration.CARRYING:
                return self.hold(self.carried(statement, value), origin)
            case ir.Call(function="operator.getitem", args=(base, index)):
                return self.call("operator.getitem", origin, self.dot(statement, base), index)
            case ir.Call():
                return self.by_rule(statement, value, out)
        raise AssertionError("no tangent of what is outside the language")

    def carried(self, statement: ir.Assign, call: ir.Call) -> ir.Call:
        """The tangents that a loop runs over.

        What has none keeps its place: with zeros where whole elements have a name, and else with
        anything of its length, as nobody reads it.
        """
        origin, iterations = statement.origin, self.activity.iterations
        is_whole = statement.targets[0] in iterations.whole
        args = []
        for atom in call.args:
            if self.is_varied(statement, atom):
                args.append(self.dot(statement, atom))
            elif iterations.is_spent(atom) or (is_whole and iterations.is_count(atom)):
                args.append(self.call("itertools.repeat", origin, ir.Const(0.0)))
            else:
                args.append(self.dot(statement, atom) if is_whole else atom)
        if call.function == "builtins.enumerate" and is_whole:
            zero = self.call("itertools.repeat", origin, ir.Const(0.0))
            return ir.Call("builtins.zip", (zero, args[0]))
        return ir.Call(call.function, tuple(args))

    def by_rule(self, statement: ir.Assign, call: ir.Call, out: ir.Atom) -> ir.Atom:
        """The tangent of a call that has a rule."""
        rule = self.known.rule(call.function)
        assert rule is not None
        bound = table.bind(rule.parameters, call)
        assert isinstance(bound, dict)
        active = [n for n in rule.of if n in bound and self.is_varied(statement, bound[n])]
        origin = statement.origin
        terms: list[ir.Atom] = []
        if rule.kind == "elementwise":
            return self.elementwise(statement, rule, bound, active, out)
        if rule.kind == "linear":
            dots = {n: self.dot(statement, bound[n]) for n in rule.of if n in bound}
            return self.again(rule, call, dots, origin)
        if rule.kind == "multilinear":
            terms = [
                self.again(rule, call, {n: self.dot(statement, bound[n])}, origin) for n in active
            ]
        else:
            assert rule.forward is not None, f"no forward rule for {rule.name}"
            values = {**bound, "out": out}
            values |= {f"{n}_dot": self.dot(statement, bound[n]) for n in active}
            values = self.with_arrays(statement, rule.forward, values)
            positions = [rule.of.index(n) for n in active]
            results = self.splice(rule.forward, values, positions, origin, Role.TANGENT)
            terms = [results[p] for p in positions]
        return self.total(terms, origin)

    def with_arrays(
        self, statement: ir.Assign, template: table.Template, values: dict[str, ir.Atom]
    ) -> dict[str, ir.Atom]:
        """What a rule computes with: arrays in the place of lists, and of their tangents."""
        lists = {name for each in self.facts.lists for name in (each, dot(each))}
        return {
            name: self.call("numpy.asarray", statement.origin, atom)
            if isinstance(atom, ir.Name) and atom.id in lists and template.computes_with(name)
            else atom
            for name, atom in values.items()
        }

    def elementwise(
        self,
        statement: ir.Assign,
        rule: table.Rule,
        bound: dict[str, ir.Atom],
        active: list[str],
        out: ir.Atom,
    ) -> ir.Atom:
        """The sum of partials times tangents, in the shape of the result."""
        assert rule.reverse is not None
        origin = statement.origin
        positions = [rule.of.index(n) for n in active]
        values = self.with_arrays(statement, rule.reverse, {**bound, "out": out})
        partials = self.splice(rule.reverse, values, positions, origin, Role.TANGENT)
        terms = []
        for name, position in zip(active, positions, strict=True):
            tangent, partial = self.dot(statement, bound[name]), partials[position]
            if partial in (ONE, ir.Const(1.0)):
                terms.append(tangent)
            elif partial in (MINUS_ONE, ir.Const(-1.0)):
                terms.append(self.call("operator.neg", origin, tangent))
            else:
                terms.append(self.call("operator.mul", origin, tangent, partial))
        total = self.total(terms, origin)
        shapes = self.facts.shapes
        given = broadcast(*(shapes.of(statement, bound[n]) for n in active))
        if shapes.is_same(given, shapes.written(statement, statement.targets[0])):
            return total
        shape = self.call("numpy.shape", origin, out)
        return self.call(f"{RUNTIME}.stretch", origin, total, shape)

    def again(
        self, rule: table.Rule, call: ir.Call, dots: dict[str, ir.Atom], origin: Span
    ) -> ir.Atom:
        """The same call with tangents in the place of some arguments."""
        positional = [p.name for p in rule.parameters if p.kind == "positional"]
        args = tuple(
            dots.get(positional[i], atom) if i < len(positional) else atom
            for i, atom in enumerate(call.args)
        )
        keywords = tuple((key, dots.get(key, atom)) for key, atom in call.keywords)
        return self.hold(ir.Call(call.function, args, keywords), origin)

    def total(self, terms: list[ir.Atom], origin: Span) -> ir.Atom:
        """The sum of some terms; a rule may give each as a list, one element for each result."""
        total = terms[0]
        for term in terms[1:]:
            is_list = isinstance(term, ir.Name) and self.functions.get(term.id) == "python.list"
            add = f"{RUNTIME}.add" if is_list else "operator.add"
            total = self.call(add, origin, total, term)
        return total

    # stores and structure

    def store(self, statement: ir.Store) -> None:
        """A store into something varied: the same store into its tangent."""
        origin, base, index = statement.origin, statement.base, statement.index
        value, operation = statement.value, statement.operation
        before = self.activity.varied_before[statement]
        if base not in before and index is not None:
            zeros = ir.Call(f"{RUNTIME}.zeros", (ir.Name(base),))
            self.bind(base, zeros, origin)
        base_dot = ir.Name(dot(base))
        if ir.resizes(statement):
            added = self.dot(statement, value) if operation == "append" else value
            self.out.append(ir.resized(base_dot.id, operation, added, origin, Role.TANGENT))
            self.out.append(statement)
            return
        if operation in ("", "add", "sub"):
            tangent: ir.Atom = ir.Const(0)
            if self.is_varied(statement, value):
                tangent = self.dot(statement, value)
            if index is not None:
                self.out.append(
                    ir.Store(base_dot.id, index, tangent, operation, origin, Role.TANGENT)
                )
                self.out.append(statement)
                return
            old: ir.Atom = base_dot if base in before else ir.Const(0.0)
            total = self.call(f"operator.{operation}", origin, old, tangent)
            self.out.append(statement)
            shape = self.call("numpy.shape", origin, ir.Name(base))
            stretched = self.call(f"{RUNTIME}.stretch", origin, total, shape)
            if base in before:
                self.rebind(base, stretched, origin)
            else:
                self.bind(base, ir.Call(f"{RUNTIME}.copy", (stretched,)), origin)
            return
        self.scaled(statement, base_dot)

    def scaled(self, statement: ir.Store, base_dot: ir.Name) -> None:
        """`base[index] *= value` and its like: the tangent of the operation on the old value."""
        origin, base, index = statement.origin, statement.base, statement.index
        old: ir.Atom = ir.Name(base)
        old_dot: ir.Atom = base_dot
        if base not in self.activity.varied_before[statement]:
            self.bind(base, ir.Call(f"{RUNTIME}.zeros", (ir.Name(base),)), origin)
        if index is not None:
            old = self.call("operator.getitem", origin, old, index)
            old_dot = self.call("operator.getitem", origin, base_dot, index)
        rule = self.known.rule(f"operator.{statement.operation}")
        assert rule is not None
        if rule.kind == "constant":
            self.out.append(statement)
            zeros = ir.Call(f"{RUNTIME}.zeros", (ir.Name(base),))
            if index is None:
                self.bind(base, zeros, origin)
            else:
                zero = ir.Const(0)
                self.out.append(ir.Store(base_dot.id, index, zero, "", origin, Role.TANGENT))
            return
        out, made = self.new(), self.new()
        call = ir.Call(f"operator.{statement.operation}", (old, statement.value))
        self.out.append(ir.Assign((out,), call, origin, statement.role))
        terms = []
        dots = {rule.of[0]: old_dot} if base in self.activity.varied_before[statement] else {}
        if self.is_varied(statement, statement.value):
            dots[rule.of[1]] = self.dot(statement, statement.value)
        bound = {rule.of[0]: old, rule.of[1]: statement.value, "out": ir.Name(out)}
        if rule.kind == "elementwise":
            assert rule.reverse is not None
            positions = [rule.of.index(n) for n in dots]
            partials = self.splice(rule.reverse, bound, positions, origin, Role.TANGENT)
            for name, position in zip(dots, positions, strict=True):
                terms.append(self.call("operator.mul", origin, dots[name], partials[position]))
        else:
            terms = [self.again(rule, call, {name: d}, origin) for name, d in dots.items()]
        total = self.total(terms, origin)
        if index is None:
            shape = self.call("numpy.shape", origin, ir.Name(out))
            tangent = ir.Call(f"{RUNTIME}.stretch", (total, shape))
            self.out.append(ir.Assign((made,), tangent, origin, Role.TANGENT))
            self.out.append(statement)
            self.rebind(base, ir.Name(made), origin)
        else:
            self.out.append(ir.Store(base_dot.id, index, total, "", origin, Role.TANGENT))
            self.out.append(statement)

    def branch(self, statement: ir.If) -> None:
        """Both branches; a variable that is varied after them has a tangent on both ways."""

        def side(block: ir.Block) -> ir.Block:
            end = self.end(block, self.activity.varied_before[statement])
            lacking = self.activity.varied_after[statement] - end
            return self.block(block) + self.zeros(statement, lacking, self.defined(block))

        self.out.append(ir.rebuilt(statement, block=side))

    def end(self, block: ir.Block, before: frozenset[str]) -> frozenset[str]:
        """The varied variables at the end of a block."""
        return self.activity.varied_after[block[-1]] if block else before

    def defined(self, block: ir.Block) -> set[str]:
        """The variables that a block may bind."""
        return {name for s in ir.walk(block) for name in ir.writes(s)}

    def zeros(self, statement: ir.Statement, names: frozenset[str], bound: set[str]) -> ir.Block:
        """Zero tangents for variables that are bound before a statement, or by a block."""
        known = self.facts.versions.before[statement]
        return tuple(
            ir.Assign(
                (dot(name),),
                ir.Call(f"{RUNTIME}.zeros", (ir.Name(name),)),
                statement.origin,
                Role.TANGENT,
            )
            for name in sorted(names)
            if name in known or name in bound
        )

    def loop(self, statement: ir.For | ir.While) -> None:
        """A loop: what is varied in some pass has a tangent before the first one."""
        at_head = self.activity.varied_after[statement]
        lacking = at_head - self.activity.varied_before[statement]
        self.out += self.zeros(statement, lacking, set())
        end = self.end(statement.body, at_head)
        after_body = self.zeros(statement, at_head - end, self.defined(statement.body))
        if isinstance(statement, ir.While):
            header = self.block(statement.header)
            body = self.block(statement.body) + after_body
            self.out.append(
                ir.While(header, statement.test, body, statement.origin, statement.role)
            )
            return
        if not self.is_varied(statement, statement.iterable):
            body = self.block(statement.body) + after_body
            self.out.append(
                ir.For(statement.target, statement.iterable, body, statement.origin, statement.role)
            )
            return
        both = self.call(
            "builtins.zip",
            statement.origin,
            statement.iterable,
            self.dot(statement, statement.iterable),
        )
        element = self.new()
        targets = (statement.target, dot(statement.target))
        taken = ir.Assign(targets, ir.Name(element), statement.origin, Role.TANGENT, is_tuple=True)
        body = (taken, *self.block(statement.body), *after_body)
        self.out.append(ir.For(element, both, body, statement.origin, statement.role))


def _is_second_name(value: ir.Expression) -> bool:
    """Tells whether an assignment gives an object another name; its tangent gets one with it."""
    if isinstance(value, ir.Call):
        return value.function == "python.pop"
    return isinstance(value, ir.Name)


def _in_place(function: ir.Function, found: frozenset[str]) -> frozenset[str]:
    """The variables whose tangent is changed in place, under this name or another one."""
    reached = set(found)
    statements = list(ir.walk(function.body))
    n_before = -1
    while n_before < len(reached):
        n_before = len(reached)
        for statement in statements:
            match statement:
                case ir.Assign(targets=(target,), value=ir.Name(other)) if target in reached:
                    reached.add(other)
                case ir.Assign(targets=(target,), value=ir.Call("python.pop", (ir.Name(tape),))):
                    reached |= {tape} if target in reached else set()
                case ir.Do(value=ir.Call("python.append", (ir.Name(tape), ir.Name(other)))):
                    reached |= {other} if tape in reached else set()
    return frozenset(reached)
