"""The gradient of a structure as one would write it: `Linear(w=w_bar, b=b_bar)`, `(w_bar, b_bar)`.

It is summed part by part into zeros. Where all parts are known, and each is given once, it is made
at once in the end; where some are given more often, as in loops, each has a variable of its own in
which it is summed (scalar replacement of aggregates). Of a list or dictionary that a loop runs over
nothing need be put right in the end but that the list is a plain one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir.variables import Fresh, Own, readable
from adlsp.transform.optimize import copy_elision
from adlsp.transform.optimize.copy_elision import Ownership
from adlsp.transform.optimize.forms import (
    ADD_AT,
    HOME,
    RESTRUCTURE,
    ZEROS,
    is_like,
    is_structured,
)
from adlsp.transform.values import places
from adlsp.transform.values.inference import Typed
from adlsp.transform.values.inferred import is_double
from adlsp.transform.values.lattice import (
    UNKNOWN,
    Array,
    Function,
    Literal,
    Mapped,
    Number,
    Object,
    Sequence,
    Value,
)

Structure = Object | Mapped | Sequence

Path = tuple[object, ...]
"""The keys by which a part is reached."""

Constructor = Callable[[Object], str | None]
"""The function that makes the gradient of an object of those of its attributes, if there is one."""


def displayed(
    function: ir.Function, typed: Typed, constructor: Constructor, owners: Ownership
) -> ir.Function:
    """The function with gradients of known structures as displays of their parts."""
    every = range(len(function.body))
    made = Displaying(function, typed, constructor, owners)
    sums = [s for at in every if (s := _sum(function.body, at, typed))]
    for each in sums:
        made.display(each)
    begun = {each.start for each in sums}
    found = (_summed_apart(function.body, at, typed) for at in every if at not in begun)
    apart = [other for other in found if other is not None]
    for other in apart:
        made.sum_apart(other)
    begun |= {each.start for each in apart}
    rest = (_filled(function.body, at, typed) for at in every if at not in begun)
    filled = [whole for whole in rest if whole is not None]
    for whole in filled:
        made.fill(whole)
    if not sums and not apart and not filled:
        return function
    return replace(function, body=tuple(s for steps in made.body for s in steps))


def at_once(
    function: ir.Function, typed: Typed, constructor: Constructor, owners: Ownership
) -> ir.Function:
    """The function with structures that are added to others as displays of their parts."""
    made = _Adding(function, typed, constructor, owners).function
    return function if made is function else at_once(made, typed, constructor, owners)


class _Adding:
    """Makes gradients of structures at once that are added to others, each part given once."""

    def __init__(
        self, function: ir.Function, typed: Typed, constructor: Constructor, owners: Ownership
    ) -> None:
        self.typed, self.constructor, self.owners = typed, constructor, owners
        self.fresh: Fresh = ir.fresh(function)
        self.users = ir.users(function.body)
        body = self.block(function.body)
        self.function = function if body == function.body else replace(function, body=body)

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Block] = [(ir.rewritten(each, block=self.block),) for each in block]
        for statement in block:
            begun = begun_sum(statement, self.typed)
            found = None if begun is None else self.sum(begun[0], begun[2])
            function = None if found is None else maker(found.value, self.constructor)
            if begun is None or found is None or function is None or not {*found.users} <= {*block}:
                continue
            start, *adding, end = map(block.index, found.users)
            is_in_order = start < end and all(start < at < end for at in adding)
            if is_in_order and not self.changes(block[start:end], found):
                self.display(found, function, made, (start, *adding, end))
                self.leave_out(begun[1].id, block, made)
        return tuple(s for steps in made for s in steps)

    def changes(self, block: ir.Block, added: _Added) -> bool:
        """Tells whether a block may change a part, which is not copied, before it is added."""
        shared = [p for p in added.parts.values() if isinstance(p, ir.Name) and not self.is_own(p)]
        sites = self.owners.sites(part.id for part in shared)
        if not sites:
            return False
        changed = {each for each in copy_elision.changed(block) if each != added.name}
        is_unknown = any(places.has_unknown(self.owners.of(each)) for each in changed)
        return is_unknown or not sites.isdisjoint(self.owners.sites(changed))

    def leave_out(self, of: str, block: ir.Block, made: list[ir.Block]) -> None:
        """Leaves out the step that was only made to have zeros like it."""
        match self.users.get(of, ()):
            case [ir.Assign(value=ir.Call("operator.getitem"), is_tuple=False) as read, _] if (
                read in block and read.role is not ir.Role.PRIMAL
            ):
                made[block.index(read)] = ()

    def sum(self, name: str, value: Structure) -> _Added | None:
        """The gradient of a variable, if all that is done with it is what makes and adds it."""
        if len(self.users[name]) < 2:
            return None
        start, *adding, end = self.users[name]
        parts: dict[object, ir.Atom] = {}
        held = dict(items(value))
        for statement in adding:
            added = added_part(statement, name)
            if added is None:
                return None
            key, given = counted(added[0].value, value), added[1]
            if key in parts or not self.is_like(statement, given, held.get(key)):
                return None
            parts[key] = given
        if not all(key in parts or _has_none(part) for key, part in held.items()):
            return None
        is_added = _adds_whole(end, name) or _reads_whole(end, name)
        is_added |= _holds_whole(end, name) and all(map(self.is_own, parts.values()))
        return _Added(name, value, parts, (start, *adding, end)) if is_added else None

    def is_own(self, part: ir.Atom) -> bool:
        """Tells whether a part is a new array, or a number, which nothing else reads."""
        match self.users.get(part.id, ()) if isinstance(part, ir.Name) else ():
            case [ir.Assign(value=ir.Call(function), is_tuple=False), _]:
                return operations.gives_new(function)
        return False

    def is_like(self, statement: ir.Statement, given: ir.Atom, part: Value | None) -> bool:
        """Tells whether a gradient is what it becomes where it is added to zero."""
        found = self.typed.of(statement, given)
        match found, part:
            case Number(), Number(kind="float"):
                return True
            case Array(), _:
                return part is not None and is_like(found, part)
            case Object(), Object():
                return is_structured(found, part)
        return False

    def display(
        self, of: _Added, function: str, made: list[ir.Block], where: tuple[int, ...]
    ) -> None:
        """Makes a gradient where the last of its parts is known."""
        start, *adding = where[:-1]
        parts: dict[object, ir.Atom] = {key: ir.Const(None) for key, _ in items(of.value)}
        for at, (key, given) in zip(adding, of.parts.items(), strict=True):
            *steps, statement = made[at]
            step = self.fresh.step()
            made[at] = (*steps, ir.Assign((step,), given, statement.origin, ir.Role.ADJOINT))
            parts[key] = ir.Name(step)
        made[start] = ()
        whole = made_of(function, of.value, parts)
        origin = of.users[-2].origin
        made_at_once = ir.Assign((of.name,), whole, origin, ir.Role.ADJOINT)
        made[where[-2]] = (*made[where[-2]], made_at_once)


@dataclass(frozen=True, slots=True)
class _Added:
    """A gradient that is added to another, its parts, and the statements that use it, in order."""

    name: str
    value: Structure
    parts: Mapping[object, ir.Atom]
    users: tuple[ir.Statement, ...]


def added_part(statement: ir.Statement, name: str) -> tuple[ir.Const, ir.Atom] | None:
    """The key of the part of a gradient to which a statement adds, and what it adds."""
    match statement:
        case ir.Assign((target,), ir.Call(function, (ir.Name(base), ir.Const() as key, part))) if (
            function == ADD_AT and target == base == name != getattr(part, "id", "")
        ):
            return key, part
        case ir.Store(base, ir.Const() as key, part, ir.StoreKind.ADD) if base == name:
            return None if part == ir.Name(name) else (key, part)
    return None


def _adds_whole(statement: ir.Statement, name: str) -> bool:
    """Tells whether a statement adds a gradient to another one."""
    match statement:
        case ir.Assign((target,), ir.Call(function, (ir.Name(base), index, ir.Name(given)))):
            is_added = function == ADD_AT and given == name
        case ir.Store(base, index, ir.Name(given), ir.StoreKind.ADD):
            target, is_added = base, given == name
        case _:
            return False
    return is_added and name not in (target, base) and index != ir.Name(name)


def _reads_whole(statement: ir.Statement, name: str) -> bool:
    """Tells whether a statement makes a new array of a gradient."""
    match statement:
        case ir.Assign(value=ir.Call(function, args, ())):
            return operations.gives_new(function) and args.count(ir.Name(name)) == 1
    return False


def _holds_whole(statement: ir.Statement, name: str) -> bool:
    """Tells whether a statement makes something that holds a gradient."""
    match statement:
        case ir.Assign(value=ir.Call(function, args, ())):
            return operations.of(function).holds is True and args.count(ir.Name(name)) == 1
    return False


def maker(value: Structure, constructor: Constructor) -> str | None:
    """What makes a gradient of those of its parts, if that is known."""
    match value:
        case Object():
            return constructor(value)
        case Sequence(is_list=is_list):
            return "python.list" if is_list else "python.tuple"
    return "python.dict"


def begun_sum(statement: ir.Statement, typed: Typed) -> tuple[str, ir.Name, Structure] | None:
    """A gradient that begins with zeros, the value that it is of, and the known structure."""
    match statement:
        case ir.Assign((name,), ir.Call(function, (ir.Name() as of,))) if function == ZEROS:
            value = typed.of(statement, of)
            return (name, of, value) if isinstance(value, Structure) and items(value) else None
    return None


@dataclass(frozen=True, slots=True)
class _Sum:
    """A gradient that is summed: where it begins and ends, and where which part is added."""

    name: str
    start: int
    end: int
    added: Mapping[object, int]
    value: Structure


def _sum(body: ir.Block, start: int, typed: Typed) -> _Sum | None:
    """The sum that a statement begins, if all of it stands in its block, each part once."""
    begun = begun_sum(body[start], typed)
    if begun is None:
        return None
    name, of, value = begun
    added: dict[object, int] = {}
    for at in range(start + 1, len(body)):
        statement = body[at]
        inner = [*ir.walk((statement,))]
        if any(of.id in ir.writes(each) for each in inner):
            return None
        if not any(name in (*ir.reads(each), *ir.writes(each)) for each in inner):
            continue
        match statement:
            case ir.Assign((target,), ir.Call(function, (ir.Name(base), ir.Const(key), part))) if (
                function == ADD_AT and target == base == name
            ):
                is_new = counted(key, value) not in added
            case ir.Store(base, ir.Const(key), part, ir.StoreKind.ADD) if base == name:
                is_new = counted(key, value) not in added
            case ir.Assign((target,), ir.Call(function, (ir.Name(base), like))) if (
                function == RESTRUCTURE and target == base == name and like == of
            ):
                return _Sum(name, start, at, added, value) if _is_all(value, added) else None
            case _:
                return None
        if not is_new or part == ir.Name(name):
            return None
        added[counted(key, value)] = at
    return None


@dataclass(frozen=True, slots=True)
class _SumApart:
    """A gradient whose parts are summed anywhere between two statements, each in its variable."""

    name: str
    of: ir.Name
    start: int
    end: int
    value: Structure


def _summed_apart(body: ir.Block, start: int, typed: Typed) -> _SumApart | None:
    """The sum that a statement begins, if its parts are arrays and numbers that are added up."""
    begun = begun_sum(body[start], typed)
    if begun is None:
        return None
    name, of, value = begun
    parts = dict(items(value))
    for at, statement in _users(body, start, name, of):
        match statement:
            case ir.Assign((target,), ir.Call(function, (ir.Name(base), ir.Const(key), part))):
                found = parts.get(counted(key, value)) if function == ADD_AT else None
                if not (target == base == name and part != ir.Name(name) and found):
                    return None
                if not adds_up(typed.of(statement, part), found):
                    return None
            case ir.Store(base, ir.Const(key), part, ir.StoreKind.ADD) if base == name:
                found = parts.get(counted(key, value))
                if found is None or part == ir.Name(name):
                    return None
                if not adds_up(typed.of(statement, part), found):
                    return None
            case _:
                is_end = statement is body[at] and is_restructured(statement, name, of)
                are_known = all(has_zero(part) for part in parts.values())
                return _SumApart(name, of, start, at, value) if is_end and are_known else None
    return None


def _users(
    body: ir.Block, start: int, name: str, of: ir.Name
) -> Iterator[tuple[int, ir.Statement]]:
    """The statements behind a place that use a gradient, or set what it is of, and where."""
    for at in range(start + 1, len(body)):
        for statement in ir.walk(body[at : at + 1]):
            if name in ir.reads(statement) or {name, of.id} & {*ir.writes(statement)}:
                yield at, statement


def is_restructured(statement: ir.Statement, name: str, of: ir.Name) -> bool:
    """Tells whether a statement gives a gradient the structure of its value in the end."""
    whole = ir.Call(RESTRUCTURE, (ir.Name(name), of))
    return isinstance(statement, ir.Assign) and (statement.targets, statement.value) == (
        (name,),
        whole,
    )


@dataclass(frozen=True, slots=True)
class _Filled:
    """A gradient that begins as zeros for each entry, to which is only added until a statement."""

    name: str
    start: int
    end: int
    is_list: bool


def _filled(body: ir.Block, start: int, typed: Typed) -> _Filled | None:
    """The gradient that a statement begins, if its entries are numbers and arrays of floats."""
    match body[start]:
        case ir.Assign((name,), ir.Call(function, (ir.Name() as of,))) if function == ZEROS:
            value = typed.of(body[start], of)
        case _:
            return None
    is_list = isinstance(value, Sequence) and value.is_list and not value.is_once
    element = value.element if isinstance(value, Sequence | Mapped) else UNKNOWN
    if not (is_list or isinstance(value, Mapped)) or not is_double(element):
        return None
    for at, statement in _users(body, start, name, of):
        match statement:
            case ir.Store(base, ir.Name() | ir.Const(), part, ir.StoreKind.ADD):
                is_added = base == name and part != ir.Name(name)
            case ir.Assign((target,), ir.Call(function, (ir.Name(base), _, part))):
                is_added = (function, target, base) == (ADD_AT, name, name)
                is_added &= part != ir.Name(name)
                is_added &= adds_up(typed.of(statement, part), element)
            case _:
                is_end = statement is body[at] and is_restructured(statement, name, of)
                return _Filled(name, start, at, is_list) if is_end else None
        if not is_added:
            return None
    return None


def adds_up(found: Value, value: Value) -> bool:
    """Tells whether a gradient can be added in place to one of a part."""
    if isinstance(value, Array) and isinstance(found, Array):
        return value.library == "numpy" and is_like(found, value) and has_zero(value)
    return has_zero(value) and isinstance(found, Number) and isinstance(value, Number)


def has_zero(part: Value, *, is_added: bool = True) -> bool:
    """Tells whether the zero gradient of a part is known, to which something is added, or not."""
    match part:
        case Array(dtype="float64" | "float32", library="numpy", shape=tuple()):
            return True
        case Number(kind=kind, dtype=None | "float64"):
            return kind == "float" or (kind != "complex" and not is_added)
    return _has_none(part)


def counted(key: object, value: Structure) -> object:
    """The key of a part; an index that counts from the end as one from the start."""
    match key, value:
        case int(), Sequence(items=tuple() as items) if key < 0:
            return key + len(items)
    return key


def items(value: Structure) -> tuple[tuple[object, Value], ...]:
    """The parts of a structure with their names, keys or indices."""
    match value:
        case Object(attributes=attributes):
            return () if value.may_be_none else attributes
        case Sequence(items=items):
            return tuple(enumerate(items or ()))
    return value.items or ()


def _is_all(value: Structure, added: Mapping[object, int]) -> bool:
    """Tells whether all parts are given, but those that have no gradient."""
    parts = dict(items(value))
    return parts.keys() >= added.keys() and all(
        key in added or has_zero(part, is_added=False) for key, part in parts.items()
    )


def _has_none(part: Value) -> bool:
    is_object = isinstance(part, Function)
    return is_object or (isinstance(part, Literal) and part.kind in ("str", "NoneType"))


class Displaying:
    """Rewrites the body of a function; each statement becomes some."""

    def __init__(
        self, function: ir.Function, typed: Typed, constructor: Constructor, owners: Ownership
    ) -> None:
        self.function, self.typed = function, typed
        self.constructor, self.owners = constructor, owners
        self.fresh: Fresh = ir.fresh(function)
        self.body: list[ir.Block] = [(statement,) for statement in function.body]

    def display(self, of: _Sum) -> None:
        """Makes a gradient at once, where it is complete."""
        function = maker(of.value, self.constructor)
        if function is None:
            return
        (end,) = self.body[of.end]
        assert isinstance(end, ir.Assign)
        assert isinstance(end.value, ir.Call)
        like = end.value.args[1]
        parts: dict[object, ir.Atom] = {}
        zeros: list[ir.Statement] = []
        for key, value in items(of.value):
            if key in of.added:
                at = of.added[key]
                parts[key], self.body[at] = self.part(key, at, like, value, self.later(of, at))
            else:
                parts[key] = self.zero(end, like, (key,), of.value, zeros)
        self.body[of.start] = ()
        origin = self.function.body[max(of.added.values(), default=of.end)].origin
        made = made_of(function, of.value, parts)
        self.body[of.end] = (*zeros, replace(end, value=made, origin=origin))

    def zero(
        self,
        at: ir.Assign | ir.Store,
        of: ir.Atom,
        path: Path,
        value: Structure,
        steps: list[ir.Statement],
    ) -> ir.Atom:
        """The zero gradient of a part, or none; the steps make that of an array."""
        part: Value = value
        for key in path:
            assert isinstance(part, Structure)
            part = dict(items(part))[key]
        if isinstance(part, Number):
            return ir.Const(0.0)
        if not isinstance(part, Array):
            return ir.Const(None)
        like = self.read(at, of, path, value, steps)
        return self.step(at, ir.Call("numpy.zeros_like", (like,)), steps)

    def read(
        self,
        at: ir.Assign | ir.Store,
        of: ir.Atom,
        path: Path,
        value: Value,
        steps: list[ir.Statement],
    ) -> ir.Atom:
        """Reads a part of a structure."""
        for key in path:
            assert isinstance(value, Structure)
            index = ir.Const(ir.Attribute(str(key)) if isinstance(value, Object) else key)
            of = self.step(at, ir.Call("operator.getitem", (of, index)), steps)
            value = dict(items(value))[key]
        return of

    def step(
        self, at: ir.Assign | ir.Store, value: ir.Expression, steps: list[ir.Statement]
    ) -> ir.Name:
        """A step with the place and the role of a statement."""
        name = self.fresh.step()
        steps.append(ir.Assign((name,), value, at.origin, at.role))
        return ir.Name(name)

    def sum_apart(self, of: _SumApart) -> None:
        """Gives each part a variable in which it is summed."""
        function = maker(of.value, self.constructor)
        if function is None:
            return
        (start,), (end,) = self.body[of.start], self.body[of.end]
        assert isinstance(start, ir.Assign)
        assert isinstance(end, ir.Assign)
        parts: dict[object, ir.Atom] = {}
        steps: list[ir.Statement] = []
        for key, part in items(of.value):
            parts[key] = self.zero(start, of.of, (key,), of.value, steps)
            if not _has_none(part):
                name = self.named(of.of.id, key)
                self.owners.note(name, part)
                steps.append(replace(start, targets=(name,), value=parts[key]))
                parts[key] = ir.Name(name)
        self.body[of.start] = tuple(steps)

        def summed(block: ir.Block) -> ir.Block:
            return tuple(added(s) for s in block)

        def added(statement: ir.Statement) -> ir.Statement:
            if of.name not in ir.writes(statement):
                return ir.rewritten(statement, block=summed)
            match statement:
                case ir.Assign(value=ir.Call(_, (_, ir.Const(key), given))):
                    pass
                case ir.Store(index=ir.Const(key), value=given):
                    pass
            key = counted(key, of.value)
            total, origin, role = parts[key], statement.origin, statement.role
            assert isinstance(total, ir.Name)
            if isinstance(dict(items(of.value))[key], Array):
                return ir.Store(total.id, None, given, ir.StoreKind.ADD, origin, role)
            return ir.Assign((total.id,), ir.Call("operator.add", (total, given)), origin, role)

        for at in range(of.start + 1, of.end):
            self.body[at] = summed(self.body[at])
        self.body[of.end] = (replace(end, value=made_of(function, of.value, parts)),)

    def fill(self, of: _Filled) -> None:
        """Adds to entries in place; what remains to be done in the end is to make a plain list."""

        def added(statement: ir.Statement) -> ir.Statement:
            match statement:
                case ir.Assign((name,), ir.Call(function, (_, key, given))) if (
                    function == ADD_AT and name == of.name
                ):
                    origin, role = statement.origin, statement.role
                    return ir.Store(name, key, given, ir.StoreKind.ADD, origin, role)
            return ir.rewritten(statement, block=lambda block: tuple(map(added, block)))

        for at in range(of.start + 1, of.end):
            self.body[at] = tuple(map(added, self.body[at]))
        (end,) = self.body[of.end]
        assert isinstance(end, ir.Assign)
        plain = replace(end, value=ir.Call("builtins.list", (ir.Name(of.name),)))
        self.body[of.end] = (plain,) if of.is_list else ()

    def named(self, of: str, key: object) -> Own:
        """A variable for the gradient of a part."""
        name = str(key) if str(key).isidentifier() else f"{readable(of)}_{key}"
        return self.fresh.own(re.sub(r"\W", "_", f"{name}_bar"))

    def later(self, of: _Sum, at: int) -> ir.Block:
        """The statements behind a place, but for those that make a sum."""
        own = {of.end, *of.added.values()}
        rest = range(at + 1, len(self.body))
        return tuple(s for place in rest if place not in own for s in self.body[place])

    def part(
        self, key: object, at: int, like: ir.Atom, value: Value, later: ir.Block
    ) -> tuple[ir.Atom, ir.Block]:
        """The gradient of a part, and the steps that name it."""
        (adding,) = self.body[at]
        assert isinstance(adding, ir.Assign | ir.Store)
        match adding:
            case ir.Assign(value=ir.Call(_, (_, index, given))):
                pass
            case ir.Store(index=ir.Const() as index, value=given):
                pass
        steps: list[ir.Statement] = []
        whole = ir.Call("operator.getitem", (like, index))
        made = self.becoming(
            adding, given, value, later, steps, lambda: self.step(adding, whole, steps)
        )
        written = {name for s in ir.walk(later) for name in ir.writes(s)}
        is_kept = written.isdisjoint(ir.names((given,)))
        if is_kept and made == given and not isinstance(value, Object | Mapped):
            return given, ()
        name = self.named(like.id, key) if isinstance(like, ir.Name) else self.fresh.step()
        steps.append(ir.Assign((name,), made, adding.origin, adding.role))
        return ir.Name(name), tuple(steps)

    def becoming(
        self,
        adding: ir.Assign | ir.Store,
        given: ir.Atom,
        value: Value,
        later: ir.Block,
        steps: list[ir.Statement],
        whole: Callable[[], ir.Atom],
    ) -> ir.Expression:
        """What becomes of the gradient of a part, which is the caller's own.

        `whole` gives what it is of, if it must be put into that structure.
        """
        found = self.typed.of(adding, given)
        if isinstance(found, Number) and isinstance(value, Number):
            return given
        is_tensor = isinstance(found, Array) and found.library != "numpy"
        is_own = isinstance(given, ir.Name) and self.owners.give_away(found, later)
        copied = ir.Call(f"{HOME}copy", (given,))
        is_done = isinstance(found, Array) and is_like(found, value)
        is_done |= isinstance(value, Object | Mapped) and is_structured(found, value)
        if is_done:
            return given if is_tensor or is_own else copied
        if not (is_tensor or is_own):
            given = self.step(adding, copied, steps)
        return ir.Call(RESTRUCTURE, (given, whole()))


def made_of(function: str, value: Structure, parts: Mapping[object, ir.Atom]) -> ir.Call:
    """What makes a structure of its parts."""
    match value:
        case Object():
            return ir.Call(function, (), tuple((str(key), part) for key, part in parts.items()))
        case Sequence():
            return ir.Call(function, tuple(parts.values()))
    flat = (atom for key, part in parts.items() for atom in (ir.Const(key), part))
    return ir.Call(function, tuple(flat))
