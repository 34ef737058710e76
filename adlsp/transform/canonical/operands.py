"""Calls of library functions with their operands by position, and without what they need not say.

`np.dot(b=y, a=x)` is `np.dot(x, y)`, so that who asks for the first argument finds it, and
`np.sum(x, dtype=None, out=None)` is `np.sum(x)`. What a parameter is called the record of a
function tells, or else its rule.

An option that decides on the rule, `np.convolve(x, y, mode)`, stands there as the constant that it
is, where the inference knows it (constant propagation). Where it knows how many there are, operands
with a star stand one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from operator import is_
from types import MappingProxyType

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.facts.callees import Callees
from adlsp.transform.ir import signs, targets
from adlsp.transform.ops import records
from adlsp.transform.rules import table
from adlsp.transform.values import lattice
from adlsp.transform.values.inferred import Inferred

SAYING_NOTHING = frozenset(
    (key, ir.Const(value))
    for value, keys in {
        None: "out dtype signature like device plan mean copy left right period",
        False: "hermitian overwrite_a overwrite_b overwrite_input overwrite_x returned",
        True: "where subok",
        "K": "order",
        "same_kind": "casting",
        "linear": "method",
        "raise": "mode",
    }.items()
    for key in keys.split()
)
"""Options of NumPy and SciPy with their defaults, of which a rule need not know."""

BESIDE_THE_POINT = frozenset({"check_finite", "workers"})
"""Options of SciPy on which no result depends."""

SECOND_NAMES = MappingProxyType(
    {
        "numpy.clip": {"min": "a_min", "max": "a_max"},
        "numpy.std": {"correction": "ddof"},
        "numpy.var": {"correction": "ddof"},
    }
)
"""Parameters that the array API calls otherwise than NumPy did before."""

SECOND_SPELLINGS = MappingProxyType({"scipy.linalg.solve_triangular": {"N": 0, "T": 1}})
"""Options that may also be given as texts."""

LISTS = ("python.list", "python.tuple", "builtins.list", "builtins.tuple", "builtins.range")
"""What makes lists, or what is like one."""

POWERS = ("operator.pow", "builtins.pow", "numpy.power", "numpy.float_power")
"""What has a slope in which the second operand is not only multiplied."""

BY_NAME_ONLY = "tensorflow.raw_ops"
"""Where functions are that take nothing by position."""


def placed(function: ir.Function, known: Callees) -> ir.Function:
    """The function with calls whose operands stand by position."""

    def block(statements: ir.Block) -> ir.Block:
        return tuple(map(again, statements))

    def again(statement: ir.Statement) -> ir.Statement:
        match statement:
            case ir.Assign(value=ir.Call() as call):
                made = _placed(call, known)
                return statement if made is call else replace(statement, value=made)
            case ir.Assign(value=ir.Opaque(unfolded=(steps, name)) as value):
                inner = block(steps)
                is_same = all(map(is_, inner, steps))
                unfolded = replace(value, unfolded=(inner, name))
                return statement if is_same else replace(statement, value=unfolded)
        return ir.rewritten(statement, block=block)

    body = block(function.body)
    is_same = all(map(is_, body, function.body))
    return function if is_same else replace(function, body=body)


def _placed(call: ir.Call, known: Callees) -> ir.Call:
    rule = known.rule(call.function)
    is_open = any(name.startswith("*") for name, _ in call.keywords)
    if rule is None or rule.kind in ("constant", "broken") or is_open:
        return call
    if rule.declarations:
        return _by_position(call, rule)
    if spellings := SECOND_SPELLINGS.get(call.function):
        call = _with_first_spellings(call, spellings)
    made = _without_defaults(_with_first_names(call), rule)
    is_named = targets.is_method(call.function) or targets.is_of(call.function, BY_NAME_ONLY)
    return made if is_named else _by_position(made, rule)


def _with_first_names(call: ir.Call) -> ir.Call:
    """The call with parameters by those names that rules know."""
    other = SECOND_NAMES.get(call.function)
    if other is None:
        return call
    return replace(call, keywords=tuple((other.get(k, k), atom) for k, atom in call.keywords))


def _with_first_spellings(call: ir.Call, spellings: Mapping[str, int]) -> ir.Call:
    """The call with options by those values that rules know."""

    def first(atom: ir.Atom) -> ir.Atom:
        match atom:
            case ir.Const(str() as text):
                return ir.Const(spellings.get(text, text))
        return atom

    named = tuple((key, first(atom)) for key, atom in call.keywords)
    return replace(call, args=tuple(map(first, call.args)), keywords=named)


def _by_position(call: ir.Call, rule: table.Rule) -> ir.Call:
    """The call with its first operands by position."""
    named, args = dict(call.keywords), [*call.args]
    names = records.by_position(call.function)
    for parameter in rule.parameters[len(args) :]:
        called = names[len(args)] if len(args) < len(names) else parameter.name
        is_operand = parameter.name in rule.of or parameter.default is None
        if called not in named or not is_operand or parameter.kind is not ir.POSITIONAL:
            break
        args.append(named.pop(called))
    return call if len(named) == len(call.keywords) else _with(call, args, named)


def _without_defaults(call: ir.Call, rule: table.Rule) -> ir.Call:
    """The call without what its rule does not know of and what says nothing."""
    n_known = sum(p.is_positional for p in rule.parameters)
    args, names = [*call.args], records.by_position(call.function)
    while len(args) > n_known and args[-1] == ir.Const(None):
        is_out = len(args) - 1 == records.n_before_out(call.function)
        if not (is_out or names[len(args) - 1 : len(args)] == ("dtype",)):
            break
        args.pop()
    known = {p.name for p in rule.parameters}
    of_tensors = targets.is_of(call.function, "tensorflow")
    is_numpy = targets.is_method(call.function) or targets.is_of(call.function, "numpy", "scipy")

    def counts(key: str, atom: ir.Atom) -> bool:
        if key in known or not (is_numpy or of_tensors):
            return True
        says_nothing = (key, atom) in SAYING_NOTHING or key in BESIDE_THE_POINT
        return key != "name" if of_tensors else not says_nothing

    named = {key: atom for key, atom in call.keywords if counts(key, atom)}
    is_same = len(args) == len(call.args) and len(named) == len(call.keywords)
    return call if is_same else _with(call, args, named)


def with_options(
    function: ir.Function, known: Callees, infer: Callable[[ir.Function], Inferred]
) -> ir.Function:
    """The function with the options that decide on rules as constants, where these are known."""
    asking = {s: names for s in ir.walk(function.body) if (names := _deciding(s, known))}
    if not asking:
        return function
    inferred = infer(function)

    def block(statements: ir.Block) -> ir.Block:
        return tuple(map(again, statements))

    def again(statement: ir.Statement) -> ir.Statement:
        names = asking.get(statement)
        if names is None:
            return ir.rewritten(statement, block=block)

        def constant(atom: ir.Atom) -> ir.Atom:
            match inferred.read(statement, atom) if atom in names else lattice.UNKNOWN:
                case (
                    lattice.Literal("str" | "NoneType", found) | lattice.Number(constant=int(found))
                ):
                    return ir.Const(found)
            return atom

        return ir.rewritten(statement, constant)

    return replace(function, body=block(function.body))


def as_arrays(
    function: ir.Function, known: Callees, infer: Callable[[ir.Function], Inferred]
) -> ir.Function:
    """The function with `np.tril(np.array(rows))` for a list, where a rule is about arrays.

    So it is for `x ** [1, 2]` and `x[:] /= [1, 2]`, and for what TensorFlow's functions go through
    by elements. TensorFlow gives what it is given beside a tensor the dtype of that.
    """
    lists = frozenset(name for s in ir.walk(function.body) for name in _lists(s))
    asking = {s for s in ir.walk(function.body) if _is_of_arrays(s, lists, known)}
    if not asking:
        return function
    inferred, fresh = infer(function), ir.fresh(function)

    def block(statements: ir.Block) -> ir.Block:
        return tuple(made for statement in statements for made in again(statement))

    def again(statement: ir.Statement) -> ir.Block:
        match statement:
            case ir.Assign(value=ir.Call() as call) if statement in asking:
                rule = known.rule(call.function)
                rules = () if rule is None else (rule, *rule.others)
                bound = [(each.of, table.bind(each.parameters, call)) for each in rules]
                given = [(of, found) for of, found in bound if isinstance(found, dict)]
                operands = {a for of, found in given[:1] for n, a in found.items() if n in of}
                return tuple(arrays(statement, call, operands))
            case ir.Store(base, _, ir.Name() as value) if statement in asking:
                is_array = isinstance(inferred.read(statement, ir.Name(base)), lattice.Array)
                if is_array and isinstance(inferred.read(statement, value), lattice.Sequence):
                    array = fresh.step()
                    made = ir.Assign((array,), ir.Call("numpy.array", (value,)), statement.origin)
                    return made, replace(statement, value=ir.Name(array))
        return (ir.rewritten(statement, block=block),)

    def arrays(
        statement: ir.Assign, call: ir.Call, operands: set[ir.Atom]
    ) -> Iterator[ir.Statement]:
        values = {atom: inferred.read(statement, atom) for atom in operands}
        is_numpy = not targets.is_of(call.function, "tensorflow")
        tensors = (a for a, v in values.items() if _is_tensor(v))
        beside = None if is_numpy else next(tensors, None)
        made: dict[ir.Atom, ir.Atom] = {}
        for atom in (a for a in call.atoms if isinstance(values.get(a), lattice.Sequence)):
            dtype, array = fresh.step(), fresh.step()
            if beside is not None:
                read = ir.Call("attribute.dtype", (beside,), (), call.span)
                yield ir.Assign((dtype,), read, statement.origin)
            making = "numpy.array" if is_numpy else "tensorflow.convert_to_tensor"
            args = (atom,) if beside is None else (atom, ir.Name(dtype))
            making_array = ir.Call(making, args, (), call.span)
            yield ir.Assign((array,), making_array, statement.origin)
            made[atom] = ir.Name(array)
        yield ir.rewritten(statement, lambda atom: made.get(atom, atom))

    return replace(function, body=block(function.body))


def _lists(statement: ir.Statement) -> tuple[str, ...]:
    """The variables that a statement makes lists, tuples or ranges."""
    match statement:
        case ir.Assign(names, ir.Call(function), is_tuple=False) if function in LISTS:
            return names
    return ()


def _is_of_arrays(statement: ir.Statement, lists: frozenset[str], known: Callees) -> bool:
    """Tells whether a statement is about arrays, so that it has to be given no list."""
    match statement:
        case ir.Assign(value=ir.Call(function)) if operations.of(function).of_arrays:
            return True
        case ir.Assign(value=ir.Call(function, (_, ir.Name(id)))) if function in POWERS:
            return id in lists
        case ir.Assign(value=ir.Call(function)) if targets.is_of(function, "tensorflow"):
            rule = known.rule(function)
            return rule is not None and rule.kind == "elementwise"
        case ir.Store(value=ir.Name(id), kind=kind):
            return id in lists and targets.is_operator(kind.operator)
    return False


def _is_tensor(value: lattice.Value) -> bool:
    return isinstance(value, lattice.Array) and value.library == "tensorflow"


MOST_SPREAD = 32
"""How many operands with a star are written out."""


def spread(function: ir.Function, known: Callees) -> ir.Function:
    """The function with `np.einsum(s, *[x, y])` as `np.einsum(s, x, y)`, where that is known."""
    if not any(_has_star(statement) for statement in ir.walk(function.body)):
        return function
    typed, fresh = known.typed(function, is_asked=True), ir.fresh(function)

    def block(statements: ir.Block) -> ir.Block:
        return tuple(made for statement in statements for made in again(statement))

    def again(statement: ir.Statement) -> ir.Block:
        match statement:
            case ir.Assign(value=ir.Opaque(unfolded=(steps, name)) as value):
                found = _starred(steps)
                if found is None:
                    unfolded = replace(value, unfolded=(block(steps), name))
                    return (replace(statement, value=unfolded),)
                made = written(*found)
                if made is None:
                    return (replace(statement, value=replace(value, unfolded=None)),)
                return (*steps[:-1], *made[0], replace(statement, value=made[1]))
            case ir.Assign(value=ir.Call() as call) if _is_starred(call):
                made = written(statement, call)
                return (
                    (statement,) if made is None else (*made[0], replace(statement, value=made[1]))
                )
        return (ir.rewritten(statement, block=block),)

    def written(statement: ir.Statement, call: ir.Call) -> tuple[ir.Block, ir.Call] | None:
        """A call without stars, with the steps before it; None where these are not known."""
        together = signs.GIVEN_TOGETHER.get(call.function)
        rule = known.rule(together or call.function)
        if rule is None:
            return None
        parts: list[ir.Statement] = []

        def hold(function: str, *args: ir.Atom) -> ir.Name:
            parts.append(
                ir.Assign((fresh.step(),), ir.Call(function, args, (), call.span), statement.origin)
            )
            return ir.Name(ir.writes(parts[-1])[0])

        args, keywords = [*call.args], list[tuple[str, ir.Atom]]()
        whole: ir.Atom | None = None
        for key, values in call.keywords:
            value = typed.of(statement, values) if key.startswith("*") else None
            match value:
                case None:
                    keywords.append((key, values))
                case lattice.Mapped(items=tuple() as items) if key.startswith("**"):
                    for name, _ in items:
                        read = hold("operator.getitem", values, ir.Const(name))
                        keywords.append((str(name), read))
                case _ if key.startswith("**"):
                    return None
                case _:
                    n = _length(value)
                    if together is not None and n is None and not args:
                        whole = hold("builtins.tuple", values)
                        continue
                    n = _required(rule, call) if n is None and together is None else n
                    if n is None or n > MOST_SPREAD:
                        return None
                    places = map(ir.Const, range(n))
                    args += [hold("operator.getitem", values, place) for place in places]
        if together is not None:
            args = [whole or hold("python.tuple", *args)]
        made = ir.Call(together or call.function, tuple(args), tuple(keywords), call.span)
        return tuple(parts), made

    return replace(function, body=block(function.body))


def _is_starred(call: ir.Call) -> bool:
    return any(key.startswith("*") for key, _ in call.keywords)


def _has_star(statement: ir.Statement) -> bool:
    """Tells whether a statement gives an operand a star, or a step that it may be written as."""
    match statement:
        case ir.Assign(value=ir.Opaque(unfolded=(steps, _))):
            return _starred(steps) is not None or any(map(_has_star, ir.walk(steps)))
        case ir.Assign(value=ir.Call() as call):
            return _is_starred(call)
    return False


def _starred(steps: ir.Block) -> tuple[ir.Statement, ir.Call] | None:
    """The call of a library function whose last argument has a star, if these are its steps."""
    match steps[-1:]:
        case (ir.Assign(value=ir.Call(keywords=((str(key), _), *_)) as call) as last,) if (
            key.startswith("*") and not key.startswith("**")
        ):
            return last, call
    return None


def _length(value: lattice.Value) -> int | None:
    """How many elements a value surely has."""
    match value:
        case lattice.Sequence(items=tuple() as items):
            return len(items)
        case lattice.Array(shape=tuple() as shape) if shape and isinstance(shape[0], int):
            return shape[0]
    return None


def _required(rule: table.Rule, call: ir.Call) -> int | None:
    """How many operands a call has yet to give, where it takes neither fewer nor more."""
    if any(p.default is not None or p.is_rest for p in rule.parameters if p.is_positional):
        return None
    if "*" in (operations.of(call.function).parameters or ""):
        return None
    missing = len([p for p in rule.parameters if p.is_positional]) - len(call.args)
    return missing if missing > 0 and not rule.others else None


def _deciding(statement: ir.Statement, known: Callees) -> frozenset[ir.Atom]:
    """The variables that a statement gives to a function as options of which its rule asks."""
    match statement:
        case ir.Assign(value=ir.Call() as call):
            rule = known.rule(call.function)
            rules = () if rule is None else (rule, *rule.others)
            given = {atom for each in rules for _, atom in table.deciding(each, call)}
            return frozenset(atom for atom in given if not isinstance(atom, ir.Const))
    return frozenset()


def _with(call: ir.Call, args: list[ir.Atom], named: dict[str, ir.Atom]) -> ir.Call:
    return replace(call, args=tuple(args), keywords=tuple(named.items()))
