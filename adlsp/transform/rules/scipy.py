# mypy: allow-untyped-defs
# ruff: noqa: ANN001, ANN201, ARG001, D103
"""Special functions of SciPy, which need not be installed.

Rules read, never run: each body is spliced into generated code. A file that uses one of these
functions has SciPy, so that their derivatives may use it, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import elementwise, forward, reverse

if TYPE_CHECKING:
    import math

    import numpy as np
    from scipy import special

    from adlsp import runtime as rt


# logistic functions


@elementwise("scipy.special.expit")
def expit(x, *, out):
    return out * (1 - out)


@elementwise("scipy.special.log_expit")
def log_expit(x):
    return special.expit(-x)


@elementwise("scipy.special.logit")
def logit(x):
    return 1 / (x * (1 - x))


# sums of exponentials


@forward("scipy.special.logsumexp", when="real arguments")
def logsumexp_forward(a, axis=None, *, keepdims=False, out, a_dot):
    shares = np.exp(a - rt.expand(out, np.shape(a), axis, keepdims))
    return np.sum(shares * a_dot, axis=axis, keepdims=keepdims)


@reverse("scipy.special.logsumexp", when="real arguments")
def logsumexp_reverse(a, axis=None, *, keepdims=False, out, out_bar):
    shares = np.exp(a - rt.expand(out, np.shape(a), axis, keepdims))
    return shares * rt.expand(out_bar, np.shape(a), axis, keepdims)


@forward("scipy.special.softmax")
def softmax_forward(x, axis=None, *, out, x_dot):
    return out * (x_dot - np.sum(out * x_dot, axis=axis, keepdims=True))


@reverse("scipy.special.softmax")
def softmax_reverse(x, axis=None, *, out, out_bar):
    return out * (out_bar - np.sum(out * out_bar, axis=axis, keepdims=True))


@forward("scipy.special.log_softmax")
def log_softmax_forward(x, axis=None, *, out, x_dot):
    return x_dot - np.sum(np.exp(out) * x_dot, axis=axis, keepdims=True)


@reverse("scipy.special.log_softmax")
def log_softmax_reverse(x, axis=None, *, out, out_bar):
    return out_bar - np.exp(out) * np.sum(out_bar, axis=axis, keepdims=True)


# the error function and the normal distribution


@elementwise("scipy.special.erf")
def erf(x):
    return 2 / math.sqrt(math.pi) * np.exp(-x * x)


@elementwise("scipy.special.erfc")
def erfc(x):
    return -2 / math.sqrt(math.pi) * np.exp(-x * x)


@elementwise("scipy.special.erfinv")
def erfinv(y, *, out):
    return math.sqrt(math.pi) / 2 * np.exp(out * out)


@elementwise("scipy.special.ndtr")
def ndtr(x):
    return np.exp(-x * x / 2) / math.sqrt(2 * math.pi)


@elementwise("scipy.special.ndtri")
def ndtri(y, *, out):
    return np.exp(out * out / 2) * math.sqrt(2 * math.pi)


@elementwise("scipy.special.log_ndtr")
def log_ndtr(x, *, out):
    return np.exp(-x * x / 2 - out) / math.sqrt(2 * math.pi)


# the gamma function and its kin


@elementwise("scipy.special.gamma")
def gamma(z, *, out):
    return out * special.digamma(z)


@elementwise("scipy.special.gammaln")
def gammaln(x):
    return special.digamma(x)


@elementwise("scipy.special.digamma", "scipy.special.psi")
def digamma(z):
    return special.zeta(2, z)


@forward("scipy.special.polygamma")
def polygamma_forward(n, x, *, out, x_dot):
    return rt.stretch(x_dot * special.polygamma(n + 1, x), np.shape(out))


@reverse("scipy.special.polygamma")
def polygamma_reverse(n, x, *, out_bar):
    return rt.unbroadcast(out_bar * special.polygamma(n + 1, x), x)


@forward("scipy.special.zeta")
def zeta_forward(x, q, *, out, q_dot):
    return rt.stretch(-x * special.zeta(x + 1, q) * q_dot, np.shape(out))


@reverse("scipy.special.zeta")
def zeta_reverse(x, q, *, out_bar):
    return rt.unbroadcast(-x * special.zeta(x + 1, q) * out_bar, q)


@elementwise("scipy.special.xlogy")
def xlogy(x, y):
    return np.log(y), x / y


@elementwise("scipy.special.entr")
def entr(x):
    return -1 - np.log(x)
