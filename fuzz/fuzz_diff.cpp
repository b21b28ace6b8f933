// Any text and any diff have one outcome. Blocks that were read are read again from what they are written as. What is
// applied is what a second, much slower applier makes of it; what lies outside of the blocks stays byte for byte, and
// what they put there is there.
#include "fuzz.h"

#include "builtin/search_replace.h"

#include <algorithm>
#include <optional>

using namespace belay;
using builtin::SearchReplaceBlock;

namespace {

struct Line {
  std::string text;  // without its end
  std::string end;   // "\n" or nothing
};

std::vector<Line> split(std::string_view text) {
  std::vector<Line> lines(1);
  for (char c : text) {
    if (c != '\n') {
      lines.back().text += c;
      continue;
    }
    lines.back().end = "\n";
    lines.emplace_back();
  }
  if (lines.back().text.empty()) lines.pop_back();
  return lines;
}

std::string trimmed(std::string s) {
  while (!s.empty() && std::string_view(" \t\r\n\v\f").contains(s.back())) s.pop_back();
  return s;
}

bool stands_at(const std::vector<Line>& lines, const std::vector<std::string>& search, std::size_t at, bool exact) {
  if (at + search.size() > lines.size()) return false;
  for (std::size_t i = 0; i < search.size(); ++i) {
    const std::string& have = lines[at + i].text;
    if (exact ? have != search[i] : trimmed(have) != trimmed(search[i])) return false;
  }
  return true;
}

std::vector<std::size_t> places(const std::vector<Line>& lines, const std::vector<std::string>& search, bool exact) {
  std::vector<std::size_t> out;
  for (std::size_t at = 0; at < lines.size(); ++at)
    if (stands_at(lines, search, at, exact)) out.push_back(at);
  return out;
}

struct Found {
  std::size_t at;
  bool exact;
};

std::optional<Found> place_of(const std::vector<Line>& lines, const SearchReplaceBlock& block) {
  const auto far = [&](std::size_t at) {
    return std::abs(static_cast<long>(at) - static_cast<long>(std::min<std::size_t>(*block.start_line, 1 << 30)) + 1);
  };
  std::vector<std::size_t> found = places(lines, block.search, true);
  if (found.size() == 1) return Found{found[0], true};
  if (!found.empty()) {
    if (!block.start_line || *block.start_line > lines.size()) return std::nullopt;
    std::ranges::sort(found, {}, far);
    if (far(found[0]) == far(found[1])) return std::nullopt;
    return Found{found[0], true};
  }
  found = places(lines, block.search, false);
  if (found.size() == 1) return Found{found[0], false};
  for (std::size_t at : found)
    if (block.start_line && at + 1 == *block.start_line) return Found{at, false};
  return std::nullopt;
}

// The text afterwards; nothing when it cannot be done.
std::optional<std::string> slowly(std::string_view text, const std::vector<SearchReplaceBlock>& blocks) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  std::string out;
  if (text.starts_with(mark)) {
    out = mark;
    text.remove_prefix(mark.size());
  }
  const std::vector<Line> lines = split(text);
  std::vector<const SearchReplaceBlock*> owner(lines.size(), nullptr);
  std::vector<std::optional<Found>> found;
  for (const SearchReplaceBlock& block : blocks) {
    found.push_back(place_of(lines, block));
    if (!found.back()) return std::nullopt;
    for (std::size_t i = 0; i < block.search.size(); ++i) {
      if (owner[found.back()->at + i]) return std::nullopt;
      owner[found.back()->at + i] = &block;
    }
  }
  for (std::size_t at = 0; at < lines.size(); ++at) {
    if (!owner[at]) {
      out += lines[at].text + lines[at].end;
      continue;
    }
    const auto index = static_cast<std::size_t>(owner[at] - blocks.data());
    if (found[index]->at != at) continue;
    const Line& last = lines[at + owner[at]->search.size() - 1];
    // A line gets the end of the one that it replaces, or of the last that has one.
    std::vector<bool> dos;
    for (std::size_t i = 0; i < owner[at]->search.size(); ++i)
      if (const Line& line = lines[at + i]; i == 0 || !line.end.empty())
        dos.push_back(line.text.ends_with('\r') && line.end == "\n");
    for (std::size_t i = 0; i < owner[at]->replace.size(); ++i) {
      std::string line = owner[at]->replace[i];
      const bool open = i + 1 == owner[at]->replace.size() && last.end.empty();
      if (!found[index]->exact) {
        if (line.ends_with('\r')) line.pop_back();
        if (dos[std::min(i, dos.size() - 1)] && !open) line += '\r';
      }
      out += line + (open ? "" : "\n");
    }
  }
  return out;
}

