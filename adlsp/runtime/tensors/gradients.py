"""Gradients of TensorFlow's tensors: what `arrays`, `shapes` and `products` do for arrays of NumPy.

This module is loaded when a tensor is met, and by nothing else. Its functions have the names and
the meaning of those of the runtime that call them. Tensors stay on their devices, and all that is
done here is done by TensorFlow's own operations, so that it can be compiled by `tf.function`: there
shapes may be unknown while the function is traced, and are asked for when it runs.

The adjoint of broadcasting is a sum (Griewank and Walther, "Evaluating Derivatives", 2nd edition,
section 3.2). The gradient of a tensor has its shape and dtype. That of a Python number is a scalar
tensor, and that of an array of NumPy a tensor until the derivative gives it back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Any

import numpy as np
import tensorflow as tf

from adlsp.runtime.arrays import wrong_seed

Value = Any
RAW = tf.raw_ops

COMPLEX = (
    "complex tensors where the derivative is known for real ones only (AD104): a function of their "
    "size, as `abs()`, is not holomorphic; `tf.abs`, `tf.math.real` and `tf.math.imag` have rules"
)

COMPLEX_OUTPUT = (
    "the output of {} is complex, and only a real output has a gradient: take its size or its "
    "real part, or use adlsp.vjp with a complex out_bar"
)


def is_tensor(x: Value) -> bool:
    """Tells whether `x` is a tensor, a variable, or what passes for one here."""
    return tf.is_tensor(x) or isinstance(x, (tf.Variable, Tensorlike))


def has_dtype(x: Value) -> bool:
    """Tells whether a value has a dtype of TensorFlow's, as `like` keeps it."""
    return isinstance(getattr(x, "dtype", None), tf.DType)


def tensor(x: Value) -> tf.Tensor:
    """Gives the value of a tensor, a variable or what passes for one as a tensor."""
    if isinstance(x, Tensorlike):
        return x.total()
    return tf.convert_to_tensor(x)


@dataclass(frozen=True, slots=True)
class Like:
    """The shape and dtype of a tensor, without its elements; as a tensor they are zeros."""

    shape: tuple[int, ...]
    dtype: tf.DType

    def __tf_tensor__(self, dtype: tf.DType | None = None, name: str | None = None) -> tf.Tensor:
        return tf.zeros(self.shape, dtype or self.dtype)


# shapes


def known_shape(x: Value) -> tuple[int | None, ...] | None:
    """Gives what is known of the shape of a tensor, without making the object `x.shape`.

    That takes as long as a small operation, and each new tensor makes its own.
    """
    tell = getattr(x, "_shape_tuple", None)
    if tell is None:
        shape = x.shape
        return tuple(shape) if isinstance(shape, tuple) or shape.rank is not None else None
    found: tuple[int | None, ...] | None = tell()
    return found


def shape_of(x: Value) -> Value:
    """Gives the shape of a value: a tuple where all of it is known, or a tensor of integers."""
    if isinstance(x, Summed):
        return x.extent
    if tf.is_tensor(x):
        found = known_shape(x)
        return found if found is not None and None not in found else tf.shape(x)
    shape = x if isinstance(x, tf.TensorShape) else getattr(x, "shape", None)
    if shape is None:
        has_tensors = isinstance(x, (list, tuple)) and any(map(is_tensor, tf.nest.flatten(x)))
        return shape_of(tensor(x)) if has_tensors else np.shape(x)
    if isinstance(shape, tf.TensorShape):
        return tuple(shape) if shape.is_fully_defined() else tf.shape(tensor(x))
    return tuple(shape) if isinstance(shape, tuple) else shape


def integers(*values: int) -> Value:
    """Axes, or a shape, as an operation is given them; eagerly the tensor is made once."""
    return _eager(values) if tf.executing_eagerly() else values


@lru_cache(maxsize=4096)
def _eager(values: tuple[int, ...]) -> tf.Tensor:
    with tf.device("CPU:0"):
        return tf.constant(values, tf.int32)


def _size(shape: Value) -> Value:
    """The number of elements of a shape."""
    return math.prod(shape) if isinstance(shape, tuple) else tf.reduce_prod(shape)


