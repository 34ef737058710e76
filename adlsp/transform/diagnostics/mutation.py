"""Findings about values that change in place, and about the names that share them.

A store such as ``x[i] = v`` into a local array has an in-place adjoint and is no finding. These are
the changes that no assignment shows.
"""

from __future__ import annotations

from adlsp.transform.diagnostics.vocabulary import Finding, Severity, finding


@finding("AD301", "out-argument", Severity.ERROR)
class OutArgument(Finding):
    """A result is written into an existing array through ``out=``.

    Why: the old value of the array is lost without an assignment that says so.
    Example: ``np.add(a, b, out=a)``
    Instead: ``a[...] = np.add(a, b)``, or ``a = np.add(a, b)`` where nobody else holds the array.
    """

    message = "`{function}` writes its result into `{array}` through `out=`"
    function: str
    array: str


@finding("AD302", "parameter-changed", Severity.ERROR)
class ParameterChanged(Finding):
    """A parameter is changed in place and not returned.

    Why: the change is a result that leaves the function without being returned, so no gradient
    arrives for it.
    Example: ``def step(x): x[0] = 0.0``
    Instead: ``return x``, or name it as an output: ``adlsp.grad(step, outputs=("x",))``.
    """

    waits = True
    message = (
        "`{function}` changes its parameter `{parameter}` in place and does not return it{instead}"
    )
    parameter: str
    function: str
    instead: str = ""


@finding("AD303", "aliased-write", Severity.ERROR)
class AliasedWrite(Finding):
    """An array is written through one name while another name shares its memory.

    Why: the write changes both, and the gradient of one would miss what the other contributed.
    Example: ``flat = a.reshape(-1)``, then ``flat[1] = v``, then ``return np.sum(a)``.
    Instead: write through the array itself, ``a[0, 1] = v``, or take a copy,
    ``flat = a.reshape(-1).copy()``.
    """

    waits = True
    message = "writing to `{array}` also changes `{alias}`, which shares its memory"
    array: str
    alias: str


@finding("AD304", "container-changed", Severity.ERROR)
class ContainerChanged(Finding):
    """A list or dictionary of active values is changed in place.

    Why: the container's earlier contents are needed on the way back, and nothing keeps them, nor
    the shape of an element that is replaced by one of another shape.
    Example: ``states.insert(0, x)``
    Instead: a list that the function makes and that has one name, of which only the end changes,
    ``states.append(x)`` and ``states.pop()``; or an array that is stored to, ``states[i] = x``.
    """

    waits = True
    message = "`{container}` holds active values and is changed in place"
    container: str
