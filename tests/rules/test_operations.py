"""The records of functions (`adlsp/transform/ops`), held against NumPy at each sample of each rule.

A result that is said to be new shares nothing with the arguments. Where results are said to be
perhaps views of them, some call gives one; but for a few, which are listed. Shapes and kinds of
numbers are those that the record tells. Which argument is changed, and which takes the result, is
what the signature says.
"""

import collections
import copy
import importlib
import inspect
from collections.abc import Iterator
from numbers import Integral, Number
from typing import Any

import numpy as np
import pytest
from cases import DECLARED
from interpreter import function
from samples import FLAT, SAMPLES, Call, array
from tree import equal

from adlsp import runtime as rt
from adlsp.runtime import growth
from adlsp.transform import ir
from adlsp.transform.facts import effects, operations, reductions, views
from adlsp.transform.ir import targets
from adlsp.transform.ops import records
from adlsp.transform.ops.spec import Dtype, Kind, Operation, Runs, Shape, Takes
from adlsp.transform.rules import table

VECTOR, MATRIX, ONE = array(3), array(3, 3), array(1)

SPECIAL: dict[str, list[Call]] = {
    "builtins.sum": [
        Call(([], VECTOR)),
        Call(([VECTOR],)),
        Call(([VECTOR], 0.0)),
        Call(([[VECTOR], [VECTOR]], [])),
        Call(([],), {"start": VECTOR}),
    ],
    "ndarray.astype": [Call((VECTOR, float)), Call((VECTOR, float), {"copy": False})],
    "numpy.array": [Call((VECTOR,)), Call((VECTOR,), {"copy": None})],
    "numpy.einsum": [Call(("ij->ji", MATRIX)), Call((MATRIX, [0, 1], [1, 0]))],
    "numpy.bool_": [Call((VECTOR > 0,))],
    "numpy.complex128": [Call((VECTOR + 1j,))],
    "numpy.int64": [Call((np.arange(3),))],
    "numpy.int32": [Call((np.arange(3, dtype=np.int32),))],
    "numpy.imag": [Call((VECTOR + 1j,))],
    "ndarray.imag": [Call((VECTOR + 1j,))],
    "numpy.diff": [Call((VECTOR, n)) for n in (0, 1, 2)],
    "numpy.linalg.matrix_power": [Call((MATRIX, n)) for n in (0, 1, -1, 2)],
    "numpy.histogram": [Call((VECTOR, 3)), Call((VECTOR, np.arange(3.0)))],
    "numpy.append": [Call((VECTOR, np.array([])))],
    "numpy.block": [Call((VECTOR,)), Call(([VECTOR],)), Call(([[MATRIX]],))],
    "numpy.clip": [Call((VECTOR, None, None)), Call((VECTOR, -9.0, 9.0))],
    "numpy.concatenate": [Call(([VECTOR],))],
    "numpy.convolve": [Call((VECTOR, np.ones(1)))],
    "numpy.delete": [Call((VECTOR, []))],
    "numpy.dot": [Call((VECTOR, 1.0))],
    "numpy.insert": [Call((VECTOR, [], []))],
    "numpy.kron": [Call((VECTOR, 1.0))],
    "numpy.linspace": [Call((VECTOR, VECTOR, 1))],
    "numpy.outer": [Call((VECTOR, 1.0))],
    "numpy.pad": [Call((VECTOR, 0))],
    "numpy.partition": [Call((ONE, 0))],
    "numpy.polyval": [Call((VECTOR, 1.0)), Call(([1.0], VECTOR))],
    "numpy.power": [Call((VECTOR, 1))],
    "numpy.repeat": [Call((VECTOR, 1))],
    "numpy.roll": [Call((VECTOR, 0))],
    "numpy.round": [Call((VECTOR,)), Call((np.arange(3), 1))],
    "numpy.sort": [Call((ONE,))],
    "numpy.stack": [Call(([VECTOR],))],
    "numpy.tile": [Call((VECTOR, 1))],
    "numpy.trapezoid": [Call((ONE,))],
    "numpy.tril": [Call((MATRIX,))],
    "operator.pos": [Call((VECTOR,))],
    **{
        f"{home}.{name}": [Call((VECTOR,), {"axis": ()})]
        for home in ("numpy", "ndarray")
        for name in ("sum", "prod", "max", "min", "mean", "var", "any", "all")
    },
    "numpy.cumsum": [Call((ONE,))],
    "ndarray.cumsum": [Call((ONE,))],
}
"""Arguments at which a function might give back what it is given."""

