"""Loops over iterators, which can be run over only once, for a backward sweep that runs again.

- `listed`: a loop over what can be run over only once, or may be, runs over a list of that, which
  the backward sweep runs over from its end.
- `sized`: so do iterators beside active elements, which are taken by position.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts.facts import Facts
from adlsp.transform.facts.iteration import Run
from adlsp.transform.facts.versions import VersionKind
from adlsp.transform.frozen import dataclass
from adlsp.transform.program import Program


def listed(
    function: ir.Function, wrt: tuple[str, ...], known: Program, *, is_root: bool
) -> ir.Function:
    """The function in which loops over what the forward sweep uses up run over lists of that.

    Loops over active elements take these by position. Those that change what they run over are left
    as they are.
    """
    facts, fresh = known.facts(function), ir.fresh(function)
    loops = [s for s in ir.walk(function.body) if isinstance(s, ir.For)]
    spent = {loop for loop in loops if _is_spent(loop, facts, wrt, is_root=is_root)}

    def block(inner: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in inner:
            again = ir.rebuilt(statement, block=block)
            if isinstance(again, ir.For) and statement in spent:
                call = ir.Call("builtins.list", (again.iterable,))
                name = fresh.step()
                made.append(ir.Assign((name,), call, again.origin, again.role))
                again = replace(again, iterable=ir.Name(name))
            made.append(again)
        return tuple(made)

    return replace(function, body=block(function.body)) if spent else function


def sized(function: ir.Function, wrt: tuple[str, ...], known: Program) -> ir.Function:
    """The function in which `zip` has no iterators beside active elements, but lists of as many.

    So they can be had by position, and twice: with the elements, and with the tangents of these.
    """
    facts, fresh = known.facts(function), ir.fresh(function)
    loops = [s for s in ir.walk(function.body) if isinstance(s, ir.For)]
    beside = {found.run.reader: found for loop in loops for found in _beside(loop, facts, wrt)}

    def steps(statement: ir.Assign, pairing: _Pairing) -> Iterator[ir.Assign]:
        def held(call: ir.Call) -> ir.Assign:
            return ir.Assign((fresh.step(),), call, statement.origin, statement.role)

        def name(made: ir.Assign) -> ir.Name:
            return ir.Name(made.targets[0])

        sizes = [held(ir.Call("builtins.len", (atom,))) for atom in pairing.sized]
        yield from sizes
        size = sizes[0]
        if len(sizes) > 1:
            size = held(ir.Call("builtins.min", tuple(map(name, sizes))))
            yield size
        lists: dict[ir.Atom, ir.Atom] = {}
        for each in pairing.iterators:
            first = held(ir.Call("itertools.islice", (each, name(size))))
            whole = held(ir.Call("builtins.list", (name(first),)))
            yield from (first, whole)
            lists[each] = name(whole)

        def again(run: Run) -> ir.Call:
            assert isinstance(run.reader, ir.Assign)
            assert isinstance(run.reader.value, ir.Call)
            for part in run.parts:
                if part.parts:
                    inner.append(held(again(part)))
                    lists[part.atom] = name(inner[-1])
            call = run.reader.value
            return replace(call, args=tuple(lists.get(atom, atom) for atom in call.args))

        inner: list[ir.Assign] = []
        made = again(pairing.run)
        yield from (*inner, replace(statement, value=made))

    def block(inner: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in inner:
            if isinstance(statement, ir.Assign) and statement in beside:
                made += steps(statement, beside[statement])
            else:
                made.append(ir.rebuilt(statement, block=block))
        return tuple(made)

    return replace(function, body=block(function.body)) if beside else function


@dataclass(frozen=True, slots=True)
class _Pairing:
    """What a loop runs over by position: `iterators` beside what has a length."""

    run: Run
    iterators: tuple[ir.Atom, ...]
    sized: tuple[ir.Atom, ...]


def _beside(loop: ir.For, facts: Facts, wrt: tuple[str, ...]) -> Iterator[_Pairing]:
    """What a loop runs over, if active elements stand beside those of iterators there."""
    active = facts.activity(wrt)
    if not active.is_by_position(loop):
        return

    def is_spent(leaf: Run) -> bool:
        names = {*ir.names((leaf.atom,))}
        is_active = not active.varied_before[leaf.reader].isdisjoint(names)
        is_active |= not active.stored_over(loop).isdisjoint(names)
        is_known = _is_only_given(leaf.reader, leaf.atom, facts)
        return not (is_active or is_known or facts.is_run_again(leaf.reader, leaf.atom))

    run = facts.iterations.runs[loop]
    iterators = dict.fromkeys(leaf.atom for leaf in run.leaves() if is_spent(leaf))
    sized = dict.fromkeys(leaf.atom for leaf in run.leaves() if not is_spent(leaf))
    if run.parts and iterators and sized:
        yield _Pairing(run, tuple(iterators), tuple(sized))


def _is_spent(loop: ir.For, facts: Facts, wrt: tuple[str, ...], *, is_root: bool) -> bool:
    """Tells whether a loop may use up what it runs over, which the backward sweep needs again."""
    active = facts.activity(wrt)
    if not any(active.is_active(s) or isinstance(s, ir.Store) for s in ir.walk(loop.body)):
        return False
    if active.is_by_position(loop):
        return False
    leaves = facts.iterations.runs[loop].leaves()
    is_steady = facts.versions.writes[loop, loop.target].kind is VersionKind.TARGET
    if is_root and _is_only_given(loop, loop.iterable, facts):
        return False
    return is_steady and not all(facts.is_run_again(leaf.reader, leaf.atom) for leaf in leaves)


def _is_only_given(reader: ir.Statement, atom: ir.Atom, facts: Facts) -> bool:
    """Tells whether a value is a parameter of which nothing is known: an iterator says so itself.

    It is neither reversible nor has it a length.
    """
    version = facts.versions.reads.get((reader, atom.id)) if isinstance(atom, ir.Name) else None
    is_given = version is not None and version.kind is VersionKind.PARAMETER
    return is_given and not facts.inferred
