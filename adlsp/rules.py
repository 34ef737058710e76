"""Rules of your own: how functions are differentiated whose source adlsp cannot or should not read.

    from adlsp import rules

    @rules.elementwise(softplus)
    def softplus_rule(x, *, out):
        return 1 - np.exp(-out)

    @rules.reverse("fastlib.solve", of="b")
    def solve_reverse(a, b, *, out_bar):
        return fastlib.solve(a.T, out_bar)

    rules.constant(log_metrics)

A rule is for a function: it names the function itself, or writes its dotted name as text. The words
are those of the built-in rules, and say how much follows by itself:

    elementwise     you write the partial for each argument; both modes and broadcasting follow
    linear          you write how the gradient goes back; forward is the same call on tangents
    multilinear     the same for each factor; forward is one such call for each
    reverse         you write the gradients of the arguments
    forward         you write the terms of the tangent, one for each argument
    composite       you write the steps that a call stands for; both modes follow from these
    constant        no derivative; the call is kept as it is

A rule is read, not run: its body becomes part of the derivative, its names mean what they mean in
the module where it stands, and it is differentiated again for second derivatives. So it is a
straight line of assignments that ends in `return`. Its parameters are those of the function, in
order; after `*` it asks for `out` (the result), `out_bar` (the gradient that arrives) or `x_dot`
(the tangent of `x`). The decorated function stays an ordinary function. Whatever cannot be read so
is a finding (AD106, AD107, AD108) at its place, and prevents the derivatives that need the rule.

Where rules count: in all derivatives of functions of the same module, and of modules that import
it, directly or by way of others. They come before the source of the function and before built-in
rules; of two rules for a function the one nearer to the function that is differentiated counts:
its own module comes first, then what that imports, in the order of the text. A function with a rule
is called, never looked into, so it must not change its arguments.

`adlsp.check_grads` compares a function that uses a rule with finite differences.
"""

from __future__ import annotations

from adlsp.transform.rules.declare import (
    composite,
    constant,
    elementwise,
    forward,
    linear,
    multilinear,
    reverse,
)

__all__ = [
    "composite",
    "constant",
    "elementwise",
    "forward",
    "linear",
    "multilinear",
    "reverse",
]
