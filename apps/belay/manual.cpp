#include "manual.h"

#include <algorithm>
#include <utility>

namespace belay::cli {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// The lines between a heading and the next.
std::vector<std::string_view> section(std::string_view manual, std::string_view heading) {
  std::vector<std::string_view> out;
  bool inside = false;
  for (std::string_view line : lines_of(manual)) {
    if (!line.empty() && line.front() != ' ')
      inside = line == heading;
    else if (inside)
      out.push_back(line);
  }
  return out;
}

std::vector<std::string> split(std::string_view text, std::string_view separators) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t begin = std::min(text.find_first_not_of(separators), text.size());
    text.remove_prefix(begin);
    if (text.empty()) return out;
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

// `-n, --limit N` is one option, `--allow RULE, --deny RULE` are two: a letter belongs to the name behind it.
std::vector<ManualOption> options_of(std::string_view line) {
  std::vector<ManualOption> out;
  bool letter = false;
  for (const std::string& piece : split(line, ",")) {
    std::string_view text = piece;
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (!text.starts_with('-')) continue;
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string_view name = text.substr(0, space), value = text.substr(std::min(space + 1, text.size()));
    if (!letter) out.emplace_back();
    out.back().names.emplace_back(name);
    out.back().value = value;
    letter = !name.starts_with("--") && value.empty();
  }
  return out;
}

// True for the lines in which options are listed; a dash there may also begin a line of prose.
bool lists_options(std::string_view heading) {
  for (std::string_view prose : {"NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "SEE ALSO"})
    if (heading == prose) return false;
  return true;
}

void add_once(std::vector<std::string>& words, std::string_view word) {
  if (!word.empty() && std::ranges::find(words, word) == words.end()) words.emplace_back(word);
}

}  // namespace

std::vector<ManualOption> options_in(std::string_view manual) {
  std::vector<ManualOption> out;
  std::size_t waiting = 0;  // options whose description has not come yet
  bool listed = false;
  for (std::string_view line : lines_of(manual)) {
    if (!line.empty() && line.front() != ' ') {
      listed = lists_options(line);
      waiting = 0;
    } else if (listed && line.starts_with("    -")) {
      for (ManualOption& option : options_of(line.substr(4))) {
        out.push_back(std::move(option));
        ++waiting;
      }
    } else if (waiting > 0 && line.starts_with("        ")) {
      std::string_view what = line.substr(8);
      if (const std::size_t dot = what.find(". "); dot != std::string_view::npos) what = what.substr(0, dot);
      if (what.ends_with('.')) what.remove_suffix(1);
      for (; waiting > 0; --waiting) out[out.size() - waiting].what = what;
    }
  }
  return out;
}

std::string summary_in(std::string_view manual) {
  for (std::string_view line : section(manual, "NAME"))
    if (const std::size_t dash = line.find(" - "); dash != std::string_view::npos)
      return std::string(line.substr(dash + 3));
  return {};
}

ManualWords words_in(std::string_view manual) {
  ManualWords out;
  for (std::string_view line : section(manual, "SYNOPSIS")) {
    const std::vector<std::string> words = split(line, " []");
    const bool begins = words.size() >= 2 && words[0] == "belay";
    // `belay NAME` stands before; a line that goes on has an option or a place first.
    for (std::size_t i = begins ? 2 : 0; i < words.size(); ++i) {
      std::string_view word = words[i];
      while (word.ends_with('.')) word.remove_suffix(1);
      const bool names_value = i > 0 && words[i - 1].starts_with('-') && words[i - 1] != "--" &&
                               line.find(words[i - 1] + " " + words[i]) != line.npos;
      if (word.starts_with('-') || word == "|" || word == "OPTIONS" || names_value) continue;
      const bool lower = std::ranges::none_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
      if (lower && begins && i == 2)
        for (const std::string& verb : split(word, "|")) add_once(out.verbs, verb);
      else if (!lower)
        add_once(out.places, word);
    }
  }
  return out;
}

}  // namespace belay::cli
