"""Gradients of statistics: covariances, and histograms with weights.

A covariance is the product of deviations with themselves. In a histogram the weights of the
elements in a bin are added up; the edges of the bins lie between the extremes of all elements.
"""

from __future__ import annotations

import math

import numpy as np

from adlsp.runtime.shapes import Shape, Value


def deviations(m: Value, rowvar: bool = True, bias: bool = False, ddof: int | None = None) -> Value:
    """Gives `d` with `numpy.cov(m, rowvar=…, bias=…, ddof=…) = d @ d.T`, one variable in a row."""
    rows = np.atleast_2d(m)
    if not rowvar and np.ndim(m) > 1:
        rows = rows.T
    return _centered(rows, bias, ddof)


def deviations_bar(
    out_bar: Value, shape: Shape, rowvar: bool = True, bias: bool = False, ddof: int | None = None
) -> Value:
    """Gives the gradient of `m`, which has `shape`, in `deviations`."""
    rows = _centered(out_bar, bias, ddof)
    return rows.T if not rowvar and len(shape) > 1 else rows.reshape(shape)


def binned(weights: Value, a: Value, bins: Value, span: Value) -> Value:
    """Adds up the weights of the elements in each bin, as `numpy.histogram(a, bins, span)` does."""
    places, n_bins = _places(a, bins, span)
    made = np.zeros(n_bins + 1, weights.dtype)
    np.add.at(made, places, np.ravel(weights))
    return made[:-1]


def binned_bar(out_bar: Value, a: Value, bins: Value, span: Value) -> Value:
    """Gives the gradient of the weights in `binned`: that of the bin of each element."""
    places, _ = _places(a, bins, span)
    return np.append(out_bar, np.zeros(1, out_bar.dtype))[places].reshape(np.shape(a))


def edges(a_dot: Value, a: Value, bins: Value, span: Value) -> Value:
    """Gives the tangent of the edges of a histogram of `a`; ties of its extremes share equally."""
    made = np.zeros(len(np.histogram_bin_edges(a, bins, span)), a_dot.dtype)
    for chosen, share in _extremes(a, bins, span, len(made)):
        made += share * np.mean(a_dot[chosen])
    return made


def edges_bar(out_bar: Value, a: Value, bins: Value, span: Value) -> Value:
    """Gives the gradient of `a` through the edges of its histogram: it falls to its extremes."""
    made = np.zeros(np.shape(a), out_bar.dtype)
    for chosen, share in _extremes(a, bins, span, len(out_bar)):
        made[chosen] += np.dot(share, out_bar) / np.count_nonzero(chosen)
    return made


def _centered(rows: Value, bias: bool, ddof: int | None) -> Value:
    free = rows.shape[1] - (int(not bias) if ddof is None else ddof)
    return (rows - rows.mean(axis=1, keepdims=True)) / math.sqrt(free)


def _places(a: Value, bins: Value, span: Value) -> tuple[Value, int]:
    """The bin of each element, and how many there are; those outside come behind the last one."""
    flat, edges = np.ravel(a), np.histogram_bin_edges(a, bins, span)
    n_bins = len(edges) - 1
    found = np.searchsorted(edges, flat, side="right") - 1
    found[flat == edges[-1]] = n_bins - 1
    found[(flat < edges[0]) | (flat > edges[-1])] = n_bins
    return found, n_bins


def _extremes(a: Value, bins: Value, span: Value, n_edges: int) -> tuple[tuple[Value, Value], ...]:
    """The elements that are least and greatest, with their shares in each edge."""
    if np.ndim(bins) or span is not None or not np.size(a):
        return ()
    share = np.linspace(0.0, 1.0, n_edges)
    return (a == np.min(a), 1 - share), (a == np.max(a), share)
