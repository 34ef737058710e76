# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Functions of NumPy that move elements to other places, copy them, or make arrays.

Rules read, never run: each body is spliced into generated code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import Counted, Shaped, constant, forward, linear, reverse

if TYPE_CHECKING:
    import numpy as np

    from adlsp import runtime as rt


# shapes


@linear("numpy.reshape", of="a")
def reshape(a, shape: Counted, order: Literal["C"] = "C", *, out_bar):
    return np.reshape(out_bar, np.shape(a))


@linear("numpy.reshape", of="a")
def reshape_by_columns(a, shape: Counted, order: Literal["F"], *, out_bar):
    return np.reshape(out_bar, np.shape(a), order="F")


@linear("ndarray.reshape", of="a")
def ndarray_reshape(a, *_shape: Counted, order: Literal["C"] = "C", out_bar):
    return np.reshape(out_bar, np.shape(a))


@linear("ndarray.reshape", of="a")
def ndarray_reshape_by_columns(a, *_shape: Counted, order: Literal["F"] = "F", out_bar):
    return np.reshape(out_bar, np.shape(a), order="F")


@linear("numpy.ravel", "ndarray.ravel", "ndarray.flatten", of="a")
def ravel(a, order: Literal["C"] = "C", *, out_bar):
    return np.reshape(out_bar, np.shape(a))


@linear("numpy.ravel", "ndarray.ravel", "ndarray.flatten", of="a")
def ravel_by_columns(a, order: Literal["F"], *, out_bar):
    return np.reshape(out_bar, np.shape(a), order="F")


@linear("numpy.squeeze", "ndarray.squeeze", of="a")
def squeeze(a, axis=None, *, out_bar):
    return np.reshape(out_bar, np.shape(a))


@linear("numpy.expand_dims", of="a")
def expand_dims(a, axis, *, out_bar):
    return np.reshape(out_bar, np.shape(a))


@linear("numpy.atleast_1d", "numpy.atleast_2d", "numpy.atleast_3d", of="a")
@linear("numpy.ascontiguousarray", "numpy.asfortranarray", of="a")
def atleast(a, *, out_bar):
    return np.reshape(out_bar, np.shape(a))


@linear("numpy.broadcast_to", of="array")
def broadcast_to(array, shape: Counted, *, out_bar):
    return rt.unbroadcast(out_bar, array)


@linear("numpy.lib.stride_tricks.sliding_window_view", of="x")
def sliding_window_view(x, window_shape, axis=None, *, out_bar):
    return rt.windows_bar(out_bar, np.shape(x), window_shape, axis)


# the order of axes and elements


@linear("ndarray.T", of="a")
def ndarray_T(a, *, out_bar):  # noqa: N802
    return np.transpose(out_bar)


@linear("numpy.transpose", "numpy.permute_dims", of="a")
def transpose(a, axes=None, *, out_bar):
    return rt.transpose_bar(out_bar, axes)


@linear("ndarray.transpose", of="a")
def ndarray_transpose(a, *axes, out_bar):
    return rt.transpose_bar(out_bar, axes)


@linear("numpy.swapaxes", "ndarray.swapaxes", of="a")
def swapaxes(a, axis1, axis2, *, out_bar):
    return np.swapaxes(out_bar, axis1, axis2)


@linear("numpy.matrix_transpose", "numpy.linalg.matrix_transpose", "ndarray.mT", of="x")
def matrix_transpose(x, *, out_bar):
    return np.swapaxes(out_bar, -1, -2)


@linear("numpy.moveaxis", of="a")
def moveaxis(a, source, destination, *, out_bar):
    return np.moveaxis(out_bar, destination, source)


@linear("numpy.rollaxis", of="a")
def rollaxis(a, axis, start=0, *, out_bar):
    return np.moveaxis(out_bar, rt.rolled_to(np.ndim(a), axis, start), axis)


@linear("numpy.rot90", of="m")
def rot90(m, k: Counted = 1, axes=None, *, out_bar):
    return rt.rot90(out_bar, -k, axes)


@linear("numpy.flip", of="m")
def flip(m, axis=None, *, out_bar):
    return np.flip(out_bar, axis)


@linear("numpy.fliplr", of="m")
def fliplr(m, *, out_bar):
    return np.fliplr(out_bar)


@linear("numpy.flipud", of="m")
def flipud(m, *, out_bar):
    return np.flipud(out_bar)