DOUBTED = {
    "adlsp.runtime.inserted",
    "adlsp.runtime.take_bar",
    "builtins.dict",
    "builtins.max",
    "builtins.min",
    "builtins.sorted",
    "copy.copy",
    "ndarray.tolist",
    "numpy.float32",
    "python.largest",
    "python.smallest",
}
"""Functions whose results may hold arguments, though no sample of theirs does."""

NOT_ALIKE = {"conj", "conjugate"}
"""Methods that give back the array itself where the function of the same name copies it."""


def calls(name: str, first: str) -> list[Call]:
    """The samples of a function, by one of its names."""
    flat = FLAT.get(name.rpartition(".")[2], ()) if name.startswith(("numpy.", "ndarray.")) else ()
    return [*SAMPLES.get(first, ()), *flat, *SPECIAL.get(name, ())]


CALLS = {
    name: found
    for declared in DECLARED
    for name in declared.functions
    if (found := calls(name, declared.functions[0]))
}


def written(name: str, call: Call) -> ir.Call:
    """A call as it is in a program: literals, and variables for all else."""

    def atom(key: object, value: Any) -> ir.Atom:
        is_literal = value is None or isinstance(value, int | str)
        return ir.Const(value) if is_literal else ir.Name(f"v{key}")

    home, _, attribute = name.rpartition(".")
    if home == "ndarray" and not callable(getattr(np.ndarray, attribute, len)):
        name = f"attribute.{attribute}"
    args = tuple(atom(i, value) for i, value in enumerate(call.args))
    return ir.Call(name, args, tuple((key, atom(key, v)) for key, v in call.keywords.items()))


