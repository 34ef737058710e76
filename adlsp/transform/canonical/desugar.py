"""What has a simpler form, where it carries derivatives; elsewhere it stays as it was written.

This is desugaring, by activity. A call becomes the steps that it stands for, if its rule tells
them. Comprehensions become loops, which add up what `sum` was given, and `a or b` branches. A loop
over the items or values of a dictionary becomes one over its keys, which reads the values by them.
Lists are multiplied by arrays, and not repeated (`overloads.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise, zip_longest

from adlsp.transform import ir
from adlsp.transform.facts import activity, callees, containers, operations
from adlsp.transform.facts.facts import Facts
from adlsp.transform.facts.indices import Indices
from adlsp.transform.facts.iteration import Iterations, Run
from adlsp.transform.facts.versions import Version, VersionKind, Versions
from adlsp.transform.ir.variables import Fresh, Own, Step
from adlsp.transform.ops.spec import Kind, Makes, Result, Runs
from adlsp.transform.rules import table
from adlsp.transform.values import lattice
from adlsp.transform.values.inferred import Inferred
from adlsp.transform.values.lattice import EITHER, Array, Mapped, Number, Sequence


def desugared(function: ir.Function, wrt: tuple[str, ...], known: callees.Callees) -> ir.Function:
    """The same function, with the steps of what is active and was kept as it was written."""
    while any(_steps(statement) is not None for statement in ir.walk(function.body)):
        facts = known.facts(function).activity(wrt)
        taking_part = {
            s
            for s in ir.walk(function.body)
            if _steps(s) is not None and _takes_part(s, function, facts)
        }
        if not taking_part:
            break
        mixed = _mixed(function)
        function = replace(function, body=_block(function.body, taking_part, mixed))
    return function


def with_effects(function: ir.Function, known: callees.Callees) -> ir.Function:
    """The same function, with the steps of comprehensions whose calls change what is around them.

    `[push(stack, v) for v in values]` is a loop, of which each pass sees what the last has done.
    """
    while found := {
        s
        for s in ir.walk(function.body)
        if (steps := _steps(s)) is not None and _changes_more(steps[0], known)
    }:
        function = replace(function, body=_block(function.body, found, _mixed(function)))
    return function


def _changes_more(steps: ir.Block, known: callees.Callees, around: Iterable[str] = ()) -> bool:
    """Tells whether calls in the steps of a comprehension change more than what they make."""
    made = {*around}
    for statement in ir.walk(steps):
        match statement:
            case ir.Assign((target,), ir.Call(function)) if (
                operations.of(function).result is Result.FRESH
            ):
                made.add(target)
        match statement:
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                changed = known.changed(call, scalar_elements=False)
                if operations.changes_container(call.function):
                    changed = call.args[:1]
                if not made.issuperset(ir.names(changed)):
                    return True
            case ir.Assign(value=ir.Opaque(unfolded=(inner, _))):
                if _changes_more(inner, known, made):
                    return True
    return False


def rotated(function: ir.Function, wrt: tuple[str, ...], known: callees.Callees) -> ir.Function:
    """The same function, in which tests of loops only look: loop rotation.

    `while advance(state) < n` advances before the loop, and at the end of each pass, where that
    carries derivatives; so does `while (i := i + 1) < n` where passes do, which need each `i`.
    """
    loops = [s for s in ir.walk(function.body) if isinstance(s, ir.While) and s.header]
    if not loops:
        return function
    facts = known.facts(function)
    active = facts.activity(wrt)

    def takes_part(block: ir.Block) -> bool:
        return any(_takes_part(s, function, active) for s in ir.walk(block))

    found = {
        s
        for s in loops
        if takes_part(s.header) or (_hands_on(s, facts.versions) and takes_part(s.body))
    }

    def block(statements: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in statements:
            each = ir.rebuilt(statement, block=block)
            if statement in found:
                assert isinstance(each, ir.While)
                made += each.header
                each = replace(each, header=(), body=(*each.body, *_again(each.header)))
            made.append(each)
        return tuple(made)

    return replace(function, body=block(function.body)) if found else function


def _hands_on(loop: ir.While, numbered: Versions) -> bool:
    """Tells whether the body of a loop reads variables that the steps of its test bind.

    They may also change a container, as `stack.pop()` does.
    """
    bound = {n for s in ir.walk(loop.header) for n in ir.writes(s) if not isinstance(n, Step)}
    for statement in ir.walk(loop.header):
        match statement:
            case ir.Assign(value=ir.Call(function, args)) | ir.Do(value=ir.Call(function, args)):
                if ir.changes_first(function) or operations.changes_container(function):
                    bound.update(ir.names(args[:1]))
    body = {*ir.walk(loop.body)} if bound else set[ir.Statement]()
    return any(
        reader in body and name in bound and version.statement not in body
        for (reader, name), version in (numbered.reads.items() if bound else ())
    )


def _again(block: ir.Block) -> ir.Block:
    """The same statements, to stand at another place."""
    return tuple(ir.rebuilt(statement, block=_again) for statement in block)


def composed(function: ir.Function, wrt: tuple[str, ...], known: callees.Callees) -> ir.Function:
    """The same function, with the steps that calls stand for whose rules tell these."""
    while _composite(function, known):
        active = known.facts(function).activity(wrt)
        taking_part = {
            s: rule
            for s, rule in _composite(function, known).items()
            if _takes_part(s, function, active)
        }
        if not taking_part:
            break
        body = _with_steps(function.body, taking_part, ir.fresh(function), known)
        function = replace(function, body=body)
    return function


def _with_steps(
    statements: ir.Block, rules: _Rules, fresh: Fresh, known: callees.Callees
) -> ir.Block:
    made: list[ir.Statement] = []
    for each in statements:
        if isinstance(each, ir.Assign) and each in rules:
            made += _composed(each, rules[each], fresh, known)
        else:
            made.append(ir.rebuilt(each, block=lambda b: _with_steps(b, rules, fresh, known)))
    return tuple(made)


_Rules = dict[ir.Statement, table.Rule]


def _composite(function: ir.Function, known: callees.Callees) -> _Rules:
    """The calls of which a rule tells what they stand for, with the rules."""
    found: _Rules = {}
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(value=ir.Call() as call):
                rule = known.rule(call.function)
                rule = None if rule is None else table.fitting(rule, call)
                is_composite = rule is not None and rule.kind == "composite"
                if rule and is_composite and isinstance(table.bind(rule.parameters, call), dict):
                    found[statement] = rule
    return found


def _composed(
    statement: ir.Assign, rule: table.Rule, fresh: Fresh, known: callees.Callees
) -> Iterator[ir.Statement]:
    """The steps of a rule on the arguments of a call, and what they give."""
    call = statement.value
    assert isinstance(call, ir.Call)
    assert rule.reverse is not None
    bound = table.bind(rule.parameters, call)
    assert isinstance(bound, dict)

    def now(atom: ir.Atom) -> ir.Atom:
        return bound.get(atom.id, atom) if isinstance(atom, ir.Name) else atom

    *steps, last = rule.reverse.function.body
    for step in steps:
        assert isinstance(step, ir.Assign)
        value = ir.mapped(step.value, now)
        if isinstance(value, ir.Call):
            value = replace(value, span=call.span)
            own = known.rule(value.function)
            value = value if own is None else table.shorter(own, value)
        names = tuple(fresh.step() for _ in step.targets)
        bound.update(zip(step.targets, map(ir.Name, names), strict=True))
        yield ir.Assign(names, value, statement.origin, statement.role, step.is_tuple)
    assert isinstance(last, ir.Return)
    yield replace(statement, value=now(last.value))


def _takes_part(statement: ir.Statement, function: ir.Function, facts: activity.Activity) -> bool:
    """Tells whether a statement carries derivatives.

    In a derivative all that is varied has a tangent, whatever becomes of it.
    """
    if function.is_derived:
        return not facts.varied_after[statement].isdisjoint(ir.writes(statement))
    return facts.is_active(statement)


def summed(function: ir.Function, infer: Callable[[ir.Function], Inferred]) -> ir.Function:
    """The same function, where a loop adds up what `sum` was given by a comprehension.

    `sum` adds numbers and arrays of NumPy's in this order; of Python's own numbers it may be more
    exact.
    """
    every = [*ir.walk(function.body)]
    filled = any(isinstance(s, ir.Store) and isinstance(s.base, Own) for s in every)
    if not filled or not any(_is_sum(getattr(s, "value", None)) for s in every):
        return function
    inferred, fresh = infer(function), ir.fresh(function)
    n_users = Counter(name for s in every for name in {*ir.reads(s), *ir.writes(s)})
    n_added = Counter(s.base for s in every if isinstance(s, ir.Store) and _is_added(s, inferred))
    alone = {name for name, number in n_added.items() if n_users[name] == number + 2}
    if not alone:
        return function
    once = {name for name, number in n_users.items() if number == 2}

    def block(statements: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in statements:
            made.append(ir.rebuilt(statement, block=block))
            if _is_sum(getattr(statement, "value", None)):
                _add_up(made, alone, once, fresh)
        return tuple(made)

    return replace(function, body=block(function.body))


def _is_sum(value: object) -> bool:
    return isinstance(value, ir.Call) and value.function == "builtins.sum"


def _is_added(store: ir.Store, inferred: Inferred) -> bool:
    """Tells whether a number or an array of NumPy's is put at the end of a list."""
    if store.kind is not ir.StoreKind.APPEND:
        return False
    match inferred.read(store, store.value):
        case Number(dtype=str() as dtype):
            return dtype != EITHER
        case Array(dtype=str(), library="numpy"):
            return True
    return False


