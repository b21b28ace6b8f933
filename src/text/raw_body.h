// A call whose arguments are no JSON but the raw text of one parameter: code for an interpreter.
#pragma once

#include "text/payload.h"
#include "text/raw_value.h"
#include "text/scan.h"

#include <optional>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::text {

/// The parameter that a raw text is, for a tool that takes one.
struct RawParameter {
  std::string key;
  bool sure = false;  ///< code for an interpreter; otherwise that it is meant so is a guess
};

/// By the tool's name (python), or its schema: one string that must be there. Nothing when there is no such parameter.
std::optional<RawParameter> raw_parameter(const Context& context, std::string_view name);

/// Whether a body is raw text for such a tool: not when it begins as JSON does, or with a marker. White space before
/// its first byte is part of it.
Is raw_begins(std::string_view body, const Row& row, bool final);

class RawBody {
 public:
  RawBody(Context& context, const Row& row, RawParameter parameter, Position at);

  /// Takes bytes up to what ends the text, and says how many. `over`: that was reached, and is left.
  std::size_t read(std::string_view window, bool final, bool& over);
  /// What was read, with the edits. `ended`: by the end marker, or where the format has none.
  json::Reading finish(bool ended);
  [[nodiscard]] json::MaybePartial value() const { return builder_.value(); }

 private:
  [[nodiscard]] Is ends(std::string_view rest, bool final) const;
  [[nodiscard]] Is ends_turn(std::string_view rest, bool final) const;
  void give(std::string_view bytes);
  [[nodiscard]] bool holds_object(std::string_view text) const;

  Context& context_;
  const Row& row_;
  RawParameter parameter_;
  Position at_;
  ByteSet marks_;  // what an end begins with
  std::uint64_t taken_ = 0;
  std::string break_;  // a line break at the end, which belongs to the marker that may follow
  char first_ = 0;     // its first byte that is no white space
  json::Builder builder_;
  Receipt receipt_;
  RawValue value_;
};

}  // namespace BELAY_NAMESPACE::text
