#include "schema_oracles.h"

#include "independent.h"
#include "outcome.h"

#include <belay/json.h>

#include <algorithm>

namespace belay::check {
namespace {

constexpr std::string_view kAnyCase = "\x01 in any case: ";
constexpr std::size_t kLongestMessage = 2000;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::vector<std::string> tokens_of(std::string_view pointer) {
  std::vector<std::string> out;
  for (char c : pointer) {
    if (c == '/')
      out.emplace_back();
    else if (!out.empty())
      out.back() += c;
  }
  for (std::string& token : out) {
    for (std::size_t at = 0; (at = token.find("~1", at)) != token.npos; ++at) token.replace(at, 2, "/");
    for (std::size_t at = 0; (at = token.find("~0", at)) != token.npos; ++at) token.replace(at, 2, "~");
  }
  return out;
}

bool is_pointer(std::string_view text) { return text.empty() || text.front() == '/'; }

/// A place in a tree: the item `at` of `parent`, or the whole when there is none.
struct Spot {
  Tree* parent = nullptr;
  std::size_t at = 0;
  Tree* tree = nullptr;
};

Spot spot_at(Tree& root, std::string_view pointer) {
  Spot spot{nullptr, 0, &root};
  for (const std::string& token : tokens_of(pointer)) {
    Tree& parent = *spot.tree;
    std::size_t at = parent.items.size();
    if (parent.kind == Tree::Kind::object)
      at = static_cast<std::size_t>(std::find(parent.keys.begin(), parent.keys.end(), token) - parent.keys.begin());
    else if (parent.kind == Tree::Kind::array && !token.empty() && token.size() < 10 &&
             std::all_of(token.begin(), token.end(), [](char c) { return c >= '0' && c <= '9'; }))
      at = static_cast<std::size_t>(std::stoul(token));
    if (at >= parent.items.size()) return {};
    spot = {&parent, at, &parent.items[at]};
  }
  return spot;
}

/// Makes one edit; a sentence when it cannot be made as it says.
std::string make_edit(Tree& root, const schema::AlignEdit& edit) {
  using schema::AlignKind;
  const Spot spot = spot_at(root, edit.path);
  if (spot.tree == nullptr) return "there is nothing at its path";
  Tree& tree = *spot.tree;
  const bool member = spot.parent != nullptr && spot.parent->kind == Tree::Kind::object;
  const auto drop = [&] {
    spot.parent->keys.erase(spot.parent->keys.begin() + static_cast<std::ptrdiff_t>(spot.at));
    spot.parent->items.erase(spot.parent->items.begin() + static_cast<std::ptrdiff_t>(spot.at));
  };
  switch (edit.kind) {
    case AlignKind::number_from_string: {
      const Independent number = parse_independently(tree.text);
      if (tree.kind != Tree::Kind::string) return "it is not a string";
      if (number.opinion == Opinion::refused) return "the string is not a number";
      if (number.opinion == Opinion::accepted && number.tree.kind != Tree::Kind::number) return "it is no number";
      if (tree.text.find_first_of(" \t\r\n") != tree.text.npos) return "the string is more than a number";
      tree.kind = Tree::Kind::number;
      return {};
    }
    case AlignKind::string_from_number:
      if (tree.kind != Tree::Kind::number) return "it is not a number";
      tree.kind = Tree::Kind::string;
      return {};
    case AlignKind::boolean_from_string: {
      const std::string word = lower(tree.text);
      if (tree.kind != Tree::Kind::string || (word != "true" && word != "false")) return "it is not such a string";
      tree = Tree::boolean(word == "true");
      return {};
    }
    case AlignKind::item_to_list: {
      if (tree.kind == Tree::Kind::array || tree.kind == Tree::Kind::null) return "it is no single item";
      Tree list = Tree::array();
      list.items.push_back(std::move(tree));
      tree = std::move(list);
      return {};
    }
    case AlignKind::json_in_string: {
      if (tree.kind != Tree::Kind::string) return "it is not a string";
      Independent inner = parse_independently(tree.text);
      if (inner.opinion == Opinion::refused || inner.repeats) return "the string is not JSON";
      if (inner.opinion == Opinion::unsure) inner.tree = to_tree(root_of(document_of(tree.text)));
      if (inner.tree.kind != Tree::Kind::array && inner.tree.kind != Tree::Kind::object)
        return "the string holds a scalar";
      tree = std::move(inner.tree);
      return {};
    }
    case AlignKind::enum_case:
      if (tree.kind != Tree::Kind::string) return "it is not a string";
      tree.text = std::string(kAnyCase) + lower(tree.text);
      return {};
    case AlignKind::null_dropped:
      if (!member) return "it is not a member";
      if (tree.kind != Tree::Kind::null) return "it is not null";
      return drop(), std::string();
    case AlignKind::near_key:
      if (!member) return "it is not a member";
      if (edit.note.empty()) return "it does not say which name";
      if (spot.parent->find(edit.note) != nullptr) return "that name is taken";
      spot.parent->keys[spot.at] = edit.note;
      return {};
    case AlignKind::unknown_key_dropped:
      if (!member) return "it is not a member";
      return drop(), std::string();
  }
  return "it is of no known kind";
}

bool guess_by_kind(schema::AlignKind kind) {
  return kind == schema::AlignKind::near_key || kind == schema::AlignKind::unknown_key_dropped;
}

}  // namespace

std::optional<json::Value> value_at(json::Value root, std::string_view pointer) {
  std::optional<json::Value> at = root;
  for (const std::string& token : tokens_of(pointer)) {
    if (at->is_array() && !token.empty() && token.size() < 10 && token.find_first_not_of("0123456789") == token.npos)
      at = at->at(std::stoul(token));
    else
      at = at->find(token);
    if (!at) return std::nullopt;
  }
  return at;
}

std::string compile_fault(json::Value schema, const schema::CompileOptions& options) {
  const auto first = schema::Schema::compile(schema, options);
  const std::string text = json::to_string(schema);
  auto second = first;
  {
    const json::Document copy = document_of(text);
    second = schema::Schema::compile(copy.root(), options);
  }
  if (first.has_value() != second.has_value()) return "compiling again gives another answer";
  if (!first) {
    if (first.error() != second.error()) return "compiling again gives another error: " + second.error().message;
    if (first.error().message.empty()) return "an error without a message";
    if (is_pointer(first.error().where) && !value_at(schema, first.error().where))
      return "an error about " + first.error().where + ", which is not there";
    return {};
  }
  // Its document is gone; a schema is a value like any other.
  if (first->check(schema) != second->check(schema)) return "compiling again gives a schema that says something else";
  return {};
}

std::string check_fault(const schema::Schema& schema, json::Value schema_text, json::Value value,
                        const Limits& limits) {
  const schema::Report report = schema.check(value);
  if (report.valid() != schema.valid(value)) return "check() and valid() disagree";
  if (report != schema.check(value)) return "check() says something else the second time";
  if (report.valid()) return report.violations.empty() ? "" : "valid, yet there are violations";
  if (report.violations.size() != std::min(report.total, limits.violations))
    return std::to_string(report.violations.size()) + " violations listed of " + std::to_string(report.total);
  std::size_t last = 0;
  for (const schema::Violation& v : report.violations) {
    const std::string what = describe(v);
    if (v.keyword.empty() || v.message.empty()) return "a violation that says too little: " + what;
    if (v.message.size() > kLongestMessage) return "a message without bounds: " + what;
    if (json::read(json_string(v.message)).verdict.word() != json::Word::valid) return "not UTF-8: " + what;
    const std::optional<json::Value> at = value_at(value, v.path);
    if (!at) return "a violation of nothing: " + what;
    // A name stands right before its value.
    if (at->index() != v.node && at->index() != v.node + 1) return "path and node do not agree: " + what;
    if (v.node < last) return "violations out of order: " + what;
    last = v.node;
    if (is_pointer(v.schema_path) && !value_at(schema_text, v.schema_path))
      return "a keyword that is not there: " + v.schema_path + ": " + what;
  }
  return {};
}

Tree replayed(Tree tree, const std::vector<schema::AlignEdit>& edits, std::string& fault) {
  for (const schema::AlignEdit& edit : edits)
    if (std::string f = make_edit(tree, edit); !f.empty()) {
      fault = "the edit " + describe(edit) + " cannot be made: " + f;
      break;
    }
  return tree;
}

bool same_but_for_case(const Tree& a, const Tree& b) {
  if (a.kind == Tree::Kind::string && a.text.starts_with(kAnyCase))
    return b.kind == Tree::Kind::string && a.text.substr(kAnyCase.size()) == lower(b.text);
  if (a.kind != b.kind || a.keys != b.keys || a.items.size() != b.items.size()) return false;
  if (a.items.empty()) return a == b;
  return std::equal(a.items.begin(), a.items.end(), b.items.begin(), same_but_for_case);
}

std::string align_fault(const schema::Schema& schema, json::Value value, const Limits& limits) {
  const bool valid = schema.valid(value);
  const schema::Aligned aligned = schema.align(value);
  json::Grade worst = json::Grade::strict;
  for (const schema::AlignEdit& edit : aligned.edits) {
    if (edit.grade == json::Grade::strict) return "an edit that is none: " + describe(edit);
    if (guess_by_kind(edit.kind) && edit.grade != json::Grade::guess) return "not a guess: " + describe(edit);
    worst = std::max(worst, edit.grade);
  }
  if (aligned.grade() != worst) return "the grade is not that of the worst edit";
  if (aligned.edits.empty() != aligned.value.empty()) return "edits without a value, or a value without edits";
  if (aligned.edits.size() > limits.edits) return "more edits than Limits::edits";
  if (valid && !(aligned.valid && aligned.edits.empty())) return "a valid value was touched";
  if (valid) return {};
  if (aligned.valid != !aligned.edits.empty()) return "valid without an edit, or edited without being valid";
  if (!aligned.valid) return {};

  const json::Value result = aligned.value.root();
  std::string what;
  for (const schema::AlignEdit& edit : aligned.edits) what += "\n  " + describe(edit);
  what += "\n  " + json::to_string(value) + " became " + json::to_string(result);
  if (!schema.valid(result)) return "called valid, yet it is not:" + what;
  const schema::Aligned again = schema.align(result);
  if (!again.valid || !again.edits.empty()) return "aligning the result changes it:" + what;
  std::string fault;
  const Tree made = replayed(to_tree(value), aligned.edits, fault);
  if (!fault.empty()) return fault + what;
  if (!same_but_for_case(made, to_tree(result))) return "its edits lead elsewhere, to " + to_text(made) + ":" + what;
  return {};
}

std::string describe(const schema::AlignEdit& edit) {
  return std::string(schema::name(edit.kind)) + " " + std::string(json::name(edit.grade)) + " \"" + edit.path + "\"" +
         (edit.note.empty() ? "" : " (" + edit.note + ")");
}

std::string describe(const schema::Violation& v) {
  return "\"" + v.path + "\" " + v.keyword + ": " + v.message + " [" + v.schema_path + "]";
}

}  // namespace belay::check
