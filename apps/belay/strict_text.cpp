#include "strict_text.h"

#include "terminal.h"
#include "words.h"

#include <utility>

namespace belay::cli {
namespace {

std::expected<StrictText, std::string> read_text(const std::string& path, const Limits& limits, json::Mode mode) {
  auto input = Input::open(path, 0);
  if (!input) return std::unexpected(std::move(input.error()));
  json::ReaderOptions options;
  options.mode = mode;
  options.limits = limits;
  json::Reader reader(options);
  StrictText out;
  out.name = path == "-" ? "<stdin>" : printable(path);
  while (!reader.failed()) {
    auto piece = input->next();
    if (!piece) return std::unexpected(std::move(piece.error()));
    if (piece->empty()) break;
    out.text += *piece;
    reader.push(*piece);
  }
  out.reading = reader.finish();
  return out;
}

// A character that looks like a space, or like nothing.
std::string unseen(const json::Error& error, std::string_view text) {
  if (error.kind != json::ErrorKind::unexpected_byte || error.position.offset >= text.size()) return "";
  const Glyph glyph = first_glyph(text.substr(static_cast<std::size_t>(error.position.offset)));
  const std::string place = glyph.text + " here, which JSON does not allow";
  if (glyph.text == "<U+FEFF>") return "a byte order mark " + place;
  if (glyph.text == "<U+00A0>") return "a no-break space " + place;
  if (glyph.text.starts_with("<U+") || glyph.text.starts_with("<x")) return "the character " + place;
  return "";
}

}  // namespace

std::expected<StrictText, std::string> read_strict_text(const std::string& path, const Limits& limits) {
  return read_text(path, limits, json::Mode::strict);
}

std::expected<StrictText, std::string> read_damaged_text(const std::string& path, const Limits& limits) {
  return read_text(path, limits, json::Mode::tolerant);
}

std::string why_not_json(const json::Error& error, std::string_view text) {
  using enum json::ErrorKind;
  if (error.kind == limit || error.kind == empty) return for_shell(error.message);
  if (const std::string what = unseen(error, text); !what.empty())
    return "not JSON: there is " + what + "; `belay repair` mends such text where it can";
  return "not JSON: " + error.message.substr(0, error.message.find("; ")) +
         "; `belay repair` mends such text where it can";
}

}  // namespace belay::cli
