// sed, awk and jq: small languages, of which the harmless part is read.
#include "rules.h"

#include "words.h"

#include <algorithm>

namespace BELAY_NAMESPACE::policy::rules {
namespace {

bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_'; }

// Each can make a line longer by a factor. What loops (D, b, t) or doubles (G, H) is not read at all.
constexpr int kSubstitutions = 12;

// A sed script, by GNU's grammar. Where another sed would end a text elsewhere, it is not accepted.
class SedScript {
 public:
  explicit SedScript(std::string_view text) : text_(text) {}

  bool harmless() {
    while (true) {
      skip(" \t;\n");
      if (done()) return open_ == 0;
      if (!addresses() || !command()) return false;
    }
  }

 private:
  [[nodiscard]] bool done() const { return pos_ >= text_.size(); }
  [[nodiscard]] char now() const { return done() ? '\0' : text_[pos_]; }
  void skip(std::string_view what) {
    while (!done() && what.contains(now())) ++pos_;
  }
  bool number() {
    const std::size_t begin = pos_;
    while (is_digit(now())) ++pos_;
    return pos_ > begin;
  }

  bool addresses() {
    if (!is_digit(now()) && now() != '$' && now() != '/') return true;
    if (!address()) return false;
    skip(" \t");
    if (now() == ',') {
      ++pos_;
      skip(" \t");
      if (now() == '+' || now() == '~') ++pos_;
      if (!address()) return false;
      skip(" \t");
    }
    while (now() == '!') ++pos_;
    skip(" \t");
    return true;
  }

  bool address() {
    if (now() == '$') return ++pos_, true;
    if (now() == '/') {
      ++pos_;
      if (!regex('/')) return false;
      if (now() == 'I') ++pos_;
      return true;
    }
    if (!number()) return false;
    if (now() != '~') return true;
    ++pos_;
    return number();
  }

  // Up to and with the delimiter. GNU's sed ends it inside of brackets too, others do not.
  bool regex(char delimiter) {
    for (bool brackets = false; !done(); ++pos_) {
      const char c = now();
      if (c == '\n') return false;
      if (c == delimiter) return !brackets && (++pos_, true);
      if (c == '\\') {
        if (++pos_; done() || now() == '\n') return false;
        // In brackets an escape to some and a backslash to others: the same to both before a letter such as t.
        if (brackets && (now() == delimiter || std::string_view("[]\\").contains(now()))) return false;
      } else if (c == '[' && !brackets) {
        brackets = true;
        if (pos_ + 1 < text_.size() && text_[pos_ + 1] == '^') ++pos_;
        if (pos_ + 1 < text_.size() && text_[pos_ + 1] == ']') ++pos_;
      } else if (c == '[' && pos_ + 1 < text_.size() && std::string_view(":.=").contains(text_[pos_ + 1])) {
        // The ] of [:alpha:] does not close the brackets around it.
        const char kind = text_[pos_ + 1];
        for (pos_ += 2; is_name(now()); ++pos_)
          if (now() == delimiter) return false;
        if (now() != kind || pos_ + 1 >= text_.size()) return false;
        ++pos_;
        if (text_[pos_] != ']') return false;
      } else if (c == ']') {
        brackets = false;
      }
    }
    return false;
  }

  bool replacement(char delimiter) {
    for (; !done(); ++pos_) {
      if (now() == delimiter) return ++pos_, true;
      if (now() == '\n') return false;
      if (now() == '\\' && (++pos_, done() || now() == '\n')) return false;
    }
    return false;
  }

  bool ends_command() {
    skip(" \t");
    return done() || now() == ';' || now() == '\n' || now() == '}';
  }

  bool command() {
    const char c = now();
    ++pos_;
    switch (c) {
      case '{': return ++open_ <= 100;
      case '}': return --open_ >= 0 && ends_command();
      case 'p':
      case 'd':
      case '=':
      case 'n':
      case 'N':
      case 'P': return ends_command();
      case 'q':
      case 'Q':
        skip(" ");
        number();
        return ends_command();
      case 's':
      case 'y': return substitute(c == 's');
      default: return false;
    }
  }

  bool substitute(bool flags) {
    const char delimiter = now();
    if (!std::string_view("/|#,:@!%_+=").contains(delimiter) || done()) return false;
    if (++substitutions_ > kSubstitutions) return false;
    ++pos_;
    if (!regex(delimiter) || !replacement(delimiter)) return false;
    while (flags && !done() && (is_digit(now()) || std::string_view("gpiI").contains(now()))) ++pos_;
    return ends_command();
  }

