#include "help.h"

namespace belay::cli {

const std::string_view kStatsHelp =
    R"(NAME
    belay stats - say what was damaged, and what became of it

SYNOPSIS
    belay stats [--since TIME] [--all] [--json]

DESCRIPTION
    Counts the damaged calls of the tasks that are kept, by what was wrong with
    them, by model, by tool and by day, and what became of each:

    mended     changed where the meaning was certain, and used
    split      several objects in one call, used one by one, or the first
    guessed    used, and the model was told what was guessed
    again      refused, asked for again, and right then ("re_asked" in JSON)
    lost       refused, and never right

    Calls without damage are not counted. A call with damage of several kinds
    counts for each of them under KIND, and once everywhere else. Days are those
    of your clock. Tasks that were deleted do not count any more.

OPTIONS
    --since TIME
        Only what happened since then: hours, days or weeks ago (12h, 7d, 2w),
        or the beginning of a day (2026-11-16).

    -a, --all
        Demonstrations, too: calls of the built-in model "demo".

    --json
        The same as one JSON object: "damaged", "kinds", "models", "tools",
        "days", each with "total", "mended", "split", "guessed", "re_asked" and
        "lost".

    -h, --help
        This text.

    Bars are drawn with block characters where the locale is UTF-8, and with #
    elsewhere.

EXIT STATUS
    0    shown
    1    the store cannot be read, or the output could not be written
    2    wrong usage

EXAMPLES
    $ belay stats --since 7d

    $ belay stats --json | jq '.models[] | {model, lost}'

SEE ALSO
    belay tasks
)";

}  // namespace belay::cli
