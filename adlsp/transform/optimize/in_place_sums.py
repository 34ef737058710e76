"""Sums into an adjoint in place: `W_bar = W_bar + v` becomes `W_bar += v`.

That is right where nobody else holds the adjoint, and where `v` has its shape and dtype. Both are
sure of an adjoint that begins as memory of its own and is given only what is made like its
variable: zeros, gradients of products, sums over what broadcasting repeated. What may share memory
with it may be made where no such sum follows.

A derivative that is differentiated again keeps its plain sums: there an adjoint that changes would
have to be saved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from adlsp.transform import ir
from adlsp.transform.facts import operations, views
from adlsp.transform.ir import StoreKind
from adlsp.transform.ir.variables import Adjoint
from adlsp.transform.ops.spec import Dtype

ADD = "operator.add"

CAST = "adlsp.runtime.cast_like"
"""What has the dtype of its variable, but not its shape."""


def sum_in_place(
    body: ir.Block,
    exact: frozenset[str],
    are_alike: Callable[[ir.Assign], bool] = lambda _: False,
) -> ir.Block:
    """The body of a derivative whose own adjoints are added to in place.

    What is added to `exact` adjoints has their shape and dtype, and so have both sides of a sum of
    which `are_alike` tells that.
    """
    if not any(isinstance(s, ir.Assign) and addend(s) for s in ir.walk(body)):
        return body
    summing = _Summing(body, exact, are_alike)
    own = {name for name in summing.last if summing.is_own(name)}
    return summing.summed(body, own) if own else body


def made_like(body: ir.Block) -> frozenset[str]:
    """The variables that are bound once, to what has the shape and dtype of an adjoint.

    So has the transpose of one: it is the gradient of what was transposed.
    """
    bound = Counter(name for s in ir.walk(body) for name in ir.writes(s))
    found: set[str] = set()
    for statement in ir.walk(body):
        match statement:
            case ir.Assign(
                targets=(name,), value=ir.Call("numpy.transpose", (ir.Name(turned),), ())
            ):
                is_like = turned in found
            case ir.Assign(targets=(name, *_), value=value):
                is_like = _is_like(value)
            case _:
                continue
        if is_like and bound[name] == 1:
            found.add(name)
    return frozenset(found)


def addend(statement: ir.Assign) -> str | None:
    """The variable `v` in `x_bar = x_bar + v`."""
    match statement:
        case ir.Assign(
            targets=(Adjoint() as name,),
            value=ir.Call(function=function, args=(ir.Name(first), ir.Name(second))),
        ) if function == ADD and name == first != second:
            return second
    return None


def store(statement: ir.Assign, name: str, value: str) -> ir.Store:
    """The statement that adds a variable to an adjoint in place, for one that does so anew."""
    added = ir.Name(value)
    return ir.Store(name, None, added, StoreKind.ADD, statement.origin, statement.role)


def _is_like(value: ir.Expression) -> bool:
    """Tells whether an expression has the shape and dtype of what it is given."""
    if not isinstance(value, ir.Call) or value.function == CAST:
        return False
    return operations.of(value.function).dtype is Dtype.LIKE


def _is_new(value: ir.Expression) -> bool:
    """Tells whether it is memory of its own as well."""
    if not isinstance(value, ir.Call):
        return False
    return _is_like(value) and operations.is_fresh_of_runtime(value.function)


class _Summing:
    """What is known of a body, by variable.

    - `passed` are those with new memory like an adjoint, which is read once;
    - `users` are the statements that read or change a variable, with where they are in the body;
    - `last` tells where the last sum into an adjoint is.
    """

    def __init__(
        self, body: ir.Block, exact: frozenset[str], are_alike: Callable[[ir.Assign], bool]
    ) -> None:
        self.exact = exact
        self.are_alike = are_alike
        self.likes = made_like(body)
        uses = Counter(name for s in ir.walk(body) for name in ir.reads(s))
        self.passed = {
            target
            for s in ir.walk(body)
            if isinstance(s, ir.Assign) and _is_new(s.value)
            for target in self.likes.intersection(s.targets)
            if uses[target] == 1
        }
        self.users: dict[str, list[tuple[int, ir.Statement]]] = {}
        self.last: dict[str, int] = {}
        for position, statement in enumerate(body):
            for inner in ir.walk((statement,)):
                for name in {*ir.reads(inner), *ir.writes(inner)}:
                    self.users.setdefault(name, []).append((position, inner))
                if isinstance(inner, ir.Assign) and self.adds_like(inner):
                    self.last[inner.targets[0]] = position

    def adds_like(self, statement: ir.Assign) -> bool:
        """Tells whether a statement adds to an adjoint what has its shape and dtype."""
        value = addend(statement)
        if value is None:
            return False
        is_like = value in self.likes or statement.targets[0] in self.exact
        return is_like or self.are_alike(statement)

    def is_own(self, name: str) -> bool:
        """Tells whether an adjoint is memory of its own wherever it is added to."""
        return all(
            self.keeps(statement, name)
            for position, statement in self.users[name]
            if position <= self.last[name]
        )

    def keeps(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether an adjoint is memory that nobody else holds also after a statement."""
        match statement:
            case ir.Assign(targets=(target,), value=ir.Call() as call) if target == name:
                is_own = name in self.exact and operations.gives_new(call.function)
                return is_own or self.is_new(call) or self.adds_like(statement)
            case ir.Assign(value=ir.Call() as call):
                is_passed_on = operations.of(call.function).passes_on is not None
                return name not in ir.writes(statement) and not (
                    is_passed_on or views.may_view(call)
                )
            case ir.Store(base=base, index=index, value=value) if base == name:
                return index is not None and value != ir.Name(name)
            case ir.Store(base=Adjoint(), kind=StoreKind.ADD | StoreKind.SUB):
                return True
        return False

    def is_new(self, call: ir.Call) -> bool:
        """Tells whether a call gives memory of its own in the shape and dtype of an adjoint.

        So does the transpose of such a gradient, that of a matrix which was read transposed.
        """
        match call:
            case ir.Call("numpy.transpose", (ir.Name(turned),), ()):
                return turned in self.passed
        return _is_new(call)

    def summed(self, block: ir.Block, own: set[str]) -> ir.Block:
        """A block that adds to some adjoints in place."""
        return tuple(self.added(statement, own) for statement in block)

    def added(self, statement: ir.Statement, own: set[str]) -> ir.Statement:
        """A statement that adds to one of some adjoints in place, if it adds what is like it."""
        match statement:
            case ir.Assign(targets=(name,)) if name in own:
                value = addend(statement)
                if value is not None and self.adds_like(statement):
                    return store(statement, name, value)
        if not ir.blocks(statement):
            return statement
        return ir.rewritten(statement, block=lambda inner: self.summed(inner, own))
