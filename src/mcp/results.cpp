// What servers give, for models and for people's screens.
#include <belay/mcp/servers.h>
#include <belay/mcp/tools.h>
#include <belay/sandbox/command.h>

#include "base/utf8.h"
#include "mcp/invisible.h"

#include <algorithm>

namespace BELAY_NAMESPACE::mcp {
namespace {

chat::Block image(const std::string& data, const std::string& type) {
  chat::Block block;
  block.kind = chat::Block::Kind::image;
  block.data = data;
  block.media_type = type;
  return block;
}

bool is_base64(std::string_view s) {
  if (s.empty() || s.size() % 4 != 0) return false;
  while (s.ends_with('=')) s.remove_suffix(1);
  return std::ranges::all_of(s, [](unsigned char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
  });
}

std::string kilobytes(const std::string& base64) { return std::to_string(base64.size() / 4 * 3) + " bytes"; }

chat::Block block_of(const Content& c) {
  const std::string type = c.mime_type.empty() ? "" : ", " + c.mime_type;
  const bool picture = c.mime_type.starts_with("image/") && is_base64(c.data);
  switch (c.kind) {
    case Content::Kind::text: return chat::text_block(c.text);
    case Content::Kind::image:
      if (picture) return image(c.data, c.mime_type);
      return chat::text_block("[an image that cannot be shown" + type + "]");
    case Content::Kind::audio:
      return chat::text_block("[audio" + type + ", " + kilobytes(c.data) + ": it cannot be given to a model]");
    case Content::Kind::resource_link:
      return chat::text_block("[resource " + c.uri + (c.name.empty() ? "" : " (" + c.name + ")") + type +
                              (c.text.empty() ? "" : ": " + c.text) + "]");
    case Content::Kind::resource:
      if (!c.binary) return chat::text_block("[resource " + c.uri + type + "]\n" + c.text);
      if (picture) return image(c.data, c.mime_type);
      return chat::text_block("[resource " + c.uri + type + ", " + kilobytes(c.data) + " of binary data]");
    case Content::Kind::other: break;
  }
  return chat::text_block("[content of the kind " + c.name.substr(0, 40) + ", which nobody here knows]");
}

}  // namespace

tool::Result to_result(const CallResult& result) {
  tool::Result out;
  out.is_error = result.is_error;
  bool text = false;
  for (const Content& content : result.content) {
    out.content.push_back(block_of(content));
    text = text || content.kind == Content::Kind::text;
  }
  if (!text && result.structured) out.content.push_back(chat::text_block(json::to_string(*result.structured)));
  // Those that bounded() leaves out are counted into this.
  if (const std::size_t left_out = result.left_out + result.unusable; left_out > 0)
    out.content.push_back(
        chat::text_block("[" + std::to_string(left_out) + " more parts of the result were left out]"));
  return tool::bounded(std::move(out));
}

tool::Result failure_result(std::string_view server, const Failure& failure) {
  std::size_t removed = 0;
  const std::string text = std::string(server) + ": " + visible_text(failure.message, removed);
  const std::string sentence = text.ends_with('?') || text.ends_with('.') ? text : text + ".";
  if (failure.unknown)
    return tool::error_result("unknown outcome: the call was sent to the server " + sentence +
                              " It may have been carried out, or a part of it: look at what is there before you "
                              "repeat it.");
  // Down, or out of reach: a transport that has no status has not come so far.
  if (failure.kind == Failure::Kind::closed || (failure.kind == Failure::Kind::transport && failure.code == 0))
    return tool::error_result("unavailable: the server " + sentence +
                              " Try it again later, or do it with other tools.");
  if (failure.kind == Failure::Kind::answered)
    return tool::error_result(text + " (error " + std::to_string(failure.code) + ")");
  return tool::error_result(text);
}

std::string shown(std::string_view text) {
  std::string out;
  const std::string safe = sandbox::for_terminal(text);
  for_each_character(safe, [&](std::string_view bytes, std::uint32_t code) {
    if (!invisible(code)) {
      out += bytes;
      return;
    }
    constexpr char kDigits[] = "0123456789abcdef";
    out += "\\u{";
    bool begun = false;
    for (int shift = 20; shift >= 0; shift -= 4) {
      const std::uint32_t digit = code >> shift & 15;
      begun = begun || digit != 0 || shift == 0;
      if (begun) out += kDigits[digit];
    }
    out += '}';
  });
  return out;
}

}  // namespace BELAY_NAMESPACE::mcp
