# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Functions of NumPy that take many elements together: sums, means, extremes.

Rules read, never run: each body is spliced into generated code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import (
    Shaped,
    composite,
    forward,
    linear,
    multilinear,
    reverse,
)

if TYPE_CHECKING:
    import numpy as np

    from adlsp import runtime as rt


@linear("numpy.sum", "ndarray.sum", of="a")
def sum(
    a,
    axis=None,
    dtype: Literal[None] = None,
    *,
    keepdims=False,
    where: Literal[True] = True,
    out_bar,
):
    return rt.expand(out_bar, np.shape(a), axis, keepdims)


@forward("numpy.sum", "ndarray.sum")
def sum_of_some_forward(a, axis=None, dtype=None, *, keepdims=False, initial=0, where=True, a_dot):
    return rt.cast(np.sum(a_dot, axis=axis, keepdims=keepdims, where=where), dtype)


@reverse("numpy.sum", "ndarray.sum")
def sum_of_some_reverse(
    a, axis=None, dtype=None, *, keepdims=False, initial=0, where=True, out_bar
):
    whole = rt.expand(rt.cast(out_bar, dtype), np.shape(a), axis, keepdims)
    return rt.unbroadcast(np.where(where, whole, 0), a)


@linear("numpy.add.reduce", of="array")
def add_reduce(array, axis=0, *, keepdims=False, out_bar):
    return rt.expand(out_bar, np.shape(array), axis, keepdims)


@linear("numpy.add.accumulate", of="array")
def add_accumulate(array, axis=0, *, out_bar):
    return np.flip(np.add.accumulate(np.flip(out_bar, axis), axis), axis)


@forward("numpy.multiply.accumulate")
def multiply_accumulate_forward(array, axis=0, *, out, array_dot):
    return rt.scan(array, array_dot * rt.before(out, 1, axis), axis)


@reverse("numpy.multiply.accumulate")
def multiply_accumulate_reverse(array, axis=0, *, out, out_bar):
    return rt.scan_back(array, out_bar, axis) * rt.before(out, 1, axis)


@forward("numpy.multiply.reduce")
def multiply_reduce_forward(array, axis=0, *, keepdims=False, array_dot):
    return np.sum(array_dot * rt.product_of_others(array, axis), axis=axis, keepdims=keepdims)


@reverse("numpy.multiply.reduce")
def multiply_reduce_reverse(array, axis=0, *, keepdims=False, out_bar):
    whole = rt.expand(out_bar, np.shape(array), axis, keepdims)
    return whole * rt.product_of_others(array, axis)


@forward("numpy.maximum.reduce", "numpy.minimum.reduce", when="ties share equally")
def extreme_reduce_forward(array, axis=0, *, keepdims=False, out, array_dot):
    chosen = array == rt.expand(out, np.shape(array), axis, keepdims)
    n_chosen = np.sum(chosen, axis=axis, keepdims=keepdims, dtype=out.dtype)
    return np.sum(chosen * array_dot, axis=axis, keepdims=keepdims) / n_chosen


@reverse("numpy.maximum.reduce", "numpy.minimum.reduce", when="ties share equally")
def extreme_reduce_reverse(array, axis=0, *, keepdims=False, out, out_bar):
    chosen = array == rt.expand(out, np.shape(array), axis, keepdims)
    n_chosen = np.sum(chosen, axis=axis, keepdims=keepdims, dtype=out.dtype)
    return chosen * rt.expand(out_bar / n_chosen, np.shape(array), axis, keepdims)


@linear("numpy.mean", "ndarray.mean", of="a")
def mean(
    a,
    axis=None,
    dtype: Literal[None] = None,
    *,
    keepdims=False,
    where: Literal[True] = True,
    out_bar,
):
    share = out_bar / rt.count(np.shape(a), axis)
    return rt.expand(share, np.shape(a), axis, keepdims)


@forward("numpy.mean", "ndarray.mean")
def mean_of_some_forward(a, axis=None, dtype=None, *, keepdims=False, where=True, a_dot):
    return rt.cast(np.mean(a_dot, axis=axis, keepdims=keepdims, where=where), dtype)


