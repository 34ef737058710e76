# mypy: allow-untyped-defs
# ruff: noqa: ANN001, ANN201, ARG001, D103
"""The functions of `adlsp.runtime`, so that generated code can be differentiated again.

Rules read, never run: each body is spliced into generated code. An argument that carries a
gradient is called `g` here, because `out_bar` means the gradient of what the function returns.
Generated code passes all arguments by position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import (
    Counted,
    Implied,
    Shaped,
    constant,
    elementwise,
    forward,
    linear,
    multilinear,
    reverse,
)

if TYPE_CHECKING:
    import numpy as np

    from adlsp import runtime as rt


@linear("adlsp.runtime.unbroadcast", of="g")
def unbroadcast(g, like, *, out_bar):
    return rt.stretch(out_bar, np.shape(g))


@linear("adlsp.runtime.fitted", of="g")
def fitted(g, like, *, out_bar):
    return rt.repeated_as(out_bar, g)


@linear("adlsp.runtime.repeated_as", of="g")
def repeated_as(g, like, *, out_bar):
    return rt.fitted(out_bar, g)


@linear("adlsp.runtime.cast_like", of="g")
def cast_like(g, like, *, out_bar):
    return rt.cast_like(out_bar, g)


@linear("adlsp.runtime.cast_item", of="g")
def cast_item(g, owner, index, *, out_bar):
    return rt.cast_like(rt.cast_item(out_bar, owner, index), g)


@linear("adlsp.runtime.expand", of="g")
def expand(g, shape, axis=None, keepdims=False, *, out_bar):
    return np.sum(out_bar, axis=rt.axes(axis), keepdims=keepdims)


@linear("adlsp.runtime.expand_as", of="g")
def expand_as(g, x: Shaped, axis=None, keepdims=False, *, out_bar):
    return rt.collapse(out_bar, axis, keepdims)


@linear("adlsp.runtime.collapse", of="g")
def collapse(g: Shaped, axis=None, keepdims=False, *, out_bar):
    return rt.expand_as(out_bar, g, axis, keepdims)


@linear("adlsp.runtime.real", of="g")
def real(g, *, out_bar):
    return out_bar


@forward("adlsp.runtime.ratio")
def ratio_forward(g, x, *, out, g_dot, x_dot):
    return rt.ratio(g_dot, x), -rt.ratio(out * x_dot, x)


@reverse("adlsp.runtime.ratio")
def ratio_reverse(g, x, *, out, out_bar):
    share = rt.ratio(out_bar, x)
    return share, -share * out


@forward("adlsp.runtime.sigmoid", of="x")
def sigmoid_forward(x, above=1, below=1, *, out, x_dot):
    return x_dot * out * (1 - out)


@reverse("adlsp.runtime.sigmoid", of="x")
def sigmoid_reverse(x, above=1, below=1, *, out, out_bar):
    return out_bar * out * (1 - out)


@forward("adlsp.runtime.sigmoid_of_number", of="x")
def sigmoid_of_number_forward(x, above=1, below=1, *, out, x_dot):
    return x_dot * out * (1 - out)


@reverse("adlsp.runtime.sigmoid_of_number", of="x")
def sigmoid_of_number_reverse(x, above=1, below=1, *, out, out_bar):
    return out_bar * out * (1 - out)


@forward("adlsp.runtime.log_of_sigmoid", of="x")
def log_of_sigmoid_forward(x, p: Implied, *, x_dot):
    return x_dot * (1 - p)


@reverse("adlsp.runtime.log_of_sigmoid", of="x")
def log_of_sigmoid_reverse(x, p: Implied, *, out_bar):
    return out_bar * (1 - p)


@forward("adlsp.runtime.log_of_lack", of="x")
def log_of_lack_forward(x, p: Implied, one=1, *, x_dot):
    return -(x_dot * p)


@reverse("adlsp.runtime.log_of_lack", of="x")
def log_of_lack_reverse(x, p: Implied, one=1, *, out_bar):
    return -(out_bar * p)


@forward("adlsp.runtime.log_likelihood", of="x y")
def log_likelihood_forward(x, p: Implied, y, whole=1, above=1, *, x_dot, y_dot):
    return x_dot * (y - p), y_dot * (np.log(p) - np.log(above - p))


@reverse("adlsp.runtime.log_likelihood", of="x y")
def log_likelihood_reverse(x, p: Implied, y, whole=1, above=1, *, out_bar):
    x_bar = rt.unbroadcast(out_bar * (y - p), x)
    y_bar = rt.unbroadcast(out_bar * (np.log(p) - np.log(above - p)), y)
    return x_bar, y_bar


@linear(
    "adlsp.runtime.copy",
    "adlsp.runtime.changeable",
    "adlsp.runtime.distinct",
    "adlsp.runtime.own",
    "adlsp.runtime.part",
    "adlsp.runtime.parts",
    "adlsp.runtime.plain",
    "adlsp.runtime.preserved",
    "adlsp.runtime.smooth",
    of="g",
)
def copy(g, *, out_bar):
    return out_bar


@forward("adlsp.runtime.separate")
def separate_forward(g, others, *, g_dot):
    return rt.copy(g_dot)


@reverse("adlsp.runtime.separate")
def separate_reverse(g, others, *, out_bar):
    return out_bar


@linear("adlsp.runtime.seed", of="g")
def seed(g, out, name, *, out_bar):
    return out_bar


@linear("adlsp.runtime.add", of="g1 g2")
def add(g1, g2, *, out_bar):
    return out_bar, out_bar


@linear("adlsp.runtime.add_at", of="g value")
def add_at(g, index, value, *, out_bar):
    return out_bar, out_bar[index]


@linear("adlsp.runtime.entry", of="entries")
def entry(entries, key, *, out_bar):
    return rt.entry_bar(out_bar, entries, key)


@linear("adlsp.runtime.held", of="x")
def held(x, index, *, out_bar):
    return rt.add_at(rt.zeros(x), index, out_bar)


@linear("adlsp.runtime.entry_bar", of="g")
def entry_bar(g, entries, key, *, out_bar):
    return rt.entry(out_bar, key)


@linear("adlsp.runtime.chosen", of="parts")
def chosen(parts, values, extreme, *, out_bar):
    return rt.cast_like(rt.chosen_bar(out_bar, values, extreme), parts)


@linear("adlsp.runtime.chosen_bar", of="g")
def chosen_bar(g, values, extreme, *, out_bar):
    return rt.cast_like(rt.chosen(out_bar, values, extreme), g)


@linear("adlsp.runtime.in_order", of="parts")
def in_order(parts, values, reverse, *, out_bar):
    return rt.in_order_bar(out_bar, values, reverse)


@linear("adlsp.runtime.in_order_bar", of="g")
def in_order_bar(g, values, reverse, *, out_bar):
    return rt.in_order(out_bar, values, reverse)


@elementwise("adlsp.runtime.polygamma", of="x")
def polygamma(n, x):
    return rt.polygamma(n + 1, x)


@linear("adlsp.runtime.entered", of="parts")
def entered(parts, entries, *, out_bar):
    return rt.entered_bar(out_bar, entries)


@linear("adlsp.runtime.entered_bar", of="g")
def entered_bar(g, entries, *, out_bar):
    return rt.entered(out_bar, entries)


@linear("adlsp.runtime.take_bar", of="g")
def take_bar(g, index, *, out_bar):
    return rt.add_at(rt.zeros(g), index, rt.staying(out_bar, g, index))


@linear("adlsp.runtime.staying", of="values")
def staying(values, x, index, *, out_bar):
    return rt.staying(out_bar, x, index)


@linear("adlsp.runtime.restructure", of="g")
def restructure(g, x, *, out_bar):
    return rt.restructure(out_bar, g)


@linear("adlsp.runtime.head_bar", of="g")
def head_bar(g, values, *, out_bar):
    return rt.add_at(rt.zeros(g), slice(None, len(values)), out_bar)


@linear("adlsp.runtime.tail_bar", of="g")
def tail_bar(g, values, *, out_bar):
    return rt.add_at(rt.zeros(g), slice(len(values), None), out_bar)


@linear("adlsp.runtime.plus_bar", of="g")
def plus_bar(g, a, b, place, *, out_bar):
    return rt.plus_part(out_bar, g, a, b, place)


@linear("adlsp.runtime.plus_part", of="part")
def plus_part(part, g, a, b, place, *, out_bar):
    return rt.plus_back(out_bar, part, a, b, place)


@linear("adlsp.runtime.plus_back", of="g")
def plus_back(g, part, a, b, place, *, out_bar):
    return rt.plus_part(out_bar, g, a, b, place)


@linear("adlsp.runtime.repeated", of="values")
def repeated(values, n, *, out_bar):
    return rt.repeats_bar(out_bar, values, n)


@linear("adlsp.runtime.repeats_bar", of="g")
def repeats_bar(g, values, n, *, out_bar):
    return rt.restructure(rt.repeated(out_bar, n), g)


@linear("adlsp.runtime.inserted", of="values value")
def inserted(values, place, value, *, out_bar):
    i = rt.inserted_at(values, place)
    return rt.without(out_bar, i), out_bar[i]


@linear("adlsp.runtime.without", of="values")
def without(values, place, *, out_bar):
    return rt.without_bar(out_bar, values, place)


@linear("adlsp.runtime.without_bar", of="g")
def without_bar(g, values, place, *, out_bar):
    return rt.without(out_bar, place)


@linear("adlsp.runtime.meshgrid", of="xi")
def meshgrid(xi, indexing, *, out_bar):
    return rt.meshgrid_bar(out_bar, xi, indexing)


@linear("adlsp.runtime.meshgrid_bar", of="g")
def meshgrid_bar(g, xi, indexing, *, out_bar):
    return rt.meshgrid(out_bar, indexing)


@linear("adlsp.runtime.transposed_bar", of="g")
def transposed_bar(g, rows, *, out_bar):
    return rt.transposed(out_bar)


@linear("adlsp.runtime.transposed", of="rows")
def transposed(rows, *, out_bar):
    return rt.transposed_bar(out_bar, rows)


@linear("adlsp.runtime.transpose_bar", of="g")
def transpose_bar(g, axes, *, out_bar):
    return np.transpose(out_bar, axes)


@linear("adlsp.runtime.trace_bar", of="g")
def trace_bar(g, shape, offset=0, axis1=0, axis2=1, *, out_bar):
    return np.trace(out_bar, offset, axis1, axis2)


@linear("adlsp.runtime.diag_bar", of="g")
def diag_bar(g, shape, k: Counted = 0, *, out_bar):
    return np.diag(out_bar, k)


@multilinear("adlsp.runtime.matmul_bar_a", of="g b")
def matmul_bar_a(g, a, b, *, out_bar):
    g_bar = rt.stretch(out_bar @ b, np.shape(g))
    return g_bar, rt.matmul_bar_b(g, out_bar, b)


@multilinear("adlsp.runtime.matmul_bar_b", of="g a")
def matmul_bar_b(g, a, b, *, out_bar):
    g_bar = rt.stretch(a @ out_bar, np.shape(g))
    return g_bar, rt.matmul_bar_a(g, a, out_bar)


@multilinear("adlsp.runtime.dot_bar_a", of="g b")
def dot_bar_a(g, a, b, *, out_bar):
    g_bar = rt.stretch(np.dot(out_bar, b), np.shape(g))
    return g_bar, rt.dot_bar_b(g, out_bar, b)


@multilinear("adlsp.runtime.dot_bar_b", of="g a")
def dot_bar_b(g, a, b, *, out_bar):
    g_bar = rt.stretch(rt.dot(a, out_bar), np.shape(g))
    return g_bar, rt.dot_bar_a(g, a, out_bar)


@multilinear("adlsp.runtime.inner_bar_a", of="g b")
def inner_bar_a(g, a, b, *, out_bar):
    g_bar = rt.stretch(np.inner(out_bar, b), np.shape(g))
    return g_bar, rt.inner_bar_b(g, out_bar, b)


@multilinear("adlsp.runtime.inner_bar_b", of="g a")
def inner_bar_b(g, a, b, *, out_bar):
    g_bar = rt.stretch(np.inner(a, out_bar), np.shape(g))
    return g_bar, rt.inner_bar_a(g, a, out_bar)


@forward("adlsp.runtime.solve_transposed")
def solve_transposed_forward(a, g, b, *, out, a_dot, g_dot):
    change = np.matmul(np.swapaxes(a_dot, -1, -2), out)
    return -rt.solve_transposed(a, change, b), rt.solve_transposed(a, g_dot, b)


@reverse("adlsp.runtime.solve_transposed")
def solve_transposed_reverse(a, g, b, *, out, out_bar):
    g_bar = np.linalg.solve(a, out_bar)
    return -rt.matmul_bar_a(out, a, g_bar), g_bar


@linear("adlsp.runtime.stretch", of="g")
def stretch(g, shape: Counted, *, out_bar):
    return rt.unbroadcast(out_bar, g)


@linear("adlsp.runtime.cast", of="g")
def cast(g, dtype, *, out_bar):
    return rt.unbroadcast(rt.cast(out_bar, dtype), g)


# growing arrays


@linear("adlsp.runtime.growing", of="values")
def growing(values, *, out_bar):
    return rt.growing_bar(out_bar, values)


@linear("adlsp.runtime.append", of="s value")
def append(s, value, *, out_bar):
    return rt.shorten(out_bar), rt.unbroadcast(out_bar[-1], value)


@linear("adlsp.runtime.setitem", of="s value")
def setitem(s, index, value, *, out_bar):
    return rt.cleared(out_bar, index), rt.unbroadcast(out_bar[index], value)


@linear("adlsp.runtime.shorten", of="g")
def shorten(g, *, out_bar):
    return rt.lengthen(out_bar)


@linear("adlsp.runtime.lengthen", of="g")
def lengthen(g, *, out_bar):
    return rt.shorten(out_bar)


@linear("adlsp.runtime.cleared", of="g")
def cleared(g, index, *, out_bar):
    return rt.cleared(out_bar, index)


@linear("adlsp.runtime.growing_bar", of="g")
def growing_bar(g, values, *, out_bar):
    return rt.growing(out_bar)


# joins, repeats, selections


@linear("adlsp.runtime.deviations", of="m")
def deviations(m, rowvar, bias, ddof, *, out_bar):
    return rt.deviations_bar(out_bar, np.shape(m), rowvar, bias, ddof)


@linear("adlsp.runtime.deviations_bar", of="g")
def deviations_bar(g, shape, rowvar, bias, ddof, *, out_bar):
    return rt.deviations(out_bar, rowvar, bias, ddof)


@linear("adlsp.runtime.binned", of="weights")
def binned(weights, a, bins, range, *, out_bar):
    return rt.binned_bar(out_bar, a, bins, range)


@linear("adlsp.runtime.binned_bar", of="g")
def binned_bar(g, a, bins, range, *, out_bar):
    return rt.binned(out_bar, a, bins, range)


@linear("adlsp.runtime.edges", of="g")
def edges(g, a, bins, range, *, out_bar):
    return rt.edges_bar(out_bar, a, bins, range)


@linear("adlsp.runtime.edges_bar", of="g")
def edges_bar(g, a, bins, range, *, out_bar):
    return rt.edges(out_bar, a, bins, range)


@linear("adlsp.runtime.split_bar", of="g")
def split_bar(g, arrays, axis=0, *, out_bar):
    return rt.join(out_bar, np.shape(g), axis)


@linear("adlsp.runtime.join", of="parts")
def join(parts, shape, axis=0, *, out_bar):
    return rt.split_bar(out_bar, parts, axis)


@linear("adlsp.runtime.listed", of="g")
def listed(g, x, *, out_bar):
    return rt.unlisted(out_bar, g)


@linear("adlsp.runtime.unlisted", of="g")
def unlisted(g, like, *, out_bar):
    return rt.listed(out_bar, g)


@linear("adlsp.runtime.tile_bar", of="g")
def tile_bar(g, shape, reps: Counted, *, out_bar):
    return np.tile(out_bar, reps)


@linear("adlsp.runtime.windows_bar", of="g")
def windows_bar(g, shape, window_shape, axis=None, *, out_bar):
    return np.lib.stride_tricks.sliding_window_view(out_bar, window_shape, axis)


@linear("adlsp.runtime.repeat_bar", of="g")
def repeat_bar(g, shape, repeats: Counted, axis=None, *, out_bar):
    return np.repeat(out_bar, repeats, axis)


@linear("adlsp.runtime.pad_bar", of="g")
def pad_bar(g, shape, pad_width, mode="constant", *, out_bar):
    return np.pad(out_bar, pad_width, mode)


@linear("adlsp.runtime.diff_bar", of="g")
def diff_bar(g, shape, n: Counted = 1, axis=-1, *, out_bar):
    return np.diff(out_bar, n, axis)


@linear("adlsp.runtime.gather_bar", of="g")
def gather_bar(g, shape, indices, axis=None, *, out_bar):
    return np.take(out_bar, indices, axis)


@linear("adlsp.runtime.gather_along_bar", of="g")
def gather_along_bar(g, shape, indices, axis=-1, *, out_bar):
    return np.take_along_axis(out_bar, indices, axis)


@linear("adlsp.runtime.diagonal_bar", of="g")
def diagonal_bar(g, shape, offset=0, axis1=0, axis2=1, *, out_bar):
    return np.diagonal(out_bar, offset, axis1, axis2)


@linear("adlsp.runtime.rot90", of="g")
def rot90(g, k: Counted, axes=None, *, out_bar):
    return rt.rot90(out_bar, -k, axes)


@linear("adlsp.runtime.gradient", of="f")
def gradient(f, spacing=None, axis=None, edge_order=1, *, out_bar):
    return rt.gradient_bar(out_bar, np.shape(f), spacing, axis, edge_order)


@linear("adlsp.runtime.gradient_bar", of="g")
def gradient_bar(g, shape, spacing=None, axis=None, edge_order=1, *, out_bar):
    return rt.gradient(out_bar, spacing, axis, edge_order)


@linear("adlsp.runtime.insert_bar_arr", of="g")
def insert_bar_arr(g, arr, obj, values, axis=None, *, out_bar):
    return np.insert(out_bar, obj, rt.zeros(values), axis)


@linear("adlsp.runtime.insert_bar_values", of="g")
def insert_bar_values(g, arr, obj, values, axis=None, *, out_bar):
    return np.insert(rt.zeros(arr), obj, out_bar, axis)


@linear("adlsp.runtime.select_bar", of="g")
def select_bar(g, conditions, choices, *, out_bar):
    return np.select(conditions, out_bar)


@linear("adlsp.runtime.quantiles", of="g")
def quantiles(g, a, q, axis=None, keepdims=False, *, out_bar):
    return rt.quantiles_bar(out_bar, a, q, axis)


@linear("adlsp.runtime.quantiles_bar", of="g")
def quantiles_bar(g, a, q, axis=None, *, out_bar):
    return np.reshape(rt.quantiles(out_bar, a, q, axis), np.shape(g))


constant("adlsp.runtime.reached", "adlsp.runtime.sources", "adlsp.runtime.kept")
constant("adlsp.runtime.rolled_to")


# sums and products of many elements


@linear("adlsp.runtime.sum_bar", of="g")
def sum_bar(g, iterable, *, out_bar):
    return rt.stretch(sum(out_bar), np.shape(g))


@linear("adlsp.runtime.others", of="a")
def others(a, axis=None, *, out_bar):
    return rt.others_bar(out_bar, np.shape(a), axis)


@linear("adlsp.runtime.others_bar", of="g")
def others_bar(g, shape, axis=None, *, out_bar):
    return rt.others(out_bar, axis)


@forward("adlsp.runtime.product_of_others")
def product_of_others_forward(a, axis=None, *, a_dot):
    pairs = rt.product_of_others(rt.others(a, axis), -1)
    return np.sum(pairs * rt.others(a_dot, axis), axis=-1)


@reverse("adlsp.runtime.product_of_others")
def product_of_others_reverse(a, axis=None, *, out_bar):
    pairs = rt.product_of_others(rt.others(a, axis), -1)
    return rt.others_bar(pairs * np.expand_dims(out_bar, -1), np.shape(a), axis)


# products of tensors and signals


@multilinear("adlsp.runtime.cross_bar", of="g b")
def cross_bar(g, a, b, axisa=-1, axisb=-1, axisc=-1, axis=None, *, out_bar):
    g_bar = np.cross(out_bar, b, axisa, axisb, axisc, axis)
    return g_bar, -rt.cross_bar(g, b, out_bar, axisb, axisa, axisc, axis)


@multilinear("adlsp.runtime.kron_bar_a", of="g b")
def kron_bar_a(g, a, b, *, out_bar):
    return np.kron(out_bar, b), rt.kron_bar_b(g, out_bar, b)


@multilinear("adlsp.runtime.kron_bar_b", of="g a")
def kron_bar_b(g, a, b, *, out_bar):
    return np.kron(a, out_bar), rt.kron_bar_a(g, a, out_bar)


@multilinear("adlsp.runtime.tensordot_bar_a", of="g b")
def tensordot_bar_a(g, a, b, axes=2, *, out_bar):
    return np.tensordot(out_bar, b, axes), rt.tensordot_bar_b(g, out_bar, b, axes)


@multilinear("adlsp.runtime.tensordot_bar_b", of="g a")
def tensordot_bar_b(g, a, b, axes=2, *, out_bar):
    return np.tensordot(a, out_bar, axes), rt.tensordot_bar_a(g, a, out_bar, axes)


@multilinear("adlsp.runtime.convolve_bar", of="g v")
def convolve_bar(g, shape, v, mode="full", *, out_bar):
    return np.convolve(out_bar, v, mode), rt.convolve_bar(g, np.shape(v), out_bar, mode)


@linear("adlsp.runtime.einsum_fit", of="g")
def einsum_fit(g, subscripts, position, shape, *, out_bar):
    return rt.einsum_unfit(out_bar, subscripts, position, np.shape(g))


@linear("adlsp.runtime.einsum_unfit", of="g")
def einsum_unfit(g, subscripts, position, shape, *, out_bar):
    return rt.einsum_fit(out_bar, subscripts, position, np.shape(g))


@multilinear("adlsp.runtime.einsum", of="a b c d")
def einsum(subscripts, a, b=None, c=None, d=None, *, out_bar):
    a_bar = rt.einsum(rt.einsum_back(subscripts, 0), out_bar, b, c, d)
    b_bar = rt.einsum(rt.einsum_back(subscripts, 1), a, out_bar, c, d)
    c_bar = rt.einsum(rt.einsum_back(subscripts, 2), a, b, out_bar, d)
    d_bar = rt.einsum(rt.einsum_back(subscripts, 3), a, b, c, out_bar)
    return (
        rt.einsum_fit(a_bar, subscripts, 0, np.shape(a)),
        rt.einsum_fit(b_bar, subscripts, 1, np.shape(b)),
        rt.einsum_fit(c_bar, subscripts, 2, np.shape(c)),
        rt.einsum_fit(d_bar, subscripts, 3, np.shape(d)),
    )


# slopes


@elementwise("adlsp.runtime.power_log", of="x")
def power_log(x, power: Implied = None):
    return np.where(x == 0, 0, 1 / np.where(x == 0, 1, x))


@elementwise("adlsp.runtime.sinc_slope")
def sinc_slope(x, n):
    return rt.sinc_slope(x, n + 1), 0


@linear("adlsp.runtime.interp_slope", of="fp", when="between the points")
def interp_slope(x, xp, fp, *, out_bar):
    return rt.unbroadcast(rt.interp_slope_bar(out_bar, x, xp), fp)


@linear("adlsp.runtime.interp_slope_bar", of="g", when="between the points")
def interp_slope_bar(g, x, xp, *, out_bar):
    return rt.unbroadcast(rt.interp_slope(x, xp, out_bar), g)


@forward("adlsp.runtime.interp_bar", when="between the points")
def interp_bar_forward(g, x, xp, *, g_dot, x_dot):
    return rt.interp_bar(g_dot, x, xp), rt.interp_slope_bar(g * x_dot, x, xp)


@reverse("adlsp.runtime.interp_bar", when="between the points")
def interp_bar_reverse(g, x, xp, *, out_bar):
    x_bar = rt.unbroadcast(g * rt.interp_slope(x, xp, out_bar), x)
    return rt.unbroadcast(np.interp(x, xp, out_bar), g), x_bar


@linear("adlsp.runtime.trapezoid_weights", of="dx")
def trapezoid_weights_of_steps(shape, x: Literal[None] = None, dx=1.0, axis=-1, *, out_bar):
    return rt.trapezoid_bar_dx(1.0, out_bar, dx, axis)


@linear("adlsp.runtime.trapezoid_weights", of="x")
def trapezoid_weights(shape, x=None, dx=1.0, axis=-1, *, out_bar):
    return rt.trapezoid_bar_x(1.0, out_bar, x, axis)


@multilinear("adlsp.runtime.trapezoid_bar_x", of="g y")
def trapezoid_bar_x(g, y, x: Shaped, axis=-1, *, out_bar):
    weights = rt.trapezoid_weights(np.shape(y), out_bar, 1.0, axis)
    g_bar = rt.unbroadcast(np.sum(y * weights, axis=axis), g)
    return g_bar, rt.expand(g, np.shape(y), axis) * weights


@multilinear("adlsp.runtime.trapezoid_bar_dx", of="g y")
def trapezoid_bar_dx(g, y, dx: Shaped, axis=-1, *, out_bar):
    weights = rt.trapezoid_weights(np.shape(y), None, out_bar, axis)
    g_bar = rt.unbroadcast(np.sum(y * weights, axis=axis), g)
    return g_bar, rt.expand(g, np.shape(y), axis) * weights


constant("adlsp.runtime.zeros", "adlsp.runtime.part_zeros", "adlsp.runtime.idle")
constant("adlsp.runtime.like", "adlsp.runtime.count", "adlsp.runtime.kept_by")
constant("adlsp.runtime.greatest", "adlsp.runtime.least", "adlsp.runtime.order")
constant("adlsp.runtime.broadcast", "adlsp.runtime.size")
constant("adlsp.runtime.einsum_back", "adlsp.runtime.diagonal_places", "adlsp.runtime.larger")
constant("adlsp.runtime.place_of_item", "adlsp.runtime.places_along")
constant(
    "adlsp.runtime.axes",
    "adlsp.runtime.beside",
    "adlsp.runtime.cutoff",
    "adlsp.runtime.plain_dict",
    "adlsp.runtime.no_array",
    "adlsp.runtime.plain_list",
    "adlsp.runtime.plain_within",
    "adlsp.runtime.single",
    "adlsp.runtime.viewed",
)


@forward("adlsp.runtime.seen")
def seen_forward(x, number, was_array, *, x_dot, number_dot):
    return rt.array_part(x_dot, was_array), rt.number_part(number_dot, was_array)


@reverse("adlsp.runtime.seen")
def seen_reverse(x, number, was_array, *, out_bar):
    return rt.seen_bar(out_bar, x, was_array), rt.number_part(out_bar, was_array)


@linear("adlsp.runtime.seen_bar", of="g")
def seen_bar(g, x, was_array, *, out_bar):
    return rt.array_part(out_bar, was_array)


@linear("adlsp.runtime.array_part", of="g")
def array_part(g, was_array, *, out_bar):
    return rt.seen_bar(out_bar, g, was_array)


@linear("adlsp.runtime.number_part", of="g")
def number_part(g, was_array, *, out_bar):
    return rt.seen(rt.zeros(g), out_bar, was_array)


@forward("adlsp.runtime.number_of")
def number_of_forward(x, *, x_dot):
    return rt.number_part(x_dot, rt.is_array(x))


@reverse("adlsp.runtime.number_of")
def number_of_reverse(x, *, out_bar):
    return rt.number_of_bar(out_bar, x)


@linear("adlsp.runtime.number_of_bar", of="g")
def number_of_bar(g, x, *, out_bar):
    return rt.number_part(out_bar, rt.is_array(x))


@linear("adlsp.runtime.bound", of="value")
def bound(value, name, *, out_bar):
    return out_bar


@linear(
    "adlsp.runtime.factor",
    "adlsp.runtime.fixed",
    "adlsp.runtime.sequence",
    "adlsp.runtime.shaped",
    of="g",
)
def fixed(g, *, out_bar):
    return out_bar


@linear("adlsp.runtime.numbers", of="g")
def numbers(g, x: Shaped, *, out_bar):
    return out_bar


@linear("adlsp.runtime.number", of="g")
def number(g, *, out_bar):
    return out_bar


@linear(
    "adlsp.runtime.alone",
    "adlsp.runtime.apart",
    "adlsp.runtime.disjoint",
    "adlsp.runtime.unheld",
    "adlsp.runtime.unshared",
    of="g",
)
def unshared(g, owner: Shaped, *, out_bar):
    return out_bar


@linear("adlsp.runtime.refill", of="new")
def refill(old, new, *, out_bar):
    return out_bar


constant("adlsp.runtime.inserted_at", "adlsp.runtime.is_array", "adlsp.runtime.is_part")
