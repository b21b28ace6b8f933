// What every target needs: bytes as text, and an end with a message.
#pragma once

#include <support/outcome.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace belay::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the program when there is a fault, with the sentence that says which and the text that was read.
inline void require_none(const std::string& fault, std::string_view input) {
  if (fault.empty()) return;
  std::fprintf(stderr, "VIOLATED: %s\nINPUT: %s\n", fault.c_str(), check::printable(input).c_str());
  std::abort();
}
inline void require(bool holds, const std::string& otherwise, std::string_view input) {
  if (!holds) require_none(otherwise, input);
}

}  // namespace belay::fuzz
