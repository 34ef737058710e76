"""The table of rules, the reader of declarations, and how calls bind to rules."""

import ast
import subprocess
import sys

import pytest
from interpreter import function

from adlsp.transform import ir
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend.resolve import StaticResolver
from adlsp.transform.rules import reader, table
from adlsp.transform.source import Source

TABLE = table.load()

USERS = """
import adlsp
import numpy as np
from adlsp import rules
from adlsp.rules import linear as is_linear


@rules.elementwise("mine.softplus", when="real arguments")
def softplus(x):
    return 1 / (1 + np.exp(-x))


@is_linear("mine.twice", of="x")
def twice(x, *, out_bar):
    return 2 * out_bar


@adlsp.rules.forward("mine.f")
def f_forward(a, n, *, b, a_dot):
    return a_dot


adlsp.rules.constant("mine.count")


def linear(x):
    return x


@linear("mine.unrelated")
def unrelated(x):
    return x
"""


def read(text: str) -> tuple[table.Table, list[Diagnostic]]:
    source = Source("mine.py", "mine", text)
    declarations, problems = reader.read(source)
    return table.Table(declarations, StaticResolver({"mine": source}.get)), problems


def bound(name: str, *args: ir.Atom, **keywords: ir.Atom) -> dict[str, ir.Atom] | str:
    rule = TABLE.get(name)
    assert rule is not None
    return table.bind(rule.parameters, ir.Call(name, args, tuple(keywords.items())))


X, Y, NONE = ir.Name("x"), ir.Name("y"), ir.Const(None)


@pytest.mark.parametrize("name", TABLE.names())
def test_every_rule_makes_sense_and_knows_all_its_names(name: str) -> None:
    rule = TABLE.read(name)
    assert isinstance(rule, table.Rule), rule
    for template in (t for one in (rule, *rule.others) for t in (one.reverse, one.forward)):
        for statement in template.function.body[:-1] if template else ():
            assert isinstance(statement, ir.Assign)
            assert isinstance(statement.value, ir.Call)
            called = statement.value.function
            if called.startswith("scipy."):
                pytest.importorskip("scipy")
            assert called == "python.tuple" or function(called)


@pytest.mark.parametrize("file", table.FILES)
def test_built_in_files_have_no_problems_and_no_rule_twice(file: str) -> None:
    declarations, problems = reader.read(table.source(file))
    assert declarations
    assert not problems


@pytest.mark.parametrize("file", table.FILES)
def test_the_parts_of_a_built_in_file_are_what_it_declares(file: str) -> None:
    """A part is read for the names that its words seem to take: none may be missed."""

    def said(declaration: reader.Declaration) -> tuple[object, ...]:
        body = "" if declaration.body is None else ast.unparse(declaration.body)
        told = (declaration.word, declaration.functions, declaration.of, declaration.when)
        return (*told, declaration.span, declaration.places, declaration.of_place, body)

    source = table.source(file)
    parts = [*reader.parts(source)]
    found = [said(declaration) for part in parts for declaration in part.declarations]
    assert found == [*map(said, reader.read(source)[0])]
    for part in parts:
        assert part.names == tuple(n for d in part.declarations for n in d.functions)


def test_rules_have_the_parameters_that_numpy_has() -> None:
    rule = TABLE.get("numpy.ptp")
    assert rule is not None
    assert [(p.name, p.kind.value) for p in rule.parameters] == [
        ("a", "positional"),
        ("axis", "positional"),
        ("keepdims", "keyword"),
    ]
    assert rule.of == ("a",)
    assert rule.reverse is not None
    assert rule.reverse.parameters == ("a", "axis", "keepdims", "out_bar")


def test_a_forward_and_a_reverse_rule_are_one() -> None:
    rule = TABLE.get("numpy.linalg.solve")
    assert rule is not None
    assert (rule.kind, rule.of) == ("custom", ("a", "b"))
    assert rule.forward is not None
    assert rule.reverse is not None
    assert len(rule.forward.results) == len(rule.reverse.results) == 2


def test_another_rule_supports_other_arguments() -> None:
    rule = TABLE.get("numpy.linalg.norm")
    assert rule is not None
    plain, other = ir.Call(rule.name, (X,)), ir.Call(rule.name, (X, ir.Const(1)))
    assert table.fitting(rule, plain) is rule
    assert table.fitting(rule, other) is rule.others[0]
    assert table.fitting(rule, ir.Call(rule.name, (X,), (("where", Y),))) is rule


