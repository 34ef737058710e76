# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Special functions of SciPy, which need not be installed.

Rules read, never run: each body is spliced into generated code. A file that uses one of these
functions has SciPy, so that their derivatives may use it, too. Arguments that `of` leaves out have
no derivative in closed form. Formulas: NIST Digital Library of Mathematical Functions (DLMF),
chapters 5 to 10; Owen, "Tables for computing bivariate normal probabilities" (1956), for `owens_t`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

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


@elementwise("scipy.special.softplus")
def softplus(x):
    return special.expit(x)


# sums of exponentials


@forward("scipy.special.logsumexp", when="real arguments")
def logsumexp_forward(a, axis=None, *, keepdims=False, out, a_dot):
    finite = np.where(out == -np.inf, 0.0, out)
    whole = rt.expand(finite, np.shape(a), axis, keepdims)
    shares = np.exp(a - whole)
    return np.sum(shares * a_dot, axis=axis, keepdims=keepdims)


@reverse("scipy.special.logsumexp", when="real arguments")
def logsumexp_reverse(a, axis=None, *, keepdims=False, out, out_bar):
    finite = np.where(out == -np.inf, 0.0, out)
    whole = rt.expand(finite, np.shape(a), axis, keepdims)
    shares = np.exp(a - whole)
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


@elementwise("scipy.special.ndtri_exp")
def ndtri_exp(y, *, out):
    return np.exp(y + out * out / 2) * math.sqrt(2 * math.pi)


@elementwise("scipy.special.wofz")
def wofz(z, *, out):
    return 2j / math.sqrt(math.pi) - 2 * z * out


@elementwise("scipy.special.voigt_profile", when="sigma is positive")
def voigt_profile(x, sigma, gamma, *, out):
    """Scales the Faddeeva function, whose argument is here called `z`."""
    z = (x + 1j * gamma) / (sigma * math.sqrt(2))
    slope = (2j / math.sqrt(math.pi) - 2 * z * special.wofz(z)) / (2 * math.sqrt(math.pi))
    sigma_bar = -out / sigma - math.sqrt(2) * np.real(slope * z) / sigma**2
    return np.real(slope) / sigma**2, sigma_bar, -np.imag(slope) / sigma**2


@elementwise("scipy.special.owens_t")
def owens_t(h, a):
    by_h = -np.exp(-h * h / 2) * special.erf(a * h / math.sqrt(2)) / (2 * math.sqrt(2 * math.pi))
    square = 1 + a * a
    return by_h, np.exp(-h * h * square / 2) / (2 * math.pi * square)


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


@elementwise("scipy.special.betaincc", of="x")
def betaincc(a, b, x):
    return -np.exp((a - 1) * np.log(x) + (b - 1) * np.log1p(-x) - special.betaln(a, b))


@elementwise("scipy.special.betaincinv", of="y")
def betaincinv(a, b, y, *, out):
    return np.exp((1 - a) * np.log(out) + (1 - b) * np.log1p(-out) + special.betaln(a, b))


@elementwise("scipy.special.betainccinv", of="y")
def betainccinv(a, b, y, *, out):
    return -np.exp((1 - a) * np.log(out) + (1 - b) * np.log1p(-out) + special.betaln(a, b))


@elementwise("scipy.special.gammaincinv", of="y")
def gammaincinv(a, y, *, out):
    return np.exp((1 - a) * np.log(out) + out + special.gammaln(a))


@elementwise("scipy.special.gammainccinv", of="y")
def gammainccinv(a, y, *, out):
    return -np.exp((1 - a) * np.log(out) + out + special.gammaln(a))


@elementwise("scipy.special.chdtr", of="x")
def chdtr(v, x):
    return np.exp((v / 2 - 1) * np.log(x / 2) - x / 2 - special.gammaln(v / 2)) / 2


@elementwise("scipy.special.chdtrc", of="x")
def chdtrc(v, x):
    return -np.exp((v / 2 - 1) * np.log(x / 2) - x / 2 - special.gammaln(v / 2)) / 2


@elementwise("scipy.special.stdtr", of="t")
def stdtr(df, t):
    tail = -(df + 1) / 2 * np.log1p(t * t / df)
    return np.exp(tail - special.betaln(df / 2, 0.5)) / np.sqrt(df)


@elementwise("scipy.special.stdtrit", of="p")
def stdtrit(df, p, *, out):
    tail = (df + 1) / 2 * np.log1p(out * out / df)
    return np.exp(tail + special.betaln(df / 2, 0.5)) * np.sqrt(df)


