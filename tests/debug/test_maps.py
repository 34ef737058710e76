"""Which lines of a derivative belong to a primal line, from small maps written as text."""

from __future__ import annotations

import json

import pytest

from adlsp.debug import maps, stack
from adlsp.transform.ir import Role

PRIMAL = "/project/losses.py"


def make_map(text: str) -> maps.DerivativeMap:
    """Reads lines such as `7 adjoint 3` or `7 adjoint 3-5 code`, through a payload."""
    entries, code = [], [""] * 20
    for line in text.split("\n"):
        number, role, primal, *rest = line.split(maxsplit=3)
        code[int(number) - 1] = rest[0] if rest else "x = y"
        first, _, last = primal.partition("-")
        entries.append(
            {
                "line": int(number),
                "role": role,
                "path": PRIMAL,
                "primal_line": int(first),
                "primal_end_line": int(last or first),
            }
        )
    return maps.read(json.dumps(make_payload(map=entries)), "\n".join(code), lambda path: path)


def make_payload(**changes: object) -> dict[str, object]:
    payload = {
        "version": 1,
        "path": "/cache/adlsp-derivatives/loss_grad.py",
        "name": "loss_grad",
        "primal": "losses.loss",
        "map": [],
    }
    return {**payload, **changes}


STRAIGHT = "3 primal 10\n4 primal 11\n6 adjoint 11\n7 adjoint 11\n9 adjoint 10"
PAIR = (
    "2 primal 9 def g_forward(x):\n3 primal 10\n4 save 10\n6 primal 9 def g_backward(saved):\n"
    "8 adjoint 10\n12 primal 9 def g_backward_2(saved):\n14 adjoint 10\n15 adjoint 10"
)
LOOP = (
    "3 primal 10-13\n4 save 11\n5 primal 11\n6 primal 12-13\n"
    "8 adjoint 10-13\n9 adjoint 12-13\n10 restore 11\n11 adjoint 11\n12 adjoint 11"
)
BRANCH = (
    "3 primal 10 if t:\n4 primal 11\n5 primal 10 else:\n6 primal 12\n"
    "8 adjoint 10 if t:\n9 adjoint 11\n10 adjoint 10 else:\n11 adjoint 12"
)
TWICE = "3 primal 10\n5 adjoint 10\n6 adjoint 11\n7 adjoint 10"


@pytest.mark.parametrize(
    ("text", "line", "roles", "lines"),
    [
        (STRAIGHT, 11, maps.BACKWARD, (6,)),
        (STRAIGHT, 11, maps.FORWARD, (4,)),
        (STRAIGHT, 10, maps.BACKWARD, (9,)),
        (STRAIGHT, 12, maps.BACKWARD, ()),
        (PAIR, 10, maps.BACKWARD, (8, 14)),
        (PAIR, 9, maps.FORWARD, ()),
        (BRANCH, 10, maps.FORWARD, (3,)),
        (BRANCH, 10, maps.BACKWARD, (8,)),
        (BRANCH, 12, maps.BACKWARD, (11,)),
        (PAIR, 10, maps.FORWARD, (3,)),
        (LOOP, 10, maps.BACKWARD, (8,)),
        (LOOP, 11, maps.BACKWARD, (11,)),
        (LOOP, 11, maps.FORWARD, (5,)),
        (LOOP, 13, maps.BACKWARD, (9,)),
        (LOOP, 13, maps.FORWARD, (6,)),
        (TWICE, 10, maps.BACKWARD, (5,)),
        ("3 tangent 10\n4 primal 10", 10, maps.FORWARD, (3,)),
        ("3 tangent 10\n4 primal 10", 10, maps.BACKWARD, ()),
    ],
)
def test_starts(text, line, roles, lines):
    assert make_map(text).starts(PRIMAL, line, roles) == lines


def test_another_file_has_no_lines_here():
    assert make_map(STRAIGHT).starts("/project/other.py", 10, maps.BACKWARD) == ()
    assert not make_map(STRAIGHT).covers("/project/other.py", 10)


def test_a_file_has_many_names(tmp_path):
    file, link = tmp_path / "losses.py", tmp_path / "link.py"
    file.write_text("")
    link.symlink_to(file)
    line = maps.MappedLine(3, Role.ADJOINT, str(file), 10, 10)
    derivative = maps.DerivativeMap("d.py", "d", "p", (line,))
    assert derivative.starts(str(link), 10, maps.BACKWARD) == (3,)
    assert derivative.covers(str(tmp_path / "x" / ".." / "losses.py"), 10)


def test_at():
    found = make_map(LOOP).at(9)
    assert found is not None
    assert (found.role, found.first, found.last) == (Role.ADJOINT, 12, 13)
    assert make_map(LOOP).at(7) is None


@pytest.mark.parametrize(
    "payload",
    [
        "[]",
        "{",
        '{"version": 1}',
        json.dumps(make_payload(version=2)),
        json.dumps(make_payload(map=[{"line": 1}])),
        json.dumps(make_payload(map=3)),
    ],
)
def test_what_is_no_announcement(payload):
    with pytest.raises(ValueError, match=r"."):
        maps.read(payload, "", lambda path: path)


def test_paths_are_the_clients():
    said = make_payload(
        map=[{"line": 1, "role": "init", "path": "/a", "primal_line": 1, "primal_end_line": 1}]
    )
    derivative = maps.read(json.dumps(said), "", lambda path: "/local" + path)
    assert derivative.path == "/local/cache/adlsp-derivatives/loss_grad.py"
    assert derivative.lines[0].path == "/local/a"


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/cache/adlsp-derivatives/a.py", True),
        ("C:\\cache\\adlsp-derivatives\\x\\a.py", True),
        ("/cache/adlsp-derivatives.py", False),
        ("/project/my-adlsp-derivatives/a.py", False),
    ],
)
def test_is_derivative(path, answer):
    assert maps.is_derivative(path) is answer


def test_depths_are_those_of_functions_of_the_primal():
    """A function that calls itself has two in a derivative: the outermost, and for the others."""
    text = "def f_grad(x):\n    f_backward(x)\n\ndef f_backward(x):\n    f_backward(x)\n"
    entries = [
        {"line": line, "role": role, "path": "p.py", "primal_line": of, "primal_end_line": of}
        for line, role, of in (
            (1, "primal", 7),
            (2, "adjoint", 8),
            (4, "primal", 7),
            (5, "adjoint", 8),
        )
    ]
    payload = {"version": 1, "path": "f.py", "name": "f_grad", "primal": "f", "map": entries}
    derivative = maps.read(json.dumps(payload), text, lambda path: path)
    given = [
        {"id": n, "name": name, "line": line, "column": 1, "source": {"path": "f.py"}}
        for n, name, line in ((1, "f_backward", 5), (2, "f_backward", 5), (3, "f_grad", 2))
    ]
    found = stack._depths(given, {maps.key("f.py"): derivative})
    assert found == {1: 3, 2: 2, 3: 1}
