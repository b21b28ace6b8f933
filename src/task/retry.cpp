#include <belay/task/retry.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace BELAY_NAMESPACE::task {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A number at the front of the text, taken off it. No sign, no exponent.
std::optional<double> take_number(std::string_view& s) {
  double value = 0, unit = 0.1;
  std::size_t i = 0;
  while (i < s.size() && is_digit(s[i])) value = value * 10 + (s[i++] - '0');
  const std::size_t whole = i;
  if (i < s.size() && s[i] == '.') {
    ++i;
    for (; i < s.size() && is_digit(s[i]); unit /= 10) value += unit * (s[i++] - '0');
    if (i == whole + 1) i = whole;  // a point with nothing behind it is no part of the number
  }
  if (i == 0) return std::nullopt;
  s.remove_prefix(i);
  return value;
}

bool take(std::string_view& s, std::string_view word) {
  if (!s.starts_with(word)) return false;
  s.remove_prefix(word.size());
  return true;
}

// 1h2m3.5s, 250ms.
std::optional<double> duration(std::string_view s) {
  double all = 0;
  bool any = false;
  while (!s.empty()) {
    auto n = take_number(s);
    if (!n) return std::nullopt;
    if (take(s, "ms"))
      all += *n / 1000;
    else if (take(s, "h"))
      all += *n * 3600;
    else if (take(s, "m"))
      all += *n * 60;
    else if (take(s, "s"))
      all += *n;
    else
      return std::nullopt;
    any = true;
  }
  return any ? std::optional(all) : std::nullopt;
}

// Days since 1970 of a date of the Gregorian calendar.
std::int64_t days(std::int64_t y, std::int64_t m, std::int64_t d) {
  y -= m <= 2;
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  const std::int64_t yoe = y - era * 400;
  const std::int64_t doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
  return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

// The three spellings of RFC 9110: "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
// "Sun Nov  6 08:49:37 1994". Read by their words, whatever stands between them.
std::optional<std::int64_t> http_date(std::string_view s) {
  constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
  std::array<std::int64_t, 5> numbers{};  // day, year, hours, minutes, seconds; the year may come last
  std::size_t count = 0;
  std::int64_t month = 0;
  while (!s.empty()) {
    if (is_digit(s.front())) {
      if (count == numbers.size()) return std::nullopt;
      std::int64_t n = 0;
      std::size_t digits = 0;
      for (; !s.empty() && is_digit(s.front()) && digits < 5; ++digits, s.remove_prefix(1))
        n = n * 10 + (s.front() - '0');
      if (digits > 4) return std::nullopt;
      numbers[count++] = n;
      continue;
    }
    std::size_t letters = 0;
    while (letters < s.size() && ((s[letters] | 32) >= 'a' && (s[letters] | 32) <= 'z')) ++letters;
    if (letters == 3 && month == 0)
      if (std::size_t at = months.find(s.substr(0, 3)); at != std::string_view::npos && at % 3 == 0)
        month = static_cast<std::int64_t>(at / 3) + 1;
    s.remove_prefix(std::max<std::size_t>(letters, 1));
  }
  if (count != numbers.size() || month == 0) return std::nullopt;
  if (numbers[4] > 60) std::rotate(numbers.begin() + 1, numbers.end() - 1, numbers.end());  // asctime: the year is last
  auto [day, year, hour, minute, second] = numbers;
  if (year < 100) year += year < 70 ? 2000 : 1900;
  if (day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  return (days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second) * 1000;
}

// What fails the same way however long one waits.
bool hopeless(std::string_view kind) {
  constexpr std::string_view kinds[] = {
      "quota",           "spend_limit", "billing",  "authentication", "permission",
      "invalid_request", "not_found",   "too_long", "content_filter", "context_length",
      "too_large",       "tls",         "url",      "limit"};
  return std::ranges::find(kinds, kind) != std::end(kinds);
}

}  // namespace

std::uint64_t random_number(std::uint64_t seed, std::uint64_t n) {
  // SplitMix64: every seed and every n give well mixed bits, with no state to keep.
  std::uint64_t z = seed + (n + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

Retry retry(const RetryLimits& limits, const Trouble& trouble, std::uint64_t attempt, std::uint64_t random) {
  Retry out;
  if (hopeless(trouble.kind)) {
    out.why_not = "an error of this kind does not go away by waiting";
    return out;
  }
  if (trouble.kind == "unreachable") {
    out.why_not = "nothing was ever heard of this server, in " + std::to_string(attempt) + " attempts";
    return out;
  }
  if (!trouble.retryable) {
    out.why_not = "the provider says that it would fail again";
    return out;
  }
  // A page instead of an answer may be a gateway's bad minute, but more often it is the wrong address.
  constexpr std::uint64_t kPages = 3;
  if (trouble.kind == "not_a_stream" && attempt >= kPages) {
    out.why_not = "it was sent " + std::to_string(attempt) + " times; is this the right server and wire?";
    return out;
  }
  if (attempt >= limits.attempts) {
    out.why_not = "it was sent " + std::to_string(attempt) + " times";
    return out;
  }
  // Full jitter: anything up to the bound, so that clients that failed together do not come back together.
  std::int64_t bound = std::max<std::int64_t>(limits.first_delay, 1);
  for (std::uint64_t i = 1; i < attempt && bound < limits.max_delay; ++i) bound *= 2;
  bound = std::min(bound, std::max<std::int64_t>(limits.max_delay, 1));
  out.delay = static_cast<std::int64_t>(random % static_cast<std::uint64_t>(bound + 1));
  if (trouble.retry_after) {
    const double wanted = *trouble.retry_after * 1000;
    if (!(wanted <= static_cast<double>(limits.max_retry_after))) {
      out.why_not = "the provider wants to be left alone for " +
                    std::to_string(static_cast<std::int64_t>(std::min(*trouble.retry_after, 1e12))) +
                    " s, which is longer than a task waits";
      out.delay = 0;
      return out;
    }
    // Not before it asked to, and a little jitter behind it.
    out.delay = static_cast<std::int64_t>(std::ceil(std::max(wanted, 0.0))) + out.delay % 1000;
  }
  out.again = true;
  return out;
}

std::optional<double> retry_after(std::string_view value, std::int64_t now) {
  while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
  while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.remove_suffix(1);
  if (value.empty() || value.size() > 64) return std::nullopt;
  std::string_view rest = value;
  if (auto seconds = take_number(rest); seconds && rest.empty()) return seconds;
  if (auto seconds = duration(value)) return seconds;
  if (auto at = http_date(value)) return std::max(0.0, static_cast<double>(*at - now) / 1000);
  return std::nullopt;
}

}  // namespace BELAY_NAMESPACE::task
