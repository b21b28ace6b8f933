#include "stats.h"

#include <belay/json/writer.h>

#include "command_line.h"
#include "json_string.h"
#include "kept_tasks.h"
#include "table.h"
#include "tally.h"
#include "terminal.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace belay::cli {
namespace {

constexpr std::int64_t kHour = 3'600'000;
constexpr std::int64_t kDays = 30;      // shown one by one
constexpr std::size_t kTableRows = 15;  // of kinds, models and tools
constexpr std::size_t kBar = 40;

std::string as_json(const Counts& counts) {
  std::string out = R"("total":)" + std::to_string(counts.total());
  for (std::size_t i = 0; i < kBecame.size(); ++i)
    out += "," + json_string(kBecame[i]) + ":" + std::to_string(counts.became[i]);
  return out;
}

std::string as_json(std::string_view name, const std::map<std::string, Counts>& rows) {
  std::string out;
  for (const auto& [key, counts] : ranked(rows))
    out += (out.empty() ? "" : ",") + ("{" + json_string(name)) + ":" + json_string(key) + "," + as_json(counts) + "}";
  return "[" + out + "]";
}

std::string as_json(const Tally& t, std::optional<std::int64_t> since) {
  std::string days;
  for (const auto& [day, counts] : t.days)
    days += (days.empty() ? "" : ",") + (R"({"day":")" + day_name(day)) + "\"," + as_json(counts) + "}";
  return R"({"since":)" + (since ? std::to_string(*since) : "null") + R"(,"damaged":{)" + as_json(t.all) +
         R"(},"kinds":)" + as_json("kind", t.kinds) + R"(,"models":)" + as_json("model", t.models) + R"(,"tools":)" +
         as_json("tool", t.tools) + R"(,"days":[)" + days + "]}\n";
}

bool utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string low(value);
    for (char& c : low)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return low.find("utf-8") != low.npos || low.find("utf8") != low.npos;
  }
  return false;
}

// As long as `part` is of `whole`; what is not nothing can be seen.
std::string bar(std::uint64_t part, std::uint64_t whole, bool blocks, std::size_t width) {
  if (part == 0 || whole == 0) return "";
  constexpr std::array<std::string_view, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<std::size_t>(
      std::lround(static_cast<double>(part) / static_cast<double>(whole) * static_cast<double>(width) * 8));
  std::string out;
  if (!blocks) return std::string(std::max<std::size_t>(1, (eighths + 4) / 8), '#');
  for (std::size_t i = 0; i < eighths / 8; ++i) out += "█";
  out += kEighths[eighths % 8];
  return out.empty() ? std::string(kEighths[1]) : out;
}

std::string trimmed(std::string line) {
  while (line.ends_with(' ')) line.pop_back();
  return line + "\n";
}

class Report {
 public:
  Report(const Style& style, bool blocks, std::size_t width) : style_(style), blocks_(blocks), width_(width) {}

  std::string text(const Tally& t, const std::string& since) {
    const std::uint64_t all = t.all.total();
    const std::string when = since.empty() ? "" : " since " + since;
    if (all == 0) return "No call was damaged" + when + ".\n";
    out_ = std::to_string(all) + (all == 1 ? " call was" : " calls were") + " damaged" + when + "; " +
           std::to_string(t.all.recovered() * 100 / all) + "% led to a good call in the end.\n\n";
    constexpr std::array<std::string_view, 5> kWords{"mended", "split", "guessed", "asked again, then right", "lost"};
    for (std::size_t i = 0; i < kWords.size(); ++i)
      out_ += trimmed("  " + padded(kWords[i], 24) + padded_left(std::to_string(t.all.became[i]), 8) + "  " +
                      style_.green(bar(t.all.became[i], all, blocks_, bar_width())));
    table("KIND", t.kinds);
    table("MODEL", t.models);
    table("TOOL", t.tools);
    days(t.days);
    return std::move(out_);
  }

 private:
  void table(std::string_view name, const std::map<std::string, Counts>& rows) {
    constexpr std::array<std::string_view, 5> kHeads{"mended", "split", "guessed", "again", "lost"};
    std::string head = "  " + padded(name, name_width()) + padded_left("total", 8);
    for (std::string_view word : kHeads) head += padded_left(word, 8);
    out_ += "\n" + style_.bold(head) + "\n";
    const auto sorted = ranked(rows);
    for (std::size_t i = 0; i < std::min(sorted.size(), kTableRows); ++i) {
      const auto& [key, counts] = sorted[i];
      out_ += "  " + padded(key.empty() ? "(none)" : key, name_width() - 1) + " " +
              padded_left(std::to_string(counts.total()), 8);
      for (const std::uint64_t n : counts.became) out_ += padded_left(n == 0 ? "-" : std::to_string(n), 8);
      out_ += "\n";
    }
    if (sorted.size() > kTableRows)
      out_ += "  and " + std::to_string(sorted.size() - kTableRows) + " more (--json has them)\n";
  }