def unbroadcast(x_bar: Value, like: Value) -> Value:
    """Sums `x_bar` over the axes along which `like` was broadcast, and casts it to like's dtype."""
    if tf.is_tensor(x_bar) and has_dtype(like) and x_bar.dtype is like.dtype:
        given, shape = known_shape(x_bar), known_shape(like)
        if given is not None and None not in given:
            if given == shape:
                return x_bar
            if shape and 1 not in shape and shape == given[len(given) - len(shape) :]:
                return RAW.Sum(input=x_bar, axis=integers(*range(len(given) - len(shape))))
    return _cast(_sum_to(x_bar, like), like)


def _sum_to(x_bar: Value, like: Value) -> Value:
    x_bar, shape = tensor(x_bar), shape_of(like)
    given = shape_of(x_bar)
    if not (isinstance(shape, tuple) and isinstance(given, tuple)):
        axes, _ = tf.raw_ops.BroadcastGradientArgs(s0=shape, s1=tf.shape(x_bar))
        return tf.reshape(tf.reduce_sum(x_bar, axes), shape)
    if given == shape:
        return x_bar
    extra = len(given) - len(shape)
    lengths = (1,) * extra + shape
    if extra < 0 or any(n not in (m, 1) for n, m in zip(lengths, given, strict=True)):
        raise ValueError(f"a gradient of shape {given} does not fit a value of shape {shape}")
    axes = [i for i, (n, m) in enumerate(zip(lengths, given, strict=True)) if i < extra or n != m]
    summed = RAW.Sum(input=x_bar, axis=integers(*axes))
    return summed if len(given) - len(axes) == len(shape) else tf.reshape(summed, shape)


def expand(out_bar: Value, shape: Value, axis: Value = None, keepdims: bool = False) -> Value:
    """Repeats the gradient of a sum over `axis` for each of the elements that were summed."""
    out_bar = tensor(out_bar)
    if axis is not None and not keepdims:
        n_axes = shape.shape[0] if is_tensor(shape) else len(shape)
        known = tf.get_static_value(axis) if tf.is_tensor(axis) else axis
        axes = np.ravel(known)
        for i in sorted(int(i) % n_axes for i in axes):
            out_bar = tf.expand_dims(out_bar, i)
    if isinstance(shape, tuple):
        return RAW.BroadcastTo(input=out_bar, shape=integers(*shape))
    return tf.broadcast_to(out_bar, shape)


def expand_as(out_bar: Value, x: Value, axis: Value = None, keepdims: bool = False) -> Value:
    """Repeats the gradient of a sum over `axis` in the shape and dtype of `x`, or of its `like`."""
    if isinstance(out_bar, float) and _is_complex(x):
        raise TypeError(COMPLEX_OUTPUT.format("the function"))
    return expand(_cast(out_bar, x), shape_of(x), axis, keepdims)


def collapse(x: Value, axis: Value = None, keepdims: bool = False) -> Value:
    """Sums the elements of `x` over `axis`: the adjoint of `expand`."""
    return tf.reduce_sum(tensor(x), axis, keepdims)


def broadcast(*values: Value) -> Like:
    """Gives what has the shape to which values are broadcast together, without elements."""
    shapes = [shape_of(value) for value in values]
    if all(isinstance(shape, tuple) for shape in shapes):
        return Like(np.broadcast_shapes(*shapes), tf.float32)
    return Like(reduce(tf.broadcast_dynamic_shape, map(_as_integers, shapes)), tf.float32)


def _as_integers(shape: Value) -> tf.Tensor:
    return tf.convert_to_tensor(shape, tf.int32)


def stretch(x_dot: Value, shape: Value) -> Value:
    """Repeats a tangent so that it has the shape of its variable: the adjoint of `unbroadcast`."""
    x_dot = tensor(x_dot)
    if tf.is_tensor(shape):
        return tf.broadcast_to(x_dot, shape)
    n_extra = len(x_dot.shape) - len(shape)
    for _ in range(max(n_extra, 0)):
        x_dot = tf.squeeze(x_dot, 0)
    return x_dot if tuple(x_dot.shape) == tuple(shape) else tf.broadcast_to(x_dot, shape)


# what a gradient starts from, and ends as


