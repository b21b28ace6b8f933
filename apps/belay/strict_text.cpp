#include "strict_text.h"

#include "terminal.h"
#include "words.h"

#include <utility>

namespace belay::cli {

std::expected<StrictText, std::string> read_strict_text(const std::string& path, const Limits& limits) {
  auto input = Input::open(path, 0);
  if (!input) return std::unexpected(std::move(input.error()));
  json::ReaderOptions options;
  options.mode = json::Mode::strict;
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

std::string why_not_json(const json::Error& error) {
  using enum json::ErrorKind;
  if (error.kind == limit || error.kind == empty) return for_shell(error.message);
  return "not JSON: " + error.message.substr(0, error.message.find("; ")) +
         "; `belay repair` mends such text where it can";
}

}  // namespace belay::cli
