#include "policy/runners.h"

#include "policy/commands.h"
#include "policy/words.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace BELAY_NAMESPACE::policy {
namespace {

constexpr std::string_view kShellText[] = {"sh",  "bash",   "dash",  "zsh",   "ksh",      "fish",
                                           "ash", "rbash",  "eval",  "trap",  "su",       "ssh",
                                           "csh", "script", "watch", "flock", "parallel", "alias"};

constexpr std::string_view kText[] = {"sudo",    "doas",      "env",    "xargs",  "find",          "tar",
                                      "rsync",   "sed",       "awk",    "gawk",   "mawk",          "busybox",
                                      "node",    "perl",      "php",    "ruby",   "python",        "python3",
                                      "timeout", "submodule", "bisect", "rebase", "filter-branch", "-c"};

constexpr std::string_view kWords[] = {"nice",     "nohup",    "setsid",      "stdbuf",   "exec",
                                       "command",  "builtin",  "time",        "ionice",   "chroot",
                                       "unshare",  "nsenter",  "setarch",     "taskset",  "strace",
                                       "ltrace",   "gdb",      "runuser",     "setpriv",  "chrt",
                                       "prlimit",  "numactl",  "systemd-run", "xvfb-run", "dbus-run-session",
                                       "entr",     "toybox",   "linux64",     "linux32",  "unbuffer",
                                       "fakeroot", "valgrind", "pkexec",      "coproc",   "catchsegv",
                                       "cgexec",   "firejail", "bwrap",       "ld.so",    "source",
                                       "."};

// Without a file to run, their program is what they are given.
constexpr std::string_view kInterpreters[] = {
    "sh",     "bash",  "dash",   "zsh",   "ksh",     "fish",     "ash",     "rbash",  "csh",   "tcsh",
    "mksh",   "pwsh",  "python", "pypy",  "perl",    "ruby",     "node",    "nodejs", "deno",  "bun",
    "php",    "lua",   "luajit", "tclsh", "wish",    "expect",   "Rscript", "R",      "julia", "irb",
    "ghci",   "guile", "ocaml",  "sbcl",  "clisp",   "scheme",   "racket",  "elixir", "iex",   "erl",
    "groovy", "scala", "jshell", "qjs",   "gnuplot", "osascript"};

// Whatever their words are, lines of their input run.
constexpr std::string_view kObey[] = {"at",     "batch",   "crontab", "ed",      "ex",   "vi",    "vim",    "nvim",
                                      "gdb",    "lldb",    "dc",      "m4",      "ssh",  "su",    "script", "parallel",
                                      "chroot", "unshare", "nsenter", "sqlite3", "psql", "mysql", "newgrp", "runuser"};

// Only where a word says that the file is standard input.
constexpr std::string_view kFiles[] = {"make", "gmake", "ninja", "source", ".",     "awk", "gawk", "mawk",
                                       "nawk", "sed",   "cmake", "tar",    "emacs", "go",  "java", "find"};

// python3.11 is a python.
std::string_view without_version(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789.-");
  return end == name.npos ? name : name.substr(0, end + 1);
}

template <std::size_t N>
bool lists(const std::string_view (&names)[N], std::string_view name) {
  return among(names, name) || among(names, without_version(name));
}

bool names_input(std::string_view word) {
  return word == "-" || word.ends_with("=-") || word == "-f-" || word.contains("/dev/") || word.contains("/proc/");
}

// Whether wildcards can stand for a name. What begins with [ can be anything.
bool wild(std::string_view pattern, std::string_view name) {
  if (const std::size_t class_at = pattern.find('['); class_at != pattern.npos) {
    std::string open(pattern.substr(0, class_at));
    return wild(open + "*", name);
  }
  std::vector<char> now(name.size() + 1), next(name.size() + 1);
  now[0] = 1;
  for (char c : pattern) {
    std::ranges::fill(next, 0);
    for (std::size_t i = 0; i <= name.size(); ++i) {
      if (now[i] == 0) continue;
      if (c == '*')
        std::fill(next.begin() + static_cast<std::ptrdiff_t>(i), next.end(), 1);
      else if (i < name.size() && (c == '?' || c == name[i]))
        next[i + 1] = 1;
    }
    now.swap(next);
  }
  return now[name.size()] != 0;
}

// `-e TEXT` and the like: the program is in the words, and the input is its data.
bool gives_program(std::string_view name, std::span<const Word> words) {
  const std::string_view option = words[0].text;
  if (!option.starts_with('-') || option.size() < 2 || !words[0].literal()) return false;
  if (name == "python" || name == "pypy")
    return option == "-c" || (option == "-m" && words.size() > 1 && words[1].text == "json.tool");
  if (name == "perl" || name == "ruby" || name == "node" || name == "nodejs") return option.ends_with('e');
  return name == "php" && option == "-r";
}

// The command of xargs gets what is read as its words.
bool xargs_runs_input(std::span<const Word> words) {
  std::string_view placed;
  std::size_t i = 1;
  for (; i < words.size() && words[i].text.starts_with('-'); ++i) {
    const std::string_view option = words[i].text;
    if (option.starts_with("-I") && option.size() > 2) placed = option.substr(2);
    if (option.starts_with("-i") || option.starts_with("--replace"))
      placed = option.contains('=') ? option.substr(option.find('=') + 1) : option.size() > 2 ? option.substr(2) : "{}";
    if (option.size() == 2 && std::string_view("InPLsdEa").contains(option[1]) && i + 1 < words.size()) {
      ++i;
      if (option == "-I") placed = words[i].text;
    }
  }
  if (i >= words.size()) return false;
  if (placed == "-replace") placed = "{}";
  const std::string_view name = last_part(words[i].text);
  if (!words[i].literal() || (!placed.empty() && words[i].text.contains(placed))) return true;
  return runs_words(name) || runs_input(words.subspan(i));
}

}  // namespace

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool runs_text(std::string_view name) { return among(kShellText, name) || lists(kText, name); }

