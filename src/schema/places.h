// Where values stand: JSON Pointers (RFC 6901), and the same for people.
#pragma once

#include <belay/json/value.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::schema {

/// One step from a container to a child.
struct StepTo {
  std::string_view key;  // of a member
  std::size_t item = 0;  // of an array, when `is_item`
  bool is_item = false;
};

/// The steps from `root` down to `node`, a value inside it. O(depth × the siblings before it).
std::vector<StepTo> steps_to(json::Value root, std::size_t node);
std::string pointer_of(const std::vector<StepTo>& steps);
/// `a.b[0]["odd key"]`; empty for no steps. Long ones lose their middle.
std::string readable(const std::vector<StepTo>& steps);

/// Takes the next token off a pointer, which starts with '/', and decodes it.
std::string next_token(std::string_view& pointer);
/// A token as an array index: digits, no leading zero.
std::optional<std::size_t> index_of(std::string_view token);
void append_token(std::string& pointer, std::string_view token);

/// A byte of a text for a message: a control character by its name, <U+001B>.
void append_named(std::string& out, char c);

}  // namespace BELAY_NAMESPACE::schema
