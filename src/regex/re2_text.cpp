#include "regex/re2_text.h"

#include "regex/cursor.h"
#include "regex/translate.h"

#include <algorithm>
#include <charconv>

namespace BELAY_NAMESPACE::regex {
namespace {

// RE2 lets the counts of nested repetitions multiply to this at most.
constexpr std::uint64_t kMostRepeats = 1000;

// RE2 carries out repetitions before it looks at what memory it may use; each copy takes 8 bytes of a program.
constexpr std::uint64_t kMostCopies = 1 << 19;

}  // namespace

void Re2Text::write(std::string_view text) {
  if (text.size() > kMostTranslated - text_.size()) full_ = true;
  if (!full_) text_ += text;
}

// \x{...} for whatever could mean something to RE2, in a class or outside of one.
void Re2Text::write_code_point(char32_t c) {
  if (c < 0x80 && (is_letter(static_cast<char>(c)) || is_digit(static_cast<char>(c)))) {
    const char one = static_cast<char>(c);
    return write({&one, 1});
  }
  char hex[16] = "\\x{";
  char* end = std::to_chars(hex + 3, hex + sizeof hex, static_cast<std::uint32_t>(c), 16).ptr;
  *end++ = '}';
  write({hex, static_cast<std::size_t>(end - hex)});
}

void Re2Text::literal(char32_t c) {
  if (c >= 0xD800 && c <= 0xDFFF) return one_of({});
  const Part part{.start = text_.size(), .copies = 1};
  write_code_point(c);
  finish_part(part);
}

// No text in UTF-8 has surrogates, so they are in the set or not as makes fewer ranges; RE2 must not get one alone, for
// which it would write bytes of its own.
void Re2Text::one_of(CodeSet set) {
  set.invert();
  set.add(0xD800, 0xDFFF);
  set.invert();
  if (set.contains(0xD7FF) && set.contains(0xE000)) set.add(0xD800, 0xDFFF);
  const Part part{.start = text_.size(), .copies = 1};
  // RE2 has no empty class; the opposite of everything does as well.
  const bool none = set.ranges().empty();
  if (none) set.invert();
  write(none ? "[^" : "[");
  for (const CodeSet::Range& range : set.ranges()) {
    write_code_point(range.first);
    if (range.last == range.first) continue;
    write("-");
    write_code_point(range.last);
  }
  write("]");
  finish_part(part);
}

void Re2Text::assertion(std::string_view re2) {
  write(re2);
  ++groups_.back().copies;
}

void Re2Text::alternative() { assertion("|"); }

void Re2Text::open_group() {
  groups_.push_back({.start = text_.size()});
  write("(?:");
}

void Re2Text::close_group() {
  write(")");
  Part part = groups_.back();
  part.copies = std::max<std::uint64_t>(part.copies, 1);
  groups_.pop_back();
  finish_part(part);
}

void Re2Text::finish_part(Part part) {
  last_ = part;
  Part& group = groups_.back();
  group.repeats = std::max(group.repeats, part.repeats);
  group.copies = std::min(group.copies + part.copies, kMostCopies + 1);
  if (group.copies > kMostCopies) full_ = true;
}

void Re2Text::write_count(Repeat times) {
  if (times.min == 0 && !times.max) return write("*");
  if (times.min == 1 && !times.max) return write("+");
  if (times.min == 0 && times.max == 1) return write("?");
  write("{" + std::to_string(times.min));
  if (!times.max)
    write(",");
  else if (*times.max != times.min)
    write("," + std::to_string(*times.max));
  write("}");
}

// x{2500} as x{1000}x{1000}x{500}.
void Re2Text::write_times(std::string_view piece, std::uint64_t count) {
  const std::uint64_t most = kMostRepeats / last_.repeats;
  for (; count > 0 && !full_; count -= std::min(count, most)) {
    write(piece);
    write_count({std::min(count, most), std::min(count, most)});
  }
}

// x{0,12} as (?:x{6})?(?:x{3})?(?:x{2})?(?:x{1})?, which has every number up to 12. RE2 would write (x(x(x...)?)?)?,
// and its compiler takes time with the square of the ways out of that.
void Re2Text::write_up_to(std::string_view piece, std::uint64_t count) {
  for (; count > 0 && !full_; count /= 2) {
    write("(?:");
    write_times(piece, count - count / 2);
    write(")?");
  }
}

void Re2Text::repeat(Repeat times) {
  const std::uint64_t count = std::max<std::uint64_t>(times.max.value_or(times.min), 1);
  groups_.back().copies -= std::min(groups_.back().copies, last_.copies);
  last_.copies = std::min(last_.copies * std::min(count, kMostCopies + 1), kMostCopies + 1);
  const std::uint64_t most = kMostRepeats / last_.repeats;
  const std::uint64_t optional = times.max ? *times.max - times.min : 0;
  if (count <= most && optional <= 3) {
    write_count(times);
    last_.repeats *= count;
  } else if (last_.copies <= kMostCopies && !full_) {
    const std::string piece = text_.substr(last_.start);
    text_.resize(last_.start);
    write_times(piece, times.min);
    if (!times.max) write(piece + "*");
    write_up_to(piece, optional);
    last_.repeats *= std::min(count, most);
  }
  finish_part(last_);
}

}  // namespace BELAY_NAMESPACE::regex
