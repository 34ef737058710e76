"""Gradients of `numpy.einsum`, found from its subscripts.

The gradient of an operand is again a sum of products: in `"ij,jk->ik"` the subscripts of the first
operand and of the result change places, `"ik,jk->ij"`. Two cases need more than that: a letter that
only this operand has (`"ij->i"`), along which the gradient is repeated, and a letter that it has
twice (`"ii->i"`), where the gradient is that of a diagonal. `einsum_fit` does both.
"""

from __future__ import annotations

import numpy as np

from adlsp.runtime.arrays import Like, unbroadcast
from adlsp.runtime.shapes import Shape, Value


def einsum(subscripts: str, *operands: Value) -> Value:
    """Gives `numpy.einsum(subscripts, *operands)` without operands that are None."""
    return np.einsum(subscripts, *(operand for operand in operands if operand is not None))


def einsum_back(subscripts: str, position: int) -> str:
    """Gives the subscripts for the gradient of an operand, in whose place the result's comes."""
    terms, out = _terms(subscripts)
    kept = _kept(subscripts, position)
    terms[position] = out
    return f"{','.join(terms)}->{kept}"


def einsum_fit(a_bar: Value, subscripts: str, position: int, shape: Shape) -> Value:
    """Makes of what `einsum_back` leads to the gradient of an operand of `shape`."""
    own = _terms(subscripts)[0][position]
    if own == _kept(subscripts, position) and a_bar.shape == shape:
        return a_bar
    made = np.zeros(shape, a_bar.dtype)
    view = np.einsum(f"{own}->{_letters(own)}", made)
    wide = a_bar[_inserted(subscripts, position)]
    wide = np.broadcast_to(wide, np.broadcast_shapes(wide.shape, view.shape))
    whole = unbroadcast(wide, Like(view.shape, made.dtype))
    if not view.shape:  # of an operand without axes there is no view
        return whole
    view[...] = whole
    return made


def einsum_unfit(out_bar: Value, subscripts: str, position: int, shape: Shape) -> Value:
    """Gives the gradient of `a_bar`, which has `shape`, in `einsum_fit`."""
    own = _terms(subscripts)[0][position]
    taken = np.einsum(f"{own}->{_letters(own)}", out_bar)
    wide = np.empty(shape)[_inserted(subscripts, position)].shape
    taken = np.broadcast_to(taken, np.broadcast_shapes(wide, taken.shape))
    return unbroadcast(taken, Like(wide, taken.dtype)).reshape(shape)


def _terms(subscripts: str) -> tuple[list[str], str]:
    """The subscripts of the operands, and of the result: without an arrow, NumPy's own choice."""
    given, arrow, out = subscripts.replace(" ", "").partition("->")
    if not arrow:
        letters = given.replace(",", "").replace(".", "")
        out = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
        out = f"...{out}" if "..." in given else out
    return given.split(","), out


def _letters(term: str) -> str:
    """Each letter of a term once, in order, behind the axes that have no letter."""
    letters = "".join(dict.fromkeys(term.replace(".", "")))
    return f"...{letters}" if "..." in term else letters


def _kept(subscripts: str, position: int) -> str:
    """The letters of an operand that the gradient of the result or another operand has, too."""
    terms, out = _terms(subscripts)
    own, terms[position] = terms[position], out
    elsewhere = "".join(terms)
    letters = "".join(c for c in _letters(own).replace(".", "") if c in elsewhere)
    return f"...{letters}" if "..." in elsewhere else letters


def _inserted(subscripts: str, position: int) -> tuple[Value, ...]:
    """The index that gives a gradient with the letters kept an axis for each letter."""
    own, kept = _terms(subscripts)[0][position], _kept(subscripts, position)
    letters = _letters(own).replace(".", "")
    return (..., *(slice(None) if c in kept else np.newaxis for c in letters))
