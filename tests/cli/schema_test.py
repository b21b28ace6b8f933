#!/usr/bin/env python3
"""Runs `belay schema` from outside, as a person or a script would.

  schema_test.py BELAY

Needs nothing but python3. Exit 0 when every test passes.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import repair_test as outside  # noqa: E402  its ways of running the program and the transcripts of documents
from repair_test import expect, on_terminal, run_transcripts, same, transcripts  # noqa: E402

TESTS = []
WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1, "maximum": 14},
                   "units": {"enum": ["metric", "imperial"]}, "tags": {"type": "array", "items": {"type": "string"}}},
    "required": ["city"],
    "additionalProperties": False,
}
THREE = '{\n  "city": "Oslo",\n  "days": "three"\n}\n'


def test(sentence):
    def add(function):
        TESTS.append((sentence, function))
        return function
    return add


class Folder:
    """A throw-away folder that the program runs in, with the schema weather.json."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = self.folder.name
        self.write("weather.json", WEATHER)
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def at(self, name):
        return os.path.join(self.path, name)

    def write(self, name, content):
        os.makedirs(os.path.dirname(self.at(name)), exist_ok=True)
        with open(self.at(name), "wb") as f:
            f.write(content if isinstance(content, bytes) else
                    content.encode() if isinstance(content, str) else json.dumps(content).encode())

    def schema(self, *args, data=b"", **more):
        return outside.belay("schema", *args, data=data, cwd=self.path, **more)

    def report(self, *args, data=b""):
        ran = self.schema(*args, "--json", data=data)
        expect(ran.out.endswith(b"\n") and ran.out.count(b"\n") == 1, f"one line expected: {ran}")
        same(ran.err, b"", "stderr, since the report says it all")
        return json.loads(ran.out), ran

    def check(self, schema, value, *args):
        self.write("s.json", schema)
        return self.schema("s.json", *args, data=value if isinstance(value, (str, bytes)) else json.dumps(value))


# ---- checking

@test("a value that satisfies the schema: exit 0, and nothing is said")
def _():
    with Folder() as d:
        for data in ('{"city":"Oslo"}', ' { "city" : "Oslo", "days": 14.0 }\n'):
            ran = d.schema("weather.json", data=data)
            same((ran.code, ran.out, ran.err), (0, b"", b""))


@test("a value that does not: exit 1, nothing on stdout, and a line with place, sentence and keyword for each error")
def _():
    with Folder() as d:
        d.write("args.json", THREE)
        ran = d.schema("weather.json", "args.json")
        same((ran.code, ran.out, ran.err),
             (1, b"", b'args.json:3:11: days must be an integer, got "three" (type)\n'))
        for args in (("weather.json",), ("weather.json", "-")):
            ran = d.schema(*args, data=THREE)
            same((ran.code, ran.out, ran.err),
                 (1, b"", b'<stdin>:3:11: days must be an integer, got "three" (type)\n'))
        ran = d.schema("weather.json", data='{"days": 15,\n"x": 1}')
        same(ran.err.count(b"\n"), 3, ran)
        expect(b"<stdin>:1:1: city is required and missing" in ran.err and b"<stdin>:1:10: days must be at most 14" in ran.err, ran)
        expect(b'<stdin>:2:1: "x" is not' in ran.err, ran)


@test("the schema may be standard input when FILE is a file")
def _():
    with Folder() as d:
        d.write("args.json", THREE)
        ran = d.schema("-", "args.json", data=json.dumps(WEATHER))
        same((ran.code, ran.err), (1, b'args.json:3:11: days must be an integer, got "three" (type)\n'))
        ran = d.schema("-", data="{}")
        same((ran.code, ran.out), (2, b""), ran)
        expect(b"both be standard input" in ran.err, ran)


@test("true and false are schemas")
def _():
    with Folder() as d:
        same(d.check(True, "1").code, 0)
        same(d.check(False, "1").code, 1)


