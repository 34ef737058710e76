# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Special functions of SciPy, which need not be installed.

Rules read, never run: each body is spliced into generated code. A file that uses one of these
functions has SciPy, so that their derivatives may use it, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import constant, elementwise, forward, reverse

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


@elementwise("scipy.special.erfcx")
def erfcx(x, *, out):
    return 2 * x * out - 2 / math.sqrt(math.pi)


@elementwise("scipy.special.erfi")
def erfi(z):
    return 2 / math.sqrt(math.pi) * np.exp(z * z)


@elementwise("scipy.special.dawsn")
def dawsn(x, *, out):
    return 1 - 2 * x * out


@elementwise("scipy.special.erfcinv")
def erfcinv(y, *, out):
    return -math.sqrt(math.pi) / 2 * np.exp(out * out)


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


@elementwise("scipy.special.rgamma")
def rgamma(z, *, out):
    return -out * special.digamma(z)


@elementwise("scipy.special.multigammaln", of="a")
def multigammaln(a, d):
    return np.sum(special.digamma(np.expand_dims(a, -1) - np.arange(d) / 2), axis=-1)


@elementwise("scipy.special.beta")
def beta(a, b, *, out):
    both = special.digamma(a + b)
    return out * (special.digamma(a) - both), out * (special.digamma(b) - both)


@elementwise("scipy.special.betaln")
def betaln(a, b):
    both = special.digamma(a + b)
    return special.digamma(a) - both, special.digamma(b) - both


@elementwise("scipy.special.betainc", of="x")
def betainc(a, b, x):
    return np.exp((a - 1) * np.log(x) + (b - 1) * np.log1p(-x) - special.betaln(a, b))


@elementwise("scipy.special.gammainc", of="x")
def gammainc(a, x):
    return np.exp((a - 1) * np.log(x) - x - special.gammaln(a))


@elementwise("scipy.special.gammaincc", of="x")
def gammaincc(a, x):
    return -np.exp((a - 1) * np.log(x) - x - special.gammaln(a))


@elementwise("scipy.special.gammaln", "scipy.special.loggamma")
def gammaln(x):
    return special.digamma(x)


@elementwise("scipy.special.digamma", "scipy.special.psi")
def digamma(z):
    return special.zeta(2, z)


@forward("scipy.special.polygamma")
def polygamma_forward(n, x, *, out, x_dot):
    return np.asarray(rt.stretch(x_dot * special.polygamma(n + 1, x), np.shape(out)))


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


@elementwise("scipy.special.xlog1py")
def xlog1py(x, y):
    return np.log1p(y), x / (1 + y)


@elementwise("scipy.special.rel_entr")
def rel_entr(x, y):
    return np.log(x / y) + 1, -x / y


@elementwise("scipy.special.kl_div")
def kl_div(x, y):
    return np.log(x / y), 1 - x / y


@elementwise("scipy.special.spence", when="not at 1")
def spence(z):
    return np.log(z) / (1 - z)


@elementwise("scipy.special.exp10")
def exp10(x, *, out):
    return out * math.log(10)


# Bessel functions


@elementwise("scipy.special.j0")
def j0(x):
    return -special.j1(x)


@elementwise("scipy.special.j1")
def j1(x):
    return (special.j0(x) - special.jv(2, x)) / 2


@elementwise("scipy.special.jv", "scipy.special.jn", of="z")
def jv(v, z):
    return (special.jv(v - 1, z) - special.jv(v + 1, z)) / 2


@elementwise("scipy.special.y0")
def y0(x):
    return -special.y1(x)


@elementwise("scipy.special.y1")
def y1(x):
    return (special.y0(x) - special.yv(2, x)) / 2


@elementwise("scipy.special.yn", "scipy.special.yv", of="x")
def yn(n, x):
    return (special.yv(n - 1, x) - special.yv(n + 1, x)) / 2


@elementwise("scipy.special.i0")
def i0(x):
    return special.i1(x)


@elementwise("scipy.special.i1")
def i1(x):
    return (special.i0(x) + special.iv(2, x)) / 2


@elementwise("scipy.special.iv", of="z")
def iv(v, z):
    return (special.iv(v - 1, z) + special.iv(v + 1, z)) / 2


@elementwise("scipy.special.i0e")
def i0e(x, *, out):
    return special.i1e(x) - np.sign(rt.real(x)) * out


@elementwise("scipy.special.i1e")
def i1e(x, *, out):
    return (special.i0e(x) + special.ive(2, x)) / 2 - np.sign(rt.real(x)) * out


@elementwise("scipy.special.ive", of="z", when="real arguments")
def ive(v, z, *, out):
    return (special.ive(v - 1, z) + special.ive(v + 1, z)) / 2 - np.sign(rt.real(z)) * out


@elementwise("scipy.special.k0")
def k0(x):
    return -special.k1(x)


@elementwise("scipy.special.k1")
def k1(x):
    return -(special.k0(x) + special.kv(2, x)) / 2


@elementwise("scipy.special.kn", "scipy.special.kv", of="x")
def kn(n, x):
    return -(special.kv(n - 1, x) + special.kv(n + 1, x)) / 2


constant("scipy.special.gammasgn")
