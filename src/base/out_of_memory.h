// What happens where there is no memory left.
#pragma once

#include <belay/version.h>

#include <cstdlib>
#include <new>

namespace BELAY_NAMESPACE {

/// std::bad_alloc; where exceptions are switched off, the end of the program.
[[noreturn]] inline void out_of_memory() {
#ifdef __cpp_exceptions
  throw std::bad_alloc();
#else
  std::abort();
#endif
}

}  // namespace BELAY_NAMESPACE
