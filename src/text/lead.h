// How a line of Markdown begins: blanks, marks of lists, the mark of a quotation.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <cstdint>

namespace BELAY_NAMESPACE::text {

/// Follows a line byte by byte, as long as nothing but such marks has come.
class Lead {
 public:
  void new_line() { *this = {}; }
  /// Something else stands on the line.
  void end() { state_ = State::over; }

  /// The next byte of the line, which is no line break.
  void step(char c) {
    if (state_ == State::over) return;
    if (odd_ != 0) return step_odd(static_cast<unsigned char>(c));
    const bool blank = c == ' ' || c == '\t' || c == '\r';
    if (state_ == State::mark) {
      state_ = blank ? State::gap : State::over;
      listed_ |= blank;
      return;
    }
    if (state_ == State::number) {
      if (c == '.' || c == ')')
        state_ = State::mark;
      else if (c < '0' || c > '9' || ++digits_ > kDigits)
        state_ = State::over;
      return;
    }
    if (blank) return count_columns(c);
    if (const auto u = static_cast<unsigned char>(c); u == 0xEF || u == 0xE2 || u == 0xE3 || u == 0xC2) {
      odd_ = u;
      return;
    }
    blank_ = false;
    if (c == '-' || c == '*' || c == '+')
      state_ = State::mark;
    else if (c >= '0' && c <= '9')
      state_ = State::number, digits_ = 1;
    else
      cited_ = c == '>', state_ = State::over;
  }

  /// Here a block may begin: a fence, a quotation.
  [[nodiscard]] bool open() const { return state_ == State::gap && odd_ == 0; }
  /// More bytes may belong to it.
  [[nodiscard]] bool goes_on() const { return state_ != State::over; }
  /// Nothing but white space has come, of whatever kind.
  [[nodiscard]] bool blank() const { return blank_ && open(); }
  /// The same, or half of a character that may be such.
  [[nodiscard]] bool may_be_blank() const { return blank_ && state_ == State::gap; }
  /// The mark of a quotation has come, before anything but marks of lists.
  [[nodiscard]] bool cited() const { return cited_; }
  /// As far in as code is that no fence announces.
  [[nodiscard]] bool indented() const { return !listed_ && columns_ >= 4; }

 private:
  enum class State : std::uint8_t {
    gap,     // blanks, or the start of the line
    mark,    // of a list: a blank must follow
    number,  // of an item
    over,
  };
  static constexpr std::uint8_t kDigits = 9;

  void count_columns(char c) {
    if (blank_ && c != '\r') columns_ = static_cast<std::uint8_t>(columns_ < 4 ? columns_ + (c == '\t' ? 4 : 1) : 4);
  }
  // U+FEFF, U+00A0, U+2000 to U+200F, U+202F, U+205F, U+2060, U+3000: white space. U+2022 is the mark of a list.
  void step_odd(unsigned char c) {
    const unsigned last = odd_ << 8 | c;
    if (last == 0xEFBB || last == 0xE280 || last == 0xE281 || last == 0xE380) {
      odd_ = last;
      return;
    }
    odd_ = 0;
    if (last == 0xC2A0 || last == 0xEFBBBF || last == 0xE280AF || last == 0xE2819F || last == 0xE281A0 ||
        last == 0xE38080 || (last >= 0xE28080 && last <= 0xE2808F))
      return;
    blank_ = false;
    state_ = last == 0xE280A2 ? State::mark : State::over;
  }

  State state_ = State::gap;
  bool blank_ = true, listed_ = false, cited_ = false;
  std::uint8_t columns_ = 0, digits_ = 0;
  unsigned odd_ = 0;  // the first bytes of a character that may be white space
};

}  // namespace BELAY_NAMESPACE::text
