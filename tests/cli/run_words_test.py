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

sys.dont_write_bytecode = True
import run_test  # noqa: E402  its ways of running the program
from run_test import KEY, done, expect, results_in, same, test  # noqa: E402
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


@test("usage is counted as in Claude Code: what the cache gave and took is no part of the input")
def _(place):
    cached = {"input_tokens": 7, "cache_read_input_tokens": 1000, "cache_creation_input_tokens": 50}
    with Model("anthropic", [{**LIST, "usage": cached}, {**done(), "usage": cached}]) as model:
        ran = place.run("-p", "--output-format", "stream-json", "go", model=model)
    same(ran.code, 0, ran)
    for usage in [line["message"]["usage"] for line in ran.lines if line["type"] == "assistant"]:
        same((usage["input_tokens"], usage["cache_read_input_tokens"], usage["cache_creation_input_tokens"]),
             (7, 1000, 50), usage)
    usage = ran.result["usage"]
    same((usage["input_tokens"], usage["cache_read_input_tokens"], usage["cache_creation_input_tokens"]),
         (14, 2000, 100), usage)
    same(ran.result["modelUsage"]["script"]["inputTokens"], 14, ran.result)


@test("a message has one id in stream_event and assistant lines")
def _(place):
    with Model("openai-chat", [LIST, {"fault": "drop", **LIST}, LIST, done()]) as model:
        ran = place.run("-p", "--output-format", "stream-json", "--include-partial-messages", "go", model=model)
    same(ran.code, 0, ran)
    begun, ids = None, []
    for line in ran.lines:
        if line["type"] == "stream_event" and line["event"]["type"] == "message_start":
            begun = line["event"]["message"]["id"]
        if line["type"] == "assistant":
            same(line["message"]["id"], begun)
            ids.append(begun)
    same((len(ids), len(set(ids))), (3, 3), ids)


@test("a history that cannot be made shorter is said with -p, too")
def _(place):
    with open(os.open(os.path.join(place.home, "config.toml"), os.O_WRONLY | os.O_CREAT, 0o600), "w") as f:
        f.write('[models."script"]\ncontext = 4000\n')
    full = {"usage": {"input_tokens": 3900}}
    with Model("anthropic", [{**LIST, **full}, {**LIST, **full}, done()]) as model:
        ran = place.run("-p", "go", model=model)
    same(ran.code, 0, ran)
    same(ran.err.count("belay run: context_full: the conversation has about"), 1, ran)


@test("a refusal that is too long for a line is cut between words, and says that it is")
def _(place):
    with Model("anthropic", [{"calls": [("launch_rocket", "{}")]}, done()]) as model:
        ran = place.run("-p", "go", model=model)
    line = next(line for line in ran.err.splitlines() if "launch_rocket: refused: " in line)
    told = results_in(model, 1)[0]
    shown = line.split("refused: ", 1)[1]
    if len(told) > 300:
        expect(shown.endswith(" ...") and told.startswith(shown[:-4] + " "), shown, told)
    else:
        same(shown, told)


@test("errors of belay replay begin with its name")
def _(place):
    ran = place.run(os.path.join(place.home, "none.json"), command="replay")
    same(ran.code, 2, ran)
    expect(ran.err.startswith("belay replay: "), ran)


@test("the model demo and a task: said is what demo is, not that there is no model")
def _(place):
    ran = place.run("-p", "--model", "demo", "go")
    same(ran.code, 2, ran)
    expect('the built-in model "demo" (--model)' in ran.err and "no model is configured" not in ran.err, ran)
    ran = place.run("-p", "--wire", "openai-chat", "--base-url", "http://127.0.0.1:9/v1", "go")
    expect("--model demo, without a task, plays a demonstration" in ran.err, ran)


@test("stats: an unknown tool that was given up is lost, and the model is the one that was chosen")
def _(place):
    with Model("anthropic", [{"calls": [("launch_rocket", '{"to": "moon"}')]}, done("gave up")]) as model:
        place.run("-p", "--wire", "anthropic", "--base-url", model.url, "--model", "chosen", "go")
    said = subprocess.run([run_test.BELAY, "stats", "--json"], capture_output=True, env=place.environment()).stdout
    stats = json.loads(said)
    same((stats["damaged"]["total"], stats["damaged"]["lost"]), (1, 1), stats)
    same([m["model"] for m in stats["models"]], ["chosen"], stats)


@test("tasks say which folder they are of")
def _(place):
    other = os.path.join(place.home, "other")
    os.mkdir(other)
    with Model("anthropic", [done()] * 3) as model:
        for folder in (place.workspace, other, other):
            same(place.run("-p", "--workspace", folder, "go there", model=model).code, 0)
    def tasks(*arguments):
        return subprocess.run([run_test.BELAY, "tasks", *arguments], capture_output=True,
                              env=place.environment()).stdout.decode()
    same([t["workspace"] for t in json.loads(tasks("--json"))], [other, other, place.workspace])
    lines = tasks().splitlines()
    same([lines[1], lines[4]], ["in " + other, "in " + place.workspace], lines)
    same(len(lines), 6, lines)
    expect("in " + other in tasks("show", json.loads(tasks("--json"))[0]["id"]).splitlines(), "shown")
    ran = subprocess.run([run_test.BELAY, "tasks", "show", "zzz"], capture_output=True, env=place.environment())
    expect(b"belay tasks list" in ran.stderr, ran)


