#include "completion.h"

namespace belay::cli {
namespace {

// In single quotes fish knows \' and \\ only.
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string offered(const Values& values) {
  switch (values.kind) {
    case Values::Kind::none: return "-x";
    case Values::Kind::words: return "-x -a " + quoted(spaced(values.words));
    case Values::Kind::files: return "-r -F";
    case Values::Kind::folders: return "-x -a '(__fish_complete_directories)'";
    case Values::Kind::tasks: return "-x -a '(__belay_tasks)'";
  }
  return "-x";
}

std::string head() {
  return R"sh(# Completion of belay for fish, written by `belay completion fish`.

function __belay_tasks
    )sh" +
         std::string(kTaskIds) +
         R"sh(
end

# True when the command is this one, and so many words that are no options stand behind it ("0", or "more").
function __belay_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l valued (string split ' ' -- $argv[3])
    set -l command
    set -l seen 0
    set -l skip 0
    for word in $words
        if test $skip = 1
            set skip 0
        else if test -z "$command"
            string match -q -- '-*' $word; or set command $word
        else if contains -- $word $valued
            set skip 1
        else if not string match -q -- '-*' $word
            set seen 1
        end
    end
    test "$command" = "$argv[1]"; or return 1
    switch $argv[2]
        case first
            test $seen = 0
        case rest
            test $seen = 1
    end
end

function __belay_no_command
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        string match -q -- '-*' $word; or return 1
    end
end

complete -c belay -f
complete -c belay -n __belay_no_command -s h -l help -d 'Show the commands'
complete -c belay -n __belay_no_command -s V -l version -d 'Show the version'
)sh";
}

}  // namespace

std::string fish_script(std::span<const CompletedCommand> commands) {
  std::string out = head();
  for (const CompletedCommand& command : commands) {
    out += "\ncomplete -c belay -n __belay_no_command -a " + command.name + " -d " + quoted(command.what) + "\n";
    std::string valued;
    for (const CompletedOption& option : command.options)
      if (option.takes_value) (valued += valued.empty() ? "" : " ") += spaced(option.names);
    const auto at = [&](std::string_view where) {
      return "complete -c belay -n " +
             quoted("__belay_at " + command.name + " " + std::string(where) + " \"" + valued + "\"");
    };
    for (const CompletedOption& option : command.options) {
      out += at("any");
      for (const std::string& name : option.names)
        out += (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1));
      if (option.takes_value) out += " " + offered(option.values);
      out += " -d " + quoted(option.what) + "\n";
    }
    const auto place = [&](std::string_view where, const Values& values) {
      if (values.kind == Values::Kind::none) return;
      out += at(where) + " " + (values.kind == Values::Kind::files ? "-F" : offered(values).substr(3)) + "\n";
    };
    place("first", command.first);
    place("rest", command.rest);
  }
  return out;
}

}  // namespace belay::cli
