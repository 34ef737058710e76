"""What annotations say: each line of the table has an annotation and the text of its value."""

from __future__ import annotations

import pytest

from adlsp.transform.values import annotations, signature
from adlsp.transform.values.annotations import Fields
from adlsp.transform.values.lattice import Unknown

CLASSES = {
    "Linear": Fields("mine.Linear", (("w", 'Float64[np.ndarray, "d k"]'), ("n", "int"))),
    "Params": Fields("mine.Params", (("w", "'np.ndarray'"), ("layer", "Linear")), True),
    "Node": Fields("mine.Node", (("value", "float"), ("next", "Node"))),
}

MEANINGS = {
    "Vector": "NDArray[np.float64]",
    "Table": "Rows",
    "Rows": "list[Vector]",
    "jax.Array": "jax.Array",
    "onp.ndarray": "numpy.ndarray",
    "Array": "other.Array",
    "jxt.Float32": "jaxtyping.Float32",
    "Loop": "list[Loop]",
}

KNOWN = {
    "float": "float",
    "int": "int",
    "bool": "bool",
    "complex": "complex",
    "np.float64": "np.float64",
    "numpy.float32": "np.float32",
    "np.bool_": "np.bool",
    "np.double": "np.float64",
    "np.int_": "np.int64",
    "np.floating": "numeric",
    "str": "str",
    "None": "None",
    "range": "range(?, int)",
    "np.ndarray": "?[...]",
    "'np.ndarray'": "?[...]",
    "np.ndarray[Any, np.dtype[np.float64]]": "float64[...]",
    "np.ndarray[tuple[int, int], np.dtype[np.float32]]": "float32[?, ?]",
    "np.ndarray[tuple[int, ...], np.dtype[np.float32]]": "float32[...]",
    "NDArray": "?[...]",
    "NDArray[np.float64]": "float64[...]",
    "npt.NDArray[np.str_]": "?[...]",
    "numpy.typing.NDArray[np.floating[Any]]": "?[...]",
    'Float[Array, "n d"]': "?[n?, d?]",
    'Float64[np.ndarray, "n d"]': "float64[n?, d?]",
    'Float[np.ndarray, ""]': "?[]",
    'jaxtyping.Int32[np.ndarray, "1 3"]': "int32[1, 3]",
    'Bool[np.ndarray, "... d"]': "bool[...]",
    'Float32[np.ndarray, "*batch d"]': "float32[...]",
    'Float32[np.ndarray, "#*batch d"]': "float32[...]",
    'Float64[np.ndarray, "#n _ n+1 n-2 rows=4 2*n"]': "float64[?, ?, n + 1, n - 2, 4, ?]",
    'Float32[tf.Tensor, "n d"]': "tf.float32[n?, d?]",
    'Float[NDArray[np.float64], "n"]': "float64[n?]",
    "tf.Tensor": "tf.?[...]",
    "list[float]": "list[float]",
    "List[np.ndarray]": "list[?[...]]",
    "list": "list[?]",
    "tuple[float, ...]": "tuple[float, ...]",
    "tuple[float, int]": "(float, int)",
    "tuple[float]": "(float,)",
    "tuple[()]": "()",
    "dict[str, np.ndarray]": "dict[?[...]]",
    "Union[float, np.ndarray]": "numeric",
    "float | np.ndarray": "numeric",
    "Annotated[float, 'in metres']": "float",
    "Final[int]": "int",
    'Literal["a"]': '"a"',
    'Literal["a", "b"]': "str",
    "Literal[-1]": "-1",
    "Literal[None]": "None",
    "Linear": "mine.Linear(w=float64[?, ?], n=int)",
    "Params": '{"w": ?[...], "layer": mine.Linear(w=float64[?, ?], n=int)}',
    "list['Linear']": "list[mine.Linear(w=float64[?, ?], n=int)]",
    "Node": "mine.Node(value=float, next=?)",
}

