// One response body, read into events.
#pragma once

#include "options.h"
#include "tools_file.h"

#include <belay/turn.h>
#include <belay/wire.h>

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace belay::cli {

/// What all bodies of a command have in common.
struct BodyOptions {
  turn::LedgerOptions assembling;
  std::unique_ptr<const ToolSet> tools;  ///< `assembling` points into it
  std::optional<wire::Wire> wire;
  sse::Ended ended = sse::Ended::eof;
  Limits limits;
};
/// Reads the tools. The error says why they cannot be read.
std::expected<BodyOptions, std::string> body_options(const ParseOptions& options);

class Body {
 public:
  /// Both must outlive it.
  Body(const BodyOptions& options, turn::EventSink& sink);

  void push(std::string_view bytes);
  void finish();
  [[nodiscard]] const turn::Ledger& ledger() const { return ledger_; }

 private:
  const BodyOptions& options_;
  turn::Ledger ledger_;
  std::optional<wire::StreamDecoder> decoder_;  // none: the body is the model's text and nothing else
};

}  // namespace belay::cli
