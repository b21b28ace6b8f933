#include "completion.h"

namespace belay::cli {
namespace {

std::string zsh_offered(const Values& values) {
  switch (values.kind) {
    case Values::Kind::none: return ":";
    case Values::Kind::words: return "compadd -- " + spaced(values.words);
    case Values::Kind::files: return "_files";
    case Values::Kind::folders: return "_files -/";
    case Values::Kind::tasks: return "compadd -- ${(f)\"$(" + std::string(kTaskIds) + ")\"}";
    case Values::Kind::servers: return "compadd -- ${(f)\"$(" + std::string(kServerNames) + ")\"}";
  }
  return ":";
}

// NAME:DESCRIPTION for _describe.
std::string described(std::string_view name, std::string_view what) {
  std::string text(name);
  text += ':';
  for (const char c : what)
    if (c == ':')
      text += "\\:";
    else
      text += c;
  return shell_quoted(text);
}

constexpr std::string_view kZshBody = R"sh(
_belay() {
  local command= seen=0 verb= other= i word cur=${words[CURRENT]} prev=${words[CURRENT-1]}
  local -a options valued verbs other_options
  # --name=value: what stands behind the sign is completed.
  if [[ $cur == --*=* ]]; then
    prev=${cur%%=*}
    compset -P '*='
  elif (( CURRENT < 2 )); then
    prev=
  fi
  for (( i = 2; i < CURRENT; i++ )); do
    word=${words[i]}
    if [[ -z $command ]]; then
      [[ $word == -* ]] || { command=$word; _belay_command $command || return 1 }
    elif [[ $word == -- ]]; then
      return 1
    elif (( ${valued[(Ie)$word]} )); then
      (( i++ ))
    elif [[ $word != -* ]]; then
      (( ++seen == 1 )) && verb=$word
    fi
  done
  if [[ -n $other && $verb == $other ]]; then
    options=("${other_options[@]}")
  elif [[ -z $verb ]]; then
    options+=("${other_options[@]}")
  fi
  if [[ -z $command ]]; then
    if [[ $cur == -* ]]; then compadd -- -h --help -V --version; else _describe command _belay_commands; fi
    return
  fi
  if (( ${valued[(Ie)$prev]} )); then _belay_value $command $prev; return; fi
  if [[ $cur == -* ]]; then _describe option options; return; fi
  if (( seen == 0 )); then
    _belay_first $command
  elif (( ! ${#verbs} || (seen == 1 && ${verbs[(Ie)$verb]}) )); then
    _belay_rest $command
  fi
}

# Loaded by name from fpath, it is called; sourced, it is announced.
if [[ $funcstack[1] == _belay ]]; then _belay "$@"; else compdef _belay belay; fi
)sh";

}  // namespace

std::string zsh_script(std::span<const CompletedCommand> commands) {
  std::string names, tables, values, first, rest;
  for (const CompletedCommand& command : commands) {
    names += "  " + described(command.name, command.what) + "\n";
    std::string options, other, valued;
    const auto add = [&](const CompletedOption& option, std::string& to) {
      for (const std::string& name : option.names) to += " " + described(name, option.what);
      if (!option.takes_value) return;
      (valued += valued.empty() ? "" : " ") += spaced(option.names);
      if (option.values.kind == Values::Kind::none) return;
      values += "    ";
      for (const std::string& name : option.names)
        values.append(&name == option.names.data() ? "'" : "|'").append(command.name + " " + name + "'");
      values += ") " + zsh_offered(option.values) + " ;;\n";
    };
    for (const CompletedOption& option : command.options) add(option, options);
    for (const CompletedOption& option : command.other_options) add(option, other);
    tables.append("    " + command.name + ") options=(").append(options);
    tables.append(" ) valued=( ").append(valued).append(" )");
    if (!command.verbs.empty()) tables.append(" verbs=( ").append(spaced(command.verbs)).append(" )");
    if (!other.empty())
      tables.append(" other=").append(command.other_verb).append(" other_options=(").append(other).append(" )");
    tables.append(" ;;\n");
    if (command.first.kind != Values::Kind::none)
      first += "    " + command.name + ") " + zsh_offered(command.first) + " ;;\n";
    if (command.rest.kind != Values::Kind::none)
      rest += "    " + command.name + ") " + zsh_offered(command.rest) + " ;;\n";
  }
  return "#compdef belay\n# Completion of belay for zsh, written by `belay completion zsh`.\n\n_belay_commands=(\n" +
         names + ")\n\n# Sets options, valued and so on of its caller.\n_belay_command() {\n  case $1 in\n" + tables +
         "    *) return 1 ;;\n  esac\n}\n\n_belay_value() {\n  case \"$1 $2\" in\n" + values +
         "  esac\n}\n\n_belay_first() {\n  case $1 in\n" + first + "  esac\n}\n\n_belay_rest() {\n  case $1 in\n" +
         rest + "  esac\n}\n" + std::string(kZshBody);
}

}  // namespace belay::cli
