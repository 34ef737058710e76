# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Functions of NumPy that select elements: by position, by size, along a diagonal.

Rules read, never run: each body is spliced into generated code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import Shaped, constant, forward, linear, reverse

if TYPE_CHECKING:
    import numpy as np

    from adlsp import runtime as rt


@linear("numpy.take", "ndarray.take", of="a")
def take(a, indices, axis=None, *, out_bar):
    return rt.gather_bar(out_bar, np.shape(a), indices, axis)


@linear("numpy.take_along_axis", of="arr")
def take_along_axis(arr, indices, axis=-1, *, out_bar):
    return rt.gather_along_bar(out_bar, np.shape(arr), indices, axis)


@linear("numpy.compress", of="a")
def compress(condition, a, axis=None, *, out_bar):
    return rt.gather_bar(out_bar, np.shape(a), np.flatnonzero(condition), axis)


@linear("numpy.extract", of="arr")
def extract(condition, arr, *, out_bar):
    return rt.gather_bar(out_bar, np.shape(arr), np.flatnonzero(condition))


@linear("numpy.choose", of="choices")
def choose(a, choices, *, out_bar):
    return rt.choose_bar(out_bar, a, choices)


@linear("adlsp.runtime.choose_bar", of="g")
def choose_bar(g, a, choices: Shaped, *, out_bar):
    return rt.unbroadcast(np.choose(a, out_bar), g)


@forward("numpy.sort", when="away from ties")
def sort_forward(a, axis=-1, kind=None, *, a_dot):
    return np.take_along_axis(np.asarray(a_dot), np.argsort(a, axis), axis)


@reverse("numpy.sort", when="away from ties")
def sort_reverse(a, axis=-1, kind=None, *, out_bar):
    order = np.argsort(a, axis)
    return rt.gather_along_bar(out_bar, np.shape(a), order, axis)


@forward("numpy.partition")
def partition_forward(a, kth, axis=-1, *, out, a_dot):
    return np.take_along_axis(a_dot, rt.sources(out, a, axis), axis)


@reverse("numpy.partition")
def partition_reverse(a, kth, axis=-1, *, out, out_bar):
    return rt.gather_along_bar(out_bar, np.shape(a), rt.sources(out, a, axis), axis)


@forward(
    "numpy.maximum.accumulate", "numpy.minimum.accumulate", when="of equal elements the last counts"
)
def extreme_accumulate_forward(array, axis=0, *, out, array_dot):
    return np.take_along_axis(array_dot, rt.reached(out, array, axis), axis)


@reverse(
    "numpy.maximum.accumulate", "numpy.minimum.accumulate", when="of equal elements the last counts"
)
def extreme_accumulate_reverse(array, axis=0, *, out, out_bar):
    return rt.gather_along_bar(out_bar, np.shape(array), rt.reached(out, array, axis), axis)


@forward("numpy.median", when="away from ties")
def median_forward(a, axis=None, *, keepdims=False, a_dot):
    return rt.quantiles(a_dot, a, 0.5, axis, keepdims)


@reverse("numpy.median", when="away from ties")
def median_reverse(a, axis=None, *, keepdims=False, out_bar):
    return rt.quantiles_bar(out_bar, a, 0.5, axis)


@forward("numpy.quantile", when="away from ties")
def quantile_forward(a, q, axis=None, *, keepdims=False, a_dot):
    return rt.quantiles(a_dot, a, q, axis, keepdims)


@reverse("numpy.quantile", when="away from ties")
def quantile_reverse(a, q, axis=None, *, keepdims=False, out_bar):
    return rt.quantiles_bar(out_bar, a, q, axis)


@forward("numpy.percentile", when="away from ties")
def percentile_forward(a, q, axis=None, *, keepdims=False, a_dot):
    return rt.quantiles(a_dot, a, np.divide(q, 100), axis, keepdims)


@reverse("numpy.percentile", when="away from ties")
def percentile_reverse(a, q, axis=None, *, keepdims=False, out_bar):
    return rt.quantiles_bar(out_bar, a, np.divide(q, 100), axis)


@linear("numpy.select", of="choicelist default")
def select(condlist, choicelist, default=0, *, out_bar):
    rest = np.select(condlist, rt.zeros(condlist), out_bar)
    return rt.select_bar(out_bar, condlist, choicelist), rt.unbroadcast(rest, default)


@linear("numpy.bincount", of="weights")
def bincount(x, weights=None, minlength=0, *, out_bar):
    return rt.unbroadcast(np.take(out_bar, x), weights)


@linear("numpy.diagonal", "ndarray.diagonal", of="a")
def diagonal(a, offset=0, axis1=0, axis2=1, *, out_bar):
    return rt.diagonal_bar(out_bar, np.shape(a), offset, axis1, axis2)


@forward("numpy.interp", when="xp increases; between the points")
def interp_forward(x, xp, fp, *, x_dot, fp_dot):
    return x_dot * rt.interp_slope(x, xp, fp), np.interp(x, xp, fp_dot)


@reverse("numpy.interp", when="xp increases; between the points")
def interp_reverse(x, xp, fp, *, out_bar):
    x_bar = out_bar * rt.interp_slope(x, xp, fp)
    return rt.unbroadcast(x_bar, x), rt.unbroadcast(rt.interp_bar(out_bar, x, xp), fp)


@forward("numpy.histogram", when="real arguments; ties of extremes share equally")
def histogram_forward(
    a,
    bins=10,
    range=None,
    density: Literal[False, None] = None,
    weights=None,
    *,
    a_dot,
    weights_dot,
):
    return (
        [rt.binned(np.zeros(np.shape(a)), a, bins, range), rt.edges(a_dot, a, bins, range)],
        [rt.binned(weights_dot, a, bins, range), rt.edges(np.zeros(np.shape(a)), a, bins, range)],
    )


@reverse("numpy.histogram", when="real arguments; ties of extremes share equally")
def histogram_reverse(
    a, bins=10, range=None, density: Literal[False, None] = None, weights=None, *, out_bar
):
    a_bar = rt.edges_bar(out_bar[1], a, bins, range)
    return a_bar, rt.unbroadcast(rt.binned_bar(out_bar[0], a, bins, range), weights)


constant("numpy.argmax", "numpy.argmin", "numpy.argsort", "numpy.nanargmax", "numpy.nanargmin")
constant("ndarray.argmax", "ndarray.argmin", "ndarray.argsort", "ndarray.nonzero")
constant("numpy.argpartition", "ndarray.argpartition", "ndarray.searchsorted")
constant("numpy.tril_indices_from", "numpy.triu_indices_from", "numpy.diag_indices_from")
constant("numpy.nonzero", "numpy.flatnonzero", "numpy.argwhere", "numpy.count_nonzero")
constant("numpy.searchsorted", "numpy.digitize", "numpy.isin")
constant("numpy.any", "numpy.all", "ndarray.any", "ndarray.all")
