// Any bytes have one verdict, and what is allowed looks harmless to a second, much simpler reader: outside of quotes
// it has no byte that could expand, run in the background or write, apart from the redirections that are accepted.
#include "fuzz.h"

#include <belay/policy/shell.h>

#include <cctype>

using namespace belay;

namespace {

// Removes what may stand unquoted although it has such bytes, and says what is left that may not.
std::string suspicious(std::string_view text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : '\0'; };
  bool word_start = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool at_start = word_start;
    word_start = c == ' ' || c == '\t' || c == '\n' || c == ';' || c == '|' || c == '&' || c == '(' || c == ')';
    if (c == '\\') {
      ++i;
    } else if (c == '#' && at_start) {
      while (i < text.size() && text[i] != '\n') ++i;
      word_start = true;
    } else if (c == '\'') {
      const bool ansi = i > 0 && text[i - 1] == '$';
      for (++i; i < text.size() && text[i] != '\''; ++i)
        if (ansi && text[i] == '\\') ++i;
      if (i >= text.size()) return "an open quote";
    } else if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\') {
          ++i;
        } else if (text[i] == '`') {
          return "a substitution in quotes";
        } else if (text[i] == '$' &&
                   (at(i + 1) == '(' || at(i + 1) == '{' || at(i + 1) == '_' || std::isalnum(at(i + 1)))) {
          return "an expansion in quotes";
        }
      }
      if (i >= text.size()) return "an open quote";
    } else if (c == '`') {
      return "a substitution";
    } else if (c == '$' && (at(i + 1) == '(' || at(i + 1) == '{' || at(i + 1) == '_' || std::isalnum(at(i + 1)))) {
      return "an expansion";
    } else if (c == '&') {
      if (at(i + 1) == '&') {
        ++i;
      } else if (at(i + 1) != '>' && (i == 0 || (text[i - 1] != '>' && text[i - 1] != '|'))) {
        return "a background command";
      }
    } else if (c == '<') {
      if (at(i + 1) == '<' && at(i + 2) != '<') return {};  // a here-document: beyond this reader
      if (at(i + 1) == '(') return "a process substitution";
      while (at(i + 1) == '<') ++i;
    } else if (c == '>') {
      std::size_t j = i + 1;
      if (at(j) == '>') ++j;
      if (at(j) == '&') {
        for (++j; at(j) == ' ' || at(j) == '\t'; ++j) {
        }
        // The number may be quoted, which this reader leaves alone.
        if (at(j) != '1' && at(j) != '2' && at(j) != '\'' && at(j) != '"' && at(j) != '\\' && at(j) != '$')
          return "a descriptor";
      } else if (text.find("null", j) == std::string_view::npos &&
                 text.find_first_of("'\"\\", j) == std::string_view::npos) {
        return "a file that is written";
      }
      i = j - 1;
    }
  }
  return {};
}

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
  fuzz::require_none(suspicious(input), input);
  return 0;
}
