// Works without the package bash-completion, and with the bash 3.2 of macOS.
#include "completion.h"

namespace belay::cli {
namespace {

// As the script's function _belay_offer wants it.
std::string bash_offered(const Values& values) {
  switch (values.kind) {
    case Values::Kind::none: return "''";
    case Values::Kind::words: return shell_quoted(spaced(values.words));
    case Values::Kind::files: return "@files";
    case Values::Kind::folders: return "@folders";
    case Values::Kind::tasks: return "@tasks";
    case Values::Kind::servers: return "@servers";
  }
  return "''";
}

std::string bash_head() {
  return R"sh(# Completion of belay for bash, written by `belay completion bash`.

# Line by line: names may hold spaces and stars.
_belay_take() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done
}

_belay_offer() {
  case $1 in
    @files) compopt -o filenames 2>/dev/null; _belay_take < <(compgen -f -- "$2") ;;
    @folders) compopt -o filenames 2>/dev/null; _belay_take < <(compgen -d -- "$2") ;;
    @tasks) _belay_take < <(compgen -W "$()sh" +
         std::string(kTaskIds) + R"sh()" -- "$2") ;;
    @servers) _belay_take < <(compgen -W "$()sh" +
         std::string(kServerNames) + R"sh()" -- "$2") ;;
    *) _belay_take < <(compgen -W "$1" -- "$2") ;;
  esac
}

)sh";
}

constexpr std::string_view kBashBody = R"sh(
_belay() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= seen=0 i word
  local options valued one rest verbs other other_options verb=
  COMPREPLY=()
  # --name=value comes as three words.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ -z $command ]]; then
      [[ $word == -* ]] || { command=$word; _belay_command "$command" || return; }
    elif [[ $word == -- ]]; then
      return
    elif [[ " $valued " == *" $word "* ]]; then
      [[ ${COMP_WORDS[i+1]} == = ]] && ((i++))
      ((i++))
    elif [[ $word != -* ]]; then
      ((++seen == 1)) && verb=$word
    fi
  done
  if [[ -n $other && $verb == "$other" ]]; then
    options=$other_options
  elif [[ -z $verb ]]; then
    options+=" $other_options"
  fi
  if [[ -z $command ]]; then
    if [[ $cur == -* ]]; then _belay_offer '-h --help -V --version' "$cur"; else _belay_offer "$_belay_commands" "$cur"; fi
    return
  fi
  if [[ " $valued " == *" $prev "* ]]; then _belay_value "$command" "$prev" "$cur"; return; fi
  if [[ $cur == -* ]]; then _belay_offer "$options" "$cur"; return; fi
  if [[ $seen == 0 ]]; then
    _belay_offer "$one" "$cur"
  elif [[ -z $verbs || ( $seen == 1 && " $verbs " == *" $verb "* ) ]]; then
    _belay_offer "$rest" "$cur"
  fi
  [[ -z $cur && ${#COMPREPLY[@]} == 0 ]] && _belay_offer "$options" "$cur"
  return 0
}

complete -F _belay belay
)sh";

}  // namespace

std::string bash_script(std::span<const CompletedCommand> commands) {
  std::string names, tables, values;
  for (const CompletedCommand& command : commands) {
    names += (names.empty() ? "" : " ") + command.name;
    std::string options, other, valued;
    const auto add = [&](const CompletedOption& option, std::string& to) {
      (to += to.empty() ? "" : " ") += spaced(option.names);
      if (!option.takes_value) return;
      (valued += valued.empty() ? "" : " ") += spaced(option.names);
      if (option.values.kind == Values::Kind::none) return;
      values += "    ";
      for (const std::string& name : option.names)
        values += (&name == option.names.data() ? "" : "|") + ("'" + command.name) + " " + name + "'";
      values += ") _belay_offer " + bash_offered(option.values) + " \"$3\" ;;\n";
    };
    for (const CompletedOption& option : command.options) add(option, options);
    for (const CompletedOption& option : command.other_options) add(option, other);
    tables += "    " + command.name + ") options=" + shell_quoted(options) + " valued=" + shell_quoted(valued) +
              " one=" + bash_offered(command.first) + " rest=" + bash_offered(command.rest);
    if (!command.verbs.empty()) tables += " verbs=" + shell_quoted(spaced(command.verbs));
    if (!other.empty()) tables += " other=" + command.other_verb + " other_options=" + shell_quoted(other);
    tables += " ;;\n";
  }
  return bash_head() + "_belay_commands=" + shell_quoted(names) +
         "\n\n# Sets options, valued, one, rest and so on of its caller.\n_belay_command() {\n  case $1 in\n" + tables +
         "    *) return 1 ;;\n  esac\n}\n\n_belay_value() {\n  case \"$1 $2\" in\n" + values + "  esac\n}\n" +
         std::string(kBashBody);
}

}  // namespace belay::cli
