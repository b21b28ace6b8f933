#include <belay/tool.h>

#include "base/utf8.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace BELAY_NAMESPACE::tool {
namespace {

constexpr std::string_view kCut = "\n[... ", kCutEnd = " bytes left out here ...]\n",
                           kPartsEnd = " more parts of the result were left out]";

// The number that a text begins with, which is taken off it.
std::optional<std::size_t> number(std::string_view& text) {
  std::size_t out = 0;
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (trouble != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return out;
}
bool skip(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

// Results go through bounded() more than once. What was cut for the same room is not cut again: the second cut would
// take the numbers of the first for the tool's text, and state false ones.
bool was_cut(std::string_view text, std::size_t room) {
  const std::size_t most = room * 2 / 3;
  for (std::size_t back = 0; back <= std::min<std::size_t>(most, 3); ++back) {  // to the beginning of a character
    const std::size_t head = most - back;
    std::string_view rest = text.substr(std::min(head, text.size()));
    if (skip(rest, kCut) && number(rest) && skip(rest, " of ") && number(rest) && skip(rest, kCutEnd))
      return head + rest.size() <= room;
  }
  return false;
}

// At most `room` bytes of a text: its beginning and its end, with a line between them that says what is missing.
std::string cut(const std::string& text, std::size_t room) {
  if (text.size() <= room || was_cut(text, room)) return text;
  std::size_t head = room * 2 / 3, tail = room - head;
  while (head > 0 && (static_cast<unsigned char>(text[head]) & 0xc0) == 0x80) --head;
  std::size_t from = text.size() - tail;
  while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xc0) == 0x80) ++from;
  return text.substr(0, head) + std::string(kCut) + std::to_string(from - head) + " of " + std::to_string(text.size()) +
         std::string(kCutEnd) + text.substr(from);
}

// How many parts a text says were left out, if that is all it says: it is one sentence, however often it is counted.
std::optional<std::size_t> parts_in(const chat::Block& block) {
  std::string_view text = block.text;
  if (block.kind != chat::Block::Kind::text || !skip(text, "[")) return std::nullopt;
  const auto out = number(text);
  return out && text == kPartsEnd ? out : std::nullopt;
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
    if (const auto parts = parts_in(block)) {
      left_out += *parts;
      continue;
    }
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
  if (left_out > 0) kept.push_back(chat::text_block("[" + std::to_string(left_out) + std::string(kPartsEnd)));
  if (kept.empty()) kept.push_back(chat::text_block("(the tool gave an empty result)"));
  result.content = std::move(kept);
  return result;
}

}  // namespace BELAY_NAMESPACE::tool
