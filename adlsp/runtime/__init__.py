"""All that generated code calls, as `rt.name`; needs NumPy and the standard library only."""

from adlsp.runtime.arrays import (
    Like,
    add,
    add_at,
    copy,
    count,
    expand,
    like,
    seed,
    unbroadcast,
    zeros,
)
from adlsp.runtime.products import (
    diag_bar,
    dot_bar_a,
    dot_bar_b,
    inner_bar_a,
    inner_bar_b,
    matmul_bar_a,
    matmul_bar_b,
    solve_transposed,
    trace_bar,
    transpose_bar,
)

__all__ = [
    "Like",
    "add",
    "add_at",
    "copy",
    "count",
    "diag_bar",
    "dot_bar_a",
    "dot_bar_b",
    "expand",
    "inner_bar_a",
    "inner_bar_b",
    "like",
    "matmul_bar_a",
    "matmul_bar_b",
    "seed",
    "solve_transposed",
    "trace_bar",
    "transpose_bar",
    "unbroadcast",
    "zeros",
]
