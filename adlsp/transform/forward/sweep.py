"""The statements of a function with their tangents, in the order of the primal.

    y = np.tanh(x)          y_dot = x_dot * (1 - y * y)
    s = np.sum(y)           s_dot = np.sum(y_dot)

Where ways meet, what one of them lacks is zero. Nothing is saved.

Source: Griewank and Walther, Evaluating Derivatives (SIAM 2008), section 3.1.
"""

from __future__ import annotations

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.facts.activity import Names
from adlsp.transform.facts.iteration import Run
from adlsp.transform.forward import callees
from adlsp.transform.forward.pushforward import pushforward
from adlsp.transform.forward.stores import store
from adlsp.transform.forward.tangents import Tangents, dot
from adlsp.transform.ir import Role, targets
from adlsp.transform.modes.builder import RUNTIME
from adlsp.transform.modes.primal_facts import PrimalFacts


class Sweep(Tangents):
    """Writes the statements of one function, with their tangents."""

    def __init__(self, function: ir.Function, facts: PrimalFacts, needed: callees.Callees) -> None:
        super().__init__(function, facts)
        self.callees = needed

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
            case ir.Assign(is_tuple=True) if self.binds_active(statement):
                self.unpack(statement)
            case ir.Assign() if self.binds_active(statement):
                self.assign(statement)
            case ir.Store() if self.binds_active(statement):
                store(self, statement)
            case ir.Do(value=ir.Call(function="python.append", args=(tape, value))) if (
                self.binds_active(statement)
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

    def assign(self, statement: ir.Assign) -> None:
        """An assignment of something active.

        The value is named first and bound last, because the tangent may need both the arguments
        and the result, of which one may overwrite the other.
        """
        value, origin = statement.value, statement.origin
        (target,) = statement.targets
        called = callees.callee(self, statement, value)
        if called is not None:
            out_dot = self.fresh.step()
            callees.call(self, statement, called, self.callees, (target, out_dot))
            self.bind(target, ir.Name(out_dot), origin)
            return
        out = ir.Name(self.fresh.step())
        self.out.append(ir.Assign((out.id,), value, origin, statement.role))
        tangent = self.hold(pushforward(self, statement, value, out), origin)
        is_carried = isinstance(value, ir.Call) and operations.keeps_elements(value.function)
        is_held = target in self.in_place and not (is_carried or _is_second_name(value))
        made = self.functions.get(tangent.id, "") if isinstance(tangent, ir.Name) else ""
        is_new = operations.is_fresh_of_runtime(made)
        if (is_held and not is_new) or self.is_lent(target, value, tangent):
            tangent = self.call(f"{RUNTIME}.copy", origin, tangent)
        self.bind(target, tangent, origin)
        self.out.append(ir.Assign((target,), out, origin, statement.role))

    def unpack(self, statement: ir.Assign) -> None:
        """`a, b = value`."""
        value, origin, targets = statement.value, statement.origin, statement.targets
        called = callees.callee(self, statement, value)
        if called is not None:
            out, out_dot = self.fresh.step("out"), self.fresh.step("out_dot")
            callees.call(self, statement, called, self.callees, (out, out_dot))
            value, tangent = ir.Name(out), ir.Name(out_dot)
        else:
            result = self.result(value, statement)
            tangent = pushforward(self, statement, value, result or ir.Const(None))  # type: ignore[assignment]
            if any(self.is_lent(target, value, tangent) for target in targets):
                tangent = self.call(f"{RUNTIME}.copy", origin, tangent)  # type: ignore[assignment]
            value = result or value
        dots = tuple(
            dot(t) if self.has_after(statement, t) else self.fresh.step("unused") for t in targets
        )
        self.out.append(ir.Assign(dots, tangent, origin, Role.TANGENT, is_tuple=True))
        self.out.append(ir.Assign(targets, value, origin, statement.role, is_tuple=True))

    def result(self, value: ir.Expression, statement: ir.Assign) -> ir.Name | None:
        """A name for what is unpacked, where its tangent may ask for it."""
        is_display = isinstance(value, ir.Call) and targets.is_syntax(value.function)
        if is_display or not isinstance(value, ir.Call):
            return None
        out = ir.Name(self.fresh.step("out"))
        self.out.append(ir.Assign((out.id,), value, statement.origin, statement.role))
        return out

    def branch(self, statement: ir.If) -> None:
        """Both branches; a variable that is active after them has a tangent on both ways."""

        def side(block: ir.Block) -> ir.Block:
            end = self.end(block, self.before(statement))
            lacking = self.after(statement) - end
            return self.block(block) + self.zeros(statement, lacking, _bound(block))

        self.out.append(ir.rebuilt(statement, block=side))

    def loop(self, statement: ir.For | ir.While) -> None:
        """A loop: what is active in some pass has a tangent before the first one."""
        facts = self.activity
        useful = facts.useful_before[statement]
        at_head = self.with_tangent(facts.varied_after[statement], useful)
        self.out += self.zeros(statement, at_head - self.before(statement), set())
        end = self.end(statement.body, facts.varied_in(statement))
        after_body = self.zeros(statement, at_head - end, _bound(statement.body))
        origin, role = statement.origin, statement.role
        if isinstance(statement, ir.While):
            header = self.block(statement.header)
            body = self.block(statement.body) + after_body
            self.out.append(ir.While(header, statement.test, body, origin, role))
            return
        stored = facts.stored_over(statement) & at_head
        if stored - self.before(statement):
            dots = self.run(facts.iterations.runs[statement], at_head)
        elif self.is_active(statement, statement.iterable):
            dots = self.dot(statement, statement.iterable)
        else:
            body = self.block(statement.body) + after_body
            self.out.append(ir.For(statement.target, statement.iterable, body, origin, role))
            return
        both = self.call("builtins.zip", origin, statement.iterable, dots)
        element = self.fresh.step()
        targets = (statement.target, dot(statement.target))
        taken = ir.Assign(targets, ir.Name(element), origin, Role.TANGENT, is_tuple=True)
        body = (taken, *self.block(statement.body), *after_body)
        self.out.append(ir.For(element, both, body, origin, role))

    def run(self, run: Run, active: Names) -> ir.Atom:
        """The tangents of what a loop runs over, some of which it gets from its own stores."""
        origin, atom = run.reader.origin, run.atom
        parts = [self.run(part, active) for part in run.parts]
        if run.function == "builtins.enumerate":
            zeros = self.call("itertools.repeat", origin, ir.Const(0.0))
            return self.call("builtins.zip", origin, zeros, *parts)
        if parts:
            return self.call(run.function, origin, *parts)
        if isinstance(atom, ir.Name) and atom.id in active:
            return ir.Name(dot(atom.id))
        iterations = self.activity.iterations
        if iterations.is_count(atom) or iterations.is_spent(atom):
            return self.call("itertools.repeat", origin, ir.Const(0.0))
        return self.call(f"{RUNTIME}.zeros", origin, atom)

    def end(self, block: ir.Block, before: Names) -> Names:
        """The varied variables at the end of a block."""
        return self.activity.varied_after[block[-1]] if block else before


def _bound(block: ir.Block) -> set[str]:
    """The variables that a block may bind."""
    return {name for s in ir.walk(block) for name in ir.writes(s)}


def _is_second_name(value: ir.Expression) -> bool:
    """Tells whether an assignment gives an object or a part of it another name.

    Its tangent gets one with it: what is stored into the one is then seen by the other.
    """
    if isinstance(value, ir.Call):
        return value.function in ("python.pop", *ir.READING)
    return isinstance(value, ir.Name)
