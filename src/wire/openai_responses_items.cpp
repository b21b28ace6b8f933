#include "wire/openai_responses_items.h"

namespace BELAY_NAMESPACE::wire::openai_responses {
namespace {

// A call_id that one side lacks contradicts nothing.
bool fits(const Item& item, const ItemRef& ref) {
  return ref.call_id.empty() || item.call_id.empty() || item.call_id == ref.call_id;
}

// The end of a call that names no item and has another call_id than its beginning.
bool renamed(const Item& item, const ItemRef& ref) {
  return item.added && ref.id.empty() && !ref.tool.empty() && item.tool == ref.tool;
}

bool apart(const Item& item, const ItemRef& ref) { return ref.index && item.index && *ref.index != *item.index; }

}  // namespace

ItemType item_type(std::string_view type) {
  if (type == "message") return ItemType::message;
  if (type == "reasoning") return ItemType::reasoning;
  if (type == "function_call") return ItemType::function_call;
  if (type == "custom_tool_call") return ItemType::custom_call;
  return ItemType::other;
}

std::string_view Items::key(By by, std::string_view name, std::optional<std::int64_t> index) {
  key_ = static_cast<char>(by);
  if (index) key_ += std::to_string(*index);
  key_ += '\n';
  key_ += name;
  return key_;
}

Items::Place Items::place(ItemType type, By by, std::string_view name, std::optional<std::int64_t> index) {
  const auto& places = of(type).places;
  auto it = places.find(key(by, name, index));
  return it == places.end() ? Place{} : it->second;
}

// Every name that an item is found by.
template <class Visit>
void Items::each_key(const Item& item, Visit visit) {
  auto both = [&](By by, std::string_view name) {
    if (name.empty()) return;
    visit(by, name, std::nullopt);
    if (item.index) visit(by, name, item.index);
  };
  both(By::id, item.id);
  both(By::call, item.call_id);
  if (item.index) visit(By::index, {}, item.index);
}

void Items::enter(const Item& item, std::size_t at, By by, std::string_view name, std::optional<std::int64_t> index) {
  std::string_view k = key(by, name, index);
  auto& places = of(item.type).places;
  auto it = places.find(k);
  if (it == places.end()) it = places.emplace(std::string(k), Place{}).first;
  it->second.newest = at;
  ++it->second.all;
  if (!item.done) ++it->second.open;
}

// Mostly the item that the last event was about.
Items::Found Items::find(const ItemRef& ref) {
  const bool plain = ref.call_id.empty() && !ref.id.empty() && ref.index;
  if (plain && last_ && last_->type == ref.type && last_->index == ref.index && last_->id == ref.id) return {last_};
  const Found found = find_by_name(ref);
  const bool exact = plain && found.item && found.sure && !found.item->done;
  last_ = exact && found.item->index == ref.index && found.item->id == ref.id ? found.item : nullptr;
  return found;
}

Items::Found Items::find_by_name(const ItemRef& ref) {
  if (!ref.call_id.empty()) {
    if (ref.index) {
      const Place there = place(ref.type, By::call, ref.call_id, ref.index);
      if (Item* item = newest(there)) return {item, there.open <= 1};
    }
    const Place there = place(ref.type, By::call, ref.call_id, {});
    if (Item* item = newest(there)) {
      if (!apart(*item, ref)) return {item, there.open <= 1};
      // The same call_id on another index is another call, once the first is over. Before, two names of three decide.
      if (!item->done) return {item, ref.id.empty() || item->id.empty() || item->id == ref.id};
    }
  }
  if (Found found = find_by_id(ref); found.item) return found;
  if (ref.index) {
    const Place there = place(ref.type, By::index, {}, ref.index);
    if (Item* item = newest(there); item && !item->done && (fits(*item, ref) || renamed(*item, ref)))
      return {item, there.open == 1};
  } else if (ref.id.empty()) {
    const std::size_t at = of(ref.type).newest;
    if (Item* item = at == kNone ? nullptr : items_[at].get(); item && !item->done && fits(*item, ref))
      return {item, of(ref.type).open <= 1};
  }
  return {};
}

Items::Found Items::find_by_id(const ItemRef& ref) {
  if (ref.id.empty()) return {};
  Found late;  // it is over, and the event says something of it again
  if (ref.index) {
    const Place there = place(ref.type, By::id, ref.id, ref.index);
    if (Item* item = newest(there); item && fits(*item, ref)) {
      if (!item->done) return {item, there.open == 1};
      late = {item, there.open == 0};
    } else if (item && !item->done) {
      return {item, false};  // the same item by both names, and another call: one of them is wrong
    }
  }
  const Place there = place(ref.type, By::id, ref.id, {});
  Item* item = newest(there);
  if (!item || !fits(*item, ref)) return late;
  if (!apart(*item, ref)) {
    if (!item->done) return {item, there.open == 1};
    return late.item ? late : Found{item, there.open == 0};
  }
  // The index names another item, or none. Whose fragment it is nobody knows.
  return !late.item && !item->done ? Found{item, false} : late;
}

Item* Items::find_begun(const ItemRef& ref) {
  if (!ref.call_id.empty()) {
    if (ref.index)
      if (Item* item = newest(place(ref.type, By::call, ref.call_id, ref.index))) return item;
    if (Item* item = newest(place(ref.type, By::call, ref.call_id, {})); item && !apart(*item, ref)) return item;
  }
  // One that has arguments already and begins again is another: a server that gives several the same id.
  auto same = [&](Item* item) {
    return item && !item->done && fits(*item, ref) && !apart(*item, ref) && !(item->added && item->begun);
  };
  if (!ref.id.empty()) {
    if (ref.index)
      if (Item* item = newest(place(ref.type, By::id, ref.id, ref.index)); same(item)) return item;
    if (Item* item = newest(place(ref.type, By::id, ref.id, {})); same(item)) return item;
  }
  if (ref.index)
    if (Item* item = newest(place(ref.type, By::index, {}, ref.index)); same(item) && !item->added) return item;
  return nullptr;
}

Item& Items::add(const ItemRef& ref) {
  const std::size_t at = items_.size();
  last_ = nullptr;
  Item& item = *items_.emplace_back(std::make_unique<Item>());
  item.type = ref.type;
  item.name = ref.id;
  while (item.name.empty() || names_.contains(item.name)) item.name += "@" + std::to_string(at);
  names_.emplace(item.name, at);
  of(ref.type).newest = at;
  ++of(ref.type).open;
  learn(item, ref);
  return item;
}

void Items::learn(Item& item, const ItemRef& ref) {
  const bool id = item.id.empty() && !ref.id.empty(), index = !item.index && ref.index,
             call_id = item.call_id.empty() && !ref.call_id.empty();
  if (!id && !index && !call_id) return;
  last_ = nullptr;
  if (id) item.id = ref.id;
  if (index) item.index = ref.index;
  if (call_id) item.call_id = ref.call_id;
  const std::size_t at = names_.find(item.name)->second;
  each_key(item, [&](By by, std::string_view name, std::optional<std::int64_t> there) {
    if ((by == By::id && id) || (by == By::call && call_id) || (there && index)) enter(item, at, by, name, there);
  });
}

void Items::finish(Item& item) {
  if (item.done) return;
  item.done = true;
  --of(item.type).open;
  last_ = nullptr;
  each_key(item, [&](By by, std::string_view name, std::optional<std::int64_t> index) {
    auto& places = of(item.type).places;
    if (auto it = places.find(key(by, name, index)); it != places.end() && it->second.open > 0) --it->second.open;
  });
}

void Items::begin_whole(const std::vector<ItemRef>& list) {
  for (OfType& type : types_) type.streamed = type.newest != kNone;
  bool streamed = false;
  for (const ItemRef& ref : list)
    if (Item* item = find_in_whole(ref, streamed).item) item->listed = true;
  for (std::size_t at = items_.size(); at-- > 0;)
    if (const Item& item = *items_[at]; !item.listed && !item.tool.empty())
      of(item.type).unlisted[item.tool].push_back(at);
}

Item* Items::find_renamed(const ItemRef& ref) {
  auto it = of(ref.type).unlisted.find(ref.tool);
  if (it == of(ref.type).unlisted.end() || it->second.empty()) return nullptr;
  const std::size_t at = it->second.back();
  it->second.pop_back();
  return items_[at].get();
}

Items::Found Items::find_in_whole(const ItemRef& ref, bool& streamed) {
  streamed = false;
  // The place in the list need not be the index in the stream, so a name will do that only one item has.
  for (auto [by, name] : {std::pair(By::call, ref.call_id), std::pair(By::id, ref.id)}) {
    if (name.empty()) continue;
    const Place here = place(ref.type, by, name, ref.index);
    if (Item* item = newest(here); item && fits(*item, ref)) return {item};
    const Place there = place(ref.type, by, name, {});
    if (Item* item = newest(there); item && fits(*item, ref)) {
      if (there.all == 1) return {item};
      streamed = true;
      return {};
    }
    // The same item in the same place, and another call: one of them is wrong.
    if (Item* item = newest(here); item && here.all == 1) return {item, false};
  }
  if (ref.index)
    if (Item* item = newest(place(ref.type, By::index, {}, ref.index)); item && item->call_id == ref.call_id)
      return {item};
  // A call that is not known by its call_id is a new one; words would be said twice.
  streamed = ref.call_id.empty() && of(ref.type).streamed;
  return {};
}

bool Items::any_call() const {
  return types_[static_cast<std::size_t>(ItemType::function_call)].newest != kNone ||
         types_[static_cast<std::size_t>(ItemType::custom_call)].newest != kNone;
}

std::uint64_t& Items::sent(const Item& item, char kind, std::int64_t part) {
  key_ = item.name;
  key_ += kind;
  key_ += std::to_string(part);
  return sent_[key_];
}

}  // namespace BELAY_NAMESPACE::wire::openai_responses
