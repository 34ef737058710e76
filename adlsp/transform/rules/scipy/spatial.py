# mypy: allow-untyped-defs
# ruff: noqa: D103, N803, N806
"""Distances between vectors, or between the rows of two matrices, as SciPy computes them.

Rules read, never run: each body is spliced into generated code. The distance of a row to one that
is the same has slope 0 by both, as that to itself has, which is always 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import forward, linear, reverse

if TYPE_CHECKING:
    import numpy as np
    from scipy.spatial import distance

    from adlsp import runtime as rt


@forward("scipy.spatial.distance.cdist")
def cdist_forward(XA, XB, metric: Literal["euclidean"] = "euclidean", *, out, XA_dot, XB_dot):
    length = np.where(out == 0, 1.0, out)
    own = np.sum(XA * XA_dot, axis=1, keepdims=True) - XA_dot @ np.transpose(XB)
    other = np.sum(XB * XB_dot, axis=1) - XA @ np.transpose(XB_dot)
    return own / length, other / length


@reverse("scipy.spatial.distance.cdist")
def cdist_reverse(XA, XB, metric: Literal["euclidean"] = "euclidean", *, out, out_bar):
    share = out_bar / np.where(out == 0, 1.0, out)
    XA_bar = np.sum(share, axis=1, keepdims=True) * XA - share @ XB
    XB_bar = np.expand_dims(np.sum(share, axis=0), 1) * XB - np.transpose(share) @ XA
    return rt.cast_like(XA_bar, XA), rt.cast_like(XB_bar, XB)


@forward("scipy.spatial.distance.cdist")
def squared_forward(XA, XB, metric: Literal["sqeuclidean"], *, XA_dot, XB_dot):
    own = np.sum(XA * XA_dot, axis=1, keepdims=True) - XA_dot @ np.transpose(XB)
    other = np.sum(XB * XB_dot, axis=1) - XA @ np.transpose(XB_dot)
    return 2 * own, 2 * other


@reverse("scipy.spatial.distance.cdist")
def squared_reverse(XA, XB, metric: Literal["sqeuclidean"], *, out_bar):
    XA_bar = np.sum(out_bar, axis=1, keepdims=True) * XA - out_bar @ XB
    XB_bar = np.expand_dims(np.sum(out_bar, axis=0), 1) * XB - np.transpose(out_bar) @ XA
    return rt.cast_like(2 * XA_bar, XA), rt.cast_like(2 * XB_bar, XB)


@forward("scipy.spatial.distance.cdist")
def along_axes_forward(XA, XB, metric: Literal["cityblock"], *, XA_dot, XB_dot):
    side = np.sign(np.expand_dims(XA, 1) - XB)
    own = np.sum(side * np.expand_dims(XA_dot, 1), axis=2)
    return own, -np.sum(side * XB_dot, axis=2)


@reverse("scipy.spatial.distance.cdist")
def along_axes_reverse(XA, XB, metric: Literal["cityblock"], *, out_bar):
    parts = np.expand_dims(out_bar, 2) * np.sign(np.expand_dims(XA, 1) - XB)
    return rt.cast_like(np.sum(parts, axis=1), XA), rt.cast_like(-np.sum(parts, axis=0), XB)


@forward("scipy.spatial.distance.pdist")
def pdist_forward(X, metric: Literal["euclidean"] = "euclidean", *, out, X_dot):
    own = np.sum(X * X_dot, axis=1)
    mixed = X @ np.transpose(X_dot)
    whole = np.add.outer(own, own) - mixed - np.transpose(mixed)
    return distance.squareform(whole, checks=False) / np.where(out == 0, 1.0, out)


@reverse("scipy.spatial.distance.pdist")
def pdist_reverse(X, metric: Literal["euclidean"] = "euclidean", *, out, out_bar):
    share = distance.squareform(out_bar / np.where(out == 0, 1.0, out))
    return rt.cast_like(np.sum(share, axis=1, keepdims=True) * X - share @ X, X)


@forward("scipy.spatial.distance.pdist")
def squared_pdist_forward(X, metric: Literal["sqeuclidean"], *, X_dot):
    own = np.sum(X * X_dot, axis=1)
    mixed = X @ np.transpose(X_dot)
    whole = np.add.outer(own, own) - mixed - np.transpose(mixed)
    return 2 * distance.squareform(whole, checks=False)


@reverse("scipy.spatial.distance.pdist")
def squared_pdist_reverse(X, metric: Literal["sqeuclidean"], *, out_bar):
    share = distance.squareform(2 * out_bar)
    return rt.cast_like(np.sum(share, axis=1, keepdims=True) * X - share @ X, X)


@forward("scipy.spatial.distance.pdist")
def pdist_along_axes_forward(X, metric: Literal["cityblock"], *, X_dot):
    change = np.sign(np.expand_dims(X, 1) - X) * (np.expand_dims(X_dot, 1) - X_dot)
    return distance.squareform(np.sum(change, axis=2), checks=False)


@reverse("scipy.spatial.distance.pdist")
def pdist_along_axes_reverse(X, metric: Literal["cityblock"], *, out_bar):
    whole = np.expand_dims(distance.squareform(out_bar), 2)
    return rt.cast_like(np.sum(whole * np.sign(np.expand_dims(X, 1) - X), axis=1), X)


@forward("scipy.spatial.distance.squareform")
def squareform_forward(X, force: Literal["no"] = "no", checks=True, *, X_dot):
    return distance.squareform(X_dot, checks=False)


@reverse("scipy.spatial.distance.squareform")
def squareform_reverse(X, force: Literal["no"] = "no", checks=True, *, out_bar):
    return rt.cast_like(rt.squareform_bar(out_bar), X)


@linear("adlsp.runtime.squareform_bar", of="g")
def squareform_bar(g, *, out_bar):
    return distance.squareform(out_bar, checks=False)


@forward("scipy.spatial.distance.euclidean")
def euclidean_forward(u, v, *, out, u_dot, v_dot):
    part = rt.conj(u - v) / np.where(out == 0, 1.0, out)
    return np.real(np.dot(part, u_dot)), -np.real(np.dot(part, v_dot))


@reverse("scipy.spatial.distance.euclidean")
def euclidean_reverse(u, v, *, out, out_bar):
    part = np.real(out_bar) * (rt.conj(u - v) / np.where(out == 0, 1.0, out))
    return rt.cast_like(part, u), rt.cast_like(-part, v)


@forward("scipy.spatial.distance.sqeuclidean")
def squared_of_two_forward(u, v, *, u_dot, v_dot):
    return 2 * np.dot(u - v, u_dot), -2 * np.dot(u - v, v_dot)


@reverse("scipy.spatial.distance.sqeuclidean")
def squared_of_two_reverse(u, v, *, out_bar):
    part = 2 * out_bar * (u - v)
    return rt.cast_like(part, u), rt.cast_like(-part, v)
