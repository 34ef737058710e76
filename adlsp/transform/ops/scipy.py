"""What functions of SciPy do, where no default tells."""

from __future__ import annotations

from adlsp.transform.ops.spec import FRESH, OUTSIDE, Dtype, op

HOMES = (
    *op("scipy.", effect=OUTSIDE),
    *op("scipy.fft.", dtype=Dtype.COMPLEX),
)

RECORDS = (
    *op("linalg.sqrtm signal.hilbert", "scipy.", dtype=Dtype.COMPLEX),
    *op("expm solve_sylvester solve_triangular sqrtm", "scipy.linalg.", result=FRESH),
    *op("log_softmax logsumexp polygamma softmax zeta", "scipy.special.", result=FRESH),
    *op("multivariate_normal.logpdf multivariate_normal.pdf", "scipy.stats.", result=FRESH),
)
