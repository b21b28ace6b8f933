// The items of one streamed answer: which one an event is about, and what of it was passed on.
#pragma once

#include <belay/version.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace BELAY_NAMESPACE::wire::openai_responses {

enum class ItemType : std::uint8_t { message, reasoning, function_call, custom_call, other };
inline constexpr std::size_t kItemTypes = 5;
ItemType item_type(std::string_view type);

/// What a part is a part of: a message's text or refusal, a reasoning's summary or content.
enum class Part : char { text = 't', refusal = 'r', summary = 's', thought = 'c' };

struct Item {
  ItemType type = ItemType::other;
  std::optional<std::int64_t> index;   ///< output_index
  std::string name;                    ///< tells it from all others: its id, or a made one; never empty
  std::string id;                      ///< as the server gave it; others may have it too
  std::string call_id;                 ///< likewise
  std::string tool;                    ///< of a call: the name that it began with
  std::string members;                 ///< what was kept of it, as JSON text
  Part first_kind = Part::text;        ///< of a message: of its first part
  std::string first_block;             ///< likewise, its name; empty before there is one
  std::string last_part;               ///< of reasoning: the part that came last
  std::optional<std::int64_t> lowest;  ///< of the content_index of its pieces
  std::string start;                   ///< of a call: arguments that stood in it when it began
  bool added = false;                  ///< an event said that it began
  bool begun = false;                  ///< of a call: arguments came
  bool input_open = false;             ///< of a custom call: fragments of its input were sent
  bool done = false;
  bool listed = false;  ///< the list of the whole answer names it
  bool given = false;   ///< the list has given it
};

/// What an event says of the item that it is about. Any of it may be missing.
struct ItemRef {
  ItemType type = ItemType::other;
  std::string_view id;
  std::optional<std::int64_t> index;
  std::string_view call_id;
  std::string_view tool = {};  ///< of a call that the event gives as a whole
};

/// Finds the items that events are about. Servers differ in how they name them: some give every event another id
/// (GitHub Copilot), others every item the index 0, and some give one id to several items. So the call_id counts first,
/// then id and index together, then each alone; and an item that is done only when no other can be meant. Some make up
/// new ids for a call when it ends, and again for the list of the whole answer (vLLM): there its place and its tool
/// tell it. Each look is at a few names, however many items there are.
class Items {
 public:
  struct Found {
    Item* item = nullptr;
    bool sure = true;  ///< false when what the event says fits several items, or one of them only in part
  };

  /// The item that an event goes on with.
  Found find(const ItemRef& ref);
  /// The item that an event says has begun: one that is there already, or none.
  Item* find_begun(const ItemRef& ref);
  Item& add(const ItemRef& ref);
  /// Takes an id, index or call_id that came late.
  void learn(Item& item, const ItemRef& ref);
  void finish(Item& item);
  /// From here on items come from this list of a whole answer, which repeats what was streamed.
  void begin_whole(const std::vector<ItemRef>& list);
  /// The item of that list. When it cannot be told but its type was streamed, it was too, and `streamed` is set.
  Found find_in_whole(const ItemRef& ref, bool& streamed);
  /// For a call of that list under names that are new: the next one of its tool that was streamed and that the list
  /// does not name. It would be run twice otherwise.
  Item* find_renamed(const ItemRef& ref);
  [[nodiscard]] bool any_call() const;
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] Item& operator[](std::size_t at) { return *items_[at]; }
  /// Parts of which something was passed on.
  [[nodiscard]] std::size_t parts() const { return sent_.size(); }

  /// How many bytes of a part were passed on.
  std::uint64_t& sent(const Item& item, char kind, std::int64_t part);

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  /// All items that have one name.
  struct Place {
    std::size_t newest = kNone;
    std::size_t open = 0, all = 0;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  struct OfType {
    std::unordered_map<std::string, Place, Hash, std::equal_to<>> places;  // by what key() makes
    std::size_t newest = kNone;
    std::size_t open = 0;
    bool streamed = false;
    std::unordered_map<std::string, std::vector<std::size_t>, Hash, std::equal_to<>> unlisted;  // by tool, newest first
  };
  enum class By : char { id = 'i', call = 'c', index = '#' };
  /// The name alone, or together with an index. The view is valid until the next call.
  std::string_view key(By by, std::string_view name, std::optional<std::int64_t> index);
  Place place(ItemType type, By by, std::string_view name, std::optional<std::int64_t> index);
  void enter(const Item& item, std::size_t at, By by, std::string_view name, std::optional<std::int64_t> index);
  template <class Visit>
  void each_key(const Item& item, Visit visit);
  Item* newest(const Place& place) { return place.newest == kNone ? nullptr : items_[place.newest].get(); }
  OfType& of(ItemType type) { return types_[static_cast<std::size_t>(type)]; }
  Found find_by_name(const ItemRef& ref);
  Found find_by_id(const ItemRef& ref);

  std::vector<std::unique_ptr<Item>> items_;
  std::array<OfType, kItemTypes> types_;
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> names_;
  std::unordered_map<std::string, std::uint64_t> sent_;
  std::string key_;
  Item* last_ = nullptr;  // found for sure by the id and index that it has, and nothing has changed since
};

}  // namespace BELAY_NAMESPACE::wire::openai_responses
