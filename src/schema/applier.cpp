// The copy with the changes made.
#include "schema/aligner.h"

#include "schema/places.h"

#include <utility>

namespace BELAY_NAMESPACE::schema {

void Applier::note(const Change& c) {
  std::string path;
  for (const Open& o : open_) append_token(path, o.array ? std::to_string(o.item - 1) : std::string(o.key));
  bool guess = c.guess || c.kind == AlignKind::near_key || c.kind == AlignKind::unknown_key_dropped;
  edits_.push_back({c.kind, guess ? json::Grade::guess : json::Grade::safe, std::move(path),
                    c.kind == AlignKind::near_key ? c.text : std::string()});
}

// A key and what happens to its member. False when the key stands there already.
bool Applier::member(std::size_t& i) {
  open_.back().key = tape_.text(i);
  auto it = changes_.find(i + 1);
  if (it != changes_.end()) {
    const Change& c = it->second;
    if (c.kind == AlignKind::null_dropped || c.kind == AlignKind::unknown_key_dropped) {
      note(c);
      i = tape_.next(i + 1);
      return true;
    }
    if (c.kind == AlignKind::near_key) {
      note(c);
      open_.back().key = c.text;  // edits further in find it under its new name
      if (!out_.key(c.text)) return false;
      ++i;
      return true;
    }
  }
  if (!out_.key(tape_.text(i))) return false;
  ++i;
  return true;
}

void Applier::take(std::size_t, Change& c) {
  if (c.value)
    out_.copy(*c.value);
  else if (c.kind == AlignKind::json_in_string)
    out_.copy(c.document.root());
  else if (c.kind == AlignKind::boolean_from_string)
    out_.boolean(c.boolean);
  else if (c.kind == AlignKind::number_from_string)
    out_.number(c.text);
  else
    out_.string(c.text);
}

std::optional<json::Document> Applier::run() {
  std::size_t i = root_.index();
  const std::size_t end = tape_.next(i);
  while (true) {
    while (!open_.empty() && i == open_.back().end) {
      out_.close();
      open_.pop_back();
    }
    if (i >= end) return out_.take();
    if (tape_.node(i).tag() == json::Tag::key) {
      if (!member(i)) return std::nullopt;
      continue;
    }
    if (!open_.empty() && open_.back().array) ++open_.back().item;
    auto it = changes_.find(i);
    if (it != changes_.end() && it->second.kind != AlignKind::near_key) {
      note(it->second);
      if (it->second.kind != AlignKind::item_to_list) {
        take(i, it->second);
        i = tape_.next(i);
        continue;
      }
      out_.open_array();
      open(i, true);
      ++open_.back().item;
    }
    const json::Tag tag = tape_.node(i).tag();
    if (tag == json::Tag::array || tag == json::Tag::object) {
      tag == json::Tag::array ? out_.open_array() : out_.open_object();
      open(i, tag == json::Tag::array);
    } else {
      out_.copy(json::Value(&tape_, i));
    }
    ++i;
  }
}

}  // namespace BELAY_NAMESPACE::schema
