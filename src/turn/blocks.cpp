#include "turn/blocks.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::turn {

void attach(std::vector<chat::Opaque>& to, const chat::Opaque& opaque) {
  // Nobody has so many; a hostile server's are kept without looking through all of them each time.
  constexpr std::size_t kLookedAt = 64;
  for (std::size_t i = 0; i < to.size() && i < kLookedAt; ++i) {
    chat::Opaque& old = to[i];
    if (old.wire != opaque.wire || old.key != opaque.key) continue;
    if (!old.json.starts_with('[') || !opaque.json.starts_with('[') || old.json == "[]") {
      old.json = opaque.json;
    } else if (opaque.json != "[]") {
      old.json.back() = ',';
      old.json.append(opaque.json, 1);
    }
    return;
  }
  to.push_back(opaque);
}

Block& Blocks::block_of(Kind kind, std::string_view name) {
  source_open_ = false;
  if (!list_.empty() && list_.back().kind == kind && list_.back().source == 0 && last_name_ == name)
    return list_.back();
  if (!name.empty()) {
    std::string key(1, static_cast<char>('0' + static_cast<int>(kind)));
    key += name;
    auto [it, is_new] = named_.try_emplace(std::move(key), list_.size());
    if (!is_new) return list_[it->second];
  }
  last_name_ = name;
  list_.push_back({.kind = kind});
  return list_.back();
}

void Blocks::add(Kind kind, std::string_view name, std::string_view piece) { block_of(kind, name).text += piece; }

void Blocks::add_found(Kind kind, std::size_t source, std::string_view piece) {
  if (list_.empty() || list_.back().kind != kind || list_.back().source != source)
    list_.push_back({.kind = kind, .source = source});
  if (std::size_t& first = sources_[source - 1].first_part; kind == Kind::text && first == kNone)
    first = list_.size() - 1;
  list_.back().text += piece;
}

void Blocks::begin_call(std::size_t slot, std::size_t source) {
  last_name_.clear();
  if (source == 0) source_open_ = false;
  list_.push_back({.kind = Kind::call, .call = slot, .source = source});
}

void Blocks::attach(Kind kind, std::string_view name, const chat::Opaque& opaque) {
  // What belongs to a text in which calls were looked for goes with its first part.
  if (kind == Kind::text)
    if (const auto named = named_sources_.find(name); named != named_sources_.end())
      if (const std::size_t part = sources_[named->second - 1].first_part; part != kNone)
        return turn::attach(list_[part].opaque, opaque);
  turn::attach(block_of(kind, name).opaque, opaque);
}

void Blocks::attach_last(const chat::Opaque& opaque) {
  turn::attach(list_.empty() ? message_ : list_.back().opaque, opaque);
}

void Blocks::attach_message(const chat::Opaque& opaque) { turn::attach(message_, opaque); }

std::size_t Blocks::source(std::string_view name, std::size_t size) {
  if (!source_open_ || source_name_ != name) {
    const auto known = name.empty() ? named_sources_.end() : named_sources_.find(name);
    if (known == named_sources_.end()) {
      sources_.push_back({text_, kNone});
      named_sources_[std::string(name)] = sources_.size();
    } else if (known->second != sources_.size()) {
      in_order_ = false;
    }
    source_open_ = true;
    source_name_ = name;
  }
  const std::size_t source = named_sources_.find(name)->second;
  text_ += size;
  return source;
}

}  // namespace BELAY_NAMESPACE::turn
