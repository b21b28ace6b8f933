// Which names nobody may touch. Some file systems take several spellings for one name: other cases, dots and spaces at
// the end, short names, code points that do not show. All of them count, wherever the workspace is.
#include "base/utf8.h"
#include "sandbox/path_text.h"

#include <algorithm>
#include <array>

namespace BELAY_NAMESPACE::sandbox {
namespace {

// Code points that HFS+, or a file system that folds case, leaves out of a name: in UTF-8, first and last of a range.
struct Range {
  std::string_view first, last;
};
constexpr std::array<Range, 9> kIgnored = {{{"\xC2\xAD", "\xC2\xAD"},
                                            {"\xCD\x8F", "\xCD\x8F"},
                                            {"\xE1\xA0\x8B", "\xE1\xA0\x8F"},
                                            {"\xE2\x80\x8B", "\xE2\x80\x8F"},
                                            {"\xE2\x80\xAA", "\xE2\x80\xAE"},
                                            {"\xE2\x81\xA0", "\xE2\x81\xAF"},
                                            {"\xEF\xB8\x80", "\xEF\xB8\x8F"},
                                            {"\xEF\xBB\xBF", "\xEF\xBB\xBF"},
                                            {"\xF3\xA0\x80\x80", "\xF3\xA0\xBF\xBF"}}};

bool is_ignored(std::string_view character) {
  return std::ranges::any_of(kIgnored, [&](const Range& range) {
    return character.size() == range.first.size() && character >= range.first && character <= range.last;
  });
}

// The name as the most forgiving of all file systems would see it.
std::string folded(std::string_view part) {
  std::string out;
  while (!part.empty()) {
    const std::size_t length = utf8::step(part.data(), part.size()).length;
    const std::string_view character = part.substr(0, length);
    part.remove_prefix(length);
    if (is_ignored(character)) continue;
    if (character == "\xE2\x84\xAA") {  // the sign for Kelvin is a k, and ſ an s, once case does not count
      out += 'k';
    } else if (character == "\xC5\xBF") {
      out += 's';
    } else if (character[0] >= 'A' && character[0] <= 'Z') {
      out += static_cast<char>(character[0] + 32);
    } else {
      out += character;
    }
  }
  // name:stream is one of the file's streams on NTFS.
  if (out.size() > 1) out.resize(std::min(out.find(':', 1), out.size()));
  while (out.ends_with('.') || out.ends_with(' ')) out.pop_back();
  return out;
}

// The short names of FAT and NTFS: the first letters, a tilde, a number.
bool is_short_name(std::string_view part, std::string_view stem) {
  return part.starts_with(stem) && part.size() > stem.size() + 1 && part[stem.size()] == '~' &&
         part.find_first_not_of("0123456789", stem.size() + 1) == std::string_view::npos;
}

bool ends_in(const std::vector<std::string>& parts, std::initializer_list<std::string_view> tail) {
  return parts.size() >= tail.size() && std::equal(tail.begin(), tail.end(), parts.end() - std::ssize(tail));
}

bool is_beneath(std::string_view path, std::string_view folder) {
  if (folder == "/") return true;
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace

bool is_off_limits(std::string_view relative) {
  std::vector<std::string> parts;
  for (std::string_view part : parts_of(relative)) {
    parts.push_back(folded(part));
    const std::string& name = parts.back();
    if (name == ".git" || is_short_name(name, "git")) return true;
    if (name == ".belay" || is_short_name(name, "belay")) return true;
    if (name != "belay") continue;
    if (ends_in(parts, {".config", "belay"}) || ends_in(parts, {".cache", "belay"})) return true;
    if (ends_in(parts, {".local", "share", "belay"}) || ends_in(parts, {".local", "state", "belay"})) return true;
  }
  return false;
}

bool is_off_limits(std::string_view relative, std::string_view root, const std::vector<std::string>& folders) {
  if (is_off_limits(relative)) return true;
  if (folders.empty()) return false;
  const std::string absolute = root == "/" ? "/" + std::string(relative) : joined(root, relative);
  return std::ranges::any_of(folders, [&](const std::string& folder) { return is_beneath(absolute, folder); });
}

}  // namespace BELAY_NAMESPACE::sandbox