def zeros(x: Value) -> Value:
    """Makes the zero gradient of a tensor."""
    return Summed(shape_of(x), _float(x.dtype))


def seed(out_bar: Value, out: Value, name: str) -> Value:
    """Gives the gradient that starts the backward sweep of `name`, whose output is `out`."""
    shape, given = shape_of(out), shape_of(out_bar)
    if isinstance(shape, tuple) and isinstance(given, tuple) and shape != given:
        raise wrong_seed(given, shape, name)
    if has_dtype(out) and out.dtype.is_complex and not _is_complex(out_bar):
        raise TypeError(COMPLEX_OUTPUT.format(f"`{name}`"))
    return _cast(out_bar, out)


def cast_like(x_bar: Value, like: Value) -> Value:
    """Gives a gradient what its variable is: a tensor for a tensor, an array for an array."""
    if has_dtype(like) or not tf.executing_eagerly():
        return _cast(x_bar, like)
    x_bar = _cast(x_bar, like).numpy()
    dtype = getattr(like, "dtype", None)
    return x_bar if dtype is None or dtype.kind not in "fc" else x_bar.astype(dtype, copy=False)


def _cast(x_bar: Value, like: Value) -> Value:
    if not has_dtype(like):
        x_bar = tensor(x_bar)
        return x_bar if not x_bar.dtype.is_complex or _is_complex(like) else tf.math.real(x_bar)
    dtype = _float(like.dtype)
    if isinstance(x_bar, (list, tuple)):
        return tf.stack([_cast(part, like) for part in x_bar])
    if not is_tensor(x_bar):
        return tf.convert_to_tensor(x_bar, dtype)
    x_bar = tensor(x_bar)
    return x_bar if x_bar.dtype == dtype else convert(x_bar, dtype)


