"""The data-flow solver on small blocks: what may and must have run before, and what comes after."""

from __future__ import annotations

from collections.abc import Callable
from operator import and_, or_

import pytest
from lowered import lowered

from adlsp.transform import ir
from adlsp.transform.emit import names
from adlsp.transform.facts import dataflow, definite_assignment, liveness
from adlsp.transform.ir.variables import Merged
from adlsp.transform.optimize import dead_code
from adlsp.transform.source import Span

Seen = frozenset[str]
Join = Callable[[Seen, Seen], Seen]
PLACE = Span("", 1, 1, 1, 1)
TEST = ir.Name("test")


def do(name: str) -> ir.Assign:
    return ir.Assign((name,), ir.Const(0), PLACE)


def branch(body: ir.Block, orelse: ir.Block = ()) -> ir.If:
    return ir.If(TEST, body, orelse, PLACE)


def repeat(*body: ir.Statement, target: str = "i") -> ir.For:
    return ir.For(target, ir.Name("items"), body, PLACE)


def loop(header: ir.Block, *body: ir.Statement) -> ir.While:
    return ir.While(header, TEST, body, PLACE)


def passed(join: Join) -> dataflow.Problem[Seen]:
    """Which statements are passed: the names that they bind, those of loops, and `ask`."""
    return dataflow.Problem(
        join,
        lambda statement, seen: seen.union(ir.writes(statement)),
        lambda loop, seen: seen | {loop.target},
        lambda _, seen: seen | {"ask"},
    )


def told(seen: Seen) -> str:
    return " ".join(sorted(seen))


A, B, C, D, E = (do(name) for name in "abcde")
IF = branch((B,), (C,))
FOR = repeat(B, target="i")
WHILE = loop((B,), C)
INNER = repeat(C, target="j")
OUTER = repeat(B, INNER, D, target="i")


@pytest.mark.parametrize(
    ("block", "may", "must"),
    [
        ((A, B), "a b", "a b"),
        ((A, branch((B,)), D), "a ask b d", "a ask d"),
        ((A, IF, D), "a ask b c d", "a ask d"),
        ((A, FOR, D), "a ask b d i", "a ask d"),
        ((A, WHILE, D), "a ask b c d", "a ask b d"),
        ((A, OUTER, E), "a ask b c d e i j", "a ask e"),
    ],
)
def test_what_a_block_passes(block: ir.Block, may: str, must: str) -> None:
    """In both directions the same; a loop may have no pass, but the steps of its test have run."""
    for solve in (dataflow.forward, dataflow.backward):
        assert told(solve(block, frozenset(), passed(or_)).end) == may
        assert told(solve(block, frozenset(), passed(and_)).end) == must


def test_what_is_known_inside_of_a_block_forward() -> None:
    found = dataflow.forward((A, IF, D), frozenset({"x"}), passed(or_))
    assert (told(found.before[A]), told(found.after[A])) == ("x", "a x")
    assert (told(found.before[B]), told(found.after[B])) == ("a ask x", "a ask b x")
    assert (told(found.before[C]), told(found.before[D])) == ("a ask x", "a ask b c x")


def test_what_is_known_inside_of_a_block_backward() -> None:
    found = dataflow.backward((A, IF, D), frozenset({"x"}), passed(or_))
    assert (told(found.after[D]), told(found.before[D])) == ("x", "d x")
    assert (told(found.after[B]), told(found.before[B])) == ("d x", "b d x")
    assert told(found.after[A]) == "ask b c d x"


def test_a_pass_of_a_loop_sees_the_one_before() -> None:
    found = dataflow.forward((A, FOR), frozenset(), passed(or_))
    assert told(found.heads[FOR]) == "a ask b i"
    assert told(found.passes[FOR]) == told(found.before[B]) == "a ask b i"
    found = dataflow.forward((A, FOR), frozenset(), passed(and_))
    assert told(found.heads[FOR]) == "a ask"
    assert told(found.passes[FOR]) == "a ask i"


def test_a_pass_of_a_loop_sees_the_one_after() -> None:
    found = dataflow.backward((FOR, D), frozenset(), passed(or_))
    assert told(found.heads[FOR]) == told(found.after[B]) == "b d i"
    assert told(found.before[FOR]) == "ask b d i"
    found = dataflow.backward((FOR, D), frozenset(), passed(and_))
    assert told(found.after[B]) == "d"
    assert told(found.passes[FOR]) == "b d"


def test_the_steps_of_a_test_run_before_each_decision() -> None:
    found = dataflow.forward((A, WHILE), frozenset(), passed(and_))
    assert told(found.heads[WHILE]) == told(found.before[B]) == "a"
    assert told(found.passes[WHILE]) == told(found.before[C]) == "a ask b"
    assert told(found.after[WHILE]) == "a ask b"
    found = dataflow.backward((WHILE, D), frozenset(), passed(or_))
    assert told(found.heads[WHILE]) == told(found.after[C]) == "ask b c d"
    assert told(found.passes[WHILE]) == "ask b c d"


def test_what_a_pass_kills_is_known_where_another_begins() -> None:
    """`b` is what `a` was a pass before: two passes are needed to know all."""
    b, a = ir.Assign(("b",), ir.Name("a"), PLACE), ir.Assign(("a",), ir.Name("x"), PLACE)
    loop = repeat(b, a)

    def step(statement: ir.Statement, seen: Seen) -> Seen:
        return seen.union(ir.writes(statement)) if seen & {*ir.reads(statement)} else seen

    problem = dataflow.Problem(or_, step, lambda _, seen: seen)
    assert told(dataflow.forward((loop,), frozenset({"x"}), problem).heads[loop]) == "a b x"


