// Words without quotes: literals and numbers of many spellings, or just text.
#pragma once

#include <belay/json/edit.h>
#include <belay/json/tape.h>

#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::json {

/// What a word stands for.
struct WordValue {
  Tag tag = Tag::string;  // null, no, yes, number; or string when it is only text
  std::string number;     // as JSON spells it
  bool edited = false;    // it was not spelled as JSON would
  EditKind kind = EditKind::unquoted_string;
  Grade grade = Grade::guess;
};
WordValue read_word(std::string_view word);

/// True for what read_word takes for a literal or a number.
bool is_scalar(std::string_view word);

/// How sure it is that a word is a key: names and numbers are safe.
Grade grade_key(std::string_view word);

/// b, u, r, f and their pairs, before a quote.
bool is_string_prefix(std::string_view word);
/// A name that may stand before a parenthesis: ObjectId, new Date, Decimal128.
bool is_callee(std::string_view word);

}  // namespace BELAY_NAMESPACE::json
