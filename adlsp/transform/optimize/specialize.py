"""Calls of the runtime as the library of arrays has them, where inference says what is given.

`rt.zeros(x)` looks at what `x` is: of an array of floats it is `np.zeros_like(x)`, of a tensor
`tf.zeros_like(x)`, of a number 0.0.
This is partial evaluation of the helpers, of a derivative as a whole: what a forward sweep saves is
what a backward sweep is given.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Protocol

from adlsp.transform import ir
from adlsp.transform.facts import effects, operations
from adlsp.transform.ir import Role
from adlsp.transform.ir.variables import SEED, Step
from adlsp.transform.optimize import (
    coalesce,
    common_subexpressions,
    copy_elision,
    copy_propagation,
    differences,
    displays,
    filled_lists,
    first_parts,
    forms,
    in_place_sums,
    nested_sums,
    outer_products,
    ratios,
)
from adlsp.transform.optimize.forms import ADD_AT, EXPAND, HOME, REPEAT, RESTRUCTURE, SUM, ZEROS
from adlsp.transform.values import broadcasting, lattice, tensors
from adlsp.transform.values.inference import Instances, Typed, World
from adlsp.transform.values.lattice import (
    UNKNOWN,
    UNREACHED,
    Array,
    Number,
    Numeric,
    Object,
    Sequence,
    Signature,
    Unknown,
    Value,
)

EXPAND_AS, LIKE = f"{HOME}expand_as", f"{HOME}like"
ONES, NEW_AXIS = "tensorflow.ones_like", "tensorflow.expand_dims"
ARITHMETIC = frozenset(f"operator.{name}" for name in ("add", "sub", "mul", "truediv"))
ELEMENTWISE = ARITHMETIC | {f"operator.{name}" for name in ("eq", "ne", "lt", "le", "gt", "ge")}
STRUCTURING = RESTRUCTURE, f"{HOME}repack"
FULL = "numpy.full", "numpy.full_like", "numpy.diag"


class Around(World, Protocol):
    """The program around a derivative; `given` is what its root is given."""

    @property
    def given(self) -> Signature:
        """What the parameters of the root are, as far as that is known."""

    @property
    def seeds(self) -> Signature:
        """What the seeds are of the derivatives that are differentiated again."""

    @property
    def has_tensors(self) -> bool:
        """Whether tensors of TensorFlow may take part."""

    def constructor(self, of: Object) -> str | None:
        """What makes the gradient of an object of its attributes, if that is sure."""


def specialize(functions: tuple[ir.Function, ...], program: Around) -> tuple[ir.Function, ...]:
    """The functions of a derivative, the one to call first, without helpers that are not needed."""
    if not program.given:
        return functions
    derived = {function.known_as: function for function in functions}
    instances = Instances(program, called=lambda n: derived.get(n) or program.definition(n))
    given = _of_root(functions[0], program)
    typed = instances.reached(functions[0].known_as, given, derived.get)
    if program.has_tensors:
        typed = {name: tensors.alone(each) for name, each in typed.items()}
    return tuple(
        _specialized(f, typed[f.known_as], program) if f.known_as in typed else f for f in functions
    )


def _specialized(function: ir.Function, typed: Typed, program: Around) -> ir.Function:
    function = _with_sums_in_place(function, typed)
    values = _values(typed)
    owners = copy_elision.Ownership(function, values)
    function = nested_sums.flattened(function, typed, program.constructor, owners)
    function = displays.at_once(function, typed, program.constructor, owners)
    function = displays.displayed(function, typed, program.constructor, owners)
    function = filled_lists.fill(function, typed, program.constructor, owners)
    function = copy_elision.without_copies(function, owners)
    specializing = _Specializing(typed, function, is_again=bool(program.seeds))
    made = specializing.function()
    values |= specializing.smaller
    made = outer_products.multiply_at_once(made, values)
    body = first_parts.with_first_parts(made.body, values)
    body = ratios.without_positive(body, values)
    body = differences.with_differences(body, values)
    body = common_subexpressions.eliminate(body, values)
    return made if body == made.body else replace(made, body=body)


def _values(typed: Typed) -> dict[str, Value]:
    """What variables are, whatever statement binds them."""
    found = dict(typed.given)
    for (_, name), value in typed.writes.items():
        found[name] = lattice.join(found.get(name, UNREACHED), value)
    return found


def _with_sums_in_place(function: ir.Function, typed: Typed) -> ir.Function:
    """The function with sums in place where they have the shape and dtype of their first part."""

    def are_alike(statement: ir.Assign) -> bool:
        assert isinstance(statement.value, ir.Call)
        one, other = (typed.of(statement, atom) for atom in statement.value.args)
        if not (isinstance(one, Array) and isinstance(other, Array) and forms.is_floats(one)):
            return False
        is_kept = broadcasting.reduction(one, _broadcast_of(one, other)) == broadcasting.Reduction()
        return is_kept and one.dtype == other.dtype

    body = in_place_sums.sum_in_place(function.body, function.exact, are_alike)
    return function if body == function.body else replace(function, body=body)


def _broadcast_of(one: Array, other: Array) -> Array:
    """What is computed of two arrays, element by element."""
    return replace(one, shape=broadcasting.broadcast((one.shape, other.shape)))


def _of_root(function: ir.Function, program: Around) -> Signature:
    """What the derivative is given: a number for the gradient of a number, if none is checked.

    For a function of tensors alone that may be a tensor, which TensorFlow takes in the same places.
    """
    is_checked = any(
        isinstance(s, ir.Assign)
        and isinstance(s.value, ir.Call)
        and s.value.function == f"{HOME}seed"
        for s in ir.walk(function.body)
    )
    seeds = (p for p in function.parameters if p.name == SEED)
    is_number = not is_checked and any(p.default == ir.Const(1.0) for p in seeds)
    is_number &= not (program.has_tensors and any(map(_holds_arrays, program.given.values())))
    seed = Number("float") if is_number else UNKNOWN
    return {**program.given, **program.seeds, SEED: seed}


def _holds_arrays(value: Value) -> bool:
    """Tells whether a value is an array of NumPy, or may hold one."""
    if isinstance(value, Array | Numeric | Unknown):
        return not isinstance(value, Array) or value.library == "numpy"
    return any(_holds_arrays(held) for _, held in lattice.parts(value))


def _are_first(axes: ir.Atom) -> bool:
    """Tells whether axes are the first ones, which broadcasting adds."""
    match axes:
        case ir.Const(tuple() as several):
            return several == (*range(len(several)),)
    return axes == ir.Const(0)


def _is_tuple(value: ir.Expression) -> bool:
    return isinstance(value, ir.Call) and value.function == "python.tuple"


class _Specializing:
    """Rewrites one function.

    `bound` and `read` tell how often variables are, `calls` what gives those that are once,
    `shapes` which steps are the shapes of others, `transposed` which are those of matrices, `outer`
    which are outer products, `own` which are new arrays, `summed` what is summed part by part,
    and `same` what has the shape of a step that is only asked for it, `stands` which variable that
    is. `smaller` are less than the arrays for which they stand, and what they are. `named` are the
    shapes of what still has its name at a place. `before` are steps that come before a statement.
    `rows` are lists of the rows of others, and `structured` are gradients in the structure of
    something. What `is_again` differentiated is nowhere the text of the user.
    """

    def __init__(self, typed: Typed, function: ir.Function, *, is_again: bool) -> None:
        self.typed, self.given, self.is_again = typed, function, is_again
        self.bound = Counter(p.name for p in function.parameters)
        self.bound.update(name for s in ir.walk(function.body) for name in ir.writes(s))
        self.read = Counter(name for s in ir.walk(function.body) for name in ir.reads(s))
        self.own: set[str] = set()
        self.rows: dict[str, ir.Name] = {}
        self.summed = {
            statement.targets[0]
            for statement in ir.walk(function.body)
            if isinstance(statement, ir.Assign)
            and isinstance(statement.value, ir.Call)
            and operations.of(statement.value.function).gives_back
        }
        renamed = [
            (statement.targets[0], statement.value.id)
            for statement in ir.walk(function.body)
            if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Name)
        ]
        while further := {one for one, other in renamed if other in self.summed} - self.summed:
            self.summed |= further
        self.readers: dict[str, list[ir.Statement]] = {}
        self.calls: dict[str, ir.Call] = {}
        for statement in ir.walk(function.body):
            for name in ir.reads(statement):
                self.readers.setdefault(name, []).append(statement)
            match statement:
                case ir.Assign((name,), ir.Call() as call, is_tuple=False):
                    if self.bound[name] == 1:
                        self.calls[name] = call
        self.shapes: dict[str, str] = {}
        self.named: dict[str, str] = {}
        self.transposed: dict[str, ir.Name] = {}
        self.outer: set[str] = set()
        self.same: dict[str, Value] = {}
        self.stands: dict[str, str] = {}
        self.smaller: dict[str, Value] = {}
        self.at = function.body[0]
        self.structured: dict[str, ir.Name] = {}
        self.before: list[ir.Statement] = []
        self.fresh = ir.fresh(function)
        for statement in ir.walk(function.body):
            match statement:
                case ir.Assign((step,), ir.Call("numpy.shape", (ir.Name(base),))):
                    self.shapes[step] = base
                case ir.Assign((step,), ir.Call("numpy.outer")):
                    self.outer.add(step)
                case ir.Assign((Step() as step,), ir.Call("attribute.T", (ir.Name(id) as matrix,))):
                    if self.bound[step] == 1 and 1 in (self.read[step], self.bound[id]):
                        self.transposed[step] = matrix

    def function(self) -> ir.Function:
        """The function, without shapes that nobody reads any more."""
        body = coalesce.coalesce(self.block(self.given.body))
        if self.same or self.smaller:
            body = copy_propagation.propagate(body)
        self.read = Counter(name for s in ir.walk(body) for name in ir.reads(s))
        return replace(self.given, body=self.without_shapes(body))

    def block(self, block: ir.Block) -> ir.Block:
        """A block; what is new before it is not given away in it, as it may run again."""
        made: list[ir.Statement] = []
        outer, self.own = self.own, set()
        for before, statement in zip((None, *block), block, strict=False):
            match statement:
                case ir.Do(value=ir.Call(args=(given, *_)) as call):
                    if forms.is_sure(call, self.value(statement, given)):
                        continue
            written = {name for inner in ir.walk((statement,)) for name in ir.writes(inner)}
            self.named = {s: base for s, base in self.named.items() if base not in written}
            self.at = statement
            last = self.statement(statement)
            made += (*self.before, last)
            self.before.clear()
            self.named |= {name: self.shapes[name] for name in written if name in self.shapes}
            self.note_structure(last, written)
            if dot := self.dot(before, made[-1]):
                made[-2:] = [dot]
            made[-2:] = self.turned(made[-2:])
            self.turn_product(made)
        self.own = outer
        return tuple(made)

    def note_structure(self, statement: ir.Statement, written: set[str]) -> None:
        """Notes of what a gradient has the structure now."""
        for name in (*self.structured,):
            if not written.isdisjoint((name, self.structured[name].id)):
                del self.structured[name]
        match statement:
            case ir.Assign((name,), ir.Call(function, (*_, ir.Name() as like))) if (
                function in STRUCTURING and like.id != name
            ):
                self.structured[name] = like

    def dot(self, product: ir.Statement | None, total: ir.Statement) -> ir.Statement | None:
        """The sum of a product of two vectors of one length, in one step."""
        match product, total:
            case (
                ir.Assign((Step() as step,), ir.Call("operator.mul", (one, other), ())),
                ir.Assign(value=ir.Call(function, (ir.Name(given),), ()) as call),
            ) if function == SUM and given == step and total.role is Role.ADJOINT:
                values = [self.value(product, atom) for atom in (one, other)]
                shapes = {value.shape for value in values if isinstance(value, Array)}
                are_vectors = [*map(forms.rank, values)] == [1, 1] and len(shapes) == 1
                are_vectors &= self.smaller.keys().isdisjoint(ir.names((one, other)))
                if are_vectors and self.read[step] == 1 and shapes != {(None,)}:
                    value = replace(call, function="operator.matmul", args=(one, other))
                    return replace(total, value=value)
        return None

    def step(self, function: str, *args: ir.Atom) -> ir.Name:
        """A step before the statement that is at hand."""
        step = self.fresh.step()
        call = ir.Call(function, args)
        self.before.append(ir.Assign((step,), call, self.at.origin, Role.ADJOINT))
        return ir.Name(step)

    def turned(self, last: list[ir.Statement]) -> list[ir.Statement]:
        """The last two statements: a sum over `a.T` as one over `a`."""
        match last:
            case [
                ir.Assign((step,), ir.Call("attribute.T", (matrix,))) as turning_over,
                ir.Assign(
                    value=ir.Call(function, (ir.Name(id),), (("axis", ir.Const(axis)),)) as call
                ) as total,
            ] if function == SUM and step == id and self.read[id] == 1 and axis in (0, 1):
                is_matrix = forms.rank(self.value(turning_over, matrix)) == 2
                if is_matrix and forms.is_ours(step) and total.role is Role.ADJOINT:
                    along = (("axis", ir.Const(0 if axis else 1)),)
                    return [replace(total, value=replace(call, args=(matrix,), keywords=along))]
        return last

    def turn_product(self, made: list[ir.Statement]) -> None:
        """Makes `(a.T @ b).T`, the last of some statements, `b.T @ a`, and `(a @ b.T).T` `b @ a.T`.

        That is where the product was.
        """
        match made[-1]:
            case ir.Assign((Step(),), ir.Call("attribute.T", (ir.Name(id),)) as call) as total if (
                total.role is Role.ADJOINT
                and self.read[id] == self.bound[id] == 1
                and forms.is_ours(id)
            ):
                position = len(made) - 2
                while position >= 0 and made[position].origin == total.origin:
                    if id in ir.writes(made[position]):
                        turned = self.turned_factors(made[position], call)
                        if turned is not None:
                            before, whole = turned
                            del made[-1]
                            made[position : position + 1] = before, replace(total, value=whole)
                        return
                    position -= 1

    def turned_factors(
        self, product: ir.Statement, turning: ir.Call
    ) -> tuple[ir.Statement, ir.Call] | None:
        """What becomes of a product of matrices and of its transpose, if one factor is one, too."""
        match product:
            case ir.Assign((step,), ir.Call("operator.matmul", (ir.Name(one), ir.Name(other)))):
                for matrix, kept, is_first in ((one, other, False), (other, one, True)):
                    if matrix in self.transposed:
                        factors = [self.transposed[matrix], ir.Name(step)]
                        whole = ir.Call("operator.matmul", (*factors[:: 1 if is_first else -1],))
                        turned = replace(turning, args=(ir.Name(kept),))
                        return replace(product, value=turned), whole
        return None

    def without_shapes(self, block: ir.Block) -> ir.Block:
        """A block without the shapes and steps that nobody reads, nor what only these have read."""
        made: list[ir.Statement] = []
        for statement in reversed(block):
            if self.is_left_out(statement):
                self.read.subtract(ir.reads(statement))
            else:
                made.append(ir.rewritten(statement, block=self.without_shapes))
        return tuple(reversed(made))

    def is_left_out(self, statement: ir.Statement) -> bool:
        """Tells whether a statement makes a step, or what a shape is like, that nobody reads."""
        names = ir.writes(statement)
        looked_at = self.shapes, self.same, self.transposed, self.rows, self.smaller
        is_dropped = any(name in found for name in names for found in looked_at)
        match statement:
            case ir.Assign((Step(),), value) if statement.role is not Role.SAVE:
                is_dropped |= effects.is_pure(value)
            case ir.Assign(value=ir.Call(function)):
                is_dropped |= function == LIKE
        return is_dropped and not any(self.read[name] for name in names)

    def statement(self, statement: ir.Statement) -> ir.Statement:
        match statement:
            case ir.Assign((target,), ir.Call(function, (ir.Name(base), index, given))) if (
                function == ADD_AT and target == base and self.is_part(statement, base, index)
            ):
                origin, role = statement.origin, statement.role
                return ir.Store(base, index, given, ir.StoreKind.ADD, origin, role)
            case ir.Assign((step,), ir.Call(function=function, args=(given, _, *how))) if (
                function == REPEAT and self.is_filled(statement, step, given, how)
            ):
                return replace(statement, value=given)
            case ir.Assign(value=ir.Call(function=function, args=args) as call) if (
                function in forms.FORMS and not call.keywords
            ):
                is_summed = function == ZEROS and not self.summed.isdisjoint(statement.targets)
                if is_summed and not forms.is_floats(self.value(statement, args[0])):
                    return statement
                is_ours = self.is_again or statement.role in (Role.ADJOINT, Role.TANGENT)
                if not function.startswith(HOME) and not is_ours:
                    return statement
                values = tuple(self.value(statement, atom) for atom in args)
                if function != ZEROS:
                    values = tuple(map(forms.with_elements, values))
                made = forms.FORMS[function](self, call, values) or call
                if isinstance(made, ir.Name) and function == operations.BROADCAST:
                    (step,) = statement.targets
                    self.same[step], self.stands[step] = self.value(statement, made), made.id
                if isinstance(made, ir.Call) and made.function in FULL:
                    self.own.update(statement.targets)
                return replace(statement, value=made)
            case ir.Assign((Step() as step,), ir.Call(function, (inner, axes))) if (
                function == EXPAND and self.is_broadcast(statement, step, inner, axes)
            ):
                self.same[step] = self.value(statement, inner)
                return replace(statement, value=inner)
            case ir.Assign(value=ir.Call(function=function)) if function == EXPAND_AS:
                return replace(statement, value=self.repeated(statement))
            case ir.Assign((name,), ir.Call(function=function)) if (
                operations.gives_new(function) and forms.rank(self.made(statement)) > 0
            ):
                if self.bound[name] == 1:
                    self.own.add(name)
        return ir.rewritten(statement, block=self.block)

    def is_broadcast(self, statement: ir.Assign, step: str, inner: ir.Atom, axes: ir.Atom) -> bool:
        """Tells whether arithmetic with a wider array gives a step its first axes anyway."""
        if statement.role is not Role.ADJOINT or self.read[step] != 1:
            return False
        match self.readers[step][0]:
            case ir.Assign(value=ir.Call(function, (_, _) as args)) as reader if (
                function in ELEMENTWISE
            ):
                other = [self.value(reader, atom) for atom in args if atom != ir.Name(step)]
            case ir.Store(base=base, index=None, value=value, kind=kind) as reader if (
                kind.operator in ARITHMETIC and value == ir.Name(step)
            ):
                other = [self.value(reader, ir.Name(base))]
            case ir.Assign((filled,), ir.Call(function, (repeated, _, *how))) as reader if (
                function == REPEAT and how == [axes, ir.Const(True)]
            ):
                is_first = _are_first(axes) and forms.rank(self.value(statement, inner)) > 0
                return is_first and self.is_filled(reader, filled, repeated, how)
            case _:
                return False
        match [self.value(statement, inner), *other]:
            case [
                Array(shape=tuple() as given, library="numpy"),
                Array(shape=tuple() as shape, library="numpy"),
            ]:
                return _are_first(axes) and 0 < len(given) < len(shape)
            case [Number(), Array(shape=tuple() as shape, library="numpy")]:
                made = self.value(statement, axes)
                several = made.items if isinstance(made, Sequence) else (made,)
                return several is not None and len(several) <= len(shape)
        return False

    def is_part(self, statement: ir.Assign, base: str, index: ir.Atom) -> bool:
        """Tells whether an index takes a part of an array of floats, each element once."""
        whole, at = self.value(statement, ir.Name(base)), self.value(statement, index)
        every: tuple[Value, ...] = (at,)
        if isinstance(at, Sequence) and not at.is_list:
            every = (at.each,) if at.items is None else at.items
        if forms.rank(whole) < 1:
            return False
        return all(map(forms.is_basic, every)) or self.are_distinct(index, every)

    def are_distinct(self, index: ir.Atom, every: tuple[Value, ...]) -> bool:
        """Tells whether rows of integers, one of which counts up, are no place twice together."""
        made = self.calls.get(index.id) if isinstance(index, ir.Name) else None
        if made is None or made.function != "python.tuple" or len(made.args) != len(every):
            return False
        rows = [(a, v.shape) for a, v in zip(made.args, every, strict=True) if forms.is_row(v)]
        are_of_one_size = len({shape for _, shape in rows}) == 1 and rows[0][1] != (None,)
        n_numbers = sum(isinstance(value, Number) for value in every)
        is_known = are_of_one_size and len(rows) + n_numbers == len(every)
        return is_known and any(self.counts_up(atom) for atom, _ in rows)

    def counts_up(self, atom: ir.Atom) -> bool:
        """Tells whether a variable is `arange(n)`, or begins later, and is in indices only.

        One that begins below zero counts from the end, and may meet itself.
        """
        if not isinstance(atom, ir.Name):
            return False
        match self.calls.get(atom.id):
            case ir.Call("numpy.arange", (_,), ()):
                start = 0
            case ir.Call("numpy.arange", (ir.Const(int(start)), _), ()):
                pass
            case _:
                return False
        readers = self.readers.get(atom.id, ())
        return start >= 0 and all(isinstance(r, ir.Assign) and _is_tuple(r.value) for r in readers)

    def is_filled(
        self, statement: ir.Assign, step: str, given: ir.Atom, how: list[ir.Atom]
    ) -> bool:
        """Tells whether arithmetic repeats the gradient of a sum in its shape anyway."""
        match self.made(statement):
            case Array(shape=tuple() as shape) as whole if None not in (shape or (None,)):
                value = self.value(statement, given)
                is_fit = isinstance(value, Number) if not how else how[1:] == [ir.Const(True)]
                return is_fit and self.is_taken(step, whole, value if how else Number("float"))
        return False

    def repeated(self, statement: ir.Assign) -> ir.Expression:
        """The gradient of a sum of a tensor: smaller, where arithmetic repeats it in its shape.

        Arithmetic with numbers may come before.
        """
        (step,), call = statement.targets, statement.value
        assert isinstance(call, ir.Call)
        given, like, *how = call.args
        whole = self.value(statement, like)
        if not forms.is_tensor(whole) or not whole.shape:
            return call
        match how:
            case [] | [ir.Const(None)] | [ir.Const(None), ir.Const(None)] | [_, ir.Const(True)]:
                if self.is_taken(step, whole, UNKNOWN):
                    return given
                if not how and isinstance(self.value(statement, given), Number):
                    ones = self.step(ONES, like)
                    return ir.Call("operator.mul", (given, ones))
            case [ir.Const(int()) as axis] | [ir.Const(int()) as axis, ir.Const(None | False)]:
                if self.is_taken(step, whole, UNKNOWN):
                    is_number = isinstance(self.value(statement, given), Number)
                    return given if is_number else ir.Call(NEW_AXIS, (given, axis))
        return call

    def is_taken(self, step: str, whole: Array, smaller: Value) -> bool:
        """Tells whether something smaller can take the place of a step that repeats it in a shape.

        All that is done with it is arithmetic, by which it is repeated anyway: with arrays of that
        shape, or before with numbers.
        """
        names = {step}
        while True:
            further: set[str] = set()
            for name in names:
                for reader in self.readers.get(name, ()):
                    target = self.passed_on(reader, names, whole)
                    if target is None:
                        return False
                    further.add(target)
            further -= {"", *names}
            if not further:
                break
            names |= further
        if not all(forms.is_ours(name) and self.bound[name] == 1 for name in names):
            return False
        self.smaller |= dict.fromkeys(names, smaller)
        return True

    def passed_on(self, reader: ir.Statement, names: set[str], whole: Array) -> str | None:
        """What is smaller as well, if some operands of a statement are; an empty name for nothing.

        None where the statement does something with them that is no arithmetic.
        """
        match reader:
            case ir.Assign((target,), ir.Call(function, args, ())) if function in (
                *ARITHMETIC,
                "operator.neg",
            ):
                operands = args
            case ir.Assign((target,), ir.Call(ratios.RATIO, args)) if {
                *self.smaller,
                *names,
            }.isdisjoint(ir.names(args[1:])):
                operands = args
            case ir.Store(base, None, ir.Name() as value, kind) if kind.operator in ARITHMETIC:
                target, operands = base, (ir.Name(base), value)
            case _:
                return None
        less = self.smaller.keys() | names
        others = [a for a in operands if not (isinstance(a, ir.Name) and a.id in less)]
        values = [self.value(reader, atom) for atom in others]
        if any(forms.has_all(value, whole) for value in values):
            return ""
        return target if all(isinstance(value, Number) for value in values) else None

    def made(self, statement: ir.Assign) -> Value:
        """What a statement binds its one target to."""
        return self.typed.writes.get((statement, statement.targets[0]), UNKNOWN)

    def value(self, statement: ir.Statement, atom: ir.Atom) -> Value:
        """What an atom is; what has the shape of a step that is only asked for that."""
        if isinstance(atom, ir.Name):
            for found in (self.same, self.smaller):
                if atom.id in found:
                    return found[atom.id]
        return self.typed.of(statement, atom)

    def shaped(self, atom: ir.Atom) -> ir.Name | None:
        """The array of floats whose shape a step is, if it still has its name."""
        match atom:
            case ir.Name(id) if id in self.shapes and self.bound[id] == 1:
                base = self.stands.get(self.shapes[id], self.shapes[id])
                values = [v for (_, name), v in self.typed.reads.items() if name == base]
                is_there = self.bound[base] == 1 or self.named.get(id) == base
                if is_there and values and all(map(forms.is_floats, values)):
                    return ir.Name(base)
        return None
