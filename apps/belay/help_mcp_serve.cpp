#include "help_mcp.h"

namespace belay::cli {

const std::string_view kMcpServeHelp =
    R"help(NAME
    belay mcp serve - offer Belay's own tools to another agent

SYNOPSIS
    belay mcp serve [OPTIONS]

DESCRIPTION
    A server of the Model Context Protocol (MCP): read_file, write_to_file,
    apply_diff, list_files, search_files and execute_command for one folder,
    and repair_json, which mends JSON that a model damaged. Versions
    2025-11-25, 2025-06-18, 2025-03-26 and 2024-11-05 are agreed on by
    initialize; 2026-07-28 needs none.

    Each call goes through the same doors as with `belay tool`: its arguments
    are read, mended where that is safe (the result says so) and checked; the
    gate and the permissions decide; files are opened beneath the workspace
    only; commands run in the sandbox. There is nobody to ask: what would have
    to be asked about is refused, and the refusal says how to allow it. The
    rules of Belay's config file hold here, too.

    Without --http it speaks over standard input and output, one message a
    line. When its input ends, calls that still run have two seconds; then they
    are stopped. SIGTERM and Ctrl-C stop them at once. No process of a command
    is left.

    With --http it listens at http://HOST:PORT/mcp, on this machine only. Every
    request has to bear a token:

        Authorization: Bearer TOKEN

    The token is that of the variable BELAY_MCP_TOKEN (16 characters or more).
    Without one it is made, shown once on standard error, and written to a file
    that only you can read, which goes when the server ends. Requests for other
    hosts, or from pages of other machines, are refused (DNS rebinding). When a
    client's connection breaks, its calls are stopped.

OPTIONS
    --workspace DIR
        The folder to work in. The current one by default.

    --http PORT
        Serve over HTTP at 127.0.0.1. PORT may have an address before it, of
        this machine: localhost:8080, [::1]:8080. 0 is a free port; standard
        error says which.

    --token-file FILE
        Where the token is written. By default mcp-serve-PORT.token in Belay's
        data folder.

    --permission-mode MODE
        default            refuse what writes or executes, beside what the
                           rules allow and commands that only read
        acceptEdits        files of the workspace may be written
        plan               nothing but reading
        dontAsk            as default
        bypassPermissions  everything that no rule denies

    --allow RULE, --ask RULE, --deny RULE
        Rules, beside those of the config file: a tool, or a tool with a
        pattern, as in 'execute_command(make:*)' or 'write_to_file(src/**)'.
        Deny comes before ask before allow. To ask means to refuse here.

    --sandbox LEVEL
        What a command can do: read-only, workspace-write (the default) or
        danger-full-access.

    --network
        Lets a command reach the network. Without it execute_command's
        description says that there is none.

    --insist
        Runs a command with what this machine can enforce, even if that is less
        than the level promises.

    --log-level trace|debug|info|warn|error|off
        Of belay.log in the data folder, where each call has a line: the tool,
        its path or the beginning of its command, and how it went; a refusal
        with its reason. warn: only what was refused or failed.

    --limit NAME=VALUE
        Raise or lower a limit that an error names; may be given several times.
        Calls: workers (8 run at once), calls (4096 of a session),
        waiting_bytes, repair_bytes. Stdio: line_bytes (16M), grace_ms. HTTP:
        body_bytes (4M), connections (2048), sessions (64), streams (4),
        head_ms (5000), idle_ms. Both: queue_bytes (64M), progress_ms. And those
        of `belay tool`: file_bytes, output_bytes, processes, memory_bytes, ...

    -h, --help
        This text.

EXIT STATUS
    0    the input ended, or it was asked to stop
    1    failed
    2    wrong usage, a config file that cannot be used, or a port that is taken

EXAMPLES
    For an agent, in its .mcp.json or by its own command:

    {"mcpServers": {"belay": {"command": "belay",
        "args": ["mcp", "serve", "--workspace", "/home/me/project",
                 "--permission-mode", "acceptEdits",
                 "--allow", "execute_command(make:*)"]}}}

    Over HTTP:

    $ belay mcp serve --http 8080
    belay mcp serve: listening on http://127.0.0.1:8080/mcp
    belay mcp serve: permission mode: default
    belay mcp serve: calls are logged in .../belay.log
    belay mcp serve: token: 5d2c...
    belay mcp serve: it is also in .../mcp-serve-8080.token, which goes when this ends

SEE ALSO
    belay mcp, belay tool, belay tools, belay policy; docs/mcp.md, docs/safety.md
)help";

}  // namespace belay::cli
