#include "commands.h"

#include "words.h"

#include <algorithm>

namespace BELAY_NAMESPACE::policy {
namespace {

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// 5, +3, -2, 0x1f, 10k, 1MiB: nothing that a program could take for letters of options.
bool is_number(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  if (text.starts_with("0x")) return text.size() > 2 && std::ranges::all_of(text.substr(2), is_hex);
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view unit = text.substr(digits);
  return digits > 0 && unit.size() <= 3 && unit.find_first_not_of("bkKMGTPEiB") == std::string_view::npos;
}

std::string not_known(const Command& command, std::string_view option) {
  return "the option " + spoken(option) + " of " + std::string(command.name) + " is not one that is known";
}

// Walks over the words; one option may take the word behind it.
class Matcher {
 public:
  Matcher(const Command& command, std::span<const Word> words) : command_(command), words_(words) {}

  std::expected<Given, std::string> run() {
    bool options_end = false;
    for (; next_ < words_.size(); ++next_) {
      const Word& word = words_[next_];
      const std::string_view text = word.text;
      if (command_.raw || options_end || !text.starts_with('-') || text == "-") {
        given_.operands.push_back(&word);
        continue;
      }
      if ((command_.ordered || command_.reads == Options::words) && !given_.operands.empty())
        return std::unexpected("options of " + std::string(command_.name) +
                               " behind its operands are not always options");
      if (word.status) return std::unexpected("an option holds $?, which is not known before it runs");
      if (text == "--") {
        options_end = true;
        given_.guarded_from = given_.operands.size();
        continue;
      }
      const std::string problem = command_.reads == Options::words ? one_word(word)
                                  : text.starts_with("--")         ? long_option(word)
                                                                   : short_options(word);
      if (!problem.empty()) return std::unexpected(problem);
    }
    if (!options_end) given_.guarded_from = given_.operands.size();
    return std::move(given_);
  }

 private:
  // Cuts the first name off a list of names.
  static std::string_view next_name(std::string_view& names) {
    const std::string_view name = names.substr(0, names.find(' '));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    return name;
  }

  // The sign behind a short option with a value, or NUL.
  [[nodiscard]] char sign_of(char letter) const {
    for (std::size_t i = 0; i + 1 < command_.valued.size(); i += 2)
      if (command_.valued[i] == letter) return command_.valued[i + 1];
    return '\0';
  }

  std::string take(std::string_view name, char sign, std::string_view value) {
    if (sign == '#' && !is_number(value))
      return "the value of the option " + spoken(name) + " of " + std::string(command_.name) + " is no number";
    given_.options.push_back({name, value});
    if (sign == '/') given_.paths.push_back(value);
    return {};
  }

  std::string next_value(std::string_view name, char sign, const Word& option) {
    if (next_ + 1 >= words_.size()) return "the option " + spoken(option.text) + " has no value";
    const Word& value = words_[++next_];
    if (value.glob()) return "the pattern behind " + spoken(option.text) + " can expand to several words";
    if (value.status && sign == '/') return "a path holds $?, which is not known before it runs";
    // To some programs it would be an option after all.
    if (command_.reads != Options::getopt && value.text.starts_with('-'))
      return "the option " + spoken(option.text) + " has no value";
    return take(name, sign, value.text);
  }

  std::string short_options(const Word& word) {
    const std::string_view text = word.text;
    if (command_.numbers && all_digits(text.substr(1)) && !word.glob()) return take("5", '=', text.substr(1));
    if (word.glob()) return "an option with a pattern can expand to other options";
    for (std::size_t i = 1; i < text.size(); ++i) {
      const std::string_view name = text.substr(i, 1);
      if (command_.flags.contains(text[i])) {
        given_.options.push_back({name, {}});
        continue;
      }
      const char sign = sign_of(text[i]);
      if (sign == '\0') return not_known(command_, text);
      // What stands behind it would be more options.
      if (command_.reads == Options::letters && text.size() > 2)
        return "the value of the option " + spoken(text) + " of " + std::string(command_.name) + " is the next word";
      if (i + 1 < text.size() || sign == '?') return take(name, sign, text.substr(i + 1));
      return next_value(name, sign, word);
    }
    return {};
  }

  // Of a word that begins with one dash: a letter, a letter and a number, or a name.
  std::string one_word(const Word& word) {
    const std::string_view text = word.text;
    const std::string_view name = text.substr(1, 1);
    const std::string_view rest = text.substr(2);
    if (word.glob()) return "an option with a pattern can expand to other options";
    if (rest.empty() && command_.flags.contains(name[0])) return given_.options.push_back({name, {}}), "";
    if (const char sign = sign_of(name[0]); sign != '\0') {
      if (rest.empty()) return next_value(name, sign, word);
      if (sign == '#' && is_number(rest)) return take(name, sign, rest);
    }
    for (std::string_view names = command_.longs; !names.empty();) {
      const std::string_view known = next_name(names);
      if (known == text.substr(1)) return given_.options.push_back({known, {}}), "";
    }
    return not_known(command_, text);
  }

  std::string long_option(const Word& word) {
    const std::string_view text = word.text;
    const std::size_t equals = text.find('=');
    const std::string_view name = text.substr(2, std::min(equals, text.size()) - 2);
    const bool has_value = equals != std::string_view::npos;
    // Behind `--name=` a pattern finds only files that are called so: the same option again.
    if (word.glob() && (!has_value || word.glob_at <= equals))
      return "an option with a pattern can expand to other options";
    for (std::string_view names = command_.longs; !names.empty();) {
      std::string_view known = next_name(names);
      const char sign = std::string_view("=#/?&").contains(known.back()) ? known.back() : '\0';
      if (sign != '\0') known.remove_suffix(1);
      if (known != name) continue;
      if (has_value && (sign == '\0' || sign == '&')) return not_known(command_, text.substr(0, equals + 1));
      if (has_value) {
        if (sign == '/' && (word.glob() || word.status)) return "an option with a pattern can expand to other options";
        if (command_.reads == Options::letters && equals + 1 == text.size())
          return "the option " + spoken(text) + " has no value";
        return take(known, sign, text.substr(equals + 1));
      }
      if (command_.reads == Options::letters && sign != '\0')
        return "the value of the option " + spoken(text) + " of " + std::string(command_.name) + " belongs behind =";
      if (sign == '&')
        if (std::string problem = next_value(known, '=', word); !problem.empty()) return problem;
      if (sign != '\0' && sign != '?') return next_value(known, sign == '&' ? '=' : sign, word);
      given_.options.push_back({known, {}});
      return {};
    }
    return not_known(command_, text.substr(0, equals));
  }

  const Command& command_;
  std::span<const Word> words_;
  std::size_t next_ = 0;
  Given given_;
};

}  // namespace

bool Given::has(std::string_view name) const {
  return std::ranges::any_of(options, [&](const Option& option) { return option.name == name; });
}

std::expected<Given, std::string> match_options(const Command& command, std::span<const Word> words) {
  return Matcher(command, words).run();
}

std::string spoken(std::string_view name) {
  constexpr std::size_t kLongest = 40;
  std::size_t plain = 0;
  while (plain < name.size() && plain < kLongest && name[plain] > 0x20 && name[plain] < 0x7F) ++plain;
  std::string out(name.substr(0, plain));
  return plain < name.size() ? out + "..." : out;
}

}  // namespace BELAY_NAMESPACE::policy
