"""The text form of values: each is read back, and what is no value is refused with its place."""

from __future__ import annotations

import string
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adlsp.transform.values import lattice, parse, signature
from adlsp.transform.values.lattice import (
    EITHER,
    NONE,
    UNKNOWN,
    UNREACHED,
    Array,
    Choice,
    Function,
    Literal,
    Mapped,
    Number,
    Numeric,
    Object,
    Range,
    Run,
    Sequence,
    Size,
    Slice,
    Value,
)

N, M = Size("n", may_be_one=False), Size("m", may_be_one=False)
FLOAT = Number("float")

TEXTS: dict[str, Value] = {
    "float": FLOAT,
    "int": Number("int"),
    "bool": Number("bool"),
    "complex": Number("complex"),
    "np.float64": Number("float", "float64"),
    "np.float64?": Number("float", EITHER),
    "np.bool": Number("bool", "bool"),
    "np.uint8": Number("int", "uint8"),
    "np.complex64(2.5)": Number("complex", "complex64", 2.5),
    "3": Number("int", constant=3),
    "-3": Number("int", constant=-3),
    "True": Number("bool", constant=True),
    "1e-07": Number("float", constant=1e-7),
    "-2.0": Number("float", constant=-2.0),
    'float("-inf")': Number("float", constant=float("-inf")),
    'complex("(1+2j)")': Number("complex", constant=1 + 2j),
    "np.int64(3)": Number("int", "int64", 3),
    '"relu"': Literal("str", "relu"),
    '"a \\"b\\"\\n"': Literal("str", 'a "b"\n'),
    '"Größe"': Literal("str", "Größe"),
    "str": Literal("str"),
    'b"a\\u00ff"': Literal("bytes", b"a\xff"),
    "None": NONE,
    "...": Literal("ellipsis", ...),
    'dtype("float32")': Literal("dtype", "float32"),
    "dtype(?)": Literal("dtype"),
    "float64[n, m]": Array("float64", (N, M)),
    "float64[]": Array("float64", ()),
    "float64[1, n]": Array("float64", (1, N)),
    "float64[...]": Array("float64"),
    "?[n, ?]": Array(None, (N, None)),
    "?[...]": Array(),
    "bool[n?]": Array("bool", (Size("n"),)),
    "int32[n - 2, n + 1 != 1]": Array("int32", (Size("n", -2), Size("n", 1, may_be_one=False))),
    "tf.float32[n]": Array("float32", (N,), library="tensorflow"),
    "tf.?[...]": Array(library="tensorflow"),
    "numeric": Numeric(),
    "numeric[float64]": Numeric("float64"),
    "(float, float64[n])": Sequence(False, (FLOAT, Array("float64", (N,)))),
    "(float,)": Sequence(False, (FLOAT,)),
    "()": Sequence(False, ()),
    "tuple[float, ...]": Sequence(False, None, FLOAT),
    "tuple[float, n]": Sequence(False, None, FLOAT, N),
    "[float, ?]": Sequence(True, (FLOAT, UNKNOWN)),
    "[]": Sequence(True, ()),
    "list[float64[n]]": Sequence(True, None, Array("float64", (N,))),
    "list[float, 100]": Sequence(True, None, FLOAT, 100),
    "list[never]": Sequence(True, None, UNREACHED),
    '{"w": float, 1: int, None: int, ("a", -1): int}': Mapped(
        (("w", FLOAT), *((key, Number("int")) for key in (1, None, ("a", -1))))
    ),
    "{}": Mapped(()),
    "dict[float]": Mapped(None, FLOAT),
    "Linear(w=float64[n, m])": Object("Linear", (("w", Array("float64", (N, M))),)),
    "nn.layers.Empty()": Object("nn.layers.Empty"),
    "Linear(w=float) | None": Object("Linear", (("w", FLOAT),), may_be_none=True),
    'object("range", n=float)': Object("range", (("n", FLOAT),)),
    "mine.decay": Function("mine.decay"),
    'function("numpy")': Function("numpy"),
    'function("nested:mine.f")': Function("nested:mine.f"),
    "mine.train.<locals>.<lambda:12:8>": Function("mine.train.<locals>.<lambda:12:8>"),
    "mine.loss:7": Function("mine.loss:7"),
    "either(mine.decay, numpy.tanh)": Choice((Function("mine.decay"), Function("numpy.tanh"))),
    "partial(mine.decay, float, k=int)": Function("mine.decay", (FLOAT,), (("k", Number("int")),)),
    "range(n)": Range(N),
    "range(?, int)": Range(None, Number("int")),
    "slice(1, None, ?)": Slice(Number("int", constant=1), NONE, UNKNOWN),
    "run[float]": Run(FLOAT),
    "run[(int, float), n]": Run(Sequence(False, (Number("int"), FLOAT)), N),
    "?": UNKNOWN,
    "never": UNREACHED,
}