def convert(x: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Casts a tensor; of complex numbers that become real, it takes the real part."""
    return tf.cast(x if dtype.is_complex else tf.math.real(x), dtype)


def _is_complex(x: Value) -> bool:
    return x.dtype.is_complex if has_dtype(x) else np.iscomplexobj(x)


def _float(dtype: tf.DType) -> tf.DType:
    """The dtype of the gradient of what has a dtype: of integers, double precision."""
    return dtype if dtype.is_floating or dtype.is_complex else tf.float64


def copy(x: Value) -> Value:
    """Gives a tensor itself, which nothing changes; of a variable, one that can be set, too."""
    return Copied(tensor(x)) if isinstance(x, (tf.Variable, Copied)) else tensor(x)


def rows(x_bar: Value) -> list[Value]:
    """Gives the gradients of the elements of a list that was made a tensor."""
    return tf.unstack(tensor(x_bar))


def ratio(g: Value, x: Value) -> Value:
    """Gives `g / x`, and 0 where both are 0."""
    x = tensor(x)
    return tensor(_as(g, x)) / tf.where((x == 0) & (g == 0), tf.ones_like(x), x)


def _as(g: Value, x: Value) -> Value:
    return tf.convert_to_tensor(g, x.dtype) if not is_tensor(g) else g


def real(x: Value) -> Value:
    """Gives `x`, which must be real."""
    if x.dtype.is_complex:
        raise TypeError(COMPLEX)
    return x


def phase(x: Value) -> Value:
    """Gives the sign of a real number, by which its size changes."""
    return tf.sign(real(x))


def filled(x: Value, numbers: Value) -> tf.Tensor:
    """Gives a tensor of the dtype of `x` with other numbers."""
    return tf.convert_to_tensor(np.asarray(numbers).astype(x.dtype.as_numpy_dtype))


def where(condition: Value, x: Value, y: Value) -> Value:
    """Gives the elements of `x` where a condition holds, and of `y` elsewhere."""
    dtype = next((value.dtype for value in (x, y) if is_tensor(value)), None)
    return (
        tf.where(condition, tf.cast(x, dtype), tf.cast(y, dtype))
        if dtype
        else np.where(condition, x, y)
    )


def power_log(x: Value) -> Value:
    """Gives the logarithm in the derivative of a power by its exponent, 0 where there is none."""
    x = tensor(x)
    return tf.math.log(tf.where(_has_log(x), x, tf.ones_like(x)))


def has_log(x: Value) -> Value:
    """Gives 1 where a base of a power has a logarithm, and 0 elsewhere."""
    return tf.cast(_has_log(tensor(x)), x.dtype)


def _has_log(x: tf.Tensor) -> tf.Tensor:
    return x != 0 if x.dtype.is_complex else x > 0


# products of matrices


def matmul_bar_a(out_bar: Value, a: Value, b: Value) -> Value:
    """Gives the gradient of `a` in `a @ b`, in the shape and dtype of `a`."""
    if _are_matrices(out_bar, a, b):
        return RAW.MatMul(a=out_bar, b=b, transpose_b=True)
    out_bar = _of_product(out_bar, a, b)
    return unbroadcast(tf.matmul(out_bar, b, transpose_b=True), a)


def matmul_bar_b(out_bar: Value, a: Value, b: Value) -> Value:
    """Gives the gradient of `b` in `a @ b`, in the shape and dtype of `b`."""
    if _are_matrices(out_bar, a, b):
        return RAW.MatMul(a=a, b=out_bar, transpose_a=True)
    out_bar = _of_product(out_bar, a, b)
    if _static(b).rank == 2 < (_static(a).rank or 0):
        rows = tf.reshape(a, (-1, tf.shape(a)[-1]))
        return _cast(tf.matmul(rows, tf.reshape(out_bar, (-1, tf.shape(out_bar)[-1])), True), b)
    return unbroadcast(tf.matmul(a, out_bar, transpose_a=True), b)


def _of_product(out_bar: Value, a: Value, b: Value) -> Value:
    """Sums a gradient that is still spread by broadcasting to the shape of `a @ b`."""
    left, right = _static(a), _static(b)
    batch = tf.broadcast_static_shape(left[:-2], right[:-2])
    shape: Value = batch.concatenate([left[-2], right[-1]])
    if not shape.is_fully_defined():
        batch = tf.broadcast_dynamic_shape(tf.shape(a)[:-2], tf.shape(b)[:-2])
        shape = tf.concat([batch, [tf.shape(a)[-2], tf.shape(b)[-1]]], 0)
    return _sum_to(out_bar, Like(shape, tensor(out_bar).dtype))


def _static(x: Value) -> tf.TensorShape:
    """What is known of the shape of a factor, which may be an array or a list."""
    return tf.TensorShape(known_shape(x) if has_dtype(x) else np.shape(x))


def _are_matrices(out_bar: Value, a: Value, b: Value) -> bool:
    """Tells whether all are real matrices of one dtype, and the gradient is that of the product."""
    if not (tf.is_tensor(out_bar) and tf.is_tensor(a) and tf.is_tensor(b)):
        return False
    given, left, right = known_shape(out_bar), known_shape(a), known_shape(b)
    if given is None or left is None or right is None:
        return False
    are_matrices = len(given) == len(left) == len(right) == 2 and None not in given
    dtype = out_bar.dtype
    is_real = a.dtype is dtype is b.dtype and not dtype.is_complex
    return are_matrices and is_real and given == (left[0], right[1])


# what passes for a tensor


class Tensorlike:
    """What stands for a tensor: in TensorFlow's operations, and as an operand."""

    __slots__ = ()

    def total(self) -> tf.Tensor:
        """Gives the tensor that it stands for."""
        raise NotImplementedError

    def apart(self) -> Tensorlike:
        """Gives what may be looked at without changing this one."""
        return self

    def __tf_tensor__(self, dtype: tf.DType | None = None, name: str | None = None) -> tf.Tensor:
        return tf.convert_to_tensor(self.total(), dtype, name=name)

    def __array__(self, *args: Value, **keywords: Value) -> Value:
        return np.asarray(self.total(), *args, **keywords)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.apart().total()!r})"

    def __getitem__(self, index: Value) -> Value:
        return self.total()[index]

    def __iter__(self) -> Iterator[tf.Tensor]:
        return iter(tf.unstack(self.total()))


def _delegate(name: str) -> Callable[..., Value]:
    def operator(self: Tensorlike, *others: Value) -> Value:
        return getattr(self.total(), name)(*(tensor(x) if is_tensor(x) else x for x in others))

    operator.__name__ = name
    return operator


