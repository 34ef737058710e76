"""The gradient of a nested structure, leaf by leaf: `{"l1": {"w": l1_w_bar, "b": l1_b_bar}}`.

What is read of `params["l1"]["w"]` has been added to zeros like `params["l1"]`, and these to zeros
like `params`. Where each such sum is known from its zeros to its end, nobody needs it: each leaf
has a variable, in which it is summed where it was added, and all is made at once in the end. This
is scalar replacement of aggregates, as in `displays.py`, through more than one level.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from adlsp.transform import ir
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir.variables import Adjoint, Merged, Own, Step, readable
from adlsp.transform.optimize.copy_elision import Ownership
from adlsp.transform.optimize.displays import (
    Constructor,
    Displaying,
    Path,
    Structure,
    added_part,
    adds_up,
    begun_sum,
    counted,
    has_zero,
    is_restructured,
    items,
    made_of,
    maker,
)
from adlsp.transform.values.inference import Typed
from adlsp.transform.values.lattice import Array, Object, Value

MOST_LETTERS = 80
"""Gradients that take more in a line are made of parts with names."""


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A part of a gradient: what it is of, and the statements that add to it what, in order."""

    value: Value
    adding: tuple[tuple[ir.Assign | ir.Store, ir.Atom], ...]


@dataclass(frozen=True, slots=True)
class _Nested:
    """A gradient that is summed through other sums, and the statements that only these need."""

    of: ir.Name
    value: Structure
    end: ir.Assign
    leaves: Mapping[Path, _Leaf]
    needless: frozenset[ir.Statement]


def flattened(
    function: ir.Function, typed: Typed, constructor: Constructor, owners: Ownership
) -> ir.Function:
    """The function with a variable for each leaf of gradients of nested structures."""
    finding = _Finding(function, typed, constructor)
    for nested in filter(None, map(finding.of, function.body)):
        function = _Flattening(function, typed, constructor, owners, nested).function
    return function


class _Finding:
    """Finds the leaves of gradients that begin with zeros."""

    def __init__(self, function: ir.Function, typed: Typed, constructor: Constructor) -> None:
        self.function, self.typed, self.constructor = function, typed, constructor
        self.leaves: dict[Path, _Leaf] = {}
        self.needless: set[ir.Statement] = set()

    @cached_property
    def users(self) -> dict[str, list[ir.Statement]]:
        """The statements that use each variable, in order."""
        return ir.users(self.function.body)

    def of(self, statement: ir.Statement) -> _Nested | None:
        """The gradient that a statement begins, if it is a sum of sums of which all is known."""
        start = begun_sum(statement, self.typed)
        if start is None:
            return None
        name, of, value = start
        users = self.users[name]
        end = next((s for s in users if is_restructured(s, name, of)), None)
        if users[0] != statement or end not in self.function.body:
            return None
        adding = users[1 : users.index(end)]
        self.leaves, self.needless = {}, {statement}
        is_known = self.add(name, value, adding, ()) and self.is_whole((), value)
        if not is_known or max(map(len, self.leaves)) < 2:
            return None
        assert isinstance(end, ir.Assign)
        return _Nested(of, value, end, self.leaves, frozenset(self.needless))

    def add(self, name: str, value: Structure, adding: list[ir.Statement], path: Path) -> bool:
        """Notes what is added to the parts of a gradient; tells whether all of it is known."""
        held = dict(items(value))
        for statement in adding:
            added = added_part(statement, name)
            key = None if added is None else counted(added[0].value, value)
            if added is None or key not in held:
                return False
            assert isinstance(statement, ir.Assign | ir.Store)
            given, part, at = added[1], held[key], (*path, key)
            inner = self.inner(given, statement)
            if inner is None:
                leaf = self.leaves.get(at, _Leaf(part, ()))
                self.leaves[at] = replace(leaf, adding=(*leaf.adding, (statement, given)))
                continue
            assert isinstance(given, ir.Name)
            self.needless |= {statement, self.users[given.id][0]}
            if not (isinstance(part, Structure) and self.add(given.id, part, inner, at)):
                return False
        return bool(adding)

    def inner(self, given: ir.Atom, end: ir.Statement) -> list[ir.Statement] | None:
        """What adds to a gradient that is zeros at first, and only added to another in the end."""
        users = self.users.get(given.id, []) if isinstance(given, ir.Name) else []
        if len(users) < 3 or users[-1] != end or begun_sum(users[0], self.typed) is None:
            return None
        block = next(block for block in ir.nested(self.function.body) if users[0] in block)
        return users[1:-1] if all(each in block for each in users) else None

    def is_whole(self, path: Path, value: Value) -> bool:
        """Tells whether the gradient of a part is known by its leaves, and by zeros."""
        leaf = self.leaves.get(path)
        if leaf is not None:
            is_below = any(other[: len(path)] == path != other for other in self.leaves)
            return not is_below and (len(leaf.adding) == 1 or self.adds_up(leaf))
        if isinstance(value, Structure) and items(value):
            is_made = maker(value, self.constructor) is not None
            return is_made and all(self.is_whole((*path, k), v) for k, v in items(value))
        return has_zero(value, is_added=False)

    def adds_up(self, leaf: _Leaf) -> bool:
        """Tells whether what is added to a leaf is of its kind."""
        return all(adds_up(self.typed.of(s, given), leaf.value) for s, given in leaf.adding)