@reverse("numpy.mean", "ndarray.mean")
def mean_of_some_reverse(a, axis=None, dtype=None, *, keepdims=False, where=True, out_bar):
    counted = np.broadcast_to(where, np.shape(a))
    share = rt.cast(out_bar, dtype) / np.sum(counted, axis=axis, keepdims=keepdims)
    return rt.unbroadcast(np.where(where, rt.expand(share, np.shape(a), axis, keepdims), 0), a)


@linear("numpy.cumsum", "ndarray.cumsum", of="a")
def cumsum(a, axis=None, dtype: Literal[None] = None, *, out_bar):
    sums = np.cumsum(np.flip(out_bar, axis), axis)
    return np.reshape(np.flip(sums, axis), np.shape(a))


@linear("numpy.cumsum", "ndarray.cumsum", of="a")
def cumsum_of_floats(
    a,
    axis=None,
    *,
    dtype: Literal["float", "float64", "builtins.float", "numpy.float64"] = "float",
    out_bar,
):
    sums = np.cumsum(np.flip(np.real(out_bar), axis), axis)
    return np.reshape(np.flip(sums, axis), np.shape(a))


@linear("numpy.cumulative_sum", of="x")
def cumulative_sum(
    x,
    *,
    axis=None,
    dtype: Literal[None] = None,
    include_initial: Literal[False] = False,
    out_bar,
):
    sums = np.cumsum(np.flip(out_bar, axis), rt.axes(axis))
    return np.reshape(np.flip(sums, axis), np.shape(x))


@linear("numpy.cumulative_sum", of="x")
def cumulative_sum_from_zero(
    x, *, axis=None, dtype: Literal[None] = None, include_initial: Literal[True] = True, out_bar
):
    sums = np.cumsum(np.flip(np.delete(out_bar, 0, axis), axis), axis)
    return np.reshape(np.flip(sums, axis), np.shape(x))


@forward("numpy.prod", "ndarray.prod")
def prod_forward(a, axis=None, *, keepdims=False, a_dot):
    return np.sum(a_dot * rt.product_of_others(a, axis), axis=axis, keepdims=keepdims)


@reverse("numpy.prod", "ndarray.prod")
def prod_reverse(a, axis=None, *, keepdims=False, out_bar):
    whole = rt.expand(out_bar, np.shape(a), axis, keepdims)
    return whole * rt.product_of_others(a, axis)


@linear("numpy.average", of="a")
def average(a, axis=None, weights: Literal[None] = None, *, keepdims=False, out_bar):
    share = out_bar / rt.count(np.shape(a), axis)
    return rt.expand(share, np.shape(a), axis, keepdims)


@forward("numpy.average")
def average_forward(a, axis=None, weights=None, *, keepdims=False, out, a_dot, weights_dot):
    shares = rt.aligned(weights, np.shape(a), axis)
    total = np.sum(shares, axis=rt.axes(axis), keepdims=keepdims)
    moved = rt.aligned(weights_dot, np.shape(a), axis)
    off = a - rt.expand(out, np.shape(a), axis, keepdims)
    by_a = np.sum(shares * a_dot, axis=rt.axes(axis), keepdims=keepdims) / total
    return by_a, np.sum(moved * off, axis=rt.axes(axis), keepdims=keepdims) / total


@reverse("numpy.average")
def average_reverse(a, axis=None, weights=None, *, keepdims=False, out, out_bar):
    shares = rt.aligned(weights, np.shape(a), axis)
    share = out_bar / np.sum(shares, axis=rt.axes(axis), keepdims=keepdims)
    whole = rt.expand(share, np.shape(a), axis, keepdims)
    off = a - rt.expand(out, np.shape(a), axis, keepdims)
    return rt.unbroadcast(whole * shares, a), rt.aligned_bar(whole * off, weights, axis)


@linear("adlsp.runtime.aligned", of="weights")
def aligned(weights, shape, axis=None, *, out_bar):
    return rt.aligned_bar(out_bar, weights, axis)


@linear("adlsp.runtime.aligned_bar", of="g")
def aligned_bar(g, weights: Shaped, axis=None, *, out_bar):
    return rt.aligned(out_bar, np.shape(g), axis)


