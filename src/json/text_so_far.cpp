#include <belay/json/text_so_far.h>

#include "json/escaped.h"

namespace BELAY_NAMESPACE::json {

void TextSoFar::take(MaybePartial value, std::string& out) {
  if (!value || done_) return;
  if (next_ == kNone) next_ = value->at_;
  walk(*value->shown_, out);
}

void TextSoFar::finish(Value value, std::string& out) {
  if (done_) return;
  if (next_ == kNone) next_ = value.index();
  const Tape& tape = *value.tape();
  walk({&tape, tape.size(), Tape::kNone}, out);
}

// Nodes come in the order of the text, so one pass writes them. A string whose end is not decided stops it, and so does
// a key whose value has not begun.
void TextSoFar::walk(const Shown& shown, std::string& out) {
  const Tape& tape = *shown.tape;
  while (!done_) {
    while (!open_.empty()) {
      const Node& container = tape.node(open_.back().node);
      if (container.open() || container.body != next_) break;
      out += open_.back().object ? '}' : ']';
      open_.pop_back();
      comma_ = true;
      done_ = open_.empty();
    }
    if (done_ || next_ >= shown.end) return;
    const Node& n = tape.node(next_);
    const bool key = n.tag() == Tag::key;
    if (key && next_ + 1 >= shown.end) return;
    if (comma_ && said_ == kNone) out += ',';
    comma_ = !key && !n.container();
    switch (n.tag()) {
      case Tag::null: out += "null"; break;
      case Tag::no: out += "false"; break;
      case Tag::yes: out += "true"; break;
      case Tag::short_number:
      case Tag::number: out += tape.text(next_); break;
      case Tag::string:
      case Tag::key:
        if (!take_string(tape.text(next_), next_ != shown.held, out)) return;
        if (key) out += ':';
        break;
      case Tag::array:
      case Tag::object:
        out += n.tag() == Tag::object ? '{' : '[';
        open_.push_back({next_, n.tag() == Tag::object});
        break;
    }
    ++next_;
    done_ = open_.empty();
  }
}

// True when the string is written to its end.
bool TextSoFar::take_string(std::string_view text, bool closed, std::string& out) {
  if (said_ == kNone) {
    out += '"';
    said_ = 0;
  }
  append_escaped(text.substr(said_), out);
  said_ = text.size();
  if (!closed) return false;
  out += '"';
  said_ = kNone;
  return true;
}

}  // namespace BELAY_NAMESPACE::json
