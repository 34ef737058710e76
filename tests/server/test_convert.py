import pytest
import said
from lsprotocol import types

from adlsp.server.convert import Converter, n_characters, n_units, overlaps, report
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Edit, Fix, Related, Severity
from adlsp.transform.source import Span

LINE = 'é = "😀" + x'
TEXT = f"a = 1\n{LINE}\r\nb = 2\r\fc = 3\n"


def converter(encoding="utf-16", **more):
    lines = ((("f.py", 2), LINE),)
    return Converter(encoding, lambda path: f"file:///{path}", lines=dict(lines), **more)


@pytest.mark.parametrize(("encoding", "start"), [("utf-8", 14), ("utf-16", 11), ("utf-32", 10)])
def test_columns_count_the_units_that_client_and_server_agreed_on(encoding, start):
    column = LINE.index("x") + 1
    position = converter(encoding).position("f.py", 2, column)
    assert position == types.Position(1, start)
    assert converter(encoding).place(TEXT, position) == (2, column)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_every_column_survives_the_way_there_and_back(encoding):
    for column in range(1, len(LINE) + 2):
        position = converter(encoding).position("f.py", 2, column)
        assert converter(encoding).place(TEXT, position) == (2, column)


def test_units_amid_a_character_round_down():
    assert n_characters("a😀b", 2, "utf-16") == 1
    assert n_characters("a😀b", 3, "utf-16") == 2
    assert n_characters("a😀b", 99, "utf-16") == 3
    assert n_units("\ud800", "utf-16") == 1
    assert n_units("\ud800", "utf-8") == 3


def test_places_after_the_end_are_the_end():
    assert converter().place(TEXT, types.Position(1, 99)) == (2, len(LINE) + 1)
    assert converter().place(TEXT, types.Position(99, 0)) == (5, 1)


def change(start, end, text):
    where = types.Range(types.Position(*start), types.Position(*end))
    return types.TextDocumentContentChangePartial(range=where, text=text)


def test_edits_apply_one_after_the_other():
    edited = converter().edited(
        "ab\ncd\n", [change((0, 1), (1, 1), "X"), change((0, 2), (0, 2), "!")]
    )
    assert edited == "aX!d\n"


@pytest.mark.parametrize(
    ("encoding", "start", "end"),
    [("utf-8", 5, 11), ("utf-16", 4, 8), ("utf-32", 4, 7)],
)
def test_edits_after_an_emoji_hit_their_place(encoding, start, end):
    edited = converter(encoding).edited(TEXT, [change((1, start), (1, end), "None")])
    assert edited == TEXT.replace('"😀"', "None")


def test_lines_end_where_the_protocol_says_and_nowhere_else():
    text = "a\x0cb\u2028c\x85d\r\ne\rf\n"
    assert converter().edited(text, [change((1, 0), (1, 1), "E")]) == text.replace("e", "E")
    assert converter().edited(text, [change((2, 0), (2, 1), "F")]) == text.replace("f", "F")


def test_edits_beyond_the_text_go_to_its_end():
    assert converter().edited("ab", [change((7, 3), (9, 1), "!")]) == "ab!"


def test_a_whole_text_replaces_all():
    change = types.TextDocumentContentChangeWholeDocument("new")
    assert converter().edited("old", [change]) == "new"


def finding():
    span = Span("f.py", 2, 5, 2, 8)
    fix = Fix("say nothing", (Edit(span, "None"),))
    related = (Related(Span("g.py", 3, 1, 3, 2), "here"),)
    return Diagnostic(
        said.finding("AD301", "out", Severity.WARNING, "why"), span, related, fix, function="f"
    )


def test_a_finding_keeps_all_that_it_says():
    shown = converter(has_pages=True).diagnostic(finding())
    assert shown.range == types.Range(types.Position(1, 4), types.Position(1, 8))
    assert (shown.code, shown.message, shown.source) == ("AD301", "why", "adlsp")
    assert shown.severity == types.DiagnosticSeverity.Warning
    assert shown.code_description == types.CodeDescription("adlsp-finding:/AD301.md")
    (related,) = shown.related_information
    assert (related.location.uri, related.message) == ("file:///g.py", "here")
    assert shown.data["fix"] == {
        "title": "say nothing",
        "applicability": "safe",
        "edits": [
            {
                "uri": "file:///f.py",
                "range": {
                    "start": {"line": 1, "character": 4},
                    "end": {"line": 1, "character": 8},
                },
                "newText": "None",
            }
        ],
    }
    assert converter().diagnostic(finding()).code_description is None


def test_a_fix_is_bound_to_the_version_that_it_was_made_for():
    edit = converter().workspace_edit(finding().fix, lambda _: 7)
    (change,) = edit.document_changes
    assert (change.text_document.uri, change.text_document.version) == ("file:///f.py", 7)
    assert [each.new_text for each in change.edits] == ["None"]
    assert list(converter().workspace_edit(finding().fix, None).changes) == ["file:///f.py"]


def test_ranges_overlap_also_where_they_only_touch():
    def span(start, end):
        return types.Range(types.Position(0, start), types.Position(0, end))

    assert overlaps(span(1, 3), span(3, 4))
    assert overlaps(span(3, 3), span(1, 5))
    assert not overlaps(span(1, 3), span(4, 5))


def test_a_pull_of_the_same_findings_is_answered_shortly():
    shown = [converter().diagnostic(finding())]
    first = report(shown, {}, None)
    assert first.items == shown
    again = report(shown, {}, first.result_id)
    assert (again.kind, again.result_id) == ("unchanged", first.result_id)
    assert report([], {}, first.result_id).kind == "full"
    assert report(shown, {"file:///g.py": []}, first.result_id).kind == "full"
