#include "help.h"

namespace belay::cli {

const std::string_view kToolHelp =
    R"(NAME
    belay tool - run one built-in tool with all checks

SYNOPSIS
    belay tool [OPTIONS] NAME JSON

DESCRIPTION
    Does with one call what an agent does with it: reads the arguments, mends
    what is safe to mend, checks them against the tool's schema, asks for
    permission, runs the tool inside the workspace, and writes its result as
    one line of JSON:

        {"tool":"...","is_error":false,"content":[{"type":"text","text":"..."}]}

    Images are {"type":"image","media_type":"...","data":"..."} in base64. That
    is the result that a model would get: what was mended and what was not run
    is said in it.

    JSON is one object; "-" reads it from standard input. Options stand before
    NAME or behind JSON. `belay tools` lists the tools.

    Files are opened beneath the workspace only, whatever links lead elsewhere.
    .git and Belay's own configuration are out of reach. Commands run in a
    sandbox; `belay doctor` says what it enforces on this machine.

OPTIONS
    --workspace DIR
        The folder to work in. The current one by default.

    -y, --yes
        Approves of what would have to be asked about. Without it the person at
        the terminal is asked; where nobody is, the call is refused. The
        question shows tool and arguments; long texts are cut, with their size.

    --permission-mode MODE
        default            ask before anything is written or executed
        acceptEdits        files of the workspace may be written
        plan               nothing but reading
        dontAsk            what would be asked is refused
        bypassPermissions  everything

    --sandbox LEVEL
        What a command can do: read-only, workspace-write (the default) or
        danger-full-access. Commands that `belay policy` calls "allow" or
        "sandbox" run read-only and without the network, whatever is given
        here and whoever approved of them.

    --network
        Lets a command reach the network.

    --limit NAME=VALUE
        Raise or lower a limit that a result names, such as file_bytes=200M
        (of one file), entries (listed), output_bytes, flood_bytes, processes
        or memory_bytes (of commands). May be given several times.

    --insist
        Runs a command with what this machine can enforce, even if that is less
        than the level promises. Without it such a command is refused, and the
        result says what is missing and what helps.

    -h, --help
        This text.

EXIT STATUS
    0    the result is no error
    1    it is one
    2    wrong usage

EXAMPLES
    $ belay tool read_file '{"path": "notes.txt", "start_line": 2, "end_line": 3}'

    $ belay tool --yes write_to_file '{"path": "a.txt", "content": "hello\n"}'

    $ belay tool execute_command '{"command": "git status"}'

SEE ALSO
    belay tools, belay policy, belay doctor; docs/safety.md
)";

const std::string_view kToolsHelp =
    R"(NAME
    belay tools - list the built-in tools

SYNOPSIS
    belay tools [--json] [NAME]

DESCRIPTION
    Lists the built-in tools: what each does when it runs (read, meta, write or
    execute), its name, and its parameters; those with a "?" may be left out.
    With NAME all about one of them, as a model is told it.

OPTIONS
    --json
        Names, effects, aliases, descriptions and schemas as JSON.

    -h, --help
        This text.

EXIT STATUS
    0    listed
    1    the output could not be written
    2    wrong usage, or no such tool
)";

const std::string_view kDoctorHelp =
    R"(NAME
    belay doctor - say whether all is there that a task needs

SYNOPSIS
    belay doctor [--json] [--offline] [MODEL OPTIONS]

DESCRIPTION
    Model: asks the configured model for one small tool call, over the network:
    is it reachable, does it know the key, does it call tools, and does its
    server make calls of them, or leave them as text?
    Store: can the tasks be read, and are they whole?
    Sandbox: tries what one can be built of here (namespaces, bubblewrap,
    Landlock, seccomp) and says for each level whether its promises are kept,
    and by what. A level that is not enforced is refused by `belay tool` and
    `belay run` unless --insist is given.
    What is not well has its remedy below it. Nothing is changed.

OPTIONS
    --json
        The same as one JSON object. "well" is true, false, or null for what
        was not looked at; "enforced" is null for danger-full-access, which
        promises nothing.

    --offline
        Do not ask the model.

    --idle-timeout SECONDS
        How long the model may send nothing. 60 by default.

    --model NAME, --wire WIRE, --base-url URL, --key-env VARIABLE
    --profile NAME, ...
        As for `belay run`; `belay config` shows what applies.

    -h, --help
        This text.

EXIT STATUS
    0    all is well
    1    the output could not be written
    2    wrong usage
    3    something is not, or some level is not enforced
)";

}  // namespace belay::cli
