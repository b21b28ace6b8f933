// The parts that contents and answers are made of, both ways.
#include "wire/gemini.h"

#include <belay/json/writer.h>

namespace BELAY_NAMESPACE::wire::gemini {
namespace {

using chat::Block;
using BlockKind = chat::Block::Kind;
using Spelling = ObjectReader::Spelling;

// On a call or result: the wire named none, the id was made.
constexpr std::string_view kId = "@id";
constexpr std::string_view kSignature = "thoughtSignature";

void read_call(json::Value value, CallIds& ids, Block& b) {
  ObjectReader call(value, Spelling::camel_or_snake);
  b.kind = BlockKind::tool_call;
  b.name = call.text("name").value_or("");
  std::string_view id = call.text("id").value_or("");
  b.id = ids.call(id, b.name);
  if (id.empty()) b.opaque.push_back({std::string(kName), std::string(kId), "null"});
  auto args = call.any("args");
  b.arguments = args ? arguments_text(*args) : std::string();
  if (b.arguments.empty()) b.arguments = "{}";
  call.keep_rest_as("@functionCall", kName, b.opaque);
}

// The object of a result: {"output": text} or {"error": text} are what this wire writes itself. Others stay as they
// are, and are read as the one text that they hold, or as their JSON.
void read_response(json::Value response, Block& b) {
  std::string text;
  bool written = false;
  if (response.size() == 1 && response.is_object()) {
    json::Member only = *response.members().begin();
    written = (only.key == "output" || only.key == "error") && only.value.is_string();
    b.is_error = only.key == "error";
    text = only.value.as_string();
    if (!only.value.is_string()) text = json::to_string(b.is_error ? only.value : response);
  } else if (!response.is_object() || response.size() > 0) {
    text = arguments_text(response);
  }
  if (!written) keep("@response", response, kName, b.opaque);
  if (written || !text.empty()) b.content.push_back(chat::text_block(std::move(text)));
}

void read_result(json::Value value, CallIds& ids, Block& b) {
  ObjectReader result(value, Spelling::camel_or_snake);
  b.kind = BlockKind::tool_result;
  b.name = result.text("name").value_or("");
  std::string_view id = result.text("id").value_or("");
  b.id = ids.result(id, b.name);
  if (id.empty()) b.opaque.push_back({std::string(kName), std::string(kId), "null"});
  if (auto response = result.any("response")) read_response(*response, b);
  if (auto parts = result.array("parts"))
    for (json::Value part : parts->items()) b.content.push_back(read_part(part, ids));
  result.keep_rest_as("@functionResponse", kName, b.opaque);
}

// Only images have a form in other wires.
bool read_media(ObjectReader& part, Block& b) {
  auto media = part.object("inlineData");
  auto file = media ? std::nullopt : part.object("fileData");
  if (!media && !file) return false;
  ObjectReader fields(media ? *media : *file, Spelling::camel_or_snake);
  b.media_type = fields.text("mimeType").value_or("");
  b.data = media ? fields.text("data").value_or("") : std::string_view{};
  b.url = file ? fields.text("fileUri").value_or("") : std::string_view{};
  if (!b.media_type.starts_with("image/") || (b.data.empty() && b.url.empty())) return false;
  b.kind = BlockKind::image;
  fields.keep_rest_as(media ? "@inlineData" : "@fileData", kName, b.opaque);
  return true;
}

Block other_block(json::Value part) {
  Block b;
  b.kind = BlockKind::other;
  std::string_view key = "part";
  for (json::Member m : part.members()) {
    key = m.key;
    break;
  }
  keep(key, part, kName, b.opaque);
  return b;
}

void write_result(JsonText& out, const Block& b, std::string_view name) {
  out.key("functionResponse").open('{');
  if (opaque_of(b.opaque, kName, kId).empty() && !b.id.empty()) out.member("id", b.id);
  out.member("name", b.name.empty() ? name : b.name).key("response");
  if (std::string_view response = opaque_of(b.opaque, kName, "@response"); !response.empty())
    out.raw(response);
  else
    out.open('{').member(b.is_error ? "error" : "output", joined_text(b.content)).close('}');
  bool media = false;
  for (const Block& inner : b.content) {
    if ((inner.kind != BlockKind::image && inner.kind != BlockKind::other) || !has_form(inner)) continue;
    if (!std::exchange(media, true)) out.key("parts").open('[');
    write_part(out, inner);
  }
  if (media) out.close(']');
  write_members(out, opaque_of(b.opaque, kName, "@functionResponse"));
  out.close('}');
}

void write_call(JsonText& out, const Block& b, std::string_view signature) {
  out.key("functionCall").open('{');
  if (opaque_of(b.opaque, kName, kId).empty() && !b.id.empty()) out.member("id", b.id);
  out.member("name", b.name).key("args").raw(object_text(b.arguments));
  write_members(out, opaque_of(b.opaque, kName, "@functionCall"));
  out.close('}');
  if (!signature.empty() && opaque_of(b.opaque, kName, kSignature).empty()) out.key(kSignature).raw(signature);
}

void write_image(JsonText& out, const Block& b) {
  auto image = image_data(b);
  std::string_view key = image ? "inlineData" : "fileData";
  out.key(key).open('{');
  std::string_view type = image ? image->media_type : b.media_type;
  if (!type.empty()) out.member("mimeType", type);
  if (image)
    out.member("data", image->data);
  else
    out.member("fileUri", b.url);
  write_members(out, opaque_of(b.opaque, kName, image ? "@inlineData" : "@fileData"));
  out.close('}');
}

}  // namespace

Block read_part(json::Value value, CallIds& ids) {
  ObjectReader part(value, Spelling::camel_or_snake);
  Block b;
  if (auto signature = part.text(kSignature)) {
    std::string quoted;
    json::write_string(*signature, quoted);
    b.opaque.push_back({std::string(kName), std::string(kSignature), std::move(quoted)});
  }
  bool thought = part.boolean("thought").value_or(false);
  auto text = part.text("text");
  if (text || (!b.opaque.empty() && value.size() == (value.find("thought") ? 2u : 1u))) {
    b.kind = thought ? BlockKind::reasoning : BlockKind::text;
    b.text = text.value_or("");
  } else if (auto call = part.object("functionCall")) {
    read_call(*call, ids, b);
  } else if (auto result = part.object("functionResponse")) {
    read_result(*result, ids, b);
  } else if (!read_media(part, b)) {
    return other_block(value);
  }
  part.keep_rest(kName, b.opaque);
  return b;
}

bool has_form(const Block& b) {
  switch (b.kind) {
    case BlockKind::text:
    case BlockKind::refusal: return !b.text.empty() || has_opaque_of(b.opaque, kName);
    case BlockKind::reasoning: return has_opaque_of(b.opaque, kName) || (!b.text.empty() && b.opaque.empty());
    case BlockKind::image: return image_data(b) || !b.url.empty();
    case BlockKind::tool_call:
    case BlockKind::tool_result: return true;
    case BlockKind::other: return has_opaque_of(b.opaque, kName);
  }
  return false;
}

void write_part(JsonText& out, const Block& b, std::string_view name, std::string_view signature) {
  if (b.kind == BlockKind::other) {
    for (const chat::Opaque& o : b.opaque)
      if (o.wire == kName) out.raw(o.json);
    return;
  }
  out.open('{');
  switch (b.kind) {
    case BlockKind::reasoning: out.member("text", b.text).key("thought").boolean(true); break;
    case BlockKind::image: write_image(out, b); break;
    case BlockKind::tool_call: write_call(out, b, signature); break;
    case BlockKind::tool_result: write_result(out, b, name); break;
    default: out.member("text", b.text); break;
  }
  write_rest(out, b.opaque, kName);
  out.close('}');
}

}  // namespace BELAY_NAMESPACE::wire::gemini