bool runs_shell_text(std::string_view name) { return among(kShellText, name); }

bool runs_words(std::string_view name) { return runs_text(name) || among(kWords, name); }

bool may_expand_to(const Word& word, std::string_view name) {
  // A brace may hold a folder and any number of words.
  if (word.brace) return true;
  if (!word.glob()) return false;
  return wild(last_part(word.text), name);
}

bool may_expand_to_runner(const Word& word) {
  const auto any = [&](const auto& names) {
    return std::ranges::any_of(names, [&](std::string_view name) { return may_expand_to(word, name); });
  };
  return any(kShellText) || any(kText) || any(kWords) || any(kInterpreters);
}

bool runs_input(std::span<const Word> words) {
  if (words.empty()) return false;
  const std::string_view name = last_part(words[0].text);
  const auto rest = words.subspan(1);
  if (name == "xargs") return xargs_runs_input(words);
  if (among(kObey, name)) return true;
  if (among(kFiles, name)) return std::ranges::any_of(rest, [](const Word& word) { return names_input(word.text); });
  if (name == "sudo" || name == "doas")
    return std::ranges::any_of(rest, [](const Word& w) {
      return w.text == "-s" || w.text == "-i" || w.text == "--shell" || w.text == "--login";
    });
  if (!lists(kInterpreters, name)) return false;
  if (rest.empty()) return true;
  if (gives_program(without_version(name), rest)) return false;
  // Options take values, so that only a file right behind the name is surely the program.
  const std::string_view first = rest[0].text;
  return first.empty() || first.starts_with('-') || first.starts_with('+') || !rest[0].literal() || names_input(first);
}

bool stands_alone(const Word& program) {
  const std::string_view name = last_part(program.text);
  return program.literal() && ((find_command(name) != nullptr && !runs_words(name)) || name == "git");
}

bool fed_runs(std::span<const Word> words) {
  if (words.empty()) return false;
  for (std::size_t i = 0; i < (stands_alone(words[0]) ? 1 : words.size()); ++i)
    if (runs_input(words.subspan(i))) return true;
  return false;
}

}  // namespace BELAY_NAMESPACE::policy
