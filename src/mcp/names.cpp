// Names and texts of strangers, made harmless.
#include <belay/mcp/tools.h>

#include "mcp/invisible.h"
#include "mcp/sha256.h"

#include <algorithm>

namespace BELAY_NAMESPACE::mcp {
namespace {

constexpr std::size_t kLongest = 64;  // what the strictest provider takes
constexpr std::size_t kServerPart = 24;
constexpr std::size_t kHashDigits = 6;

bool plain(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

std::string replaced(std::string_view text) {
  std::string out(text);
  std::ranges::replace_if(out, [](char c) { return !plain(static_cast<unsigned char>(c)); }, '_');
  return out;
}

}  // namespace

std::string tool_name(std::string_view server, std::string_view tool) {
  std::string own = replaced(tool);
  std::string front = replaced(server).substr(0, kServerPart);
  // One underscore for several, none at the end: what separates is the first pair.
  front.erase(std::ranges::unique(front, [](char a, char b) { return a == '_' && b == '_'; }).begin(), front.end());
  while (front.ends_with('_')) front.pop_back();
  if (front.empty()) front = "server";
  bool other = own != tool || front != server;
  const std::size_t room = kLongest - front.size() - 2;
  other = other || own.size() > room || own.empty();
  if (other) {
    const std::string digits = sha256(std::string(server) + "\n" + std::string(tool)).substr(0, kHashDigits);
    own = own.substr(0, room - kHashDigits - 1) + "_" + digits;
  }
  return front + "__" + own;
}

std::string visible_text(std::string_view text, std::size_t& removed) {
  std::string out;
  removed = 0;
  for_each_character(text, [&](std::string_view bytes, std::uint32_t code) {
    const bool control = (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0);
    if (control || invisible(code))
      ++removed;
    else
      out += bytes;
  });
  return out;
}

std::string_view name(ToolNote::Kind kind) noexcept {
  constexpr std::string_view names[] = {"unavailable", "renamed", "refused", "cleaned", "changed", "list"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace BELAY_NAMESPACE::mcp