@multilinear("numpy.trapezoid", "numpy.trapz", "scipy.integrate.trapezoid", of="y dx")
def trapezoid_of_steps(y, x: Literal[None] = None, dx=1.0, axis=-1, *, out_bar):
    whole = rt.expand(out_bar, np.shape(y), axis)
    y_bar = rt.unbroadcast(whole * rt.trapezoid_weights(np.shape(y), None, dx, axis), y)
    return y_bar, rt.trapezoid_bar_dx(out_bar, y, dx, axis)


@multilinear("numpy.trapezoid", "numpy.trapz", "scipy.integrate.trapezoid", of="y x")
def trapezoid(y, x=None, dx=1.0, axis=-1, *, out_bar):
    whole = rt.expand(out_bar, np.shape(y), axis)
    y_bar = rt.unbroadcast(whole * rt.trapezoid_weights(np.shape(y), x, dx, axis), y)
    return y_bar, rt.trapezoid_bar_x(out_bar, y, x, axis)


@forward("numpy.var", "ndarray.var")
def var_forward(a, axis=None, *, ddof=0, keepdims=False, a_dot):
    centered = rt.conj(a - np.mean(a, axis=axis, keepdims=True))
    count = rt.count(np.shape(a), axis) - ddof
    return np.sum(2 * np.real(centered * a_dot), axis=axis, keepdims=keepdims) / count


@reverse("numpy.var", "ndarray.var")
def var_reverse(a, axis=None, *, ddof=0, keepdims=False, out_bar):
    centered = rt.conj(a - np.mean(a, axis=axis, keepdims=True))
    count = rt.count(np.shape(a), axis) - ddof
    return rt.expand(2 * np.real(out_bar) / count, np.shape(a), axis, keepdims) * centered


@forward("numpy.std", "ndarray.std", when="0 where all elements are equal")
def std_forward(a, axis=None, *, ddof=0, keepdims=False, out, a_dot):
    centered = rt.conj(a - np.mean(a, axis=axis, keepdims=True))
    count = rt.count(np.shape(a), axis) - ddof
    change = np.sum(np.real(centered * a_dot), axis=axis, keepdims=keepdims)
    return change * rt.per_size(out) / count


@reverse("numpy.std", "ndarray.std", when="0 where all elements are equal")
def std_reverse(a, axis=None, *, ddof=0, keepdims=False, out, out_bar):
    centered = rt.conj(a - np.mean(a, axis=axis, keepdims=True))
    count = rt.count(np.shape(a), axis) - ddof
    share = np.real(out_bar) * rt.per_size(out) / count
    return rt.expand(share, np.shape(a), axis, keepdims) * centered


@forward("numpy.cov", when="one set of real variables")
def cov_forward(m, y: Literal[None] = None, rowvar=True, bias=False, ddof=None, *, out, m_dot):
    variables = rt.deviations(rt.real(m), rowvar, bias, ddof)
    half = np.matmul(rt.deviations(m_dot, rowvar, bias, ddof), np.transpose(variables))
    return np.reshape(half + np.transpose(half), np.shape(out))


@reverse("numpy.cov", when="one set of real variables")
def cov_reverse(m, y: Literal[None] = None, rowvar=True, bias=False, ddof=None, *, out_bar):
    variables = rt.deviations(rt.real(m), rowvar, bias, ddof)
    square = np.atleast_2d(out_bar)
    change = np.matmul(square + np.transpose(square), variables)
    return rt.unbroadcast(rt.deviations_bar(change, np.shape(m), rowvar, bias, ddof), m)


@composite("numpy.cov", of="m y", when="real variables")
def cov_of_rows(m, y, rowvar: Literal[True] = True, bias=False, ddof=None):
    return np.cov(np.vstack((m, y)), None, True, bias, ddof)


@composite("numpy.cov", of="m y", when="real variables")
def cov_of_columns(m, y, rowvar: Literal[False], bias=False, ddof=None):
    return np.cov(np.column_stack((m, y)), None, False, bias, ddof)