def test_there_is_no_rule_for_what_was_not_declared() -> None:
    assert TABLE.get("numpy.no_such_function") is None
    assert TABLE.read("numpy.no_such_function") is None


def test_arguments_are_bound_by_position_and_by_keyword_with_defaults() -> None:
    assert bound("numpy.ptp", X) == {"a": X, "axis": NONE, "keepdims": ir.Const(False)}
    assert bound("numpy.ptp", X, ir.Const(0), keepdims=Y) == {
        "a": X,
        "axis": ir.Const(0),
        "keepdims": Y,
    }
    assert bound("numpy.where", X, y=X, x=Y) == {"condition": X, "x": Y, "y": X}


def test_arguments_that_the_rule_does_not_know_are_named() -> None:
    assert bound("numpy.sum", X, dtype=Y) == "dtype"
    assert bound("numpy.ptp", X, NONE, Y) == "number 3"
    assert bound("numpy.tanh", X, out=Y) == "out"
    assert bound("numpy.copysign", X) == "x2"
    assert bound("numpy.sum", X, a=Y) == "a"


def test_an_annotation_says_which_values_are_supported() -> None:
    full, edge = ir.Const("full"), ir.Const("edge")
    assert bound("numpy.convolve", X, Y, full) == {"a": X, "v": Y, "mode": full}
    assert bound("numpy.convolve", X, Y, mode=edge) == "mode"
    assert bound("numpy.convolve", X, Y, X) == "mode"
    wide, whole = ir.Global("numpy.float64"), ir.Global("builtins.int")
    assert bound("numpy.nan_to_num", X, copy=ir.Const(True)) != "copy"
    assert bound("numpy.nan_to_num", X, copy=ir.Const(False)) == "copy"
    for dtype in (wide, ir.Const("float64")):
        call = ir.Call("numpy.array", (X,), (("dtype", dtype),))
        rule = TABLE.get("numpy.array")
        assert rule is not None
        rule = table.fitting(rule, call)
        assert rule is not None
        found = table.bind(rule.parameters, call)
        assert isinstance(found, dict)
        assert found["dtype"] == dtype
    assert bound("numpy.array", X, dtype=whole) == "dtype"
    assert bound("numpy.array", X, dtype=Y) == "dtype"


def test_a_text_that_is_part_of_a_rule_has_to_be_written_in_the_call() -> None:
    assert bound("numpy.einsum", ir.Const("i,i"), X, Y)["b"] == Y  # type: ignore[index]
    assert bound("numpy.einsum", X, Y) == "subscripts"
    assert bound("numpy.einsum", ir.Const(1), Y) == "subscripts"


def test_several_values_of_one_parameter() -> None:
    axes = ir.Const((1, 0))
    assert bound("ndarray.transpose", X) == {"a": X, "axes": NONE}
    assert bound("ndarray.transpose", X, Y) == {"a": X, "axes": Y}
    assert bound("ndarray.transpose", X, ir.Const(1), ir.Const(0)) == {"a": X, "axes": axes}
    assert bound("ndarray.transpose", X, Y, ir.Const(0)) == "axes"
    assert bound("ndarray.reshape", X, Y, ir.Const(2)) == {"a": X, "order": ir.Const("C")}


def test_rules_of_users_are_found_in_their_text() -> None:
    own, problems = read(USERS)
    assert not problems
    assert own.names() == ("mine.count", "mine.f", "mine.softplus", "mine.twice")
    softplus, twice, count = map(own.get, ("mine.softplus", "mine.twice", "mine.count"))
    assert softplus is not None
    assert (softplus.kind, softplus.of, softplus.when) == ("elementwise", ("x",), "real arguments")
    assert twice is not None
    assert (twice.kind, twice.of) == ("linear", ("x",))
    assert count == table.Rule("mine.count", "constant")


@pytest.mark.parametrize(
    ("declaration", "message"),
    [
        ("@linear('mine.f')\ndef f(x, *, out_bar):\n    return x", "does not say"),
        ("@linear(NAME, of='x')\ndef f(x, *, out_bar):\n    return x", "literals"),
        ("@linear(of='x')\ndef f(x, *, out_bar):\n    return x", "names of functions"),
        ("@elementwise('mine.f', off='x')\ndef f(x):\n    return x", "no such option"),
    ],
)
def test_declarations_that_cannot_be_read_are_problems(declaration: str, message: str) -> None:
    _, problems = read(
        f"from adlsp.rules import *\nfrom adlsp.rules import {WORDS}\n{declaration}\n"
    )
    (problem,) = problems
    assert message in problem.finding.text()
    assert problem.span.line == 3


