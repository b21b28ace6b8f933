#!/usr/bin/env python3
"""Kills `belay run` with SIGKILL at any moment and resumes it, again and again.

  run_kill_test.py BELAY [--kills N] [--seed S]

The model asks for commands that append a line each, some of them at once, and for reads in between. At the end every
call has had exactly one result in every request, no line stands there twice, every command whose result says that it
ran has left its line, and none that was held back has. Exit 0 when all of that holds.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from scripted_model import WIRES, Model, calls_and_results  # noqa: E402

TURNS = 5


def script(wire, seed):
    """What the model says depends on how often it has spoken, and on nothing else."""
    def turn(body):
        spoken = sum(1 for kind, role, _ in calls_and_results(wire, body)
                     if kind == "role" and role in ("assistant", "model"))
        if wire == "openai-responses":  # calls there are items of their own
            names = [name for kind, name, _ in calls_and_results(wire, body) if kind == "call"]
            spoken = len({name.split("_")[1] for name in names})
        if spoken >= TURNS:
            return {"calls": [("attempt_completion", '{"result": "all lines are there"}')]}
        dice = random.Random(f"{seed} {spoken}")
        calls = []
        for i in range(dice.randint(1, 3)):
            if dice.random() < 0.25:
                calls.append(("search_files", json.dumps({"path": ".", "regex": f"{seed}-{spoken}-{i}"})))
            else:
                command = f"printf '%s\\n' {seed}-{spoken}-{i} >> lines.txt"
                calls.append(("execute_command", json.dumps({"command": command})))
        return {"text": "On with it.", "calls": calls}
    return turn


class Story:
    """One task, from its beginning to its end, through as many processes as it takes."""

    def __init__(self, belay, wire, seed):
        self.belay, self.wire, self.seed = belay, wire, seed
        self.kills = self.interrupted = 0

    def command(self, model, first):
        words = [self.belay, "run", "-p", "--workspace", self.work, "--permission-mode", "bypassPermissions",
                 "--wire", self.wire, "--base-url", model.url, "--model", "script"]
        return words + (["Write the lines."] if first else ["--continue"])

    def run(self, dice, kills, usual):
        with tempfile.TemporaryDirectory() as folder, Model(self.wire, script(self.wire, self.seed)) as model:
            self.work, home = os.path.join(folder, "work"), os.path.join(folder, "home")
            os.mkdir(self.work)
            os.mkdir(home, 0o700)
            env = {"PATH": os.environ["PATH"], "HOME": home, "BELAY_HOME": home}
            first = True
            while True:
                began = time.monotonic()
                process = subprocess.Popen(self.command(model, first), stdin=subprocess.DEVNULL, env=env,
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
                try:
                    out, err = process.communicate(timeout=dice.uniform(0, usual) if self.kills < kills else 60)
                except subprocess.TimeoutExpired:
                    process.kill()
                    out, err = process.communicate()
                    self.kills += 1
                    # A task whose first record was never kept is not there: it begins again.
                    first = not any(self.tasks(env))
                    continue
                self.took = time.monotonic() - began
                if process.returncode != 0:
                    raise AssertionError(f"exit {process.returncode}: {out.decode()} {err.decode()}")
                break
            self.check(model)

    def tasks(self, env):
        listed = subprocess.run([self.belay, "tasks", "list", "--json"], capture_output=True, env=env, timeout=60)
        return json.loads(listed.stdout or b"[]")

    def check(self, model):
        if model.problems:
            raise AssertionError(f"seed {self.seed}: {model.problems[:3]}")
        try:
            with open(os.path.join(self.work, "lines.txt")) as f:
                lines = f.read().split()
        except FileNotFoundError:
            lines = []
        twice = {line for line in lines if lines.count(line) > 1}
        if twice:
            raise AssertionError(f"seed {self.seed}: twice: {twice}")
        entries = calls_and_results(self.wire, model.requests[-1])
        commands = {name: text for kind, name, text in entries if kind == "call"}
        for kind, name, text in entries:
            if kind != "result" or "printf" not in commands[name]:
                continue
            token = json.loads(commands[name])["command"].split()[2]
            if "interrupted" in text.lower():
                self.interrupted += 1
            elif "was not run" in text:  # held back, because one before it was interrupted
                if token in lines:
                    raise AssertionError(f"seed {self.seed}: {token} ran, and its result denies it: {text[:300]}")
            elif token not in lines:
                raise AssertionError(f"seed {self.seed}: {token} is lost: {text[:300]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("belay")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    belay = os.path.abspath(options.belay)
    dice = random.Random(options.seed)
    usual = {}
    kills = interrupted = stories = 0
    while kills < options.kills:
        wire = WIRES[stories % len(WIRES)]
        if wire not in usual:
            undisturbed = Story(belay, wire, "undisturbed")
            undisturbed.run(dice, 0, 0)
            usual[wire] = undisturbed.took
        story = Story(belay, wire, options.seed * 100000 + stories)
        story.run(dice, min(12, options.kills - kills), usual[wire])
        kills += story.kills
        interrupted += story.interrupted
        stories += 1
    print(f"{stories} tasks, {kills} kills, {interrupted} calls interrupted; 0 lost, 0 twice")
    return 0


if __name__ == "__main__":
    sys.exit(main())
