// Any bytes have one verdict, and what is allowed looks harmless to a second, much simpler reader: outside of quotes
// it has no byte that could expand, run in the background or write, apart from the redirections that are accepted.
#include "fuzz.h"

#include <belay/policy/shell.h>

#include <algorithm>
#include <cctype>

using namespace belay;

namespace {

// A reader of the other kind: it knows no grammar, only which bytes stand outside of quotes.
class SecondReader {
 public:
  explicit SecondReader(std::string_view text) : text_(text) {}

  // What may not be in a command that runs without asking; empty when nothing is.
  std::string finding() {
    for (bool word_start = true; i_ < text_.size(); ++i_) {
      const char c = text_[i_];
      const bool comment = c == '#' && word_start;
      word_start = std::string_view(" \t\n;|&()").contains(c);
      if (c == '\\') {
        ++i_;
        word_start = at(i_) == '\n' && word_start_before(i_ - 1);
      } else if (comment) {
        while (at(i_ + 1) != '\n' && i_ < text_.size()) ++i_;
      } else if (std::string found = special(c); !found.empty()) {
        return found;
      }
      if (here_document_) return {};  // beyond this reader
    }
    return {};
  }

 private:
  [[nodiscard]] char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  // The byte behind i, once shells have taken escaped line ends away.
  [[nodiscard]] char behind(std::size_t i) const {
    for (++i; at(i) == '\\' && at(i + 1) == '\n';) i += 2;
    return at(i);
  }
  [[nodiscard]] bool word_start_before(std::size_t i) const {
    while (i >= 2 && text_[i - 1] == '\n' && text_[i - 2] == '\\') i -= 2;
    return i == 0 || std::string_view(" \t\n;|&()").contains(text_[i - 1]);
  }
  [[nodiscard]] bool expands(std::size_t dollar) const {
    const char next = behind(dollar);
    return next == '(' || next == '{' || next == '_' || std::isalnum(static_cast<unsigned char>(next)) != 0;
  }

  std::string special(char c) {
    switch (c) {
      case '\'': return quoted(false);
      case '"': return double_quoted();
      case '`': return "a substitution";
      case '$':
        if (behind(i_) == '\'') return ++i_, quoted(true);
        return expands(i_) ? "an expansion" : "";
      case '&': return ampersand();
      case '<': return less();
      case '>': return greater();
      default: return {};
    }
  }

  std::string quoted(bool escapes) {
    for (++i_; i_ < text_.size() && text_[i_] != '\''; ++i_)
      if (escapes && text_[i_] == '\\') ++i_;
    return i_ < text_.size() ? "" : "an open quote";
  }

  std::string double_quoted() {
    for (++i_; i_ < text_.size() && text_[i_] != '"'; ++i_) {
      if (text_[i_] == '`' || (text_[i_] == '$' && expands(i_))) return "an expansion in quotes";
      if (text_[i_] == '\\') ++i_;
    }
    return i_ < text_.size() ? "" : "an open quote";
  }

  std::string ampersand() {
    if (at(i_ + 1) == '&') return ++i_, "";
    const bool of_redirection = at(i_ + 1) == '>' || (i_ > 0 && (text_[i_ - 1] == '>' || text_[i_ - 1] == '|'));
    return of_redirection ? "" : "a background command";
  }

  std::string less() {
    if (behind(i_) == '(') return "a process substitution";
    here_document_ = at(i_ + 1) == '<' && at(i_ + 2) != '<';
    while (at(i_ + 1) == '<') ++i_;
    return {};
  }

  // The target may be quoted, which is left alone here.
  std::string greater() {
    if (behind(i_) == '(') return "a process substitution";
    std::string_view target = text_.substr(i_ + 1);
    if (target.find_first_of("'\"\\") != std::string_view::npos) return {};
    const bool copies = target.starts_with('&');
    target.remove_prefix(std::min(target.find_first_not_of(">& \t"), target.size()));
    if (copies) return target.starts_with('1') || target.starts_with('2') ? "" : "a descriptor";
    return target.starts_with("/dev/null") ? "" : "a file that is written";
  }

  std::string_view text_;
  std::size_t i_ = 0;
  bool here_document_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  const policy::ShellVerdict verdict = policy::judge_command(input, {}, "/ws");
  fuzz::require(verdict == policy::judge_command(input, {}, "/ws"), "another verdict the second time", input);
  fuzz::require(!verdict.reason.empty() && verdict.reason.size() < 200, "no reason, or a long one", input);
  for (const char c : verdict.reason) fuzz::require(c >= 0x20 && c < 0x7F, "a reason that cannot be shown", input);

  std::string longer(input);
  longer += "\n\ntouch x";
  fuzz::require(policy::judge_command(longer).decision >= policy::Decision::ask, "what follows was not seen", input);
  fuzz::require(policy::judge_command("touch x\n" + std::string(input)).decision >= policy::Decision::ask,
                "what came before was not seen", input);
  // Without the workspace no more is allowed than with it.
  fuzz::require(policy::judge_command(input).decision >= verdict.decision, "a workspace made it worse", input);

  if (verdict.decision >= policy::Decision::ask) return 0;
  for (const char c : input)
    fuzz::require(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t', "a control character", input);
  fuzz::require_none(SecondReader(input).finding(), input);
  return 0;
}
