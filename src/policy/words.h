// Small questions about words of commands, which many rules ask.
#pragma once

#include <belay/version.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace BELAY_NAMESPACE::policy {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// At least one digit, and nothing else.
inline bool all_digits(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

template <std::size_t N>
bool among(const std::string_view (&words)[N], std::string_view word) {
  return std::ranges::find(words, word) != std::end(words);
}

/// NAME=value, NAME+=value and NAME[...: what a shell takes for an assignment when it stands before a command.
inline bool is_assignment(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_')) ++i;
  return i > 0 && i < text.size() && (text[i] == '=' || text[i] == '[' || text.substr(i).starts_with("+="));
}

/// `npm test` for npm test and npm test --watch, not for npm testing.
inline bool begins_with_words(std::string_view text, std::string_view words) {
  return text == words || (text.starts_with(words) && text[words.size()] == ' ');
}

}  // namespace BELAY_NAMESPACE::policy
