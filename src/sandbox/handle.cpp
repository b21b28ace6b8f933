#include <belay/sandbox/handle.h>

#include <unistd.h>

namespace belay::sandbox {

Handle::~Handle() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace belay::sandbox
