#!/usr/bin/env python3
"""Attacks on files and commands, run for real through `belay tool`, with canaries.

  attack_test.py BELAY [--bombs]

Runs cases/attacks/files.json and commands.json, and with BELAY_CASES the `file_and_exec` part of attacks.json there: as
the user that runs it, and once more as an ordinary user where that is root. Where `belay doctor` says that a command's level
cannot be enforced, the command has to be refused, with nothing changed at all, and is tried once more at a level that can.
Exit 0 when none succeeds. Fork bombs are left out, or with --bombs the only ones, so that they can be run alone.
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


def look(path):
    facts = os.lstat(path)
    about = (facts.st_mode, facts.st_uid, facts.st_gid)
    if os.path.islink(path):
        return about, os.readlink(path)
    if os.path.isfile(path):
        with open(path, "rb") as f:
            return about, facts.st_mtime_ns, f.read()
    return about, ""


def snapshot(folder):
    """Every file beneath a folder with its content, mode and owner, links not followed."""
    seen = {folder: look(folder)} if os.path.lexists(folder) else {}
    for where, folders, files in os.walk(folder):
        for name in folders + files:
            seen[os.path.join(where, name)] = look(os.path.join(where, name))
    return seen


def differences(before, after):
    return sorted(path for path in set(before) | set(after) if before.get(path) != after.get(path))


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
    # A descriptor that Belay was started with, by mistake: nothing that it starts may have it.
    with open(os.path.join(place.outside, "secret.txt"), "rb") as leak:
        return Ran(subprocess.run(command, input=json.dumps(arguments).encode(), capture_output=True, timeout=150,
                                  cwd=place.ws, env=environment, start_new_session=True, pass_fds=(leak.fileno(),),
                                  **place.user()))


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
    for folder in before:
        if changed := differences(before[folder], snapshot(folder)):
            problems.append(f"something changed: {changed}")
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


def attack(belay, case, uid, refused):
    place, listener = Place(uid), Listener()
    try:
        fill = lambda text: text.replace("{ROOT}", place.root).replace("PORT", str(listener.port))
        arguments = json.loads(fill(json.dumps(case["args"])))
        place.setup(fill(case.get("setup", "")))
        kept = [place.root] if refused else [os.path.join(place.ws, name) for name in (".git", *case.get("keeps", []))]
        before = {folder: snapshot(folder) for folder in (place.outside, *kept)}
        # What must be asked about is asked about in the most generous mode that asks; all else is approved of.
        options = ["--permission-mode", "acceptEdits"] if case["expected"].startswith("ask") else ["--yes"]
        ran = tool(belay, place, NAMES.get(case["tool"], case["tool"]), arguments, *options, *case.get("options", []))
        return judge(case, place, ran, before, listener), ran
    finally:
        listener.close()
        place.remove()


def enforced(belay, uid):
    """What `belay doctor` says of each level for this user."""
    place = Place(uid)
    try:
        said = subprocess.run([belay, "doctor", "--json"], capture_output=True, timeout=60, cwd=place.ws, **place.user())
        return {level["level"]: level["enforced"] for level in json.loads(said.stdout)["sandbox"]["levels"]}
    finally:
        place.remove()


def is_bomb(case):
    return ":|:" in case["args"].get("command", "")


def tries(case, levels):
    """The case, and whether its command has to be refused; where it has, also at the level that can be enforced."""
    options = case.get("options", [])
    level = options[options.index("--sandbox") + 1] if "--sandbox" in options else "workspace-write"
    if NAMES.get(case["tool"], case["tool"]) != "execute_command" or levels[level]:
        yield case, False
        return
    yield {**case, "says": None, "never_says": None, "name": case["name"] + " (refused)"}, True
    # Without a pid namespace a bomb is met at the cost of the whole machine for a while: by hand only.
    if is_bomb(case) and not os.environ.get("BELAY_BOMBS"):
        print(f"{case['name']} (read-only): did not run, BELAY_BOMBS is not set")
    elif levels["read-only"] and level != "read-only":
        yield {**case, "options": [*options, "--sandbox", "read-only"], "name": case["name"] + " (read-only)"}, False


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
        if is_bomb(case):
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
    bombs = "--bombs" in sys.argv[2:]
    cases = [case for case in cases if is_bomb(case) == bombs]
    users = [("this user", None)] + ([("an ordinary user", NOBODY)] if os.getuid() == 0 else [])
    failed = ran_count = 0
    for who, uid in users:
        levels = enforced(belay, uid)
        print(f"as {who}: " + ", ".join(f"{name} is {'' if kept else 'not '}enforced" for name, kept in levels.items()
                                        if kept is not None))
        for case, refused in (each for case in cases for each in tries(case, levels)):
            ran_count += 1
            try:
                problems, ran = attack(belay, case, uid, refused)
            except Exception as e:  # whatever happens to one attack, the others are run
                problems, ran = [repr(e)], None
            if problems:
                failed += 1
                print(f"FAILED as {who}: {case['name']}: {'; '.join(problems)}\n  {ran}")
    shutil.rmtree(os.path.dirname(belay))
    print(f"{ran_count - failed} attacks of {ran_count} were held")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
