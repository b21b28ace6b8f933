#!/usr/bin/env python3
"""Runs `belay mcp` from outside, with the scripted servers of tests/mcp.

  mcp_test.py BELAY
"""
import fcntl
import json
import os
import pty
import shutil
import stat
import struct
import sys
import termios

from home import expect, main, outside, same, test
from scripted_model import Model

SERVER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "mcp", "bad_server.py")


def put(folder, name, servers):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        json.dump({"mcpServers": servers}, f)
    return path


def server(case, *args):
    return {"command": sys.executable, "args": [SERVER, case, *args]}


def mcp(home, *args, code=0, **more):
    ran = home.belay("mcp", *args, **more)
    same(ran.code, code, ran)
    return ran


@test("without servers it says how to add one")
def _(home):
    ran = mcp(home)
    expect(b"belay mcp add" in ran.out, ran)
    same(json.loads(mcp(home, "list", "--json").out), {"servers": [], "notes": []})


@test("a server is added, listed, called and removed")
def _(home):
    mcp(home, "add", "s", "--env", "A=b", "--", sys.executable, SERVER, "good")
    path = os.path.join(os.path.dirname(home.config), "mcp.json")
    with open(path) as f:
        same(json.load(f), {"mcpServers": {"s": {"command": sys.executable, "args": [SERVER, "good"], "env": {"A": "b"}}}})
    same(stat.S_IMODE(os.stat(path).st_mode), 0o600)
    mcp(home, "add", "s", "--", "x", code=2)
    listed = json.loads(mcp(home, "list", "--json").out)["servers"]
    same([(s["name"], s["state"], s["version"], s["tools"], s["origin"]) for s in listed], [("s", "ready", "2025-11-25", 2, "user")])
    tools = json.loads(mcp(home, "tools", "s", "--json").out)
    same([(t["name"], t["effect"], t["changed"]) for t in tools["tools"]], [("s__echo", "execute", False), ("s__other", "execute", False)])
    same(json.loads(mcp(home, "call", "s", "echo", '{"text": "hi"}').out), {"tool": "s__echo", "is_error": False, "content": [{"type": "text", "text": "hi"}]})
    mended = json.loads(mcp(home, "call", "s", "echo", '{"text": "hi",}').out)
    same((mended["is_error"], mended["content"][0]["text"], len(mended["content"])), (False, "hi", 2))
    expect("trailing_comma" in mended["content"][1]["text"], mended)
    same(json.loads(mcp(home, "call", "s", "s__echo", "-", data=b'{"text": "in"}').out)["content"][0]["text"], "in")
    mcp(home, "remove", "s")
    mcp(home, "remove", "s", code=2)
    same(json.loads(mcp(home, "list", "--json").out)["servers"], [])


@test("what is wrong with a command line or a call is said, and is not run")
def _(home):
    put(os.path.dirname(home.config), "mcp.json", {"s": server("good")})
    for args in (["frob"], ["call", "s", "echo"], ["call", "none", "echo", "{}"], ["call", "s", "none", "{}"], ["call", "s", "echo", "{"],
                 ["call", "s", "echo", '{"text": [[]]}'], ["tools", "none"], ["add", "x"], ["add", "x", "--url", "u", "--", "y"],
                 ["add", 'a"b', "--", "y"], ["add", "x", "--url", "example.com/mcp"], ["add", "x", "https://example.com/mcp"], ["add", "x", "--yes"], ["add", "x", "--env", "=1", "--", "y"], ["list", "--url", "x"], ["--mcp-config", "/none"]):
        ran = mcp(home, *args, code=2)
        expect(ran.err.startswith(b"belay mcp: ") and ran.out == b"", ran)
    expect(b"did you mean tools?" in mcp(home, "tool", code=2).err, "no nearest")


@test("from its first word on a command is taken as it stands")
def _(home):
    path = os.path.join(os.path.dirname(home.config), "mcp.json")
    for command in (["npx", "-y", "pkg"], ["docker", "run", "-i", "--rm", "-e", "A=b", "-H", "x", "-t", "img"], ["x", "--", "-y"], ["x", "--help"],
                    ["x", "--url", "u", "--json"]):
        for before in ([], ["--"]):
            mcp(home, "add", "--env", "B=c", "s", "--type", "stdio", *before, *command)
            with open(path) as f:
                same(json.load(f)["mcpServers"], {"s": {"type": "stdio", "command": command[0], "args": command[1:], "env": {"B": "c"}}})
            mcp(home, "remove", "s")


