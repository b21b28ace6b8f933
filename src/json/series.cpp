#include <belay/json/series.h>

#include "base/utf8.h"
#include "json/number.h"
#include "json/scan.h"

#include <belay/json/locate.h>

#include <algorithm>
#include <bit>

namespace BELAY_NAMESPACE::json {
namespace {

// Larger texts are no events that repeat, and cost more to compare than they could save.
constexpr std::size_t kLongestShape = 4096;
constexpr std::size_t kMostNodes = 128;
// After shapes that nothing had, so many texts pass before the next one is learned.
constexpr std::uint32_t kLongestWait = 64;

constexpr bool in_number(char c) { return is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'; }

Node text_node(Tag tag, const char* p, std::size_t n) {
  return {static_cast<std::uint64_t>(tag) | static_cast<std::uint64_t>(n) << 8, reinterpret_cast<std::uint64_t>(p)};
}

}  // namespace

SeriesReader::SeriesReader(ReaderOptions options) : options_(options), reader_(options) {}

Verdict SeriesReader::read(std::string_view text) {
  if (known_ && repeats(text)) {
    met_ = true;
    tape_ = &values_;
    return verdict_;
  }
  // The shape's values lie in the reader's memory, which is used again now.
  if (known_) useless_ = met_ ? 0 : useless_ + 1;
  known_ = false;
  reader_.reset();
  reader_.push(text);
  const Reading& reading = reader_.finish_in_place();
  tape_ = &reading.document.tape();
  if (wait_ > 0) {
    --wait_;
  } else if (reading.verdict.word() == Word::valid &&
             text.size() <= std::min<std::uint64_t>(kLongestShape, options_.limits.bytes) &&
             tape_->size() <= kMostNodes) {
    learn(text, *tape_);
    verdict_ = reading.verdict;
    wait_ = useless_ > 1 ? std::min(useless_, kLongestWait) : 0;
  }
  return reading.verdict;
}

// Finds the strings and numbers in a text that is JSON without a mend, so that every token is a node.
void SeriesReader::learn(std::string_view text, const Tape& tape) {
  shape_ = text;
  leaves_.clear();
  varying_.clear();
  values_.clear();
  Locator locator(text);
  for (std::size_t i = 0; i < tape.size(); ++i) {
    const Node& node = tape.node(i);
    values_.push(node);
    const Tag tag = node.tag();
    if (tag != Tag::string && tag != Tag::number && tag != Tag::short_number) continue;
    const std::optional<Position> at = locator.find(i);
    if (!at) return;
    Leaf leaf{.begin = at->offset, .end = at->offset, .node = i, .string = tag == Tag::string};
    if (leaf.string) {
      leaf.end = ++leaf.begin;
      while (text[leaf.end] != '"') leaf.end += text[leaf.end] == '\\' ? 2u : 1u;
    } else {
      leaf.end += node.size();
    }
    leaves_.push_back(leaf);
  }
  known_ = true;
  met_ = false;
}

bool SeriesReader::repeats(std::string_view text) {
  if (text.size() > options_.limits.bytes) return false;
  if (plain_.size() < text.size()) plain_.resize(text.size());
  std::size_t at = compare(text);
  while (at != kSame)
    if (at == kOther || !let_vary(at))
      return false;
    else
      at = compare(text);
  return true;
}

// The text is the shape but for what varies, which is then in values_: what stands between is the same bytes in the
// same places of the grammar, so everything that was found out about it still holds. Or the place where it is not.
std::size_t SeriesReader::compare(std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
  std::size_t from = 0;
  plain_used_ = 0;
  for (std::size_t i = 0;; ++i) {
    const bool last = i == varying_.size();
    const std::size_t size = (last ? shape_.size() : varying_[i].begin) - from;
    const auto left = static_cast<std::size_t>(end - p);
    if (left < size || std::memcmp(p, shape_.data() + from, size) != 0) [[unlikely]] {
      const char* there = shape_.data() + from;
      return static_cast<std::size_t>(std::mismatch(p, p + std::min(left, size), there).second - shape_.data());
    }
    p += size;
    if (last) return p == end ? kSame : kOther;
    if (!take(varying_[i], p, end)) return kOther;
    from = varying_[i].end;
  }
}

// The texts differ at this place of the shape. True when a string or number is there that may.
bool SeriesReader::let_vary(std::size_t at) {
  for (Leaf& leaf : leaves_) {
    if (at < leaf.begin || at > leaf.end) continue;
    if (leaf.varies) return false;
    leaf.varies = true;
    varying_.insert(std::ranges::upper_bound(varying_, leaf.begin, {}, &Leaf::begin), leaf);
    return true;
  }
  return false;
}

bool SeriesReader::take(const Leaf& leaf, const char*& p, const char* end) {
  return leaf.string ? take_string(leaf, p, end) : take_number(leaf, p, end);
}

// Leaves p at the quote. Most strings have no escapes and stay where they are.
bool SeriesReader::take_string(const Leaf& leaf, const char*& p, const char* end) {
  const char* at = p;
  bool ascii = true;
  while (true) {
    std::uint32_t special = 0;
    if (end - at >= 16) [[likely]] {
      special = special16(at, '"');
      if (special == 0) {
        at += 16;
        continue;
      }
      at += std::countr_zero(special);
    }
    if (at == end) return false;
    const auto c = static_cast<unsigned char>(*at);
    if (c == '"') break;
    if (c == '\\') return take_escaped(leaf, p, end);
    if (c < 0x20) return false;
    ascii &= c < 0x80;
    ++at;
  }
  const auto size = static_cast<std::size_t>(at - p);
  if (!ascii && !utf8::valid({p, size})) return false;
  values_.at(leaf.node) = text_node(Tag::string, p, size);
  p = at;
  return true;
}

bool SeriesReader::take_escaped(const Leaf& leaf, const char*& p, const char* end) {
  char* const begin = plain_.data() + plain_used_;  // what comes out is never longer than what goes in
  char* out = begin;
  const char* at = p;
  while (true) {
    if (at == end || static_cast<unsigned char>(*at) < 0x20) return false;
    if (*at == '"') break;
    if (*at != '\\') {
      *out++ = *at++;
      continue;
    }
    if (end - at < 2) return false;
    const char c = at[1];
    at += 2;
    switch (c) {
      case '"':
      case '\\':
      case '/': *out++ = c; continue;
      case 'b': *out++ = '\b'; continue;
      case 'f': *out++ = '\f'; continue;
      case 'n': *out++ = '\n'; continue;
      case 'r': *out++ = '\r'; continue;
      case 't': *out++ = '\t'; continue;
      case 'u': break;
      default: return false;
    }
    const int unit = end - at < 4 ? -1 : hex4(at);
    if (unit < 0) return false;
    auto code = static_cast<std::uint32_t>(unit);
    at += 4;
    if (code >= 0xd800 && code < 0xe000) {
      const int low = end - at < 6 || at[0] != '\\' || at[1] != 'u' ? -1 : hex4(at + 2);
      if (code >= 0xdc00 || low < 0xdc00 || low >= 0xe000) return false;  // half a pair, which the reader judges
      code = 0x10000 + ((code - 0xd800) << 10) + (static_cast<std::uint32_t>(low) - 0xdc00);
      at += 6;
    }
    out = utf8::put(code, out);
  }
  const auto size = static_cast<std::size_t>(out - begin);
  if (!utf8::valid({begin, size})) return false;
  plain_used_ += size;
  values_.at(leaf.node) = text_node(Tag::string, begin, size);
  p = at;
  return true;
}

bool SeriesReader::take_number(const Leaf& leaf, const char*& p, const char* end) {
  const char* at = p;
  while (at != end && in_number(*at)) ++at;
  const auto size = static_cast<std::size_t>(at - p);
  if (!is_number({p, size})) return false;
  Node node = text_node(Tag::number, p, size);
  if (size <= sizeof node.body) {
    node = {static_cast<std::uint64_t>(Tag::short_number) | size << 8, 0};
    std::memcpy(&node.body, p, size);
  }
  values_.at(leaf.node) = node;
  p = at;
  return true;
}

}  // namespace BELAY_NAMESPACE::json
