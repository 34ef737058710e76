"""The runner of the cases itself: it reads pages as they are meant, and it notices mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import differences
import literate
import numpy as np
import pytest
from literate import Case, Check

PAGE = """# A page

## One

Prose.

```py
def f(x):
    return g(x) + g(x)
#          ^^^^ AD101 unresolved-function
#                 ^^^^ AD101 unresolved-function
#^^^ AD502 no-influence
```

```py file=other.py
y = 1
```

```check
wrt: x,
kind: vjp
order: 2
at: x=np.ones((2, 3)) n=3 name="a=b" flag=1 == 1
at: x=(1.5, {"a": 2.0})
raises: AD303 x=1.5
```

```reverse
## Two
```

## Three

```py
def f(x):
    return x
```
"""


@pytest.fixture
def cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Case]:
    page = tmp_path / "page.md"
    page.write_text(PAGE, "utf-8")
    monkeypatch.setattr(literate, "PAGES", [page])
    return literate.cases()


def test_a_page_is_read(cases: list[Case]) -> None:
    one, three = cases
    assert (one.title, three.title) == ("One", "Three")
    assert [name for name, _ in one.files] == ["case.py", "other.py"]
    assert one.golden == "## Two\n"
    assert (three.check, three.golden) == (None, None)
    assert one.check == Check(
        "f",
        ("x",),
        True,
        "vjp",
        (),
        2,
        None,
        (
            (("x", "np.ones((2, 3))"), ("n", "3"), ("name", '"a=b"'), ("flag", "1 == 1")),
            (("x", '(1.5, {"a": 2.0})'),),
        ),
        (("AD303", (("x", "1.5"),)),),
    )


def test_marks_are_places(cases: list[Case]) -> None:
    assert cases[0].findings() == [
        ("case.py", 2, 1, 5, "AD502", "no-influence"),
        ("case.py", 2, 12, 16, "AD101", "unresolved-function"),
        ("case.py", 2, 19, 23, "AD101", "unresolved-function"),
    ]


def test_an_expected_text_is_written_where_it_belongs(cases: list[Case]) -> None:
    one, three = cases
    literate.update(three, "third\n")
    literate.update(one, "first\n")
    assert [case.golden for case in literate.cases()] == ["first\n", "third\n"]
    assert one.page.read_text("utf-8").startswith(PAGE.partition("```reverse")[0])


@pytest.mark.parametrize(
    "body", ["wrt: x\nat x=1", "wrt: x\nwrt: y", "wrt: x\nwhere: x=1", "wrt: x\nAt: x=1"]
)
def test_a_line_that_means_nothing_is_refused(
    body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"## One\n\n```py\npass\n```\n\n```check\n{body}\n```\n", "utf-8")
    monkeypatch.setattr(literate, "PAGES", [page])
    with pytest.raises(ValueError, match=r"page\.md: One"):
        literate.cases()


def test_differences_find_a_gradient_in_its_structure() -> None:
    def f(x: Any) -> float:
        (a, b), c = x["pair"], x["rest"]
        return float(np.sum(np.sin(a)) * b**3 + np.sum(a) * c[0])

    a = np.array([0.5, -1.5])
    found = differences.gradient(f, {"pair": (a, 2.0), "rest": [3.0, 1, "text"]})
    assert np.allclose(found["pair"][0], np.cos(a) * 8.0 + 3.0, atol=1e-9)
    assert np.isclose(found["pair"][1], 12.0 * np.sum(np.sin(a)), atol=1e-9)
    assert np.isclose(found["rest"][0], np.sum(a), atol=1e-9)
    assert found["rest"][1:] == [None, None]


X = np.array([1.0, 2.0])


@pytest.mark.parametrize(
    ("found", "x", "complaint"),
    [
        (np.array([3.0, 4.0]), X, None),
        (np.array([3.0, 4.0 + 1e-8]), X, None),
        (np.array([3.0, 4.0001]), X, "differences"),
        (np.array([3.0, np.nan]), X, "differences"),
        (np.array([[3.0, 4.0]]), X, "shape"),
        (np.array([3.0, 4.0], dtype=np.float32), X, "float32"),
        ([3.0, 4.0], (1.0, 2.0), "for the argument"),
        ((3.0,), (1.0, 2.0), "for the argument"),
        ((3.0, 4.1), (1.0, 2.0), "differences"),
    ],
)
def test_a_wrong_gradient_is_noticed(found: Any, x: Any, complaint: str | None) -> None:
    expected = np.array([3.0, 4.0]) if isinstance(x, np.ndarray) else (3.0, 4.0)
    told = differences.mismatch(found, expected, x)
    assert (told is None) == (complaint is None)
    assert complaint is None or complaint in str(told)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (X, X.copy(), True),
        (X, X + 1e-16, True),
        (X, np.nextafter(X, 3.0), False),
        (X, X.astype(np.float32), False),
        (X, X[None], False),
        (0.0, -0.0, False),
        (np.nan, np.nan, True),
        ((1.0, [X]), (1.0, [X.copy()]), True),
        ((1.0, [X]), [1.0, [X]], False),
        ({"a": X}, {"b": X}, False),
        (None, 0.0, False),
        ("a", "a", True),
        (slice(1, 2), slice(1, 3), False),
    ],
)
def test_the_same_is_the_same_bits(a: Any, b: Any, expected: bool) -> None:
    assert differences.same(a, b) is expected
