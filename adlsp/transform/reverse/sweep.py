"""The adjoint of a block is the adjoints of its statements, last first: the backward sweep.

    y = np.tanh(x)          s_bar = out_bar                         of `return s`
    s = np.sum(y)           y_bar = rt.expand(s_bar, np.shape(y))   of `s = np.sum(y)`
    return s                x_bar = y_bar * (1 - y * y)             of `y = np.tanh(x)`

Each step is given to its rule (`pullback.py`), each store to `stores.py`. A branch becomes a branch
on the same decision, where an adjoint that only one side makes is set to zero on the other. A loop
becomes one that runs as often, and the adjoints that it carries exist before it.

Of activity nobody asks here but whether a variable is *varied*: one that is not useful never gets
an adjoint, and is not `present`. Values of the primal are references to their versions (`%at:7`,
written by `builder.at`), which `save_restore.py` makes available.

Source of the scheme: Griewank and Walther, Evaluating Derivatives (SIAM 2008), chapters 3 and 4.
"""

from __future__ import annotations

from collections.abc import Sequence

from adlsp.transform import ir
from adlsp.transform.facts.versions import Environment
from adlsp.transform.ir import Role
from adlsp.transform.ir.targets import Pair
from adlsp.transform.ir.variables import Fresh, Unused
from adlsp.transform.modes import prepare
from adlsp.transform.modes.augmented import Pairs
from adlsp.transform.modes.builder import RUNTIME, at, bar, mark
from adlsp.transform.modes.primal_facts import PrimalFacts
from adlsp.transform.reverse import inserted, loops, stores, tapes
from adlsp.transform.reverse.accumulate import Accumulator, Contribution
from adlsp.transform.reverse.pullback import of_call, pullback
from adlsp.transform.source import Span


