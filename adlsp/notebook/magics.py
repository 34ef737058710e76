"""The magics: `%derivative f` shows a derivative, `%%check` checks a cell before it runs."""

from __future__ import annotations

import re
import sys
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

from adlsp.library import api
from adlsp.library.asked import Wrt
from adlsp.library.refusal import DifferentiationError
from adlsp.notebook import checking
from adlsp.transform.artifact import Derivative

CHECK = re.compile(r"%%check\b(.*)")

Shell = Any
"""IPython's interactive shell."""


def load(shell: Shell) -> None:
    """Makes the magics known to a session."""
    shell.register_magics(AdlspMagics)
    transforms = shell.input_transformers_cleanup
    if checked_first not in transforms:
        transforms.append(checked_first)


def unload(shell: Shell) -> None:
    """Takes them away again."""
    transforms = shell.input_transformers_cleanup
    if checked_first in transforms:
        transforms.remove(checked_first)


def checked_first(lines: list[str]) -> list[str]:
    """A cell below `%%check` as one that is checked by its first line, and then runs as it is."""
    found = CHECK.match(lines[0]) if lines else None
    if found is None:
        return lines
    return [f"get_ipython().run_line_magic('check', {found[1].strip()!r})\n", *lines[1:]]


@magics_class
class AdlspMagics(Magics):
    """What `%load_ext adlsp` brings."""

    @property
    def session(self) -> Shell:
        """The shell that it was loaded into."""
        return self.shell

    @magic_arguments()
    @argument("function", nargs="+", help="a function, or an expression that gives one")
    @argument("--wrt", help="the parameters of interest: names or numbers, with commas between")
    @argument("--mode", choices=("reverse", "forward"), default="reverse")
    @argument("--forward", action="store_true", help="the same as --mode forward")
    @argument("--order", type=int, default=1, help="2 is the derivative of the gradient")
    @line_magic
    def derivative(self, line: str) -> Derivative:
        """Show the derivative of a function beside the function.

        ``%derivative loss --wrt w,b`` gives what ``adlsp.derive(loss, wrt=("w", "b"))`` does.
        """
        asked = parse_argstring(self.derivative, line)
        function = _value(" ".join(asked.function), self.session)
        mode = "forward" if asked.forward else asked.mode
        try:
            return api.derive(function, _wrt(asked.wrt), mode, asked.order)
        except DifferentiationError:
            raise
        except (TypeError, ValueError) as error:
            raise UsageError(str(error)) from None

    @magic_arguments()
    @argument("--all-functions", action="store_true", help="check every function, not only those")
    @line_magic
    def check(self, line: str) -> None:
        """Check a cell as `adlsp check` does, then run it.

        What earlier cells defined is known. Checked are the functions of which the cell asks for a
        derivative; in a cell that asks for none all that it defines, with respect to all their
        parameters. The findings are printed. Where one is an error the cell is not run.
        """
        asked, variables = parse_argstring(self.check, line), self.session.user_ns
        frame = sys._getframe()
        while frame.f_back is not None and frame.f_globals is not variables:
            frame = frame.f_back
        checking.check(frame.f_code.co_filename, variables, asked.all_functions)


def _value(expression: str, shell: Shell) -> Any:  # noqa: ANN401 - what the user wrote
    """What an expression gives; its text is kept, as that of a cell is."""
    name = shell.compile.cache(expression, shell.execution_count)
    return eval(compile(expression, name, "eval"), shell.user_ns)


def _wrt(text: str | None) -> Wrt:
    if text is None:
        return 0
    names = [int(part) if re.fullmatch(r"-?\d+", part) else part for part in text.split(",")]
    return names if "," in text else names[0]
