#!/usr/bin/env python3
"""An MCP server over HTTP that behaves as its case says.

    http_server.py CASE FILE

Writes its port to standard output, and a line of JSON for each request to FILE. Ends when its input is closed.
"""
import json
import os
import queue
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CASE, FILE = sys.argv[1], sys.argv[2]
lock = threading.Lock()
state = {"sessions": 0, "live": None, "calls": 0}
stored = {}  # answers that wait for a resumed stream
old = queue.Queue()  # of HTTP+SSE


def answer(message):
    id, method, params = message.get("id"), message.get("method"), message.get("params", {})
    if method == "initialize":
        version = params["protocolVersion"]
        return {"jsonrpc": "2.0", "id": id, "result": {"protocolVersion": "2024-11-05" if CASE.startswith("old") else version,
                "capabilities": {"tools": {}}, "serverInfo": {"name": "http " + CASE, "version": "1"}}}
    if method == "server/discover":
        return {"jsonrpc": "2.0", "id": id, "result": {"resultType": "complete", "supportedVersions": ["2026-07-28"],
                "capabilities": {"tools": {}}}}
    if method == "tools/list":
        return {"jsonrpc": "2.0", "id": id, "result": {"resultType": "complete", "tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}}
    if method == "tools/call":
        words = params.get("arguments", {}).get("text", "")
        return {"jsonrpc": "2.0", "id": id, "result": {"resultType": "complete", "content": [{"type": "text", "text": words}]}}
    return {"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "no " + str(method)}}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def note(self, rpc=None):
        with lock, open(FILE, "a") as f:
            f.write(json.dumps({"http": self.command, "path": self.path, "rpc": rpc, "at": time.monotonic() * 1000,
                                "headers": {k.lower(): v for k, v in self.headers.items()}}) + "\n")

    def give(self, status, body=b"", kind="application/json", **headers):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        if body:
            self.send_header("content-type", kind)
        for k, v in headers.items():
            self.send_header(k.replace("_", "-"), v)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, text, **headers):
        """A stream that ends here, with its connection."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        for k, v in headers.items():
            self.send_header(k.replace("_", "-"), v)
        self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(text.encode())
        self.wfile.flush()
        self.close_connection = True

    def do_DELETE(self):
        self.note()
        self.give(200)

    def do_GET(self):
        self.note()
        if CASE.startswith("old") and self.path == "/mcp":
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            where = "http://127.0.0.2:1/messages" if CASE == "old-elsewhere" else "/messages?s=1"
            self.wfile.write(("event: endpoint\ndata: %s\n\n" % where).encode())
            self.wfile.flush()
            while True:
                self.wfile.write(("event: message\ndata: %s\n\n" % json.dumps(old.get())).encode())
                self.wfile.flush()
        last = self.headers.get("last-event-id")
        if CASE in ("MC022", "MC022-plain") and last in stored:
            return self.stream("id: %s-2\ndata: %s\n\n" % (last, json.dumps(stored[last])))
        if CASE == "MC022-refused" and last:
            return self.give(404, {"jsonrpc": "2.0", "id": None, "error": {"code": -32001, "message": "no such stream"}})
        if CASE == "MC022-eager" and last:
            with lock:
                state["resumes"] = state.get("resumes", 0) + 1
            if state["resumes"] < 4:
                return self.stream("id: %s+\nretry: 0\n\n" % last)
            return self.stream("data: %s\n\n" % json.dumps(stored[last.rstrip("+")]))
        if CASE == "MC022-never" and last:
            return self.stream(": nothing\n\n")
        self.give(405)

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        method, id = message.get("method"), message.get("id")
        self.note(method)
        session = self.headers.get("mcp-session-id")
        if CASE == "MC021":
            return self.give(302, location="file:///etc/passwd\x1b[2J")
        if CASE == "MC021-metadata":
            return self.give(307, location="http://169.254.169.254/latest/meta-data/")
        if CASE == "gateway" and state.setdefault("tries", 0) < 2:
            state["tries"] += 1
            return self.give(503, b"no upstream", "text/plain")
        if CASE == "MC023":
            return self.give(401, www_authenticate='Bearer resource_metadata="http://127.0.0.1/;rm -rf /"')
        if CASE.startswith("old"):
            if self.path == "/mcp":
                return self.give(405)
            if id is not None:
                old.put(answer(message))
            return self.give(202)
        if CASE == "modern":
            version = self.headers.get("mcp-protocol-version")
            meta = message.get("params", {}).get("_meta", {})
            if version != "2026-07-28" or meta.get("io.modelcontextprotocol/protocolVersion") != version:
                return self.give(400, {"jsonrpc": "2.0", "id": id, "error": {"code": -32022, "message": "Unsupported protocol version", "data": {"supported": ["2026-07-28"]}}})
            if self.headers.get("mcp-method") != method or (method == "tools/call" and self.headers.get("mcp-name") != "echo"):
                return self.give(400, {"jsonrpc": "2.0", "id": id, "error": {"code": -32020, "message": "Header mismatch"}})
            return self.give(200, answer(message))
        if method == "initialize":
            with lock:
                state["sessions"] += 1
                state["live"] = "session-%d" % state["sessions"]
            return self.give(200, answer(message), mcp_session_id=state["live"])
        if session != state["live"]:
            return self.give(404 if session else 400)
        if id is None:
            return self.give(202)
        if method == "tools/call":
            with lock:
                state["calls"] += 1
                first = state["calls"] == 1
            if CASE.startswith("MC022"):
                event = "e%d" % id
                stored[event] = answer(message)
                # Half an event behind it does not count: its id is not one to go on from.
                data = "" if CASE == "MC022-plain" else "data: \n"
                rest = "id: lost\ndata: {\"jsonrpc\"" if CASE == "MC022-plain" else ""
                pause = {"MC022-never": 10, "MC022-eager": 0, "MC022-refused": 0}.get(CASE, 500)
                self.stream("id: %s\nretry: %d\n%s\n%s" % (event, pause, data, rest))
                if CASE == "MC022-dead":
                    os._exit(0)
                return None
            if CASE == "MC024-html" and first:
                return self.give(200, b"<html>\x1b[2Jlogin</html>", "text/html")
            if CASE == "MC024-empty" and first:
                return self.give(202)
            if CASE == "MC024-lost" and first or CASE == "MC024-gone":
                state["live"] = None
                return self.give(404)
            if CASE == "hung-up" and first:
                self.close_connection = True
                return None
            if CASE == "broken" and first:
                return self.stream("data: {\"jsonrpc\"")
            if CASE == "huge" and first:
                return self.give(200, b"x" * (2 << 20))
            if CASE == "streams":
                progress = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": message["params"].get("_meta", {}).get("progressToken"), "progress": 1, "total": 2}}
                return self.stream("data: %s\n\ndata: %s\n\n" % (json.dumps(progress), json.dumps(answer(message))))
        self.give(200, answer(message))


ThreadingHTTPServer.daemon_threads = True
ThreadingHTTPServer.request_queue_size = 128
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
os._exit(0)
