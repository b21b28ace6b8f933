#!/usr/bin/env python3
"""Looks at the screen: plays stories through the real terminal code inside tmux, types, and reads what is shown.

  screen_test.py SCREEN_DRIVER [WORD...]     only tests whose sentence holds all the words

Needs python3 and tmux. Exit 0 when every test passes.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TESTS = []
DRIVER = None
DEADLINE = 20  # seconds for anything to happen


def test(sentence):
    def add(function):
        TESTS.append((sentence, function))
        return function
    return add


class Failed(Exception):
    pass


def expect(condition, message):
    if not condition:
        raise Failed(message)


class Screen:
    """A terminal of its own, with the driver in it."""

    def __init__(self, folder, scene, *arguments, width=80, height=24, colour=True, shell=False, **environment):
        self.socket = tempfile.mktemp(prefix="tmux-", dir=folder)  # one server a screen: an old one takes time to go
        self.log = os.path.join(folder, "log")
        self.exit = os.path.join(folder, "exit")
        variables = {"LANG": "C.UTF-8", "PS1": "shell> ", **environment}
        if not colour:
            variables["NO_COLOR"] = "1"
        command = " ".join([DRIVER, scene, self.log, *arguments])
        start = f"bash --norc --noprofile" if shell else f"sh -c '{command}; echo $? >{self.exit}; stty -a; exec cat'"
        settings = [f"{name}={value}" for name, value in variables.items()]
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height),
                  "env", "-u", "NO_COLOR", *settings, *start.split(" ", 2) if shell else ["sh", "-c", start[7:-1]])
        self.width = width
        if shell:
            self.wait("shell>")
            self.type(command, "Enter")

    def tmux(self, *arguments, data=None):
        ran = subprocess.run(["tmux", "-S", self.socket, *arguments], input=data, capture_output=True, timeout=30)
        expect(ran.returncode == 0, f"tmux {arguments}: {ran.stderr.decode()}")
        return ran.stdout.decode()

    def type(self, *keys):
        self.tmux("send-keys", *keys)

    def literally(self, text):
        self.tmux("send-keys", "-l", text)

    def paste(self, text):
        self.tmux("load-buffer", "-", data=text.encode())
        self.tmux("paste-buffer", "-p")

    def resize(self, width, height=24):
        self.width = width
        self.tmux("resize-window", "-x", str(width), "-y", str(height))

    def text(self, escapes=False, history=True):
        options = (["-e"] if escapes else []) + (["-S", "-"] if history else [])
        return self.tmux("capture-pane", "-p", *options)

    def until(self, good, what, patience=DEADLINE):
        end = time.monotonic() + patience
        while True:
            text = self.text()
            if good(text):
                return text
            if time.monotonic() > end:
                raise Failed(f"{what} did not come:\n{text}")
            time.sleep(0.02)

    def wait(self, *words):
        return self.until(lambda text: all(word in text for word in words), repr(words))

    def answer(self, keys, *words):
        """Types the keys, and again when nothing has come of them for long: what arrives before the terminal has dropped
        what was typed too early is no answer to a question, and a test can be as quick as that."""
        for patience in (DEADLINE / 4, DEADLINE / 4, DEADLINE):
            self.type(*keys)
            try:
                return self.until(lambda text: all(word in text for word in words), repr(words), patience)
            except Failed:
                if patience == DEADLINE:
                    raise

    def told(self, *lines):
        """Waits until the agent was told exactly these things."""
        end = time.monotonic() + DEADLINE
        while True:
            said = open(self.log).read().splitlines() if os.path.exists(self.log) else []
            if said == list(lines):
                return
            if time.monotonic() > end:
                raise Failed(f"the agent was told {said}, not {list(lines)}:\n{self.text()}")
            time.sleep(0.02)

    def code(self):
        self.until(lambda _: os.path.exists(self.exit) and open(self.exit).read().strip(), "the end")
        text = self.wait("icanon")
        # The terminal is as it was.
        for setting in ("icanon", "echo", "isig", "icrnl"):
            expect(setting in text.split(), f"the terminal is not as it was: {setting}\n{text}")
        return int(open(self.exit).read())

    def end(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True)


SCREENS = []


def screen(folder, *arguments, **options):
    SCREENS.append(Screen(folder, *arguments, **options))
    return SCREENS[-1]


@test("a change is shown as a diff and approved by y; then a rule by a; then the result is accepted")
def _(folder):
    s = screen(folder, "approvals")
    text = s.wait("Run it?", "asked because")
    expect("-  return 1;" in text and "+  return 0;" in text, text)
    expect("Mended: trailing_comma at byte 61." in text, text)
    s.type("y")
    text = s.wait("overwrote src/parser.c", "git commit -am fix", "always execute_command(git commit:*)")
    s.type("a")
    s.wait("exit code 0, 0.1 s", "Enter or y accepts")
    s.type("Enter")
    s.wait("completed", "ready")
    s.told("reply approve/c1/0 yes ", "allow execute_command(git commit:*)", "reply approve/c2/0 yes ",
           "reply complete/c3 yes ")
    s.type("C-d")
    text = s.wait("belay run --resume t7")
    expect(s.code() == 0, "exit code")


@test("no asks for words, and they reach the model")
def _(folder):
    s = screen(folder, "approvals")
    s.wait("Run it?")
    s.type("n")
    s.wait("Why not?")
    s.type("use a switch", "Enter")
    s.wait("They said: use a switch", "no: use a switch")
    s.told("reply approve/c1/0 no use a switch")


@test("inspect shows the call as JSON, and the question stays")
def _(folder):
    s = screen(folder, "approvals")
    s.wait("Run it?")
    s.type("i")
    text = s.wait("as JSON that would run", "the log, in which this call is named c1:", "/var/log/belay.log")
    expect('{"path":"src/parser.c","content":"int parse(void) {\\n' in text, text)
    s.type("y")
    s.told("reply approve/c1/0 yes ")


@test("q at a question stops the task")
def _(folder):
    s = screen(folder, "approvals")
    s.wait("Run it?")
    s.type("q")
    s.told("stop")
    s.wait("aborted", "ready")


@test("Ctrl-C once stops what is under way, and the next message goes on")
def _(folder):
    s = screen(folder, "streams")
    s.wait("word9")
    s.type("C-c")
    s.told("stop")
    s.wait("aborted", "ready")
    s.type("go on", "Enter")
    s.wait("You said: go on")


@test("Ctrl-C twice quits, and says how to resume")
def _(folder):
    s = screen(folder, "streams")
    s.wait("word9")
    s.type("C-c")
    s.wait("aborted")
    s.type("C-c")
    s.wait("belay run --resume t7")
    s.told("stop", "leave")
    expect(s.code() == 0, "exit code")
    expect(s.text().count("--resume") == 1, s.text())


@test("a third Ctrl-C ends what does not stop")
def _(folder):
    s = screen(folder, "hangs")
    s.wait("I hang.")
    s.type("C-c")
    s.wait("Ctrl-C again quits")
    s.type("C-c")
    s.wait("leaving; Ctrl-C ends it at once", "belay run --resume t7")
    s.told("stop", "leave")
    s.type("C-c")
    expect(s.code() == 130, "exit code")


@test("without a goal the first message is it, shown once")
def _(folder):
    s = screen(folder, "first")
    s.wait("belay with a-model", "ready")
    s.literally("fix the test")
    s.type("Enter")
    s.told("goal fix the test")
    text = s.wait("> fix the test", "waiting for the model")
    expect(text.count("fix the test") == 1, text)


@test("a terminal that cannot redraw says what it is, and prompts for the first message")
def _(folder):
    s = screen(folder, "first", TERM="dumb")
    s.until(lambda text: re.search(r"^belay with a-model in [^\n]*/help[^\n]*\n(typed\n)?> *$", text.strip() + "", re.M),
            "the banner and the prompt")
    s.type("fix the test", "Enter")
    s.told("goal fix the test")
    s.type("more", "Enter")
    text = s.wait("You said: more")
    s.until(lambda text: text.rstrip().endswith("\n>"), "the prompt")


@test("who leaves before the first message leaves without a word")
def _(folder):
    s = screen(folder, "first")
    s.wait("ready")
    s.type("C-d")
    s.told("goal (left)")
    expect(s.code() == 0, "exit code")


@test("pasted text does not approve, and several lines of it are one message")
def _(folder):
    s = screen(folder, "approvals")
    s.wait("Run it?")
    s.paste("y\n")
    s.wait("pasted text does not")
    s.type("n")
    s.wait("Why not?")
    s.paste("first\nsecond")
    s.wait("second")
    s.type("Enter")
    s.told("reply approve/c1/0 no first", "second")


@test("what was typed before a question came does not answer it, and is kept")
def _(folder):
    s = screen(folder, "asks-late")
    s.wait("Type something.")
    s.literally("my y")
    s.wait("> my y")
    open(s.log + ".go", "w").close()
    s.wait("Run it?", "kept for later: my y")
    s.literally("y")
    s.wait("pause, then answer")
    expect(not os.path.exists(s.log), "the agent was told something")
    end = time.monotonic() + DEADLINE
    # Counts only after a pause: tried again until it does.
    while not os.path.exists(s.log):
        expect(time.monotonic() < end, s.text())
        time.sleep(0.6)
        s.literally("y")
    s.told("reply approve/c1/0 yes ")
    s.wait("> my y")


@test("what is typed while the model writes is queued, and is in the line again when the turn is stopped")
def _(folder):
    s = screen(folder, "streams")
    s.wait("word5")
    s.literally("and the tests")
    s.wait("> and the tests")
    s.type("Enter")
    s.wait("queued: and the tests")
    s.type("Escape")
    s.wait("aborted", "ready", "> and the tests")
    s.told("stop")
    s.type("Enter")
    s.wait("You said: and the tests")


@test("the hint about Ctrl-C goes when it does not hold any longer")
def _(folder):
    s = screen(folder, "streams")
    s.wait("word9")
    s.type("C-c")
    s.wait("aborted", "Ctrl-C again quits")
    s.until(lambda text: "Ctrl-C" not in text, "the end of the hint")


@test("a question is answered by number or in own words; a limit by a key")
def _(folder):
    s = screen(folder, "questions")
    text = s.wait("Which parser do you mean?", "1  the old one", "2  the new one", "1 to 2, or your own words")
    s.type("2", "Enter")
    s.wait("So it is: the new one", "--max-turns")
    s.wait("Go on?  y go on")
    s.type("y")
    s.told("reply question/c1 words the new one", "reply limit/turns/9/0 yes ")
    s.wait("completed")


@test("without colour there are no colours, and everything is said in words")
def _(folder):
    s = screen(folder, "approvals", colour=False)
    s.wait("Run it?")
    text = s.text(escapes=True)
    expect(not re.search(r"\x1b\[[0-9;]*m", text), repr(text))
    expect("-  return 1;" in text and "Mended" in text, text)
    s.end()


@test("with colours a diff is red and green")
def _(folder):
    s = screen(folder, "approvals")
    s.wait("Run it?")
    text = s.text(escapes=True)
    expect("\x1b[31m-  return 1;" in text and "\x1b[32m+  return 0;" in text, repr(text))


@test("on 200 columns text fills the row")
def _(folder):
    s = screen(folder, "streams", width=200)
    text = s.wait("word60")
    row = next(line for line in text.splitlines() if line.startswith("word1 "))
    expect(190 <= len(row) <= 200, f"{len(row)} columns: {row}")


@test("on 20 columns nothing is lost, and a question can be answered")
def _(folder):
    s = screen(folder, "approvals", width=20, height=30)
    text = s.wait("Run it?", "q stop", "y yes")
    expect("  +  return 0;" in text, text)
    s.type("y")
    s.told("reply approve/c1/0 yes ")


@test("a window that changes its size is drawn anew, once")
def _(folder):
    s = screen(folder, "questions", width=100)
    s.wait("1 to 2, or your own words")
    typed = "some words that are typed here, and that fill more than half of a row"
    s.literally(typed)
    s.wait("half of a row")
    for width in (40, 120, 33, 80):
        s.resize(width)
        rows = ["> " + typed[:width - 2]] + ["  " + typed[i:i + width - 2] for i in range(width - 2, len(typed), width - 2)]
        s.wait("\n".join(row.rstrip() for row in rows) + "\n")
        text = s.until(lambda text: text.count("> some words") == 1, f"{width} columns, once")
        expect(text.count("Which parser do you mean?") == 1, text)
        expect(text.count("1 to 2, or your") == 1, text)
    s.type("Enter")
    s.wait("So it is: some words that are typed here")


@test("Ctrl-Z gives the terminal to the shell, and fg goes on")
def _(folder):
    s = screen(folder, "questions", shell=True)
    s.wait("1 to 2, or your own words")
    s.type("C-z")
    s.wait("Stopped")
    s.type("echo still $((40+2))", "Enter")
    s.wait("still 42")
    s.type("fg", "Enter")
    s.until(lambda text: text.count("1 to 2, or your own words") >= 1 and "\n>" in text.split("fg")[-1], "the question")
    s.type("1", "Enter")
    s.told("reply question/c1 words the old one")


@test("an exception, a plain kill and a crash leave the terminal as it was")
def _(folder):
    for n, (scene, sent) in enumerate((("throws", None), ("questions", signal.SIGTERM), ("questions", signal.SIGSEGV))):
        inner = os.path.join(folder, str(n))
        os.mkdir(inner)
        s = screen(inner, scene)
        if sent:
            s.wait("1 to 2, or your own words")
            pids = subprocess.run(["pgrep", "-f", f"{re.escape(DRIVER)} {scene} {re.escape(s.log)}$"],
                                  capture_output=True).stdout.split()
            for pid in pids:
                if os.path.basename(os.readlink(f"/proc/{int(pid)}/exe")) == os.path.basename(DRIVER):
                    os.kill(int(pid), sent)
        if sent == signal.SIGTERM:
            s.told("leave")
            s.wait("Which parser")
        s.code()
        s.end()


@test("history comes back with the cursor keys, also after a restart, and only its owner can read it")
def _(folder):
    s = screen(folder, "streams")
    s.wait("word3")
    s.type("first words", "Enter")
    s.wait("queued: first words")
    s.type("C-c")
    s.wait("aborted", "> first words")
    s.type("C-u", "C-d")
    s.code()
    s.end()
    expect(os.stat(s.log + ".history").st_mode & 0o777 == 0o600, "mode of the history")
    os.remove(s.log)
    os.remove(s.exit)
    s = screen(folder, "streams")
    s.wait("word3")
    s.type("Up")
    s.wait("> first words")


@test("Tab completes commands and names of files")
def _(folder):
    s = screen(folder, "questions", BELAY_DRIVER_WORKSPACE=folder)
    s.wait("1 to 2")
    s.type("1", "Enter")
    s.wait("--max-turns")
    s.type("y")
    s.wait("ready")
    s.type("/he", "Tab")
    s.wait("> /help")
    s.type("Enter")
    s.wait("/todos", "names of files")
    os.makedirs(os.path.join(folder, "sources"))
    s.literally("look at @sou")
    s.type("Tab")
    s.wait("> look at @sources/")


@test("twenty megabytes of text are shown, and keys work meanwhile")
def _(folder):
    s = screen(folder, "floods", "20")
    s.until(lambda _: os.path.exists(s.log) and "took" in open(s.log).read(), "the end of the flood")
    s.wait("completed")
    s.type("hello", "Enter")
    s.wait("You said: hello")


@test("a terminal that cannot redraw gets plain lines, each once")
def _(folder):
    s = screen(folder, "approvals", TERM="dumb")
    text = s.wait("Run it?")
    expect("\x1b" not in s.text(escapes=True), repr(s.text(escapes=True)))
    s.answer(["y", "Enter"], "git commit -am fix")
    s.answer(["no", "Enter"], "Why not?")
    s.type("not yet", "Enter")
    s.wait("They said: not yet")
    s.told("reply approve/c1/0 yes ", "reply approve/c2/0 no not yet")


def main():
    global DRIVER
    DRIVER = os.path.abspath(sys.argv[1])
    words = sys.argv[2:]
    if not shutil.which("tmux"):
        print("tmux is not there: tools/setup.sh test installs it")
        return 1
    failed = 0
    for sentence, function in TESTS:
        if not all(word in sentence for word in words):
            continue
        folder = tempfile.mkdtemp(prefix="screen-")
        begun = time.monotonic()
        try:
            function(folder)
            print(f"ok    {time.monotonic() - begun:5.1f} s  {sentence}")
        except (Failed, AssertionError, subprocess.TimeoutExpired) as why:
            failed += 1
            print(f"FAIL  {sentence}\n{why}")
        finally:
            while SCREENS:
                SCREENS.pop().end()
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(TESTS)} tests, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
