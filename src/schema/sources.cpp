#include "schema/sources.h"

#include <belay/json/builder.h>
#include <belay/json/reader.h>

#include "schema/metaschemas.h"
#include "schema/places.h"
#include "schema/uri.h"

#include <utility>

namespace BELAY_NAMESPACE::schema {
namespace {

constexpr std::size_t kManyChildren = 16;

// A meta-schema may have a meta-schema of its own. Longer chains than this are no accident.
constexpr std::size_t kMetaSchemas = 16;

std::optional<std::string_view> text_of(json::Value schema, std::string_view key) {
  std::optional<json::Value> v = schema.find(key);
  if (!v || !v->is_string()) return std::nullopt;
  return v->as_string();
}

}  // namespace

CompileError Sources::error(Place place, std::string message) const {
  const SourceDocument& source = *program_.documents[place.document];
  std::string pointer = pointer_of(steps_to(source.document.root(), place.node));
  return {place.document == 0 ? pointer : source.uri + "#" + pointer, std::move(message)};
}

std::expected<Place, CompileError> Sources::add_root(json::Value schema) {
  Dialect dialect;
  if (options_.draft == Draft::draft7) dialect.edition = Edition::draft7;
  auto resource = add_document(schema, std::string(without_fragment(options_.base)), dialect);
  if (!resource) return std::unexpected(resource.error());
  return resources_[*resource].place;
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): what it was made from may move while documents are added
std::expected<Index, CompileError> Sources::add_document(json::Value value, std::string uri, Dialect dialect) {
  if (program_.documents.size() >= kMetaSchemas * 1024)
    return std::unexpected(CompileError{"", "the schema refers to more than 16,384 documents"});
  json::Builder builder(program_.limits);
  builder.copy(value);
  auto document = static_cast<Index>(program_.documents.size());
  program_.documents.push_back(std::make_unique<SourceDocument>(SourceDocument{builder.take(), uri}));
  resource_at_.emplace_back(program_.documents.back()->document.tape().size(), kNone);
  Place place{document, 0};
  json::Value root = this->value(place);

  auto index = static_cast<Index>(resources_.size());
  resources_.push_back({uri, place, dialect, {}, {}});
  // Known from here on, so that a meta-schema that describes itself is not looked for again.
  by_uri_.try_emplace(uri, index);
  if (root.is_object()) {
    if (auto named = text_of(root, "$schema")) {
      auto d = dialect_of(*named, {document, static_cast<Index>(root.find("$schema")->index())}, dialect);
      if (!d) return std::unexpected(d.error());
      resources_[index].dialect = *d;
    }
    bool alone = resources_[index].dialect.ref_alone() && root.find("$ref");
    if (auto id = text_of(root, "$id"); id && !alone && !id->starts_with('#')) {
      std::string full = resolve_uri(uri, *id);
      resources_[index].uri = std::string(without_fragment(full));
      by_uri_.try_emplace(resources_[index].uri, index);
    }
  }
  if (auto scanned = scan(place, index); !scanned) return std::unexpected(scanned.error());
  return index;
}

std::expected<Dialect, CompileError> Sources::dialect_of(std::string_view uri, Place where, Dialect otherwise) {
  if (auto known = dialect_named(uri)) return *known;
  std::string base = resolve_uri(options_.base, uri);
  base = std::string(without_fragment(base));
  if (program_.documents.size() > kMetaSchemas)
    return std::unexpected(error(where, "$schema leads to too many other meta-schemas"));
  auto found = find_resource(base, where, otherwise);
  if (!found) {
    if (options_.draft) return otherwise;
    return std::unexpected(error(where, "$schema is " + std::string(uri) +
                                            ", which is not known; known are the drafts 2020-12, 2019-09, 7 and 6 "
                                            "(another meta-schema has to be given beside the schema)"));
  }
  Dialect dialect = resources_[*found].dialect;
  std::optional<json::Value> listed = value(resources_[*found].place).find("$vocabulary");
  if (!listed || dialect.edition == Edition::draft7) return dialect;
  dialect.vocabularies = kCore;
  for (json::Member m : listed->members()) {
    if (auto bit = vocabulary_named(m.key))
      dialect.vocabularies = static_cast<std::uint16_t>(dialect.vocabularies | *bit);
    else if (m.value.as_bool())
      return std::unexpected(
          error(where, "$schema wants the vocabulary " + std::string(m.key) + ", which is not known"));
  }
  // Before 2020-12 the unevaluated keywords belong to the applicators.
  if (dialect.edition == Edition::draft2019_09 && (dialect.vocabularies & kApplicator))
    dialect.vocabularies |= kUnevaluated;
  return dialect;
}

// Registers what a schema says of its own name, and gives the resource that it belongs to.
std::expected<Index, CompileError> Sources::enter(Place place, Index parent, json::Value schema) {
  Index index = parent;
  bool is_root = resources_[parent].place.document == place.document && resources_[parent].place.node == place.node;
  bool old = resources_[parent].dialect.ref_alone();
  if (auto id = text_of(schema, "$id"); id && !(old && schema.find("$ref"))) {
    if (old && id->starts_with('#')) {
      resources_[parent].anchors.try_emplace(id->substr(1), place.node);
    } else if (!is_root) {
      Dialect dialect = resources_[parent].dialect;
      if (auto named = text_of(schema, "$schema")) {
        auto d = dialect_of(*named, {place.document, static_cast<Index>(schema.find("$schema")->index())}, dialect);
        if (!d) return std::unexpected(d.error());
        dialect = *d;
      }
      std::string uri = resolve_uri(resources_[parent].uri, *id);
      uri = std::string(without_fragment(uri));
      index = static_cast<Index>(resources_.size());
      resources_.push_back({uri, place, dialect, {}, {}});
      by_uri_.try_emplace(std::move(uri), index);
    }
  }
  Resource& r = resources_[index];
  if (r.dialect.edition != Edition::draft7)
    if (auto anchor = text_of(schema, "$anchor")) r.anchors.try_emplace(*anchor, place.node);
  if (r.dialect.edition == Edition::draft2020_12)
    if (auto anchor = text_of(schema, "$dynamicAnchor")) {
      r.anchors.try_emplace(*anchor, place.node);
      r.dynamic_anchors.try_emplace(*anchor, place.node);
    }
  return index;
}

// Walks all schemas from one on: only where keywords say that schemas stand, since an `$id` in an enum is none.
std::expected<void, CompileError> Sources::scan(Place start, Index resource) {
  struct Item {
    Index node, resource;
  };
  std::vector<Item> todo{{start.node, resource}};
  while (!todo.empty()) {
    Item item = todo.back();
    todo.pop_back();
    Place place{start.document, item.node};
    json::Value schema = value(place);
    if (resource_at_[start.document][item.node] != kNone) continue;
    Index in = item.resource;
    if (schema.is_object()) {
      auto entered = enter(place, item.resource, schema);
      if (!entered) return std::unexpected(entered.error());
      in = *entered;
    }
    resource_at_[start.document][item.node] = in;
    const Dialect dialect = resources_[in].dialect;
    for (json::Member m : schema.members()) {
      auto keyword = keyword_named(m.key, dialect);
      if (!keyword) continue;
      Shape shape = shape_of(*keyword, dialect);
      if (shape == Shape::either) shape = m.value.is_array() ? Shape::list : Shape::schema;
      if (shape == Shape::schema) todo.push_back({static_cast<Index>(m.value.index()), in});
      if (shape == Shape::list)
        for (json::Value v : m.value.items()) todo.push_back({static_cast<Index>(v.index()), in});
      if (shape == Shape::map || shape == Shape::dependencies)
        for (json::Member inner : m.value.members())
          if (shape == Shape::map || !inner.value.is_array())
            todo.push_back({static_cast<Index>(inner.value.index()), in});
    }
  }
  return {};
}

std::expected<Index, CompileError> Sources::find_resource(const std::string& uri, Place where, Dialect dialect) {
  if (auto it = by_uri_.find(uri); it != by_uri_.end()) return it->second;
  if (auto text = metaschema_at(uri)) {
    json::Reading reading = json::read(*text);
    return add_document(reading.document.root(), uri, Dialect{});
  }
  if (options_.remotes)
    if (auto remote = options_.remotes(uri)) return add_document(*remote, uri, dialect);
  return std::unexpected(error(where, "nothing is known at " + (uri.empty() ? std::string("the empty URI") : uri) +
                                          "; documents that a schema refers to have to be given beside it"));
}

std::expected<Sources::Target, CompileError> Sources::resolve(std::string_view reference, Index resource, Place where) {
  std::string full = resolve_uri(resources_[resource].uri, reference);
  auto found = find_resource(std::string(without_fragment(full)), where, resources_[resource].dialect);
  if (!found) return std::unexpected(found.error());
  std::string fragment = decoded_fragment(full);
  if (fragment.empty()) return Target{resources_[*found].place, *found, {}, false};
  if (fragment[0] == '/') {
    auto target = follow(fragment, *found, where);
    if (!target) return std::unexpected(error(where, "there is nothing at " + std::string(reference)));
    return target;
  }
  const Resource& r = resources_[*found];
  auto anchor = r.anchors.find(fragment);
  if (anchor == r.anchors.end())
    return std::unexpected(
        error(where, "there is no anchor " + fragment + " in " + (r.uri.empty() ? std::string("this schema") : r.uri)));
  Place place{r.place.document, anchor->second};
  return Target{place, resource_of(place), fragment, r.dynamic_anchors.contains(fragment)};
}

std::expected<Sources::Target, CompileError> Sources::follow(std::string_view pointer, Index resource, Place where) {
  Place place = resources_[resource].place;
  while (!pointer.empty()) {
    auto next = child(place, next_token(pointer));
    if (!next) return std::unexpected(error(where, "nothing there"));
    place.node = *next;
    if (Index known = resource_of(place); known != kNone) resource = known;
  }
  if (auto scanned = scan(place, resource); !scanned) return std::unexpected(scanned.error());
  return Target{place, resource_of(place), {}, false};
}

std::optional<Index> Sources::child(Place place, std::string_view token) {
  json::Value v = value(place);
  auto direct = [](std::optional<json::Value> found) -> std::optional<Index> {
    if (!found) return std::nullopt;
    return static_cast<Index>(found->index());
  };
  if (v.is_array() && !index_of(token)) return std::nullopt;
  if (v.size() <= kManyChildren) return direct(v.is_array() ? v.at(*index_of(token)) : v.find(token));
  std::uint64_t key = static_cast<std::uint64_t>(place.document) << 32 | place.node;
  auto [entry, fresh] = indexed_.try_emplace(key);
  Children& children = entry->second;
  if (fresh) {
    for (json::Member m : v.members()) children.by_key[m.key] = static_cast<Index>(m.value.index());
    for (json::Value item : v.items()) children.items.push_back(static_cast<Index>(item.index()));
  }
  if (v.is_array()) {
    std::size_t i = *index_of(token);
    return i < children.items.size() ? std::optional(children.items[i]) : std::nullopt;
  }
  auto it = children.by_key.find(token);
  return it != children.by_key.end() ? std::optional(it->second) : std::nullopt;
}

}  // namespace BELAY_NAMESPACE::schema
