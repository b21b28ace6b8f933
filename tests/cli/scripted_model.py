"""A model that follows a script, behind a real HTTP server, on any of the five wires.

A script is a list of turns. A turn is a dict:
  text       what the model says
  calls      [(name, raw arguments), ...]: the arguments are sent as they are, damage and all
  stop       "tools" (default with calls), "end", "length"
  fault      None, or what goes wrong instead: "429", "529", "500", "overloaded" (inside the stream), "html", "drop"
             (the connection breaks off in the middle), "stall" (nothing more comes), "pings" (nothing more of the
             answer, and signs of life for as long as somebody reads), "empty", "refuse-connection"
  nothing    with "drop", "stall" and "pings": they come behind the headers
  reasoning  what it thinks
  usage      (anthropic) members of message_start's usage
  chunk      bytes of the stream that go out at once (default 61)
  pause      seconds before each of them
  hold       a threading.Event: the second half of the stream comes when it is set
Every request is checked: each call has exactly one result, in order, directly behind it; arguments are valid JSON
objects; ids are unique. What is wrong is kept in `problems`.
"""

import http.server
import json
import socket
import struct
import threading

WIRES = ["openai-chat", "openai-responses", "anthropic", "gemini", "ollama"]


def sse(data, event=None):
    head = f"event: {event}\n" if event else ""
    return head + "data: " + (data if isinstance(data, str) else json.dumps(data)) + "\n\n"


def pieces(text, size=9):
    return [text[i : i + size] for i in range(0, len(text), size)] or [""]


