#!/usr/bin/env python3
"""Runs `belay mcp serve` from outside, with clients that behave well and badly.

  mcp_serve_test.py BELAY
"""
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys

from home import expect, main, outside, same, test

HELLO = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}}}


def request(number, method, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def call(number, tool, **arguments):
    return request(number, "tools/call", name=tool, arguments=arguments)


def lines(*messages):
    return b"".join((m if isinstance(m, bytes) else json.dumps(m).encode()) + b"\n" for m in messages)


def said(out):
    """The answers by id; those without one in a list."""
    answers = [json.loads(line) for line in out.splitlines()]
    return {a["id"]: a for a in answers if a.get("id") is not None}, [a for a in answers if a.get("id") is None]


def serve(home, *messages, args=(), data=None, code=0, **env):
    ran = home.belay("mcp", "serve", *args, data=lines(*messages) if data is None else data, **env)
    same(ran.code, code, ran)
    return ran


class Http:
    """A server over HTTP, and requests to it."""

    def __init__(self, home, *args, **env):
        self.child = subprocess.Popen([outside.BELAY, "mcp", "serve", "--http", "0", *args], env={**home.env, **env},
                                      cwd=home.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.notes = ""
        while "which goes when this ends\n" not in self.notes and "BELAY_MCP_TOKEN" not in self.notes:
            line = self.child.stderr.readline().decode()
            expect(line, f"it ended: {self.notes}")
            self.notes += line
        self.port = int(re.search(r"listening on http://127\.0\.0\.1:(\d+)/mcp\n", self.notes)[1])
        found = re.search(r"token: ([0-9a-f]{64})\n", self.notes)
        self.token = found[1] if found else env.get("BELAY_MCP_TOKEN")
        self.session = None

    def __enter__(self):
        return self

    def __exit__(self, *trouble):
        self.child.send_signal(signal.SIGTERM)
        rest = self.child.communicate(timeout=30)
        if trouble == (None, None, None):
            same((self.child.returncode, *rest), (0, b"", b""))

    def headers(self, **changed):
        out = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self.session:
            out["Mcp-Session-Id"] = self.session
        out.update({name.replace("_", "-"): value for name, value in changed.items()})
        return {name: value for name, value in out.items() if value is not None}

    def ask(self, body, method="POST", path="/mcp", **headers):
        """Status, headers and body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        connection.request(method, path, data, self.headers(**headers))
        answer = connection.getresponse()
        out = answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
        connection.close()
        return out

    def begin(self, **headers):
        status, got, body = self.ask(HELLO, Mcp_Session_Id=None, **headers)
        same(status, 200, body)
        self.session = got["mcp-session-id"]
        return self.session

    def raw(self, data):
        s = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        s.sendall(data)
        return s


def all_of(s):
    out = b""
    while piece := s.recv(65536):
        out += piece
    return out


def events(body):
    return [json.loads(line[6:] if line.startswith(b"data: ") else line[5:]) for line in body.splitlines() if line.startswith(b"data:")]


@test("its manual, and what is no use of it")
def _(home):
    ran = home.belay("mcp", "serve", "--help")
    same(ran.code, 0, ran)
    expect(b"belay mcp serve - offer" in ran.out and all(len(l) <= 90 for l in ran.out.splitlines()), ran)
    same(home.belay("help", "mcp", "serve").out, ran.out)
    for args, words in [(["x"], b"takes no words"), (["--http", "x"], b"[HOST:]PORT"), (["--http", "0.0.0.0:0"], b"only addresses of this machine"),
                        (["--http", "example.com:80"], b"only addresses of this machine"), (["--http", "70000"], b"[HOST:]PORT"),
                        (["--limit", "nothing=1"], b"no limit"), (["--limit", "calls=0"], b"1 or more"), (["--token-file", "x"], b"for --http"),
                        (["--allow", "Bash(ls)"], b"Bash"), (["--permission-mode", "all"], b"permission"), (["--workspace", "/"], b"/"),
                        (["--workspace", "absent"], b"--workspace"), (["--nothing"], b"no option")]:
        ran = home.belay("mcp", "serve", *args)
        same(ran.code, 2, (args, ran))
        expect(words in ran.err, (args, ran))
    same(home.belay("mcp", "serve", "--http", "0", BELAY_MCP_TOKEN="short").code, 2)


@test("at the end of its input everything is answered, whatever stood there")
def _(home):
    ran = serve(home, HELLO, request(1, "ping"), b"", b"nonsense", b"{\"jsonrpc\":\"2.0\",\"id\":", b"\xff\xfe\x00", b"[" * 100_000,
                b'{"jsonrpc":"2.0","id":7,"method":"tools/list","params":' + b'{"a":' * 20_000, request(2, "resources/list"),
                call(3, "read_file", path="absent"), json.dumps(call(4, "repair_json", text="[1,]")).encode() + b"\r")
    same(ran.err, b"")
    answers, others = said(ran.out)
    same(sorted(answers), [0, 1, 2, 3, 4])
    same(answers[2]["error"]["code"], -32601)
    same(answers[3]["result"]["isError"], True)
    same(answers[4]["result"]["structuredContent"]["value"], [1])
    same([o["error"]["code"] for o in others], [-32700] * 5)


@test("bytes that come one by one give the same answers")
def _(home):
    messages = lines(HELLO, request(1, "tools/list"), call(2, "repair_json", text="{'ä': 1}"), b"nonsense")
    child = subprocess.Popen([outside.BELAY, "mcp", "serve"], env=home.env, cwd=home.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for i in range(len(messages)):
        os.write(child.stdin.fileno(), messages[i:i + 1])
    out = child.communicate(timeout=60)[0]
    same(sorted(out.splitlines()), sorted(serve(home, data=messages).out.splitlines()))


@test("a line that is too long is passed over, and the limit is named")
def _(home):
    ran = serve(home, HELLO, call(1, "read_file", path="x" * 5000), request(2, "ping"), args=["--limit", "line_bytes=1000"])
    answers, others = said(ran.out)
    same(sorted(answers), [0, 2])
    expect("--limit line_bytes=N" in others[0]["error"]["message"], others)


@test("batches are taken where the version has them")
def _(home):
    old = dict(HELLO, params={"protocolVersion": "2025-03-26"})
    batch = [request(1, "ping"), call(2, "list_files", path="."), {"jsonrpc": "2.0", "method": "notifications/initialized"}]
    out = serve(home, old, json.dumps(batch).encode()).out.splitlines()
    same(sorted(a["id"] for a in json.loads(out[1])), [1, 2])
    same(json.loads(serve(home, HELLO, json.dumps(batch).encode()).out.splitlines()[1])["error"]["code"], -32600)


@test("a client that does not read its answers does not fill memory, and gets all of them later")
def _(home):
    child = subprocess.Popen([outside.BELAY, "mcp", "serve", "--limit", "queue_bytes=1M"], env=home.env, cwd=home.folder,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    many = 20_000
    feeder = subprocess.Popen([sys.executable, "-c", f"""
import json, os
def put(m): os.write(1, (json.dumps(m) + "\\n").encode())
put({HELLO!r})
for n in range(1, {many}): put({{"jsonrpc": "2.0", "id": n, "method": "tools/list"}})
"""], stdout=child.stdin)
    child.stdin.close()
    seen, peak = [], None
    for line in child.stdout:
        seen.append(json.loads(line)["id"])
        if len(seen) == many - 100:
            peak = int(re.search(r"VmHWM:\s+(\d+) kB", open(f"/proc/{child.pid}/status").read())[1])
    feeder.wait(60)
    same((child.wait(60), sorted(seen)), (0, list(range(many))))
    expect(peak < 60_000, f"{peak} kB, for answers of more than 100 MB")


@test("rules of the config file hold, and options add to them")
def _(home):
    home.put_config('[permissions]\ndeny = ["read_file(secret*)"]\n')
    for name in ("secret.txt", "open.txt"):
        with open(os.path.join(home.folder, name), "w") as f:
            f.write(name)
    answers, _ = said(serve(home, HELLO, call(1, "read_file", path="secret.txt"), call(2, "read_file", path="open.txt"),
                            call(3, "write_to_file", path="made.txt", content="x"), args=["--allow", "write_to_file(made*)"]).out)
    same([answers[n]["result"]["isError"] for n in (1, 2, 3)], [True, False, False])
    expect(os.path.exists(os.path.join(home.folder, "made.txt")), "it was allowed")


@test("a refusal names what would really allow the call, and following it allows it")
def _(home):
    def refusal(call, *args):
        result = said(serve(home, HELLO, call, args=args).out)[0][1]["result"]
        same(result["isError"], True, result)
        return result["content"][-1]["text"]
    echo = call(1, "execute_command", command="echo hi > f.txt")
    for args in ([], ["--allow", "execute_command(echo:*)"]):
        text = refusal(echo, *args)
        expect("--allow 'execute_command(echo hi > f.txt)' for exactly this command" in text and ":*" not in text, text)
    answers, _ = said(serve(home, HELLO, echo, args=["--allow", "execute_command(echo hi > f.txt)"]).out)
    same(answers[1]["result"]["isError"], False, answers)
    text = refusal(call(1, "execute_command", command="make all"))
    expect("--allow 'execute_command(make:*)'" in text and "--permission-mode bypassPermissions" in text, text)
    text = refusal(call(1, "execute_command", command="echo 'a' > b"))
    expect(r"--allow 'execute_command(echo '\''a'\'' > b)'" in text, text)
    text = refusal(call(1, "write_to_file", path="y", content="x"))
    expect("--permission-mode acceptEdits" in text and "--allow 'write_to_file(y)'" in text, text)
    for mode in ("default", "acceptEdits", "bypassPermissions"):
        text = refusal(call(1, "write_to_file", path="../y", content="x"), "--permission-mode", mode)
        expect("no option of belay mcp serve allows it" in text and "--" not in text, text)
    text = refusal(call(1, "write_to_file", path="y", content="x"), "--ask", "write_to_file", "--permission-mode", "acceptEdits")
    expect("no option" in text and "without that rule" in text, text)


@test("the description of commands says that there is no network where there is none")
def _(home):
    for args, words in (([], True), (["--network"], False)):
        tools = said(serve(home, HELLO, request(1, "tools/list"), args=args).out)[0][1]["result"]["tools"]
        same(["reach no network here" in t["description"] for t in tools if t["name"] == "execute_command"], [words])
        same([t["name"] for t in tools if "reach no network here" in t["description"] and t["name"] != "execute_command"], [])


@test("each call has a line in the log, without contents and tokens")
def _(home):
    path = os.path.join(home.data, "belay.log")
    work = os.path.join(home.folder, "work")  # in the home itself commands are asked about
    os.mkdir(work)
    with Http(home, "--workspace", work) as it:
        expect(f"calls are logged in {path}\n" in it.notes and "permission mode: default\n" in it.notes, it.notes)
        it.begin()
        it.ask(call(1, "read_file", path="absent.txt"))
        it.ask(call(2, "write_to_file", path="y", content="kumquat"))
        it.ask(call(3, "execute_command", command=f"printf {it.token}"))
        it.ask(call(4, "execute_command", command="make " + "x" * 5000))
        token = it.token
    with open(path) as f:
        log = f.read()
    same(os.stat(path).st_mode & 0o777, 0o600)
    expect("kumquat" not in log and token not in log and "x" * 200 not in log, log)
    for line in ("warn.* mcp serve: read_file absent.txt: an error, ", r"warn.* mcp serve: write_to_file y: refused: it writes a file, ",
                 r"info mcp serve: execute_command printf \*\*\*: done, [0-9.]+ s", "warn.* mcp serve: execute_command make x"):
        expect(re.search(line, log), (line, log))
    same(len(log.splitlines()), 4, log)
    os.remove(path)
    serve(home, HELLO, call(1, "read_file", path="absent"), args=["--log-level", "off"])
    expect(not os.path.exists(path), "it was logged")
    expect(b"log" in serve(home, args=["--log-level", "loud"], code=2).err, "a wrong level")


@test("a command that ends with the input was stopped by nobody in particular")
def _(home):
    answers, _ = said(serve(home, HELLO, call(1, "execute_command", command="sleep 60"),
                            args=["--allow", "execute_command(sleep:*)", "--limit", "grace_ms=100"]).out)
    text = answers[1]["result"]["content"][0]["text"]
    expect("person" not in text and "[stopped from outside before it ended, after " in text, text)


@test("the agent's own client uses it by a .mcp.json, and over HTTP")
def _(home):
    with open(os.path.join(home.folder, "notes.txt"), "w") as f:
        f.write("remember")
    path = os.path.join(home.folder, "servers.json")
    with Http(home) as it, open(path, "w") as f:
        json.dump({"mcpServers": {"belay": {"command": outside.BELAY, "args": ["mcp", "serve", "--workspace", home.folder]},
                                  "far": {"url": f"http://127.0.0.1:{it.port}/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}}}}, f)
        f.flush()
        for name in ("belay", "far"):
            ran = home.belay("mcp", "call", "--mcp-config", path, name, "read_file", '{"path": "notes.txt",}', TOKEN=it.token)
            same((ran.code, json.loads(ran.out)["content"][0]["text"]), (0, "remember"), ran)


@test("over HTTP everything has its status")
def _(home):
    with Http(home) as it:
        ping = request(1, "ping")
        same(it.ask(ping)[0], 400)
        same(it.ask(ping, Mcp_Session_Id="0" * 32)[0], 404)
        it.begin()
        same((it.ask(ping)[0], json.loads(it.ask(ping)[2])), (200, {"jsonrpc": "2.0", "id": 1, "result": {}}))
        same(it.ask({"jsonrpc": "2.0", "method": "notifications/initialized"})[::2], (202, b""))
        table = [(401, dict(Authorization=None)), (401, dict(Authorization="Bearer " + "0" * 64)), (401, dict(Authorization=it.token)),
                 (403, dict(Host="evil.example")), (403, dict(Origin="http://evil.example")), (403, dict(Origin="null")),
                 (200, dict(Host="localhost:1", Origin="http://localhost:5173")), (404, dict(path="/")), (404, dict(path="/.well-known/oauth-protected-resource")),
                 (405, dict(method="PUT")), (405, dict(method="OPTIONS")), (406, dict(Accept="text/html")), (415, dict(Content_Type="text/plain")),
                 (415, dict(Content_Type=None)), (400, dict(MCP_Protocol_Version="1999-01-01")), (200, dict(MCP_Protocol_Version="2025-06-18")),
                 (406, dict(method="GET", Accept="application/json"))]
        for status, how in table:
            got = it.ask(ping, **how)
            same(got[0], status, (how, got))
            if status >= 400:
                expect(json.loads(got[2])["error"]["message"], got)
        same(it.ask(ping, Authorization="")[1]["www-authenticate"], 'Bearer realm="belay"')
        for bad in (b"", b"nonsense", b"[]", b"{}", b"[" * 50_000, b"\x00\xff", json.dumps([ping]).encode()):
            same(it.ask(bad)[0], 400, bad[:20])
        same(it.ask(None, method="DELETE")[0], 204)
        same(it.ask(ping)[0], 404)
        same(it.ask(None, method="DELETE")[0], 404)


@test("calls over HTTP are answered as a stream or as JSON, by what the client takes")
def _(home):
    with Http(home) as it:
        it.begin()
        status, headers, body = it.ask(call(1, "repair_json", text="[1,]"))
        same((status, headers["content-type"], [e["id"] for e in events(body)]), (200, "text/event-stream", [1]))
        status, headers, body = it.ask(call(2, "repair_json", text="[1,]"), Accept="application/json")
        same((status, headers["content-type"], json.loads(body)["id"]), (200, "application/json", 2))


@test("2026-07-28 over HTTP needs no session, and headers that say what the message says")
def _(home):
    meta = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}
    with Http(home) as it:
        new = dict(MCP_Protocol_Version="2026-07-28")
        status, headers, body = it.ask(request(1, "tools/list", **meta), Mcp_Method="tools/list", **new)
        same((status, json.loads(body)["result"]["resultType"], "mcp-session-id" in headers), (200, "complete", False))
        message = request(2, "tools/call", name="repair_json", arguments={"text": "[1,]"}, **meta)
        same(events(it.ask(message, Mcp_Method="tools/call", Mcp_Name="repair_json", **new)[2])[0]["result"]["resultType"], "complete")
        for wrong in (dict(), dict(Mcp_Method="ping"), dict(Mcp_Method="tools/call", Mcp_Name="read_file")):
            status, _, body = it.ask(message, **wrong, **new)
            same((status, json.loads(body)["error"]["code"]), (400, -32020), wrong)
        same(it.ask(None, method="GET", **new)[0], 405)


@test("who bears no token is refused before a body is read, and slow ones are let go")
def _(home):
    with Http(home, "--limit", "idle_ms=300", "--limit", "body_bytes=1000") as it:
        head = f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n"
        with it.raw(head.encode() + b"Authorization: Bearer wrong\r\n\r\n") as s:
            expect(all_of(s).startswith(b"HTTP/1.1 401 "), "nothing of the body was sent")
        with it.raw(head.encode()) as s:
            expect(all_of(s).startswith(b"HTTP/1.1 408 "), "half a head")
        with it.raw(head.encode() + f"Authorization: Bearer {it.token}\r\n\r\n".encode() + b"{") as s:
            expect(all_of(s).startswith(b"HTTP/1.1 408 "), "half a body")
        with it.raw(b"") as s:
            same(all_of(s), b"")
        status, _, body = it.ask(b" " * 2000)
        expect(status == 413 and b"body_bytes" in body, (status, body))
        with it.raw(b"\x16\x03\x01nonsense\r\n\r\n") as s:
            expect(all_of(s).startswith(b"HTTP/1.1 400 "), "not HTTP")


@test("sessions, streams and connections are bounded, and the error names the limit")
def _(home):
    with Http(home, "--limit", "sessions=3", "--limit", "streams=2", "--limit", "connections=12") as it:
        old = [it.begin() for _ in range(4)]
        same([it.ask(request(1, "ping"), Mcp_Session_Id=s)[0] for s in old], [404, 200, 200, 200])
        held = []
        for session in old[1:]:
            get = f"GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {it.token}\r\nAccept: text/event-stream\r\nMcp-Session-Id: {session}\r\n\r\n".encode()
            for _ in range(2):
                s = it.raw(get)
                expect(b" 200 OK" in s.recv(4096), "a stream")
                held.append(s)
            with it.raw(get) as s:
                got = s.recv(4096)
                expect(b" 409 " in got and b"--limit streams=N" in got, got)
        status, _, body = it.ask(HELLO, Mcp_Session_Id=None)
        expect(status == 503 and b"--limit sessions=N" in body, (status, body))
        # Who has asked for nothing yet makes room; who has does not.
        more = [it.raw(b"") for _ in range(12)]
        same(it.ask(request(1, "ping"), Mcp_Session_Id=old[1])[0], 200)
        ping = json.dumps(request(1, "ping")).encode()
        post = (f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {it.token}\r\nContent-Type: application/json\r\n"
                f"Mcp-Session-Id: {old[1]}\r\nContent-Length: {len(ping)}\r\n\r\n").encode() + ping
        for _ in range(6):
            s = it.raw(post)
            expect(b" 200 OK" in s.recv(4096), "an answer")
            more.append(s)
        got = all_of(it.raw(b""))
        expect(b" 503 " in got and b"connections" in got, got)
        for s in held + more:
            s.close()


@test("many calls of one session are bounded, and those that fit are done")
def _(home):
    many = [call(n, "repair_json", text="[%d,]" % n) for n in range(1, 401)]
    answers, _ = said(serve(home, HELLO, *many, args=["--limit", "calls=8", "--limit", "workers=1"]).out)
    same(len(answers), 401)
    refused = [a for a in answers.values() if "error" in a]
    expect(refused and all("--limit calls=N" in a["error"]["message"] for a in refused), refused[:1])
    for n in range(1, 401):
        if "result" in answers[n]:
            same(answers[n]["result"]["structuredContent"]["value"], [n])


@test("repair_json says what a value is worth")
def _(home):
    table = [("[1, 2]", "valid", True, [1, 2]), ("{'a': 1,}", "mended", True, {"a": 1}), ('{"a": 1} {"b": 2}', "split", True, {"a": 1}),
             ('{"t": "he said "no" to me"}', "guessed", False, {"t": 'he said "no" to me'}), ("nothing", "broken", False, None), ("", "broken", False, None)]
    answers, _ = said(serve(home, HELLO, *[call(n, "repair_json", text=row[0]) for n, row in enumerate(table, 1)]).out)
    for n, (text, verdict, trusted, value) in enumerate(table, 1):
        got = answers[n]["result"]["structuredContent"]
        same((got["verdict"], got["trusted"], got.get("value")), (verdict, trusted, value), text)
        same("value" in got, verdict != "broken", "null would be a value")
        same(json.loads(answers[n]["result"]["content"][0]["text"]), got)
        same([c["text"] for c in answers[n]["result"]["content"] if c["text"].startswith("NOT TRUSTED")], [got["warning"]] if not trusted else [])
        same(answers[n]["result"]["isError"], verdict == "broken")
    same(answers[3]["result"]["structuredContent"]["values"], [{"a": 1}, {"b": 2}])
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": False}
    rows = [('{"n": "5"}', True, True), ('{"n": "x"}', False, False), ('{"nn": 5}', True, False)]
    answers, _ = said(serve(home, HELLO, *[call(n, "repair_json", text=row[0], schema=schema) for n, row in enumerate(rows, 1)],
                            call(8, "repair_json", text="[" + "1," * 2400 + "]" * 2),
                            call(9, "repair_json", text="[" + "1," * 3000 + "]"), args=["--limit", "repair_bytes=5000"]).out)
    for n, (text, valid, trusted) in enumerate(rows, 1):
        got = answers[n]["result"]["structuredContent"]
        same((got["schema"]["valid"], got["trusted"]), (valid, trusted), (text, got))
    # A number that was not written so is no string of its digits.
    spelled = [("0x1F", "31"), ("+49", "49"), (".5", "0.5"), ("1.", "1"), ("31", "31")]
    schema = {"properties": {"zip": {"type": "string"}}}
    got, _ = said(serve(home, HELLO, *[call(n, "repair_json", text='{"zip": %s}' % row[0], schema=schema) for n, row in enumerate(spelled, 1)]).out)
    for n, (text, value) in enumerate(spelled, 1):
        it = got[n]["result"]["structuredContent"]
        same((it["value"], it["trusted"], it["schema"]["aligned"][0]["grade"]),
             ({"zip": value}, text == "31", "safe" if text == "31" else "guess"), text)
        same("warning" in it, text != "31")
    for n, what in (8, "the result has"), (9, "the text has"):
        expect(answers[n]["result"]["isError"] and what in answers[n]["result"]["content"][0]["text"], answers[n])
        expect("limit repair_bytes" in answers[n]["result"]["content"][0]["text"], answers[n])


@test("arguments lead nowhere outside of the workspace")
def _(home):
    work, secret = os.path.join(home.folder, "work"), os.path.join(home.folder, "secret.txt")
    os.mkdir(work)
    with open(secret, "w") as f:
        f.write("kumquat")
    os.symlink(secret, os.path.join(work, "link"))
    os.symlink(home.folder, os.path.join(work, "up"))
    paths = ["../secret.txt", secret, "link", "up/secret.txt", "/etc/passwd", "x/../../secret.txt", "\0/etc/passwd", "/proc/self/environ", ".git/config"]
    calls = [call(n, "read_file", path=p) for n, p in enumerate(paths, 1)]
    calls += [call(n, "write_to_file", path=p, content="gotcha") for n, p in enumerate(paths, 101)]
    calls += [call(201, "list_files", path=".."), call(202, "search_files", path="up", regex="kum"), call(203, "execute_command", command="true", cwd="up")]
    answers, _ = said(serve(home, HELLO, *calls, args=["--workspace", work, "--permission-mode", "bypassPermissions"]).out)
    for n, answer in answers.items():
        if n:
            same(answer["result"]["isError"], True, (n, answer))
            expect("kumquat" not in json.dumps(answer), answer)
    with open(secret) as f:
        same(f.read(), "kumquat")


@test("commands side by side leave nothing in the workspace")
def _(home):
    work = os.path.join(home.folder, "work")
    os.mkdir(work)
    many = [call(n, "execute_command", command=f"printf %s {n}") for n in range(1, 101)]
    answers, _ = said(serve(home, HELLO, *many, args=["--workspace", work]).out)
    for n in range(1, 101):
        expect(answers[n]["result"]["content"][0]["text"].startswith(f"{n}\n"), answers[n])
    same(os.listdir(work), [])


@test("repair_json gives back nothing deeper than a message may be")
def _(home):
    deep = [call(n, "repair_json", text="[" * n + "]" * n) for n in (500, 509, 1000)]
    ran = serve(home, HELLO, *deep)
    answers, _ = said(ran.out)
    same(answers[500]["result"]["isError"], False)
    for n in 509, 1000:
        expect(answers[n]["result"]["structuredContent"]["trusted"] is False, answers[n])
    for line in ran.out.splitlines():
        expect(line.count(b"[[" ) < 512, "as deep as it goes")
        level = most = 0
        for c in re.sub(rb'"(\\\\.|[^"\\\\])*"', b"", line):
            level += (c in b"[{") - (c in b"]}")
            most = max(most, level)
        expect(most <= 512, most)


@test("Belay's own folders are protected where they lie in the workspace")
def _(home):
    work = os.path.join(home.folder, "work")
    for env, own in (({"BELAY_HOME": work + "/bh"}, ["bh"]),
                     ({"XDG_CONFIG_HOME": work + "/cfg", "XDG_STATE_HOME": work + "/deep/state"}, ["cfg/belay", "deep/state/belay"])):
        os.makedirs(work, exist_ok=True)
        for there in (False, True):
            if there:
                for folder in own:
                    os.makedirs(os.path.join(work, folder), 0o700, exist_ok=True)
            for folder in own:
                for name in "config.toml", "mcp-approved.json":
                    path = f"{folder}/{name}"
                    answers, _ = said(serve(home, HELLO, call(1, "write_to_file", path=path, content="x"), call(2, "execute_command", command=f"mkdir -p {folder}; echo x > {path}; mv {folder.split('/')[0]} gone; mkdir -p {folder}; echo x > {path}; echo done > said"),
                                            args=["--workspace", work, "--permission-mode", "bypassPermissions"], **env).out)
                    expect(answers[1]["result"]["isError"] and "protected" in answers[1]["result"]["content"][0]["text"], answers[1])
                    expect(not os.path.exists(os.path.join(work, path)), (path, answers[2]))
                    expect(not os.path.exists(os.path.join(work, "gone")), answers[2])
                    ran = home.belay("tool", "--workspace", work, "--permission-mode", "bypassPermissions", "write_to_file",
                                     json.dumps({"path": path, "content": "x"}), **env)
                    expect(ran.code != 0 and not os.path.exists(os.path.join(work, path)), ran)


@test("a file of something else is no token file, and one of a server that runs is not taken over")
def _(home):
    path = os.path.join(home.folder, "token")
    with open(path, "w") as f:
        f.write("precious\n")
    os.chmod(path, 0o600)

    def refused(words):
        ran = home.belay("mcp", "serve", "--http", "0", "--token-file", path)
        expect(ran.code == 1 and words in ran.err, ran)
    refused(b"not replaced")
    same(open(path).read(), "precious\n")
    os.rename(path, path + "2")
    os.symlink(path + "2", path)
    refused(b"symbolic link")
    os.unlink(path)
    os.mkfifo(path)
    refused(b"not replaced")
    os.unlink(path)
    with open(path, "w") as f:
        f.write("0" * 64 + "\n")
    os.chmod(path, 0o644)
    refused(b"not replaced")
    os.chmod(path, 0o600)
    with Http(home, "--token-file", path) as it:
        same(open(path).read(), it.token + "\n")
        same(os.stat(path).st_mode & 0o7777, 0o600)
        refused(b"another server")
        same(open(path).read(), it.token + "\n")
    expect(not os.path.exists(path), "it goes with the server")
    with Http(home, "--token-file", path) as it:
        os.rename(path, path + "3")
        with open(path, "w") as f:
            f.write("mine")
    same(open(path).read(), "mine")
    same(sorted(f for f in os.listdir(home.folder) if f.startswith("token")), ["token", "token2", "token3"])


@test("a token from the environment is used, and neither shown nor written")
def _(home):
    with Http(home, BELAY_MCP_TOKEN="correct-horse-battery") as it:
        expect("correct-horse" not in it.notes, it.notes)
        it.begin()
        same([f for _, _, files in os.walk(home.folder) for f in files if f.endswith(".token")], [])
        # Commands do not see it.
        body = it.ask(call(1, "execute_command", command="printf %s x"))[2]
        expect(b"correct-horse" not in body, body)


if __name__ == "__main__":
    sys.exit(main())
