#!/usr/bin/env python3
"""What `belay run` and `belay doctor` say when something does not go well: whether the words fit, and what they name works.

  run_words_test.py BELAY [WORDS...]     only the tests whose sentence holds one of the words

Needs nothing but python3. Exit 0 when every test passes.
"""
import json
import os
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import run_test  # noqa: E402  its ways of running the program
from run_test import KEY, done, expect, same, test  # noqa: E402
from scripted_model import Model  # noqa: E402

run_test.TESTS.clear()
LIST = {"calls": [("list_files", '{"path": "."}')]}
PAGE = "<html><head><title>Forbidden by ACME proxy</title></head><body>no</body></html>"


def go_on(ran):
    """The options that the last line names."""
    line = ran.err.strip().splitlines()[-1]
    found = re.fullmatch(r"To go on: belay run (--resume \S+)(.*)", line)
    expect(found, "the last line does not say how to go on", ran)
    return found[1].split() + found[2].split()


@test("a budget that is used up: the option that the last line names lets the task go on")
def _(place):
    priced = os.path.join(place.home, "config.toml")
    with open(os.open(priced, os.O_WRONLY | os.O_CREAT, 0o600), "w") as f:
        f.write('[models."script"]\nprice.input = 1000\nprice.output = 1000\n')
    slow = {"calls": [("execute_command", '{"command": "sleep 30"}')]}
    for option, little, much, first in (("--max-turns", "1", "9", LIST), ("--max-tokens-total", "10", "9000000", LIST),
                                        ("--max-cost", "0.01", "999", LIST), ("--max-seconds", "1", "500", slow)):
        with Model("anthropic", [first, done("went on")]) as model:
            ran = place.run("-p", "--insist", "--permission-mode", "bypassPermissions", option, little, "go", model=model)
            expect(ran.code in (53, 54), option, ran)
            named = go_on(ran)
            same(named[2:], [option, "N"], ran)
            again = place.run("-p", *named[:3], much, "go on", model=model)
            same((again.code, again.out), (0, "went on\n"), option, again)


@test("a key that is not known: what was sent whereto, or the option that gives one; and how to go on")
def _(place):
    with Model("anthropic", [{"fault": "401", "message": "invalid x-api-key"}]) as model:
        ran = place.run("-p", "go", model=model)
    same(ran.code, 41, ran)
    expect("invalid x-api-key. No key was sent: --key-env VARIABLE" in ran.err, ran)
    same(len(go_on(ran)), 2, ran)
    with Model("anthropic", [{"fault": "401", "message": "invalid x-api-key"}, done("in")]) as model:
        ran = place.run("-p", "--key-env", "MY_KEY", "go", model=model, env={"MY_KEY": KEY})
        expect(f"The key from MY_KEY was sent to {model.url}" in ran.err, ran)
        same(place.run("-p", *go_on(ran), "--key-env", "MY_KEY", model=model, env={"MY_KEY": KEY}).out, "in\n")


@test("403 is not told as a key that is not known: the provider or a proxy forbids it")
def _(place):
    for body in (PAGE, '{"type":"error","error":{"type":"permission_error","message":"not for you"}}'):
        with Model("anthropic", [{"body": body, "status": 403}]) as model:
            ran = place.run("-p", "go", model=model)
        same(ran.code, 41, ran)
        expect("permission: " in ran.err and "a proxy on the way to it forbids this" in ran.err, ran)
        expect("know" not in ran.err, ran)


@test("404: the address that was asked, and the options that name another")
def _(place):
    with Model("anthropic", [{"body": PAGE, "status": 404}]) as model:
        url = model.url + "/wrong"
        ran = place.run("-p", "--wire", "anthropic", "--base-url", url, "--model", "m", "go")
        same(ran.code, 1, ran)
        for words in (url + "/v1/messages", "for the model m", "--base-url"):
            expect(words in ran.err, words, ran)


@test("a base URL that nobody chose is said to be the default")
def _(place):
    ran = place.run("-p", "--wire", "ollama", "--model", "m", "go", env={"NO_PROXY": "*"})
    if "unreachable" in ran.err:  # nobody listens at Ollama's port here
        expect(re.search(r"[.?] The base URL http://localhost:11434 is the default;", ran.err), ran)


def doctor(place, *arguments, model, **more):
    words = [run_test.BELAY, "doctor", "--wire", model.wire, "--model", "script", *arguments]
    if "--base-url" not in arguments:
        words += ["--base-url", model.url]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=place.environment(), **more)


@test("doctor: a refusal is told once, with the option that helps")
def _(place):
    with Model("anthropic", [{"body": PAGE, "status": 404}, {"fault": "401", "message": "invalid x-api-key"},
                             {"body": PAGE, "status": 403}]) as model:
        def reachable():
            with doctor(place, "--json", model=model) as ran:
                return json.loads(ran.communicate(timeout=60)[0])["model"][-1]
        found = reachable()
        same(found["what"].count("404"), 1, found)
        expect("--base-url" in found["remedy"] and "/v1/messages" in found["remedy"], found)
        found = reachable()
        expect("--key-env VARIABLE" in found["remedy"], found)
        found = reachable()
        expect("proxy" in found["remedy"], found)


@test("doctor: what is known is shown while a server stalls, and then for how long it sent nothing")
def _(place):
    with Model("openai-chat", [{**LIST, "fault": "stall"}]) as model:
        with doctor(place, "--idle-timeout", "3", model=model) as ran:
            began, lines = time.monotonic(), []
            while not lines or " answers" not in lines[-1]:
                lines.append(ran.stdout.readline().decode())
                expect(lines[-1], "it ended before", lines)
            expect(time.monotonic() - began < 2.5, "shown at once", lines)
            rest = ran.communicate(timeout=60)[0].decode()
    said = " ".join(rest.split())
    expect("sent nothing for 3 s" in said and "is the wire right" not in said, rest)
    expect("Store" in rest and "Sandbox" in rest, rest)


if __name__ == "__main__":
    sys.exit(run_test.main())
