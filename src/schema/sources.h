// The documents that make up a schema, and the names that parts of them go by: `$id`, `$anchor`, JSON Pointers.
#pragma once

#include <belay/schema/schema.h>

#include "schema/keywords.h"
#include "schema/program.h"

#include <deque>
#include <expected>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace BELAY_NAMESPACE::schema {

/// A part of a document with an identity of its own: the document itself, or a schema with an `$id`.
struct Resource {
  std::string uri;  // without fragment
  Place place;
  Dialect dialect;
  std::unordered_map<std::string_view, Index> anchors;          // a node of the same document
  std::unordered_map<std::string_view, Index> dynamic_anchors;  // those of them that are dynamic
};

/// Loads documents, finds the resources in them and resolves references. Everything is iterative.
class Sources {
 public:
  Sources(Program& program, const CompileOptions& options) : program_(program), options_(options) {}

  /// Copies the schema in as the first document.
  std::expected<Place, CompileError> add_root(json::Value schema);

  struct Target {
    Place place;
    Index resource = kNone;
    std::string anchor;    // the plain name that led there, if one did
    bool dynamic = false;  // and it is a `$dynamicAnchor`
  };
  /// What a reference that stands in `resource` means. `where` is for errors.
  std::expected<Target, CompileError> resolve(std::string_view reference, Index resource, Place where);

  [[nodiscard]] json::Value value(Place place) const {
    return {&program_.documents[place.document]->document.tape(), place.node};
  }
  [[nodiscard]] const Resource& resource(Index i) const { return resources_[i]; }
  [[nodiscard]] std::size_t resource_count() const { return resources_.size(); }
  /// The resource that a schema belongs to. It must have been reached by add_root() or resolve(), or stand below one
  /// that was.
  [[nodiscard]] Index resource_of(Place place) const { return resource_at_[place.document][place.node]; }

  /// An error about a place; `keyword` and more tokens may be added to its pointer.
  [[nodiscard]] CompileError error(Place place, std::string message) const;

 private:
  std::expected<Index, CompileError> add_document(json::Value value, std::string uri, Dialect dialect);
  std::expected<void, CompileError> scan(Place start, Index resource);
  std::expected<Index, CompileError> enter(Place place, Index parent, json::Value schema);
  std::expected<Dialect, CompileError> dialect_of(std::string_view uri, Place where, Dialect otherwise);
  std::expected<Index, CompileError> find_resource(const std::string& uri, Place where, Dialect dialect);
  std::expected<Target, CompileError> follow(std::string_view pointer, Index resource, Place where);
  std::optional<Index> child(Place place, std::string_view token);

  Program& program_;
  const CompileOptions& options_;
  std::deque<Resource> resources_;
  std::unordered_map<std::string, Index> by_uri_;
  std::vector<std::vector<Index>> resource_at_;  // for each node of each document that is a schema
  // The children of large containers that pointers lead through, so that they are not searched again and again.
  struct Children {
    std::unordered_map<std::string_view, Index> by_key;
    std::vector<Index> items;
  };
  std::unordered_map<std::uint64_t, Children> indexed_;
};

}  // namespace BELAY_NAMESPACE::schema