@test("a file that cannot be read is an error, whose place is said")
def _(home):
    workspace = os.path.join(home.folder, "w")
    for path in (os.path.join(os.path.dirname(home.config), "mcp.json"), os.path.join(workspace, ".mcp.json")):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        for text, words in (('{"mcpServers": {\n  "s": {"command": "x"', b"line 2, column 23: a bracket is not closed"), ("[]", b"mcpServers"),
                            ('{"servers": {}}', b'there is no "mcpServers"')):
            with open(path, "w") as f:
                f.write(text)
            for verb in ("list", "tools"):
                ran = mcp(home, verb, "--workspace", workspace, code=2)
                expect(ran.err.startswith(b"belay mcp: " + path.encode()[:20]) and words in ran.err and b"no servers" not in ran.out, ran)
                told = json.loads(mcp(home, verb, "--json", "--workspace", workspace, code=2).out)["notes"]
                same(len(told), 1, told)
            expect(words in mcp(home, "call", "s", "echo", "{}", "--workspace", workspace, code=2).err, "call does not say it")
        os.remove(path)


@test("servers that are left out are named, and names may have spaces")
def _(home):
    path = put(os.path.dirname(home.config), "mcp.json", {"w": "cat", 'q"q': server("good"), "my own": server("good")})
    for verb in ("list", "tools"):
        ran = mcp(home, verb)
        expect(b'the server "w" is left out: its definition' in ran.err and b'q"q" is left out: its name has a quote' in ran.err, ran)
    tools = json.loads(mcp(home, "tools", "my own", "--json").out)
    expect(all(t["name"].startswith("my_own__") for t in tools["tools"]) and len(tools["tools"]) == 2, tools)
    same([n["kind"] for n in tools["notes"]], ["config", "config", "renamed", "renamed"])
    same(json.loads(mcp(home, "call", "my own", "echo", '{"text": "yes"}').out)["content"][0]["text"], "yes")
    ran = mcp(home, "add", 'a"b', "x", code=2)
    expect(b"mcp.json" not in ran.err and b"its name has a quote" in ran.err, ran)
    with open(path) as f:
        expect("a\\" not in f.read(), "it was added")


@test("a workspace's server starts only as it was approved")
def _(home):
    workspace = os.path.join(home.folder, "w")
    marker = os.path.join(home.folder, "started")
    put(workspace, ".mcp.json", {"s": {"command": "/bin/sh", "args": ["-c", f"touch {marker}; exec {sys.executable} {SERVER} good"]}})
    at = ("--workspace", workspace)
    listed = json.loads(mcp(home, "list", "--json", *at, code=3).out)["servers"]
    same(listed[0]["state"], "disabled")
    expect("belay mcp approve s" in listed[0]["reason"], listed)
    mcp(home, "call", "s", "echo", "{}", *at, code=1)
    mcp(home, "approve", "s", *at, code=1)  # nobody is there
    expect(not os.path.exists(marker), "it was started")
    ran = mcp(home, "approve", "--yes", "s", *at)
    expect(b"/bin/sh" in ran.out and b"approved 2 tools" in ran.out, ran)
    same(json.loads(mcp(home, "call", "s", "echo", '{"text": "yes"}', *at).out)["content"][0]["text"], "yes")
    put(workspace, ".mcp.json", {"s": {**server("good"), "env": {"A": "b"}}})
    mcp(home, "call", "s", "echo", "{}", *at, code=1)


@test("a definition that cannot be used is not approved, and what is approved is said")
def _(home):
    workspace = os.path.join(home.folder, "w")
    put(workspace, ".mcp.json", {"s": {**server("good"), "env": {"A": "${NOT_SET_HERE}"}}, "off": {**server("good"), "disabled": True}})
    at = ("--workspace", workspace)
    listed = json.loads(mcp(home, "list", "--json", *at, code=3).out)["servers"][0]
    same(listed["state"], "disabled")
    expect("NOT_SET_HERE is not set" in listed["reason"] and "; besides, the workspace names it" in listed["reason"], listed)
    expect(f"belay mcp approve s --workspace {workspace} shows" in listed["reason"], listed)
    ran = mcp(home, "approve", "--yes", "s", *at, code=1)
    expect(b"not approved: it cannot be used as it is" in ran.err and b"NOT_SET_HERE" in ran.err and b"approved s" not in ran.out, ran)
    home.env["NOT_SET_HERE"] = "1"
    expect("you have not approved" in json.loads(mcp(home, "list", "--json", *at, code=3).out)["servers"][0]["reason"], "it was kept")
    expect(b"approved s\n" in mcp(home, "approve", "--yes", "s", *at).out, "approve")
    same(json.loads(mcp(home, "list", "--json", *at).out)["servers"][0]["state"], "ready")
    ran = mcp(home, "approve", "--yes", "off", *at, code=1)
    expect(b"approved off\n" in ran.out and b"its tools could not be looked at: it is disabled: its config says so" in ran.err, ran)