WORDS = ", ".join(reader.WORDS)


@pytest.mark.parametrize(
    ("declaration", "message"),
    [
        ("@elementwise('mine.f')\ndef f(x, y):\n    return 1, 2, 3", "3 results for 2"),
        ("@elementwise('mine.f')\ndef f(x):\n    if x:\n        x = 1\n    return x", "straight"),
        ("@linear('mine.f', of='y')\ndef f(x, *, out_bar):\n    return x", "no parameter"),
        ("@reverse('mine.f')\ndef f(*, out_bar):\n    return x", "differentiated"),
        (
            "@elementwise('mine.f')\ndef f(x):\n    return x\n"
            "@elementwise('mine.f')\ndef g(x):\n    return x",
            "more than one",
        ),
    ],
)
def test_rules_that_contradict_themselves_are_problems(declaration: str, message: str) -> None:
    own, problems = read(f"from adlsp.rules import {WORDS}\nx = 1.0\n{declaration}\n")
    assert not problems
    problem = own.read("mine.f")
    assert isinstance(problem, Diagnostic)
    assert message in problem.finding.text()
    assert own.get("mine.f") is None


def test_a_text_with_a_syntax_error_has_no_rules() -> None:
    own, problems = read("def f(:\n")
    assert own.names() == ()
    assert not problems


