"""Rewrites a primal so that its backward sweep can be written without exceptions to the scheme.

- A parameter that the function writes into is copied once, on entry (`own`): derivatives never
  change the caller's arrays. It must not share its memory with another that is read afterwards.
- An array that is taken apart has a name (`named`): its adjoint is one array, not many numbers.
- What a store into a cell of a list or dictionary replaces has a name, as its shape may be needed.
- A `while` loop counts its trips, so that its condition is not evaluated again.
- A call of a user's function with active arguments becomes the forward function of a pair.
"""

from __future__ import annotations

from dataclasses import replace

from adlsp.transform import arguments, ir
from adlsp.transform.analyses import aliases, elements, liveness, sharing
from adlsp.transform.analyses.activity import Activity, activity
from adlsp.transform.ir import Role
from adlsp.transform.normal import handback
from adlsp.transform.program import PAIR, Program
from adlsp.transform.reverse.pairs import Pairs
from adlsp.transform.reverse.steps import RUNTIME


def trips(statement: ir.While) -> str:
    """The variable that counts the trips of a loop."""
    return f"%trips:{statement.origin.line}:{statement.origin.column}"


def prepare(
    function: ir.Function, active: Activity, known: Program, pairs: Pairs, first: int
) -> ir.Function:
    """The same function, ready to be reversed. `first` is the last number of its steps."""
    rewriter = _Rewriter(active, known, pairs, first)
    return replace(function, body=rewriter.block(function.body))


def own(
    function: ir.Function, wrt: tuple[str, ...], known: Program, *, is_root: bool
) -> ir.Function:
    """The function with copies of the parameters that it writes into, and with its guards.

    A guard makes sure, while the derivative runs, that what was taken for a number is one. The
    derivative of a derivative needs no more of them: that has its own, and through second names it
    reads only what it has put back.
    """
    numbers = frozenset() if is_root else elements.numbers(function)
    given_back = handback.changed_by(function.dotted)
    is_changed = function.dotted.startswith("handback.changed.")
    apart = sharing.apart(function, known) if is_root else {}
    nested = _changed_inside(function)
    is_derived = function.dotted.startswith(ir.DERIVED)
    packed = {p.name for p in function.parameters if is_derived and p.annotation == "tuple"}
    made: list[ir.Statement] = []
    step, origin = ir.last_step(function), function.origin
    written = aliases.written_parameters(function, known)
    receiving = _receiving(function, wrt, known) if {*written} - {*wrt} else set()
    for name in written:
        if name in receiving:
            checked = ir.Call(f"{RUNTIME}.smooth", (ir.Name(name),))
            made.append(ir.Assign((name,), checked, origin, Role.INIT))
        others = tuple(ir.Name(other) for other in apart.get(name, ()))
        if len(others) > 1:
            step += 1
            several = ir.Call("python.tuple", others)
            made.append(ir.Assign((ir.step(step),), several, origin, Role.INIT))
            others = (ir.Name(ir.step(step)),)
        kind = "distinct" if name in nested else "copy"
        kind = "preserved" if name in packed else kind
        kind = "separate" if others else kind
        if name in numbers:
            kind = "number"
            if name in given_back:
                kind = "changeable" if is_changed else "part"
        call = ir.Call(f"{RUNTIME}.{kind}", (ir.Name(name), *others))
        made.append(ir.Assign((name,), call, origin, Role.INIT))
    guarded = {} if is_derived else _guarded(function, known)
    if not is_derived:
        function = _with_numbers(_with_own_elements(function, known), wrt, known)
    step = max(step, ir.last_step(function))

    def block(inner: ir.Block) -> ir.Block:
        nonlocal step
        out: list[ir.Statement] = []
        for statement in inner:
            if statement not in guarded:
                out.append(ir.rebuilt(statement, block=block))
                continue
            assert isinstance(statement, ir.Assign)
            owner = _owner(statement.value)
            if isinstance(owner, ir.Call):
                step += 1
                both = ir.step(step)
                out.append(replace(statement, targets=(both,), value=owner, is_tuple=False))
                owner = ir.Name(both)
            is_bound = isinstance(owner, ir.Name) and owner.id in statement.targets
            held = {}
            for name in statement.targets if is_bound else guarded[statement]:
                step += 1
                held[name] = ir.step(step)
            targets = tuple(held.get(name, name) for name in statement.targets)
            out.append(replace(statement, targets=targets))
            for name, element in held.items():
                call = ir.Call(f"{RUNTIME}.unshared", (ir.Name(element), owner))
                out.append(replace(statement, targets=(name,), value=call, is_tuple=False))
        return tuple(out)

    return replace(function, body=(*made, *(block(function.body) if guarded else function.body)))


def _receiving(function: ir.Function, wrt: tuple[str, ...], known: Program) -> set[str]:
    """The parameters, but those of interest, into whose elements active values are stored."""
    if function.dotted.startswith(ir.DERIVED):
        return set()
    varied = activity(function, wrt, known.flow).varied_before
    names = {p.name for p in function.parameters}.difference(wrt)
    return {
        s.base
        for s in ir.walk(function.body)
        if isinstance(s, ir.Store) and s.base in names and s.index is not None
        if not varied[s].isdisjoint(ir.names((s.value,)))
    }


