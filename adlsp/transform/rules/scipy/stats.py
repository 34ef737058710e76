# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Densities and distribution functions of SciPy, by their arguments and by their parameters.

Rules read, never run: each body is spliced into generated code. `z` is the argument without place
and scale. A distribution function is differentiated by its argument, place and scale.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import elementwise, forward, reverse

if TYPE_CHECKING:
    import numpy as np
    from scipy import special, stats

    from adlsp import runtime as rt


# the normal distribution


@elementwise("scipy.stats.norm.logpdf")
def norm_logpdf(x, loc=0, scale=1):
    z = (x - loc) / scale
    return -z / scale, z / scale, (z * z - 1) / scale


@elementwise("scipy.stats.norm.pdf")
def norm_pdf(x, loc=0, scale=1, *, out):
    z = (x - loc) / scale
    return -z * out / scale, z * out / scale, (z * z - 1) * out / scale


@elementwise("scipy.stats.norm.cdf")
def norm_cdf(x, loc=0, scale=1):
    density = stats.norm.pdf(x, loc, scale)
    return density, -density, -density * (x - loc) / scale


@elementwise("scipy.stats.norm.sf")
def norm_sf(x, loc=0, scale=1):
    density = stats.norm.pdf(x, loc, scale)
    return -density, density, density * (x - loc) / scale


@elementwise("scipy.stats.norm.logcdf")
def norm_logcdf(x, loc=0, scale=1, *, out):
    share = np.exp(stats.norm.logpdf(x, loc, scale) - out)
    return share, -share, -share * (x - loc) / scale


@elementwise("scipy.stats.norm.logsf")
def norm_logsf(x, loc=0, scale=1, *, out):
    share = np.exp(stats.norm.logpdf(x, loc, scale) - out)
    return -share, share, share * (x - loc) / scale


# Student's distribution


@elementwise("scipy.stats.t.logpdf")
def t_logpdf(x, df, loc=0, scale=1):
    z = (x - loc) / scale
    slope = -(df + 1) * z / (df + z * z)
    shape = special.digamma((df + 1) / 2) - special.digamma(df / 2) - np.log1p(z * z / df)
    by_df = (shape - (1 + slope * z) / df) / 2
    return slope / scale, by_df, -slope / scale, -(1 + slope * z) / scale


@elementwise("scipy.stats.t.pdf")
def t_pdf(x, df, loc=0, scale=1, *, out):
    z = (x - loc) / scale
    slope = -(df + 1) * z / (df + z * z)
    shape = special.digamma((df + 1) / 2) - special.digamma(df / 2) - np.log1p(z * z / df)
    by_df = out * (shape - (1 + slope * z) / df) / 2
    return out * slope / scale, by_df, -out * slope / scale, -out * (1 + slope * z) / scale


@elementwise("scipy.stats.t.cdf", of="x loc scale")
def t_cdf(x, df, loc=0, scale=1):
    density = stats.t.pdf(x, df, loc, scale)
    return density, -density, -density * (x - loc) / scale


@elementwise("scipy.stats.t.logcdf", of="x loc scale")
def t_logcdf(x, df, loc=0, scale=1, *, out):
    share = np.exp(stats.t.logpdf(x, df, loc, scale) - out)
    return share, -share, -share * (x - loc) / scale


# distributions of a place and a scale


@elementwise("scipy.stats.expon.logpdf")
def expon_logpdf(x, loc=0, scale=1):
    return -1 / scale, 1 / scale, ((x - loc) / scale - 1) / scale


@elementwise("scipy.stats.expon.pdf")
def expon_pdf(x, loc=0, scale=1, *, out):
    return -out / scale, out / scale, out * ((x - loc) / scale - 1) / scale


@elementwise("scipy.stats.laplace.logpdf")
def laplace_logpdf(x, loc=0, scale=1):
    z = (x - loc) / scale
    return -np.sign(z) / scale, np.sign(z) / scale, (np.abs(z) - 1) / scale


@elementwise("scipy.stats.laplace.pdf")
def laplace_pdf(x, loc=0, scale=1, *, out):
    z = (x - loc) / scale
    return -out * np.sign(z) / scale, out * np.sign(z) / scale, out * (np.abs(z) - 1) / scale


@elementwise("scipy.stats.cauchy.logpdf")
def cauchy_logpdf(x, loc=0, scale=1):
    z = (x - loc) / scale
    slope = -2 * z / (1 + z * z)
    return slope / scale, -slope / scale, -(1 + slope * z) / scale


@elementwise("scipy.stats.cauchy.pdf")
def cauchy_pdf(x, loc=0, scale=1, *, out):
    z = (x - loc) / scale
    slope = -2 * z / (1 + z * z)
    return out * slope / scale, -out * slope / scale, -out * (1 + slope * z) / scale