def doctor(place, *arguments, model, **more):
    words = [run_test.BELAY, "doctor", "--wire", model.wire, "--model", "script", *arguments]
    if "--base-url" not in arguments:
        words += ["--base-url", model.url]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=place.environment(), **more)


def refuses_more_than(most, script):
    """A server with an output limit of its own, behind which the script goes on."""
    turns = iter(script)

    def turn(body):
        asked = body.get("max_tokens") or body.get("max_completion_tokens")
        if asked > most:
            return {"status": 400, "body": json.dumps({"type": "error", "error": {
                "type": "invalid_request_error", "message": f"max_tokens: {asked} > {most}, which is the maximum"}})}
        return next(turns)
    return turn


@test("an output limit that was raised after a cut and is refused: the one before stands again, and the task goes on")
def _(place):
    cut = {"calls": [("write_to_file", '{"path": "a.txt", "content": "abc')], "stop": "length"}
    for wire in ("anthropic", "openai-chat"):
        with Model(wire, refuses_more_than(8192, [cut, cut, done("after all")])) as model:
            ran = place.run("-p", "--output-format", "stream-json", "go", model=model)
            same((ran.code, ran.result["result"], model.problems), (0, "after all", []), ran)
            asked = [r.get("max_tokens") or r.get("max_completion_tokens") for r in model.requests]
            same(asked, [8192, 16384, 8192, 8192], ran)
        expect([line for line in ran.lines if line.get("kind") == "output_limit"], ran)


@test("--max-tokens counts for a task that goes on; what counts at its beginning only is said")
def _(place):
    cut = {"text": "on and on", "stop": "length"}
    with Model("anthropic", [cut, cut, cut, done("at last")]) as model:
        ran = place.run("-p", "--max-tokens", "1000", "go", model=model)
        same(ran.code, 55, ran)
        expect("--max-tokens raises that limit" in ran.err, ran)
        again = place.run("-p", *go_on(ran), "--max-tokens", "50000", "--append-system-prompt", "In Latin.", "--effort",
                          "high", model=model)
        same((again.code, again.out), (0, "at last\n"), again)
        same([r["max_tokens"] for r in model.requests], [1000, 2000, 4000, 50000], again)
        same(again.err, "belay run: --effort, --append-system-prompt count when a task begins; this one goes on as it "
             "began\n", again)


@test("a server that answers and then sends nothing, or goes away: how, and not that its answer is empty")
def _(place):
    for fault, why in (("stall", "sent nothing for 1 s"), ("drop", "broke off the connection")):
        with Model("openai-chat", [{"text": "", "fault": fault, "nothing": True}, done()]) as model:
            ran = place.run("-p", "--idle-timeout", "1", "go", model=model)
        same(ran.code, 0, ran)
        expect(why in ran.err and "empty" not in ran.err, ran)


@test("a command that fails in the same way is the same mistake, however long it takes")
def _(place):
    slower = iter(("0.01", "0.15", "0.3", "0.45"))

    def turn(_):
        place.put("slow", next(slower, "0.6"))
        return {"calls": [("execute_command", '{"command": "sleep $(cat slow); echo no >&2; exit 1"}')]}
    with Model("anthropic", turn) as model:
        ran = place.run("-p", "--insist", "--permission-mode", "bypassPermissions", "go", model=model)
    same((ran.code, len(model.requests)), (55, 3), ran)
    expect("the same mistake was made 3 times in a row (failed, execute_command)" in ran.err, ran)


@test("a conversation that is too long, and cannot be made shorter: in the provider's words")
def _(place):
    with Model("gemini", [{"status": 400, "body": json.dumps({"error": {
            "code": 400, "status": "INVALID_ARGUMENT",
            "message": "The input token count (9) exceeds the maximum number of tokens allowed (8)."}})}]) as model:
        ran = place.run("-p", "go", model=model)
    same(ran.code, 1, ran)
    expect("exceeds the maximum number of tokens allowed (8). (the conversation is too long" in ran.err, ran)


@test("a key that Google does not know, which it calls an invalid argument, is one that is not known")
def _(place):
    with Model("gemini", [{"status": 400, "body": json.dumps({"error": {
            "code": 400, "status": "INVALID_ARGUMENT", "message": "API key not valid.",
            "details": [{"reason": "API_KEY_INVALID"}]}})}]) as model:
        ran = place.run("-p", "--key-env", "MY_KEY", "go", model=model, env={"MY_KEY": KEY})
    same(ran.code, 41, ran)
    expect(f"The key from MY_KEY was sent to {model.url}" in ran.err, ran)


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
    stalls = {**LIST, "fault": "stall"}
    with Model("openai-chat", [stalls, stalls]) as model:
        with doctor(place, "--idle-timeout", "3600", model=model) as ran:  # it would not end by itself
            lines = []
            while not lines or " answers" not in lines[-1]:
                lines.append(ran.stdout.readline().decode())
                expect(lines[-1], "it ended before", lines)
            ran.kill()
        with doctor(place, "--idle-timeout", "3", model=model) as ran:
            rest = ran.communicate(timeout=60)[0].decode()
    said = " ".join(rest.split())
    expect("sent nothing for 3 s" in said and "is the wire right" not in said, rest)
    expect("Store" in rest and "Sandbox" in rest, rest)


if __name__ == "__main__":
    sys.exit(run_test.main())
