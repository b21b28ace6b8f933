// The part of the tables that one decoder uses.
#pragma once

#include "text/formats.h"
#include "text/literals.h"
#include "text/scan.h"

#include <belay/text/decoder.h>

#include <array>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::text {

struct Active {
  explicit Active(const Options& options);

  bool none = false;                          ///< text passes through
  bool automatic = false;                     ///< the text itself says which format it is
  std::vector<const Row*> anywhere, at_line;  ///< rows by where they may begin
  /// The same by their first byte, all of which are ASCII.
  std::array<std::vector<const Row*>, 128> anywhere_by, at_line_by;
  bool bare_json = false;  ///< JSON without a marker may be a call
  const Row* bare_row = nullptr;
  bool bare_python = false;
  const Row* harmony = nullptr;  ///< channels, if they may come
  std::vector<Thinking> thinking;
  std::vector<Silent> silent;
  Literals literals;   ///< all that something may begin with, bare JSON and lists aside
  ByteSet stops;       ///< bytes that matter in prose
  ByteSet line_stops;  ///< bytes that matter at the start of a line
};

}  // namespace BELAY_NAMESPACE::text
