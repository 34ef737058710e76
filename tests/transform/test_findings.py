"""The catalogue of findings: complete pages, sound messages, names that say what was found."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from adlsp.transform.diagnostics import catalogue
from adlsp.transform.diagnostics.vocabulary import CATALOGUE, PARTS, Finding, Severity, finding

KINDS = list(catalogue.kinds().values())
PROMISED = """
    AD100 AD101 AD102 AD103 AD104 AD201 AD202 AD203 AD204 AD205 AD301 AD302 AD303 AD304
    AD111 AD112 AD113 AD207 AD208 AD401 AD402 AD403 AD404 AD405 AD501 AD502 AD503 AD504 AD505 AD506
    AD507 AD900 AD901
"""


def made(kind: type[Finding]) -> Finding:
    """A finding with data that can be recognized."""
    return kind(**{field.name: f"their {field.name}" for field in fields(kind)})


def test_the_promised_codes_exist_in_order() -> None:
    assert set(PROMISED.split()) <= set(catalogue.kinds())
    assert list(catalogue.kinds()) == sorted(catalogue.kinds())


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.code)
def test_each_kind_is_said_well(kind: type[Finding]) -> None:
    text = made(kind).text()
    assert re.fullmatch(r"AD\d{3}", kind.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", kind.name)
    assert not text.endswith(".")
    assert text[0].islower() or text[0] == "`"
    assert all(f"their {field.name}" in text for field in fields(kind))
    for part in PARTS:
        said = re.search(rf"^{part}(.*)", kind.page, re.MULTILINE)
        assert said is not None
        assert said[1].strip()


def test_names_are_used_once() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)


def test_no_field_hides_what_all_findings_have() -> None:
    for kind in KINDS:
        instance = made(kind)
        assert (instance.code, instance.name) == (kind.code, kind.name)


def test_findings_are_values() -> None:
    for kind in KINDS:
        assert made(kind) == made(kind)
        assert hash(made(kind)) == hash(made(kind))


def test_the_page_is_markdown() -> None:
    kind = catalogue.named("AD301")
    assert kind is not None
    assert catalogue.markdown(kind) == (
        "# AD301 out-argument (error)\n\n"
        "A result is written into an existing array through `out=`.\n\n"
        "**Why:** the old value of the array is lost without an assignment that says so.\n\n"
        "**Example:** `np.add(a, b, out=a)`\n\n"
        "**Instead:** `a[...] = np.add(a, b)`, or `a = np.add(a, b)` where nobody else holds the "
        "array.\n"
    )


@pytest.mark.parametrize("written", ["AD402", "ad402", " AD402 ", "break-in-loop"])
def test_a_kind_is_found_by_code_or_name(written: str) -> None:
    kind = catalogue.named(written)
    assert kind is not None
    assert kind.code == "AD402"


@pytest.mark.parametrize("written", ["", "AD", "AD999", "nothing"])
def test_nothing_else_is_a_kind(written: str) -> None:
    assert catalogue.named(written) is None


GOOD_PAGE = "A summary.\n\nWhy: so.\nExample: this.\nInstead: that.\n"


@pytest.mark.parametrize(
    ("code", "page", "message", "complaint"),
    [
        ("AD999", "A summary.\n\nWhy: so.\nExample: this.\n", "found", "lacks Instead:"),
        ("AD301", GOOD_PAGE, "found", "used twice"),
        ("AD999", GOOD_PAGE, "found {thing}", "'thing', which is no field"),
    ],
)
def test_a_kind_that_is_incomplete_is_refused(
    code: str, page: str, message: str, complaint: str
) -> None:
    before = dict(CATALOGUE)
    kind = type("Bad", (Finding,), {"__doc__": page, "message": message})
    with pytest.raises(ValueError, match=complaint):
        finding(code, "bad", Severity.ERROR)(kind)
    assert before == CATALOGUE
