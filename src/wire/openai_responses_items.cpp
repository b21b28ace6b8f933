#include "wire/openai_responses_items.h"

namespace belay::wire::openai_responses {

ItemType item_type(std::string_view type) {
  if (type == "message") return ItemType::message;
  if (type == "reasoning") return ItemType::reasoning;
  if (type == "function_call") return ItemType::function_call;
  if (type == "custom_tool_call") return ItemType::custom_call;
  return ItemType::other;
}

Item* Items::named(const ByName& names, std::string_view name, const ItemRef& ref) {
  if (name.empty()) return nullptr;
  auto it = names.find(name);
  if (it == names.end()) return nullptr;
  Item* item = items_[it->second].get();
  return item->type == ref.type ? item : nullptr;
}

Item* Items::find(const ItemRef& ref) {
  if (Item* item = named(by_call_, ref.call_id, ref)) return item;
  auto fits = [&](const Item* item) {
    return ref.call_id.empty() || item->call_id.empty() || item->call_id == ref.call_id;
  };
  if (Item* item = named(by_id_, ref.id, ref); item && fits(item)) return item;
  OfType& same = of(ref.type);
  std::size_t at = kNone;
  if (ref.index) {
    if (auto it = same.by_index.find(*ref.index); it != same.by_index.end()) at = it->second;
  } else if (ref.id.empty()) {
    at = same.newest;
  }
  if (at == kNone) return nullptr;
  Item* item = items_[at].get();
  return !item->done && fits(item) ? item : nullptr;
}

Item& Items::add(const ItemRef& ref) {
  std::size_t at = items_.size();
  Item& item = *items_.emplace_back(std::make_unique<Item>());
  item.type = ref.type;
  item.index = ref.index;
  item.call_id = ref.call_id;
  item.name = ref.id.empty() || by_id_.contains(ref.id) ? "#" + std::to_string(at) : std::string(ref.id);
  by_id_.emplace(item.name, at);
  if (!ref.call_id.empty()) by_call_.emplace(item.call_id, at);
  OfType& same = of(ref.type);
  same.newest = at;
  if (ref.index) same.by_index[*ref.index] = at;
  return item;
}

Item& Items::find_or_add(const ItemRef& ref) {
  Item* item = find(ref);
  return item ? *item : add(ref);
}

void Items::begin_whole() {
  for (OfType& type : types_) type.streamed = type.newest != kNone;
}

Item* Items::find_in_whole(const ItemRef& ref, bool& streamed) {
  OfType& same = of(ref.type);
  streamed = false;
  if (Item* item = named(by_call_, ref.call_id, ref)) return item;
  if (Item* item = named(by_id_, ref.id, ref)) return item;
  if (ref.index)
    if (auto it = same.by_index.find(*ref.index); it != same.by_index.end())
      if (Item* item = items_[it->second].get(); item->call_id == ref.call_id) return item;
  // A call that is not known by its call_id is a new one; words would be said twice.
  streamed = ref.call_id.empty() && same.streamed;
  return nullptr;
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

}  // namespace belay::wire::openai_responses
