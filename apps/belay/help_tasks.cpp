#include "help.h"

namespace belay::cli {

const std::string_view kTasksHelp =
    R"(NAME
    belay tasks - list, show, export and delete earlier tasks

SYNOPSIS
    belay tasks [list] [--all] [--limit N] [--json]
    belay tasks show ID [--full] [--json]
    belay tasks export ID
    belay tasks delete ID... [--yes]

DESCRIPTION
    Tasks are kept in tasks.db in $BELAY_HOME, in $XDG_STATE_HOME/belay, or in
    ~/.local/state/belay. ID is the id of a task, or as much of its beginning as
    tells it from the others.

    list      the tasks that were changed last: the beginning of the id, when,
              how many answers the model gave, how it ended ("open": it has
              not), and the first line of the goal; above them the folder that
              they work in
    show      what happened: the goal, texts, calls, results, what was mended,
              and the end. Long arguments and results are shortened.
    export    the task and those that it started, with all records, as one JSON
              object
    delete    removes tasks and those that they started, for good

    Control characters in what models and tools wrote are shown by name.

OPTIONS
    -a, --all
        Tasks that tasks started, and demonstrations, too.

    -n, --limit N
        Lists at most N tasks; 20 by default.

    --full
        Shortens nothing.

    --json
        list: an array with an object for each task; times are milliseconds
        since 1970. show: one record a line.

    -y, --yes
        Deletes without asking. Without it the person at the terminal is asked;
        where nobody is, nothing is deleted.

    -h, --help
        This text.

EXIT STATUS
    0    done
    1    the store cannot be read or written, the task is running, or the
         person said no
    2    wrong usage; no such task, or several

EXAMPLES
    $ belay tasks

    $ belay tasks show 01K9

    $ belay tasks export 01K9ZQ4T > task.json

SEE ALSO
    belay stats; docs/store.md
)";

}  // namespace belay::cli
