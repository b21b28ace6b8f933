#include "case_file.h"

#include "independent.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace belay::check {
namespace {

using Path = std::filesystem::path;

[[noreturn]] void refuse(const Path& file, std::string_view name, std::string_view what) {
  throw std::runtime_error(file.filename().string() + ": " + std::string(name) + ": " + std::string(what));
}

const Tree& need(const Tree& tree, std::string_view key, Tree::Kind kind, const Path& file, std::string_view name) {
  const Tree* found = tree.find(key);
  if (found == nullptr || found->kind != kind) refuse(file, name, std::string(key) + " is missing or of another type");
  return *found;
}

/// A text stands for a list of one.
std::vector<std::string> texts(const Tree& tree) {
  if (tree.kind == Tree::Kind::string) return {tree.text};
  std::vector<std::string> out;
  for (const Tree& item : tree.items) out.push_back(item.text);
  return out;
}

void check_keys(const Tree& tree, std::initializer_list<std::string_view> known, const Path& file,
                std::string_view name) {
  for (const std::string& key : tree.keys)
    if (std::find(known.begin(), known.end(), key) == known.end()) refuse(file, name, "unknown field " + key);
}

void read_expectation(const Tree& expect, Case& out, const Path& file) {
  check_keys(expect, {"verdict", "values", "values_any", "edits"}, file, out.name);
  const Tree* verdict = expect.find("verdict");
  if (verdict == nullptr) refuse(file, out.name, "no verdict");
  out.verdicts = texts(*verdict);
  if (const Tree* values = expect.find("values")) out.values.push_back(values->items);
  if (const Tree* any = expect.find("values_any"))
    for (const Tree& values : any->items) out.values.push_back(values.items);
  if (const Tree* edits = expect.find("edits")) {
    out.edits.emplace();
    for (const Tree& edit : edits->items) {
      if (edit.items.size() != 2) refuse(file, out.name, "an edit is [kind, grade]");
      out.edits->push_back(edit.items[0].text + " " + edit.items[1].text);
    }
    std::sort(out.edits->begin(), out.edits->end());
  }
}

Case read_case(const Tree& tree, const Path& file) {
  Case out;
  out.kind = file.stem().string();
  out.name = need(tree, "name", Tree::Kind::string, file, "a case").text;
  out.why = need(tree, "why", Tree::Kind::string, file, out.name).text;
  check_keys(tree, {"name", "why", "input", "input_b64", "end", "root", "expect"}, file, out.name);
  if (const Tree* input = tree.find("input"))
    out.pieces = texts(*input);
  else
    out.pieces = {decode_base64(need(tree, "input_b64", Tree::Kind::string, file, out.name).text)};
  const std::string& end = need(tree, "end", Tree::Kind::string, file, out.name).text;
  if (end != "complete" && end != "cut") refuse(file, out.name, "end is complete or cut");
  out.ending = end == "cut" ? json::Ending::cut : json::Ending::complete;
  if (const Tree* root = tree.find("root")) out.root = root->text == "object" ? json::Root::object : json::Root::any;
  read_expectation(need(tree, "expect", Tree::Kind::object, file, out.name), out, file);
  return out;
}

}  // namespace

std::string Case::input() const {
  std::string out;
  for (const std::string& piece : pieces) out += piece;
  return out;
}

std::vector<Case> load_cases(const Path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  Independent parsed = parse_independently(text);
  if (parsed.opinion != Opinion::accepted || parsed.repeats)
    refuse(file, "the file", "not JSON, or with repeated keys");
  need(parsed.tree, "about", Tree::Kind::string, file, "the file");
  std::vector<Case> out;
  for (const Tree& tree : need(parsed.tree, "cases", Tree::Kind::array, file, "the file").items)
    out.push_back(read_case(tree, file));
  if (out.empty()) refuse(file, "the file", "no cases");
  return out;
}

std::vector<Case> load_all_cases(const Path& folder) {
  std::vector<Path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Case> out;
  for (const Path& file : files)
    for (Case& one : load_cases(file)) out.push_back(std::move(one));
  return out;
}

std::string decode_base64(std::string_view text) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (char c : text) {
    if (c == '=') break;
    std::size_t digit = kDigits.find(c);
    if (digit == kDigits.npos) throw std::runtime_error("not base64");
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if ((count += 6) >= 8) out += static_cast<char>(bits >> (count -= 8) & 0xff);
  }
  return out;
}

}  // namespace belay::check