@pytest.mark.parametrize(("text", "value"), TEXTS.items(), ids=TEXTS)
def test_each_value_has_a_text(text: str, value: Value) -> None:
    assert signature.text(value) == text
    assert parse.value(text) == value


WRONG = {
    "": (1, "a value"),
    "flaot": (1, "a value"),
    "flaot64[n]": (1, "a dtype"),
    "float64": (1, "a value"),
    "float64[n": (10, "`,` or `]`"),
    "float64[n m]": (11, "`,` or `]`"),
    "float64[n.m]": (9, "a size"),
    "float64[n - m]": (13, "an integer"),
    "float64[1.5]": (9, "an integer"),
    "float64[n - 1 != 2]": (18, "`1`"),
    "float[n]": (1, "a value"),
    "(float)": (7, "`,`"),
    "(float int)": (8, "`,` or `)`"),
    "tuple[float]": (12, "`,`"),
    "list": (1, "a value"),
    '{"a" 1}': (6, "`:`"),
    '{"a": int, "a": int}': (12, "another key"),
    '"relu': (1, "a value"),
    "mine.f(float)": (1, "a value"),
    "mine.f(a=int, a=int)": (15, "another name"),
    "mine.f(a=int, int)": (15, "a name"),
    "partial(float)": (1, "a value"),
    "slice(1, 2)": (1, "a value"),
    'float("x")': (7, "a number"),
    "float int": (7, "the end"),
    "$": (1, "a value"),
    "[" * 99: (51, "less nesting"),
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_text_is_refused_with_its_place(text: str) -> None:
    column, wanted = WRONG[text]
    with pytest.raises(ValueError, match="expected") as raised:
        parse.value(text)
    assert str(raised.value).startswith(f"expected {wanted} at column {column} of `{text}`, found")


def test_a_signature_has_a_text() -> None:
    text = 'w: float64[n, d], p: {"w": float64[n]}, f: mine.decay, model: mine.Linear(w=int32[d])'
    values = parse.signature(text)
    assert list(values) == ["w", "p", "f", "model"]
    assert signature.signature_text(values) == text
    short = text.replace("mine.", "")
    assert signature.signature_text(values, "mine") == short
    assert parse.signature("") == {}


@pytest.mark.parametrize("text", ["x: int, x: int", "x", "x int", "x: int y: int", "a. b: int"])
def test_a_wrong_signature_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="at column"):
        parse.signature(text)


def test_an_object_that_stands_twice_is_told_by_its_place() -> None:
    text = 'net: m.Net(a=m.A(w=float64[n]), d={"p": [@net.a]}, e=@net.d), x: @net.d["p"][0]'
    found = parse.signature(text)
    assert found["x"] == replace(dict(found["net"].attributes)["a"], sites=frozenset({"net.a"}))
    assert signature.signature_text(found) == text.replace('@net.d["p"][0]', "@net.a")
    assert parse.signature("x: [@x]") == {"x": Sequence(True, (UNKNOWN,))}
    for wrong in ("x: @y", "x: @", "a: float, x: @a", "x: @a.b, a: m.A(b=m.B())"):
        with pytest.raises(ValueError, match=r"expected|no object"):
            parse.signature(wrong)
    with pytest.raises(ValueError, match=r"part of another"):
        parse.value("[@x]")


