#!/usr/bin/env python3
"""Runs `belay mcp` from outside, with the scripted servers of tests/mcp.

  mcp_test.py BELAY
"""
import json
import os
import pty
import stat
import sys

from home import expect, main, outside, same, test

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
    same(json.loads(mcp(home, "call", "s", "echo", '{"text": "hi",}').out), {"tool": "s__echo", "is_error": False, "content": [{"type": "text", "text": "hi"}]})
    same(json.loads(mcp(home, "call", "s", "s__echo", "-", data=b'{"text": "in"}').out)["content"][0]["text"], "in")
    mcp(home, "remove", "s")
    mcp(home, "remove", "s", code=2)
    same(json.loads(mcp(home, "list", "--json").out)["servers"], [])


@test("what is wrong with a command line or a call is said, and is not run")
def _(home):
    put(os.path.dirname(home.config), "mcp.json", {"s": server("good")})
    for args in (["frob"], ["call", "s", "echo"], ["call", "none", "echo", "{}"], ["call", "s", "none", "{}"], ["call", "s", "echo", "{"],
                 ["call", "s", "echo", '{"text": [[]]}'], ["tools", "none"], ["add", "x"], ["add", "x", "--url", "u", "--", "y"],
                 ["add", "a b", "--", "y"], ["add", "x", "--env", "=1", "--", "y"], ["list", "--url", "x"], ["--mcp-config", "/none"]):
        ran = mcp(home, *args, code=2)
        expect(ran.err.startswith(b"belay mcp: ") and ran.out == b"", ran)
    expect(b"did you mean tools?" in mcp(home, "tool", code=2).err, "no nearest")


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
    ran = mcp(home, "approve", "s", "--yes")
    expect(b"changed  pull" in ran.out and b"deletes everything" in ran.out, ran)
    mcp(home, "call", "s", "pull", "{}")


@test("nothing that a server says steers a terminal")
def _(home):
    put(os.path.dirname(home.config), "mcp.json", {"p": server("MC013"), "n": server("MC014"), "r": server("MC018")})
    for args, code in ((["list"], 0), (["tools"], 0), (["tools", "--json"], 0), (["approve", "--yes", "p"], 0), (["call", "r", "echo", "{}"], 0)):
        ran = mcp(home, *args, code=code)
        for c in (ran.out + ran.err).decode():
            expect(c == "\n" or (ord(c) >= 0x20 and not 0x7F <= ord(c) < 0xA0), (args, ran))
            expect(not (0xE0000 <= ord(c) <= 0xE0FFF or ord(c) in (0x202E, 0x2066)), (args, ran))


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