UNKNOWNS = (
    *("ArrayLike", "Any", "object", "Tensor", "jax.Array", "Final", "Sequence[float]", "set[int]"),
    *("Optional[float]", "float | None", "np.ndarray | str", "Callable[[float], float]"),
    *("type[float]", "tuple[*Ts]", "tuple[float, *tuple[int, ...]]", "lambda: 3", "x y", "", "("),
    *("Float[torch.Tensor, 'n']", "Float[np.ndarray, n]", "Literal[Color.RED]", "np.datetime64"),
    *("np.object_", "np.float", "list[int, float]", "'a b'", "Float[float, '']", "np.float64[n]"),
)

BY_MEANING = {
    "Vector": "float64[...]",
    "Table": "list[float64[...]]",
    "onp.ndarray": "?[...]",
    'jxt.Float32[onp.ndarray, "n"]': "float32[n?]",
    "Array": "?",
    'Float[Array, "n"]': "?",
    "list[Vector]": "list[float64[...]]",
}


@pytest.mark.parametrize("annotation", KNOWN)
def test_what_an_annotation_says(annotation: str) -> None:
    assert signature.text(annotations.of(annotation, CLASSES.get)) == KNOWN[annotation]


@pytest.mark.parametrize("annotation", UNKNOWNS)
def test_what_does_not_tell_is_unknown(annotation: str) -> None:
    value = annotations.of(annotation)
    assert isinstance(value, Unknown)
    why = value.why.replace("lambda :", "lambda:")  # as Python 3.10 writes it
    assert why in (annotation, annotation.strip("'"), annotation.replace("*Ts", "*Ts,"))


@pytest.mark.parametrize("annotation", BY_MEANING)
def test_names_mean_what_the_module_says(annotation: str) -> None:
    value = annotations.of(annotation, CLASSES.get, MEANINGS.get)
    assert signature.text(value) == BY_MEANING[annotation]


DECLARED = {
    "@dataclass\nclass A:\n    w: np.ndarray\n    b: float = 0.0\n    def f(self): ...": "w b",
    "class A(NamedTuple):\n    x: float\n    y: float": "x y",
    "class A(Linear):\n    n: float\n    m: int": "w n m",
    "class A(nn.Generic[T], Protocol):\n    x: float": "x",
    "class A:\n    k: ClassVar[int] = 3\n    i: InitVar[int]\n    _: KW_ONLY\n    x: int": "x",
    "class A: ...": "",
}

NOT_DECLARED = (
    "class A(Other):\n    x: float",
    "class A(Enum):\n    x: int",
    "class A(TypedDict, total=False):\n    x: float",
    "class A(TypedDict):\n    x: NotRequired[float]",
    "def A(): ...",
    "x = 1\ny = 2",
    "class",
    "",
)


@pytest.mark.parametrize("text", DECLARED)
def test_the_fields_of_a_class(text: str) -> None:
    found = annotations.declared(text, "mine.A", CLASSES.get)
    assert found is not None
    assert " ".join(name for name, _ in found.fields) == DECLARED[text]
    assert found.of == "mine.A"
    assert not found.is_dictionary


def test_what_a_class_says_again_counts() -> None:
    found = annotations.declared("class A(Linear):\n    n: float", "mine.A", CLASSES.get)
    assert found is not None
    assert dict(found.fields)["n"] == "float"


@pytest.mark.parametrize("base", ["TypedDict", "typing.TypedDict", "Params"])
def test_a_dictionary_with_typed_keys(base: str) -> None:
    found = annotations.declared(f"class A({base}):\n    x: float", "mine.A", CLASSES.get)
    assert found is not None
    assert found.is_dictionary
    assert signature.text(annotations.of("A", {"A": found}.get)).endswith('"x": float}')


@pytest.mark.parametrize("text", NOT_DECLARED)
def test_what_has_other_fields_is_not_told(text: str) -> None:
    assert annotations.declared(text, "mine.A", CLASSES.get) is None


def test_an_alias_of_itself_ends() -> None:
    value = annotations.of("Loop", meaning=MEANINGS.get)
    text = signature.text(value)
    assert text.startswith("list[list[")
    assert "?" in text


def test_deep_annotations_do_not_raise() -> None:
    deep = "list[" * 5000 + "int" + "]" * 5000
    assert isinstance(annotations.of(deep), Unknown)
