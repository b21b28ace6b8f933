#include "prefix.h"

namespace belay::check {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Numbers: 1 after '-', 2 after a leading 0, 3 in the integer, 4 after '.', 5 in the fraction, 6 after 'e',
// 7 after the exponent's sign, 8 in the exponent. -1: not a number.
int number_step(int at, char c) {
  switch (at) {
    case 1: return c == '0' ? 2 : is_digit(c) ? 3 : -1;
    case 2: return c == '.' ? 4 : c == 'e' || c == 'E' ? 6 : -1;
    case 3: return is_digit(c) ? 3 : c == '.' ? 4 : c == 'e' || c == 'E' ? 6 : -1;
    case 4: return is_digit(c) ? 5 : -1;
    case 5: return is_digit(c) ? 5 : c == 'e' || c == 'E' ? 6 : -1;
    case 6: return c == '+' || c == '-' ? 7 : is_digit(c) ? 8 : -1;
    case 7:
    case 8: return is_digit(c) ? 8 : -1;
    default: return -1;
  }
}
bool number_may_end(int at) { return at == 2 || at == 3 || at == 5 || at == 8; }

}  // namespace

bool JsonPrefix::push(std::string_view bytes) {
  for (char c : bytes)
    if (!take(c)) return false;
  return true;
}

bool JsonPrefix::whole() const {
  if (!open_.empty()) return false;
  return state_ == State::number ? number_may_end(number_) : any_ && state_ == State::after;
}

bool JsonPrefix::begin_value(char c) {
  switch (c) {
    case '{':
      open_.push_back('{');
      state_ = State::first_key;
      return true;
    case '[':
      open_.push_back('[');
      state_ = State::first_item;
      return true;
    case '"':
      in_key_ = false;
      state_ = State::string;
      return true;
    case 't':
      literal_ = "rue";
      state_ = State::literal;
      return true;
    case 'f':
      literal_ = "alse";
      state_ = State::literal;
      return true;
    case 'n':
      literal_ = "ull";
      state_ = State::literal;
      return true;
    default:
      number_ = c == '-' ? 1 : c == '0' ? 2 : is_digit(c) ? 3 : 0;
      state_ = State::number;
      return number_ != 0;
  }
}

void JsonPrefix::end_value() {
  state_ = State::after;
  if (open_.empty()) any_ = true, line_ended_ = false;
}

bool JsonPrefix::end_number() {
  if (!number_may_end(number_)) return false;
  end_value();
  return true;
}

bool JsonPrefix::take(char c) {
  switch (state_) {
    case State::string:
      if (c == '"') {
        if (in_key_)
          state_ = State::colon;
        else
          end_value();
      } else if (c == '\\') {
        state_ = State::escape;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        return false;
      }
      return true;
    case State::escape:
      if (c == 'u')
        hex_left_ = 4, state_ = State::hex;
      else
        state_ = State::string;
      return c == 'u' || std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos;
    case State::hex:
      if (--hex_left_ == 0) state_ = State::string;
      return is_hex(c);
    case State::literal:
      if (literal_.front() != c) return false;
      literal_.remove_prefix(1);
      if (literal_.empty()) end_value();
      return true;
    case State::number:
      if (int next = number_step(number_, c); next > 0) {
        number_ = next;
        return true;
      }
      return end_number() && take(c);
    default: break;
  }
  if (is_space(c)) {
    if (c == '\n') line_ended_ = true;
    return true;
  }
  switch (state_) {
    case State::value: return begin_value(c);
    case State::first_item:
      if (c != ']') return begin_value(c);
      open_.pop_back();
      end_value();
      return true;
    case State::first_key:
    case State::key:
      if (c == '}' && state_ == State::first_key) {
        open_.pop_back();
        end_value();
        return true;
      }
      in_key_ = true;
      state_ = State::string;
      return c == '"';
    case State::colon: state_ = State::value; return c == ':';
    default: break;  // after
  }
  if (open_.empty()) return line_ended_ && begin_value(c);
  if (c == ',') {
    state_ = open_.back() == '{' ? State::key : State::value;
    return true;
  }
  if (c != (open_.back() == '{' ? '}' : ']')) return false;
  open_.pop_back();
  end_value();
  return true;
}

bool is_json_prefix(std::string_view text) { return JsonPrefix().push(text); }

bool is_utf8(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    auto lead = static_cast<unsigned char>(bytes[i]);
    std::size_t n = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
    if (n == 0 || i + n > bytes.size()) return false;
    std::uint32_t code = n == 1 ? lead : lead & (0xffu >> (n + 1));
    for (std::size_t k = 1; k < n; ++k) {
      auto next = static_cast<unsigned char>(bytes[i + k]);
      if (next >> 6 != 2) return false;
      code = code << 6 | (next & 0x3fu);
    }
    static constexpr std::uint32_t kFirst[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < kFirst[n] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return false;
    i += n;
  }
  return true;
}

}  // namespace belay::check