def named(function: ir.Function, known: Program) -> ir.Function:
    """The function with names for the arrays that `a, b = np.tanh(x)` takes apart.

    Its rule tells of an array. The call of a rule that tells of several values stays as it is.
    """
    step = ir.last_step(function)

    def block(inner: ir.Block) -> ir.Block:
        nonlocal step
        made: list[ir.Statement] = []
        for statement in inner:
            match statement:
                case ir.Assign(value=ir.Call(function=called), is_tuple=True) if (
                    rule := known.rule(called)
                ) is not None and not rule.gives_parts:
                    step += 1
                    array = ir.step(step)
                    made.append(replace(statement, targets=(array,), is_tuple=False))
                    made.append(replace(statement, value=ir.Name(array)))
                case _:
                    made.append(ir.rebuilt(statement, block=block))
        return tuple(made)

    return replace(function, body=block(function.body))


def _changed_inside(function: ir.Function) -> set[str]:
    """The variables of which `x[i][j] = v` changes a part of a part."""
    paths = {
        statement.targets[0]
        for statement in ir.walk(function.body)
        if isinstance(statement, ir.Assign)
        and isinstance(statement.value, ir.Call)
        and statement.value.function == ir.PATH
    }
    stores = (s for s in ir.walk(function.body) if isinstance(s, ir.Store))
    return {s.base for s in stores if not paths.isdisjoint(ir.reads(s))}


def _owner(read: ir.Expression) -> ir.Atom | ir.Call:
    """What an element was read from; where that may be several things, a tuple of them."""
    match read:
        case ir.Call(function="operator.getitem", args=(base, _)) | ir.Call(args=(base,)):
            return base
        case ir.Call():
            return ir.Call("python.tuple", read.atoms)
    assert isinstance(read, ir.Name)
    return read


def _with_own_elements(function: ir.Function, known: Program) -> ir.Function:
    """The function with guards where `s[i] += v` may change an array that somebody else holds."""
    if not any(ir.sets_cell(s) and s.operation == "change" for s in ir.walk(function.body)):
        return function
    facts = aliases.aliases(function, known, are_numbers=False)
    live = liveness.live_after(function)
    number = ir.last_step(function)

    def block(inner: ir.Block) -> ir.Block:
        nonlocal number
        out: list[ir.Statement] = []
        for statement in inner:
            out.append(ir.rebuilt(statement, block=block))
            if not (ir.sets_cell(statement) and statement.operation == "change"):
                continue
            read, changed, store = out[-3:]
            shared = facts.shared(statement, statement.base) & live[statement]
            others = sorted(name for name in shared - {statement.base} if not ir.is_step(name))
            if others and isinstance(read, ir.Assign):
                element, owners = ir.step(number + 1), ir.step(number + 2)
                number += 2
                pack = ir.Call("python.tuple", tuple(map(ir.Name, others)))
                guard = ir.Call(f"{RUNTIME}.unshared", (ir.Name(element), ir.Name(owners)))
                out[-3:] = [
                    replace(read, targets=(element,)),
                    replace(read, targets=(owners,), value=pack),
                    replace(read, value=guard),
                    changed,
                    store,
                ]
        return tuple(out)

    return replace(function, body=block(function.body))


def _with_numbers(function: ir.Function, wrt: tuple[str, ...], known: Program) -> ir.Function:
    """The function with guards where a call without a derivative may change an active array.

    The callee changes its parameter by `x += v`, which is right for a number.
    """
    calls: dict[ir.Statement, tuple[str, ...]] = {}
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                if not handback.is_handback(call.function) and known.rule(call.function) is None:
                    calls[statement] = tuple(ir.names(known.changed(call)))
    if not any(calls.values()):
        return function
    active = activity(function, wrt, known.flow)
    shared = aliases.aliases(function, known, are_numbers=False)
    number = ir.last_step(function)

    def must_be_number(statement: ir.Statement, name: str) -> bool:
        others = {name, *shared.shared(statement, name)}
        is_useful = not others.isdisjoint(active.useful_after[statement])
        return is_useful and name in active.varied_before[statement]

    def block(inner: ir.Block) -> ir.Block:
        nonlocal number
        out: list[ir.Statement] = []
        for statement in inner:
            numbers: dict[str, str] = {}
            if not active.is_active(statement):
                for name in calls.get(statement, ()):
                    if must_be_number(statement, name):
                        number += 1
                        numbers[name] = ir.step(number)
                        call = ir.Call(f"{RUNTIME}.number", (ir.Name(name),))
                        out.append(ir.Assign((numbers[name],), call, statement.origin))
            out.append(
                _renamed(statement, numbers) if numbers else ir.rebuilt(statement, block=block)
            )
        return tuple(out)

    return replace(function, body=block(function.body))


