#include "builtin/unified_diff.h"

#include "builtin/line_diff.h"
#include "builtin/text_lines.h"

#include <algorithm>
#include <unordered_map>

namespace BELAY_NAMESPACE::builtin {
namespace {

constexpr std::string_view kCarriageReturn = "\xE2\x90\x8D";

struct Text {
  std::vector<std::string_view> lines;
  std::vector<std::uint32_t> numbers;
};

class Printer {
 public:
  Printer(const Text& before, const Text& after, const UnifiedDiffOptions& options)
      : before_(before), after_(after), options_(options) {}

  void print(const std::vector<Change>& changes) {
    for (std::size_t i = 0; i < changes.size();) {
      std::size_t end = i + 1;
      while (end < changes.size() && changes[end].old_from - changes[end - 1].old_to <= 2 * options_.context) ++end;
      if (out.size() > options_.bytes) {
        out += "[" + counted(changes.size() - i, "more place") + " with changes not shown]\n";
        return;
      }
      hunk({changes.begin() + static_cast<std::ptrdiff_t>(i), changes.begin() + static_cast<std::ptrdiff_t>(end)});
      i = end;
    }
  }

  std::string out;
  bool carriage_returns = false;

 private:
  void hunk(const std::vector<Change>& changes) {
    const Change &first = changes.front(), &last = changes.back();
    const std::size_t lead = std::min({options_.context, first.old_from, first.new_from});
    const std::size_t trail = std::min(options_.context, before_.lines.size() - last.old_to);
    out += "@@ -" + range(first.old_from - lead, last.old_to + trail) + " +" +
           range(first.new_from - lead, last.new_to + trail) + " @@\n";
    std::size_t at = first.old_from - lead;
    for (const Change& c : changes) {
      lines(' ', before_, at, c.old_from);
      lines('-', before_, c.old_from, c.old_to);
      lines('+', after_, c.new_from, c.new_to);
      at = c.old_to;
    }
    lines(' ', before_, at, last.old_to + trail);
  }

  static std::string range(std::size_t from, std::size_t to) {
    const std::size_t count = to - from;
    return std::to_string(count == 0 ? from : from + 1) + (count == 1 ? "" : "," + std::to_string(count));
  }

  void lines(char mark, const Text& text, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      if (out.size() > options_.bytes) {
        out += "[" + counted(to - i, "more line") + " with " + mark + " not shown]\n";
        return;
      }
      std::string_view line = text.lines[i];
      const bool ended = line.ends_with('\n');
      if (ended) line.remove_suffix(1);
      const bool carriage = line.ends_with('\r');
      if (carriage) line.remove_suffix(1);
      (out += mark) += clipped(line, options_.line_bytes);
      if (carriage) out += kCarriageReturn;
      carriage_returns = carriage_returns || carriage;
      out += ended ? "\n" : "\n\\ No newline at end of file\n";
    }
  }

  const Text &before_, &after_;
  const UnifiedDiffOptions& options_;
};

}  // namespace

std::string unified_diff(std::string_view path, std::string_view before, std::string_view after,
                         const UnifiedDiffOptions& options) {
  if (before == after) return {};
  std::unordered_map<std::string_view, std::uint32_t> known;
  const auto numbered = [&](std::string_view text) {
    Text out{lines_of(text), {}};
    out.numbers.reserve(out.lines.size());
    for (std::string_view line : out.lines)
      out.numbers.push_back(known.try_emplace(line, static_cast<std::uint32_t>(known.size())).first->second);
    return out;
  };
  const Text a = numbered(before), b = numbered(after);
  Printer printer(a, b, options);
  printer.print(diff_lines(a.numbers, b.numbers));
  std::string out = "--- a/" + std::string(path) + "\n+++ b/" + std::string(path) + "\n" + printer.out;
  if (printer.carriage_returns)
    (out += "[") += std::string(kCarriageReturn) + " is a carriage return before the line end]\n";
  return out;
}

}  // namespace BELAY_NAMESPACE::builtin
