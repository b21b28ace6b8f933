#!/usr/bin/env python3
"""Kills a task at any moment, with -9, and starts it again, until it is done; then looks at what is left of it.

    task_kill_test.py DRIVER [--kills 200] [--seed 1]

Nothing may be lost: a result that the store holds stands in the file. Nothing may be done twice: no line stands there
twice. And the task always comes to its end.
"""
import argparse
import json
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import time


def look(database, file, seed):
    """What is wrong with a task that is done, or nothing."""
    lines = file.read_text().split("\n")[:-1] if file.exists() else []
    if len(lines) != len(set(lines)):
        return f"seed {seed}: done twice: {[l for l in lines if lines.count(l) > 1]}"
    store = sqlite3.connect(database)
    bodies = [json.loads(row[0]) for row in store.execute("select body from records where task = 't' order by number")]
    store.close()
    calls, intents, findings = {}, set(), {}
    for body in bodies:
        if body["kind"] == "turn":
            for block in body["message"]["blocks"]:
                if block.get("kind") == "tool_call":
                    calls[block["id"]] = (block["name"], json.loads(block["arguments"]))
        if body["kind"] == "intent":
            intents.add(body["call"])
        if body["kind"] == "finding":
            if body["call"] in findings:
                return f"seed {seed}: two results for {body['call']}"
            findings[body["call"]] = body
    if set(calls) != set(findings):
        return f"seed {seed}: calls without a result: {set(calls) - set(findings)}"
    if bodies[-1]["kind"] != "finished":
        return f"seed {seed}: not finished, but {bodies[-1]['kind']}"
    interrupted = 0
    for call, (name, arguments) in calls.items():
        if name != "put":
            continue
        why = findings[call].get("why", "ran")
        there = arguments["token"] in lines
        if why == "ran" and not there:
            return f"seed {seed}: lost: {arguments['token']} has a result, but is not there"
        if why == "interrupted":
            interrupted += 1
        elif why not in ("ran", "held"):
            return f"seed {seed}: {call} ended as {why}"
        if there and call not in intents:
            return f"seed {seed}: {arguments['token']} was put without a record of the intent"
    known = {arguments["token"] for name, arguments in calls.values() if name == "put"}
    if not set(lines) <= known:
        return f"seed {seed}: nobody asked for {set(lines) - known}"
    return "", interrupted, len(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("driver")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    kills = tasks = interrupted = put = 0
    while kills < options.kills:
        seed = options.seed * 100000 + tasks
        with tempfile.TemporaryDirectory(prefix="belay-kill-") as folder:
            database, file = pathlib.Path(folder, "tasks.db"), pathlib.Path(folder, "lines")
            began, longest = time.monotonic(), 0.015
            while True:
                process = subprocess.Popen([options.driver, database, file, str(seed)], stderr=subprocess.PIPE)
                try:
                    # Sooner or later in its life: the longer it takes to end by itself, the wider the range.
                    _, said = process.communicate(timeout=chance.uniform(0, longest))
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.communicate()
                    kills += 1
                    longest *= 1.05
                    if time.monotonic() - began > 300:
                        sys.exit(f"seed {seed}: it does not come to its end")
                    continue
                if process.returncode != 0:
                    sys.exit(f"seed {seed}: exit {process.returncode}: {said.decode()}")
                break
            found = look(database, file, seed)
            if isinstance(found, str):
                sys.exit(found)
            interrupted += found[1]
            put += found[2]
        tasks += 1
    print(f"{kills} kills in {tasks} tasks: {put} effects, {interrupted} interrupted, 0 lost, 0 twice")
    if interrupted == 0:
        sys.exit("no kill hit a tool at work: this shows nothing")


if __name__ == "__main__":
    main()