class _Flattening(Displaying):
    """Rewrites a function: `instead` is what takes the place of statements."""

    def __init__(
        self,
        function: ir.Function,
        typed: Typed,
        constructor: Constructor,
        owners: Ownership,
        nested: _Nested,
    ) -> None:
        super().__init__(function, typed, constructor, owners)
        self.nested = nested
        self.instead: dict[ir.Statement, ir.Block] = dict.fromkeys(nested.needless, ())
        self.begin: list[ir.Statement] = []
        self.parts = {path: self.leaf(path, leaf) for path, leaf in nested.leaves.items()}
        steps: list[ir.Statement] = []
        whole = self.whole((), nested.value, steps)
        end = replace(nested.end, value=whole)
        self.instead[nested.end] = (*steps, end)
        ours = {*self.instead}
        first = next(s for s in function.body if not ours.isdisjoint(ir.walk((s,))))
        body = self.block(function.body, {first: tuple(self.begin)})
        self.function = replace(function, body=body)

    def block(self, block: ir.Block, before: Mapping[ir.Statement, ir.Block]) -> ir.Block:
        """The statements of a block, each of which becomes some."""
        made: list[ir.Statement] = []
        for statement in block:
            made += before.get(statement, ())
            if statement in self.instead:
                made += self.instead[statement]
            else:
                made.append(ir.rewritten(statement, block=lambda inner: self.block(inner, {})))
        return tuple(made)

    def name(self, path: Path) -> Own:
        """A variable for the gradient of a part."""
        return self.named(self.nested.of.id, "_".join(map(str, path)))

    def leaf(self, path: Path, leaf: _Leaf) -> ir.Atom:
        """The variable of a leaf, which is bound and summed where it was added."""
        name, body = self.name(path), self.function.body
        (first, given), *others = leaf.adding
        is_in_loop = any(statement not in body for statement, _ in leaf.adding)
        if is_in_loop:
            self.owners.note(name, leaf.value)
            zero = self.zero(first, self.nested.of, path, self.nested.value, self.begin)
            self.begin.append(_bound(first, name, zero))
            others = [*leaf.adding]
        else:
            later = tuple(s for s in body[body.index(first) + 1 :] if s not in self.instead)
            of, value = self.nested.of, self.nested.value
            steps: list[ir.Statement] = []
            made = self.becoming(
                first,
                given,
                leaf.value,
                later,
                steps,
                lambda: self.read(first, of, path, value, steps),
            )
            written = {n for s in ir.walk(later) for n in ir.writes(s)}
            is_kept = made == given and written.isdisjoint(ir.names((given,)))
            if is_kept and not others and _has_name(given):
                self.instead[first] = ()
                return given
            if others:
                self.owners.note(name, leaf.value)
            self.instead[first] = (*steps, _bound(first, name, made))
        for statement, added in others:
            call = ir.Call("operator.add", (ir.Name(name), added))
            total: ir.Statement = _bound(statement, name, call)
            if is_in_loop and isinstance(leaf.value, Array):
                origin, role = statement.origin, statement.role
                total = ir.Store(name, None, added, ir.StoreKind.ADD, origin, role)
            self.instead[statement] = (total,)
        return ir.Name(name)

    def whole(self, path: Path, value: Value, steps: list[ir.Statement]) -> ir.Atom:
        """The gradient of a part, of its leaves; a part has a name where the line would be long."""
        end = self.nested.end
        if path in self.parts:
            return self.parts[path]
        if not (isinstance(value, Structure) and items(value)):
            return self.zero(end, self.nested.of, path, self.nested.value, steps)
        function = maker(value, self.constructor)
        assert function is not None
        held = {key: self.whole((*path, key), part, steps) for key, part in items(value)}
        is_inline = len(self.text((), self.nested.value)) <= MOST_LETTERS or not path
        made = self.fresh.step() if is_inline else self.name(path)
        steps.append(replace(end, targets=(made,), value=made_of(function, value, held)))
        return ir.Name(made)

    def text(self, path: Path, value: Value) -> str:
        """About what the gradient of a part takes in one line."""
        if path in self.parts or not isinstance(value, Structure):
            return readable(getattr(self.parts.get(path), "id", ""))
        inner = ((key, self.text((*path, key), part)) for key, part in items(value))
        function = maker(value, self.constructor) if isinstance(value, Object) else ""
        return f"{function}({', '.join(f'{key}={part}' for key, part in inner)})"


def _bound(adding: ir.Assign | ir.Store, name: Own, value: ir.Expression) -> ir.Assign:
    """Binds a variable where something was added."""
    return ir.Assign((name,), value, adding.origin, adding.role)


def _has_name(atom: ir.Atom) -> bool:
    """Tells whether a variable has a name that says what it is, or is the adjoint of such."""
    name = atom.id if isinstance(atom, ir.Name) else Merged(0)
    of = name.of if isinstance(name, Adjoint) else name
    return not (isinstance(of, Merged) or (isinstance(of, Step) and not of.purpose))
