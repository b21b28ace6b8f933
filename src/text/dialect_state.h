// What a Dialect knows.
#pragma once

#include "text/dialect_parts.h"

namespace BELAY_NAMESPACE::text {

struct DialectState {
  DialectState(std::string_view format, std::span<const chat::Tool> offered, Limits l);

  /// With `anyway`: as close as the format can, if not exactly.
  [[nodiscard]] std::expected<std::string, Unwritable> write(std::span<const Call> calls, bool anyway) const;

  [[nodiscard]] std::vector<Tool> tools_for(const std::vector<Piece>& pieces) const;
  [[nodiscard]] bool exact(const std::string& text, const std::vector<Piece>& pieces, const std::vector<Tool>& known,
                           std::vector<Found>* heard = nullptr) const;
  [[nodiscard]] bool guard(const Piece& piece, json::Member member, const std::vector<Tool>& known, Guard& found) const;
  [[nodiscard]] bool arrange(Piece& piece, const std::vector<Tool>& known) const;
  [[nodiscard]] Unwritable why(const Piece& piece, const std::vector<Tool>& known) const;

  const Written& how;
  const Row& row;
  Limits limits;
  std::vector<Defined> tools;
  std::vector<Tool> shapes;
};

}  // namespace BELAY_NAMESPACE::text
