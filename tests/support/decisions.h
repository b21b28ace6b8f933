// Random bytes from which a property test makes everything else; see choices.h.
#pragma once

#include <rapidcheck.h>

#include <string>

namespace belay::check {

/// At most about a hundred times `scale` bytes.
inline rc::Gen<std::string> decisions(double scale = 4.0) {
  auto byte = rc::gen::map(rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, 256)),
                           [](int i) { return static_cast<char>(i); });
  return rc::gen::scale(scale, rc::gen::container<std::string>(byte));
}

}  // namespace belay::check
