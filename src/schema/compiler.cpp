#include "schema/compiler.h"

#include "schema/places.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::schema {

Compiler::Compiler(Program& program, const CompileOptions& options)
    : program_(program), options_(options), sources_(program, options) {
  program_.limits = options.limits;
}

std::expected<void, CompileError> Compiler::run(json::Value schema) {
  auto root = sources_.add_root(schema);
  if (!root) return std::unexpected(root.error());
  auto first = schema_at(*root);
  if (!first) return std::unexpected(first.error());
  program_.root = *first;
  do {
    while (!todo_.empty()) {
      Index next = todo_.back();
      todo_.pop_back();
      if (auto done = compile_one(next); !done) return done;
    }
    // References that are decided while checking may lead to schemas that nothing else leads to.
    if (auto done = compile_dynamic_anchors(); !done) return done;
  } while (!todo_.empty());
  find_aliases();
  return check_loops();
}

std::expected<Index, CompileError> Compiler::schema_at(Place place) {
  if (schema_at_.size() <= place.document) schema_at_.resize(program_.documents.size());
  std::vector<Index>& known = schema_at_[place.document];
  if (known.empty()) known.resize(program_.documents[place.document]->document.tape().size(), kNone);
  if (known[place.node] != kNone) return known[place.node];
  json::Value v = sources_.value(place);
  if (!v.is_object() && !v.is_bool())
    return std::unexpected(sources_.error(
        place, std::string("a schema must be an object or a boolean, this is ") + (v.is_array()    ? "an array"
                                                                                   : v.is_null()   ? "null"
                                                                                   : v.is_number() ? "a number"
                                                                                                   : "a string")));
  if (program_.schemas.size() >= options_.limits.subschemas)
    return std::unexpected(
        sources_.error(place, "the schema has more than " + std::to_string(options_.limits.subschemas) +
                                  " schemas in it; raise the limit with --limit subschemas=N (Limits::subschemas)"));
  auto index = static_cast<Index>(program_.schemas.size());
  known[place.node] = index;
  Subschema& s = program_.schemas.emplace_back();
  s.place = place;
  s.resource = sources_.resource_of(place);
  todo_.push_back(index);
  return index;
}

std::expected<void, CompileError> Compiler::compile_one(Index schema) {
  const Place place = program_.schemas[schema].place;
  document_ = place.document;
  resource_ = program_.schemas[schema].resource;
  dialect_ = sources_.resource(resource_).dialect;
  auto first = static_cast<Index>(program_.ops.size());
  json::Value v = sources_.value(place);
  if (v.is_bool()) {
    if (!v.as_bool()) add(OpKind::never, place.node);
  } else {
    Found found;
    found.nodes.fill(kNone);
    for (json::Member m : v.members())
      if (auto keyword = keyword_named(m.key, dialect_))
        found.nodes[static_cast<std::size_t>(*keyword)] = static_cast<Index>(m.value.index());
    if (found.has(Keyword::ref) && dialect_.ref_alone()) {
      Index ref = found[Keyword::ref];
      found.nodes.fill(kNone);
      found.nodes[static_cast<std::size_t>(Keyword::ref)] = ref;
    }
    // What decides at once comes first, what looks at the others' marks last.
    using Part = Done (Compiler::*)(const Found&);
    for (Part part : {&Compiler::compile_leaves, &Compiler::compile_references, &Compiler::compile_objects,
                      &Compiler::compile_arrays, &Compiler::compile_combinations})
      if (auto done = (this->*part)(found); !done) return done;
  }
  Subschema& s = program_.schemas[schema];
  s.first = first;
  s.last = static_cast<Index>(program_.ops.size());
  for (Index i = s.first; i < s.last; ++i) {
    OpKind kind = program_.ops[i].kind;
    s.leaf &= is_leaf(kind);
    s.unevaluated |= kind == OpKind::unevaluated_items || kind == OpKind::unevaluated_properties;
  }
  return {};
}

std::expected<Index, CompileError> Compiler::target_of(std::string_view reference, Index node) {
  auto target = sources_.resolve(reference, resource_, {document_, node});
  if (!target) return std::unexpected(target.error());
  return schema_at(target->place);
}

