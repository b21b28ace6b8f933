#include "run/parcel.h"

#include <cstdint>
#include <cstring>

namespace BELAY_NAMESPACE::run {
namespace {

constexpr char kText = 't', kImage = 'i', kEnd = '.';

void add(std::string& out, std::string_view text) {
  const std::uint64_t size = text.size();
  out.append(reinterpret_cast<const char*>(&size), sizeof size);
  out += text;
}

bool take(std::string_view& in, std::string& text) {
  std::uint64_t size = 0;
  if (in.size() < sizeof size) return false;
  std::memcpy(&size, in.data(), sizeof size);
  in.remove_prefix(sizeof size);
  if (in.size() < size) return false;
  text = in.substr(0, size);
  in.remove_prefix(size);
  return true;
}

}  // namespace

std::string packed(const tool::Result& result) {
  std::string out(1, result.is_error ? '!' : '=');
  for (const chat::Block& block : result.content) {
    if (block.kind == chat::Block::Kind::text) {
      out += kText;
      add(out, block.text);
    } else if (block.kind == chat::Block::Kind::image) {
      out += kImage;
      add(out, block.media_type);
      add(out, block.data);
      add(out, block.url);
    }
  }
  return out += kEnd;
}

std::optional<tool::Result> unpacked(std::string_view in) {
  if (in.empty() || (in.front() != '!' && in.front() != '=')) return std::nullopt;
  tool::Result result;
  result.is_error = in.front() == '!';
  in.remove_prefix(1);
  while (!in.empty()) {
    const char kind = in.front();
    in.remove_prefix(1);
    if (kind == kEnd) return in.empty() ? std::optional(std::move(result)) : std::nullopt;
    chat::Block block;
    bool whole = false;
    if (kind == kText) {
      whole = take(in, block.text);
    } else if (kind == kImage) {
      block.kind = chat::Block::Kind::image;
      whole = take(in, block.media_type) && take(in, block.data) && take(in, block.url);
    }
    if (!whole) return std::nullopt;
    result.content.push_back(std::move(block));
  }
  return std::nullopt;
}

}  // namespace BELAY_NAMESPACE::run
