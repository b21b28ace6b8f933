#include <belay/base.h>
#include <belay/version.h>

namespace belay {

const char* version() noexcept { return BELAY_VERSION; }

}  // namespace belay
