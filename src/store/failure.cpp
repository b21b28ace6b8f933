#include "store/failure.h"

#include <sqlite3.h>

#include <cerrno>
#include <system_error>

namespace BELAY_NAMESPACE::store {
namespace {

using Kind = Error::Kind;

std::string in_words(int number) { return std::generic_category().message(number); }

bool no_space(int number) { return number == ENOSPC || number == EDQUOT || number == EFBIG; }

std::string quoted(std::string_view path) { return "'" + std::string(path) + "'"; }

}  // namespace

std::string_view name(Kind kind) noexcept {
  switch (kind) {
    case Kind::full: return "full";
    case Kind::io: return "io";
    case Kind::read_only: return "read_only";
    case Kind::corrupt: return "corrupt";
    case Kind::newer: return "newer";
    case Kind::busy: return "busy";
    case Kind::claimed: return "claimed";
    case Kind::not_found: return "not_found";
    case Kind::ambiguous: return "ambiguous";
    case Kind::conflict: return "conflict";
    case Kind::refused: return "refused";
  }
  return "";
}

Error from_errno(int number, std::string_view path, std::string_view doing) {
  const std::string what = "cannot " + std::string(doing) + " " + quoted(path) + ": " + in_words(number);
  if (no_space(number)) return {Kind::full, what + "; make room, then try again"};
  switch (number) {
    case EROFS: return {Kind::read_only, what + "; choose a path on a file system that can be written"};
    case EACCES:
    case EPERM: return {Kind::refused, what + "; change its owner or mode, or choose another path"};
    case ENOENT:
    case ENOTDIR: return {Kind::refused, what + "; make its folder first, or choose another path"};
    case EIO: return {Kind::io, what + "; look at the disk"};
    case ENOMEM:
    case EMFILE:
    case ENFILE: return {Kind::refused, what + "; free some memory or descriptors, then try again"};
    default: return {Kind::refused, what + "; choose another path"};
  }
}

Error from_sqlite(int code, int system, std::string_view path, std::string_view detail) {
  std::string said(detail);
  if (system != 0) said += ", " + in_words(system);
  const std::string file = quoted(path);
  const auto writing = [&] { return "cannot use " + file + ": " + said; };

  if (code == SQLITE_READONLY_DBMOVED)
    return {Kind::io, file + " was moved or removed while it was open: put it back, then open it again"};
  if (code == SQLITE_IOERR_CORRUPTFS || code == SQLITE_IOERR_DATA) code = SQLITE_CORRUPT;
  if (code == SQLITE_IOERR_NOMEM) code = SQLITE_NOMEM;
  switch (code & 0xff) {
    case SQLITE_FULL: return {Kind::full, "no space left for " + file + ": make room, then try again"};
    case SQLITE_IOERR:
      if (no_space(system)) return {Kind::full, "no space left beside " + file + ": make room, then try again"};
      return {Kind::io, writing() + "; look at the disk, then try again"};
    case SQLITE_READONLY:
      return {Kind::read_only, writing() + "; make the file and its folder writable, or choose another path"};
    case SQLITE_CANTOPEN:
      if (system == EROFS) return {Kind::read_only, writing() + "; choose a path on a file system that can be written"};
      if (no_space(system)) return {Kind::full, "no space left beside " + file + ": make room, then try again"};
      return {Kind::refused, writing() + "; look at the modes of the file and its folder"};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
      return {Kind::corrupt,
              file + " is damaged (" + said + "): restore a copy of it, or move it away to begin with an empty one"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      return {Kind::busy,
              "somebody else writes to " + file + " and did not stop in time: try again, or wait longer (busy_ms)"};
    case SQLITE_NOMEM: return {Kind::refused, "no memory to use " + file};
    default: return {Kind::refused, writing()};
  }
}

Expected<void> check_id(std::string_view id) {
  if (id.empty()) return fail(Kind::refused, "the id of a task is empty: give it one");
  if (id.size() > kIdBytes)
    return fail(Kind::refused, "the id of a task has " + std::to_string(id.size()) + " bytes: at most " +
                                   std::to_string(kIdBytes) + " are taken (kIdBytes)");
  for (char c : id)
    if (c <= ' ' || c > '~')
      return fail(Kind::refused, "the id of a task holds a byte that is no visible ASCII character: leave it out");
  return {};
}

}  // namespace BELAY_NAMESPACE::store
