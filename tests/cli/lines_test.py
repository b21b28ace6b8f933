#!/usr/bin/env python3
"""Runs `belay repair`, `belay schema` and `belay parse` with --lines from outside, as a person or a script would.

  lines_test.py BELAY

Needs nothing but python3. Exit 0 when every test passes.
"""
import json
import os
import random
import resource
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import repair_test as outside  # noqa: E402  its ways of running the program
from repair_test import belay, expect, same  # noqa: E402

TESTS = []
VALID = b'{"verdict":"valid","values":[%s],"edits":[],"edits_total":0,"error":null}\n'


def test(sentence):
    def add(function):
        TESTS.append((sentence, function))
        return function
    return add


def lines(data, *args, command="repair", **more):
    return belay(*command.split(), "--lines", *args, data=data, **more)


def reports(data, *args, **more):
    ran = lines(data, *args, **more)
    expect(ran.out.endswith(b"\n") or not ran.out, ran)
    return [json.loads(line) for line in ran.out.splitlines()]


def verdicts(data, *args):
    return [report["verdict"] for report in reports(data, *args)]


def alone(record, *args):
    """What `repair --json` says about a record on its own."""
    return belay("repair", "--json", *args, data=record).out


def in_pieces(data, sizes, *args):
    """Standard output when the input comes through a pipe in pieces of random sizes."""
    with tempfile.TemporaryFile() as out:
        p = subprocess.Popen([outside.BELAY, *args], stdin=subprocess.PIPE, stdout=out, stderr=subprocess.DEVNULL)
        while data:
            size = sizes()
            os.write(p.stdin.fileno(), data[:size])
            data = data[size:]
        p.stdin.close()
        p.wait()
        out.seek(0)
        return out.read()


# ---- a large file with some damage in it

def good_record(number, dice):
    value = {"id": number, "name": dice.choice(["read", "write", "grep"]), "ok": dice.random() < 0.5, "none": None,
             "text": "".join(dice.choice(["a", "word ", '"', "\\", "\n", "{", "}", "'", "é", "😀", "[", ","])
                             for _ in range(dice.randrange(60))),
             "list": [dice.randrange(1000) / 8 for _ in range(dice.randrange(6))]}
    return json.dumps(value, ensure_ascii=dice.random() < 0.5, indent=None,
                      separators=dice.choice([(",", ":"), (", ", ": ")]))


def damaged_record(number, dice):
    plain = {"id": number, "path": "src/a.txt", "list": [1, 2, 3], "open": {"deep": [True, None]}}
    text = json.dumps(plain)
    return dice.choice([
        text[:dice.randrange(2, len(text) - 1)],              # cut
        text.replace('"src/a.txt"', '"src/a.txt'),            # an unclosed quote
        text.replace("}}", "}"),                              # an open brace
        text.replace('"', "'"),                               # single quotes
        "```json", "{", '"', "[[[[", "/*", "<tool_call>", "'''", '{"a": "', "",
    ])


def large_file():
    dice = random.Random(7)
    good, records = {}, []
    for number in range(10_000):
        if dice.randrange(20) == 0:
            records.append(damaged_record(number, dice))
        else:
            good[number] = good_record(number, dice)
            records.append(good[number])
    return records, good


@test("in ten thousand lines with 5 % damage each good line is valid, byte for byte, and each bad one is read alone")
def _():
    records, good = large_file()
    ran = lines("\n".join(records) + "\n")
    got = ran.out.splitlines(keepends=True)
    same((ran.code, len(got)), (1, len(records)), ran)
    for number, record in good.items():
        same(got[number], VALID % record.encode(), f"line {number + 1}")
    bad = [number for number in range(len(records)) if number not in good]
    expect(300 < len(bad) < 700, len(bad))
    for number in bad[:150]:
        same(json.loads(got[number]), json.loads(alone(records[number])), records[number])
    for number in bad:
        expect(json.loads(got[number])["verdict"] not in ("valid", "split"), (records[number], got[number]))