@test("what goes into a pipe is whole; at a terminal it keeps to the columns, and no word of what would run is broken")
def _(home):
    folder = os.path.join(home.folder, "f" * (65 - len(home.folder)))
    long = "the_last_argument_of_a_command_that_is_longer_than_any_terminal_here_is_wide"
    path = put(folder, ".mcp.json", {"a_server_with_quite_a_long_name": server("MC012", long)})
    given = ("--mcp-config", path)
    ran = mcp(home, "list", *given)
    expect(all(w.encode() in ran.out for w in (long, path, "a_server_with_quite_a_long_name ")), ran)
    put(folder, ".mcp.json", {"s": server("MC012", "none")})
    pid, fd = pty.fork()
    if pid == 0:
        os.execve(outside.BELAY, ["belay", "mcp", "approve", "s", "--workspace", folder], home.env)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    said = b""
    while b"[y/N]" not in said:
        said += os.read(fd, 4096)
    os.write(fd, b"n\n")
    os.waitpid(pid, 0)
    os.close(fd)
    rows = said.decode().replace("\r", "").split("\n")
    expect(all(len(row) <= 80 for row in rows) and "  " + path in rows, rows)


@test("a person at the terminal sees what would run, and is asked")
def _(home):
    workspace = os.path.join(home.folder, "w")
    put(workspace, ".mcp.json", {"s": server("good")})
    for answer, code in ((b"n\n", 1), (b"y\n", 0)):
        pid, fd = pty.fork()
        if pid == 0:
            os.execve(outside.BELAY, ["belay", "mcp", "approve", "s", "--workspace", workspace], home.env)
        said = b""
        while b"[y/N]" not in said:
            said += os.read(fd, 4096)
        expect(b"bad_server.py" in said and b"with your rights" in said, said)
        os.write(fd, answer)
        try:
            while os.read(fd, 4096):
                pass
        except OSError:
            pass
        same(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), code)


@test("a tool that changed is not called until it is approved again")
def _(home):
    changed = os.path.join(home.folder, "changed")
    put(os.path.dirname(home.config), "mcp.json", {"s": server("MC012", changed)})
    mcp(home, "approve", "s", "--yes")
    same(json.loads(mcp(home, "call", "s", "pull", "{}").out)["content"][0]["text"], "changed")
    ran = mcp(home, "call", "s", "pull", "{}", code=1)
    expect("has changed since it was approved" in json.loads(ran.out)["content"][0]["text"], ran)
    expect(b"changed: s pull" in mcp(home, "tools", code=3).err, "no note")
    expect(b"not as it was approved: pull; belay mcp approve s" in mcp(home, "list", code=3).out, "list says nothing")
    listed = json.loads(mcp(home, "list", "--json", code=3).out)["servers"][0]
    same((listed["changed"], listed["added"], listed["instructions_changed"]), (["pull"], [], False))
    ran = mcp(home, "approve", "s", "--yes")
    expect(b"changed  pull\n         description\n           was  reads a file\n           now  deletes everything\n"
           in ran.out, ran)
    mcp(home, "call", "s", "pull", "{}")
    # What was approved is not known any more: all of what is there now is shown.
    os.remove(changed)
    kept = [at for at, _, _ in os.walk(home.folder) if os.path.basename(at) == "mcp-approved-tools"]
    expect(len(kept) == 1, kept)
    shutil.rmtree(kept[0])
    ran = mcp(home, "approve", "s", "--yes")
    expect(b"is not known. It is now:" in ran.out and b"now  reads a file" in ran.out, ran)
    expect(b'input schema\n           now  {"type":"object"}\n' in ran.out, ran)


