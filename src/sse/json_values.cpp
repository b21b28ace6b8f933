#include "sse/json_values.h"

namespace BELAY_NAMESPACE::sse {
namespace {

bool ends_word(char c) { return is_space(c) || c == ',' || c == '{' || c == '}' || c == '[' || c == ']' || c == '"'; }

}  // namespace

void JsonValues::push(std::string_view piece, std::uint64_t offset) {
  const char* const begin_of_piece = piece.data();
  const char* const end = begin_of_piece + piece.size();
  const char* p = begin_of_piece;
  const char* from = p;  // the value's bytes in this piece
  while (p != end) {
    switch (part_) {
      case Part::between:
        p = pass_between(p, end);
        if (p == end) return;
        from = p;
        begin(*p, offset + static_cast<std::uint64_t>(p - begin_of_piece));
        break;
      case Part::value:
        p = scan_.run(p, end);
        if (scan_.over()) deliver(joined(from, p));
        break;
      case Part::word:
        while (p != end && !ends_word(*p)) ++p;
        if (p == end) break;
        if (const std::string_view word = joined(from, p); is_scalar(word))
          deliver(word);
        else
          part_ = Part::garbage;
        break;
      case Part::garbage:
        while (p != end && *p != '\n' && *p != '\r') ++p;
        if (p != end) deliver(joined(from, p));
        break;
    }
    if (out_.failed()) return;
  }
  if (part_ == Part::between || !out_.allows(carried_.size() + static_cast<std::uint64_t>(end - from))) return;
  carried_.append(from, end);
}

// Only a clean end says that a scalar is as long as it was meant to be. Garbage is for the caller to judge; a value
// that is open stays left over.
void JsonValues::finish(Ended ended) {
  if (ended == Ended::eof && (part_ == Part::word || part_ == Part::garbage)) deliver(carried_);
}

std::uint64_t JsonValues::left_over(std::uint64_t end) const { return part_ == Part::between ? 0 : end - begin_; }

const char* JsonValues::pass_between(const char* p, const char* end) {
  for (; p != end; ++p) {
    if (is_space(*p) || *p == ',') continue;
    if (*p != (in_array_ ? ']' : '[')) break;
    in_array_ = !in_array_;
  }
  return p;
}

// A closer that nothing opened begins a word too: one without a letter, so garbage.
void JsonValues::begin(char first, std::uint64_t offset) {
  begin_ = offset;
  part_ = first == '{' || first == '[' || first == '"' ? Part::value : Part::word;
  scan_ = {};
}

// The value's bytes so far, without a copy when all of them lie in this piece.
std::string_view JsonValues::joined(const char*& from, const char* to) {
  if (!out_.allows(carried_.size() + static_cast<std::uint64_t>(to - from))) return {};
  if (carried_.empty()) return {from, to};
  carried_.append(from, to);
  from = to;
  return carried_;
}

void JsonValues::deliver(std::string_view text) {
  if (out_.failed()) return;
  part_ = Part::between;
  out_.event({text, {}, {}, begin_});
  carried_.clear();
}

}  // namespace BELAY_NAMESPACE::sse
