// The arguments of a call whose name stood outside of them.
#include "text/object_part.h"
#include "text/tag_doubt.h"
#include "text/wrapper.h"

#include <optional>
#include <utility>

namespace belay::text {
namespace {

using json::EditKind;

// What stands between a name and its arguments.
Words inner_marks(const Row& row) {
  if (row.grammar == Grammar::harmony) return {{"<|message|>", "<|constrain|>"}};
  if (row.separator.empty() || row.separator == "\n") return {};
  return {{row.separator, row.before_id}};
}

class NamedJson final : public Payload {
 public:
  NamedJson(Context& context, const Row& row, std::string id, std::string name, Receipt receipt)
      : c_(context),
        row_(row),
        id_(std::move(id)),
        name_(std::move(name)),
        receipt_(std::move(receipt)),
        object_(context, row) {
    c_.output.begin();
    if (!name_.empty()) c_.output.name(id_, name_);
  }

  std::size_t read(std::string_view window, Position at, bool final) override;
  [[nodiscard]] json::MaybePartial partial() const override {
    return in_ == In::before ? json::MaybePartial() : object_.value();
  }

 private:
  enum class In : std::uint8_t { before, object, behind };
  enum class Next : std::uint8_t { go, wait };
  Next before(std::string_view rest, Position at, bool final, std::size_t& used);
  Next behind(std::string_view rest, Position at, bool final, std::size_t& used);
  void end(bool cut, Position at = {});

