// Keywords that apply schemas: to the values inside this one, and to this one again.
#include "schema/compiler.h"

#include <utility>

namespace BELAY_NAMESPACE::schema {

std::expected<void, CompileError> Compiler::compile_objects(const Found& found) {
  bool any = found.has(Keyword::properties) || found.has(Keyword::pattern_properties) ||
             found.has(Keyword::additional_properties);
  if (any) {
    ObjectRule rule;
    if (Index node = found[Keyword::properties]; node != kNone) {
      if (!value(node).is_object()) return wanted(node, Keyword::properties, "an object of schemas");
      for (json::Member m : value(node).members()) {
        auto schema = schema_at(static_cast<Index>(m.value.index()));
        if (!schema) return std::unexpected(schema.error());
        rule.names.push_back({hash_text(m.key), m.key, *schema});
      }
      std::size_t size = 4;
      while (size < rule.names.size() * 2) size *= 2;
      rule.table.assign(size, kNone);
      for (std::size_t i = 0; i < rule.names.size(); ++i) {
        std::size_t at = rule.names[i].hash & (size - 1);
        while (rule.table[at] != kNone) at = (at + 1) & (size - 1);
        rule.table[at] = static_cast<Index>(i);
      }
    }
    if (Index node = found[Keyword::pattern_properties]; node != kNone) {
      if (!value(node).is_object()) return wanted(node, Keyword::pattern_properties, "an object of schemas");
      for (json::Member m : value(node).members()) {
        auto at = static_cast<Index>(m.value.index());
        auto pattern = pattern_of(m.key, at);
        if (!pattern) return std::unexpected(pattern.error());
        auto schema = schema_at(at);
        if (!schema) return std::unexpected(schema.error());
        rule.patterns.emplace_back(*pattern, *schema);
      }
    }
    Index keyword = found[Keyword::properties];
    if (keyword == kNone) keyword = found[Keyword::pattern_properties];
    if (Index node = found[Keyword::additional_properties]; node != kNone) {
      auto schema = schema_at(node);
      if (!schema) return std::unexpected(schema.error());
      rule.additional = *schema;
      rule.additional_document = document_;
      rule.additional_keyword = node;
      if (keyword == kNone) keyword = node;
    }
    add(OpKind::object, keyword).a = static_cast<Index>(program_.objects.size());
    program_.objects.push_back(std::move(rule));
  }
  if (auto done = compile_schema_op(found, Keyword::property_names, OpKind::property_names); !done) return done;
  return compile_dependents(found);
}

std::expected<void, CompileError> Compiler::compile_dependents(const Found& found) {
  // The older keyword mixes what became two.
  std::vector<DependentRule> required, schemas;
  Index required_keyword = kNone, schemas_keyword = kNone;
  for (Keyword keyword : {Keyword::dependent_required, Keyword::dependent_schemas, Keyword::dependencies}) {
    Index node = found[keyword];
    if (node == kNone) continue;
    if (!value(node).is_object()) return wanted(node, keyword, "an object");
    for (json::Member m : value(node).members()) {
      auto at = static_cast<Index>(m.value.index());
      bool list = keyword == Keyword::dependent_required || (keyword == Keyword::dependencies && m.value.is_array());
      if (list) {
        auto names = names_of(at, keyword);
        if (!names) return std::unexpected(names.error());
        required.push_back({m.key, std::move(*names), kNone});
        required_keyword = node;
      } else {
        auto schema = schema_at(at);
        if (!schema) return std::unexpected(schema.error());
        schemas.push_back({m.key, {}, *schema});
        schemas_keyword = node;
      }
    }
  }
  if (!required.empty()) {
    add(OpKind::dependent_required, required_keyword).a = static_cast<Index>(program_.dependents.size());
    program_.dependents.push_back(std::move(required));
  }
  if (!schemas.empty()) {
    add(OpKind::dependent_schemas, schemas_keyword).a = static_cast<Index>(program_.dependents.size());
    program_.dependents.push_back(std::move(schemas));
  }
  return {};
}

std::expected<void, CompileError> Compiler::compile_arrays(const Found& found) {
  ArrayRule rule;
  Index list = found[Keyword::prefix_items], rest = found[Keyword::items], keyword = kNone;
  if (dialect_.edition != Edition::draft2020_12) {
    // Before 2020-12 `items` may be the list, and `additionalItems` counts only beside one.
    list = kNone;
    if (rest != kNone && value(rest).is_array()) list = std::exchange(rest, found[Keyword::additional_items]);
  } else if (rest != kNone && value(rest).is_array()) {
    return wrong(rest, "items must be a schema; a list of them is prefixItems since draft 2020-12");
  }
  if (list != kNone) {
    if (!value(list).is_array()) return wanted(list, Keyword::prefix_items, "an array of schemas");
    for (json::Value v : value(list).items()) {
      auto schema = schema_at(static_cast<Index>(v.index()));
      if (!schema) return std::unexpected(schema.error());
      rule.prefix.push_back(*schema);
    }
    keyword = list;
  }
  if (rest != kNone) {
    auto schema = schema_at(rest);
    if (!schema) return std::unexpected(schema.error());
    rule.rest = *schema;
    rule.rest_keyword = rest;
    if (keyword == kNone) keyword = rest;
  }
  if (keyword != kNone) {
    add(OpKind::array, keyword).a = static_cast<Index>(program_.arrays.size());
    program_.arrays.push_back(std::move(rule));
  }
  if (Index node = found[Keyword::contains]; node != kNone) {
    auto schema = schema_at(node);
    if (!schema) return std::unexpected(schema.error());
    std::uint64_t least = 1, most = ~std::uint64_t{0};
    if (Index n = found[Keyword::min_contains]; n != kNone) {
      auto count = count_of(n, Keyword::min_contains);
      if (!count) return std::unexpected(count.error());
      least = *count;
    }
    if (Index n = found[Keyword::max_contains]; n != kNone) {
      auto count = count_of(n, Keyword::max_contains);
      if (!count) return std::unexpected(count.error());
      most = *count;
    }
    Op& op = add(OpKind::contains, node);
    op.a = *schema;
    op.n = least;
    op.contains_marks = dialect_.edition == Edition::draft2020_12;
    op.b = static_cast<Index>(program_.wide.size());
    program_.wide.push_back(most);
  }
  return {};
}

std::expected<void, CompileError> Compiler::compile_list(const Found& found, Keyword keyword, OpKind kind) {
  Index node = found[keyword];
  if (node == kNone) return {};
  if (!value(node).is_array() || value(node).size() == 0) return wanted(node, keyword, "a list of one or more schemas");
  std::vector<Index> schemas;
  for (json::Value v : value(node).items()) {
    auto schema = schema_at(static_cast<Index>(v.index()));
    if (!schema) return std::unexpected(schema.error());
    schemas.push_back(*schema);
  }
  Op& op = add(kind, node);
  op.a = static_cast<Index>(program_.lists.size());
  op.b = static_cast<Index>(schemas.size());
  program_.lists.insert(program_.lists.end(), schemas.begin(), schemas.end());
  return {};
}

std::expected<void, CompileError> Compiler::compile_schema_op(const Found& found, Keyword keyword, OpKind kind) {
  Index node = found[keyword];
  if (node == kNone) return {};
  auto schema = schema_at(node);
  if (!schema) return std::unexpected(schema.error());
  add(kind, node).a = *schema;
  return {};
}

std::expected<void, CompileError> Compiler::compile_combinations(const Found& found) {
  constexpr std::pair<Keyword, OpKind> lists[] = {
      {Keyword::all_of, OpKind::all_of}, {Keyword::any_of, OpKind::any_of}, {Keyword::one_of, OpKind::one_of}};
  for (auto [keyword, kind] : lists)
    if (auto done = compile_list(found, keyword, kind); !done) return done;
  if (auto done = compile_schema_op(found, Keyword::negation, OpKind::negation); !done) return done;

  if (found.has(Keyword::condition) && (found.has(Keyword::then) || found.has(Keyword::otherwise))) {
    Index parts[3] = {kNone, kNone, kNone};
    constexpr Keyword keywords[] = {Keyword::condition, Keyword::then, Keyword::otherwise};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!found.has(keywords[i])) continue;
      auto schema = schema_at(found[keywords[i]]);
      if (!schema) return std::unexpected(schema.error());
      parts[i] = *schema;
    }
    Op& op = add(OpKind::condition, found[Keyword::condition]);
    op.a = parts[0];
    op.b = parts[1];
    op.c = parts[2];
  } else if (found.has(Keyword::condition)) {
    // Alone it decides nothing, but what it looks at counts as looked at.
    auto schema = schema_at(found[Keyword::condition]);
    if (!schema) return std::unexpected(schema.error());
    add(OpKind::condition, found[Keyword::condition]).a = *schema;
  }
  if (auto done = compile_schema_op(found, Keyword::unevaluated_items, OpKind::unevaluated_items); !done) return done;
  return compile_schema_op(found, Keyword::unevaluated_properties, OpKind::unevaluated_properties);
}

}  // namespace BELAY_NAMESPACE::schema
