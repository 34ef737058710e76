"""Findings about Python outside the language that is differentiated.

The language is functions that assign, store, call, branch and loop, with what they capture. Each
finding says what to write instead; none is raised where only inactive values take part.
"""

from __future__ import annotations

from adlsp.transform.diagnostics.vocabulary import Finding, Severity, finding


@finding("AD201", "closure", Severity.ERROR)
class Closure(Finding):
    """An inner function captures a variable that depends on the inputs of interest.

    Why: a gradient flows through the parameters of a function. A captured variable is a hidden
    input: its gradient would have no parameter to come back through. So has a method that is taken
    from its object, ``step = self.step``, where it is not known who calls it.
    Example: ``def scaled(v): return v * scale``, inside a function in which ``scale`` is active.
    Instead: ``def scaled(v, scale): return v * scale``, at the top level of the module, called with
    ``scaled(v, scale)``.
    """

    message = "`{function}` is a closure over the active variable `{variable}`"
    variable: str
    function: str


@finding("AD202", "nested-function", Severity.ERROR)
class NestedFunction(Finding):
    """A function inside another one, or a lambda, is called in a way that the text does not tell.

    Why: such a function is followed where one name holds it for good: bound once, by an undecorated
    ``def`` or a lambda that binds no variable of the function around. What a class defines has no
    derivative above its ``def``: it would be one with respect to the object.
    Example: ``def g(v): return v``, in one branch of an ``if``, and ``def g(v): return -v`` in the
    other.
    Instead: one ``def g(v): return v if positive else -v``.
    """

    message = "`{function}` is not at the top level of a module"
    function: str
    rebound: str = ""

    def text(self) -> str:
        """The message, with what to do; of a variable around that the function binds it is told."""
        if self.rebound:
            why = f"binds `{self.rebound}`, a variable of the function around it"
            return f"`{self.function}` {why}: let it return the value"
        is_lambda = self.function.startswith("lambda")
        instead = "write it there with `def`" if is_lambda else "move it there"
        return f"{Finding.text(self)}: {instead}"


@finding("AD206", "gradient-block", Severity.ERROR)
class GradientBlock(Finding):
    """A block of ``insert_grad_of`` cannot be placed into the backward sweep.

    Why: the block runs in the backward sweep and not in the primal, so it may read the primal's
    variables, but only change the adjoint and what it names itself.
    Example: ``with insert_grad_of(h) as h_bar: scale = scale / 2``
    Instead: ``with insert_grad_of(h) as h_bar: h_bar = h_bar / 2``
    """

    message = "a block of `insert_grad_of` cannot {problem}"
    problem: str


BY_SIGN = "operator "
"""How an operator is told that is a method of an object."""


@finding("AD203", "method-or-attribute", Severity.ERROR)
class MethodOrAttribute(Finding):
    """An attribute or a method of an object that nobody knows takes part in the computation.

    Why: what an object holds, and which class's method runs, is known only when the program runs,
    if neither the arguments nor annotations tell. Of objects that a module holds the last run
    tells, unless functions change them. Properties are followed; what a class computes otherwise
    when an attribute is read or set is not, nor is what it holds for objects to set.
    Example: ``return model.weight @ x``
    Instead: say of which class it is, ``model: Linear``, where annotations tell what the attributes
    are; or pass the array as a parameter: ``def predict(weight, x): return weight @ x``. Which
    module ``xp.sum(x)`` is of, a default tells: ``xp=np``.
    """

    waits = True
    message = "`{object_name}.{attribute}` is an attribute of an object{why}"
    object_name: str
    attribute: str
    why: str = ""

    def text(self) -> str:
        """The message, by the sign of an operator that a class may have a method for."""
        if not self.attribute.startswith(BY_SIGN):
            return Finding.text(self)
        sign = self.attribute.removeprefix(BY_SIGN)
        return f"`{sign}` of `{self.object_name}` is that of an object{self.why}"


@finding("AD204", "function-value", Severity.ERROR)
class FunctionValue(Finding):
    """A function that is held in a variable is called with active arguments.

    Why: which function it is, and so which derivative is needed, is known only when the program
    runs. What a variable surely holds is followed, also into functions that are given functions; of
    what a module holds the last run tells. So are derivatives, ``adlsp.grad(energy)(q)``, but not
    Jacobians and Hessians.
    Example: ``def layer(x, activation): return activation(x)``, of which a derivative is asked.
    Instead: call the function by its own name, ``return np.tanh(x)``, choose between named
    functions with ``if``, or ask for the derivative of a function that calls ``layer(x, np.tanh)``.
    """

    waits = True
    message = "`{variable}` is a function {where}"
    variable: str
    where: str = "held in a variable"


TEXT = "text made of numbers"
"""What f-strings and their like are, of which a number may be made again."""


@finding("AD205", "unsupported-statement", Severity.ERROR)
class UnsupportedStatement(Finding):
    """A construct of Python outside the differentiable language involves active variables.

    Why: generators that no loop runs over where they are made, coroutines, ``global``,
    ``nonlocal``, ``del``, ``with`` and their like, and a ``match`` that takes sequences or
    dictionaries apart, move values in ways that have no counterpart in a backward sweep.
    Example: ``case [first, *rest]:`` with branches that compute from active variables.
    Instead: functions, assignments, ``if``, ``for`` and ``while``.
    """

    message = "{construct} cannot be differentiated"
    construct: str


CHANGING = "a loop over what changes as the loop goes"
"""What loops are that would not run over the same if that were a list."""


@finding("AD207", "decorated-function", Severity.ERROR)
class DecoratedFunction(Finding):
    """A function is differentiated, or called, of which a decorator makes something else.

    Why: the name stands for what the decorator gives back, and its text does not tell what that
    computes, or that changes what it keeps, such as a counter. Decorators that give back the
    function itself, caches and compilers are no obstacle.
    Example: ``@functools.singledispatch`` above a function that is passed to ``adlsp.grad``
    Instead: differentiate a function that calls it, or one without the decorator, and decorate
    another that calls that.
    """

    message = "what `{decorator}` makes of `{function}` is not known from the text"
    decorator: str
    function: str


@finding("AD208", "late-binding", Severity.ERROR)
class LateBinding(Finding):
    """An inner function reads a variable that is bound after it was defined.

    Why: it reads the variable when it is called, and a derivative reads it where the function is
    defined: a value that was bound in between would be missed.
    Example: ``def scaled(v): return v * k``, then ``k = 2.0``, then ``scaled(x)``.
    Instead: ``def scaled(v, k): return v * k``, at the top level of the module, called with
    ``scaled(x, k)``; or bind ``k`` before, and once.
    """

    message = "`{function}` reads `{variable}`, which is bound after `{function}` was defined"
    function: str
    variable: str
