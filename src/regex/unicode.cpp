#include "regex/unicode.h"

#include "regex/unicode_tables.h"

#include <algorithm>
#include <cstdint>

namespace BELAY_NAMESPACE::regex {
namespace {

// The names that PropertyValueAliases.txt has beside the short one; categories of one letter are all that begin with
// it.
struct CategoryName {
  std::string_view short_name, name, other;
};
constexpr CategoryName kCategoryNames[] = {
    {"C", "Other", ""},
    {"Cc", "Control", "cntrl"},
    {"Cf", "Format", ""},
    {"Cn", "Unassigned", ""},
    {"Co", "Private_Use", ""},
    {"Cs", "Surrogate", ""},
    {"L", "Letter", ""},
    {"LC", "Cased_Letter", ""},
    {"Ll", "Lowercase_Letter", ""},
    {"Lm", "Modifier_Letter", ""},
    {"Lo", "Other_Letter", ""},
    {"Lt", "Titlecase_Letter", ""},
    {"Lu", "Uppercase_Letter", ""},
    {"M", "Mark", "Combining_Mark"},
    {"Mc", "Spacing_Mark", ""},
    {"Me", "Enclosing_Mark", ""},
    {"Mn", "Nonspacing_Mark", ""},
    {"N", "Number", ""},
    {"Nd", "Decimal_Number", "digit"},
    {"Nl", "Letter_Number", ""},
    {"No", "Other_Number", ""},
    {"P", "Punctuation", "punct"},
    {"Pc", "Connector_Punctuation", ""},
    {"Pd", "Dash_Punctuation", ""},
    {"Pe", "Close_Punctuation", ""},
    {"Pf", "Final_Punctuation", ""},
    {"Pi", "Initial_Punctuation", ""},
    {"Po", "Other_Punctuation", ""},
    {"Ps", "Open_Punctuation", ""},
    {"S", "Symbol", ""},
    {"Sc", "Currency_Symbol", ""},
    {"Sk", "Modifier_Symbol", ""},
    {"Sm", "Math_Symbol", ""},
    {"So", "Other_Symbol", ""},
    {"Z", "Separator", ""},
    {"Zl", "Line_Separator", ""},
    {"Zp", "Paragraph_Separator", ""},
    {"Zs", "Space_Separator", ""},
};

struct Run {
  std::string_view value;
  char32_t first, last;
};

// Goes through the runs of a table (unicode_tables.h).
class Runs {
 public:
  explicit Runs(std::string_view table) : rest_(table) {}
  [[nodiscard]] Run run() const { return {value_, first_, first_ + length_ - 1}; }

  bool next() {
    if (rest_.empty()) return false;
    std::size_t at = 0;
    while (rest_[at] < '0' || rest_[at] > '9') ++at;
    value_ = rest_.substr(0, at);
    first_ += length_;
    for (length_ = 0; at < rest_.size() && rest_[at] >= '0' && rest_[at] <= '9'; ++at)
      length_ = length_ * 10 + static_cast<std::uint32_t>(rest_[at] - '0');
    rest_.remove_prefix(at);
    return true;
  }

 private:
  std::string_view rest_, value_;
  std::uint32_t first_ = 0, length_ = 0;
};

// Whether `joined`, names of the same length one after another, has this one.
bool has(std::string_view joined, std::string_view name) {
  for (std::size_t i = 0; i < joined.size(); i += name.size())
    if (joined.substr(i, name.size()) == name) return true;
  return false;
}

std::optional<CodeSet> category(std::string_view name) {
  for (const CategoryName& row : kCategoryNames) {
    if (name != row.short_name && name != row.name && (row.other.empty() || name != row.other)) continue;
    const std::string_view wanted = row.short_name;
    const auto is_of = [&](std::string_view category) {
      if (wanted == "LC") return has("LuLlLt", category);
      return category[0] == wanted[0] && (wanted.size() == 1 || category[1] == wanted[1]);
    };
    CodeSet set;
    for (Runs runs(kCategoryRuns); runs.next();)
      if (is_of(runs.run().value)) set.add(runs.run().first, runs.run().last);
    return set;
  }
  return std::nullopt;
}

std::string_view script_code(std::string_view name) {
  // Two codes for private use that became scripts.
  if (name == "Qaac") return "Copt";
  if (name == "Qaai") return "Zinh";
  for (const ScriptName& row : kScriptNames)
    if (name == row.code || name == row.name) return row.code;
  return {};
}

std::optional<CodeSet> script(std::string_view name, bool extensions) {
  const std::string_view code = script_code(name);
  if (code.empty()) return std::nullopt;
  CodeSet set;
  for (Runs runs(kScriptRuns); runs.next();)
    if (runs.run().value == code) set.add(runs.run().first, runs.run().last);
  if (!extensions) return set;

  // The code points that have a list of their own count by that list only.
  CodeSet outside, listed;
  for (Runs runs(kScriptExtensionRuns); runs.next();) {
    const Run run = runs.run();
    if (run.value == "-") continue;
    outside.add(run.first, run.last);
    if (has(run.value, code)) listed.add(run.first, run.last);
  }
  set.invert();
  set.add(outside);
  set.invert();
  set.add(listed);
  return set;
}

std::optional<CodeSet> binary(std::string_view name) {
  if (name == "Any") return CodeSet{{0, kLastCodePoint}};
  if (name == "ASCII") return CodeSet{{0, 0x7F}};
  if (name == "Assigned") {
    std::optional<CodeSet> set = category("Cn");
    if (set) set->invert();
    return set;
  }
  for (const BinaryProperty& row : kBinaryProperties) {
    if (name != row.name && name != row.short_name) continue;
    CodeSet set;
    Runs differ(row.differ);
    differ.next();
    // Both tables cover everything; each step takes what is left of the shorter run.
    char32_t from = 0;
    for (Runs runs(kCategoryRuns); runs.next();) {
      const bool of_category = has(row.categories, runs.run().value);
      while (from <= runs.run().last) {
        const char32_t to = std::min(runs.run().last, differ.run().last);
        if (of_category != (differ.run().value == "Y")) set.add(from, to);
        from = to + 1;
        if (from > differ.run().last) differ.next();
      }
    }
    return set;
  }
  return std::nullopt;
}

}  // namespace

std::optional<CodeSet> unicode_property(std::string_view name, std::string_view value) {
  if (value.empty()) {
    if (std::optional<CodeSet> set = category(name)) return set;
    return binary(name);
  }
  if (name == "General_Category" || name == "gc") return category(value);
  if (name == "Script" || name == "sc") return script(value, false);
  if (name == "Script_Extensions" || name == "scx") return script(value, true);
  return std::nullopt;
}

bool is_script(std::string_view name) { return !script_code(name).empty(); }

}  // namespace BELAY_NAMESPACE::regex
