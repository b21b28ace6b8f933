#!/usr/bin/env python3
"""Asks real shells, with the scripts of `belay completion`, for completions. bash always; zsh and fish where they are.

  completion_test.py BELAY KEEP_RECORDS
"""
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time

import home as homes
from home import expect, main, same, test


def script(home, shell):
    """The script in a file, and a PATH on which the program is."""
    path = os.path.join(home.folder, "script." + shell)
    with open(path, "wb") as f:
        f.write(home.belay("completion", shell).out)
    env = dict(home.env, PATH=os.path.dirname(homes.outside.BELAY) + ":" + home.env["PATH"])
    return path, env


def ask(home, shell, program, env):
    ran = subprocess.run(program, env=env, cwd=home.folder, capture_output=True, timeout=60)
    same((ran.returncode, ran.stderr), (0, b""), (shell, program))
    return sorted(set(ran.stdout.decode().split("\n")) - {""})


def quoted(word):
    return "'" + word.replace("'", "'\\''") + "'"


def by_bash(home, *words):
    path, env = script(home, "bash")
    line = " ".join(quoted(w) for w in words)
    return ask(home, "bash", ["bash", "--norc", "-c",
               f"source {path}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _belay; printf '%s\\n' \"${{COMPREPLY[@]}}\""], env)


def by_zsh(home, *words):
    path, env = script(home, "zsh")
    line = " ".join(quoted(w) for w in words)
    # The completion system's own functions write what they would offer; zsh leaves the choice by prefix to them.
    stubs = """compdef() { : }; compset() { cur=${cur#*=} }
      compadd() { shift; print -l -- "$@" }
      _describe() { local -a all; all=("${(@P)2}"); print -l -- "${(@)all%%:*}" }
      _files() { [[ $1 == -/ ]] && print -l -- *(N/) || print -l -- *(N) }"""
    found = ask(home, "zsh", ["zsh", "-f", "-c",
                f"{stubs}; source {path}; words=({line}); CURRENT={len(words)}; _belay || true"], env)
    last = words[-1].split("=", 1)[-1] if words[-1].startswith("--") and "=" in words[-1] else words[-1]
    return [word for word in found if word.startswith(last)]


def by_fish(home, *words):
    path, env = script(home, "fish")
    line = " ".join(words)
    found = ask(home, "fish", ["fish", "--no-config", "-c", f"source {path}; complete -C {quoted(line)}"], env)
    return sorted(word.split("\t")[0] for word in found)


SHELLS = [by_bash] + [by for name, by in [("zsh", by_zsh), ("fish", by_fish)] if shutil.which(name)]


def offered(home, *words):
    """What every shell offers for the last of the words; they must agree."""
    answers = {by.__name__: by(home, *words) for by in SHELLS}
    first = answers["by_bash"]
    for name, answer in answers.items():
        same(answer, first, (name, words))
    return first


def commands(home):
    """All commands, as the program itself names them when it misses one."""
    names = home.belay().err.decode().split("needed: ")[1].split("\n")[0]
    return re.split(", | or ", names)


@test("every command is offered, by its beginning too")
def _(home):
    same(offered(home, "belay", ""), sorted(commands(home) + ["help"]))
    same(offered(home, "belay", "rep"), [c for c in sorted(commands(home)) if c.startswith("rep")])
    same(offered(home, "belay", "help", "sche"), ["schema"])
    same(by_bash(home, "belay", "--v"), ["--version"])


