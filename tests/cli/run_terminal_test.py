#!/usr/bin/env python3
"""Runs `belay run` at a real terminal (in tmux), with a scripted model behind real HTTP: types, and reads the screen.

  run_terminal_test.py BELAY [WORD...]     only tests whose sentence holds all the words

Needs python3 and tmux. Exit 0 when every test passes.
"""
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading

sys.dont_write_bytecode = True
import screen_test  # noqa: E402  its ways of looking at a terminal
from scripted_model import Model  # noqa: E402
from screen_test import Failed, expect  # noqa: E402

BELAY = None
TESTS = []
LOOK = {"text": "I look at it first.", "calls": [("read_file", '{"path": "a.txt",}')]}
CHANGE = {"calls": [("write_to_file", json.dumps({"path": "a.txt", "content": "one\nTWO\n"}))]}
RUN = {"calls": [("execute_command", json.dumps({"command": "rm -r old && make"}))]}
DONE = {"calls": [("attempt_completion", '{"result": "The file is changed."}')]}


def test(sentence):
    def add(function):
        TESTS.append((sentence, function))
        return function
    return add


class Screen(screen_test.Screen):
    """A terminal with belay in it."""
    count = 0

    def __init__(self, folder, *arguments, width=80, height=24, colour=True, **environment):
        Screen.count += 1
        self.socket, self.exit = os.path.join(folder, f"tmux{Screen.count}"), os.path.join(folder, "exit")
        self.home, self.work, self.width = os.path.join(folder, "home"), os.path.join(folder, "work"), width
        os.makedirs(self.home, 0o700, exist_ok=True)
        os.makedirs(self.work, exist_ok=True)
        self.start(arguments, width, height, {"LANG": "C.UTF-8", **({} if colour else {"NO_COLOR": "1"}),
                                              **environment})

    def start(self, arguments, width, height, variables):
        if os.path.exists(self.exit):
            os.remove(self.exit)
        command = shlex.join([BELAY, "run", *arguments])
        settings = [f"{name}={value}" for name, value in {"HOME": self.home, "BELAY_HOME": self.home,
                                                          **variables}.items()]
        script = f"trap : INT; cd {self.work}; {command}; echo $? > {self.exit}; stty -a; exec cat"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height), "env", "-u", "NO_COLOR",
                  *settings, "sh", "-c", script)

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True)

    def content(self, name):
        try:
            with open(os.path.join(self.work, name)) as f:
                return f.read()
        except FileNotFoundError:
            return None


def at(model, *more):
    return ["--wire", model.wire, "--base-url", model.url, "--model", "script", *more]


def put(folder, name, text):
    os.makedirs(os.path.join(folder, "work"), exist_ok=True)
    with open(os.path.join(folder, "work", name), "w") as f:
        f.write(text)


@test("a task at 80 columns: the receipt, the diff to approve of, the result to accept, the end")
def _(folder):
    put(folder, "a.txt", "one\ntwo\n")
    with Model("anthropic", [LOOK, CHANGE, DONE]) as model:
        screen = Screen(folder, *at(model, "Change the file"))
        text = screen.wait("I look at it first.", "Mended: trailing_comma", "-two", "+TWO", "Run it?")
        expect(all(len(line) <= 80 for line in text.splitlines()), text)
        expect(screen.content("a.txt") == "one\ntwo\n", "nothing is written before the answer")
        screen.type("y")
        screen.wait("The file is changed.", "accepts the result")
        expect(screen.content("a.txt") == "one\nTWO\n", "written")
        screen.type("Enter")
        screen.wait("completed", "3 turns")
        screen.type("C-d")
        expect(screen.code() == 0, "exit code")
        screen.close()
    expect(model.problems == [], model.problems)


@test("no, with words: the model is told them, and nothing runs")
def _(folder):
    put(folder, "a.txt", "one\ntwo\n")
    with Model("openai-chat", [CHANGE, DONE]) as model:
        screen = Screen(folder, *at(model, "Change the file"))
        screen.wait("Run it?")
        screen.type("n")
        screen.literally("keep it as it is")
        screen.type("Enter")
        screen.wait("accepts the result")
        screen.type("Enter")
        screen.wait("completed")
        screen.type("C-d")
        expect(screen.code() == 0, "exit code")
        screen.close()
    expect(screen.content("a.txt") == "one\ntwo\n", "nothing ran")
    expect("keep it as it is" in json.dumps(model.requests[1]), model.requests[1])


