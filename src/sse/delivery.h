// What both framings share: where events go, and what one may weigh.
#pragma once

#include <belay/sse.h>

namespace BELAY_NAMESPACE::sse {

struct Delivery {
  Sink& sink;
  std::uint64_t limit;  ///< Limits::event_bytes
  std::uint64_t events = 0;
  Trouble trouble = Trouble::none;

  void event(const Event& event) {
    ++events;
    sink.on_event(event);
  }
  /// False, and trouble, when so many bytes are more than one event may have.
  bool allows(std::uint64_t bytes) {
    if (bytes <= limit) [[likely]]
      return true;
    trouble = Trouble::event_bytes;
    return false;
  }
  [[nodiscard]] bool failed() const { return trouble != Trouble::none; }
};

}  // namespace BELAY_NAMESPACE::sse
