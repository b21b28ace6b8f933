// What checking and healing a history agree on.
#pragma once

#include <belay/chat/message.h>
#include <belay/json/reader.h>

#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::task {

/// Ids that Belay makes begin like this.
inline constexpr std::string_view kMadeId = "belay_";
/// What the ids of a turn's calls begin with where the provider gave none; behind it stands the slot.
inline std::string made_ids(std::uint64_t turn) { return std::string(kMadeId) + std::to_string(turn) + "_"; }

/// False for white space alone, for blocks and messages too: some providers refuse it, and it says nothing.
bool says_something(std::string_view text);
bool says_something(const chat::Block& block);
bool says_something(const chat::Message& message);

/// True when an answer can follow: somebody said something that is no thought, which wires leave out of it.
bool begins(const chat::Message& message);

/// JSON text of one object, strictly. Keeps its memory from one text to the next.
class ObjectText {
 public:
  ObjectText();
  bool is(std::string_view text);

 private:
  json::Reader reader_;
};
bool is_object_text(std::string_view text);
/// Arguments that Belay wrote, strictly. The limits held when they came in.
json::Reading read_run(std::string_view text);
/// The object that the text was meant to be, on one line: mended where that can be done; of one that was cut off the
/// members that were whole; `{}` when nothing can be understood.
std::string mended_object_text(std::string_view text);

/// What a result may hold: anything but calls and results.
bool fits_into_result(const chat::Block& block);

}  // namespace BELAY_NAMESPACE::task
