// What a shell command is made of, once it was read. Only what is fully understood gets here: whatever expands to
// something that the text does not show ends the reading instead.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace BELAY_NAMESPACE::policy {

/// A word after quote removal, and what the shell would still do to it.
struct Word {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::string text;
  std::size_t glob_at = kNone;  ///< where in `text` the first unquoted `*`, `?` or `[` is
  bool quoted = false;          ///< some of it was quoted or escaped
  bool tilde = false;           ///< an unquoted `~` where the shell puts a home directory
  bool brace = false;           ///< `{a,b}` or `{1..9}`
  bool status = false;          ///< `$?` is in it; `text` has 0 for it

  [[nodiscard]] bool glob() const { return glob_at != kNone; }
  [[nodiscard]] bool literal() const { return !glob() && !tilde && !brace && !status; }
  bool operator==(const Word&) const = default;
};

enum class Redirection : std::uint8_t {
  input,      ///< <
  output,     ///< > >>
  clobber,    ///< >|
  both,       ///< &> &>>
  in_out,     ///< <>
  copy_in,    ///< <&
  copy_out,   ///< >&
  here_text,  ///< << <<- <<<, with nothing in it that expands
};

struct Redirect {
  Redirection kind{};
  int fd = -1;  ///< the number before it, or -1
  Word target;  ///< of here-documents the end mark
  bool operator==(const Redirect&) const = default;
};

struct SimpleCommand {
  std::vector<Word> words;  ///< assignments too, which stand in front
  std::vector<Redirect> redirects;
  bool input = false;     ///< its standard input is a pipe, a file or a here-document
  std::size_t depth = 0;  ///< groups, subshells and branches around it
  bool operator==(const SimpleCommand&) const = default;
};

/// All simple commands in the order of the text. Lists, pipes, groups, subshells and branches only say whether and when
/// a command runs; it is judged as if it did.
struct Script {
  std::vector<SimpleCommand> commands;
  std::vector<Redirect> redirects;  ///< of groups, subshells and branches
  bool operator==(const Script&) const = default;
};

/// Why a command was not read.
struct Unread {
  std::string reason;
  std::size_t offset = 0;
  bool operator==(const Unread&) const = default;
};

}  // namespace BELAY_NAMESPACE::policy
