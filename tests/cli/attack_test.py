#!/usr/bin/env python3
"""Attacks on files and commands, run for real through `belay tool`, with canaries.

  attack_test.py BELAY

Runs cases/attacks/files.json and commands.json, and with BELAY_CASES the `file_and_exec` part of attacks.json there: as
the user that runs it, and once more as an ordinary user where that is root. Exit 0 when none succeeds.
"""
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SECRET = "CANARY-7f3a91"
KEY = "sk-canary-0d1e2f"
NOBODY = 65534
NAMES = {"write_file": "write_to_file", "run_command": "execute_command", "apply_patch": "apply_diff"}
# What a terminal would obey: C0 but newline and tab, DEL, and C1 as UTF-8.
OBEYED = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")


def snapshot(folder):
    """Every file beneath a folder with its content, links not followed."""
    seen = {}
    for where, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(where, name)
            if os.path.islink(path):
                seen[path] = ("link", os.readlink(path))
            elif os.path.isfile(path):
                with open(path, "rb") as f:
                    seen[path] = ("file", f.read())
            else:
                seen[path] = ("other", "")
    return seen


class Listener:
    """A canary on loopback: counts who comes."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.accepted = 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            self.accepted += 1
            connection.close()

    def close(self):
        self.socket.close()


class Place:
    """ws/ and outside/ in a folder of their own, for one attack by one user."""

    def __init__(self, uid):
        self.uid = uid
        self.root = tempfile.mkdtemp(prefix="belay-attack-")
        self.ws = os.path.join(self.root, "ws")
        self.outside = os.path.join(self.root, "outside")
        os.mkdir(self.ws)
        os.mkdir(self.outside)
        with open(os.path.join(self.outside, "secret.txt"), "w") as f:
            f.write(SECRET + "\n")
        with open(os.path.join(self.ws, "a.txt"), "w") as f:
            f.write("alpha\n")
        self.give()

    def give(self):
        if self.uid is None:
            return
        for where, folders, files in os.walk(self.root):
            for path in [where] + [os.path.join(where, n) for n in folders + files]:
                os.lchown(path, self.uid, self.uid)

    def user(self):
        return {} if self.uid is None else {"user": self.uid, "group": self.uid, "extra_groups": []}

    def setup(self, commands):
        if commands:
            subprocess.run(["sh", "-c", commands], cwd=self.ws, check=True, stdout=subprocess.DEVNULL, timeout=60)
            self.give()

    def remove(self):
        shutil.rmtree(self.root, ignore_errors=True)


class Ran:
    def __init__(self, process):
        self.code, self.out, self.err = process.returncode, process.stdout, process.stderr
        self.result = json.loads(self.out) if self.out else None
        blocks = self.result["content"] if self.result else []
        self.text = "\n".join(b.get("text", "") for b in blocks)

    def __repr__(self):
        return f"exit {self.code}: {self.text[:400]!r} {self.err[:300]!r}"


def tool(belay, place, name, arguments, *options):
    environment = {"PATH": os.environ["PATH"], "HOME": place.root, "OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
    command = [belay, "tool", "--workspace", place.ws, *options, name, "-"]
    return Ran(subprocess.run(command, input=json.dumps(arguments).encode(), capture_output=True, timeout=150,
                              cwd=place.ws, env=environment, start_new_session=True, **place.user()))


def processes_of(word):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                line = f.read()
        except OSError:
            continue
        if word.encode() in line and int(pid) != os.getpid():
            found.append(line)
    return found


def judge(case, place, ran, before, listener):
    """What is wrong, one sentence each."""
    problems = []
    expected = case["expected"]
    after = snapshot(place.outside)
    if after != before["outside"]:
        problems.append(f"outside/ changed: {sorted(set(after) ^ set(before['outside']))}")
    git = snapshot(os.path.join(place.ws, ".git"))
    if git != before["git"]:
        problems.append("something in .git changed")
    if SECRET.encode() in ran.out:
        problems.append("the secret got out")
    if KEY.encode() in ran.out:
        problems.append("a key of Belay's environment got out")
    if OBEYED.search(ran.out.rstrip(b"\n")) or OBEYED.search(ran.err):
        problems.append("a terminal would obey a part of the output")
    if listener.accepted:
        problems.append("something reached the network")
    if ran.code < 0:
        problems.append(f"belay died of signal {-ran.code}")
    if expected.startswith(("deny", "error", "not-found")) and not (ran.result and ran.result["is_error"]):
        problems.append("it was not refused")
    if expected.startswith("ask") and "nobody to ask" not in ran.text:
        problems.append("it was not asked about")
    wanted = case.get("says")
    if wanted and not re.search(wanted, ran.text):
        problems.append(f"it does not say {wanted!r}")
    unwanted = case.get("never_says")
    if unwanted and re.search(unwanted, ran.text):
        problems.append(f"it says {unwanted!r}")
    if "bounded" in expected and ran.text.count("\n") > 10_050:
        problems.append("too many lines")
    if case.get("no_process") and processes_of(case["no_process"]):
        problems.append(f"a process is left: {processes_of(case['no_process'])}")
    if not os.path.isdir(place.ws):
        problems.append("the workspace is gone")
    return problems


def attack(belay, case, uid):
    place, listener = Place(uid), Listener()
    try:
        fill = lambda text: text.replace("{ROOT}", place.root).replace("PORT", str(listener.port))
        arguments = json.loads(fill(json.dumps(case["args"])))
        place.setup(fill(case.get("setup", "")))
        before = {"outside": snapshot(place.outside), "git": snapshot(os.path.join(place.ws, ".git"))}
        # What must be asked about is asked about in the most generous mode that asks; all else is approved of.
        options = ["--permission-mode", "acceptEdits"] if case["expected"].startswith("ask") else ["--yes"]
        ran = tool(belay, place, NAMES.get(case["tool"], case["tool"]), arguments, *options, *case.get("options", []))
        return judge(case, place, ran, before, listener), ran
    finally:
        listener.close()
        place.remove()


def named_gaps(belay, uid):
    """What `belay doctor` says that commands of this user can do here all the same."""
    place = Place(uid)
    try:
        said = subprocess.run([belay, "doctor", "--json"], capture_output=True, timeout=60, cwd=place.ws, **place.user())
        levels = json.loads(said.stdout)["sandbox"]["levels"]
        return " ".join(gap for level in levels if level["level"] == "workspace-write" for gap in level["gaps"])
    finally:
        place.remove()


def external(path):
    """The cases of another project's form, as ours: setups in words are done here or left to the unit tests."""
    with open(path, encoding="utf-8") as f:
        cases = json.load(f)["file_and_exec"]
    for case in cases:
        if case["tool"] == "startup" or case["setup"].startswith("RACE"):
            continue  # belay tool reads no configuration; races are in tests/sandbox_workspace_test.cpp
        case["name"] = case["id"]
        arguments = dict(case["args"])
        if "workdir" in arguments:
            arguments["cwd"] = arguments.pop("workdir")
        if case["tool"] == "list_files":
            arguments.setdefault("recursive", True)
        if case["tool"] == "search_files" and "pattern" in arguments:
            arguments = {"path": ".", "regex": "x", "file_pattern": arguments["pattern"]}
        case["args"] = arguments
        if case["setup"].startswith("timeout "):
            arguments["timeout"] = int(re.search(r"\d+", case["setup"])[0])
            case["setup"] = ""
        if case["setup"] == "listener on PORT":
            case["setup"] = ""
        if "fork bomb" in case.get("why", ""):
            arguments["timeout"] = 5
        if "ws-evil" in case["setup"]:
            case["setup"] = case["setup"].replace("mkdir ../ws-evil", "mkdir -p ../ws-evil")
        yield case