std::expected<void, CompileError> Compiler::compile_references(const Found& found) {
  for (Keyword keyword : {Keyword::ref, Keyword::recursive_ref}) {
    Index node = found[keyword];
    if (node == kNone) continue;
    if (!value(node).is_string()) return wanted(node, keyword, "a string");
    auto target = target_of(value(node).as_string(), node);
    if (!target) return std::unexpected(target.error());
    add(OpKind::reference, node).a = *target;
  }
  Index node = found[Keyword::dynamic_ref];
  if (node == kNone) return {};
  if (!value(node).is_string()) return wanted(node, Keyword::dynamic_ref, "a string");
  auto target = sources_.resolve(value(node).as_string(), resource_, {document_, node});
  if (!target) return std::unexpected(target.error());
  auto first = schema_at(target->place);
  if (!first) return std::unexpected(first.error());
  // Only a reference whose first target is a dynamic anchor looks further; any other is a plain one.
  Op& op = add(target->dynamic ? OpKind::dynamic_reference : OpKind::reference, node);
  op.a = *first;
  if (target->dynamic) {
    program_.dynamic = true;
    op.b = anchor_ids_.try_emplace(target->anchor, static_cast<Index>(anchor_ids_.size())).first->second;
  }
  return {};
}

std::expected<void, CompileError> Compiler::compile_dynamic_anchors() {
  for (std::size_t r = 0; r < sources_.resource_count() && !anchor_ids_.empty(); ++r) {
    const Resource& resource = sources_.resource(static_cast<Index>(r));
    for (auto [name, node] : resource.dynamic_anchors) {
      auto id = anchor_ids_.find(std::string(name));
      if (id == anchor_ids_.end()) continue;
      std::uint64_t key = static_cast<std::uint64_t>(r) << 32 | id->second;
      if (program_.dynamic_anchors.contains(key)) continue;
      auto schema = schema_at({resource.place.document, node});
      if (!schema) return std::unexpected(schema.error());
      program_.dynamic_anchors[key] = *schema;
    }
  }
  return {};
}

// Schemas that are nothing but a reference need no frame of their own. The dynamic scope would notice.
void Compiler::find_aliases() {
  if (program_.dynamic) return;
  for (Subschema& s : program_.schemas)
    if (s.last - s.first == 1 && program_.ops[s.first].kind == OpKind::reference) s.alias = program_.ops[s.first].a;
}

// A schema that applies to the same value again what it is made of never ends. Colours as usual: 0 new, 1 open, 2 done.
std::expected<void, CompileError> Compiler::check_loops() {
  std::vector<std::uint8_t> colour(program_.schemas.size(), 0);
  struct Open {
    Index schema, op, child;
  };
  std::vector<Open> open;
  // The i-th schema that an operation applies to the same value.
  auto in_place = [&](const Op& op, Index i) -> Index {
    switch (op.kind) {
      case OpKind::reference:
      case OpKind::dynamic_reference:
      case OpKind::negation: return i == 0 ? op.a : kNone;
      case OpKind::all_of:
      case OpKind::any_of:
      case OpKind::one_of: return i < op.b ? program_.lists[op.a + i] : kNone;
      case OpKind::condition:
        return i == 0 ? op.a : i == 1 && op.b != kNone ? op.b : i < 3 && op.c != kNone ? op.c : kNone;
      case OpKind::dependent_schemas:
        return i < program_.dependents[op.a].size() ? program_.dependents[op.a][i].schema : kNone;
      default: return kNone;
    }
  };
  for (Index start = 0; start < program_.schemas.size(); ++start) {
    if (colour[start] != 0) continue;
    open.push_back({start, program_.schemas[start].first, 0});
    colour[start] = 1;
    while (!open.empty()) {
      Open& o = open.back();
      if (o.op == program_.schemas[o.schema].last) {
        colour[o.schema] = 2;
        open.pop_back();
        continue;
      }
      Index next = in_place(program_.ops[o.op], o.child);
      if (next == kNone) {
        ++o.op;
        o.child = 0;
        continue;
      }
      ++o.child;
      if (colour[next] == 1)
        return std::unexpected(
            sources_.error({program_.schemas[o.schema].place.document, program_.ops[o.op].keyword},
                           "the schema refers to itself for the same value, so that checking would never end"));
      if (colour[next] == 0) {
        colour[next] = 1;
        open.push_back({next, program_.schemas[next].first, 0});
      }
    }
  }
  return {};
}

}  // namespace BELAY_NAMESPACE::schema