@test("--draft decides for schemas that do not say, and a known $schema decides by itself")
def _():
    tuple_of_7 = {"items": [{"type": "string"}]}
    with Folder() as d:
        same(d.check(tuple_of_7, "[1]", "--draft", "7").code, 1)
        ran = d.check(tuple_of_7, "[1]")
        same(ran.code, 2, ran)
        expect(b"prefixItems" in ran.err, ran)
        same(d.check(tuple_of_7, "[1]", "--draft", "2020-12").code, 2)
        same(d.check({"prefixItems": [{"type": "string"}]}, "[1]").code, 1)
        same(d.check({"prefixItems": [{"type": "string"}]}, "[1]", "--draft", "7").code, 0)
        named = dict(tuple_of_7, **{"$schema": "http://json-schema.org/draft-07/schema#"})
        for args in ((), ("--draft", "2020-12")):
            same(d.check(named, "[1]", *args).code, 1, args)
        unknown = {"$schema": "http://json-schema.org/draft-04/schema#", "type": "string"}
        ran = d.check(unknown, "1")
        same(ran.code, 2, ran)
        expect(b"draft-04" in ran.err and b"--draft" in ran.err, ran)
        same(d.check(unknown, "1", "--draft", "7").code, 1)


@test("--formats checks formats that are known; without it they are remarks")
def _():
    with Folder() as d:
        same(d.check({"format": "date"}, '"tomorrow"').code, 0)
        ran = d.check({"format": "date"}, '"tomorrow"', "--formats")
        same(ran.code, 1, ran)
        expect(b"(format)" in ran.err, ran)
        same(d.check({"format": "date"}, '"2026-05-17"', "--formats").code, 0)
        same(d.check({"format": "colour"}, '"x"', "--formats").code, 0)
        same(d.check({"format": "regex"}, '"("', "--formats").code, 1)


@test("patterns are ECMA-262's, and those that could take forever are refused")
def _():
    with Folder() as d:
        same(d.check({"pattern": "^\\p{Letter}+$"}, '"\u00e9t\u00e9"').code, 0)
        same(d.check({"pattern": "^(a+)+$"}, json.dumps("a" * 50_000 + "b")).code, 1)
        for pattern in ("(?=a)b", "(a)\\1", "("):
            ran = d.check({"properties": {"a": {"pattern": pattern}}}, "{}")
            same((ran.code, ran.out), (2, b""), ran)
            expect(b"s.json:1:" in ran.err and b"/properties/a/pattern" in ran.err, ran)


# ---- aligning

@test("--align writes the aligned value, and each change as a line on stderr")
def _():
    with Folder() as d:
        ran = d.schema("weather.json", "--align", data='{"city":"Oslo", "days":"3", "units":"Metric"}')
        same((ran.code, ran.out), (0, b'{"city":"Oslo","days":3,"units":"metric"}\n'), ran)
        lines = ran.err.decode().splitlines()
        same(len(lines), 2, ran)
        expect(lines[0].startswith("/days: ") and lines[0].endswith(" (number_from_string, safe)"), ran)
        expect(lines[1].startswith("/units: ") and lines[1].endswith(" (enum_case, safe)"), ran)


@test("--align writes a value that is valid already as it came, and says nothing")
def _():
    with Folder() as d:
        ran = d.schema("weather.json", "--align", data=' {"city": "Oslo", "days": 2.0} ')
        same((ran.code, ran.out, ran.err), (0, b'{"city":"Oslo","days":2.0}\n', b""))


@test("--align that does not help writes nothing, and the errors are those of the value as it came")
def _():
    with Folder() as d:
        data = '{"city": "Oslo", "units": "Metric", "days": "30"}'
        ran = d.schema("weather.json", "--align", data=data)
        same((ran.code, ran.out, ran.err), (1, b"", d.schema("weather.json", data=data).err))
        expect(b"units" in ran.err and b'got "30"' in ran.err, ran)


@test("--align says when something was guessed")
def _():
    with Folder() as d:
        ran = d.schema("weather.json", "--align", data='{"City": "Oslo", "pressure": 3}')
        same((ran.code, ran.out), (0, b'{"city":"Oslo"}\n'), ran)
        expect(b"/City: the key is taken for city (near_key, guess)\n" in ran.err, ran)
        expect(b"(unknown_key_dropped, guess)\nLook at the value before you use it" in ran.err, ran)


@test("the whole value can be what is aligned")
def _():
    with Folder() as d:
        ran = d.schema("weather.json", "--align", data=json.dumps('{"city":"Oslo"}'))
        same((ran.code, ran.out), (0, b'{"city":"Oslo"}\n'), ran)
        expect(ran.err.startswith(b"the value: "), ran)


# ---- mending

ZIP = {"properties": {"zip": {"type": "string"}, "days": {"type": "integer"}}}