def main():
    belay = shutil.copy(sys.argv[1], tempfile.mkdtemp(prefix="belay-attack-bin-"))
    os.chmod(os.path.dirname(belay), 0o755)
    cases = []
    for name in ("files", "commands"):
        with open(os.path.join(ROOT, "cases", "attacks", name + ".json"), encoding="utf-8") as f:
            cases += json.load(f)
    other = os.path.join(os.environ.get("BELAY_CASES", ""), "attacks.json")
    if os.environ.get("BELAY_CASES") and os.path.exists(other):
        cases += external(other)
    else:
        print("the external attacks did not run (BELAY_CASES names none)")
    users = [("this user", None)] + ([("an ordinary user", NOBODY)] if os.getuid() == 0 else [])
    failed = ran_count = 0
    for who, uid in users:
        gaps = named_gaps(belay, uid)
        for case in cases:
            ran_count += 1
            try:
                problems, ran = attack(belay, case, uid)
            except Exception as e:  # whatever happens to one attack, the others are run
                problems, ran = [repr(e)], None
            # Without namespaces nothing can keep a command from .git; what doctor names as a gap is no broken promise.
            if problems == ["something in .git changed"] and case["tool"] == "execute_command" and ".git" in gaps:
                print(f"as {who}: {case['name']}: a gap that belay doctor names")
                continue
            if problems:
                failed += 1
                print(f"FAILED as {who}: {case['name']}: {'; '.join(problems)}\n  {ran}")
    shutil.rmtree(os.path.dirname(belay))
    print(f"{ran_count - failed} attacks of {ran_count} were held")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
