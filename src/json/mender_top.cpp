// Outside of any value: prose, fences, tags, and the brackets that start a value.
#include "json/mender.h"
#include "json/scan.h"
#include "json/word.h"

#include <belay/json/writer.h>

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::json {

// A fence and the word behind it, as in ```json.
void Mender::end_fence() {
  if (!fence_) return;
  safe(EditKind::fence, fence_at_, fence_end_ - fence_at_);
  fence_ = false;
  announced_ = values_ == 0 && (fence_word_.starts_with("json") || fence_word_.starts_with("tool"));
}

void Mender::list(const Prose::Stretch& s) {
  if (s.any) s_.edit(s.kind, s.grade, s.offset, s.length);
}

Mender::Next Mender::step_top() {
  const char* p = here();
  char c = *p;
  if (c == ' ' || c == '\t' || c == '\r') {
    prose_.space();
    end_fence();
    ++pos_;
    return Next::go;
  }
  if (c == '\n') {
    line_has_value_ = label_ = false;
    prose_.new_line();
    end_fence();
    ++pos_;
    return Next::go;
  }
  if (fence_) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-' || c == '+') {
      if (fence_word_.size() < 8) fence_word_ += c;
      ++pos_;
      fence_end_ = offset();
      return Next::go;
    }
    end_fence();
  }
  bool first = start_;
  // What is announced as JSON is read like what stands alone.
  const bool alone = std::exchange(announced_, false) || first;
  if (c == '{' || (c == '[' && s_.options.root == Root::any)) {
    Answer a = c == '{' ? ahead_.starts_object(p + 1, left() - 1, final_, alone)
                        : ahead_.starts_array(p + 1, left() - 1, final_, alone);
    if (a == Answer::more) {
      announced_ = alone && !first;
      return Next::wait;
    }
    // ${HOME:-x} is a variable.
    const bool variable = c == '{' && prose_.dollar_before(offset()) && left() > 1 && in_name(p[1]);
    if (a == Answer::yes && !variable) {
      Quote around = prose_.quote_before(offset());
      list(prose_.before_value(offset(), c));
      start_ = false;
      if (values_ >= s_.options.limits.values) {
        failed_ = true;
        s_.fail_limit("values", s_.options.limits.values, position());
        return Next::go;
      }
      value_at_ = offset();
      around_ = around;
      // [1] {"a":1}: the number of an item in a list.
      if (values_ > 0 && prose_.any_text()) doubt_weak();
      if (label_ && c == '{' && !weak_.empty() && offset() > weak_.back().to) {
        guess(EditKind::weak_value, weak_.back().from, weak_.back().to - weak_.back().from);
        weak_.pop_back();
      }
      label_ = false;
      if (open(c == '{' ? Frame::Type::object : Frame::Type::array)) ++pos_;
      return Next::go;
    }
    start_ = false;
    prose_.add_bracket(c, offset());
    ++pos_;
    return Next::go;
  }
  Glyph g = look();
  if (g.is == Is::more) return Next::wait;
  if (c == '\\' && g.is == Is::space) g = {Is::word};  // a path, not white space
  if (g.is == Is::space) {
    if (offset() == 0 && g.length == 3 && static_cast<unsigned char>(c) == 0xEF) {
      safe(EditKind::byte_order_mark, 0, 3);
      skip(g);
    } else {
      skip_space(g);
    }
    return Next::go;
  }
  if (first && s_.options.root == Root::any) {
    // A scalar counts when it is the whole input; a tuple when it starts it.
    if (g.is == Is::quote && g.quote != Quote::escaped_double && g.quote != Quote::escaped_single) {
      std::size_t k = past_space(std::max<std::size_t>(g.length, seek_));
      seek_ = k;
      if (k == left() && !final_ && k <= kHold) return Next::wait;
      seek_ = 0;
      bool around = k < left() && k <= kHold && (p[k] == '{' || p[k] == '[') && g.quote != Quote::straight_double;
      if (!around) {
        start_ = false;
        open_string(g, false);
        return Next::go;
      }
    } else if (g.is == Is::word) {
      start_ = false;
      start_word();
      in_ = In::top_word;
      return Next::go;
    } else if (g.is == Is::open_paren) {
      Answer a = ahead_.starts_array(p + 1, left() - 1, final_, false);
      if (a == Answer::more) return Next::wait;
      std::size_t k = past_space(1);
      bool around = k < left() && (p[k] == '{' || p[k] == '[');  // ({"a":1}) is JavaScript for the object
      if (a == Answer::yes && !around) {
        start_ = false;
        value_at_ = offset();
        guess(EditKind::wrong_opener, offset(), 1);
        if (open(Frame::Type::paren)) skip(g);
        return Next::go;
      }
    }
  }
  if (first && s_.options.root == Root::object && c == '"') {
    Answer a = begins_member();
    if (a == Answer::more) return Next::wait;
    if (a == Answer::yes) {
      start_ = false;
      value_at_ = offset();
      guess(EditKind::missing_opener, offset(), 0);
      open(Frame::Type::object);
      return Next::go;
    }
  }
  start_ = false;
  if (g.is == Is::fence) {
    fence_ = true;
    fence_word_.clear();
    prose_.fence();
    fence_at_ = offset();
    skip(g);
    fence_end_ = offset();
    return Next::go;
  }
  if ((g.hash || g.is == Is::block_comment) && left() <= g.length && !final_) {
    start_ = first;
    return Next::wait;
  }
  if (begins_comment(g)) {
    begin_comment(g);
    start_ = first;
    return Next::go;
  }
  if (g.is == Is::line_comment && !prose_.in_word(offset())) note_comment_sign(g);
  if (c == '"' && list_depth_ > 0) {
    // A string in a list that does not count: brackets in it are its text.
    in_ = In::top_string;
    prose_.add({Is::word}, c, offset(), values_);
    skip(g);
    return Next::go;
  }
  if (c == '[' || (c == ']' && list_depth_ > 0)) {
    // Only objects count: the brackets of lists around them are words.
    if (c == '[')
      ++list_depth_;
    else
      --list_depth_;
    prose_.set_list(list_depth_ > 0);
    if (c == ']') {
      prose_.add_list_end(offset());
      skip(g);
      return Next::go;
    }
    g = {Is::word};
  }
  if ((c == '}' || c == ']' || c == ')') && values_ == 1 && !std::exchange(closers_judged_, true)) {
    prose_.set_early(closed_early());
    prose_.set_open_in_strings(open_in_strings());
  }
  prose_.add(g, c, offset(), values_);
  announced_ = c == '>' && values_ == 0 && prose_.behind_call_tag();
  skip(g);
  // Plain words in one run.
  if (!prose_.in_tag()) {
    std::size_t from = pos_;
    auto plain = [](char x) { return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || is_digit(x); };
    if (g.is == Is::word)
      while (pos_ < size_ && plain(data_[pos_])) ++pos_;
    if (pos_ > from) {
      prose_.add_plain({data_ + from, pos_ - from}, offset());
      announced_ = false;
    }
  }
  return Next::go;
}