@test("--mend: a number whose spelling was mended and that becomes a string is a guess, and exits 3")
def _():
    with Folder() as d:
        for text, value in (("0x1F", "31"), ("+49", "49"), (".5", "0.5"), ("1.", "1"), ("1_000", "1000")):
            data = '{"zip": %s}' % text
            ran = d.check(ZIP, data, "--mend", "--align")
            same((ran.code, json.loads(ran.out)), (3, {"zip": value}), text)
            lines = ran.err.decode().splitlines()
            expect(lines[0].startswith("<stdin>:1:9: a number "), ran)
            same(lines[1], "/zip: a number is now a string of its digits (string_from_number, guess)", text)
            expect(lines[2].startswith("Look at the value"), ran)
            report, ran = d.report("s.json", "--mend", "--align", data=data)
            same((ran.code, report["verdict"], report["value"]), (3, "guessed", {"zip": value}), text)
        for text in ("31", "0.50", "-1e5"):  # as JSON has them: the same digits
            ran = d.check(ZIP, '{"zip": %s,}' % text, "--mend", "--align")
            same((ran.code, json.loads(ran.out)), (0, {"zip": text}), text)
        # Where one is a number all the same, nothing is lost. What is not listed may have been one.
        same(d.check(ZIP, '{"days": 0x1F}', "--mend", "--align").code, 0)
        for limit in ("1", "2"):
            same(d.check(ZIP, "{'zip': 0x1F}", "--mend", "--align", "--limit", "edits=" + limit).code, 3)
        same(d.check(ZIP, "{'zip': 31}", "--mend", "--align", "--limit", "edits=1").code, 0)


@test("--mend: one receipt has the changes to the text and those to the value")
def _():
    with Folder() as d:
        data = "{'days': '2',}"
        ran = d.check(ZIP, data, "--mend", "--align")
        same((ran.code, ran.out), (0, b'{"days":2}\n'), ran)
        same(ran.err.decode().splitlines(),
             ["<stdin>:1:2: other quote characters (quote_spelling, safe)", "<stdin>:1:10: other quote characters (quote_spelling, safe)",
              "<stdin>:1:13: a comma before a closing bracket (trailing_comma, safe)",
              "/days: a numeric string is now the number (number_from_string, safe)"])
        report, ran = d.report("s.json", "--mend", "--align", data=data)
        same(list(report), ["valid", "errors", "errors_total", "verdict", "mends", "mends_total", "value", "edits"])
        same((report["verdict"], report["mends_total"], report["mends"][2]),
             ("mended", 3, {"kind": "trailing_comma", "offset": 12, "length": 1, "grade": "safe"}))
        report, ran = d.report("s.json", "--mend", data='{"days": 2}')
        same((list(report), report["verdict"], report["mends"], ran.code),
             (["valid", "errors", "errors_total", "verdict", "mends", "mends_total"], "valid", [], 0))


@test("--mend: a guess of either kind exits 3, when the value satisfies the schema")
def _():
    with Folder() as d:
        guess = '{"zip": "a "b" c"}'
        for args in ((), ("--align",)):
            ran = d.check(ZIP, guess, "--mend", *args)
            same((ran.code, ran.out), (3, b'{"zip":"a \\"b\\" c"}\n' if args else b""), ran)
            expect(b"(inner_quote, guess)" in ran.err and b"Look at the value" in ran.err, ran)
        near = {"properties": {"file_path": {"type": "string"}}, "required": ["file_path"]}
        same(d.check(near, '{"filePath": "a",}', "--mend", "--align").code, 3)
        same(d.check(near, '{"filePath": "a"}', "--align").code, 0)


@test("--mend: what does not satisfy the schema, holds no value, or several, exits 1")
def _():
    with Folder() as d:
        for data, errors in (('{"days": "x"}', "<stdin>:1:10: days must be an integer"), ("{'days': \"x\"}", "<stdin>: days must be an integer"),
                             ("nothing", "<stdin>:1:8: there is no JSON value"), ('{"days":1}{"days":2}', "<stdin>: 2 values where one is wanted")):
            ran = d.check(ZIP, data, "--mend", "--align")
            same((ran.code, ran.out), (1, b""), data)
            expect(ran.err.decode().startswith(errors), ran)
        report, ran = d.report("s.json", "--mend", "--align", data="{'days': \"x\"}")
        error = report["errors"][0]
        same((ran.code, report["value"], error["line"], error["column"], error["offset"]), (1, None, None, None, None))
        report, ran = d.report("s.json", "--mend", data="nothing")
        same((ran.code, report["verdict"], report["errors"][0]["keyword"]), (1, "broken", "json"))


# ---- the report

