"""What a person passes to `adlsp.grad`, in the running program: what is captured is read late."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adlsp
from adlsp.library import subjects

AT = np.array([0.5, -2.0])


def loss(w: Any, x: Any, y: Any = 1.0) -> Any:
    return np.sum((w * x - y) ** 2)


def slope(w: Any, x: Any, y: Any = 1.0) -> Any:
    return 2 * (w * x - y) * x


def make(x: Any) -> Callable[[Any], Any]:
    def inner(w: Any) -> Any:
        return loss(w, x)

    return inner


def test_one_text_serves_all_closures_of_a_code() -> None:
    gradients = [adlsp.grad(make(x)) for x in (1.0, 2.0, np.array([3.0, 4.0]))]
    for gradient, x in zip(gradients, (1.0, 2.0, np.array([3.0, 4.0])), strict=True):
        np.testing.assert_allclose(gradient(AT), slope(AT, x))
    assert len({gradient.path for gradient in gradients}) == 1
    assert len({gradient._compiled.__code__ for gradient in gradients}) == 1


def test_captured_data_that_change_between_calls() -> None:
    x = np.array([1.0, 2.0])
    gradient = adlsp.grad(make(x))
    np.testing.assert_allclose(gradient(AT), slope(AT, x))
    x *= 3.0
    np.testing.assert_allclose(gradient(AT), slope(AT, np.array([3.0, 6.0])))


def test_a_captured_variable_that_is_bound_again() -> None:
    x = 2.0
    gradient = adlsp.grad(lambda w: loss(w, x))
    np.testing.assert_allclose(gradient(AT), slope(AT, 2.0))
    x = 5.0
    np.testing.assert_allclose(gradient(AT), slope(AT, 5.0))


def test_a_captured_variable_that_has_no_value_yet() -> None:
    gradient = adlsp.grad(lambda w: loss(w, late))
    with pytest.raises(NameError, match="late"):
        gradient(AT)
    late = 4.0
    np.testing.assert_allclose(gradient(AT), slope(AT, 4.0))


def test_closures_in_a_loop_see_its_last_value() -> None:
    gradients = []
    for x in (1.0, 2.0, 3.0):
        gradients.append(adlsp.grad(lambda w: loss(w, x)))  # noqa: B023
    for gradient in gradients:
        np.testing.assert_allclose(gradient(AT), slope(AT, 3.0))
    gradients = [adlsp.grad(lambda w, x=x: loss(w, x)) for x in (1.0, 2.0)]
    np.testing.assert_allclose(gradients[0](AT), slope(AT, 1.0))
    np.testing.assert_allclose(gradients[1](AT), slope(AT, 2.0))
    np.testing.assert_allclose(gradients[1](AT, x=7.0), slope(AT, 7.0))


def test_a_captured_variable_that_the_derivative_binds_too() -> None:
    x = [1.0, 2.0]

    def changing(w: Any) -> Any:
        total = 0.0
        for each in x:
            total = total + w * each
            each = total
            w = w + each
        return np.sum(w)

    gradient = adlsp.grad(changing)
    expected = [gradient(AT), gradient(AT)]
    np.testing.assert_allclose(*expected)
    adlsp.check_grads(changing, (AT,))


def test_lambdas_on_one_line_are_told_apart() -> None:
    pair = [lambda w: np.sum(w * 3.0), lambda w: np.sum(w * 5.0)]
    both = {"a": lambda w: np.sum(w * w), "b": lambda w: np.sum(w * w * w)}
    np.testing.assert_allclose([adlsp.grad(f)(AT) for f in pair], [[3.0, 3.0], [5.0, 5.0]])
    inner = (lambda k: lambda w: np.sum(w * k))(4.0)
    np.testing.assert_allclose(adlsp.grad(inner)(AT), [4.0, 4.0])
    if sys.version_info < (3, 11):  # which does not keep where in a line an operation is
        with pytest.raises(adlsp.DifferentiationError, match="give it a line of its own"):
            adlsp.grad(both["a"])
        return
    np.testing.assert_allclose(adlsp.grad(both["a"])(AT), 2 * AT)
    np.testing.assert_allclose(adlsp.grad(both["b"])(AT), 3 * AT**2)


def test_a_derivative_is_called_as_its_function_is() -> None:
    gradient = adlsp.grad(make(2.0))
    assert list(inspect.signature(gradient._compiled).parameters) == ["w", "out_bar"]
    with pytest.raises(TypeError, match="unexpected keyword argument 'x'"):
        gradient(AT, x=3.0)
    assert "def inner_grad(w, *, x, out_bar=1.0):" in inspect.getsource(gradient)
    assert gradient.__wrapped__(AT) == loss(AT, 2.0)


def test_parameters_that_a_partial_leaves() -> None:
    by_name = functools.partial(loss, y=3.0)
    np.testing.assert_allclose(adlsp.grad(by_name, 1)(AT, 2.0), np.sum(slope(2.0, AT, 3.0)))
    by_place = functools.partial(loss, AT)
    np.testing.assert_allclose(adlsp.grad(by_place)(2.0), np.sum(slope(2.0, AT)))
    with pytest.raises(ValueError, match="has no parameter `w`; it has `x`, `y`"):
        adlsp.grad(by_place, "w")
    with pytest.raises(ValueError, match="no parameter number 2; it has `w`, `x`"):
        adlsp.grad(by_name, 2)


class Base:
    """A model with a method to put another in place of."""

    rate = 2.0

    def __init__(self, x: Any) -> None:
        self.x = x

    def predict(self, w: Any) -> Any:
        return w * self.x

    def loss(self, w: Any) -> Any:
        return np.sum(self.predict(w) ** 2)

    def __call__(self, w: Any) -> Any:
        return self.loss(w) * self.rate


class Model(Base):
    """One that does."""

    rate = 3.0

    def predict(self, w: Any) -> Any:
        return np.sin(w * self.x)


@pytest.mark.parametrize("kind", [Base, Model])
def test_methods_are_those_of_the_class_of_the_object(kind: type[Base]) -> None:
    model = kind(np.array([1.5, 0.5]))
    adlsp.check_grads(model.loss, (AT,), order=2)
    adlsp.check_grads(model, (AT,), order=2)
    gradient = adlsp.grad(model)
    model.x = np.array([2.5, 1.5])
    np.testing.assert_allclose(gradient(AT), adlsp.grad(kind(model.x))(AT))
    model.rate = 7.0
    np.testing.assert_allclose(gradient(AT), adlsp.grad(kind(model.x).loss)(AT) * 7.0)


def test_an_object_with_a_method_of_its_own_is_refused() -> None:
    model: Any = Base(2.0)
    model.predict = lambda w: w
    with pytest.raises(adlsp.DifferentiationError, match=r"AD203 .*`Base.predict`"):
        adlsp.grad(model.loss)


def test_a_method_that_a_program_replaces(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Base(2.0)
    np.testing.assert_allclose(adlsp.grad(model.loss)(AT), 8 * AT)

    def tripled(self: Any, w: Any) -> Any:
        return 3.0 * w * self.x

    monkeypatch.setattr(Base, "predict", tripled)
    with pytest.raises(adlsp.DifferentiationError, match="AD203"):
        adlsp.grad(Base(2.0).loss)(AT)


def doubled(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def inner(*args: Any) -> Any:
        return 2.0 * function(*args)

    return inner


@doubled
def square(w: Any) -> Any:
    return np.sum(w * w)


@doubled
def cube(w: Any) -> Any:
    return np.sum(w * w * w)


def test_functions_that_one_decorator_is_around_do_not_share_a_derivative() -> None:
    np.testing.assert_allclose(adlsp.grad(square)(AT), 4 * AT)
    np.testing.assert_allclose(adlsp.grad(cube)(AT), 6 * AT**2)
    np.testing.assert_allclose(adlsp.grad(square)(AT), 4 * AT)


def told(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def inner(*args: Any, **options: Any) -> Any:
        return function(*args, **options)

    return inner


@told
@doubled
def fourth(w: Any) -> Any:
    return np.sum(w**4)


@told
@doubled
def fifth(w: Any) -> Any:
    return np.sum(w**5)


def calls_fourth(w: Any) -> Any:
    return fourth(w)


def test_two_decorators_are_named_and_are_no_obstacle_below() -> None:
    passed = subjects.subject(fourth)
    assert passed is not None
    assert passed.positional == ["w"]
    with pytest.raises(adlsp.DifferentiationError, match="AD207 error: what `@told` makes of"):
        adlsp.grad(fourth)(AT)
    np.testing.assert_allclose(adlsp.grad(calls_fourth)(AT), 8 * AT**3)


def test_functions_that_two_decorators_are_around_are_not_the_same() -> None:
    one, other = subjects.subject(fourth), subjects.subject(fifth)
    assert one is not None
    assert other is not None
    assert one.identity != other.identity


def total(w: Any, *xs: Any, **options: Any) -> Any:
    found = options["scale"] * np.sum(w)
    for x in xs:
        found = found + np.sum(w * x)
    return found


def test_any_number_of_arguments() -> None:
    np.testing.assert_allclose(adlsp.grad(total)(AT, AT, 2.0, scale=3.0), AT + 5.0)
    by_args = adlsp.grad(total, "xs")(AT, AT, 2.0, scale=3.0)
    np.testing.assert_allclose(by_args[0], AT)
    np.testing.assert_allclose(by_args[1], np.sum(AT))
    np.testing.assert_allclose(adlsp.grad(total, "options")(AT, scale=3.0)["scale"], np.sum(AT))


def test_a_variable_of_the_function_around_that_is_bound_is_refused() -> None:
    count = 0

    def counting(w: Any) -> Any:
        nonlocal count
        count += 1
        return np.sum(w * w)

    with pytest.raises(adlsp.DifferentiationError, match="AD205 error: nonlocal"):
        adlsp.grad(counting)


class Answering:
    """One that says itself what its attributes are."""

    def __getattribute__(self, name: str) -> Any:
        return np.tanh if name == "predict" else object.__getattribute__(self, name)

    def predict(self, w: Any) -> Any:
        return w

    def loss(self, w: Any) -> Any:
        return np.sum(self.predict(w))


def test_an_object_that_answers_itself_is_not_followed() -> None:
    with pytest.raises(adlsp.DifferentiationError, match="AD203"):
        adlsp.grad(Answering().loss)


class Scaled(Base):
    """One that asks the class above for what takes no part in the derivative."""

    def size(self) -> float:
        return 2.0

    def loss(self, w: Any) -> Any:
        return np.sum(self.predict(w)) * super().size()  # type: ignore[misc]


def test_the_class_above_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Base, "size", lambda _: 4.0, raising=False)
    np.testing.assert_allclose(adlsp.grad(Scaled(3.0).loss)(AT), [12.0, 12.0])


def test_a_function_of_a_library_under_another_name() -> None:
    act = np.tanh
    gradient = adlsp.grad(lambda w: np.sum(act(w)))
    np.testing.assert_allclose(gradient(AT), 1 / np.cosh(AT) ** 2)


@pytest.mark.parametrize("held", [[1.0, 2.0], {0: 1.0}, np.array([1.0, 2.0])])
def test_two_captured_names_for_one_thing_that_is_changed(held: Any) -> None:
    first, second = held, held

    def changing(w: Any) -> Any:
        first[0] = w[1]
        return np.sum(w) * second[0]

    gradient = adlsp.grad(changing)
    with pytest.raises(ValueError, match="AD303"):
        gradient(AT)
    second = held.copy()
    np.testing.assert_allclose(gradient(AT), [second[0]] * 2)


def around() -> Callable[[Any], Any]:
    x = 3.0

    def followed(w: Any) -> Any:
        return w * x

    def other() -> Callable[[Any], Any]:
        x = 5.0
        return lambda w: w * x

    first = other()

    def inner(w: Any) -> Any:
        return np.sum(followed(w)) + first(2.0)

    return inner


def test_variables_of_one_name_in_two_captured_functions() -> None:
    np.testing.assert_allclose(adlsp.grad(around())(AT), [3.0, 3.0])
    assert adlsp.value_and_grad(around())(AT)[0] == around()(AT)


def shadowed(w: Any, xs: Any) -> Any:
    x = 2.0

    def scaled(v: Any) -> Any:
        return v * x

    parts = [np.sum(scaled(w)) for x in xs]
    return sum(parts) + sum(map(lambda x: np.sum(scaled(w)) * x, xs))  # noqa: C417


class Doubling:
    def twice(self, w: Any) -> Any:
        return 2.0 * w

    def loss(self, w: Any, others: Any) -> Any:
        return np.sum([self.twice(w) for self in others])


class Tripling:
    def twice(self, w: Any) -> Any:
        return 3.0 * w


def test_variables_of_comprehensions_hide_what_is_captured() -> None:
    adlsp.check_grads(shadowed, (AT, [3.0, 5.0]), wrt=0, order=2)
    np.testing.assert_allclose(adlsp.grad(Doubling().loss)(AT, [Doubling()] * 3), [6.0, 6.0])
    np.testing.assert_allclose(adlsp.grad(Doubling().loss)(AT, [Tripling()]), [3.0, 3.0])
    inside = make_shadowed(2.0)
    adlsp.check_grads(inside, (AT,), order=2)


def make_shadowed(x: float) -> Callable[[Any], Any]:
    def scaled(v: Any) -> Any:
        return v * x

    return lambda w: sum(np.sum(scaled(w)) * x for x in (1.0, 4.0))


def test_names_for_each_other_are_followed_to_no_end() -> None:
    def circling(w: Any) -> Any:
        double = lambda v: 2.0 * v  # noqa: E731
        if w is None:
            first = second  # noqa: F821
            second = first  # noqa: F841
        return np.sum(double(w))

    np.testing.assert_allclose(adlsp.grad(circling)(AT), [2.0, 2.0])


NUMBER = 3.0


def test_a_captured_number_of_the_module_goes_to_captured_functions() -> None:
    number = NUMBER

    def scaled(v: Any) -> Any:
        return v * number

    def changing(w: Any, m: Any) -> Any:
        m[0] = w[0]
        return np.sum(scaled(w) * m)

    np.testing.assert_allclose(adlsp.grad(changing)(AT, AT.copy()), [6 * AT[0], 3 * AT[1]])


class Norm:
    """A layer that keeps a mean, while another array of it has a name."""

    def __init__(self) -> None:
        self.scale, self.mean = np.array([2.0, 0.25]), np.array([0.1, 0.2])

    def forward(self, x: Any) -> Any:
        scale = self.scale
        self.mean = 0.9 * self.mean + 0.1 * x
        return scale * (x - self.mean)


def normed(norm: Norm, x: Any) -> Any:
    return np.sum(norm.forward(x) ** 2)


@pytest.mark.parametrize("wrt", ["x", "norm"])
def test_a_layer_that_sets_an_attribute_while_another_one_has_a_name(wrt: str) -> None:
    norm, difference = Norm(), 0.9 * AT - 0.9 * Norm().mean
    found = adlsp.grad(normed, wrt=wrt)(norm, AT)
    np.testing.assert_array_equal(norm.mean, Norm().mean)
    if wrt == "x":
        np.testing.assert_allclose(found, 2 * norm.scale**2 * difference * 0.9)
    else:
        np.testing.assert_allclose(found.scale, 2 * norm.scale * difference**2)
        np.testing.assert_allclose(found.mean, -2 * norm.scale**2 * difference * 0.9)
