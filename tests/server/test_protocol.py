"""The server as an editor meets it: a process that speaks the protocol."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from lsp_client import PULLS, PUSHES, TIMEOUT, Client, ResponseError

BROKEN = """\
import adlsp
import numpy as np


def step(a, b):
    np.add(a, b, out=a)
    return np.sum(a)


gradient = adlsp.grad(step)
"""
FIXED = BROKEN.replace("np.add(a, b, out=a)", "a = np.add(a, b)")
LONG = "".join(
    f"def f{i}(x, y):\n    for k in range(3):\n        x = x * y + np.sin(x)\n    return x\n\n\n"
    for i in range(400)
)
SLOW = f"import adlsp\nimport numpy as np\n\n\n{LONG}" + "".join(
    f"adlsp.grad(f{i})\n" for i in range(400)
)
HERE = Path(__file__).parent


@pytest.fixture
def client(tmp_path):
    with Client(tmp_path) as made:
        yield made


def worker_pids(client):
    """The child processes of the server."""
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(client.process.pid)], capture_output=True, text=True
    )
    return [int(word) for word in listed.stdout.split()]


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def until(condition):
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


needs_proc = pytest.mark.skipif(not Path("/proc").exists(), reason="looks at /proc")


def test_initialize_says_what_the_server_can_do(client):
    answer = client.initialize()
    assert answer["serverInfo"]["name"] == "adlsp"
    can = answer["capabilities"]
    assert can["positionEncoding"] == "utf-16"
    assert can["textDocumentSync"] == {"openClose": True, "change": 2, "save": True}
    assert can["hoverProvider"]
    assert can["codeLensProvider"]
    assert can["codeActionProvider"] == {"codeActionKinds": ["quickfix", "source.fixAll.adlsp"]}
    assert "diagnosticProvider" not in can
    assert can["executeCommandProvider"]["commands"] == []
    asked = client.notification("client/registerCapability")["registrations"]
    registered = {each["method"]: each["registerOptions"] for each in asked}
    assert registered["workspace/textDocumentContent"] == {
        "schemes": ["adlsp-derivative", "adlsp-finding"]
    }
    assert "workspace/didChangeWatchedFiles" in registered
    assert client.leave() == 0


def test_the_encoding_is_the_clients_first_choice(tmp_path):
    capabilities = {**PUSHES, "general": {"positionEncodings": ["utf-8", "utf-16"]}}
    with Client(tmp_path, capabilities) as client:
        assert client.initialize()["capabilities"]["positionEncoding"] == "utf-8"
        text = BROKEN.replace("    np.add", '    s = "😀"; np.add')
        uri = client.open("a.py", text)
        (found,) = client.published(uri)
        line = text.splitlines()[5]
        start = len(line[: line.index("out=a")].encode())
        assert found["range"]["start"] == {"line": 5, "character": start}


def test_findings_come_when_a_file_is_opened_and_saved_and_go_when_it_is_closed(client):
    client.initialize()
    uri = client.open("a.py", BROKEN)
    (found,) = client.published(uri, 1)
    assert (found["code"], found["source"], found["severity"]) == ("AD301", "adlsp", 1)
    assert found["range"] == {
        "start": {"line": 5, "character": 17},
        "end": {"line": 5, "character": 22},
    }
    assert found["codeDescription"] == {"href": "adlsp-finding:/AD301.md"}
    assert found["data"]["name"] == "out-argument"
    client.change(uri, 2, FIXED)
    client.save(uri)
    assert client.published(uri, 2) == []
    client.change(uri, 3, BROKEN)
    assert len(client.published(uri, 3)) == 1
    client.close(uri)
    assert client.published(uri) == []


def test_edits_by_ranges_are_applied_where_the_protocol_means_them(client):
    client.initialize()
    uri = client.open("a.py", "# one\x0c\u2028 two\r\n# 😀 three\n" + BROKEN)
    assert len(client.published(uri, 1)) == 1
    change = {
        "range": {"start": {"line": 1, "character": 3}, "end": {"line": 7, "character": 4}},
        "text": "",
    }
    client.notify(
        "textDocument/didChange",
        {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]},
    )
    client.save(uri)
    (found,) = client.published(uri, 2)
    assert found["code"] == "AD100"
    assert found["range"]["start"]["line"] == 2


def test_a_syntax_error_is_a_finding_and_hides_no_others(client):
    client.initialize()
    uri = client.open("a.py", f"{BROKEN}\n\ndef half(x:\n    return x\n")
    found = client.published(uri, 1)
    assert sorted(each["code"] for each in found) == ["AD100", "AD301"]
    (syntax,) = (each for each in found if each["code"] == "AD100")
    assert syntax["range"]["start"]["line"] == 12


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "\ufeff" + FIXED,
        FIXED.replace("\n", "\r\n"),
        "x = 1\n" * 10_000,
        "def f(",
        "\0",
        "x = '\ud800'\n",
        "(" * 3000,
        "adlsp" * 100_000,
    ],
    ids=["empty", "blank", "mark", "crlf", "long", "half", "null", "surrogate", "deep", "wide"],
)
def test_any_text_is_answered(client, text):
    client.initialize()
    uri = client.open("a.py", text)
    codes = {found["code"] for found in client.published(uri, 1)}
    assert codes <= {"AD100"}
    place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
    client.request("textDocument/hover", place)
    assert client.request("textDocument/codeLens", {"textDocument": {"uri": uri}}) is not None
    assert client.leave() == 0


def test_a_file_in_another_encoding_that_is_imported_is_read(client, tmp_path):
    library = f"# coding: latin-1\nNAME = 'é'\n{BROKEN}".replace("gradient = adlsp.grad(step)", "")
    (tmp_path / "library.py").write_bytes(library.encode("latin-1"))
    client.initialize()
    client.open("a.py", "import adlsp\nfrom library import step\n\nadlsp.grad(step)\n")
    (found,) = client.published(client.uri("library.py"))
    assert found["code"] == "AD301"
    assert found["range"]["start"] == {"line": 7, "character": 17}


def test_a_document_outside_any_folder_is_analyzed(tmp_path):
    with Client(None) as client:
        client.initialize()
        uri = (tmp_path / "alone.py").as_uri()
        client.open(uri, BROKEN)
        assert [found["code"] for found in client.published(uri, 1)] == ["AD301"]
        new = client.open("untitled:Untitled-1", BROKEN)
        assert [found["code"] for found in client.published(new, 1)] == ["AD301"]


def test_hovers_lenses_and_actions_are_answered(client):
    client.initialize()
    uri = client.open("a.py", BROKEN)
    document = {"textDocument": {"uri": uri}}
    hover = client.request(
        "textDocument/hover", {**document, "position": {"line": 4, "character": 5}}
    )
    assert hover["contents"]["kind"] == "markdown"
    assert "step" in hover["contents"]["value"]
    (lens,) = client.request("textDocument/codeLens", document)
    assert lens["command"]["command"] == "adlsp.showAdjoint"
    assert lens["command"]["arguments"] == [{"uri": uri, "function": "step"}]
    (found,) = client.published(uri, 1)
    actions = client.request(
        "textDocument/codeAction",
        {**document, "range": found["range"], "context": {"diagnostics": [found]}},
    )
    assert actions[-1]["kind"] == "quickfix"
    assert actions[-1]["title"] == "suppress: # adlsp: ignore[AD301]"
    assert actions[-1]["diagnostics"][0]["code"] == "AD301"
    (change,) = actions[-1]["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": uri, "version": 1}


def test_the_derivative_is_given_as_text_and_as_a_file(client):
    client.initialize()
    uri = client.open("a.py", FIXED)
    answer = client.request("adlsp/derivative", {"uri": uri, "function": "step"})
    path = Path(answer["path"])
    assert path.parent.name == "adlsp-derivatives"
    assert path.read_text(encoding="utf-8") == answer["text"]
    compile(answer["text"], path, "exec")
    assert {each["primal"]["uri"] for each in answer["map"]} == {uri}
    assert {"line", "role", "primal"} == set(answer["map"][0])
    client.open(path.as_uri(), answer["text"])
    client.open("b.py", FIXED)
    client.published(client.uri("b.py"), 1)
    assert not [
        each
        for each in client.seen("textDocument/publishDiagnostics")
        if each["uri"] == path.as_uri()
    ]
    with pytest.raises(ResponseError, match="no function `gone`"):
        client.request("adlsp/derivative", {"uri": uri, "function": "gone"})
    with pytest.raises(ResponseError, match="`uri` is missing"):
        client.request("adlsp/derivative", {})


def test_the_derivative_is_the_file_that_another_file_makes_the_library_run(client, tmp_path):
    (tmp_path / "model.py").write_text(
        "import numpy as np\n\n\ndef loss(w, b, x):\n    return np.sum(np.tanh(x @ w + b))\n",
        encoding="utf-8",
    )
    (tmp_path / "train.py").write_text(
        "import adlsp\nimport model\n\n"
        'gradient = adlsp.value_and_grad(model.loss, wrt=("w", "b"))\nprint(gradient.path)\n',
        encoding="utf-8",
    )
    client.initialize()
    uri = client.open("model.py")
    answer = client.request("adlsp/derivative", {"uri": uri, "function": "loss"})
    environment = {**os.environ, "ADLSP_CACHE_DIR": str(tmp_path / ".cache")}
    ran = subprocess.run(
        [sys.executable, "train.py"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env=environment,
        timeout=TIMEOUT,
    )
    assert answer["path"] == ran.stdout.strip()
    lenses = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    assert lenses[-1]["command"]["title"] == "differentiated in train.py, line 4"


def test_the_derivative_follows_what_the_last_run_called_it_with(tmp_path):
    (tmp_path / "model.py").write_text(
        "import adlsp\nimport numpy as np\n\n\ndef loss(w, x):\n    return np.sum(x @ w)\n\n\n"
        'if __name__ == "__main__":\n'
        "    make, shapes = np.ones, [(2, 3), (5, 2)]\n"
        "    adlsp.grad(loss)(*map(make, shapes))\n",
        encoding="utf-8",
    )
    with Client(tmp_path, options={"hearsOfRuns": True}) as client:
        client.initialize()
        uri = client.open("model.py")
        address = f"adlsp-derivative:/loss_adjoint.py?uri={uri}&function=loss"
        text = client.request("workspace/textDocumentContent", {"uri": address})["text"]
        assert "For w:" not in text
        environment = {**os.environ, "ADLSP_CACHE_DIR": str(tmp_path / ".cache")}
        subprocess.run([sys.executable, "model.py"], check=True, cwd=tmp_path, env=environment)
        client.notification("adlsp/recorded")
        assert client.notification("workspace/textDocumentContent/refresh") == {"uri": address}
        text = client.request("workspace/textDocumentContent", {"uri": address})["text"]
        assert "For w: float64[n, m], x: float64[k, d]." in text
        answer = client.request("adlsp/derivative", {"uri": uri, "function": "loss"})
        assert answer["text"] == text
        assert Path(answer["path"]).exists()
        place = {"line": 5, "character": 22}
        shown = client.request(
            "textDocument/hover", {"textDocument": {"uri": uri}, "position": place}
        )
        assert "In the last run it was `float64[n, m]`." in shown["contents"]["value"]


def test_the_virtual_document_follows_the_buffer(client):
    client.initialize()
    uri = client.open("a.py", BROKEN)
    address = f"adlsp-derivative:/step_adjoint.py?uri={uri}&function=step"
    text = client.request("workspace/textDocumentContent", {"uri": address})["text"]
    assert "AD301" in text
    client.change(uri, 2, FIXED)
    client.save(uri)
    assert client.notification("workspace/textDocumentContent/refresh") == {"uri": address}
    text = client.request("workspace/textDocumentContent", {"uri": address})["text"]
    expected = client.request("adlsp/derivative", {"uri": uri, "function": "step"})["text"]
    assert text == expected
    page = client.request("workspace/textDocumentContent", {"uri": "adlsp-finding:/AD301.md"})
    assert page["text"].startswith("# AD301")


def test_a_client_may_pull_findings(tmp_path):
    with Client(tmp_path, PULLS) as client:
        can = client.initialize()["capabilities"]
        assert can["diagnosticProvider"]["interFileDependencies"] is True
        uri = client.open("a.py", BROKEN)
        params = {"textDocument": {"uri": uri}}
        report = client.request("textDocument/diagnostic", params)
        assert (report["kind"], [each["code"] for each in report["items"]]) == ("full", ["AD301"])
        client.change(uri, 2, FIXED)
        report = client.request("textDocument/diagnostic", params)
        assert report["items"] == []
        assert client.seen("textDocument/publishDiagnostics") == []


def test_changes_on_disk_are_noticed(client, tmp_path):
    library = tmp_path / "library.py"
    library.write_text(BROKEN.replace("gradient = adlsp.grad(step)", ""))
    client.initialize()
    uri = client.open("a.py", "import adlsp\nfrom library import step\n\nadlsp.grad(step)\n")
    assert len(client.published(library.as_uri())) == 1
    client.published(uri, 1)
    library.write_text(FIXED.replace("gradient = adlsp.grad(step)", ""))
    changes = [{"uri": library.as_uri(), "type": 2}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    assert client.published(library.as_uri()) == []


def test_a_save_looks_at_the_disk_again_for_clients_that_do_not_watch_it(tmp_path):
    library = tmp_path / "library.py"
    library.write_text(BROKEN.replace("gradient = adlsp.grad(step)", ""))
    with Client(tmp_path, {}) as client:
        client.initialize()
        uri = client.open("a.py", "import adlsp\nfrom library import step\n\nadlsp.grad(step)\n")
        assert len(client.published(library.as_uri())) == 1
        library.write_text(FIXED.replace("gradient = adlsp.grad(step)", ""))
        client.save(uri)
        assert client.published(library.as_uri()) == []


def test_a_burst_of_edits_never_shows_what_is_gone(client):
    client.initialize()
    uri = client.open("a.py", BROKEN)
    client.published(uri, 1)
    version = 1
    for _ in range(3):
        for _ in range(20):
            version += 1
            client.change(uri, version, [FIXED, BROKEN][version % 2])
            sent = version
            time.sleep(0.005)
            for params in client.seen("textDocument/publishDiagnostics"):
                n_expected = params["version"] % 2
                assert params["version"] <= sent
                assert len(params["diagnostics"]) == n_expected
        client.save(uri)
        assert len(client.published(uri, version)) == version % 2


@needs_proc
def test_a_killed_worker_is_replaced(client):
    client.initialize()
    uri = client.open("a.py", BROKEN)
    client.published(uri, 1)
    (first,) = worker_pids(client)
    os.kill(first, signal.SIGKILL)
    assert "started again" in client.notification("window/logMessage")["message"]
    client.change(uri, 2, FIXED)
    client.save(uri)
    assert client.published(uri, 2) == []
    (second,) = worker_pids(client)
    assert second != first


@needs_proc
def test_a_worker_killed_amid_an_analysis_is_asked_again(client):
    client.initialize()
    uri = client.open("slow.py", SLOW)
    until(lambda: worker_pids(client))
    (pid,) = worker_pids(client)
    os.kill(pid, signal.SIGKILL)
    client.published(uri, 1)
    (again,) = worker_pids(client)
    assert again != pid


@needs_proc
def test_an_analysis_without_end_becomes_a_finding(tmp_path):
    with Client(tmp_path, options={"analysisLimit": 0.05}) as client:
        client.initialize()
        uri = client.open("slow.py", SLOW)
        (found,) = client.published(uri, 1)
        assert found["code"] == "AD900"
        assert "0.05 s" in found["message"]
        client.request("shutdown")


@needs_proc
def test_exit_during_an_analysis_leaves_nothing_behind(client):
    client.initialize()
    client.open("slow.py", SLOW)
    until(lambda: worker_pids(client))
    (pid,) = worker_pids(client)
    assert client.leave() == 0
    until(lambda: not is_alive(pid))


@needs_proc
def test_a_client_that_dies_leaves_nothing_behind(client):
    client.initialize()
    client.open("slow.py", SLOW)
    until(lambda: worker_pids(client))
    (pid,) = worker_pids(client)
    client.process.stdin.close()
    client.process.wait(TIMEOUT)
    until(lambda: not is_alive(pid))


def test_exit_without_shutdown_is_an_error(client):
    client.initialize()
    client.notify("exit")
    assert client.process.wait(TIMEOUT) == 1


def test_a_request_can_be_cancelled_while_it_is_answered(client):
    client.initialize()
    uri = client.open("slow.py", SLOW)
    number = client.begin("adlsp/derivative", {"uri": uri, "function": "f1"})
    client.notify("$/cancelRequest", {"id": number})
    with pytest.raises(ResponseError) as raised:
        client.result(number)
    assert raised.value.code == -32800
    client.change(uri, 2, FIXED)
    client.save(uri)
    assert client.published(uri, 2) == []


def test_a_message_that_makes_no_sense_ends_nothing(client):
    client.initialize()
    client._send({"method": "textDocument/didOpen", "params": {"textDocument": 3}})
    client._send({"id": "x", "method": "textDocument/hover", "params": {"position": []}})
    client.notify("textDocument/didSave", {"textDocument": {"uri": "file:///never-opened.py"}})
    client.notify("textDocument/didClose", {"textDocument": {"uri": "file:///never-opened.py"}})
    client.change("file:///never-opened.py", 2, "x")
    with pytest.raises(ResponseError):
        client.request("adlsp/nonsense", {})
    uri = client.open("a.py", BROKEN)
    assert len(client.published(uri, 1)) == 1


DOCUMENT = {"textDocument": {"uri": "file:///a.py"}}
NEGATIVE = {"line": -1, "character": 0}
INVALID_PARAMS, METHOD_NOT_FOUND, INVALID_REQUEST = -32602, -32601, -32600


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/hover", {**DOCUMENT, "position": NEGATIVE}),
        ("textDocument/codeLens", {"textDocument": 3}),
        (
            "textDocument/codeAction",
            {**DOCUMENT, "range": {"start": NEGATIVE, "end": NEGATIVE}, "context": {}},
        ),
        ("adlsp/derivative", {"uri": "file:///a.py", "position": NEGATIVE}),
        ("adlsp/derivative", {"uri": "file:///never-written.py", "function": 3}),
        ("workspace/textDocumentContent", {"url": "adlsp-page:/AD301"}),
        ("workspace/executeCommand", {"command": 3}),
    ],
)
def test_a_request_that_makes_no_sense_is_answered(client, method, params):
    client.initialize()
    for given in (params, {}, None, [], 3):
        with pytest.raises(ResponseError) as raised:
            client.request(method, given)
        assert raised.value.code == INVALID_PARAMS
    client._send({"id": "none", "method": method})
    assert client.wait(lambda each: each.get("id") == "none")["error"]["code"] == INVALID_PARAMS
    assert client.request("shutdown") is None
    assert client.seen("window/logMessage") == []


def test_a_request_is_answered_whatever_it_asks_and_whenever(client):
    client.initialize()
    client._send({"id": "none", "method": "adlsp/nonsense"})
    answer = client.wait(lambda each: each.get("id") == "none")
    assert answer["error"]["code"] == METHOD_NOT_FOUND
    client.request("shutdown")
    with pytest.raises(ResponseError) as raised:
        client.request("textDocument/hover", {**DOCUMENT, "position": {"line": 0, "character": 0}})
    assert raised.value.code == INVALID_REQUEST
    client.notify("exit")
    assert client.process.wait(TIMEOUT) == 0


def test_the_server_starts_in_a_project_whose_files_are_called_like_modules(tmp_path):
    (tmp_path / "queue.py").write_text("raise SystemExit('the file of the user was run')\n")
    command = [
        sys.executable,
        "-c",
        "from adlsp.server.main import main; raise SystemExit(main([]))",
    ]
    with Client(tmp_path, command=command) as client:
        client.initialize()
        uri = client.open("a.py", BROKEN)
        assert len(client.published(uri, 1)) == 1


def test_a_client_may_connect_by_tcp():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "adlsp", "server", "--tcp", f"127.0.0.1:{port}"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    try:
        assert b"listening" in process.stderr.readline()
        connection = None
        deadline = time.monotonic() + TIMEOUT
        while connection is None:
            try:
                connection = socket.create_connection(("127.0.0.1", port))
            except ConnectionRefusedError:
                assert time.monotonic() < deadline
                time.sleep(0.05)
        with connection, connection.makefile("rwb") as stream:
            talk(stream, {"id": 1, "method": "initialize", "params": {"capabilities": {}}})
            assert listen(stream)["result"]["serverInfo"]["name"] == "adlsp"
            talk(stream, {"id": 2, "method": "shutdown"})
            assert listen(stream)["id"] == 2
            talk(stream, {"method": "exit"})
        assert process.wait(TIMEOUT) == 0
    finally:
        process.kill()
        process.communicate()


def talk(stream, message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    stream.flush()


def listen(stream):
    size = 0
    while (line := stream.readline()).strip():
        name, _, value = line.partition(b":")
        if name == b"Content-Length":
            size = int(value)
    return json.loads(stream.read(size))


@pytest.mark.parametrize("argument", ["--tcp=nowhere", "--tcp=host:99999", "--sideways"])
def test_options_that_make_no_sense_are_refused(argument):
    command = [sys.executable, "-m", "adlsp", "server", argument]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    assert ended.returncode == 2
    assert "usage: adlsp server" in ended.stderr


def test_the_server_answers_before_the_engine_is_loaded():
    script = (
        "import sys\n"
        "from adlsp.server import handlers, main\n"
        "handlers.build()\n"
        "heavy = {'numpy', 'gast', 'astor', 'adlsp.transform.engine', 'adlsp.lint.check'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.stdout == "[]\n", ended.stderr


def test_the_worker_never_loads_numpy_or_the_servers_framework():
    script = (
        "import sys\n"
        "from adlsp.server import answers, process\n"
        "print(sorted({'numpy', 'pygls', 'lsprotocol', 'debugpy'} & set(sys.modules)))\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.stdout == "[]\n", ended.stderr


@pytest.mark.parametrize("name", ["findings.py", "findings_more.py", "findings_tensors.py"])
def test_the_editor_shows_what_the_command_line_finds(tmp_path, name):
    example = HERE.parent.parent / "examples" / name
    texts = {name: example.read_text(encoding="utf-8"), "half.py": f"{BROKEN}\ndef half(:\n"}
    for each, text in texts.items():
        (tmp_path / each).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "adlsp", "check", ".", "--format", "json"]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=TIMEOUT)
    expected = {
        (Path(each["path"]).name, each["code"], each["message"], *place(each))
        for each in json.loads(ended.stdout)
    }
    shown = set()
    utf_32 = {**PUSHES, "general": {"positionEncodings": ["utf-32"]}}
    with Client(tmp_path, utf_32) as client:
        client.initialize()
        for each in texts:
            for found in client.published(client.open(each), 1):
                start, end = found["range"]["start"], found["range"]["end"]
                lines = start["line"] + 1, end["line"] + 1
                columns = start["character"] + 1, end["character"] + 1
                shown.add((each, found["code"], found["message"], *lines, *columns))
    assert shown == expected
    assert len(shown) > 2


def place(found):
    lines = found["start"]["line"], found["end"]["line"]
    return (*lines, found["start"]["column"], found["end"]["column"])