def arrays(value: Any) -> Iterator[Any]:
    """The arrays in a value."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, dict):
        yield from arrays(list(value.values()))
    elif isinstance(value, list | tuple):
        for element in value:
            yield from arrays(element)


def shares(result: Any, given: Any) -> bool:
    """Tells whether a result is one of the arguments, or shares memory with one."""
    parts = list(arrays(given))
    return any(np.shares_memory(a, b) for a in arrays(result) for b in parts) or any(
        result is each for each in given if isinstance(each, list | dict)
    )


def called(name: str) -> Any:
    found = function(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def results(name: str, call: Call) -> tuple[Any, list[Any]]:
    """Calls a function; gives the result and the arguments, which are to stay as they are.

    No two arguments share memory.
    """
    args = [copy.deepcopy(each) for each in call.args]
    keywords = {key: copy.deepcopy(each) for key, each in call.keywords.items()}
    result = called(name)(*args, **keywords)
    if not TOLD[name].gives_back:
        equal(args, list(call.args))
        equal(keywords, call.keywords)
    return result, [*args, *keywords.values()]


def is_shared(name: str, call: Call) -> bool:
    """Calls a function; tells whether the result shares memory."""
    return shares(*results(name, call))


@pytest.mark.parametrize("name", CALLS)
def test_what_is_said_to_be_new_shares_no_memory(name: str) -> None:
    passed_on = operations.of(record_name(name)).passes_on
    for call in CALLS[name]:
        result, given = results(name, call)
        if passed_on is not None:
            given.pop(passed_on)
        if shares(result, given):
            assert views.may_view(written(name, call)), call
            assert not operations.is_fresh_of_runtime(name)


def test_what_is_passed_on_is_so_somewhere() -> None:
    for name in CALLS:
        place = operations.of(record_name(name)).passes_on
        if place is not None:
            found = (results(name, call) for call in CALLS[name])
            assert any(shares(result, [given[place]]) for result, given in found), name


def test_what_is_said_to_be_a_view_is_one_somewhere() -> None:
    doubted = set()
    for name, found in CALLS.items():
        is_doubted = any(views.may_view(written(name, call)) for call in found)
        if is_doubted and function(name) and not any(is_shared(name, call) for call in found):
            doubted.add(name)
    assert doubted == DOUBTED


def test_a_function_is_the_same_under_each_of_its_names() -> None:
    by_function: dict[object, list[str]] = {}
    for name in CALLS:
        if name.startswith(("numpy.", "math.", "scipy.")) and function(name) is not None:
            by_function.setdefault(function(name), []).append(name)
    several = [names for names in by_function.values() if len(names) > 1]
    assert len(several) > 12
    for first, *others in several:
        for call in CALLS[first]:
            told = {views.may_view(written(name, call)) for name in (first, *others)}
            assert len(told) == 1, (first, others, call)


def test_a_method_is_as_the_function_of_its_name() -> None:
    methods = {name.removeprefix("ndarray.") for name in CALLS if name.startswith("ndarray.")}
    common = {name for name in methods - NOT_ALIKE if f"numpy.{name}" in CALLS}
    assert len(common) > 30
    for name in common:
        for call in CALLS[f"numpy.{name}"]:
            assert views.may_view(written(f"numpy.{name}", call)) == views.may_view(
                written(f"ndarray.{name}", call)
            ), (name, call)


def given(call: Call) -> tuple[Any, ...]:
    """The arguments of a call that are arrays or numbers."""
    values = (*call.args, *call.keywords.values())
    return tuple(v for v in values if isinstance(v, np.ndarray | float | int | complex))


def expected_shape(shape: Shape, name: str, call: Call) -> tuple[int, ...] | None:
    """The shape that a record tells of a result; None where it tells none of this call."""
    match shape:
        case Shape.SCALAR:
            return ()
        case Shape.EACH if not call.keywords:
            return np.broadcast_shapes(*map(np.shape, call.args))
        case Shape.FIRST if not call.keywords:
            return np.shape(call.args[0])
        case Shape.LIKE:
            return np.shape(liked(name, call))
        case Shape.REDUCED:
            axis, is_kept = reductions.axes(written(name, call)) or (..., False)
            if axis is None:
                return (1,) * np.ndim(call.args[0]) if is_kept else ()
    return None


def liked(name: str, call: Call) -> Any:
    """The argument of which a function reads no more than shape and dtype."""
    place = TOLD[name].like
    assert place is not None
    return call.args[place]


def record_name(name: str) -> str:
    """The name under which a record tells of what the samples call so."""
    return written(name, Call((VECTOR,))).function


TOLD = {name: operations.of(record_name(name)) for name in CALLS}


@pytest.mark.parametrize("name", [name for name in CALLS if TOLD[name].shape is not None])
def test_results_have_the_shape_that_is_told(name: str) -> None:
    shape = TOLD[name].shape
    assert shape is not None
    for call in CALLS[name]:
        expected = expected_shape(shape, name, call)
        if expected is not None:
            args, keywords = copy.deepcopy((call.args, call.keywords))
            assert np.shape(called(name)(*args, **keywords)) == expected, call


def in_integers(value: Any) -> Any:
    """Integers where a call is given floats, but no zeros; what is no number stays."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return (np.ceil(value) + (np.ceil(value) == 0)).astype(int)
    if isinstance(value, dict):
        return {key: in_integers(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(in_integers, value))
    return int(np.ceil(value)) or 1 if isinstance(value, float) else value


def kinds(result: Any) -> set[str]:
    """Which kinds of numbers a result holds, as NumPy calls them."""
    parts = list(arrays(result)) or [np.asarray(result)]
    return {part.dtype.kind for part in parts}


KINDS = {
    Dtype.INTEGER: "iub",
    Dtype.FIRST: "iub",
    Dtype.COMMON: "iub",
    Dtype.PART: "iub",
    Dtype.FLOATS: "fc",
    Dtype.REAL: "f",
}
"""What a function gives that is given integers."""


@pytest.mark.parametrize("name", [name for name in CALLS if TOLD[name].dtype in KINDS])
def test_results_hold_the_numbers_that_are_told(name: str) -> None:
    dtype = TOLD[name].dtype
    assert dtype is not None
    for call in CALLS[name]:
        if "dtype" in call.keywords:
            continue
        args = in_integers(copy.deepcopy(call.args))
        if not any("c" in kinds(a) for a in arrays(args)):
            with np.errstate(all="ignore"):
                result = called(name)(*args, **in_integers(copy.deepcopy(call.keywords)))
            assert kinds(result) <= set(KINDS[dtype]), call


def narrowed(value: Any) -> Any:
    """What holds single precision where a value holds double."""
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        return value.astype(np.float32)
    if isinstance(value, rt.Like) and value.dtype == np.float64:
        return rt.Like(value.shape, np.dtype(np.float32))
    return value


@pytest.mark.parametrize("name", [name for name in CALLS if TOLD[name].dtype is Dtype.LIKE])
def test_results_have_the_dtype_of_what_they_are_like(name: str) -> None:
    place, seen = TOLD[name].like, 0
    assert place is not None
    for call in CALLS[name]:
        args = [copy.deepcopy(each) for each in call.args]
        args[place] = narrowed(args[place])
        if getattr(args[place], "dtype", None) == np.float32 and args[place].shape:
            assert called(name)(*args, **call.keywords).dtype == np.float32, call
            seen += 1
    assert seen


@pytest.mark.parametrize("name", [name for name in CALLS if TOLD[name].keeps_sign])
def test_a_sign_goes_through_what_keeps_it(name: str) -> None:
    for call in CALLS[name]:
        g, *others = call.args
        equal(
            called(name)(-g, *others, **call.keywords), -called(name)(g, *others, **call.keywords)
        )


RUNNING = {name for name, said in records.SAID.items() if said.runs is not None}

GIVEN: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("builtins.filter", "builtins.map"), (abs, [1, 2])),
    **dict.fromkeys(("itertools.combinations", "itertools.permutations"), ([1, 2], 1)),
    "builtins.dict": ([(1, 2)],),
    "itertools.islice": ([1, 2], 1),
    "itertools.starmap": (max, [(1, 2)]),
    "numpy.apply_along_axis": (np.sum, 0, VECTOR),
    "numpy.fromfunction": (np.add, (2, 2)),
    "numpy.fromiter": ([1, 2], float),
    "numpy.ndindex": (2,),
    "python.unpack": ([1, 2], 1, 1),
}


