"""A program that is debugged while it is measured: it does what it is told, and tells the time.

Usage: debugged.py PORT. It connects there, reads words, a line for each thing to do, and answers
each with a line. So programs under several debuggers run in turn.
"""

from __future__ import annotations

import socket
import sys
import time
from typing import Any

import numpy as np

import adlsp

N_FUNCTIONS = 60


def loss(w, x):
    """A few operations on arrays, and a line that never runs."""
    h = np.tanh(w * x)
    y = h * h + w  # @each_step
    if y[0] > 1e9:
        y = y * x  # @never
    return np.sum(y * h)


FUNCTION = '''
def function_{number}(x):
    """One of many, each with a breakpoint."""
    y = np.sin(x) * {number}.0  # @function_{number}
    z = y * y + x
    return np.sum(z * np.exp(-y))

'''


def functions() -> str:
    """The text of a module of many functions."""
    return "import numpy as np\n" + "".join(FUNCTION.format(number=i) for i in range(N_FUNCTIONS))


def many(
    a=0, b=1, c=2.0, d="text", e=(1, 2), f=None, g=True, h="long" * 9, i=9, j=10.0
) -> np.ndarray:
    """A place to stop, with variables of all kinds."""
    x, y, z = np.ones(3), [1, 2], {"key": 1}
    k = len(d) + a + b  # @stop
    l = k + i + j + c  # noqa: E741
    m = l + len(e) + len(h)
    n = m + g + len(y) + len(z)
    return x * n if f is None else x


class Program:
    """What the program can be told to do; what is derived is kept."""

    def __init__(self) -> None:
        self.step = adlsp.value_and_grad(loss)
        self.module: Any = None

    def train(self, size: str, n_steps: str) -> str:
        """Runs a training loop; gives the seconds of the processor for it."""
        w, x = np.linspace(0.1, 0.9, int(size)), np.linspace(-1, 1, int(size))
        step = self.step
        start = time.process_time()
        for _ in range(int(n_steps)):
            _, gradient = step(w, x)
            w = w - 1e-3 * gradient
        return str(time.process_time() - start)

    def checked(self, size: str, n_steps: str) -> str:
        """Does the same while all values are looked at, without a debugger."""
        with adlsp.check_finite():
            return self.train(size, n_steps)

    def derive(self, number: str) -> str:
        """Derives one of many functions; gives the seconds until it has been called."""
        if self.module is None:
            import functions

            self.module = functions
        function, x = getattr(self.module, f"function_{number}"), np.ones(3)
        start = time.perf_counter()
        adlsp.grad(function)(x)
        return str(time.perf_counter() - start)

    def lines(self, primal_line: str) -> str:
        """The file of the derivative of the loss, and its line that is for one of the primal."""
        self.train("4", "1")
        found = [
            each.line
            for each in self.step.derivative.source_map
            if each.primal.line == int(primal_line) and each.role.name == "ADJOINT"
        ]
        return f"{found[0]} {self.step.path}"

    def stop(self) -> str:
        """Goes through the place to stop."""
        return str(many().size)


def main(port: str) -> None:
    """Does what it is told until nobody tells it more."""
    program = Program()
    with socket.create_connection(("127.0.0.1", int(port))) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        told = connection.makefile("rw", encoding="utf-8")
        for line in told:
            word, *arguments = line.split()
            told.write(f"{getattr(program, word)(*arguments)}\n")
            told.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
