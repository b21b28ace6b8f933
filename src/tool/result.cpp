#include <belay/tool.h>

#include "base/utf8.h"

#include <algorithm>
#include <utility>

namespace belay::tool {
namespace {

// At most `room` bytes of a text: its beginning and its end, with a line between them that says what is missing.
std::string cut(const std::string& text, std::size_t room) {
  if (text.size() <= room) return text;
  std::size_t head = room * 2 / 3, tail = room - head;
  while (head > 0 && (static_cast<unsigned char>(text[head]) & 0xc0) == 0x80) --head;
  std::size_t from = text.size() - tail;
  while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xc0) == 0x80) ++from;
  return text.substr(0, head) + "\n[... " + std::to_string(from - head) + " of " + std::to_string(text.size()) +
         " bytes left out here ...]\n" + text.substr(from);
}

}  // namespace

std::string_view name(Effect effect) noexcept {
  constexpr std::string_view names[] = {"read", "meta", "write", "execute"};
  return names[static_cast<std::size_t>(effect)];
}

Result text_result(std::string text) { return {{chat::text_block(std::move(text))}, false}; }
Result error_result(std::string text) { return {{chat::text_block(std::move(text))}, true}; }

std::string text_of(const Result& result) {
  std::string out;
  for (const chat::Block& block : result.content)
    if (block.kind == chat::Block::Kind::text) (out += out.empty() ? "" : "\n") += block.text;
  return out;
}

Result bounded(Result result, const ResultLimits& limits) {
  std::size_t texts = limits.text_bytes, images = limits.image_bytes, left_out = 0;
  std::vector<chat::Block> kept;
  for (chat::Block& block : result.content) {
    if (kept.size() >= limits.blocks) {
      ++left_out;
      continue;
    }
    if (block.kind == chat::Block::Kind::text) {
      if (!utf8::valid(block.text)) block.text = utf8::replaced(block.text);
      block.text = cut(block.text, texts);
      texts -= std::min(texts, block.text.size());
      if (!block.text.empty()) kept.push_back(std::move(block));
    } else if (block.kind == chat::Block::Kind::image) {
      if (block.data.size() > images) {
        ++left_out;
        continue;
      }
      images -= block.data.size();
      kept.push_back(std::move(block));
    }
  }
  if (left_out > 0)
    kept.push_back(chat::text_block("[" + std::to_string(left_out) + " more parts of the result were left out]"));
  if (kept.empty()) kept.push_back(chat::text_block("(the tool gave an empty result)"));
  result.content = std::move(kept);
  return result;
}

}  // namespace belay::tool
