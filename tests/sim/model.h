// A model that is made up: it answers in a real wire's bytes, with calls that are whole, damaged or cut.
#pragma once

#include "sim/random.h"
#include "sim/setting.h"

#include <belay/json.h>
#include <belay/task.h>
#include <belay/wire.h>

#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <string_view>

namespace belay::sim {

/// What a call was meant to be, by the number that every call carries in its arguments.
struct Meant {
  std::string tool;
  std::string arguments;  ///< JSON text
  bool whole = false;     ///< it was sent with one reading only
  bool in_text = false;   ///< it was written into the text of a model that has native calls
};

class Model {
 public:
  Model(std::uint64_t seed, Nature nature) : random_(seed), nature_(nature) {}

  /// The answer to a request, read back from the bytes of the wire, cut anywhere.
  std::expected<turn::Answer, task::Trouble> answer(const std::string& task, const task::SendRequest& request,
                                                    const tool::Registry& tools);
  [[nodiscard]] const std::map<std::int64_t, Meant>& meant() const { return meant_; }
  /// Another chance from here on: for a copy that lives its own life.
  void reseed(std::uint64_t seed) { random_ = Random(seed); }
  /// From now on it only completes.
  void tire() { tired_ = true; }

 private:
  struct Sent {
    std::string id, name, arguments;
  };
  Sent some_call(bool last, bool& cut);
  std::string damaged(std::string arguments, Meant& meant);
  std::string text_answer(const task::SendRequest& request, const tool::Registry& tools);

  std::string around_calls(const task::SendRequest& request, const tool::Registry& tools);
  chat::Usage usage_of(const task::SendRequest& request);

  Random random_;
  Nature nature_;
  std::int64_t token_ = 0;
  bool tired_ = false;
  std::map<std::int64_t, Meant> meant_;
};

}  // namespace belay::sim
