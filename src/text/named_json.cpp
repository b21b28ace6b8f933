// The arguments of a call whose name stood outside of them.
#include "text/object_part.h"
#include "text/raw_body.h"
#include "text/tag_doubt.h"
#include "text/wrapper.h"

#include <optional>
#include <utility>

namespace BELAY_NAMESPACE::text {
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
    // Formats that have raw text for interpreters.
    if (row.grammar == Grammar::harmony || row.separator == "\n") raw_parameter_ = raw_parameter(c_, name_);
    c_.output.begin();
    if (!name_.empty()) c_.output.name(id_, name_);
  }

  std::size_t read(std::string_view window, Position at, bool final) override;
  [[nodiscard]] json::MaybePartial partial() const override {
    if (in_ == In::raw) return raw_->value();
    if (in_ == In::before) return json::MaybePartial();
    return has_envelope() ? arguments_in(object_.value()) : object_.value();
  }
  [[nodiscard]] bool guessed() const override { return receipt_.grade == json::Grade::guess || object_.guessed(); }

 private:
  enum class In : std::uint8_t { before, object, raw, behind };
  enum class Next : std::uint8_t { go, wait };
  Next before(std::string_view rest, Position at, bool final, std::size_t& used);
  Next behind(std::string_view rest, Position at, bool final, std::size_t& used);
  Next in_raw(std::string_view rest, bool final, std::size_t& used);
  void end(bool cut, Position at = {});
  void open_envelope(Found& found);
  // The object holds the name once more, and the arguments in a member.
  [[nodiscard]] bool has_envelope() const { return row_.arguments_key == "args"; }

  Context& c_;
  const Row& row_;
  std::string id_, name_;
  Receipt receipt_;
  ObjectPart object_;
  std::optional<RawParameter> raw_parameter_;  // of a tool that takes raw text
  std::optional<RawBody> raw_;
  In in_ = In::before;
  bool begun_ = false;
};

// {"name": "f", "args": {}}, with other words for the two as well. What has neither is the arguments by itself.
void NamedJson::open_envelope(Found& found) {
  if (found.reading.document.empty() || !found.reading.document.root().is_object()) return;
  const json::Value root = found.reading.document.root();
  const Tool* tool = c_.tool(name_);
  const std::uint64_t offset = object_.begun_at().offset;
  bool named = false, arguments = false, parameter = false;
  for (json::Member m : root.members()) {
    const bool name =
        is_name_key(m.key) &&
        (m.value.is_object() ? m.key == "function"
                             : m.value.is_string() && (name_.empty() || c_.plain_name(m.value.as_string()) == name_));
    named |= name;
    arguments |= is_arguments_key(m.key);
    parameter |= (name || is_arguments_key(m.key)) && tool && tool->parameters.has(m.key);
  }
  if (!named && !arguments) return;
  // {"input": "x"} for a tool with such a parameter: either may be meant.
  if (parameter && !(named && arguments)) {
    receipt_.guess(EditKind::loose_arguments, offset, 0);
    if (!named || !root.find("args")) return;
  }
  found = unwrap(std::move(found.reading), c_, row_, offset);
}

void NamedJson::end(bool cut, Position at) {
  Found found;
  if (raw_) {
    found.reading = raw_->finish(!cut);
    cut = false;
  } else if (begun_) {
    found.reading = object_.finish(cut);
    if (has_envelope()) open_envelope(found);
    // Words before the object: it may be a part of something else, of code say.
    for (json::Edit& edit : found.reading.edits)
      if (edit.kind == EditKind::prose && edit.offset < object_.begun_at().offset + 1)
        edit.grade = found.reading.verdict.grade = json::Grade::guess;
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
    } else if (in_ == In::raw) {
      next = in_raw(rest, final, used);
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

// Raw text, up to the format's end. Where there is no end marker the end of the text is one.
NamedJson::Next NamedJson::in_raw(std::string_view rest, bool final, std::size_t& used) {
  bool over = false;
  used = raw_->read(rest, final, over);
  if (!over) {
    if (!final || used < rest.size()) return Next::wait;
    end(!row_.end.empty());
    return Next::go;
  }
  const Match last = match_any(rest.substr(used), row_.end, final);
  if (last) used += last.length;
  if (last) again_.assign(row_.end.begin(), row_.end.end());
  end(!last && !row_.end.empty());
  return Next::go;
}

NamedJson::Next NamedJson::before(std::string_view rest, Position at, bool final, std::size_t& used) {
  if (raw_parameter_) {
    const Is raw = raw_begins(rest, row_, final);
    if (raw == Is::more) return Next::wait;
    if (raw == Is::yes) {
      raw_.emplace(c_, row_, *std::exchange(raw_parameter_, std::nullopt), at);
      in_ = In::raw;
      return Next::go;
    }
    raw_parameter_.reset();
  }
  const std::size_t space = past_any_space(rest, 0);
  if (space > 0) {
    receipt_.spaces(rest.substr(0, space), at.offset);
    used = space;
    return Next::go;
  }
  if (half_space(rest) && !final) return Next::wait;
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
  const Is quoted = looks_quoted(rest, final);
  if (quoted == Is::more) return Next::wait;
  begun_ = true;
  using Opens = ObjectPart::Opens;
  const Match next = next_byte(rest, 1, final);
  const bool key = rest.front() == '"' && !(next && rest[next.length] == '{');
  object_.begin(at, quoted == Is::yes ? Opens::quoted : key ? Opens::key : Opens::brace);
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
  if (last || fence || std::string_view("}])").find(next.front()) != std::string_view::npos)
    receipt_.spaces(rest.substr(0, space), at.offset - space);
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

}  // namespace BELAY_NAMESPACE::text
