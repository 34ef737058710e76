"""Calls `g(*values, **options)` of which only the running program knows what they give.

They are unpacked: each parameter that they may fill becomes an argument of its own: `values[1]` if
there are as many, else what the options have of that name, else its default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from adlsp.transform import arguments, ir
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Fresh
from adlsp.transform.source import Span

Signature = Callable[[str], ir.Function | None]
"""Finds the user's function that a call means, as far as its parameters."""


def unpacked(function: ir.Function, signature: Signature) -> ir.Function:
    """The function with an argument for each parameter, in calls that may leave some out."""
    unclear = {
        statement: callee
        for statement, call in _calls(function.body)
        if (callee := signature(call.function) if _stars(call) else None) is not None
        and isinstance(arguments.bind(callee, call), str)
    }
    if not unclear:
        return function
    fresh = ir.fresh(function)

    def block(statements: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in statements:
            match statement:
                case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call) if (
                    statement in unclear
                ):
                    spread = _Spread(unclear[statement], call, statement.origin, fresh)
                    written = spread.call()
                    if written is not None:
                        made += (*spread.steps, replace(statement, value=written))
                        continue
                case ir.Assign(value=ir.Opaque(unfolded=(steps, name)) as value):
                    inner = block(steps), name
                    made.append(replace(statement, value=replace(value, unfolded=inner)))
                    continue
            made.append(ir.rebuilt(statement, block=block))
        return tuple(made)

    return replace(function, body=block(function.body))


def spread(
    callee: ir.Function, call: ir.Call, origin: Span, fresh: Fresh
) -> tuple[ir.Block, ir.Call] | None:
    """A call with an argument for each parameter, and the steps before it; None if that fails."""
    if not _stars(call):
        return None
    written = _Spread(callee, call, origin, fresh)
    made = written.call()
    return None if made is None else (tuple(written.steps), made)


def _calls(block: ir.Block) -> Iterator[tuple[ir.Statement, ir.Call]]:
    """The calls of a function, also in the steps of comprehensions."""
    for statement in ir.walk(block):
        match statement:
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                yield statement, call
            case ir.Assign(value=ir.Opaque(unfolded=(steps, _))):
                yield from _calls(steps)


def _stars(call: ir.Call) -> dict[str, ir.Atom]:
    """The arguments of a call with one star, and those with two."""
    return {"**" if n[1] == "*" else "*": atom for n, atom in call.keywords if n[0] == "*"}


class _Spread:
    """Writes one call, and the steps before it."""

    def __init__(self, callee: ir.Function, call: ir.Call, origin: Span, fresh: Fresh) -> None:
        self.callee = callee
        self.given = call
        self.origin = origin
        self.fresh = fresh
        self.steps: list[ir.Statement] = []
        self.values, self.options = map(_stars(call).get, ("*", "**"))

    def call(self) -> ir.Call | None:
        """The call with its arguments, if each parameter gets one."""
        plain = [(name, atom) for name, atom in self.given.keywords if name[0] != "*"]
        if len(self.given.keywords) - len(plain) > len(_stars(self.given)):
            return None
        values, options = arguments.rest(self.callee)
        held = dict(arguments.captured(self.given))
        parameters = [p for p in self.callee.parameters if p.name not in held]
        is_nested = targets.is_nested(self.given.function)
        given = self.given.args[is_nested:]
        positional = [p for p in parameters if p.is_positional]
        args, keywords = [*self.given.args], [*plain]
        taken = {name for name, _ in plain} | {p.name for p in positional[: len(given)]}
        named: list[str] = []
        for place, parameter in enumerate(parameters):
            if parameter.name in taken or parameter.is_rest:
                continue
            is_positional = parameter.is_positional
            value = self.value(parameter, place - len(given) if is_positional else None)
            if value is None:
                return None
            named.append(parameter.name)
            if is_positional and len(args) - is_nested == place:
                args.append(value)
            else:
                keywords.append((parameter.name, value))
        if self.values is not None and values is not None:
            rest = self.behind(self.values, len(positional) - len(given))
            keywords.append(("*rest", rest))
            if len(args) - is_nested < len(positional):
                return None
        if self.options is not None and options is not None:
            keywords.append(("**rest", self.others(self.options, named)))
        return replace(self.given, args=tuple(args), keywords=tuple(keywords))

    def value(self, parameter: ir.Parameter, place: int | None) -> ir.Atom | None:
        """What one parameter gets; `place` is where it stands among the values."""
        choices: list[tuple[ir.Call, ir.Expression]] = []
        if self.values is not None and place is not None:
            length = ir.Call("builtins.len", (self.values,))
            choices.append((length, ir.Call("operator.getitem", (self.values, ir.Const(place)))))
        if self.options is not None:
            key = ir.Const(parameter.name)
            entry = ir.Call("operator.getitem", (self.options, key))
            choices.append((ir.Call("python.in", (key, self.options)), entry))
        default = parameter.default
        if isinstance(default, ir.Opaque) or not (choices or default):
            return None
        if isinstance(default, ir.Global) and targets.is_unresolved(default.dotted):
            return None
        if default is None:
            *choices, (_, otherwise) = choices
        else:
            otherwise = default
        if not choices and not isinstance(otherwise, ir.Call | ir.Opaque):
            return otherwise
        name = self.fresh.own(parameter.name) if choices else self.fresh.step()
        last: ir.Block = (ir.Assign((name,), otherwise, self.origin),)
        for test, value in reversed(choices):
            decided = self.fresh.step()
            steps: list[ir.Statement] = [ir.Assign((decided,), test, self.origin)]
            if test.function == "builtins.len":
                assert place is not None
                more = ir.Call("operator.gt", (ir.Name(decided), ir.Const(place)))
                decided = self.fresh.step()
                steps.append(ir.Assign((decided,), more, self.origin))
            chosen = (ir.Assign((name,), value, self.origin),)
            last = (*steps, ir.If(ir.Name(decided), chosen, last, self.origin))
        self.steps += last
        return ir.Name(name)

    def behind(self, values: ir.Atom, n: int) -> ir.Atom:
        """What is left of the values behind some of them."""
        if n <= 0:
            return values
        ends = self.hold(ir.Call("python.slice", (ir.Const(n), ir.Const(None), ir.Const(None))))
        return self.hold(ir.Call("operator.getitem", (values, ends)))

    def others(self, options: ir.Atom, named: list[str]) -> ir.Atom:
        """The options but for those with some names."""
        if not named:
            return options
        rest, key = self.fresh.own("rest"), ir.Name(self.fresh.own("key"))
        self.steps.append(ir.Assign((rest,), ir.Call("python.dict"), self.origin))
        names = self.hold(ir.Call("python.tuple", tuple(map(ir.Const, named))))
        keys = self.hold(ir.Call("ndarray.keys", (options,)))
        outer, self.steps = self.steps, []
        test = self.hold(ir.Call("python.not_in", (key, names)))
        inner, self.steps = self.steps, []
        value = self.hold(ir.Call("operator.getitem", (options, key)))
        self.steps.append(ir.Store(rest, key, value, ir.StoreKind.ENTER, self.origin))
        inner.append(ir.If(test, tuple(self.steps), (), self.origin))
        self.steps = [*outer, ir.For(key.id, keys, tuple(inner), self.origin)]
        return ir.Name(rest)

    def hold(self, value: ir.Call) -> ir.Atom:
        """Names a value with a step."""
        name = self.fresh.step()
        self.steps.append(ir.Assign((name,), value, self.origin))
        return ir.Name(name)