def _add_up(made: list[ir.Statement], alone: set[str], once: set[str], fresh: Fresh) -> None:
    """Has the loops add up that fill a list, in steps of which the last one sums it.

    `alone` are lists that nobody else sees and only NumPy's numbers and arrays are put into, `once`
    the variables that one statement binds and one reads.
    """
    match made[-3:]:
        case [
            ir.For(),
            ir.Assign((Step() as held,), ir.Name(Own() as values), is_tuple=False),
            ir.Assign(
                (target,), ir.Call("builtins.sum", (ir.Name(given), *start), ()), is_tuple=False
            ) as last,
        ] if given == held and values in alone and held in once:
            begun = [at for at, s in enumerate(made) if values in ir.writes(s)]
        case _:
            return
    first = made[begun[0]] if begun else None
    if not isinstance(first, ir.Assign) or first.value != ir.Call("python.list", ()):
        return
    every = [*ir.walk(tuple(made[begun[0] : -2]))]
    if any(name in ir.writes(s) for s in every for name in ir.names(tuple(start))):
        return
    is_met = any(target in (*ir.reads(s), *ir.writes(s)) for s in every)
    total = fresh.own("total") if isinstance(target, Step) or is_met else target

    def block(statements: ir.Block) -> ir.Block:
        return tuple(map(add, statements))

    def add(statement: ir.Statement) -> ir.Statement:
        match statement:
            case ir.Store(base=base, value=value, origin=origin) if base == values:
                call = ir.Call("operator.add", (ir.Name(total), value))
                return ir.Assign((total,), call, origin, statement.role)
        return ir.rebuilt(statement, block=block)

    named = [] if total == target else [replace(last, value=ir.Name(total))]
    made[begun[0] + 1 :] = [*map(add, made[begun[0] + 1 : -2]), *named]
    made[begun[0]] = replace(first, targets=(total,), value=(*start, ir.Const(0))[0])


