"""What addresses and parameters mean, and what a document says without a derivative."""

from types import SimpleNamespace
from urllib.parse import quote, urlencode

import pytest
import said

from adlsp.server.convert import Converter
from adlsp.server.documents import Documents
from adlsp.server.features.derivative import (
    BadRequestError,
    Wanted,
    comment,
    explanation,
    wanted_by_address,
    wanted_by_request,
)
from adlsp.server.messages import Derived
from adlsp.transform.artifact import STAGES
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Severity
from adlsp.transform.source import Span

PRIMAL = "file:///my%20project/a%26b/model.py"


def address(**query):
    return f"adlsp-derivative:/loss_adjoint.py?{urlencode(query)}"


def test_an_address_names_the_primal_and_what_is_asked():
    assert wanted_by_address(address(uri=PRIMAL, function="loss")) == Wanted(PRIMAL, "loss")
    whole = address(uri=PRIMAL, function="loss", wrt="w, b", mode="forward", order="2", stage="raw")
    assert wanted_by_address(whole) == Wanted(PRIMAL, "loss", None, ("w", "b"), "forward", 2, "raw")


def test_an_address_may_name_any_stage():
    for stage in STAGES:
        wanted = wanted_by_address(address(uri=PRIMAL, function="loss", stage=stage))
        assert wanted == Wanted(PRIMAL, "loss", stage=stage)


def test_editors_may_escape_the_whole_query():
    plain = address(uri=PRIMAL, function="loss")
    start, _, query = plain.partition("?")
    assert wanted_by_address(f"{start}?{quote(query, safe='')}") == Wanted(PRIMAL, "loss")


@pytest.mark.parametrize(
    "uri",
    [
        "adlsp-derivative:/loss_adjoint.py",
        "adlsp-derivative:/loss_adjoint.py?function=loss",
        address(uri=PRIMAL),
        address(uri=PRIMAL, function="loss", mode="sideways"),
        address(uri=PRIMAL, function="loss", order="0"),
        address(uri=PRIMAL, function="loss", order="two"),
        address(uri=PRIMAL, function="loss", stage="boiled"),
        address(uri=PRIMAL, function="loss", stage="facts", order="2"),
    ],
)
def test_an_address_that_makes_no_sense_is_told_so(uri):
    with pytest.raises(BadRequestError):
        wanted_by_address(uri)


def session():
    documents = Documents()
    documents._open[PRIMAL] = SimpleNamespace(path="model.py", text='x = "😀"; y\n')
    return SimpleNamespace(documents=documents, converter=Converter("utf-16", str))


def test_a_request_names_a_function_or_a_position():
    by_name = {"uri": PRIMAL, "function": "loss", "wrt": ["w", "b"], "position": None}
    assert wanted_by_request(session(), by_name) == Wanted(PRIMAL, "loss", None, ("w", "b"))
    by_place = {"uri": PRIMAL, "position": {"line": 0, "character": 10}}
    assert wanted_by_request(session(), by_place) == Wanted(PRIMAL, None, (1, 10))


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"uri": 3, "function": "loss"},
        {"uri": PRIMAL},
        {"uri": PRIMAL, "position": {"line": -1, "character": 0}},
        {"uri": PRIMAL, "position": {"line": "one", "character": 0}},
        {"uri": PRIMAL, "position": "here"},
        {"uri": "file:///other.py", "position": {"line": 0, "character": 0}},
        {"uri": PRIMAL, "function": "loss", "wrt": [0]},
        {"uri": PRIMAL, "function": "loss", "order": -1},
    ],
)
def test_a_request_that_makes_no_sense_is_told_so(params):
    with pytest.raises(BadRequestError):
        wanted_by_request(session(), params)


def test_why_there_is_no_derivative_is_said_in_comments():
    blocking = Diagnostic(
        said.finding("AD401", "try", Severity.ERROR, "a\nb"), Span("f.py", 3, 5, 3, 8), function="f"
    )
    harmless = Diagnostic(
        said.finding("AD502", "none", Severity.WARNING, "c"),
        Span("f.py", 1, 1, 1, 2),
        blocks=False,
        function="f",
    )
    derived = Derived("f", None, "", None, (), (blocking, harmless), (), ())
    text = explanation(derived)
    assert all(line.startswith("#") for line in text.splitlines())
    assert "AD401 a" in text
    assert "f.py:3:5" in text
    assert "AD502" not in text


def test_a_question_that_makes_no_sense_is_explained_in_comments():
    derived = Derived("", "there is no function at this place", "", None, (), (), (), ())
    assert explanation(derived) == "# There is no derivative: there is no function at this place.\n"
    assert comment("a\n\nb") == "# a\n#\n# b\n"
