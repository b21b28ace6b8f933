#include "text/object_part.h"

#include "text/wrapper.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::text {
namespace {

json::ReaderOptions reader_options(const Limits& limits, json::Root root = json::Root::object) {
  json::ReaderOptions options;
  options.root = root;
  options.one = true;
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
  for (const Words* words : {&row.end, &row.outer_end})
    for (std::string_view word : *words) ends_.emplace_back(word);
  if (row.tags)
    for (std::string_view name : row.tags->call)
      ends_.push_back(std::string(row.tags->close) + std::string(name) + std::string(row.tags->end));
  for (std::string_view word : ends_) marks_.add(word.front());
  // Where nothing ends a call, the next one does.
  inner_ = marks_;
  for (std::string_view word : row.start) {
    marks_.add(word.front());
    if (ends_.empty()) inner_.add(word.front());
  }
  follows_bare_ = row.grammar == Grammar::bare_json || (row.grammar == Grammar::json && ends_.empty());
  if (follows_bare_) inner_.add('{');
  stops_ = inner_;
  stops_.add('<');
  for (std::string_view word : row.start) stops_.add(word.front());
  inner_.add('"');
  inner_.add('\\');
}

void ObjectPart::begin(Position at, Opens opens) {
  reader_.reset();
  // A key at the top makes an object only where any value may stand.
  const bool key = opens == Opens::key;
  if ((std::exchange(opens_, opens) == Opens::key) != key)
    reader_ = json::Reader(reader_options(context_.options.limits, key ? json::Root::any : json::Root::object));
  quoted_.clear();
  quoted_to_ = at;
  escaped_ = false;
  span_ = {};
  at_ = at;
  damaged_ = closing_ = no_marker_ = new_line_ = false;
  ahead_ = wait_ = 0;
  last_ = 0;
}

std::size_t ObjectPart::read(std::string_view window, bool final, Then& then) {
  then = Then::more;
  if (window.size() < wait_ && !final) return 0;
  wait_ = 0;
  std::size_t i = 0;
  if (opens_ == Opens::quoted) {
    if (read_quoted_text(window, i)) then = Then::closed;
    return i;
  }
  while (true) {
    if (damaged_ && !reader_.failed() ? read_damaged(window, i) : read_strict(window, i, final)) {
      then = Then::closed;
      return i;
    }
    const std::size_t here = i + ahead_;
    if (here == window.size()) {
      if (!final || !ends_at_last(window, i)) break;
      then = Then::closed;
      return i;
    }
    if (no_marker_ || !may_be_marker(window.substr(here))) continue;
    const Is is = marker(window.substr(here), final);
    no_marker_ = is == Is::no;
    if (is == Is::yes) then = Then::marker;
    if (is == Is::more) return i;
    if (is == Is::yes) break;
  }
  // Nothing behind the object has been read, if it ends here.
  if (then != Then::more || final) {
    context_.output.delta(window.substr(i, ahead_));
    i += std::exchange(ahead_, 0);
  }
  return i;
}

// Up to the end of the string that holds the object: true when it was read. Whatever it holds is its text.
bool ObjectPart::read_quoted_text(std::string_view window, std::size_t& i) {
  bool ended = false;
  while (i < window.size() && !ended) {
    if (!std::exchange(escaped_, false)) {
      i = find_quote(window, quoted_.empty() && i == 0 ? 1 : i, '"');
      if (i == window.size()) break;
      escaped_ = window[i] == '\\';
      ended = !escaped_;
    }
    ++i;
  }
  const std::string_view bytes = window.substr(0, i);
  // One byte too many says that there were more.
  const std::uint64_t room = context_.options.limits.bytes + 1 - quoted_.size();
  quoted_ += bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(room, bytes.size())));
  context_.output.delta(bytes);
  advance(quoted_to_, bytes);
  return ended;
}

json::Reading ObjectPart::finish_quoted(bool cut) {
  json::Reading reading;
  if (cut) {
    json::Builder builder;
    builder.open_object();
    builder.close();
    reading.document = builder.take();
    reading.verdict = {json::End::cut, json::Grade::strict, 1};
    reading.error = cut_error(quoted_to_);
    return reading;
  }
  json::ReaderOptions options;
  options.limits = context_.options.limits;
  reading = json::read(quoted_, options);
  shift(reading, at_);
  const bool text = reading.verdict.end == json::End::complete && reading.document.root().is_string();
  const std::string held(text ? reading.document.root().as_string() : "");
  if (text && read_quoted(reading, held, at_.offset, options.limits)) return reading;
  reading.document = {};
  reading.verdict = {json::End::broken, reading.verdict.grade, 0};
  if (!reading.error)
    reading.error = {json::ErrorKind::no_value, at_, "there is no JSON object in this text; send one JSON object"};
  return reading;
}