VALUES = ("ndarray.items", "ndarray.values")
"""Methods that give the values of a dictionary one by one."""

OF_LOOPS = (VersionKind.TARGET, VersionKind.ELEMENT)

SHOWING = (*VALUES, "builtins.reversed")
"""Calls whose result shows what their argument is when it is read."""


def keyed(
    function: ir.Function,
    wrt: tuple[str, ...],
    known: callees.Callees,
    infer: Callable[[ir.Function], Inferred],
) -> ir.Function:
    """The same function, with loops over keys for those over active values of dictionaries."""
    if not any(_is_of_values(statement) for statement in ir.walk(function.body)):
        return function
    inferred = infer(function)
    facts = known.facts(function)
    active = facts.activity(wrt)
    read = Counter(name for statement in ir.walk(function.body) for name in ir.reads(statement))
    fresh = ir.fresh(function)
    named, by_name = dict[str, str](), dict[ir.Statement, ir.Statement]()
    for loop, run in facts.iterations.runs.items():
        changed = {name for s in ir.walk(loop.body) for name in ir.writes(s)}
        for made, ordering, element, apart in _taken_apart(loop, run, facts.iterations):
            is_steady = {*ir.reads(made)} <= active.varied_before[loop] - changed
            over = made if ordering is None else ordering
            if is_steady and read[made.targets[0]] == read[over.targets[0]] == 1:
                named[element] = apart.targets[0]
                by_name |= _by_name(made, ordering, apart)

    def block(statements: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for at, statement in enumerate(statements):
            loop = _naming(by_name.get(statement, ir.rebuilt(statement, block=block)), named)
            made.append(loop)
            found = _values_before(statements, at)
            if not isinstance(loop, ir.For) or found is None:
                continue
            before, ordering = found
            over = (ordering or before).targets[0]
            varied = active.varied_before[statement]
            changed = {name for s in ir.walk(loop.body) for name in ir.writes(s)}
            is_steady = set(ir.reads(before)) <= varied - changed
            by_key = _by_key(before, loop, fresh)
            is_alone = read[before.targets[0]] == 1 == read[over] and loop.iterable == ir.Name(over)
            if is_steady and is_alone:
                (values,) = map(ir.Name, ir.reads(before))
                if ordering is not None:
                    keys = replace(ordering, value=ir.Call("builtins.sorted", (values,)))
                    made[-3:] = keys, replace(by_key[1], iterable=ir.Name(over))
                elif isinstance(inferred.read(before, values), Mapped):
                    made[-2:] = (replace(by_key[1], iterable=values),)
                else:
                    made[-2:] = by_key
        return tuple(made)

    return replace(function, body=block(function.body))


def run_by_keys(
    function: ir.Function,
    wrt: tuple[str, ...],
    known: callees.Callees,
    infer: Callable[[ir.Function], Inferred],
    *,
    is_root: bool,
) -> ir.Function:
    """The same function, which runs through the keys of active dictionaries by name, `d.keys()`.

    They are numbers at times, and have an influence, but no derivatives. Of what is not known, but
    may be a dictionary by its use, derivatives make sure while they run that it is none.
    """
    function = _parts_named(function, infer)
    walked = [(s, atom) for s in ir.walk(function.body) for atom in _run_through(s)]
    if not walked:
        return function
    facts, inferred = known.facts(function), infer(function)
    active, loops = facts.activity(wrt), [s for s, _ in walked if isinstance(s, ir.For)]
    keyed, unknown = set(), set()
    for statement, atom in walked:
        if atom.id not in active.varied_before[statement] or not _has_influence(statement, active):
            continue
        if inferred.is_known(statement, atom):
            if isinstance(inferred.read(statement, atom), Mapped):
                keyed.add((statement, atom))
        elif containers.has_keys(
            facts.versions.reads.get((statement, atom.id)), facts.versions
        ) or _is_read_by_key(statement, atom, loops, facts.indices):
            keyed.add((statement, atom))
        elif _may_be_keyed(statement, atom, function, facts.versions, is_root=is_root):
            unknown.add((statement, atom))
    if not keyed and not unknown:
        return function
    fresh = ir.fresh(function)

    def block(statements: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in statements:
            named: dict[ir.Atom, ir.Atom] = {}
            for atom in dict.fromkeys(_run_through(statement)):
                if (statement, atom) in keyed:
                    keys = fresh.step()
                    call = ir.Call("ndarray.keys", (atom,))
                    made.append(ir.Assign((keys,), call, statement.origin))
                    named[atom] = ir.Name(keys)
                elif (statement, atom) in unknown:
                    guard = ir.Call("adlsp.runtime.sequence", (atom,))
                    made.append(ir.Do(guard, statement.origin))
            rebuilt = ir.rebuilt(statement, block=block)
            if isinstance(rebuilt, ir.For):
                iterable = named.get(rebuilt.iterable, rebuilt.iterable)
                made.append(replace(rebuilt, iterable=iterable))
            else:
                made.append(ir.rebuilt(rebuilt, partial(_named_as, named)))
        return tuple(made)

    return replace(function, body=block(function.body))


def _parts_named(function: ir.Function, infer: Callable[[ir.Function], Inferred]) -> ir.Function:
    """The function in which dictionaries that are taken apart have names: `a, b = p[k]`."""
    read = {
        s
        for s in ir.walk(function.body)
        if isinstance(s, ir.Assign) and isinstance(s.value, ir.Call)
        if s.is_tuple and s.value.function in ir.READING
    }
    inferred = infer(function) if read else None
    found = {s for s in read if inferred and isinstance(inferred.taken_apart(s), Mapped)}
    if not found:
        return function
    fresh = ir.fresh(function)

    def block(statements: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in statements:
            if statement in found:
                assert isinstance(statement, ir.Assign)
                part = fresh.step()
                made.append(replace(statement, targets=(part,), is_tuple=False))
                made.append(replace(statement, value=ir.Name(part)))
            else:
                made.append(ir.rebuilt(statement, block=block))
        return tuple(made)

    return replace(function, body=block(function.body))


def _named_as(named: dict[ir.Atom, ir.Atom], atom: ir.Atom) -> ir.Atom:
    return named.get(atom, atom)


def _is_read_by_key(
    statement: ir.Statement, atom: ir.Atom, loops: list[ir.For], index: Indices
) -> bool:
    """Tells whether a loop reads what it runs over by its own elements, as only keys can be used.

    Those of what is active, which are no integers. It may run over them in order.
    """
    named = ir.writes(statement) if isinstance(statement, ir.Assign) else ()
    ordered = tuple(map(ir.Name, named))
    return any(
        index.is_same(read, base, statement, atom)
        for loop in loops
        if loop is statement or loop.iterable in ordered
        for read in ir.walk(loop.body)
        if isinstance(read, ir.Assign) and isinstance(read.value, ir.Call)
        for base in read.value.args[:1]
        if read.value.function in ir.READING and read.value.args[1:] == (ir.Name(loop.target),)
    )


def _may_be_keyed(
    statement: ir.Statement,
    atom: ir.Name,
    function: ir.Function,
    numbered: Versions,
    *,
    is_root: bool,
) -> bool:
    """Tells whether what is run over at once may be a dictionary by its use.

    It is used as one elsewhere, too, or is a part of one by a key, or of such a part. A function
    may be called with such a part.
    """
    if function.is_derived or not _runs_at_once(statement):
        return False
    reads = numbered.reads
    used = {
        reads.get((s, name))
        for s in ir.walk(function.body)
        if isinstance(s, ir.Assign) and isinstance(s.value, ir.Call)
        if operations.of(s.value.function).of == (Kind.DICT,)
        for name in ir.names(s.value.args[:1])
    }
    seen = set[Version]()
    pending = [(reads.get((statement, atom.id)), False)]
    while pending:
        version, is_element = pending.pop()
        if version is None or version in seen:
            continue
        if version in used or (version.kind is VersionKind.PARAMETER and not is_root):
            return True
        seen.add(version)
        pending.extend((prior, is_element) for prior in version.priors)
        match version.statement:
            case ir.For(iterable=ir.Name(around)) as loop if version.kind in OF_LOOPS:
                pending.append((reads.get((loop, around)), True))
            case ir.Assign(value=ir.Call(read, (ir.Name(whole), *at))) as source:
                is_key = [isinstance(a, ir.Const) and isinstance(a.value, str) for a in at[:1]]
                if read in ir.READING and any(is_key):
                    return True
                if read in ir.READING:
                    pending.append((reads.get((source, whole)), is_element))
                elif operations.of(read).of == (Kind.DICT,):
                    return is_element or read not in VALUES
            case ir.Assign(value=ir.Name(whole)) as source:
                pending.append((reads.get((source, whole)), is_element))
    return False


def _runs_at_once(statement: ir.Statement) -> bool:
    """Tells whether a statement runs through something by elements, of which it keeps the order."""
    match statement:
        case ir.Assign(value=ir.Call(function)):
            return operations.of(function).runs in (Runs.AS_LIST, Runs.ELEMENTS)
    return True


def _has_influence(statement: ir.Statement, active: activity.Activity) -> bool:
    """Tells whether what a statement reads one by one has an influence, be it only as a number."""
    if isinstance(statement, ir.For):
        return bool(statement.body) and (
            statement.target in active.useful_before[statement.body[0]]
        )
    return active.is_active(statement)


def _run_through(statement: ir.Statement) -> tuple[ir.Name, ...]:
    """What a statement runs through, or a function that it calls."""
    given: tuple[ir.Atom, ...] = ()
    match statement:
        case ir.For(iterable=iterable):
            given = (iterable,)
        case ir.Assign(value=ir.Name() as whole, is_tuple=True):
            given = (whole,)
        case ir.Assign(value=ir.Call(function=function, args=args)):
            record = operations.of(function)
            is_run = record.runs is not None or record.makes is Makes.EXTREME
            given = args if is_run and record.gives is not Kind.DICT else ()
    return tuple(atom for atom in given if isinstance(atom, ir.Name))


def _values_before(statements: ir.Block, at: int) -> tuple[ir.Assign, ir.Assign | None] | None:
    """What makes the values of a dictionary before a place, and what puts items into order."""
    match statements[max(at - 2, 0) : at]:
        case (*_, ir.Assign() as held) if _is_of_values(held):
            return held, None
        case (
            ir.Assign((items,), ir.Call("ndarray.items")) as held,
            ir.Assign((Step(),), ir.Call("builtins.sorted", (ir.Name(given),), ())) as ordering,
        ) if _is_of_values(held) and given == items:
            return held, ordering
    return None


def chosen(
    function: ir.Function,
    wrt: tuple[str, ...],
    known: callees.Callees,
    infer: Callable[[ir.Function], Inferred],
) -> ir.Function:
    """The same function, with simpler forms of what reads active dictionaries and lists at once."""
    if not any(_is_read_at_once(statement) for statement in ir.walk(function.body)):
        return function
    facts, inferred = known.facts(function), infer(function)
    active, before = facts.activity(wrt), facts.versions.before
    run_over = {
        name
        for statement in ir.walk(function.body)
        for name in ir.reads(statement)
        if isinstance(statement, ir.For)
        or (
            isinstance(statement, ir.Assign)
            and isinstance(statement.value, ir.Call)
            and operations.combines(statement.value.function)
        )
    }
    fresh = ir.fresh(function)

    def is_copy(statement: ir.Assign) -> bool:
        """Tells whether a result may be a copy: nothing changes what it shows until it is read."""
        assert isinstance(statement.value, ir.Call)
        if statement.is_tuple or statement.value.function not in SHOWING:
            return True
        (given,), target = statement.value.args, statement.targets[0]
        readers = (s for s in ir.walk(function.body) if target in ir.reads(s))
        return isinstance(given, ir.Name) and all(
            before[reader].get(given.id) is before[statement].get(given.id) for reader in readers
        )

    def is_simpler(statement: ir.Assign) -> bool:
        if not active.is_active(statement) or not is_copy(statement):
            return False
        if not _is_of_pairs(statement):
            return statement.is_tuple or statement.targets[0] not in run_over
        (pairs,) = ir.reads(statement)
        return isinstance(inferred.read(statement, ir.Name(pairs)), Sequence | lattice.Run)

    read = Counter(name for s in ir.walk(function.body) for name in ir.reads(s))
    mixed = _mixed(function)

    def is_shown(statement: ir.Assign, step: str, entries: ir.Name) -> bool:
        """Tells whether a copy is one of a known dictionary, of which entries are read at once."""
        readers = (s for s in ir.walk(function.body) if step in ir.reads(s))
        return isinstance(inferred.read(statement, entries), lattice.Mapped) and all(
            _reads_entries(reader, step)
            and before[reader].get(entries.id) is before[statement].get(entries.id)
            for reader in readers
        )

    shown: dict[str, ir.Atom] = {
        step: entries
        for statement in ir.walk(function.body)
        if isinstance(statement, ir.Assign) and _is_of_pairs(statement)
        for step, entries in zip(statement.targets, map(ir.Name, ir.reads(statement)), strict=True)
        if isinstance(step, Step) and is_shown(statement, step, entries)
    }

    def named(atom: ir.Atom) -> ir.Atom:
        return shown.get(atom.id, atom) if isinstance(atom, ir.Name) else atom

    def listing(statement: ir.Statement, following: ir.Statement | None) -> str | None:
        """The variable that holds the list, where the next statement makes one: `list(d.items())`.

        So the loop fills that.
        """
        match statement, following:
            case (
                ir.Assign(
                    (Step() as held,), ir.Call(called, (ir.Name(given),), ()), is_tuple=False
                ),
                ir.Assign(
                    (target,), ir.Call("builtins.list", (ir.Name(once),), ()), is_tuple=False
                ),
            ) if called in VALUES and once == held and read[held] == 1:
                return None if target in {given, *mixed} else target
        return None

    def block(statements: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        filled: set[ir.Statement] = set()
        for statement, following in zip_longest(statements, statements[1:]):
            if statement in filled:
                continue
            if shown.keys() & ir.writes(statement):
                continue
            if not (
                _is_read_at_once(statement)
                and isinstance(statement, ir.Assign)
                and is_simpler(statement)
            ):
                made.append(ir.rebuilt(statement, block=block, atom=named))
            elif (target := listing(statement, following)) is not None:
                made += _simpler(replace(statement, targets=(target,)), fresh)
                filled.add(following)
            elif statement.is_tuple:
                held = fresh.step()
                made += _simpler(replace(statement, targets=(held,), is_tuple=False), fresh)
                made.append(replace(statement, value=ir.Name(held)))
            else:
                made += _simpler(statement, fresh)
        return tuple(made)

    return replace(function, body=block(function.body))


def flattened(function: ir.Function, known: callees.Callees) -> ir.Function:
    """The same function, in which what `a.flat` shows is read as elements of `a.ravel()`.

    An iterator that has a name stays: it may be run through but once.
    """
    shown = [s for s in ir.walk(function.body) if isinstance(s, ir.Assign) and _is_flat(s)]
    if not shown:
        return function
    facts, users = known.facts(function), ir.users(function.body)
    methods: dict[ir.Statement, set[str | None]] = {
        statement: {VIEWING}
        if statement.is_tuple
        else {_flattening(user, statement, facts) for user in users[statement.targets[0]]}
        for statement in shown
        if statement.is_tuple or isinstance(statement.targets[0], Step)
    }

    def block(statements: ir.Block) -> ir.Block:
        return tuple(map(rewritten, statements))

    def rewritten(statement: ir.Statement) -> ir.Statement:
        asked = methods.get(statement, {None})
        if None in asked:
            return ir.rebuilt(statement, block=block)
        assert isinstance(statement, ir.Assign)
        assert isinstance(statement.value, ir.Call)
        method = COPYING if COPYING in asked else VIEWING
        return replace(statement, value=replace(statement.value, function=method))

    return replace(function, body=block(function.body))


VIEWING, COPYING = "ndarray.ravel", "ndarray.flatten"
"""The methods that give all elements in a row, perhaps as a view, or surely as a copy."""


def _is_flat(statement: ir.Assign) -> bool:
    return isinstance(statement.value, ir.Call) and statement.value.function == "attribute.flat"


def _flattening(user: ir.Statement, made: ir.Assign, facts: Facts) -> str | None:
    """The method that gives what a statement reads of `a.flat`, which is `made`; None for others.

    What is read at several places is a copy; of a slice there is one already.
    """
    shown = ir.Name(made.targets[0])
    if user is made:
        return VIEWING
    match user:
        case ir.Assign(value=ir.Call("operator.getitem", (first, index))) if first == shown:
            return VIEWING if facts.indices.is_basic(user, index) else COPYING
        case ir.Assign(value=ir.Call(function)) if operations.of(function).result is Result.FRESH:
            return VIEWING
    return VIEWING if shown in _run_through(user) else None


def with_names(function: ir.Function, wrt: tuple[str, ...], known: callees.Callees) -> ir.Function:
    """The same function, in which active results of a call have names: `_, s = slogdet(a)`.

    In the text one of several is taken: `s = slogdet(a)[1]`.
    """
    read = Counter(name for s in ir.walk(function.body) for name in ir.reads(s))
    pairs = [
        (call, part)
        for block in ir.nested(function.body)
        for call, part in pairwise(block)
        if _is_taken_from(part, call) and read[ir.writes(call)[0]] == 1
    ]
    if not pairs:
        return function
    active, fresh = known.facts(function).activity(wrt), ir.fresh(function)
    taken = {call: part for call, part in pairs if active.is_active(part)}
    parts = set(taken.values())

    def block(statements: ir.Block) -> ir.Block:
        return tuple(
            _named(statement, taken[statement], fresh)
            if statement in taken
            else ir.rebuilt(statement, block=block)
            for statement in statements
            if statement not in parts
        )

    return replace(function, body=block(function.body))


def _is_taken_from(part: ir.Statement, call: ir.Statement) -> bool:
    """Tells whether a statement takes one of several results of a call before it."""
    match call, part:
        case (
            ir.Assign((Step() as step,), ir.Call(function, (_,), ()), is_tuple=False),
            ir.Assign(
                (_,),
                ir.Call("operator.getitem", (ir.Name(id), ir.Const(int() as at))),
                is_tuple=False,
            ),
        ):
            n_results = len(operations.of(function).fields or ())
            return id == step and -n_results <= at < n_results
    return False


def _named(call: ir.Statement, part: ir.Statement, fresh: Fresh) -> ir.Assign:
    assert isinstance(call, ir.Assign)
    assert isinstance(part, ir.Assign)
    assert isinstance(call.value, ir.Call)
    assert isinstance(part.value, ir.Call)
    (target,), (_, at) = part.targets, part.value.args
    fields = operations.of(call.value.function).fields or ()
    taken = fields[at.value] if isinstance(at, ir.Const) and isinstance(at.value, int) else ""
    names = [target if field == taken else fresh.step() for field in fields]
    return replace(call, targets=tuple(names), origin=part.origin, is_tuple=True)


def _is_read_at_once(statement: ir.Statement) -> bool:
    match statement:
        case ir.Assign(value=ir.Call("ndarray.get", args, ()), is_tuple=False):
            return len(args) in (2, 3)
        case ir.Assign(value=ir.Call(function=called, args=(_,), keywords=())):
            return called in SHOWING or _is_of_pairs(statement)
    return False


def _is_of_pairs(statement: ir.Statement) -> bool:
    """Tells whether a dictionary is made, of another one or of pairs of keys and values."""
    match statement:
        case ir.Assign(value=ir.Call("builtins.dict", (ir.Name(),), ()), is_tuple=is_tuple):
            return not is_tuple
    return False


def _reads_entries(statement: ir.Statement, name: str) -> bool:
    """Tells whether a statement reads the keys, or an entry, of a dictionary."""
    match statement:
        case ir.Assign(value=ir.Call("ndarray.keys" | "operator.getitem", (ir.Name(id), *others))):
            return id == name and ir.Name(name) not in others
    return False


def _simpler(statement: ir.Assign, fresh: Fresh) -> ir.Block:
    """`d.get(key)` as a decision, what `d` holds as a list, `reversed(s)` as `s[::-1]`."""
    assert isinstance(statement.value, ir.Call)
    origin, (base, *others) = statement.origin, statement.value.args
    match statement.value.function:
        case "ndarray.get":
            wanted, *default = others
            test = fresh.own("test")
            found = replace(statement, value=ir.Call("operator.getitem", (base, wanted)))
            missing = replace(statement, value=(*default, ir.Const(None))[0])
            return (
                ir.Assign((test,), ir.Call("python.in", (wanted, base)), origin),
                ir.If(ir.Name(test), (found,), (missing,), origin),
            )
        case "builtins.reversed":
            backward = fresh.step()
            ends = (ir.Const(None), ir.Const(None), ir.Const(-1))
            turned = ir.Call("operator.getitem", (base, ir.Name(backward)))
            return (
                ir.Assign((backward,), ir.Call("python.slice", ends), origin),
                replace(statement, value=turned),
            )
        case "builtins.dict":
            return _entered(statement, base, fresh)
    keys = fresh.own("keys")
    run = ir.Assign((keys,), ir.Call("ndarray.keys", (base,)), origin)
    return _listed(statement, base, run, fresh)


def _listed(statement: ir.Assign, base: ir.Atom, keys: ir.Assign, fresh: Fresh) -> ir.Block:
    """`d.values()` or `d.items()` as a list that a loop over the keys fills."""
    assert isinstance(statement.value, ir.Call)
    origin, (target,) = statement.origin, statement.targets
    key, element = fresh.own("key"), fresh.own("value")
    read = ir.Assign((element,), ir.Call("operator.getitem", (base, ir.Name(key))), origin)
    body: ir.Block = (read, ir.appended(target, ir.Name(element), origin))
    if statement.value.function == "ndarray.items":
        both = fresh.step()
        item = ir.Call("python.tuple", (ir.Name(key), ir.Name(element)))
        body = (
            read,
            ir.Assign((both,), item, origin),
            ir.appended(target, ir.Name(both), origin),
        )
    return (
        replace(statement, value=ir.Call("python.list")),
        keys,
        ir.For(key, ir.Name(*keys.targets), body, origin),
    )


def _entered(statement: ir.Assign, pairs: ir.Atom, fresh: Fresh) -> ir.Block:
    """`dict(pairs)` as a dictionary into which a loop puts one entry after the other."""
    origin, (target,) = statement.origin, statement.targets
    item, key, value = fresh.step(), fresh.own("key"), fresh.own("value")
    apart = ir.Assign((key, value), ir.Name(item), origin, is_tuple=True)
    store = ir.Store(target, ir.Name(key), ir.Name(value), ir.StoreKind.ENTER, origin)
    return (
        replace(statement, value=ir.Call("python.dict")),
        ir.For(item, pairs, (apart, store), origin),
    )


def _is_of_values(statement: ir.Statement) -> bool:
    match statement:
        case ir.Assign(targets=(step,), value=ir.Call(function, (ir.Name(),), ())):
            return function in VALUES and isinstance(step, Step)
    return False


def _by_key(held: ir.Assign, loop: ir.For, fresh: Fresh) -> tuple[ir.Assign, ir.For]:
    """A loop over the keys of a dictionary for one over its values, or over its items.

    Items that are not taken apart by name are pairs.
    """
    assert isinstance(held.value, ir.Call)
    body, (values,), origin = loop.body, held.value.args, loop.origin
    target = loop.target
    key: str = fresh.own("key")
    if held.value.function == "ndarray.items":
        match body:
            case (ir.Assign((name, value), ir.Name(id), is_tuple=True), *rest) if id == target:
                key, target, body = name, value, tuple(rest)
            case _:
                value = fresh.own("value")
                pair = ir.Call("python.tuple", (ir.Name(key), ir.Name(value)))
                target, body = value, (ir.Assign((target,), pair, origin), *body)
    read = ir.Call("operator.getitem", (values, ir.Name(key)))
    first = ir.Assign((target,), read, origin)
    keys = replace(held, value=replace(held.value, function="ndarray.keys"))
    return keys, replace(loop, target=key, body=(first, *body))


def _taken_apart(
    loop: ir.For, run: Run, iterations: Iterations
) -> Iterator[tuple[ir.Assign, ir.Assign | None, str, ir.Assign]]:
    """The items of dictionaries that a loop runs over with others, one, and what takes it apart.

    `for i, (name, value) in enumerate(d.items())` is such a loop. The items may be put into order.
    """
    elements, bound = {loop.target: run}, set[str]()
    for statement in loop.body if run.parts else ():
        match statement:
            case ir.Assign(targets, ir.Name(id), is_tuple=True) if id in elements:
                held = elements.pop(id)
                while held.function == "builtins.reversed":
                    (held,) = held.parts
                pairs = zip(targets, held.elements(), strict=False)
                elements |= {name: part for name, part in pairs if part is not None}
                made, ordering = _made_by(held.atom, iterations), None
                match made:
                    case ir.Assign(value=ir.Call("builtins.sorted", (given,), ())):
                        made, ordering = _made_by(given, iterations), made
                match made:
                    case ir.Assign(value=ir.Call("ndarray.items")) if (
                        _is_of_values(made)
                        and len(targets) == 2
                        and isinstance(id, Step)
                        and bound.isdisjoint(targets)
                    ):
                        yield made, ordering, id, statement
                bound.update(targets)
            case _:
                return


def _made_by(atom: ir.Atom, iterations: Iterations) -> ir.Assign | None:
    return iterations.made.get(atom.id) if isinstance(atom, ir.Name) else None


def _by_name(
    made: ir.Assign, ordering: ir.Assign | None, apart: ir.Assign
) -> dict[ir.Statement, ir.Statement]:
    """The keys for the items of a dictionary, and the value that is read by one."""
    assert isinstance(made.value, ir.Call)
    name, value = apart.targets
    read = ir.Call("operator.getitem", (*made.value.args, ir.Name(name)))
    keys = replace(made, value=replace(made.value, function="ndarray.keys"))
    over = made if ordering is None else ordering
    if ordering is not None:
        keys = replace(ordering, value=ir.Call("builtins.sorted", made.value.args))
    return {
        over: keys,
        apart: replace(apart, targets=(value,), value=read, is_tuple=False),
    }


def _naming(statement: ir.Statement, named: dict[str, str]) -> ir.Statement:
    """A statement that binds other names."""
    match statement:
        case ir.Assign(targets=bound, is_tuple=True) if not named.keys().isdisjoint(bound):
            return replace(statement, targets=tuple(named.get(each, each) for each in bound))
        case ir.For(target=target) if target in named:
            return replace(statement, target=named[target])
    return statement


def _mixed(function: ir.Function) -> set[str]:
    """The variables that hold something else at times than lists and dictionaries of the function.

    Such a variable is not filled by the steps of a comprehension: its adjoint would be a list there
    and none elsewhere.
    """
    found = {p.name for p in function.parameters}
    for statement in ir.walk(function.body):
        if not (isinstance(statement, ir.Store) or containers.makes_container(statement)):
            found.update(ir.writes(statement))
    return found


def _block(block: ir.Block, taking_part: set[ir.Statement], mixed: set[str]) -> ir.Block:
    def inside(inner: ir.Block) -> ir.Block:
        return _block(inner, taking_part, mixed)

    made: list[ir.Statement] = []
    for statement in block:
        steps = _steps(statement) if statement in taking_part else None
        if steps is None:
            made.append(ir.rebuilt(statement, block=inside))
            continue
        assert isinstance(statement, ir.Assign)
        inner, values = steps
        target = statement.targets[0]
        match inner:
            case (*before, ir.Assign((Step() as last,), is_tuple=False) as made_by) if (
                last == values.id and not statement.is_tuple
            ):
                made += (*before, replace(made_by, targets=statement.targets))
                continue
        is_read = any(target in ir.reads(s) for s in ir.walk(inner))
        if statement.is_tuple or isinstance(target, Step) or is_read or target in mixed:
            made += (*inner, replace(statement, value=values))
        else:
            made += _renamed(inner, values.id, target)
    return tuple(made)


def _renamed(block: ir.Block, old: str, new: str) -> ir.Block:
    """A block with one variable called as another."""

    def atom(value: ir.Atom) -> ir.Atom:
        return ir.Name(new) if value == ir.Name(old) else value

    def name(bound: str) -> str:
        return new if bound == old else bound

    return tuple(ir.rebuilt(s, atom, name, lambda inner: _renamed(inner, old, new)) for s in block)


def _steps(statement: ir.Statement) -> tuple[ir.Block, ir.Name] | None:
    match statement:
        case ir.Assign(value=ir.Opaque(unfolded=steps)):
            return steps
    return None
