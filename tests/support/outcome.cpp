#include "outcome.h"

#include <algorithm>
#include <stdexcept>

namespace belay::check {

Outcome read_pieces(const Pieces& pieces, json::ReaderOptions options, json::Ending ending, const Pieces& before) {
  options.text = false;
  json::Reader plain(options);
  options.text = true;
  json::Reader reader(options);
  if (!before.empty()) {
    for (json::Reader* r : {&plain, &reader}) {
      for (std::string_view piece : before) r->push(piece);
      r->finish_in_place(ending);
      r->reset();
    }
  }
  Outcome out;
  for (std::string_view piece : pieces) {
    reader.push(piece);
    plain.push(piece);
    out.text += reader.take_text();
    if (reader.offset() != plain.offset()) out.plain = "the offset";
  }
  Outcome without;
  out.reading = reader.finish(ending);
  out.text += reader.take_text();
  out.text_stopped = reader.text_stopped();
  without.reading = plain.finish(ending);
  without.text = out.text;
  without.text_stopped = out.text_stopped;
  for (Outcome* o : {&out, &without})
    for (json::Value value : o->reading.document.values()) o->values.push_back(json::to_string(value));
  if (out.plain.empty()) out.plain = difference(out, without);
  return out;
}

Outcome read_whole(std::string_view input, json::ReaderOptions options, json::Ending ending) {
  return read_pieces({input}, options, ending);
}

json::Document document_of(std::string_view json_text) {
  json::ReaderOptions options;
  options.mode = json::Mode::strict;
  options.limits.depth = kUnlimited;
  json::Reading reading = json::read(json_text, options);
  if (reading.verdict.word() != json::Word::valid) throw std::invalid_argument(reading.error.message);
  return std::move(reading.document);
}

Pieces chop(std::string_view input, std::size_t size) {
  Pieces out;
  for (std::size_t at = 0; at < input.size(); at += size) out.push_back(input.substr(at, size));
  return out;
}

std::string difference(const Outcome& a, const Outcome& b) {
  const json::Reading &x = a.reading, &y = b.reading;
  auto both = [](std::string_view what, const std::string& left, const std::string& right) {
    return std::string(what) + ": " + left + " against " + right;
  };
  if (x.verdict != y.verdict || a.values != b.values) return both("the reading", describe(a), describe(b));
  for (std::size_t i = 0; i < std::min(x.edits.size(), y.edits.size()); ++i)
    if (x.edits[i] != y.edits[i]) return both("edit " + std::to_string(i), describe(x.edits[i]), describe(y.edits[i]));
  if (x.edits.size() != y.edits.size() || x.edits_total != y.edits_total)
    return both("the number of edits", describe(a), describe(b));
  if (x.error != y.error)
    return both("the error", x.error.message + " at " + std::to_string(x.error.position.offset),
                y.error.message + " at " + std::to_string(y.error.position.offset));
  if (a.plain != b.plain) return both("with text output or without", a.plain, b.plain);
  if (a.text != b.text) return both("the text", printable(a.text), printable(b.text));
  if (a.text_stopped != b.text_stopped) return "whether the text stopped";
  return {};
}

std::string cut_difference(std::string_view input, json::ReaderOptions options, json::Ending ending,
                           std::size_t max_splits) {
  const Outcome whole = read_whole(input, options, ending);
  if (std::string d = difference(whole, read_pieces(chop(input, 1), options, ending)); !d.empty())
    return "byte by byte, " + d;
  std::size_t step = std::max<std::size_t>(1, input.size() / std::max<std::size_t>(1, max_splits));
  for (std::size_t at = 0; at <= input.size(); at += step)
    if (std::string d = difference(whole, read_pieces({input.substr(0, at), input.substr(at)}, options, ending));
        !d.empty())
      return "cut at " + std::to_string(at) + ", " + d;
  return {};
}

std::string describe(const json::Edit& edit) {
  return std::string(json::name(edit.kind)) + "(" + std::string(json::name(edit.grade)) + ") at " +
         std::to_string(edit.offset) + "+" + std::to_string(edit.length);
}

std::string describe(const Outcome& outcome) {
  std::string out(json::name(outcome.reading.verdict.word()));
  for (const std::string& value : outcome.values) out += " " + value;
  for (const json::Edit& edit : outcome.reading.edits) out += "; " + describe(edit);
  if (outcome.reading.error) out += "; " + outcome.reading.error.message;
  return out;
}

std::string printable(std::string_view bytes) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (char c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '\\')
      out += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\\')
      out += "\\\\";
    else
      ((out += "\\x") += kHex[byte >> 4]) += kHex[byte & 15];
  }
  return out;
}

}  // namespace belay::check
