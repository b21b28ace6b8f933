// Why this user may have no namespaces, and what can be done about it.
#pragma once

#include <belay/sandbox/cage.h>

#include <string>

namespace BELAY_NAMESPACE::sandbox {

struct Obstacle {
  std::string what, remedy;  // half sentences
};
/// The likeliest reason, by the machine's settings.
Obstacle obstacle_for_namespaces(bool root);

}  // namespace BELAY_NAMESPACE::sandbox
