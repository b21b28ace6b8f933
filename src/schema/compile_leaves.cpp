// Keywords that are decided by looking at the value itself.
#include "schema/compiler.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::schema {

std::unexpected<CompileError> Compiler::wanted(Index node, Keyword keyword, std::string_view what) const {
  return wrong(node, std::string(name(keyword)) + " must be " + std::string(what));
}

std::expected<void, CompileError> Compiler::compile_leaves(const Found& found) {
  if (Index node = found[Keyword::type]; node != kNone)
    if (auto done = compile_type(node); !done) return done;
  if (Index node = found[Keyword::constant]; node != kNone) {
    add(OpKind::constant, node).a = static_cast<Index>(program_.enums.size());
    program_.enums.push_back({{value(node)}, {}});
  }
  if (Index node = found[Keyword::enumeration]; node != kNone)
    if (auto done = compile_enum(node); !done) return done;
  if (auto done = compile_numbers(found); !done) return done;

  constexpr std::pair<Keyword, OpKind> counts[] = {
      {Keyword::min_length, OpKind::min_length},         {Keyword::max_length, OpKind::max_length},
      {Keyword::min_items, OpKind::min_items},           {Keyword::max_items, OpKind::max_items},
      {Keyword::min_properties, OpKind::min_properties}, {Keyword::max_properties, OpKind::max_properties},
  };
  for (auto [keyword, kind] : counts)
    if (auto done = compile_count(found, keyword, kind); !done) return done;

  if (Index node = found[Keyword::pattern]; node != kNone) {
    if (!value(node).is_string()) return wanted(node, Keyword::pattern, "a string");
    auto pattern = pattern_of(value(node).as_string(), node);
    if (!pattern) return std::unexpected(pattern.error());
    add(OpKind::pattern, node).a = *pattern;
  }
  if (Index node = found[Keyword::format]; node != kNone)
    if (auto done = compile_format(node); !done) return done;
  if (Index node = found[Keyword::unique_items]; node != kNone) {
    if (!value(node).is_bool()) return wanted(node, Keyword::unique_items, "a boolean");
    if (value(node).as_bool()) add(OpKind::unique_items, node);
  }
  if (Index node = found[Keyword::required]; node != kNone) {
    auto names = names_of(node, Keyword::required);
    if (!names) return std::unexpected(names.error());
    if (!names->empty()) {
      add(OpKind::required, node).a = static_cast<Index>(program_.name_lists.size());
      program_.name_lists.push_back(std::move(*names));
    }
  }
  return {};
}

std::expected<void, CompileError> Compiler::compile_type(Index node) {
  auto bit = [](std::string_view type) -> std::uint8_t {
    constexpr std::pair<std::string_view, std::uint8_t> types[] = {
        {"null", kNull},     {"boolean", kBoolean}, {"integer", kInteger}, {"number", kInteger | kNumber},
        {"string", kString}, {"array", kArray},     {"object", kObject},
    };
    for (auto [text, bits] : types)
      if (type == text) return bits;
    return 0;
  };
  constexpr std::string_view what = "null, boolean, integer, number, string, array or object, or a list of these";
  json::Value v = value(node);
  std::uint8_t mask = v.is_string() ? bit(v.as_string()) : std::uint8_t{0};
  for (json::Value item : v.items()) {
    std::uint8_t one = item.is_string() ? bit(item.as_string()) : std::uint8_t{0};
    if (one == 0) return wanted(static_cast<Index>(item.index()), Keyword::type, what);
    mask = static_cast<std::uint8_t>(mask | one);
  }
  if (mask == 0 && !(v.is_array() && v.size() == 0)) return wanted(node, Keyword::type, what);
  add(OpKind::type, node).n = mask;
  return {};
}

std::expected<void, CompileError> Compiler::compile_enum(Index node) {
  json::Value list = value(node);
  if (!list.is_array()) return wanted(node, Keyword::enumeration, "an array");
  EnumRule rule;
  for (json::Value v : list.items()) rule.values.push_back(v);
  constexpr std::size_t kFew = 8;
  if (rule.values.size() > kFew) {
    for (std::size_t i = 0; i < rule.values.size(); ++i)
      rule.by_hash.emplace_back(hash_value(rule.values[i]), static_cast<Index>(i));
    std::sort(rule.by_hash.begin(), rule.by_hash.end());
  }
  add(OpKind::enumeration, node).a = static_cast<Index>(program_.enums.size());
  program_.enums.push_back(std::move(rule));
  return {};
}

