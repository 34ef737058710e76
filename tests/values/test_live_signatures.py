"""The signature of actual arguments."""

from __future__ import annotations

import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import live_values
import numpy as np
import pytest
from live_values import HERE, KNOWN, UNKNOWNS

from adlsp.library import named, signatures
from adlsp.transform.values import parse, signature
from adlsp.transform.values.lattice import Unknown


@pytest.mark.parametrize(("x", "text"), KNOWN, ids=[text for _, text in KNOWN])
def test_what_a_live_value_is(x: Any, text: str) -> None:
    value = signatures.of_value(x)
    assert signature.text(value) == text
    assert parse.value(text) == value


@pytest.mark.parametrize("x", UNKNOWNS, ids=lambda x: type(x).__name__)
def test_what_is_no_very_such_type_is_unknown(x: Any) -> None:
    value = signatures.of_value(x)
    assert isinstance(value, Unknown)
    assert value.why


def endless() -> list[Any]:
    made: list[Any] = [1]
    made.append(made)
    return made


def test_what_holds_itself_ends() -> None:
    assert signature.text(signatures.of_value(endless())) == "[int, ?]"
    node = types.SimpleNamespace(next=None)
    node.next = node
    assert signature.text(signatures.of_value(node)) == "types.SimpleNamespace(next=?)"

    def calls_itself(n: int) -> int:
        return calls_itself(n - 1)

    path = f"{__name__}.test_what_holds_itself_ends.<locals>.calls_itself"
    assert signature.text(signatures.of_value(calls_itself)) == f"partial({path}, calls_itself=?)"


def test_large_structures_are_cut() -> None:
    deep: list[Any] = []
    for _ in range(50):
        deep = [deep]
    assert signature.text(signatures.of_value(deep)) == "[[[[[[?]]]]]]"
    wide = [[[] for _ in range(60)] for _ in range(60)]
    text = signature.text(signatures.of_value(wide))
    assert text.count("[]") < signatures.MOST_PARTS < 60 * 60


@pytest.mark.skipif(sys.version_info < (3, 11), reason="code tells no columns")
def test_functions_are_told_apart_by_their_texts() -> None:
    first, second = (signatures.of_value(f) for f in live_values.pair(2.0))
    assert first != second
    assert signatures.of_value(live_values.pair(3.0)[0]) == first
    text = signature.text(signatures.of_value(live_values.square))
    assert text.startswith(f"{HERE}.<lambda:")


def test_a_name_leads_to_the_thing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = live_values.decay
    monkeypatch.setattr(sys.modules[HERE], "decay", live_values.twice)
    assert named.dotted(before) is None
    assert isinstance(signatures.of_value(before), Unknown)
    monkeypatch.setattr(live_values.twice, "__wrapped__", None)
    assert named.dotted(live_values.twice) == f"{HERE}.twice"


def test_a_call_has_a_value_for_each_parameter() -> None:
    def f(n: Any, x: Any, *rest: Any, scale: float = 1.0, **options: Any) -> None: ...

    given = signatures.of_arguments(f, (np.ones((2, 3)), 1.0, 2), {"mode": "a"})
    text = 'n: float64[m, k], x: float, rest: (int,), scale: float, options: {"mode": "a"}'
    assert signature.signature_text(given) == text
    with pytest.raises(TypeError, match="missing"):
        signatures.of_arguments(f, (), {})


SCRIPT = """
from adlsp.library import signatures
from adlsp.transform.values import signature
def f(y): ...
class A: ...
print(signature.text(signatures.of_value([f, A(), lambda: 1])))
"""


def test_the_program_has_the_name_of_its_file(tmp_path: Path) -> None:
    script = tmp_path / "model.py"
    script.write_text(SCRIPT, "utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "[model.f, model.A(), model.<lambda:6:50>]", done.stderr
