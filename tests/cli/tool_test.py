#!/usr/bin/env python3
"""Runs `belay tool`, `belay tools` and `belay doctor` from outside.

  tool_test.py BELAY

Needs nothing but python3. Exit 0 when every test passes.
"""
import json
import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import repair_test as outside  # noqa: E402  its ways of running the program
from repair_test import expect, same  # noqa: E402

TESTS = []


def test(sentence):
    def add(function):
        TESTS.append((sentence, function))
        return function
    return add


def tool(folder, name, arguments, *options, data=b""):
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments)
    ran = outside.belay("tool", "--workspace", folder, *options, name, arguments, data=data, start_new_session=True)
    expect(ran.out.count(b"\n") == 1 and ran.out.endswith(b"\n"), f"one line expected: {ran}")
    result = json.loads(ran.out)
    same(sorted(result), ["content", "is_error", "tool"])
    same(ran.code, 1 if result["is_error"] else 0, ran)
    ran.text = "\n".join(b.get("text", "") for b in result["content"])
    ran.result = result
    return ran


def put(folder, name, text):
    with open(os.path.join(folder, name), "w", newline="") as f:
        f.write(text)


def content(folder, name):
    with open(os.path.join(folder, name), newline="") as f:
        return f.read()


@test("a file is read, and a range of its lines")
def _(folder):
    put(folder, "a.txt", "one\ntwo\nthree\n")
    same(tool(folder, "read_file", {"path": "a.txt"}).text, "one\ntwo\nthree\n")
    text = tool(folder, "read_file", {"path": "a.txt", "start_line": 2, "end_line": 2}).text
    expect("two" in text and "one" not in text and "three" not in text, text)


@test("writing needs approval: --yes, or a mode that accepts edits")
def _(folder):
    call = {"path": "n/new.txt", "content": "hello\n"}
    ran = tool(folder, "write_to_file", call)
    expect(ran.code == 1 and "nobody to ask" in ran.text and "--yes" in ran.text, ran)
    expect(not os.path.exists(os.path.join(folder, "n")), "nothing may be there")
    expect("+hello" in tool(folder, "write_to_file", call, "--yes").text, "a diff of what changed")
    same(content(folder, "n/new.txt"), "hello\n")
    same(tool(folder, "write_to_file", {"path": "m", "content": "x"}, "--permission-mode", "acceptEdits").code, 0)
    ran = tool(folder, "write_to_file", {"path": "p", "content": "x"}, "--permission-mode", "plan", "--yes")
    expect(ran.code == 1 and "plan mode" in ran.text, ran)


@test("arguments are mended, aliases resolve, and the receipt says so")
def _(folder):
    ran = tool(folder, "write_to_file", "{'path': 'a', 'file_text': 'x',}", "--yes")
    expect(ran.code == 0 and "Mended: " in ran.text and "trailing_comma" in ran.text, ran)
    same(content(folder, "a"), "x")


@test("what would have to be guessed is not written")
def _(folder):
    for arguments in ('{"path": "a", "content": "he said "no" to me"}', '{"path": "a", "content": "cut', "{}",
                      '{"path": 7, "content": "x", "mode": 3}', "nothing"):
        ran = tool(folder, "write_to_file", arguments, "--yes")
        expect(ran.code == 1 and not os.listdir(folder), (arguments, ran))


@test("a refused guess says which key is wrong, and what to do about it")
def _(folder):
    for arguments, wanted, never in (
            ('{"path":"x","content":"y","mode":"755"}', '"mode" is not a parameter of write_to_file; leave it out.', "JSON"),
            ('{"pth":"x","content":"a"}', '"pth" is not a parameter of write_to_file; "path" is.', "JSON"),
            ('{"path":"x","content":"a","content":"b"}',
             'The key "content" stands twice, the second time at byte 26; send it once.', "JSON"),
            ('{"path":"x","content":"a","content":"b","mode":1}', '"mode" is not a parameter', "JSON"),
            ('{"path":"x","content":"say "no" now"}', "inner_quote (2 times) at byte", "put right"),
            ('{"path":"x","content":"say "no" now","mode":1}', '"mode" is not a parameter', "as valid JSON.")):
        ran = tool(folder, "write_to_file", arguments, "--yes")
        expect(ran.code == 1 and wanted in ran.text and never not in ran.text, ran)
        expect("Send the call again" in ran.text, ran)
    many = {"path": "x", "content": "y", **{"unknown%d" % i + "k" * 900: 1 for i in range(50)}}
    ran = tool(folder, "write_to_file", many, "--yes")
    expect("46 more like these" in ran.text and len(ran.text) < 2000, len(ran.text))


