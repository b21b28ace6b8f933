#include "help.h"

namespace belay::cli {

const std::string_view kParseHelp =
    R"(NAME
    belay parse - read a provider's response and say what it holds

SYNOPSIS
    belay parse --wire WIRE [--format NAME] [--prompt-tail TEXT] [--tools FILE]
                [--show | --coalesce] [--ended HOW] [--chunk N]
                [--lines [--jobs N]] [--limit NAME=VALUE]... [FILE]

DESCRIPTION
    Reads the raw body of a response, streamed or not, and writes one JSON
    object a line for everything in it: text, reasoning, tool calls as they
    grow, and at the end of the turn each call with its verdict and whether it
    can be trusted. FILE is standard input if it is left out or "-".

    A call is trusted when its arguments are valid, mended or split, the stream
    ended properly, the call was closed, its name is known and every value
    satisfies the tool's schema. A turn that was cut off, or that failed, has
    calls that are shown and not trusted.

OPTIONS
    --wire WIRE
        openai-chat, openai-responses, anthropic, gemini or ollama; or text, for
        a body that is the model's text and nothing else.
    --format NAME
        How the model writes calls into its text: a format's name (hermes,
        qwen3_coder, xml, ...; a wrong one lists them all), auto to tell it from
        the text and the tools' names, or none to look for no calls there. auto
        is the default for --wire text, none for the others. Offsets of edits
        then count bytes of the whole text.
    --prompt-tail TEXT
        What the prompt ended with, where that matters: an opening <think>, or a
        call's marker.
    --tools FILE
        A JSON array of tools as OpenAI, Anthropic, Gemini or MCP have them, or
        {"name":...,"parameters":...}; also one such tool, {"tools":[...]}, and
        an MCP server's answer to tools/list. Then only these names are known,
        and arguments are aligned with the schema and checked. Without it every
        name that is not empty counts as known.
    --show
        Draw the events for a person instead, each call as it grows.
    --coalesce
        Join adjacent text and adjacent pieces of one call, so that the output
        is the same however the input was cut.
    --ended eof|reset
        How the stream ended: by itself (eof, the default) or because the
        connection broke (reset).
    --chunk N
        Feed N bytes at a time.
    --lines
        Read one recorded body a line and write its events on one line; see
        LINES. Cannot be used with --show.
    --jobs N
        With --lines, share the bodies out to N threads, 1 to 256. The output is
        the same for every N. The default is 1.
    --limit NAME=VALUE
        Raise or lower a limit: depth, bytes (of one call's arguments, and with
        --lines of one record; 64M), edits, values (glued in one call), calls
        (in a turn), event_bytes, name_bytes, subschemas, schema_steps. VALUE
        may end in K, M or G.
    -h, --help
        This text.

OUTPUT
    {"type":"text","text":...}
    {"type":"reasoning","text":...}
    {"type":"call_start","slot":0,"id":...,"name":...}
    {"type":"call_delta","slot":0,"delta":...}
    {"type":"call_end","slot":0,"id":...,"name":...,"verdict":...,
     "trusted":true,"arguments":{...},"edits":[...],"error":null}
        "values" too when the verdict is split, and "tool" when the name means
        a tool that is called otherwise: mcp__git__log for git__log, read for
        functions.read. error has kind, message, offset, line and column; its
        kind is that of belay repair's, or unknown_tool, no_name, schema, limit.
        Its place is one in the arguments (of a call found in text, in the whole
        text); for schema that of the first wrong value, when the arguments are
        plain JSON. unknown_tool and no_name have none: 0.
    {"type":"usage","input_tokens":...,"output_tokens":...}
    {"type":"stop","reason":...,"raw":...}
        reason is end, tool_calls, length, content_filter, refusal, pause,
        malformed or none.
    {"type":"notice","kind":...,"message":...}
        Something was ignored or odd.
    {"type":"error","kind":...,"message":...,"retryable":...}

    The call_end lines come at the end, in the order of their slots.

LINES
    With --lines each line of FILE is a record, and line n of the output is the
    report of line n:

    {"events":[...],"error":null}

    A record is a JSON string that holds a body, or an object that has one as
    its member body: a string, or an object, as an answer that was not streamed
    may have been kept. Other members of a record are not looked at. Each body
    is a turn of its own, read with the same options; the ids that Belay makes
    begin anew, so that a report is the same wherever its record stands. --chunk
    cuts each body.

    Where a line has no body or is not JSON, events is empty and error says why:
    {"kind","message","offset","line","column"}. A line ends with a line feed,
    or with a carriage return and a line feed; the last one may lack it. A
    report is written as soon as its line has come and the input has no more for
    the moment. If any record has an error event or no body, standard error has
    a summary: how many, and the first line.

EXAMPLES
    $ echo '{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}' |
      belay parse --wire openai-chat
    {"type":"text","text":"Hi"}
    {"type":"stop","reason":"end","raw":"stop"}

    $ echo '{"id":7,"body":"Hi"}' | belay parse --wire text --lines | cut -c -72
    {"events":[{"type":"text","text":"Hi"},{"type":"stop","reason":"end","ra

EXIT STATUS
    0   events were written
    1   one of them is an error; with --lines, or a record has no body
    2   wrong usage, or a file that cannot be read
)";

}  // namespace belay::cli
