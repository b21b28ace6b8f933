#!/usr/bin/env python3
"""`belay run` at a real terminal (in tmux) with the reference server that asks for things. run.mjs installs it.

  terminal_test.py BELAY NODE SERVER
"""
import json
import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "cli"))
from run_mcp_test import DONE, Screen, answer, at, end, expect, results, terminal  # noqa: E402
from scripted_model import Model  # noqa: E402


def main():
    terminal.BELAY, node, server = (os.path.abspath(path) for path in sys.argv[1:4])
    call = lambda name, **arguments: {"calls": [("every__" + name, json.dumps(arguments))]}
    turns = [call("trigger-elicitation-request"), call("trigger-sampling-request", prompt="Hello?", maxTokens=7),
             {"text": "Hello yourself.", "stop": "end"}, call("trigger-elicitation-request"), DONE]
    with tempfile.TemporaryDirectory(prefix="belay-every-") as folder:
        with open(os.path.join(folder, "servers.json"), "w") as f:
            json.dump({"mcpServers": {"every": {"command": node, "args": [server, "stdio"]}}}, f)
        with Model("anthropic", turns) as model:
            screen = Screen(folder, *at(model, "--mcp-config", os.path.join(folder, "servers.json"), "--permission-mode",
                                        "bypassPermissions", "Go"), width=100, height=45)
            screen.wait("MCP server every asks you something", "| Please provide inputs", "1 to 3")
            answer(screen, "1")
            typed = ["Ann", "1", "/default", "ann@example.org", "https://example.org/", "2000-02-29", "7", "2.5", "3", "1,2",
                     "Wonder Woman", "2, 3", "1"]
            for n, words in enumerate(typed):
                screen.wait(f"asks, {n + 1} of {len(typed)} (")
                answer(screen, words)
            screen.wait("This goes to MCP server every:", "1  Send")
            answer(screen, "1")
            screen.wait("MCP server every wants to ask the model script", "at most 7 tokens", "Hello?")
            answer(screen, "2")
            screen.wait("| Hello yourself.")
            screen.until(lambda text: text.count("MCP server every asks you something") == 2, "the second form")
            answer(screen, "2")
            end(screen)
        said = results(model)
        for word in ("Ann", "ann@example.org", "2000-02-29", "dark and stormy", "Joey", "Piano", "hero-3", "fish-2"):
            expect(word in said[0], f"{word} is missing: {said[0]}")
        expect("Hello yourself." in said[1], said[1])
        expect("declined" in said[2].lower() or "decline" in said[2], said[2])
    print("ok      the reference server asks for a form and for the model")


main()
