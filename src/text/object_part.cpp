#include "text/object_part.h"

#include <algorithm>

namespace belay::text {
namespace {

json::ReaderOptions reader_options(const Limits& limits) {
  json::ReaderOptions options;
  options.root = json::Root::object;
  options.limits = limits;
  return options;
}

}  // namespace

void advance(Position& at, std::string_view bytes) {
  at.offset += bytes.size();
  std::size_t last = bytes.rfind('\n');
  if (last == std::string_view::npos) {
    at.column += bytes.size();
    return;
  }
  at.line += static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
  at.column = bytes.size() - last;
}

json::Error cut_error(Position at) {
  return {json::ErrorKind::truncated, at,
          "the text was cut off inside the call after " + std::to_string(at.offset) +
              " bytes; ask for the rest, or for smaller pieces"};
}

void shift(json::Reading& reading, Position by) {
  for (json::Edit& edit : reading.edits) edit.offset += by.offset;
  if (!reading.error) return;
  Position& p = reading.error.position;
  if (p.line == 1) p.column += by.column - 1;
  p.line += by.line - 1;
  p.offset += by.offset;
}

void add_edits(json::Reading& reading, Receipt& receipt) {
  reading.edits_total += receipt.total;
  reading.verdict.grade = std::max(reading.verdict.grade, receipt.grade);
  reading.edits.insert(reading.edits.end(), receipt.edits.begin(), receipt.edits.end());
  std::stable_sort(reading.edits.begin(), reading.edits.end(),
                   [](const json::Edit& a, const json::Edit& b) { return a.offset < b.offset; });
  if (reading.edits.size() > receipt.limit) reading.edits.resize(receipt.limit);
}

ObjectPart::ObjectPart(Context& context, const Row& row)
    : context_(context), row_(row), reader_(reader_options(context.options.limits)) {
  for (const Words* words : {&row.end, &row.start, &row.outer_end})
    for (std::string_view word : *words) marks_.add(word.front());
}

void ObjectPart::begin(Position at) {
  reader_.reset();
  span_ = {};
  at_ = at;
}

std::size_t ObjectPart::read(std::string_view window, bool final, Then& then) {
  std::size_t i = 0;
  then = Then::more;
  while (true) {
    Span::Stop stop = span_.scan(window, i, marks_);
    i = stop.taken;
    if (stop.at == Span::At::end) break;
    if (stop.at == Span::At::closed) {
      then = Then::closed;
      break;
    }
    Is is = Is::no;
    for (const Words* words : {&row_.end, &row_.start, &row_.outer_end}) {
      Match m = match_any(window.substr(i), *words, final);
      if (m.is == Is::yes || (m.is == Is::more && is == Is::no)) is = m.is;
    }
    // The very first byte is the object's own.
    if (!span_.begun()) is = Is::no;
    if (is == Is::yes) then = Then::marker;
    if (is != Is::no) break;
    if (span_.step(window[i++])) {
      then = Then::closed;
      break;
    }
  }
  reader_.push(window.substr(0, i));
  context_.output.delta(window.substr(0, i));
  return i;
}

std::size_t ObjectPart::again(std::string_view window, std::size_t space) {
  span_ = {};
  reader_.push(window.substr(0, space));
  context_.output.delta(window.substr(0, space));
  return space;
}

json::Reading ObjectPart::finish(bool cut) {
  json::Reading reading = reader_.finish(cut ? json::Ending::cut : json::Ending::complete);
  reader_.reset();
  shift(reading, at_);
  // The reader counts its own bytes only.
  if (reading.error.kind == json::ErrorKind::truncated) reading.error = cut_error(reading.error.position);
  return reading;
}

}  // namespace belay::text
