#include "help.h"

namespace belay::cli {

const std::string_view kPolicyHelp =
    R"(NAME
    belay policy - say what may be done with a shell command without asking

SYNOPSIS
    belay policy [--workspace DIR] -- COMMAND

DESCRIPTION
    Reads COMMAND by the grammar of the shell, runs nothing, and writes one
    line: {"decision":"...","reason":"..."}. Several words are joined by
    spaces, so give the command as one word with its quotes inside. A single
    "-" stands for standard input, since no argument holds every byte.

    Paths are judged by their text: the file system is not asked.

OPTIONS
    --workspace DIR
        The folder that the command would run in. Absolute paths below it count
        as inside; without it no absolute path does. In the home directory
        every command is asked about.

    -h, --help
        This text.

DECISIONS
    allow      run it: literal words of known commands with known options,
               which only read the workspace
    sandbox    run it, but only inside an enforced sandbox that can change
               nothing, reach no network and see no home directory
    ask        ask a person: not read, not known, over a limit, or able to
               change something
    deny       never run it: a NUL byte is in it

EXIT STATUS
    0    a decision was written, whichever
    1    the output could not be written
    2    wrong usage

EXAMPLES
    A pipe is as good as its worst part:

        $ belay policy -- 'head -n 5 a.txt | wc -l'
        {"decision":"allow","reason":"only reads the workspace"}

        $ belay policy -- 'echo hi; touch x'
        {"decision":"ask","reason":"touch writes files"}

    What belongs to quotes is text:

        $ belay policy -- "grep -n 'a; rm b' notes.txt"
        {"decision":"allow","reason":"only reads the workspace"}

SEE ALSO
    docs/safety.md says what is promised, and lists the commands.
)";

}  // namespace belay::cli
