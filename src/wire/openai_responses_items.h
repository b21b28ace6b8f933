// The items of one streamed answer: which one an event is about, and what of it was passed on.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace belay::wire::openai_responses {

enum class ItemType : std::uint8_t { message, reasoning, function_call, custom_call, other };
inline constexpr std::size_t kItemTypes = 5;
ItemType item_type(std::string_view type);

struct Item {
  ItemType type = ItemType::other;
  std::optional<std::int64_t> index;  ///< output_index
  std::string name;                   ///< its id, or a made one when it has none: never empty
  std::string call_id;
  std::string members;          ///< what was kept of it, as JSON text
  std::string_view first_kind;  ///< of a message: of its first part
  std::string first_block;      ///< likewise, its name; empty before there is one
  std::string last_part;        ///< of reasoning: the part that came last
  bool input_open = false;      ///< of a custom call: fragments of its input were sent
  bool done = false;
};

/// What an event says of the item that it is about. Any of it may be missing.
struct ItemRef {
  ItemType type = ItemType::other;
  std::string_view id;
  std::optional<std::int64_t> index;
  std::string_view call_id;
};

/// Finds items by call_id, then by their id, then by the output index among those of the type that are not done: some
/// servers give every event another id (GitHub Copilot), others every item the index 0.
class Items {
 public:
  Item* find(const ItemRef& ref);
  Item& add(const ItemRef& ref);
  Item& find_or_add(const ItemRef& ref);
  /// From here on items come from the list of a whole answer, which repeats what was streamed.
  void begin_whole();
  /// The item of that list. When it cannot be told but its type was streamed, it was too, and `streamed` is set.
  Item* find_in_whole(const ItemRef& ref, bool& streamed);
  [[nodiscard]] bool any_call() const;
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  /// Parts of which something was passed on.
  [[nodiscard]] std::size_t parts() const { return sent_.size(); }

  /// How many bytes of a part were passed on.
  std::uint64_t& sent(const Item& item, char kind, std::int64_t part);

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  using ByName = std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>>;
  struct OfType {
    std::unordered_map<std::int64_t, std::size_t> by_index;  // the newest on each
    std::size_t newest = kNone;
    bool streamed = false;
  };
  [[nodiscard]] Item* named(const ByName& names, std::string_view name, const ItemRef& ref);
  OfType& of(ItemType type) { return types_[static_cast<std::size_t>(type)]; }

  std::vector<std::unique_ptr<Item>> items_;
  std::array<OfType, kItemTypes> types_;
  ByName by_id_, by_call_;
  std::unordered_map<std::string, std::uint64_t> sent_;
  std::string key_;
};

}  // namespace belay::wire::openai_responses
