#include "help_mcp.h"

namespace belay::cli {

const std::string_view kMcpHelp =
    R"(NAME
    belay mcp - the servers of other people's tools

SYNOPSIS
    belay mcp [list] [OPTIONS]
    belay mcp tools [OPTIONS] [SERVER]
    belay mcp call [OPTIONS] SERVER TOOL JSON
    belay mcp resources|prompts [OPTIONS] SERVER
    belay mcp read [OPTIONS] SERVER URI
    belay mcp prompt [OPTIONS] SERVER NAME [JSON]
    belay mcp add NAME [--env NAME=VALUE]... [--] COMMAND [ARGS...]
    belay mcp add NAME --url URL [--header 'Name: value']... [--type sse]
    belay mcp remove NAME
    belay mcp approve [--yes] NAME
    belay mcp serve [OPTIONS]

DESCRIPTION
    Servers of the Model Context Protocol (MCP) are named in three places:

        --mcp-config FILE    for this command
        mcp.json             your own, in Belay's config folder
        .mcp.json            the workspace's

    Of two with one name the first of these counts. A server that the workspace
    names starts only after you have approved of exactly that definition.

    list     Starts all servers and says how each is: starting, ready,
             restarting, failed or disabled, and why; and what of it is not
             as it was approved.
    tools    Lists their tools as an agent gets them: named server__tool, with
             their effects. What was renamed, refused or cleaned is said on
             standard error.
    call     Starts one server, checks the arguments against the tool's schema,
             calls it, and writes the result as one line of JSON, as `belay
             tool` does, with a receipt where arguments were mended. "-" reads
             the arguments from standard input.
    resources, prompts
             What the server offers to be read, and its prompts, as JSON.
    read     Reads one resource; prompt gets one prompt, with its arguments.
    add      Puts a server into your own mcp.json. From the COMMAND on
             everything is taken as it stands: options of Belay come before it.
    remove   Takes one out of it.
    approve  Shows what a server of the workspace would run, and its tools, and
             asks whether that is all right. A tool that has changed since then
             is not run until it is approved again, and the model gets it as it
             was: what it was and what it is now are shown. belay run asks by
             itself when somebody sits at the terminal.
    serve    The other way round: offers Belay's own tools to another agent.
             `belay mcp serve --help` says all about it.

    Servers run with your rights, outside of the sandbox. They get a few
    variables of the environment (PATH, HOME, LANG, ...) and those of their
    definition, and no keys of Belay's. Their tools count as "execute" and are
    asked about, whatever the server says of them, unless its definition in
    your own files has "trust_annotations": true.

OPTIONS
    --workspace DIR
        The folder whose .mcp.json counts. The current one by default.

    --mcp-config FILE
        More servers, from this file. May be given several times; the last one
        counts first.

    --strict-mcp-config
        Only the servers of those files.

    --json
        For list and tools: one JSON object.

    --names
        For list: the names alone, one a line. No server is started.

    -y, --yes
        Approves without asking.

    --url URL, -t, --type TYPE, -e, --env NAME=VALUE, -H, --header HEADER
        For add: where the server is; stdio, http or sse; a variable for it; a
        header for each request. ${VAR} and ${VAR:-default} in any of them are
        replaced when the server starts, so that keys need not be in the file.

    -h, --help
        This text.

EXIT STATUS
    0    done; for call: the result is no error
    1    failed; for call: the result is an error
    2    wrong usage, no such server or tool, or a file that cannot be read;
         list and tools show the servers of the other files all the same
    3    some server is not ready, or something of one is not as it was
         approved: a tool, or what it says of itself

EXAMPLES
    $ belay mcp add files npx -y @modelcontextprotocol/server-filesystem .

    $ belay mcp tools files

    $ belay mcp call files list_directory '{"path": "."}'

    $ belay mcp add issues --url https://example.com/mcp \
          --header 'Authorization: Bearer ${ISSUES_TOKEN}'

SEE ALSO
    belay tools, belay tool, belay policy; docs/mcp.md
)";

}  // namespace belay::cli
