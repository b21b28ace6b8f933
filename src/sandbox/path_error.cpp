#include <belay/sandbox/path_error.h>

#include "base/utf8.h"
#include "sandbox/path_text.h"

#include <array>
#include <cerrno>
#include <cstring>

namespace BELAY_NAMESPACE::sandbox {
namespace {

std::uint32_t code_point(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
  switch (bytes.size()) {
    case 1: return byte(0);
    case 2: return (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f);
    case 3: return (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
    default: return (byte(0) & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f);
  }
}

// What steers a terminal, ends a line, or turns the writing around.
bool is_control(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f || c == 0x2028 ||
         c == 0x2029 || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

void put_byte(unsigned char byte, std::string& out) {
  out += '\\';
  for (int shift : {6, 3, 0}) out += static_cast<char>('0' + ((byte >> shift) & 7));
}

void put_escaped(std::string_view bytes, std::string& out) {
  constexpr std::string_view from = "\a\b\t\n\v\f\r", to = "abtnvfr";
  if (std::size_t i = from.find(bytes[0]); bytes.size() == 1 && i != std::string_view::npos) {
    (out += '\\') += to[i];
    return;
  }
  for (char c : bytes) put_byte(static_cast<unsigned char>(c), out);
}

}  // namespace

std::string_view name(PathErrorKind kind) noexcept {
  constexpr std::array<std::string_view, 12> names = {"invalid",    "outside",      "protected", "not_found",
                                                      "not_a_file", "not_a_folder", "link",      "no_permission",
                                                      "too_large",  "no_space",     "changed",   "failed"};
  return names[static_cast<std::size_t>(kind)];
}

std::string shown_path(std::string_view path) {
  std::string out = "\"";
  bool plain = !path.starts_with('"');
  for (std::string_view rest = path; !rest.empty();) {
    const utf8::Step step = utf8::step(rest.data(), rest.size());
    const std::string_view bytes = rest.substr(0, step.length);
    rest.remove_prefix(step.length);
    if (step.is != utf8::Step::Is::whole || is_control(code_point(bytes))) {
      put_escaped(bytes, out);
      plain = false;
    } else if (bytes == "\\" || bytes == "\"") {
      (out += '\\') += bytes;
    } else {
      out += bytes;
    }
  }
  return plain ? std::string(path) : out + "\"";
}

std::string brief(std::string_view path) {
  constexpr std::size_t kMost = 200;
  if (path.size() <= kMost) return shown_path(path);
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(path[end]) & 0xc0) == 0x80) --end;
  return shown_path(path.substr(0, end)) + "... (" + std::to_string(path.size()) + " bytes)";
}

PathError off_limits_error(std::string_view path) {
  return {PathErrorKind::off_limits,
          brief(path) + " is protected: the insides of .git and Belay's own configuration are neither read nor written",
          0};
}

PathError system_error(int e, std::string_view path, std::string_view doing) {
  using Kind = PathErrorKind;
  const std::string it = brief(path);
  switch (e) {
    case ENOENT: return {Kind::not_found, it + " does not exist", e};
    case EXDEV: return {Kind::outside, it + " leads out of the workspace", e};
    case ELOOP: return {Kind::link, it + " goes through too many links, or through a link that cannot be followed", e};
    case ENOTDIR: return {Kind::not_a_folder, it + " goes through something that is not a folder", e};
    case EISDIR: return {Kind::not_a_file, it + " is a folder, not a file", e};
    case ENAMETOOLONG: return {Kind::invalid, it + " is too long for this file system", e};
    case EINVAL: return {Kind::invalid, it + " is not a name that this file system takes", e};
    case EACCES:
    case EPERM: return {Kind::no_permission, "no permission to " + std::string(doing) + " " + it, e};
    case EROFS: return {Kind::no_permission, it + " is on a file system that is read-only", e};
    case ENOSPC: return {Kind::no_space, "no space is left on the disk for " + it + "; nothing was changed", e};
    case EDQUOT: return {Kind::no_space, "the disk quota has no space left for " + it + "; nothing was changed", e};
    case EFBIG: return {Kind::too_large, it + " would be larger than the system lets a file be", e};
    case ESTALE: return {Kind::changed, it + " was changed by somebody else at this moment; try again", e};
    default: {
      std::array<char, 128> buffer{};
      return {Kind::failed, "could not " + std::string(doing) + " " + it + ": " + ::strerror_r(e, buffer.data(), 128),
              e};
    }
  }
}

}  // namespace BELAY_NAMESPACE::sandbox