@test("the reports are the same for any number of jobs, and however the input is cut")
def _():
    records, _ = large_file()
    data = "\n".join(records).encode()
    whole = lines(data).out
    for args in (["--jobs", "2"], ["--jobs", "7"], ["--chunk", "1"], ["--chunk", "7"], ["--chunk", "1000"],
                 ["--chunk", "100", "--jobs", "3"], ["--jobs", "2", "--chunk", "16M"]):
        same(lines(data, *args).out == whole, True, args)
    dice = random.Random(1)
    for most in (40, 3000, 100_000):
        for jobs in ("1", "2"):
            got = in_pieces(data, lambda: dice.randrange(1, most), "repair", "--lines", "--jobs", jobs)
            same(got == whole, True, (most, jobs))
    with tempfile.NamedTemporaryFile() as f:
        f.write(data)
        f.flush()
        same(belay("repair", "--lines", f.name).out == whole, True)


# ---- what a line is

@test("an empty line keeps its number: it is broken, because it is empty")
def _():
    got = reports('{"a":1}\n\n   \n{"b":2}\n\n')
    same([r["verdict"] for r in got], ["valid", "broken", "broken", "valid", "broken"])
    same([r["error"] and r["error"]["kind"] for r in got], [None, "empty", "empty", None, "empty"])


@test("no bytes at all are no records")
def _():
    ran = lines("")
    same((ran.code, ran.out, ran.err), (0, b"", b""))
    ran = lines("", "--verbose")
    same((ran.code, ran.err), (0, b"belay repair: 0 records\n"))


@test("the last line counts without a line feed, and a line feed at the end is no further line")
def _():
    same(lines('{"a":1}\n[2]').out, lines('{"a":1}\n[2]\n').out)
    same(len(reports('{"a":1}\n[2]')), 2)


@test("a carriage return before the line feed is not part of the record")
def _():
    same(lines('{"a":1}\r\n{"b": "x\r\n\r\n[3]\r').out, lines('{"a":1}\n{"b": "x\n\n[3]').out)


@test("other characters end no line")
def _():
    ran = lines('{"a":\r1}\n"\u2028\u2029\x85"\n[1,\x0b2]\n')
    same([json.loads(line)["verdict"] for line in ran.out.split(b"\n")[:-1]], ["valid", "valid", "mended"])
    # Nor in the output, for readers that take a carriage return for one.
    same(ran.out.split(b"\n")[0] + b"\n", VALID % b'{"a":1}')


@test("a byte order mark is a change of the first record")
def _():
    got = reports(b'\xef\xbb\xbf{"a":1}\n{"b":2}\n')
    same([r["verdict"] for r in got], ["mended", "valid"])
    same(got[0]["edits"], [{"kind": "byte_order_mark", "offset": 0, "length": 3, "grade": "safe"}])


@test("NUL bytes and bytes that are no UTF-8 touch their own line only, and the output is UTF-8")
def _():
    records = [b'{"a":"\x00"}', b"\x00", b'{"a":"\xff\xfe"}', b"\xc3", b'"\xed\xa0\x80"', b'\x00{"a":1}', b"\xf0\x9f\x98"]
    data = b"\n".join(part for record in records for part in (record, b'{"good":"\xc3\xa9"}'))
    ran = lines(data)
    got = ran.out.decode().encode().splitlines(keepends=True)
    same(len(got), 2 * len(records))
    for i, record in enumerate(records):
        same(got[2 * i], alone(record), record)
        expect(json.loads(got[2 * i])["verdict"] != "valid", got[2 * i])
        same(got[2 * i + 1], VALID % b'{"good":"\xc3\xa9"}')


@test("a glued line gives one report with its values")
def _():
    got = reports('{"a":1}{"b":2}\n[3]\n')
    same([(r["verdict"], r["values"]) for r in got], [("split", [{"a": 1}, {"b": 2}]), ("valid", [[3]])])


@test("white space around a valid record is left out, that within it stays")
def _():
    same(lines('  {"a" : [1,  2]}\t\r\n').out, VALID % b'{"a" : [1,  2]}')


@test("places count from the beginning of the record")
def _():
    got = reports('[1]\n{"a":1,}\n[1, 2\n', "--end", "cut")
    same(got[1]["edits"][0]["offset"], 6)
    same({k: got[2]["error"][k] for k in ("kind", "offset", "line", "column")},
         {"kind": "truncated", "offset": 5, "line": 1, "column": 6})


