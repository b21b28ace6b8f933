#include "heap.h"

#include <errno.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

// glibc's own functions under the names that stay when malloc is replaced. operator new calls malloc, so it is counted.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace {

bool counting = false;
std::int64_t now = 0;
std::int64_t most = 0;
std::size_t allocations = 0;

std::int64_t usable(void* p) { return static_cast<std::int64_t>(malloc_usable_size(p)); }

/// Large blocks are mappings of their own, which realloc moves without a second copy: bit 1 of glibc's size word.
bool is_mapping(void* p) { return (static_cast<std::size_t*>(p)[-1] & 2) != 0; }

void raise(std::int64_t to) {
  if (to > most) most = to;
}

void* counted(void* p) {
  if (counting && p != nullptr) {
    now += usable(p);
    ++allocations;
    raise(now);
  }
  return p;
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) { return counted(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) { return counted(__libc_calloc(count, size)); }
void* memalign(std::size_t alignment, std::size_t size) { return counted(__libc_memalign(alignment, size)); }
void* aligned_alloc(std::size_t alignment, std::size_t size) { return counted(__libc_memalign(alignment, size)); }

int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  void* p = memalign(alignment, size);
  if (p == nullptr) return ENOMEM;
  *out = p;
  return 0;
}

// Blocks that Belay has from the kernel directly. glibc's own mappings do not come by here.
void* mmap(void* hint, std::size_t size, int protection, int flags, int file, off_t at) {
  void* p = reinterpret_cast<void*>(syscall(SYS_mmap, hint, size, protection, flags, file, at));
  if (counting && p != MAP_FAILED) {
    now += static_cast<std::int64_t>(size);
    ++allocations;
    raise(now);
  }
  return p;
}

void* mremap(void* old, std::size_t before, std::size_t after, int flags, ...) {
  void* p = reinterpret_cast<void*>(syscall(SYS_mremap, old, before, after, flags));
  if (counting && p != MAP_FAILED) {
    now += static_cast<std::int64_t>(after) - static_cast<std::int64_t>(before);
    ++allocations;
    raise(now);
  }
  return p;
}

int munmap(void* p, std::size_t size) {
  if (counting) now -= static_cast<std::int64_t>(size);
  return static_cast<int>(syscall(SYS_munmap, p, size));
}

void free(void* p) {
  if (counting && p != nullptr) now -= usable(p);
  __libc_free(p);
}

void* realloc(void* old, std::size_t size) {
  if (!counting || old == nullptr) return old == nullptr ? malloc(size) : __libc_realloc(old, size);
  std::int64_t before = usable(old);
  bool mapped = is_mapping(old);
  auto address = reinterpret_cast<std::uintptr_t>(old);
  void* p = __libc_realloc(old, size);
  if (p == nullptr) {
    if (size == 0) now -= before;
    return p;
  }
  ++allocations;
  std::int64_t after = usable(p);
  bool copied = reinterpret_cast<std::uintptr_t>(p) != address && !(mapped && is_mapping(p));
  raise(copied ? now + after : now - before + after);
  now += after - before;
  return p;
}

}  // extern "C"

namespace belay::bench {

HeapCount::HeapCount() {
  now = most = 0;
  allocations = 0;
  counting = true;
}
HeapCount::~HeapCount() { counting = false; }
std::size_t HeapCount::peak() const { return static_cast<std::size_t>(most); }
std::size_t HeapCount::calls() const { return allocations; }

}  // namespace belay::bench
