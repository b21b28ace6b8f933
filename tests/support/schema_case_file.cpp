#include "schema_case_file.h"

#include "independent.h"
#include "schema_oracles.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace belay::check {
namespace {

using Path = std::filesystem::path;

[[noreturn]] void refuse(std::string_view name, std::string_view what) {
  throw std::runtime_error(std::string(name) + ": " + std::string(what));
}

const Tree& need(const Tree& tree, std::string_view key, std::string_view name) {
  const Tree* found = tree.find(key);
  if (found == nullptr) refuse(name, std::string(key) + " is missing");
  return *found;
}

/// A list of texts, as many as `least` to `most`.
const std::vector<Tree>& texts(const Tree& list, std::size_t least, std::size_t most, std::string_view name) {
  if (list.kind != Tree::Kind::array || list.items.size() < least || list.items.size() > most)
    refuse(name, "a list of the wrong length: " + to_text(list));
  for (const Tree& item : list.items)
    if (item.kind != Tree::Kind::string) refuse(name, "not a text: " + to_text(item));
  return list.items;
}

std::vector<Tree> cases_of(const Path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const Independent parsed = parse_independently(text);
  if (parsed.opinion != Opinion::accepted || parsed.repeats) refuse(file.string(), "not JSON, or with repeated keys");
  need(parsed.tree, "about", file.string());
  return need(parsed.tree, "cases", file.string()).items;
}

SchemaCase read_common(const Tree& tree, std::initializer_list<std::string_view> more) {
  SchemaCase out;
  out.name = need(tree, "name", "a case").text;
  out.why = need(tree, "why", out.name).text;
  out.schema = need(tree, "schema", out.name);
  out.value = need(tree, "value", out.name);
  for (const std::string& key : tree.keys) {
    constexpr std::string_view known[] = {"name", "why", "schema", "value", "draft", "formats", "limits"};
    if (std::find(std::begin(known), std::end(known), key) == std::end(known) &&
        std::find(more.begin(), more.end(), key) == more.end())
      refuse(out.name, "unknown field " + key);
  }
  if (const Tree* draft = tree.find("draft")) {
    if (draft->text != "7" && draft->text != "2020-12") refuse(out.name, "draft is 7 or 2020-12");
    out.options.draft = draft->text == "7" ? schema::Draft::draft7 : schema::Draft::draft2020_12;
  }
  if (const Tree* formats = tree.find("formats")) out.options.formats = formats->kind == Tree::Kind::yes;
  if (const Tree* limits = tree.find("limits"))
    for (std::size_t i = 0; i < limits->keys.size(); ++i)
      if (!out.options.limits.set(limits->keys[i], std::stoull(limits->items[i].text)))
        refuse(out.name, "no limit " + limits->keys[i]);
  return out;
}

AlignAnswer read_answer(const Tree& tree, std::string_view name) {
  AlignAnswer out;
  if (tree.kind == Tree::Kind::string) {
    if (tree.text != "valid" && tree.text != "unchanged") refuse(name, "expect is valid, unchanged or an object");
    out.kind = tree.text == "valid" ? AlignAnswer::Kind::valid : AlignAnswer::Kind::unchanged;
    return out;
  }
  out.kind = AlignAnswer::Kind::aligned;
  out.value = need(tree, "value", name);
  for (const Tree& edit : need(tree, "edits", name).items) {
    const std::vector<Tree>& parts = texts(edit, 3, 4, name);
    // As describe() has it.
    out.edits.push_back(parts[0].text + " " + parts[1].text + " \"" + parts[2].text + "\"" +
                        (parts.size() > 3 ? " (" + parts[3].text + ")" : ""));
  }
  if (out.edits.empty()) refuse(name, "no edits");
  return out;
}

}  // namespace

std::vector<SchemaCase> load_check_cases(const Path& file) {
  std::vector<SchemaCase> out;
  for (const Tree& tree : cases_of(file)) {
    SchemaCase& one = out.emplace_back(read_common(tree, {"violations", "total", "unordered"}));
    for (const Tree& violation : need(tree, "violations", one.name).items) {
      const std::vector<Tree>& parts = texts(violation, 2, 3, one.name);
      one.violations.push_back({parts[0].text, parts[1].text, std::nullopt});
      if (parts.size() > 2) one.violations.back().message = parts[2].text;
    }
    if (const Tree* total = tree.find("total")) one.total = std::stoull(total->text);
    one.unordered = tree.find("unordered") != nullptr;
  }
  return out;
}

std::vector<SchemaCase> load_align_cases(const Path& file) {
  std::vector<SchemaCase> out;
  for (const Tree& tree : cases_of(file)) {
    SchemaCase& one = out.emplace_back(read_common(tree, {"expect", "expect_any"}));
    if (const Tree* any = tree.find("expect_any"))
      for (const Tree& answer : any->items) one.answers.push_back(read_answer(answer, one.name));
    else
      one.answers.push_back(read_answer(need(tree, "expect", one.name), one.name));
  }
  return out;
}

}  // namespace belay::check
