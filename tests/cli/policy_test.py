#!/usr/bin/env python3
"""Runs `belay policy` from outside, and what it allows with real shells.

  policy_test.py BELAY

Needs nothing but python3; shells that are not here are left out. With BELAY_CASES the cases of attacks.json there are
judged too. Exit 0 when every test passes.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import repair_test as outside  # noqa: E402  its ways of running the program and the transcripts of documents
from repair_test import expect, run_transcripts, same, transcripts  # noqa: E402

TESTS = []
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
with open(os.path.join(ROOT, "cases", "policy", "shell.json"), encoding="utf-8") as f:
    CASES = json.load(f)
# Names that a pattern finds and a command could take for options.
PLANTED = ["-rf", "-o", "-delete", "--output=x.txt", "--files0-from=x.txt", "--compress-program=sh", "-exec", "-i.txt"]


def test(sentence):
    def add(function):
        TESTS.append((sentence, function))
        return function
    return add


def judge(command, *options):
    """Through standard input, which holds every byte and any length."""
    ran = outside.belay("policy", *options, "--", "-", data=command.encode())
    same((ran.code, ran.err), (0, b""), ran)
    expect(ran.out.count(b"\n") == 1 and ran.out.endswith(b"\n"), f"one line expected: {ran}")
    verdict = json.loads(ran.out)
    same(sorted(verdict), ["decision", "reason"])
    return verdict


@test("one line of JSON and exit 0, whatever the decision")
def _():
    for command, decision in (("ls", "allow"), ("git status", "sandbox"), ("rm x", "ask")):
        ran = outside.belay("policy", "--", command)
        same((ran.code, ran.err), (0, b""))
        same(json.loads(ran.out)["decision"], decision, command)
    same(judge("ls\0")["decision"], "deny")
    same(judge("ls " + "a" * 2_000_000)["decision"], "ask")


@test("several words are joined, and their options are not ours")
def _():
    for words, decision in ((["ls", "-la"], "allow"), (["ls", "--help"], "allow"), (["echo", "hi;", "touch", "x"], "ask"),
                            (["--", "ls"], "ask"), (["ls", "-h"], "allow")):
        same(json.loads(outside.belay("policy", "--", *words).out)["decision"], decision, words)


@test("a wrong command line is exit 2, with a sentence and nothing on stdout")
def _():
    for args in ((), ("--",), ("ls",), ("--workspace",), ("--workspace", "/no/such/folder", "--", "ls"),
                 ("--nothing", "--", "ls"), ("--workspace", "", "--", "ls"), ("--work", "/", "--", "ls")):
        ran = outside.belay("policy", *args)
        same((ran.code, ran.out), (2, b""), args)
        expect(ran.err.startswith(b"belay policy: ") and ran.err.endswith(b"Try: belay policy --help\n"), ran)


@test("--workspace decides about absolute paths, and / is no workspace")
def _():
    with tempfile.TemporaryDirectory() as d:
        for option in (["--workspace", d], ["--workspace=" + d], ["--workspace", d + "/"], ["--workspace", d + "/."]):
            same(judge(f"cat {d}/a.txt", *option)["decision"], "allow", option)
            same(judge(f"cat {d}/../a.txt", *option)["decision"], "ask", option)
        same(judge(f"cat {d}/a.txt")["decision"], "ask")
        same(judge(f"cat {d}/a.txt", "--workspace", "/")["decision"], "ask")


def scratch(folder):
    """A workspace with something to read, something to lose, and traps; a secret and a canary place beside it."""
    ws = os.path.join(folder, "ws")
    for name in ("ws/sub/sub", "ws/src", "ws/sub2", "outside"):
        os.makedirs(os.path.join(folder, name))
    for name in ["a.txt", "b.txt", "a b.txt", "a.csv", "x.txt", "file~", "sub/victim.txt", "src/a.c", "notes.log"] + PLANTED:
        with open(os.path.join(ws, name), "w") as out:
            out.write("hello foo\n" * 20 + "outside/secret.txt\n")
    for name in ("a.json", "package.json"):
        with open(os.path.join(ws, name), "w") as out:
            out.write('{"name":"x","items":[]}\n')
    with open(os.path.join(folder, "outside", "secret.txt"), "w") as out:
        out.write("S3CR3T-9d1\n")
    return ws


def snapshot(folder):
    found = {}
    for base, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(base, name)
            status = os.lstat(path)
            found[path] = (status.st_mode, status.st_mtime_ns, status.st_size, status.st_nlink, status.st_ino)
    return found


@test("what is allowed changes nothing in bash and sh, among planted names, and ends")
def _():
    with tempfile.TemporaryDirectory() as d:
        ws = scratch(d)
        before = snapshot(d)
        env = {"PATH": "/usr/bin:/bin", "HOME": os.path.join(d, "outside"), "LC_ALL": "C.UTF-8"}
        count = 0
        for shell in ("bash", "dash", "sh"):
            if not shutil.which(shell):
                continue
            for command in CASES["allow"]:
                # The cases are judged for /ws; here the workspace is elsewhere, so that those paths do not exist.
                p = subprocess.run([shell, "-c", command], cwd=ws, env=env, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=30)
                expect(b"S3CR3T-9d1" not in p.stdout, f"{shell}: {command!r} read outside of the workspace")
                same(snapshot(d), before, f"{shell}: {command!r}")
                count += 1
        print(f"  {count} runs")
        expect(count > 100 or not shutil.which("bash"), count)


@test("bash finds no fault in the grammar of what was read")
def _():
    if not shutil.which("bash"):
        return print("  there is no bash; it did not run")
    for command in CASES["allow"] + CASES["sandbox"]:
        p = subprocess.run(["bash", "-n", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, timeout=30)
        same((p.returncode, p.stdout), (0, b""), command)


@test("the attacks of BELAY_CASES: none is allowed; of the benign at least 95 % run without asking")
def _():
    path = os.path.join(os.environ.get("BELAY_CASES", ""), "attacks.json")
    if not os.environ.get("BELAY_CASES") or not os.path.exists(path):
        return print("  BELAY_CASES names no attacks.json; it did not run")
    with open(path, encoding="utf-8") as f:
        cases = json.load(f)
    with tempfile.TemporaryDirectory() as d:
        ws = scratch(d)
        wrong, fine = [], 0
        for case in cases["shell_attacks"]:
            command = case["command"].replace("{C}", d + "/outside/canary").replace("{V}", "sub/victim.txt")
            verdict = judge(command.replace("{ROOT}", d), "--workspace", ws)
            wanted = {"deny": ["deny"], "ask-or-hardened-env": ["ask", "sandbox", "deny"]}.get(case["expected"], ["ask", "deny"])
            if verdict["decision"] not in wanted:
                wrong.append((case["id"], case["command"], verdict))
        for case in cases["shell_benign"]:
            fine += judge(case["command"], "--workspace", ws)["decision"] in ("allow", "sandbox")
        same(wrong, [])
        print(f"  {len(cases['shell_attacks'])} attacks, {fine} of {len(cases['shell_benign'])} benign")
        expect(fine >= 0.95 * len(cases["shell_benign"]), fine)


@test("every example in the help text and in docs/safety.md gives what they say")
def _():
    ran = outside.belay("policy", "--help")
    same((ran.code, ran.out, ran.err), (0, outside.belay("help", "policy").out, b""))
    expect(all(len(line) <= 80 for line in ran.out.decode().splitlines()), "80 columns")
    found = transcripts(ran.out.decode(), "        ")
    expect(len(found) >= 3, found)
    run_transcripts(found, "help")
    with open(os.path.join(ROOT, "docs", "safety.md"), encoding="utf-8") as f:
        blocks = re.findall(r"```console\n(.*?)```", f.read(), re.S)
    found = [t for block in blocks if "belay policy" in block for t in transcripts(block, "")]
    expect(len(found) >= 3, found)
    run_transcripts(found, "docs/safety.md")


def main():
    if len(sys.argv) != 2:
        print(__doc__.strip())
        return 2
    outside.BELAY = os.path.abspath(sys.argv[1])
    failed = 0
    for sentence, function in TESTS:
        try:
            function()
            print(f"ok: {sentence}")
        except Exception as e:  # a test that cannot run has failed too
            failed += 1
            print(f"FAILED: {sentence}\n    {type(e).__name__}: {str(e)[:3000]}")
    print(f"{len(TESTS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
