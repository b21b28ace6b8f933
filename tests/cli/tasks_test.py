#!/usr/bin/env python3
"""Runs `belay tasks` from outside, over stores that another program filled.

  tasks_test.py BELAY KEEP_RECORDS
"""
import fcntl
import json
import os
import pty
import struct
import sys
import termios

import home as homes
from home import expect, main, same, test

MINUTE = 60_000
DAY = 24 * 60 * MINUTE
START = 1_790_000_000_000  # 2026-09-21 14:13:20 UTC


def text(words):
    return [{"kind": "text", "text": words}]


def created(goal, model="m", **more):
    return {"v": 1, "kind": "created", "settings": {"model": model}, "goal": text(goal), **more}


def turn(words, calls=(), stop="tool_calls", planned=()):
    blocks = text(words) if words else []
    blocks += [{"kind": "tool_call", "id": i, "name": name, "arguments": arguments} for i, name, arguments in calls]
    return {"v": 1, "kind": "turn", "message": {"role": "assistant", "blocks": blocks}, "stop": stop,
            "calls": list(planned), "usage": {"input_tokens": 1200, "output_tokens": 34}}


def finding(call, words, **more):
    return {"v": 1, "kind": "finding", "call": call, "content": text(words), **more}


def finished(reason, **more):
    return {"v": 1, "kind": "finished", "reason": reason, **more}


def story(name, bodies, start=START):
    return [(name, i + 1, start + i * 1000, body) for i, body in enumerate(bodies)]


def keep(home, *stories):
    home.keep([record for one in stories for record in one], sys.argv[2])


def simple(name, goal="do it", start=START, end="completed"):
    bodies = [created(goal), turn("done", stop="end")]
    return story(name, bodies + ([finished(end)] if end else []), start)


@test("without a store there are no tasks, and looking makes none")
def _(home):
    same(home.lines("tasks"), ['No tasks yet: belay run "..." begins one.'])
    same(home.belay("tasks", "list", "--json").out, b"[]\n")
    for verb in ["show", "export", "delete"]:
        ran = home.belay("tasks", verb, "abc")
        expect(ran.code == 2 and b"no tasks yet" in ran.err, ran)
    same(os.listdir(home.folder), [])


@test("the list has the last changed first, in 80 columns")
def _(home):
    keep(home, simple("aaaaaaaabbbb", "write a very long goal " * 9 + "\nsecond line"),
         simple("cccccccc", "open one", START + DAY, end=None), simple("dddd", "\x1b[31mred", START + 2 * DAY, "stuck"))
    lines = home.lines("tasks")
    same(lines[0], "ID        CHANGED           TURNS  END             TITLE")
    same(lines[2], "cccccccc  2026-09-22 14:13      1  open            open one")
    expect(lines[1].startswith("dddd      2026-09-23 14:13      1  stuck") and "\x1b" not in lines[1], lines[1])
    expect(lines[3].startswith("aaaaaaaa  2026-09-21") and lines[3].endswith("..."), lines[3])
    same(len(lines), 4)
    same(home.lines("tasks", "list", "--limit", "1")[-1], "There are more: --limit N shows N of them.")
    listed = json.loads(home.belay("tasks", "--json", "-n", "2").out)
    same([t["id"] for t in listed], ["dddd", "cccccccc"])
    same(listed[1], {"id": "cccccccc", "parent": None, "title": "open one", "model": "m", "created": START + DAY,
                     "changed": START + DAY + 1000, "records": 2, "turns": 1, "end": None, "workspace": None})


@test("ids that begin alike are shown as long as they need to be told apart")
def _(home):
    keep(home, simple("01K9AAAAAAAA1111"), simple("01K9AAAAAAAA2222"))
    same(sorted(line.split()[0] for line in home.lines("tasks")[1:]), ["01K9AAAAAAAA1", "01K9AAAAAAAA2"])


@test("children are listed when asked for, and shown from their parents")
def _(home):
    parent = story("parent", [created("the whole"), turn("", [("c1", "new_task", "{}")]),
                              {"v": 1, "kind": "child", "call": "c1", "child": "parent.1"}])
    child = story("parent.1", [created("a part", parent="parent", parent_call="c1", depth=1)], START + 5000)
    keep(home, parent, child)
    same(len(home.lines("tasks")), 2)
    same(len(home.lines("tasks", "--all")), 3)
    expect("  * started task parent.1" in home.lines("tasks", "show", "parent"), "the child")
    expect("  * started by task parent" in home.lines("tasks", "show", "parent.1"), "the parent")