@pytest.mark.parametrize("name", sorted(RUNNING))
def test_iterators_are_given_where_it_is_told(name: str) -> None:
    result = called(name)(*GIVEN.get(name, ([1, 2],)))
    is_iterator = hasattr(result, "__next__")
    assert is_iterator == (records.said(name).runs in (Runs.ELEMENTS, Runs.LATER, Runs.IN_TURN))


@pytest.mark.parametrize(
    "name", [name for name in records.SAID if records.has_elements_of_first(name)]
)
def test_elements_are_given_as_they_are(name: str) -> None:
    assert sorted(called(name)([2, 3, 1])) == [1, 2, 3]


@pytest.mark.parametrize("name", [name for name, said in records.SAID.items() if said.is_one_way])
def test_what_is_one_way_cannot_be_reversed(name: str) -> None:
    home, _, last = name.rpartition(".")
    if home == "builtins":
        with pytest.raises(TypeError):
            reversed(called(name)([1, 2]))
    else:
        assert name == "python.set" or last in {"items", "keys", "values"}


def test_what_makes_complex_numbers_of_real_ones_is_told() -> None:
    makers = set()
    for name, found in CALLS.items():
        for call in found:
            values = (*arrays([*call.args]), *(v for v in call.args if np.isscalar(v)))
            is_told = "dtype" in call.keywords or TOLD[name].dtype_at is not None
            if is_told or any(np.iscomplexobj(v) for v in values) or function(name) is None:
                continue
            args, keywords = copy.deepcopy((call.args, call.keywords))
            if "c" in kinds(called(name)(*args, **keywords)):
                makers.add(name)
    assert {name for name in makers if TOLD[name].dtype is not Dtype.COMPLEX} == set()


BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def parameters(function: Any) -> list[inspect.Parameter] | None:
    """The parameters that a function takes by position; None where that is not told."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return [p for p in found if p.kind in BY_POSITION]


def test_operands_are_called_as_the_functions_call_them() -> None:
    wrong = set()
    for name in {name for d in DECLARED for name in d.functions}:
        rule, known = table.load().get(name), function(name)
        if rule is None or known is None or not targets.is_of(name, "numpy", "scipy"):
            continue
        told = records.by_position(name)
        for place, found in enumerate(parameters(known) or ()):
            rules = [p.name for p in rule.parameters if p.is_positional][place : place + 1]
            names = [*told[place : place + 1], *rules][:1]
            is_named = found.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
            if is_named and set(rules) & set(rule.of) and names != [found.name]:
                wrong.add(name)
    assert wrong == set()


def place_of_result(function: Any) -> int | None:
    """How many arguments by position stand before the one that takes the result."""
    if isinstance(function, np.ufunc):
        return function.nin
    names = [p.name for p in parameters(function) or ()]
    return names.index("out") if "out" in names else None


class Variable:
    """What stands for a variable of TensorFlow's, where there is none."""

    def assign(self, /, value: object, **options: object) -> None: ...
    def assign_add(self, /, delta: object, **options: object) -> None: ...
    def assign_sub(self, /, delta: object, **options: object) -> None: ...


OWNERS = (np.ndarray, list, dict, set, collections.deque, np.random.Generator, Variable)
"""What has methods that change something."""


@pytest.mark.parametrize("name", [name for name, said in records.SAID.items() if said.changes])
def test_what_is_changed_has_its_name_in_the_signature(name: str) -> None:
    said, (home, _, last) = records.said(name), name.rpartition(".")
    owners = OWNERS if home == "ndarray" else (importlib.import_module(home),)
    functions = [getattr(each, last) for each in owners if hasattr(each, last)]
    taken = parameters(functions[0])
    if taken is not None and said.changes is not None:
        (place,) = said.changes
        is_named = taken[place].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        assert said.changes_by == taken[place].name or not (is_named or said.changes_by)