@test("the options are those of each record")
def _():
    same(verdicts('{"a": "x\n{"b":1}\n', "--end", "cut"), ["truncated", "valid"])
    same(verdicts("{'a':1}\n{\"b\":1}\n", "--strict"), ["broken", "valid"])
    same(verdicts('[1]\n{"b":1}\n', "--root", "object"), ["broken", "valid"])
    same(len(reports("[1,,,,,2]\n[1,,,,,2]\n", "--limit", "edits=2")[1]["edits"]), 2)
    same(lines("[1,]\n[2]\n", "--json").out, lines("[1,]\n[2]\n").out)


# ---- a record that is too long

@test("a record that is too long says so in its report, and the next ones are read")
def _():
    long = '{"a":"' + "x" * 300_000 + '"}'
    data = "\n".join(['{"b":1}', long, '{"c":2}', long, "[3]"]).encode()
    for limit in ("10", "1K", "100K", "299999"):
        ran = lines(data, "--limit", f"bytes={limit}")
        got = [json.loads(line) for line in ran.out.splitlines()]
        same((ran.code, [r["verdict"] for r in got]), (1, ["valid", "broken", "valid", "broken", "valid"]), ran)
        same(got[1]["error"]["kind"], "limit")
        expect("--limit bytes=" in got[1]["error"]["message"], got[1]["error"])
        same(ran.out.splitlines(keepends=True)[1], alone(long, "--limit", f"bytes={limit}"))
        for args in (["--chunk", "1K"], ["--chunk", "7", "--jobs", "2"], ["--jobs", "3"]):
            same(lines(data, "--limit", f"bytes={limit}", *args).out == ran.out, True, (limit, args))
    same(verdicts(data, "--limit", "bytes=1M"), ["valid"] * 5)


@test("the line end does not count for the limit")
def _():
    for end in ("\n", "\r\n"):
        for chunk in ("1", "9", "16M"):
            got = verdicts("[12345678]" + end + "[123456789]" + end, "--limit", "bytes=10", "--chunk", chunk)
            same(got, ["valid", "broken"], (end, chunk))


@test("a line without an end takes no more memory than its limit")
def _():
    def small():
        resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20))
    for name in ("repair", "parse --wire text"):
        with tempfile.TemporaryFile() as out:
            p = subprocess.Popen([outside.BELAY, *name.split(), "--lines", "--limit", "bytes=1M"],
                                 stdin=subprocess.PIPE, stdout=out, stderr=subprocess.DEVNULL, preexec_fn=small)
            p.stdin.write(b'"')
            for _ in range(400):
                p.stdin.write(b"x" * (1 << 20))
            p.stdin.write(b"\n[1]\n")
            p.stdin.close()
            same(p.wait(), 1)
            out.seek(0)
            got = [json.loads(line) for line in out]
        same((len(got), got[0]["error"]["kind"]), (2, "limit"))


# ---- exits and the summary

@test("the exit is the worst of all records, and a summary says where it is first")
def _():
    ran = lines("[1]\n{'a':1}\n[1][2]\n")
    same((ran.code, ran.err), (0, b""))
    ran = lines("[1]\n{'a':1}\n[1][2]\n", "--verbose")
    same((ran.code, ran.err), (0, b"belay repair: 3 records: 1 valid, 1 mended, 1 split\n"))
    ran = lines("[1]\n{\"a\":1\n")
    same((ran.code, ran.err), (3, b"belay repair: 2 records: 1 valid, 1 guessed (in line 2)\n"))
    for jobs in ("1", "2"):
        ran = lines("[1]\n[2\n\n[3\n\n[4]\n", "--end", "cut", "--jobs", jobs, "--chunk", "2")
        same((ran.code, ran.err), (1, b"belay repair: 6 records: 2 valid, 2 truncated (first in line 2), "
                                      b"2 broken (first in line 3)\n"))
    same(lines("\n[2\n").code, 1)


# ---- pipes, files and full disks

