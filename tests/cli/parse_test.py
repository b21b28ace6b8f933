#!/usr/bin/env python3
"""Runs `belay parse` from outside, as a person or a script would.

  parse_test.py BELAY

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
from repair_test import expect, on_terminal, pieces, run_transcripts, same, transcripts  # noqa: E402

TESTS = []
WIRES = ("openai-chat", "openai-responses", "anthropic", "gemini", "ollama")
PATH = '{"path":"notes.md"}'


def test(sentence):
    def add(function):
        TESTS.append((sentence, function))
        return function
    return add


def parse(wire, data, *args, **more):
    return outside.belay("parse", "--wire", wire, *args, data=data, **more)


def events(wire, data, *args, code=0):
    ran = parse(wire, data, *args)
    same((ran.code, ran.err), (code, b""), ran)
    expect(ran.out.endswith(b"\n"), ran)
    return [json.loads(line) for line in ran.out.splitlines()]


def of(kind, lines):
    return [line for line in lines if line["type"] == kind]


def sse(*data):
    return "".join(f"data: {d if isinstance(d, str) else json.dumps(d)}\n\n" for d in data)


def chat(*calls, **delta):
    if calls:
        delta["tool_calls"] = list(calls)
    return {"choices": [{"index": 0, "delta": delta}]}


def piece(arguments, index=0, **more):
    function = {"arguments": arguments}
    if "name" in more:
        function["name"] = more.pop("name")
    return dict(more, index=index, function=function)


def finish(reason="tool_calls"):
    return {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}


def one_call(name="read", arguments=PATH, reason="tool_calls"):
    return sse(chat(piece(arguments, id="call_1", name=name)), finish(reason), "[DONE]")


def call_of(data, *args, code=0):
    calls = of("call_end", events("openai-chat", data, *args, code=code))
    same(len(calls), 1, calls)
    return calls[0]


# A turn of each wire with a text, two calls, usage and a proper end.
TURNS = {
    "openai-chat": sse(chat(content="Grüße. "), chat(content="Ich lese."), chat(piece("", id="a", name="read")),
                       chat(piece('{"path":')), chat(piece('"notes.md"}')), chat(piece("{}", 1, id="b", name="list")),
                       finish(), {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 5}}, "[DONE]"),
    "openai-responses": sse(
        {"type": "response.created", "response": {"id": "r", "status": "in_progress"}},
        {"type": "response.output_text.delta", "item_id": "m", "output_index": 0, "content_index": 0, "delta": "Grüße. "},
        {"type": "response.output_text.delta", "item_id": "m", "output_index": 0, "content_index": 0, "delta": "Ich lese."},
        {"type": "response.output_item.added", "output_index": 1,
         "item": {"type": "function_call", "id": "f1", "call_id": "a", "name": "read", "arguments": ""}},
        {"type": "response.function_call_arguments.delta", "item_id": "f1", "output_index": 1, "delta": '{"path":'},
        {"type": "response.function_call_arguments.delta", "item_id": "f1", "output_index": 1, "delta": '"notes.md"}'},
        {"type": "response.output_item.done", "output_index": 2,
         "item": {"type": "function_call", "id": "f2", "call_id": "b", "name": "list", "arguments": "{}"}},
        {"type": "response.completed", "response": {"status": "completed", "usage": {"input_tokens": 7, "output_tokens": 5}}}),
    "anthropic": sse(
        {"type": "message_start", "message": {"id": "m", "usage": {"input_tokens": 7, "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Grüße. "}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Ich lese."}},
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "a", "name": "read", "input": {}}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '{"path":'}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '"notes.md"}'}},
        {"type": "content_block_stop", "index": 1},
        {"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "b", "name": "list", "input": {}}},
        {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "{}"}},
        {"type": "content_block_stop", "index": 2},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 5}},
        {"type": "message_stop"}),
    "gemini": sse(
        {"candidates": [{"content": {"parts": [{"text": "Grüße. "}]}}]},
        {"candidates": [{"content": {"parts": [{"text": "Ich lese."}]}}]},
        {"candidates": [{"content": {"parts": [{"functionCall": {"id": "a", "name": "read", "args": {"path": "notes.md"}}},
                                               {"functionCall": {"id": "b", "name": "list", "args": {}}}]},
                         "finishReason": "STOP"}],
         "usageMetadata": {"promptTokenCount": 7, "candidatesTokenCount": 5}}),
    "ollama": "".join(json.dumps(line) + "\n" for line in (
        {"message": {"content": "Grüße. "}, "done": False},
        {"message": {"content": "Ich lese."}, "done": False},
        {"message": {"tool_calls": [{"id": "a", "function": {"name": "read", "arguments": {"path": "notes.md"}}},
                                    {"id": "b", "function": {"name": "list", "arguments": {}}}]}, "done": False},
        {"message": {"content": ""}, "done": True, "done_reason": "stop", "prompt_eval_count": 7, "eval_count": 5})),
}


class Folder(tempfile.TemporaryDirectory):
    """A throw-away folder."""

    def __enter__(self):
        super().__enter__()
        return self

    def write(self, name, content):
        path = os.path.join(self.name, name)
        with open(path, "wb") as f:
            f.write(content if isinstance(content, bytes) else
                    content.encode() if isinstance(content, str) else json.dumps(content).encode())
        return path


# ---- events

@test("every wire gives the same turn as JSON lines, calls at the end in the order of their slots, then usage and stop")
def _():
    for wire in WIRES:
        lines = events(wire, TURNS[wire])
        same("".join(e["text"] for e in of("text", lines)), "Grüße. Ich lese.", wire)
        starts = of("call_start", lines)
        same([(e["slot"], e["id"], e["name"]) for e in starts], [(0, "a", "read"), (1, "b", "list")], wire)
        same("".join(e["delta"] for e in of("call_delta", lines) if e["slot"] == 0), PATH, wire)
        same(of("call_end", lines), [
            {"type": "call_end", "slot": 0, "id": "a", "name": "read", "verdict": "valid", "trusted": True,
             "arguments": {"path": "notes.md"}, "edits": [], "error": None},
            {"type": "call_end", "slot": 1, "id": "b", "name": "list", "verdict": "valid", "trusted": True,
             "arguments": {}, "edits": [], "error": None}], wire)
        same([e["type"] for e in lines[-4:]], ["call_end", "call_end", "usage", "stop"], wire)
        same((lines[-2]["input_tokens"], lines[-2]["output_tokens"]), (7, 5), wire)
        same(lines[-1]["reason"], "tool_calls", wire)
        expect(isinstance(lines[-1]["raw"], str) and lines[-1]["raw"], wire)


@test("--coalesce gives the same bytes at any --chunk, on every wire")
def _():
    for wire in WIRES:
        whole = parse(wire, TURNS[wire], "--coalesce")
        same(whole.code, 0, whole)
        same(sum(line.startswith(b'{"type":"text"') for line in whole.out.splitlines()), 1, whole)
        for chunk in ("1", "2", "3", "7", "64", "4096"):
            same(parse(wire, TURNS[wire], "--coalesce", "--chunk", chunk).out, whole.out, (wire, chunk))
    for data in (TURNS["anthropic"], "<html>502</html>", b"\x1f\x8b\x08\0\0\0\0\0", b"\xff\xfe\0", ""):
        whole = parse("openai-chat", data, "--coalesce")
        same(whole.code, 1, whole)
        for chunk in ("1", "5"):
            same(parse("openai-chat", data, "--coalesce", "--chunk", chunk).out, whole.out, (data, chunk))


@test("without --coalesce each piece is a line, and their sum is the same")
def _():
    lines = events("openai-chat", TURNS["openai-chat"])
    same([e["text"] for e in of("text", lines)], ["Grüße. ", "Ich lese."])
    same([e["delta"] for e in of("call_delta", lines) if e["slot"] == 0], ['{"path":', '"notes.md"}'])


@test("lines come while the input arrives")
def _():
    p = subprocess.Popen([outside.BELAY, "parse", "--wire", "openai-chat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    p.stdin.write(sse(chat(content="first")).encode())
    p.stdin.flush()
    wanted = b'{"type":"text","text":"first"}\n'
    same(pieces(p.stdout.fileno(), len(wanted)), wanted)
    out, _ = p.communicate(sse(finish("stop")).encode(), timeout=10)
    same(out, b'{"type":"stop","reason":"end","raw":"stop"}\n')


@test("reasoning, refusals and notices have lines of their own")
def _():
    lines = events("openai-chat", sse(chat(reasoning_content="Hm."), {"choices": [{"index": 1, "delta": {}}]},
                                      chat(refusal="No."), finish("stop"), "[DONE]"), "--coalesce")
    same([e["type"] for e in lines], ["reasoning", "notice", "text", "stop"])
    same(lines[0], {"type": "reasoning", "text": "Hm."})
    same(lines[1]["kind"], "ignored_choice")
    expect(lines[1]["message"], lines)


@test("a file can be named, and - is standard input")
def _():
    with Folder() as d:
        path = d.write("body.txt", one_call())
        same(call_of("", path)["trusted"], True)
        same(call_of(one_call(), "-")["trusted"], True)


# ---- verdicts and trust

@test("mended, split, guessed, truncated and broken calls say so, with edits, values and errors")
def _():
    call = call_of(one_call(arguments='{"path":"a",}'))
    same((call["verdict"], call["trusted"], call["arguments"]), ("mended", True, {"path": "a"}))
    same(call["edits"], [{"kind": "trailing_comma", "offset": 11, "length": 1, "grade": "safe"}])
    call = call_of(one_call(arguments='{"a":1}{"a":2}'))
    same((call["verdict"], call["trusted"], call["values"]), ("split", True, [{"a": 1}, {"a": 2}]))
    call = call_of(one_call(arguments='{"path":"a"'))
    same((call["verdict"], call["trusted"], call["arguments"]), ("guessed", False, {"path": "a"}))
    same(call["edits"][0]["grade"], "guess")
    call = call_of(one_call(arguments='{"path":"a', reason="length"))
    same((call["verdict"], call["trusted"], call["error"]["kind"]), ("truncated", False, "truncated"))
    same((call["error"]["offset"], call["error"]["line"], call["error"]["column"]), (10, 1, 11))
    call = call_of(one_call(arguments="no JSON"))
    same((call["verdict"], call["trusted"], call["arguments"], call["error"]["kind"]), ("broken", False, None, "no_value"))
    expect("values" not in call, call)
    same(call_of(one_call(name=""))["error"]["kind"], "no_name")


@test("integers keep their digits, and text is written as it was")
def _():
    ran = parse("openai-chat", one_call(arguments='{"n":12345678901234567890123,"t":"\\u00e9\\ud83d\\ude00"}'))
    expect('"arguments":{"n":12345678901234567890123,"t":"é😀"}'.encode() in ran.out, ran)


@test("a turn that was cut keeps what was whole, and the last call is not trusted")
def _():
    body = sse(chat(piece(PATH, id="a", name="read")), chat(piece(PATH, 1, id="b", name="read")), finish("length"), "[DONE]")
    lines = events("openai-chat", body)
    same([c["trusted"] for c in of("call_end", lines)], [True, False])
    same(lines[-1], {"type": "stop", "reason": "length", "raw": "length"})


@test("an end without an end marker: stop none, no call trusted, exit 0")
def _():
    body = sse(chat(piece(PATH, id="a", name="read")), chat(content="Done."))
    for args in ((), ("--ended", "eof"), ("--ended", "reset")):
        lines = events("openai-chat", body, *args)
        same(of("call_end", lines)[0]["trusted"], False, args)
        same(lines[-1], {"type": "stop", "reason": "none", "raw": None}, args)


@test("--ended reset does not count an event that lacks its end; eof does, where it is whole JSON")
def _():
    body = one_call().removesuffix("data: [DONE]\n\n").rstrip("\n")
    same(call_of(body)["trusted"], True)
    same(call_of(body, "--ended", "eof")["trusted"], True)
    same(call_of(body, "--ended", "reset")["trusted"], False)
    same(call_of(one_call(), "--ended", "reset")["trusted"], True)


@test("an error in the stream is an event, with exit 1 and no call trusted")
def _():
    body = sse(chat(piece(PATH, id="a", name="read")),
               {"error": {"type": "rate_limit_error", "message": "Slow down. Please try again in 1.5s."}})
    lines = events("openai-chat", body, code=1)
    same(of("error", lines), [{"type": "error", "kind": "rate_limit", "message": "Slow down. Please try again in 1.5s.",
                               "retryable": True, "retry_after": 1.5}])
    same(of("call_end", lines)[0]["trusted"], False)
    same(lines[-1]["type"], "stop")


@test("bodies that are no stream are an error event: a page, gzip, nothing, words, another provider's stream")
def _():
    bodies = {b"<html><body>502 Bad Gateway</body></html>": "not_a_stream", b"\x1f\x8b\x08\0\0\0\0\0": "compressed",
              b"": "empty", b"upstream connect error": "not_a_stream"}
    for wire in WIRES:
        for data, kind in bodies.items():
            lines = events(wire, data, code=1)
            same([e["kind"] for e in of("error", lines)], [kind], (wire, data))
            same(lines[-1]["reason"], "none", (wire, data))
    same(of("error", events("anthropic", TURNS["openai-chat"], code=1))[0]["kind"], "not_a_stream")


@test("a body that was cut and one of comments only say so")
def _():
    for data, kind, words in (('{"id":"x","choices":[{"message":{"content":"Hel', "cut_off", "was cut off"),
                              (": OPENROUTER PROCESSING\n\n", "empty", "nothing but comments")):
        error = of("error", events("openai-chat", data, code=1))[0]
        same((error["kind"], error["retryable"]), (kind, True), error)
        expect(words in error["message"] and data[:20].strip() in error["message"], error)


# ---- tools

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}, "lines": {"type": "integer"}},
          "required": ["path"], "additionalProperties": False}
SHAPES = {
    "OpenAI's": [{"type": "function", "function": {"name": "read", "description": "x", "parameters": SCHEMA}}],
    "OpenAI's, flat": [{"type": "function", "name": "read", "parameters": SCHEMA, "strict": True}],
    "Anthropic's": [{"name": "read", "description": "x", "input_schema": SCHEMA}],
    "MCP's": [{"name": "read", "title": "Read", "inputSchema": SCHEMA, "annotations": {"readOnlyHint": True}}],
    "plain": [{"name": "read", "description": "x", "parameters": SCHEMA}],
    "one tool": {"name": "read", "parameters": SCHEMA},
    "a request's": {"model": "m", "tools": [{"type": "function", "function": {"name": "read", "parameters": SCHEMA}}]},
    "what an MCP server answers": {"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "read", "inputSchema": SCHEMA}]}},
    "Gemini's": [{"functionDeclarations": [{"name": "read", "parameters": {
        "type": "OBJECT", "properties": {"path": {"type": "STRING"}, "lines": {"type": "INTEGER", "nullable": True}},
        "required": ["path"]}}]}],
    "Gemini's, as JSON Schema": {"functionDeclarations": [{"name": "read", "parametersJsonSchema": SCHEMA}]},
}


@test("--tools takes OpenAI's, Anthropic's, Gemini's, MCP's and plain tools, aligns and checks")
def _():
    with Folder() as d:
        for shape, tools in SHAPES.items():
            path = d.write("tools.json", tools)
            call = call_of(one_call(), "--tools", path)
            same((call["verdict"], call["trusted"], call["error"]), ("valid", True, None), shape)
            call = call_of(one_call(arguments='{"path":"a","lines":"3"}'), "--tools", path)
            same((call["verdict"], call["trusted"], call["arguments"]), ("mended", True, {"path": "a", "lines": 3}), shape)
            same(call["edits"], [{"kind": "number_from_string", "path": "/lines", "grade": "safe"}], shape)
            call = call_of(one_call(arguments='{"lines":3}'), "--tools", path)
            same((call["trusted"], call["error"]["kind"], call["arguments"]), (False, "schema", {"lines": 3}), shape)
            expect("path" in call["error"]["message"], call)
            call = call_of(one_call(name="reed"), "--tools", path)
            same((call["verdict"], call["trusted"], call["error"]["kind"]), ("valid", False, "unknown_tool"), shape)
            expect("reed" in call["error"]["message"] and "read" in call["error"]["message"], call)


@test("types in capitals and nullable are Gemini's; elsewhere such a schema is refused")
def _():
    own = {"name": "read", "parameters": {"type": "OBJECT", "properties": {"n": {"type": "INTEGER", "nullable": True}}}}
    with Folder() as d:
        path = d.write("gemini.json", [{"functionDeclarations": [own]}])
        for arguments, trusted in (('{"n":null}', True), ('{"n":7}', True), ('{"n":{}}', False)):
            same(call_of(one_call(arguments=arguments), "--tools", path)["trusted"], trusted, arguments)
        ran = parse("openai-chat", one_call(), "--tools", d.write("plain.json", [own]))
        same((ran.code, ran.out), (2, b""), ran)


@test("a name that means a tool of another name stays, and call_end says which tool that is")
def _():
    with Folder() as d:
        path = d.write("tools.json", [{"name": "mcp__gh__issue"}, {"name": "read"}])
        for name, tool in (("gh__issue", "mcp__gh__issue"), ("functions.read", "read"), ("read", None)):
            call = call_of(one_call(name=name), "--tools", path)
            same((call["name"], call.get("tool"), call["trusted"]), (name, tool, True), name)
        text = parse("openai-chat", one_call(name="gh__issue"), "--tools", path, "--show").out.decode()
        expect("gh__issue" in text and "means the tool mcp__gh__issue" in text, text)


@test("an error of the schema says where: offset, line and column in the arguments")
def _():
    with Folder() as d:
        path = d.write("tools.json", [{"name": "read", "parameters": SCHEMA}])
        error = call_of(one_call(arguments='{"path":"a",\n "lines":[7]}'), "--tools", path)["error"]
        same((error["kind"], error["offset"], error["line"], error["column"]), ("schema", 22, 2, 10), error)


@test("without --tools every name counts as known; with an empty list none does")
def _():
    same(call_of(one_call(name="anything"))["trusted"], True)
    with Folder() as d:
        same(call_of(one_call(), "--tools", d.write("none.json", []))["error"]["kind"], "unknown_tool")


@test("tools that cannot be used are wrong usage, and the reason names file and tool")
def _():
    with Folder() as d:
        bad = {"broken.json": ("[{", b"not JSON"), "text.json": ('"x"', b"array of tools"),
               "nameless.json": ('[{"parameters":{}}]', b"no name"),
               "schema.json": ('[{"name":"read","parameters":{"type":"nix"}}]', b"schema of read"),
               "ahead.json": ('[{"name":"read","parameters":{"properties":{"p":{"pattern":"^(?=a)b"}}}}]',
                              b"leave the tool out, and run again")}
        for name, (content, reason) in bad.items():
            ran = parse("openai-chat", one_call(), "--tools", d.write(name, content))
            same((ran.code, ran.out), (2, b""), ran)
            expect(name.encode() in ran.err and reason in ran.err, ran)
        ran = parse("openai-chat", one_call(), "--tools", os.path.join(d.name, "missing.json"))
        same((ran.code, ran.out), (2, b""), ran)
        expect(b"missing.json" in ran.err, ran)


# ---- limits

@test("--limit lowers and raises limits, and the errors say which and how")
def _():
    two = sse(chat(piece("{}", id="a", name="f")), chat(piece("{}", 1, id="b", name="f")), finish(), "[DONE]")
    same(len(of("call_end", events("openai-chat", two, "--limit", "calls=2"))), 2)
    error = of("error", events("openai-chat", two, "--limit", "calls=1", code=1))[0]
    same((error["kind"], error["retryable"]), ("limit", False))
    expect("--limit calls=" in error["message"], error)
    error = of("error", events("openai-chat", two, "--limit", "event_bytes=64", code=1))[0]
    same(error["kind"], "limit")
    expect("--limit event_bytes=" in error["message"], error)
    error = of("error", events("openai-chat", one_call(name="f" * 40), "--limit", "name_bytes=32", code=1))[0]
    expect("--limit name_bytes=" in error["message"], error)
    for limit, arguments in (("bytes=8", '{"a":"long enough"}'), ("depth=2", '{"a":[[1]]}'), ("values=2", '{"a":1}{"a":2}{"a":3}')):
        call = call_of(one_call(arguments=arguments), "--limit", limit)
        same((call["verdict"], call["trusted"], call["arguments"], call["error"]["kind"]), ("broken", False, None, "limit"), limit)
        expect("--limit " + limit.split("=")[0] + "=" in call["error"]["message"], call)
    ran = parse("openai-chat", one_call(arguments='{"a":' * 2000 + "1" + "}" * 2000), "--limit", "depth=1M")
    expect(b'"verdict":"valid","trusted":true' in ran.out, ran)


@test("a thousand calls are read; one more than the limit of 1,024 is a failure")
def _():
    def calls(n):
        return sse(*(chat(piece(json.dumps({"n": i}), i, id=f"c{i}", name="f")) for i in range(n)), finish(), "[DONE]")
    ends = of("call_end", events("openai-chat", calls(1000)))
    same([e["arguments"]["n"] for e in ends if e["trusted"]], list(range(1000)))
    same(of("error", events("openai-chat", calls(1025), code=1))[0]["kind"], "limit")


@test("an endless line ends at the limit")
def _():
    lines = events("openai-chat", b'data: {"choices":[{"delta":{"content":"' + b"x" * (12 << 20), code=1)
    same(of("error", lines)[0]["kind"], "limit")


# ---- --show

@test("--tools says which tool has no name, and refuses two of one name")
def _():
    with Folder() as d:
        for tools, words in (([{"name": "a"}, {"description": "x"}], b"tool 2 of 2: it has no name"),
                             ([{"name": "a"}, {"name": "b"}, {"function": {"name": "a"}}],
                              b"tool 3 of 3: the name a is taken by a tool before it")):
            ran = parse("openai-chat", one_call(), "--tools", d.write("tools.json", tools))
            same((ran.code, ran.out), (2, b""), ran)
            expect(words in ran.err, ran)


@test("--show counts one token as one")
def _():
    body = sse(chat(content="x"), finish(), {"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2}}, "[DONE]")
    text = parse("openai-chat", body, "--show").out.decode()
    expect("1 token in, 2 out" in text, text)


@test("--show is plain when piped, in 80 columns, and shows tool, arguments, verdict and receipt")
def _():
    body = sse(chat(content="Ich lese " + "sehr " * 30 + "viel."),
               chat(piece('{"path":"notes.md","text":"' + "long " * 100 + '",}', id="call_1", name="write")),
               finish(), "[DONE]")
    ran = parse("openai-chat", body, "--show")
    same((ran.code, ran.err), (0, b""), ran)
    expect(not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", ran.out), "control characters")
    text = ran.out.decode()
    for line in text.splitlines():
        expect(len(line) <= 80, f"{line!r} is {len(line)} wide")
    for part in ("Ich lese", "write", "call_1", "notes.md", "mended", "trusted", "trailing_comma", "tool_calls"):
        expect(part in text, (part, text))
    for chunk in ("1", "10"):
        same(parse("openai-chat", body, "--show", "--chunk", chunk).out, ran.out, chunk)


@test("--show says what was not trusted and why, and exits 1 for an error")
def _():
    text = parse("openai-chat", one_call(arguments='{"path":"a', reason="length"), "--show").out.decode()
    expect("truncated" in text and "not trusted" in text and "length" in text, text)
    ran = parse("openai-chat", "<html>", "--show")
    same(ran.code, 1, ran)
    expect(b"not_a_stream" in ran.out, ran)
    text = parse("openai-chat", one_call(reason="abort"), "--show").out.decode()
    expect("abort" in text, text)
    reasons = {one_call(reason="length"): "because the turn was cut off (length)",
               sse(chat(piece(PATH, id="a", name="read"))): "because the stream ended without its end marker",
               sse(chat(piece(PATH, id="a", name="read")), {"error": {"message": "x"}}): "because the stream failed",
               one_call(arguments=PATH[:-1]): "because its arguments are guessed"}
    for body, why in reasons.items():
        text = " ".join(parse("openai-chat", body, "--show").out.decode().split())
        expect(why in text and "not trusted" in text, text)
    text = " ".join(parse("openai-chat", one_call(), "--show").out.decode().split())
    expect("because" not in text, text)


@test("--show writes long messages in full, over as many lines of 80 columns as they need")
def _():
    words = " ".join(f"word{n}" for n in range(60))
    with Folder() as d:
        tools = d.write("tools.json", [{"name": f"tool_number_{n}"} for n in range(12)])
        for body, more in ((sse({"error": {"message": words}}), ()), (one_call(name="reed"), ("--tools", tools))):
            text = parse("openai-chat", body, "--show", *more).out.decode()
            for line in text.splitlines():
                expect(len(line) <= 80, f"{line!r} is {len(line)} wide")
            for part in words.split() if not more else [f"tool_number_{n}" for n in range(12)]:
                expect(part in text, (part, text))


@test("--show draws no escape of the stream's own")
def _():
    ran = parse("openai-chat", sse(chat(content="a\x1b[31mred\x07\u202e"), chat(piece('{"p":"\\u001b[2J"}', id="\x1b[1m", name="\x1b]0;x\x07")),
                                   finish(), "[DONE]"), "--show")
    expect(b"\x1b" not in ran.out and b"\x07" not in ran.out and "\u202e".encode() not in ran.out, ran)


@test("--show is coloured and redrawn on a terminal, unless NO_COLOR is set")
def _():
    os.environ.pop("NO_COLOR", None)
    with Folder() as d:
        path = d.write("body.txt", one_call())
        args = ("parse", "--wire", "openai-chat", "--show", "--chunk", "20", path)
        out = on_terminal(*args)
        expect(b"\x1b[" in out and b"notes.md" in out, out)
        out = on_terminal(*args, NO_COLOR="1")
        expect(b"\x1b" not in out and b"notes.md" in out, out)


# ---- usage

@test("wrong usage: exit 2, nothing on stdout, and the reason")
def _():
    for args, reason in (
            ((), b"--wire is needed"),
            (("--wire",), b"--wire needs a value"),
            (("--wire", "carrier-pigeon"), b"carrier-pigeon"),
            (("--wire", "gemini", "--chunk", "0"), b"--chunk"),
            (("--wire", "gemini", "--chunk", "many"), b"many"),
            (("--wire", "gemini", "--ended", "badly"), b"--ended is eof or reset"),
            (("--wire", "gemini", "--limit", "calls"), b"calls"),
            (("--wire", "gemini", "--limit", "sheep=3"), b"sheep"),
            (("--wire", "gemini", "--limit", "calls=many"), b"many"),
            (("--wire", "gemini", "--format", "morse"), b"morse"),
            (("--wire", "gemini", "--show", "--coalesce"), b"exclude each other"),
            (("--wire", "gemini", "--colour"), b"--colour"),
            (("--wire", "gemini", "no/such/file"), b"no/such/file"),
            (("--wire", "gemini", "."), b".")):
        ran = outside.belay("parse", *args)
        same((ran.code, ran.out), (2, b""), (args, ran))
        expect(reason in ran.err and ran.err.startswith(b"belay parse: "), (args, ran))


@test("--format none is what the five wires have by default")
def _():
    for wire in WIRES:
        same(parse(wire, TURNS[wire], "--format", "none").out, parse(wire, TURNS[wire]).out, wire)


@test("--help says all options, in 80 columns, and its examples give what they say")
def _():
    for flag in ("--help", "-h"):
        ran = outside.belay("parse", flag)
        same((ran.code, ran.err), (0, b""), ran)
    text = ran.out.decode()
    for option in ("--wire", "--tools", "--show", "--coalesce", "--ended", "--format", "--chunk", "--limit"):
        expect(option in text, option)
    for line in text.splitlines():
        expect(len(line) <= 80, line)


@test("a closed pipe ends it without a word")
def _():
    p = subprocess.Popen([outside.BELAY, "parse", "--wire", "openai-chat"], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    p.stdout.close()
    try:
        p.stdin.write(sse(*[chat(content="x" * 1000)] * 1000).encode())
        p.stdin.close()
    except BrokenPipeError:
        pass
    p.wait(timeout=20)
    same(p.stderr.read(), b"")
    expect(p.returncode in (1, -13), p.returncode)
    p.stderr.close()


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
