#include "watch.h"

#include "outcome.h"
#include "prefix.h"

namespace belay::check {
namespace {

bool is_leaf(json::Kind kind) { return kind != json::Kind::array && kind != json::Kind::object; }

std::string changed(const std::string& earlier, const std::string& later) {
  return "what was shown as " + earlier + " became " + later;
}

json::Kind kind_of(const Tree& tree) {
  switch (tree.kind) {
    case Tree::Kind::null: return json::Kind::null;
    case Tree::Kind::no:
    case Tree::Kind::yes: return json::Kind::boolean;
    case Tree::Kind::number: return json::Kind::number;
    case Tree::Kind::string: return json::Kind::string;
    case Tree::Kind::array: return json::Kind::array;
    case Tree::Kind::object: return json::Kind::object;
  }
  return json::Kind::null;
}

/// Texts up to this length are read once more for each piece.
constexpr std::size_t kCompared = 512;

std::string shown_text(const json::Reader& reader) {
  std::optional<json::Partial> partial = reader.value();
  return partial ? to_text(copy(*partial)) : "nothing";
}

/// A finished tree as it would be shown: everything closed.
Shown closed(const Tree& tree) {
  Shown out{.kind = kind_of(tree), .closed = true, .text = tree.text, .keys = tree.keys, .items = {}};
  if (out.kind == json::Kind::boolean) out.text = tree.kind == Tree::Kind::yes ? "true" : "false";
  for (const Tree& item : tree.items) out.items.push_back(closed(item));
  return out;
}

}  // namespace

Shown copy(const json::Partial& partial) {
  Shown out{.kind = partial.kind(), .closed = partial.closed(), .text = {}, .keys = {}, .items = {}};
  switch (out.kind) {
    case json::Kind::null: break;
    case json::Kind::boolean: out.text = partial.as_bool() ? "true" : "false"; break;
    case json::Kind::number: out.text = partial.number_text(); break;
    case json::Kind::string: out.text = partial.as_string(); break;
    case json::Kind::array: partial.each_item([&](json::Partial item) { out.items.push_back(copy(item)); }); break;
    case json::Kind::object:
      partial.each_member([&](std::string_view key, json::Partial value) {
        out.keys.emplace_back(key);
        out.items.push_back(copy(value));
      });
      break;
  }
  return out;
}

std::string to_text(const Shown& shown) {
  std::string out;
  switch (shown.kind) {
    case json::Kind::null: return "null";
    case json::Kind::boolean:
    case json::Kind::number: return shown.text;
    case json::Kind::string: out = json_string(shown.text); break;
    case json::Kind::array:
    case json::Kind::object:
      out = shown.kind == json::Kind::array ? "[" : "{";
      for (std::size_t i = 0; i < shown.items.size(); ++i) {
        if (i > 0) out += ',';
        if (!shown.keys.empty()) out += json_string(shown.keys[i]) + ":";
        out += to_text(shown.items[i]);
      }
      out += shown.kind == json::Kind::array ? "]" : "}";
  }
  return shown.closed ? out : out + "…";
}

std::string unlawful(const Shown& shown) {
  if (is_leaf(shown.kind) && shown.kind != json::Kind::string && !shown.closed)
    return "a number or literal is shown before it is delimited: " + to_text(shown);
  if (shown.kind == json::Kind::string && !is_utf8(shown.text))
    return "half a character is shown: " + printable(shown.text);
  for (std::size_t i = 0; i < shown.items.size(); ++i) {
    if (i + 1 < shown.items.size() && !shown.items[i].closed)
      return "an open value is not the last one: " + to_text(shown);
    if (shown.closed && !shown.items[i].closed) return "a closed value holds an open one: " + to_text(shown);
    if (std::string f = unlawful(shown.items[i]); !f.empty()) return f;
  }
  return {};
}

std::string regression(const Shown& earlier, const Shown& later) {
  if (earlier.kind != later.kind) return changed(to_text(earlier), to_text(later));
  if (earlier.closed) return earlier == later ? std::string() : changed(to_text(earlier), to_text(later));
  if (is_leaf(earlier.kind))
    return later.text.starts_with(earlier.text) ? std::string() : changed(to_text(earlier), to_text(later));
  if (earlier.items.size() > later.items.size()) return changed(to_text(earlier), to_text(later));
  for (std::size_t i = 0; i < earlier.items.size(); ++i) {
    if (!earlier.keys.empty() && earlier.keys[i] != later.keys[i]) return changed(to_text(earlier), to_text(later));
    if (std::string f = regression(earlier.items[i], later.items[i]); !f.empty()) return f;
  }
  return {};
}

std::string regression(const Shown& earlier, const Tree& final) { return regression(earlier, closed(final)); }

std::string Watch::after_push(const json::Reader& reader) {
  std::optional<json::Partial> partial = reader.value();
  writer_.take(reader.value(), text_);
  if (!partial) return last_ ? "what was shown as " + to_text(*last_) + " is gone" : std::string();
  Shown shown = copy(*partial);
  if (std::string f = unlawful(shown); !f.empty()) return f;
  std::string fault = last_ ? regression(*last_, shown) : std::string();
  last_ = std::move(shown);
  return fault;
}

std::string Watch::at_end(const json::Reading& reading) {
  if (!last_) return {};
  if (reading.document.empty())
    return reading.verdict.word() == json::Word::broken ? std::string() : "what was shown is gone: " + to_text(*last_);
  const std::string whole = json::to_string(reading.document.root());
  if (!whole.starts_with(text_)) return "the text so far was " + printable(text_) + " and not of " + printable(whole);
  writer_.finish(reading.document.root(), text_);
  if (text_ != whole) return "the text ends as " + printable(text_) + " and not as " + printable(whole);
  return regression(*last_, to_tree(reading.document.root()));
}

std::string watch_fault(std::string_view input, std::size_t size, json::ReaderOptions options, json::Ending ending) {
  json::Reader reader(options);
  Watch watch;
  std::size_t taken = 0;
  for (std::string_view piece : chop(input, size)) {
    reader.push(piece);
    taken += piece.size();
    if (std::string f = watch.after_push(reader); !f.empty()) return "after " + std::to_string(taken) + " bytes, " + f;
    if (input.size() > kCompared) continue;
    json::Reader other(options);
    other.push(input.substr(0, taken));
    if (shown_text(reader) != shown_text(other))
      return "after " + std::to_string(taken) + " bytes, " + shown_text(reader) + " is shown, and " +
             shown_text(other) + " when they come in one piece";
  }
  std::string fault = watch.at_end(reader.finish(ending));
  return fault.empty() ? fault : "at the end, " + fault;
}

}  // namespace belay::check
