"""What shares memory with a variable that functions change elsewhere is read where it is used.

Loads are not carried over calls that may clobber them. After `w = WEIGHTS` no text around `w` tells
that `put(3.0)` changes the array of `WEIGHTS`. Each use behind a call that may do so reads `w`
again, into a variable of its own, of which the value then is kept: as if the text had said
`WEIGHTS` there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts import effects, points_to
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Fresh, Step, readable
from adlsp.transform.program import Program

CHANGED = ir.STATES["changed"]

Current = dict[str, str]
"""The names that are as they were read last, and the variable that was read into."""


def states(function: ir.Function, known: Program, held: Iterable[str] = ()) -> set[str]:
    """The variables that may share memory with what functions change elsewhere.

    `held` are the parameters that callers give such a thing to.
    """
    return _states(function, known, held, frozenset())


def _states(
    function: ir.Function, known: Program, held: Iterable[str], inside: frozenset[str]
) -> set[str]:
    made = set(held)
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(targets=targets, value=ir.Call() as call):
                if call.function == CHANGED or _gives(call, known, inside | {function.dotted}):
                    made.update(targets)
    return points_to.descendants(made, function, known) if made else made


def _gives(call: ir.Call, known: Program, inside: frozenset[str]) -> bool:
    """Tells whether a user's function gives something that functions change elsewhere."""
    if call.function in inside or known.rule(call.function) is not None:
        return False
    callee = known.function(call.function)
    if callee is None or not isinstance(callee.body[-1], ir.Return):
        return False
    given = set(ir.reads(callee.body[-1]))
    return bool(given) and not given.isdisjoint(_states(callee, known, (), inside))


def reread(function: ir.Function, known: Program, held: Iterable[str] = ()) -> ir.Function:
    """The function in which these variables are read again behind calls that may change them."""
    shared = states(function, known, held)
    if not shared:
        return function
    writer = _Rereading(shared, known, ir.fresh(function))
    return replace(function, body=writer.block(function.body, {}))


def read(function: ir.Function, known: Program) -> ir.Function:
    """The function with a step for each reading of what functions of other modules change."""
    writer = _Elsewhere(function, known)
    body = writer.block(function.body)
    return replace(function, body=body) if writer.has_read else function


class _Elsewhere:
    """Reads the variables that functions of other modules bind or change, where they are used."""

    def __init__(self, function: ir.Function, known: Program) -> None:
        self.function = function
        self.known = known
        self.fresh = ir.fresh(function)
        self.has_read = False

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(s for statement in block for s in self.statement(statement))

    def statement(self, statement: ir.Statement) -> list[ir.Statement]:
        match statement:
            case ir.Do():
                return [statement]
            case ir.While(header=header, body=body):
                return [replace(statement, header=self.block(header), body=self.block(body))]
            case ir.Assign(value=ir.Call(args=(ir.Global(dotted),), function=function) as call) if (
                function in ir.STATES.values()
            ):
                kinds = self.known.states(dotted)
                changed = CHANGED if "changed" in kinds else function
                again = replace(call, function=changed, args=(self.imported(dotted, kinds),))
                return [replace(statement, value=again)]
        made: list[ir.Statement] = []
        now: dict[str, ir.Atom] = {}
        value = statement.value if isinstance(statement, ir.Assign) else None
        is_attribute = isinstance(value, ir.Call) and targets.is_attribute(value.function)

        def now_read(atom: ir.Atom) -> ir.Atom:
            kinds = self.known.states(atom.dotted) if isinstance(atom, ir.Global) else ()
            if not isinstance(atom, ir.Global) or not kinds:
                return atom
            if not (is_attribute or self.known.is_variable(atom.dotted)):
                return atom
            if atom.dotted not in now:
                now[atom.dotted] = self.read(atom, kinds, statement, made)
            return now[atom.dotted]

        rebuilt = ir.rebuilt(statement, now_read, block=self.block)
        match rebuilt:
            case ir.Assign(value=ir.Call(function) as call) if self.is_shared(function):
                self.has_read = True
                step = self.fresh.step()
                made.append(replace(rebuilt, targets=(step,), is_tuple=False))
                kept = ir.Call(CHANGED, (ir.Name(step),), (), call.span)
                rebuilt = replace(rebuilt, value=kept)
        return [*made, rebuilt]

    def is_shared(self, function: str) -> bool:
        """Tells whether a call reads what classes hold for all objects, and functions change."""
        is_attribute = targets.is_attribute(function)
        return is_attribute and self.known.changes_shared(targets.member(function))

    def read(
        self,
        variable: ir.Global,
        kinds: Collection[str],
        statement: ir.Statement,
        made: list[ir.Statement],
    ) -> ir.Atom:
        """What a variable of another module is now, by a step that is added to those made."""
        now = self.imported(variable.dotted, kinds)
        if now != variable and "changed" not in kinds:
            return now
        name = self.fresh.own(now.dotted.rpartition(".")[2])
        value = ir.Call(ir.STATES["changed" if "changed" in kinds else "bound"], (now,))
        made.append(ir.Assign((name,), value, statement.origin, statement.role))
        return ir.Name(name)

    def imported(self, dotted: str, kinds: Collection[str]) -> ir.Global:
        """A variable of another module; who has imported it alone keeps what it was then."""
        self.has_read = True
        own = self.known.own_name(self.function, dotted) if "bound" in kinds else None
        return ir.Global(own or dotted)


