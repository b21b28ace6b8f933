// One question to a model, apart from any task: text in, text out. An edge.
#pragma once

#include <belay/chat.h>
#include <belay/run/agent.h>

#include <expected>
#include <stop_token>
#include <string>

namespace BELAY_NAMESPACE::run {

struct ModelWords {
  std::string text;
  std::string model;  ///< as it calls itself; the one that was asked, when it does not
  chat::StopReason stop = chat::StopReason::none;
  chat::Usage usage;
};

/// Waits for the answer, or until a stop is asked for. Nothing is tried again, nothing is kept, calls of tools are left
/// out. The error is one sentence without secrets.
std::expected<ModelWords, std::string> ask_model(const Endpoint& endpoint, const chat::Request& request,
                                                 const std::stop_token& stop = {}, const Limits& limits = {});

}  // namespace BELAY_NAMESPACE::run