@linear("numpy.roll", of="a")
def roll(a, shift: Counted, axis=None, *, out_bar):
    return np.roll(out_bar, np.negative(shift), axis)


@linear("numpy.diag", of="v")
def diag(v, k: Counted = 0, *, out_bar):
    return rt.diag_bar(out_bar, np.shape(v), k)


@linear("numpy.diagflat", of="v")
def diagflat(v, k: Counted = 0, *, out_bar):
    return np.reshape(np.diag(out_bar, k), np.shape(v))


@linear("numpy.tril", of="m")
def tril(m, k: Counted = 0, *, out_bar):
    return rt.unbroadcast(np.tril(out_bar, k), m)


@linear("numpy.triu", of="m")
def triu(m, k: Counted = 0, *, out_bar):
    return rt.unbroadcast(np.triu(out_bar, k), m)


@linear("numpy.linalg.diagonal", of="x")
def linalg_diagonal(x, *, offset=0, out_bar):
    return rt.diagonal_bar(out_bar, np.shape(x), offset, -2, -1)


# copies and new arrays


@linear("ndarray.view", of="a")
def view(a, *, out_bar):
    return out_bar


@linear("numpy.copy", "ndarray.copy", of="a")
def copy(a, order: Literal["K", "A", "C", "F"] = "K", *, out_bar):
    return out_bar


@linear("numpy.array", "numpy.asarray", "numpy.asanyarray", of="a")
def array(a, dtype: Literal[None] = None, *, copy=True, order=None, out_bar):
    return out_bar


@linear("numpy.array", "numpy.asarray", "numpy.asanyarray", of="a")
def array_of_floats(
    a,
    dtype: Literal["float", "float64", "builtins.float", "numpy.float64"],
    *,
    copy=True,
    order=None,
    out_bar,
):
    return np.real(out_bar)


@linear("numpy.array", of="a")
def array_of_axes(a, dtype: Literal[None] = None, ndmin=0, *, copy=True, order=None, out_bar):
    return rt.unbroadcast(out_bar, a)


@linear("numpy.array", of="a")
def array_of_floats_and_axes(
    a,
    dtype: Literal["float", "float64", "builtins.float", "numpy.float64"],
    ndmin=0,
    *,
    copy=True,
    order=None,
    out_bar,
):
    return rt.unbroadcast(np.real(out_bar), a)


@forward("numpy.array", "numpy.asarray", "numpy.asanyarray")
def array_of_dtype_forward(a, dtype, *, copy=True, order=None, a_dot):
    return rt.cast(np.asarray(a_dot), dtype)


@reverse("numpy.array", "numpy.asarray", "numpy.asanyarray")
def array_of_dtype_reverse(a, dtype, *, copy=True, order=None, out_bar):
    return rt.unbroadcast(rt.cast(out_bar, dtype), a)


@forward("ndarray.astype")
def astype_forward(a, dtype, *, copy=True, a_dot):
    return rt.cast(a_dot, dtype)


@reverse("ndarray.astype")
def astype_reverse(a, dtype, *, copy=True, out_bar):
    return rt.unbroadcast(rt.cast(out_bar, dtype), a)


@linear("numpy.complex128", of="x")
def complex128(x, *, out_bar):
    return rt.unbroadcast(out_bar, x)


@linear("ndarray.tolist", of="a")
def tolist(a, *, out_bar):
    return rt.unbroadcast(np.asarray(out_bar), a)


@linear("ndarray.item", of="a")
def item(a, i: Literal[None] = None, *, out_bar):
    return rt.unbroadcast(np.reshape(out_bar, np.shape(a)), a)


@linear("ndarray.item", of="a")
def item_at(a, i, j: Literal[None] = None, *, out_bar):
    shape = np.shape(a)
    return rt.unbroadcast(rt.gather_bar(out_bar, shape, rt.place_of_item(shape, i)), a)


@linear("ndarray.item", of="a")
def item_at_two(a, i, j, *, out_bar):
    shape = np.shape(a)
    return rt.unbroadcast(rt.gather_bar(out_bar, shape, rt.place_of_item(shape, (i, j))), a)


@linear("numpy.full", of="fill_value")
def full(shape: Counted, fill_value, dtype: Literal[None] = None, *, out_bar):
    return rt.unbroadcast(out_bar, fill_value)