@test("--json has exactly the keys of the contract, in order")
def _():
    with Folder() as d:
        ran = d.schema("weather.json", "--json", data=THREE)
        same((ran.code, ran.out),
             (1, b'{"valid":false,"errors":[{"path":"/days","keyword":"type","message":"days must be an integer, '
                 b'got \\"three\\"","schema_path":"/properties/days/type","line":3,"column":11,"offset":30}],'
                 b'"errors_total":1}\n'))
        ran = d.schema("weather.json", "--json", data='{"city":"Oslo"}')
        same((ran.code, ran.out), (0, b'{"valid":true,"errors":[],"errors_total":0}\n'))
        ran = d.schema("weather.json", "--json", "--align", data='{"city":"Oslo","days":"3"}')
        same((ran.code, ran.out),
             (0, b'{"valid":true,"errors":[],"errors_total":0,"value":{"city":"Oslo","days":3},"edits":['
                 b'{"kind":"number_from_string","grade":"safe","path":"/days"}]}\n'))
        ran = d.schema("weather.json", "--json", "--align", data='{"City":"Oslo"}')
        same((ran.code, ran.out),
             (0, b'{"valid":true,"errors":[],"errors_total":0,"value":{"city":"Oslo"},"edits":['
                 b'{"kind":"near_key","grade":"guess","path":"/City","to":"city"}]}\n'))


@test("--json with --align has the value as it came when it was valid, and null when it is not")
def _():
    with Folder() as d:
        got, ran = d.report("weather.json", "--align", data='{"city":"Oslo"}')
        same((ran.code, got), (0, {"valid": True, "errors": [], "errors_total": 0, "value": {"city": "Oslo"},
                                   "edits": []}))
        got, ran = d.report("weather.json", "--align", data='{"city":"Oslo","days":"30"}')
        same((ran.code, got["valid"], got["value"], got["edits"], got["errors_total"]), (1, False, None, [], 1), ran)


@test("--json for a bad schema: valid is null, and where and what are there")
def _():
    with Folder() as d:
        d.write("bad.json", {"properties": {"a": {"type": "text"}}})
        for args in ((), ("--align",)):
            got, ran = d.report("bad.json", *args, data="{}")
            same((ran.code, got["valid"], list(got), list(got["error"])),
                 (2, None, ["valid", "error"], ["where", "message"]), ran)
            same(got["error"]["where"], "/properties/a/type", ran)


