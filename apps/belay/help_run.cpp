#include "help.h"

namespace belay::cli {

const std::string_view kRunHelp =
    R"(NAME
    belay run - do a task with a model and tools

SYNOPSIS
    belay run [OPTIONS] ["TASK"]
    belay run -p [OPTIONS] "TASK"
    belay run -c | -r ID [OPTIONS] ["MESSAGE"]

DESCRIPTION
    Sends the task to a model, runs the tools that it calls in the workspace,
    and goes on until it is done. Calls are read as they arrive: what is safe to
    mend is mended, and a receipt says how; what is not is refused, and the
    model is told exactly what was wrong. A call that was cut off never runs.

    At a terminal it shows what happens and asks before anything is written or
    executed. With -p, or without a terminal, nobody is asked: what would have
    to be asked about is denied. What stands on standard input is added to the
    task.

    Everything is kept: a task that was stopped, or whose process was killed,
    goes on with --resume where it was. A tool that changes something runs at
    most once for each call, whatever happens.

    With nothing configured the built-in model "demo" is used: recorded turns
    that misbehave on purpose, over real HTTP, in a new folder under /tmp.

THE MODEL
    -m, --model NAME
        Such as claude-sonnet-4-5, gpt-5, gemini-2.5-pro; ollama/qwen3:8b names
        the wire as well. Where none is named, a key is enough: these are the
        models for ANTHROPIC_API_KEY, OPENAI_API_KEY and GEMINI_API_KEY. A
        server of your own must be told which of its models is meant.
    --wire WIRE
        openai-chat, openai-responses, anthropic, gemini or ollama. Found from
        the model's name otherwise.
    --base-url URL
        The server, such as http://localhost:8000/v1.
    --key-env VARIABLE
        The environment variable that holds the key for this server. Without it
        a key goes to its own provider's host only.
    --header 'NAME: VALUE'
        A further header for the server.
    --format FORMAT
        For models without native tool calls: how calls are written in text,
        one of the formats of `belay parse`.
    --max-tokens N, --effort minimal|low|medium|high
        Of one answer at first, and of its reasoning. After a cut more is
        asked for, as far as the model's max_output and its server go.
    --idle-timeout SECONDS
        An answer of which nothing comes for so long is given up and asked for
        again; comments and pings do not count. 300 by default.
    --profile NAME
        A profile of the config file. `belay config` shows what applies.

THE TASK
    -p, --print
        Nobody is asked; the result goes to standard output.
    --output-format text|json|stream-json
        What -p writes: the result, one JSON object, or a JSON object a line
        while it runs (system/init, assistant, user, result). "receipts" lists
        what was damaged and what became of it.
    --include-partial-messages
        In stream-json also the pieces of messages as they come.
    -c, --continue
        Go on with the last task of this workspace.
    -r, --resume ID
        Go on with this task; the beginning of its id is enough. Without ID
        you choose from the tasks of this workspace. At a terminal the last
        turns are shown again. --max-tokens and what says where it ends
        count from then on.
    --fork
        With -c or -r: go on in a copy.
    -C, --workspace DIR
        The folder to work in. The current one by default.
    --append-system-prompt TEXT
        Your own rules for the model, beside those of AGENTS.md (or CLAUDE.md)
        in the workspace and the folders above it.
    --max-turns N, --max-tokens-total N, --max-cost USD, --max-seconds N
        Where it ends, whatever happens. --max-cost needs the model's prices,
        price.input and price.output in [models."NAME"] of the config file.
    --todos-before-completion
        The task cannot be completed while todos are open.

WHAT IT MAY DO
    --permission-mode MODE
        default            ask before anything is written or executed
        acceptEdits        files of the workspace may be written
        plan               nothing but reading
        dontAsk            what would be asked is refused
        bypassPermissions  everything that no rule denies
    --dangerously-skip-permissions
        The same as --permission-mode bypassPermissions.
    --allow RULE, --ask RULE, --deny RULE
        tool or tool(pattern), such as 'execute_command(make test)'; 'SERVER__*' is
        for all tools of a server.
    --ask-for-guesses
        Ask about calls that had to be guessed, instead of refusing them.
    --sandbox read-only|workspace-write|danger-full-access
        What a command can do. `belay doctor` says what is enforced here. One
        that `belay policy` calls "allow" or "sandbox" runs read-only anyway.
    --network
        Commands may reach the network.
    --insist
        Run commands even where the sandbox is not whole.

    --mcp-config FILE, --strict-mcp-config
        MCP servers of a file, beside those of the config folder and of the
        workspace's .mcp.json (once approved: belay mcp approve NAME, or when
        you are asked at the terminal); or none but those of the file. Their
        tools are named server__tool. At the terminal, what a server asks of
        you or of the model is put to you in its name. The first request waits
        until they are ready or have failed; who is waited for is said, and
        Ctrl-C stops. /mcp lists them while a task runs.

OTHERS
    --record FILE
        Keep what the model's server answers as a cassette for `belay replay`.
        No key is in it.
    --log-level trace|debug|info|warn|error|off
        Of the developer's log, belay.log in the data folder.
    --color auto|always|never
        Colours at a terminal.
    --verbose
        Accepted for the habit's sake: stream-json is always complete.
    --limit NAME=VALUE
        Raise a limit that an error names, such as bytes=128M.
    -h, --help
        This text.

EXIT STATUS
    0    done
    1    failed: an error that cannot be mended
    2    wrong usage or configuration
    41   the provider does not know the key, or forbids this (401, 403)
    53   the limit of turns was reached
    54   another budget: tokens, cost or time
    55   stuck: mistakes or repetition
    130  interrupted
    Every task that ended with another code than 0 can be resumed.

ENVIRONMENT
    OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN,
    ANTHROPIC_BASE_URL, GEMINI_API_KEY, OLLAMA_HOST, BELAY_MODEL, BELAY_HOME,
    NO_COLOR, HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE

EXAMPLES
    $ belay run
    $ belay run "Why does the test fail? Mend it."
    $ git diff | belay run -p "Review this change" --permission-mode plan
    $ belay run -p --output-format json "Count the TODOs" | jq .result

SEE ALSO
    belay config, belay tasks, belay stats, belay doctor, belay replay
)";

const std::string_view kReplayHelp =
    R"(NAME
    belay replay - run a task with recorded answers instead of a model

SYNOPSIS
    belay replay [OPTIONS] CASSETTE ["TASK"]
    belay replay --serve CASSETTE

DESCRIPTION
    Plays a cassette that `belay run --record` has made, by a real HTTP server
    on this machine over the wire that it was recorded from, and runs a task
    against it. The tools really run: use a copy of the workspace. TASK is the
    recorded one unless another is given. All options of `belay run` count.

OPTIONS
    --speed FACTOR
        Times between pieces are divided by it; 0 waits for nothing. 1 by
        default.
    --serve
        Only plays it: writes one line, {"wire":...,"base_url":...}, and serves
        other programs until it is interrupted.
    -h, --help
        This text.

EXIT STATUS
    That of `belay run`; with --serve 0 when it is interrupted.
)";

}  // namespace belay::cli