def test_the_words_do_nothing_when_a_module_is_imported() -> None:
    program = (
        "import sys\n"
        "from adlsp.transform.rules.declare import constant, elementwise, linear\n"
        "from adlsp.transform.rules.numpy import elementwise as rules\n"
        "def f(x): return x\n"
        "assert elementwise('a.b')(f) is f and linear('a.c', of='x')(f) is f\n"
        "assert constant('a.d') is None\n"
        "assert rules.add(1, 2) == (1, 1)\n"
        "assert 'numpy' not in sys.modules and 'gast' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_rules_are_loaded_without_numpy() -> None:
    program = (
        "import sys\n"
        "from adlsp.transform.rules import table\n"
        "assert table.load().get('numpy.tanh').kind == 'elementwise'\n"
        "assert 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("name", TABLE.names())
def test_what_a_rule_computes_can_be_differentiated_again(name: str) -> None:
    rule = TABLE.get(name)
    assert rule is not None
    rules = (rule, *rule.others)
    for template in filter(None, (t for one in rules for t in (one.reverse, one.forward))):
        carriers = {f"{parameter}_dot" for parameter in rule.of} | {"out", "out_bar", *rule.of}
        for statement in template.function.body[:-1]:
            assert isinstance(statement, ir.Assign)
            assert isinstance(statement.value, ir.Call)
            if carries(statement.value, carriers):
                carriers.update(statement.targets)


def carries(call: ir.Call, carriers: set[str]) -> bool:
    """Tells whether a result depends smoothly on carriers; if so, it has a rule that says how."""
    active = [atom for atom in call.atoms if isinstance(atom, ir.Name) and atom.id in carriers]
    if not active or call.function in OF_THE_ENGINE:
        return bool(active)
    if call.function in ONCE:
        return True
    rule = TABLE.get(call.function.replace("attribute.", "ndarray."))
    assert rule is not None, f"no rule for {call.function}"
    if rule.kind == "constant":
        return False
    rule = table.fitting(rule, with_defaults(call, rule.parameters))
    given = table.bind(rule.parameters, with_defaults(call, rule.parameters))
    assert isinstance(given, dict), f"{call.function} does not support {given}"
    smooth = [given[parameter] for parameter in rule.of]
    flat = [given[name] for name in (*FLAT_IN.get(call.function, "").split(), *rule.silent)]
    for atom in active:
        assert atom in smooth or atom in flat, f"{call.function} of {atom}"
    return any(atom in smooth for atom in active)


def with_defaults(call: ir.Call, parameters: tuple[ir.Parameter, ...]) -> ir.Call:
    """The call as where the rule's caller leaves options alone, which may have to be literals."""
    defaults = {p.name: p.default for p in parameters if p.annotation and p.default is not None}
    args = (defaults.get(a.id, a) if isinstance(a, ir.Name) else a for a in call.args)
    return ir.Call(call.function, tuple(args), call.keywords)


OF_THE_ENGINE = ("python.tuple", "python.list", "operator.getitem")

ONCE = (
    "adlsp.runtime.norm_bend",
    "adlsp.runtime.svd_dot",
    "adlsp.runtime.svd_bar",
    "numpy.linalg.eig",
)
"""Functions that rules call and that have none: a second derivative is refused there."""

FLAT_IN = {
    "adlsp.runtime.binned": "a",
    "adlsp.runtime.block_bar": "arrays",
    "adlsp.runtime.binned_bar": "a",
    "adlsp.runtime.edges": "a",
    "adlsp.runtime.edges_bar": "a",
    "adlsp.runtime.chosen": "values extreme",
    "adlsp.runtime.chosen_bar": "values extreme",
    "adlsp.runtime.entered": "entries",
    "adlsp.runtime.entered_bar": "entries",
    "adlsp.runtime.entry_bar": "entries",
    "adlsp.runtime.expand_as": "x",
    "adlsp.runtime.tensors.einsum_bar_a": "a",
    "adlsp.runtime.tensors.einsum_bar_b": "b",
    "adlsp.runtime.tensors.einsum_bar_c": "c",
    "adlsp.runtime.tensors.einsum_bar_d": "d",
    "adlsp.runtime.tensors.tensordot_bar_a": "a",
    "adlsp.runtime.tensors.tensordot_bar_b": "b",
    "adlsp.runtime.tensors.others_bar": "x",
    "adlsp.runtime.tensors.max_pool_bar": "x pooled",
    "adlsp.runtime.tensors.max_pool_dot": "x pooled",
    "tensorflow.raw_ops.ReluGrad": "features",
    "tensorflow.raw_ops.Relu6Grad": "features",
    "adlsp.runtime.fitted": "like",
    "adlsp.runtime.head_bar": "values",
    "adlsp.runtime.in_order": "values",
    "adlsp.runtime.in_order_bar": "values",
    "adlsp.runtime.repeated_as": "like",
    "adlsp.runtime.tail_bar": "values",
    "adlsp.runtime.plus_back": "part a b",
    "adlsp.runtime.plus_bar": "a b",
    "adlsp.runtime.plus_part": "g a b",
    "adlsp.runtime.repeats_bar": "values",
    "adlsp.runtime.transposed_bar": "rows",
    "adlsp.runtime.broadcast_arrays_bar": "args",
    "adlsp.runtime.meshgrid_bar": "xi",
    "adlsp.runtime.number_of_bar": "x",
    "adlsp.runtime.seen_bar": "x",
    "adlsp.runtime.without_bar": "values",
    "adlsp.runtime.restructure": "x",
    "adlsp.runtime.cross_bar": "a",
    "adlsp.runtime.fit_to": "x",
    "adlsp.runtime.staying": "x",
    "adlsp.runtime.unbroadcast": "like",
    "adlsp.runtime.cast_item": "owner",
    "adlsp.runtime.cast_like": "like",
    "adlsp.runtime.matmul_bar_a": "a",
    "adlsp.runtime.matmul_bar_b": "b",
    "adlsp.runtime.dot_bar_a": "a",
    "adlsp.runtime.dot_bar_b": "b",
    "adlsp.runtime.inner_bar_a": "a",
    "adlsp.runtime.inner_bar_b": "b",
    "adlsp.runtime.kron_bar_a": "a",
    "adlsp.runtime.kron_bar_b": "b",
    "adlsp.runtime.tensordot_bar_a": "a",
    "adlsp.runtime.tensordot_bar_b": "b",
    "adlsp.runtime.solve_transposed": "b",
    "adlsp.runtime.growing_bar": "values",
    "adlsp.runtime.listed": "x",
    "adlsp.runtime.split_bar": "arrays",
    "adlsp.runtime.repack": "values",
    "adlsp.runtime.sum_bar": "iterable",
    "adlsp.runtime.insert_bar_arr": "arr values",
    "adlsp.runtime.insert_bar_values": "arr values",
    "adlsp.runtime.quantiles": "a",
    "adlsp.runtime.quantiles_bar": "a",
    "adlsp.runtime.select_bar": "choices",
    "adlsp.runtime.unlisted": "like",
    "adlsp.runtime.interp_slope": "x",
    "adlsp.runtime.interp_slope_bar": "x",
}
"""The arguments of our own functions that give a shape only, or select one of many segments."""
