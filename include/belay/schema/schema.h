// A JSON Schema, compiled once, then used to check any number of values and to align them with it.
#pragma once

#include <belay/base.h>
#include <belay/json/value.h>
#include <belay/schema/align.h>
#include <belay/schema/regex.h>

#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::schema {
BELAY_API_BEGIN

enum class Draft : std::uint8_t { draft7, draft2020_12 };

struct CompileOptions {
  /// For schemas that have no `$schema`, or one that nobody knows.
  std::optional<Draft> draft{};
  /// The URI that the schema was found at; relative references start there unless it has an `$id`.
  std::string base{};
  /// Compiles `pattern` and `patternProperties`; asked only by compile(). Without it a schema that has them is refused.
  const Regexes* regexes = nullptr;
  /// Documents that the schema refers to, by URI without fragment. Nothing is ever fetched: what this does not give is
  /// an error. The value must stay until compile() returns. The meta-schemas of both drafts are built in.
  std::function<std::optional<json::Value>(std::string_view uri)> remotes{};
  /// Assert `format`; otherwise it only annotates.
  bool formats = false;
  Limits limits{};
};

struct CompileError {
  std::string where{};  ///< JSON Pointer into the schema; with its URI in front for another document
  std::string message{};
  bool operator==(const CompileError&) const = default;
};

/// One thing that is wrong with a value.
struct Violation {
  std::string path{};         ///< JSON Pointer of the value; "" is the whole
  std::string keyword{};      ///< that it violates; "limit" when checking was given up
  std::string message{};      ///< one sentence for model and person: `days must be an integer, got "three"`
  std::string schema_path{};  ///< JSON Pointer of that keyword, as CompileError::where
  std::size_t node = 0;       ///< Value::index() of the value (of the object, when a member is missing)
  bool operator==(const Violation&) const = default;
};

/// What check() found: the smallest set that is of use. Of alternatives only the nearest is explained.
struct Report {
  std::vector<Violation> violations{};  ///< in the order of the values, at most Limits::violations
  std::uint64_t total = 0;              ///< those that are not listed included
  [[nodiscard]] bool valid() const { return total == 0; }
  bool operator==(const Report&) const = default;
};

struct Program;

/// A compiled schema. Immutable, cheap to copy, free of the document it came from; may be used by several threads.
/// Checking is iterative and bounded (Limits::schema_steps): beyond the bound a value is not valid, and says why.
class Schema {
 public:
  /// Compiles a schema (an object or a boolean). Linear in its size and in what it refers to.
  static std::expected<Schema, CompileError> compile(json::Value schema, const CompileOptions& options = {});

  /// True when the value satisfies the schema. Quicker than check().
  [[nodiscard]] bool valid(json::Value value) const;
  [[nodiscard]] Report check(json::Value value) const;
  /// The value as the schema wants it, if edits can make it so. See Aligned.
  [[nodiscard]] Aligned align(json::Value value) const;

  /// The names of the members that an object at the top may have, as `properties` lists them.
  [[nodiscard]] std::vector<std::string_view> property_names() const;

 private:
  explicit Schema(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::schema