for _sign in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"):
    setattr(Tensorlike, f"__{_sign}__", _delegate(f"__{_sign}__"))
    setattr(Tensorlike, f"__r{_sign}__", _delegate(f"__r{_sign}__"))
for _sign in ("neg", "abs", "lt", "le", "gt", "ge"):
    setattr(Tensorlike, f"__{_sign}__", _delegate(f"__{_sign}__"))


def _packed(
    values: Value, dtype: tf.DType | None = None, name: str | None = None, as_ref: bool = False
) -> Value:
    """Makes a tensor of a list with what stands for tensors, which TensorFlow does not look for."""
    parts = tf.nest.flatten(values)
    if as_ref or not any(isinstance(part, Tensorlike) for part in parts):
        return NotImplemented
    made = [part.total() if isinstance(part, Tensorlike) else part for part in parts]
    return tf.convert_to_tensor(tf.nest.pack_sequence_as(values, made), dtype, name=name)


BEFORE_LISTS = 98
"""The priority of a conversion that is tried before TensorFlow's own of lists, which has 99."""

tf.register_tensor_conversion_function((list, tuple), _packed, BEFORE_LISTS)


class Copied(Tensorlike):
    """A copy of a variable: its value, which can be set as that of the variable is.

    Derivatives change no variable that they are given. Unlike another variable it can be made while
    `tf.function` traces.
    """

    __slots__ = ("_value",)

    def __init__(self, value: tf.Tensor) -> None:
        self._value = value

    def __getattr__(self, name: str) -> Value:
        return getattr(self._value, name)

    def __len__(self) -> int:
        return int(self._value.shape[0])

    def total(self) -> tf.Tensor:
        """Gives the value."""
        return self._value

    value = read_value = total

    def assign(self, value: Value) -> Copied:
        """Sets the value, to one of the same shape."""
        self._value = tf.ensure_shape(tf.convert_to_tensor(value, self.dtype), self.shape)
        return self

    def assign_add(self, delta: Value) -> Copied:
        """Adds to the value."""
        return self.assign(self._value + tensor(_as(delta, self._value)))

    def assign_sub(self, delta: Value) -> Copied:
        """Subtracts from the value."""
        return self.assign(self._value - tensor(_as(delta, self._value)))


class Summed(Tensorlike):
    """The gradient of a tensor while parts of it are added: tensors themselves never change.

    What is added is noted, and summed when somebody asks for the whole: by an operator, or by an
    operation of TensorFlow that is given it. Zeros are not made before that.
    """

    __slots__ = ("_added", "_places", "_total", "dtype", "extent")

    def __init__(self, shape: Value, dtype: tf.DType, start: tf.Tensor | None = None) -> None:
        self.extent, self.dtype, self._total = shape, dtype, start
        self._added: list[tuple[tf.Tensor, tf.Tensor]] = []
        self._places: tf.Tensor | None = None

    @property
    def shape(self) -> tf.TensorShape:
        """What is known of the shape; `extent` is all of it, a tensor where it is found later."""
        return tf.TensorShape(self.extent if isinstance(self.extent, tuple) else None)

    def __len__(self) -> int:
        return int(self.extent[0])

    def __add__(self, other: Value) -> tf.Tensor:
        is_zero = self._total is None and not self._added
        if is_zero and isinstance(self.extent, tuple) and is_tensor(other):
            given = shape_of(other)
            if isinstance(given, tuple) and given == self.extent and other.dtype == self.dtype:
                return tensor(other)
        return self.total() + (tensor(other) if is_tensor(other) else other)

    __radd__ = __add__

    def total(self) -> tf.Tensor:
        """Sums all that was added."""
        if self._added:
            places = tf.concat([places for places, _ in self._added], 0)
            values = tf.concat([values for _, values in self._added], 0)
            flat = tf.math.unsorted_segment_sum(values, places, _size(self.extent))
            made = tf.reshape(flat, self.extent)
            self._total = made if self._total is None else self._total + made
            self._added = []
        if self._total is None:
            self._total = tf.zeros(self.extent, self.dtype)
        return self._total

    def apart(self) -> Summed:
        """Gives another sum of the same parts: who looks at it changes nothing here."""
        made = Summed(self.extent, self.dtype, self._total)
        made._added = list(self._added)
        return made

    def places(self, index: Value) -> tf.Tensor:
        """Gives the places of what an index selects, among all elements in their order."""
        if self._places is None:
            every = tf.range(_size(self.extent))
            self._places = tf.reshape(every, self.extent)
        return self._places[index]

    def add_at(self, index: Value, value: Value) -> None:
        """Adds to what an index selects, each time that it does."""
        places = self.places(index)
        new = tf.broadcast_to(tf.cast(value, self.dtype), tf.shape(places))
        self._added.append((tf.reshape(places, (-1,)), tf.reshape(new, (-1,))))