@forward("numpy.max", "numpy.amax", "ndarray.max", "numpy.nanmax", when="ties share equally")
@forward("numpy.min", "numpy.amin", "ndarray.min", "numpy.nanmin", when="ties share equally")
def extreme_forward(a, axis=None, *, keepdims=False, where: Literal[True] = True, out, a_dot):
    chosen = a == rt.expand(out, np.shape(a), axis, keepdims)
    n_chosen = np.sum(chosen, axis=axis, keepdims=keepdims, dtype=out.dtype)
    return np.sum(chosen * a_dot, axis=axis, keepdims=keepdims) / n_chosen


@reverse("numpy.max", "numpy.amax", "ndarray.max", "numpy.nanmax", when="ties share equally")
@reverse("numpy.min", "numpy.amin", "ndarray.min", "numpy.nanmin", when="ties share equally")
def extreme_reverse(a, axis=None, *, keepdims=False, where: Literal[True] = True, out, out_bar):
    chosen = a == rt.expand(out, np.shape(a), axis, keepdims)
    n_chosen = np.sum(chosen, axis=axis, keepdims=keepdims, dtype=out.dtype)
    return chosen * rt.expand(out_bar / n_chosen, np.shape(a), axis, keepdims)


@forward("numpy.max", "numpy.amax", "ndarray.max", "numpy.nanmax", when="ties share equally")
@forward("numpy.min", "numpy.amin", "ndarray.min", "numpy.nanmin", when="ties share equally")
def bounded_extreme_forward(a, axis=None, *, keepdims=False, initial=None, where=True, out, a_dot):
    chosen = np.logical_and(where, a == rt.expand(out, np.shape(a), axis, keepdims))
    n_chosen = np.sum(chosen, axis=axis, keepdims=keepdims, dtype=out.dtype)
    change = np.sum(chosen * a_dot, axis=axis, keepdims=keepdims)
    return change / np.maximum(n_chosen, 1)


@reverse("numpy.max", "numpy.amax", "ndarray.max", "numpy.nanmax", when="ties share equally")
@reverse("numpy.min", "numpy.amin", "ndarray.min", "numpy.nanmin", when="ties share equally")
def bounded_extreme_reverse(
    a, axis=None, *, keepdims=False, initial=None, where=True, out, out_bar
):
    chosen = np.logical_and(where, a == rt.expand(out, np.shape(a), axis, keepdims))
    n_chosen = np.sum(chosen, axis=axis, keepdims=keepdims, dtype=out.dtype)
    share = out_bar / np.maximum(n_chosen, 1)
    return chosen * rt.expand(share, np.shape(a), axis, keepdims)


@forward("numpy.ptp", when="ties share equally")
def ptp_forward(a, axis=None, *, keepdims=False, a_dot):
    top = a == np.max(a, axis=axis, keepdims=True)
    bottom = a == np.min(a, axis=axis, keepdims=True)
    upper = top / np.sum(top, axis=axis, keepdims=True)
    share = upper - bottom / np.sum(bottom, axis=axis, keepdims=True)
    return np.sum(share * a_dot, axis=axis, keepdims=keepdims)


@reverse("numpy.ptp", when="ties share equally")
def ptp_reverse(a, axis=None, *, keepdims=False, out_bar):
    top = a == np.max(a, axis=axis, keepdims=True)
    bottom = a == np.min(a, axis=axis, keepdims=True)
    upper = top / np.sum(top, axis=axis, keepdims=True)
    share = upper - bottom / np.sum(bottom, axis=axis, keepdims=True)
    return rt.unbroadcast(share * rt.expand(out_bar, np.shape(a), axis, keepdims), a)


@forward("numpy.logaddexp.reduce")
def logaddexp_reduce_forward(array, axis=0, *, keepdims=False, out, array_dot):
    finite = np.where(np.isneginf(out), 0.0, out)
    whole = rt.expand(finite, np.shape(array), axis, keepdims)
    shares = np.exp(array - whole)
    return np.sum(shares * array_dot, axis=axis, keepdims=keepdims)


@reverse("numpy.logaddexp.reduce")
def logaddexp_reduce_reverse(array, axis=0, *, keepdims=False, out, out_bar):
    finite = np.where(np.isneginf(out), 0.0, out)
    whole = rt.expand(finite, np.shape(array), axis, keepdims)
    shares = np.exp(array - whole)
    return shares * rt.expand(out_bar, np.shape(array), axis, keepdims)


