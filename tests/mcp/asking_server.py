#!/usr/bin/env python3
"""An MCP server over stdio that asks for things: what a call tells it to ask, with the client's answer as the result.

    asking_server.py [DOWN]

Tools: ask (method, params; until: a file, and when it is there the question is withdrawn), facts (what the client said of itself), change (this tool's description becomes another),
locked (wants a page to be visited first, every other time), settle (answered when the tools were listed since they changed), die (the process ends). It ends at once when there is
a file DOWN, and makes a file DOWN.listed when its tools were listed. INSTRUCTIONS in its environment: what it says of itself.
"""
import json
import os
import sys
import threading
import time

facts = {}
changed = False
visits = []
late = []  # calls of settle that wait
asked = {}  # id of our question -> id of the call


def say(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def text(id, words):
    say({"id": id, "result": {"content": [{"type": "text", "text": words}]}})


def tools():
    anything = {"type": "object"}
    return [{"name": "ask", "description": "asks", "inputSchema": anything},
            {"name": "facts", "description": "tells", "inputSchema": anything},
            {"name": "change", "description": "is another \x1b[31mnow" if changed else "changes", "inputSchema": anything},
            {"name": "locked", "description": "wants a page to be visited, every other time", "inputSchema": anything},
            {"name": "settle", "description": "waits", "inputSchema": anything},
            {"name": "die", "description": "ends", "inputSchema": anything}]


def withdraw(question, call, file):
    while not os.path.exists(file):
        time.sleep(0.01)
    say({"method": "notifications/cancelled", "params": {"requestId": question}})
    text(call, "withdrawn")


def call(id, name, arguments):
    global changed
    if name == "ask":
        asked[len(asked) + 1000] = id
        say({"id": len(asked) + 999, "method": arguments["method"], "params": arguments["params"]})
        if "until" in arguments:
            threading.Thread(target=withdraw, args=(len(asked) + 999, id, arguments["until"]), daemon=True).start()
    elif name == "facts":
        text(id, json.dumps(facts, sort_keys=True))
    elif name == "change":
        text(id, "called")
        if not changed:
            changed = True
            say({"method": "notifications/tools/list_changed"})
    elif name == "locked":
        visits.append(arguments)
        if len(visits) % 2 == 1:
            say({"id": id, "error": {"code": -32042, "message": "sign in first", "data": {"elicitations": [
                {"mode": "url", "elicitationId": "e", "url": "https://example.com/in", "message": "Sign in"}]}}})
        else:
            text(id, "open: " + json.dumps(visits[-1]))
    elif name == "settle":
        late.append(id)
    else:
        sys.stderr.write("working on it\nthe disk is \x1b[31mfull\n")
        sys.stderr.flush()
        os._exit(3)


def main():
    if len(sys.argv) > 1 and os.path.exists(sys.argv[1]):
        sys.exit("the database is locked")
    for line in sys.stdin:
        message = json.loads(line)
        id, method, params = message.get("id"), message.get("method"), message.get("params", {})
        if method == "initialize":
            facts.update(params["capabilities"])
            say({"id": id, "result": {"protocolVersion": params["protocolVersion"],
                                      "capabilities": {"tools": {"listChanged": True}},
                                      "serverInfo": {"name": "asking", "version": "1"},
                                      **({"instructions": os.environ["INSTRUCTIONS"]} if "INSTRUCTIONS" in os.environ else {})}})
        elif method == "tools/list":
            say({"id": id, "result": {"tools": tools()}})
            if len(sys.argv) > 1:
                open(sys.argv[1] + ".listed", "w").close()
            if changed:
                while late:
                    text(late.pop(), "settled")
        elif method == "tools/call":
            call(id, params["name"], params.get("arguments", {}))
        elif method is None and id in asked:
            text(asked.pop(id), json.dumps(message.get("result", message.get("error")), sort_keys=True))
        elif id is not None and method:
            say({"id": id, "result": {}})


main()
