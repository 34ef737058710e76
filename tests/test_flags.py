"""What NumPy tells of flags, by which most values of a derivative need not be looked at."""

from __future__ import annotations

import contextlib
import contextvars
import inspect
import operator
import sys
import threading
import warnings

import numpy as np
import pytest

import adlsp
from adlsp.library import watching
from adlsp.runtime import flags, hook

pytestmark = pytest.mark.usefixtures("nothing_watched")

ZERO = np.array([1.0, 0.0, 4.0])


@contextlib.contextmanager
def listening():
    """The frames in which flags were set."""
    heard = []
    settings = flags.Settings(heard.append)
    settings.hear()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield heard
    finally:
        settings.cease()


def arranged(x, y):
    """Two arrays as they may lie in memory, and be of other shapes and sorts."""
    yield x, y
    yield x, y[-1]
    yield x[-1], y[-1]
    yield np.repeat(x, 2)[::2], np.repeat(y, 3)[::3]
    yield x[::-1], y[::-1]
    yield x.reshape(1, -1), np.broadcast_to(y, (3, y.size))
    yield x[-1:].reshape(()), y[-1:].reshape(())
    yield np.asfortranarray(np.tile(x, (3, 1))), y


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "c16", "c8", "g"])
@pytest.mark.parametrize("n", [1, 2, 3, 7, 16, 17, 65])
def test_arithmetic_tells_of_all_that_is_bad(dtype, n):
    """This is what is relied on: wherever it is in an array, on this machine."""
    most = np.finfo(dtype).max
    makers = [
        (operator.mul, operator.imul, most, 2),
        (operator.add, operator.iadd, most, most),
        (operator.sub, operator.isub, -most, most),
        (operator.truediv, operator.itruediv, 1, 0),
        (operator.truediv, operator.itruediv, 0, 0),
        (operator.truediv, operator.itruediv, most, 0.1),
        (lambda a, _: a**2, lambda a, _: operator.ipow(a, 2), most, 1),
        (lambda a, _: np.add.reduce([a, a]), operator.iadd, most, most),
    ]
    n_bad = 0
    for at in {0, n // 2, n - 1}:
        for make, change, one, other in makers:
            x, y = np.ones(n, dtype), np.ones(n, dtype)
            x[at], y[at] = one, other
            for a, b in arranged(x, y):
                with listening() as heard:
                    made = make(a, b)
                assert np.isfinite(made).all() or heard
                n_bad += bool(heard)
            with listening() as heard:
                change(x, y)
            assert heard
    assert n_bad > 30


def product(a, b, x):
    c = a * b
    return np.sum(c * x)


def quotient(a, b, x):
    return np.sum(x * (a / b))


def nested(a, b, x):
    return np.sum(a * b * x)


def masked(a, b, x):
    return np.sum(1.0 / (1.0 + x / a * b))


def rows(a, b, x):
    total = np.zeros(2)
    for i in range(len(x)):
        total += x[i] * a
        total[0] *= b
    return np.sum(total)


@pytest.mark.parametrize("kind", [float, np.float64, np.array, lambda x: np.array([x, x])])
@pytest.mark.parametrize("x", [np.ones(2), 2.0])
@pytest.mark.parametrize("f", [product, quotient, nested, masked])
@pytest.mark.parametrize(
    ("a", "b"), [(1.0, 2.0), (1e200, 1e200), (1e200, 1e-200), (1e-300, 1e-300)]
)
def test_numbers_of_each_sort(f, a, b, x, kind):
    """Python's own tell of no flags: they are looked at, also inside of what arrays are part of."""
    derivative = adlsp.value_and_grad(f, wrt=("a", "b"))
    args = kind(a), kind(b), x
    with np.errstate(all="ignore"):
        value, bars = derivative(*args)
        is_fine = all(np.isfinite(each).all() for each in (value, *bars))
        for _ in range(2):
            if is_fine:
                with adlsp.check_finite():
                    derivative(*args)
            else:
                with adlsp.check_finite(), pytest.raises(FloatingPointError, match=r"gives|bad"):
                    derivative(*args)


def test_sums_in_loops():
    derivative = adlsp.grad(rows)
    with np.errstate(all="ignore"), adlsp.check_finite():
        derivative(np.ones(2), 2.0, np.ones(2))
        with pytest.raises(FloatingPointError, match=r"x\[i\] \* a"):
            derivative(np.full(2, 1e308), 1.0, np.ones(2))
        with pytest.raises(FloatingPointError, match=r"total\[0\]"):
            derivative(np.full(2, 1e300), 1e10, np.ones(2))


def warned(derivative, *args):
    """What is warned of, with the lines."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        derivative(*args)
    return [(str(each.message), each.filename, each.lineno, each.category) for each in told]


def over(x):
    y = x / ZERO
    return np.sum(y * y) + np.sum(np.log(x - 1.0))


def test_what_a_program_hears_is_the_same(monkeypatch):
    monkeypatch.setattr(hook, "stop", lambda alarm: alarm)
    derivative = adlsp.value_and_grad(over)
    before = warned(derivative, np.ones(3))
    try:
        hook.watch('{"nan": true, "infinite": true}')
        assert warned(derivative, np.ones(3)) == warned(derivative, np.ones(3)) == before
    finally:
        hook.watch("")
    assert any("divide by zero encountered in divide" in each[0] for each in before)
    assert any("divide by zero encountered in log" in each[0] for each in before)


class Log:
    def __init__(self):
        self.told = []

    def write(self, message):
        self.told.append(message)

    def __call__(self, kind, flag):
        self.told.append((kind, flag))


@pytest.mark.parametrize("how", ["ignore", "warn", "call", "print", "log", "raise"])
def test_what_a_program_has_chosen(how, capfd, monkeypatch):
    """It is done, and is what it was, when a derivative returns and when it raises."""
    monkeypatch.setattr(hook, "stop", lambda alarm: alarm)
    derivative = adlsp.value_and_grad(over)
    log, x = Log(), np.ones(3)

    def said():
        log.told.clear()
        raised = ""
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                derivative(x)
            except FloatingPointError as error:
                raised = str(error)
        assert (np.geterr(), np.geterrcall()) == chosen
        return [str(each.message) for each in told], [*log.told], capfd.readouterr(), raised

    with np.errstate(divide=how, invalid=how, over=how, call=log):
        chosen = np.geterr(), np.geterrcall()
        before = said()
        try:
            hook.watch('{"nan": true, "infinite": true}')
            assert said() == said() == before
        finally:
            hook.watch("")
        with adlsp.check_finite(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pytest.raises(FloatingPointError):
                derivative(x)
        assert (np.geterr(), np.geterrcall()) == chosen


def test_settings_are_put_back_in_each_thread():
    derivative = adlsp.value_and_grad(over)
    before, seen = np.geterr(), []

    def work():
        with contextlib.suppress(FloatingPointError):
            derivative(np.ones(3))
        seen.append(np.geterr())

    with adlsp.check_finite(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        work()
        threads = [threading.Thread(target=work) for _ in range(3)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    assert seen == [before] * 4


def test_the_first_place_is_the_same_as_by_looking(monkeypatch):
    """What is told of is told in the same words, whether NumPy tells or all is looked at."""

    def told(*args):
        alarms = []
        monkeypatch.setattr(hook, "stop", alarms.append)
        try:
            hook.watch('{"nan": true, "infinite": true}')
            with np.errstate(all="ignore"):
                for _ in range(2):
                    derivative(*args)
        finally:
            hook.watch("")
        return alarms

    for f, args in (
        (over, (np.ones(3),)),
        (product, (np.full(2, 1e200), np.full(2, 1e200), np.ones(2))),
        (quotient, (np.ones(2), np.zeros(2), np.ones(2))),
        (rows, (np.full(2, 1e308), 1.0, np.ones(2))),
        (rows, (np.full(2, 1e300), 1e10, np.ones(2))),
    ):
        derivative = adlsp.value_and_grad(f)
        by_flags = told(*args)
        with monkeypatch.context() as patch:
            patch.setattr(flags, "TYPES", frozenset())
            by_looking = told(*args)
        assert len(by_flags) == 2
        assert by_flags == by_looking


def test_tensors_tell_of_none(monkeypatch):
    monkeypatch.setitem(watching.sys.modules, "tensorflow", None)
    derivative = adlsp.value_and_grad(over)
    with np.errstate(all="ignore"), adlsp.check_finite(), pytest.raises(FloatingPointError):
        derivative(np.ones(3))
    space = derivative._compiled.__globals__
    assert space[watching.watched.TYPES] == frozenset()


def test_where_numpy_has_no_variable_for_its_settings(monkeypatch):
    """As before NumPy 2: they change by what NumPy documents, and are put back."""
    monkeypatch.setattr(flags, "_variable", lambda: None)
    heard, before = [], np.geterr()
    settings = flags.Settings(heard.append)
    assert settings.get() is not settings.usual
    assert settings.get() is not settings.hearing
    for _ in range(2):
        settings.hear()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert np.isinf(np.ones(2) / np.zeros(2)).all()
    assert [each.filename for each in told] == [__file__]
    for _ in range(3):
        settings.cease()
    assert (len(heard), np.geterr()) == (1, before)


def inner(x):
    return np.sum(x / ZERO)


@pytest.mark.parametrize("chosen", [{}, {"over": "ignore"}, {"divide": "ignore"}])
def test_a_derivative_that_another_one_calls(monkeypatch, chosen):
    """Warnings are as ever, with the line of the inner one."""
    monkeypatch.setattr(hook, "stop", lambda alarm: alarm)

    derivative = adlsp.value_and_grad(inner)
    with np.errstate(**chosen):
        before = warned(derivative, np.ones(3))
        settings = flags.Settings(lambda _: None)
        try:
            hook.watch('{"nan": true, "infinite": true}')
            settings.hear()
            assert warned(derivative, np.ones(3)) == warned(derivative, np.ones(3)) == before
        finally:
            settings.cease()
            hook.watch("")
    assert bool(before) == ("divide" not in chosen)


class Quiet:
    """What a program calls that chooses what NumPy does; it keeps what that was."""

    seen = ()

    def __call__(self, _):
        self.seen = (*self.seen, np.geterr())
        np.seterr(divide="ignore", invalid="ignore")
        return 2.0


quiet = Quiet()


def chosen_by_a_helper(x):
    s = np.sum(x * x)
    quiet(len(x))
    return np.sum(s / x)  # @divided


def chosen_for_a_value(x):
    y = x
    for i in range(2):
        y = y * quiet(i) / x  # @divided
    return np.sum(y)


def chosen_for_a_condition(x):
    y = x * x
    while quiet(0) < np.sum(y):
        y = y / x  # @divided
    return np.sum(y)


def chosen_by_itself(x):
    before = np.seterr(divide="ignore")
    y = 1.0 / x  # @divided
    np.seterr(**before)
    return np.sum(y)


def chosen_by_a_callee(x):
    y = quietly(x)
    return np.sum(y / x)  # @divided


def quietly(x):
    np.seterr(divide="ignore", invalid="ignore")
    return x * x


@pytest.mark.parametrize(
    "function",
    [
        chosen_by_a_helper,
        chosen_for_a_value,
        chosen_for_a_condition,
        chosen_by_itself,
        chosen_by_a_callee,
    ],
)
@pytest.mark.parametrize("chosen", [{}, {"over": "ignore"}])
def test_a_program_that_chooses_meanwhile(function, chosen):
    """It silences nobody who listens, and has its own settings, then and afterwards."""
    g = adlsp.grad(function)
    x = np.array([1.0, 1.0, 4.0])

    def after(x):
        quiet.seen = ()
        with np.errstate(**chosen), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with contextlib.suppress(FloatingPointError):
                g(x)
            return np.geterr(), np.geterrcall(), quiet.seen

    expected = after(x)
    lines, first = inspect.getsourcelines(function)
    line = first + next(i for i, each in enumerate(lines) if "@divided" in each)
    with adlsp.check_finite():
        assert after(x) == expected
        after_the_error = after(ZERO)
        with pytest.raises(FloatingPointError, match=rf"forward of test_flags.py:{line}: "):
            g(ZERO)
    assert after_the_error[1] is None
    assert "log" not in after_the_error[0].values()


def test_arithmetic_of_a_known_signature_calls_nothing(monkeypatch):
    """No function in Python is called, which debuggers look at, but what is called without us.

    So it is where nobody has changed NumPy's settings, as in a context of its own, and where there
    are no tensors, which tell of no flags.
    """
    monkeypatch.delitem(sys.modules, "tensorflow", raising=False)
    contextvars.Context().run(calls_nothing)


def calls_nothing():
    def f(x):
        return np.sum(np.tanh(x * x) / x)

    gradient = adlsp.grad(f)
    gradient(ZERO + 1.0)

    def called():
        names = []
        sys.setprofile(lambda frame, event, _: names.append(frame.f_code) if event == "call" else 0)
        gradient(ZERO + 1.0)
        sys.setprofile(None)
        return [code.co_name for code in names]

    before = called()
    with adlsp.check_finite():
        gradient(ZERO + 1.0)
        assert called() == before