@elementwise("scipy.special.poch")
def poch(z, m, *, out):
    above = special.digamma(z + m)
    return out * (above - special.digamma(z)), out * above


@elementwise("scipy.special.binom", when="n > k > -1, or n < k < 0")
def binom(n, k, *, out):
    rest = special.digamma(n - k + 1)
    return out * (special.digamma(n + 1) - rest), out * (rest - special.digamma(k + 1))


@elementwise("scipy.special.comb", when="0 <= k <= N")
def comb(N, k, *, exact: Literal[False] = False, repetition: Literal[False] = False, out):  # noqa: N803
    rest = special.digamma(N - k + 1)
    return out * (special.digamma(N + 1) - rest), out * (rest - special.digamma(k + 1))


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
    return rt.stretch(-(x * special.zeta(x + 1.0, q) * q_dot), np.shape(out))


@reverse("scipy.special.zeta")
def zeta_reverse(x, q, *, out_bar):
    return rt.unbroadcast(-(x * special.zeta(x + 1.0, q) * out_bar), q)


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
    return np.log(x / y) + 1, -(x / y)


@elementwise("scipy.special.kl_div")
def kl_div(x, y):
    return np.log(x / y), 1 - x / y


@elementwise("scipy.special.spence", when="not at 1")
def spence(z):
    return np.log(z) / (1 - z)


@elementwise("scipy.special.exp10")
def exp10(x, *, out):
    return out * math.log(10)


@elementwise("scipy.special.exprel")
def exprel(x):
    """Divides by nothing that may be 0: the function is `hyp1f1(1, 2, x)`."""
    return special.hyp1f1(2, 3, x) / 2


@elementwise("scipy.special.powm1")
def powm1(x, y):
    power = x**y
    return y * power / x, power * np.log(x)


@elementwise("scipy.special.cosm1")
def cosm1(x):
    return -np.sin(x)


@elementwise("scipy.special.sindg")
def sindg(x):
    return special.cosdg(x) * (math.pi / 180)


@elementwise("scipy.special.cosdg")
def cosdg(x):
    return -special.sindg(x) * (math.pi / 180)


@elementwise("scipy.special.tandg")
def tandg(x, *, out):
    return (1 + out * out) * (math.pi / 180)


@elementwise("scipy.special.lambertw", of="z")
def lambertw(z, k=0, *, out):
    """Divides by nothing that is 0 at 0, as `z` itself would be."""
    return np.exp(-out) / (1 + out)


@elementwise("scipy.special.wrightomega")
def wrightomega(z, *, out):
    return out / (1 + out)


# transformations of data and losses


@elementwise("scipy.special.boxcox", of="x")
def boxcox(x, lmbda):
    return x ** (lmbda - 1)


@elementwise("scipy.special.boxcox1p", of="x")
def boxcox1p(x, lmbda):
    return (1 + x) ** (lmbda - 1)


@elementwise("scipy.special.inv_boxcox", of="x")
def inv_boxcox(x, lmbda, *, out):
    return out ** (1 - lmbda)


@elementwise("scipy.special.inv_boxcox1p", of="x")
def inv_boxcox1p(x, lmbda, *, out):
    return (1 + out) ** (1 - lmbda)


@elementwise("scipy.special.huber", when="delta is positive")
def huber(delta, r):
    return np.maximum(np.abs(r) - delta, 0), np.clip(r, -delta, delta)


@elementwise("scipy.special.pseudo_huber", when="delta is positive")
def pseudo_huber(delta, r, *, out):
    """Subtracts nothing, so that small residuals lose no digits."""
    size = np.hypot(delta, r)
    return out * out / (delta * delta * size), delta * r / size


# exponential, sine, cosine and Fresnel integrals


@elementwise("scipy.special.exp1")
def exp1(z):
    return -np.exp(-z) / z


@elementwise("scipy.special.expi")
def expi(x):
    return np.exp(x) / x


@elementwise("scipy.special.expn", of="x")
def expn(n, x):
    """Asks for no order below 1: that of order 0 is `exp(-x) / x`."""
    lowest = np.exp(-x) / x * np.where(n == 0, 1 + 1 / x, 1)
    return -np.where(n > 1, special.expn(np.maximum(n - 1, 1), x), lowest)


@forward("scipy.special.sici")
def sici_forward(x, *, x_dot):
    return [x_dot * special.spherical_jn(0, x), rt.ratio(x_dot * np.cos(x), np.positive(x))]


