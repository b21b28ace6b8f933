#include "help.h"

namespace belay::cli {

const std::string_view kConfigHelp =
    R"(NAME
    belay config - show every setting that applies, and whence it comes

SYNOPSIS
    belay config [--json] [OPTIONS]

DESCRIPTION
    Settings come from flags, from the environment, from one file of your own,
    or are built in; the first that says something counts. The table shows
    each: its name, its value, and the flag, the variable or the line of the
    file that it comes from. Keys are shown as "set", never by their text.

    The file is $BELAY_HOME/config.toml; without BELAY_HOME it is
    $XDG_CONFIG_HOME/belay/config.toml or ~/.config/belay/config.toml. Nothing
    in the workspace is read as configuration. Nothing is sent anywhere.

    A key goes to its own host only: OPENAI_API_KEY to OPENAI_BASE_URL or to
    OpenAI, a key of the file to the base_url beside it. Where a key is not
    sent because the base URL comes from elsewhere, a note says so.

OPTIONS
    The flags of `belay run`, to see what they would do:

    --model NAME
        The model. A prefix as in ollama/NAME names the wire. Without one a key
        is enough: claude-sonnet-4-5 for ANTHROPIC_API_KEY, gpt-5 for
        OPENAI_API_KEY, gemini-2.5-pro for GEMINI_API_KEY, in this order.
    --wire WIRE
        openai-chat, openai-responses, anthropic, gemini or ollama.
    --base-url URL
        Where the model is, without the wire's own path.
    --key-env NAME
        The environment variable with the key that may go there.
    --header HEADER
        A further header, "Name: value". May be given several times.
    --format FORMAT
        How calls are written: native, or a format of calls in text.
    --effort EFFORT
        minimal, low, medium or high.
    --max-tokens N
        Tokens of one answer, asked for at first.
    --max-turns N
        Answers in one task.
    --max-tokens-total N
        Tokens of one task, input and output.
    --max-cost DOLLARS
        Of one task. `belay run` refuses it where the model has no prices:
        price.input and price.output in [models."NAME"] of the file.
    --max-seconds N
        Of one task.
    --permission-mode MODE
        default, acceptEdits, plan, dontAsk or bypassPermissions.
    --allow RULE
    --ask RULE
    --deny RULE
        A permission rule, tool or tool(pattern), beside those of the file.
        May be given several times.
    --sandbox LEVEL
        read-only, workspace-write or danger-full-access.
    --network
        Commands may reach the network.
    --ask-for-guesses
        Ask about guessed calls that write, instead of refusing them.
    --todos-before-completion
        No completion while todos are open.
    --log-level LEVEL
        trace, debug, info, warn, error or off.
    --color WHEN
        auto, always or never.
    --profile NAME
        Use [profiles.NAME] of the file.

    --json
        The same as one JSON object.

    -h, --help
        This text.

FILE
    model, wire, base_url, key_env, key, bearer, headers, insecure_http, format,
    effort, max_tokens, max_turns, max_tokens_total, max_cost, max_seconds,
    sandbox, network, ask_for_guesses, todos_before_completion, log_level and
    colour (or color) stand at the top. The tables are

        [permissions]      mode, allow, ask, deny
        [breakers]         mistakes, same_mistake, mistakes_in_all, repeats,
                           cycle, nudges, empty
        [models."NAME"]    wire, base_url, key_env, key, bearer, headers,
                           insecure_http, format, effort, max_tokens,
                           max_output, context, price.input, price.output,
                           price.cached, price.cache_write
        [profiles.NAME]    everything but models and profiles

    The file must belong to you or root, and nobody else may be able to change
    it. A key may stand in it only when its mode is 0600.

ENVIRONMENT
    BELAY_HOME, BELAY_MODEL, OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY,
    ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL, GEMINI_API_KEY, GOOGLE_API_KEY,
    OLLAMA_HOST, NO_COLOR, XDG_CONFIG_HOME, XDG_STATE_HOME, HOME

EXIT STATUS
    0    shown
    1    the output could not be written
    2    the file, a variable or a flag is wrong
    3    shown, but no request could be made with it: it says why

EXAMPLES
    $ belay config --model ollama/qwen3:8b

    $ belay config --json | jq '.settings[] | select(.name == "base_url")'

SEE ALSO
    docs/config.md
)";

}  // namespace belay::cli
