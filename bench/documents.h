// The documents that are measured: generated, the same in every run.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace belay::bench {

/// 1 KB is 1,000 bytes here, so that sizes and MB/s belong together.
inline constexpr std::size_t kKB = 1'000;
inline constexpr std::size_t kMB = 1'000'000;

enum class Shape {
  code,         ///< {"path":…,"content":…}: one long string of source text
  todo,         ///< {"todos":[{"id":…,"text":…,"status":…},…]}
  random_code,  ///< long strings of random length, escapes and scripts in a small random structure
  random_todo,  ///< random arrays and objects, keys, numbers, literals and short strings
};
inline constexpr Shape kShapes[] = {Shape::code, Shape::todo, Shape::random_code, Shape::random_todo};
std::string_view name(Shape);

/// A valid document of about `bytes` bytes: at most one line, item or value more or less. `which`: another of random
/// shape for each number.
std::string make_document(Shape, std::size_t bytes, std::size_t which = 0);
/// What one run reads: one document, or several of random shape. A processor learns the branches of a text by heart
/// that it is shown again and again, however random it is, up to a megabyte and for some readers more than for others;
/// so these are alike in nothing but their kind.
std::vector<std::string> make_documents(Shape, std::size_t bytes);

/// What is wrong with a damaged document. The mixed kinds come first of their shape.
enum class Damage {
  code_mixed,
  code_single_quotes,
  code_raw_newlines,
  code_inner_quotes,
  code_unknown_escapes,
  todo_mixed,
  todo_python,
  todo_trailing_commas,
  todo_missing_commas,
  todo_unquoted_keys,
  todo_comments,
};
std::span<const Damage> damages();
std::string_view name(Damage);
std::string_view describe(Damage);

/// `code` or `todo` of about `bytes` bytes, with the damage spread all over it.
std::string make_damaged(Damage, std::size_t bytes);

}  // namespace belay::bench