@test("always: the same rule is not asked about again")
def _(folder):
    put(folder, "a.txt", "one\n")
    other = {"calls": [("write_to_file", json.dumps({"path": "b.txt", "content": "x\n"}))]}
    with Model("anthropic", [CHANGE, other, DONE]) as model:
        screen = Screen(folder, *at(model, "Change"))
        screen.wait("a always write_to_file")
        screen.type("a")
        screen.wait("accepts the result")
        expect(screen.content("b.txt") == "x\n", "the second write was not asked about")
        screen.type("Enter")
        screen.wait("completed")
        screen.type("C-d")
        screen.code()
        screen.close()


@test("a task that goes on shows what came before: the last turns, and how many are left out")
def _(folder):
    turns = [{"text": f"Step {n}.", "calls": [("read_file", json.dumps({"path": "a.txt", "start_line": n}))]}
             for n in range(1, 8)]
    put(folder, "a.txt", "one\n" * 9)
    with Model("anthropic", turns + [DONE, {"text": "And that was all."}]) as model:
        screen = Screen(folder, *at(model, "Look at it"))
        screen.wait("accepts the result")
        screen.type("Enter")
        screen.wait("completed")
        screen.type("C-d")
        screen.code()
        screen.close()
        screen = Screen(folder, *at(model, "--continue"), height=60)
        text = screen.wait("> Look at it", "4 earlier turns are not shown here: belay tasks show", "Step 7.",
                           "The file is changed.", "completed")
        expect("Step 4." not in text and "Step 5." in text, text)
        expect(len(model.requests) == 8, "nothing is asked of the model before the person says something")
        screen.literally("Anything else?")
        screen.type("Enter")
        screen.wait("And that was all.")
        screen.type("C-d")
        expect(screen.code() == 0, "exit code")
        screen.close()
    expect(model.problems == [], model.problems)


@test("a key that is not known: the terminal says what helps, too")
def _(folder):
    with Model("anthropic", [{"fault": "401", "message": "invalid x-api-key"}]) as model:
        screen = Screen(folder, *at(model, "Go"))
        screen.wait("invalid x-api-key. No key was sent: --key-env", "VARIABLE", "authentication")
        screen.type("C-d")
        screen.wait("belay run --resume")
        screen.code()
        screen.close()


@test("what is said with --continue stands before its answer; commands work where a question waits")
def _(folder):
    ask = {"calls": [("ask_followup_question", json.dumps({"question": "Which colour?"}))]}
    with Model("anthropic", [{"text": "The first answer."}, {"text": "I ask.", **ask}, DONE]) as model:
        screen = Screen(folder, *at(model, "Task one"))
        screen.wait("completed")
        screen.type("C-d")
        screen.code()
        screen.close()
        screen = Screen(folder, *at(model, "--continue", "go on please"), height=50)
        text = screen.wait("> go on please", "I ask.", "Which colour?", "Your answer")
        expect(text.index("> go on please") < text.index("I ask."), text)
        screen.literally("/help")
        screen.type("Enter")
        screen.wait("what can be typed here", "Your answer")
        expect(len(model.requests) == 2, "the model was told nothing")
        screen.literally("/quit")
        screen.type("Enter")
        screen.wait("belay run --resume")
        screen.code()
        screen.close()
        expect(len(model.requests) == 2, "the model was told nothing")
        screen = Screen(folder, *at(model, "--continue"), height=50)
        screen.wait("Which colour?", "Your answer")
        screen.literally("red")
        screen.type("Enter")
        screen.wait("accepts the result")
        expect("red" in json.dumps(model.requests[2]), model.requests[2])
        screen.literally("/quit")
        screen.type("Enter")
        screen.wait("belay run --resume")
        screen.code()
        screen.close()
    expect(model.problems == [], model.problems)


@test("i shows a damaged call as the model wrote it")
def _(folder):
    raw = '{"path": "a.txt", "content": "one\\n",}'
    with Model("anthropic", [{"calls": [("write_to_file", raw)]}, DONE]) as model:
        screen = Screen(folder, *at(model, "Change"), height=50)
        screen.wait("Run it?", "for this run")
        screen.type("i")
        screen.wait("as the model wrote it", raw, "the log, in which this call is named toolu_1_0")
        screen.type("q")
        screen.wait("aborted")
        screen.type("C-d")
        screen.code()
        screen.close()