STORY = story("01HEROES", [
    created("Fix the bug in a.txt\nand say so"),
    turn("I look at it.", [("c1", "read_file", '{"path":"a.txt"}')], planned=[
        {"id": "c1", "name": "read_file", "tool": "read_file", "effect": "read", "handling": "run", "as_called": True,
         "receipt": "Mended: trailing_comma at byte 16 (safe)",
         "damage": {"verdict": "mended", "kinds": ["trailing_comma"], "raw": '{"path": "a.txt",}'}}]),
    finding("c1", "\n".join(f"line {i}" for i in range(50)), milliseconds=12),
    {"v": 1, "kind": "outcome", "call": "c1", "tool": "read_file", "model": "m", "kinds": ["trailing_comma"],
     "verdict": "mended", "became": "mended"},
    turn("", [("c2", "write_to_file", json.dumps({"path": "a.txt", "content": "y" * 2000}))]),
    {"v": 1, "kind": "approved", "about": "q", "call": "c2", "yes": False, "words": "use b.txt instead"},
    finding("c2", "the person said no", why="not_approved", is_error=True),
    {"v": 1, "kind": "said", "blocks": text("\x1b]0;owned\x07 go on \u202e now")},
    {"v": 1, "kind": "failed", "message": "too many requests", "retried": True},
    {"v": 1, "kind": "todos", "list": "[x] look\n[ ] fix"},
    turn("a" * 300 + "\n\tindented", stop="length"),
    finished("completed", result="It is fixed.", detail="the person agreed"),
])


@test("a task is shown as it went: goal, texts, calls, results, receipts, end")
def _(home):
    keep(home, STORY)
    lines = home.lines("tasks", "show", "01H")
    whole = "\n".join(lines)
    same(lines[:3], ["Task 01HEROES", "began 2026-09-21 14:13, changed 2026-09-21 14:13", "model m"])
    for line in ["Goal  14:13:20", "  Fix the bug in a.txt", "  and say so", "Turn 1, tokens in 1200, out 34  14:13:21",
                 "  I look at it.", '  -> read_file {"path":"a.txt"}', "     mended: trailing_comma",
                 "     Mended: trailing_comma at byte 16 (safe)", "  <- read_file (12 ms):", "     line 0",
                 "  * damaged call of read_file (trailing_comma): mended",
                 "  * not approved: use b.txt instead", "  <! write_to_file failed, not approved:",
                 "     the person said no", "  [ ] fix", "  * stopped: length", "      indented",
                 "End: completed  14:13:31", "  the person agreed", "  It is fixed."]:
        expect(line in lines, f"{line!r} is not in\n{whole}")
    expect("line 49" not in whole and "... (389 bytes in all, 50 lines)" in whole, "a long result is shortened")
    expect(whole.count("y") < 400, "long arguments are shortened")
    same(whole.count("a" * 78), 3, "a long word is broken")
    expect("<U+001B>]0;owned<U+0007> go on <U+202E> now" in whole, whole)
    expect("too many requests" in whole and "(sent again)" in whole, whole)
    full = "\n".join(home.lines("tasks", "show", "--full", "01H"))
    expect("line 49" in full and full.count("y") > 2000, "all of it")


@test("records come as JSON, one a line, and an export holds all of it")
def _(home):
    keep(home, STORY)
    records = [json.loads(line) for line in home.belay("tasks", "show", "01HEROES", "--json").out.splitlines()]
    same([r["number"] for r in records], list(range(1, len(STORY) + 1)))
    same((records[3]["task"], records[3]["time"], records[3]["body"]["became"]), ("01HEROES", START + 3000, "mended"))
    ran = home.belay("tasks", "export", "01HER")
    export = json.loads(ran.out)
    same((export["belay"], [t["id"] for t in export["tasks"]], len(export["tasks"][0]["records"])),
         (1, ["01HEROES"], len(STORY)))


@test("an id may be any beginning that only one task has")
def _(home):
    keep(home, simple("abc1"), simple("abc2"))
    ran = home.belay("tasks", "show", "ab")
    expect(ran.code == 2 and b"abc1, abc2" in ran.err and ran.out == b"", ran)
    ran = home.belay("tasks", "show", "x\x1b[2J")
    expect(ran.code == 2 and b"\x1b" not in ran.err, ran)
    same(home.belay("tasks", "show", "abc1").code, 0)