@pytest.mark.parametrize("solve", [dataflow.forward, dataflow.backward])
def test_loops_in_loops_are_not_walked_anew(
    solve: Callable[[ir.Block, Seen, dataflow.Problem[Seen]], dataflow.Solution[Seen]],
) -> None:
    n_steps = 0

    def step(statement: ir.Statement, seen: Seen) -> Seen:
        nonlocal n_steps
        n_steps += 1
        return seen.union(ir.writes(statement))

    depth, block = 30, (do("a"),)
    for level in range(depth):
        block = (do(f"b{level}"), repeat(*block), do(f"c{level}"))
    solve(block, frozenset(), dataflow.Problem(or_, step, lambda _, seen: seen))
    assert n_steps < 2 * depth * depth


def test_loops_read_what_they_run_over_for_each_pass() -> None:
    function, _ = lowered("def f(xs, n):\n for x in xs:\n  n = n * x\n return n")
    heads = liveness.live(function).heads
    assert [told(live) for live in heads.values()] == ["n xs"]


def test_what_the_steps_of_a_test_make_is_not_live_before_them() -> None:
    function, _ = lowered("def f(x, n):\n while x < n:\n  x = x * 2.0\n return x")
    heads = liveness.live(function).heads
    assert [told(live) for live in heads.values()] == ["n x"]


@pytest.mark.parametrize(
    ("text", "unbound"),
    [
        ("y = x\nreturn y", ""),
        ("if x:\n  y = 1\n return y", "y"),
        ("if x:\n  y = 1\n else:\n  y = 2\n return y", ""),
        ("for i in x:\n  y = i\n return y", "y"),
        ("for i in x:\n  y = i\n  z = y\n return i", "i"),
        ("while x:\n  x = y\n  y = x\n return x", "y"),
        ("for i in x:\n  for j in i:\n   y = j\n  z = y\n return x", "y"),
    ],
)
def test_what_may_be_read_before_it_is_bound(text: str, unbound: str) -> None:
    function, _ = lowered(f"def f(x):\n {text}".replace("\nreturn", "\n return"))
    assert " ".join(definite_assignment.unbound_reads(function.body, ("x",))) == unbound


def assigned(name: str, *read: str) -> ir.Assign:
    return ir.Assign((name,), ir.Call("operator.add", tuple(map(ir.Name, read))), PLACE)


def printed(*read: str) -> ir.Do:
    return ir.Do(ir.Call("builtins.print", tuple(map(ir.Name, read))), PLACE)


def kept(block: ir.Block, *live: str) -> str:
    """The names that are still bound in a block, loops by their targets or tests."""
    statements = ir.walk(dead_code.prune(block, frozenset(live)))
    bound = (ir.writes(s) or tuple(ir.reads(s)) for s in statements)
    return " ".join(name for each in bound for name in each)


@pytest.mark.parametrize(
    ("block", "live", "expected"),
    [
        ((assigned("a", "x"), assigned("b", "a"), assigned("c", "b")), "b", "a b"),
        ((assigned("a", "a"), assigned("a", "x")), "a", "a"),
        ((assigned("test", "x"), branch((assigned("a", "x"),))), "b", ""),
        ((assigned("test", "x"), branch((), (assigned("a", "x"),))), "a", "test test a"),
        ((assigned("items", "x"), repeat(assigned("a", "b"))), "c", ""),
        ((assigned("items", "x"), repeat(assigned("a", "a"))), "a", "items i a"),
        ((assigned("items", "x"), repeat(assigned("a", "i"))), "i", "items i"),
        ((repeat(assigned("b", "c"), assigned("c", "b")),), "a", ""),
        ((repeat(repeat(assigned("b", "c"), target="j"), assigned("c", "a")),), "b", "i j b c"),
        ((loop((assigned("test", "x"),), assigned("x", "x")),), "y", "test test x"),
        ((loop((assigned("test", "x"),), assigned("z", "z")),), "y", ""),
        ((loop((assigned("test", "x"),), assigned("y", "x")),), "y", "test test y"),
        ((loop((printed("x"),), assigned("y", "x")),), "z", "test x"),
        ((assigned("test", "x"), loop((), printed("y"))), "z", "test test y"),
        ((assigned("test", "x"), repeat(branch((printed("y"),)))), "z", "test i test y"),
    ],
)
def test_what_nobody_reads_is_removed(block: ir.Block, live: str, expected: str) -> None:
    assert kept(block, *live.split()) == expected


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("a = x * 2.0\n b = x * 3.0\n return a + b", True),
        ("a = x * 2.0\n b = a * 3.0\n return b", False),
        ("a = x * 2.0\n for b in x:\n  a = a + b\n return a", True),
        ("for i in x:\n  a = i\n  b = a\n return b", False),
        ("b = x\n for i in x:\n  a = b\n  b = i\n return a", True),
    ],
)
def test_which_values_are_needed_at_the_same_time(text: str, apart: bool) -> None:
    function, _ = lowered(f"def f(x):\n {text}")
    a, b = Merged(1), Merged(2)
    renamed: dict[str, str] = {"a": a, "b": b}

    def block(statements: ir.Block) -> ir.Block:
        def atom(value: ir.Atom) -> ir.Atom:
            return ir.Name(renamed.get(value.id, value.id)) if isinstance(value, ir.Name) else value

        return tuple(
            ir.rebuilt(s, atom, lambda name: renamed.get(name, name), block) for s in statements
        )

    made = ir.Function("f", "case", function.parameters, block(function.body), PLACE)
    given = names.assign(made, frozenset(), frozenset(), {})
    assert (given[a] != given[b]) is apart
