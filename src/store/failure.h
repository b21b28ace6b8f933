// Errors of the system, in sentences.
#pragma once

#include <belay/store/store.h>

#include <expected>
#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace BELAY_NAMESPACE::store {

inline std::unexpected<Error> fail(Error::Kind kind, std::string message) {
  return std::unexpected(Error{kind, std::move(message)});
}

/// What errno says about a path: its kind, and what to do. `doing` is a few words, such as "make the folder".
Error from_errno(int number, std::string_view path, std::string_view doing);

/// What a result code of SQLite says about the file. `system` is the errno behind it, or 0; `detail` its own words.
Error from_sqlite(int code, int system, std::string_view path, std::string_view detail);

/// Refused unless it is 1 to kIdBytes visible ASCII characters.
Expected<void> check_id(std::string_view id);

/// Runs it; what it throws becomes an Error. Only memory can run out here.
template <class Code>
auto guarded(Code&& code) noexcept -> decltype(code()) {
  try {
    return std::forward<Code>(code)();
  } catch (const std::bad_alloc&) {
    return std::unexpected(Error{Error::Kind::refused, "no memory for this"});
  } catch (...) {
    return std::unexpected(Error{Error::Kind::refused, "too large"});
  }
}

}  // namespace BELAY_NAMESPACE::store