@linear("numpy.full", of="fill_value")
def full_of_floats(
    shape: Counted,
    fill_value,
    dtype: Literal["float", "float64", "builtins.float", "numpy.float64"],
    *,
    out_bar,
):
    return rt.unbroadcast(np.real(out_bar), fill_value)


@linear("numpy.full_like", of="fill_value", when="a has a floating-point dtype")
def full_like(a: Shaped, fill_value, dtype: Literal[None] = None, *, out_bar):
    return rt.unbroadcast(rt.cast_like(out_bar, a), fill_value)


@linear("numpy.full_like", of="fill_value")
def full_like_of_floats(
    a: Shaped,
    fill_value,
    dtype: Literal["float", "float64", "builtins.float", "numpy.float64"],
    *,
    out_bar,
):
    return rt.unbroadcast(np.real(out_bar), fill_value)


@linear("numpy.linspace", of="start stop")
def linspace(
    start,
    stop,
    num: Counted = 50,
    endpoint=True,
    *,
    dtype: Literal[None] = None,
    out_bar,
):
    share = np.linspace(0, 1, num, endpoint)
    start_bar = rt.unbroadcast(np.tensordot(1 - share, out_bar, 1), start)
    return start_bar, rt.unbroadcast(np.tensordot(share, out_bar, 1), stop)


@linear("numpy.linspace", of="start stop")
def linspace_of_floats(
    start,
    stop,
    num: Counted = 50,
    endpoint=True,
    *,
    dtype: Literal["float", "float64", "builtins.float", "numpy.float64"] = "float",
    out_bar,
):
    share = np.linspace(0, 1, num, endpoint)
    real_bar = np.real(out_bar)
    start_bar = rt.unbroadcast(np.tensordot(1 - share, real_bar, 1), start)
    return start_bar, rt.unbroadcast(np.tensordot(share, real_bar, 1), stop)


@forward("numpy.logspace")
def logspace_forward(start, stop, num=50, endpoint=True, base=10.0, *, out, start_dot, stop_dot):
    slope = out * np.log(base)
    start_part = np.linspace(start_dot, np.zeros(np.shape(stop)), num, endpoint)
    return slope * start_part, slope * np.linspace(
        np.zeros(np.shape(start)), stop_dot, num, endpoint
    )


@reverse("numpy.logspace")
def logspace_reverse(start, stop, num=50, endpoint=True, base=10.0, *, out, out_bar):
    slope = out_bar * out * np.log(base)
    share = np.linspace(0, 1, num, endpoint)
    start_bar = rt.unbroadcast(np.tensordot(1 - share, slope, 1), start)
    return start_bar, rt.unbroadcast(np.tensordot(share, slope, 1), stop)


@forward("numpy.geomspace")
def geomspace_forward(start, stop, num=50, endpoint=True, *, out, start_dot, stop_dot):
    start_part = np.linspace(start_dot / start, np.zeros(np.shape(stop)), num, endpoint)
    stop_part = np.linspace(np.zeros(np.shape(start)), stop_dot / stop, num, endpoint)
    return out * start_part, out * stop_part


@reverse("numpy.geomspace")
def geomspace_reverse(start, stop, num=50, endpoint=True, *, out, out_bar):
    share = np.linspace(0, 1, num, endpoint)
    start_bar = np.tensordot(1 - share, out_bar * out, 1) / start
    stop_bar = np.tensordot(share, out_bar * out, 1) / stop
    return rt.unbroadcast(start_bar, start), rt.unbroadcast(stop_bar, stop)


constant(
    "numpy.shape",
    "numpy.size",
    "numpy.ndim",
    "numpy.isscalar",
    "numpy.result_type",
    "numpy.iscomplexobj",
    "numpy.isrealobj",
    "numpy.shares_memory",
    "numpy.may_share_memory",
    "numpy.linalg.matrix_rank",
)
constant("ndarray.shape", "ndarray.size", "ndarray.ndim", "ndarray.dtype")
constant("ndarray.keys")
constant("ndarray.nbytes", "ndarray.itemsize", "ndarray.strides", "ndarray.flags")
constant("numpy.zeros", "numpy.ones", "numpy.empty", "numpy.eye", "numpy.identity")
constant("numpy.zeros_like", "numpy.ones_like", "numpy.empty_like", "numpy.indices")
constant("numpy.tri", "numpy.tril_indices", "numpy.triu_indices", "numpy.diag_indices")
constant("numpy.unravel_index", "numpy.ravel_multi_index", "numpy.lexsort")
