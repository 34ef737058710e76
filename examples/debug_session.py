"""A debugger session by script: stops in the backward sweep of digits.py while it trains.

This is what an editor does when one puts a breakpoint on the line of the hidden layer and starts
debugging: it starts `adlsp debug` and speaks the Debug Adapter Protocol with it, on pipes.
"""

import itertools
import json
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).with_name("digits.py")


class Session:
    """A debug adapter, and the messages that came while we waited for others."""

    def __init__(self):
        self.adapter = subprocess.Popen(
            [sys.executable, "-m", "adlsp", "debug"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.seqs = itertools.count(1)
        self.unread = []

    def send(self, command, **arguments):
        """Sends a request; gives its number."""
        request = {"seq": next(self.seqs), "type": "request", "command": command}
        body = json.dumps({**request, "arguments": arguments}).encode()
        self.adapter.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.adapter.stdin.flush()
        return request["seq"]

    def receive(self):
        """Reads the next message."""
        header = self.adapter.stdout.readline()
        if not header:
            raise SystemExit("the debug adapter has gone away")
        self.adapter.stdout.readline()
        return json.loads(self.adapter.stdout.read(int(header.split(b":")[1])))

    def wait(self, **wanted):
        """The body of the first unread message with these fields; a refusal ends the session."""
        is_wanted = wanted.items().__le__
        message = next((m for m in self.unread if is_wanted(m.items())), None)
        if message is not None:
            self.unread.remove(message)
        while message is None:
            message = self.receive()
            if not is_wanted(message.items()):
                self.unread.append(message)
                message = None
        if message.get("success") is False:
            raise SystemExit(f"{message['command']}: {message['message']}")
        return message.get("body", {})

    def ask(self, command, **arguments):
        """The body of the answer to a request."""
        return self.wait(request_seq=self.send(command, **arguments))

    def event(self, name):
        """The body of the next event of a name."""
        return self.wait(type="event", event=name)


def show(session, frame, name):
    """Prints shape and norm of an array of the program."""
    ask = session.ask
    shape = ask("evaluate", frameId=frame, expression=f"{name}.shape")["result"]
    norm = ask("evaluate", frameId=frame, expression=f"float(({name} ** 2).sum() ** 0.5)")["result"]
    print(f"  {name:6} shape {shape}  norm {float(norm):.4g}")


def main():
    """Debugs digits.py up to the first gradient of its hidden layer, and one step further."""
    lines = PROGRAM.read_text(encoding="utf-8").splitlines()
    line = next(i for i, text in enumerate(lines, 1) if text.strip().startswith("h = np.tanh("))
    session = Session()
    session.ask("initialize", adapterID="adlsp", pathFormat="path", linesStartAt1=True)
    start = session.send("launch", program=str(PROGRAM), console="internalConsole")
    session.event("initialized")
    wanted = {"line": line, "mode": "backward"}
    source = {"path": str(PROGRAM)}
    [told] = session.ask("setBreakpoints", source=source, breakpoints=[wanted])["breakpoints"]
    print(f"breakpoint on digits.py:{line}, {lines[line - 1].strip()}")
    print(f"  before the program runs: {told['message']}")
    session.ask("configurationDone")
    session.wait(request_seq=start)

    changed = session.event("breakpoint")["breakpoint"]
    print(f"  when it has derived its loss: {changed['message']}")
    stopped = session.event("stopped")
    for action in ("stopped", "next"):
        if action == "next":
            session.ask("next", threadId=stopped["threadId"], granularity="line")
            stopped = session.event("stopped")
        stack = session.ask("stackTrace", threadId=stopped["threadId"])["stackFrames"]
        derivative, primal = stack[0], stack[1]
        path = Path(derivative["source"]["path"])
        text = path.read_text(encoding="utf-8").splitlines()[derivative["line"] - 1].strip()
        print(f"{action}: {path.name}:{derivative['line']}, {text}")
        print(f"  below it: {primal['name']}, {Path(primal['source']['path']).name}")
        show(session, derivative["id"], "h")
        show(session, derivative["id"], "h_bar")
    session.ask("disconnect", terminateDebuggee=True)
    session.adapter.stdin.close()
    return session.adapter.wait(30)


if __name__ == "__main__":
    sys.exit(main())