@test("the receipt of a mended call names the parameters")
def _(folder):
    put(folder, "a", "1\n2\n3\n")
    ran = tool(folder, "read_file", '{"path":"a","start_line":"2","end_line":"2"}')
    expect('Mended: number_from_string "start_line" and "end_line" (2 times).' in ran.text, ran)


@test("glued objects: each is read, only the first is written")
def _(folder):
    put(folder, "a", "A\n")
    put(folder, "b", "B\n")
    ran = tool(folder, "read_file", '{"path":"a"}{"path":"b"}')
    expect(ran.code == 0 and "A" in ran.text and "B" in ran.text, ran)
    ran = tool(folder, "write_to_file", '{"path":"c","content":"1"}{"path":"d","content":"2"}', "--yes")
    expect(ran.code == 0 and "Only the first was run" in ran.text and not os.path.exists(folder + "/d"), ran)


@test("a diff is applied as a whole or not at all")
def _(folder):
    put(folder, "a", "one\r\ntwo\r\nthree")
    block = "<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n"
    ran = tool(folder, "apply_diff", {"path": "a", "diff": block.format("two", "2") + block.format("nine", "9")}, "--yes")
    expect(ran.code == 1 and content(folder, "a") == "one\r\ntwo\r\nthree", ran)
    ran = tool(folder, "apply_diff", {"path": "a", "diff": block.format("two", "2")}, "--yes")
    same((ran.code, content(folder, "a")), (0, "one\r\n2\r\nthree"), ran)


@test("commands that only read run without asking, others do not")
def _(folder):
    put(folder, "a.txt", "alpha\n")
    same(tool(folder, "execute_command", {"command": "cat a.txt | wc -l"}).code, 0)
    ran = tool(folder, "execute_command", {"command": "touch x"})
    expect(ran.code == 1 and "touch writes files" in ran.text and not os.path.exists(folder + "/x"), ran)
    # Limits are named where they stop something, and can be set by that name.
    with open(os.path.join(folder, "long.txt"), "w") as file:
        file.write("x" * 5000)
    ran = tool(folder, "apply_diff", {"path": "long.txt", "diff": "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE"}, "--yes",
               "--limit", "file_bytes=4000")
    expect("limit file_bytes" in ran.text, ran)
    same(outside.belay("tool", "--limit", "smell=4", "read_file", "{}").code, 2)
    # By another of its names it is the same tool, in the same cage.
    beside = folder + "-beside"
    ran = tool(folder, "bash", {"command": f"touch {beside}; echo ran"}, "--yes", "--insist")
    expect("ran" in ran.text, ran)
    expect(not os.path.exists(beside), "a command that was called by another name wrote outside of its workspace")
    same(tool(folder, "execute_command", {"command": "touch x"}, "--yes").code, 0)
    expect(os.path.exists(folder + "/x"), "the workspace is writable")
    ran = tool(folder, "execute_command", {"command": "touch y"}, "--yes", "--sandbox", "read-only")
    expect(ran.code == 1 and not os.path.exists(folder + "/y"), ran)
    ran = tool(folder, "execute_command", {"command": "exit 3"}, "--yes")
    expect(ran.code == 1 and "exit code 3" in ran.text, ran)


@test("what the policy calls sandbox cannot write, whatever level was given")
def _(folder):
    subprocess.run("git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && "
                   "git config core.fsmonitor 'touch pwned; false'", shell=True, cwd=folder, check=True)
    ran = tool(folder, "execute_command", {"command": "git status"}, "--sandbox", "workspace-write")
    expect("On branch" in ran.text and not os.path.exists(folder + "/pwned"), ran)


@test("tools of a running task are refused with a reason")
def _(folder):
    for name, call in (("attempt_completion", {"result": "x"}), ("ask_followup_question", {"question": "x"}),
                       ("update_todo_list", {"todos": "[ ] x"}), ("new_task", {"message": "x"})):
        ran = tool(folder, name, call)
        expect(ran.code == 1 and "only while a task runs" in ran.text, ran)


@test("JSON comes from standard input too")
def _(folder):
    put(folder, "a.txt", "one\n")
    same(tool(folder, "read_file", "-", data=b'{"path": "a.txt"}').text, "one\n")


@test("wrong usage is exit 2 and says what to do")
def _(folder):
    for arguments, words in (([], b"NAME of a tool"), (["read_file"], b"JSON is needed"), (["red_file", "{}"], b"read_file"),
                             (["--workspace", folder + "/nope", "read_file", "{}"], b"--workspace"),
                             (["--sandbox", "none", "read_file", "{}"], b"danger-full-access"),
                             (["--permission-mode", "yolo", "read_file", "{}"], b"bypassPermissions"),
                             (["--frobnicate", "read_file", "{}"], b"no option"),
                             (["read_file", "{}", "{}"], b"one too many"), (["read_file", "{}", "--workspace"], b"needs a value")):
        ran = outside.belay("tool", *arguments)
        same((ran.code, ran.out), (2, b""), arguments)
        expect(words in ran.err, ran)