  std::string_view text_;
  std::size_t pos_ = 0;
  int open_ = 0;
  int substitutions_ = 0;
};

// Calls `each` for every name in the text, wherever it stands: inside of strings too, since a slash may be a division
// to one reading and a pattern to the other.
template <class Each>
bool every_name(std::string_view text, Each each) {
  for (std::size_t i = 0; i < text.size();) {
    if (!is_name(text[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && is_name(text[i])) ++i;
    if (!each(text.substr(begin, i - begin))) return false;
  }
  return true;
}

std::string_view name_at(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_name(text[end])) ++end;
  return text.substr(0, end);
}

// Whether each > of an awk program compares. It does in parentheses, unless they hold a statement, as those of a for
// do; what is a string has to be certain for that, and a slash can begin a pattern, with quotes in it.
bool only_compares(std::string_view program) {
  if (program.find_first_of("/#") != std::string_view::npos) return false;
  int depth = 0;
  bool string = false;
  for (std::size_t i = 0; i < program.size(); ++i) {
    const char c = program[i];
    if (string) {
      if (c == '\n') return false;
      if (c == '\\') ++i;
      string = c != '"';
    } else if (is_name(c)) {
      const std::string_view name = name_at(program.substr(i));
      if (depth > 0 && (name == "print" || name == "printf")) return false;
      i += name.size() - 1;
    } else if (c == '"') {
      string = true;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')') {
      if (--depth < 0) return false;
    } else if (c == '{' || c == '}' || c == ';') {
      if (depth > 0) return false;
    } else if (c == '>') {
      if (depth == 0 || program.substr(i).starts_with(">>")) return false;
    }
  }
  return depth == 0 && !string;
}

// for (NAME in NAME): it ends, and nothing is printed in its head.
bool goes_through_an_array(std::string_view behind_for) {
  const auto skip = [&] { behind_for.remove_prefix(std::min(behind_for.find_first_not_of(" \t"), behind_for.size())); };
  const auto takes = [&](std::string_view what) {
    skip();
    if (what.empty() || !behind_for.starts_with(what)) return false;
    behind_for.remove_prefix(what.size());
    return true;
  };
  const auto takes_name = [&] { return skip(), takes(name_at(behind_for)); };
  return takes("(") && takes_name() && takes("in") && takes_name() && takes(")");
}

}  // namespace

bool harmless_sed(std::string_view script) { return SedScript(script).harmless(); }

bool harmless_awk(std::string_view program) {
  static constexpr std::string_view kNever[] = {
      "system",  "getline",  "close",    "fflush", "while",    "do",    "function", "func",      "ARGV",
      "ARGC",    "ENVIRON",  "PROCINFO", "SYMTAB", "FUNCTAB",  "load",  "include",  "namespace", "BEGINFILE",
      "ENDFILE", "nextfile", "delete",   "eval",   "strftime", "srand", "adump",    "extension"};
  const std::size_t first_action = std::min(program.find('{'), program.size());
  for (std::size_t i = 0; i < program.size(); ++i) {
    const char c = program[i];
    // A single bar is a pipe.
    if (c == '|') {
      if (i + 1 >= program.size() || program[i + 1] != '|') return false;
      if (i + 2 < program.size() && program[i + 2] == '|') return false;
      ++i;
    } else if (c == '@' || c == '`' || c == '\\') {
      if (c != '\\' || i + 1 >= program.size() || !std::string_view("tn\"/.$").contains(program[i + 1])) return false;
    }
  }
  // > writes a file, except in a pattern, which nothing prints in.
  if (program.rfind('>') != program.npos && program.rfind('>') > first_action && !only_compares(program)) return false;
  return every_name(program, [&](std::string_view name) {
    const std::size_t behind = static_cast<std::size_t>(name.data() - program.data()) + name.size();
    return name == "for" ? goes_through_an_array(program.substr(behind)) : !among(kNever, name);
  });
}

bool harmless_jq(std::string_view filter) {
  static constexpr std::string_view kNever[] = {
      "env",      "ENV",     "import",      "include",    "input_filename",  "input",   "inputs",     "debug",
      "stderr",   "while",   "until",       "repeat",     "range",           "recurse", "def",        "limit",
      "reduce",   "foreach", "halt",        "halt_error", "get_search_list", "getpath", "modulemeta", "label",
      "infinite", "__loc__", "__prog_args", "splits",     "combinations"};
  // Right behind a dot it is the name of a member, unless the dot ends a number.
  const auto is_member = [&](std::string_view name) {
    const auto at = static_cast<std::size_t>(name.data() - filter.data());
    return at > 0 && filter[at - 1] == '.' && (at == 1 || !is_digit(filter[at - 2]));
  };
  return !filter.contains("..") &&
         every_name(filter, [&](std::string_view name) { return is_member(name) || !among(kNever, name); });
}

namespace {

// The script is the first operand, unless options gave it.
std::string script(const Use& use, bool (*harmless)(std::string_view), std::string_view complaint) {
  bool given = false;
  for (const Given::Option& option : use.given.options)
    if (option.name == "e" || option.name == "expression") {
      given = true;
      if (!harmless(option.value)) return std::string(complaint);
    }
  if (given) return {};
  if (use.given.operands.empty()) return "there is no script";
  const Word& word = *use.given.operands[0];
  return word.literal() && harmless(word.text) ? std::string() : std::string(complaint);
}

}  // namespace

std::string sed(const Use& use) {
  return script(use, harmless_sed, "the script of sed does more than print, delete and replace");
}

std::string awk(const Use& use) {
  const Word& word = *use.given.operands[0];
  if (word.literal() && harmless_awk(word.text)) return {};
  return "the program of awk may write, run commands or go on without an end";
}

std::string jq(const Use& use) {
  const Word& word = *use.given.operands[0];
  if (use.given.guarded_from < use.given.operands.size()) return "shells differ in how jq reads --";
  if (word.literal() && harmless_jq(word.text)) return {};
  return "the filter of jq may read the environment or go on without an end";
}

}  // namespace BELAY_NAMESPACE::policy::rules