@test("each report comes when its line has come")
def _():
    for args in (["repair"], ["repair", "--jobs", "4"], ["parse", "--wire", "text"]):
        p = subprocess.Popen([outside.BELAY, *args, "--lines"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for number in range(20):
            os.write(p.stdin.fileno(), b'"%d"\n"and' % number)
            report = json.loads(p.stdout.readline())
            expect(str(number) in json.dumps(report), report)
            os.write(p.stdin.fileno(), b' more"\n')
            report = p.stdout.readline()
            expect(b"and more" in report, report)
        p.stdin.close()
        same((p.stdout.read(), p.wait()), (b"", 0))
        p.stdout.close()


@test("a full disk exits 1 and says so")
def _():
    if not os.path.exists("/dev/full"):
        return
    for jobs in ("1", "3"):
        with open("/dev/full", "wb") as full:
            p = subprocess.run([outside.BELAY, "repair", "--lines", "--jobs", jobs], input=b"[1]\n" * 500_000,
                               stdout=full, stderr=subprocess.PIPE)
        same((p.returncode, p.stderr.count(b"\n")), (1, 1), p.stderr)
        expect(b"No space left" in p.stderr, p.stderr)


@test("a reader that goes away ends it quietly with exit 1")
def _():
    for jobs in ("1", "3"):
        p = subprocess.Popen([outside.BELAY, "repair", "--lines", "--jobs", jobs], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        p.stdout.close()
        try:
            p.stdin.write(b"[1]\n" * 1_000_000)
            p.stdin.close()
        except BrokenPipeError:
            pass
        same((p.wait(), p.stderr.read()), (1, b""))
        p.stderr.close()


@test("a file that cannot be read exits 2 and says why")
def _():
    with tempfile.TemporaryDirectory() as d:
        for path, why in ((os.path.join(d, "none"), b"No such file"), (d, b"directory")):
            ran = belay("repair", "--lines", path)
            same((ran.code, ran.out), (2, b""), ran)
            expect(why in ran.err, ran)
    p = subprocess.run(["sh", "-c", '"$0" repair --lines <&-', outside.BELAY], capture_output=True)
    same(p.returncode, 2, p.stderr)


@test("a terminal is not steered by what a record holds")
def _():
    master, slave = os.openpty()
    p = subprocess.Popen([outside.BELAY, "repair", "--lines"], stdin=subprocess.PIPE, stdout=slave,
                         stderr=subprocess.DEVNULL)
    os.close(slave)
    p.stdin.write('["\x7f\x9b31m\u202e"]\n'.encode())
    p.stdin.close()
    got = os.read(master, 4096)
    p.wait()
    os.close(master)
    expect(b"\\u007f\\u009b31m\\u202e" in got, got)


@test("what does not go together is refused")
def _():
    for args, why in ((["repair", "--lines", "--stream"], b"--stream"), (["repair", "--jobs", "2"], b"--lines"),
                      (["repair", "--lines", "--jobs", "0"], b"1 to 256"), (["repair", "--lines=1"], b"no value"),
                      (["repair", "--lines", "--jobs", "two"], b"whole number"),
                      (["parse", "--wire", "text", "--lines", "--show"], b"--show"),
                      (["schema", "x", "--jobs", "2"], b"--lines")):
        ran = belay(*args)
        same((ran.code, ran.out), (2, b""), ran)
        expect(why in ran.err, ran)


# ---- belay schema --lines

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
          "required": ["city"], "additionalProperties": False}
VALUES = ['{"city":"Oslo","days":3}', '{"city": "Oslo", "days": "3"}', '{"days":1}', "", '{"city": "x', "[1]",
          '{"City":"Rome"}', '{"city":"a"}{"city":"b"}', '{"city":"Ostrava","days":"three"}']


@test("schema --lines gives what --json gives for each line, with --align and without")
def _():
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "schema.json")
        with open(path, "w") as f:
            json.dump(SCHEMA, f)
        for align in ([], ["--align"], ["--mend"], ["--mend", "--align"]):
            wanted = b"".join(belay("schema", path, "--json", *align, data=value).out for value in VALUES)
            for jobs in ("1", "2"):
                ran = lines("\n".join(VALUES), *align, "--jobs", jobs, command=f"schema {path}")
                same((ran.code, ran.out), (1, wanted), ran)
            many = lines("\n".join(VALUES * 2000), *align, "--jobs", "2", command=f"schema {path}")
            same(many.out == wanted * 2000, True)
        ran = lines("\n".join(VALUES), "--align", command=f"schema {path}")
        same(ran.err, b"belay schema: 9 records: 3 valid, 3 not valid (first in line 3), 3 not JSON (first in line 4)\n")
        ran = lines('{"city":"a"}\n{"city":"b"}\n', command=f"schema {path}")
        same((ran.code, ran.err, ran.out.count(b'"valid":true')), (0, b"", 2), ran)
        ran = lines('{"city":"a"}\n["' + "x" * 5000 + '"]\n{"city":"b"}', "--limit", "bytes=1K", command=f"schema {path}")
        got = [json.loads(line) for line in ran.out.splitlines()]
        same([r["valid"] for r in got], [True, False, True])
        same(got[1]["errors"][0]["keyword"], "limit")
        expect("--limit bytes=" in got[1]["errors"][0]["message"], got[1])


@test("a schema that cannot be used exits 2 before a line is read")
def _():
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "schema.json")
        with open(path, "w") as f:
            f.write('{"type": "text"}')
        ran = lines("[1]\n", command=f"schema {path}")
        same((ran.code, ran.out), (2, b""), ran)