# without what is not a number


@forward("numpy.nansum")
def nansum_forward(a, axis=None, *, keepdims=False, a_dot):
    return np.sum(np.where(np.isnan(a), 0, a_dot), axis=axis, keepdims=keepdims)


@reverse("numpy.nansum")
def nansum_reverse(a, axis=None, *, keepdims=False, out_bar):
    return np.where(np.isnan(a), 0, rt.expand(out_bar, np.shape(a), axis, keepdims))


@forward("numpy.nanmean")
def nanmean_forward(a, axis=None, *, keepdims=False, out, a_dot):
    counted = np.logical_not(np.isnan(a))
    total = np.sum(np.where(counted, a_dot, 0), axis=axis, keepdims=keepdims)
    return total / np.sum(counted, axis=axis, keepdims=keepdims, dtype=out.dtype)


@reverse("numpy.nanmean")
def nanmean_reverse(a, axis=None, *, keepdims=False, out, out_bar):
    counted = np.logical_not(np.isnan(a))
    share = out_bar / np.sum(counted, axis=axis, keepdims=keepdims, dtype=out.dtype)
    return np.where(counted, rt.expand(share, np.shape(a), axis, keepdims), 0)


@forward("numpy.nancumsum")
def nancumsum_forward(a, axis=None, *, a_dot):
    return np.cumsum(np.where(np.isnan(a), 0, a_dot), axis)


@reverse("numpy.nancumsum")
def nancumsum_reverse(a, axis=None, *, out_bar):
    sums = np.cumsum(np.flip(out_bar, axis), axis)
    return np.where(np.isnan(a), 0, np.reshape(np.flip(sums, axis), np.shape(a)))


@forward("numpy.nanvar")
def nanvar_forward(a, axis=None, *, ddof=0, keepdims=False, out, a_dot):
    counted = np.logical_not(np.isnan(a))
    centered = rt.conj(np.where(counted, a - np.nanmean(a, axis=axis, keepdims=True), 0))
    moved = np.real(centered * np.where(counted, a_dot, 0))
    count = np.sum(counted, axis=axis, keepdims=keepdims, dtype=out.dtype) - ddof
    return 2 * np.sum(moved, axis=axis, keepdims=keepdims) / count


@reverse("numpy.nanvar")
def nanvar_reverse(a, axis=None, *, ddof=0, keepdims=False, out, out_bar):
    counted = np.logical_not(np.isnan(a))
    centered = rt.conj(np.where(counted, a - np.nanmean(a, axis=axis, keepdims=True), 0))
    share = (
        2
        * np.real(out_bar)
        / (np.sum(counted, axis=axis, keepdims=keepdims, dtype=out.dtype) - ddof)
    )
    return rt.expand(share, np.shape(a), axis, keepdims) * centered


@forward("numpy.nanstd", when="0 where all elements are equal")
def nanstd_forward(a, axis=None, *, ddof=0, keepdims=False, out, a_dot):
    counted = np.logical_not(np.isnan(a))
    centered = rt.conj(np.where(counted, a - np.nanmean(a, axis=axis, keepdims=True), 0))
    moved = np.real(centered * np.where(counted, a_dot, 0))
    count = np.sum(counted, axis=axis, keepdims=keepdims, dtype=out.dtype) - ddof
    return np.sum(moved, axis=axis, keepdims=keepdims) * rt.per_size(out) / count


@reverse("numpy.nanstd", when="0 where all elements are equal")
def nanstd_reverse(a, axis=None, *, ddof=0, keepdims=False, out, out_bar):
    counted = np.logical_not(np.isnan(a))
    centered = rt.conj(np.where(counted, a - np.nanmean(a, axis=axis, keepdims=True), 0))
    count = np.sum(counted, axis=axis, keepdims=keepdims, dtype=out.dtype) - ddof
    share = np.real(out_bar) * rt.per_size(out) / count
    return rt.expand(share, np.shape(a), axis, keepdims) * centered