// A block as text again.
std::string written(const SearchReplaceBlock& block) {
  const auto escaped = [](const std::string& line) {
    const std::size_t slashes = std::min(line.find_first_not_of('\\'), line.size());
    for (std::string_view marker : {"<<<<<<<", "=======", ">>>>>>>", ":start_line:", ":end_line:", "-------"})
      if (std::string_view(line).substr(slashes).starts_with(marker)) return "\\" + line + "\n";
    return line + "\n";
  };
  std::string out = "<<<<<<< SEARCH\n";
  if (block.start_line) out += ":start_line:" + std::to_string(*block.start_line) + "\n";
  for (const std::string& line : block.search) out += escaped(line);
  out += "=======\n";
  for (const std::string& line : block.replace) out += escaped(line);
  return out + ">>>>>>> REPLACE\n";
}

std::string joined(const std::vector<Line>& lines, std::size_t from, std::size_t to) {
  std::string out;
  for (std::size_t i = from; i < to; ++i) out += lines[i].text + lines[i].end;
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  const std::size_t cut = input.find('\x1e');
  const std::string_view text = input.substr(0, cut);
  const std::string_view diff = cut == std::string_view::npos ? input : input.substr(cut + 1);

  const auto blocks = builtin::read_blocks(diff);
  if (!blocks) {
    fuzz::require(!blocks.error().empty() && blocks.error().size() < 400, "no reason, or a long one", input);
    return 0;
  }
  std::string again;
  for (const SearchReplaceBlock& block : *blocks) again += written(block);
  auto reread = builtin::read_blocks(again);
  fuzz::require(reread.has_value(), "what was written is not read", input);
  for (std::size_t i = 0; i < blocks->size(); ++i) {
    (*reread)[i].line = (*blocks)[i].line;
    fuzz::require((*reread)[i] == (*blocks)[i], "another block is read from what was written", input);
  }

  const auto applied = builtin::apply_blocks(text, *blocks);
  const std::optional<std::string> expected = slowly(text, *blocks);
  fuzz::require(applied.has_value() == expected.has_value(), "only one of the two appliers could do it", input);
  if (!applied) {
    fuzz::require(!applied.error().empty() && applied.error().size() < 20'000, "no reason, or a long one", input);
    return 0;
  }
  fuzz::require(applied->text == *expected, "the two appliers do not agree", input);

  std::string_view body = text;
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
  const std::vector<Line> lines = split(body);
  std::size_t first = lines.size(), last = 0;
  for (const builtin::Placed& place : applied->places) {
    first = std::min(first, place.line - 1);
    last = std::max(last, place.line - 1 + place.lines);
  }
  fuzz::require(
      applied->text.starts_with(std::string(text.substr(0, text.size() - body.size())) + joined(lines, 0, first)),
      "what stands before the blocks changed", input);
  fuzz::require(applied->text.ends_with(joined(lines, last, lines.size())), "what stands behind the blocks changed",
                input);
  for (const SearchReplaceBlock& block : *blocks)
    for (const std::string& line : block.replace)
      fuzz::require(applied->text.find(trimmed(line)) != std::string::npos, "what is to be put there is not", input);
  return 0;
}