@elementwise("scipy.stats.logistic.logpdf")
def logistic_logpdf(x, loc=0, scale=1):
    z = (x - loc) / scale
    slope = -np.tanh(z / 2)
    return slope / scale, -slope / scale, -(1 + slope * z) / scale


@elementwise("scipy.stats.logistic.pdf")
def logistic_pdf(x, loc=0, scale=1, *, out):
    z = (x - loc) / scale
    slope = -np.tanh(z / 2)
    return out * slope / scale, -out * slope / scale, -out * (1 + slope * z) / scale


@elementwise("scipy.stats.halfnorm.logpdf")
def halfnorm_logpdf(x, loc=0, scale=1):
    z = (x - loc) / scale
    return -z / scale, z / scale, (z * z - 1) / scale


@elementwise("scipy.stats.uniform.logpdf")
def uniform_logpdf(x, loc=0, scale=1):
    return 0, 0, -1 / scale


@elementwise("scipy.stats.lognorm.logpdf")
def lognorm_logpdf(x, s, loc=0, scale=1):
    z = (x - loc) / scale
    deviation = np.log(z) / s
    slope = -(deviation / s + 1) / z
    by_s = (deviation * deviation - 1) / s
    return slope / scale, by_s, -slope / scale, -(1 + slope * z) / scale


@elementwise("scipy.stats.invgamma.logpdf")
def invgamma_logpdf(x, a, loc=0, scale=1):
    z = (x - loc) / scale
    slope = (1 / z - a - 1) / z
    by_a = -np.log(z) - special.digamma(a)
    return slope / scale, by_a, -slope / scale, -(1 + slope * z) / scale


@elementwise("scipy.stats.expon.cdf")
def expon_cdf(x, loc=0, scale=1):
    density = stats.expon.pdf(x, loc, scale)
    return density, -density, -density * (x - loc) / scale


@elementwise("scipy.stats.logistic.cdf")
def logistic_cdf(x, loc=0, scale=1):
    density = stats.logistic.pdf(x, loc, scale)
    return density, -density, -density * (x - loc) / scale


# distributions of positive numbers, and of shares: 0.5 stands for what has no density


@elementwise("scipy.stats.gamma.logpdf")
def gamma_logpdf(x, a, loc=0, scale=1):
    z = (x - loc) / scale
    slope = (a - 1) / z - 1
    by_a = np.log(z) - special.digamma(a)
    return slope / scale, by_a, -slope / scale, -(1 + slope * z) / scale


@elementwise("scipy.stats.gamma.pdf")
def gamma_pdf(x, a, loc=0, scale=1, *, out):
    z = np.where(out > 0, (x - loc) / scale, 0.5)
    slope = (a - 1) / z - 1
    by_a = out * (np.log(z) - special.digamma(a))
    return out * slope / scale, by_a, -out * slope / scale, -out * (1 + slope * z) / scale


@elementwise("scipy.stats.gamma.cdf", of="x loc scale")
def gamma_cdf(x, a, loc=0, scale=1):
    density = stats.gamma.pdf(x, a, loc, scale)
    return density, -density, -density * (x - loc) / scale


@elementwise("scipy.stats.chi2.logpdf")
def chi2_logpdf(x, df):
    return (df / 2 - 1) / x - 0.5, (np.log(x / 2) - special.digamma(df / 2)) / 2


@elementwise("scipy.stats.chi2.pdf")
def chi2_pdf(x, df, *, out):
    inside = np.where(out > 0, x, 0.5)
    by_df = out * (np.log(inside / 2) - special.digamma(df / 2)) / 2
    return out * ((df / 2 - 1) / inside - 0.5), by_df


@elementwise("scipy.stats.chi2.cdf", of="x")
def chi2_cdf(x, df):
    return stats.chi2.pdf(x, df)


@elementwise("scipy.stats.beta.logpdf")
def beta_logpdf(x, a, b, loc=0, scale=1):
    z = (x - loc) / scale
    both = special.digamma(a + b)
    slope = (a - 1) / z - (b - 1) / (1 - z)
    by_a = np.log(z) - special.digamma(a) + both
    by_b = np.log1p(-z) - special.digamma(b) + both
    return slope / scale, by_a, by_b, -slope / scale, -(1 + slope * z) / scale


@elementwise("scipy.stats.beta.pdf")
def beta_pdf(x, a, b, *, out):
    both = special.digamma(a + b)
    inside = np.where(out > 0, x, 0.5)
    by_a = out * (np.log(inside) - special.digamma(a) + both)
    by_b = out * (np.log1p(-inside) - special.digamma(b) + both)
    return out * ((a - 1) / inside - (b - 1) / (1 - inside)), by_a, by_b


@elementwise("scipy.stats.beta.cdf", of="x")
def beta_cdf(x, a, b):
    return stats.beta.pdf(x, a, b)


# distributions of counts, by their parameters


