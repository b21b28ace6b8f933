#include <belay/json/locate.h>

#include <algorithm>

namespace BELAY_NAMESPACE::json {
namespace {

// What stands between the tokens that begin nodes. A closing bracket is no node: its container was one when it opened.
constexpr std::string_view kBetween = " \t\r\n,:]}";
constexpr std::string_view kEndsScalar = " \t\r\n,:[]{}\"";

}  // namespace

std::optional<Position> locate(std::string_view text, std::size_t node) { return Locator(text).find(node); }

std::optional<Position> Locator::find(std::size_t node) {
  while (true) {
    at_ = std::min(text_.find_first_not_of(kBetween, at_), text_.size());
    if (at_ == text_.size()) return std::nullopt;
    if (node_ >= node) break;
    skip_token();
    ++node_;
  }
  const std::string_view before = text_.substr(counted_, at_ - counted_);
  if (const std::size_t last = before.rfind('\n'); last != before.npos) {
    line_ += static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    line_start_ = counted_ + last + 1;
  }
  counted_ = at_;
  return Position{at_, line_, at_ - line_start_ + 1};
}

void Locator::skip_token() {
  const char first = text_[at_++];
  if (first == '{' || first == '[') return;  // what is inside are nodes of their own
  if (first != '"') {
    at_ = std::min(text_.find_first_of(kEndsScalar, at_), text_.size());
    return;
  }
  while (at_ < text_.size()) {
    const char c = text_[at_++];
    if (c == '"') return;
    if (c == '\\') ++at_;
  }
  at_ = text_.size();
}

}  // namespace BELAY_NAMESPACE::json