@test("--resume without an id: the person chooses from the tasks of this folder, by arrow keys or by number")
def _(folder):
    put(folder, "a.txt", "one\n")
    answers = [{"text": "The first answer."}, {"text": "The second answer."}, {"text": "More of the first."}]
    with Model("anthropic", answers) as model:
        for words in ("Task number one", "Task number two"):
            screen = Screen(folder, *at(model, words))
            screen.wait("completed")
            screen.type("C-d")
            screen.code()
            screen.close()
        screen = Screen(folder, *at(model, "--resume"))
        text = screen.wait("> 1  now", "Task number two", "  2  now", "Task number one", "Enter goes on")
        expect(text.index("Task number two") < text.index("Task number one"), "the last one first")
        screen.type("Down")
        screen.wait("> 2  now")
        screen.type("Enter")
        screen.wait("> Task number one", "The first answer.")
        screen.literally("Say more")
        screen.type("Enter")
        screen.wait("More of the first.")
        screen.type("C-d")
        expect(screen.code() == 0, "exit code")
        screen.close()
        screen = Screen(folder, *at(model, "--resume"))
        screen.wait("> 1  now")
        screen.type("Escape")
        screen.wait("no task was chosen")
        expect(screen.code() == 2, "exit code")
        screen.close()
        screen = Screen(folder, *at(model, "--resume"), TERM="dumb")
        screen.wait("1  now", "2  now", "Its number, and Enter")
        screen.literally("2")
        screen.type("Enter")
        screen.wait("> Task number two", "The second answer.")
        screen.type("C-d")
        screen.code()
        screen.close()


@test("a file that changed since the difference was shown is looked at again before it is overwritten")
def _(folder):
    put(folder, "a.txt", "one\ntwo\n")
    with Model("anthropic", [CHANGE, DONE]) as model:
        screen = Screen(folder, *at(model, "Change the file"))
        screen.wait("-two", "Run it?")
        put(folder, "a.txt", "my own work\n")
        screen.type("y")
        screen.wait("has changed since", "-my own work")
        expect(screen.content("a.txt") == "my own work\n", "nothing is written before the second look")
        screen.type("y")
        screen.wait("accepts the result")
        expect(screen.content("a.txt") == "one\nTWO\n", "written")
        screen.type("Enter")
        screen.wait("completed")
        screen.type("C-d")
        screen.code()
        screen.close()


@test("nothing of a result steers the terminal with -p either")
def _(folder):
    evil = {"calls": [("attempt_completion", json.dumps({"result": "well \x1b]2;owned\x07 \x9b31m\nend of it"}))]}
    with Model("anthropic", [evil, evil]) as model:
        for more in ([], ["--output-format", "json"]):
            screen = Screen(folder, "-p", *more, *at(model, "Look"))
            screen.wait("end of it")
            expect(screen.code() == 0, "exit code")
            title = screen.tmux("display-message", "-p", "#{pane_title}")
            expect("owned" not in title, title)
            screen.close()


@test("the exact command is asked about, and inspect shows the call")
def _(folder):
    with Model("anthropic", [RUN, DONE]) as model:
        screen = Screen(folder, *at(model, "Clean up"))
        screen.wait("rm -r old && make", "Run it?")
        screen.type("i")
        screen.wait('"command"')
        screen.type("q")
        screen.wait("stopped")
        screen.type("C-d")
        expect(screen.code() == 130, "exit code")
        screen.close()


@test("the task is typed when none is given; Ctrl-C stops the turn; what is said then goes on")
def _(folder):
    with Model("anthropic", [{"text": "I think about it. " * 9, "fault": "stall"}, DONE]) as model:
        screen = Screen(folder, *at(model))
        screen.wait(">")
        screen.literally("Do the first thing")
        screen.type("Enter")
        screen.wait("I think")
        screen.type("C-c")
        screen.wait("stopped")
        screen.literally("Do the second thing")
        screen.type("Enter")
        screen.wait("The file is changed.", "accepts the result")
        screen.type("Enter")
        screen.wait("completed")
        screen.type("C-d")
        expect(screen.code() == 0, "exit code")
        screen.close()
    said = json.dumps(model.requests[-1])
    expect("first thing" in said and "second thing" in said, said)
    expect(model.problems == [], model.problems)


