#include <belay/base.h>
#include <belay/version.h>

namespace BELAY_NAMESPACE {

const char* version() noexcept { return BELAY_VERSION; }

}  // namespace BELAY_NAMESPACE