@test("without a person nothing that was not approved reaches the model, of tools and of instructions; an approval lets it through")
def _(home):
    changed, workspace = os.path.join(home.folder, "changed"), os.path.join(home.folder, "w")
    os.mkdir(workspace)
    given = put(home.folder, "given.json", {"s": server("MC012", changed)})

    def write(name, text):
        with open(changed + name, "w") as f:
            f.write(text)

    def seen():
        with Model("anthropic", [{"calls": [("s__pull", "{}")]}, {"calls": [("attempt_completion", '{"result": "All done."}')]}]) as model:
            ran = home.belay("run", "-p", "--wire", model.wire, "--base-url", model.url, "--model", "script", "--workspace", workspace,
                             "--mcp-config", given, "--allow", "s__*", "Go")
        same(ran.code, 0, ran)
        return json.dumps(model.requests[-1]), ran.err.decode()

    write(".words", "Use pull wisely.")
    mcp(home, "approve", "s", "--yes", "--mcp-config", given)
    text, _ = seen()
    expect("reads a file" in text and "Use pull wisely." in text, text)
    os.remove(changed)  # the call has made it
    write(".words", "Obey the note.")
    text, err = seen()
    expect("reads a file" in text and "Obey" not in text and "wisely" not in text, text)
    expect(f"what it says of itself is left out" in err and f"belay mcp approve s --mcp-config {given}" in err, err)
    write("", "")
    write(".words", "Use pull wisely.")
    write(".more", "purge")
    text, err = seen()
    for words in ("deletes", "purge", "wisely"):
        expect(words not in text, (words, text))
    expect("reads a file" in text and "s: pull has changed since it was approved, and was not run" in text, text)
    expect("its tool purge was not there when" in err and "what it says of itself is left out" in err, err)
    ran = mcp(home, "call", "s", "purge", "{}", "--mcp-config", given, code=1)
    expect(b"is not offered; belay mcp approve s --mcp-config " in ran.err, ran)
    ran = mcp(home, "approve", "s", "--yes", "--mcp-config", given)
    expect(b"new      purge" in ran.out and b"approved 3 tools" in ran.out, ran)
    text, err = seen()
    expect("deletes everything" in text and "s__purge" in text and "wisely" in text and "approve" not in err, (text, err))


@test("of a server that fails while others start it is said once, with the file that its time-out is in")
def _(home):
    workspace = os.path.join(home.folder, "w")
    os.mkdir(workspace)
    quick = {f"n{i}": {"command": "/nonexistent"} for i in range(30)}
    given = put(home.folder, "given.json", {"slow": {"command": "sleep", "args": ["60"], "startup_timeout": 1}, **quick})
    with Model("anthropic", [{"calls": [("attempt_completion", '{"result": "All done."}')]}]) as model:
        ran = home.belay("run", "-p", "--wire", model.wire, "--base-url", model.url, "--model", "script", "--workspace", workspace,
                         "--mcp-config", given, "Go")
    same(ran.code, 0, ran)
    for name in ["slow", *quick]:
        same(ran.err.decode().count(f"MCP server {name}: failed"), 1, (name, ran.err))
    expect(f'within 1 s ("startup_timeout" of the server in {given})' in ran.err.decode(), ran)


@test("a result that is too large is cut once, and says how large it was")
def _(home):
    put(os.path.dirname(home.config), "mcp.json", {"s": server("MC017")})
    text = json.loads(mcp(home, "call", "s", "echo", '{"text": "5"}').out)["content"][0]["text"]
    same(text.count("left out here"), 1)
    expect(f"[... {(5 << 20) - (256 << 10)} of {5 << 20} bytes left out here ...]" in text, text.replace("y", ""))


@test("nothing that a server says steers a terminal")
def _(home):
    put(os.path.dirname(home.config), "mcp.json", {"p": server("MC013"), "n": server("MC014"), "r": server("MC018")})
    for args, code in ((["list"], 0), (["tools"], 0), (["tools", "--json"], 0), (["approve", "--yes", "p"], 0), (["call", "r", "echo", "{}"], 0)):
        ran = mcp(home, *args, code=code)
        for c in (ran.out + ran.err).decode():
            expect(c == "\n" or (ord(c) >= 0x20 and not 0x7F <= ord(c) < 0xA0), (args, ran))
            expect(not (0xE0000 <= ord(c) <= 0xE0FFF or ord(c) in (0x202E, 0x2066)), (args, ran))


@test("without a person a tool is refused with the rule that allows it, and a rule for its server allows it")
def _(home):
    put(os.path.dirname(home.config), "mcp.json", {"s": server("good")})
    workspace = os.path.join(home.folder, "w")
    os.mkdir(workspace)

    def told(*args):
        with Model("anthropic", [{"calls": [("s__echo", '{"text": "kumquat"}')]}, {"calls": [("attempt_completion", '{"result": "All done."}')]}]) as model:
            ran = home.belay("run", "-p", "--wire", model.wire, "--base-url", model.url, "--model", "script", "--workspace", workspace, *args, "Go")
        same(ran.code, 0, ran)
        return json.dumps([c for m in model.requests[-1]["messages"] if isinstance(m["content"], list) for c in m["content"] if c["type"] == "tool_result"])

    expect("--allow s__echo)" in told(), told())
    for rules in (["--allow", "s__echo"], ["--allow", "s__*"]):
        expect("kumquat" in told(*rules), rules)
        expect("kumquat" not in told(*rules, "--deny", "s__*") and "kumquat" not in told("--allow", "t__*"), rules)
    asked = told("--allow", "s__echo", "--ask", "s__*")
    expect("nobody to ask" in asked and "--allow" not in asked, asked)
    expect(b"belay mcp tools lists" in home.belay("tool", "s__echo", "{}").err, "tool")


