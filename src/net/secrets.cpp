#include <belay/net/secrets.h>

#include <algorithm>
#include <optional>

namespace BELAY_NAMESPACE::net {
namespace {

// One character, and how many bytes of the text say it.
struct Said {
  char c;
  std::size_t length;
};

std::optional<unsigned> number(std::string_view digits, unsigned base) {
  unsigned out = 0;
  if (digits.empty() || digits.size() > 8) return std::nullopt;
  for (const char c : digits) {
    const char low = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
    const unsigned digit = low >= '0' && low <= '9'   ? static_cast<unsigned>(low - '0')
                           : low >= 'a' && low <= 'f' ? static_cast<unsigned>(low - 'a') + 10
                                                      : base;
    if (digit >= base) return std::nullopt;
    out = out * base + digit;
  }
  return out;
}

std::optional<Said> coded(std::optional<unsigned> code, std::size_t length) {
  if (!code || *code > 0x7f) return std::nullopt;
  return Said{static_cast<char>(*code), length};
}

// The character that begins here in another spelling: %2B, \u002b, \/, &#43; or &#x2b;.
std::optional<Said> spelled(std::string_view text) {
  if (text.front() == '%') return coded(number(text.substr(1, std::min<std::size_t>(2, text.size() - 1)), 16), 3);
  if (text.front() == '\\' && text.size() >= 2) {
    if (text[1] != 'u') return Said{text[1], 2};
    return text.size() < 6 ? std::nullopt : coded(number(text.substr(2, 4), 16), 6);
  }
  if (text.starts_with("&#")) {
    const std::size_t end = text.substr(0, 10).find(';');
    if (end == text.npos) return std::nullopt;
    const bool hex = text[2] == 'x' || text[2] == 'X';
    return coded(number(text.substr(hex ? 3 : 2, end - (hex ? 3 : 2)), hex ? 16 : 10), end + 1);
  }
  return std::nullopt;
}

// How many bytes from here on are the secret, or as much of its beginning as must not be seen; 0: none.
std::size_t secret_at(std::string_view text, std::string_view secret) {
  const std::size_t enough = std::max(Secrets::kShortest, std::min<std::size_t>(16, (secret.size() + 1) / 2));
  std::size_t at = 0, matched = 0;
  for (; matched < secret.size() && at < text.size(); ++matched) {
    if (text[at] == secret[matched]) {
      ++at;
      continue;
    }
    const std::optional<Said> other = spelled(text.substr(at));
    if (!other || other->c != secret[matched]) break;
    at += other->length;
  }
  return matched >= std::min(enough, secret.size()) ? at : 0;
}

}  // namespace

void Secrets::add(std::string_view text) {
  if (text.size() < kShortest) return;
  if (std::find(texts_.begin(), texts_.end(), text) == texts_.end()) texts_.emplace_back(text);
  if (const std::size_t space = text.find(' '); space != text.npos) add(text.substr(space + 1));
  std::stable_sort(texts_.begin(), texts_.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
}

std::string Secrets::without(std::string text) const {
  for (const std::string& secret : texts_) {
    std::string out;
    std::size_t from = 0;
    for (std::size_t at = 0; at < text.size();) {
      const char c = text[at];
      const bool may = c == secret.front() || c == '%' || c == '\\' || c == '&';
      const std::size_t length = may ? secret_at(std::string_view(text).substr(at), secret) : 0;
      if (length == 0) {
        ++at;
        continue;
      }
      out.append(text, from, at - from).append("***");
      from = at += length;
    }
    if (from == 0) continue;
    text = out.append(text, from);
  }
  return text;
}

}  // namespace BELAY_NAMESPACE::net