@reverse("scipy.special.sici")
def sici_reverse(x, *, out_bar):
    x_bar = out_bar[0] * special.spherical_jn(0, x) + rt.ratio(
        out_bar[1] * np.cos(x), np.positive(x)
    )
    return rt.unbroadcast(x_bar, x)


@forward("scipy.special.shichi")
def shichi_forward(x, *, x_dot):
    return [x_dot * special.spherical_in(0, x), rt.ratio(x_dot * np.cosh(x), np.positive(x))]


@reverse("scipy.special.shichi")
def shichi_reverse(x, *, out_bar):
    x_bar = out_bar[0] * special.spherical_in(0, x) + rt.ratio(
        out_bar[1] * np.cosh(x), np.positive(x)
    )
    return rt.unbroadcast(x_bar, x)


@forward("scipy.special.fresnel")
def fresnel_forward(z, *, z_dot):
    angle = z * z * (math.pi / 2)
    return [z_dot * np.sin(angle), z_dot * np.cos(angle)]


@reverse("scipy.special.fresnel")
def fresnel_reverse(z, *, out_bar):
    angle = z * z * (math.pi / 2)
    return out_bar[0] * np.sin(angle) + out_bar[1] * np.cos(angle)


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


@elementwise("scipy.special.jve", of="z", when="real arguments")
def jve(v, z):
    return (special.jve(v - 1, rt.real(z)) - special.jve(v + 1, z)) / 2


@elementwise("scipy.special.yve", of="z", when="real arguments")
def yve(v, z):
    return (special.yve(v - 1, rt.real(z)) - special.yve(v + 1, z)) / 2


@elementwise("scipy.special.kve", of="z")
def kve(v, z, *, out):
    return out - (special.kve(v - 1, z) + special.kve(v + 1, z)) / 2


@elementwise("scipy.special.k0e")
def k0e(x, *, out):
    return out - special.k1e(x)


@elementwise("scipy.special.k1e")
def k1e(x, *, out):
    return out - (special.k0e(x) + special.kve(2, x)) / 2


@elementwise("scipy.special.hankel1", of="z")
def hankel1(v, z):
    return (special.hankel1(v - 1, z) - special.hankel1(v + 1, z)) / 2


@elementwise("scipy.special.hankel2", of="z")
def hankel2(v, z):
    return (special.hankel2(v - 1, z) - special.hankel2(v + 1, z)) / 2


@elementwise("scipy.special.jvp", of="z")
def jvp(v, z, n=1):
    return special.jvp(v, z, n + 1)


@elementwise("scipy.special.yvp", of="z")
def yvp(v, z, n=1):
    return special.yvp(v, z, n + 1)


@elementwise("scipy.special.ivp", of="z")
def ivp(v, z, n=1):
    return special.ivp(v, z, n + 1)


@elementwise("scipy.special.kvp", of="z")
def kvp(v, z, n=1):
    return special.kvp(v, z, n + 1)


@elementwise("scipy.special.spherical_jn", of="z")
def spherical_jn(n, z):
    """Divides by no argument, and asks for no order below 0."""
    before = n * special.spherical_jn(np.maximum(n - 1, 0), z)
    return (before - (n + 1) * special.spherical_jn(n + 1, z)) / (2 * n + 1)


@elementwise("scipy.special.spherical_yn", of="z")
def spherical_yn(n, z):
    before = n * special.spherical_yn(np.maximum(n - 1, 0), z)
    return (before - (n + 1) * special.spherical_yn(n + 1, z)) / (2 * n + 1)


@elementwise("scipy.special.spherical_in", of="z")
def spherical_in(n, z):
    before = n * special.spherical_in(np.maximum(n - 1, 0), z)
    return (before + (n + 1) * special.spherical_in(n + 1, z)) / (2 * n + 1)


@elementwise("scipy.special.spherical_kn", of="z")
def spherical_kn(n, z):
    before = n * special.spherical_kn(np.maximum(n - 1, 0), z)
    return -(before + (n + 1) * special.spherical_kn(n + 1, z)) / (2 * n + 1)


@forward("scipy.special.airy")
def airy_forward(z, *, z_dot):
    found = special.airy(z)
    return [found[1] * z_dot, z * found[0] * z_dot, found[3] * z_dot, z * found[2] * z_dot]


@reverse("scipy.special.airy")
def airy_reverse(z, *, out_bar):
    found = special.airy(z)
    first = out_bar[0] * found[1] + out_bar[1] * (z * found[0])
    return first + (out_bar[2] * found[3] + out_bar[3] * (z * found[2]))


constant("scipy.special.gammasgn")
