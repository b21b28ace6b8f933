#include <belay/sandbox/handle.h>

#include <unistd.h>

namespace BELAY_NAMESPACE::sandbox {

Handle::~Handle() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace BELAY_NAMESPACE::sandbox
