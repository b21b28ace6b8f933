// The commands that are known, with exactly the options that are known of each.
#pragma once

#include <belay/policy/shell.h>

#include "shell_tree.h"

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::policy {

enum class Operands : std::uint8_t {
  none,
  paths,
  texts,               ///< never opened
  pattern_then_paths,  ///< the first is text, unless an option gave it
};

/// What a pattern that may expand to a name beginning with `-` leads to: such a name, planted, is an option.
enum class Globs : std::uint8_t {
  harmless,  ///< every option of the command only reads what is named
  reading,   ///< some option reads files that a file names: in the sandbox
  guarded,   ///< only behind `--`, or with a beginning that is no `-`
  never,     ///< one operand too many is written to, or changes the meaning
};

/// Whose rules say where an option ends and its value begins. A reading that is not the program's own lets a word pass
/// for a value that the program takes for a file to write.
enum class Options : std::uint8_t {
  getopt,   ///< the C library's: letters in one word, a value glued or in the next word, `--` ends them
  letters,  ///< letters in one word, but a value is always the next word, and of a long one always behind `=`
  words,    ///< a word is one option, and only words before the first operand are any
};

/// What was given to a command: the options that it knows, and the rest.
struct Given {
  struct Option {
    std::string_view name;  ///< without dashes; "5" for -5
    std::string_view value;
  };
  std::vector<Option> options;
  std::vector<std::string_view> paths;  ///< values of options that are paths
  std::vector<const Word*> operands;
  std::size_t guarded_from = 0;  ///< operands from here on stand behind `--`

  [[nodiscard]] bool has(std::string_view name) const;
};

/// What a rule beyond the table needs.
struct Use {
  std::string_view name;        ///< of the command, or of git's verb
  std::span<const Word> words;  ///< behind the name
  const Given& given;
  std::string_view workspace;
};

/// A rule beyond the table; gives a reason to ask, or nothing.
using CommandRule = std::string (*)(const Use&);

struct Command {
  std::string_view name = {};
  std::string_view flags = {};  ///< short options without a value
  std::string_view valued =
      {};  ///< short options with one, each followed by `=` (text), `#` (number), `/` (path) or `?` (glued or none)
  std::string_view longs =
      {};  ///< long options, apart by spaces; behind those with a value the same signs, or `&`: two
  Options reads = Options::getopt;
  Operands operands = Operands::paths;
  Globs globs = Globs::guarded;
  std::size_t least = 0;
  std::size_t most = 10000;
  std::string_view inputless = {};  ///< options that keep it from reading standard input
  bool reads_input = false;         ///< without operands it reads standard input
  bool numbers = false;             ///< -5 is an option
  bool ordered = false;             ///< options must stand before operands, since not every version sees them elsewhere
  bool raw = false;                 ///< has no options in the usual sense: all words are operands, and the rule's
  bool names_only = false;          ///< tells names, sizes and sums of files, and never what is in them
  std::string_view boxed = {};      ///< options that need the sandbox
  Decision best = Decision::allow;
  CommandRule rule = nullptr;
};

/// The table; nullptr when the name is not in it.
const Command* find_command(std::string_view name);
/// The same for what git can do: "status", "log".
const Command* find_git_verb(std::string_view verb);
/// Why a command that is not in the table is asked about, where it is well known; empty otherwise.
std::string_view known_danger(std::string_view name);
/// True when this program, with this one argument, only prints its version.
bool prints_version(std::string_view program, std::string_view argument);

/// Options and operands of `words`; the error says which option is not known.
std::expected<Given, std::string> match_options(const Command& command, std::span<const Word> words);

/// The beginning of a word for a sentence: short, and only what every terminal shows.
std::string spoken(std::string_view name);

}  // namespace BELAY_NAMESPACE::policy
