#include "braces.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::policy {
namespace {

constexpr std::size_t kMostWords = 64;  // that the braces of a command may stand for

// Letters that mean nothing else to a shell, and patterns.
bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./*?@%+=:,").contains(c);
}

// What stands between the braces, at every comma.
std::vector<std::string_view> parts_of(std::string_view list) {
  std::vector<std::string_view> parts;
  for (std::size_t comma = 0; comma != std::string_view::npos; list.remove_prefix(comma == list.npos ? 0 : comma + 1)) {
    comma = list.find(',');
    parts.push_back(list.substr(0, comma));
  }
  return parts;
}

std::optional<std::vector<std::string>> expand(std::string_view text) {
  std::vector<std::string> all = {""};
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('{'), text.size());
    const std::string_view before = text.substr(0, open);
    if (!std::ranges::all_of(before, is_plain)) return std::nullopt;
    for (std::string& each : all) each += before;
    text.remove_prefix(open);
    if (text.empty()) break;
    const std::size_t close = text.find('}');
    const std::string_view list = text.substr(1, std::min(close, text.size()) - 1);
    if (close == std::string_view::npos || !list.contains(',') || list.contains("..") ||
        !std::ranges::all_of(list, is_plain))
      return std::nullopt;
    std::vector<std::string> longer;
    for (const std::string& each : all)
      for (std::string_view part : parts_of(list)) {
        if (longer.size() == kMostWords) return std::nullopt;
        longer.push_back(each + std::string(part));
      }
    all = std::move(longer);
    text.remove_prefix(close + 1);
  }
  return all;
}

}  // namespace

std::optional<std::vector<Word>> expand_braces(std::span<const Word> words) {
  std::vector<Word> out;
  std::size_t made = 0;
  for (const Word& word : words) {
    if (!word.brace) {
      out.push_back(word);
      continue;
    }
    if (word.quoted || word.status || word.tilde) return std::nullopt;
    auto texts = expand(word.text);
    if (!texts) return std::nullopt;
    made += texts->size();
    if (made > kMostWords) return std::nullopt;
    for (std::string& text : *texts) {
      if (text.empty()) return std::nullopt;
      Word& each = out.emplace_back();
      each.glob_at = text.find_first_of("*?");
      each.text = std::move(text);
    }
  }
  return out;
}

}  // namespace BELAY_NAMESPACE::policy
