# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Functions of NumPy that put arrays together, repeat them, take them apart, or add margins.

Rules read, never run: each body is spliced into generated code. What is put together is one
argument, a tuple or list, and its gradient is a list of gradients.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import Counted, Shaped, composite, forward, linear, reverse

if TYPE_CHECKING:
    import numpy as np

    from adlsp import runtime as rt


@linear("numpy.concatenate", "numpy.concat", of="arrays")
def concatenate(arrays, axis=0, *, out_bar):
    return rt.split_bar(out_bar, arrays, axis)


@linear("numpy.stack", of="arrays")
def stack(arrays, axis=0, *, out_bar):
    return rt.split_bar(out_bar, arrays, axis)


@linear("numpy.vstack", "numpy.row_stack", of="tup")
def vstack(tup, *, out_bar):
    return rt.split_bar(out_bar, tup, 0)


@linear("numpy.hstack", of="tup")
def hstack(tup, *, out_bar):
    return rt.split_bar(out_bar, tup, min(1, np.ndim(out_bar) - 1))


@linear("numpy.column_stack", of="tup")
def column_stack(tup, *, out_bar):
    return rt.split_bar(out_bar, tup, 1)


@linear("numpy.dstack", of="tup")
def dstack(tup, *, out_bar):
    return rt.split_bar(out_bar, tup, 2)


@linear("numpy.r_", of="parts")
def r_(parts, *, out_bar):
    return rt.split_bar(out_bar, parts, 0)


@linear("numpy.c_", of="parts")
def c_(parts, *, out_bar):
    return rt.split_bar(out_bar, parts, np.ndim(out_bar) - 1)


@linear("numpy.block", of="arrays")
def block(arrays, *, out_bar):
    return rt.block_bar(out_bar, arrays)


@linear("adlsp.runtime.block_bar", of="g")
def block_bar(g, arrays, *, out_bar):
    return rt.block(out_bar)


@linear("adlsp.runtime.block", of="g")
def put_together(g, *, out_bar):
    return rt.block_bar(out_bar, g)


@linear("python.broadcast_arrays", "adlsp.runtime.broadcast_arrays", of="args")
def broadcast_arrays(args, *, out_bar):
    return rt.broadcast_arrays_bar(out_bar, args)


@linear("adlsp.runtime.broadcast_arrays_bar", of="g")
def broadcast_arrays_bar(g, args, *, out_bar):
    return rt.broadcast_arrays(out_bar)


@linear("python.meshgrid", of="xi")
def meshgrid(xi, *, indexing="xy", out_bar):
    return rt.meshgrid_bar(out_bar, xi, indexing)


@linear("numpy.append", of="arr values")
def append(arr, values, axis=None, *, out_bar):
    parts = rt.split_bar(out_bar, (arr, values), axis)
    return parts[0], parts[1]


@linear("numpy.split", "numpy.array_split", of="ary")
def split(ary, indices_or_sections: Counted, axis=0, *, out_bar):
    return rt.join(out_bar, np.shape(ary), axis)


@linear("numpy.hsplit", of="ary")
def hsplit(ary, indices_or_sections: Counted, *, out_bar):
    return rt.join(out_bar, np.shape(ary), min(1, np.ndim(ary) - 1))


@linear("numpy.vsplit", of="ary")
def vsplit(ary, indices_or_sections: Counted, *, out_bar):
    return rt.join(out_bar, np.shape(ary), 0)


@linear("numpy.dsplit", of="ary")
def dsplit(ary, indices_or_sections: Counted, *, out_bar):
    return rt.join(out_bar, np.shape(ary), 2)


@linear("numpy.unstack", of="x")
def unstack(x, *, axis=0, out_bar):
    return np.stack(out_bar, axis)


@linear("numpy.insert", of="arr values")
def insert(arr, obj, values, axis=None, *, out_bar):
    arr_bar = rt.insert_bar_arr(out_bar, arr, obj, values, axis)
    return arr_bar, rt.insert_bar_values(out_bar, arr, obj, values, axis)


@linear("numpy.delete", of="arr")
def delete(arr, obj, axis=None, *, out_bar):
    return rt.gather_bar(out_bar, np.shape(arr), rt.kept(np.shape(arr), obj, axis), axis)


@linear("numpy.tile", of="A")
def tile(A, reps: Counted, *, out_bar):  # noqa: N803
    return rt.tile_bar(out_bar, np.shape(A), reps)


@linear("numpy.repeat", "ndarray.repeat", of="a")
def repeat(a, repeats: Counted, axis=None, *, out_bar):
    return rt.repeat_bar(out_bar, np.shape(a), repeats, axis)


@forward("numpy.pad")
def pad_forward(
    array,
    pad_width,
    mode: Literal["constant", "edge", "reflect", "symmetric", "wrap"] = "constant",
    *,
    constant_values=0,
    array_dot,
):
    return np.pad(array_dot, pad_width, mode)


@reverse("numpy.pad")
def pad_reverse(
    array,
    pad_width,
    mode: Literal["constant", "edge", "reflect", "symmetric", "wrap"] = "constant",
    *,
    constant_values=0,
    out_bar,
):
    return rt.pad_bar(out_bar, np.shape(array), pad_width, mode)


@linear("numpy.diff", of="a")
def diff(
    a,
    n: Counted = 1,
    axis=-1,
    prepend: Literal[None] = None,
    append: Literal[None] = None,
    *,
    out_bar,
):
    return rt.diff_bar(out_bar, np.shape(a), n, axis)


@composite("numpy.diff", of="a prepend")
def diff_after(a, n: Literal[1, 2, 3, 4] = 1, axis=-1, prepend=None, append: Literal[None] = None):
    return np.diff(np.concatenate((rt.margin(prepend, a, axis), a), axis), n, axis)


@composite("numpy.diff", of="a append")
def diff_before(a, n: Literal[1, 2, 3, 4] = 1, axis=-1, prepend: Literal[None] = None, append=None):
    return np.diff(np.concatenate((a, rt.margin(append, a, axis)), axis), n, axis)


@composite("numpy.diff", of="a prepend append")
def diff_between(a, n: Literal[1, 2, 3, 4] = 1, axis=-1, prepend=None, append=None):
    before = rt.margin(prepend, a, axis)
    after = rt.margin(append, a, axis)
    return np.diff(np.concatenate((before, a, after), axis), n, axis)


@linear("adlsp.runtime.margin", of="x")
def margin(x, a: Shaped, axis=-1, *, out_bar):
    return rt.unbroadcast(out_bar, x)


@forward("numpy.unwrap", when="away from the jumps")
def unwrap_forward(p, discont=None, axis=-1, *, period=None, p_dot):
    return np.asarray(p_dot)


@reverse("numpy.unwrap", when="away from the jumps")
def unwrap_reverse(p, discont=None, axis=-1, *, period=None, out_bar):
    return rt.unbroadcast(out_bar, p)


@linear("numpy.ediff1d", of="ary")
def ediff1d(ary, *, out_bar):
    return np.reshape(rt.diff_bar(out_bar, (np.size(ary),)), np.shape(ary))


@forward("numpy.gradient")
def gradient_forward(f, *varargs, axis=None, edge_order=1, f_dot):
    return rt.gradient(f_dot, varargs, axis, edge_order)


@reverse("numpy.gradient")
def gradient_reverse(f, *varargs, axis=None, edge_order=1, out_bar):
    return rt.gradient_bar(out_bar, np.shape(f), varargs, axis, edge_order)
