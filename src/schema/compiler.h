// Turns schemas into operations.
#pragma once

#include <belay/schema/schema.h>

#include "schema/program.h"
#include "schema/sources.h"

#include <array>
#include <expected>
#include <initializer_list>
#include <string>
#include <unordered_map>
#include <vector>

namespace BELAY_NAMESPACE::schema {

/// Compiles one schema and all that it refers to. Nothing recurses: schemas that are met are queued.
class Compiler {
 public:
  Compiler(Program& program, const CompileOptions& options);
  /// The first error ends it; `program` is then of no use.
  std::expected<void, CompileError> run(json::Value schema);

 private:
  // The keywords of one schema object, by keyword.
  struct Found {
    std::array<Index, kKeywords> nodes;
    [[nodiscard]] Index operator[](Keyword k) const { return nodes[static_cast<std::size_t>(k)]; }
    [[nodiscard]] bool has(Keyword k) const { return (*this)[k] != kNone; }
  };
  using Done = std::expected<void, CompileError>;

  Done compile_one(Index schema);
  Done compile_leaves(const Found& found);
  Done compile_numbers(const Found& found);
  Done compile_objects(const Found& found);
  Done compile_arrays(const Found& found);
  Done compile_combinations(const Found& found);
  Done compile_references(const Found& found);
  Done compile_dependents(const Found& found);
  Done compile_type(Index node);
  Done compile_format(Index node);
  Done compile_enum(Index node);
  Done compile_count(const Found& found, Keyword keyword, OpKind kind);
  Done compile_list(const Found& found, Keyword keyword, OpKind kind);
  Done compile_schema_op(const Found& found, Keyword keyword, OpKind kind);
  Done compile_dynamic_anchors();
  Done check_loops();
  void find_aliases();

  /// The compiled schema at a place, made and queued if it is new.
  std::expected<Index, CompileError> schema_at(Place place);
  std::expected<Index, CompileError> schema_at(Index node) { return schema_at({document_, node}); }
  std::expected<Index, CompileError> pattern_of(std::string_view text, Index node);
  std::expected<std::uint64_t, CompileError> count_of(Index node, Keyword keyword);
  std::expected<std::vector<std::string_view>, CompileError> names_of(Index node, Keyword keyword);
  std::expected<Index, CompileError> target_of(std::string_view reference, Index node);

  Op& add(OpKind kind, Index keyword) {
    Op& op = program_.ops.emplace_back();
    op.kind = kind;
    op.document = document_;
    op.keyword = keyword;
    return op;
  }
  [[nodiscard]] json::Value value(Index node) const { return sources_.value({document_, node}); }
  [[nodiscard]] std::unexpected<CompileError> wrong(Index node, std::string message) const {
    return std::unexpected(sources_.error({document_, node}, std::move(message)));
  }
  [[nodiscard]] std::unexpected<CompileError> wanted(Index node, Keyword keyword, std::string_view what) const;

  Program& program_;
  const CompileOptions& options_;
  Sources sources_;
  std::vector<std::vector<Index>> schema_at_;  // for each node of each document
  std::vector<Index> todo_;
  std::unordered_map<std::string_view, Index> patterns_;
  std::unordered_map<std::string, Index> anchor_ids_;  // names of dynamic anchors that are referred to
  Index document_ = 0;                                 // of the schema that is being compiled
  Index resource_ = 0;
  Dialect dialect_;
};

}  // namespace BELAY_NAMESPACE::schema
