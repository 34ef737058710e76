"""What derivatives make sure of while they run: that a value is what the text was taken to say.

Each function gives its argument, or a copy, and raises an error with the code of the finding where
the derivative would be wrong otherwise.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping

import numpy as np

from adlsp.runtime.arrays import copy
from adlsp.runtime.calls import FUNCTIONS, keeping
from adlsp.runtime.objects import has_parts, is_object, parts
from adlsp.runtime.shapes import Value


def distinct(x: Value) -> Value:
    """Copies `x`, whose parts are changed; raises TypeError where one of them occurs twice.

    The program changes both at once, and the derivative was written for one.
    """
    if not has_parts(x):
        return copy(x)
    seen: set[int] = set()
    arrays: dict[int, list[np.ndarray]] = {}
    pending = [x]
    while pending:
        one = pending.pop()
        if isinstance(one, np.ndarray):
            beside = arrays.setdefault(_root(one), [])
            is_twice = any(_shares(one, other) for other in beside)
            beside.append(one)
        elif has_parts(one):
            is_twice = not isinstance(one, tuple) and id(one) in seen
            seen.add(id(one))
            pending.extend(parts(one))
        else:
            continue
        if is_twice:
            kind = type(one).__name__
            raise TypeError(
                f"an argument holds the same {kind} twice, which is changed (AD303): copy it"
            )
    return copy(x)


def _root(x: np.ndarray) -> int:
    """Tells which memory an array has, which it may share with others."""
    while isinstance(x.base, np.ndarray):
        x = x.base
    return id(x)


def number(x: Value) -> Value:
    """Gives `x`, which must be a number; raises TypeError for an array or a list.

    A function changes its parameter by `x += v` and gives something else back. That leaves a number
    of the caller's alone, but not an array.
    """
    if isinstance(x, np.ndarray | list):
        given = f"an array of shape {x.shape}" if isinstance(x, np.ndarray) else "a list"
        raise TypeError(
            f"{given} where a number was expected: the function changes it in place, for its "
            f"caller too (AD302)"
        )
    return x


def factor(x: Value) -> Value:
    """Gives `x`, by which a list is multiplied; raises TypeError for an integer, which repeats it.

    The derivative was written for an array.
    """
    if isinstance(x, int | np.integer):
        raise TypeError(
            f"{x} repeats a list, and the derivative was written for an array that multiplies it: "
            f"derive it for arguments of these types (AD205)"
        )
    return x


def sequence(x: Value) -> Value:
    """Gives `x`, of which the elements have derivatives; raises TypeError for a dictionary.

    Running through it gives its keys, which have none.
    """
    if isinstance(x, Mapping):
        raise TypeError(
            f"the keys of a {type(x).__name__} have no derivatives, and the derivative was written "
            f"for the elements of a list: write `.keys()`, or derive it for these types (AD205)"
        )
    return x


def no_array(x: Value) -> None:
    """Makes sure that `x`, by whose elements a list is extended, is none: a sum would be an array.

    Raises TypeError for an array, and for a number of NumPy's.
    """
    if isinstance(x, (np.ndarray, np.generic)):
        raise TypeError(
            "`+=` of a list and an array gives an array, where it was taken to extend the list "
            "(AD304): write values = values + x, or values.extend(x)"
        )


def plain_list(x: Value) -> None:
    """Makes sure that `x`, of which a copy grows, is a list; raises TypeError for a queue."""
    if type(x) is not list:
        raise TypeError(
            f"a copy of a {type(x).__name__} was taken for that of a list (AD304): write list(x)"
        )


def plain_dict(x: Value) -> None:
    """Makes sure that `x`, of which a copy changes, is a dictionary; raises TypeError if not.

    A `Counter` adds up where a dictionary is updated.
    """
    if type(x) not in (dict, OrderedDict):
        raise TypeError(
            f"a copy of a {type(x).__name__} was taken for that of a dictionary (AD304): write "
            f"dict(x)"
        )


def beside(x: Value, or_array: bool = False) -> None:
    """Makes sure that `x`, on the left of an object that has the operator, is a number.

    Raises TypeError for an array, which goes through its elements, unless the class of the object
    says that it does not.
    """
    is_array = or_array and isinstance(x, np.ndarray)
    if not is_array and not isinstance(x, int | float | complex | np.number):
        raise TypeError(
            f"a {type(x).__name__} on the left of an operator, where a number was expected: the "
            f"class of the object on the right says what it does with these (AD203)"
        )


def shaped(x: Value) -> Value:
    """Gives `x`, an array that is asked for its size or shape; raises TypeError for an object.

    Its `size` is an attribute like any other, and may have a derivative.
    """
    if is_object(x):
        raise TypeError(
            f"the size or shape of a {type(x).__name__} was taken for that of an array, which has "
            f"no derivative (AD203): give the attribute another name, or pass what it holds"
        )
    return x


def fixed(x: Value) -> Value:
    """Gives `x`, for which `x += v` makes a new value; raises TypeError for what changes in place.

    Others see it, too, and the derivative was written for a tensor, which does not change.
    """
    if hasattr(type(x), "__iadd__"):
        raise TypeError(
            f"a {type(x).__name__} where a tensor was expected: it changes in place, and another "
            f"variable has it, too (AD303): write x = x + v"
        )
    return x


def changeable(x: Value) -> Value:
    """Gives a copy of `x`, which a function changes by `x += v`; raises TypeError for a number.

    The caller sees the change of an array, but not that of a number.
    """
    if not isinstance(x, np.ndarray):
        raise TypeError(
            f"a {type(x).__name__} where an array was expected: the function changes it in place "
            f"for its caller (AD302)"
        )
    return x.copy()


def viewed(view: Value, owner: Value) -> None:
    """Makes sure that what was written as a view of an array is one; raises TypeError for a copy.

    What is then written into a copy leaves the array alone, and the derivative was written for a
    view.
    """
    if view.size and not np.may_share_memory(view, owner):
        raise TypeError(
            f"the elements of an array of shape {owner.shape} do not lie in order, so that "
            f"`reshape` copies them, and the copy is changed (AD303): make it "
            f"`np.ascontiguousarray(a)`"
        )


def smooth(x: Value) -> Value:
    """Gives `x`, into which values are stored that have derivatives.

    Raises TypeError for an array of integers or truth values, which cuts their fractions off.
    """
    if isinstance(x, np.ndarray) and x.dtype.kind in "iub":
        raise TypeError(
            f"an array of {x.dtype} cuts off the fraction of what is stored in it, and the "
            f"gradient with it (AD503): make it an array of floating-point numbers"
        )
    return x


def own(x: Value) -> Value:
    """Copies `x`, an argument into which the function stores values that have derivatives.

    Raises TypeError for an array of integers or truth values, as `smooth` does, and for a list that
    holds an array twice, as `distinct` does.
    """
    return distinct(smooth(x))


def plain(x: Value) -> Value:
    """Gives `x`, which is copied by `x.copy()`; raises TypeError for a list that holds arrays.

    The copy of a list holds the same arrays, and the program goes on changing them. The derivative
    was written for the copy of an array.
    """
    if has_parts(x):
        for part in parts(x):
            if isinstance(part, np.ndarray) or has_parts(part):
                raise TypeError(
                    f"the copy of a {type(x).__name__} holds the same {type(part).__name__}, which "
                    f"is changed (AD303): copy that, too"
                )
    return x


def plain_within(x: Value, *path: Value) -> None:
    """Makes sure that what stands in `x` at the end of a path is no list that holds arrays.

    A function that `x` is given to copies it by `y.copy()`. The path is of attributes, `".ys"`, and
    of keys. Raises TypeError for such a list, as `plain` does.
    """
    for key in path:
        if isinstance(key, str) and key.startswith("."):
            x = getattr(x, "__dict__", {}).get(key[1:])
            continue
        try:
            x = x[key] if has_parts(x) else None
        except LookupError:
            return
    plain(x)


def bound(value: Value, name: str) -> Value:
    """Gives what a variable holds; raises UnboundLocalError where nothing has bound it, as Python.

    It is None there: the derivative keeps what it needs of variables that have no value yet.
    """
    if value is None:
        raise UnboundLocalError(f"cannot access local variable '{name}', which has no value here")
    return value


def alone(element: Value, holder: Value) -> Value:
    """Gives `element` of a list or dictionary; raises TypeError where that holds it twice.

    The program goes on changing it, and both of them with it; the derivative was written for one.
    """
    if (isinstance(element, np.ndarray) or has_parts(element)) and _n_held(holder, element) > 1:
        raise TypeError(
            f"a {type(holder).__name__} holds an object twice that is changed (AD303): copy it"
        )
    return element


def _n_held(holder: Value, element: Value) -> int:
    """How many parts of lists and dictionaries, one in another, are an object or share with it."""
    if not has_parts(holder):
        return 0
    found = 0
    for part in parts(holder):
        is_it = part is element or (isinstance(part, np.ndarray) and _shares(part, element))
        found += 1 if is_it else _n_held(part, element)
    return found


def single(objects: tuple[Value, ...], *others: Value) -> None:
    """Makes sure that `objects`, some of which change, are several, and none is in one of `others`.

    The program changes one of them by one name, and reads the other by another name. Raises
    TypeError where both are one object, or arrays that share memory.
    """
    for at, each in enumerate(objects):
        is_other = any(_is_or_shares(each, other) for other in objects[:at])
        if is_other or any(_holds(other, each, set()) for other in others):
            raise TypeError(
                f"a {type(each).__name__} stands twice in the arguments, and is changed (AD303): "
                f"pass a copy of it"
            )


def _is_or_shares(one: Value, other: Value) -> bool:
    return one is other or (isinstance(one, np.ndarray) and _shares(one, other))


def _holds(holder: Value, element: Value, seen: set[int]) -> bool:
    """Tells whether a value is an object, or holds it; `seen` are those that were asked."""
    if not has_parts(holder) or holder is element:
        return _is_or_shares(element, holder)
    if id(holder) in seen:
        return False
    seen.add(id(holder))
    return any(_holds(part, element, seen) for part in parts(holder))


def unheld(changed: Value, others: Value) -> Value:
    """Gives an object that is changed; raises TypeError where `others` hold it, or it is one.

    `others` are values of other variables, or several in a tuple. Something of theirs was put into
    a list or dictionary, or the other way, and the derivative was written for arrays, which copy
    what is put into them.
    """
    for other in others if isinstance(others, tuple) else (others,):
        is_it = isinstance(changed, (list, dict)) and (changed is other or _n_held(other, changed))
        if is_it or (isinstance(changed, np.ndarray) and _shares(changed, other)):
            kind = "an array" if isinstance(changed, np.ndarray) else f"a {type(changed).__name__}"
            raise TypeError(
                f"{kind} is changed that another variable has, too (AD303): it was put into a list "
                f"or dictionary, put a copy there"
            )
    return changed


def disjoint(changed: Value, others: Value) -> Value:
    """Gives an object of which parts are changed; raises TypeError where `others` share them."""
    if _shares(changed, others):
        raise TypeError(
            f"parts of a {type(changed).__name__} are changed that another variable has, too "
            f"(AD303): they were put into a list or dictionary, put copies there"
        )
    return changed


def separate(x: Value, others: Value) -> Value:
    """Copies `x`, which is changed in place while `others` are read: an argument, or several.

    Raises ValueError as `apart` does, and TypeError as `distinct` does.
    """
    return distinct(apart(x, others))


def apart(x: Value, others: Value) -> Value:
    """Gives `x`, which the primal changes in place while `others` are read.

    Raises ValueError where one of them shares memory with it: then it would change, too, and the
    derivative was written for arrays that are independent.
    """
    if _shares(x, others):
        raise ValueError(
            "two arguments share their memory, and one of them is changed in place (AD303): pass "
            "a copy of one"
        )
    return x


def unshared(element: Value, owner: Value) -> Value:
    """Gives `element`, which was read from `owner`; raises TypeError where it is a part of it.

    `owner` is an array, or a container of which `element` may be a part of an element, or what
    `element` is another name for. The program goes on changing one of the two, and the derivative
    was written for an element that is a number, or a copy. A part of the array would change with
    it.
    """
    if isinstance(element, (np.ndarray, list, dict)) and _shares(element, owner):
        what, other = f"a {type(element).__name__}", "one"
        if isinstance(element, np.ndarray):
            what, other = f"a value of shape {element.shape}", "an array"
        raise TypeError(
            f"{what} shares its memory with {other} that is changed (AD303): copy it, `x[i].copy()`"
        )
    return element


def _containers(value: Value) -> Iterator[Value]:
    """A list, tuple or dictionary, and those in it."""
    if has_parts(value):
        yield value
        for part in parts(value):
            yield from _containers(part)


def _shares(element: Value, owner: Value, seen: frozenset[int] = frozenset()) -> bool:
    """Tells whether two values share memory, or parts of them, or what functions keep.

    `seen` are the functions that are being asked about: one may keep itself.
    """
    if isinstance(element, np.ndarray) and isinstance(owner, np.ndarray):
        return np.may_share_memory(element, owner) and np.shares_memory(element, owner)
    if isinstance(element, list | dict) and any(each is element for each in _containers(owner)):
        return True
    for one, other in ((element, owner), (owner, element)):
        if has_parts(one):
            return any(_shares(part, other, seen) for part in parts(one))
        if isinstance(one, FUNCTIONS):
            around = seen | {id(one)}
            held = (part for part in keeping(one) if id(part) not in around)
            return any(_shares(part, other, around) for part in held)
    return element is owner and hasattr(element, "assign")  # a variable of TensorFlow's