class _Rereading:
    def __init__(self, shared: set[str], known: Program, new: Fresh) -> None:
        self.shared = shared
        self.known = known
        self.new = new

    def block(self, block: ir.Block, fresh: Current) -> ir.Block:
        """A block; `fresh` is changed to what holds behind it."""
        made: list[ir.Statement] = []
        for statement in block:
            if not self.is_changing(statement):
                for name in dict.fromkeys(_read(statement)):
                    if name in self.shared and name not in fresh:
                        made.append(self.again(name, statement, fresh))
            made.append(self.statement(statement, fresh))
        return tuple(made)

    def again(self, name: str, statement: ir.Statement, fresh: Current) -> ir.Statement:
        """The statement that reads a variable again."""
        is_step = isinstance(name, Step)
        fresh[name] = self.new.step() if is_step else self.new.own(readable(name))
        value = ir.Call(CHANGED, (ir.Name(name),))
        return ir.Assign((fresh[name],), value, statement.origin, statement.role)

    def statement(self, statement: ir.Statement, fresh: Current) -> ir.Statement:
        match statement:
            case ir.If(body=body, orelse=orelse):
                one, other = dict(fresh), dict(fresh)
                test = _now(statement.test, fresh)
                made = replace(
                    statement,
                    test=test,
                    body=self.block(body, one),
                    orelse=self.block(orelse, other),
                )
                fresh.clear()
                fresh.update(one.items() & other.items())
                return made
            case ir.For():
                iterable = _now(statement.iterable, fresh)
                self.enter(statement, fresh)
                body = self.block(statement.body, {**fresh, **_taken_apart((statement.target,))})
                return replace(statement, iterable=iterable, body=body)
            case ir.While():
                self.enter(statement, fresh)
                tested = dict(fresh)
                header = self.block(statement.header, tested)
                test = _now(statement.test, tested)
                body = self.block(statement.body, dict(fresh))
                return replace(statement, header=header, test=test, body=body)
        now: ir.Statement = statement
        if self.is_changing(statement):
            fresh.clear()
        else:
            now = ir.rebuilt(statement, lambda atom: _now(atom, fresh))
        match statement:
            case ir.Assign(targets=targets, value=ir.Name(), is_tuple=True):
                fresh.update(_taken_apart(targets))
            case _:
                fresh.update((name, name) for name in ir.writes(statement))
        return now

    def enter(self, loop: ir.For | ir.While, fresh: Current) -> None:
        """Leaves what is read before a loop, and holds in all of its passes and behind it.

        The variable of the loop is none of that: the backward sweep may run over the same again.
        """
        inside = [s for block in ir.blocks(loop) for s in ir.walk(block)]
        if any(self.is_changing(s) for s in inside):
            fresh.clear()
        for name in (n for s in (loop, *inside) for n in ir.writes(s)):
            fresh.pop(name, None)

    def is_changing(self, statement: ir.Statement) -> bool:
        """Tells whether a statement may change what a variable of a module holds."""
        match statement:
            case ir.Store(base=base):
                return base in self.shared
            case ir.Do(value=ir.Opaque() as value) | ir.Assign(value=ir.Opaque() as value):
                return not value.is_definition
            case ir.Do(value=ir.Call(function="builtins.print")):
                return False
            case ir.Do():
                return True
            case ir.Assign(value=ir.Call() as call):
                return self.known.function(call.function) is not None or not (
                    self.known.rule(call.function) is not None or effects.is_pure(call)
                )
        return False


def _read(statement: ir.Statement) -> Iterable[str]:
    """What a statement itself reads, before any block in it."""
    return () if isinstance(statement, ir.While) else ir.reads(statement)


def _taken_apart(targets: tuple[str, ...]) -> Current:
    """What a loop, or several targets, bind that is only there to be taken apart."""
    return {name: name for name in targets if isinstance(name, Step)}


def _now(atom: ir.Atom, fresh: Current) -> ir.Atom:
    return ir.Name(fresh.get(atom.id, atom.id)) if isinstance(atom, ir.Name) else atom
