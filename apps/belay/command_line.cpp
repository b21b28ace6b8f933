#include "command_line.h"

#include "names.h"
#include "terminal.h"

#include <algorithm>

namespace belay::cli {
namespace {

std::unexpected<std::string> no_option(std::string_view name, std::span<const Option> options) {
  std::vector<std::string_view> names{"--help"};
  for (const Option& option : options) names.push_back(option.name);
  std::string message = "no option '" + clipped(name, 60) + "'";
  if (const auto near = nearest(name, names)) message += "; did you mean " + std::string(*near) + "?";
  return std::unexpected(message);
}

}  // namespace

bool CommandLine::has(std::string_view name) const {
  return std::ranges::any_of(options, [&](const auto& option) { return option.first == name; });
}

std::optional<std::string> CommandLine::value(std::string_view name) const {
  std::optional<std::string> out;
  for (const auto& [option, text] : options)
    if (option == name) out = text;
  return out;
}

std::vector<std::string> CommandLine::values(std::string_view name) const {
  std::vector<std::string> out;
  for (const auto& [option, text] : options)
    if (option == name) out.push_back(text);
  return out;
}

std::expected<CommandLine, std::string> read_command_line(std::span<const std::string> arguments,
                                                          std::span<const Option> options, BeginsCommand begins) {
  CommandLine out;
  const auto take_from = [&](std::size_t i) {
    out.words.insert(out.words.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
    return out;
  };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--") return take_from(i + 1);
    if (word == "-" || !word.starts_with('-')) {
      if (begins != nullptr && begins(out.words)) return take_from(i);
      out.words.push_back(word);
      continue;
    }
    if (word == "-h" || word == "--help") {
      out.help = true;
      return out;
    }
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    const std::string_view name = std::string_view(word).substr(0, equals);
    const auto known = std::ranges::find_if(options, [&](const Option& option) {
      return option.name == name || (option.letter != '\0' && name == std::string{'-', option.letter});
    });
    if (known == options.end()) return no_option(name, options);
    if (!known->value) {
      if (equals != std::string::npos) return std::unexpected(std::string(known->name) + " takes no value");
      out.options.emplace_back(known->name, "");
    } else if (equals != std::string::npos) {
      out.options.emplace_back(known->name, word.substr(equals + 1));
    } else {
      if (++i == arguments.size()) return std::unexpected(std::string(known->name) + " needs a value");
      out.options.emplace_back(known->name, arguments[i]);
    }
  }
  return out;
}

}  // namespace belay::cli
