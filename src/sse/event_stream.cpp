#include "sse/event_stream.h"

#include "sse/json_scan.h"
#include "sse/line_ends.h"

#include <array>

namespace BELAY_NAMESPACE::sse {
namespace {

// In the order of EventStream::Field.
constexpr std::array<std::string_view, 4> kFields = {"data:", "event:", "id:", "retry:"};

std::string_view without_space(std::string_view value) {
  if (!value.empty() && value.front() == ' ') value.remove_prefix(1);
  return value;
}

}  // namespace

void Milliseconds::add(std::string_view digits) {
  for (char c : digits) {
    any_ = true;
    if (c < '0' || c > '9') {
      digits_only_ = false;
      return;
    }
    const auto digit = static_cast<std::uint64_t>(c - '0');
    value_ = value_ > (kUnlimited - digit) / 10 ? kUnlimited : value_ * 10 + digit;
  }
}

void EventStream::push(std::string_view piece, std::uint64_t offset) {
  const char* const begin = piece.data();
  const char* const end = begin + piece.size();
  const char* p = begin;
  if (after_cr_ && *p == '\n') ++p;
  after_cr_ = false;

  LineEnds ends(p, end);
  auto past = [&](const char* line_end) {
    const char* next = line_end + 1;
    if (*line_end == '\n') return next;
    if (next == end) after_cr_ = true;
    return next != end && *next == '\n' ? next + 1 : next;
  };

  // Lines that the last piece left open are put together from their parts; all others are taken as they stand here.
  if (line_ != Line::fresh) {
    const char* line_end = ends.next(p);
    carry({p, line_end});
    if (line_end == end || out_.failed()) return;
    end_carried_line();
    if (out_.failed()) return;
    p = past(line_end);
  }
  while (p != end) {
    const char* line_end = ends.next(p);
    const std::uint64_t at = offset + static_cast<std::uint64_t>(p - begin);
    if (line_end == end) {
      keep();
      line_ = Line::name;
      line_begin_ = at;
      name_.clear();
      carry({p, end});
      return;
    }
    take_line({p, line_end}, at);
    if (out_.failed()) return;
    p = past(line_end);
  }
  keep();
}

void EventStream::finish(Ended ended) {
  if (ended != Ended::eof) return;
  if (line_ != Line::fresh) end_carried_line();
  if (!out_.failed() && has_data_ && is_whole_json(data_.view())) dispatch();
}

std::uint64_t EventStream::left_over(std::uint64_t end) const {
  if (open_) return end - begin_;
  return line_ == Line::name ? end - line_begin_ : 0;
}

void EventStream::take_line(std::string_view line, std::uint64_t offset) {
  if (line.empty()) return dispatch();
  // By far the most frequent line.
  if (line.starts_with(kFields[0])) [[likely]]
    return take_field(Field::data, without_space(line.substr(5)), offset);
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    const std::string_view name = kFields[i];
    if (line.starts_with(name))
      return take_field(static_cast<Field>(i), without_space(line.substr(name.size())), offset);
    if (line == name.substr(0, name.size() - 1)) return take_field(static_cast<Field>(i), {}, offset);
  }
  ignore(line, offset);
}

// A comment, or a field that nobody knows.
void EventStream::ignore(std::string_view line, std::uint64_t offset) {
  const bool comment = line.front() == ':';
  (comment ? comments_ : others_) = true;
  watched_ = !comment;
  watch(line, offset);
}

void EventStream::watch(std::string_view part, std::uint64_t offset) {
  if (!watched_ || part.find_first_of("{[") == std::string_view::npos) return;
  watched_ = false;
  out_.sink.on_stray_line(offset);
}

void EventStream::take_field(Field field, std::string_view value, std::uint64_t offset) {
  open(offset);
  switch (field) {
    case Field::data:
      if (!has_data_) {
        if (!out_.allows(value.size())) return;
        data_.see(value);
        has_data_ = true;
        return;
      }
      if (!out_.allows(data_.view().size() + 1 + value.size())) return;
      data_.own().append(1, '\n').append(value);
      return;
    case Field::event:
      if (out_.allows(value.size())) event_.see(value);
      return;
    case Field::id:
      if (out_.allows(value.size()) && value.find('\0') == std::string_view::npos) id_.see(value);
      return;
    case Field::retry: {
      Milliseconds time;
      time.add(value);
      if (time.valid()) out_.sink.on_retry(time.value());
      return;
    }
  }
}

// An event without data is dropped with its name; its id counts for those after it.
void EventStream::dispatch() {
  if (has_data_)
    out_.event({data_.view(), event_.view(), id_.view(), begin_});
  else if (open_ && !out_.failed())
    out_.sink.on_id(id_.view());
  has_data_ = false;
  data_.clear();
  event_.clear();
  open_ = false;
}

void EventStream::open(std::uint64_t offset) {
  if (open_) return;
  open_ = others_ = true;
  begin_ = offset;
}

// The piece is about to go.
void EventStream::keep() {
  if (has_data_) data_.own();
  event_.own();
  id_.own();
}

void EventStream::carry(std::string_view part) {
  if (line_ == Line::name) carry_name(part);
  if (part.empty()) return;
  if (line_ == Line::space) {
    part = without_space(part);
    line_ = Line::value;
  }
  if (line_ == Line::value) carry_value(part);
  if (line_ == Line::ignored) watch(part, line_begin_);
}

void EventStream::carry_name(std::string_view& part) {
  while (!part.empty()) {
    name_ += part.front();
    part.remove_prefix(1);
    bool possible = false;
    for (std::size_t i = 0; i < kFields.size(); ++i) {
      if (name_ == kFields[i]) return begin_value(static_cast<Field>(i));
      possible |= kFields[i].starts_with(name_);
    }
    if (!possible) {
      line_ = Line::ignored;
      ignore(name_, line_begin_);
      return;
    }
  }
}

void EventStream::begin_value(Field field) {
  open(line_begin_);
  field_ = field;
  line_ = Line::space;
  switch (field) {
    case Field::data:
      if (has_data_ && out_.allows(data_.view().size() + 1)) data_.own() += '\n';
      has_data_ = true;
      return;
    case Field::event: event_.clear(); return;
    case Field::id: next_id_.clear(); return;
    case Field::retry: retry_ = {}; return;
  }
}

void EventStream::carry_value(std::string_view part) {
  auto add = [&](std::string& to) {
    if (out_.allows(to.size() + part.size())) to.append(part);
  };
  switch (field_) {
    case Field::data: return add(data_.own());
    case Field::event: return add(event_.own());
    case Field::id: return add(next_id_);
    case Field::retry: return retry_.add(part);
  }
}

void EventStream::end_carried_line() {
  if (line_ == Line::name && !name_.empty()) ignore(name_, line_begin_);
  if (line_ == Line::name)
    for (std::size_t i = 0; i < kFields.size(); ++i)
      if (name_ == kFields[i].substr(0, kFields[i].size() - 1)) begin_value(static_cast<Field>(i));
  const bool has_value = line_ == Line::space || line_ == Line::value;
  line_ = Line::fresh;
  if (!has_value || out_.failed()) return;
  if (field_ == Field::id && next_id_.find('\0') == std::string::npos) id_.swap_in(next_id_);
  if (field_ == Field::retry && retry_.valid()) out_.sink.on_retry(retry_.value());
}

}  // namespace BELAY_NAMESPACE::sse
