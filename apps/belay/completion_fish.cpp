#include "completion.h"

namespace belay::cli {
namespace {

// In single quotes fish knows \' and \\ only.
std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish_offered(const Values& values) {
  switch (values.kind) {
    case Values::Kind::none: return "-x";
    case Values::Kind::words: return "-x -a " + fish_quoted(spaced(values.words));
    case Values::Kind::files: return "-r -F";
    case Values::Kind::folders: return "-x -a '(__fish_complete_directories)'";
    case Values::Kind::tasks: return "-x -a '(__belay_tasks)'";
    case Values::Kind::servers: return "-x -a '(__belay_servers)'";
  }
  return "-x";
}

std::string fish_head() {
  return R"sh(# Completion of belay for fish, written by `belay completion fish`.

function __belay_tasks
    )sh" +
         std::string(kTaskIds) +
         R"sh(
end

function __belay_servers
    )sh" +
         std::string(kServerNames) +
         R"sh(
end

# True when the command is this one, and the words behind it that are no options are: none (first), some (rest), one of
# those in the fourth argument alone (second), the fourth first (verb), none or another one first (others).
function __belay_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l valued (string split ' ' -- $argv[3])
    set -l command
    set -l seen 0
    set -l verb
    set -l skip 0
    for word in $words
        if test $skip = 1
            set skip 0
        else if test -z "$command"
            string match -q -- '-*' $word; or set command $word
        else if contains -- $word $valued
            set skip 1
        else if not string match -q -- '-*' $word
            set seen (math $seen + 1)
            test $seen = 1; and set verb $word
        end
    end
    test "$command" = "$argv[1]"; or return 1
    switch $argv[2]
        case first
            test $seen = 0
        case rest
            test $seen != 0
        case second
            test $seen = 1; and contains -- $verb (string split ' ' -- $argv[4])
        case verb
            test $seen = 0; or test "$verb" = "$argv[4]"
        case others
            test "$verb" != "$argv[4]"
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
  std::string out = fish_head();
  for (const CompletedCommand& command : commands) {
    out += "\ncomplete -c belay -n __belay_no_command -a " + command.name + " -d " + fish_quoted(command.what) + "\n";
    std::string valued;
    for (const auto* options : {&command.options, &command.other_options})
      for (const CompletedOption& option : *options)
        if (option.takes_value) (valued += valued.empty() ? "" : " ") += spaced(option.names);
    const auto at = [&](std::string_view where, const std::string& verbs = {}) {
      return "complete -c belay -n " + fish_quoted("__belay_at " + command.name + " " + std::string(where) + " \"" +
                                                   valued + "\"" + (verbs.empty() ? "" : " \"" + verbs + "\""));
    };
    const auto add = [&](const CompletedOption& option, const std::string& where) {
      out += where;
      for (const std::string& name : option.names)
        out += (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1));
      if (option.takes_value) out += " " + fish_offered(option.values);
      out += " -d " + fish_quoted(option.what) + "\n";
    };
    for (const CompletedOption& option : command.options)
      add(option, command.other_verb.empty() ? at("any") : at("others", command.other_verb));
    for (const CompletedOption& option : command.other_options) add(option, at("verb", command.other_verb));
    const auto place = [&](std::string_view where, const Values& values) {
      if (values.kind == Values::Kind::none) return;
      out += at(where) + " " + (values.kind == Values::Kind::files ? "-F" : fish_offered(values).substr(3)) + "\n";
    };
    place("first", command.first);
    if (command.verbs.empty())
      place("rest", command.rest);
    else
      out += at("second", spaced(command.verbs)) + " " + fish_offered(command.rest).substr(3) + "\n";
  }
  return out;
}

}  // namespace belay::cli
