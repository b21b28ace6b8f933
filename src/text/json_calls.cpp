// JSON objects with name and arguments in them: one, several, or a list, up to the end marker.
#include "text/object_part.h"
#include "text/peek.h"
#include "text/tag_doubt.h"
#include "text/wrapper.h"

#include <optional>
#include <utility>

namespace BELAY_NAMESPACE::text {
namespace {

using json::EditKind;
using json::Grade;

// A fence and the name of its language have fewer bytes: what has more is text.
constexpr std::size_t kFence = 32;

class JsonCalls final : public Payload {
 public:
  JsonCalls(Context& context, const Row& row, Around around, Receipt receipt)
      : c_(context), row_(row), object_(context, row), around_(around), receipt_(std::move(receipt)) {}

  std::size_t read(std::string_view window, Position at, bool final) override;
  [[nodiscard]] json::MaybePartial partial() const override {
    return in_object_ ? arguments_in(object_.value()) : json::MaybePartial();
  }
  [[nodiscard]] bool guessed() const override { return receipt_.grade == json::Grade::guess || object_.guessed(); }

 private:
  enum class Next : std::uint8_t { go, wait, over };
  Next between(std::string_view rest, Position at, bool final, std::size_t& used);
  [[nodiscard]] Next goes_on(std::string_view rest, bool final) const;
  Next angle(std::string_view rest, Position at, bool final, std::size_t& used);
  Next other(std::string_view rest, Position at, bool final, std::size_t& used);
  void begin_object(Position at, ObjectPart::Opens opens = ObjectPart::Opens::brace);
  void look_for_name();
  void end_object(bool cut);
  void give_pending();
  void edit(EditKind kind, Grade grade, Position at, std::size_t length) {
    receipt_.add(kind, grade, at.offset, length);
  }
  [[nodiscard]] Match fence(std::string_view rest, bool final) const;
  [[nodiscard]] bool bare() const { return row_.grammar == Grammar::bare_json; }

