#include <belay/task/record.h>

#include "task/stored_words.h"

namespace BELAY_NAMESPACE::task {

std::string_view kind_of(const Body& body) noexcept { return kKinds[body.index()]; }

std::string_view name(EndReason reason) noexcept { return word_of(reason); }

int exit_code(EndReason reason) noexcept {
  switch (reason) {
    case EndReason::completed: return 0;
    case EndReason::aborted: return 130;
    case EndReason::turns: return 53;
    case EndReason::tokens:
    case EndReason::cost:
    case EndReason::time: return 54;
    case EndReason::stuck: return 55;
    case EndReason::authentication: return 41;
    case EndReason::failed: return 1;
  }
  return 1;
}

}  // namespace BELAY_NAMESPACE::task