@test("paths and names with odd characters come out as JSON, and as JSON Pointers")
def _():
    with Folder() as d:
        d.write("odd.json", {"properties": {'a/b~"\u00e9\n': {"type": "string"}}})
        got, ran = d.report("odd.json", data=json.dumps({'a/b~"\u00e9\n': 1}))
        same(got["errors"][0]["path"], '/a~1b~0"\u00e9\n', ran)
        same(got["errors"][0]["schema_path"], '/properties/a~1b~0"\u00e9\n/type', ran)
        for data in ('{"\\u001b[31m": 5, "days": "\\u001b]0;x\\u0007"}', '{"\u202e": 1}'):
            ran = d.schema("weather.json", data=data)
            same(ran.code, 1, ran)
            expect(not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xe2\x80\xae", ran.err), ran)


@test("lines, columns and offsets are those of the text, in bytes, also beside repeated keys and escapes")
def _():
    text = '{"city":\r\n "\u00e9\\u00e9\\"",\n\t"tags": ["a",\n 7,\n{"\\\\":[8]}],\n "days": 0, "days": 1}'
    with Folder() as d:
        got, ran = d.report("weather.json", data=text)
        same(got["errors_total"], 3, ran)
        for error, spelled in zip(got["errors"], ("7", "{", "0")):
            raw = text.encode()
            same(raw[error["offset"]:error["offset"] + 1].decode(), spelled, error)
            same(error["line"], 1 + raw[:error["offset"]].count(b"\n"), error)
            same(error["column"], error["offset"] - raw[:error["offset"]].rfind(b"\n"), error)


# ---- texts that are not JSON

@test("a value that is not JSON: exit 1, with its place and what to do")
def _():
    with Folder() as d:
        d.write("args.json", '{\n  "city": "Oslo",\n}')
        ran = d.schema("weather.json", "args.json")
        same((ran.code, ran.out), (1, b""), ran)
        expect(ran.err.startswith(b"args.json:3:1: not JSON: ") and b"`belay repair`" in ran.err, ran)
        expect(ran.err.endswith(b" (json)\n"), ran)
        for args in ((), ("--align",)):
            got, ran = d.report("weather.json", "args.json", *args)
            same((ran.code, got["valid"], got["errors_total"]), (1, False, 1), ran)
            error = got["errors"][0]
            same((error["path"], error["keyword"], error["schema_path"]), ("", "json", ""), ran)
            same((error["line"], error["column"], error["offset"]), (3, 1, 20), ran)
            if args:
                same((got["value"], got["edits"]), (None, []), ran)
        for data, what in (("", b"the text is empty"), (" \n", b"the text is white space only")):
            ran = d.schema("weather.json", data=data)
            same(ran.code, 1, ran)
            expect(what in ran.err and b"belay repair" not in ran.err, ran)
        for data in ('{"city":"Oslo"}{"city":"Bergen"}', b'{"city":"\xff"}', '"\\ud800"'):
            same(d.schema("weather.json", data=data).code, 1, data)


@test("a schema that is not JSON: exit 2, with its place and what to do")
def _():
    with Folder() as d:
        d.write("s.json", '{"type": "object",\n "required": [,]}')
        ran = d.schema("s.json", data="{}")
        same((ran.code, ran.out), (2, b""), ran)
        expect(ran.err.startswith(b"s.json:2:15: not JSON: ") and b"`belay repair`" in ran.err, ran)
        got, ran = d.report("s.json", data="{}")
        same((ran.code, got["valid"], got["error"]["where"]), (2, None, ""), ran)
        expect("s.json:2:15" in got["error"]["message"] and "belay repair" in got["error"]["message"], ran)


@test("a bad schema: exit 2, with the place in its text, its pointer and what is wrong")
def _():
    with Folder() as d:
        d.write("s.json", '{"properties": {\n  "a": {"type": "text"}}}')
        ran = d.schema("s.json", data="{}")
        same((ran.code, ran.out), (2, b""), ran)
        expect(ran.err.startswith(b"s.json:2:17: type must be ") and b" (/properties/a/type)\n" in ran.err, ran)
        for schema in ("[]", "5", "null", '{"$ref":"#"}', '{"$ref":"#/$defs/x"}', '{"minLength":-1}', '{"required":"a"}'):
            d.write("s.json", schema)
            ran = d.schema("s.json", data="{}")
            same((ran.code, ran.out), (2, b""), f"{schema}: {ran}")
            expect(b"s.json:1:" in ran.err, f"{schema}: {ran}")


# ---- remotes

@test("--remotes: files below a folder stand for http://localhost:1234/")
def _():
    with Folder() as d:
        d.write("remotes/a/b.json", {"type": "integer"})
        d.write("remotes/two words.json", {"type": "integer"})
        d.write("remotes/chain.json", {"$ref": "a/b.json"})
        d.write("remotes/uses/deep.json", {"items": {"$ref": "../chain.json"}})
        for uri in ("http://localhost:1234/a/b.json", "http://localhost:1234/a/b.json#", "a/b.json", "chain.json",
                    "http://localhost:1234/x/../a/./b.json", "http://LOCALHOST:1234/a/b.json",
                    "http://localhost:1234/two%20words.json"):
            for value, code in (("1", 0), ('"x"', 1)):
                ran = d.check({"$ref": uri}, value, "--remotes", "remotes")
                same(ran.code, code, f"{uri}: {ran}")
        ran = d.check({"$ref": "uses/deep.json"}, '["x"]', "--remotes", "remotes/")
        same(ran.code, 1, ran)
        got, _ = d.report("s.json", "--remotes", "remotes", data='["x"]')
        same(got["errors"][0]["schema_path"], "http://localhost:1234/a/b.json#/type")
        same(d.check({"$ref": "b.json"}, "1", "--remotes", "./remotes/../remotes/a").code, 0)


@test("--remotes: an error in a document says in which, and where")
def _():
    with Folder() as d:
        d.write("remotes/bad.json", {"properties": {"a": {"type": "text"}}})
        ran = d.check({"$ref": "bad.json"}, "{}", "--remotes", "remotes")
        same(ran.code, 2, ran)
        expect(ran.err.startswith(b"http://localhost:1234/bad.json#/properties/a/type: type must be"), ran)
        d.write("remotes/broken.json", '{"type":')
        d.write("remotes/deep.json", "[" * 2000 + "]" * 2000)
        for name, words in (("broken.json", b"line 1, column 9: not JSON"), ("deep.json", b"--limit depth"),
                            ("none.json", b"No such file")):
            ran = d.check({"$ref": name}, "{}", "--remotes", "remotes")
            same((ran.code, ran.out), (2, b""), ran)
            expect(words in ran.err and b"remotes/" + name.encode() in ran.err, ran)


@test("--remotes: nothing outside the folder is read, whatever the schema says")
def _():
    with Folder() as d:
        d.write("remotes/a.json", True)
        for name in ("secret.json", "remotes-secret/s.json", "other/s.json"):
            d.write(name, True)
        os.symlink("../secret.json", d.at("remotes/link.json"))
        os.symlink(d.at("secret.json"), d.at("remotes/absolute.json"))
        os.symlink("../other", d.at("remotes/folder"))
        os.symlink("../remotes-secret/s.json", d.at("remotes/sibling.json"))
        os.symlink("loop.json", d.at("remotes/loop.json"))
        os.symlink("/dev/stdin", d.at("remotes/stdin.json"))
        os.symlink("a.json", d.at("remotes/inside.json"))
        os.mkfifo(d.at("remotes/fifo.json"))
        same(d.check({"$ref": "inside.json"}, "1", "--remotes", "remotes").code, 0, "a link that stays inside")
        for uri in ("link.json", "absolute.json", "folder/s.json", "sibling.json", "loop.json", "stdin.json", "fifo.json",
                    "../secret.json", "%2e%2e/secret.json", "%2E%2e/secret.json", "..%2fsecret.json",
                    "a.json/../../secret.json", "folder/../../secret.json", "http://localhost:1234/../secret.json",
                    "http://localhost:1234//" + d.at("secret.json"), "http://localhost:1234" + d.at("secret.json"),
                    "file://" + d.at("secret.json"), d.at("secret.json"), "http://localhost:1234/a.json%00",
                    "http://localhost:1234/folder", "http://localhost:1234/a.json/", "http://localhost:1234/a.json?x",
                    "http://localhost/a.json", "https://localhost:1234/a.json", "http://localhost:12345/a.json",
                    "http://localhost:1234@127.0.0.1/a.json"):
            ran = d.check({"$ref": uri}, "1", "--remotes", "remotes")
            same((ran.code, ran.out), (2, b""), f"{uri}: {ran}")
            expect(b"nothing is known at" in ran.err, f"{uri}: {ran}")
        same(d.check({"$ref": "http://localhost:1234/a.json"}, "1").code, 2, "no --remotes, no files")


@test("control characters are named, and so are characters that cannot be seen where JSON is wanted")
def _():
    with Folder() as d:
        d.write("s.json", {"type": "integer"})
        ran = d.schema("s.json", data='"a\\u001b[31mb\\u007f"')
        expect(b'got "a<U+001B>[31mb<U+007F>" (type)' in ran.err, ran)
        d.write("p.json", {"properties": {"a\x1b": {"type": "integer"}}})
        expect(b'["a<U+001B>"] must be an integer' in d.schema("p.json", data='{"a\\u001b":""}').err, "in a name")
        for data, words in ((b'\xef\xbb\xbf{"a":1}', b"there is a byte order mark <U+FEFF> here, which JSON does not allow;"),
                            (b'{\xc2\xa0"a":1}', b"there is a no-break space <U+00A0> here"),
                            (b'[\xe2\x80\x8b1]', b"there is the character <U+200B> here")):
            expect(words in d.schema("s.json", data=data).err, words)


@test("a reference to a document that is not there says how to give it")
def _():
    with Folder() as d:
        for uri in ("other.json", "https://example.com/a.json", "http://localhost:1234/a.json"):
            ran = d.check({"$ref": uri}, "1")
            expect(ran.code == 2 and b"--remotes DIR" in ran.err, ran)


@test("--remotes: a folder that cannot be read exits 2")
def _():
    with Folder() as d:
        for folder, why in (("none", b"No such file"), ("weather.json", b"Not a directory"), ("", b"''")):
            ran = d.schema("weather.json", "--remotes", folder, data="{}")
            same((ran.code, ran.out), (2, b""), ran)
            expect(why in ran.err and b"--remotes" in ran.err, ran)
        d.write("remotes/a.json", True)
        os.symlink("remotes", d.at("link"))
        same(d.check({"$ref": "a.json"}, "1", "--remotes", "link").code, 0, "the folder itself may be a link")


@test("http://localhost:1234/ without --remotes: the error names the option")
def _():
    with Folder() as d:
        ran = d.check({"$ref": "http://localhost:1234/a.json"}, "1")
        same(ran.code, 2, ran)
        expect(b"--remotes" in ran.err, ran)


# ---- usage and limits

@test("wrong usage exits 2 and says what is wrong")
def _():
    for args, word in (
            ((), b"SCHEMA is needed"), (("a", "b", "c"), b"'c'"), (("a", "--frob"), b"--frob"),
            (("a", "--aling"), b"did you mean --align?"), (("a", "--draft", "4"), b"7 or 2020-12"),
            (("a", "--draft"), b"--draft"), (("a", "--json=1"), b"--json takes no value"),
            (("a", "--limit", "width=3"), b"violations"), (("a", "--limit", "violations=x"), b"whole number")):
        ran = outside.belay("schema", *args)
        same((ran.code, ran.out), (2, b""), f"{args}: {ran}")
        expect(word in ran.err and b"belay schema --help" in ran.err, f"{args}: {ran}")
    ran = outside.belay("shcema")
    expect(b"did you mean schema?" in ran.err, ran)


@test("a limit that does not exist exits 2 and lists those that do")
def _():
    with Folder() as d:
        ran = d.schema("weather.json", "--limit", "values=3", data="{}")
        same(ran.code, 2, ran)
        for name in ("depth", "bytes", "edits", "subschemas", "schema_steps", "violations"):
            expect(name.encode() in ran.err, ran)
            same(d.schema("weather.json", "--limit", name + "=1K", data='{"city":"x"}').code, 0, name)


@test("limits hold, name themselves, and can be raised")
def _():
    deep = "[" * 1025 + "]" * 1025
    with Folder() as d:
        d.write("any.json", True)
        ran = d.schema("any.json", data=deep)
        same((ran.code, ran.out), (1, b""), ran)
        expect(b"--limit depth" in ran.err and ran.err.endswith(b"(limit)\n") and b"belay repair" not in ran.err, ran)
        same(d.schema("any.json", "--limit", "depth=2K", data=deep).code, 0)
        got, _ = d.report("any.json", data=deep)
        same((got["errors"][0]["keyword"], got["errors"][0]["column"]), ("limit", 1025))
        ran = d.check('{"not":' * 1025 + "{}" + "}" * 1025, "1")
        same(ran.code, 2, ran)
        expect(b"--limit depth" in ran.err, ran)
        same(d.schema("any.json", "--limit", "bytes=10", data="[1,2,3,4,5,6]").code, 1)
        same(d.schema("weather.json", "--limit", "bytes=10", data="{}").code, 2)
        ran = d.schema("weather.json", "--limit", "subschemas=3", data="{}")
        same(ran.code, 2, ran)
        expect(b"--limit subschemas" in ran.err, ran)
        half = {f"a{i}": {"anyOf": [{"$ref": f"#/$defs/a{i - 1}"}] * 2} for i in range(1, 60)}
        ran = d.check({"$ref": "#/$defs/a59", "$defs": dict(half, a0={"type": "string"})}, "5")
        same(ran.code, 1, ran)
        expect(b"--limit schema_steps" in ran.err and ran.err.endswith(b"(limit)\n"), ran)


@test("errors beyond the limit violations are counted")
def _():
    with Folder() as d:
        d.write("ints.json", {"items": {"type": "integer"}})
        data = json.dumps(["x"] * 40)
        ran = d.schema("ints.json", data=data)
        same((ran.code, ran.err.count(b"\n")), (1, 33), ran)
        expect(ran.err.endswith(b"<stdin>: and 8 more errors; --limit violations=N lists more\n"), ran)
        got, _ = d.report("ints.json", "--limit", "violations=3", data=data)
        same((len(got["errors"]), got["errors_total"]), (3, 40))
        same(d.schema("ints.json", "--limit", "violations=40", data=data).err.count(b"\n"), 40)
        ran = d.schema("ints.json", "--limit", "violations=39", data=data)
        expect(b": and 1 more error;" in ran.err, ran)


@test("more changes than the limit edits: none is made")
def _():
    with Folder() as d:
        d.write("ints.json", {"items": {"type": "integer"}})
        same(d.schema("ints.json", "--align", "--limit", "edits=3", data='["1","2","3"]').out, b"[1,2,3]\n")
        ran = d.schema("ints.json", "--align", "--limit", "edits=3", data='["1","2","3","4"]')
        same((ran.code, ran.out, ran.err.count(b"\n")), (1, b"", 4), ran)


# ---- files, pipes and full disks

@test("files that cannot be read exit 2 and say why")
def _():
    with Folder() as d:
        for args, why in ((("none.json",), b"'none.json': No such file"), ((".",), b"directory"),
                          (("weather.json", "none"), b"'none': No such file"), (("weather.json", "."), b"directory"),
                          (("",), b"cannot read ''"), (("weather.json", ""), b"cannot read ''")):
            for flags in ((), ("--json",)):
                ran = d.schema(*args, *flags)
                same((ran.code, ran.out), (2, b""), ran)
                expect(why in ran.err, ran)
        p = subprocess.run(["sh", "-c", '"$0" schema weather.json <&-', outside.BELAY], capture_output=True, cwd=d.path)
        same(p.returncode, 2, p.stderr)
        expect(b"standard input" in p.stderr, p.stderr)
        ran = d.schema("/none/\x1b[31m")
        expect(b"\x1b" not in ran.err, ran)
        if os.geteuid() != 0:
            d.write("closed.json", True)
            os.chmod(d.at("closed.json"), 0)
            expect(b"Permission denied" in d.schema("closed.json").err, "closed.json")


@test("a closed or full standard output exits 1 and says so")
def _():
    with Folder() as d:
        d.write("args.json", {"city": "Oslo"})
        for flags in ("--json", "--align"):
            for where in (">&-", ">/dev/full"):
                command = f'"$0" schema weather.json args.json {flags} {where}'
                p = subprocess.run(["sh", "-c", command, outside.BELAY], capture_output=True, cwd=d.path)
                same(p.returncode, 1, f"{command}: {p.stderr}")
                expect(b"cannot write to standard output" in p.stderr, p.stderr)
        p = subprocess.run(["sh", "-c", '"$0" schema weather.json args.json >&-', outside.BELAY], cwd=d.path)
        same(p.returncode, 0, "nothing was to be written")


@test("a reader that goes away ends it quietly with exit 1")
def _():
    with Folder() as d:
        d.write("any.json", True)
        d.write("big.json", ["x" * 100] * 20_000)
        for flags in (["--align"], ["--align", "--json"]):
            p = subprocess.Popen([outside.BELAY, "schema", "any.json", "big.json", *flags], cwd=d.path,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            p.stdout.close()
            same((p.wait(), p.stderr.read()), (1, b""))
            p.stderr.close()


@test("a large value is checked, aligned whole, and its last line has its number")
def _():
    rows = [{"id": i, "name": f"row {i}"} for i in range(100_000)]
    schema = {"items": {"properties": {"id": {"type": "integer"}}, "required": ["id", "name"]}}
    with Folder() as d:
        d.write("rows.json", schema)
        text = "[" + ",\n".join(json.dumps(row) for row in rows)
        ran = d.schema("rows.json", data=text + ',\n{"id": "7", "name": "x"}]')
        same(ran.code, 1, ran)
        expect(ran.err.startswith(b"<stdin>:100001:8: item [100000].id must be an integer"), ran)
        ran = d.schema("rows.json", "--align", data=text + ',\n{"id": "7", "name": "x"}]')
        same((ran.code, json.loads(ran.out)), (0, rows + [{"id": 7, "name": "x"}]), ran.err)


@test("on a terminal it says that it reads what is typed")
def _():
    with Folder() as d:
        out = on_terminal("schema", d.at("weather.json"), "--align", typed=b'{"city":"Oslo"}\n\x04')
        expect(b"belay schema: reading what you type" in out and out.endswith(b'\n{"city":"Oslo"}\n'), out)


# ---- help

@test("the manual goes to stdout with exit 0, in 80 columns, and has its sections")
def _():
    for args in (("schema", "--help"), ("help", "schema"), ("schema", "-h"), ("schema", "x", "--help")):
        ran = outside.belay(*args)
        same((ran.code, ran.err), (0, b""), ran)
        for line in ran.out.decode("ascii").splitlines():
            expect(len(line) <= 80, f"{args}: {line!r} is {len(line)} wide")
        for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ALIGNING", "REPORT", "LIMITS",
                        "EXAMPLES", "SEE ALSO"):
            expect(f"\n{section}\n" in "\n" + ran.out.decode(), section)
    expect(b"  schema SCHEMA [FILE]" in outside.belay("--help").out, "the overview")


@test("every example in the manual gives what it says")
def _():
    found = transcripts(outside.belay("schema", "--help").out.decode(), "        ")
    expect(len(found) >= 8, found)
    run_transcripts(found, "help")


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
