"""The workloads, one idea a file, in the order of the table."""

from benchmarks.workload import Workload
from benchmarks.workloads import (
    black_scholes,
    cholesky,
    counting,
    gram_schmidt,
    growing,
    jacobi,
    lattice,
    logistic,
    lstm,
    lu,
    mlp,
    power,
    products,
    triangular,
)

EVERY: tuple[Workload, ...] = (
    mlp.WORKLOAD,
    logistic.WORKLOAD,
    black_scholes.WORKLOAD,
    lstm.WORKLOAD,
    power.WORKLOAD,
    counting.WORKLOAD,
    growing.FILLED,
    growing.GROWN,
    lattice.WORKLOAD,
    jacobi.LINE,
    jacobi.PLANE,
    lu.WORKLOAD,
    cholesky.WORKLOAD,
    triangular.WORKLOAD,
    gram_schmidt.WORKLOAD,
    products.MVT,
    products.COVARIANCE,
    products.CORRELATION,
    products.LU_BY_ROWS,
    products.RECURRENT,
)
