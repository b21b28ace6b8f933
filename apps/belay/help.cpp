#include "help.h"

namespace belay::cli {

const std::string_view kOverview =
    R"(belay - an agent, and tool calls of language models that can be trusted

usage: belay COMMAND [OPTIONS]

commands:
  run ["TASK"]      do a task with a model and tools; alone: a demonstration
  replay CASSETTE   run a task with recorded answers instead of a model
  repair [FILE]     mend damaged JSON and say how far the result can be trusted
  parse --wire WIRE [FILE]
                    read a provider's response: text, tool calls, verdicts
  schema SCHEMA [FILE]
                    check a value against a JSON Schema, or align it with one
  policy -- COMMAND say what may be done with a shell command without asking
  tool NAME JSON    run one built-in tool with all checks
  tools [NAME]      list the built-in tools
  doctor            say whether all is there that a task needs
  config            show every setting that applies, and whence it comes
  tasks             list, show, export and delete earlier tasks
  stats             say what was damaged, and what became of it
  completion SHELL  write a script with which bash, zsh or fish completes belay
  mcp               the servers of other people's tools: list, tools, call, add
  mcp serve         offer Belay's own tools to another agent
  demo              watch eight damaged calls being read, piece by piece
  help [COMMAND]    this text, or the manual of a command

options:
  -h, --help        this text; after a command, its manual
  -V, --version     the version

An example:

  $ echo "{'path': 'a.txt', 'lines': [1, 2,]}" | belay repair
  {"path":"a.txt","lines":[1,2]}

exit status: 0 done, 1 failed, 2 wrong usage, 3 the result needs a look
)";

const std::string_view kDemoHelp =
    R"(NAME
    belay demo - watch damaged calls being read, piece by piece

SYNOPSIS
    belay demo

DESCRIPTION
    Feeds eight damaged tool calls to the reader in pieces, as a model would
    stream them. Shows after each piece the value so far, then the verdict and
    the receipt: every change, its grade, and where it was made.

    On a terminal it is coloured (not when NO_COLOR is set) and takes a few
    seconds. Into a file or a pipe it is plain and immediate.

EXIT STATUS
    0    shown
    1    the output could not be written
    2    wrong usage
)";

}  // namespace belay::cli
