// A model that is made up: it answers in a real wire's bytes, with calls that are whole, damaged or cut.
#pragma once

#include "sim/random.h"

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
};

class Model {
 public:
  Model(std::uint64_t seed, wire::Wire wire) : random_(seed), wire_(wire) {}

  /// The answer to a request, read back from the bytes of the wire, cut anywhere.
  std::expected<task::Answer, task::Trouble> answer(const std::string& task, const task::SendRequest& request,
                                                    const tool::Registry& tools);
  [[nodiscard]] const std::map<std::int64_t, Meant>& meant() const { return meant_; }
  /// From now on it only completes.
  void tire() { tired_ = true; }

 private:
  struct Sent {
    std::string id, name, arguments;
  };
  Sent some_call(bool last, bool& cut);
  std::string damaged(std::string arguments, Meant& meant);
  std::string text_answer(const task::SendRequest& request, const tool::Registry& tools);

  Random random_;
  wire::Wire wire_;
  std::int64_t token_ = 0;
  bool tired_ = false;
  std::map<std::int64_t, Meant> meant_;
};

}  // namespace belay::sim
