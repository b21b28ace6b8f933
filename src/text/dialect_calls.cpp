// Calls as text, by grammar.
#include "text/dialect_parts.h"
#include "text/scan.h"

#include <belay/json/writer.h>

#include <algorithm>

namespace BELAY_NAMESPACE::text {
namespace {

std::string_view first(const Words& words) { return words.empty() ? std::string_view() : *words.begin(); }

std::string json_text(json::Value value, const Row& row) {
  std::string out;
  write_value(value, {}, out);
  return without_markers(std::move(out), row);
}

void put_member(std::string_view key, std::string_view text, std::string& out) {
  json::write_string(key, out);
  out += ": ";
  json::write_string(text, out);
}

// {"name": "f", "arguments": {...}}
std::string object_of(const Written& how, const Row& row, const Piece& piece) {
  std::string out = "{";
  if (row.key_is_name) {
    json::write_string(piece.name, out);
    return out + ": " + json_text(piece.arguments, row) + "}";
  }
  const std::string id = written_id(how, piece.name, piece.id, piece.index);
  // Cohere says the id first, Mistral last.
  const bool id_first = how.id_key == "tool_call_id";
  if (id_first) {
    put_member(how.id_key, id.empty() ? std::to_string(piece.index) : id, out);
    out += ", ";
  }
  put_member(row.name_key, piece.name, out);
  out += ", ";
  json::write_string(!how.arguments_key.empty() ? how.arguments_key : row.arguments_key, out);
  out += ": " + json_text(piece.arguments, row);
  if (!how.id_key.empty() && !id_first && !id.empty()) {
    out += ", ";
    put_member(how.id_key, id, out);
  }
  return out + "}";
}

std::string put_json(const Written& how, const Row& row, const std::vector<Piece>& pieces) {
  std::string out;
  if (how.list) {
    out += first(row.start);
    out += how.before_arguments;
    out += how.gap;
    out += '[';
    for (const Piece& piece : pieces) {
      if (piece.index > 0) out += ", ";
      out += object_of(how, row, piece);
    }
    out += ']';
    out += how.gap;
    out += how.after_arguments;
    out += first(row.end);
    return out;
  }
  for (const Piece& piece : pieces) {
    if (piece.index > 0) out += how.between;
    out += first(row.outer);
    out += first(row.start);
    out += how.gap;
    out += object_of(how, row, piece);
    if (!row.end.empty()) out += how.gap;
    out += first(row.end);
  }
  return out;
}

bool short_id(std::string_view id) {
  return id.size() == 9 && std::all_of(id.begin(), id.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
         });
}

std::string put_named(const Written& how, const Row& row, const std::vector<Piece>& pieces) {
  std::string out(first(row.outer));
  for (const Piece& piece : pieces) {
    if (piece.index > 0) out += how.between;
    out += first(row.start);
    out += how.before_name;
    if (how.counted)
      out += written_id(how, piece.name, piece.id, piece.index);
    else
      out += piece.name;
    if (!row.before_id.empty() && short_id(piece.id)) {
      out += row.before_id;
      out += piece.id;
    }
    if (how.before_name.empty()) out += row.separator;
    out += how.before_arguments;
    out += how.name_inside ? object_of(how, row, piece) : json_text(piece.arguments, row);
    out += how.after_arguments;
    out += first(row.end);
  }
  out += first(row.outer_end);
  return out;
}

std::string put_harmony(const Written& how, const Row& row, const std::vector<Piece>& pieces) {
  std::string out;
  for (const Piece& piece : pieces) {
    if (piece.index > 0) out += how.between;
    out += "<|channel|>commentary to=functions.";
    out += piece.name;
    out += " <|constrain|>json<|message|>" + json_text(piece.arguments, row);
    out += first(row.end);
  }
  return out;
}

std::string put_python(const Written& how, const Row& row, const std::vector<Piece>& pieces) {
  constexpr Language kPython = {
      .yes = "True", .no = "False", .null = "None", .comma = ", ", .colon = ": ", .python = true};
  const bool list = how.between != "\n";
  std::string calls;
  for (const Piece& piece : pieces) {
    if (piece.index > 0) calls += how.between;
    calls += piece.name;
    calls += '(';
    write_members(piece.arguments, kPython, calls);
    calls += ')';
  }
  calls = without_markers(std::move(calls), row);
  if (list) calls = "[" + calls + "]";
  return std::string(first(row.start)) + calls + std::string(first(row.end));
}

std::string put_script(const Row& row, const std::vector<Piece>& pieces) {
  const Language language = {.comma = ",", .colon = ":", .quote = row.quote};
  std::string out;
  for (const Piece& piece : pieces) {
    out += first(row.start);
    out += "call:";
    out += piece.name;
    out += '{';
    write_members(piece.arguments, language, out);
    out += '}';
    out += first(row.end);
  }
  return out;
}

std::string put_tags(const Written& how, const Row& row, const std::vector<Piece>& pieces) {
  const std::string_view line = how.broken_lines ? "\n" : "";
  const std::string_view each_open = how.each ? first(row.outer) : how.outer_nests ? row.outer.items[1] : "";
  const std::string_view each_close = how.each ? first(row.outer_end) : how.outer_nests ? first(row.outer_end) : "";
  const std::string_view all_open = how.each ? "" : first(row.outer);
  const std::string_view all_close = how.each ? "" : how.outer_nests ? row.outer_end.items[1] : first(row.outer_end);
  auto around = [&](std::string_view open, const std::string& inside, std::string_view close) {
    if (open.empty()) return inside;
    std::string out(open);
    out += line;
    out += inside;
    out += line;
    out += close;
    return out;
  };
  std::string calls;
  for (const Piece& piece : pieces) {
    if (piece.index > 0) calls += how.between;
    calls += around(each_open, put_tag_call(how, row, piece), each_close);
  }
  return around(all_open, calls, all_close);
}

}  // namespace

std::string written_id(const Written& how, std::string_view name, std::string_view id, std::size_t index) {
  if (!how.counted) return std::string(id);
  const std::string start = "functions." + std::string(name) + ":";
  if (id.starts_with(start) && id.size() > start.size() &&
      id.find_first_not_of("0123456789", start.size()) == std::string_view::npos)
    return std::string(id);
  return start + std::to_string(index);
}

std::string put_calls(const Written& how, const Row& row, const std::vector<Piece>& pieces) {
  switch (row.grammar) {
    case Grammar::json:
    case Grammar::bare_json: return put_json(how, row, pieces);
    case Grammar::named: return put_named(how, row, pieces);
    case Grammar::harmony: return put_harmony(how, row, pieces);
    case Grammar::python:
    case Grammar::bare_python: return put_python(how, row, pieces);
    case Grammar::script: return put_script(row, pieces);
    case Grammar::tags: return put_tags(how, row, pieces);
  }
  return {};
}

}  // namespace BELAY_NAMESPACE::text
