#!/usr/bin/env python3
"""The client command of the conformance suite: drives the real `belay` through one scenario.

  MCP_CONFORMANCE_SCENARIO=NAME client.py BELAY URL

Where a person is needed, `belay run` sits at a terminal of its own, a scripted model calls the tool, and this program
types the answers.
"""
import json
import os
import pty
import select
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "cli"))
from scripted_model import Model  # noqa: E402

BELAY, URL = sys.argv[1:3]
SCENARIO = os.environ["MCP_CONFORMANCE_SCENARIO"]
PATIENCE = 25  # seconds, less than the suite's own


def mcp(folder, *args):
    ran = subprocess.run([BELAY, "mcp", *args, "--strict-mcp-config", "--mcp-config", os.path.join(folder, "servers.json")],
                         env=environment(folder), cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    sys.stderr.write(ran.stdout + ran.stderr)
    if ran.returncode != 0:
        sys.exit(f"belay mcp {' '.join(args)}: exit code {ran.returncode}")
    return ran.stdout


def environment(folder):
    return {"PATH": os.environ["PATH"], "HOME": folder, "BELAY_HOME": os.path.join(folder, "home"), "LANG": "C.UTF-8", "TERM": "dumb"}


def at_terminal(folder, tool, answers):
    """A task that calls the tool once. Each answer: what stands on the terminal by then, what is typed, what that gives.

    A question takes nothing that came before it was drawn as a whole. So an answer that has not counted is typed again.
    """
    turns = [{"calls": [(tool, "{}")]}, {"calls": [("attempt_completion", '{"result": "The end."}')]}]
    with Model("anthropic", turns) as model:
        pid, fd = pty.fork()
        if pid == 0:
            os.chdir(folder)
            os.execve(BELAY, ["belay", "run", "--wire", model.wire, "--base-url", model.url, "--model", "script",
                              "--strict-mcp-config", "--mcp-config", "servers.json", "--permission-mode",
                              "bypassPermissions", "Go"], environment(folder))
        said, seen, end = "", 0, time.monotonic() + PATIENCE

        def came(words, seconds):
            nonlocal said, seen
            until = time.monotonic() + seconds
            while words not in said[seen:]:
                if not select.select([fd], [], [], max(0, until - time.monotonic()))[0]:
                    return False
                said += os.read(fd, 65536).decode(errors="replace")
            seen = said.index(words, seen) + len(words)
            return True

        for words, typed, gives in [*answers, ("accepts the result", "y", "accepted"), ("completed", "/quit", "--resume")]:
            if not came(words, PATIENCE):
                sys.exit(f"{words!r} did not come:\n{said}")
            os.write(fd, typed.encode() + b"\n")
            while not came(gives, 1):
                if time.monotonic() > end:
                    sys.exit(f"{gives!r} did not come of {typed!r}:\n{said}")
                os.write(fd, typed.encode() + b"\n")
        try:
            while os.read(fd, 65536):
                pass
        except OSError:
            pass
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if code != 0:
            sys.exit(f"belay run: exit code {code}\n{said}")


def main():
    with tempfile.TemporaryDirectory(prefix="belay-conformance-") as folder:
        with open(os.path.join(folder, "servers.json"), "w") as f:
            json.dump({"mcpServers": {"s": {"url": URL}}}, f)
        if SCENARIO == "initialize":
            mcp(folder, "list")
        elif SCENARIO == "tools_call":
            result = json.loads(mcp(folder, "call", "s", "add_numbers", '{"a": 5, "b": 3}'))
            if "8" not in result["content"][0]["text"]:
                sys.exit(f"another result: {result}")
        elif SCENARIO == "sse-retry":
            mcp(folder, "call", "s", "test_reconnection", "{}")
        elif SCENARIO == "elicitation-sep1034-client-defaults":
            at_terminal(folder, "s__test_client_elicitation_defaults", [
                ("1 to 4", "2", "Take what it suggests")])
        else:
            sys.exit(f"the scenario {SCENARIO} is unknown here: teach it to client.py, or name it in docs/mcp.md")


main()