# ---- belay parse --lines

STREAM = ('data: {"choices":[{"index":0,"delta":{"content":"Gr\\u00fc\\u00dfe. "}}]}\n\n'
          'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"read","arguments":"{\\"p\\":1,"}}]}}]}\n\n'
          'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}}]}\n\n'
          'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n')
WHOLE = {"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}


def events(body, *args):
    ran = belay("parse", "--wire", "openai-chat", *args, data=body)
    return [json.loads(line) for line in ran.out.splitlines()]


@test("parse --lines gives the events of each body, whatever comes before it")
def _():
    records = [json.dumps(STREAM), json.dumps({"id": 7, "body": STREAM}), json.dumps({"body": WHOLE}),
               json.dumps(STREAM[:300]), json.dumps("data: 7\n\n"), json.dumps(STREAM)]
    bodies = [STREAM, STREAM, json.dumps(WHOLE), STREAM[:300], "data: 7\n\n", STREAM]
    for args in ([], ["--coalesce"], ["--coalesce", "--chunk", "1"], ["--chunk", "5"], ["--ended", "reset"]):
        for jobs in ("1", "2"):
            got = reports("\n".join(records), "--wire", "openai-chat", *args, "--jobs", jobs, command="parse")
            same([r["error"] for r in got], [None] * len(records))
            for report, body in zip(got, bodies):
                same(report["events"], events(body, *args), (args, body))
    ids = {e["id"] for r in got for e in r["events"] if e["type"] == "call_end"}
    same(ids, {"belay_0"})


@test("parse --lines: a line without a body has an error of its own, and the exit is 1")
def _():
    records = [json.dumps(WHOLE), "7", "[]", '{"body":7}', '{"body":"', "", '{"body":""}{"body":""}', json.dumps({"body": WHOLE})]
    ran = lines("\n".join(records), "--wire", "openai-chat", command="parse")
    got = [json.loads(line) for line in ran.out.splitlines()]
    kinds = [r["error"] and r["error"]["kind"] for r in got]
    same((ran.code, kinds), (1, ["no_value"] * 4 + ["unclosed", "empty", "trailing_bytes", None]), ran)
    same([len(r["events"]) for r in got], [0] * 7 + [2])
    same(ran.err, b"belay parse: 8 records: 1 read, 7 without a body (first in line 1)\n")
    ran = lines(json.dumps("data: 7\n\n"), "--wire", "openai-chat", command="parse")
    expect(ran.code == 1 and b"1 with an error (in line 1)" in ran.err, ran)
    ran = lines(json.dumps({"body": WHOLE}), "--wire", "openai-chat", command="parse")
    same((ran.code, ran.err), (0, b""), ran)


@test("parse --lines knows the tools and reads calls in text")
def _():
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "tools.json")
        with open(path, "w") as f:
            json.dump([{"name": "read_file", "parameters": {"type": "object",
                                                            "properties": {"line": {"type": "integer"}}}}], f)
        text = 'Sure.<tool_call>{"name": "read_file", "arguments": {"line": "3",}}</tool_call>'
        data = (json.dumps(text) + "\n") * 3000
        for jobs in ("1", "2"):
            got = reports(data, "--wire", "text", "--tools", path, "--jobs", jobs, command="parse")
            calls = [[e["arguments"] for e in r["events"] if e["type"] == "call_end"] for r in got]
            same(calls == [[{"line": 3}]] * 3000, True)


def main():
    if len(sys.argv) != 2:
        print(__doc__.strip())
        return 2
    outside.BELAY = os.path.abspath(sys.argv[1])
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