class Terms(Tensorlike):
    """The sum of some tensors of one shape and dtype, which are added at once when it is read."""

    __slots__ = ("_terms",)

    def __init__(self, *terms: tf.Tensor) -> None:
        self._terms = terms

    @property
    def dtype(self) -> tf.DType:
        """The dtype of all."""
        return self._terms[0].dtype

    @property
    def shape(self) -> tf.TensorShape:
        """The shape of all."""
        return self._terms[0].shape

    def __len__(self) -> int:
        return int(self.shape[0])

    def with_term(self, term: tf.Tensor) -> Terms:
        """Gives the sum with one more; of many the sum is made, so that they can be forgotten."""
        return Terms(*(self._terms if len(self._terms) < MOST_TERMS else (self.total(),)), term)

    def total(self) -> tf.Tensor:
        """Gives the sum."""
        if len(self._terms) > 1:
            self._terms = (RAW.AddN(inputs=self._terms),)
        return self._terms[0]

    def apart(self) -> Terms:
        """Gives another sum of the same tensors."""
        return Terms(*self._terms)


MOST_TERMS = 16
"""How many tensors are kept until their sum is made."""


def add(x_bar: Value, y_bar: Value) -> Value:
    """Adds two gradients of one value: what a loop adds, many at a time."""
    if tf.is_tensor(y_bar) and y_bar.dtype is x_bar.dtype:
        shape = known_shape(y_bar)
        is_same = shape is not None and None not in shape and shape == known_shape(x_bar)
        if is_same and isinstance(x_bar, Terms):
            return x_bar.with_term(y_bar)
        if is_same and tf.is_tensor(x_bar):
            return Terms(x_bar, y_bar)
    return x_bar + y_bar


def add_at(x_bar: Value, index: Value, value: Value) -> Value:
    """Adds `value`, a gradient of `x[index]`, to that part of `x_bar`, and returns the sum."""
    made = x_bar
    if not isinstance(made, Summed):
        made = Summed(shape_of(made), made.dtype, tensor(made))
    made.add_at(index, value)
    return made


parts = tensor


def restructure(x_bar: Value, x: Value) -> Value:
    """Gives a gradient the structure of its value."""
    if tf.is_tensor(x_bar) and tf.is_tensor(x) and x_bar.dtype is x.dtype:
        return x_bar
    return _cast(x_bar, x) if has_dtype(x) else tensor(x_bar)


class Fixed(tf.types.experimental.TraceType):
    """How `tf.function` takes a derivative that it is given: as itself, traced for each anew.

    It would take the primal, `__wrapped__`, instead.
    """

    def __init__(self, value: object) -> None:
        self.value = value

    def is_subtype_of(self, other: object) -> bool:
        """Tells whether another argument is the same derivative."""
        return self == other

    def most_specific_common_supertype(self, others: Iterable[object]) -> Fixed | None:
        """Gives this type, if all are."""
        return self if all(self == other for other in others) else None

    def placeholder_value(self, placeholder_context: object) -> object:  # noqa: ARG002
        """Gives the derivative."""
        return self.value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fixed) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


def like(x: Value) -> Value:
    """Gives what tells shape and dtype of a tensor, without its elements where that is known."""
    x = tensor(x)
    return Like(tuple(x.shape), x.dtype) if x.shape.is_fully_defined() else x


def take_bar(x_bar: Value, index: Value) -> Value:
    """Gives the part of an adjoint that `x[index] = …` set."""
    return tensor(x_bar)[index]
