#!/usr/bin/env python3
"""Measures `belay run` from outside: start, first request, memory, and streamed text on a terminal.

  bench/agent.py [--quick] --json FILE BELAY [BENCH_MCP]

The model is a socket in this process, so that a request is seen the moment it arrives. The terminal is a pseudo-terminal
of 80 columns that is read as fast as it can be.
"""
import argparse
import json
import os
import pty
import select
import socket
import statistics
import subprocess
import tempfile
import threading
import time

MB = 1_000_000


def event(kind, **members):
    return (f"event: {kind}\ndata: " + json.dumps({"type": kind, **members}) + "\n\n").encode()


START = event("message_start", message={"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [],
                                        "usage": {"input_tokens": 1, "output_tokens": 1}})
TEXT = event("content_block_start", index=0, content_block={"type": "text", "text": ""})
END = (event("content_block_stop", index=0) + event("message_delta", delta={"stop_reason": "end_turn"},
                                                    usage={"output_tokens": 1}) + event("message_stop"))


class Model:
    """Answers every request with the same body, and keeps when the first one came."""

    def __init__(self, body):
        self.body, self.asked = body, None
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection):
        with connection:
            data = b""
            while b"\r\n\r\n" not in data:
                piece = connection.recv(65536)
                if not piece:
                    return
                self.asked = self.asked or time.perf_counter()
                data += piece
            head, rest = data.split(b"\r\n\r\n", 1)
            length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if
                          line.lower().startswith(b"content-length"))
            while len(rest) < length:
                rest += connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: %d\r\n\r\n" %
                               len(self.body))
            connection.sendall(self.body)

    def close(self):
        self.listener.close()


def words(size):
    line = "The quick brown fox jumps over the lazy dog, and then it writes about it. "
    return (line * (size // len(line) + 1))[:size]


def environment(home):
    # Belay's own folder is no workspace.
    own = os.path.join(home, ".belay-home")
    return {"PATH": os.environ["PATH"], "HOME": home, "BELAY_HOME": own, "TERM": "xterm-256color", "LANG": "C.UTF-8"}


def command(belay, model, *more):
    return [belay, "run", "--wire", "anthropic", "--base-url", model.url, "--model", "m", *more, "Say it."]


def start_time(belay, runs):
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        subprocess.run([belay, "--version"], stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def first_request(belay, runs):
    body = START + TEXT + event("content_block_delta", index=0, delta={"type": "text_delta", "text": "It."}) + END
    times = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as home:
            model = Model(body)
            began = time.perf_counter()
            work = os.path.join(home, "work")
            os.mkdir(work)
            subprocess.run(command(belay, model, "-p", "--workspace", work), stdout=subprocess.DEVNULL, check=True,
                           env=environment(home), stdin=subprocess.DEVNULL)
            times.append(model.asked - began)
            model.close()
    return statistics.median(times)


def deltas(text, size):
    return b"".join(event("content_block_delta", index=0, delta={"type": "text_delta", "text": text[i : i + size]})
                    for i in range(0, len(text), size))


def on_a_terminal(belay, size):
    """Seconds from the first request to the last byte on the screen, and the most memory it had."""
    model = Model(START + TEXT + deltas(words(size), 64) + END)
    with tempfile.TemporaryDirectory() as home:
        child, terminal = pty.fork()
        if child == 0:
            os.mkdir(os.path.join(home, "work"))
            os.chdir(os.path.join(home, "work"))
            os.execve(belay, command(belay, model), environment(home))
        seen, ended, status = b"", None, None
        while True:
            ready, _, _ = select.select([terminal], [], [], 60)
            if not ready:
                raise SystemExit("bench/agent.py: nothing more came")
            try:
                piece = os.read(terminal, 1 << 16)
            except OSError:
                piece = b""
            if not piece:
                break
            seen = (seen + piece)[-4096:]
            # The result of a plain answer is shown, and the prompt comes back.
            if ended is None and b"completed" in seen:
                ended = time.perf_counter()
                os.write(terminal, b"\x04")
        _, status, usage = os.wait4(child, 0)
        os.close(terminal)
    model.close()
    if ended is None:
        raise SystemExit(f"bench/agent.py: the task did not end ({status}): {seen[-500:]!r}")
    return ended - model.asked, usage.ru_maxrss * 1024


def server_start(program, runs):
    """Milliseconds from the start of a tool server to its tools listed: its own, with Belay, and what is between."""
    ran = subprocess.run([program, str(runs * 5)], capture_output=True, check=True)
    measured = json.loads(ran.stdout)
    return tuple(measured[what] * 1e3 for what in ("own", "all", "share"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", required=True)
    parser.add_argument("belay")
    parser.add_argument("bench_mcp", nargs="?")
    options = parser.parse_args()
    belay = os.path.abspath(options.belay)
    runs = 5 if options.quick else 21
    size = (4 if options.quick else 20) * MB
    rows, targets = [], []

    def add(what, value, bound, at_least, unit, shown):
        rows.append({"what": what, "value": value, "unit": unit})
        targets.append({"what": f"{what}: {unit}", "value": value, "bound": bound, "at_least": at_least,
                        "met": value >= bound if at_least else value <= bound})
        print(f"  {what}: {shown}", flush=True)

    version = start_time(belay, runs) * 1e3
    add("belay --version", version, 20, False, "ms", f"{version:.1f} ms")
    request = first_request(belay, runs) * 1e3
    add("from the start to the first request", request, 60, False, "ms", f"{request:.1f} ms")
    _, small = on_a_terminal(belay, 10_000)
    add("resident memory with a short history", small / MB, 40, False, "MB", f"{small / MB:.1f} MB")
    seconds, large = on_a_terminal(belay, size)
    add(f"{size // MB} million bytes of text on a terminal", size / MB / seconds, 10, True, "MB/s",
        f"{size / MB / seconds:.1f} MB/s, {large / MB:.0f} MB resident at most")
    if options.bench_mcp:
        own, both, share = server_start(options.bench_mcp, runs)
        add("our share of a tool server's start, to its tools listed", share, 5, False, "ms",
            f"{share:.2f} ms of {both:.2f} ms; the server's own {own:.2f} ms")
    with open(options.json, "w") as f:
        json.dump({"rows": rows, "targets": targets}, f)


if __name__ == "__main__":
    main()