// {"a":"f() {"}}: the last brace may be the string's.
Prose::OpenInStrings Mender::open_in_strings() const {
  Prose::OpenInStrings open;
  const Tape& tape = s_.builder.tape();
  for (std::size_t i = 0; i < tape.size(); ++i) {
    if (tape.node(i).tag() != Tag::string) continue;
    const std::string_view text = tape.text(i);
    open.brace = open.brace || leaves_open(text, '{', '}');
    open.bracket = open.bracket || leaves_open(text, '[', ']');
    open.paren = open.paren || leaves_open(text, '(', ')');
  }
  return open;
}

// {"a":{"b":1},"c":2}}: the first brace may stand too early, and the last in its place. So may several: {"a":[{"b":1}],
// "c":2}]}. What stands behind them must fit into the innermost container that they close, and each closer behind that
// closes a container that lies so many levels further in than it seems: those must be of the same kinds. Some levels
// may be looked through for each node; beyond that, any closer may stand too early.
std::vector<Prose::Early> Mender::closed_early() const {
  constexpr std::size_t kLooks = 16;  // for each node, on average
  constexpr std::size_t kMost = 16;
  std::vector<Prose::Early> early;
  const Tape& tape = s_.builder.tape();
  std::size_t looks = kLooks * tape.size();
  auto last_child = [&](std::size_t i) {
    std::size_t last = i;
    for (std::size_t child = i + 1; child < tape.next(i) && looks > 0; child = tape.next(child), --looks) last = child;
    return last;
  };
  std::vector<std::size_t> around;  // the containers that are open at i, itself the last
  std::vector<Tag> path;            // from its child inwards
  auto kind = [&](std::size_t level) {
    return level < around.size() ? tape.node(around[level]).tag() : path[level - around.size()];
  };
  auto fits = [&] {
    for (std::size_t level = 0; level < around.size() && looks > 0; ++level, --looks)
      if (kind(level) != kind(level + path.size())) return false;
    return true;
  };
  for (std::size_t i = 0; i < tape.size(); ++i) {
    if (!tape.node(i).container()) continue;
    while (!around.empty() && tape.next(around.back()) <= i) around.pop_back();
    around.push_back(i);
    const Tag tag = tape.node(i).tag();
    for (std::size_t child = i + 1; child < tape.next(i); child = tape.next(child)) {
      if (!tape.node(child).container() || tape.next(child) == tape.next(i)) continue;
      path.clear();
      for (std::size_t inner = child; tape.node(inner).container();) {
        path.push_back(tape.node(inner).tag());
        if (path.back() == tag && fits()) {
          Prose::Early behind{};  // those of the outermost containers, as many as stand too early
          for (std::size_t level = 0; level < path.size(); ++level)
            ++(kind(level) == Tag::object ? behind.braces : behind.brackets);
          if (std::ranges::find(early, behind) == early.end()) early.push_back(behind);
          break;
        }
        const std::size_t last = last_child(inner);
        if (last == inner) break;
        inner = last;
      }
      if (looks == 0 || early.size() > kMost) return {{1, 0}, {0, 1}};
    }
  }
  return early;
}