@forward("numpy.nanprod")
def nanprod_forward(a, axis=None, *, keepdims=False, a_dot):
    others = rt.product_of_others(np.where(np.isnan(a), 1, a), axis)
    return np.sum(np.where(np.isnan(a), 0, a_dot) * others, axis=axis, keepdims=keepdims)


@reverse("numpy.nanprod")
def nanprod_reverse(a, axis=None, *, keepdims=False, out_bar):
    others = rt.product_of_others(np.where(np.isnan(a), 1, a), axis)
    return np.where(np.isnan(a), 0, rt.expand(out_bar, np.shape(a), axis, keepdims) * others)


# products along an axis


@forward("numpy.cumprod", "ndarray.cumprod")
def cumprod_forward(a, axis=None, *, out, a_dot):
    factors = np.reshape(a, np.shape(out))
    changes = np.reshape(a_dot, np.shape(out)) * rt.before(out, 1, axis)
    return rt.scan(factors, changes, axis)


@reverse("numpy.cumprod", "ndarray.cumprod")
def cumprod_reverse(a, axis=None, *, out, out_bar):
    back = rt.scan_back(np.reshape(a, np.shape(out)), out_bar, axis)
    return np.reshape(back * rt.before(out, 1, axis), np.shape(a))


@forward("numpy.cumulative_prod")
def cumulative_prod_forward(x, *, axis=None, include_initial: Literal[False] = False, out, x_dot):
    return rt.scan(x, x_dot * rt.before(out, 1, axis), axis)


@reverse("numpy.cumulative_prod")
def cumulative_prod_reverse(x, *, axis=None, include_initial: Literal[False] = False, out, out_bar):
    return rt.scan_back(x, out_bar, axis) * rt.before(out, 1, axis)


@forward("numpy.nancumprod")
def nancumprod_forward(a, axis=None, *, out, a_dot):
    factors = np.reshape(np.where(np.isnan(a), 1, a), np.shape(out))
    changes = np.reshape(np.where(np.isnan(a), 0, a_dot), np.shape(out))
    return rt.scan(factors, changes * rt.before(out, 1, axis), axis)


@reverse("numpy.nancumprod")
def nancumprod_reverse(a, axis=None, *, out, out_bar):
    factors = np.reshape(np.where(np.isnan(a), 1, a), np.shape(out))
    back = rt.scan_back(factors, out_bar, axis) * rt.before(out, 1, axis)
    return np.where(np.isnan(a), 0, np.reshape(back, np.shape(a)))


@forward("numpy.corrcoef", when="one set of real variables")
def corrcoef_forward(x, y: Literal[None] = None, rowvar=True, *, out, x_dot):
    spread = rt.deviations(rt.real(x), rowvar, False, None)
    sizes = np.sqrt(np.sum(spread * spread, axis=1, keepdims=True))
    turned = rt.deviations(x_dot, rowvar, False, None) / sizes
    half = np.matmul(turned, np.transpose(spread / sizes))
    own = np.expand_dims(np.diagonal(half), 1)
    change = half + np.transpose(half) - np.atleast_2d(out) * (own + np.transpose(own))
    return np.reshape(change, np.shape(out))


@reverse("numpy.corrcoef", when="one set of real variables")
def corrcoef_reverse(x, y: Literal[None] = None, rowvar=True, *, out, out_bar):
    spread = rt.deviations(rt.real(x), rowvar, False, None)
    sizes = np.sqrt(np.sum(spread * spread, axis=1, keepdims=True))
    both = np.atleast_2d(out_bar) + np.transpose(np.atleast_2d(out_bar))
    own = np.sum(both * np.atleast_2d(out), axis=1, keepdims=True)
    change = (np.matmul(both, spread / sizes) - own * spread / sizes) / sizes
    return rt.unbroadcast(rt.deviations_bar(change, np.shape(x), rowvar, False, None), x)


@composite("numpy.corrcoef", of="x y", when="real variables")
def corrcoef_of_rows(x, y, rowvar: Literal[True] = True):
    return np.corrcoef(np.vstack((x, y)))


@composite("numpy.corrcoef", of="x y", when="real variables")
def corrcoef_of_columns(x, y, rowvar: Literal[False]):
    return np.corrcoef(np.column_stack((x, y)), None, False)
