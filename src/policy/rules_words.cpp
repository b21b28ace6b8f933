// Rules for commands whose operands are no files.
#include "rules.h"

#include "paths.h"
#include "words.h"

#include <algorithm>

namespace BELAY_NAMESPACE::policy::rules {
namespace {

bool is_integer(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return text.size() <= 18 && all_digits(text);
}

// Conversions that only print. %n would store, and bash evaluates the name that it stores to.
bool harmless_format(std::string_view format) {
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    std::size_t digits = 0;
    for (++i; i < format.size() && std::string_view("-+ #'.0123456789").contains(format[i]); ++i)
      if (is_digit(format[i])) ++digits;
    if (digits > 4 || i >= format.size() || !std::string_view("sdiouxXeEfFgGcbq%").contains(format[i])) return false;
  }
  return true;
}

bool is_file_test(std::string_view op) {
  return op.size() == 2 && op[0] == '-' && std::string_view("edfrwxsLhSpbcgukOGN").contains(op[1]);
}

}  // namespace

std::string no_response_files(const Use& use) {
  for (const Word& word : use.words)
    if (word.text.starts_with('@') || (word.glob() && word.glob_at == 0))
      return "a word that begins with @ stands for words from a file";
  return {};
}

std::string print_format(const Use& use) {
  auto words = use.words;
  if (!words.empty() && words[0].text == "--") words = words.subspan(1);
  if (words.empty() || words[0].text.starts_with('-')) return "printf with an option can set a variable";
  if (!words[0].literal() || !harmless_format(words[0].text)) return "the format of printf is not one that only prints";
  return {};
}

std::string date(const Use& use) {
  for (const Word* word : use.given.operands)
    if (!word->text.starts_with('+')) return "date with an operand sets the clock";
  return {};
}

std::string seq(const Use& use) {
  constexpr std::size_t kDigits = 6;
  for (const Word* word : use.given.operands)
    if (!all_digits(word->text) || word->text.size() > kDigits) return "seq may print without an end";
  for (const Given::Option& option : use.given.options)
    if (option.name == "5" && option.value.size() > kDigits) return "seq may print without an end";
  return {};
}

std::string tail(const Use& use) {
  for (const Word* word : use.given.operands)
    if (word->text.starts_with('+') && !all_digits(std::string_view(word->text).substr(1)))
      return "tail may follow a file without an end";
  return {};
}

std::string names_only(const Use& use) {
  // The only form of `command` that does not run what it names.
  if (use.name == "command" && !use.given.has("v") && !use.given.has("V")) return "command runs another command";
  for (const Word* word : use.given.operands)
    if (word->text.contains('/')) return "a path here would tell what is outside of the workspace";
  return {};
}

// [!] -f FILE, [!] -n TEXT, [!] TEXT, TEXT = TEXT, NUMBER -eq NUMBER. Other forms evaluate text, or their meaning
// depends on what the words happen to be.
std::string test(const Use& use) {
  constexpr std::string_view kOther = "this form of test is not one that is known to be harmless";
  auto words = use.words;
  if (use.name == "[") {
    if (words.empty() || words.back().text != "]") return std::string(kOther);
    words = words.first(words.size() - 1);
  }
  if (!words.empty() && words[0].text == "!") words = words.subspan(1);
  if (words.size() == 1) return words[0].text.starts_with('-') ? std::string(kOther) : std::string();
  if (words.size() == 2) {
    const std::string_view op = words[0].text;
    if (op == "-n" || op == "-z") return {};
    if (!is_file_test(op)) return std::string(kOther);
    return std::string(judge_path(words[1], use.workspace).reason);
  }
  if (words.size() != 3) return std::string(kOther);
  const std::string_view op = words[1].text;
  if (op == "=" || op == "==" || op == "!=") return {};
  const bool compares = op == "-eq" || op == "-ne" || op == "-lt" || op == "-le" || op == "-gt" || op == "-ge";
  return compares && is_integer(words[0].text) && is_integer(words[2].text) ? std::string() : std::string(kOther);
}

}  // namespace BELAY_NAMESPACE::policy::rules