def test_sizes_of_the_program_have_letters_that_are_free() -> None:
    made, later = Size((3, 4), may_be_one=False), Size((9, "axis"))
    values = {
        "n": Array("float64", (made, Size("m"), made + -1)),
        "x": Array("float64", (later, made)),
    }
    assert signature.signature_text(values) == "n: float64[k, m?, k - 1], x: float64[d?, k]"
    writer = signature.Writer({"n", "m", "k"})
    assert [writer.value(value) for value in values.values()] == [
        "float64[d, m?, d - 1]",
        "float64[p?, d]",
    ]
    names = signature.letters("n")
    taken = [next(names) for _ in range(60)]
    assert len({*taken}) == 60
    assert taken[:2] == ["m", "k"]


def test_what_is_known_of_an_integer_is_not_written() -> None:
    assert signature.text(Number("int", constant=N)) == "int"
    assert signature.text(Number("int", constant=10**5000)) == "int"


def test_the_short_name_of_a_class_is_no_word_of_the_text() -> None:
    values = {"x": Object("mine.list", ()), "f": Function("mine.float")}
    assert signature.signature_text(values, "mine") == "x: mine.list(), f: mine.float"


SYMBOLS = st.sampled_from("nmk")
SIZES = st.one_of(
    st.none(),
    st.integers(0, 5),
    st.builds(Size, SYMBOLS, st.integers(-2, 2), st.booleans()),
)
KEYS = st.one_of(st.text(max_size=3), st.integers(-9, 9), st.booleans(), st.none())
NAMES = st.text(string.ascii_letters + "_", min_size=1, max_size=6).filter(str.isidentifier)
DTYPES = st.sampled_from(["float64", "float32", "bool", "int8", "complex128"])
DOTTED = st.builds("{}.{}".format, NAMES, NAMES)
LEAVES = st.one_of(
    st.sampled_from([UNKNOWN, UNREACHED, NONE, Literal("str"), Numeric(), Number("int")]),
    st.one_of(st.text(), st.binary(), st.booleans(), st.integers(-(2**60), 2**60)).map(
        lattice.of_constant
    ),
    st.floats(allow_nan=False).map(lattice.of_constant),
    st.builds(Literal, st.just("dtype"), DTYPES),
    st.builds(Number, st.just("float"), st.just("float64"), st.floats(allow_nan=False)),
    st.builds(
        Array,
        st.none() | DTYPES,
        st.none() | st.lists(SIZES, max_size=3).map(tuple),
        library=st.sampled_from(["numpy", "tensorflow"]),
    ),
    st.builds(Numeric, DTYPES),
    st.builds(Function, DOTTED),
)


def _structures(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    items = st.lists(inner, max_size=3).map(tuple)
    attributes = st.dictionaries(NAMES, inner, max_size=3).map(lambda held: tuple(held.items()))
    entries = st.dictionaries(KEYS, inner, max_size=3).map(lambda held: tuple(held.items()))
    return st.one_of(
        st.builds(Sequence, st.booleans(), items),
        st.builds(Sequence, st.booleans(), st.none(), inner, SIZES),
        st.builds(Mapped, entries),
        st.builds(Mapped, st.none(), inner),
        st.builds(Object, DOTTED, attributes),
        st.builds(Function, DOTTED, items, attributes),
        st.builds(Range, SIZES, inner),
        st.builds(Slice, inner, inner, inner),
        st.builds(Run, inner, SIZES),
    )


@settings(max_examples=300, deadline=None)
@given(st.recursive(LEAVES, _structures, max_leaves=8))
def test_what_is_written_is_read_back(value: Value) -> None:
    assert parse.value(signature.text(value)) == value


@settings(max_examples=300, deadline=None)
@given(st.text('nfloat64[](){}:,=?.-"1 ', max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        value = parse.value(text)
    except ValueError:
        return
    assert parse.value(signature.text(value)) == value
