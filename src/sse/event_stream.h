// Server-sent events: lines, fields, and the blank line that sends an event on.
#pragma once

#include "sse/delivery.h"
#include "sse/held.h"

namespace BELAY_NAMESPACE::sse {

/// The number of a `retry:` field, as its digits arrive.
class Milliseconds {
 public:
  void add(std::string_view digits);
  /// False for an empty field and for one with anything but digits in it.
  [[nodiscard]] bool valid() const { return any_ && digits_only_; }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
  bool any_ = false;
  bool digits_only_ = true;
};

class EventStream {
 public:
  explicit EventStream(Delivery& out) : out_(out) {}

  /// The current line began with white space, so it is a field that nobody knows.
  void ignore_line(std::uint64_t offset) {
    line_ = Line::ignored;
    line_begin_ = offset;
    others_ = watched_ = true;
  }
  /// A piece that is not empty; `offset` is its place in the stream.
  void push(std::string_view piece, std::uint64_t offset);
  void finish(Ended ended);
  /// Bytes of the event that has begun, when the stream is `end` bytes long.
  [[nodiscard]] std::uint64_t left_over(std::uint64_t end) const;
  [[nodiscard]] std::string_view unfinished() const { return has_data_ ? data_.view() : std::string_view{}; }
  /// No line but comments and blank ones, and at least one comment.
  [[nodiscard]] bool comments_only() const { return comments_ && !others_ && line_ != Line::name; }

 private:
  enum class Field : std::uint8_t { data, event, id, retry };
  /// How far the current line is known, when a piece ended inside it.
  enum class Line : std::uint8_t {
    fresh,    ///< nothing of it came yet
    name,     ///< name_ can still become a field's name
    space,    ///< the colon came: a space here is not part of the value
    value,    ///< the value goes on
    ignored,  ///< a comment or an unknown field
  };

  void take_line(std::string_view line, std::uint64_t offset);
  void take_field(Field field, std::string_view value, std::uint64_t offset);
  void dispatch();
  void ignore(std::string_view line, std::uint64_t offset);
  void watch(std::string_view part, std::uint64_t offset);
  void open(std::uint64_t offset);
  void keep();

  void carry(std::string_view part);
  void carry_name(std::string_view& part);
  void carry_value(std::string_view part);
  void begin_value(Field field);
  void end_carried_line();

  Delivery& out_;

  Held data_;
  Held event_;
  Held id_;
  bool has_data_ = false;
  bool open_ = false;        // a field of the next event came
  std::uint64_t begin_ = 0;  // of that event
  bool comments_ = false;    // some line was one
  bool others_ = false;      // some line was neither a comment nor blank
  bool watched_ = false;     // the line that is ignored is no comment, and nothing of JSON came in it yet
  bool after_cr_ = false;    // the last piece ended with CR: a LF now is part of the same line end

  Line line_ = Line::fresh;
  Field field_ = Field::data;
  std::string name_;     // at most six bytes
  std::string next_id_;  // counts only at its line's end, and not with a NUL in it
  Milliseconds retry_;
  std::uint64_t line_begin_ = 0;
};

}  // namespace BELAY_NAMESPACE::sse
