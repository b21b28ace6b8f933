#include "result_json.h"

#include "io.h"
#include "terminal.h"

#include <belay/base.h>
#include <belay/json/writer.h>

#include <utility>

namespace belay::cli {

std::expected<std::string, std::string> all_of_input() {
  auto input = Input::open("-", 0);
  if (!input) return std::unexpected(input.error());
  std::string text;
  while (text.size() <= Limits{}.bytes) {
    auto piece = input->next();
    if (!piece) return std::unexpected(piece.error());
    if (piece->empty()) break;
    text += *piece;
  }
  return text;
}

// A terminal must not obey what strangers say. JSON escapes the C0 controls; everything else that steers is ours.
std::string quiet_json(std::string_view json) {
  std::string out;
  while (!json.empty()) {
    const Glyph glyph = first_glyph(json);
    const std::string_view bytes = json.substr(0, glyph.bytes);
    json.remove_prefix(glyph.bytes);
    // What is shown by a name is something that nobody should see as it is.
    if (glyph.text == bytes || bytes == "\n") {
      out += bytes;
      continue;
    }
    unsigned code = 0;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(bytes[i])); };
    if (bytes.size() == 1) code = byte(0);
    if (bytes.size() == 2) code = (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f);
    if (bytes.size() == 3) code = (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
    if (bytes.size() == 4)
      code = (byte(0) & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f);
    const auto unit = [&](unsigned u) {
      constexpr char kDigits[] = "0123456789abcdef";
      out += "\\u";
      for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[u >> shift & 15];
    };
    if (code >= 0x10000) {
      unit(0xd800 + ((code - 0x10000) >> 10));
      unit(0xdc00 + ((code - 0x10000) & 0x3ff));
    } else {
      unit(code);
    }
  }
  return out;
}

std::string result_json(const std::string& name, const tool::Result& result) {
  std::string out = R"({"tool":)";
  json::write_string(name, out);
  out += result.is_error ? R"(,"is_error":true,"content":[)" : R"(,"is_error":false,"content":[)";
  bool first = true;
  for (const chat::Block& block : result.content) {
    out += std::exchange(first, false) ? "" : ",";
    if (block.kind == chat::Block::Kind::image) {
      out += R"({"type":"image","media_type":)";
      json::write_string(block.media_type, out);
      out += R"(,"data":)";
      json::write_string(block.data, out);
    } else {
      out += R"({"type":"text","text":)";
      json::write_string(block.text, out);
    }
    out += "}";
  }
  return quiet_json(out + "]}") + "\n";
}

}  // namespace belay::cli
