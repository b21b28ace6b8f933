#include "help.h"

namespace belay::cli {

const std::string_view kCompletionHelp =
    R"(NAME
    belay completion - write a script with which a shell completes belay

SYNOPSIS
    belay completion bash|zsh|fish

DESCRIPTION
    Writes a script to standard output. With it the shell completes commands,
    options, the words that an option may have, the names of tools, ids of
    tasks, files and folders. The script is made from this program's own
    manuals; write it anew when the program is a new one.

OPTIONS
    -h, --help
        This text.

EXIT STATUS
    0    written
    1    the output could not be written
    2    wrong usage

EXAMPLES
    bash, for this shell, or as a line of ~/.bashrc:

        source <(belay completion bash)

    zsh, in a folder of $fpath:

        belay completion zsh > ~/.zfunc/_belay

    fish:

        belay completion fish > ~/.config/fish/completions/belay.fish
)";

}  // namespace belay::cli
