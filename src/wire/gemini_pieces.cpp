#include "wire/gemini_pieces.h"

#include "wire/gemini.h"

#include <belay/json/reader.h>
#include <belay/json/writer.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace BELAY_NAMESPACE::wire::gemini {
namespace {

std::optional<json::Value> said(json::Value object, std::string_view camel) {
  auto v = at(object, camel);
  return v && !v->is_null() ? v : std::nullopt;
}

// The value of a piece as JSON text. A text lacks its quotes.
struct PieceValue {
  std::string json{};
  bool is_text = false;
};

std::optional<PieceValue> value_of(json::Value piece) {
  const auto text = said(piece, "stringValue"), number = said(piece, "numberValue"), flag = said(piece, "boolValue"),
             none = said(piece, "nullValue");
  const int values = text.has_value() + number.has_value() + flag.has_value() + none.has_value();
  if (values > 1) return std::nullopt;
  PieceValue value;
  if (text) {
    if (!text->is_string()) return std::nullopt;
    json::write_string(text->as_string(), value.json);
    value.json = value.json.substr(1, value.json.size() - 2);
    value.is_text = true;
  } else if (number) {
    if (!number->is_number()) return std::nullopt;
    value.json = number->number_text();
  } else if (flag) {
    if (!flag->is_bool()) return std::nullopt;
    value.json = flag->as_bool() ? "true" : "false";
  } else {
    // Google's JSON writes the value null as null, and its libraries as "NULL_VALUE".
    if (!at(piece, "nullValue")) return std::nullopt;
    value.json = "null";
  }
  return value;
}

// A name in quotes, with what stands before the closing one; takes it from the text.
std::optional<std::string> take_quoted(std::string_view& text) {
  const char quote = text.front();
  std::string json = "\"";
  std::size_t i = 1;
  for (; i < text.size() && text[i] != quote; ++i) {
    if (text[i] == '"') json += '\\';
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\'') ++i;
    json += text[i];
    if (text[i] == '\\' && i + 1 < text.size()) json += text[++i];
  }
  if (i == text.size()) return std::nullopt;
  text.remove_prefix(i + 1);
  json += '"';
  json::ReaderOptions strict;
  strict.mode = json::Mode::strict;
  const json::Reading reading = json::read(json, strict);
  if (reading.verdict.word() != json::Word::valid || !reading.document.root().is_string()) return std::nullopt;
  return std::string(reading.document.root().as_string());
}

std::optional<std::uint64_t> take_index(std::string_view& text) {
  std::uint64_t n = 0;
  const auto r = std::from_chars(text.data(), text.data() + text.size(), n);
  const auto digits = static_cast<std::size_t>(r.ptr - text.data());
  if (r.ec != std::errc() || (digits > 1 && text.front() == '0')) return std::nullopt;
  text.remove_prefix(digits);
  return n;
}

}  // namespace

// $.name, $['name'] and [0], as RFC 9535 writes the path of one value. The first step is a name, as arguments are an
// object.
std::optional<ArgumentPieces::Path> ArgumentPieces::path_of(std::string_view text) {
  if (!text.starts_with('$') || text.size() < 2) return std::nullopt;
  text.remove_prefix(1);
  Path path;
  while (!text.empty()) {
    if (text.starts_with('.')) {
      text.remove_prefix(1);
      const std::string_view name = text.substr(0, text.find_first_of(".["));
      if (name.empty() || name == "*") return std::nullopt;
      path.push_back({std::string(name)});
      text.remove_prefix(name.size());
      continue;
    }
    if (!text.starts_with('[') || text.size() < 2) return std::nullopt;
    text.remove_prefix(1);
    if (text.front() == '\'' || text.front() == '"') {
      auto name = take_quoted(text);
      if (!name) return std::nullopt;
      path.push_back({std::move(*name)});
    } else {
      const auto index = take_index(text);
      if (!index || path.empty()) return std::nullopt;
      path.push_back({{}, index});
    }
    if (!text.starts_with(']')) return std::nullopt;
    text.remove_prefix(1);
  }
  return path;
}

bool ArgumentPieces::add(json::Value pieces, std::string& out) {
  if (!pieces.is_array()) return false;
  bool all = true;
  for (json::Value piece : pieces.items()) all &= place(piece, out);
  return all;
}

bool ArgumentPieces::place(json::Value piece, std::string& out) {
  auto path_text = at(piece, "jsonPath");
  const std::optional<Path> path = path_text ? path_of(path_text->as_string()) : std::nullopt;
  const std::optional<PieceValue> value = value_of(piece);
  const auto flag = at(piece, "willContinue");
  const bool more = flag && flag->as_bool();
  if (!path || !value || (more && !value->is_text)) return false;
  const bool goes_on = text_open_ && value->is_text && *path == open_;
  bool sound = true;
  if (!goes_on) {
    // Where a text was to go on, a piece of it is missing.
    if (std::exchange(text_open_, false)) {
      out += '"';
      sound = false;
    }
    if (!go_to(*path, out)) return false;
    if (value->is_text) out += '"';
  }
  out += value->json;
  text_open_ = value->is_text && more;
  if (value->is_text && !more) out += '"';
  return sound;
}

// Closes what is over, and opens what leads to the place. False when it is none: a list has no gaps, and what is a list
// is no object.
bool ArgumentPieces::go_to(const Path& path, std::string& out) {
  std::size_t common = 0;
  const std::size_t most = std::min(open_.size(), path.size());
  while (common + 1 < most && open_[common] == path[common]) ++common;
  for (std::size_t i = common; i < path.size(); ++i) {
    const bool beside = i == common && !open_.empty();
    if (beside && open_[i].index.has_value() != path[i].index.has_value()) return false;
    if (path[i].index && *path[i].index != (beside ? *open_[i].index + 1 : 0)) return false;
  }
  close(common + 1, out);
  out += open_.empty() ? '{' : ',';
  for (std::size_t i = common; i < path.size(); ++i) {
    if (i > common) out += path[i].index ? '[' : '{';
    if (path[i].index) continue;
    json::write_string(path[i].name, out);
    out += ':';
  }
  open_ = path;
  return true;
}

void ArgumentPieces::close(std::size_t depth, std::string& out) {
  for (std::size_t i = open_.size(); i-- > depth;) out += open_[i].index ? ']' : '}';
}

bool ArgumentPieces::finish(std::string& out) {
  const bool sound = !std::exchange(text_open_, false);
  if (!sound) out += '"';
  if (open_.empty()) out += '{';
  close(open_.empty() ? 0 : 1, out);
  out += '}';
  open_.clear();
  return sound;
}

}  // namespace BELAY_NAMESPACE::wire::gemini