  Context& c_;
  const Row& row_;
  std::string id_, name_;
  Receipt receipt_;
  ObjectPart object_;
  In in_ = In::before;
  bool begun_ = false;
};

void NamedJson::end(bool cut, Position at) {
  Found found;
  if (begun_) {
    found.reading = object_.finish(cut);
    if (row_.name_key == "name" && row_.arguments_key == "args" && !found.reading.document.empty() &&
        found.reading.document.root().is_object()) {
      const json::Value root = found.reading.document.root();
      if (root.find("args"))
        // The object has the name in it once more.
        found = unwrap(std::move(found.reading), c_, row_, object_.begun_at().offset);
      else if (const auto again = root.find("name"); again && again->is_string() && again->as_string() == name_)
        receipt_.guess(EditKind::loose_arguments, object_.begun_at().offset, 0);
    }
  } else {
    found.reading.document = empty_object();
    found.reading.verdict = {cut ? json::End::cut : json::End::complete, json::Grade::strict, 1};
    if (cut) found.reading.error = cut_error(at);
  }
  // Two names: which was meant is a choice.
  if (!name_.empty() && !found.name.empty() && found.name != name_)
    receipt_.guess(EditKind::key_alias, object_.begun_at().offset, 0);
  if (!name_.empty()) found.name = name_;
  if (!id_.empty()) found.id = id_;
  found.closed = !cut;
  add_edits(found.reading, receipt_);
  c_.output.end(std::move(found));
  done_ = true;
}

std::size_t NamedJson::read(std::string_view window, Position at, bool final) {
  std::size_t i = 0;
  while (!done_) {
    std::string_view rest = window.substr(i);
    std::size_t used = 0;
    Next next = Next::go;
    if (in_ == In::before) {
      next = before(rest, at, final, used);
    } else if (in_ == In::behind) {
      next = behind(rest, at, final, used);
    } else {
      ObjectPart::Then then;
      used = object_.read(rest, final, then);
      if (then == ObjectPart::Then::more)
        next = Next::wait;
      else
        in_ = In::behind;
    }
    advance(at, rest.substr(0, used));
    i += used;
    if (next == Next::go) continue;
    if (!final) return i;
    advance(at, window.substr(i));
    end(in_ != In::behind, at);
    return window.size();
  }
  return i;
}

NamedJson::Next NamedJson::before(std::string_view rest, Position at, bool final, std::size_t& used) {
  std::size_t space = past_space(rest, 0);
  if (space > 0) {
    used = space;
    return Next::go;
  }
  if (rest.empty()) return Next::wait;
  if (rest.front() != '{') {
    for (const Words* words : {&row_.end, &row_.start, &row_.outer_end}) {
      Match m = match_any(rest, *words, final);
      if (m.is == Is::more) return Next::wait;
      if (m.is == Is::no) continue;
      if (words == &row_.end) used = m.length;
      owed_ = row_.outer_end;
      end(false);
      return Next::go;
    }
  }
  // No arguments at all, said in so many words.
  Match null = match_literal(rest, "null", final);
  if (null.is == Is::more || (null.is == Is::yes && rest.size() == null.length && !final)) return Next::wait;
  if (null.is == Is::yes && (rest.size() == null.length || !is_name_byte(rest[null.length]))) {
    used = null.length;
    c_.output.delta(rest.substr(0, used));
    in_ = In::behind;
    return Next::go;
  }
  begun_ = true;
  object_.begin(at, rest.front() == '"');
  in_ = In::object;
  return Next::go;
}

NamedJson::Next NamedJson::behind(std::string_view rest, Position at, bool final, std::size_t& used) {
  const Match byte = next_byte(rest, 0, final);
  if (byte.is == Is::more) return Next::wait;
  if (byte.is == Is::no) return end(false), Next::go;
  const std::size_t space = byte.length;
  std::string_view next = rest.substr(space);
  at.offset += space;
  Match last = match_any(next, row_.end, final);
  Match fence = match_literal(next, "```", final);
  if (last.is == Is::more || fence.is == Is::more) return Next::wait;
  used = space;
  if (last.is == Is::yes) {
    if (!last.exact) receipt_.safe(EditKind::marker_spelling, at.offset, last.length);
    used = space + last.length;
    again_.assign(row_.end.begin(), row_.end.end());
  } else if (fence.is == Is::yes) {
    used = space + fence.length;
    return Next::go;
  } else if (next.front() == '{') {
    // Another object, glued to it.
    if (begun_)
      used = object_.again(rest, space);
    else
      object_.begin(at);
    begun_ = true;
    in_ = In::object;
    return Next::go;
  } else if (next.front() == '}' || next.front() == ']' || next.front() == ')') {
    if (!match_any(next, row_.start, final)) {
      receipt_.safe(EditKind::surplus_closer, at.offset, 1);
      used = space + 1;
      return Next::go;
    }
    used = 0;
  } else {
    for (const Words* words : {&row_.start, &row_.outer_end, &row_.outer}) {
      Match m = match_any(next, *words, final);
      if (m.is == Is::more) return used = 0, Next::wait;
    }
    used = 0;
    // The call says its arguments twice.
    const Match twice = match_any(next, inner_marks(row_), final);
    if (twice.is == Is::more) return Next::wait;
    if (twice.is == Is::yes) receipt_.guess(EditKind::surplus_marker, at.offset, twice.length);
    // {"q": "x"}, "n": 3}: a bracket may have come too early.
    const Is more = !begun_ ? Is::no : space == 0 ? looks_like_more(next, final) : looks_like_member(next, final);
    if (more == Is::more) return Next::wait;
    if (more == Is::yes) receipt_.guess(EditKind::prose, at.offset, 0);
    if (begun_) {
      const json::MaybePartial value = object_.value();
      const auto is_argument = [&](std::string_view name) { return value && value->find(name); };
      const Is tag = parameter_follows(next, c_.tool(name_), is_argument, final);
      if (tag == Is::more) return Next::wait;
      if (tag == Is::yes) receipt_.guess(EditKind::prose, at.offset, 0);
    }
    if (!row_.end.empty()) receipt_.safe(EditKind::missing_marker, at.offset, 0);
  }
  owed_ = row_.outer_end;
  end(false);
  return Next::go;
}

}  // namespace

std::unique_ptr<Payload> named_json(Context& context, const Row& row, std::string id, std::string name,
                                    Receipt receipt) {
  return std::make_unique<NamedJson>(context, row, std::move(id), std::move(name), std::move(receipt));
}

}  // namespace belay::text