def named_by(home, *command):
    """The options that a manual lists, in whatever section; prose is no list."""
    manual = home.belay("help", *command).out.decode()
    parts = re.split(r"^([A-Z][A-Z ]*)\n", manual, flags=re.M)[1:]
    lines = [line for heading, text in zip(parts[::2], parts[1::2])
             if heading not in ("NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "SEE ALSO")
             for line in text.split("\n") if re.match(r"    -", line)]
    return set(re.findall(r"(?<![\w-])--?[a-zA-Z][a-z-]*", "\n".join(lines))) or {"-h", "--help"}


@test("every option of every manual is offered, and the program knows it")
def _(home):
    for command in commands(home):
        named = named_by(home, command)
        if command == "replay":
            named |= named_by(home, "run")
        of_serve = named_by(home, "mcp", "serve") if command == "mcp" else set()
        same(set(offered(home, "belay", command, "-")), named | of_serve, command)
        for words, options in [((command,), named), (("mcp", "serve"), of_serve)]:
            for option in sorted(options - {"-h", "--help"}):
                # Whether the option takes a value or not, one of the two is unknown, so that nothing begins.
                ran = home.belay(*words, option, "--zzz", "--zzz")
                expect(f"no option '{option}'".encode() not in ran.err and ran.code != 0, (words, option, ran))


@test("the manual of run has every option that the program knows, and its options offer their values")
def _(home):
    with open(os.path.join(os.path.dirname(__file__), "../../apps/belay/run_options.cpp")) as f:
        rows = re.findall(r'^    \{"(--[a-z-]+)", "(-?\w?)", "([^"]*)", "([^"]*)", "[^"]*"((?:, \w+)*)\}', f.read(), re.M)
    expect(len(rows) > 30, rows)
    known, spellings, of_replay = set(), set(), set()
    for name, letter, value, choices, more in rows:
        {"": known, ", true": of_replay, ", false, true": spellings}[more].update({name, letter} - {""})
        if choices and not more:
            same(set(by_bash(home, "belay", "run", name, "")), set(choices.split()), name)
    same((known, spellings), (named_by(home, "run"), {"--colour"}))
    same(of_replay | {"-h", "--help"}, named_by(home, "replay"))


@test("no id of a task is offered as the text of a new one, and no remark as an id")
def _(home):
    ids = [f"{n:08x}" for n in range(60)]
    home.keep([(name, 1, 1000, {"v": 1, "kind": "created", "settings": {"model": "m"}, "goal": [{"kind": "text", "text": "do it"}]})
               for name in ids], sys.argv[2])
    for words in [("run", "-r"), ("run", "--resume"), ("tasks", "show")]:
        found = offered(home, "belay", *words, "")
        expect(len(found) == 50 and set(found) <= set(ids), (words, found))
    expect(not set(by_bash(home, "belay", "run", "")) & set(ids), "as a task")
    expect(not set(by_bash(home, "belay", "run", "-p", "0")) & set(ids), "as a task")


@test("options with words offer them, and each is accepted")
def _(home):
    same(offered(home, "belay", "repair", "--end", ""), ["complete", "cut"])
    same(offered(home, "belay", "parse", "--wire", "op"), ["openai-chat", "openai-responses"])
    expect("text" in offered(home, "belay", "parse", "--wire", ""), "the parser's own")
    same(offered(home, "belay", "schema", "--draft", ""), ["2020-12", "7"])
    same(offered(home, "belay", "tool", "--sandbox", "w"), ["workspace-write"])
    same(offered(home, "belay", "completion", ""), ["bash", "fish", "zsh"])
    same(offered(home, "belay", "tasks", ""), ["delete", "export", "list", "show"])
    for option in ["--wire", "--format", "--effort", "--permission-mode", "--sandbox", "--log-level", "--color"]:
        words = by_bash(home, "belay", "config", option, "")
        expect(len(words) >= 3, (option, words))
        for word in words:
            same(home.belay("config", option, word).code in (0, 3), True, (option, word))
    for word in by_bash(home, "belay", "parse", "--format", ""):
        same(home.belay("parse", "--wire", "text", "--format", word).code, 0, word)


@test("what stands behind = is completed as well")
def _(home):
    same(by_bash(home, "belay", "repair", "--end", "=", "c"), ["complete", "cut"])
    same(by_bash(home, "belay", "repair", "--end", "="), ["complete", "cut"])
    if by_zsh in SHELLS:
        same(by_zsh(home, "belay", "repair", "--end=cu"), ["cut"])
    if by_fish in SHELLS:
        same(by_fish(home, "belay", "repair", "--end=cu"), ["--end=cut"])


@test("files and folders are offered where the manual has them")
def _(home):
    os.mkdir(os.path.join(home.folder, "some folder"))
    for name in ["some file.json", "*"]:
        open(os.path.join(home.folder, name), "w").close()
    for words in [("repair", ""), ("schema", ""), ("schema", "a.json", ""), ("parse", "--tools", "")]:
        expect("some file.json" in by_bash(home, "belay", *words), words)
    same(by_bash(home, "belay", "repair", "some f"), ["some file.json", "some folder"])
    same(by_bash(home, "belay", "repair", "*"), ["*"])
    same(by_bash(home, "belay", "policy", "--workspace", ""), ["some folder"])
    same(by_bash(home, "belay", "doctor", "x"), [])
    if by_zsh in SHELLS:
        expect("some file.json" in by_zsh(home, "belay", "repair", ""), "zsh")
        same(by_zsh(home, "belay", "policy", "--workspace", ""), ["some folder"])
    if by_fish in SHELLS:
        expect("some file.json" in by_fish(home, "belay", "repair", ""), "fish")
        expect("some folder/" in by_fish(home, "belay", "policy", "--workspace", ""), "fish")


@test("tools and tasks are offered by name, and no id is read as shell text")
def _(home):
    expect("read_file" in offered(home, "belay", "tool", "--yes", ""), "a tool")
    same(offered(home, "belay", "tools", "read"), ["read_file"])
    touched = os.path.join(home.folder, "touched")
    home.keep([(name, 1, 1000, {"v": 1, "kind": "created", "settings": {"model": "m"}, "goal": [{"kind": "text", "text": "do it"}]})
               for name in ["aaaa1111bbbb", "cccc2222", f"$(touch${{IFS}}{touched})"]], sys.argv[2])
    listed = [line.split()[0] for line in home.lines("tasks")[1:]]
    same(sorted(offered(home, "belay", "tasks", "show", "")), sorted(w for w in listed if w.isalnum()))
    same(offered(home, "belay", "tasks", "delete", "--yes", "aaaa"), ["aaaa1111"])
    expect(not os.path.exists(touched), "an id was run")


@test("servers are offered by name behind the verbs that take one, none is started, and options of serve behind serve alone")
def _(home):
    started = os.path.join(home.folder, "started")
    servers = {name: {"command": "touch", "args": [started]} for name in ["files", "issues", f"$(touch${{IFS}}{started})"]}
    path = os.path.join(os.path.dirname(home.config), "mcp.json")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        json.dump({"mcpServers": servers}, f)
    for verb in ["tools", "call", "remove", "approve", "resources", "read", "prompts", "prompt"]:
        same(offered(home, "belay", "mcp", verb, ""), ["files", "issues"], verb)
    same(offered(home, "belay", "mcp", "approve", "--yes", "is"), ["issues"])
    for words in [("call", "files", ""), ("list", ""), ("serve", ""), ("add", "")]:
        expect(not {"files", "issues"} & set(offered(home, "belay", "mcp", *words)), words)
    of_serve, of_others = set(offered(home, "belay", "mcp", "serve", "--")), set(offered(home, "belay", "mcp", "call", "--"))
    expect("--http" in of_serve and "--yes" not in of_serve and "--http" not in of_others and "--yes" in of_others, (of_serve, of_others))
    same(sorted(home.lines("mcp", "list", "--names")), sorted(servers))
    same(home.belay("mcp", "tools", "--names").code, 2)
    expect(not os.path.exists(started), "a server was started")


@test("words of a value are not taken for the command's own")
def _(home):
    same(offered(home, "belay", "tasks", "--limit", "5", "sh"), ["show"])
    same(by_bash(home, "belay", "policy", "--", ""), [])


@test("in a real bash the tab key completes")
def _(home):
    path, env = script(home, "bash")
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(home.folder)
        os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], dict(env, TERM="dumb", PS1="ready> "))

    def until(words):
        out, end = b"", time.monotonic() + 30
        while words not in out and time.monotonic() < end:
            if select.select([fd], [], [], 0.5)[0]:
                out += os.read(fd, 65536)
        expect(words in out, out)

    try:
        until(b"ready> ")
        os.write(fd, f"source {path}\n".encode())
        until(b"ready> ")
        os.write(fd, b"belay sch\t")
        until(b"belay schema ")
        os.write(fd, b"--dra\t2020\t")
        until(b"--draft 2020-12 ")
        os.write(fd, b"\x15belay repair --end=cu\t")
        until(b"--end=cut")
        os.write(fd, b"\x15exit\n")
        until(b"exit")
    finally:
        os.close(fd)
        os.waitpid(pid, 0)


@test("a wrong command line is told what was meant")
def _(home):
    for args, words in [([], b"bash, zsh or fish"), (["tcsh"], b"not 'tcsh'"), (["bash", "zsh"], b"one shell"), (["--x"], b"no option")]:
        ran = home.belay("completion", *args)
        expect(ran.code == 2 and words in ran.err and ran.out == b"", ran)
    home.lines("completion", "--help")


if __name__ == "__main__":
    sys.exit(main())