  Context& c_;
  const Row& row_;
  ObjectPart object_;
  Around around_;
  bool in_object_ = false;
  bool touching_ = false;  // nothing stands between the last object and what comes next
  enum class Before : std::uint8_t { nothing, named, nameless };
  Before before_ = Before::nothing;  // the last object
  std::optional<Found> pending_;     // read, but what stands behind it may still belong to it
  Receipt receipt_;
  std::uint64_t look_at_ = 0;  // how long the object must be before its name is looked for again
  std::uint64_t lists_ = 0;    // brackets around the objects
};

void JsonCalls::begin_object(Position at, ObjectPart::Opens opens) {
  give_pending();
  c_.output.begin();
  object_.begin(at, opens);
  look_at_ = 0;
  in_object_ = true;
}

void JsonCalls::look_for_name() {
  // With many members and no name among them it is looked for when there are clearly more.
  if (c_.output.named() || object_.size() < look_at_) return;
  look_at_ = object_.size() < kHoldBare ? 0 : object_.size() + object_.size() / 8;
  std::string id;
  if (auto name = name_in(object_.value(), c_, &id)) c_.output.name(id, *name);
}

// The object is over; what it holds is a call as soon as nothing behind it can change that.
void JsonCalls::end_object(bool cut) {
  in_object_ = false;
  touching_ = true;
  std::uint64_t offset = object_.begun_at().offset;
  pending_ = unwrap(object_.finish(cut), c_, row_, offset);
  pending_->closed = !cut;
  // {"name": "f"} {"arguments": {}}: what has no name may be the rest of what has one.
  const bool nameless = pending_->name.empty();
  const json::Edit split{EditKind::prose, Grade::guess, offset, 0};
  if (before_ == Before::named && nameless) c_.output.doubt_before(split);
  if (before_ == Before::nameless && !nameless) receipt_.add(split.kind, split.grade, split.offset, split.length);
  before_ = nameless ? Before::nameless : Before::named;
}

void JsonCalls::give_pending() {
  if (!pending_) return;
  add_edits(pending_->reading, receipt_);
  receipt_ = Receipt(c_.options.limits.edits);
  c_.output.end(std::move(*pending_));
  pending_.reset();
}

std::size_t JsonCalls::read(std::string_view window, Position at, bool final) {
  std::size_t i = 0, counted = 0;
  auto here = [&] {
    advance(at, window.substr(counted, i - counted));
    counted = i;
    return at;
  };
  while (!done_) {
    if (in_object_) {
      ObjectPart::Then then;
      i += object_.read(window.substr(i), final, then);
      look_for_name();
      if (then == ObjectPart::Then::more) {
        if (!final) return i;
        end_object(true);
        give_pending();
        done_ = true;
        return i;
      }
      end_object(false);
      continue;
    }
    std::size_t used = 0;
    // {"q": "x"} , "n": 3}: a bracket may have come too early.
    const bool apart = pending_ && i < window.size() && (is_gap(window, i) ? bare() : !touching_);
    const Is member = apart ? looks_like_member(window.substr(i), final) : Is::no;
    if (member == Is::more && !final) return i;
    Next next = between(window.substr(i), here(), final, used);
    i += used;
    if (used > 0) touching_ = false;
    const bool more = touching_ && i < window.size() && looks_like_more(window.substr(i), final) == Is::yes;
    if (next == Next::over && pending_ && (more || (used == 0 && member == Is::yes)))
      edit(EditKind::prose, Grade::guess, here(), 0);
    if (next == Next::wait && !final) return i;
    if (next == Next::over || next == Next::wait) {
      give_pending();
      done_ = true;
    }
  }
  return i;
}

// Behind an object, or before the first.
JsonCalls::Next JsonCalls::between(std::string_view rest, Position at, bool final, std::size_t& used) {
  const std::size_t space = past_any_space(rest, 0);
  if (bare() && lists_ == 0 && pending_ && !around_.wrapped) return other(rest, at, final, used);
  if (space > 0) {
    receipt_.spaces(rest.substr(0, space), at.offset);
    used = space;
    return Next::go;
  }
  if (half_space(rest) && !final) return Next::wait;
  if (rest.empty()) {
    if (final && pending_ && !row_.end.empty()) edit(EditKind::missing_marker, Grade::safe, at, 0);
    // More calls may have been on their way.
    if (final && pending_ && lists_ > 0) edit(EditKind::missing_closer, Grade::guess, at, 0);
    return Next::wait;
  }
  char c = rest.front();
  Match end = match_any(rest, row_.end, final);
  if (end.is == Is::more) return Next::wait;
  if (end.is == Is::yes) {
    if (!end.exact) edit(EditKind::marker_spelling, Grade::safe, at, end.length);
    if (lists_ > 0) edit(EditKind::missing_closer, Grade::guess, at, 0);
    used = end.length;
    again_.assign(row_.end.begin(), row_.end.end());
    return Next::over;
  }
  if (Match mark = fence(rest, final); mark.is != Is::no) {
    if (mark.is == Is::more) return Next::wait;
    used = mark.length;
    around_.fence = 0;
    // The end marker stands behind the fence.
    return row_.end.empty() ? Next::over : Next::go;
  }
  switch (c) {
    case '{': begin_object(at); return Next::go;
    case '"':
      // The brace before the first key is missing, which the commit point has seen.
      if (pending_) break;
      begin_object(at, ObjectPart::Opens::key);
      return Next::go;
    case '[':
      if (Match start = match_any(rest, row_.start, final); start.is != Is::no) {
        if (start.is == Is::more) return Next::wait;
        break;
      }
      if (Next next = goes_on(rest, final); next != Next::go) {
        if (next == Next::wait) return next;
        break;
      }
      ++lists_;
      used = 1;
      return Next::go;
    case ']':
      if (lists_ == 0)
        edit(EditKind::surplus_closer, Grade::safe, at, 1);
      else
        --lists_;
      used = 1;
      if (around_.wrapped && lists_ == 0) return Next::go;
      // Nothing but the list's own end says where the calls end.
      if (lists_ == 0 && row_.end.empty() && around_.fence == 0 && !(bare() && pending_)) return Next::over;
      return Next::go;
    case ',':
    case ';':
      if (Next next = goes_on(rest, final); next != Next::go) {
        if (next == Next::wait) return next;
        break;
      }
      used = 1;
      return Next::go;
    case '}':
    case ')':
      if (around_.wrapped && c == '}' && lists_ == 0) {
        used = 1;
        return Next::over;
      }
      if (!pending_) break;
      edit(EditKind::surplus_closer, Grade::safe, at, 1);
      used = 1;
      return Next::go;
    case '<':
    case '>': return angle(rest, at, final, used);
    case '`':
      if (Match fence = match_literal(rest, "```", final); fence.is != Is::no) {
        if (fence.is == Is::more) return Next::wait;
        std::size_t line = 3;
        while (line < rest.size() && line < kFence && is_name_byte(rest[line])) ++line;
        if (line == kFence) break;
        if (line == rest.size() && !final) return Next::wait;
        edit(EditKind::fence, Grade::safe, at, line);
        used = line;
        return Next::go;
      }
      break;
    default: break;
  }
  // Text: the end of the list, or the end marker, is missing.
  if (lists_ > 0 && pending_) edit(EditKind::missing_closer, Grade::guess, at, 0);
  if (!row_.end.empty()) {
    edit(EditKind::missing_marker, Grade::safe, at, 0);
    owed_ = row_.end;
  }
  return Next::over;
}

// A separator or bracket behind the last object, outside of a list: it belongs to the calls if another object follows,
// and is the beginning of text otherwise.
JsonCalls::Next JsonCalls::goes_on(std::string_view rest, bool final) const {
  if (!pending_ || lists_ > 0) return Next::go;
  std::size_t i = 0;
  const std::string_view near = rest.substr(0, kHold);
  while (i < near.size() && (is_gap(near, i) || near[i] == '[' || near[i] == ',' || near[i] == ';'))
    i = is_gap(near, i) ? past_blank(near, i) : i + 1;
  if (i == near.size() && i < kHold) return final ? Next::over : Next::wait;
  return i < kHold && near[i] == '{' ? Next::go : Next::over;
}

// A tag that is not the end marker.
JsonCalls::Next JsonCalls::angle(std::string_view rest, Position at, bool final, std::size_t& used) {
  if (rest.front() == '>') {
    edit(EditKind::stray_bytes, Grade::safe, at, 1);
    used = 1;
    return Next::go;
  }
  Match start = match_any(rest, row_.start, final, true);
  Match outer = match_any(rest, row_.outer_end, final);
  if (start.is == Is::more || outer.is == Is::more) return Next::wait;
  if (outer.is == Is::yes) return Next::over;
  if (start.is == Is::yes) {
    // The opening tag where the closing one should stand, if no object follows it.
    const Match after = next_byte(rest, start.length, final);
    if (after.is == Is::more) return Next::wait;
    const char next = after ? rest[after.length] : ' ';
    const bool call = next == '{' || next == '[' || next == '<';
    if (call || !pending_) {
      if (!row_.end.empty()) edit(EditKind::missing_marker, Grade::safe, at, 0);
      return Next::over;
    }
    edit(EditKind::marker_spelling, Grade::safe, at, start.length);
    used = start.length;
    return Next::over;
  }
  // Another closing tag, or a special token: the end marker as the model spelled it.
  Match closer = match_closer(rest, final);
  if (closer.is == Is::more) return Next::wait;
  // The end of reasoning, or of a tool's result, is not the call's own.
  const bool take = c_.options.in_reasoning == InReasoning::take;
  const Match shown = take ? Match{} : match_shown_end(rest, final);
  if (shown.is == Is::more) return Next::wait;
  if (closer.is == Is::yes && !shown && !row_.end.empty()) {
    edit(EditKind::marker_spelling, Grade::safe, at, closer.length);
    used = closer.length;
    return Next::over;
  }
  if (pending_ && !pending_->reading.document.empty()) {
    const json::Value root = pending_->reading.document.root();
    const auto is_argument = [&](std::string_view name) { return root.is_object() && root.find(name); };
    const Is twice = parameter_follows(rest, c_.tool(pending_->name), is_argument, final);
    if (twice == Is::more) return Next::wait;
    if (twice == Is::yes) edit(EditKind::prose, Grade::guess, at, 0);
  }
  if (!row_.end.empty()) {
    edit(EditKind::missing_marker, Grade::safe, at, 0);
    owed_ = row_.end;
  }
  return Next::over;
}

// The end of the fence around the calls.
Match JsonCalls::fence(std::string_view rest, bool final) const {
  constexpr std::size_t kLongest = 64;
  if (around_.fence == 0 || rest.empty() || rest.front() != around_.fence) return {};
  std::size_t n = 0;
  while (n < rest.size() && n < kLongest && rest[n] == around_.fence) ++n;
  if (n == rest.size() && n < kLongest && !final) return {Is::more};
  // Where the text ends, half of it will do.
  return n >= 3 || n == rest.size() ? Match{Is::yes, n} : Match{};
}

// Behind an object that no marker announced: another one, a separator away, or the end.
JsonCalls::Next JsonCalls::other(std::string_view rest, Position at, bool final, std::size_t& used) {
  const Match next = next_byte(rest, 0, final);
  if (!next) return next.is == Is::more ? Next::wait : Next::over;
  const std::size_t i = next.length;
  if (i == 0 && (rest[0] == '}' || rest[0] == ']')) {
    edit(EditKind::surplus_closer, Grade::safe, at, 1);
    used = 1;
    return Next::go;
  }
  if (Match mark = fence(rest.substr(i), final); mark.is != Is::no) {
    if (mark.is == Is::more) return Next::wait;
    used = i + mark.length;
    return Next::over;
  }
  const Match object = rest[i] == ';' || rest[i] == ',' ? next_byte(rest, i + 1, final) : next;
  if (!object) return object.is == Is::more ? Next::wait : Next::over;
  const std::size_t k = object.length;
  const Is call = rest[k] == '{' ? looks_like_call(rest.substr(k), c_, final).is : Is::no;
  if (call == Is::more) return final ? Next::over : Next::wait;
  if (call == Is::no) {
    // On a line with other text the object may have been shown, not meant.
    const bool line = rest.substr(0, i).find('\n') == std::string_view::npos;
    if (c_.options.format == "auto" && (line || around_.fence != 0) && rest[i] != '<')
      receipt_.guess(EditKind::stray_bytes, at.offset + i, 0);
    return Next::over;
  }
  give_pending();
  receipt_.spaces(rest.substr(0, k), at.offset);
  used = k;
  return Next::go;
}

}  // namespace

std::unique_ptr<Payload> json_calls(Context& context, const Row& row, Around around, Receipt receipt) {
  return std::make_unique<JsonCalls>(context, row, around, std::move(receipt));
}

}  // namespace BELAY_NAMESPACE::text
