"""A person's home folder for tests of the program: nothing of the real one is seen.

A test file imports `test`, `home` and `main` from here; each test gets a Home of its own.
"""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import repair_test as outside  # noqa: E402  its ways of running the program
from repair_test import expect, same  # noqa: E402,F401

TESTS = []


def test(sentence):
    def add(function):
        TESTS.append((sentence, function))
        return function
    return add


class Home:
    def __init__(self, folder):
        self.folder = folder
        self.env = {"PATH": os.environ["PATH"], "HOME": folder, "LANG": "C.UTF-8", "TZ": "UTC"}
        self.data = os.path.join(folder, ".local/state/belay")
        self.config = os.path.join(folder, ".config/belay/config.toml")

    def belay(self, *args, data=b"", **env):
        return outside.belay(*args, data=data, env={**self.env, **env}, cwd=self.folder, start_new_session=True)

    def lines(self, *args, code=0, **env):
        """Standard output by lines, each of which fits a terminal and steers nothing."""
        ran = self.belay(*args, **env)
        same(ran.code, code, ran)
        same(ran.err, b"", ran)
        lines = ran.out.decode().splitlines()
        for line in lines:
            expect(len(line) <= 80 and line == line.rstrip(), f"too wide, or spaces at its end: {line!r}")
            expect(line.isprintable(), f"not harmless: {line!r}")
        return lines

    def put_config(self, text, mode=0o600):
        os.makedirs(os.path.dirname(self.config), 0o700, exist_ok=True)
        with open(self.config, "w") as f:
            f.write(text)
        os.chmod(self.config, mode)

    def keep(self, records, program):
        """Puts records into the store: (task, number, milliseconds, body)."""
        import json
        os.makedirs(self.data, 0o700, exist_ok=True)
        text = "".join(json.dumps([task, number, time, json.dumps(body)]) + "\n" for task, number, time, body in records)
        made = subprocess.run([program, os.path.join(self.data, "tasks.db")], input=text.encode(), capture_output=True)
        same((made.returncode, made.stderr), (0, b""), made)


def main():
    outside.BELAY = os.path.abspath(sys.argv[1])
    failed = 0
    for sentence, function in TESTS:
        with tempfile.TemporaryDirectory(prefix="belay-home-") as folder:
            try:
                function(Home(os.path.realpath(folder)))
            except Exception as e:
                failed += 1
                print(f"FAILED: {sentence}\n  {type(e).__name__}: {e}")
    print(f"{len(TESTS) - failed} passed, {failed} failed")
    return 1 if failed else 0