// "path":"a.txt","n":1}: arguments without their brace. What follows the colon has to begin a value.
Answer Mender::begins_member() const {
  constexpr std::size_t kLongest = 64;
  const Answer key = key_follows(0);
  if (key != Answer::yes) return key;
  const std::string_view behind = std::string_view(here(), left()).substr(0, 4 * kLongest);
  const std::size_t value = behind.find_first_not_of(" \t\r\n", behind.find(':') + 1);
  if (value == behind.npos) return final_ || behind.size() == 4 * kLongest ? Answer::no : Answer::more;
  return std::string_view("\"{[-0123456789tfn").find(behind[value]) != std::string_view::npos ? Answer::yes
                                                                                              : Answer::no;
}

// What touches a word is part of it: src/*.ts, https://. Behind the words of a sentence // and # are no comments
// either, but may hide what follows on their line; behind a value they are.
bool Mender::begins_comment(const Glyph& g) const {
  if (g.is == Is::html_comment) return true;
  if (g.is == Is::block_comment) {
    const bool pattern = left() > g.length && here()[g.length] == '.';  // /*.log
    return !pattern && !prose_.in_word(offset());
  }
  if (g.is == Is::line_comment && list_depth_ > 0) return !prose_.in_word(offset());
  return g.is == Is::line_comment && prose_.token_start(offset()) &&
         (line_has_value_ || (!g.hash && !prose_.line_begun()));
}

// A heading, or a value that was commented out. #5 and #general in a sentence are names.
void Mender::note_comment_sign(const Glyph& g) {
  const char next = left() > g.length ? here()[g.length] : ' ';
  if (!g.hash)
    prose_.set_comment_line();
  else if (!prose_.line_begun() && next == '#')
    prose_.set_heading();
  else if (!prose_.line_begun() || is_space(next))
    prose_.set_comment_line();
}

Mender::Next Mender::step_top_word() {
  while (pos_ < size_) {
    char c = *here();
    bool part =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '+' || c == '-' || c == '.' || c == '_';
    if (!part) break;
    word_ += c;
    ++pos_;
  }
  if (pos_ == size_) return Next::go;
  if (is_space(*here())) {
    // Only white space may follow.
    std::size_t k = past_space(seek_);
    seek_ = k;
    if (k == left() && !final_ && k <= kHold) return Next::wait;
    seek_ = 0;
    if (k == left() && k <= kHold) {
      pos_ += k;
      return Next::go;
    }
  }
  // It was the first word of prose.
  in_ = In::top;
  if (word_.empty()) return Next::go;
  prose_.add_scalar(word_at_, word_at_ + word_.size(), false, Quote::none);
  prose_.add_plain(word_, word_at_ + word_.size());
  if (is_scalar(word_) && !word_.ends_with('.')) prose_.set_lone_scalar();
  return Next::go;
}

Mender::Next Mender::step_top_string() {
  while (pos_ < size_) {
    char c = *here();
    if (c == '\\') {
      if (left() < 2 && !final_) return Next::wait;
      pos_ += left() < 2 ? 1u : 2u;
      continue;
    }
    ++pos_;
    prose_.add_plain(c == '"' ? "\"" : "x", offset());
    if (c == '"') {
      in_ = In::top;
      break;
    }
  }
  return Next::go;
}

