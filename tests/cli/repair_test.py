#!/usr/bin/env python3
"""Runs the belay program from outside, as a person or a script would.

  repair_test.py BELAY

Needs nothing but python3. Exit 0 when every test passes.
"""
import json
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BELAY = ""
TESTS = []


def test(sentence):
    def add(function):
        TESTS.append((sentence, function))
        return function
    return add


class Ran:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __repr__(self):
        return f"exit {self.code}, stdout {self.out[:300]!r}, stderr {self.err[:600]!r}"


def belay(*args, data=b"", **more):
    if isinstance(data, str):
        data = data.encode()
    if "stdin" not in more:
        more["input"] = data
    p = subprocess.run([BELAY, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, **more)
    return Ran(p.returncode, p.stdout, p.stderr)


def repair(data, *args, **more):
    return belay("repair", *args, data=data, **more)


def expect(condition, about):
    if not condition:
        raise AssertionError(about)


def same(got, wanted, about=None):
    expect(got == wanted, f"got {got!r}, wanted {wanted!r}" + (f" in {about}" if about else ""))


def report(data, *args):
    ran = repair(data, "--json", *args)
    expect(ran.out.endswith(b"\n") and ran.out.count(b"\n") == 1, f"one line expected: {ran}")
    return json.loads(ran.out), ran


def pieces(fd, wanted, seconds=60):
    """Reads until `wanted` bytes have come, or nothing more does."""
    got, end = b"", time.monotonic() + seconds
    while len(got) < wanted and time.monotonic() < end:
        if select.select([fd], [], [], 0.1)[0]:
            more = os.read(fd, 65536)
            if not more:
                break
            got += more
    return got


GUESS = '{"text": "he said "no" to me"}'
CUT = '{"path": "a.txt", "text": "hel'
PAGE = "<html><body>502 Bad Gateway</body></html>"


# ---- results

@test("valid JSON comes out compact, with exit 0 and a quiet stderr")
def _():
    ran = repair(' {"b": [1, 2.50, true, null, "\\u00e9"],\n "a": {}} \n')
    same((ran.code, ran.out, ran.err), (0, '{"b":[1,2.50,true,null,"é"],"a":{}}\n'.encode(), b""))


@test("safe damage is mended, with exit 0 and a quiet stderr")
def _():
    ran = repair("{'ok': True, 'tags': ['a', 'b',],}")
    same((ran.code, ran.out, ran.err), (0, b'{"ok":true,"tags":["a","b"]}\n', b""))


@test("glued values come out one a line")
def _():
    ran = repair('{"a":1}{"b":2}\n{"c":3}')
    same((ran.code, ran.out, ran.err), (0, b'{"a":1}\n{"b":2}\n{"c":3}\n', b""))


@test("more glued values than a call may have are no problem for a filter")
def _():
    ran = repair('{"a":1}\n' * 5000)
    same((ran.code, ran.out.count(b"\n")), (0, 5000), ran)


@test("a guess gives the value, exit 3, and says where and what to do")
def _():
    ran = repair(GUESS)
    same((ran.code, ran.out), (3, b'{"text":"he said \\"no\\" to me"}\n'), ran)
    expect(re.search(rb"line 1, column \d+, byte \d+: inner_quote", ran.err), ran)
    expect(b"guessed" in ran.err and b'write \\" for a quote inside a string' in ran.err, ran)


@test("a cut input gives what had arrived, exit 3, and the reason")
def _():
    ran = repair(CUT, "--end", "cut")
    same((ran.code, ran.out), (3, b'{"path":"a.txt","text":"hel"}\n'), ran)
    expect(b"truncated" in ran.err and b"byte 30" in ran.err, ran)


@test("the same input that was complete is a guess, not truncated")
def _():
    ran = repair(CUT)
    same((ran.code, ran.out), (3, b'{"path":"a.txt","text":"hel"}\n'), ran)
    expect(b"guessed" in ran.err, ran)


@test("an input without a value is broken: exit 1, nothing on stdout, the reason on stderr")
def _():
    for data in (PAGE, "", "   \n"):
        ran = repair(data)
        same((ran.code, ran.out), (1, b""), ran)
        expect(b"broken" in ran.err and (f"  {len(data)} bytes were read\n" if data else "the text is empty\n").encode() in ran.err, ran)
        same(ran.err.lower().count(b"send"), 1, ran)


@test("what lacks something at the end is shown at the last line with text, and once")
def _():
    for args in (("--strict",), ("--end", "cut"), ()):
        ran = repair('{"a": [1, {"b": 2\n\n', *args)
        expect(b"line 1, column 18, byte 17: " in ran.err, ran)
        expect(b'\n    {"a": [1, {"b": 2\n                     ^\n' in ran.err, ran)
    same(ran.err.count(b"missing_closer"), 1, ran)
    expect(b"missing_closer (guess), 3 times" in ran.err, ran)
    ran = repair("[" + "1,\n" * 100_000 + "1\n")
    expect(b"\n    1\n     ^\n" in ran.err, ran)


@test("excerpts keep the white space before them")
def _():
    ran = repair("[1,\n   x, 2]", "--strict")
    expect(b"\n       x, 2]\n       ^\n" in ran.err, ran)


@test("lines and columns count from 1, and excerpts point at the place")
def _():
    ran = repair('{\n  "a": 1,\n  "b": "x "y" z"\n}\n')
    same(ran.code, 3, ran)
    expect(b"line 3, column 11, byte 22" in ran.err, ran)
    lines = ran.err.decode().splitlines()
    at = next(i for i, line in enumerate(lines) if '"b": "x' in line)
    same(lines[at][lines[at + 1].index("^")], '"', ran)


@test("--verbose lists safe changes too")
def _():
    ran = repair('{"a": 1,}', "--verbose")
    same((ran.code, ran.out), (0, b'{"a":1}\n'), ran)
    expect(b"mended" in ran.err and b"trailing_comma (safe)" in ran.err, ran)


@test("--strict accepts RFC 8259 and refuses the rest with a position")
def _():
    same(repair('[1, 2]', "--strict").out, b"[1,2]\n")
    ran = repair('[1,\n 2,]', "--strict")
    same((ran.code, ran.out), (1, b""), ran)
    expect(b"line 2, column 4, byte 7" in ran.err, ran)


@test("--root object takes the object and leaves what stands around it")
def _():
    ran = repair('call [1] with {"a": 1}', "--root", "object")
    same(ran.out, b'{"a":1}\n', ran)
    for args in ((), ("--strict",)):
        ran = repair("[1,2]", "--root", "object", *args)
        same((ran.code, ran.out), (1, b""), ran)
        expect(b"no JSON object" in ran.err and b"Send one JSON object" in ran.err, ran)
        expect(b"does not allow" not in ran.err, ran)


@test("a root number counts when it is the whole input")
def _():
    same(repair("42").out, b"42\n")
    same(repair("12345678901234567890123").out, b"12345678901234567890123\n")


# ---- the report

@test("--json has exactly the keys of the contract, in order")
def _():
    ran = repair('{"a": 1,}', "--json")
    pairs = json.loads(ran.out, object_pairs_hook=list)
    same([k for k, _ in pairs], ["verdict", "values", "edits", "edits_total", "error"], ran)
    same([k for k, _ in dict(pairs)["edits"][0]], ["kind", "offset", "length", "grade"], ran)
    same(ran.out, b'{"verdict":"mended","values":[{"a":1}],"edits":[{"kind":"trailing_comma","offset":7,"length":1,'
                  b'"grade":"safe"}],"edits_total":1,"error":null}\n')
    ran = repair(CUT, "--json", "--end", "cut")
    pairs = json.loads(ran.out, object_pairs_hook=list)
    same([k for k, _ in dict(pairs)["error"]], ["kind", "message", "offset", "line", "column"], ran)


@test("--json has an error for truncated and broken only, and the same exit codes")
def _():
    for data, args, verdict, code, error in (
            ('{"a":1}', (), "valid", 0, False), ('{"a":1,}', (), "mended", 0, False),
            ('{"a":1}{"a":2}', (), "split", 0, False), (GUESS, (), "guessed", 3, False),
            (CUT, ("--end", "cut"), "truncated", 3, True), (PAGE, (), "broken", 1, True),
            ("[1,]", ("--strict",), "broken", 1, True)):
        got, ran = report(data, *args)
        same((got["verdict"], ran.code, got["error"] is not None), (verdict, code, error), ran)
        same(ran.err, b"", "stderr, since the report says it all")


@test("any --chunk gives the same report")
def _():
    for data in (GUESS, CUT, "```json\n{'a': \"\u20ac\\u20ac\\ud83d\\ude00\", b: .5,}\n``` ok", '{"a":1}{"b":2} x'):
        for end in ("complete", "cut"):
            whole = repair(data, "--json", "--end", end)
            for chunk in ("1", "2", "3", "7", "1K"):
                ran = repair(data, "--json", "--end", end, "--chunk", chunk)
                same((ran.code, ran.out), (whole.code, whole.out), f"--chunk {chunk} of {data!r}")


# ---- streaming

@test("--stream passes JSON without damage byte for byte")
def _():
    data = ' {"a": [1, 2.50,\t"\\u00e9\\/"],\n "b": {}}\n'
    ran = repair(data, "--stream", "--chunk", "1")
    same((ran.code, ran.out, ran.err), (0, data.encode(), b""))


@test("--stream ends the last line of text that was mended")
def _():
    same(repair('{"a": 1}', "--stream").out, b'{"a": 1}')
    ran = repair("{'a': 1,}", "--stream")
    same((ran.code, json.loads(ran.out), ran.out[-1:]), (0, {"a": 1}, b"\n"), ran)
    same([json.loads(x) for x in repair('{"a":1}{"b":2}', "--stream").out.splitlines()], [{"a": 1}, {"b": 2}])


@test("--stream writes what is certain before the input ends")
def _():
    p = subprocess.Popen([BELAY, "repair", "--stream"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    p.stdin.write(b'{"text": "one two thr')
    first = pieces(p.stdout.fileno(), 18)
    expect(b'{"text": "one two' in first, f"got {first!r} while the input was open")
    p.stdin.write(b'ee", "n": 1,}')
    p.stdin.close()
    rest = p.stdout.read()
    same((p.wait(), json.loads(first + rest)), (0, {"text": "one two three", "n": 1}))


@test("--stream stops before the first guess, closes nothing, and exits 3 with the reason")
def _():
    ran = repair('{"a": 1, ' + GUESS[1:], "--stream")
    same(ran.code, 3, ran)
    expect('{"a": 1, "text": "he said "no" to me"}'.encode().startswith(ran.out), ran)
    expect(ran.out.startswith(b'{"a": 1'), ran)
    expect(b"inner_quote" in ran.err, ran)


@test("--stream stops where a cut input ends")
def _():
    ran = repair(CUT, "--stream", "--end", "cut")
    same((ran.code, ran.out), (3, CUT.encode()), ran)
    expect(b"truncated" in ran.err, ran)


@test("what was cut before anything was certain has no value, and is not said to have one")
def _():
    ran = repair("12", "--end", "cut")
    same((ran.code, ran.out), (3, b""), ran)
    expect(b"no value was written" in ran.err and b"what had arrived" not in ran.err, ran)


@test("text in the place of FILE: the error says where text goes")
def _():
    ran = repair("", '{"a":1,}')
    same((ran.code, ran.out), (2, b""), ran)
    expect(b"standard input" in ran.err, ran)
    expect(b"standard input" not in repair("", "no-such-file").err, ran)


@test("a second FILE is one too many, also when it is -")
def _():
    ran = repair("", "a.json", "-")
    same(ran.code, 2, ran)
    expect(b"'-' is one too many" in ran.err, ran)
    ran = repair("", "--", "a.json", "-b.json")
    expect(b"'-b.json' is one too many" in ran.err, ran)


@test("a limit of no values is refused; a change that is not listed leaves no list of remedies")
def _():
    expect(b"1 at least" in repair("1", "--limit", "values=0").err, "values=0")
    ran = repair("[1 2]", "--limit", "edits=0")
    same(ran.code, 3, ran)
    expect(b"next time" not in ran.err, ran)


@test("--stream that stops says after how many bytes, why, and that the output is no value")
def _():
    ran = repair('{"a": [1, 2, 007]}', "--stream")
    same((ran.code, ran.out), (3, b'{"a": [1, 2'), ran)
    expect(b"The output stopped after 11 bytes, because of the guess at byte 13 of the input: it is a prefix of a value, "
           b"and not closed.\n" in ran.err, ran)
    expect(b"Look at the value" not in ran.err and b"Without --stream" in ran.err, ran)
    ran = repair(CUT, "--stream", "--end", "cut")
    expect(f"The output stopped after {len(CUT)} bytes, where the input was cut off".encode() in ran.err, ran)
    ran = repair("[1, x", "--stream", "--strict")
    expect(b"The output stopped after 2 bytes at this place: it is a prefix" in ran.err, ran)
    ran = repair(PAGE, "--stream")
    expect(b"Nothing was written" in ran.err, ran)
    for data, args in (('{"abc":1}', ("--limit", "bytes=4")), ("[01]", ("--strict",)), ("12", ("--end", "cut"))):
        ran = repair(data, "--stream", *args)
        same(ran.out, b"", ran)
        expect(b"Nothing was written.\n" in ran.err, ran)


@test("edits that are only counted are spoken of where others are shown, not beside an error that they do not explain")
def _():
    ran = repair("[1]," * 100, "--limit", "bytes=300", "--limit", "edits=2")
    same(ran.code, 1, ran)
    expect(b"bytes" in ran.err and b"further" not in ran.err, ran)
    expect(b"further edits are counted" in repair("[1 2 3 4]", "--limit", "edits=1").err, "a guess")


@test("--stream on a terminal ends its line, also when the report goes elsewhere")
def _():
    terminal, other = pty.openpty()
    p = subprocess.run([BELAY, "repair", "--stream"], input=b'{"a": [1, 007]}', stdout=other, stderr=subprocess.PIPE)
    os.close(other)
    same(os.read(terminal, 100), b'{"a": [1\r\n')
    expect(b"stopped after 8 bytes" in p.stderr, p.stderr)
    os.close(terminal)


@test("what is wrong, where, what to do: sentences in this order, for people at a shell")
def _():
    ran = repair("", "--root", "any")
    same(ran.err, b"belay repair: broken: there is no JSON here: the text is empty\nSend one JSON value.\n", ran)
    ran = repair("hello\n")
    expect(b"there is no JSON value in this text\n  6 bytes were read\n    hello\n" in ran.err, ran)
    expect(b"counts only when it is the whole text" in ran.err, ran)
    for text in ("hello\n", ""):
        expect(repair(text, "--end", "cut").err.endswith(b"Ask for the rest.\n"), text)
    for text, words in (('{"a" 1}', b"a colon behind the key"), ('{"a":1,}', b"a key in double quotes"),
                        ("[1 2]", b"a comma, or the closing bracket"), ("[1,]", b"wants a value\n"),
                        ("{1:2}", b"a key in double quotes, or the closing"), ("\ufeff1", b"wants a value\n")):
        expect(words in repair(text, "--strict").err, (text, words))
    ran = repair('["\x01"]', "--strict")
    expect(ran.err.endswith(b"It must be escaped.\nWithout --strict it is mended where possible, every change listed.\n"), ran)
    for args in (("--strict",), ("--strict", "--json")):
        ran = repair("[" * 5000 + "]" * 5000, *args)
        expect(b"--limit depth=N" in ran.err + ran.out and b"Limits::" not in ran.err + ran.out, ran)


@test("--stream of a broken input exits 1")
def _():
    ran = repair(PAGE, "--stream")
    same((ran.code, ran.out), (1, b""), ran)
    ran = repair("[1, 2, x", "--stream", "--strict")
    same(ran.code, 1, ran)
    expect(b"[1, 2".startswith(ran.out[:5]), ran)


@test("--strict shows the same line for any --chunk")
def _():
    for data in (b"[1, 2 x, 3]", '{"lines": [\u2018a\u2019, "b"]}'.encode()):
        whole = repair(data, "--strict")
        same(whole.code, 1)
        for chunk in ("1", "2", "3", "5"):
            ran = repair(data, "--strict", "--chunk", chunk)
            same((ran.code, ran.err), (whole.code, whole.err), f"--chunk {chunk} of {data!r}")


@test("--stream gives the same bytes for any --chunk")
def _():
    for data in (GUESS, CUT, "```json\n{'a': \"\u20ac\\u20ac\\ud83d\\ude00\", b: .5,}\n``` ok", '{"a":1}{"b":2} x'):
        whole = repair(data, "--stream")
        for chunk in ("1", "2", "5"):
            ran = repair(data, "--stream", "--chunk", chunk)
            same((ran.code, ran.out), (whole.code, whole.out), f"--chunk {chunk} of {data!r}")


# ---- usage

@test("wrong usage exits 2 and says what is wrong")
def _():
    for args, word in (
            (("repair", "--frob"), b"--frob"), (("repair", "--strct"), b"did you mean --strict?"),
            (("repair", "--end", "maybe"), b"complete or cut"), (("repair", "--root", "list"), b"any or object"),
            (("repair", "--end"), b"--end"), (("repair", "--strict=maybe"), b"--strict takes no value"),
            (("repair", "--json=1"), b"--json takes no value"), (("repair", "--json", "--stream"), b"exclude"),
            (("repair", "--chunk", "0"), b"--chunk"), (("repair", "--chunk", "x"), b"whole number"),
            (("repair", "a", "b"), b"'b'"), ((), b"command"), (("repiar",), b"did you mean repair?"),
            (("serve",), b"no command 'serve'"), (("--versoin",), b"did you mean --version?"),
            (("demo", "x"), b"no arguments"), (("help", "nothing"), b"no command")):
        ran = belay(*args)
        same((ran.code, ran.out), (2, b""), f"{args}: {ran}")
        expect(word in ran.err and b"--help" in ran.err, f"{args}: {ran}")


@test("a limit that does not exist exits 2 and lists those that do")
def _():
    ran = repair("1", "--limit", "width=3")
    same(ran.code, 2, ran)
    for name in (b"depth", b"bytes", b"edits", b"values"):
        expect(name in ran.err, ran)
        same(repair("1", "--limit", name.decode() + "=1K").code, 0, name)
    for wrong in ("depth", "depth=", "depth=many", "depth=-1", "depth=1T", "depth=99999999999999999999",
                  "bytes=99999999999G"):
        same(repair("1", "--limit", wrong).code, 2, wrong)


@test("limits hold, name themselves, and can be raised with K, M and G")
def _():
    deep = "[" * 1025 + "]" * 1025
    ran = repair(deep)
    same((ran.code, ran.out), (1, b""), ran)
    expect(b"depth" in ran.err and b"--limit" in ran.err, ran)
    same(repair(deep, "--limit", "depth=2K").out, deep.encode() + b"\n")
    for setting, data in (("bytes=4", "[1,2,3]"), ("values=2", "[1][2][3]")):
        ran = repair(data, "--limit", setting)
        same(ran.code, 1, ran)
        expect(setting.split("=")[0].encode() in ran.err and b"--limit" in ran.err, ran)
    got, _ = report("[1,,,,,,2,]", "--limit", "edits=2", "--limit", "depth=5")
    same(len(got["edits"]), 2, got)
    expect(got["edits_total"] > 2, got)


@test("--limit takes one value, so that FILE may follow")
def _():
    with tempfile.NamedTemporaryFile() as f:
        f.write(b"[1]")
        f.flush()
        same(belay("repair", "--limit", "depth=5", f.name).out, b"[1]\n")


# ---- files, pipes and full disks

@test("a file, a dash and no argument are all read")
def _():
    with tempfile.TemporaryDirectory() as d:
        for name in ("in.json", "repair", "-dash"):
            with open(os.path.join(d, name), "w") as f:
                f.write("[1,]")
        same(belay("repair", "in.json", cwd=d).out, b"[1]\n")
        same(belay("repair", "repair", cwd=d).out, b"[1]\n")
        same(belay("repair", "--", "-dash", cwd=d).out, b"[1]\n")
        same(belay("repair", os.path.join(d, "in.json"), data="").out, b"[1]\n")
        same(belay("repair", os.path.join(d, "missing")).code, 2)
    same(belay("repair", "-", data="[2]").out, b"[2]\n")


@test("a file that cannot be read exits 2 and says why")
def _():
    with tempfile.TemporaryDirectory() as d:
        for path, why in ((os.path.join(d, "none"), b"No such file"), (d, b"directory"), ("", b"cannot read ''")):
            ran = belay("repair", path)
            same((ran.code, ran.out), (2, b""), ran)
            expect(why in ran.err, ran)
    p = subprocess.run(["sh", "-c", '"$0" repair <&-', BELAY], capture_output=True)
    same(p.returncode, 2, p.stderr)
    expect(b"standard input" in p.stderr, p.stderr)


@test("a full disk exits 1 and says so")
def _():
    if not os.path.exists("/dev/full"):
        return
    for flag in ("--stream", "--verbose", "--json"):
        with open("/dev/full", "wb") as full:
            p = subprocess.run([BELAY, "repair", flag], input=b"[1]", stdout=full, stderr=subprocess.PIPE)
        same(p.returncode, 1, p.stderr)
        expect(b"No space left" in p.stderr, p.stderr)


@test("a reader that goes away ends it quietly with exit 1")
def _():
    for flags in ([], ["--stream"]):
        p = subprocess.Popen([BELAY, "repair", *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        p.stdout.close()
        try:
            p.stdin.write(b"[" + b'"x",' * 100_000 + b'"x"]')
            p.stdin.close()
        except BrokenPipeError:
            pass
        same((p.wait(), p.stderr.read()), (1, b""))
        p.stderr.close()


@test("a large input is read in pieces, and its output arrives whole")
def _():
    rows = ",\n".join('{"id":%d,"name":"row %d"}' % (i, i) for i in range(60_000))
    ran = repair("[" + rows + ",]")
    same(ran.code, 0, ran.err)
    same(ran.out, ("[" + rows.replace("\n", "") + "]\n").encode(), "the rows")
    ran = repair("[" + rows + ",]", "--stream", "--chunk", "1000")
    same((ran.code, len(json.loads(ran.out))), (0, 60_000), ran.err)


@test("positions are right after many lines")
def _():
    ran = repair("[\n" + "1,\n" * 100_000 + '{"a": "x "y" z"}]')
    same(ran.code, 3, ran)
    expect(b"line 100002, column " in ran.err, ran)


@test("control characters of the input never reach the terminal raw")
def _():
    for data in ('{"a": "x\x1b[31m "y" \x9b z"}', "\x1b]0;title\x07 nothing", '{"a": "\u202e "q" "}'):
        for args in ((), ("--verbose",), ("--strict",)):
            ran = repair(data, *args)
            expect(not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80\xae", ran.err), ran)
    ran = belay("repair", "--end", "\x1b[31m")
    expect(b"\x1b" not in ran.err, ran)
    ran = belay("repair", "/none/\x1b[31m")
    expect(b"\x1b" not in ran.err, ran)


@test("on a terminal, control characters that JSON does not escape are escapes; elsewhere they are bytes")
def _():
    def shown(*args, data):
        """What a terminal gets on standard output, its line feeds aside."""
        terminal, other = pty.openpty()
        p = subprocess.Popen([BELAY, *args], stdin=subprocess.PIPE, stdout=other, stderr=subprocess.DEVNULL)
        os.close(other)
        p.stdin.write(data)
        p.stdin.close()
        out = b""
        while True:
            try:
                out += os.read(terminal, 65536)
            except OSError:  # all of it was read
                break
        os.close(terminal)
        p.wait()
        return out.replace(b"\r\n", b"\n")

    every = "".join(map(chr, range(0x7f, 0xa2))).encode()
    escaped = "".join(rf"\u{c:04x}" for c in range(0x7f, 0xa0)).encode() + "\xa0\xa1".encode()
    value = b'{"a":"' + every + b'"}'
    for args in ((), ("--stream",), ("--stream", "--chunk", "1")):
        same(shown("repair", *args, data=value), b'{"a":"' + escaped + b'"}\n', args)
        same(repair(value, *args).out.strip(), value, args)
    # However it falls into what is written at a time, and at the end of it all.
    big = b"x" * 65_500
    same(shown("repair", data=b'["' + big + every * 9 + b'"]'), b'["' + big + escaped * 9 + b'"]\n')
    same(shown("repair", "--stream", "--end", "cut", data=b'["' + every[:2]), b'["\\u007f\n')
    for args in (("repair", "--json"), ("repair", "--json", "--strict"), ("parse", "--wire", "text")):
        out = shown(*args, data=value)
        expect(escaped[:-4] in out and not re.search(rb"\x7f|\xc2[\x80-\x9f]", out), out)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as schema:
        schema.write("{}")
        schema.flush()
        for args in (("--align",), ("--align", "--json")):
            out = shown("schema", schema.name, *args, data=value)
            expect(escaped[:-4] in out and not re.search(rb"\x7f|\xc2[\x80-\x9f]", out), out)


# ---- the contract of the command line

@test("valid, mended and split exit 0 and are quiet")
def _():
    for data, out in (
            ('{"a": 1}', '{"a":1}\n'), ("{'a': True,}", '{"a":true}\n'),
            ('{"a":1}\n{"b":2}', '{"a":1}\n{"b":2}\n'), ('"text"', '"text"\n'),
            ("[12345678901234567890123]", "[12345678901234567890123]\n")):
        ran = repair(data)
        same((ran.code, ran.out, ran.err), (0, out.encode(), b""), data)


@test("guessed and truncated exit 3, write the best value and say why")
def _():
    ran = repair('{"a":1')
    same((ran.code, ran.out), (3, b'{"a":1}\n'), ran)
    expect(b"guess" in ran.err, ran)
    ran = repair('{"a":"x', "--end", "cut")
    same((ran.code, ran.out), (3, b'{"a":"x"}\n'), ran)
    expect(b"truncated" in ran.err, ran)


@test("broken exits 1 with a reason and nothing on stdout")
def _():
    for data in ("", "no value here", ":"):
        ran = repair(data)
        same((ran.code, ran.out), (1, b""), ran)
        expect(ran.err != b"", data)


@test("wrong values of options exit 2, whatever the input is")
def _():
    for args in (("--end", "soon"), ("--root", "list"), ("--chunk", "0"), ("--chunk", "x"), ("--no-such-flag",),
                 ("--limit", "width=3"), ("--limit", "depth"), ("--limit", "depth=x"), ("--json", "--stream")):
        ran = repair("{}", *args)
        same((ran.code, ran.out), (2, b""), args)
        expect(ran.err != b"", args)


@test("--strict mends nothing, and keeps repeated keys")
def _():
    for data, code, out in (('{"a":1}', 0, b'{"a":1}\n'), ('{"a":1,}', 1, b""), ("{}{}", 1, b""),
                            ('{"a":1,"a":2}', 0, b'{"a":1,"a":2}\n')):
        ran = repair(data, "--strict")
        same((ran.code, ran.out), (code, out), ran)


@test("--root object takes lists and scalars for prose")
def _():
    ran = repair('[1,2] {"a":1}', "--root", "object")
    same((ran.code, ran.out), (0, b'{"a":1}\n'), ran)
    same(repair("[1,2]", "--root", "object").code, 1)


@test("the report has the documented shape")
def _():
    ran = repair('{"ab": 1,}', "--json")
    same((ran.code, ran.err), (0, b""), ran)
    same(ran.out, b'{"verdict":"mended","values":[{"ab":1}],"edits":[{"kind":"trailing_comma","offset":8,"length":1,'
                  b'"grade":"safe"}],"edits_total":1,"error":null}\n')


@test("the report of a failure says where")
def _():
    got, ran = report('{"a":1,\n"b":"x', "--end", "cut")
    same((ran.code, got["verdict"], got["values"]), (3, "truncated", [{"a": 1, "b": "x"}]))
    error = got["error"]
    same(sorted(error), ["column", "kind", "line", "message", "offset"])
    same((error["kind"], error["offset"], error["line"], error["column"]), ("truncated", 14, 2, 7))
    got, ran = report("nothing")
    same((ran.code, got["verdict"], got["values"], got["error"]["kind"]), (1, "broken", [], "no_value"))


@test("the report of strict mode names the deviation")
def _():
    got, ran = report("[1,\n 2,]", "--strict")
    error = got["error"]
    same((ran.code, error["kind"], error["offset"], error["line"], error["column"]), (1, "unexpected_byte", 7, 2, 4))


@test("any --chunk gives the same exit, report and messages")
def _():
    for data in ('{"a":"é😀\\u00e9", b: [1,2,], \'c\': None}', '{"a":"say "hi" now"}', 'Sure: {"a":1}} bye', "{}{}[]",
                 "{"):
        whole = repair(data, "--json")
        for chunk in ("1", "2", "7", "64", "4096"):
            ran = repair(data, "--json", "--chunk", chunk)
            same((ran.code, ran.out, ran.err), (whole.code, whole.out, whole.err), (data, chunk))


@test("--stream passes any JSON text byte for byte")
def _():
    for data in ('{"a" : [1, 2.50e1 ]}\n', ' "x\\u0041" ', "[]"):
        ran = repair(data, "--stream")
        same((ran.code, ran.out), (0, data.encode()), ran)


@test("--stream goes through safe edits")
def _():
    ran = repair("Here: {'a': True,} Done.", "--stream")
    same((ran.code, json.loads(ran.out)), (0, {"a": True}), ran)


@test("--stream gives a prefix of what was certain before a guess or a cut")
def _():
    ran = repair('{"a":1,"b":007,"c":3}', "--stream")
    same(ran.code, 3, ran)
    expect(b'{"a":1,"b":'.startswith(ran.out), ran)
    ran = repair('{"a":[1,"x', "--stream", "--end", "cut")
    same(ran.code, 3, ran)
    expect(b'{"a":[1,"x'.startswith(ran.out), ran)


@test("--stream writes the first byte while the input is open")
def _():
    p = subprocess.Popen([BELAY, "repair", "--stream"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, bufsize=0)
    p.stdin.write(b'{"path":"src/main')
    same(pieces(p.stdout.fileno(), 1)[:1], b"{")
    p.stdin.close()
    p.stdout.read()
    p.stdout.close()
    p.wait(timeout=60)


@test("limits are errors that name themselves in the report too")
def _():
    for limit, data in (("depth=2", "[[[]]]"), ("bytes=5", "[1,2,3,4]"), ("values=1", "{}{}")):
        got, ran = report(data, "--limit", limit)
        same((ran.code, got["error"]["kind"]), (1, "limit"), limit)
        expect("--limit " + limit.split("=")[0] + "=" in got["error"]["message"], got)
    same(repair("{}" * 100).code, 0, "belay repair has no limit of values")
    deep = "[" * 2000 + "]" * 2000
    same((repair(deep).code, repair(deep, "--limit", "depth=2000").code), (1, 0))


@test("edits beyond the limit are counted")
def _():
    got, _ = report("{a:{b:{c:1,},},}", "--limit", "edits=2")
    same((got["verdict"], len(got["edits"]), got["edits_total"]), ("mended", 2, 6))


@test("the help names every option of the contract")
def _():
    ran = belay("repair", "--help")
    same(ran.code, 0, ran)
    for option in (b"--strict", b"--end", b"--root", b"--json", b"--stream", b"--chunk", b"--limit"):
        expect(option in ran.out, option)


@test("bytes that are not UTF-8 come out as UTF-8")
def _():
    ran = repair(b'{"a":"\xff"}')
    same((ran.code, ran.out), (3, '{"a":"\ufffd"}\n'.encode()), ran)


# ---- help, demo and documents

@test("help and version go to stdout with exit 0, in 80 columns")
def _():
    for args in (("--help",), ("-h",), ("help",), ("repair", "--help"), ("help", "repair"), ("demo", "--help"),
                 ("--version",)):
        ran = belay(*args)
        same((ran.code, ran.err), (0, b""), ran)
        for line in ran.out.decode("ascii").splitlines():
            expect(len(line) <= 80, f"{args}: {line!r} is {len(line)} wide")
    expect(re.fullmatch(rb"belay \d+\.\d+\.\d+\n", belay("--version").out), belay("--version"))
    manual = belay("repair", "--help").out
    for section in (b"NAME", b"SYNOPSIS", b"DESCRIPTION", b"OPTIONS", b"VERDICTS", b"EXIT STATUS", b"LIMITS",
                    b"EXAMPLES"):
        expect(b"\n" + section + b"\n" in b"\n" + manual, section)
    for word, there in ((b"run", True), (b"replay", True), (b"serve", False)):
        expect(bool(re.search(rb"^  " + word + rb"\b", belay("--help").out, re.M)) == there, word)


def transcripts(text, indent):
    """Pairs of a command after '$ ' and the lines that follow it, up to a blank line or the next command."""
    found, lines = [], text.splitlines()
    for i, line in enumerate(lines):
        if not line.startswith(indent + "$ "):
            continue
        output = []
        for after in lines[i + 1:]:
            if not after.startswith(indent) or after.startswith(indent + "$ ") or not after.strip():
                break
            output.append(after[len(indent):])
        found.append((line[len(indent) + 2:], "\n".join(output)))
    return found


def run_transcripts(found, about, files=None, before=()):
    with tempfile.TemporaryDirectory() as d:
        os.symlink(os.path.abspath(BELAY), os.path.join(d, "belay"))
        env = dict(os.environ, PATH=d + ":" + os.environ["PATH"], BELAY_HOME=os.path.join(d, "home"))
        for name, text in (files or {}).items():
            with open(os.path.join(d, name), "w", encoding="utf-8") as f:
                f.write(text)
        for command in before:
            subprocess.run(["sh", "-c", command], cwd=d, env=env, check=True, capture_output=True)
        for command, output in found:
            p = subprocess.run(["sh", "-c", command], cwd=d, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            same(p.stdout.decode().rstrip("\n"), output, f"{about}: $ {command}")


@test("every example in the help texts gives what they say")
def _():
    overview = transcripts(belay("--help").out.decode(), "  ")
    manual = transcripts(belay("repair", "--help").out.decode(), "        ")
    expect(len(overview) >= 1 and len(manual) >= 4, (overview, manual))
    run_transcripts(overview + manual, "help")


@test("every transcript in the README gives what it says")
def _():
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as f:
        readme = f.read()
    blocks = re.findall(r"```console\n(.*?)```", readme, re.S)
    found = [t for block in blocks if "belay" in block for t in transcripts(block, "")]
    expect(len(found) >= 3, found)
    # What the text before the transcript of `belay mcp call` says to do.
    servers = next(block for block in re.findall(r"```json\n(.*?)```", readme, re.S) if '"mcpServers"' in block)
    run_transcripts(found, "README", {".mcp.json": servers, "notes.txt": "remember the milk\n"},
                    ["belay mcp approve --yes belay"])


@test("the demo is plain without a terminal, in 80 columns, and shows every verdict")
def _():
    ran = belay("demo")
    same((ran.code, ran.err), (0, b""), ran)
    expect(not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", ran.out), "control characters")
    for line in ran.out.decode().splitlines():
        expect(len(line) <= 80, f"{line!r} is {len(line)} wide")
    for verdict in (b"mended", b"split", b"guessed", b"truncated", b"broken"):
        expect(b"verdict: " + verdict in ran.out, verdict)


def on_terminal(*args, typed=b"", code=0, **env):
    pid, fd = pty.fork()
    if pid == 0:
        os.execve(BELAY, [BELAY, *args], dict(os.environ, TERM="xterm", **env))
    out = b""
    if typed:
        while b"Ctrl-D" not in out:
            out += os.read(fd, 65536)
        os.write(fd, typed)
    while True:
        try:
            more = os.read(fd, 65536)
        except OSError:
            break
        if not more:
            break
        out += more
    os.close(fd)
    same(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), code, out)
    return out.replace(b"\r\n", b"\n")


@test("on a terminal it says that it reads what is typed, and a report begins on a line of its own")
def _():
    out = on_terminal("repair", "--stream", typed=b'{"a": [1, 2, 007]}\n\x04', code=3)
    expect(b"reading what you type" in out, out)
    expect(re.search(rb"\n\{\"a\": ?\[1, ?2,? ?\nbelay repair: guessed", out), out)
    out = on_terminal("repair", typed=b"[1,]\n\x04")
    expect(out.endswith(b"\n[1]\n"), out)


@test("the demo is coloured on a terminal, unless NO_COLOR is set")
def _():
    os.environ.pop("NO_COLOR", None)
    expect(b"\x1b[" in on_terminal("demo"), "no colour")
    expect(b"\x1b" not in on_terminal("demo", NO_COLOR="1"), "colour")


@test("a guess of a kind that is certain elsewhere says what else it may be")
def guess_says_why():
    ran = repair("{'a': 1, # b', 'c': 2\n}")
    same(ran.code, 3, ran)
    expect(b"a comment; it may hide a part of the value" in ran.err, ran)
    certain = repair("{\"a\": 1, # one\n \"b\": 2}")
    same((certain.code, certain.err), (0, b""), certain)


@test("a guess about the end names --end cut; others do not")
def the_end_may_be_a_cut():
    for data in ('{"a": [1', '{"a": "x', '{"a": "say "hi" now"'):
        expect(b"--end cut" in repair(data).err, data)
    for data in (GUESS, '{"a": 007}'):
        expect(b"--end cut" not in repair(data).err, data)


@test("UTF-16 is named as such, with or without its mark")
def utf16_is_named():
    for data in ('{"a": 1}'.encode("utf-16"), '{"a": 1}'.encode("utf-16-le"), '{"a": 1}'.encode("utf-16-be")):
        for mode in ([], ["--strict"]):
            ran = repair(data, *mode)
            expect(ran.code in (1, 3), ran)
            expect(b"UTF-16" in ran.err and b"iconv" in ran.err, ran)


def main():
    global BELAY
    if len(sys.argv) != 2:
        print(__doc__.strip())
        return 2
    BELAY = os.path.abspath(sys.argv[1])
    failed = 0
    for sentence, function in TESTS:
        try:
            function()
            print(f"ok: {sentence}")
        except Exception as e:  # a test that cannot run has failed too
            failed += 1
            print(f"FAILED: {sentence}\n    {type(e).__name__}: {e}")
    print(f"{len(TESTS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
