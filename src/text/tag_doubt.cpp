#include "text/tag_doubt.h"

#include "text/scan.h"

#include <algorithm>

namespace belay::text {

void Edges::add(std::string_view bytes) {
  if (head_.size() < kBytes) head_ += bytes.substr(0, kBytes - head_.size());
  if (bytes.size() >= kBytes) {
    tail_ = bytes.substr(bytes.size() - kBytes);
    return;
  }
  tail_ += bytes;
  if (tail_.size() > kBytes) tail_.erase(0, tail_.size() - kBytes);
}

bool Edges::doubtful(const TagStyle& style) const {
  // <x>>a: the last byte of the opening tag, or more of it, twice.
  for (std::size_t n = 1; n <= style.end.size(); ++n)
    if (head_.starts_with(style.end.substr(style.end.size() - n))) return true;
  // a<</x>: the first bytes of the closing tag twice. A bracket alone ends lists.
  for (std::size_t n = style.close.front() == ']' ? 2 : 1; n <= style.close.size(); ++n)
    if (tail_.ends_with(style.close.substr(0, n)) || tail_.ends_with(style.open.substr(0, n))) return true;
  if (style.open != "<") return false;
  // CDATA that was not recognised.
  if (head_.find("CDATA[") != std::string::npos) return true;
  std::string_view tail = tail_;
  while (!tail.empty() && is_space(tail.back())) tail.remove_suffix(1);
  return tail.ends_with("]]>");
}

bool like_own(const Tag& tag, std::string_view text, const TagStyle& style) {
  // No value has these brackets by chance.
  if (style.open != "<") {
    const std::string_view mark = style.open.ends_with('<') ? style.open.substr(0, style.open.size() - 1) : style.open;
    return text.starts_with(mark) || text.starts_with(style.close) || (style.end != ">" && text.starts_with(style.end));
  }
  std::string_view name = tag.name;
  while (name.starts_with('/')) name.remove_prefix(1);
  if (name.empty()) return false;
  for (std::string_view own : {style.call.items[0], style.parameter.items[0], style.value})
    if (!own.empty() && nearly_named(name, own)) return true;
  return false;
}

bool torn_name(std::string_view name) {
  return name.find_first_of("<>\"'=\n") != std::string_view::npos;
}

}  // namespace belay::text