def on_terminal(folder, answer, name="write_to_file", arguments='{"path":"a","content":"x\\u001b[31m"}'):
    """Runs a call with a person at a terminal who types `answer`."""
    pid, fd = pty.fork()
    if pid == 0:
        os.execv(outside.BELAY, [outside.BELAY, "tool", "--workspace", folder, name, arguments])
    seen, end = b"", time.monotonic() + 20
    while b"[y/N]" not in seen and time.monotonic() < end:
        if select.select([fd], [], [], 0.1)[0]:
            seen += os.read(fd, 4096)
    os.write(fd, answer)
    while time.monotonic() < end:
        try:
            more = os.read(fd, 4096)
        except OSError:
            break
        if not more:
            break
        seen += more
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), seen


@test("a person at the terminal is asked, with what would run, and nothing in it steers the terminal")
def _(folder):
    code, seen = on_terminal(folder, b"n\n")
    expect(code == 1 and b"did not approve" in seen and not os.path.exists(folder + "/a"), seen)
    expect(b"\x1b[31m" not in seen, seen)
    code, seen = on_terminal(folder, b"y\n")
    expect(code == 0 and os.path.exists(folder + "/a"), seen)


@test("the question fits on a screen: long texts are cut, with tool, path and what is there beside it")
def _(folder):
    call = {"path": "n.txt", "content": "0123456789\n" * 9000}
    code, seen = on_terminal(folder, b"n\n", arguments=json.dumps(call))
    asked = seen[:seen.index(b"[y/N]")].decode()
    expect(code == 1 and len(asked) < 600 and asked.count("\n") < 10, asked)
    expect('"content": "0123456789' in asked and "(99,000 bytes, 9,000 lines)" in asked, asked)
    expect(asked.endswith("write_to_file n.txt (a new file): Run it? "), asked)
    put(folder, "n.txt", "old\n")
    _, seen = on_terminal(folder, b"n\n", arguments=json.dumps(call))
    expect(b"n.txt (it is there, with 4 bytes, and would be overwritten): Run it? " in seen, seen)
    _, seen = on_terminal(folder, b"n\n", arguments="{'path':'m','content':'x',}")
    expect(b"trailing_comma" in seen[:seen.index(b"[y/N]")], seen)


@test("a command is shown in full before it is approved; of a long one what is hidden is said")
def _(folder):
    command = "touch " + "x" * 800 + " end"
    _, seen = on_terminal(folder, b"n\n", "execute_command", json.dumps({"command": command}))
    expect(command.encode() in seen.replace(b"\r\n", b""), seen)
    command = "touch begin" + " x" * 5000 + "; rm -rf end"
    _, seen = on_terminal(folder, b"n\n", "execute_command", json.dumps({"command": command}))
    expect(b"touch begin" in seen and b"; rm -rf end" in seen and b"9,023 bytes of the command are not shown" in seen, seen)


