#include "builtin/text_lines.h"

#include "base/utf8.h"

#include <algorithm>

namespace BELAY_NAMESPACE::builtin {
namespace {

constexpr std::string_view kSpace = " \t\r\n\v\f";

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  lines.reserve(line_count(text));
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end == std::string_view::npos ? end : end + 1));
    text.remove_prefix(lines.back().size());
  }
  return lines;
}

std::size_t line_count(std::string_view text) {
  const auto ends = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  return ends + (text.empty() || text.ends_with('\n') ? 0 : 1);
}

std::string_view without_end_space(std::string_view line) { return line.substr(0, line.find_last_not_of(kSpace) + 1); }

std::string_view without_space(std::string_view line) {
  line = without_end_space(line);
  return line.substr(std::min(line.find_first_not_of(kSpace), line.size()));
}

std::string clipped(std::string_view line, std::size_t most) {
  if (line.size() <= most) return std::string(line);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;
  return std::string(line.substr(0, end)) + "... (" + std::to_string(line.size()) + " bytes)";
}

Sight sight_of(std::string_view b) {
  if (b.starts_with("\x89PNG\r\n\x1a\n")) return {true, "image/png"};
  if (b.starts_with("\xff\xd8\xff")) return {true, "image/jpeg"};
  if (b.starts_with("GIF87a") || b.starts_with("GIF89a")) return {true, "image/gif"};
  if (b.starts_with("RIFF") && b.size() >= 12 && b.substr(8, 4) == "WEBP") return {true, "image/webp"};
  return {b.find('\0') != std::string_view::npos, {}};
}

Damage damage_of(std::string_view text) {
  Damage damage;
  const std::size_t size = text.size();
  while (!text.empty()) {
    const std::size_t whole = utf8::extent(text).whole;
    text.remove_prefix(whole);
    if (text.empty()) break;
    if (damage.parts++ == 0) damage.first = size - text.size();
    text.remove_prefix(std::max<std::size_t>(utf8::step(text.data(), text.size()).length, 1));
  }
  // A text in an old encoding has some odd letters; where every fifth byte is odd, it is something else.
  damage.binary = damage.parts * 5 > size;
  return damage;
}

bool is_text(std::string_view bytes) { return !sight_of(bytes).binary && !damage_of(bytes).binary; }

std::string why_binary(std::string_view bytes, std::uint64_t at) {
  const std::size_t nul = bytes.find('\0');
  if (nul != std::string_view::npos) return "there is a NUL at byte " + std::to_string(at + nul);
  const Damage damage = damage_of(bytes);
  if (!damage.binary) return {};
  return counted(damage.parts, "part") + " of it " + (damage.parts == 1 ? "is" : "are") +
         " not UTF-8, the first at byte " + std::to_string(at + damage.first);
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) -> std::uint32_t {
      return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U;
    };
    const std::uint32_t three = byte(0) << 16 | byte(1) << 8 | byte(2);
    out += digits[three >> 18];
    out += digits[(three >> 12) & 63];
    out += i + 1 < bytes.size() ? digits[(three >> 6) & 63] : '=';
    out += i + 2 < bytes.size() ? digits[three & 63] : '=';
  }
  return out;
}

std::string counted(std::size_t number, std::string_view what) {
  return std::to_string(number) + " " + std::string(what) + (number == 1 ? "" : "s");
}

}  // namespace BELAY_NAMESPACE::builtin