@pytest.mark.parametrize("home", ["numpy", "numpy.fft", "numpy.linalg", "ndarray", "scipy.special"])
def test_results_are_taken_where_the_signature_says_so(home: str) -> None:
    whole = np.ndarray if home == "ndarray" else pytest.importorskip(home)
    for name in dir(whole):
        if not name.startswith("__") and parameters(getattr(whole, name)) is not None:
            place = place_of_result(getattr(whole, name))
            told = records.n_before_out(f"{home}.{name}")
            assert told == (records.ALL if place is None else place), name


@pytest.mark.parametrize("name", [name for name in dir(np) if "busday" not in name])
def test_the_place_for_a_result_is_seen(name: str) -> None:
    place = place_of_result(getattr(np, name, None))
    if place is not None:
        array = ir.Name("out")
        call = ir.Call(f"numpy.{name}", (*[ir.Name("x")] * place, array))
        assert array in effects.written(call)


TYPES: dict[Kind, Any] = {
    Kind.ARRAY: (np.ndarray, np.generic, Number, growth.Growing),
    Kind.INTEGER: Integral,
    Kind.LIST: list,
    Kind.TUPLE: tuple,
    Kind.DICT: dict,
    Kind.RANGE: range,
}
"""What objects of a kind are."""

OTHERS = {
    "math.modf",
    "ndarray.nonzero",
    *(f"numpy.{name}" for name in ("divmod", "modf", "nonzero", "result_type", "unstack")),
    *(f"numpy.{name}" for name in ("dsplit", "hsplit", "vsplit")),
    *(f"numpy.linalg.{name}" for name in ("eigh", "lstsq", "qr", "slogdet", "svd")),
    "python.plus",
}
"""Functions that give tuples or lists, and are said to give arrays; `python.plus` the other way.

FIXME: a part of such a tuple that is written into cannot be put back: `np.linalg.svd(x)[1]`.
"""


GIVING = [name for name in CALLS if TOLD[name].gives in TYPES and not TOLD[name].gives_several]


@pytest.mark.parametrize("name", GIVING)
def test_results_are_of_the_kind_that_is_told(name: str) -> None:
    kind = TOLD[name].gives
    assert kind is not None
    results = []
    for call in CALLS[name]:
        args, keywords = copy.deepcopy((call.args, call.keywords))
        results.append(called(name)(*args, **keywords))
    assert all(isinstance(result, TYPES[kind]) for result in results) != (name in OTHERS)


WRONG: dict[Takes, tuple[Any, ...]] = {
    Takes.NUMBERS: ([1.0, 2.0], (1.0, 2.0), np.array([1.0, 2.0])),
    Takes.SEQUENCES: (1.0, 2),
}
"""What a function cannot be given; as its first argument, if it takes what has elements."""


@pytest.mark.parametrize("name", [name for name in CALLS if TOLD[name].takes in WRONG])
def test_functions_fail_that_are_given_what_they_do_not_take(name: str) -> None:
    takes = TOLD[name].takes
    assert takes is not None
    for call in CALLS[name]:
        for place in range(len(call.args) if takes is Takes.NUMBERS else 1):
            for wrong in WRONG[takes]:
                args = [*call.args]
                args[place] = wrong
                with pytest.raises((TypeError, ValueError)):
                    called(name)(*args, **call.keywords)


COMPUTED: dict[Operation, Any] = {
    Operation.ADD: np.add,
    Operation.SUBTRACT: np.subtract,
    Operation.MULTIPLY: np.multiply,
    Operation.DIVIDE: np.divide,
    Operation.NEGATE: np.negative,
    Operation.EXP: np.exp,
    Operation.LOG: np.log,
    Operation.SUM: np.sum,
    Operation.MEAN: np.mean,
}
"""The functions of NumPy for what is computed."""


@pytest.mark.parametrize("name", [name for name in CALLS if TOLD[name].computes in COMPUTED])
def test_functions_compute_what_is_told(name: str) -> None:
    operation = TOLD[name].computes
    assert operation is not None
    for call in CALLS[name]:
        equal(
            called(name)(*call.args, **call.keywords),
            COMPUTED[operation](*call.args, **call.keywords),
        )


@pytest.mark.parametrize("name", [name for name, record in records.SAID.items() if record.compares])
def test_what_compares_has_no_truth_for_arrays(name: str) -> None:
    with pytest.raises(ValueError, match="ambiguous"):
        bool(called(name)(VECTOR, VECTOR + 1.0))
