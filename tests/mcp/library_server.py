#!/usr/bin/env python3
"""An MCP server over stdio with resources and prompts, and no tools; what it says steers terminals."""
import json
import sys

ANSWERS = {
    "initialize": lambda p: {"protocolVersion": "2025-11-25", "capabilities": {"resources": {}, "prompts": {}, "tools": {}},
                             "serverInfo": {"name": "library", "version": "1"}},
    "ping": lambda p: {},
    "tools/list": lambda p: {"tools": []},
    "resources/list": lambda p: {"resources": [{"uri": "note://%s" % p.get("cursor", "1"), "name": "n", "size": 3}],
                                 **({} if "cursor" in p else {"nextCursor": "2"})},
    "prompts/list": lambda p: {"prompts": [{"name": "greet", "description": "says\x1b[2J hello", "arguments": [{"name": "who", "required": True}]}]},
    "resources/read": lambda p: {"contents": [{"uri": p["uri"], "mimeType": "text/plain", "text": "a\x1b]0;x\x07b"}]},
    "prompts/get": lambda p: {"description": "d", "messages": [{"role": "user", "content": {"type": "text", "text": "Hello " + p["arguments"]["who"]}}]},
}

if "endless" in sys.argv:
    ANSWERS["resources/list"] = lambda p: {"resources": [{"uri": "note://" + p.get("cursor", "")}], "nextCursor": p.get("cursor", "") + "x"}
    ANSWERS["prompts/list"] = lambda p: {"prompts": [{"name": "p"}], "nextCursor": "same"}

for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    try:
        answer["result"] = ANSWERS[message["method"]](message.get("params", {}))
    except KeyError as key:
        answer["error"] = {"code": -32601 if message["method"] not in ANSWERS else -32602, "message": "not known: %s" % key}
    print(json.dumps(answer), flush=True)