std::expected<void, CompileError> Compiler::compile_numbers(const Found& found) {
  constexpr std::pair<Keyword, OpKind> bounds[] = {
      {Keyword::minimum, OpKind::minimum},
      {Keyword::maximum, OpKind::maximum},
      {Keyword::exclusive_minimum, OpKind::exclusive_minimum},
      {Keyword::exclusive_maximum, OpKind::exclusive_maximum},
      {Keyword::multiple_of, OpKind::multiple_of},
  };
  for (auto [keyword, kind] : bounds) {
    Index node = found[keyword];
    if (node == kNone) continue;
    json::Value v = value(node);
    if (!v.is_number()) return wanted(node, keyword, "a number");
    Decimal number(v.tape()->text(node));
    if (kind == OpKind::multiple_of && (number.negative() || number.zero()))
      return wanted(node, keyword, "greater than zero");
    if (kind == OpKind::multiple_of && !number.divisor())
      return wanted(node, keyword, "a number whose digits fit in 64 bits; checking would not be exact otherwise");
    add(kind, node).a = static_cast<Index>(program_.numbers.size());
    program_.numbers.push_back(number);
  }
  return {};
}

std::expected<std::uint64_t, CompileError> Compiler::count_of(Index node, Keyword keyword) {
  json::Value v = value(node);
  if (v.is_number()) {
    Decimal number(v.tape()->text(node));
    if (number.integer() && !number.negative()) {
      // Beyond 64 bits it is more than there can be of anything.
      return v.as_uint64().value_or(~std::uint64_t{0});
    }
  }
  return wanted(node, keyword, "a whole number, zero or more");
}

std::expected<void, CompileError> Compiler::compile_count(const Found& found, Keyword keyword, OpKind kind) {
  Index node = found[keyword];
  if (node == kNone) return {};
  auto n = count_of(node, keyword);
  if (!n) return std::unexpected(n.error());
  add(kind, node).n = *n;
  return {};
}

std::expected<void, CompileError> Compiler::compile_format(Index node) {
  if (!value(node).is_string()) return wanted(node, Keyword::format, "a string");
  if (!options_.formats && (dialect_.vocabularies & kFormatAssertion) == 0) return {};
  auto format = format_named(value(node).as_string());
  if (!format) return {};
  Op& op = add(OpKind::format, node);
  op.n = static_cast<std::uint64_t>(*format);
  if (*format != Format::regex) return {};
  // Whoever compiles patterns knows what one is.
  std::unique_ptr<const Pattern> patterns = options_.regexes ? options_.regexes->patterns() : nullptr;
  if (!patterns) {
    program_.ops.pop_back();
    return {};
  }
  op.a = static_cast<Index>(program_.patterns.size());
  program_.patterns.push_back(std::move(patterns));
  program_.pattern_texts.push_back("a pattern");
  return {};
}

std::expected<Index, CompileError> Compiler::pattern_of(std::string_view text, Index node) {
  if (auto it = patterns_.find(text); it != patterns_.end()) return it->second;
  if (!options_.regexes) return wrong(node, "the schema has a pattern, and nothing that compiles patterns was given");
  auto pattern = options_.regexes->compile(text);
  if (!pattern)
    return wrong(node, "the pattern " + std::string(text.substr(0, 200)) + " is refused: " + pattern.error());
  auto index = static_cast<Index>(program_.patterns.size());
  program_.patterns.push_back(std::move(*pattern));
  program_.pattern_texts.push_back(text);
  patterns_.emplace(text, index);
  return index;
}

std::expected<std::vector<std::string_view>, CompileError> Compiler::names_of(Index node, Keyword keyword) {
  json::Value list = value(node);
  std::vector<std::string_view> names;
  if (!list.is_array()) return wanted(node, keyword, "a list of names");
  for (json::Value v : list.items()) {
    if (!v.is_string()) return wanted(static_cast<Index>(v.index()), keyword, "a list of names");
    names.push_back(v.as_string());
  }
  return names;
}

}  // namespace BELAY_NAMESPACE::schema
