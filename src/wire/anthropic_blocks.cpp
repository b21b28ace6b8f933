// The blocks that messages and answers are made of, both ways.
#include "wire/anthropic.h"
#include "wire/body.h"

#include <belay/json/writer.h>

namespace BELAY_NAMESPACE::wire::anthropic {
namespace {

using chat::Block;
using BlockKind = chat::Block::Kind;

Block other_block(json::Value value) {
  Block b;
  b.kind = BlockKind::other;
  b.opaque.push_back({std::string(kName), std::string(text_at(value, "type")), json::to_string(value)});
  return b;
}

std::optional<Block> read_image(ObjectReader& fields) {
  auto source = fields.object("source");
  if (!source) return std::nullopt;
  Block b;
  b.kind = BlockKind::image;
  std::string_view type = text_at(*source, "type");
  if (type == "base64") {
    b.media_type = text_at(*source, "media_type");
    b.data = text_at(*source, "data");
  } else if (type == "url") {
    b.url = text_at(*source, "url");
  }
  if (b.data.empty() && b.url.empty()) return std::nullopt;
  return b;
}

Block read_thinking(ObjectReader& fields, bool redacted) {
  Block b;
  b.kind = BlockKind::reasoning;
  if (!redacted) b.text = fields.text("thinking").value_or("");
  // Compatible servers do without signatures; null says that this block had none and is to be sent all the same.
  std::string_view key = redacted ? "data" : "signature";
  auto secret = fields.any(key);
  b.opaque.push_back({std::string(kName), std::string(key), secret ? json::to_string(*secret) : "null"});
  return b;
}

std::expected<Block, WireError> read_block(json::Value value, const std::string& path, bool inside_result);

std::expected<std::vector<Block>, WireError> read_blocks(json::Value content, const std::string& path,
                                                         bool inside_result) {
  std::vector<Block> blocks;
  if (content.is_string()) {
    blocks.push_back(chat::text_block(std::string(content.as_string())));
    return blocks;
  }
  if (!content.is_array()) return wrong(path, "must be a string or a list of blocks");
  for (json::Value value : content.items()) {
    auto block = read_block(value, below(path, blocks.size()), inside_result);
    if (!block) return std::unexpected(block.error());
    blocks.push_back(std::move(*block));
  }
  return blocks;
}

std::expected<Block, WireError> read_block(json::Value value, const std::string& path, bool inside_result) {
  if (!value.is_object()) return wrong(path, "must be an object");
  ObjectReader fields(value);
  std::string_view type = fields.text("type").value_or("");
  if (type.empty()) return wrong(below(path, "type"), "must be a string");
  Block b;
  if (type == "text") {
    b.text = fields.text("text").value_or("");
  } else if (type == "image") {
    auto image = read_image(fields);
    if (!image) return other_block(value);
    b = std::move(*image);
  } else if (inside_result) {
    // Results hold texts and images; whatever else they may hold is not looked into.
    return other_block(value);
  } else if (type == "thinking" || type == "redacted_thinking") {
    b = read_thinking(fields, type != "thinking");
  } else if (type == "tool_use") {
    b.kind = BlockKind::tool_call;
    b.id = fields.text("id").value_or("");
    b.name = fields.text("name").value_or("");
    auto input = fields.any("input");
    b.arguments = input ? arguments_text(*input) : std::string();
    if (b.arguments.empty()) b.arguments = "{}";
  } else if (type == "tool_result") {
    b.kind = BlockKind::tool_result;
    b.id = fields.text("tool_use_id").value_or("");
    b.is_error = fields.boolean("is_error").value_or(false);
    if (auto content = fields.any("content"); content && !content->is_null()) {
      auto blocks = read_blocks(*content, below(path, "content"), true);
      if (!blocks) return std::unexpected(blocks.error());
      b.content = std::move(*blocks);
    }
  } else {
    return other_block(value);
  }
  fields.keep_rest(kName, b.opaque);
  return b;
}

// Ids of other wires may hold any character; this API takes only these. The same id always gives the same one.
std::string id_text(std::string_view id) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  for (char c : id) {
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-') {
      out += c;
    } else {
      auto u = static_cast<unsigned char>(c);
      out += '_';
      out += kHex[u >> 4];
      out += kHex[u & 15];
    }
  }
  return out;
}

void write_image(JsonText& out, const Block& b) {
  out.member("type", "image").key("source").open('{');
  if (auto image = image_data(b))
    out.member("type", "base64").member("media_type", image->media_type).member("data", image->data);
  else
    out.member("type", "url").member("url", b.url);
  out.close('}');
}

void write_result(JsonText& out, const Block& b) {
  out.member("type", "tool_result").member("tool_use_id", id_text(b.id));
  bool plain = b.content.size() == 1 && b.content[0].kind == BlockKind::text && b.content[0].opaque.empty();
  if (plain) {
    out.member("content", b.content[0].text);
  } else if (!b.content.empty()) {
    out.key("content").open('[');
    for (const Block& inner : b.content)
      if (has_form(inner)) write_block(out, inner);
    out.close(']');
  }
  if (b.is_error) out.key("is_error").boolean(true);
}

void write_thinking(JsonText& out, const Block& b) {
  if (std::string_view data = opaque_of(b.opaque, kName, "data"); !data.empty()) {
    out.member("type", "redacted_thinking").key("data").raw(data);
    return;
  }
  out.member("type", "thinking").member("thinking", b.text);
  std::string_view signature = opaque_of(b.opaque, kName, "signature");
  if (!signature.empty() && signature != "null") out.key("signature").raw(signature);
}

}  // namespace

std::expected<std::vector<Block>, WireError> read_content(json::Value content, const std::string& path) {
  return read_blocks(content, path, false);
}

std::string made_id(std::string_view answer, std::uint64_t place) {
  return "toolu_" + id_text(answer) + "_" + std::to_string(place);
}

bool has_form(const Block& b) {
  switch (b.kind) {
    case BlockKind::text:
    case BlockKind::refusal: return !b.text.empty() || has_opaque_of(b.opaque, kName);
    case BlockKind::reasoning:
      return !opaque_of(b.opaque, kName, "signature").empty() || !opaque_of(b.opaque, kName, "data").empty();
    case BlockKind::image: return image_data(b) || !b.url.empty();
    case BlockKind::tool_call:
    case BlockKind::tool_result: return true;
    case BlockKind::other: return has_opaque_of(b.opaque, kName);
  }
  return false;
}

void write_block(JsonText& out, const Block& b) {
  if (b.kind == BlockKind::other) {
    for (const chat::Opaque& o : b.opaque)
      if (o.wire == kName) out.raw(o.json);
    return;
  }
  out.open('{');
  switch (b.kind) {
    case BlockKind::text:
    case BlockKind::refusal: out.member("type", "text").member("text", b.text); break;
    case BlockKind::reasoning: write_thinking(out, b); break;
    case BlockKind::image: write_image(out, b); break;
    case BlockKind::tool_call:
      out.member("type", "tool_use").member("id", id_text(b.id)).member("name", b.name);
      out.key("input").raw(object_text(b.arguments));
      break;
    case BlockKind::tool_result: write_result(out, b); break;
    case BlockKind::other: break;
  }
  write_rest(out, b.opaque, kName, b.kind == BlockKind::reasoning ? Keys{"signature", "data"} : Keys{});
  out.close('}');
}

}  // namespace BELAY_NAMESPACE::wire::anthropic
