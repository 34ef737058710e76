"""Expressions in which nothing goes wrong without a flag, so that nobody need look at the value.

Where arithmetic makes NaN or what is infinite of finite operands, the processor sets a flag, and
NumPy tells of it after each operation on arrays and numbers of its own. Python's own numbers are
told of by nobody, and neither are products of matrices, which other libraries compute.
"""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Set as AbstractSet

from adlsp.transform import depth
from adlsp.transform.emit import guarded
from adlsp.transform.frontend import walks

MOVES = """
    arctan broadcast_to copy cos expand expand_dims ravel reshape sign sin squeeze swapaxes tanh
    transpose
""".split()  # noqa: SIM905
"""Functions that give nothing bad of what is good, and what is NumPy's of what is."""

LIBRARIES = ("numpy", "adlsp.runtime")
"""Whose functions these are."""

ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)

Clauses = tuple[tuple[str, ...], ...]
"""Variables: where one of each tuple is of a type of NumPy's, all operations tell of flags."""


def libraries(module: ast.Module) -> frozenset[str]:
    """The names by which a module knows the libraries."""
    found = set[str]()
    for statement in module.body:
        match statement:
            case ast.Import(names=names):
                found |= {each.asname or each.name for each in names if each.name in LIBRARIES}
            case ast.ImportFrom(module=home, names=names):
                found |= {
                    each.asname or each.name for each in names if f"{home}.{each.name}" in LIBRARIES
                }
    return frozenset(found)


def clauses(
    expression: ast.expr, local: AbstractSet[str], known: AbstractSet[str]
) -> Clauses | None:
    """What must be of NumPy's types for an expression to tell of flags; None where nothing helps.

    `local` are variables that hold nothing bad, `known` the names of the libraries.
    """
    reader = _Reader(local, known)
    try:
        reader.read(expression)
    except _NoFlagsError:
        return None
    return tuple(dict.fromkeys(reader.clauses)) or None


def condition(needed: Clauses, types: str) -> ast.expr:
    """The condition that these variables are of the `types`, a variable."""
    told = " and ".join(
        f"({' or '.join(f'{name}.__class__ in {types}' for name in names)})" for names in needed
    )
    return depth.parse_expression(told)


def at_once(expression: ast.expr, known: AbstractSet[str]) -> ast.expr:
    """The same expression, in which NumPy sums without functions in Python, changed in place.

    This is what `np.sum` does with an array. Debuggers look at each function, and the flag is that
    of the line.
    """
    for node in walks.over(expression):
        if isinstance(node, ast.Call) and _is_sum(node.func, known):
            assert isinstance(node.func, ast.Attribute)
            add = ast.copy_location(ast.Attribute(node.func.value, "add", ast.Load()), node.func)
            node.func.value, node.func.attr = add, "reduce"
            if len(node.args) == 1 and all(each.arg != "axis" for each in node.keywords):
                node.args.append(ast.copy_location(ast.Constant(None), node))
    return expression


def _is_sum(function: ast.expr, known: AbstractSet[str]) -> bool:
    match function:
        case ast.Attribute(value=ast.Name(id=name), attr="sum"):
            return name in known
    return False


def is_foreign(call: ast.Call, own: AbstractSet[str], known: AbstractSet[str]) -> bool:
    """Whether a call runs what may change NumPy's settings: code of the program's, or `np.seterr`.

    `own` are the functions of the derivative, `known` the names of the libraries.
    """
    match call.func:
        case ast.Name(id=name):
            return not (name in own or hasattr(builtins, name) or name.startswith(OURS))
        case ast.Attribute(value=owner, attr=attr):
            while isinstance(owner, ast.Attribute):
                owner = owner.value
            is_known = isinstance(owner, ast.Name) and owner.id in known
            return attr in SETTING if is_known else attr not in METHODS
    return True


OURS = ("__adlsp_", guarded.THING)
"""How the names begin of what we call; where that calls the program, no flags are heard yet."""

SETTING = ("geterr", "geterrcall", "seterr", "seterrcall")
"""NumPy's functions by which a program gets and chooses what is done with flags."""

METHODS = """
    all any append astype copy dot extend get insert items keys max mean min pop ravel reshape sum
    tolist transpose values
""".split()  # noqa: SIM905
"""Methods of lists, dictionaries and arrays; what else has them may do as these do."""


class _NoFlagsError(Exception):
    """Something in an expression tells of no flags."""


class _Reader:
    """Reads an expression; gathers the clauses."""

    def __init__(self, local: AbstractSet[str], known: AbstractSet[str]) -> None:
        self.clauses: list[tuple[str, ...]] = []
        self._local, self._known = local, known

    def read(self, node: ast.expr) -> tuple[str, ...] | None:
        """The variables of which one has to be NumPy's for this to be; None if it is for sure."""
        match node:
            case ast.Constant(value=int() | float() as value) if math.isfinite(value):
                return ()
            case ast.Name(id=name) if name in self._local:
                return (name,)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
                return self.read(operand)
            case ast.Attribute(value=value, attr="T"):
                return self.read(value)
            case ast.Subscript(value=value, slice=index) if self._is_plain(index):
                return self.read(value)
            case ast.BinOp(op=ast.Pow(), left=left, right=ast.Constant(value=2)):
                return self._computed(self.read(left))
            case ast.BinOp(op=op, left=left, right=right) if isinstance(op, ARITHMETIC):
                return self._computed(self.read(left), self.read(right))
            case ast.Call(func=function, args=[first, *others], keywords=keywords) if all(
                self._is_plain(each) for each in (*others, *(k.value for k in keywords))
            ):
                if _is_sum(function, self._known):
                    return self._computed(self.read(first))
                if self._moves(function):
                    return self.read(first)
        raise _NoFlagsError

    def _computed(self, *operands: tuple[str, ...] | None) -> tuple[str, ...] | None:
        """Notes what an operation needs; what it gives is NumPy's then: None."""
        if None not in operands:
            names = tuple(dict.fromkeys(name for each in operands for name in each or ()))
            if not names:
                raise _NoFlagsError
            self.clauses.append(names)
        return None

    def _moves(self, function: ast.expr) -> bool:
        match function:
            case ast.Attribute(value=ast.Name(id=name), attr=attr):
                return name in self._known and attr in MOVES
        return False

    def _is_plain(self, node: ast.expr) -> bool:
        """Whether nothing but shapes and places is worked out."""
        return all(
            self._is_shape(each.func) if isinstance(each, ast.Call) else isinstance(each, PLAIN)
            for each in walks.over(node)
            if isinstance(each, ast.expr)
        )

    def _is_shape(self, function: ast.expr) -> bool:
        match function:
            case ast.Attribute(value=ast.Name(id=name), attr="shape" | "ndim" | "size"):
                return name in self._known
        return isinstance(function, ast.Name) and function.id == "len"


PLAIN = (
    ast.Name,
    ast.Constant,
    ast.Slice,
    ast.Tuple,
    ast.UnaryOp,
    ast.BinOp,
    ast.Attribute,
    ast.Subscript,
)
"""What places are written with."""