  void days(const std::map<std::int64_t, Counts>& rows) {
    const std::int64_t last = rows.rbegin()->first, first = std::max(rows.begin()->first, last - kDays + 1);
    std::uint64_t most = 0;
    for (auto row = rows.lower_bound(first); row != rows.end(); ++row) most = std::max(most, row->second.total());
    out_ += "\n" + style_.bold("  " + padded("DAY", 24) + padded_left("total", 8)) + "\n";
    for (std::int64_t day = first; day <= last; ++day) {
      const auto found = rows.find(day);
      const std::uint64_t n = found == rows.end() ? 0 : found->second.total();
      out_ += trimmed("  " + padded(day_name(day), 24) + padded_left(std::to_string(n), 8) + "  " +
                      style_.green(bar(n, most, blocks_, bar_width())));
    }
    if (rows.begin()->first < first) out_ += "  and earlier days (--json has them)\n";
  }

  // Of the column of names: what the five counts and their sum leave, within reason.
  [[nodiscard]] std::size_t name_width() const {
    constexpr std::size_t kCounts = 2 + 6 * 8, kLeast = 10, kMost = 80;
    return std::clamp(width_ > kCounts ? width_ - kCounts : 0, kLeast, kMost);
  }

  [[nodiscard]] std::size_t bar_width() const {
    constexpr std::size_t kBefore = 2 + 24 + 8 + 2;
    return std::min(kBar, width_ - std::min(kBefore, width_ - 4));
  }

  const Style& style_;
  bool blocks_;
  std::size_t width_;
  std::string out_;
};

Exit fail(Output& err, std::string_view message) {
  err << "belay stats: " << printable(message) << "\n";
  return Exit::failed;
}

}  // namespace

std::optional<std::int64_t> since_from(std::string_view text, std::int64_t now) {
  std::int64_t n = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, code] = std::from_chars(text.data(), end, n);
  if (code == std::errc{} && rest + 1 == end && n > 0 && n <= 100'000) {
    const std::int64_t unit = *rest == 'h' ? kHour : *rest == 'd' ? 24 * kHour : *rest == 'w' ? 7 * 24 * kHour : 0;
    if (unit > 0) return now - n * unit;
  }
  std::tm parts{};
  const std::string whole(text);
  if (text.size() != 10 || ::strptime(whole.c_str(), "%Y-%m-%d", &parts) != whole.c_str() + whole.size())
    return std::nullopt;
  parts.tm_isdst = -1;
  const std::time_t midnight = std::mktime(&parts);
  if (midnight == -1) return std::nullopt;
  return static_cast<std::int64_t>(midnight) * 1000;
}

std::expected<StatsOptions, std::string> parse_stats_options(std::span<const std::string> arguments) {
  constexpr std::array known{Option{"--json"}, Option{"--all", 'a'}, Option{"--since", '\0', true}};
  const auto line = read_command_line(arguments, known);
  if (!line) return std::unexpected(line.error());
  if (!line->words.empty()) return std::unexpected("takes no '" + clipped(line->words.front(), 60) + "'");
  StatsOptions out{line->help, line->has("--json"), line->value("--since").value_or(""), line->has("--all")};
  if (line->has("--since") && !since_from(out.since, now_milliseconds()))
    return std::unexpected("--since is a time as 12h, 7d, 2w or 2026-11-16, not '" + clipped(out.since, 60) + "'");
  return out;
}

Exit stats(const StatsOptions& options, Output& out, Output& err) {
  const auto opened = open_kept_tasks();
  if (!opened) return fail(err, opened.error());
  std::optional<std::int64_t> since;
  if (!options.since.empty()) since = since_from(options.since, now_milliseconds());
  Tally counted;
  if (store::Store* store = opened->get()) {
    auto by_kind = store->outcomes(since.value_or(0));
    if (!by_kind) return fail(err, by_kind.error().message);
    auto by_day = store->outcomes_by_day(since.value_or(0), zone_offset());
    if (!by_day) return fail(err, by_day.error().message);
    if (!options.all) {
      // Damaged on purpose, for a demonstration.
      std::erase_if(*by_kind, [](const store::OutcomeCount& c) { return c.model == kDemo; });
      std::erase_if(*by_day, [](const store::OutcomeDay& d) { return d.model == kDemo; });
    }
    counted = tally(*by_kind, *by_day);
  }
  if (options.json)
    out << as_json(counted, since);
  else
    out << Report(Style::for_terminal(out.is_terminal()), utf8_locale(), columns_of(out))
               .text(counted, since ? local_minute(*since) : std::string());
  out.finish();
  if (out.error() == 0) return Exit::done;
  if (out.error() != EPIPE)
    err << "belay stats: cannot write to standard output: " << std::strerror(out.error()) << "\n";
  return Exit::failed;
}

}  // namespace belay::cli
