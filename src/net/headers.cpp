#include "net/headers.h"

#include <algorithm>
#include <charconv>

namespace BELAY_NAMESPACE::net {
namespace {

constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// `HTTP/1.1 200 OK`, `HTTP/2 200`; 0 when there is no number.
int status_of(std::string_view line) {
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return 0;
  int status = 0;
  std::from_chars(line.data() + blank + 1, line.data() + line.size(), status);
  return status;
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_token(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").contains(c);
  });
}

bool is_value(std::string_view text) noexcept {
  return std::ranges::none_of(text, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

std::optional<std::string_view> find(const std::vector<Header>& headers, std::string_view name) {
  for (const Header& header : headers)
    if (same_name(header.name, name)) return header.value;
  return std::nullopt;
}

HeadReader::Step HeadReader::line(std::string_view text) {
  bytes_ += text.size();
  if (bytes_ > kAnswerHeadBytes) return Step::too_large;
  if (complete_) return Step::more;
  const std::string_view inside = trimmed(text);
  if (inside.empty()) {
    // 101 would be another protocol from here on, which was not asked for: whoever sends it has answered.
    complete_ = head_.status >= 200 || head_.status == 101;
    return complete_ ? Step::complete : Step::more;
  }
  if (text.starts_with("HTTP/")) {
    head_ = {.status = status_of(inside), .headers = {}};
    return Step::more;
  }
  if ((text.front() == ' ' || text.front() == '\t') && !head_.headers.empty()) {  // an old way to go on with a value
    (head_.headers.back().value += ' ') += inside;
    return Step::more;
  }
  const std::size_t colon = inside.find(':');
  if (colon != std::string_view::npos)
    head_.headers.push_back(
        {std::string(trimmed(inside.substr(0, colon))), std::string(trimmed(inside.substr(colon + 1)))});
  return Step::more;
}

}  // namespace BELAY_NAMESPACE::net
