#include "builtin/line_search.h"

#include "builtin/text_lines.h"

#include <algorithm>

namespace BELAY_NAMESPACE::builtin {
namespace {

constexpr std::size_t kPause = 2 << 20;  // bytes between two questions whether to go on

std::string_view without_line_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_inner(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// Steps through lines, knowing where the one before began.
class LineCursor {
 public:
  explicit LineCursor(std::string_view text) : text_(text) {}
  bool next() {
    if (end_ == text_.size()) return false;
    begin_ = end_;
    end_ = std::min(text_.find('\n', begin_), text_.size() - 1) + 1;
    ++number_;
    return true;
  }
  [[nodiscard]] std::string_view line() const { return without_line_end(text_.substr(begin_, end_ - begin_)); }
  [[nodiscard]] std::size_t number() const { return number_; }
  [[nodiscard]] std::size_t begin() const { return begin_; }
  [[nodiscard]] std::size_t end() const { return end_; }

 private:
  std::string_view text_;
  std::size_t begin_ = 0, end_ = 0, number_ = 0;
};

class Report {
 public:
  Report(std::string_view text, const LineSearchOptions& options) : text_(text), options_(options) {}

  void match(const LineCursor& at, regex::Search::Match found) {
    before(at);
    put(at.number(), ':', clipped_around(at.line(), found.from, found.to, options_.line_bytes));
    after_ = options_.context;
  }
  void other(const LineCursor& at) {
    if (after_ == 0) return;
    --after_;
    put(at.number(), '-', clipped_around(at.line(), 0, 0, options_.line_bytes));
  }
  std::string out;

 private:
  // The lines before a match that are not shown yet.
  void before(const LineCursor& at) {
    std::size_t count = std::min(options_.context, at.number() - 1 - last_);
    if (last_ > 0 && at.number() > last_ + count + 1) out += "--\n";
    std::size_t begin = at.begin();
    std::vector<std::string_view> lines;
    for (; count > 0; --count) {
      const std::size_t end = begin;
      begin = begin < 2 ? 0 : text_.rfind('\n', begin - 2) + 1;
      lines.push_back(without_line_end(text_.substr(begin, end - begin)));
    }
    for (std::size_t i = lines.size(); i > 0; --i)
      put(at.number() - i, '-', clipped_around(lines[i - 1], 0, 0, options_.line_bytes));
  }

  void put(std::size_t number, char mark, const std::string& line) {
    out += std::to_string(number) + mark + " " + line + "\n";
    last_ = number;
  }

  std::string_view text_;
  const LineSearchOptions& options_;
  std::size_t last_ = 0, after_ = 0;
};

}  // namespace

std::string clipped_around(std::string_view line, std::size_t from, std::size_t to, std::size_t most) {
  if (line.size() <= most) return std::string(line);
  const std::size_t shown = std::min(to - from, most);
  std::size_t begin = from - std::min(from, (most - shown) / 2);
  std::size_t end = std::min(begin + most, line.size());
  begin = end - std::min(end, most);
  while (begin < end && is_inner(line[begin])) ++begin;
  while (end > begin && end < line.size() && is_inner(line[end])) --end;
  return (begin > 0 ? "..." : "") + std::string(line.substr(begin, end - begin)) + (end < line.size() ? "..." : "");
}

LineSearchResult search_lines(std::string_view text, const regex::Search& search, const LineSearchOptions& options,
                              const std::function<bool()>& go_on) {
  LineSearchResult result;
  Report report(text, options);
  std::size_t pause = kPause;
  for (LineCursor lines(text); lines.next();) {
    if (lines.begin() >= pause) {
      pause = lines.begin() + kPause;
      if (!go_on()) {
        result.stopped = true;
        break;
      }
    }
    const auto found = search.find(lines.line());
    if (!found) {
      report.other(lines);
    } else if (result.matches == options.matches || report.out.size() > options.bytes) {
      result.full = true;
      break;
    } else {
      report.match(lines, *found);
      ++result.matches;
    }
  }
  result.text = std::move(report.out);
  return result;
}

}  // namespace BELAY_NAMESPACE::builtin
