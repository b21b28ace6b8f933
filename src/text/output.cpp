#include "text/output.h"

#include "base/utf8.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::text {
namespace {

// Its arguments were cut off, or a string in them ran on to where the call ended.
bool never_ended(const json::Reading& reading) {
  if (reading.verdict.end != json::End::complete) return true;
  const auto guessed = [&](json::EditKind kind) {
    return std::any_of(reading.edits.begin(), reading.edits.end(),
                       [&](const json::Edit& edit) { return edit.kind == kind && edit.grade == json::Grade::guess; });
  };
  return guessed(json::EditKind::missing_quote) && guessed(json::EditKind::missing_closer);
}

}  // namespace

void Output::give(std::string_view piece) {
  switch (kind_) {
    case Kind::none: break;
    case Kind::text: sink_.on_text(piece); break;
    case Kind::reasoning: sink_.on_reasoning(piece); break;
    case Kind::delta:
      if (named_)
        sink_.on_call_delta(calls_ - 1, piece);
      else if (waiting_.size() + piece.size() <= limits_.bytes)
        waiting_ += piece;
      break;
  }
}

void Output::to(Kind kind) {
  if (kind_ == kind) return;
  flush();
  kind_ = kind;
}

void Output::flush() {
  characters_.flush([this](std::string_view piece) { give(piece); });
}

void Output::text(std::string_view bytes) {
  if (bytes.empty()) return;
  to(Kind::text);
  characters_.push(bytes, [this](std::string_view piece) { give(piece); });
}

void Output::reasoning(std::string_view bytes) {
  if (bytes.empty()) return;
  to(Kind::reasoning);
  characters_.push(bytes, [this](std::string_view piece) { give(piece); });
}

void Output::begin() {
  flush();
  kind_ = Kind::none;
  ++calls_;
  open_ = true;
  named_ = false;
  waiting_.clear();
}

void Output::name(std::string_view id, std::string_view name) {
  if (named_ || !open_) return;
  named_ = true;
  id_ = utf8::replaced(id);
  name_ = utf8::replaced(name);
  sink_.on_call_start(calls_ - 1, id_, name_);
  if (!waiting_.empty()) sink_.on_call_delta(calls_ - 1, waiting_);
  waiting_.clear();
}

void Output::delta(std::string_view bytes) {
  if (bytes.empty() || !open_) return;
  to(Kind::delta);
  characters_.push(bytes, [this](std::string_view piece) { give(piece); });
}

void Output::end(Found found) {
  if (!open_) return;
  name(found.id, found.name);
  // As it was announced. An id that came behind the name is said here only.
  found.id = id_.empty() ? utf8::replaced(found.id) : id_;
  found.name = name_;
  flush();
  kind_ = Kind::none;
  open_ = false;
  if (!left_open_ && never_ended(found.reading)) left_open_ = calls_ - 1;
  sink_.on_call_end(calls_ - 1, std::move(found));
}

}  // namespace BELAY_NAMESPACE::text