@elementwise("scipy.stats.binom.logpmf", of="p")
def binom_logpmf(k, n, p):
    return k / p - (n - k) / (1 - p)


@elementwise("scipy.stats.binom.pmf", of="p")
def binom_pmf(k, n, p, *, out):
    return out * (k / p - (n - k) / (1 - p))


@elementwise("scipy.stats.bernoulli.logpmf", of="p")
def bernoulli_logpmf(k, p):
    return k / p - (1 - k) / (1 - p)


@elementwise("scipy.stats.geom.logpmf", of="p")
def geom_logpmf(k, p):
    return 1 / p - (k - 1) / (1 - p)


@elementwise("scipy.stats.nbinom.logpmf", of="n p")
def nbinom_logpmf(k, n, p):
    by_n = special.digamma(k + n) - special.digamma(n) + np.log(p)
    return by_n, n / p - k / (1 - p)


@elementwise("scipy.stats.poisson.logpmf", of="mu")
def poisson_logpmf(k, mu):
    return k / mu - 1


@elementwise("scipy.stats.poisson.pmf", of="mu")
def poisson_pmf(k, mu, *, out):
    return out * (k / mu - 1)


@elementwise("scipy.stats.poisson.cdf", of="mu")
def poisson_cdf(k, mu):
    return -stats.poisson.pmf(np.floor(k), mu)


# means


@forward("scipy.stats.gmean")
def gmean_forward(a, axis=0, *, out, a_dot):
    return out * np.mean(a_dot / a, axis=axis)


@reverse("scipy.stats.gmean")
def gmean_reverse(a, axis=0, *, out, out_bar):
    share = out_bar * out / rt.count(np.shape(a), axis)
    return rt.unbroadcast(rt.expand(share, np.shape(a), axis) / a, a)


# the normal distribution of vectors


@forward(
    "scipy.stats.multivariate_normal.logpdf",
    when="reads the lower triangle of cov",
)
def vectors_logpdf_forward(x, mean, cov, *, x_dot, mean_dot, cov_dot):
    inverse = np.linalg.inv(rt.hermitian(cov))
    pull = np.matmul(x - mean, inverse)
    turned = rt.hermitian(cov_dot)
    spread = np.sum(np.matmul(pull, turned) * pull, axis=-1)
    by_cov = np.squeeze(spread - np.sum(inverse * turned)) / 2
    by_x = -np.squeeze(np.sum(pull * x_dot, axis=-1))
    return by_x, np.squeeze(np.sum(pull * mean_dot, axis=-1)), by_cov


@reverse(
    "scipy.stats.multivariate_normal.logpdf",
    when="reads the lower triangle of cov",
)
def vectors_logpdf_reverse(x, mean, cov, *, out_bar):
    inverse = np.linalg.inv(rt.hermitian(cov))
    pull = np.matmul(x - mean, inverse)
    share = np.reshape(out_bar, np.shape(pull)[:-1] + (1,)) * pull  # noqa: RUF005
    products = np.expand_dims(share, -1) * np.expand_dims(pull, -2)
    change = (rt.unbroadcast(products, cov) - np.sum(out_bar) * inverse) / 2
    cov_bar = rt.unbroadcast(rt.hermitian_bar(change), cov)
    return rt.unbroadcast(-share, x), rt.unbroadcast(share, mean), cov_bar


@forward(
    "scipy.stats.multivariate_normal.pdf",
    when="reads the lower triangle of cov",
)
def vectors_pdf_forward(x, mean, cov, *, out, x_dot, mean_dot, cov_dot):
    inverse = np.linalg.inv(rt.hermitian(cov))
    pull = np.matmul(x - mean, inverse)
    turned = rt.hermitian(cov_dot)
    spread = np.sum(np.matmul(pull, turned) * pull, axis=-1)
    by_cov = out * np.squeeze(spread - np.sum(inverse * turned)) / 2
    by_x = -out * np.squeeze(np.sum(pull * x_dot, axis=-1))
    return by_x, out * np.squeeze(np.sum(pull * mean_dot, axis=-1)), by_cov


@reverse(
    "scipy.stats.multivariate_normal.pdf",
    when="reads the lower triangle of cov",
)
def vectors_pdf_reverse(x, mean, cov, *, out, out_bar):
    inverse = np.linalg.inv(rt.hermitian(cov))
    pull = np.matmul(x - mean, inverse)
    share = np.reshape(out_bar * out, np.shape(pull)[:-1] + (1,)) * pull  # noqa: RUF005
    products = np.expand_dims(share, -1) * np.expand_dims(pull, -2)
    change = (rt.unbroadcast(products, cov) - np.sum(out_bar * out) * inverse) / 2
    cov_bar = rt.unbroadcast(rt.hermitian_bar(change), cov)
    return rt.unbroadcast(-share, x), rt.unbroadcast(share, mean), cov_bar
