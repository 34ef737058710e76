"""Which arrays surely hold integers: NumPy cuts off the fractions of what is stored into them.

This is inference of dtypes, for arrays of integers. `np.array([1, 2, 3])` and
`np.zeros(3, dtype=int)` make such arrays, and so does arithmetic with them alone. A store does not
change what an array holds.
"""

from __future__ import annotations

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.facts.indices import Indices
from adlsp.transform.facts.versions import Version, VersionKind, Versions
from adlsp.transform.ops.spec import Dtype, Shape


class Integers:
    """Answers which variables of a function hold arrays of integers."""

    def __init__(self, versions: Versions, indices: Indices) -> None:
        self.versions = versions
        self.indices = indices
        self._known: dict[int, bool] = {}

    def is_array(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a statement reads a variable that surely holds an array of integers."""
        version = self.versions.reads.get((statement, name))
        if version is None:
            return False
        assumed = set[int]()
        is_array = self._is_array(version, assumed)
        if is_array:
            self._known |= dict.fromkeys(assumed, True)
        return is_array

    def _is_array(self, version: Version, assumed: set[int]) -> bool:
        """Tells it of a version if it is so of those that are assumed, and asked about by now.

        What is not so is not so in any case: a value is of integers if all is that it is made of.
        """
        number = version.number
        if number not in self._known and number not in assumed:
            assumed.add(number)
            if not self._is_made_of_integers(version, assumed):
                self._known[number] = False
        return self._known.get(number, True)

    def _is_made_of_integers(self, version: Version, assumed: set[int]) -> bool:
        if version.is_of_priors:
            priors = version.priors
            return bool(priors) and all(self._is_array(prior, assumed) for prior in priors)
        match version.statement:
            case ir.Assign(value=ir.Name(id), is_tuple=False) as assign:
                read = self.versions.reads.get((assign, id))
                return read is not None and self._is_array(read, assumed)
            case ir.Assign(value=ir.Call() as call, is_tuple=False) as assign:
                return self._makes_integers(assign, call, assumed)
        return False

    def _makes_integers(self, statement: ir.Statement, call: ir.Call, assumed: set[int]) -> bool:
        """Tells whether a call makes an array of integers."""
        args, keywords = call.args, dict(call.keywords)
        record = operations.of(call.function)
        dtype = operations.told_dtype(call)
        if dtype is not None:
            return operations.names_integers(dtype)
        match record.dtype:
            case Dtype.INTEGER:
                return True
            case Dtype.FIRST:
                return self._holds(statement, args[:1], assumed)
            case Dtype.COMMON | Dtype.PART:
                operands, is_made = args, record.shape is not Shape.EACH
                if record.values_at is not None:
                    operands, is_made = (*args[record.values_at :], *keywords.values()), True
                arrays = [a for a in operands if not self._is_number(statement, a)]
                return bool(arrays or is_made) and self._holds(statement, operands, assumed)
        return False

    def _holds(
        self, statement: ir.Statement, atoms: tuple[ir.Atom, ...], assumed: set[int]
    ) -> bool:
        """Tells whether atoms are integers, arrays of integers, or displays of such."""
        return bool(atoms) and all(
            self._is_number(statement, atom) or self._is_display(statement, atom, assumed)
            for atom in atoms
        )

    def _is_number(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        is_truth = isinstance(atom, ir.Const) and type(atom.value) is bool
        return is_truth or self.indices.is_integer(statement, atom)

    def _is_display(self, statement: ir.Statement, atom: ir.Atom, assumed: set[int]) -> bool:
        """Tells whether an atom is an array of integers, or a list written down of them."""
        if not isinstance(atom, ir.Name):
            return False
        version = self.versions.reads.get((statement, atom.id))
        if version is None:
            return False
        if version.kind is VersionKind.ASSIGN:
            match version.statement:
                case ir.Assign(value=ir.Call("python.list" | "python.tuple", args=args)) as assign:
                    return self._holds(assign, args, assumed)
                case ir.Assign(value=ir.Call("python.repeat", args=(each, _))) as assign:
                    return self._holds(assign, (each,), assumed)
        return self._is_array(version, assumed)