// Up to what may be a marker. True: the object has ended. As long as the text is strict JSON its brackets and quotes
// are what they look like, and most of it is read in one piece. They are all there is where the reader has given up,
// too.
bool ObjectPart::read_strict(std::string_view window, std::size_t& i, bool final) {
  if (closing_) {
    // Only a quote right behind the last bracket can show that it was part of a string.
    const bool open = reader_.undecided() > 0 && !reader_.failed();
    if (open && i == window.size() && !final) return false;
    closing_ = false;
    if (!open || i == window.size() || window[i] != '"') return true;
    damaged_ = true;
    return false;
  }
  Span ahead = span_;
  const std::size_t from = i + ahead_;
  std::size_t to = from;
  while (to < window.size() && !closing_) {
    if (!std::exchange(no_marker_, false)) {
      const Span::Stop stop = ahead.scan(window, to, marks_, inner_);
      to = stop.taken;
      closing_ = stop.at == Span::At::closed;
      if (stop.at != Span::At::mark || may_be_marker(window.substr(to))) break;
    }
    closing_ = ahead.step(window[to++]);
  }
  const std::string_view bytes = window.substr(from, to - from);
  const std::size_t taken = reader_.failed() ? bytes.size() : reader_.push_strict(bytes);
  note(bytes.substr(0, taken));
  // Even so a key may hold the end of the object, if what follows it does not fit.
  const std::uint64_t open = closing_ && taken == bytes.size() ? 0 : reader_.undecided();
  ahead_ = static_cast<std::size_t>(std::min<std::uint64_t>(open, from + taken - i));
  context_.output.delta(window.substr(i, from + taken - ahead_ - i));
  i = from + taken - ahead_;
  if (taken == bytes.size()) {
    span_ = ahead;
    return closing_ && read_strict(window, i, final);
  }
  damaged_ = true;
  closing_ = false;
  follow(bytes.substr(0, taken));
  return false;
}

// The same where only the reader knows what a bracket or a quote means. It stops by itself where the object ends.
bool ObjectPart::read_damaged(std::string_view window, std::size_t& i) {
  const std::size_t from = i + ahead_;
  std::size_t to = from;
  while (to < window.size()) {
    if (!std::exchange(no_marker_, false)) {
      to = stops_.find(window, to);
      if (to == window.size() || may_be_marker(window.substr(to))) break;
    }
    ++to;
  }
  const std::string_view bytes = window.substr(from, to - from);
  const std::uint64_t before = reader_.offset() - ahead_;  // at i
  if (!bytes.empty()) reader_.push(bytes);
  note(bytes);
  follow(bytes);
  return give(window, i, to, before);
}

// Nothing more comes: what the reader has held back may hold the end of the object.
bool ObjectPart::ends_at_last(std::string_view window, std::size_t& i) {
  if (!damaged_ || reader_.failed()) return false;
  const std::uint64_t before = reader_.offset() - ahead_;
  reader_.over();
  return reader_.ended() && give(window, i, i + ahead_, before);
}

// Gives out what the reader has decided on. True when the object has ended.
bool ObjectPart::give(std::string_view window, std::size_t& i, std::size_t to, std::uint64_t before) {
  const std::uint64_t end = reader_.offset(), sure = end - std::min(end, reader_.undecided());
  std::size_t decided = sure > before ? static_cast<std::size_t>(sure - before) : 0;
  if (reader_.failed()) decided = to - i;
  context_.output.delta(window.substr(i, decided));
  ahead_ = reader_.ended() ? 0 : to - i - decided;
  i += decided;
  return reader_.ended();
}

// The brackets are followed for the case that the reader gives up.
void ObjectPart::follow(std::string_view bytes) {
  for (std::size_t k = 0; k < bytes.size();) k = span_.scan(bytes, k).taken;
}

void ObjectPart::note(std::string_view bytes) {
  std::size_t n = bytes.size();
  while (n > 0 && is_space(bytes[n - 1])) --n;
  new_line_ = bytes.find('\n', n) != std::string_view::npos || (n == 0 && new_line_);
  if (n > 0) last_ = bytes[n - 1];
}

std::size_t ObjectPart::again(std::string_view window, std::size_t space) {
  span_ = {};
  reader_.go_on();
  reader_.push(window.substr(0, space));
  context_.output.delta(window.substr(0, space));
  damaged_ = true;
  return space;
}

json::Reading ObjectPart::finish(bool cut) {
  if (opens_ == Opens::quoted) return finish_quoted(cut);
  json::Reading reading = reader_.finish(cut ? json::Ending::cut : json::Ending::complete);
  reader_.reset();
  if (opens_ == Opens::key && !reading.document.empty() && !reading.document.root().is_object()) {
    reading.document = {};
    reading.verdict = {json::End::broken, reading.verdict.grade, 0};
    if (!reading.error)
      reading.error = {json::ErrorKind::no_value, {}, "there is no JSON object in this text; send one JSON object"};
  }
  shift(reading, at_);
  // The reader counts its own bytes only.
  if (reading.error.kind == json::ErrorKind::truncated) reading.error = cut_error(reading.error.position);
  return reading;
}

}  // namespace BELAY_NAMESPACE::text