Mender::Next Mender::step_top_scalar() {
  Glyph g = look();
  if (g.is == Is::more) return Next::wait;
  if (g.is == Is::space) {
    scalar_lines_ |= *here() == '\n';
    skip_space(g);
    return Next::go;
  }
  if (g.is == Is::line_comment || g.is == Is::block_comment || g.is == Is::html_comment) {
    begin_comment(g);
    return Next::go;
  }
  Tape& tape = s_.tape();
  bool string = tape.node(0).tag() == Tag::string;
  if (offset() - string_at_ > kHold) {
    // Too long to wait any longer: it stands as a value. Shorter, it would have been a key, or prose.
    guess(EditKind::weak_value, string_at_, offset() - string_at_);
    values_ = 1;
    text_values_ = 1;
    s_.text_stopped = true;
    in_ = In::top;
    return Next::go;
  }
  if (string && g.is == Is::colon && !g.odd) {
    // "a": 1, "b": 2} — the brace is missing.
    std::string key(tape.text(0));
    s_.builder.clear();
    value_at_ = 0;
    guess(EditKind::missing_opener, string_at_, 0);
    open(Frame::Type::object);
    s_.builder.key(key);
    in_ = In::colon;
    return Next::go;
  }
  scalar_to_prose();
  return Next::go;
}

// What looked like a scalar has something behind it: it was prose.
void Mender::scalar_to_prose() {
  Tape& tape = s_.tape();
  const bool lines = std::exchange(scalar_lines_, false);
  bool brackets = tape.node(0).tag() == Tag::string && tape.text(0).find_first_of("{[") != std::string_view::npos;
  bool quoted = tape.node(0).tag() == Tag::string;
  s_.builder.clear();
  in_ = In::top;
  if (quoted) {
    // Without a kind it was read by the other half.
    prose_.add_scalar(string_at_, offset(), brackets, quote_ == Quote::none ? Quote::straight_double : quote_);
  } else {
    prose_.add_scalar(string_at_, offset(), brackets, Quote::none);
    prose_.add_plain("0", offset());
    prose_.set_lone_scalar();
  }
  if (lines) prose_.end_scalar_line();
}

void Mender::end_top_value() {
  in_ = In::top;
  ++values_;
  ended_ = s_.options.one;
  line_has_value_ = true;
  prose_.after_value(offset());
  if (s_.tape().last_closed() < s_.tape().size()) note_weak(s_.tape().last_closed(), value_at_, offset());
}

// Two backticks or single quotes that are all there is may be the start of three, of a fence say.
bool Mender::begins_longer_quote() const {
  return (quote_ == Quote::backtick || quote_ == Quote::straight_single) && string_end_ == base_ &&
         s_.builder.tape().node(0).tag() == Tag::string && s_.builder.tape().text(0).empty();
}

// `"a": 1}` and `run {"a":1}`: a string in backticks, or what was to be read in the quotes of code.
void Mender::note_fragment() {
  const Tape& tape = s_.tape();
  if (quote_ == Quote::none || quote_ == Quote::straight_double || tape.node(0).tag() != Tag::string) return;
  std::int64_t open = 0;
  for (char c : tape.text(0)) open += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
  if (open < 0 || tape.text(0).find('{') != std::string_view::npos)
    guess(EditKind::quoted_document, string_at_, offset() - string_at_);
}

// {} and [1] beside words may be part of the prose.
void Mender::note_weak(std::size_t root, std::uint64_t from, std::uint64_t to) {
  const Tape& tape = s_.tape();
  const Node& n = tape.node(root);
  bool weak = n.size() == 0;
  if (n.tag() == Tag::array && n.size() == 1) {
    Tag t = tape.node(root + 1).tag();
    weak = label_ = t != Tag::string && t < Tag::array;
  }
  if (weak && weak_.size() < std::max<std::uint64_t>(s_.options.limits.edits, 1))
    weak_.push_back({from, to});
  else
    weak_more_ += weak;
  if (values_ > 1 && prose_.any_text()) doubt_weak();
}

void Mender::doubt_weak() {
  for (const Weak& w : weak_) guess(EditKind::weak_value, w.from, w.to - w.from);
  weak_.clear();
  s_.edits_total += std::exchange(weak_more_, 0);
}

}  // namespace BELAY_NAMESPACE::json
