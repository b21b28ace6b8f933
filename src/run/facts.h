// What other threads tell the thread that runs an agent.
#pragma once

#include "run/mailbox.h"

#include <belay/net/client.h>
#include <belay/policy.h>
#include <belay/task/tree.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace BELAY_NAMESPACE::run {

/// Exchanges are named by a number of the agent's own, so that nothing late is taken for something new.
struct HeadCame {
  std::uint64_t exchange = 0;
  net::Head head;
};
struct BytesCame {
  std::uint64_t exchange = 0;
  std::string bytes;
};
struct ExchangeEnded {
  std::uint64_t exchange = 0;
  std::optional<net::Error> error;
};
struct ToolSaid {
  std::string task, call, text;
};
struct ToolEnded {
  std::string task, call;
  std::uint64_t run = 0;
  tool::Result result;
};
struct PersonReplied {
  std::string task, question;
  task::Reply reply;
};
struct PersonSaid {
  std::vector<chat::Block> blocks;
};
struct PersonStopped {};
struct PersonLeft {};
struct RuleAdded {
  policy::Rule rule;
};

using Fact = std::variant<HeadCame, BytesCame, ExchangeEnded, ToolSaid, ToolEnded, PersonReplied, PersonSaid,
                          PersonStopped, PersonLeft, RuleAdded>;
using Facts = Mailbox<Fact>;

}  // namespace BELAY_NAMESPACE::run