class Encoders:
    """The stream of a turn, as text. Raw arguments go into JSON strings, so any bytes can stand in them."""

    @staticmethod
    def openai_chat(turn, n):
        def chunk(delta, finish=None):
            return sse({"id": f"c{n}", "object": "chat.completion.chunk", "created": 1, "model": "script",
                        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
        out = chunk({"role": "assistant", "content": ""})
        for piece in pieces(turn.get("text", "")):
            out += chunk({"content": piece})
        for i, (name, raw) in enumerate(turn.get("calls", [])):
            out += chunk({"tool_calls": [{"index": i, "id": f"call_{n}_{i}", "type": "function",
                                          "function": {"name": name, "arguments": ""}}]})
            for piece in pieces(raw):
                out += chunk({"tool_calls": [{"index": i, "function": {"arguments": piece}}]})
        if "overloaded" == turn.get("fault"):
            return out + sse({"error": {"message": "Overloaded", "type": "overloaded_error", "code": 529}})
        out += chunk({}, {"tools": "tool_calls", "end": "stop", "length": "length"}[turn["stop"]])
        out += sse({"id": f"c{n}", "object": "chat.completion.chunk", "created": 1, "model": "script", "choices": [],
                    "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}})
        return out + "data: [DONE]\n\n"

    @staticmethod
    def openai_responses(turn, n):
        out, items, seq = "", [], iter(range(10**6))
        def event(kind, **members):
            return sse({"type": kind, "sequence_number": next(seq), **members}, kind)
        out += event("response.created", response={"id": f"resp_{n}", "object": "response", "model": "script",
                                                   "status": "in_progress", "output": []})
        index = 0
        if turn.get("text"):
            item = {"id": f"msg_{n}", "type": "message", "role": "assistant", "status": "in_progress", "content": []}
            out += event("response.output_item.added", output_index=index, item=item)
            out += event("response.content_part.added", item_id=item["id"], output_index=index, content_index=0,
                         part={"type": "output_text", "text": "", "annotations": []})
            for piece in pieces(turn["text"]):
                out += event("response.output_text.delta", item_id=item["id"], output_index=index, content_index=0,
                             delta=piece)
            part = {"type": "output_text", "text": turn["text"], "annotations": []}
            out += event("response.output_text.done", item_id=item["id"], output_index=index, content_index=0,
                         text=turn["text"])
            item = {**item, "status": "completed", "content": [part]}
            out += event("response.output_item.done", output_index=index, item=item)
            items.append(item)
            index += 1
        for i, (name, raw) in enumerate(turn.get("calls", [])):
            item = {"id": f"fc_{n}_{i}", "type": "function_call", "call_id": f"call_{n}_{i}", "name": name,
                    "arguments": "", "status": "in_progress"}
            out += event("response.output_item.added", output_index=index, item=item)
            for n_piece, piece in enumerate(pieces(raw)):
                out += event("response.function_call_arguments.delta", item_id=item["id"], output_index=index,
                             delta=piece)
                if n_piece == 0 and "stray" in turn:
                    out += event("response.function_call_arguments.delta", item_id="fc_none", output_index=99,
                                 delta=turn["stray"])
            if "stray" in turn:  # or the end would say all of them once more
                item = {**item, "status": "completed"}
                out += event("response.output_item.done", output_index=index, item=item)
            elif turn["stop"] != "length" or i + 1 < len(turn["calls"]):
                out += event("response.function_call_arguments.done", item_id=item["id"], output_index=index,
                             arguments=raw)
                item = {**item, "arguments": raw, "status": "completed"}
                out += event("response.output_item.done", output_index=index, item=item)
            else:
                item = {**item, "arguments": raw, "status": "incomplete"}
            items.append(item)
            index += 1
        if "overloaded" == turn.get("fault"):
            return out + event("error", code="server_is_overloaded", message="Overloaded", param=None)
        done = {"id": f"resp_{n}", "object": "response", "model": "script", "output": items,
                "usage": {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}}
        if turn["stop"] == "length":
            return out + event("response.incomplete", response={
                **done, "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}})
        return out + event("response.completed", response={**done, "status": "completed"})

    @staticmethod
    def anthropic(turn, n):
        def event(kind, **members):
            return sse({"type": kind, **members}, kind)
        out = event("message_start", message={"id": f"msg_{n}", "type": "message", "role": "assistant",
                                              "model": "script", "content": [], "stop_reason": None,
                                              "usage": {"input_tokens": 100, "output_tokens": 1,
                                                        **turn.get("usage", {})}})
        index = 0
        if turn.get("text"):
            out += event("content_block_start", index=index, content_block={"type": "text", "text": ""})
            for piece in pieces(turn["text"]):
                out += event("content_block_delta", index=index, delta={"type": "text_delta", "text": piece})
            out += event("content_block_stop", index=index)
            index += 1
        for i, (name, raw) in enumerate(turn.get("calls", [])):
            out += event("content_block_start", index=index,
                         content_block={"type": "tool_use", "id": f"toolu_{n}_{i}", "name": name, "input": {}})
            for n_piece, piece in enumerate(pieces(raw)):
                out += event("content_block_delta", index=index,
                             delta={"type": "input_json_delta", "partial_json": piece})
                if n_piece == 0 and "stray" in turn:
                    out += event("content_block_delta", index=99,
                                 delta={"type": "input_json_delta", "partial_json": turn["stray"]})
            out += event("content_block_stop", index=index)
            index += 1
        if "overloaded" == turn.get("fault"):
            return out + event("error", error={"type": "overloaded_error", "message": "Overloaded"})
        reason = {"tools": "tool_use", "end": "end_turn", "length": "max_tokens"}[turn["stop"]]
        out += event("message_delta", delta={"stop_reason": reason}, usage={"output_tokens": 20})
        return out + event("message_stop")

    # Gemini and Ollama send whole calls: damage there is in the event itself, or the arguments are an odd value.
    @staticmethod
    def gemini(turn, n):
        out = ""
        def event(parts, finish=None, usage=False):
            candidate = {"content": {"role": "model", "parts": parts}, "index": 0}
            if finish:
                candidate["finishReason"] = finish
            whole = {"candidates": [candidate], "modelVersion": "script", "responseId": f"r{n}"}
            if usage:
                whole["usageMetadata"] = {"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120}
            return "data: " + json.dumps(whole) + "\r\n\r\n"
        for piece in pieces(turn.get("text", ""), 20):
            out += event([{"text": piece}])
        for i, (name, raw) in enumerate(turn.get("calls", [])):
            mark = f'"<<{i}>>"'
            part = event([{"functionCall": {"name": name, "args": f"<<{i}>>"}}])
            out += part.replace(mark, raw)
        if "overloaded" == turn.get("fault"):
            return out + "data: " + json.dumps({"error": {"code": 503, "message": "The model is overloaded.",
                                                          "status": "UNAVAILABLE"}}) + "\r\n\r\n"
        finish = {"tools": "STOP", "end": "STOP", "length": "MAX_TOKENS"}[turn["stop"]]
        return out + event([{"text": ""}], finish, True)

    @staticmethod
    def ollama(turn, n):
        out = ""
        def line(message, **more):
            return json.dumps({"model": "script", "created_at": "2025-01-01T00:00:00Z",
                               "message": {"role": "assistant", "content": "", **message}, "done": False,
                               **more}) + "\n"
        for piece in pieces(turn.get("text", ""), 20):
            out += line({"content": piece})
        for i, (name, raw) in enumerate(turn.get("calls", [])):
            text = line({"tool_calls": [{"function": {"name": name, "arguments": f"<<{i}>>"}}]})
            out += text.replace(f'"<<{i}>>"', raw)
        if "overloaded" == turn.get("fault"):
            return out + json.dumps({"error": "server busy, please try again"}) + "\n"
        reason = {"tools": "stop", "end": "stop", "length": "length"}[turn["stop"]]
        return out + line({}, done=True, done_reason=reason, prompt_eval_count=100, eval_count=20)


# What servers and the proxies before them send while a model thinks.
COMMENT = ": keep-alive\n\n"
PINGS = {
    "openai-chat": [COMMENT, ": OPENROUTER PROCESSING\n\n", sse({"type": "ping"}, "ping"), sse({"choices": []}),
                    sse({"id": "c", "object": "chat.completion.chunk", "choices": [
                        {"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}]}),
                    sse({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}}],
                         "usage": {"prompt_tokens": 100, "completion_tokens": 0, "total_tokens": 100}})],
    "openai-responses": [COMMENT, sse({"type": "keepalive", "sequence_number": 9}, "keepalive"),
                         sse({"type": "response.in_progress", "response": {"id": "r", "object": "response",
                              "model": "script", "status": "in_progress", "output": []}}, "response.in_progress")],
    "anthropic": [COMMENT, sse({"type": "ping"}, "ping")],
    "gemini": [COMMENT, sse({"candidates": [{"content": {"role": "model", "parts": [{"text": ""}]}, "index": 0}],
                             "usageMetadata": {"promptTokenCount": 100}, "modelVersion": "script"}), sse({})],
    "ollama": ["\n", json.dumps({"model": "script", "created_at": "2025-01-01T00:00:00Z", "done": False,
                                 "message": {"role": "assistant", "content": ""}}) + "\n"],
}


def parsed(raw):
    try:
        return isinstance(json.loads(raw), dict)
    except ValueError:
        return False


def calls_and_results(wire, body):
    """The conversation as a list of ("call", id, arguments) and ("result", id, text), and other roles in between."""
    out = []
    if wire == "anthropic":
        for m in body["messages"]:
            content = m["content"]
            out.append(("role", m["role"], ""))
            for block in content if isinstance(content, list) else []:
                if block["type"] == "tool_use":
                    out.append(("call", block["id"], json.dumps(block["input"])))
                if block["type"] == "tool_result":
                    text = block.get("content", "")
                    if isinstance(text, list):
                        text = "".join(b.get("text", "") for b in text)
                    out.append(("result", block["tool_use_id"], text))
    elif wire == "openai-chat":
        for m in body["messages"]:
            out.append(("role", m["role"], ""))
            for call in m.get("tool_calls") or []:
                out.append(("call", call["id"], call["function"]["arguments"]))
            if m["role"] == "tool":
                text = m["content"]
                if isinstance(text, list):
                    text = "".join(b.get("text", "") for b in text)
                out.append(("result", m["tool_call_id"], text))
    elif wire == "openai-responses":
        for item in body["input"] if isinstance(body["input"], list) else []:
            if item.get("type") == "function_call":
                out.append(("call", item["call_id"], item["arguments"]))
            elif item.get("type") == "function_call_output":
                text = item["output"]
                out.append(("result", item["call_id"], text if isinstance(text, str) else json.dumps(text)))
            else:
                out.append(("role", item.get("role", "?"), ""))
    elif wire == "gemini":
        # No ids there by default: calls and responses pair by order.
        calls = results = 0
        for m in body["contents"]:
            out.append(("role", m.get("role", "user"), ""))
            for part in m["parts"]:
                if "functionCall" in part:
                    calls += 1
                    out.append(("call", str(calls), json.dumps(part["functionCall"].get("args", {}))))
                if "functionResponse" in part:
                    results += 1
                    out.append(("result", str(results), json.dumps(part["functionResponse"]["response"])))
    elif wire == "ollama":
        calls = results = 0
        for m in body["messages"]:
            out.append(("role", m["role"], ""))
            for call in m.get("tool_calls") or []:
                calls += 1
                out.append(("call", str(calls), json.dumps(call["function"]["arguments"])))
            if m["role"] == "tool":
                results += 1
                out.append(("result", str(results), m["content"]))
    return out


def problems_of(wire, body):
    out, open_calls, seen = [], [], set()
    for kind, name, text in calls_and_results(wire, body):
        if kind == "call":
            if name in seen:
                out.append(f"the id {name} stands twice")
            seen.add(name)
            if not parsed(text):
                out.append(f"the arguments of {name} are no JSON object: {text[:80]}")
            open_calls.append(name)
        elif kind == "result":
            if not open_calls or open_calls[0] != name:
                out.append(f"a result for {name}, while {open_calls[:3]} are open")
            else:
                open_calls.pop(0)
        elif open_calls and name in ("assistant", "model"):
            out.append(f"{open_calls} have no result")
    if open_calls:
        out.append(f"{open_calls} have no result at the end")
    return out


class Model:
    """with Model("anthropic", script) as model: ... model.url, model.requests, model.problems"""

    def __init__(self, wire, script, chunk=61):
        self.wire, self.script, self.chunk = wire, script, chunk
        self.requests, self.headers, self.paths, self.problems = [], [], [], []
        self.at, self.lock = 0, threading.Lock()
        model = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                self.send_error(404)

            def do_POST(self):
                try:
                    model.answer(self)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.stopping = threading.Event()

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self):
        base = f"http://127.0.0.1:{self.server.server_port}"
        return base + "/v1" if self.wire.startswith("openai") else base

    def turn_for(self, body):
        """By position. A script may be a function of the body instead."""
        if callable(self.script):
            return self.script(body)
        with self.lock:
            n = self.at
            self.at += 1
        return self.script[n] if n < len(self.script) else None

    def answer(self, http_request):
        length = int(http_request.headers.get("content-length", 0))
        raw = http_request.rfile.read(length)
        body = json.loads(raw)
        with self.lock:
            self.requests.append(body)
            self.headers.append(dict(http_request.headers.items()))
            self.paths.append(http_request.path)
            n = len(self.requests)
            self.problems += [f"request {n}: {p}" for p in problems_of(self.wire, body)]
        turn = self.turn_for(body)
        if turn is None:
            return self.whole(http_request, 400, {"error": {"message": "the script is over",
                                                            "type": "invalid_request_error"}})
        if "body" in turn:
            return self.raw(http_request, turn["status"], "application/json", turn["body"].encode())
        turn = {"stop": "tools" if turn.get("calls") else "end", **turn}
        fault = turn.get("fault")
        if fault in ("429", "529", "500", "503", "401"):
            more = {"retry-after": turn["retry_after"]} if "retry_after" in turn else {}
            kind = {"429": "rate_limit_error", "529": "overloaded_error", "401": "authentication_error"}.get(
                fault, "api_error")
            return self.whole(http_request, int(fault), {"error": {"message": turn.get("message", fault),
                                                                   "type": kind}}, more)
        if fault == "302":
            return self.whole(http_request, 302, {}, {"location": "http://elsewhere.example/v1"})
        if fault == "html":
            page = b"<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"
            return self.raw(http_request, 200, "text/html", page)
        encode = getattr(Encoders, self.wire.replace("-", "_"))
        stream = encode(turn, n).encode("utf-8", "surrogatepass")
        http_request.send_response(200)
        kind = "application/x-ndjson" if self.wire == "ollama" else "text/event-stream"
        http_request.send_header("content-type", kind)
        http_request.send_header("transfer-encoding", "chunked")
        http_request.end_headers()
        if fault in ("drop", "stall", "pings"):
            stream = b"" if turn.get("nothing") else stream[: len(stream) // 2]
        if fault == "pings":  # between two events
            stream = b"".join(stream.rpartition({"ollama": b"\n", "gemini": b"\r\n\r\n"}.get(self.wire, b"\n\n"))[:2])
        size = turn.get("chunk", self.chunk)
        hold = turn.get("hold")
        for i in range(0, len(stream), size):
            if hold and i >= len(stream) // 2:
                http_request.wfile.flush()
                hold.wait(60)
            if self.stopping.wait(turn.get("pause", 0)):
                return
            piece = stream[i : i + size]
            http_request.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        http_request.wfile.flush()
        if fault == "drop":
            linger = struct.pack("ii", 1, 0)
            http_request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            http_request.connection.close()
            http_request.close_connection = True
            return
        if fault == "stall":
            self.stopping.wait(120)
            http_request.close_connection = True
            return
        while fault == "pings" and not self.stopping.wait(0.02):
            for ping in PINGS[self.wire]:
                http_request.wfile.write(f"{len(ping):x}\r\n{ping}\r\n".encode())
            http_request.wfile.flush()
        http_request.wfile.write(b"0\r\n\r\n")

    @staticmethod
    def raw(http_request, status, kind, payload, more=None):
        http_request.send_response(status)
        http_request.send_header("content-type", kind)
        http_request.send_header("content-length", str(len(payload)))
        for name, value in (more or {}).items():
            http_request.send_header(name, value)
        http_request.end_headers()
        http_request.wfile.write(payload)

    def whole(self, http_request, status, body, more=None):
        self.raw(http_request, status, "application/json", json.dumps(body).encode(), more)