@test("Ctrl-C ends a command and everything that it started")
def _(folder):
    canary = f"belay-interrupt-canary-{os.getpid()}"  # not that of a test that runs beside this one
    p = subprocess.Popen([outside.BELAY, "tool", "--workspace", folder, "--yes", "execute_command",
                          json.dumps({"command": f"echo up > started; sleep 300 & sleep 300; : {canary}"})],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    end = time.monotonic() + 30
    while not os.path.exists(folder + "/started") and time.monotonic() < end:
        time.sleep(0.02)
    p.send_signal(signal.SIGINT)
    out, _ = p.communicate(timeout=30)
    same(p.returncode, 1, out)
    expect(json.loads(out)["is_error"], out)
    left = subprocess.run(["pgrep", "-f", canary], capture_output=True).stdout
    same(left, b"")


@test("a wrong name is answered with near ones, by tool and tools alike, and an alias is found")
def _(folder):
    for command in (["tool", "--workspace", folder, "{}", "{}"], ["tools", "{}"]):
        for name, words in (("nosuch", b"no tool 'nosuch'; belay tools lists them\n"),
                            ("reed_file", b"no tool 'reed_file'; did you mean read_file? belay tools lists them\n")):
            ran = outside.belay(*[name if word == "{}" and i == len(command) - (2 if len(command) > 2 else 1) else word
                                  for i, word in enumerate(command)])
            same((ran.code, ran.out), (2, b""), ran)
            expect(ran.err.endswith(words), ran)
    ran = outside.belay("tools", "bash")
    expect(ran.code == 0 and ran.out.startswith(b"execute_command {"), ran)


@test("/ is no workspace, for files and for commands, in the same words")
def _(folder):
    for name, call in (("read_file", {"path": "etc/hostname"}), ("execute_command", {"command": "ls"})):
        ran = outside.belay("tool", "--workspace", "/", name, json.dumps(call))
        same((ran.code, ran.out), (2, b""), ran)
        expect(b"the workspace is /: then nothing would be outside of it; choose a folder" in ran.err, ran)


@test("arguments without JSON are refused in whole sentences, with one remedy")
def _(folder):
    text = tool(folder, "read_file", "n.txt").text
    same(text, "The call of read_file has arguments that cannot be read, so nothing was run. There is no JSON object in "
               "this text, at line 1, column 6 (byte 5). Send one JSON object with the arguments.")


@test("tools are listed, for people and as JSON")
def _(folder):
    ran = outside.belay("tools")
    expect(ran.code == 0 and b"write    write_to_file {path, content}" in ran.out, ran)
    listed = json.loads(outside.belay("tools", "--json").out)
    same([t["name"] for t in listed],
         ["read_file", "write_to_file", "apply_diff", "list_files", "search_files", "execute_command",
          "ask_followup_question", "update_todo_list", "attempt_completion", "new_task"])
    effects = {t["name"]: t["effect"] for t in listed}
    same((effects["read_file"], effects["apply_diff"], effects["execute_command"], effects["new_task"]),
         ("read", "write", "execute", "meta"))
    for t in listed:
        expect(t["parameters"]["type"] == "object" and "JSON object" in t["description"], t)
    one = json.loads(outside.belay("tools", "--json", "write_to_file").out)
    same(one["parameter_aliases"]["file_text"], "content")
    same(outside.belay("tools", "nope").code, 2)


@test("in the home directory commands are asked about, and doctor and policy say so")
def _(folder):
    put(folder, "a.txt", "KEY")
    env = dict(os.environ, HOME=folder)
    ran = outside.belay("tool", "--workspace", folder, "execute_command", '{"command": "grep -r KEY ."}', env=env,
                        start_new_session=True)
    expect(ran.code == 1 and b"home directory" in ran.out and b"nobody to ask" in ran.out, ran)
    ran = outside.belay("policy", "--workspace", folder, "--", "ls", env=env)
    expect(b'"ask"' in ran.out and b"home directory" in ran.out, ran)
    expect(b"home directory" in outside.belay("doctor", "--offline", env=env, cwd=folder).out, "a note")
    expect(json.loads(outside.belay("doctor", "--offline", "--json", env=env, cwd=folder).out)["sandbox"]["in_home"], "a fact")
    expect(b"home directory, and" not in outside.belay("doctor", "--offline", env=env, cwd="/usr").out, "no note elsewhere")


@test("what only reads cannot write, whatever level was given and whoever approved")
def _(folder):
    report = json.loads(outside.belay("doctor", "--offline", "--json").out)
    if not report["sandbox"]["levels"][0]["enforced"]:
        return
    subprocess.run(["git", "init", "-q", folder], check=True)
    put(folder, "run.sh", "#!/bin/sh\ntouch made\n")
    os.chmod(os.path.join(folder, "run.sh"), 0o755)
    subprocess.run(["git", "-C", folder, "config", "core.fsmonitor", "./run.sh"], check=True)
    for options in (["--permission-mode", "bypassPermissions"], ["--yes", "--sandbox", "danger-full-access"]):
        tool(folder, "execute_command", {"command": "git status"}, *options)
        expect(not os.path.exists(os.path.join(folder, "made")), options)


@test("doctor says what is enforced here, and its exit code agrees")
def _(folder):
    ran = outside.belay("doctor", "--json")
    report = json.loads(ran.out)
    levels = report["sandbox"]["levels"]
    same([level["level"] for level in levels], ["read-only", "workspace-write", "danger-full-access"])
    same((levels[2]["by"], levels[2]["enforced"]), ("none", None))
    same(ran.code, 0 if all(level["enforced"] for level in levels[:2]) else 3)
    for line in outside.belay("doctor").out.decode().splitlines():
        expect(len(line) <= 80 and line == line.rstrip(), line)
    expect(b"danger-full-access  no sandbox" in outside.belay("doctor").out, "a column of its own")
    expect(b"read-only" in outside.belay("doctor").out, "a person's view")


def main():
    outside.BELAY = os.path.abspath(sys.argv[1])
    failed = 0
    for sentence, function in TESTS:
        with tempfile.TemporaryDirectory(prefix="belay-tool-") as folder:
            try:
                function(folder)
            except Exception as e:
                failed += 1
                print(f"FAILED: {sentence}\n  {type(e).__name__}: {e}")
    print(f"{len(TESTS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