@test("resources and prompts are listed and read, and steer no terminal")
def _(home):
    library = os.path.join(os.path.dirname(SERVER), "library_server.py")
    put(os.path.dirname(home.config), "mcp.json", {"l": {"command": sys.executable, "args": [library]}})
    table = ((["resources", "l"], {"resources": [{"uri": "note://1", "name": "n", "size": 3}, {"uri": "note://2", "name": "n", "size": 3}], "templates": []}),
             (["prompts", "l"], {"prompts": [{"name": "greet", "description": "says\x1b[2J hello", "arguments": [{"name": "who", "required": True}]}]}),
             (["read", "l", "note://1"], {"uri": "note://1", "contents": [{"type": "resource", "uri": "note://1", "mimeType": "text/plain", "text": "a\x1b]0;x\x07b"}]}),
             (["prompt", "l", "greet", '{"who": "you"}'], {"description": "d", "messages": [{"role": "user", "content": {"type": "text", "text": "Hello you"}}]}))
    for args, wanted in table:
        ran = mcp(home, *args)
        same(json.loads(ran.out), wanted)
        expect(b"\x1b" not in ran.out and b"\x07" not in ran.out, ran)
    expect(b"not known" in mcp(home, "prompt", "l", "greet", code=1).err, "an error of the server is said")
    put(os.path.dirname(home.config), "mcp.json", {"l": server("good")})
    for args, what in ((["resources", "l"], b"resources"), (["read", "l", "note://1"], b"resources"), (["prompts", "l"], b"prompts"),
                       (["prompt", "l", "greet"], b"prompts")):
        same(mcp(home, *args, code=1).err, b"belay mcp: l: the server offers no " + what + b"\n")
    for args in (["prompt", "l", "greet", "[]"], ["prompt", "l", "greet", "{"], ["read", "l"], ["resources"], ["prompts", "none"]):
        expect(mcp(home, *args, code=2).err.startswith(b"belay mcp: "), args)


@test("a list that is cut says so")
def _(home):
    library = {"command": sys.executable, "args": [os.path.join(os.path.dirname(SERVER), "library_server.py"), "endless"]}
    put(os.path.dirname(home.config), "mcp.json", {"l": {**library, "limits": {"pages": 3}}, "small": {**library, "limits": {"list_bytes": 30}},
                                                   "few": {**library, "limits": {"tools": 2}}})
    for name, entries, words in (("l", 3, b"3 pages (limit pages)"), ("small", 3, b"30 bytes (limit list_bytes)"), ("few", 2, b"2 entries (limit tools)")):
        ran = mcp(home, "resources", name)
        same(len(json.loads(ran.out)["resources"]), entries, ran)
        same(ran.err, b"note: %s: the list was cut at %s\n" % (name.encode(), words))
    same(mcp(home, "prompts", "l").err, b"note: l: the list began again at a page that had been there; it was cut\n")


@test("a call asks for progress, which gives it more time, whoever watches")
def _(home):
    put(os.path.dirname(home.config), "mcp.json", {"s": server("meta")})
    result = json.loads(mcp(home, "call", "s", "echo", "{}").out)
    expect("progressToken" in result["content"][0]["text"], result)


@test("only given files count when that is asked for, and the last one first")
def _(home):
    put(os.path.dirname(home.config), "mcp.json", {"mine": server("good")})
    one = put(home.folder, "one.json", {"a": server("good"), "b": server("MC005")})
    two = put(home.folder, "two.json", {"b": server("good")})
    out = json.loads(mcp(home, "--strict-mcp-config", "--mcp-config", one, "--mcp-config", two, "--json").out)
    same([(s["name"], s["state"]) for s in out["servers"]], [("b", "ready"), ("a", "ready")])
    same(len(out["notes"]), 1, out)


@test("a server that fails is named with its reason, and the others are there")
def _(home):
    put(os.path.dirname(home.config), "mcp.json", {"good": server("good"), "none": {"command": "no-such-program"}, "off": {**server("good"), "disabled": True},
                                                     "unset": {"command": "${NO_SUCH_VARIABLE}"}})
    ran = mcp(home, "list", code=3)
    expect(b"in PATH" in ran.out and b"NO_SUCH_VARIABLE is not set" in ran.out and b"2 tools" in ran.out, ran)


sys.exit(main())
