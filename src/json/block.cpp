// The blocks that strings lie in. One that grows while it fills is, beyond some size, moved by the kernel page by page
// instead of copied: growing never needs room for two, whatever the allocator does.
#include <belay/json/tape.h>

#include "base/out_of_memory.h"

#include <cstdlib>
#include <cstring>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace BELAY_NAMESPACE::json {
namespace {

constexpr std::size_t kMapFrom = std::size_t{128} << 10;
constexpr std::size_t kPage = 4096;

}  // namespace

Arena::Block Arena::Block::make(std::size_t size) {
  auto* bytes = static_cast<char*>(std::malloc(size));
  if (!bytes) out_of_memory();
  return {bytes, size, false};
}

void Arena::Block::grow(std::size_t more, std::size_t kept) {
#if defined(__linux__)
  if (more >= kMapFrom) {
    more = (more + kPage - 1) / kPage * kPage;
    void* bytes = mapped ? mremap(data, size, more, MREMAP_MAYMOVE)
                         : mmap(nullptr, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bytes == MAP_FAILED) out_of_memory();
    if (!mapped) {
      std::memcpy(bytes, data, kept);
      std::free(data);
    }
    *this = {static_cast<char*>(bytes), more, true};
    return;
  }
#endif
  auto* bytes = static_cast<char*>(std::realloc(data, more));
  if (!bytes) out_of_memory();
  *this = {bytes, more, false};
}

void Arena::Block::release() noexcept {
#if defined(__linux__)
  if (mapped)
    munmap(data, size);
  else
#endif
    std::free(data);
  *this = {};
}

}  // namespace BELAY_NAMESPACE::json