@test("without a task it says at once what it is, also where nothing can be redrawn, and a plain answer stands there once")
def _(folder):
    for n, term in enumerate(("screen", "dumb")):
        inner = os.path.join(folder, str(n))
        os.mkdir(inner)
        with Model("anthropic", [{"text": "Two and two is four."}]) as model:
            screen = Screen(inner, *at(model), TERM=term)
            text = screen.until(lambda text: text.rstrip().endswith("\n>"), "the prompt")
            expect("belay with script in " in text and "/help" in text, text)
            screen.literally("What is it?")
            screen.type("Enter")
            text = screen.wait("completed")
            expect(text.count("Two and two is four.") == 1, text)
            screen.type("C-d")
            expect(screen.code() == 0, "exit code")
            expect(screen.text().count("--resume") == 1, screen.text())
            screen.close()


@test("what is said while the model answers costs no answer: it goes with the next request")
def _(folder):
    hold = threading.Event()
    put(folder, "a.txt", "one\n")
    look = {"text": "I look at the file, and then I will see. " * 9 + "So much for that.",
            "calls": [("read_file", '{"path": "a.txt"}')], "hold": hold}
    with Model("anthropic", [look, DONE]) as model:
        screen = Screen(folder, *at(model, "Look"))
        screen.wait("I look at the file")
        screen.literally("And be quick")
        screen.type("Enter")
        screen.wait("queued: And be quick")
        hold.set()
        text = screen.wait("So much for that.", "read_file", "> And be quick", "accepts the result")
        expect("stopped here" not in text, text)
        expect(text.startswith("belay with script in "), text)  # nothing is drawn before that, and left behind
        screen.type("Enter")
        screen.wait("completed")
        screen.type("C-d")
        expect(screen.code() == 0, "exit code")
        screen.close()
    said = [json.dumps(request["messages"]) for request in model.requests]
    expect("And be quick" not in said[0] and "So much for that." in said[-1] and "And be quick" in said[-1], said)
    expect(model.problems == [], model.problems)


@test("Ctrl-C twice quits and says how to go on; resumed, it goes on")
def _(folder):
    with Model("anthropic", [{"text": "I think about it. " * 9, "fault": "stall"}, DONE]) as model:
        screen = Screen(folder, *at(model, "Do it"))
        screen.wait("I think")
        screen.type("C-c")
        screen.wait("stopped")
        screen.type("C-c")
        text = screen.wait("belay run --resume ")
        expect(screen.code() == 130, "exit code")
        screen.close()
        task = text.split("belay run --resume ")[1].split()[0]
        again = Screen(folder, *at(model, "--resume", task, "Go on"))
        again.wait("The file is changed.", "accepts the result")
        again.type("Enter")
        again.wait("completed")
        again.type("C-d")
        expect(again.code() == 0, "exit code")
        again.close()
    expect(model.problems == [], model.problems)


@test("NO_COLOR, 200 columns, and nothing of the model steers the terminal")
def _(folder):
    evil = {"text": "before \x1b[2J\x1b]0;owned\x07\x1b[31m after \u202e end", "calls": [
        ("list_files", '{"path": "."}')]}
    with Model("openai-chat", [evil, DONE]) as model:
        screen = Screen(folder, *at(model, "Look"), width=200, colour=False)
        text = screen.wait("before", "after", "accepts the result")
        expect("\x1b" not in screen.text(escapes=True), "colours in spite of NO_COLOR")
        expect("<U+001B>" in text, text)
        title = screen.tmux("display-message", "-p", "#{pane_title}")
        expect("owned" not in title, title)
        screen.type("Enter")
        screen.wait("completed")
        screen.type("C-d")
        screen.code()
        screen.close()


@test("an error of the server is shown, and the wait before the next try")
def _(folder):
    with Model("anthropic", [{"fault": "529", "message": "Overloaded, please wait"}, DONE]) as model:
        screen = Screen(folder, *at(model, "Do it"))
        screen.wait("Overloaded, please wait", "sent again")
        screen.wait("accepts the result")
        screen.type("Enter")
        screen.wait("completed")
        screen.type("C-d")
        screen.code()
        screen.close()


def main():
    global BELAY
    BELAY = os.path.abspath(sys.argv[1])
    if not shutil.which("tmux"):
        print("tmux is missing")
        return 1
    failed = 0
    for sentence, function in TESTS:
        if not all(word in sentence for word in sys.argv[2:]):
            continue
        folder = os.path.realpath(tempfile.mkdtemp())
        try:
            function(folder)
            print(f"ok      {sentence}", flush=True)
        except (Failed, AssertionError, subprocess.SubprocessError) as problem:
            failed += 1
            print(f"FAILED  {sentence}\n{problem}", flush=True)
            subprocess.run(["tmux", "-S", os.path.join(folder, f"tmux{Screen.count}"), "kill-server"],
                           capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