@test("deleting needs --yes where nobody can be asked, and takes all or nothing of what is not there")
def _(home):
    keep(home, simple("one"), simple("two"), simple("three"))
    ran = home.belay("tasks", "delete", "one")
    expect(ran.code == 2 and b"--yes" in ran.err, ran)
    ran = home.belay("tasks", "delete", "one", "nine", "--yes")
    expect(ran.code == 2 and b"nine" in ran.err, ran)
    same(len(home.lines("tasks")), 4, "nothing is gone")
    same(home.lines("tasks", "delete", "-y", "one", "tw", "one"), ["deleted one", "deleted two"])
    same([line.split()[0] for line in home.lines("tasks")], ["ID", "three"])


def on_terminal(home, answer, *args):
    pid, fd = pty.fork()
    if pid == 0:
        os.execve(homes.outside.BELAY, [homes.outside.BELAY, *args], {**home.env, "TERM": "xterm"})
    out = b""
    while b"[y/N]" not in out:
        out += os.read(fd, 65536)
    os.write(fd, answer)
    while True:
        try:
            more = os.read(fd, 65536)
        except OSError:
            break
        if not more:
            break
        out += more
    os.close(fd)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), out


@test("on a terminal the person is asked, and sees what would go")
def _(home):
    keep(home, simple("one", "the first \x1b[2Jgoal"))
    code, out = on_terminal(home, b"n\n", "tasks", "delete", "one")
    expect(code == 1 and b"nothing was deleted" in out and b"the first <U+001B>[2Jgoal" in out, out)
    same(len(home.lines("tasks")), 2)
    code, out = on_terminal(home, b"y\n", "tasks", "delete", "one")
    expect(code == 0 and b"deleted one" in out, out)
    same(len(home.lines("tasks")), 1)


def seen(home, width, *args):
    """Its lines at a terminal of so many columns."""
    pid, fd = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        os.execve(homes.outside.BELAY, [homes.outside.BELAY, *args], {**home.env, "TERM": "xterm", "NO_COLOR": "1"})
    out = b""
    while True:
        try:
            more = os.read(fd, 65536)
        except OSError:
            break
        if not more:
            break
        out += more
    os.close(fd)
    same(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0, out)
    return out.decode().replace("\r", "").splitlines()


@test("the list and the transcript are as wide as the terminal")
def _(home):
    keep(home, simple("aaaa", "word " * 60))
    for width in (65, 80, 120, 200):
        lines = seen(home, width, "tasks") + seen(home, width, "tasks", "show", "aaaa")
        expect(max(map(len, lines)) <= width, (width, lines))
        expect(any(len(line) > width - 8 for line in lines), (width, lines))


@test("demonstrations are left out of the list unless all are asked for")
def _(home):
    keep(home, simple("aaaa", "work"), story("dddd", [created("play", model="demo"), turn("done", stop="end")]))
    lines = home.lines("tasks")
    same((lines[1].split()[0], lines[-1]), ("aaaa", "1 demonstration is not shown: --all shows all."))
    expect(not any("dddd" in line for line in lines), lines)
    expect(any("dddd" in line for line in home.lines("tasks", "--all")), "all")
    same([t["id"] for t in json.loads(home.belay("tasks", "--json").out)], ["aaaa"])
    expect(b"play" in home.belay("tasks", "show", "dddd").out, "it is there")


@test("a store that is none is refused, and left as it is")
def _(home):
    os.makedirs(home.data)
    path = os.path.join(home.data, "tasks.db")
    with open(path, "w") as f:
        f.write("this is no database" * 100)
    ran = home.belay("tasks")
    expect(ran.code == 1 and ran.out == b"" and path.encode() in ran.err, ran)
    with open(path) as f:
        same(f.read(), "this is no database" * 100)


@test("a wrong command line is told what was meant")
def _(home):
    for args, words in [(["lst"], b"did you mean list?"), (["show"], b"needs the ID"), (["show", "a", "b"], b"'b' is one too"),
                        (["list", "a"], b"takes no ID"), (["export", "a", "--json"], b"export takes no --json"),
                        (["--limit", "0"], b"--limit is"), (["delete"], b"needs the ID"), (["--ful"], b"--full?")]:
        ran = home.belay("tasks", *args)
        expect(ran.code == 2 and words in ran.err and ran.out == b"", ran)
    home.lines("tasks", "--help")


if __name__ == "__main__":
    sys.exit(main())