def _renamed(statement: ir.Statement, names: dict[str, str]) -> ir.Statement:
    """A statement that reads other variables instead of some."""

    def atom(given: ir.Atom) -> ir.Atom:
        return ir.Name(names.get(given.id, given.id)) if isinstance(given, ir.Name) else given

    return ir.rebuilt(statement, atom)


def _guarded(function: ir.Function, known: Program) -> dict[ir.Statement, list[str]]:
    """The reads of elements that must be numbers, so that a store leaves other names alone.

    Of each the names that they give to such elements.
    """
    walked = ir.walk(function.body)
    changing = [s for s in walked if isinstance(s, ir.Store) and not ir.resizes(s)]
    stores = [s for s in changing if not ir.sets_cell(s)]
    if not stores:
        return {}
    relaxed = aliases.aliases(function, known)
    strict = aliases.aliases(function, known, are_numbers=False)
    live = liveness.live_after(function)
    named: set[str] = set()
    for store in stores:
        more = strict.shared(store, store.base) - relaxed.shared(store, store.base)
        if later := more & live[store]:
            named |= {n for n in (store.base, *more) if n in later or not ir.is_step(n)}
    named |= _steps_of(named, function)
    return {
        read: [name for name in read.targets if name in named]
        for read in elements.assumed_reads(function, known)
        if not named.isdisjoint(read.targets)
    }


def _steps_of(names: set[str], function: ir.Function) -> set[str]:
    """The steps that variables are bound to: in `a, b = x[0], x[1]` what is read has no name."""
    sources: dict[str, set[str]] = {}
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(targets=targets, value=ir.Call("python.tuple", args), is_tuple=True):
                pairs = [*zip(targets, args, strict=True)]
            case ir.Assign(targets=(target,), value=ir.Name() as source):
                pairs = [(target, source)]
            case _:
                continue
        for target, atom in pairs:
            if isinstance(atom, ir.Name) and ir.is_step(atom.id):
                sources.setdefault(target, set()).add(atom.id)
    found: set[str] = set()
    pending = [*names]
    while pending:
        new = sources.get(pending.pop(), set()) - found
        found |= new
        pending += new
    return found


class _Rewriter:
    def __init__(self, active: Activity, known: Program, pairs: Pairs, first: int) -> None:
        self.active = active
        self.known = known
        self.pairs = pairs
        self.made = first

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in block:
            made += self.statement(statement)
        return tuple(made)

    def statement(self, statement: ir.Statement) -> list[ir.Statement]:
        match statement:
            case ir.While():
                return self.counted(statement)
            case ir.Assign(value=ir.Call() as call) if self.active.is_active(statement):
                return self.called(statement, call)
            case ir.Store(base=base, index=ir.Name() | ir.Const() as index) if ir.sets_cell(
                statement
            ):
                self.made += 1
                call = ir.Call(ir.reading(statement), (ir.Name(base), index))
                old = ir.step(self.made, "old")
                return [ir.Assign((old,), call, statement.origin, Role.SAVE), statement]
        return [ir.rebuilt(statement, block=self.block)]

    def counted(self, statement: ir.While) -> list[ir.Statement]:
        """A loop that counts its trips."""
        name, origin = trips(statement), statement.origin
        zero = ir.Assign((name,), ir.Const(0), origin, Role.SAVE)
        one_more = ir.Store(name, None, ir.Const(1), "add", origin, Role.SAVE)
        loop = ir.While(
            statement.header,
            statement.test,
            (*self.block(statement.body), one_more),
            origin,
            statement.role,
        )
        return [zero, loop]

    def called(self, statement: ir.Assign, call: ir.Call) -> list[ir.Statement]:
        """An active call of a user's function."""
        if self.known.rule(call.function) is not None:
            return [statement]
        callee = self.known.function(call.function)
        if callee is None:
            return [statement]
        bound = arguments.bind(callee, call)
        assert isinstance(bound, dict)
        varied = self.active.varied_before[statement]
        ordered = tuple(
            p.name
            for p in callee.parameters
            if not varied.isdisjoint(ir.names(arguments.atoms(bound[p.name])))
        )
        pair = self.pairs.request(callee, ordered)
        origin, role = statement.origin, statement.role
        packing: list[ir.Statement] = []

        def hold(display: ir.Call) -> ir.Atom:
            self.made += 1
            packing.append(ir.Assign((ir.step(self.made),), display, origin, role))
            return ir.Name(ir.step(self.made))

        call = arguments.direct(callee, call, bound, hold)
        self.made += 1
        saved = f"%saved:{pair.name}:{self.made}"
        forward = replace(call, function=f"{PAIR}{pair.name}_forward")
        if not statement.is_tuple:
            both = (statement.targets[0], saved)
            return [*packing, ir.Assign(both, forward, origin, role, is_tuple=True)]
        self.made += 1
        result = ir.step(self.made, "results")
        return [
            *packing,
            ir.Assign((result, saved), forward, origin, role, is_tuple=True),
            ir.Assign(statement.targets, ir.Name(result), origin, role, is_tuple=True),
        ]