class Sweep(Accumulator):
    """Writes the backward sweep of one function.

    `bindings` are the statements that name the parts of a loop's elements: the loop does it with
    them. `carried` remembers, of loops in loops, which adjoints a loop was found to carry.
    """

    def __init__(self, facts: PrimalFacts, pairs: Pairs, fresh: Fresh) -> None:
        super().__init__(facts, fresh)
        self.pairs = pairs
        self.bindings: set[ir.Statement] = set()
        self.carried: dict[ir.Statement, frozenset[str]] = {}

    def block(self, block: ir.Block, origin: Span) -> ir.Block:
        """The backward sweep of a block, as a block.

        It begins with a mark, where values are popped that each run of the block has saved.
        """
        outer, self.out = self.out, [mark(id(block), origin)]
        for statement in reversed(block):
            if statement in self.bindings:
                continue
            self.statement(statement)
            self.present &= self.facts.activity.varied_before[statement]
        made, self.out = tuple(self.out), outer
        return made

    def statement(self, statement: ir.Statement) -> None:
        """Writes the adjoint of one statement."""
        match statement:
            case ir.If():
                self.branch(statement)
            case ir.For() | ir.While():
                self.loop(statement)
            case ir.Store():
                stores.store(self, statement)
            case ir.Insert():
                inserted.insert(self, statement)
            case ir.Assign(value=ir.Call(function="python.pop"), targets=(target,)):
                self.tighten(target, self.after(statement, target), statement.origin)
                tapes.pop(self, statement)
            case ir.Do(value=ir.Call(function="python.append")):
                tapes.append(self, statement)  # of a derivative, which is differentiated again
            case ir.Assign(is_tuple=True, targets=targets):
                for target in dict.fromkeys(targets):
                    self.tighten(target, self.after(statement, target), statement.origin)
                self.unpack(statement)
            case ir.Assign(targets=(target,)) if target in self.present:
                self.step(statement, target)

    def step(self, statement: ir.Assign, target: str) -> None:
        """`a = value`: the adjoint of `a` ends here, and goes to what the value was made of.

        What is elementwise does not mind if it has other axes than `a`, all others do.
        """
        self.present -= {target}
        value, out = statement.value, self.after(statement, target)
        rule = self.facts.program.rule(value.function) if isinstance(value, ir.Call) else None
        if rule is None or rule.kind != "elementwise":
            self.tighten(target, out, statement.origin)
        self.is_loose = target in self.loose
        self.loose.discard(target)
        self.add(statement, pullback(self, statement, ir.Name(bar(target)), out))
        self.is_loose = False

    def branch(self, statement: ir.If) -> None:
        """Both branches backward, on the decision of the forward sweep."""
        varied = self.facts.activity.varied_before[statement]
        start = self.present, set(self.owned), set(self.loose)
        body = self.block(statement.body, statement.origin)
        after_body, owned, loose = self.present & varied, self.owned, self.loose
        self.present, self.owned, self.loose = start
        orelse = self.block(statement.orelse, statement.origin)
        after_orelse = self.present & varied
        self.loose |= loose
        everywhere = after_body | after_orelse
        owned = (owned | (everywhere - after_body)) & (self.owned | (everywhere - after_orelse))
        before = self.facts.versions.before[statement]
        body += self.zeros(statement, everywhere - after_body, before)
        orelse += self.zeros(statement, everywhere - after_orelse, before)
        self.present, self.owned = everywhere, owned
        test = self.at(statement, statement.test)
        self.out.append(ir.If(test, body, orelse, statement.origin, Role.ADJOINT))

    def loop(self, statement: ir.For | ir.While) -> None:
        """The body backward, once for each time it ran; adjoints that it carries exist before.

        Which ones it carries is a fixed point: the body is written anew until a pass ends with none
        that it did not begin with. So is which of them nobody else holds.
        """
        start, first, owned = self.present, self.fresh.last, set(self.owned)
        varied = self.facts.activity.varied_after[statement]
        carried = start | self.carried.get(statement, frozenset())
        shared: frozenset[str] = frozenset()
        while True:
            self.fresh.last, self.present, loose = first, carried, set(self.loose)
            at_head = (owned | (carried - start)) - shared
            self.owned = set(at_head)
            body = self.body(statement)
            ends = self.present & varied
            given_away = (at_head & carried) - (self.owned | (carried - ends))
            is_steady = ends <= carried and self.loose <= loose and not given_away
            self.loose |= loose
            if is_steady:
                break
            carried |= ends
            shared |= given_away
        self.carried[statement] = carried
        after = self.facts.versions.after[statement]
        lost = carried - ends
        owned = at_head & (self.owned | lost)
        self.out += self.zeros(statement, carried - start, after)
        body += self.zeros(statement, lost, self.changing(statement, lost), own=True)
        self.present, self.owned = carried, owned
        target, iterable = self.backward_iteration(statement)
        self.out.append(ir.For(target, iterable, body, statement.origin, Role.ADJOINT))
        self.sum_carried(statement)

    def body(self, statement: ir.For | ir.While) -> ir.Block:
        """One pass of a loop, backward. Active elements add to what the loop runs over."""
        if isinstance(statement, ir.For):
            self.bindings |= set(loops.bindings(self, statement))
        body = self.block(statement.body, statement.origin)
        self.present &= self.facts.activity.varied_in(statement)
        if isinstance(statement, ir.While):
            return body
        outer, self.out = self.out, []
        loops.restore(self, statement)
        restored, self.out = tuple(self.out), []
        loops.add_elements(self, statement)
        added, self.out = tuple(self.out), outer
        return (*restored, *body, *added)

    def backward_iteration(self, statement: ir.For | ir.While) -> tuple[str, ir.Atom]:
        """The target and the iterable of a backward loop."""
        if isinstance(statement, ir.While):
            trips = self.facts.versions.after[statement][prepare.trips(statement)]
            steps = self.call("builtins.range", statement.origin, at(trips))
            return Unused(trips.number), steps
        return loops.iteration(self, statement)

    # what these are made of

    def zeros(
        self,
        statement: ir.Statement,
        names: frozenset[str],
        like: Environment,
        *,
        own: bool = False,
    ) -> ir.Block:
        """Zero adjoints like given versions; with `own`, else like the adjoints that there are."""
        outer, self.out = self.out, []
        for name in sorted(names):
            if name in like:
                self.zero(name, at(like[name]), statement.origin)
            elif own:
                self.zero(name, ir.Name(bar(name)), statement.origin)
        made, self.out = tuple(self.out), outer
        return made

    def sum_carried(self, loop: ir.For | ir.While) -> None:
        """Sums the adjoints that were spread during a loop, to the shapes from before it."""
        for name in sorted(self.present & self.facts.activity.varied_before[loop]):
            head = self.facts.versions.heads.get((loop, name))
            if head is not None and head.number in self.spreading:
                own = ir.Name(bar(name))
                call = ir.Call(f"{RUNTIME}.unbroadcast", (own, at(head.priors[0])))
                self.out.append(ir.Assign((own.id,), call, loop.origin, Role.ADJOINT))

    def changing(self, statement: ir.Statement, names: frozenset[str]) -> Environment:
        """The versions at the head of a loop of those variables whose shape it may change."""
        numbered, token = self.facts.versions, self.facts.shapes.token
        inside = [v for v in numbered.every if statement in v.loops and v.name in names]
        return {
            name: head
            for name in names
            if (head := numbered.heads.get((statement, name))) is not None
            and any(v.name == name and token(v) != token(head) for v in (*inside, *head.priors))
        }

    def unpack(self, statement: ir.Assign) -> None:
        """`a, b = value`: what is known of the value says how it gets the adjoints together."""
        targets, value, origin = statement.targets, statement.value, statement.origin
        bars = [ir.Name(bar(t)) if t in self.present else None for t in targets]
        if not set(targets).isdisjoint(ir.reads(statement)):
            bars = [None if b is None else self.renamed(b, origin) for b in bars]
        self.present -= set(targets)
        if not any(bars):
            return
        match value:
            case ir.Call(function=Pair()):
                assert bars[0] is not None
                self.add(statement, of_call(self, statement, self.pairs, bars[0]))
            case ir.Call(function="python.tuple" | "python.list"):
                self.add(statement, self.to_elements(statement, value, bars))
            case ir.Name() if not self.is_tuple(statement, value):
                self.add(statement, self.to_parts(statement, value, bars))
            case _:
                packed = self.packed(statement, bars)
                self.add(statement, pullback(self, statement, packed, ir.Const(None)))

    def to_elements(
        self, statement: ir.Assign, display: ir.Call, bars: Sequence[ir.Name | None]
    ) -> list[Contribution]:
        """Of `a, b = u, v`: to `u` what `a` has, to `v` what `b` has."""
        return [
            Contribution(name, out_bar, is_array=False)
            for atom, out_bar in zip(display.args, bars, strict=True)
            if (name := self.varied(statement, atom)) and out_bar is not None
        ]

    def to_parts(
        self, statement: ir.Assign, value: ir.Name, bars: Sequence[ir.Name | None]
    ) -> list[Contribution]:
        """Of `a, b = x`, where `x` may be an array: to `x[0]` and `x[1]`."""
        name = self.varied(statement, value)
        if name is None:
            return []
        present = [b for b in bars if b is not None]
        is_whole = len(present) == len(bars)
        if is_whole and name not in self.present and self.is_array(statement, value):
            display = self.call("python.list", statement.origin, *present)
            array = self.call("numpy.array", statement.origin, display)
            return [Contribution(name, array, is_fresh=True)]
        return [
            Contribution(name, out_bar, index=ir.Const(i), is_basic=False)
            for i, out_bar in enumerate(bars)
            if out_bar is not None
        ]

    def packed(self, statement: ir.Assign, bars: Sequence[ir.Name | None]) -> ir.Atom:
        """The adjoint of a tuple: a tuple with zeros for what has none, `None` for the inactive."""
        after = self.facts.activity.varied_after[statement]
        filled: list[ir.Atom] = []
        for out_bar, target in zip(bars, statement.targets, strict=True):
            if out_bar is not None:
                filled.append(out_bar)
            elif target in after:
                like = self.after(statement, target)
                filled.append(self.call(f"{RUNTIME}.zeros", statement.origin, like))
            else:
                filled.append(ir.Const(None))
        return self.call("python.tuple", statement.origin, *filled)

    def is_array(self, statement: ir.Assign, atom: ir.Name) -> bool:
        """Tells whether a value is surely an array, made by arithmetic."""
        made = self.facts.indices.definition(statement, atom)
        rule = self.facts.program.rule(made.function) if isinstance(made, ir.Call) else None
        return rule is not None and rule.kind in ("elementwise", "multilinear")

    def is_tuple(self, statement: ir.Assign, atom: ir.Name) -> bool:
        """Tells whether a value is surely a tuple: a display, or what a callee returns as one."""
        if atom.id in self.facts.tuples:
            return True
        source = self.facts.indices.source(statement, atom)
        match source:
            case ir.Assign(value=ir.Call(function="python.tuple"), is_tuple=False):
                return True
            case ir.Assign(targets, ir.Call(function="python.tuple", args=args)) as several if len(
                args
            ) == len(targets):
                part = args[targets.index(atom.id)]
                return isinstance(part, ir.Name) and self.is_tuple(several, part)
            case ir.Assign(value=ir.Call(function=Pair() as called)):
                callee = self.pairs.of(called).function
                last = callee.body[-1]
                made = [
                    s.value.function
                    for s in ir.walk(callee.body)
                    if isinstance(s, ir.Assign)
                    and isinstance(s.value, ir.Call)
                    and isinstance(last, ir.Return)
                    and ir.Name(s.targets[0]) == last.value
                ]
                return made == ["python.tuple"]
        return False
